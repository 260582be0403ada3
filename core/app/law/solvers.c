#include "app/law/solvers.h"

#include <delassus/solver.h>

#include <stdio.h>
#include <string.h>

#include "law_bench/point.h"

static void append(char *text, int size, const char *word) {
  const size_t used = strlen(text);
  snprintf(text + used, (size_t)size - used, "%s%s", used ? ", " : "", word);
}

void app_law_claims(const DlsLaw *law, char *text, int size) {
  text[0] = '\0';
  if (law->claims & DLS_CLAIM_COMPLETE) append(text, size, "complete");
  if (law->claims & DLS_CLAIM_HOMOGENEOUS) append(text, size, "homogeneous");
  if (law->claims & DLS_CLAIM_SWAP) append(text, size, "swap");
  if (law->claims & DLS_CLAIM_CLOCK) append(text, size, "clock");
  if (law->claims & DLS_CLAIM_PLAIN) append(text, size, "plain");
  if (!text[0]) append(text, size, "none");
}

void app_law_blocks(const DlsLaw *law, char *text, int size) {
  static const int blocks[] = {2, 3, 5, 6};
  text[0] = '\0';
  for (int i = 0; i < DLS_COUNT(blocks); i++) {
    char number[8];
    snprintf(number, sizeof number, "%d", blocks[i]);
    if (dls_law_serves(law, blocks[i])) append(text, size, number);
  }
}

/* A problem of one contact that the law prepared; `use` is lent to it. */
static DlsStatus one_contact(const DlsLawUse *use, DlsProblem **out) {
  const int start[] = {0, 1}, column[] = {0}, block = use->kinematics->block;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q[DLS_MAX_BLOCK] = {-1};
  DlsRelation relation;
  DlsCustomRelation custom = {0};
  DlsOperator *W = NULL;
  for (int k = 0; k < block; k++) D[k * (block + 1)] = 1;
  DLS_TRY(dls_law_prepare(use, &relation));
  const bool own = use->law->residual || use->law->traction;
  if (own) relation = (DlsRelation){.cone = DLS_CONE_CUSTOM};
  if (own) DLS_TRY(dls_law_custom(use, &custom));
  DLS_TRY(dls_operator_create_assembled(1, block, start, column, D, &W));
  return dls_problem_create(use->kinematics->dim, &W, q, &relation, own ? &custom : NULL, out);
}

static bool takes(const DlsSolver *solver, const DlsProblem *problem) {
  char options[4096];
  void *self = NULL;
  if (solver->option_bytes > sizeof options) return true;
  dls_solver_defaults(solver, options);
  const bool taken = solver->create(problem, options, &self) == DLS_OK;
  if (taken) solver->destroy(self);
  return taken;
}

/* "all", "all but cpg", or those that take the law: whichever is shortest, so that a page seldom
 * changes with the list of solvers. */
void app_law_solvers(const DlsLaw *law, char *text, int size) {
  char refusers[512] = "";
  double params[DLS_MAX_PARAMS];
  DlsPoint point;
  DlsProblem *problem = NULL;
  const DlsSolver *const *solvers;
  int count, taken = 0;
  text[0] = '\0';
  dls_law_defaults(law, params);
  const int dim = dls_law_serves(law, 3) || dls_law_serves(law, 6) ? 3 : 2;
  if ((!law->prepare && !law->residual && !law->traction) ||
      dls_point_begin(law, params, dim, 0, 1, &point) != DLS_OK ||
      dls_solver_list(&solvers, &count) != DLS_OK) {
    append(text, size, "none");
    return;
  }
  point.contact.h = 1e-3;
  const DlsContact contact = dls_point_contact(&point);
  const DlsLawUse use = {
      .law = law, .kinematics = &contact, .params = point.params, .state = point.state};
  if (one_contact(&use, &problem) != DLS_OK) {
    append(text, size, "none");
    return;
  }
  for (int i = 0; i < count; i++)
    if (takes(solvers[i], problem)) {
      append(text, size, solvers[i]->name);
      taken++;
    } else {
      append(refusers, sizeof refusers, solvers[i]->name);
    }
  dls_problem_destroy(&problem);
  if (2 * taken > count)
    snprintf(text, (size_t)size, taken < count ? "all but %s" : "all", refusers);
}
