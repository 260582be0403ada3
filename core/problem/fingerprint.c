/* The fingerprint: a hash of all numbers that make a problem. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "problem/operator/operator_impl.h"
#include "problem/problem_impl.h"

DlsStatus dls_problem_fingerprint(const DlsProblem *p, char out[DLS_FINGERPRINT]) {
  uint64_t hash = DLS_HASH_BEGIN;
  dls_hash_ints(&hash, (const int[]){p->dim, p->block, p->contacts}, 3);
  dls_hash_reals(&hash, p->q, (size_t)p->contacts * (size_t)p->block);
  for (int i = 0; i < p->contacts; i++) {
    const DlsRelation *relation = dls_problem_shared(p, i);
    dls_hash_ints(&hash, (const int[]){(int)relation->cone}, 1);
    dls_hash_reals(&hash, relation->mu, DLS_MU_COUNT);
    dls_hash_reals(&hash, relation->a, (size_t)p->block);
    dls_hash_reals(&hash, relation->b, (size_t)p->block);
    dls_hash_reals(&hash, relation->C, (size_t)p->block);
    if (relation->associated != 0) dls_hash_reals(&hash, &relation->associated, 1);
    if (relation->cone == DLS_CONE_CUSTOM)
      dls_hash_mix(&hash, p->custom[i].law, strlen(p->custom[i].law));
  }
  if (p->contacts) DLS_TRY(dls_operator_hash(p->W, &hash));
  snprintf(out, DLS_FINGERPRINT, "%016llx", (unsigned long long)hash);
  return DLS_OK;
}
