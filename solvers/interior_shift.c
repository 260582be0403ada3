/* De Saxcé's shift in `interior`. With s held the problem is the convex one, which has one answer
 * in the velocities of the bodies, and interior points find it from the start in some thirty
 * iterations, whatever the rank of W. What is sought is a fixed point of s -> mu |u_T(s)|, which is
 * continuous and has one (Acary and Cadoux 2013). So by rounds:
 *
 *   a round    s held, until what is left of y∘z counts less than |mu |z_T| - s|
 *   the next   s from the rounds before, by Anderson's mixing, and y and z from the way of the last
 *              round, as far back as the change of s asks: what breaks the equations by e wants a
 *              gap of e |y| / (far n), |y| of all n contacts
 *
 * Where s follows at each iteration instead, each change breaks the equations of points that stand
 * close to the boundary of their cones, and steps become short before the answer is near; with s
 * and its derivative in Newton's equations the matrix is all but singular. */
#include "solvers/interior_impl.h"

#include "base/small.h"

#include <math.h>

void interior_shift_begin(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  for (int i = 0; i < scaled->contacts; i++) s->shift[i] = 0;
  dls_anderson_begin(s->mixed, s->shift, NULL);
  s->part = 1;
  s->points = s->round = s->idle = 0;
  s->mark = s->last_gap = s->least_gap = INFINITY;
  s->still = 0;
}

/* |a - b| of two shifts, of which what is below zero counts as zero. */
static double between(const Interior *s, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < s->base.scaled->contacts; i++) {
    const double change = fmax(0, a[i]) - fmax(0, b[i]);
    sum += change * change;
  }
  return sqrt(sum);
}

/* `left` is |r_d|. */
static void keep(Interior *s, double left) {
  const double apart = 4; /* factor between the gaps of points that are kept */
  const size_t bytes = s->base.scaled->n * sizeof *s->y;
  if (s->points == INTERIOR_KEPT) return;
  if (s->points > 0 && s->gap * apart > s->kept[s->points - 1].gap) return;
  InteriorPoint *point = &s->kept[s->points++];
  memcpy(point->y, s->y, bytes);
  memcpy(point->z, s->z, bytes);
  memcpy(point->shift, s->shift, (size_t)s->base.scaled->contacts * sizeof *s->shift);
  point->gap = s->gap;
  point->left = left;
}

/* mu |z_T| into `next`; returns |next - shift|. */
static double look(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  for (int i = 0; i < scaled->contacts; i++) {
    const double *z = s->z + (size_t)i * (size_t)scaled->block;
    const int d = interior_cone_size(s, i);
    s->next[i] = d > 1 ? scaled->theta[i] * dls_small_norm(d - 1, z + 1) : 0;
  }
  return between(s, s->next, s->shift);
}

/* Whether the gap has not halved in some iterations. */
static bool stands_still(Interior *s) {
  const int some = 5;
  if (s->gap <= 0.5 * s->last_gap) {
    s->last_gap = s->gap;
    s->still = 0;
  }
  s->least_gap = fmin(s->least_gap, s->gap);
  return ++s->still > some;
}

/* How far y and z are from the equations, |r_d|. */
static double distance(const Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  double sum = 0;
  for (int i = 0; i < scaled->contacts; i++)
    for (int k = 0, d = interior_cone_size(s, i); k < d; k++) {
      const int e = i * scaled->block + k;
      const double left = s->u[e] / interior_weight(s, i, k) - s->z[e];
      sum += left * left;
    }
  return sqrt(sum);
}

/* To the last point that stands the shift as it is now; some way from where round-off rules. */
static void go_back(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const size_t bytes = scaled->n * sizeof *s->y;
  const double far = 10, some_way = 100, size = sqrt(dls_scaled_dot(scaled, s->y, s->y));
  for (; s->points > 0; s->points--) {
    const InteriorPoint *point = &s->kept[s->points - 1];
    const double left = between(s, s->shift, point->shift) + point->left;
    if (point->gap * far * scaled->contacts >= left * size &&
        point->gap >= some_way * s->least_gap) {
      memcpy(s->y, point->y, bytes);
      memcpy(s->z, point->z, bytes);
      return;
    }
  }
  interior_start(s);
}

static void begin_round(Interior *s) {
  for (int i = 0; i < s->base.scaled->contacts; i++)
    s->shift[i] += s->part * (s->next[i] - s->shift[i]);
  dls_anderson_step(s->mixed, s->shift, NULL);
  s->last_gap = INFINITY;
  s->still = 0;
  s->round++;
  go_back(s);
  interior_evaluate(s);
}

/* Where rounds go round in a circle: part of the way only. False: that was tried. */
static bool hold_back(Interior *s) {
  const double little = 0.3;
  if (s->part <= little) return false;
  s->part = little;
  s->idle = 0;
  dls_anderson_begin(s->mixed, s->shift, NULL);
  return true;
}

bool interior_shift_follow(Interior *s) {
  const double part = 0.1, slow = 0.8, blur = sqrt(s->gap * s->base.scaled->contacts);
  const double change = look(s), left = distance(s);
  keep(s, left);
  const bool still = stands_still(s), over = (blur <= change || still) && left <= part * change;
  if (!over && !s->stuck) return true;
  const bool better = change <= slow * s->mark;
  if (better) s->mark = change;
  s->idle = better ? 0 : s->idle + 1;
  if (s->idle >= s->options.rounds && !hold_back(s)) return false;
  begin_round(s);
  return true;
}
