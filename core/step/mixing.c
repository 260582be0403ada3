/* Faster fixed points; see mixing.h. */
#include "step/mixing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of columns of dF of length 1, squared: those that others make up get no share. */
static const double apart = 1e-14;

DlsStatus dls_mixing_open(int n, DlsMixing *out) {
  *out = (DlsMixing){.n = n};
  DLS_NEW(out->all, (2 + 2 * DLS_MIXING_ROUNDS) * (size_t)n);
  out->f = out->all, out->g = out->f + n;
  out->df = out->g + n, out->dg = out->df + DLS_MIXING_ROUNDS * (size_t)n;
  return DLS_OK;
}

void dls_mixing_clear(DlsMixing *m) {
  free(m->all);
  *m = (DlsMixing){0};
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* c of least |f - dF c|, by Cholesky of dF^T dF with columns of length 1. */
static void least(const DlsMixing *m, double *c) {
  const size_t n = (size_t)m->n;
  double A[DLS_MIXING_ROUNDS][DLS_MIXING_ROUNDS], length[DLS_MIXING_ROUNDS];
  for (int i = 0; i < m->count; i++) {
    const double *own = m->df + (size_t)i * n;
    length[i] = fmax(sqrt(dot(m->n, own, own)), DBL_MIN);
    for (int j = 0; j <= i; j++) {
      A[i][j] = dot(m->n, own, m->df + (size_t)j * n) / length[i] / length[j];
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] = i == j ? sqrt(fmax(A[i][j], 0) + apart) : A[i][j] / A[j][j];
    }
    c[i] = dot(m->n, own, m->f) / length[i];
    for (int k = 0; k < i; k++) c[i] -= A[i][k] * c[k];
    c[i] /= A[i][i];
  }
  for (int i = m->count - 1; i >= 0; i--) {
    for (int k = i + 1; k < m->count; k++) c[i] -= A[k][i] * c[k];
    c[i] /= A[i][i];
  }
  for (int i = 0; i < m->count; i++) c[i] /= length[i];
}

void dls_mixing_round(DlsMixing *m, const double *x, double *g) {
  const size_t n = (size_t)m->n;
  double c[DLS_MIXING_ROUNDS], *df = m->df + (size_t)m->next * n, *dg = m->dg + (size_t)m->next * n;
  double square = 0;
  for (int i = 0; i < m->n; i++) {
    const double f = g[i] - x[i];
    df[i] = f - m->f[i];
    dg[i] = g[i] - m->g[i];
    m->f[i] = f;
    square += f * f;
  }
  memcpy(m->g, g, n * sizeof *g);
  const double size = sqrt(square);
  if (m->rounds++ > 0 && size <= m->size) {
    m->next = (m->next + 1) % DLS_MIXING_ROUNDS;
    if (m->count < DLS_MIXING_ROUNDS) m->count++;
  } else {
    m->count = m->next = 0;
  }
  m->size = size;
  if (m->count == 0) return;
  least(m, c);
  for (int k = 0; k < m->count; k++)
    for (int i = 0; i < m->n; i++) g[i] -= c[k] * m->dg[(size_t)k * n + (size_t)i];
}
