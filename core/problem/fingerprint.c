/* Fowler, Noll and Vo's hash (FNV-1a) of all numbers that make a problem. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/problem_impl.h"

static void mix(uint64_t *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t k = 0; k < count; k++) *hash = (*hash ^ at[k]) * 0x100000001b3u;
}

static void mix_ints(uint64_t *hash, const int *values, size_t count) {
  mix(hash, values, count * sizeof *values);
}

/* -0 is 0. */
static void mix_reals(uint64_t *hash, const double *values, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const double value = values[k] + 0.0;
    mix(hash, &value, sizeof value);
  }
}

static void mix_assembled(uint64_t *hash, const DlsOperator *W) {
  const DlsBlockRows rows = dls_operator_block_rows(W);
  const size_t blocks = (size_t)rows.start[rows.contacts];
  mix_ints(hash, rows.start, (size_t)rows.contacts + 1);
  mix_ints(hash, rows.column, blocks);
  mix_reals(hash, rows.value, blocks * (size_t)(rows.block * rows.block));
}

static void mix_supports(uint64_t *hash, const DlsOperator *W) {
  const DlsSupports s = dls_operator_supports(W);
  const size_t count = (size_t)s.start[s.contacts], size = (size_t)(s.block * s.dof);
  mix_ints(hash, (const int[]){s.bodies, s.dof}, 2);
  mix_ints(hash, s.start, (size_t)s.contacts + 1);
  mix_ints(hash, s.body, count);
  mix_reals(hash, s.gather, count * size);
  if (s.scatter != s.gather) mix_reals(hash, s.scatter, count * size);
}

static void mix_spheres(uint64_t *hash, const DlsOperator *W) {
  const DlsSpheres s = dls_operator_spheres(W);
  for (int i = 0; i < s.contacts; i++) {
    mix_reals(hash, s.contact[i].frame, 9);
    mix_reals(hash, s.contact[i].move, 2);
    mix_reals(hash, s.contact[i].turn, 2);
    mix_ints(hash, s.contact[i].body, 2);
  }
}

/* M stands there factored: the diagonal blocks of W, and W on a vector that no contact shares, say
 * what it is. */
static DlsStatus mix_coupled(uint64_t *hash, const DlsProblem *p) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  double *work;
  DLS_NEW(work, n * (2 + (size_t)p->block));
  for (size_t k = 0; k < n; k++) work[k] = 1 + (double)(k * 2654435761u % 1024) / 1024;
  dls_operator_apply(p->W, work, work + n);
  dls_operator_diagonal(p->W, work + 2 * n);
  mix_reals(hash, work + n, n * (1 + (size_t)p->block));
  free(work);
  return DLS_OK;
}

DlsStatus dls_problem_fingerprint(const DlsProblem *p, char out[DLS_FINGERPRINT]) {
  uint64_t hash = 0xcbf29ce484222325u;
  const DlsForm form = dls_operator_form(p->W);
  mix_ints(&hash, (const int[]){p->dim, p->block, p->contacts}, 3);
  mix_reals(&hash, p->q, (size_t)p->contacts * (size_t)p->block);
  for (int i = 0; i < p->contacts; i++) {
    const DlsRelation *relation = dls_problem_shared(p, i);
    mix_ints(&hash, (const int[]){(int)relation->cone}, 1);
    mix_reals(&hash, relation->mu, DLS_MU_COUNT);
    mix_reals(&hash, relation->a, (size_t)p->block);
    mix_reals(&hash, relation->b, (size_t)p->block);
    mix_reals(&hash, relation->C, (size_t)p->block);
    if (relation->cone == DLS_CONE_CUSTOM) mix(&hash, p->custom[i].law, strlen(p->custom[i].law));
  }
  if (p->contacts && form == DLS_FORM_ASSEMBLED) mix_assembled(&hash, p->W);
  if (p->contacts && form == DLS_FORM_FACTORED) mix_supports(&hash, p->W);
  if (p->contacts && form == DLS_FORM_SPHERES) mix_spheres(&hash, p->W);
  if (p->contacts && form == DLS_FORM_COUPLED) DLS_TRY(mix_coupled(&hash, p));
  snprintf(out, DLS_FINGERPRINT, "%016llx", (unsigned long long)hash);
  return DLS_OK;
}
