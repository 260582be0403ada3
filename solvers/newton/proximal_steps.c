#include "solvers/newton/proximal_steps.h"

#include "base/ledger.h"
#include "solvers/kit/price.h"

#include <math.h>
#include <string.h>

typedef struct {
  double physical, scaled, size; /* of newton_island_error() */
} Error;

static DlsStatus measure(const NewtonIsland *island, const double *r, double *u, Error *out) {
  newton_island_velocity(island, r, u);
  return newton_island_error(island, u, r, &out->physical, &out->scaled, &out->size);
}

static bool is_solved(const NewtonProximalRules *rules, const Error *error) {
  return error->physical <= rules->target && error->scaled <= rules->tolerance * error->size;
}

/* alpha after a step that converged in so many iterations. */
static void ease(const NewtonProximalRules *rules, int iterations, NewtonProgress *progress) {
  if (progress->hold > 0) progress->hold--;
  if (iterations <= rules->easy && progress->hold == 0)
    progress->alpha *= rules->fall;
  else if (iterations > rules->hard)
    progress->alpha *= 2;
  progress->alpha = fmax(progress->alpha, rules->alpha_min);
}

static void stiffen(const NewtonProximalRules *rules, NewtonProgress *progress) {
  progress->alpha *= rules->rise;
  progress->hold = rules->hold;
}

/* The error after a step to r. One that runs off, and is no better, has failed: alpha was too small
 * for a set of contacts that cannot be what is asked of it. */
static DlsStatus accept(const NewtonIsland *island, const double *r, double *u, const Error *least,
                        Error *error, bool *converged) {
  Error now;
  DLS_TRY(measure(island, r, u, &now));
  *converged = now.physical < least->physical || !newton_island_ran_off(island, u, r);
  if (*converged) *error = now;
  return DLS_OK;
}

/* Linear algebra that does not count: each iteration has factored a matrix. */
static void count_flops(const NewtonIsland *island, int iterations) {
  const double blocks = (double)island->start[island->contacts] / island->contacts;
  const double flops = dls_price_factor_flops(island->contacts, island->block, blocks);
  dls_ledger.flops += (long)(iterations * flops);
}

DlsStatus newton_proximal_steps(const NewtonProximalRules *rules, const NewtonIsland *island,
                                const DlsNewtonAlgebra *algebra, void *system,
                                NewtonProgress *progress, double *r, double *work,
                                NewtonCounts *counts) {
  const size_t n = (size_t)island->contacts * (size_t)island->block;
  double *next = work, *u = work + n, *best = work + 2 * n;
  Error error, least;
  int idle = 0; /* steps since the least error */
  DLS_TRY(measure(island, r, u, &error));
  least = error;
  memcpy(best, r, n * sizeof *r);
  if (!(progress->alpha > 0)) progress->alpha = rules->alpha;
  progress->stuck = false;
  while (!(progress->solved = is_solved(rules, &error))) {
    int iterations;
    bool converged;
    /* A factorisation cannot be broken off: none is begun that would not end in time. */
    NewtonRules newton = rules->newton;
    const double begin = dls_ledger_clock();
    newton.deadline -= progress->seconds;
    if (begin >= newton.deadline) break;
    const double tolerance = fmax(rules->eta * error.scaled, 1e-15 * error.size);
    memcpy(next, r, n * sizeof *r);
    DlsNewtonStep step = newton_step_begin(island, &newton, progress->alpha, r, tolerance, u);
    const long flops = dls_ledger.flops;
    DLS_TRY(algebra->solve(system, &step, next, &iterations, &converged));
    if (dls_ledger.flops == flops) count_flops(island, iterations);
    progress->seconds = fmax(progress->seconds, (dls_ledger_clock() - begin) / fmax(iterations, 1));
    if (converged) DLS_TRY(accept(island, next, u, &least, &error, &converged));
    if (converged) {
      counts->steps++;
      memcpy(r, next, n * sizeof *r);
      ease(rules, iterations, progress);
    } else {
      counts->failures++;
      stiffen(rules, progress);
      if (++progress->failures == rules->first_order_after &&
          dls_ledger_clock() < rules->newton.deadline - progress->seconds) {
        const long before = counts->first_order;
        DLS_TRY(newton_first_order_run(&rules->first_order, island, r, &counts->first_order));
        counts->phases += counts->first_order > before;
        DLS_TRY(measure(island, r, u, &error));
        converged = true;
      }
    }
    if (error.physical < least.physical) {
      least = error;
      idle = 0;
      memcpy(best, r, n * sizeof *r);
    } else {
      idle++;
    }
    const bool met = least.physical <= rules->target;
    if (rules->after(rules->context, island, r, iterations, converged, idle)) break;
    /* The scaled measure is a wish: once `natural` is met the first trouble ends it. */
    if (met && (idle > 0 || !converged)) break;
    progress->stuck = idle > rules->patience || progress->alpha > rules->alpha_max;
    if (progress->stuck || dls_ledger_now() >= rules->newton.deadline) break;
  }
  if (!(error.physical <= least.physical)) memcpy(r, best, n * sizeof *r);
  progress->solved = progress->solved || least.physical <= rules->target;
  return DLS_OK;
}
