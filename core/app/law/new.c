/* delassus law new: a folder with a law that builds at once, outside of this project. */
#include "app/law/new.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/laws.h>

#include "app/app.h"
#include "app/new_folder.h"
#include "app/options.h"
#include "deck/units.h"

enum { TEXT = 8192, MAX_STATES = 16, LONGEST_NAME = APP_NEW_NAME };

typedef struct {
  const char *name, *folder;
  long dimension; /* 0: both */
  bool custom;
  int nstates;
  char state[MAX_STATES][LONGEST_NAME + 1], unit[MAX_STATES][LONGEST_NAME + 1];
  char state_table[TEXT], state_fields[256], commit[TEXT];
} New;

static bool is_key(const char *text) {
  return *text && isalpha((unsigned char)text[0]) &&
         strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

/* NAME or NAME:UNIT into the last state; a refusal is said. */
static bool take_state(const AppCommand *command, const char *list, New *new) {
  char *name = new->state[new->nstates - 1], *unit = strchr(name, ':');
  DlsUnit read;
  if (unit) *unit++ = '\0';
  snprintf(new->unit[new->nstates - 1], sizeof new->unit[0], "%s", unit ? unit : "s");
  if (!is_key(name)) {
    app_refuse(command, "--state %s: '%s' is no name; use small letters, digits and _", list, name);
    return false;
  }
  if (dls_law_name_reserved(name)) {
    app_refuse(command,
               "--state %s: '%s' is what tables and frames call what is theirs; take "
               "another name",
               list, name);
    return false;
  }
  if (dls_unit_parse(new->unit[new->nstates - 1], &read) != DLS_OK) {
    app_refuse(command, "--state %s: '%s' is no unit, such as 1, s, m, N s or J", list,
               new->unit[new->nstates - 1]);
    return false;
  }
  for (int k = 0; k + 1 < new->nstates; k++)
    if (strcmp(new->state[k], name) == 0) {
      app_refuse(command, "--state %s: %s stands there twice", list, name);
      return false;
    }
  return true;
}

/* "x,y:m" into names and units. */
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
    if (!take_state(command, list, new)) return false;
    at += length + (at[length] == ',');
  }
  return true;
}

static const AppOption options[] = {
    APP_OPERAND_ROW(New, name, "law"),
    APP_NUMBER_ROW(New, dimension, "dimension", "2|3", "2|3", "of space; both unless given"),
    APP_FLAG_ROW(New, custom, "custom",
                 "a residual F(u, r) = 0 in the place of a canonical relation"),
    APP_READ_ROW(take_states, "state", "x:UNIT,y",
                 "state variables, kept from step to step, and their units (s unless given)"),
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

/* A line in which every %s is the name. */
static void append_line(char *text, const char *line, const char *name) {
  append(text, TEXT, "  ");
  for (const char *at = line; *at;) {
    const char *mark = strstr(at, "%s");
    append(text, TEXT, "%.*s%s", mark ? (int)(mark - at) : (int)strlen(at), at, mark ? name : "");
    at = mark ? mark + 2 : at + strlen(at);
  }
  append(text, TEXT, "\n");
}

/* What a state of some units may begin as: a line of commit that has the unit. */
static const struct {
  const char *unit, *meaning, *line;
} firsts[] = {
    {"s", "time that the contact pushed", "if (r[0] > 0) state[%s] += c->h;"},
    {"m", "length that it slid",
     "if (r[0] > 0) state[%s] += c->h * dls_law_length(u + 1, c->dim - 1);"},
    {"1", "1 once the contact has pushed", "if (r[0] > 0) state[%s] = 1;"},
    {"N s", "impulse that it took", "state[%s] += fmax(0, r[0]);"},
    {"N", "force of the last step", "state[%s] = fmax(0, r[0] / c->h);"},
    {"J", "work that it took", "state[%s] += fmax(0, -dls_law_work(c, u, r));"},
    {"m/s", "fastest sliding", "state[%s] = fmax(state[%s], dls_law_length(u + 1, c->dim - 1));"},
};

/* The state's table and a commit that gives each variable a first meaning. */
static void write_states(New *new) {
  if (new->nstates == 0) return;
  char *table = new->state_table, *commit = new->commit;
  append(table, TEXT, "\nenum { ");
  for (int k = 0; k < new->nstates; k++)
    append(table, TEXT, "%sSTATE_%s", k ? ", " : "", capital(new->state[k]));
  append(table, TEXT, " };\nstatic const DlsParam states[] = {\n");
  append(commit, TEXT,
         "/* After the step: the state for the next one. */\n"
         "static DlsStatus commit(const DlsContact *c, const double *p, const double *u,\n"
         "                        const double *r, double *state) {\n"
         "  (void)c, (void)p, (void)u, (void)r, (void)state;\n");
  for (int k = 0; k < new->nstates; k++) {
    int first = 0;
    while (first < DLS_COUNT(firsts) && strcmp(firsts[first].unit, new->unit[k]) != 0) first++;
    const bool known = first < DLS_COUNT(firsts);
    char name[LONGEST_NAME + 8];
    snprintf(name, sizeof name, "STATE_%s", capital(new->state[k]));
    append(table, TEXT, "    {\"%s\", \"%s\", \"%s\", 0, 0, DLS_NO_BOUND, DLS_SCALAR},\n",
           new->state[k], new->unit[k], known ? firsts[first].meaning : "what it is");
    if (known)
      append_line(commit, firsts[first].line, name);
    else
      append(commit, TEXT, "  /* state[%s], in %s, keeps its value: say here how it changes */\n",
             name, new->unit[k]);
  }
  append(table, TEXT, "};\n");
  append(commit, TEXT, "  return DLS_OK;\n}\n\n");
  append(new->state_fields, sizeof new->state_fields,
         "    .states = states,\n    .nstates = DLS_COUNT(states),\n");
}

static DlsStatus write_files(const New *new) {
  const bool flat = new->dimension == 2;
  const AppMark marks[] = {
      {"NAME", new->name},
      {"STATE_TABLE", new->state_table},
      {"STATE_FIELDS", new->state_fields},
      {"COMMIT", new->commit},
      {"COMMIT_FIELD", new->nstates ? "    .commit = commit,\n" : ""},
      {"BLOCKS", flat                  ? "DLS_BLOCK(2)"
                 : new->dimension == 3 ? "DLS_BLOCK(3)"
                                       : "DLS_BLOCK(2) | DLS_BLOCK(3)"},
      {"DIMENSION", flat ? "2" : "3"},
      {"GRAVITY", flat ? "[0, -9.81]" : "[0, 0, -9.81]"},
      {"LOW", flat ? "[0, 0.01]" : "[0, 0, 0.01]"},
      {"HIGH", flat ? "[0.1, 0.15]" : "[0.05, 0.05, 0.1]"},
  };
  char source[APP_NEW_NAME + 8], deck[APP_NEW_NAME + 8];
  snprintf(source, sizeof source, "%s.c", new->name);
  snprintf(deck, sizeof deck, "%s.yaml", new->name);
  const struct {
    const char *name, *text;
  } files[] = {
      {source, new->custom ? law_new_custom : law_new_canonical},
      {"CMakeLists.txt", law_new_cmake},
      {"README.md", law_new_readme},
      {deck, law_new_deck},
  };
  DLS_TRY(app_new_folder(new->folder));
  for (int k = 0; k < DLS_COUNT(files); k++)
    DLS_TRY(app_new_file(new->folder, files[k].name, files[k].text, marks, DLS_COUNT(marks)));
  return DLS_OK;
}

/* The commands that come next, with the places of this very program. */
static void say(const New *new) {
  char self[APP_NEW_PATH], prefix[APP_NEW_PATH];
  app_new_places(self, prefix);
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
  if (app_new_check_name("law", new.name) != DLS_OK) return app_refuse_status(self);
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
