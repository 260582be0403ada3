/* Islands of a problem, scaled; the formulas are in island.h. */
#include "solvers/newton/island.h"

#include <delassus/cone.h>
#include <delassus/errors.h>
#include <delassus/islands.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/contact_scale.h"

#include <math.h>
#include <stdlib.h>

static void drop_parts(NewtonIsland *island) {
  if (island->parts) dls_part_rows_clear(island->parts);
  free(island->parts);
  free(island->compliance);
  island->parts = NULL;
  island->compliance = NULL;
}

/* What the islands are cut from. */
typedef struct {
  const DlsProblem *problem;
  DlsBlockRows rows;
  double *D;   /* diagonal blocks of Ŵ */
  int *island; /* of each contact */
  int *local;  /* number of each contact in its island */
} Source;

static void scale_block(int block, const double *W, const double *left, const double *right,
                        double *out) {
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++) out[i * block + j] = left[i] * W[i * block + j] * right[j];
}

/* Block rows of one island whose contacts are known. */
static void fill_rows(const Source *s, NewtonIsland *island) {
  const size_t square = (size_t)(island->block * island->block);
  int count = 0;
  for (int i = 0; i < island->contacts; i++) {
    const int row = island->number[i];
    island->start[i] = count;
    for (int k = s->rows.start[row]; k < s->rows.start[row + 1]; k++) {
      const int column = s->rows.column[k];
      if (s->island[column] != s->island[row]) continue;
      const double *from = s->rows.value + (size_t)k * square;
      const int j = s->local[column];
      if (i == j) {
        island->diagonal[i] = count;
        from = s->D + (size_t)row * square; /* compliance is in it */
      }
      scale_block(island->block, from, island->contact[i].scale, island->contact[j].scale,
                  island->value + (size_t)count * square);
      island->column[count++] = j;
    }
  }
  island->start[island->contacts] = count;
}

/* G, T and C', where the parts have so few velocities that equations are to be solved on them. */
static DlsStatus fill_parts(const Source *s, NewtonIsland *island) {
  const DlsOperator *W = dls_problem_operator(s->problem);
  const int block = island->block, n = island->contacts * block;
  const double fewer = 1.5; /* reactions for a velocity */
  double *scale;
  bool soft = false;
  if (!dls_operator_has_parts(W)) return DLS_OK;
  DLS_NEW(scale, n);
  for (int e = 0; e < n; e++) {
    const NewtonContact *contact = &island->contact[e / block];
    scale[e] = contact->scale[e % block];
    soft = soft || contact->relation.C[e % block] > 0;
  }
  island->parts = dls_memory_array(1, sizeof *island->parts);
  DlsStatus status = island->parts ? dls_part_rows_create_some(W, island->contacts, island->number,
                                                               scale, island->parts)
                                   : dls_fail(DLS_ERR_MEMORY, "no memory for an island");
  if (status == DLS_OK && soft) {
    island->compliance = dls_memory_array((size_t)n, sizeof *scale);
    if (!island->compliance) status = dls_fail(DLS_ERR_MEMORY, "no memory for an island");
    for (int e = 0; e < n && status == DLS_OK; e++)
      island->compliance[e] =
          scale[e] * scale[e] * island->contact[e / block].relation.C[e % block];
  }
  free(scale);
  if (status == DLS_OK && n < fewer * island->parts->freedom) drop_parts(island);
  return status;
}

static DlsStatus fill_island(const Source *s, NewtonIsland *island) {
  const size_t block = (size_t)island->block, n = (size_t)island->contacts;
  const double *q = dls_problem_standard_q(s->problem);
  const DlsCustomRelation *custom = dls_problem_custom(s->problem);
  size_t blocks = 0;
  for (size_t i = 0; i < n; i++) {
    const int c = island->number[i];
    blocks += (size_t)(s->rows.start[c + 1] - s->rows.start[c]);
  }
  DLS_NEW(island->start, n + 1);
  DLS_NEW(island->column, blocks);
  DLS_NEW(island->diagonal, n);
  DLS_NEW(island->value, blocks * block * block);
  DLS_NEW(island->q, n * block);
  DLS_NEW(island->contact, n);
  for (size_t i = 0; i < n; i++) {
    const size_t c = (size_t)island->number[i];
    NewtonContact *contact = &island->contact[i];
    contact->relation = *dls_problem_relation(s->problem, island->number[i]);
    dls_contact_scale(island->dim, island->block, s->D + c * block * block, &contact->relation,
                      contact->scale);
    if (contact->relation.cone == DLS_CONE_CUSTOM) contact->custom = &custom[c];
    for (size_t k = 0; k < block; k++)
      island->q[i * block + k] = contact->scale[k] * q[c * block + k];
  }
  fill_rows(s, island);
  return fill_parts(s, island);
}

/* Deals the contacts out to their islands, in order. */
static DlsStatus deal(Source *s, NewtonIsland *islands, int count) {
  const int contacts = dls_problem_contacts(s->problem);
  for (int i = 0; i < contacts; i++) islands[s->island[i]].contacts++;
  for (int k = 0; k < count; k++) {
    NewtonIsland *island = &islands[k];
    island->block = dls_problem_block(s->problem);
    island->dim = dls_problem_dim(s->problem);
    island->problem = s->problem;
    DLS_NEW(island->number, island->contacts);
    island->contacts = 0;
  }
  for (int i = 0; i < contacts; i++) {
    NewtonIsland *island = &islands[s->island[i]];
    s->local[i] = island->contacts;
    island->number[island->contacts++] = i;
  }
  for (int k = 0; k < count; k++) DLS_TRY(fill_island(s, &islands[k]));
  return DLS_OK;
}

/* Islands by the blocks of W, which is `W` or assembled from it. */
static DlsStatus cut(Source *s, const DlsOperator *W, NewtonIsland **out, int *count) {
  const size_t contacts = (size_t)dls_problem_contacts(s->problem);
  const size_t block = (size_t)dls_problem_block(s->problem);
  DLS_NEW(s->D, contacts * block * block);
  DLS_NEW(s->island, contacts);
  DLS_NEW(s->local, contacts);
  dls_problem_standard_diagonal(s->problem, s->D);
  int islands = 0;
  DLS_TRY(dls_islands_find(W, s->island, &islands));
  DLS_NEW(*out, islands);
  *count = islands;
  return deal(s, *out, islands);
}

DlsStatus newton_islands_create(const DlsProblem *problem, NewtonIsland **out, int *count) {
  const DlsOperator *W = dls_problem_operator(problem);
  DlsOperator *own = NULL;
  Source source = {.problem = problem};
  *out = NULL;
  *count = 0;
  DLS_TRY(dls_operator_rows(W, &own, &source.rows));
  const DlsStatus status = cut(&source, own ? own : W, out, count);
  free(source.D);
  free(source.island);
  free(source.local);
  dls_operator_destroy(&own);
  if (status == DLS_OK) return DLS_OK;
  newton_islands_destroy(*out, *count);
  *out = NULL;
  return status;
}

void newton_islands_destroy(NewtonIsland *islands, int count) {
  for (int k = 0; islands && k < count; k++) {
    free(islands[k].number);
    free(islands[k].start);
    free(islands[k].column);
    free(islands[k].diagonal);
    free(islands[k].value);
    free(islands[k].q);
    free(islands[k].contact);
    drop_parts(&islands[k]);
  }
  free(islands);
}

void newton_island_velocity(const NewtonIsland *island, const double *r, double *u) {
  const int block = island->block;
  dls_ledger.rows += island->contacts;
  const size_t square = (size_t)(block * block);
  for (int i = 0; i < island->contacts; i++) {
    double *u_i = u + (size_t)i * (size_t)block;
    const double *q_i = island->q + (size_t)i * (size_t)block;
    for (int k = 0; k < block; k++) u_i[k] = q_i[k];
    for (int k = island->start[i]; k < island->start[i + 1]; k++) {
      const double *W = island->value + (size_t)k * square;
      const double *r_j = r + (size_t)island->column[k] * (size_t)block;
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) u_i[a] += W[a * block + b] * r_j[b];
    }
  }
}

void newton_island_take(const NewtonIsland *island, const double *r_hat, double *r) {
  const size_t block = (size_t)island->block;
  for (size_t i = 0; i < (size_t)island->contacts; i++)
    for (size_t k = 0; k < block; k++)
      r[i * block + k] = r_hat[(size_t)island->number[i] * block + k] / island->contact[i].scale[k];
}

void newton_island_give(const NewtonIsland *island, const double *r, double *r_hat) {
  const size_t block = (size_t)island->block;
  for (size_t i = 0; i < (size_t)island->contacts; i++)
    for (size_t k = 0; k < block; k++)
      r_hat[(size_t)island->number[i] * block + k] = r[i * block + k] * island->contact[i].scale[k];
}

/* The natural map of one contact in physical variables; a custom law's residual is one already. */
static DlsStatus physical_map(const NewtonIsland *island, int i, const double *u, const double *r,
                              double *e) {
  const double *S = island->contact[i].scale;
  const int block = island->block;
  NewtonContact contact = {.relation = *dls_problem_relation(island->problem, island->number[i]),
                           .custom = island->contact[i].custom,
                           .scale = {1, 1, 1, 1, 1, 1}};
  double u_hat[DLS_MAX_BLOCK], r_hat[DLS_MAX_BLOCK];
  for (int k = 0; k < block; k++) {
    u_hat[k] = u[k] / S[k];
    r_hat[k] = S[k] * r[k];
  }
  return newton_residual(NEWTON_NATURAL, &contact, island->dim, block, u_hat, r_hat, e, NULL, NULL);
}

DlsStatus newton_island_error(const NewtonIsland *island, const double *u, const double *r,
                              double *physical, double *scaled, double *size) {
  const int block = island->block;
  double sum = 0, sum_scaled = 0, q2 = 0, r2 = 0, u2 = 0;
  for (int i = 0; i < island->contacts; i++) {
    const size_t at = (size_t)i * (size_t)block;
    double e[DLS_MAX_BLOCK];
    if (!island->unitless) {
      DLS_TRY(physical_map(island, i, u + at, r + at, e));
      sum += dls_small_dot(block, e, e);
    }
    DLS_TRY(newton_residual(NEWTON_NATURAL, &island->contact[i], island->dim, block, u + at, r + at,
                            e, NULL, NULL));
    sum_scaled += dls_small_dot(block, e, e);
    q2 += dls_small_dot(block, island->q + at, island->q + at);
    r2 += dls_small_dot(block, r + at, r + at);
    u2 += dls_small_dot(block, u + at, u + at);
  }
  if (island->unitless) sum = sum_scaled;
  *physical = isfinite(sum) ? sqrt(sum) : INFINITY;
  *scaled = isfinite(sum_scaled) ? sqrt(sum_scaled) : INFINITY;
  *size = sqrt(fmax(q2, fmax(r2, u2)));
  return DLS_OK;
}

bool newton_island_ran_off(const NewtonIsland *island, const double *u, const double *r) {
  const int n = island->contacts * island->block;
  const double load = fmax(dls_small_norm(n, island->q), dls_small_norm(n, u));
  return dls_small_norm(n, r) > DLS_RUN_OFF * load;
}
