/* Contact problems that need no file: rigid bodies laid out by formula, in factored form.
 *
 * Each is one time-step of length h: bodies of mass M and velocity v fall freely during h, the
 * contacts then give their impulses. u = H v, n from the antagonist to the candidate,
 * q = H (v + h g). Everything SI; the same parameters give the same problem to the last bit on
 * every machine with IEEE arithmetic and the same mathematical library. */
#ifndef DELASSUS_SAMPLE_H
#define DELASSUS_SAMPLE_H

#include <stdint.h>

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int size;      /* what it counts is the sample's own: spheres, layers, courses ... */
  uint64_t seed; /* of the random numbers, where there are any */
  double mu;     /* friction coefficient, >= 0 */
  double h;      /* s, the time-step, > 0 */
  double tilt;   /* rad: gravity is 9.81 (sin tilt, 0, -cos tilt) m/s2; without the 0 in 2-D */
} DlsSampleParams;

typedef struct {
  const char *name;
  const char *summary;
  const char *size; /* what `size` counts */
  int max_size;
  DlsSampleParams defaults;
} DlsSample;

/* The samples there are, in a table of *count rows. */
DLS_EXPORT const DlsSample *dls_sample_list(int *count);

/* By name; DLS_ERR_ARGUMENT lists the names there are. */
DLS_EXPORT DlsStatus dls_sample_find(const char *name, const DlsSample **out);

/* Builds a sample; params NULL stands for its defaults. The caller owns *out and ends it with
 * dls_problem_destroy(). r, unless NULL, receives a reaction that solves the problem exactly,
 * [contacts][block], to be ended with free(), or NULL where the sample has none in closed form. */
DLS_EXPORT DlsStatus dls_sample_create(const char *name, const DlsSampleParams *params,
                                       DlsProblem **out, double **r);

#ifdef __cplusplus
}
#endif
#endif
