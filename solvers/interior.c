/* A primal-dual interior-point method on the cones. With De Saxcé's shift s held the problem is a
 * convex one, and rounds find s (interior_shift.c):
 *
 *   y ∈ L,  z ∈ L,  y∘z = 0,   y = P r',   z = P^-1 (W' r' + q' + s n),   P = diag(mu', 1, 1)
 *
 * L is Lorentz' cone of the components that carry a reaction, ∘ Jordan's product. An iteration is
 * Mehrotra's predictor and corrector with the scaling V of Nesterov and Todd (kit/cone_scaling.h):
 * with F = V^-2, F y = z,
 *
 *   F dy + dz = V^-1 ξ
 *
 * ξ = -λ (predictor), or λ \ (σ m e - λ∘λ - (V^-1 dy)∘(V dz)) with what the predictor foretells,
 * λ = V z = V^-1 y. One factor an iteration (interior_direction.c), on the velocities of the
 * bodies, and some tens of iterations a round whatever the rank of W: the way for structures of
 * blocks, where points of a face share a load in many ways, and sweeps and active sets wander among
 * them. Of those it takes the one in the middle. */
#include "solvers/interior_impl.h"

#include "base/memory.h"
#include "base/small.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const DlsOption options[] = {
    DLS_REAL_OPTION(InteriorOptions, way, 0.99, 0.1, 0.99999,
                    "share of the way to the boundary of the cones that a step goes at most"),
    DLS_INT_OPTION(InteriorOptions, rounds, 6, 1, 1e6,
                   "rounds of De Saxcé's shift without progress, before it goes part of the way, "
                   "and then ends"),
};

static void release(void *self) {
  Interior *s = self;
  dls_shifted_destroy(&s->factor);
  dls_anderson_destroy(s->mixed);
  free(s->D);
  free(s->memory);
  free(s->scaling);
}

/* Directions of one solve, points of the way, the shift. */
static DlsStatus prepare_memory(Interior *s) {
  const size_t n = s->base.scaled->n, contacts = (size_t)s->base.scaled->contacts;
  DLS_NEW(s->memory, 2 * n * (INTERIOR_REFINED + INTERIOR_KEPT) + (3 + INTERIOR_KEPT) * contacts);
  double *next = s->memory;
  for (int k = 0; k < INTERIOR_REFINED; k++, next += 2 * n) {
    s->step[k] = next;
    s->image[k] = next + n;
  }
  for (int k = 0; k < INTERIOR_KEPT; k++, next += 2 * n + contacts)
    s->kept[k] = (InteriorPoint){.y = next, .z = next + n, .shift = next + 2 * n};
  s->shift = next;
  s->next = next + contacts;
  s->ones = next + 2 * contacts;
  for (size_t i = 0; i < contacts; i++) s->ones[i] = 1;
  return dls_anderson_create(contacts, 0, INTERIOR_MIXED, s->ones, &s->mixed);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Interior *s = self;
  DlsScaled *scaled = s->base.scaled;
  const size_t squares = scaled->n * (size_t)scaled->block;
  for (int i = 0; i < scaled->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    if (relation->cone == DLS_CONE_SIGNORINI && scaled->block == scaled->dim) scaled->plain[i] = 0;
    DLS_CHECK(scaled->plain[i] >= 0, DLS_ERR_UNSUPPORTED,
              "interior: contact %d is neither Coulomb's nor Signorini's; use auto", i);
  }
  s->base.check_every = 1;
  DLS_TRY(dls_shifted_create(scaled, DLS_SHIFTED_AUTO, &s->factor));
  DLS_NEW(s->D, 2 * squares);
  s->inverse = s->D + squares;
  DLS_NEW(s->scaling, scaled->contacts);
  double **arrays[] = {&s->r, &s->u, &s->y, &s->z, &s->dr, &s->dy, &s->dz, &s->b, &s->left, &s->x};
  for (int k = 0; k < DLS_COUNT(arrays); k++) *arrays[k] = dls_first_order_array(&s->base);
  return prepare_memory(s);
}

void interior_start(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  memset(s->y, 0, scaled->n * sizeof *s->y);
  memset(s->z, 0, scaled->n * sizeof *s->z);
  for (size_t e = 0; e < scaled->n; e += (size_t)scaled->block) s->y[e] = s->z[e] = s->start;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Interior *s = self;
  const DlsScaled *scaled = s->base.scaled;
  (void)problem;
  s->start = 0;
  for (size_t e = 0; e < scaled->n; e++) s->start = fmax(s->start, fabs(scaled->q[e]));
  interior_start(s);
  interior_shift_begin(s);
  dls_scaled_take(scaled, s->base.r_hat, s->r);
  s->base.r = s->r;
  s->factors = 0;
  s->floor = 1e-13;
  s->short_steps = 0;
  s->base.exhausted = s->stuck = false;
  interior_evaluate(s);
  return DLS_OK;
}

static double largest_step(const Interior *s) {
  const int block = s->base.scaled->block;
  double t = 1;
  for (int i = 0; i < s->base.scaled->contacts; i++) {
    const int d = interior_cone_size(s, i);
    t = fmin(t, dls_cone_scaling_room(d, s->y + i * block, s->dy + i * block));
    t = fmin(t, dls_cone_scaling_room(d, s->z + i * block, s->dz + i * block));
  }
  return t;
}

static double mean_gap(const Interior *s, double t) {
  const int block = s->base.scaled->block;
  double sum = 0;
  for (int i = 0; i < s->base.scaled->contacts; i++)
    for (int k = 0, d = interior_cone_size(s, i); k < d; k++) {
      const int e = i * block + k;
      sum += (s->y[e] + t * s->dy[e]) * (s->z[e] + t * s->dz[e]);
    }
  return sum / s->base.scaled->contacts;
}

void interior_evaluate(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  for (int i = 0; i < scaled->contacts; i++)
    for (int k = 0, d = interior_cone_size(s, i); k < block; k++) {
      const int e = i * block + k;
      s->r[e] = k < d ? s->y[e] / interior_weight(s, i, k) : 0;
    }
  dls_scaled_velocity(scaled, s->r, s->u);
  for (int i = 0; i < scaled->contacts; i++) s->u[i * block] += fmax(0, s->shift[i]);
}

/* Predictor, corrector, and a step along it; *t is its length. */
static DlsStatus step(Interior *s, double *t) {
  const DlsScaled *scaled = s->base.scaled;
  DLS_TRY(interior_factor(s));
  DLS_TRY(interior_find_direction(s, -1));
  const double ahead = largest_step(s), left = mean_gap(s, ahead) / s->gap;
  DLS_TRY(interior_find_direction(s, fmax(0, left * left * left) * s->gap));
  *t = s->options.way * largest_step(s);
  for (size_t e = 0; e < scaled->n; e++) {
    s->y[e] += *t * s->dy[e];
    s->z[e] += *t * s->dz[e];
  }
  return DLS_OK;
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Interior *s = self;
  const int several = 3;
  const double tiny = 1e-3;
  double t = 0;
  (void)problem;
  /* the last point of a round has been measured by now */
  const bool over = k > 0 && !interior_shift_follow(s);
  s->gap = mean_gap(s, 0);
  s->base.exhausted = over || !(s->gap > DBL_MIN);
  if (s->base.exhausted) return DLS_OK;
  const DlsStatus status = step(s, &t); /* not: as far as round-off lets it go */
  if (status != DLS_OK && status != DLS_ERR_NUMERIC) return status;
  s->short_steps = t < tiny ? s->short_steps + 1 : 0;
  s->stuck = status == DLS_ERR_NUMERIC || s->short_steps >= several;
  if (s->stuck) s->short_steps = 0;
  s->gap = mean_gap(s, 0);
  interior_evaluate(s);
  return DLS_OK;
}

static void describe(const void *self, DlsReport *report) {
  const Interior *s = self;
  report->work.factorisations = s->factors;
  snprintf(report->note, sizeof report->note,
           "factor of %s, %ld factors, %d rounds of the shift, gap %.1e",
           dls_shifted_name(s->factor), s->factors, s->round + 1, s->gap);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "interior",
      .bytes = sizeof(Interior),
      .options_at = offsetof(Interior, options),
      .option_bytes = sizeof(InteriorOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_CONE,
      .arrays = 10,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
}

const DlsSolver dls_solver_interior = {
    DLS_SOLVER_HEAD,
    .name = "interior",
    .summary = "interior points of the cones, a factor of the bodies an iteration",
    .description =
        "Primal-dual interior points of Lorentz' cones with predictor, corrector and the scaling "
        "of Nesterov and Todd; De Saxcé's shift by rounds. Some tens of factors a round, whatever "
        "the rank of W: for blocks with many points on a face, to 1e-6 and often further. Takes "
        "Coulomb's law, with a circle or an ellipse, and Signorini's.",
    .references = "Acary, Armand, Nguyen and Shpakovych 2023; Vandenberghe 2010; Mehrotra 1992",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(InteriorOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
