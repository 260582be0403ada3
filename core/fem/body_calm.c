/* Nodes without mass (massless-contact) at the end of a step. The step finds where they are in its
 * mean, in balance with the nodes that have mass,
 *
 *   q^ = q + h/4 (v + v+),   K q^ = F + r/h in their rows,
 *
 * and nothing else: q+ = q^ + h/2 v+ would hand an error e of q on as -e, and one of 2 e/h to v+,
 * which adds up to 4 e/h more in every step. They have neither momentum nor energy of motion, so
 * where they end and how fast is free as long as the next mean follows from it. With m = (v + v+)/2
 *
 *   v+ <- m + c/2 (v - m),   q+ <- q^ + h/2 v+
 *
 * an error goes on as -(1 - c) e, and as 2 (1 - c) e/h in the velocity; what turns or curves is
 * followed to c h^2/4 of its acceleration. Along an impulse of a contact v+ is what the contact law
 * wants, and stays. */
#include <math.h>

#include "base/small.h"
#include "fem/body_impl.h"

static const double calming = 0.1; /* c: errors fall to a tenth in 22 steps */

/* Velocities of node a, of those without mass; 0 of others. */
static int massless(const DlsBodyModel *m, int a, int *axis) {
  int count = 0;
  for (int k = 0; k < m->dim && !m->M; k++)
    if (m->number[a * m->dim + k] >= 0 && m->share[a * m->dim + k] == 0) axis[count++] = k;
  return count;
}

bool dls_body_calm(const DlsBodyModel *m, const DlsDeformableStep *step, const double *v,
                   double *next, double *state) {
  const double *R = dls_body_turn(m, state);
  bool any = false;
  /* Other theta damp by themselves. */
  if (step->before != step->after || step->still == 1 || m->M) return false;
  for (int a = 0; a < m->nodes; a++) {
    int axis[3];
    double y[3] = {0}, push[3] = {0};
    const int count = massless(m, a, axis);
    for (int k = 0; k < count; k++) {
      const int number = m->number[a * m->dim + axis[k]];
      y[axis[k]] = next[number] - v[number];
      push[axis[k]] = step->push ? step->push[number] : 0;
    }
    const double square = dls_vector_dot(push, push);
    const double along = square > 0 ? dls_vector_dot(y, push) / square : 0;
    for (int k = 0; k < 3; k++) y[k] -= along * push[k];
    for (int k = 0; k < count; k++)
      next[m->number[a * m->dim + axis[k]]] -= (2 + calming) / 4 * y[axis[k]];
    for (int i = 0; i < m->dim && count > 0; i++) {
      const double shift = R ? dls_vector_dot(R + 3 * i, y) : y[i];
      state[a * m->dim + i] += step->h / 4 * shift;
    }
    any |= count > 0;
  }
  return any;
}
