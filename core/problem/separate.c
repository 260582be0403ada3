/* A direction that separates, by Lawson and Hanson's least distance programming (Solving Least
 * Squares Problems, 1974, ch. 23): with columns b_i = (a_i, g q_i), g = 1 / max |q|, and f = (0,
 * -1),
 *
 *   min |Σ λ_i b_i - f|,  λ >= 0
 *
 * is 0 where λ separates, and 1 / sqrt(1 + |v|²) else, v the shortest vector that obeys all rows.
 * Active sets: a QR factorisation of the columns in use grows and shrinks by one. What comes out is
 * made exact by a null vector of its own rows, in long double. */
#include "problem/separate.h"

#include "base/dispatch.h"
#include "base/dot.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const DlsSystem *system;
  int length,
      columns;      /* of a column: system->columns + 1; how many: equations count twice, + and - */
  int *row;         /* [columns] of each column */
  double *B, *size; /* [columns][length]; [columns]: norms */
  int count, room;  /* columns in use */
  int *used;        /* [room] */
  uint8_t *state;   /* [columns]: FREE, IN_USE, BLOCKED */
  double *Q;        /* [room][length], orthonormal */
  double *R;        /* [room][room], upper triangle, row-major */
  double *y, *z;    /* [room]: Q^T f; the least squares solution */
  double *lambda;   /* [columns] */
  double *rest;     /* [length]: f - B λ */
} Search;

enum { FREE, IN_USE, BLOCKED };

static void clear(Search *s) {
  free(s->row);
  free(s->B);
  free(s->size);
  free(s->used);
  free(s->state);
  free(s->Q);
  free(s->R);
  free(s->y);
  free(s->z);
  free(s->lambda);
  free(s->rest);
}

static void fill_column(Search *s, int column, int row, double sign, double scaled_q) {
  const int n = s->length - 1;
  double *b = s->B + (size_t)column * (size_t)s->length;
  for (int k = 0; k < n; k++) b[k] = sign * s->system->A[(size_t)row * (size_t)n + (size_t)k];
  b[n] = sign * scaled_q;
  s->row[column] = row;
  s->size[column] = fmax(sqrt(dls_dot((size_t)s->length, b, b)), 1e-300);
}

static DlsStatus make(Search *s, const double *q) {
  const DlsSystem *system = s->system;
  double largest = 0;
  s->length = system->columns + 1;
  for (int i = 0; i < system->rows; i++) {
    s->columns += system->equation[i] ? 2 : 1;
    largest = fmax(largest, fabs(q[i]));
  }
  s->room = s->columns < s->length ? s->columns : s->length;
  DLS_NEW(s->row, s->columns);
  DLS_NEW(s->B, (size_t)s->columns * (size_t)s->length);
  DLS_NEW(s->size, s->columns);
  DLS_NEW(s->used, s->room);
  DLS_NEW(s->state, s->columns);
  DLS_NEW(s->Q, (size_t)s->room * (size_t)s->length);
  DLS_NEW(s->R, (size_t)s->room * (size_t)s->room);
  DLS_NEW(s->y, s->room);
  DLS_NEW(s->z, s->room);
  DLS_NEW(s->lambda, s->columns);
  DLS_NEW(s->rest, s->length);
  const double g = largest > 0 ? 1 / largest : 0;
  int column = 0;
  for (int i = 0; i < system->rows; i++) {
    fill_column(s, column++, i, 1, g * q[i]);
    if (system->equation[i]) fill_column(s, column++, i, -1, g * q[i]);
  }
  return DLS_OK;
}

static const double *column_of(const Search *s, int j) {
  return s->B + (size_t)j * (size_t)s->length;
}

/* One more column in use; false where those there are already make it up. */
DLS_HOT static bool add(Search *s, int j) {
  const double dependent = 1e-13;
  const int n = s->length, k = s->count;
  if (k == s->room) return false;
  double *c = s->Q + (size_t)k * (size_t)n, norm = s->size[j];
  memcpy(c, column_of(s, j), (size_t)n * sizeof *c);
  for (int i = 0; i < k; i++) s->R[(size_t)i * (size_t)s->room + (size_t)k] = 0;
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < k; i++) {
      const double *Qi = s->Q + (size_t)i * (size_t)n, part = dls_dot((size_t)n, Qi, c);
      s->R[(size_t)i * (size_t)s->room + (size_t)k] += part;
      for (int e = 0; e < n; e++) c[e] -= part * Qi[e];
    }
  const double left = sqrt(dls_dot((size_t)n, c, c));
  if (!(left > dependent * norm)) return false;
  for (int e = 0; e < n; e++) c[e] /= left;
  s->R[(size_t)k * (size_t)s->room + (size_t)k] = left;
  s->y[k] = -c[n - 1]; /* f = (0, -1) */
  s->used[k] = j;
  s->state[j] = IN_USE;
  s->count++;
  return true;
}

/* Column number `place` of those in use goes; turns of two rows each make R a triangle again. */
DLS_HOT static void drop(Search *s, int place) {
  const size_t room = (size_t)s->room, n = (size_t)s->length;
  s->state[s->used[place]] = FREE;
  s->lambda[s->used[place]] = 0;
  for (int k = place; k + 1 < s->count; k++) {
    s->used[k] = s->used[k + 1];
    for (int i = 0; i <= k + 1; i++)
      s->R[(size_t)i * room + (size_t)k] = s->R[(size_t)i * room + (size_t)k + 1];
  }
  s->count--;
  for (int k = place; k < s->count; k++) {
    double *upper = s->R + (size_t)k * room, *lower = upper + room;
    const double size = hypot(upper[k], lower[k]);
    const double c = size > 0 ? upper[k] / size : 1, d = size > 0 ? lower[k] / size : 0;
    for (int j = k; j < s->count; j++) {
      const double a = upper[j], b = lower[j];
      upper[j] = c * a + d * b;
      lower[j] = c * b - d * a;
    }
    double *Qk = s->Q + (size_t)k * n, *next = Qk + n;
    for (size_t e = 0; e < n; e++) {
      const double a = Qk[e], b = next[e];
      Qk[e] = c * a + d * b;
      next[e] = c * b - d * a;
    }
    const double a = s->y[k], b = s->y[k + 1];
    s->y[k] = c * a + d * b;
    s->y[k + 1] = c * b - d * a;
  }
}

/* z = R^-1 y */
static void least_squares(Search *s) {
  for (int k = s->count - 1; k >= 0; k--) {
    double sum = s->y[k];
    for (int j = k + 1; j < s->count; j++)
      sum -= s->R[(size_t)k * (size_t)s->room + (size_t)j] * s->z[j];
    s->z[k] = sum / s->R[(size_t)k * (size_t)s->room + (size_t)k];
  }
}

/* As far from λ towards z as nothing becomes negative; what becomes zero goes. False when z was
 * reached. */
static bool cut_back(Search *s) {
  double part = 1;
  int first = -1;
  for (int k = 0; k < s->count; k++) {
    const double now = s->lambda[s->used[k]];
    if (s->z[k] > 0 || !(now / (now - s->z[k]) < part || first < 0)) continue;
    part = now / (now - s->z[k]);
    first = k;
  }
  if (first < 0) return false;
  for (int k = 0; k < s->count; k++) {
    double *now = &s->lambda[s->used[k]];
    *now += part * (s->z[k] - *now);
  }
  s->lambda[s->used[first]] = 0;
  for (int k = s->count - 1; k >= 0; k--)
    if (!(s->lambda[s->used[k]] > 0)) drop(s, k);
  return true;
}

/* |f - B λ|, and the column that would lessen it most; -1: none. */
DLS_HOT static int choose(Search *s, double *left) {
  const double nothing = 1e-14;
  const int n = s->length;
  memset(s->rest, 0, (size_t)n * sizeof *s->rest);
  s->rest[n - 1] = -1;
  for (int twice = 0; twice < 2; twice++) /* the rest is orthogonal to all in use */
    for (int k = 0; k < s->count; k++) {
      const double *Qk = s->Q + (size_t)k * (size_t)n, part = dls_dot((size_t)n, Qk, s->rest);
      for (int e = 0; e < n; e++) s->rest[e] -= part * Qk[e];
    }
  *left = sqrt(dls_dot((size_t)n, s->rest, s->rest));
  int best = -1;
  double most = nothing;
  for (int j = 0; j < s->columns; j++) {
    if (s->state[j] != FREE) continue;
    const double slope = dls_dot((size_t)n, column_of(s, j), s->rest) / s->size[j];
    if (!(slope > most)) continue;
    most = slope;
    best = j;
  }
  return best;
}

/* Lawson and Hanson's NNLS; returns |f - B λ|. */
static double search(Search *s) {
  const int most = 3 * s->columns + 10;
  double left = 1;
  for (int turn = 0; turn < most; turn++) {
    const int j = choose(s, &left);
    if (j < 0) break;
    if (!add(s, j)) {
      s->state[j] = BLOCKED;
      continue;
    }
    least_squares(s);
    if (!(s->z[s->count - 1] > 0)) { /* round-off: it would lessen nothing */
      drop(s, s->count - 1);
      s->state[j] = BLOCKED;
      continue;
    }
    while (s->count > 0 && cut_back(s)) least_squares(s);
    for (int k = 0; k < s->count; k++) s->lambda[s->used[k]] = s->z[k];
    for (int k = 0; k < s->columns; k++)
      if (s->state[k] == BLOCKED) s->state[k] = FREE;
    s->state[j] = s->state[j] == FREE ? BLOCKED : s->state[j]; /* came and went */
  }
  return left;
}

typedef long double Long;

/* The rows in use, made orthogonal one after the other, that with the longest rest first. */
typedef struct {
  int rows, columns, rank;
  Long *V;     /* [rows][columns] */
  Long *share; /* [rows][rows]: of row i in the direction of pivot number p */
  int *order;  /* [rows]: pivots first */
  Long least;  /* pivot; 1 without any */
} Pivots;

static void pivots_clear(Pivots *p) {
  free(p->V);
  free(p->share);
  free(p->order);
}

static Long length_of(int n, const Long *x) {
  Long sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrtl(sum);
}

/* Rows `which` of the system, until the rest of all others is below `zero`. */
static DlsStatus pivots_make(const DlsSystem *system, const int *which, int rows, Long zero,
                             Pivots *p) {
  const int n = system->columns;
  *p = (Pivots){.rows = rows, .columns = n, .least = 1};
  DLS_NEW(p->V, (size_t)rows * (size_t)n);
  DLS_NEW(p->share, (size_t)rows * (size_t)rows);
  DLS_NEW(p->order, rows);
  for (int i = 0; i < rows; i++) {
    p->order[i] = i;
    for (int k = 0; k < n; k++)
      p->V[(size_t)i * (size_t)n + (size_t)k] = system->A[(size_t)which[i] * (size_t)n + (size_t)k];
  }
  for (; p->rank < rows; p->rank++) {
    const int r = p->rank;
    Long largest = -1;
    int pivot = r;
    for (int i = r; i < rows; i++) {
      const Long length = length_of(n, p->V + (size_t)p->order[i] * (size_t)n);
      if (length > largest) largest = length, pivot = i;
    }
    if (!(largest > zero)) break;
    const int chosen = p->order[pivot];
    p->order[pivot] = p->order[r];
    p->order[r] = chosen;
    p->least = fminl(p->least, largest);
    Long *v = p->V + (size_t)chosen * (size_t)n;
    for (int k = 0; k < n; k++) v[k] /= largest;
    p->share[(size_t)chosen * (size_t)rows + (size_t)r] = largest;
    for (int i = r + 1; i < rows; i++) {
      Long *x = p->V + (size_t)p->order[i] * (size_t)n, part = 0;
      for (int k = 0; k < n; k++) part += v[k] * x[k];
      for (int k = 0; k < n; k++) x[k] -= part * v[k];
      p->share[(size_t)p->order[i] * (size_t)rows + (size_t)r] = part;
    }
  }
  return DLS_OK;
}

/* Σ x_i row_i = 0 with x of the first row behind the pivots equal to 1. */
static void null_vector(const Pivots *p, Long *x) {
  const size_t rows = (size_t)p->rows;
  memset(x, 0, rows * sizeof *x);
  const int last = p->order[p->rank];
  x[last] = 1;
  for (int r = p->rank - 1; r >= 0; r--) {
    Long sum = p->share[(size_t)last * rows + (size_t)r];
    for (int j = r + 1; j < p->rank; j++)
      sum += x[p->order[j]] * p->share[(size_t)p->order[j] * rows + (size_t)r];
    x[p->order[r]] = -sum / p->share[(size_t)p->order[r] * rows + (size_t)r];
  }
}

/* What is left of a row that others make up: above what is exact, for dls_separate_proves() is the
 * judge. */
static Long zero_rest(const DlsSystem *system) { return 10 * (Long)system->exact; }

/* λ of these rows alone, exact: the null vector that they leave. False where they leave none of the
 * right signs. */
static DlsStatus make_exact(const DlsSystem *system, const int *which, int rows, double *lambda,
                            bool *found) {
  Pivots pivots = {0};
  Long *x = NULL;
  DlsStatus status = pivots_make(system, which, rows, zero_rest(system), &pivots);
  *found = false;
  if (status == DLS_OK && pivots.rank < rows) {
    x = dls_memory_array((size_t)rows, sizeof *x);
    if (!x) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a null vector");
  }
  if (x) {
    Long power = 0, largest = 0;
    null_vector(&pivots, x);
    for (int i = 0; i < rows; i++) {
      power += x[i] * system->q[which[i]];
      largest = fmaxl(largest, fabsl(x[i]));
    }
    *found = power != 0;
    for (int i = 0; i < rows; i++) {
      Long value = power > 0 ? -x[i] / largest : x[i] / largest;
      if (fabsl(value) < 1e-12L) value = 0; /* not needed */
      *found = *found && (value >= 0 || system->equation[which[i]]);
      lambda[which[i]] = (double)value;
    }
  }
  pivots_clear(&pivots);
  free(x);
  return status;
}

DlsStatus dls_separate(const DlsSystem *system, const double *start, double *lambda, bool *found) {
  const double near = 1e-2; /* no v shorter than a hundred times q / |a|: worth a closer look */
  Search s = {.system = system};
  int *which = NULL, rows = 0;
  *found = false;
  memset(lambda, 0, (size_t)system->rows * sizeof *lambda);
  DlsStatus status = make(&s, start);
  if (status == DLS_OK && search(&s) <= near && s.count > 0) {
    which = dls_memory_array((size_t)s.count, sizeof *which);
    if (!which) status = dls_fail(DLS_ERR_MEMORY, "out of memory for %d rows", s.count);
    for (int k = 0; which && k < s.count; k++) which[rows++] = s.row[s.used[k]];
    if (which) status = make_exact(system, which, rows, lambda, found);
  }
  free(which);
  clear(&s);
  return status;
}

DlsStatus dls_separate_proves(const DlsSystem *system, const double *lambda, bool *proves) {
  const int n = system->columns;
  int *which, rows = 0;
  *proves = false;
  DLS_NEW(which, system->rows);
  Long power = 0, powers = 0, q2 = 0, l2 = 0, eta2 = 0;
  for (int i = 0; i < system->rows; i++) {
    if (lambda[i] == 0) continue;
    which[rows++] = i;
    power += (Long)lambda[i] * system->q[i];
    powers += fabsl((Long)lambda[i] * system->size[i]);
    q2 += (Long)system->q[i] * system->q[i];
    l2 += (Long)lambda[i] * lambda[i];
  }
  for (int k = 0; k < n; k++) {
    Long sum = 0;
    for (int i = 0; i < rows; i++)
      sum += (Long)lambda[which[i]] * system->A[(size_t)which[i] * (size_t)n + (size_t)k];
    eta2 += sum * sum;
  }
  const Long size = sqrtl(l2), eta = sqrtl(eta2);
  DlsStatus status = DLS_OK;
  if (rows > 0 && isfinite((double)power) && eta <= system->exact * size) {
    Pivots pivots = {0};
    status = pivots_make(system, which, rows, zero_rest(system), &pivots);
    const Long unsure = 10 * (4 * (Long)DBL_EPSILON + eta / size) / pivots.least;
    *proves = status == DLS_OK && -power > 1e-10L * powers + unsure * size * sqrtl(q2);
    pivots_clear(&pivots);
  }
  free(which);
  return status;
}
