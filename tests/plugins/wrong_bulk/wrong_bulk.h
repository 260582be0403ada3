/* What the wrong bulk laws share. Each file here is a law with one error of the kind that authors
 * make; tests/io/bulk_wrong_test.c says which check of `delassus bulk check` must find it. Each is
 * built twice: as it is, and as its right twin, in which MISTAKE(wrong, right) is what is right,
 * and which passes every check. */
#ifndef DELASSUS_TESTS_WRONG_BULK_H
#define DELASSUS_TESTS_WRONG_BULK_H

#include <delassus/bulk.h>

#ifdef DELASSUS_RIGHT_TWIN
#define MISTAKE(wrong, right) right
#else
#define MISTAKE(wrong, right) wrong
#endif

#define WRONG_BULK(law_name, ...)                                                                  \
  static const DlsBulk law = {                                                                     \
      DLS_BULK_HEAD,        .name = (law_name), .summary = "a law with an error",                  \
      .references = "none", .stress = stress,   .energy = energy,                                  \
      __VA_ARGS__};                                                                                \
  const DlsBulk *dls_bulk_entry(void) { return &law; }

#define PARAMS(table) .params = (table), .nparams = DLS_COUNT(table)
#define STATES(table) .states = (table), .nstates = DLS_COUNT(table)

#define LAME_ROWS                                                                                  \
  {"lambda", "Pa", "first modulus", .value = 6e8, .min = 0, .max = DLS_NO_BOUND}, {                \
    "mu", "Pa", "shear modulus", .value = 4e8, .min = 1e-300, .max = DLS_NO_BOUND                  \
  }
enum { LAMBDA, MU, OWN };

#define STRESS                                                                                     \
  static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,         \
                          const double *strain_before, const double *strain, double *out,          \
                          double *tangent, double *next)
#define ENERGY                                                                                     \
  static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,         \
                          const double *strain_before, const double *strain, const double *next,   \
                          double *stored, double *dissipated)
#define UNUSED (void)point, (void)p, (void)state, (void)strain_before, (void)strain, (void)next

/* Half the work of Hooke's stress. */
static inline double hooke_energy(const double *p, const double *strain) {
  double sigma[6];
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, sigma, NULL);
  return dls_bulk_work(sigma, strain) / 2;
}

#define HOOKE_ENERGY                                                                               \
  ENERGY {                                                                                         \
    UNUSED;                                                                                        \
    *stored = hooke_energy(p, strain);                                                             \
    *dissipated = 0;                                                                               \
    return DLS_OK;                                                                                 \
  }

#endif
