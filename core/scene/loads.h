/* Loads of a deck: accelerations (a share of the weight), forces, and a wheel that rolls along a
 * row of bodies. A load is a function of time and of where bodies are: nothing of it has to be kept
 * for a restart.
 *
 * The wheel stands at s(t) = start + speed (t - from) along an axis. Body i of its row, at x_i,
 * bears the share w_i = K((x_i - s) / length) / sum of K, with
 *   triangle  K(y) = max(0, 1 - |y|): lengths of the distance of sleepers, a rail cut above each
 *   beam      K(y) = exp(-|y|) (cos y + sin |y|): Winkler's, length = (4 E I / k)^(1/4), with the
 *             uplift that it has beyond 3 pi / 4
 * Before the first and behind the last of the row by e, the whole is max(0, 1 - e / length). */
#ifndef DELASSUS_SCENE_LOADS_H
#define DELASSUS_SCENE_LOADS_H

#include "scene/roster.h"

#define DLS_WHEEL_KERNELS(X)                                                                       \
  X(TRIANGLE, "triangle")                                                                          \
  X(BEAM, "beam")
enum {
#define DLS_WHEEL_ENUM(code, word) DLS_WHEEL_##code,
  DLS_WHEEL_KERNELS(DLS_WHEEL_ENUM)
#undef DLS_WHEEL_ENUM
};

/* The bodies that one load names; none: all, or those of a material. */
typedef struct {
  DlsMember *member;
  int count;
  double *x, *share; /* [count], of the moment at hand: of a wheel's row */
  int *body;         /* [count] */
} DlsLoaded;

/* Shares of `count` bodies at x of a wheel at s; K of `kernel`. They add up to 1 in the row. */
void dls_wheel_shares(int kernel, double length, double s, int count, const double *x,
                      double *share);

#endif
