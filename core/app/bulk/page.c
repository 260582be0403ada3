/* delassus bulk page: the documentation of a bulk law as Markdown, from what the plugin says of
 * itself and its README. */
#include <stdio.h>

#include "app/app.h"
#include "app/bulk/words.h"
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
                 "the drawing that the page shows; see delassus bulk draw"),
    APP_FLAG_ROW(Job, index, "index", "a table of all bulk laws in the place of one law's page"),
};

static void print_head(const DlsBulk *law) {
  char text[APP_BULK_WORDS];
  printf("# %s\n\n", law->name);
  app_markdown_words(law->summary);
  printf(".\n\n");
  if (law->description) {
    app_markdown_text(law->description, true);
    printf("\n\n");
  }
  printf("| | |\n|---|---|\n");
  app_bulk_measures(law, text);
  printf("| strains | %s |\n", text);
  app_bulk_claims(law, text);
  printf("| claims | %s |\n", text);
  app_markdown_row("maturity", law->maturity ? law->maturity : "experimental");
  if (law->references && *law->references) app_markdown_row("references", law->references);
}

/* One table: every bulk law that is found, with a link to its page. */
static int print_index(const AppCommand *self) {
  const DlsBulk *const *laws;
  int count;
  char text[APP_BULK_WORDS];
  if (dls_bulk_list(&laws, &count) != DLS_OK) return app_refuse_status(self);
  printf(
      "# Bulk laws\n\n| law | what it is | strains | claims | maturity |\n|---|---|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    printf("| [%s](%s.md) | ", laws[i]->name, laws[i]->name);
    app_markdown_words(laws[i]->summary);
    app_bulk_measures(laws[i], text);
    printf(" | %s", text);
    app_bulk_claims(laws[i], text);
    printf(" | %s | ", text);
    app_markdown_words(laws[i]->maturity ? laws[i]->maturity : "experimental");
    printf(" |\n");
  }
  printf("\nA new one: [bulk-author.md](../bulk-author.md). Made by `make law-pages`.\n");
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  const DlsBulk *law;
  const int status = app_options_read(self, argc, argv, &job);
  if (status != APP_GO_ON) return status;
  if (job.index) return print_index(self);
  if (!job.name) return app_refuse(self, "which law? delassus bulk page NAME");
  if (dls_bulk_find(job.name, &law) != DLS_OK) return app_refuse_status(self);
  print_head(law);
  if (job.readme && app_markdown_readme(self, job.readme) != APP_DONE) return APP_WRONG_INPUT;
  app_markdown_table("Parameters", "default", law->params, law->nparams);
  app_markdown_table("State", "of a new point", law->states, law->nstates);
  if (job.picture) printf("\n## Graphs\n\n![graphs of %s](%s)\n", law->name, job.picture);
  printf("\nMade by `make law-pages` from the plugin%s.\n", job.readme ? " and its README" : "");
  return APP_DONE;
}

const AppCommand app_bulk_page = {
    .name = "bulk page",
    .usage = "NAME [options]",
    .summary = "Prints the documentation of a bulk law as Markdown",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
