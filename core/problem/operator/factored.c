/* The factored form: H and a block-diagonal M. With M_k = L_k U_k (Cholesky where M_k is symmetric)
 *   gather = H U^-1,  scatter = H L^-T,  W = gather scatter^T,
 * so that the scaled velocities y = U v have the identity for mass, and one array serves both ways
 * for symmetric M. */
#include "problem/operator/factored.h"
#include "base/dispatch.h"
#include "base/memory.h"
#include "base/pool.h"
#include "problem/operator/colours.h"
#include "problem/operator/portions.h"
#include "problem/operator/rigid_mass.h"
#include "problem/operator/sparse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/relation.h>

typedef struct {
  DlsOperator base;
  DlsSupports view;
  int bodies, dof;
  int *start, *body;
  double *gather, *scatter; /* the same array when M is symmetric */
  DlsInertia *inertia;
  const double *factors; /* [bodies][dof^2], of the inertia */
  double *y;             /* scratch of apply, [bodies][dof] */
} Factored;

typedef struct {
  const Factored *W;
  const double *r;
  double *u;
  size_t first; /* contact of the loop's item 0 */
} Product;

enum { GATHER_CHUNK = 1024 }; /* contacts, some 10 us */

/* y_body += scatter^T r, with the shape known to the compiler. */
DLS_INLINE void scatter_shape(const Product *p, int block, int dof, const int *contact, int count) {
  const Factored *W = p->W;
  const size_t size = (size_t)(block * dof);
  for (int n = 0; n < count; n++) {
    const int i = contact ? contact[n] : n;
    const double *restrict r = p->r + (size_t)i * (size_t)block;
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      const double *S = W->scatter + (size_t)s * size;
      double *restrict y = W->y + (size_t)W->body[s] * (size_t)dof;
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++) y[c] += S[a * dof + c] * r[a];
    }
  }
}

/* u = gather y. */
DLS_INLINE void gather_shape(const Product *p, int block, int dof, size_t begin, size_t end) {
  const Factored *W = p->W;
  const size_t size = (size_t)(block * dof);
  for (size_t i = p->first + begin; i < p->first + end; i++) {
    double sum[DLS_MAX_BLOCK] = {0};
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      const double *G = W->gather + (size_t)s * size;
      const double *y = W->y + (size_t)W->body[s] * (size_t)dof;
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++) sum[a] += G[a * dof + c] * y[c];
    }
    memcpy(p->u + i * (size_t)block, sum, (size_t)block * sizeof *p->u);
  }
}

DLS_HOT static void scatter_3_6(void *context, const int *contact, int count) {
  scatter_shape(context, 3, 6, contact, count);
}
DLS_HOT static void scatter_2_3(void *context, const int *contact, int count) {
  scatter_shape(context, 2, 3, contact, count);
}
static void scatter_any(void *context, const int *contact, int count) {
  const Product *p = context;
  scatter_shape(p, p->W->base.block, p->W->dof, contact, count);
}

DLS_HOT static void gather_3_6(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  gather_shape(context, 3, 6, begin, end);
}
DLS_HOT static void gather_2_3(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  gather_shape(context, 2, 3, begin, end);
}
static void gather_any(void *context, size_t begin, size_t end, int lane) {
  const Product *p = context;
  (void)lane;
  gather_shape(p, p->W->base.block, p->W->dof, begin, end);
}

static void apply(const DlsOperator *base, const double *r, double *u) {
  const Factored *W = (const Factored *)base;
  const bool is_3_6 = base->block == 3 && W->dof == 6, is_2_3 = base->block == 2 && W->dof == 3;
  size_t begin, end;
  dls_operator_stretch(base, &begin, &end);
  Product p = {W, r, u, begin};
  const DlsPortions *portions = dls_operator_parted(base);
  if (portions)
    dls_portions_clear(portions, W->y, (size_t)W->dof * sizeof *W->y);
  else
    memset(W->y, 0, (size_t)(W->bodies * W->dof) * sizeof *W->y);
  dls_operator_scatter(base,
                       is_3_6   ? scatter_3_6
                       : is_2_3 ? scatter_2_3
                                : scatter_any,
                       &p, W->y, (size_t)W->dof * sizeof *W->y);
  dls_pool_for(end - begin, GATHER_CHUNK,
               is_3_6   ? gather_3_6
               : is_2_3 ? gather_2_3
                        : gather_any,
               &p);
}

static void magnitude(const DlsOperator *base, const double *r, double *u) {
  const Factored *W = (const Factored *)base;
  const int block = base->block, dof = W->dof;
  const size_t size = (size_t)(block * dof);
  memset(W->y, 0, (size_t)(W->bodies * dof) * sizeof *W->y);
  memset(u, 0, (size_t)base->contacts * (size_t)block * sizeof *u);
  for (int gathers = 0; gathers < 2; gathers++)
    for (int i = 0; i < base->contacts; i++)
      for (int s = W->start[i]; s < W->start[i + 1]; s++) {
        const double *B = (gathers ? W->gather : W->scatter) + (size_t)s * size;
        double *y = W->y + (size_t)W->body[s] * (size_t)dof;
        for (int a = 0; a < block; a++)
          for (int c = 0; c < dof; c++) {
            if (gathers)
              u[i * block + a] += fabs(B[a * dof + c]) * y[c];
            else
              y[c] += fabs(B[a * dof + c] * r[i * block + a]);
          }
      }
}

/* B += gather_s scatter_t^T, row-major block x block. */
static void add_coupling(const Factored *W, int s, int t, double *B) {
  const int block = W->base.block, dof = W->dof;
  const double *G = W->gather + (size_t)s * (size_t)(block * dof);
  const double *S = W->scatter + (size_t)t * (size_t)(block * dof);
  for (int a = 0; a < block; a++)
    for (int b = 0; b < block; b++)
      for (int c = 0; c < dof; c++) B[a * block + b] += G[a * dof + c] * S[b * dof + c];
}

static void diagonal(const DlsOperator *base, double *D) {
  const Factored *W = (const Factored *)base;
  const size_t size = (size_t)(base->block * base->block);
  memset(D, 0, (size_t)base->contacts * size * sizeof *D);
  for (int i = 0; i < base->contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++)
      for (int t = W->start[i]; t < W->start[i + 1]; t++)
        if (W->body[s] == W->body[t]) add_coupling(W, s, t, D + (size_t)i * size);
}

static DlsStatus solve_mass(const DlsOperator *base, const double *b, double *x) {
  return dls_inertia_solve(((const Factored *)base)->inertia, b, x);
}

/* M^-1 H^T r = U^-1 y, y = scatter^T r. */
static DlsStatus velocity(const DlsOperator *base, const double *r, double *v) {
  const Factored *W = (const Factored *)base;
  const int block = base->block, dof = W->dof;
  memset(v, 0, (size_t)(W->bodies * dof) * sizeof *v);
  for (int i = 0; i < base->contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      const double *S = W->scatter + (size_t)s * (size_t)(block * dof);
      double *vb = v + (size_t)W->body[s] * (size_t)dof;
      for (int a = 0; a < block; a++)
        for (int c = 0; c < dof; c++)
          vb[c] += S[a * dof + c] * r[(size_t)i * (size_t)block + (size_t)a];
    }
  for (int k = 0; k < W->bodies; k++)
    dls_rigid_solve_upper(dof, W->factors + (size_t)k * (size_t)(dof * dof),
                          v + (size_t)k * (size_t)dof);
  return DLS_OK;
}

/* Which supports stand on a body: lists by body, so that the contacts coupled to one are found. */
typedef struct {
  int *start, *support, *contact; /* [bodies + 1], [supports], contact of a support */
  int *slot, *touched;            /* [contacts] scratch */
  int *row_start, *column;        /* the rows as they grow */
  double *value;
} Coupling;

static void coupling_clear(Coupling *c) {
  free(c->start);
  free(c->support);
  free(c->contact);
  free(c->slot);
  free(c->touched);
  free(c->row_start);
  free(c->column);
  free(c->value);
}

static DlsStatus list_by_body(const Factored *W, Coupling *c) {
  const int contacts = W->base.contacts, supports = W->start[contacts];
  DLS_NEW(c->start, W->bodies + 1);
  DLS_NEW(c->support, supports);
  DLS_NEW(c->contact, supports);
  DLS_NEW(c->slot, contacts);
  DLS_NEW(c->touched, contacts);
  DLS_NEW(c->row_start, contacts + 1);
  for (int i = 0; i < contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      c->contact[s] = i;
      c->start[W->body[s] + 1]++;
    }
  for (int k = 0; k < W->bodies; k++) c->start[k + 1] += c->start[k];
  int *next;
  DLS_NEW(next, W->bodies);
  dls_memory_copy(next, c->start, (size_t)W->bodies, sizeof *next);
  for (int s = 0; s < supports; s++) c->support[next[W->body[s]]++] = s;
  free(next);
  return DLS_OK;
}

/* Visits the contacts coupled to i, i first: returns their number, c->touched lists them and
 * c->slot[j] - 1 is the place of j; adds the blocks when `value` is given. */
static int visit_row(const Factored *W, Coupling *c, int i, double *value) {
  const size_t size = (size_t)(W->base.block * W->base.block);
  int count = 0;
  c->touched[count++] = i;
  c->slot[i] = count;
  for (int s = W->start[i]; s < W->start[i + 1]; s++)
    for (int e = c->start[W->body[s]]; e < c->start[W->body[s] + 1]; e++) {
      const int t = c->support[e], j = c->contact[t];
      if (!c->slot[j]) {
        c->touched[count++] = j;
        c->slot[j] = count;
      }
      if (value) add_coupling(W, s, t, value + (size_t)(c->slot[j] - 1) * size);
    }
  for (int n = 0; n < count; n++) c->slot[c->touched[n]] = 0;
  return count;
}

static DlsStatus assemble_rows(const Factored *W, Coupling *c, DlsOperator **out) {
  const int contacts = W->base.contacts, block = W->base.block;
  DLS_TRY(list_by_body(W, c));
  for (int i = 0; i < contacts; i++) {
    const long next = (long)c->row_start[i] + visit_row(W, c, i, NULL);
    DLS_CHECK(next < 2147483647L, DLS_ERR_MEMORY,
              "the assembled operator has more than 2^31 blocks; use the factored form");
    c->row_start[i + 1] = (int)next;
  }
  DLS_NEW(c->column, c->row_start[contacts]);
  DLS_NEW(c->value, (size_t)c->row_start[contacts] * (size_t)(block * block));
  for (int i = 0; i < contacts; i++) {
    const int count =
        visit_row(W, c, i, c->value + (size_t)c->row_start[i] * (size_t)(block * block));
    memcpy(c->column + c->row_start[i], c->touched, (size_t)count * sizeof *c->column);
  }
  return dls_operator_create_assembled(contacts, block, c->row_start, c->column, c->value, out);
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  Coupling coupling = {0};
  const DlsStatus status = assemble_rows((const Factored *)base, &coupling, out);
  coupling_clear(&coupling);
  return status;
}

static void destroy(DlsOperator *base) {
  Factored *W = (Factored *)base;
  if (W->scatter != W->gather) free(W->scatter);
  free(W->gather);
  free(W->start);
  free(W->body);
  dls_inertia_destroy(&W->inertia);
  free(W->y);
  free(W);
}

/* Entries of M and H on their way into sparse matrices. */
typedef struct {
  int count, *row, *column;
  double *value;
} Entries;

static DlsStatus entries_create(size_t room, Entries *out) {
  *out = (Entries){0};
  DLS_CHECK(room < 2147483647, DLS_ERR_UNSUPPORTED, "%zu entries are too many for a sparse matrix",
            room);
  DLS_NEW(out->row, room + 1);
  DLS_NEW(out->column, room + 1);
  DLS_NEW(out->value, room + 1);
  return DLS_OK;
}

static void entries_clear(Entries *e) {
  free(e->row);
  free(e->column);
  free(e->value);
}

static void put(Entries *e, int row, int column, double value) {
  if (value == 0) return;
  e->row[e->count] = row;
  e->column[e->count] = column;
  e->value[e->count++] = value;
}

/* H = gather U. */
static DlsStatus unscale_supports(const Factored *W, Entries *e, DlsSparse *H) {
  const int contacts = W->base.contacts, block = W->base.block, dof = W->dof;
  DLS_TRY(entries_create((size_t)W->start[contacts] * (size_t)(block * dof), e));
  for (int i = 0; i < contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      const double *LU = W->factors + (size_t)W->body[s] * (size_t)(dof * dof);
      for (int a = 0; a < block; a++)
        for (int j = 0; j < dof; j++) {
          const double *G = W->gather + ((size_t)s * (size_t)block + (size_t)a) * (size_t)dof;
          double sum = 0;
          for (int c = 0; c <= j; c++) sum += G[c] * LU[c * dof + j];
          put(e, i * block + a, W->body[s] * dof + j, sum);
        }
    }
  return dls_sparse_from_triplets(contacts * block, W->bodies * dof, e->count, e->row, e->column,
                                  e->value, H);
}

static DlsStatus bodies(const DlsOperator *base, DlsSparse *M, DlsSparse *H) {
  const Factored *W = (const Factored *)base;
  Entries supports = {0};
  DLS_TRY(dls_inertia_matrix(W->inertia, M));
  const DlsStatus status = unscale_supports(W, &supports, H);
  entries_clear(&supports);
  if (status != DLS_OK) dls_sparse_clear(M);
  return status;
}

static DlsStatus pattern(const DlsOperator *base, DlsPattern *out) {
  const Factored *W = (const Factored *)base;
  out->parts = W->bodies;
  out->start = W->start;
  out->part = W->body;
  return DLS_OK;
}

static void touch(const DlsOperator *base, int contact, int k, DlsTouch *out) {
  const Factored *W = (const Factored *)base;
  const int s = W->start[contact] + k;
  const size_t at = (size_t)s * (size_t)(base->block * W->dof);
  out->part = W->body[s];
  out->first = W->body[s] * W->dof;
  out->dof = W->dof;
  out->gather = W->gather + at;
  out->scatter = W->scatter + at;
}

static void hash(const DlsOperator *base, uint64_t *sum) {
  const Factored *W = (const Factored *)base;
  const size_t contacts = (size_t)base->contacts, count = (size_t)W->start[contacts];
  const size_t size = (size_t)(base->block * W->dof);
  dls_hash_ints(sum, (const int[]){W->bodies, W->dof}, 2);
  dls_hash_ints(sum, W->start, contacts + 1);
  dls_hash_ints(sum, W->body, count);
  dls_hash_reals(sum, W->gather, count * size);
  if (W->scatter != W->gather) dls_hash_reals(sum, W->scatter, count * size);
}

static const void *view(const DlsOperator *base, const char *layout) {
  return strcmp(layout, DLS_LAYOUT_SUPPORTS) == 0 ? &((const Factored *)base)->view : NULL;
}

static const DlsOperatorForm form = {.name = "factored",
                                     .apply = apply,
                                     .destroy = destroy,
                                     .diagonal = diagonal,
                                     .assemble = assemble,
                                     .magnitude = magnitude,
                                     .hash = hash,
                                     .pattern = pattern,
                                     .touch = touch,
                                     .solve_mass = solve_mass,
                                     .velocity = velocity,
                                     .bodies = bodies,
                                     .view = view,
                                     .parts_alike = true};

static DlsStatus fill(Factored *W, bool symmetric, const int *start, const int *body,
                      const double *H) {
  const int contacts = W->base.contacts, block = W->base.block, supports = start[contacts];
  const size_t size = (size_t)(block * W->dof);
  DLS_NEW(W->start, contacts + 1);
  DLS_NEW(W->body, supports);
  DLS_NEW(W->gather, (size_t)supports * size);
  W->scatter = W->gather;
  DLS_NEW(W->y, W->bodies * W->dof);
  dls_memory_copy(W->start, start, (size_t)contacts + 1, sizeof *start);
  dls_memory_copy(W->body, body, (size_t)supports, sizeof *body);
  dls_memory_copy(W->gather, H, (size_t)supports * size, sizeof *H);
  if (!symmetric) {
    W->scatter = NULL;
    DLS_NEW(W->scatter, (size_t)supports * size);
    dls_memory_copy(W->scatter, H, (size_t)supports * size, sizeof *H);
  }
  for (int s = 0; s < supports; s++) {
    const double *LU = W->factors + (size_t)body[s] * (size_t)(W->dof * W->dof);
    dls_rigid_scale_rows(block, W->dof, LU, true, W->gather + (size_t)s * size);
    if (!symmetric) dls_rigid_scale_rows(block, W->dof, LU, false, W->scatter + (size_t)s * size);
  }
  W->view =
      (DlsSupports){contacts, block, W->bodies, W->dof, W->start, W->body, W->gather, W->scatter};
  return DLS_OK;
}

static DlsStatus check_supports(int contacts, int block, int bodies, int dof, const int *start,
                                const int *body, const double *H) {
  DLS_TRY(dls_operator_check_shape(contacts, block));
  DLS_CHECK(start[0] == 0, DLS_ERR_ARGUMENT, "the supports start at %d, not 0", start[0]);
  for (int i = 0; i < contacts; i++)
    DLS_CHECK(start[i + 1] >= start[i], DLS_ERR_ARGUMENT, "contact %d has %d supports", i,
              start[i + 1] - start[i]);
  for (int s = 0; s < start[contacts]; s++) {
    DLS_CHECK(body[s] >= 0 && body[s] < bodies, DLS_ERR_ARGUMENT,
              "support %d stands on body %d, outside 0..%d", s, body[s], bodies - 1);
    for (int e = 0; e < block * dof; e++)
      DLS_CHECK(isfinite(H[(size_t)s * (size_t)(block * dof) + (size_t)e]), DLS_ERR_NUMERIC,
                "H holds a number that is not finite at support %d", s);
  }
  return DLS_OK;
}

DlsStatus dls_operator_create_factored_on(int contacts, int block, DlsInertia *inertia,
                                          const int *start, const int *body, const double *H,
                                          DlsOperator **out) {
  Factored *W;
  int bodies, dof;
  bool symmetric;
  *out = NULL;
  const double *factors = dls_inertia_rigid(inertia, &bodies, &dof, &symmetric);
  DLS_TRY(check_supports(contacts, block, bodies, dof, start, body, H));
  DLS_NEW(W, 1);
  W->base =
      (DlsOperator){.does = &form, .contacts = contacts, .block = block, .freedom = bodies * dof};
  W->inertia = dls_inertia_share(inertia);
  W->factors = factors;
  W->bodies = bodies;
  W->dof = dof;
  DlsOperator *made = &W->base;
  const DlsStatus status = fill(W, symmetric, start, body, H);
  if (status != DLS_OK) dls_operator_destroy(&made);
  *out = made;
  return status;
}

DlsStatus dls_operator_create_factored(int contacts, int block, int bodies, int dof,
                                       const int *start, const int *body, const double *H,
                                       const double *mass, DlsOperator **out) {
  DlsInertia *inertia;
  *out = NULL;
  DLS_TRY(dls_operator_check_shape(contacts, block));
  DLS_TRY(dls_inertia_create(&inertia));
  DlsStatus status = dls_inertia_add_rigid(inertia, bodies, dof, mass);
  if (status == DLS_OK)
    status = dls_operator_create_factored_on(contacts, block, inertia, start, body, H, out);
  dls_inertia_destroy(&inertia);
  return status;
}
