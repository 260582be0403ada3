/* The coupled form: H and an inertia of any parts. An application is u = H (M^-1 (H^T r)); blocks
 * of W come part by part, W = Σ_p H_p M_p^-1 H_p^T, from panels of right-hand sides, the columns of
 * H_p^T. Where a part knows its surface, S = M_p^-1 between its velocities is at hand: a column of
 * M_p^-1 H_p^T is then a sum of columns of S, and nothing is solved. */
#include "problem/operator/coupled.h"

#include "base/memory.h"
#include "problem/operator/inertia_impl.h"
#include "problem/operator/sparse.h"

#include <delassus/relation.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL = 30 }; /* right-hand sides at once: a multiple of every block */

typedef struct {
  DlsOperator base;
  DlsInertia *inertia;
  DlsSparse H;
  double *b, *x; /* scratch, [freedom] each: the operator is not reentrant */
  /* [parts]: those whose rows of H are on their surface alone; made when first applied. */
  DlsInertiaSurface *surface;
  /* Contact i touches the parts of the entries start[i] .. start[i + 1] - 1. Row c of contact i has
   * on the part of entry e the numbers from[e block + c] .. from[e block + c] + count[...] - 1 of
   * H. */
  int *start, *part, *from, *count;
  /* The entries of part p: member[first[p] .. first[p + 1] - 1], and the contact of each. */
  int *first, *member, *contact;
} Coupled;

static void push(const Coupled *W, const double *r) {
  memset(W->b, 0, (size_t)W->base.freedom * sizeof *W->b);
  for (int row = 0; row < W->H.rows; row++)
    for (int k = W->H.start[row]; k < W->H.start[row + 1]; k++)
      W->b[W->H.column[k]] += r[row] * W->H.value[k];
}

/* b = H^T r, x = M^-1 b; parts that no contact touches do not move. */
static DlsStatus move(const Coupled *W, const double *r) {
  push(W, r);
  for (int p = 0; p < dls_inertia_parts(W->inertia); p++) {
    const int start = dls_inertia_start(W->inertia, p);
    const int n = dls_inertia_start(W->inertia, p + 1) - start;
    memset(W->x + start, 0, (size_t)n * sizeof *W->x);
    if (W->first[p] == W->first[p + 1]) continue;
    DLS_TRY(dls_inertia_solve_part(W->inertia, p, 1, W->b + start, W->x + start));
    for (int k = start; k < start + n; k++)
      DLS_CHECK(isfinite(W->x[k]), DLS_ERR_NUMERIC,
                "the mass matrix is singular to working precision: velocity %d is not finite", k);
  }
  return DLS_OK;
}

/* Whether all numbers of H on a part are on its surface. */
static bool on_surface(const Coupled *W, int part, int origin, const int *place) {
  for (int m = W->first[part]; m < W->first[part + 1]; m++)
    for (int row = W->member[m] * W->base.block; row < (W->member[m] + 1) * W->base.block; row++)
      for (int k = W->from[row]; k < W->from[row] + W->count[row]; k++)
        if (place[W->H.column[k] - origin] < 0) return false;
  return true;
}

/* Of a part; count 0 where it has none, or where rows of H leave it. */
static DlsStatus surface_of(const Coupled *W, int part, DlsInertiaSurface *out) {
  *out = (DlsInertiaSurface){0};
  if (W->first[part] == W->first[part + 1]) return DLS_OK;
  DLS_TRY(dls_inertia_surface(W->inertia, part, out));
  if (out->count > 0 && !on_surface(W, part, dls_inertia_start(W->inertia, part), out->place))
    out->count = 0;
  return DLS_OK;
}

/* x = S b on the surface; b is 0 where nothing touches. */
static void move_surface(const DlsInertiaSurface *s, const double *b, double *x) {
  for (int i = 0; i < s->count; i++) x[s->velocity[i]] = 0;
  for (int j = 0; j < s->count; j++) {
    const double push = b[s->velocity[j]], *S = s->S + (size_t)j * (size_t)s->count;
    if (push == 0) continue;
    for (int i = 0; i < s->count; i++) x[s->velocity[i]] += push * S[i];
  }
}

static DlsStatus find_surfaces(Coupled *W) {
  const int parts = dls_inertia_parts(W->inertia);
  DLS_NEW(W->surface, parts);
  for (int p = 0; p < parts; p++) DLS_TRY(surface_of(W, p, &W->surface[p]));
  return DLS_OK;
}

/* x where rows of H are. */
static DlsStatus move_rows(Coupled *W, const double *r) {
  if (!W->surface) DLS_TRY(find_surfaces(W));
  push(W, r);
  for (int p = 0; p < dls_inertia_parts(W->inertia); p++) {
    const int start = dls_inertia_start(W->inertia, p);
    if (W->surface[p].count > 0) {
      DLS_TRY(dls_inertia_surface(W->inertia, p, &W->surface[p])); /* M may be another by now */
      move_surface(&W->surface[p], W->b + start, W->x + start);
    } else if (W->first[p] < W->first[p + 1]) {
      DLS_TRY(dls_inertia_solve_part(W->inertia, p, 1, W->b + start, W->x + start));
    }
  }
  return DLS_OK;
}

/* Velocities that are not finite are told as such in u; without memory all are. */
static void apply(const DlsOperator *base, const double *r, double *u) {
  Coupled *W = (Coupled *)base;
  const DlsStatus status = move_rows(W, r);
  dls_sparse_multiply(&W->H, W->x, u);
  for (int k = 0; k < W->H.rows && status != DLS_OK; k++) u[k] = NAN;
}

static DlsStatus solve_mass(const DlsOperator *base, const double *b, double *x) {
  return dls_inertia_solve(((const Coupled *)base)->inertia, b, x);
}

static DlsStatus velocity(const DlsOperator *base, const double *r, double *v) {
  const Coupled *W = (const Coupled *)base;
  DLS_TRY(move(W, r));
  if (base->freedom) memcpy(v, W->x, (size_t)base->freedom * sizeof *v);
  return DLS_OK;
}

static DlsStatus bodies(const DlsOperator *base, DlsSparse *M, DlsSparse *H) {
  const Coupled *W = (const Coupled *)base;
  DLS_TRY(dls_sparse_copy(&W->H, H));
  const DlsStatus status = dls_inertia_matrix(W->inertia, M);
  if (status != DLS_OK) dls_sparse_clear(H);
  return status;
}

/* The entries [begin, end) of a part as a panel of right-hand sides, solved. */
typedef struct {
  const Coupled *W;
  int part, origin, n; /* origin: the first velocity of the part */
  double *B, *X;       /* [PANEL][n]; X on the surface alone, where there is one */
  DlsInertiaSurface surface;
} Panel;

static DlsStatus panel_create(const Coupled *W, Panel *out) {
  int most = 0;
  *out = (Panel){.W = W};
  for (int p = 0; p < dls_inertia_parts(W->inertia); p++) {
    const int n = dls_inertia_start(W->inertia, p + 1) - dls_inertia_start(W->inertia, p);
    if (n > most) most = n;
  }
  DLS_NEW(out->B, 2 * (size_t)PANEL * (size_t)most);
  out->X = out->B + (size_t)PANEL * (size_t)most;
  return DLS_OK;
}

static DlsStatus panel_set(Panel *a, int part) {
  const Coupled *W = a->W;
  a->part = part;
  a->origin = dls_inertia_start(W->inertia, part);
  a->n = dls_inertia_start(W->inertia, part + 1) - a->origin;
  return surface_of(W, part, &a->surface);
}

/* One column of X, from the rows of S that its row of H names. */
static void surface_solve(Panel *a, int row, double *x) {
  const Coupled *W = a->W;
  const DlsInertiaSurface *s = &a->surface;
  const size_t count = (size_t)s->count;
  double *sum = a->B;
  memset(sum, 0, count * sizeof *sum);
  for (int k = W->from[row]; k < W->from[row] + W->count[row]; k++) {
    const double weight = W->H.value[k];
    const double *S = s->S + (size_t)s->place[W->H.column[k] - a->origin] * count;
    for (size_t e = 0; e < count; e++) sum[e] += weight * S[e];
  }
  for (size_t e = 0; e < count; e++) x[s->velocity[e]] = sum[e];
}

static DlsStatus panel_solve(Panel *a, int begin, int end) {
  const Coupled *W = a->W;
  const int block = W->base.block, columns = (end - begin) * block;
  const size_t n = (size_t)a->n;
  if (a->surface.count > 0) {
    for (int c = 0; c < columns; c++)
      surface_solve(a, W->member[begin + c / block] * block + c % block, a->X + (size_t)c * n);
    return DLS_OK;
  }
  memset(a->B, 0, n * (size_t)columns * sizeof *a->B);
  for (int c = 0; c < columns; c++) {
    const int row = W->member[begin + c / block] * block + c % block;
    for (int k = W->from[row]; k < W->from[row] + W->count[row]; k++)
      a->B[(size_t)c * n + (size_t)(W->H.column[k] - a->origin)] += W->H.value[k];
  }
  return dls_inertia_solve_part(W->inertia, a->part, columns, a->B, a->X);
}

/* H_e X_j, row-major, X_j the `block` columns of the panel from number j on. Tells whether it is
 * not zero. */
static bool panel_block(const Panel *a, int e, int j, double *out) {
  const Coupled *W = a->W;
  const int block = W->base.block;
  const double *X = a->X + (size_t)(j * block) * (size_t)a->n;
  bool found = false;
  for (int c = 0; c < block; c++) {
    const int row = e * block + c;
    for (int d = 0; d < block; d++) {
      double sum = 0;
      for (int k = W->from[row]; k < W->from[row] + W->count[row]; k++)
        sum += W->H.value[k] * X[(size_t)d * (size_t)a->n + (size_t)(W->H.column[k] - a->origin)];
      out[c * block + d] = sum;
      found = found || sum != 0;
    }
  }
  return found;
}

static int panel_end(const Coupled *W, int part, int begin) {
  const int end = begin + PANEL / W->base.block;
  return end < W->first[part + 1] ? end : W->first[part + 1];
}

static DlsStatus add_diagonal(const Coupled *W, Panel *a, double *D) {
  const size_t size = (size_t)(W->base.block * W->base.block);
  for (int p = 0; p < dls_inertia_parts(W->inertia); p++) {
    DLS_TRY(panel_set(a, p));
    for (int begin = W->first[p], end; begin < W->first[p + 1]; begin = end) {
      end = panel_end(W, p, begin);
      DLS_TRY(panel_solve(a, begin, end));
      for (int m = begin; m < end; m++) {
        double block[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
        double *own = D + (size_t)W->contact[W->member[m]] * size;
        panel_block(a, W->member[m], m - begin, block);
        for (size_t e = 0; e < size; e++) own[e] += block[e];
      }
    }
  }
  return DLS_OK;
}

/* Without memory NaN, as in operator.c. */
static void diagonal(const DlsOperator *base, double *D) {
  const Coupled *W = (const Coupled *)base;
  const size_t n = (size_t)base->contacts * (size_t)(base->block * base->block);
  Panel panel;
  memset(D, 0, n * sizeof *D);
  DlsStatus status = panel_create(W, &panel);
  if (status == DLS_OK) status = add_diagonal(W, &panel, D);
  for (size_t e = 0; e < n && status != DLS_OK; e++) D[e] = NAN;
  free(panel.B);
}

/* Blocks in the order they are found: by parts, panels, then rows, then columns of the panel. */
typedef struct {
  int count, room;
  int *row, *column;
  double *value;
} Blocks;

static void blocks_clear(Blocks *a) {
  free(a->row);
  free(a->column);
  free(a->value);
}

static DlsStatus grow(Blocks *a, size_t size) {
  if (a->count < a->room) return DLS_OK;
  DLS_CHECK(a->room < INT_MAX / 2, DLS_ERR_MEMORY, "the assembled operator has too many blocks");
  const int room = a->room ? 2 * a->room : 64;
  int *row = realloc(a->row, (size_t)room * sizeof *row);
  if (row) a->row = row;
  int *column = realloc(a->column, (size_t)room * sizeof *column);
  if (column) a->column = column;
  double *value = realloc(a->value, (size_t)room * size * sizeof *value);
  if (value) a->value = value;
  DLS_CHECK(row && column && value, DLS_ERR_MEMORY, "no memory to assemble %d blocks", room);
  a->room = room;
  return DLS_OK;
}

static DlsStatus find_blocks(const Coupled *W, Panel *panel, Blocks *a) {
  const size_t size = (size_t)(W->base.block * W->base.block);
  for (int p = 0; p < dls_inertia_parts(W->inertia); p++) {
    DLS_TRY(panel_set(panel, p));
    for (int begin = W->first[p], end; begin < W->first[p + 1]; begin = end) {
      end = panel_end(W, p, begin);
      DLS_TRY(panel_solve(panel, begin, end));
      for (int m = W->first[p]; m < W->first[p + 1]; m++)
        for (int j = begin; j < end; j++) {
          DLS_TRY(grow(a, size));
          const int e = W->member[m];
          if (!panel_block(panel, e, j - begin, a->value + (size_t)a->count * size) && m != j)
            continue;
          a->row[a->count] = W->contact[e];
          a->column[a->count++] = W->contact[W->member[j]];
        }
    }
  }
  return DLS_OK;
}

/* Rows of blocks on their way: those that several parts give are summed in the order of the parts,
 * and a contact that touches nothing has a diagonal block of zeros. */
typedef struct {
  int *start, *order, *column, *row_start, *place;
  double *value;
} Rows;

static void rows_clear(Rows *r) {
  free(r->start);
  free(r->order);
  free(r->column);
  free(r->row_start);
  free(r->place);
  free(r->value);
}

static DlsStatus to_rows(const Coupled *W, const Blocks *a, Rows *r, DlsOperator **out) {
  const int contacts = W->base.contacts;
  const size_t size = (size_t)(W->base.block * W->base.block);
  DLS_NEW(r->start, contacts + 2);
  DLS_NEW(r->order, a->count);
  DLS_NEW(r->column, (size_t)a->count + (size_t)contacts);
  DLS_NEW(r->row_start, contacts + 1);
  DLS_NEW(r->place, contacts);
  DLS_NEW(r->value, ((size_t)a->count + (size_t)contacts) * size);
  for (int k = 0; k < a->count; k++) r->start[a->row[k] + 2]++;
  for (int i = 0; i < contacts; i++) r->start[i + 2] += r->start[i + 1];
  /* start[i + 1] walks through row i and ends at its end */
  for (int k = 0; k < a->count; k++) r->order[r->start[a->row[k] + 1]++] = k;
  for (int i = 0; i < contacts; i++) r->place[i] = -1;
  for (int i = 0, next = 0; i < contacts; i++) {
    const int begin = next;
    for (int k = r->start[i]; k < r->start[i + 1]; k++) {
      const int from = r->order[k], j = a->column[from];
      const double *block = a->value + (size_t)from * size;
      if (r->place[j] < begin) {
        r->place[j] = next;
        r->column[next] = j;
        memcpy(r->value + (size_t)next++ * size, block, size * sizeof *block);
        continue;
      }
      for (size_t e = 0; e < size; e++) r->value[(size_t)r->place[j] * size + e] += block[e];
    }
    if (r->place[i] < begin) r->column[next++] = i;
    r->row_start[i + 1] = next;
  }
  return dls_operator_create_assembled(contacts, W->base.block, r->row_start, r->column, r->value,
                                       out);
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  const Coupled *W = (const Coupled *)base;
  Panel panel;
  Blocks blocks = {0};
  Rows rows = {0};
  DlsStatus status = panel_create(W, &panel);
  if (status == DLS_OK) status = find_blocks(W, &panel, &blocks);
  if (status == DLS_OK) status = to_rows(W, &blocks, &rows, out);
  free(panel.B);
  blocks_clear(&blocks);
  rows_clear(&rows);
  return status;
}

static void destroy(DlsOperator *base) {
  Coupled *W = (Coupled *)base;
  dls_sparse_clear(&W->H);
  dls_inertia_destroy(&W->inertia);
  free(W->b);
  free(W->surface);
  free(W->start);
  free(W->part);
  free(W->from);
  free(W->count);
  free(W->first);
  free(W->member);
  free(W->contact);
  free(W);
}

static DlsStatus pattern(const DlsOperator *base, DlsPattern *out) {
  const Coupled *W = (const Coupled *)base;
  out->parts = dls_inertia_parts(W->inertia);
  out->start = W->start;
  out->part = W->part;
  return DLS_OK;
}

#define WHAT_BOTH_DO                                                                               \
  .name = "coupled", .apply = apply, .destroy = destroy, .diagonal = diagonal,                     \
  .assemble = assemble, .solve_mass = solve_mass, .velocity = velocity, .bodies = bodies

/* One matrix for all bodies: which contacts share one is seen in W alone. */
static const DlsOperatorForm one_matrix = {WHAT_BOTH_DO};
static const DlsOperatorForm form = {WHAT_BOTH_DO, .pattern = pattern};

/* The part of a velocity, by halving. */
static int part_of(const DlsInertia *inertia, int velocity) {
  int low = 0, high = dls_inertia_parts(inertia);
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (dls_inertia_start(inertia, middle) <= velocity)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The parts of contact i, ascending: entries from W->start[i] on. `row` [block] walks through its
 * rows of H, in which columns ascend. */
static void list_parts(Coupled *W, int i, int *row) {
  const int block = W->base.block;
  int e = W->start[i];
  for (int c = 0; c < block; c++) row[c] = W->H.start[i * block + c];
  for (;;) {
    int lowest = INT_MAX;
    for (int c = 0; c < block; c++)
      if (row[c] < W->H.start[i * block + c + 1] && W->H.column[row[c]] < lowest)
        lowest = W->H.column[row[c]];
    if (lowest == INT_MAX) break;
    const int part = part_of(W->inertia, lowest), end = dls_inertia_start(W->inertia, part + 1);
    for (int c = 0; c < block; c++) {
      W->from[e * block + c] = row[c];
      while (row[c] < W->H.start[i * block + c + 1] && W->H.column[row[c]] < end) row[c]++;
      W->count[e * block + c] = row[c] - W->from[e * block + c];
    }
    W->contact[e] = i;
    W->part[e++] = part;
  }
  W->start[i + 1] = e;
}

static DlsStatus fill(Coupled *W) {
  const int contacts = W->base.contacts, block = W->base.block;
  const int parts = dls_inertia_parts(W->inertia);
  const size_t most = (size_t)W->H.start[W->H.rows]; /* entries: each has a number of H at least */
  int row[DLS_MAX_BLOCK];
  DLS_NEW(W->b, 2 * (size_t)W->base.freedom);
  W->x = W->b + W->base.freedom;
  DLS_NEW(W->start, contacts + 1);
  DLS_NEW(W->part, most);
  DLS_NEW(W->from, most * (size_t)block);
  DLS_NEW(W->count, most * (size_t)block);
  DLS_NEW(W->contact, most);
  DLS_NEW(W->first, parts + 2);
  DLS_NEW(W->member, most);
  for (int i = 0; i < contacts; i++) list_parts(W, i, row);
  /* first[p + 1] walks through the entries of part p and ends at their end */
  for (int e = 0; e < W->start[contacts]; e++) W->first[W->part[e] + 2]++;
  for (int p = 0; p < parts; p++) W->first[p + 2] += W->first[p + 1];
  for (int e = 0; e < W->start[contacts]; e++) W->member[W->first[W->part[e] + 1]++] = e;
  return DLS_OK;
}

DlsStatus dls_operator_create_coupled(int contacts, int block, DlsInertia *inertia, DlsSparse *H,
                                      DlsOperator **out) {
  *out = NULL;
  Coupled *W = dls_memory_array(1, sizeof *W);
  if (!W) {
    dls_sparse_clear(H);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for an operator");
  }
  const bool known = dls_inertia_parts(inertia) > 1;
  W->base = (DlsOperator){.does = known ? &form : &one_matrix,
                          .contacts = contacts,
                          .block = block,
                          .freedom = dls_inertia_freedom(inertia)};
  W->inertia = dls_inertia_share(inertia);
  W->H = *H;
  *H = (DlsSparse){0};
  DlsOperator *made = &W->base;
  const DlsStatus status = fill(W);
  if (status != DLS_OK) dls_operator_destroy(&made);
  *out = made;
  return status;
}
