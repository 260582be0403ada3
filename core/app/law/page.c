/* delassus law page: the documentation of a law as Markdown, from what the plugin says of itself
 * and its README. */
#include <stdio.h>

#include "app/app.h"
#include "app/law/solvers.h"
#include "app/markdown.h"
#include "app/options.h"

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

static void print_column(const DlsParam *column) {
  printf(" | `%s` ", column->name);
  app_markdown_words(column->unit);
  printf(", ");
  app_markdown_bounds(column);
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
    app_markdown_words(own->meaning);
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
  app_markdown_words(law->summary);
  printf(".\n\n");
  if (law->description) {
    app_markdown_text(law->description, true);
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
  app_markdown_row("maturity", law->maturity ? law->maturity : "experimental");
  if (*law->references) app_markdown_row("references", law->references);
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
    app_markdown_words(laws[i]->summary);
    printf(" | %s | %s | ",
           laws[i]->prepare    ? laws[i]->residual ? "canonical, custom in some steps" : "canonical"
           : laws[i]->residual ? "custom"
           : laws[i]->traction ? "traction of a jump"
                               : "force, for `explicit`",
           laws[i]->composes ? "yes" : "no");
    app_markdown_words(laws[i]->maturity ? laws[i]->maturity : "experimental");
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
  if (job.readme && app_markdown_readme(self, job.readme) != APP_DONE) return APP_WRONG_INPUT;
  app_markdown_table("Parameters", "default", law->params, law->nparams);
  app_markdown_table("State", "of a new contact", law->states, law->nstates);
  app_markdown_table("Fields", "default", law->fields, law->nfields);
  print_tables(law);
  app_markdown_table(law->surface_scope == DLS_SURFACE_PATCH ? "Patches of surfaces" : "Surfaces",
                     "at first", law->surfaces, law->nsurfaces);
  app_markdown_table("Outputs", "-", law->outputs, law->noutputs);
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
