#include "compare/petsc_entrant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"

static const char variable[] = "PETSC_OPTIONS";

/* The one solver that stands on PETSc, and its stand-in. */
static const DlsSolver *original;
static DlsSolver stand_in;

DlsStatus dls_petsc_add(const char *word, char text[DLS_PETSC_TEXT]) {
  const size_t used = strlen(text);
  const int length = snprintf(text + used, DLS_PETSC_TEXT - used, "%s%s", used ? " " : "", word);
  DLS_CHECK(length >= 0 && used + (size_t)length < DLS_PETSC_TEXT, DLS_ERR_ARGUMENT,
            "PETSc options of more than %d letters for one solver", DLS_PETSC_TEXT - 1);
  char *equals = strchr(text + used, '=');
  if (equals) *equals = ' ';
  return DLS_OK;
}

/* The text lies behind the solver's own options. */
static DlsStatus create(const DlsProblem *problem, const void *options, void **out) {
  static bool set; /* in this process */
  const char *given = getenv(variable);
  if (!set) {
    char all[4096];
    const char *text = (const char *)options + original->option_bytes;
    const int length = snprintf(all, sizeof all, "%s %s", given ? given : "", text);
    DLS_CHECK(length < (int)sizeof all && setenv(variable, all, 1) == 0, DLS_ERR_ARGUMENT,
              "%s: %s is too long with these options behind it", text, variable);
    set = true;
  }
  return original->create(problem, options, out);
}

/* What comes back from the process aside. */
typedef struct {
  bool ended;
  DlsStatus status;
  char sentence[400];
} Trial;

static void try_options(void *context, void *result) {
  const int start[] = {0, 1}, column[] = {0};
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
  Trial *trial = result;
  DlsOperator *W_form = NULL;
  DlsProblem *problem = NULL;
  void *self = NULL;
  trial->status = dls_operator_create_assembled(1, 3, start, column, W, &W_form);
  if (trial->status == DLS_OK)
    trial->status = dls_problem_create(3, &W_form, q, &relation, NULL, &problem);
  if (trial->status == DLS_OK) trial->status = stand_in.create(problem, context, &self);
  if (trial->status != DLS_OK)
    snprintf(trial->sentence, sizeof trial->sentence, "%s", dls_error_message());
  if (self) stand_in.destroy(self);
  dls_problem_destroy(&problem);
  trial->ended = true;
}

DlsStatus dls_petsc_stand_in(const char *text, const DlsSolver **solver, void **options) {
  const DlsChildLimits limits = {.seconds = 60};
  const size_t bytes = (*solver)->option_bytes;
  Trial trial = {.ended = false};
  DLS_CHECK(strstr((*solver)->summary, "PETSc"), DLS_ERR_ARGUMENT,
            "%s does not stand on PETSc: it takes no option %s; its own are key=value",
            (*solver)->name, text);
  char *both = calloc(1, bytes + DLS_PETSC_TEXT);
  DLS_CHECK(both, DLS_ERR_MEMORY, "out of memory");
  memcpy(both, *options, bytes);
  snprintf(both + bytes, DLS_PETSC_TEXT, "%s", text);
  free(*options);
  *options = both;
  original = *solver;
  stand_in = *original;
  stand_in.create = create;
  *solver = &stand_in;
  dls_child_run(try_options, both, &limits, &trial, sizeof trial);
  DLS_CHECK(trial.ended, DLS_ERR_SOLVER, "%s: PETSc dies of the options %s", original->name, text);
  DLS_CHECK(trial.status == DLS_OK, DLS_ERR_ARGUMENT, "%s", trial.sentence);
  return DLS_OK;
}
