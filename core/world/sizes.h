/* Sizes of grains: a distribution of radii, in m, and numbers drawn from it.
 *
 *   fixed      every grain has `radius`
 *   uniform    by number, between `min` and `max`
 *   lognormal  by number: ln r is normal of mean ln `radius` (the median) and deviation `sigma`,
 *              cut to [`min`, `max`]; a cut-off of 0 stands for `radius` exp(-3 sigma), exp(+3
 *              sigma)
 *   shares     radius values[i] with the share shares[i], by number or by volume; kind = i
 *   power      volume between r and r + dr as r^`exponent` dr in [`min`, `max`], so by number as
 *              r^(exponent - dim); exponent 0: every size fills the same volume (area in 2-D)
 *   list       values[i] with equal chance: what was measured, from a file
 *
 * "Volume" is r^dim. The same seed gives the same radii, to the last bit, on every machine with
 * IEEE arithmetic and the same mathematical library. */
#ifndef DELASSUS_WORLD_SIZES_H
#define DELASSUS_WORLD_SIZES_H

#include <stdint.h>

#include <delassus/status.h>

#define DLS_SIZES_KINDS(X)                                                                         \
  X(FIXED, "fixed")                                                                                \
  X(UNIFORM, "uniform")                                                                            \
  X(LOGNORMAL, "lognormal")                                                                        \
  X(SHARES, "shares")                                                                              \
  X(POWER, "power")                                                                                \
  X(LIST, "list")

typedef enum {
#define DLS_SIZES_ENUM(code, word) DLS_SIZES_##code,
  DLS_SIZES_KINDS(DLS_SIZES_ENUM)
#undef DLS_SIZES_ENUM
} DlsSizesKind;

/* Fields that a kind does not name above are not looked at. values and shares are lent for the life
 * of the struct, but for those of dls_sizes_read(). */
typedef struct {
  DlsSizesKind kind;
  double radius;
  double min, max;
  double sigma;
  double exponent;
  int count; /* of values and shares */
  const double *values, *shares;
  int by_volume; /* 1: shares are of the volume, 0: of the number */
} DlsSizes;

/* "fixed", "uniform", "lognormal", "shares", "power", "list"; NULL for no kind. */
const char *dls_sizes_name(DlsSizesKind kind);

/* DLS_ERR_ARGUMENT, with the field and its value, for what is no distribution. */
DlsStatus dls_sizes_check(const DlsSizes *sizes);

/* The smallest and the largest radius that can be drawn. */
double dls_sizes_min(const DlsSizes *sizes);
double dls_sizes_max(const DlsSizes *sizes);

/* The mean of r^dim, by number. */
double dls_sizes_mean_volume(const DlsSizes *sizes, int dim);

/* radius and kind [count], kind may be NULL. Numbers of `shares` come out as near to the shares as
 * whole grains allow, in random order; a `list` is dealt out, each value once before any comes
 * again. The others are independent draws. */
DlsStatus dls_sizes_fill(const DlsSizes *sizes, int dim, uint64_t seed, int count, double *radius,
                         int *kind);

/* The `list` of a column of a CSV file, each number times `factor` (0.5 turns diameters into
 * radii). `column` is its name in the first line, or NULL for the only one. The caller ends *out
 * with dls_sizes_clear(). */
DlsStatus dls_sizes_read(const char *path, const char *column, double factor, DlsSizes *out);
void dls_sizes_clear(DlsSizes *sizes); /* frees values and shares, zeroes the rest */

#endif
