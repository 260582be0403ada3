/* delassus law new: a folder with a law that builds at once, outside of this project. */
#include "app/law/new.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "app/options.h"
#include "base/file.h"

enum { TEXT = 8192, MAX_STATES = 16, LONGEST_NAME = 32 };

typedef struct {
  const char *name, *folder;
  long dimension; /* 0: both */
  bool custom;
  int nstates;
  char state[MAX_STATES][LONGEST_NAME + 1];
  char state_table[TEXT], state_fields[256], commit[TEXT];
} New;

static bool is_name(const char *text) {
  const size_t length = strlen(text);
  return length && length <= LONGEST_NAME && islower((unsigned char)text[0]) &&
         strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

static bool is_key(const char *text) {
  return *text && isalpha((unsigned char)text[0]) &&
         strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

/* "x,y" into names; a refusal is said. */
static bool take_states(const AppCommand *command, const AppOption *option, const char *list,
                        void *field) {
  New *new = field;
  (void)option;
  for (const char *at = list; *at;) {
    const size_t length = strcspn(at, ",");
    if (length > LONGEST_NAME || new->nstates == MAX_STATES) {
      app_refuse(command, "--state %s: at most %d names of %d letters", list, MAX_STATES,
                 LONGEST_NAME);
      return false;
    }
    char *name = new->state[new->nstates++];
    memcpy(name, at, length);
    name[length] = '\0';
    if (!is_key(name)) {
      app_refuse(command, "--state %s: '%s' is no name; use small letters, digits and _", list,
                 name);
      return false;
    }
    for (int k = 0; k + 1 < new->nstates; k++)
      if (strcmp(new->state[k], name) == 0) {
        app_refuse(command, "--state %s: %s stands there twice", list, name);
        return false;
      }
    at += length + (at[length] == ',');
  }
  return true;
}

static const AppOption options[] = {
    APP_OPERAND_ROW(New, name, "law"),
    APP_NUMBER_ROW(New, dimension, "dimension", "2|3", "2|3", "of space; both unless given"),
    APP_FLAG_ROW(New, custom, "custom",
                 "a residual F(u, r) = 0 in the place of a canonical relation"),
    APP_READ_ROW(take_states, "state", "x,y", "state variables, kept from step to step"),
    APP_TEXT_ROW(New, folder, "out", "DIR", "the folder; NAME unless given"),
};

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

static const char *capital(const char *name) {
  static char text[LONGEST_NAME + 1];
  size_t k = 0;
  for (; name[k]; k++) text[k] = (char)toupper((unsigned char)name[k]);
  text[k] = '\0';
  return text;
}

/* The state's table and a commit that gives each variable a first meaning. */
static void write_states(New *new) {
  if (new->nstates == 0) return;
  char *table = new->state_table, *commit = new->commit;
  append(table, TEXT, "\nenum { ");
  for (int k = 0; k < new->nstates; k++)
    append(table, TEXT, "%sSTATE_%s", k ? ", " : "", capital(new->state[k]));
  append(table, TEXT, " };\nstatic const DlsParam states[] = {\n");
  for (int k = 0; k < new->nstates; k++) {
    append(table, TEXT, "    [STATE_%s] = {", capital(new->state[k]));
    append(table, TEXT, "\"%s\", \"s\", \"time that the contact pushed\", .value = 0, .min = 0,\n",
           new->state[k]);
    append(table, TEXT, "        .max = DLS_NO_BOUND},\n");
  }
  append(table, TEXT, "};\n");
  append(commit, TEXT,
         "/* After the step: the state for the next one. */\n"
         "static DlsStatus commit(const DlsContact *c, const double *p, const double *u,\n"
         "                        const double *r, double *state) {\n"
         "  (void)p, (void)u;\n");
  for (int k = 0; k < new->nstates; k++)
    append(commit, TEXT, "  if (r[0] > 0) state[STATE_%s] += c->h;\n", capital(new->state[k]));
  append(commit, TEXT, "  return DLS_OK;\n}\n\n");
  append(new->state_fields, sizeof new->state_fields,
         "    .states = states,\n    .nstates = DLS_COUNT(states),\n    .commit = commit,\n");
}

/* What stands for a mark; NULL for an unknown one. */
static const char *meaning(const New *new, const char *mark, size_t length) {
  const bool flat = new->dimension == 2;
  const struct {
    const char *mark, *text;
  } marks[] = {
      {"NAME", new->name},
      {"STATE_TABLE", new->state_table},
      {"STATE_FIELDS", new->state_fields},
      {"COMMIT", new->commit},
      {"BLOCKS", flat                  ? "DLS_BLOCK(2)"
                 : new->dimension == 3 ? "DLS_BLOCK(3)"
                                       : "DLS_BLOCK(2) | DLS_BLOCK(3)"},
      {"DIMENSION", flat ? "2" : "3"},
      {"GRAVITY", flat ? "[0, -9.81]" : "[0, 0, -9.81]"},
      {"LOW", flat ? "[0, 0.01]" : "[0, 0, 0.01]"},
      {"HIGH", flat ? "[0.1, 0.15]" : "[0.05, 0.05, 0.1]"},
  };
  for (int k = 0; k < DLS_COUNT(marks); k++)
    if (strlen(marks[k].mark) == length && memcmp(marks[k].mark, mark, length) == 0)
      return marks[k].text;
  return NULL;
}

/* FOLDER/NAME of the template, with its marks filled in. */
static DlsStatus write_file(const New *new, const char *name, const char *template) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/%s", new->folder, name);
  DLS_TRY(dls_file_begin(path, &file));
  for (const char *at = template; *at;) {
    const size_t plain = strcspn(at, "@");
    dls_file_put(file, at, plain);
    at += plain;
    if (!*at) break;
    const size_t length = strcspn(at + 1, "@");
    const char *text = meaning(new, at + 1, length);
    if (text) dls_file_put(file, text, strlen(text));
    at += length + 2;
  }
  return dls_file_commit(&file);
}

static DlsStatus write_files(New *new) {
  char source[LONGEST_NAME + 8], deck[LONGEST_NAME + 8];
  struct stat info;
  DLS_CHECK(stat(new->folder, &info) != 0, DLS_ERR_FILE,
            "%s is there already; give another name, or --out DIR", new->folder);
  DLS_TRY(dls_file_make_folder(new->folder));
  snprintf(source, sizeof source, "%s.c", new->name);
  snprintf(deck, sizeof deck, "%s.yaml", new->name);
  DLS_TRY(write_file(new, source, new->custom ? law_new_custom : law_new_canonical));
  DLS_TRY(write_file(new, "CMakeLists.txt", law_new_cmake));
  DLS_TRY(write_file(new, "README.md", law_new_readme));
  return write_file(new, deck, law_new_deck);
}

/* The commands that come next, with the places of this very program. */
static void say(const New *new) {
  char self[PATH_MAX] = "delassus", prefix[PATH_MAX + 8] = "PREFIX";
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    snprintf(prefix, sizeof prefix, "%s", self);
    for (int up = 0; up < 2; up++) {
      char *slash = strrchr(prefix, '/');
      if (slash) *slash = '\0';
    }
  }
  printf("%s/%s.c        the law; change it step by step\n", new->folder, new->name);
  printf("%s/%s.yaml     a deck that uses it\n", new->folder, new->name);
  printf("%s/README.md, %s/CMakeLists.txt\n\nbuild it, check it, see it:\n", new->folder,
         new->folder);
  printf("  cmake -S %s -B %s/build -DCMAKE_PREFIX_PATH=%s\n", new->folder, new->folder, prefix);
  printf("  cmake --build %s/build\n", new->folder);
  printf("  %s law check %s/build/%s.so\n", self, new->folder, new->name);
  printf("  %s law draw %s/build/%s.so\n", self, new->folder, new->name);
  printf("  DELASSUS_PLUGIN_PATH=%s/build %s run %s/%s.yaml\n", new->folder, self, new->folder,
         new->name);
}

static int run(const AppCommand *self, int argc, char **argv) {
  New new = {0};
  const int status = app_options_read(self, argc, argv, &new);
  if (status != APP_GO_ON) return status;
  if (!new.name) return app_refuse(self, "which name? delassus law new NAME");
  if (!is_name(new.name))
    return app_refuse(self,
                      "'%s' is no name of a law; use small letters, digits and -, at most %d of "
                      "them, a letter first",
                      new.name, LONGEST_NAME);
  if (!new.folder) new.folder = new.name;
  write_states(&new);
  if (write_files(&new) != DLS_OK) return app_refuse_status(self);
  say(&new);
  return APP_DONE;
}

const AppCommand app_law_new = {
    .name = "law new",
    .usage = "NAME [options]",
    .summary = "Writes a folder with a new law that builds at once",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
