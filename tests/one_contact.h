/* One contact of a body against a fixed one, stepped through time by its laws: what they do with
 * nothing else around.
 *   v = u + h f / m,   (û, r̂) in the relation of the laws,   gap <- gap + h u_N */
#ifndef DELASSUS_TESTS_ONE_CONTACT_H
#define DELASSUS_TESTS_ONE_CONTACT_H

#include "tests/test.h"

#include <delassus/laws.h>
#include <delassus/local.h>

enum { ONE_LAWS = 3 };

typedef struct {
  const DlsLaw *law[ONE_LAWS]; /* the first, then those that follow */
  int laws;
  double params[ONE_LAWS][DLS_MAX_PARAMS], state[ONE_LAWS][DLS_MAX_PARAMS];
  double mass[DLS_MAX_BLOCK]; /* kg, of spins kg m2: the diagonal of D^-1 */
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  DlsContact contact; /* its gap is that of the next step */
  DlsRelation relation;
  double dissipated; /* J, -r (u + u⁻) / 2 summed over the steps */
} OneContact;

static inline void one_open(OneContact *one, int dim, int block, double h, double mass) {
  memset(one, 0, sizeof *one);
  one->contact = (DlsContact){.dim = dim, .block = block, .h = h, .radius = 0.01, .mass = mass};
  for (int i = 0; i < 3; i++)
    one->contact.frame[i][i] = one->contact.axes[0][i][i] = one->contact.axes[1][i][i] = 1;
  for (int i = 0; i < block; i++) one->mass[i] = mass;
}

/* Adds a law behind those that are there; set its numbers by one_set. */
static inline void one_add(OneContact *one, const char *name) {
  const int k = one->laws++;
  CHECK_OK(dls_law_find(name, &one->law[k]));
  if (!one->law[k]) test_skip("a law is not built");
  dls_law_defaults(one->law[k], one->params[k]);
  dls_law_new_state(one->law[k], one->state[k]);
}

/* Of the law added last. */
static inline void one_set(OneContact *one, const char *name, double value) {
  const int k = one->laws - 1;
  CHECK_OK(dls_law_set(one->law[k], one->params[k], name, value));
}

/* The contact is seen for the first time, at its gap. */
static inline void one_begin(OneContact *one) {
  for (int k = 0; k < one->laws; k++)
    if (one->law[k]->begin)
      CHECK_OK(one->law[k]->begin(&one->contact, one->params[k], one->state[k]));
}

static inline void one_prepare(OneContact *one) {
  DlsContact *c = &one->contact;
  memcpy(c->u_before, one->u, sizeof c->u_before);
  c->gap_rate = fmax(c->gap, 0) / c->h;
  memset(&one->relation, 0, sizeof one->relation);
  for (int k = 0; k < one->laws; k++)
    CHECK_OK(one->law[k]->prepare(c, one->params[k], one->state[k], &one->relation));
}

/* A step under the forces f [block], N and N m, on the body. */
static inline void one_step(OneContact *one, const double *f) {
  DlsContact *c = &one->contact;
  const DlsRelation *relation = &one->relation;
  const int n = c->block;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK] = {0};
  double w[DLS_MAX_BLOCK];
  one_prepare(one);
  for (int i = 0; i < n; i++) {
    D[i * (n + 1)] = 1 / one->mass[i] + relation->C[i];
    w[i] = one->u[i] + c->h * f[i] / one->mass[i];
    q[i] = w[i] + relation->b[i] - D[i * (n + 1)] * relation->a[i];
  }
  CHECK(dls_local_solve(relation, c->dim, n, NULL, D, q, r) != DLS_LOCAL_NONE);
  for (int i = 0; i < n; i++) {
    one->r[i] = r[i] - relation->a[i];
    one->u[i] = w[i] + one->r[i] / one->mass[i];
    one->dissipated -= 0.5 * one->r[i] * (one->u[i] + c->u_before[i]);
  }
  for (int k = 0; k < one->laws; k++)
    if (one->law[k]->commit)
      CHECK_OK(one->law[k]->commit(c, one->params[k], one->u, one->r, one->state[k]));
  c->gap += c->h * one->u[0];
  c->time += c->h;
}

#endif
