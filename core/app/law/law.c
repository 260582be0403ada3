/* delassus law: the contact laws that are found. */
#include <delassus/laws.h>

#include <stdio.h>

#include "app/app.h"
#include "app/law/solvers.h"
#include "app/params.h"

static int list(const AppCommand *self) {
  const DlsLaw *const *laws;
  int count;
  if (dls_law_list(&laws, &count) != DLS_OK) return app_refuse_status(self);
  for (int i = 0; i < count; i++) printf("%-16s %s\n", laws[i]->name, laws[i]->summary);
  if (count == 0) app_print_lines("no contact law in", dls_law_folders());
  app_print_lines("\nnot loaded:", dls_law_failures());
  return APP_DONE;
}

static void print_tables(const DlsLaw *law) {
  if (law->ntables) printf("\ntables               rows  beyond them\n");
  for (int i = 0; i < law->ntables; i++) {
    const DlsTableParam *own = &law->tables[i];
    printf("  %-18s %-5d %-10s %s [%s] against %s [%s]: %s%s\n", own->name, own->standard.rows,
           own->standard.beyond == DLS_TABLE_HOLD ? "held" : "in line", own->y.name, own->y.unit,
           own->x.name, own->x.unit, own->meaning, own->optional ? "; none unless given" : "");
  }
}

static int show(const AppCommand *self, const char *name) {
  const DlsLaw *law;
  if (dls_law_find(name, &law) != DLS_OK) return app_refuse_status(self);
  const char *path = dls_law_path(law);
  printf("%s: %s\n\n", law->name, law->summary);
  if (law->description) printf("%s\n\n", law->description);
  printf("kind         %s%s\n",
         law->prepare    ? "canonical relation (prepare)"
         : law->traction ? "traction of a jump"
         : law->residual ? "custom (residual)"
                         : "force, for the scheme explicit",
         law->prepare && law->residual ? ", custom where it says so" : "");
  printf("functions   %s%s%s%s%s%s%s%s%s\n", law->prepare ? " prepare" : "",
         law->traction ? " traction" : "", law->residual ? " residual" : "",
         law->solve ? " solve" : "", law->project ? " project" : "", law->commit ? " commit" : "",
         law->energy ? " energy" : "", law->surface ? " surface" : "",
         law->report ? " report" : "");
  char text[512];
  app_law_solvers(law, text, sizeof text);
  printf("solvers      %s\n", text);
  app_law_blocks(law, text, sizeof text);
  printf("blocks       %s\n", text);
  app_law_claims(law, text, sizeof text);
  printf("claims       %s\n", text);
  printf("maturity     %s%s\n", law->maturity ? law->maturity : "experimental",
         law->composes ? "; may follow another law" : "");
  if (law->references && *law->references) printf("references   %s\n", law->references);
  if (path) printf("file         %s\n", path);
  app_params_print("parameters   unit     default    bounds", law->params, law->nparams);
  app_params_print("state        unit     at first   bounds", law->states, law->nstates);
  app_params_print("fields       unit     default    bounds", law->fields, law->nfields);
  print_tables(law);
  app_params_print(law->surface_scope == DLS_SURFACE_PATCH
                       ? "of patches   unit     at first   bounds"
                       : "of surfaces  unit     at first   bounds",
                   law->surfaces, law->nsurfaces);
  app_params_print("outputs      unit", law->outputs, law->noutputs);
  return APP_DONE;
}

static const AppCommand *const verbs[] = {&app_law_new, &app_law_check, &app_law_path,
                                          &app_law_draw, &app_law_page};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  return app_list_or_show(self, argc, argv, list, show);
}

static const char details[] =
    "A law is a shared object NAME.so, looked for in DELASSUS_PLUGIN_PATH and then beside the\n"
    "library; NAME may also be a path. delassus doctor prints the folders.\n"
    "delassus law new --help, and so for each of the words.\n";

const AppCommand app_law = {
    .name = "law",
    .usage = "list | show NAME | new NAME | check NAME | path NAME FILE | draw NAME | page NAME",
    .summary = "The contact laws that are found; new ones: made, checked, drawn, driven",
    .details = details,
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
