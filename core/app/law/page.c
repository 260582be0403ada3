/* delassus law page: the documentation of a law as Markdown, from what the plugin says of itself
 * and its README. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/law/solvers.h"
#include "app/options.h"
#include "base/file.h"

typedef struct {
  const char *name, *readme, *picture;
  bool index;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, name, "law"),
    APP_TEXT_ROW(Job, readme, "readme", "FILE", "the law's README, whose text the page takes over"),
    APP_TEXT_ROW(Job, picture, "picture", "FILE",
                 "the drawing that the page shows; see delassus law draw"),
    APP_FLAG_ROW(Job, index, "index", "a table of all laws in the place of one law's page"),
};

/* The words of a plugin as they are, whatever they hold: no tag of HTML, no link, no picture, and
 * no cell of a table begins in them; lines end only where the text is a paragraph. `*` and `_`
 * stay, which formulas need. */
static void print_text(const char *text, bool paragraph) {
  for (; *text; text++) {
    if (*text == '<')
      printf("&lt;");
    else if (*text == '>')
      printf("&gt;");
    else if (*text == '&')
      printf("&amp;");
    else if (strchr("|[]`\\", *text))
      printf("\\%c", *text);
    else
      putchar((unsigned char)*text >= ' ' || (paragraph && *text == '\n') ? *text : ' ');
  }
}

static void print_words(const char *text) { print_text(text, false); }

static void print_row(const char *name, const char *text) {
  printf("| %s | ", name);
  print_words(text);
  printf(" |\n");
}

static void print_bounds(const DlsParam *p) {
  if (p->min <= -DLS_NO_BOUND && p->max >= DLS_NO_BOUND)
    printf("any");
  else if (p->min <= -DLS_NO_BOUND)
    printf("≤ %g", p->max);
  else if (p->max >= DLS_NO_BOUND)
    printf("≥ %g", p->min);
  else
    printf("%g to %g", p->min, p->max);
}

static void print_table(const char *title, const char *value, const DlsParam *rows, int count) {
  if (count == 0) return;
  printf("\n## %s\n\n| name | unit | %s | bounds | meaning |\n|---|---|---|---|---|\n", title,
         value);
  for (int i = 0; i < count; i++) {
    printf("| `%s` | ", rows[i].name); /* its letters are checked */
    print_words(rows[i].unit);
    printf(" | %g | ", rows[i].value);
    print_bounds(&rows[i]);
    printf(" | ");
    print_words(rows[i].meaning);
    printf(" |\n");
  }
}

static void print_column(const DlsParam *column) {
  printf(" | `%s` ", column->name);
  print_words(column->unit);
  printf(", ");
  print_bounds(column);
}

static void print_tables(const DlsLaw *law) {
  if (law->ntables == 0) return;
  printf("\n## Tables\n\n| name | x | y | beyond the rows | where a deck gives none | meaning |\n"
         "|---|---|---|---|---|---|\n");
  for (int i = 0; i < law->ntables; i++) {
    const DlsTableParam *own = &law->tables[i];
    printf("| `%s`", own->name);
    print_column(&own->x);
    print_column(&own->y);
    printf("%s | %s | ", own->rising ? ", never falling" : "",
           own->standard.beyond == DLS_TABLE_HOLD ? "held" : "the last line goes on");
    if (own->optional)
      printf("none | ");
    else
      printf("%d rows of the law | ", own->standard.rows);
    print_words(own->meaning);
    printf(" |\n");
  }
}

static void print_functions(const DlsLaw *law) {
  const struct {
    const char *name;
    bool there;
  } functions[] = {
      {"prepare", law->prepare != NULL},   {"traction", law->traction != NULL},
      {"residual", law->residual != NULL}, {"solve", law->solve != NULL},
      {"project", law->project != NULL},   {"force", law->force != NULL},
      {"range", law->range != NULL},       {"orient", law->orient != NULL},
      {"begin", law->begin != NULL},       {"commit", law->commit != NULL},
      {"energy", law->energy != NULL},     {"surface", law->surface != NULL},
      {"report", law->report != NULL},
  };
  printf("| functions |");
  for (int i = 0; i < DLS_COUNT(functions); i++)
    if (functions[i].there) printf(" `%s`", functions[i].name);
  printf(" |\n");
}

static void print_head(const DlsLaw *law) {
  char text[512];
  printf("# %s\n\n", law->name);
  print_words(law->summary);
  printf(".\n\n");
  if (law->description) {
    print_text(law->description, true);
    printf("\n\n");
  }
  printf("| | |\n|---|---|\n");
  printf("| kind | %s |\n",
         law->prepare
             ? law->residual ? "canonical relation, custom in some steps" : "canonical relation"
         : law->traction ? law->per_area ? "traction of a jump, a stress" : "traction of a jump"
         : law->residual ? "custom relation"
                         : "force, for the scheme `explicit`");
  print_functions(law);
  app_law_solvers(law, text, sizeof text);
  printf("| solvers | %s |\n", text);
  app_law_blocks(law, text, sizeof text);
  printf("| blocks | %s |\n", text);
  app_law_claims(law, text, sizeof text);
  printf("| claims | %s |\n", text);
  printf("| follows another law | %s |\n", law->composes ? "yes" : "no");
  print_row("maturity", law->maturity ? law->maturity : "experimental");
  if (*law->references) print_row("references", law->references);
}

/* A line of a README, whose links ../elastic/README.md are elastic.md among the pages. */
static void print_line(const char *line) {
  static const char before[] = "](../", behind[] = "/README.md)";
  const char *link = strstr(line, before), *end = link ? strstr(link, behind) : NULL;
  if (!end) {
    fputs(line, stdout);
    return;
  }
  const char *name = link + strlen(before);
  printf("%.*s](%.*s.md)", (int)(link - line), line, (int)(end - name), name);
  print_line(end + strlen(behind));
}

/* The README without its title, and without its table of parameters: the page has the plugin's
 * own. */
static int print_readme(const AppCommand *self, const char *path) {
  char line[4096];
  FILE *file;
  if (dls_file_open(path, &file) != DLS_OK) return app_refuse_status(self);
  bool title = true, table = false;
  printf("\n");
  while (fgets(line, sizeof line, file)) {
    table = line[0] == '|' && (table || strncmp(line, "| parameter |", 13) == 0);
    if (table) continue;
    if (title && line[0] == '#') continue;
    if (title && line[0] == '\n') continue;
    title = false;
    print_line(line);
  }
  fclose(file);
  return APP_DONE;
}

/* One table: every law that is found, with a link to its page. */
static int print_index(const AppCommand *self) {
  const DlsLaw *const *laws;
  int count;
  char solvers[512];
  if (dls_law_list(&laws, &count) != DLS_OK) return app_refuse_status(self);
  printf("# Contact laws\n\n| law | what it is | kind | follows another | maturity | solvers |\n"
         "|---|---|---|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    app_law_solvers(laws[i], solvers, sizeof solvers);
    printf("| [%s](%s.md) | ", laws[i]->name, laws[i]->name);
    print_words(laws[i]->summary);
    printf(" | %s | %s | ",
           laws[i]->prepare    ? laws[i]->residual ? "canonical, custom in some steps" : "canonical"
           : laws[i]->residual ? "custom"
           : laws[i]->traction ? "traction of a jump"
                               : "force, for `explicit`",
           laws[i]->composes ? "yes" : "no");
    print_words(laws[i]->maturity ? laws[i]->maturity : "experimental");
    printf(" | %s |\n", solvers);
  }
  printf("\nA law that follows another adds to it what is its own: `law: [coulomb, capillary]` in "
         "a deck, "
         "`[rolling, cohesive]`, and so on.\nA new one: [law-author.md](../law-author.md). Made by "
         "`make "
         "law-pages`.\n");
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  const DlsLaw *law;
  const int status = app_options_read(self, argc, argv, &job);
  if (status != APP_GO_ON) return status;
  if (job.index) return print_index(self);
  if (!job.name) return app_refuse(self, "which law? delassus law page NAME");
  if (dls_law_find(job.name, &law) != DLS_OK) return app_refuse_status(self);
  print_head(law);
  if (job.readme && print_readme(self, job.readme) != APP_DONE) return APP_WRONG_INPUT;
  print_table("Parameters", "default", law->params, law->nparams);
  print_table("State", "of a new contact", law->states, law->nstates);
  print_table("Fields", "default", law->fields, law->nfields);
  print_tables(law);
  print_table(law->surface_scope == DLS_SURFACE_PATCH ? "Patches of surfaces" : "Surfaces",
              "at first", law->surfaces, law->nsurfaces);
  print_table("Outputs", "-", law->outputs, law->noutputs);
  if (job.picture) printf("\n## Graphs\n\n![graphs of %s](%s)\n", law->name, job.picture);
  printf("\nMade by `make law-pages` from the plugin and its README.\n");
  return APP_DONE;
}

const AppCommand app_law_page = {
    .name = "law page",
    .usage = "NAME [options]",
    .summary = "Prints the documentation of a law as Markdown",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
