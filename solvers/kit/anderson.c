#include "solvers/kit/anderson.h"

#include "base/dispatch.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DLS_ANDERSON_MOST };

struct DlsAnderson {
  size_t n, all; /* numbers of r; of r and y */
  int window, columns, newest;
  const double *weight;
  double *memory, *x, *plain, *g; /* [all]: x_k, S(x_{k-1}), and g_{k-1} of n */
  double *dG[MOST], *dS[MOST];    /* a ring; [n] and [all] */
  double gram[MOST][MOST];        /* ΔG^T D ΔG */
  double size2;                   /* |g_{k-1}|_D² */
  bool mixed;                     /* x_k is not S(x_{k-1}) */
  bool known;                     /* g_{k-1} and S(x_{k-1}) are there */
  long rest, next_rest;           /* plain iterations still to come, and after the next failure */
  long taken, undone;
};

DlsStatus dls_anderson_create(size_t n, size_t m, int window, const double *weight,
                              DlsAnderson **out) {
  *out = NULL;
  DlsAnderson *a;
  DLS_NEW(a, 1);
  a->n = n;
  a->all = n + m;
  a->window = window < MOST ? window : MOST;
  a->weight = weight;
  a->memory = dls_memory_array(2 * a->all + n + (size_t)a->window * (n + a->all), sizeof(double));
  if (!a->memory) {
    free(a);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for %d columns of Anderson's mixing", window);
  }
  a->x = a->memory;
  a->plain = a->x + a->all;
  a->g = a->plain + a->all;
  double *next = a->g + n;
  for (int k = 0; k < a->window; k++, next += n + a->all) {
    a->dG[k] = next;
    a->dS[k] = next + n;
  }
  *out = a;
  return DLS_OK;
}

void dls_anderson_destroy(DlsAnderson *a) {
  if (!a) return;
  free(a->memory);
  free(a);
}

static void join(const DlsAnderson *a, const double *r, const double *y, double *x) {
  memcpy(x, r, a->n * sizeof *x);
  if (a->all > a->n) memcpy(x + a->n, y, (a->all - a->n) * sizeof *x);
}

static void part(const DlsAnderson *a, const double *x, double *r, double *y) {
  memcpy(r, x, a->n * sizeof *x);
  if (a->all > a->n) memcpy(y, x + a->n, (a->all - a->n) * sizeof *x);
}

void dls_anderson_begin(DlsAnderson *a, const double *r, const double *y) {
  join(a, r, y, a->x);
  a->columns = a->newest = 0;
  a->mixed = a->known = false;
  a->rest = 0;
  a->next_rest = 1;
  a->taken = a->undone = 0;
}

/* Σ D a b, four sums side by side. */
DLS_HOT static double product(size_t n, const double *restrict weight, const double *restrict a,
                              const double *restrict b) {
  double sum[4] = {0};
  size_t e = 0;
  for (; e + 4 <= n; e += 4)
    for (size_t k = 0; k < 4; k++) sum[k] += weight[e + k] * a[e + k] * b[e + k];
  for (; e < n; e++) sum[0] += weight[e] * a[e] * b[e];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

DLS_HOT static void add(size_t n, double factor, const double *restrict a, double *restrict x) {
  for (size_t e = 0; e < n; e++) x[e] += factor * a[e];
}

/* a - b into x. */
DLS_HOT static void subtract(size_t n, const double *restrict a, const double *restrict b,
                             double *restrict x) {
  for (size_t e = 0; e < n; e++) x[e] = a[e] - b[e];
}

/* A new column: g - g_{k-1} and S(x_k) - S(x_{k-1}), S(x_k) being (r, y). */
static void add_column(DlsAnderson *a, const double *g, const double *r, const double *y) {
  a->newest = a->columns == 0 ? 0 : (a->newest + 1) % a->window;
  if (a->columns < a->window) a->columns++;
  const int j = a->newest;
  subtract(a->n, g, a->g, a->dG[j]);
  subtract(a->n, r, a->plain, a->dS[j]);
  if (a->all > a->n) subtract(a->all - a->n, y, a->plain + a->n, a->dS[j] + a->n);
  for (int i = 0; i < a->columns; i++)
    a->gram[i][j] = a->gram[j][i] = product(a->n, a->weight, a->dG[i], a->dG[j]);
}

/* γ by Cholesky's factors of the Gram matrix; columns that depend on the others get 0. */
static void find_mix(const DlsAnderson *a, const double *g, double *gamma) {
  const int m = a->columns;
  const double dependent = 1e-10;
  double L[MOST][MOST] = {{0}};
  for (int i = 0; i < m; i++) gamma[i] = product(a->n, a->weight, a->dG[i], g);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = a->gram[i][j];
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      if (j < i)
        L[i][j] = L[j][j] > 0 ? sum / L[j][j] : 0;
      else
        L[i][i] = sum > dependent * a->gram[i][i] ? sqrt(sum) : 0;
    }
    for (int k = 0; k < i; k++) gamma[i] -= L[i][k] * gamma[k];
    gamma[i] = L[i][i] > 0 ? gamma[i] / L[i][i] : 0;
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++) gamma[i] -= L[k][i] * gamma[k];
    gamma[i] = L[i][i] > 0 ? gamma[i] / L[i][i] : 0;
  }
}

/* Back to S(x_{k-1}), and plain for a while. */
static void take_back(DlsAnderson *a, double *r, double *y) {
  part(a, a->plain, r, y);
  a->columns = 0;
  a->mixed = a->known = false;
  a->rest = a->next_rest;
  if (a->next_rest < 1L << 40) a->next_rest *= 2;
  a->undone++;
}

void dls_anderson_step(DlsAnderson *a, double *r, double *y) {
  if (a->rest > 0) {
    if (--a->rest == 0) join(a, r, y, a->x);
    return;
  }
  double *g = a->x; /* x_k is no longer needed */
  subtract(a->n, r, a->x, g);
  const double size2 = product(a->n, a->weight, g, g);
  if (a->mixed && !(size2 <= a->size2)) {
    take_back(a, r, y);
    return;
  }
  if (a->known) add_column(a, g, r, y);
  memcpy(a->g, g, a->n * sizeof *g);
  a->size2 = size2;
  a->known = true;
  join(a, r, y, a->plain);
  a->mixed = a->columns > 0;
  if (a->mixed) {
    double gamma[MOST];
    find_mix(a, a->g, gamma);
    for (int i = 0; i < a->columns; i++) {
      add(a->n, -gamma[i], a->dS[i], r);
      if (a->all > a->n) add(a->all - a->n, -gamma[i], a->dS[i] + a->n, y);
    }
    a->taken++;
  }
  join(a, r, y, a->x);
}

long dls_anderson_taken(const DlsAnderson *a) { return a->taken; }
long dls_anderson_undone(const DlsAnderson *a) { return a->undone; }
