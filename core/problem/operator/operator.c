/* The one interface of the operator's forms: see assembled.c, factored.c, spheres.c, coupled.c; and
 * what stands in for what a form leaves out. */
#include "problem/operator/operator_impl.h"

#include <delassus/relation.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "problem/operator/colours.h"
#include "problem/operator/portions.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

DlsStatus dls_operator_check_shape(int contacts, int block) {
  DLS_CHECK(block == 2 || block == 3 || block == 5 || block == 6, DLS_ERR_ARGUMENT,
            "a contact has %d components; 2, 3, 5 or 6 are possible", block);
  DLS_CHECK(contacts >= 0 && contacts <= INT_MAX / (DLS_MAX_BLOCK * DLS_MAX_BLOCK),
            DLS_ERR_ARGUMENT, "%d contacts; from 0 to %d are possible", contacts,
            INT_MAX / (DLS_MAX_BLOCK * DLS_MAX_BLOCK));
  return DLS_OK;
}

void dls_operator_destroy(DlsOperator **W) {
  if (!W || !*W) return;
  dls_portions_destroy(&(*W)->portions);
  if ((*W)->colours) dls_colours_clear((*W)->colours);
  free((*W)->colours);
  (*W)->does->destroy(*W);
  *W = NULL;
}

const char *dls_operator_form(const DlsOperator *W) { return W->does->name; }
int dls_operator_contacts(const DlsOperator *W) { return W->contacts; }
int dls_operator_block(const DlsOperator *W) { return W->block; }
int dls_operator_freedom(const DlsOperator *W) { return W->freedom; }
bool dls_operator_has_rows(const DlsOperator *W) { return W->does->rows != NULL; }
bool dls_operator_has_parts(const DlsOperator *W) { return W->does->touch != NULL; }
bool dls_operator_has_bodies(const DlsOperator *W) { return W->does->bodies != NULL; }

void dls_operator_apply(const DlsOperator *W, const double *r, double *u) {
  const long flops = dls_ledger.flops; /* of a mass matrix: part of the product */
  W->does->apply(W, r, u);
  dls_ledger.flops = flops;
  dls_ledger.rows += W->contacts;
}

/* The columns of W of contact j, [block][contacts][block], by unit vectors: `unit`
 * [contacts][block] is zero and stays so. */
static void columns_of(const DlsOperator *W, int j, double *unit, double *columns) {
  const size_t block = (size_t)W->block, n = (size_t)W->contacts * block;
  for (size_t b = 0; b < block; b++) {
    unit[(size_t)j * block + b] = 1;
    W->does->apply(W, unit, columns + b * n);
    unit[(size_t)j * block + b] = 0;
  }
}

/* Block (i, j) out of the columns of contact j, row-major. */
static bool block_of(const DlsOperator *W, int i, const double *columns, double *out) {
  const size_t block = (size_t)W->block, n = (size_t)W->contacts * block;
  bool found = false;
  for (size_t a = 0; a < block; a++)
    for (size_t b = 0; b < block; b++) {
      out[a * block + b] = columns[b * n + (size_t)i * block + a];
      found = found || out[a * block + b] != 0;
    }
  return found;
}

/* Where there is no memory the diagonal is told as NaN, which every solver sees: a diagonal has no
 * other way to fail. */
static void diagonal_by_columns(const DlsOperator *W, double *D) {
  const size_t size = (size_t)(W->block * W->block), n = (size_t)W->contacts * (size_t)W->block;
  double *unit = dls_memory_array(n * (1 + (size_t)W->block), sizeof *unit);
  for (int i = 0; i < W->contacts; i++) {
    double *block = D + (size_t)i * size;
    if (unit) {
      columns_of(W, i, unit, unit + n);
      block_of(W, i, unit + n, block);
    } else {
      for (size_t e = 0; e < size; e++) block[e] = NAN;
    }
  }
  free(unit);
}

void dls_operator_diagonal(const DlsOperator *W, double *D) {
  if (W->does->diagonal)
    W->does->diagonal(W, D);
  else
    diagonal_by_columns(W, D);
}

DlsStatus dls_operator_normals(const DlsOperator *W, double *w) {
  const size_t size = (size_t)(W->block * W->block);
  double *D;
  if (W->does->normals) {
    W->does->normals(W, w);
    return DLS_OK;
  }
  DLS_NEW(D, (size_t)W->contacts * size);
  dls_operator_diagonal(W, D);
  for (size_t i = 0; i < (size_t)W->contacts; i++) w[i] = D[i * size];
  free(D);
  return DLS_OK;
}

/* sqrt(W_ii) Σ_j sqrt(W_jj) |r_j| */
static DlsStatus magnitude_by_diagonal(const DlsOperator *W, const double *r, double *u) {
  const size_t block = (size_t)W->block, n = (size_t)W->contacts * block;
  double *D, sum = 0;
  DLS_NEW(D, n * block);
  dls_operator_diagonal(W, D);
  for (size_t e = 0; e < n; e++) {
    u[e] = sqrt(fabs(D[e / block * block * block + e % block * (block + 1)]));
    sum += u[e] * fabs(r[e]);
  }
  for (size_t e = 0; e < n; e++) u[e] *= sum;
  free(D);
  return DLS_OK;
}

DlsStatus dls_operator_magnitude(const DlsOperator *W, const double *r, double *u) {
  if (!W->does->magnitude) return magnitude_by_diagonal(W, r, u);
  W->does->magnitude(W, r, u);
  return DLS_OK;
}

/* The diagonal blocks of W, and W on a vector that no contact shares, say what it is. */
static DlsStatus hash_by_action(const DlsOperator *W, uint64_t *hash) {
  const size_t block = (size_t)W->block, n = (size_t)W->contacts * block;
  double *work;
  DLS_NEW(work, n * (2 + block));
  for (size_t k = 0; k < n; k++) work[k] = 1 + (double)(k * 2654435761u % 1024) / 1024;
  dls_operator_apply(W, work, work + n);
  dls_operator_diagonal(W, work + 2 * n);
  dls_hash_reals(hash, work + n, n * (1 + block));
  free(work);
  return DLS_OK;
}

DlsStatus dls_operator_hash(const DlsOperator *W, uint64_t *hash) {
  if (!W->does->hash) return hash_by_action(W, hash);
  W->does->hash(W, hash);
  return DLS_OK;
}

DlsStatus dls_operator_solve_mass(const DlsOperator *W, const double *b, double *x) {
  DLS_CHECK(W->does->solve_mass, DLS_ERR_ARGUMENT,
            "an operator of the form `%s` has no mass matrix", W->does->name);
  return W->does->solve_mass(W, b, x);
}

DlsStatus dls_operator_velocity(const DlsOperator *W, const double *r, double *v) {
  DLS_CHECK(W->does->velocity, DLS_ERR_ARGUMENT,
            "an operator of the form `%s` has no bodies to move", W->does->name);
  return W->does->velocity(W, r, v);
}

DlsStatus dls_operator_bodies(const DlsOperator *W, DlsSparse *M, DlsSparse *H) {
  *M = *H = (DlsSparse){0};
  DLS_CHECK(W->does->bodies, DLS_ERR_ARGUMENT, "an operator of the form `%s` does not keep M and H",
            W->does->name);
  return W->does->bodies(W, M, H);
}

/* Blocks of W by columns of contacts, on their way to rows. */
typedef struct {
  double *unit, *value; /* [1 + block][contacts][block]; [contacts^2][block^2], row after row */
  int *start, *column;
} Columns;

static DlsStatus assemble_columns(const DlsOperator *W, Columns *c, DlsOperator **out) {
  const size_t contacts = (size_t)W->contacts, n = contacts * (size_t)W->block;
  const size_t size = (size_t)(W->block * W->block);
  int next = 0;
  DLS_CHECK(contacts * contacts < INT_MAX, DLS_ERR_MEMORY,
            "%zu contacts are too many to assemble an operator of the form `%s`", contacts,
            W->does->name);
  DLS_NEW(c->unit, n * (1 + (size_t)W->block));
  DLS_NEW(c->value, contacts * contacts * size);
  DLS_NEW(c->start, contacts + 1);
  DLS_NEW(c->column, contacts * contacts);
  for (size_t j = 0; j < contacts; j++) {
    columns_of(W, (int)j, c->unit, c->unit + n);
    for (size_t i = 0; i < contacts; i++)
      block_of(W, (int)i, c->unit + n, c->value + (i * contacts + j) * size);
  }
  for (size_t i = 0; i < contacts; i++) { /* blocks of zeros are left out, in place */
    for (size_t j = 0; j < contacts; j++) {
      const double *block = c->value + (i * contacts + j) * size;
      bool found = i == j;
      for (size_t e = 0; e < size; e++) found = found || block[e] != 0;
      if (!found) continue;
      memmove(c->value + (size_t)next * size, block, size * sizeof *block);
      c->column[next++] = (int)j;
    }
    c->start[i + 1] = next;
  }
  return dls_operator_create_assembled(W->contacts, W->block, c->start, c->column, c->value, out);
}

DlsStatus dls_operator_assemble(const DlsOperator *W, DlsOperator **out) {
  *out = NULL;
  if (W->does->assemble) return W->does->assemble(W, out);
  Columns columns = {0};
  const DlsStatus status = assemble_columns(W, &columns, out);
  free(columns.unit);
  free(columns.value);
  free(columns.start);
  free(columns.column);
  return status;
}

DlsBlockRows dls_operator_block_rows(const DlsOperator *W) {
  assert(W->does->rows);
  return W->does->rows(W);
}

DlsStatus dls_operator_rows(const DlsOperator *W, DlsOperator **own, DlsBlockRows *rows) {
  *own = NULL;
  if (!W->does->rows) {
    DLS_TRY(dls_operator_assemble(W, own));
    W = *own;
  }
  *rows = W->does->rows(W);
  return DLS_OK;
}

DlsStatus dls_operator_pattern(const DlsOperator *W, DlsPattern *out) {
  *out = (DlsPattern){.contacts = W->contacts};
  assert(W->does->pattern);
  const DlsStatus status = W->does->pattern(W, out);
  if (status != DLS_OK) dls_pattern_clear(out);
  return status;
}

void dls_pattern_clear(DlsPattern *pattern) {
  free(pattern->own);
  *pattern = (DlsPattern){0};
}

double dls_operator_share(const DlsOperator *W, int contact, int k) {
  if (W->does->share) return W->does->share(W, contact, k);
  DlsTouch touch;
  double sum = 0;
  W->does->touch(W, contact, k, &touch);
  for (int c = 0; c < touch.dof; c++) sum += touch.gather[c] * touch.gather[c];
  return sum;
}

const void *dls_operator_view(const DlsOperator *W, const char *layout) {
  return W->does->view ? W->does->view(W, layout) : NULL;
}

DlsSupports dls_operator_supports(const DlsOperator *W) {
  const DlsSupports *supports = dls_operator_view(W, DLS_LAYOUT_SUPPORTS);
  assert(supports);
  return *supports;
}
