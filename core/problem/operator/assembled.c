/* The assembled form: block rows of W, each block row-major, columns ascending, diagonal present.
 */
#include "base/dispatch.h"
#include "base/memory.h"
#include "base/pool.h"
#include "problem/operator/operator_impl.h"

#include <delassus/relation.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  DlsOperator base;
  int *start, *column, *diagonal;
  double *value;
} Assembled;

typedef struct {
  const Assembled *W;
  const double *r;
  double *u;
} Product;

enum { ROWS_CHUNK = 256 }; /* contacts, some 10 us */

/* u = W r with the block size known to the compiler. */
DLS_INLINE void apply_rows(const Product *p, int block, size_t begin, size_t end) {
  const Assembled *W = p->W;
  for (size_t i = begin; i < end; i++) {
    double sum[DLS_MAX_BLOCK] = {0};
    for (int k = W->start[i]; k < W->start[i + 1]; k++) {
      const double *B = W->value + (size_t)k * (size_t)(block * block);
      const double *x = p->r + (size_t)W->column[k] * (size_t)block;
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) sum[a] += B[a * block + b] * x[b];
    }
    memcpy(p->u + i * (size_t)block, sum, (size_t)block * sizeof *p->u);
  }
}

DLS_HOT static void apply_2(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  apply_rows(context, 2, begin, end);
}
DLS_HOT static void apply_3(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  apply_rows(context, 3, begin, end);
}
static void apply_5(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  apply_rows(context, 5, begin, end);
}
static void apply_6(void *context, size_t begin, size_t end, int lane) {
  (void)lane;
  apply_rows(context, 6, begin, end);
}

static void apply(const DlsOperator *base, const double *r, double *u) {
  static const DlsPoolWork rows[DLS_MAX_BLOCK + 1] = {
      [2] = apply_2, [3] = apply_3, [5] = apply_5, [6] = apply_6};
  Product p = {(const Assembled *)base, r, u};
  dls_pool_for((size_t)base->contacts, ROWS_CHUNK, rows[base->block], &p);
}

static void magnitude(const DlsOperator *base, const double *r, double *u) {
  const Assembled *W = (const Assembled *)base;
  const int block = base->block;
  for (int i = 0; i < base->contacts; i++) {
    double sum[DLS_MAX_BLOCK] = {0};
    for (int k = W->start[i]; k < W->start[i + 1]; k++) {
      const double *B = W->value + (size_t)k * (size_t)(block * block);
      const double *x = r + (size_t)W->column[k] * (size_t)block;
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) sum[a] += fabs(B[a * block + b] * x[b]);
    }
    memcpy(u + (size_t)i * (size_t)block, sum, (size_t)block * sizeof *u);
  }
}

static void diagonal(const DlsOperator *base, double *D) {
  const Assembled *W = (const Assembled *)base;
  const size_t size = (size_t)(base->block * base->block);
  for (int i = 0; i < base->contacts; i++)
    memcpy(D + (size_t)i * size, W->value + (size_t)W->diagonal[i] * size, size * sizeof *D);
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  const Assembled *W = (const Assembled *)base;
  return dls_operator_create_assembled(base->contacts, base->block, W->start, W->column, W->value,
                                       out);
}

static void destroy(DlsOperator *base) {
  Assembled *W = (Assembled *)base;
  free(W->start);
  free(W->column);
  free(W->diagonal);
  free(W->value);
  free(W);
}

static DlsBlockRows rows(const DlsOperator *base) {
  const Assembled *W = (const Assembled *)base;
  return (DlsBlockRows){base->contacts, base->block, W->start, W->column, W->diagonal, W->value};
}

static void hash(const DlsOperator *base, uint64_t *sum) {
  const Assembled *W = (const Assembled *)base;
  const size_t contacts = (size_t)base->contacts, blocks = (size_t)W->start[contacts];
  dls_hash_ints(sum, W->start, contacts + 1);
  dls_hash_ints(sum, W->column, blocks);
  dls_hash_reals(sum, W->value, blocks * (size_t)(base->block * base->block));
}

static const DlsOperatorForm form = {.name = "assembled",
                                     .apply = apply,
                                     .destroy = destroy,
                                     .diagonal = diagonal,
                                     .assemble = assemble,
                                     .magnitude = magnitude,
                                     .hash = hash,
                                     .rows = rows};

static DlsStatus check_rows(int contacts, int block, const int *start, const int *column,
                            const double *value) {
  DLS_TRY(dls_operator_check_shape(contacts, block));
  DLS_CHECK(start[0] == 0, DLS_ERR_ARGUMENT, "the first block row starts at %d, not 0", start[0]);
  for (int i = 0; i < contacts; i++) {
    DLS_CHECK(start[i + 1] >= start[i], DLS_ERR_ARGUMENT, "block row %d has a negative length", i);
    bool has_diagonal = false;
    for (int k = start[i]; k < start[i + 1]; k++) {
      DLS_CHECK(column[k] >= 0 && column[k] < contacts, DLS_ERR_ARGUMENT,
                "block row %d has column %d, outside 0..%d", i, column[k], contacts - 1);
      has_diagonal = has_diagonal || column[k] == i;
      for (int e = 0; e < block * block; e++)
        DLS_CHECK(isfinite(value[(size_t)k * (size_t)(block * block) + (size_t)e]), DLS_ERR_NUMERIC,
                  "block (%d, %d) of W holds a number that is not finite", i, column[k]);
    }
    DLS_CHECK(has_diagonal, DLS_ERR_ARGUMENT, "block row %d of W has no diagonal block", i);
  }
  return DLS_OK;
}

/* Row i, sorted by column: insertion, for rows are short and mostly sorted already. */
static DlsStatus copy_row(Assembled *W, int i, const int *column, const double *value) {
  const size_t size = (size_t)(W->base.block * W->base.block);
  const int begin = W->start[i], end = W->start[i + 1];
  for (int k = begin; k < end; k++) {
    int to = k;
    for (; to > begin && W->column[to - 1] > column[k]; to--) {
      W->column[to] = W->column[to - 1];
      memcpy(W->value + (size_t)to * size, W->value + (size_t)(to - 1) * size,
             size * sizeof *value);
    }
    DLS_CHECK(to == begin || W->column[to - 1] != column[k], DLS_ERR_ARGUMENT,
              "block (%d, %d) of W is given twice", i, column[k]);
    W->column[to] = column[k];
    memcpy(W->value + (size_t)to * size, value + (size_t)k * size, size * sizeof *value);
  }
  for (int k = begin; k < end; k++)
    if (W->column[k] == i) W->diagonal[i] = k;
  return DLS_OK;
}

static DlsStatus fill(Assembled *W, const int *start, const int *column, const double *value) {
  const int contacts = W->base.contacts, block = W->base.block;
  DLS_NEW(W->start, contacts + 1);
  DLS_NEW(W->diagonal, contacts);
  DLS_NEW(W->column, start[contacts]);
  DLS_NEW(W->value, (size_t)start[contacts] * (size_t)(block * block));
  memcpy(W->start, start, (size_t)(contacts + 1) * sizeof *start);
  for (int i = 0; i < contacts; i++) DLS_TRY(copy_row(W, i, column, value));
  return DLS_OK;
}

DlsStatus dls_operator_create_assembled(int contacts, int block, const int *start,
                                        const int *column, const double *value, DlsOperator **out) {
  *out = NULL;
  DLS_TRY(check_rows(contacts, block, start, column, value));
  Assembled *W;
  DLS_NEW(W, 1);
  W->base = (DlsOperator){.does = &form, .contacts = contacts, .block = block};
  DlsOperator *made = &W->base;
  const DlsStatus status = fill(W, start, column, value);
  if (status != DLS_OK) dls_operator_destroy(&made);
  *out = made;
  return status;
}
