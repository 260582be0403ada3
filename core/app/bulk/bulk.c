/* delassus bulk: the bulk laws that are found. */
#include "bulk/bulk.h"

#include <stdio.h>

#include "app/app.h"
#include "app/bulk/words.h"
#include "app/params.h"

static int list(const AppCommand *self) {
  const DlsBulk *const *laws;
  int count;
  if (dls_bulk_list(&laws, &count) != DLS_OK) return app_refuse_status(self);
  for (int i = 0; i < count; i++) printf("%-16s %s\n", laws[i]->name, laws[i]->summary);
  if (count == 0) app_print_lines("no bulk law in", dls_bulk_folders());
  app_print_lines("\nnot loaded:", dls_bulk_failures());
  return APP_DONE;
}

static int show(const AppCommand *self, const char *name) {
  const DlsBulk *law;
  char text[APP_BULK_WORDS];
  if (dls_bulk_find(name, &law) != DLS_OK) return app_refuse_status(self);
  const char *path = dls_bulk_path(law);
  printf("%s: %s\n\n", law->name, law->summary);
  if (law->description) printf("%s\n\n", law->description);
  app_bulk_measures(law, text);
  printf("strains      %s\n", text);
  app_bulk_claims(law, text);
  printf("claims       %s\n", text);
  printf("functions    stress energy%s\n", law->check ? " check" : "");
  printf("maturity     %s\n", law->maturity ? law->maturity : "experimental");
  if (law->references && *law->references) printf("references   %s\n", law->references);
  printf("interface    %u\n", law->abi);
  if (path) printf("file         %s\n", path);
  app_params_print("parameters   unit     default    bounds", law->params, law->nparams);
  app_params_print("state        unit     at first   bounds", law->states, law->nstates);
  return APP_DONE;
}

static const AppCommand *const verbs[] = {&app_bulk_new, &app_bulk_check, &app_bulk_path,
                                          &app_bulk_draw, &app_bulk_page};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  return app_list_or_show(self, argc, argv, list, show);
}

static const char details[] =
    "What deformable bodies are made of. A bulk law is a shared object NAME.so, looked for in\n"
    "DELASSUS_PLUGIN_PATH and then beside the library; NAME may also be a path.\n"
    "delassus bulk check --help, and so for each of the words.\n";

const AppCommand app_bulk = {
    .name = "bulk",
    .usage = "list | show NAME | new NAME | check NAME | path NAME FILE | draw NAME | page NAME",
    .summary = "The bulk laws that are found; new ones: made, checked, drawn, driven",
    .details = details,
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
