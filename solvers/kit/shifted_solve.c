#include "solvers/kit/shifted_solve.h"

#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/sparse_factor.h"

#include <stdbool.h>
#include <stdlib.h>

static const double symmetric_enough = 1e-12; /* max |W - W^T| / max |W| */

struct DlsShifted {
  const DlsScaled *scaled;
  bool velocities, symmetric;
  DlsSparseFactor *direct;
  double rho;
  /* reactions */
  DlsOperator *own; /* assembled here, when the problem's operator is not */
  DlsBlockRows rows;
  /* velocities: supports of contact i are start[i] .. start[i + 1] - 1 */
  int bodies, dof;
  int *start, *body;
  double *G, *T; /* [supports][block][dof], S gather and S scatter; one array when W is symmetric */
  double *y, *v; /* [bodies][dof] */
};

void dls_shifted_destroy(DlsShifted **penalty) {
  DlsShifted *s = *penalty;
  if (!s) return;
  dls_sparse_factor_destroy(&s->direct);
  dls_operator_destroy(&s->own);
  free(s->start);
  free(s->body);
  if (s->T != s->G) free(s->T);
  free(s->G);
  free(s->y);
  free(s->v);
  free(s);
  *penalty = NULL;
}

const char *dls_shifted_name(const DlsShifted *s) {
  return s->velocities ? "velocities" : "reactions";
}

/* Block (j, i) of the rows, or NULL. */
static const double *find_block(const DlsBlockRows *rows, int j, int i) {
  int low = rows->start[j], high = rows->start[j + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (rows->column[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == rows->start[j + 1] || rows->column[low] != i) return NULL;
  return rows->value + (size_t)low * (size_t)(rows->block * rows->block);
}

static bool is_symmetric(const DlsBlockRows *rows) {
  const int block = rows->block;
  double largest = 0, apart = 0;
  for (int i = 0; i < rows->contacts; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
      const double *W = rows->value + (size_t)k * (size_t)(block * block);
      const double *other = find_block(rows, rows->column[k], i);
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) {
          largest = fmax(largest, fabs(W[a * block + b]));
          apart = fmax(apart, fabs(W[a * block + b] - (other ? other[b * block + a] : 0)));
        }
    }
  return apart <= symmetric_enough * largest;
}

static DlsStatus prepare_reactions(DlsShifted *s) {
  const DlsOperator *W = dls_problem_operator(s->scaled->problem);
  if (dls_operator_form(W) != DLS_FORM_ASSEMBLED) {
    DLS_TRY(dls_operator_assemble(W, &s->own));
    W = s->own;
  }
  s->rows = dls_operator_block_rows(W);
  const size_t block = (size_t)s->rows.block;
  const size_t entries = (size_t)s->rows.start[s->rows.contacts] * block * block + s->scaled->n;
  s->symmetric = is_symmetric(&s->rows);
  return dls_sparse_factor_create((int)s->scaled->n, s->symmetric, entries, &s->direct);
}

/* A support of a contact between spheres: 3 x 6, operator.h has the formula. */
static void sphere_support(const DlsSphereContact *c, int side, double *G) {
  const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
  for (int k = 0; k < 3; k++) {
    G[k] = c->move[side] * n[k];
    G[6 + k] = c->move[side] * t1[k];
    G[12 + k] = c->move[side] * t2[k];
    G[3 + k] = 0;
    G[9 + k] = c->turn[side] * t2[k];
    G[15 + k] = -c->turn[side] * t1[k];
  }
}

static DlsStatus copy_spheres(DlsShifted *s) {
  const DlsSpheres spheres = dls_operator_spheres(dls_problem_operator(s->scaled->problem));
  s->bodies = spheres.bodies;
  s->dof = 6;
  DLS_NEW(s->start, spheres.contacts + 1);
  DLS_NEW(s->body, 2 * (size_t)spheres.contacts);
  DLS_NEW(s->G, 36 * (size_t)spheres.contacts);
  int next = 0;
  for (int i = 0; i < spheres.contacts; i++) {
    for (int side = 0; side < 2; side++) {
      if (spheres.contact[i].body[side] >= spheres.bodies) continue; /* the ground */
      sphere_support(&spheres.contact[i], side, s->G + (size_t)next * 18);
      s->body[next++] = spheres.contact[i].body[side];
    }
    s->start[i + 1] = next;
  }
  s->T = s->G;
  return DLS_OK;
}

static DlsStatus copy_supports(DlsShifted *s) {
  const DlsSupports supports = dls_operator_supports(dls_problem_operator(s->scaled->problem));
  const size_t count = (size_t)supports.start[supports.contacts];
  const size_t size = count * (size_t)(supports.block * supports.dof);
  s->bodies = supports.bodies;
  s->dof = supports.dof;
  DLS_NEW(s->start, supports.contacts + 1);
  DLS_NEW(s->body, count);
  DLS_NEW(s->G, size);
  memcpy(s->start, supports.start, (size_t)(supports.contacts + 1) * sizeof *s->start);
  memcpy(s->body, supports.body, count * sizeof *s->body);
  memcpy(s->G, supports.gather, size * sizeof *s->G);
  s->T = s->G;
  if (supports.gather == supports.scatter) return DLS_OK;
  s->T = NULL;
  DLS_NEW(s->T, size);
  memcpy(s->T, supports.scatter, size * sizeof *s->T);
  return DLS_OK;
}

static DlsStatus prepare_velocities(DlsShifted *s) {
  const DlsScaled *scaled = s->scaled;
  const bool spheres = dls_operator_form(dls_problem_operator(scaled->problem)) == DLS_FORM_SPHERES;
  DLS_TRY(spheres ? copy_spheres(s) : copy_supports(s));
  const size_t dof = (size_t)s->dof, block = (size_t)scaled->block;
  size_t entries = (size_t)s->bodies * dof;
  for (int i = 0; i < scaled->contacts; i++) {
    const size_t count = (size_t)(s->start[i + 1] - s->start[i]);
    entries += count * count * dof * dof;
    for (size_t row = 0; row < count * block; row++)
      for (size_t c = 0; c < dof; c++) {
        const size_t at = ((size_t)s->start[i] * block + row) * dof + c;
        const double scale = scaled->scale[(size_t)i * block + row % block];
        s->G[at] *= scale;
        if (s->T != s->G) s->T[at] *= scale;
      }
  }
  DLS_NEW(s->y, (size_t)s->bodies * dof);
  DLS_NEW(s->v, (size_t)s->bodies * dof);
  s->symmetric = s->T == s->G;
  return dls_sparse_factor_create(s->bodies * s->dof, s->symmetric, entries, &s->direct);
}

DlsStatus dls_shifted_create(const DlsScaled *scaled, DlsShiftedForm form, DlsShifted **out) {
  const DlsForm have = dls_operator_form(dls_problem_operator(scaled->problem));
  const bool bodies = have == DLS_FORM_FACTORED || have == DLS_FORM_SPHERES;
  DlsShifted *s;
  *out = NULL;
  DLS_CHECK(form != DLS_SHIFTED_VELOCITIES || bodies, DLS_ERR_SOLVER,
            "%s: no factor in the velocities, for the operator has no bodies; use the option "
            "form=reactions",
            dls_problem_name(scaled->problem));
  DLS_NEW(s, 1);
  s->scaled = scaled;
  const bool fewer = dls_operator_freedom(dls_problem_operator(scaled->problem)) < (int)scaled->n;
  s->velocities = form == DLS_SHIFTED_VELOCITIES || (form == DLS_SHIFTED_AUTO && bodies && fewer);
  const DlsStatus status = s->velocities ? prepare_velocities(s) : prepare_reactions(s);
  if (status != DLS_OK) dls_shifted_destroy(&s);
  *out = s;
  return status;
}

/* W' + rho. */
static void add_reactions(DlsShifted *s) {
  const DlsScaled *scaled = s->scaled;
  const int block = scaled->block;
  for (int i = 0; i < scaled->contacts; i++)
    for (int k = s->rows.start[i]; k < s->rows.start[i + 1]; k++) {
      const double *W = s->rows.value + (size_t)k * (size_t)(block * block);
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) {
          const int row = i * block + a, column = s->rows.column[k] * block + b;
          if (s->symmetric && row > column) continue;
          dls_sparse_factor_add(s->direct, row, column,
                                scaled->scale[row] * W[a * block + b] * scaled->scale[column]);
        }
    }
  for (size_t e = 0; e < scaled->n; e++)
    dls_sparse_factor_add(s->direct, (int)e, (int)e,
                          s->rho + (scaled->compliance ? scaled->compliance[e] : 0));
}

/* D of a component. */
static double weight(const DlsShifted *s, size_t e) {
  return s->rho + (s->scaled->compliance ? s->scaled->compliance[e] : 0);
}

/* T_s^T D^-1 G_t of two supports of contact i. */
static void add_pair(DlsShifted *s, int i, int left, int right) {
  const int block = s->scaled->block, dof = s->dof;
  const double *T = s->T + (size_t)left * (size_t)(block * dof);
  const double *G = s->G + (size_t)right * (size_t)(block * dof);
  for (int a = 0; a < dof; a++)
    for (int b = 0; b < dof; b++) {
      const int row = s->body[left] * dof + a, column = s->body[right] * dof + b;
      if (s->symmetric && row > column) continue;
      double sum = 0;
      for (int k = 0; k < block; k++)
        sum += T[k * dof + a] * G[k * dof + b] / weight(s, (size_t)(i * block + k));
      dls_sparse_factor_add(s->direct, row, column, sum);
    }
}

DlsStatus dls_shifted_factor(DlsShifted *s, double rho) {
  s->rho = rho;
  dls_sparse_factor_clear(s->direct);
  if (!s->velocities) {
    add_reactions(s);
    return dls_sparse_factor_factor(s->direct);
  }
  for (int e = 0; e < s->bodies * s->dof; e++) dls_sparse_factor_add(s->direct, e, e, 1);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int left = s->start[i]; left < s->start[i + 1]; left++)
      for (int right = s->start[i]; right < s->start[i + 1]; right++) add_pair(s, i, left, right);
  return dls_sparse_factor_factor(s->direct);
}

/* y = T^T D^-1 b, then x = D^-1 (b - G v). */
DlsStatus dls_shifted_solve(DlsShifted *s, const double *b, double *x) {
  const int block = s->scaled->block, dof = s->dof;
  if (!s->velocities) return dls_sparse_factor_solve(s->direct, b, x);
  memset(s->y, 0, (size_t)(s->bodies * dof) * sizeof *s->y);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int t = s->start[i]; t < s->start[i + 1]; t++)
      for (int k = 0; k < block; k++) {
        const double *T = s->T + ((size_t)t * (size_t)block + (size_t)k) * (size_t)dof;
        const double push = b[i * block + k] / weight(s, (size_t)(i * block + k));
        for (int c = 0; c < dof; c++) s->y[s->body[t] * dof + c] += T[c] * push;
      }
  DLS_TRY(dls_sparse_factor_solve(s->direct, s->y, s->v));
  memcpy(x, b, s->scaled->n * sizeof *x);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int t = s->start[i]; t < s->start[i + 1]; t++)
      for (int k = 0; k < block; k++)
        x[i * block + k] -=
            dls_small_dot(dof, s->G + ((size_t)t * (size_t)block + (size_t)k) * (size_t)dof,
                          s->v + s->body[t] * dof);
  for (size_t e = 0; e < s->scaled->n; e++) x[e] /= weight(s, e);
  return DLS_OK;
}
