/* One contact problem and its standard form û = Ŵ r̂ + q̂; see problem.h for the mathematics. */
#include "problem/problem_impl.h"

#include "base/dispatch.h"
#include "base/dot.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/small.h"
#include "problem/operator/operator_impl.h"
#include "problem/parted.h"
#include "problem/spins.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_CHUNK = 16384 }; /* of a loop over single numbers, some 10 us */

static DlsStatus check_relation(const DlsProblem *p, int i, const DlsRelation *relation) {
  DLS_CHECK((int)relation->cone >= 0 && relation->cone < DLS_CONE_COUNT, DLS_ERR_ARGUMENT,
            "contact %d has cone %d, which does not exist", i, (int)relation->cone);
  DLS_CHECK(dls_small_finite(DLS_MU_COUNT, relation->mu) &&
                dls_small_finite(p->block, relation->a) &&
                dls_small_finite(p->block, relation->b) && dls_small_finite(p->block, relation->C),
            DLS_ERR_NUMERIC, "the relation of contact %d holds a number that is not finite", i);
  for (int k = 0; k < DLS_MU_COUNT; k++)
    DLS_CHECK(relation->mu[k] >= 0, DLS_ERR_ARGUMENT,
              "contact %d has a negative friction coefficient, %g", i, relation->mu[k]);
  DLS_CHECK(relation->associated >= 0 && relation->associated <= 1, DLS_ERR_ARGUMENT,
            "contact %d has associated = %g, which must be from 0 (Coulomb) to 1", i,
            relation->associated);
  for (int k = 0; k < p->block; k++)
    DLS_CHECK(relation->C[k] >= 0, DLS_ERR_ARGUMENT, "contact %d has a negative compliance, %g", i,
              relation->C[k]);
  DLS_CHECK(relation->cone != DLS_CONE_ROLLING || p->block > 3 || (p->block == 3 && p->dim == 2),
            DLS_ERR_ARGUMENT,
            "contact %d has a rolling cone; it needs blocks of 5 or 6 (3 in 2-D), not %d", i,
            p->block);
  return DLS_OK;
}

static DlsStatus take_relations(DlsProblem *p, const DlsCustomRelation *custom) {
  for (int i = 0; i < p->contacts; i++) {
    const DlsRelation *relation = dls_problem_shared(p, i);
    if (relation == &p->relations[p->distinct]) { /* the first contact that has it */
      DLS_TRY(check_relation(p, i, relation));
      p->distinct++;
    }
    p->cones[relation->cone]++;
  }
  if (!p->cones[DLS_CONE_CUSTOM]) return DLS_OK;
  DLS_CHECK(custom, DLS_ERR_ARGUMENT, "a contact has a custom law, but no functions were given");
  DLS_NEW(p->custom, p->contacts);
  for (int i = 0; i < p->contacts; i++) {
    if (dls_problem_shared(p, i)->cone != DLS_CONE_CUSTOM) continue;
    DLS_CHECK(custom[i].residual, DLS_ERR_ARGUMENT, "the custom law of contact %d has no residual",
              i);
    p->custom[i] = custom[i];
    if (!p->custom[i].law) p->custom[i].law = "custom";
  }
  return DLS_OK;
}

/* q̂ = q + b - (W + C) a. */
static DlsStatus standardise(DlsProblem *p) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  const int block = p->block;
  int with_b = 0, with_C = 0;
  for (int i = 0; i < p->distinct; i++)
    for (int k = 0; k < block; k++) {
      with_b |= p->relations[i].b[k] != 0;
      with_C |= p->relations[i].C[k] != 0;
      p->shifted |= p->relations[i].a[k] != 0;
    }
  if (with_C) {
    DLS_NEW(p->compliance, n);
    for (size_t e = 0; e < n; e++)
      p->compliance[e] = dls_problem_shared(p, (int)(e / (size_t)block))->C[e % (size_t)block];
  }
  p->q_hat = p->q;
  if (!with_b && !p->shifted) return DLS_OK;
  DLS_NEW(p->own_q_hat, n);
  double *q_hat = p->own_q_hat;
  p->q_hat = q_hat;
  if (p->shifted) {
    double *a;
    DLS_NEW(a, n);
    for (size_t e = 0; e < n; e++)
      a[e] = dls_problem_shared(p, (int)(e / (size_t)block))->a[e % (size_t)block];
    dls_operator_apply(p->W, a, q_hat);
    for (size_t e = 0; e < n; e++)
      q_hat[e] = -q_hat[e] - (p->compliance ? p->compliance[e] * a[e] : 0.0);
    free(a);
  }
  for (size_t e = 0; e < n; e++)
    q_hat[e] += p->q[e] + dls_problem_shared(p, (int)(e / (size_t)block))->b[e % (size_t)block];
  for (size_t e = 0; e < n; e++)
    DLS_CHECK(isfinite(p->q_hat[e]), DLS_ERR_NUMERIC,
              "contact %zu: q + b - (W + C) a is not finite; one of them is too large",
              e / (size_t)block);
  return DLS_OK;
}

/* Siconos' bound for what counts as nothing is DBL_EPSILON. With cohesion u and r come out of û and
 * r̂, and lose digits of q̂ = ... - Ŵ a and of a: some thousand units in their last place. */
static void bound_round_off(DlsProblem *p) {
  double q2 = 0, a2 = 0;
  p->round_off = DBL_EPSILON;
  for (int i = 0; p->shifted && i < p->contacts; i++) {
    const double *q = p->q_hat + (size_t)i * (size_t)p->block, *a = dls_problem_shared(p, i)->a;
    q2 += dls_small_dot(p->block, q, q);
    a2 += dls_small_dot(p->block, a, a);
  }
  p->pull = sqrt(a2);
  p->round_off = fmax(p->round_off, 1e4 * DBL_EPSILON * sqrt(fmax(q2, a2)));
}

/* rho_α = 1 / Ŵ_NN, kg: turns the velocity of a contact into an impulse. */
static double weight_of(double w) { return w > 0 && isfinite(1.0 / w) ? 1.0 / w : 1.0; }

/* Without spins the blocks need not be made. */
static DlsStatus weigh_normals(DlsProblem *p) {
  DLS_TRY(dls_operator_normals(p->W, p->rho));
  for (int i = 0; i < p->contacts; i++)
    p->rho[i] =
        weight_of(p->rho[i] + (p->compliance ? p->compliance[(size_t)i * (size_t)p->block] : 0));
  return DLS_OK;
}

static DlsStatus weigh(DlsProblem *p) {
  const size_t size = (size_t)(p->block * p->block);
  double *D;
  DLS_NEW(p->rho, p->contacts);
  if (p->block <= p->dim) return weigh_normals(p);
  DLS_NEW(p->length, p->contacts);
  DLS_NEW(D, (size_t)p->contacts * size);
  dls_problem_standard_diagonal(p, D);
  for (int i = 0; i < p->contacts; i++) {
    p->rho[i] = weight_of(D[(size_t)i * size]);
    p->length[i] = dls_spin_length(p->dim, p->block, D + (size_t)i * size);
  }
  free(D);
  return DLS_OK;
}

/* Sums over contacts, by the chunks of base/pool.h. */
typedef struct {
  const DlsProblem *p;
  const double *x;
} Sized;

DLS_HOT static void add_impulses(void *context, size_t begin, size_t end, double *sum) {
  const DlsProblem *p = ((const Sized *)context)->p;
  const size_t block = (size_t)p->block;
  if (p->block <= p->dim) {
    const double *r = ((const Sized *)context)->x + begin * block;
    *sum += dls_dot((end - begin) * block, r, r);
    return;
  }
  const int straight = p->dim < p->block ? p->dim : p->block;
  for (size_t i = begin; i < end; i++) {
    const double *ri = ((const Sized *)context)->x + i * (size_t)p->block;
    for (int k = 0; k < straight; k++) *sum += ri[k] * ri[k];
    for (int k = straight; k < p->block; k++) *sum += ri[k] / p->length[i] * (ri[k] / p->length[i]);
  }
}

double dls_problem_impulse_size(const DlsProblem *p, const double *r) {
  Sized sized = {p, r};
  double sum;
  dls_problem_sum(p, (size_t)p->contacts, 1, add_impulses, &sized, &sum);
  return sqrt(sum);
}

static void add_velocities(void *context, size_t begin, size_t end, double *sum) {
  const DlsProblem *p = ((const Sized *)context)->p;
  const int straight = p->dim < p->block ? p->dim : p->block;
  for (size_t i = begin; i < end; i++) {
    const double *ui = ((const Sized *)context)->x + i * (size_t)p->block;
    double part = 0;
    for (int k = 0; k < straight; k++) part += ui[k] * ui[k];
    for (int k = straight; k < p->block; k++) part += ui[k] * p->length[i] * (ui[k] * p->length[i]);
    *sum += p->rho[i] * p->rho[i] * part;
  }
}

double dls_problem_velocity_size(const DlsProblem *p, const double *u) {
  Sized sized = {p, u};
  double sum;
  dls_problem_sum(p, (size_t)p->contacts, 1, add_velocities, &sized, &sum);
  return sqrt(sum);
}

static void add_squares(void *context, size_t begin, size_t end, double *sum) {
  const DlsProblem *p = ((const Sized *)context)->p;
  const double *x = ((const Sized *)context)->x;
  for (size_t e = begin * (size_t)p->block; e < end * (size_t)p->block; e++) *sum += x[e] * x[e];
}

/* What q̂ asks for, once: errors are measured often. */
static void weigh_load(DlsProblem *p) {
  Sized sized = {p, p->q_hat};
  double q2;
  dls_pool_sum((size_t)p->contacts, 1, add_squares, &sized, &q2);
  for (int i = 0; i < p->contacts; i++)
    p->fastest =
        fmax(p->fastest, dls_small_norm(p->block, p->q_hat + (size_t)i * (size_t)p->block));
  p->still = sqrt(q2) <= 1e4 * DBL_EPSILON;
  p->q_size = dls_problem_velocity_size(p, p->q_hat);
  p->load = fmax(p->q_size, p->pull);
  const double most = 30; /* a column of 14 */
  p->allowance = fmin(fmax(pow(p->contacts, 1.5) / sqrt(3), 1), most);
}

/* What a problem is made of, besides its operator. */
typedef struct {
  int dim;
  const double *q;
  const DlsRelation *relations;
  const int *which;
  const DlsCustomRelation *custom;
  DlsOwnership ownership;
} Given;

/* How many relations `which` [contacts] names; as many as contacts without it. */
static size_t count_distinct(const DlsProblem *p, const int *which) {
  int distinct = which ? 0 : p->contacts;
  for (int i = 0; which && i < p->contacts; i++)
    if (which[i] >= distinct) distinct = which[i] + 1;
  return (size_t)distinct;
}

/* Arrays that were made to be freed are const only in the constructor's eyes. */
static void *writable(const void *array) {
  void *same;
  memcpy(&same, &array, sizeof same);
  return same;
}

static void free_given(const Given *given) {
  if (given->ownership != DLS_TAKE) return;
  free(writable(given->q));
  free(writable(given->relations));
  free(writable(given->which));
}

/* The arrays of the caller, or copies of them. */
static DlsStatus take_arrays(DlsProblem *p, const Given *given) {
  const size_t n = (size_t)p->contacts * (size_t)p->block, contacts = (size_t)p->contacts;
  p->q = given->q;
  p->relations = given->relations;
  p->which = given->which;
  if (given->ownership == DLS_USE) return DLS_OK;
  if (given->ownership == DLS_TAKE) {
    p->own_q = writable(given->q);
    p->own_relations = writable(given->relations);
    p->own_which = writable(given->which);
    return DLS_OK;
  }
  const size_t distinct = count_distinct(p, given->which);
  DLS_NEW(p->own_q, n);
  DLS_NEW(p->own_relations, distinct);
  if (given->which) DLS_NEW(p->own_which, contacts);
  dls_memory_copy(p->own_q, p->q, n, sizeof *p->q);
  dls_memory_copy(p->own_relations, p->relations, distinct, sizeof *p->relations);
  if (p->which) dls_memory_copy(p->own_which, p->which, contacts, sizeof *p->which);
  p->q = p->own_q;
  p->relations = p->own_relations;
  p->which = p->own_which;
  return DLS_OK;
}

static DlsStatus fill(DlsProblem *p, const Given *given) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  DLS_TRY(take_arrays(p, given)); /* first: what fails from here on frees what was taken over */
  DLS_CHECK(p->dim == 2 || p->dim == 3, DLS_ERR_ARGUMENT, "a space of %d dimensions", p->dim);
  DLS_CHECK(p->dim == 3 || p->block <= 3, DLS_ERR_ARGUMENT,
            "contacts of %d components in 2-D; 2, or 3 with rolling, are possible", p->block);
  for (size_t e = 0; e < n; e++)
    DLS_CHECK(isfinite(given->q[e]), DLS_ERR_NUMERIC, "q of contact %zu is not finite",
              e / (size_t)p->block);
  DLS_TRY(take_relations(p, given->custom));
  DLS_TRY(standardise(p));
  DLS_TRY(weigh(p));
  bound_round_off(p);
  weigh_load(p);
  return dls_problem_set_name(p, "problem");
}

static DlsStatus create(DlsOperator **W, const Given *given, DlsProblem **out) {
  *out = NULL;
  DlsProblem *p = dls_memory_array(1, sizeof *p);
  if (!p) {
    dls_operator_destroy(W);
    free_given(given);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for a problem");
  }
  p->W = *W;
  *W = NULL;
  p->dim = given->dim;
  p->speed = DLS_UNKNOWN_SPEED;
  p->contacts = dls_operator_contacts(p->W);
  p->block = dls_operator_block(p->W);
  const DlsStatus status = fill(p, given);
  if (status != DLS_OK) dls_problem_destroy(&p);
  *out = p;
  return status;
}

DlsStatus dls_problem_create(int dim, DlsOperator **W, const double *q,
                             const DlsRelation *relations, const DlsCustomRelation *custom,
                             DlsProblem **out) {
  const Given given = {dim, q, relations, NULL, custom, DLS_COPY};
  return create(W, &given, out);
}

DlsStatus dls_problem_create_shared(int dim, DlsOperator **W, const double *q,
                                    const DlsRelation *relations, const int *which,
                                    const DlsCustomRelation *custom, DlsOwnership ownership,
                                    DlsProblem **out) {
  const Given given = {dim, q, relations, which, custom, ownership};
  return create(W, &given, out);
}

DlsStatus dls_problem_create_like(const DlsProblem *p, DlsOperator **W, DlsProblem **out) {
  const Given given = {p->dim, p->q, p->relations, p->which, p->custom, DLS_COPY};
  DLS_TRY(create(W, &given, out));
  (*out)->speed = p->speed;
  (*out)->moves = p->moves;
  const DlsStatus status = dls_problem_set_name(*out, p->name);
  if (status != DLS_OK) dls_problem_destroy(out);
  return status;
}

void dls_problem_destroy(DlsProblem **problem) {
  if (!problem || !*problem) return;
  DlsProblem *p = *problem;
  free(p->own_q_hat);
  free(p->own_q);
  free(p->own_relations);
  free(p->own_which);
  free(p->custom);
  free(p->compliance);
  free(p->rho);
  free(p->length);
  free(p->name);
  dls_operator_destroy(&p->W);
  free(p);
  *problem = NULL;
}

int dls_problem_contacts(const DlsProblem *p) { return p->contacts; }
int dls_problem_block(const DlsProblem *p) { return p->block; }
int dls_problem_dim(const DlsProblem *p) { return p->dim; }
const DlsOperator *dls_problem_operator(const DlsProblem *p) { return p->W; }
const double *dls_problem_q(const DlsProblem *p) { return p->q; }
const DlsRelation *dls_problem_relation(const DlsProblem *p, int i) {
  return dls_problem_shared(p, i);
}
const DlsCustomRelation *dls_problem_custom(const DlsProblem *p) { return p->custom; }
const double *dls_problem_standard_q(const DlsProblem *p) { return p->q_hat; }
int dls_problem_has(const DlsProblem *p, DlsCone cone) { return p->cones[cone] > 0; }
const char *dls_problem_name(const DlsProblem *p) { return p->name; }

DlsStatus dls_problem_associate(DlsProblem *p, double associated) {
  DLS_CHECK(associated >= 0 && associated <= 1, DLS_ERR_ARGUMENT,
            "%s: associated is %g, which must be from 0 (Coulomb) to 1", p->name, associated);
  if (!p->own_relations) {
    DLS_NEW(p->own_relations, p->distinct);
    dls_memory_copy(p->own_relations, p->relations, (size_t)p->distinct, sizeof *p->relations);
    p->relations = p->own_relations;
  }
  for (int i = 0; i < p->distinct; i++) {
    DlsRelation *relation = &p->own_relations[i];
    if (relation->cone == DLS_CONE_COULOMB || relation->cone == DLS_CONE_ROLLING)
      relation->associated = associated;
  }
  return DLS_OK;
}

DlsStatus dls_problem_set_name(DlsProblem *p, const char *name) {
  char *copy = strdup(name);
  DLS_CHECK(copy, DLS_ERR_MEMORY, "out of memory for a name");
  free(p->name);
  p->name = copy;
  return DLS_OK;
}

void dls_problem_velocity(const DlsProblem *p, const double *r, double *u) {
  size_t begin, end;
  dls_operator_apply(p->W, r, u);
  dls_problem_stretch(p, &begin, &end);
  for (size_t e = begin; e < end; e++) u[e] += p->q[e];
}

void dls_problem_set_speed(DlsProblem *p, double speed) {
  p->speed = speed > DLS_UNKNOWN_SPEED ? speed : DLS_UNKNOWN_SPEED;
}

void dls_problem_promise_motion(DlsProblem *p) { p->moves = 1; }

static bool is_zero(const double *x, size_t begin, size_t end) {
  while (begin < end && x[begin] == 0) begin++;
  return begin == end;
}

typedef struct {
  const DlsProblem *p;
  const double *r_hat;
  double *u_hat;
  size_t first; /* number of the loop's item 0 */
} Standard;

/* û += q̂ + C r̂ */
static void add_q_hat(void *context, size_t begin, size_t end, int lane) {
  const Standard *s = context;
  (void)lane;
  begin += s->first, end += s->first;
  for (size_t e = begin; e < end; e++) s->u_hat[e] += s->p->q_hat[e];
  if (!s->p->compliance) return;
  for (size_t e = begin; e < end; e++) s->u_hat[e] += s->p->compliance[e] * s->r_hat[e];
}

void dls_problem_standard_velocity(const DlsProblem *p, const double *r_hat, double *u_hat) {
  size_t begin, end;
  dls_problem_stretch(p, &begin, &end);
  if (!dls_problem_any(p, !is_zero(r_hat, begin, end))) { /* a cold start: no need of W */
    if (begin < end) memcpy(u_hat + begin, p->q_hat + begin, (end - begin) * sizeof *u_hat);
    return;
  }
  dls_operator_apply(p->W, r_hat, u_hat);
  Standard all = {p, r_hat, u_hat, begin};
  dls_pool_for(end - begin, NUMBERS_CHUNK, add_q_hat, &all);
}

void dls_problem_standard_diagonal(const DlsProblem *p, double *D) {
  dls_operator_diagonal(p->W, D);
  if (!p->compliance) return;
  const size_t block = (size_t)p->block;
  for (size_t i = 0; i < (size_t)p->contacts; i++)
    for (size_t k = 0; k < block; k++)
      D[i * block * block + k * (block + 1)] += p->compliance[i * block + k];
}

/* r += sign a */
static void shift(const DlsProblem *p, double sign, double *r) {
  if (!p->shifted) return;
  for (int i = 0; i < p->contacts; i++)
    for (int k = 0; k < p->block; k++)
      r[(size_t)i * (size_t)p->block + (size_t)k] += sign * dls_problem_shared(p, i)->a[k];
}

void dls_problem_to_standard(const DlsProblem *p, double *r) { shift(p, 1.0, r); }
void dls_problem_from_standard(const DlsProblem *p, double *r) { shift(p, -1.0, r); }
