/* For laws of the jump form: the tangential spring in series with Coulomb's slider.
 *   f = -k (s + slip of the step),  shortened to |f| <= limit;   s after it = -f / k
 * s is a state of kind DLS_TANGENT; the limit, N, may follow the gap. */
#ifndef DELASSUS_LAW_SPRING_H
#define DELASSUS_LAW_SPRING_H

#include <delassus/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the tangents of t, their rows of dt_djump unless that is NULL, and next [2] unless that is
 * NULL. jump is that of `traction`, without states of kind DLS_JUMP; dlimit = dlimit/dgap. */
static inline void dls_law_spring(const DlsContact *c, double k, double limit, double dlimit,
                                  const double *spring, const double *jump, double *t,
                                  double *dt_djump, double *next) {
  const int n = c->block;
  double pull[2] = {0, 0};
  for (int i = 0; i + 1 < c->dim; i++) pull[i] = -k * (spring[i] + jump[1 + i]);
  const double size = dls_law_length(pull, c->dim - 1);
  const int slips = size > limit;
  const double scale = slips ? limit / size : 1;
  for (int i = 0; i + 1 < c->dim; i++) {
    const double along = slips ? pull[i] / size : 0;
    t[1 + i] = scale * pull[i];
    if (!dt_djump) continue;
    dt_djump[(1 + i) * n] = along * dlimit;
    for (int j = 0; j + 1 < c->dim; j++) {
      const double same = i == j;
      dt_djump[(1 + i) * n + 1 + j] = -k * (slips ? scale * (same - along * pull[j] / size) : same);
    }
  }
  for (int i = 0; next && i < 2; i++) next[i] = i + 1 < c->dim ? -t[1 + i] / k : 0;
}

#ifdef __cplusplus
}
#endif
#endif
