/* The group /delassus of an FCLIB file: relations that go beyond Coulomb's cone of one coefficient.
 *   dim, block   int [1]
 *   cone         int [contacts], the code of DlsCone
 *   mu           [contacts][4], as DlsRelation has them
 *   a, b, C      [contacts][block]
 *   associated   [contacts], from 0 to 1; absent where all are 0
 * Other programs do not see the group: vectors/mu holds the sliding coefficients, and a, b, C are
 * in the standard form that stands there (standard.c). An elliptic or rolling cone and dilatancy
 * have no place there: a program that does not read this group solves another problem, Coulomb's
 * with the coefficients of vectors/mu. */
#include "problem/fclib/fclib_impl.h"

#include <stdlib.h>

#define GROUP "/delassus"

typedef struct {
  int *cone;
  double *mu, *a, *b, *C, *associated; /* the last NULL where all are 0 */
} Arrays;

static void arrays_clear(Arrays *x) {
  free(x->cone);
  free(x->mu);
  free(x->a);
  free(x->b);
  free(x->C);
  free(x->associated);
}

static DlsStatus read_arrays(const DlsH5File *file, int contacts, int block, Arrays *x) {
  const int size = contacts * block, coefficients = contacts * DLS_MU_COUNT;
  const char *why = "one block per contact";
  DLS_TRY(dls_h5_read_ints(file, GROUP, "cone", contacts, contacts, "one per contact", &x->cone));
  DLS_TRY(
      dls_h5_read_reals(file, GROUP, "mu", coefficients, coefficients, "four per contact", &x->mu));
  DLS_TRY(dls_h5_read_reals(file, GROUP, "a", size, size, why, &x->a));
  DLS_TRY(dls_h5_read_reals(file, GROUP, "b", size, size, why, &x->b));
  DLS_TRY(dls_h5_read_reals(file, GROUP, "C", size, size, why, &x->C));
  bool found;
  DLS_TRY(dls_h5_find(file, GROUP, "associated", &found));
  if (!found) return DLS_OK;
  return dls_h5_read_reals(file, GROUP, "associated", contacts, contacts, "one per contact",
                           &x->associated);
}

static DlsStatus check_arrays(const DlsH5File *file, int contacts, int block, const Arrays *x) {
  for (int i = 0; i < contacts; i++) {
    DLS_CHECK(x->cone[i] >= 0 && x->cone[i] < DLS_CONE_COUNT, DLS_ERR_FORMAT,
              "%s: " GROUP "/cone: contact %d has cone %d, which does not exist", file->path, i,
              x->cone[i]);
    DLS_CHECK(x->cone[i] != DLS_CONE_CUSTOM, DLS_ERR_FORMAT,
              "%s: " GROUP "/cone: contact %d has a custom law, which no file can hold", file->path,
              i);
    for (int k = 0; k < DLS_MU_COUNT; k++)
      DLS_CHECK(x->mu[i * DLS_MU_COUNT + k] >= 0, DLS_ERR_FORMAT,
                "%s: " GROUP "/mu: coefficient %d of contact %d is negative", file->path, k, i);
    DLS_CHECK(!x->associated || (x->associated[i] >= 0 && x->associated[i] <= 1), DLS_ERR_FORMAT,
              "%s: " GROUP "/associated: contact %d has %g, which must be from 0 to 1", file->path,
              i, x->associated[i]);
    for (int k = 0; k < block; k++)
      DLS_CHECK(x->C[i * block + k] >= 0, DLS_ERR_FORMAT,
                "%s: " GROUP "/C: component %d of contact %d is negative", file->path, k, i);
  }
  return DLS_OK;
}

static void to_relations(int contacts, int block, const Arrays *x, DlsRelation *relations) {
  for (int i = 0; i < contacts; i++) {
    DlsRelation *relation = &relations[i];
    *relation = (DlsRelation){.cone = (DlsCone)x->cone[i],
                              .associated = x->associated ? x->associated[i] : 0};
    for (int k = 0; k < DLS_MU_COUNT; k++) relation->mu[k] = x->mu[i * DLS_MU_COUNT + k];
    for (int k = 0; k < block; k++) {
      relation->a[k] = x->a[i * block + k];
      relation->b[k] = x->b[i * block + k];
      relation->C[k] = x->C[i * block + k];
    }
  }
}

DlsStatus dls_fclib_read_relations(const DlsH5File *file, int contacts, int block, int *dim,
                                   DlsRelation *relations) {
  int stored_block;
  DLS_TRY(dls_h5_read_int(file, GROUP, "dim", dim));
  DLS_TRY(dls_h5_read_int(file, GROUP, "block", &stored_block));
  DLS_CHECK(*dim == 2 || *dim == 3, DLS_ERR_FORMAT, "%s: " GROUP "/dim: is %d, not 2 or 3",
            file->path, *dim);
  DLS_CHECK(stored_block == block, DLS_ERR_FORMAT,
            "%s: " GROUP "/block: is %d where spacedim says %d", file->path, stored_block, block);
  Arrays arrays = {0};
  DlsStatus status = read_arrays(file, contacts, block, &arrays);
  if (status == DLS_OK) status = check_arrays(file, contacts, block, &arrays);
  if (status == DLS_OK) to_relations(contacts, block, &arrays, relations);
  arrays_clear(&arrays);
  return status;
}

/* Whether some contact dilates. */
static bool flows(const DlsProblem *problem) {
  for (int i = 0; i < dls_problem_contacts(problem); i++)
    if (dls_problem_relation(problem, i)->associated != 0) return true;
  return false;
}

static DlsStatus from_relations(const DlsProblem *problem, Arrays *x) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  const size_t size = (size_t)contacts * (size_t)block;
  x->cone = malloc((size_t)contacts * sizeof *x->cone);
  x->mu = malloc((size_t)contacts * DLS_MU_COUNT * sizeof *x->mu);
  x->a = malloc(size * sizeof *x->a);
  x->b = malloc(size * sizeof *x->b);
  x->C = malloc(size * sizeof *x->C);
  if (flows(problem)) x->associated = malloc((size_t)contacts * sizeof *x->associated);
  DLS_CHECK(x->cone && x->mu && x->a && x->b && x->C && (x->associated || !flows(problem)),
            DLS_ERR_MEMORY, "no memory to write the relations of %d contacts", contacts);
  for (int i = 0; i < contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    x->cone[i] = (int)relation->cone;
    if (x->associated) x->associated[i] = relation->associated;
    for (int k = 0; k < DLS_MU_COUNT; k++) x->mu[i * DLS_MU_COUNT + k] = relation->mu[k];
    for (int k = 0; k < block; k++) {
      x->a[i * block + k] = relation->a[k];
      x->b[i * block + k] = relation->b[k];
      x->C[i * block + k] = relation->C[k];
    }
  }
  return DLS_OK;
}

static DlsStatus write_arrays(const char *path, hid_t group, const DlsProblem *problem,
                              const Arrays *x) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  const int dim = dls_problem_dim(problem), size = contacts * block;
  DLS_TRY(dls_h5_write_ints(path, group, "dim", 1, &dim));
  DLS_TRY(dls_h5_write_ints(path, group, "block", 1, &block));
  DLS_TRY(dls_h5_write_ints(path, group, "cone", contacts, x->cone));
  DLS_TRY(dls_h5_write_reals(path, group, "mu", contacts * DLS_MU_COUNT, x->mu));
  DLS_TRY(dls_h5_write_reals(path, group, "a", size, x->a));
  DLS_TRY(dls_h5_write_reals(path, group, "b", size, x->b));
  DLS_TRY(dls_h5_write_reals(path, group, "C", size, x->C));
  if (!x->associated) return DLS_OK;
  return dls_h5_write_reals(path, group, "associated", contacts, x->associated);
}

DlsStatus dls_fclib_write_relations(const char *path, hid_t group, const DlsProblem *problem) {
  Arrays arrays = {0};
  DlsStatus status = from_relations(problem, &arrays);
  if (status == DLS_OK) status = write_arrays(path, group, problem, &arrays);
  arrays_clear(&arrays);
  return status;
}
