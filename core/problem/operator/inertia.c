/* Rigid and sparse parts side by side; see inertia.h. */
#include "problem/operator/inertia_impl.h"

#include "base/memory.h"
#include "base/threads.h"
#include "problem/operator/rigid_mass.h"
#include "problem/operator/sparse.h"
#include "problem/sparse_factor.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double symmetric_enough = 1e-12; /* max |M - M^T| / max |M| of a sparse part */

/* Rigid parts of one size that follow each other, or one sparse part. */
typedef struct {
  int first_part, parts; /* 1 where sparse */
  int first, dof;        /* of its velocities; dof of each part */
  bool symmetric;
  double *factors;         /* rigid: [parts][dof^2] */
  DlsSparse M;             /* sparse */
  DlsSparseFactor *factor; /* sparse; else NULL */
  long before;             /* factorisations of factors that it had before this one */
  int surface;             /* sparse: velocities of its surface, 0: none is known */
  int *velocity, *place;   /* [surface]; [dof] */
  double *S;               /* [surface][surface], of the factor number `made` */
  long made;
} Piece;

struct DlsInertia {
  int owners, parts, freedom, pieces, part_room;
  Piece *piece;
  int *piece_of; /* [part_room]: of a part */
};

static void piece_clear(Piece *piece) {
  free(piece->factors);
  free(piece->velocity);
  free(piece->place);
  free(piece->S);
  dls_sparse_factor_destroy(&piece->factor);
  dls_sparse_clear(&piece->M);
}

DlsStatus dls_inertia_create(DlsInertia **out) {
  DLS_NEW(*out, 1);
  (*out)->owners = 1;
  return DLS_OK;
}

DlsInertia *dls_inertia_share(DlsInertia *inertia) {
  inertia->owners++;
  return inertia;
}

void dls_inertia_destroy(DlsInertia **inertia) {
  if (!inertia || !*inertia) return;
  DlsInertia *s = *inertia;
  *inertia = NULL;
  if (--s->owners > 0) return;
  for (int k = 0; k < s->pieces; k++) piece_clear(&s->piece[k]);
  free(s->piece);
  free(s->piece_of);
  free(s);
}

int dls_inertia_parts(const DlsInertia *s) { return s->parts; }
int dls_inertia_freedom(const DlsInertia *s) { return s->freedom; }

int dls_inertia_start(const DlsInertia *s, int part) {
  if (part == s->parts) return s->freedom;
  const Piece *piece = &s->piece[s->piece_of[part]];
  return piece->first + (part - piece->first_part) * piece->dof;
}

static long count_of(const Piece *piece) {
  return piece->before + dls_sparse_factor_count(piece->factor);
}

long dls_inertia_factorisations(const DlsInertia *s) {
  long count = 0;
  for (int k = 0; k < s->pieces; k++)
    if (s->piece[k].factor) count += count_of(&s->piece[k]);
  return count;
}

const double *dls_inertia_rigid(const DlsInertia *s, int *parts, int *dof, bool *symmetric) {
  *parts = s->parts;
  *dof = s->pieces == 1 && !s->piece->factor ? s->piece->dof : 1;
  *symmetric = s->pieces == 0 || s->piece->symmetric;
  return s->pieces == 1 ? s->piece->factors : NULL;
}

/* Room for one piece and `parts` parts more. */
static DlsStatus make_room(DlsInertia *s, int parts, int dof) {
  DLS_CHECK(parts <= INT_MAX - s->parts && (long long)parts * dof <= INT_MAX - s->freedom,
            DLS_ERR_ARGUMENT, "%d more parts of %d velocities are too many", parts, dof);
  Piece *piece = realloc(s->piece, ((size_t)s->pieces + 1) * sizeof *piece);
  DLS_CHECK(piece, DLS_ERR_MEMORY, "no memory for %d parts of an inertia", parts);
  s->piece = piece;
  if (s->parts + parts <= s->part_room) return DLS_OK;
  const size_t room = (size_t)(s->parts + parts) + (size_t)s->parts / 2;
  int *of = realloc(s->piece_of, room * sizeof *of);
  DLS_CHECK(of, DLS_ERR_MEMORY, "no memory for %d parts of an inertia", parts);
  s->piece_of = of;
  s->part_room = (int)room;
  return DLS_OK;
}

static void join(DlsInertia *s, const Piece *piece) {
  for (int k = 0; k < piece->parts; k++) s->piece_of[s->parts + k] = s->pieces;
  s->piece[s->pieces++] = *piece;
  s->parts += piece->parts;
  s->freedom += piece->parts * piece->dof;
}

static DlsStatus fill_rigid(Piece *piece, const double *mass) {
  const size_t size = (size_t)(piece->dof * piece->dof);
  DLS_NEW(piece->factors, (size_t)piece->parts * size);
  dls_memory_copy(piece->factors, mass, (size_t)piece->parts * size, sizeof *mass);
  piece->symmetric = true;
  for (int k = 0; k < piece->parts; k++) {
    bool symmetric;
    DLS_TRY(dls_rigid_factor(piece->dof, piece->first_part + k, piece->factors + (size_t)k * size,
                             &symmetric));
    piece->symmetric = piece->symmetric && symmetric;
  }
  return DLS_OK;
}

DlsStatus dls_inertia_add_rigid(DlsInertia *s, int count, int dof, const double *mass) {
  DLS_CHECK(count >= 0 && dof >= 1 && dof <= DLS_RIGID_MAX_DOF && count <= INT_MAX / (dof * dof),
            DLS_ERR_ARGUMENT, "%d bodies of %d degrees of freedom are not possible", count, dof);
  DLS_TRY(make_room(s, count, dof));
  Piece piece = {.first_part = s->parts, .parts = count, .first = s->freedom, .dof = dof};
  const DlsStatus status = fill_rigid(&piece, mass);
  if (status == DLS_OK)
    join(s, &piece);
  else
    piece_clear(&piece);
  return status;
}

DlsStatus dls_inertia_change_rigid(DlsInertia *s, int count, const double *mass) {
  DLS_CHECK(s->pieces > 0 && !s->piece[s->pieces - 1].factor, DLS_ERR_ARGUMENT,
            "the parts added last to this inertia are not rigid ones");
  DLS_CHECK(count >= 0, DLS_ERR_ARGUMENT, "%d rigid parts are not possible", count);
  DLS_TRY(make_room(s, count, s->piece[s->pieces - 1].dof));
  Piece *last = &s->piece[s->pieces - 1];
  Piece piece = *last;
  piece.parts = count;
  piece.factors = NULL;
  const DlsStatus status = fill_rigid(&piece, mass);
  if (status != DLS_OK) {
    piece_clear(&piece);
    return status;
  }
  s->pieces--;
  s->parts -= last->parts;
  s->freedom -= last->parts * last->dof;
  piece_clear(last);
  join(s, &piece);
  return DLS_OK;
}

/* One thread for BLAS, whoever asks. */
static DlsStatus factor_sparse(Piece *piece) {
  const DlsThreads threads = dls_threads_one();
  const DlsStatus status = dls_sparse_factor_factor(piece->factor);
  dls_threads_restore(threads);
  if (status != DLS_ERR_NUMERIC) return status;
  return dls_fail(DLS_ERR_ARGUMENT, "the mass matrix of part %d, of %d velocities, is %s",
                  piece->first_part, piece->dof,
                  piece->symmetric ? "not positive definite" : "singular");
}

/* A factor of the kind that M asks for: supernodal L L^T, in which rows of a symmetric M are
 * columns, or L U, analysed by the pattern alone, so that a run that begins in its middle has the
 * same. */
static DlsStatus make_factor(Piece *piece) {
  const DlsSparseFactorKind kind = {
      .symmetric = piece->symmetric, .supernodal = true, .by_rows = true, .by_pattern = true};
  DlsSparseFactor *factor;
  DLS_TRY(dls_sparse_factor_create(piece->dof, &kind, &factor));
  if (piece->factor) piece->before = count_of(piece);
  dls_sparse_factor_destroy(&piece->factor);
  piece->factor = factor;
  dls_sparse_factor_lend(piece->factor, piece->M.start, piece->M.column, piece->M.value);
  if (!piece->symmetric || piece->surface == 0) return DLS_OK;
  return dls_sparse_factor_last(piece->factor, piece->surface, piece->velocity);
}

static DlsStatus take_surface(Piece *piece, int surface, const int *velocity) {
  if (surface == 0) return DLS_OK;
  DLS_NEW(piece->velocity, surface);
  DLS_NEW(piece->place, piece->dof);
  for (int v = 0; v < piece->dof; v++) piece->place[v] = -1;
  for (int k = 0; k < surface; k++) {
    DLS_CHECK(velocity[k] >= 0 && velocity[k] < piece->dof && piece->place[velocity[k]] < 0,
              DLS_ERR_ARGUMENT, "velocity %d of the surface of a part of %d is none, or twice",
              velocity[k], piece->dof);
    piece->place[velocity[k]] = k;
    piece->velocity[k] = velocity[k];
  }
  piece->surface = surface;
  return DLS_OK;
}

static DlsStatus fill_sparse(Piece *piece, const DlsSparse *M, int surface, const int *velocity) {
  double asymmetry;
  DLS_TRY(dls_sparse_copy(M, &piece->M));
  DLS_TRY(dls_sparse_asymmetry(M, &asymmetry));
  piece->symmetric = asymmetry <= symmetric_enough;
  DLS_TRY(take_surface(piece, surface, velocity));
  DLS_TRY(make_factor(piece));
  return factor_sparse(piece);
}

DlsStatus dls_inertia_add_sparse(DlsInertia *s, const DlsSparse *M) {
  return dls_inertia_add_sparse_surface(s, M, 0, NULL);
}

DlsStatus dls_inertia_add_sparse_surface(DlsInertia *s, const DlsSparse *M, int count,
                                         const int *velocity) {
  DLS_TRY(dls_sparse_check(M, "M"));
  DLS_CHECK(M->rows == M->columns, DLS_ERR_ARGUMENT, "M is %d x %d; it must be square", M->rows,
            M->columns);
  DLS_TRY(make_room(s, 1, M->rows));
  Piece piece = {.first_part = s->parts, .parts = 1, .first = s->freedom, .dof = M->rows};
  const DlsStatus status = fill_sparse(&piece, M, count, velocity);
  if (status == DLS_OK)
    join(s, &piece);
  else
    piece_clear(&piece);
  return status;
}

DlsStatus dls_inertia_change_sparse(DlsInertia *s, int part, const double *value) {
  DLS_CHECK(part >= 0 && part < s->parts && s->piece[s->piece_of[part]].factor, DLS_ERR_ARGUMENT,
            "part %d of an inertia of %d parts is not a sparse one", part, s->parts);
  Piece *piece = &s->piece[s->piece_of[part]];
  const int entries = piece->M.start[piece->M.rows];
  double asymmetry;
  for (int k = 0; k < entries; k++)
    DLS_CHECK(isfinite(value[k]), DLS_ERR_NUMERIC,
              "the mass matrix of part %d holds a number that is not finite", part);
  memcpy(piece->M.value, value, (size_t)entries * sizeof *value);
  DLS_TRY(dls_sparse_asymmetry(&piece->M, &asymmetry));
  const bool symmetric = asymmetry <= symmetric_enough, other = symmetric != piece->symmetric;
  piece->symmetric = symmetric;
  if (other) DLS_TRY(make_factor(piece));
  return factor_sparse(piece);
}

DlsStatus dls_inertia_surface(const DlsInertia *s, int part, DlsInertiaSurface *out) {
  Piece *piece = &s->piece[s->piece_of[part]];
  *out = (DlsInertiaSurface){0};
  if (!piece->factor || piece->surface == 0 || !piece->symmetric) return DLS_OK;
  if (!piece->S) DLS_NEW(piece->S, (size_t)piece->surface * (size_t)piece->surface);
  if (piece->made != count_of(piece)) {
    const DlsThreads threads = dls_threads_one();
    const DlsStatus status = dls_sparse_factor_last_inverse(piece->factor, piece->S);
    dls_threads_restore(threads);
    DLS_TRY(status);
    piece->made = count_of(piece);
  }
  *out = (DlsInertiaSurface){piece->surface, piece->velocity, piece->place, piece->S};
  return DLS_OK;
}

DlsStatus dls_inertia_solve_part(const DlsInertia *s, int part, int columns, const double *b,
                                 double *x) {
  const Piece *piece = &s->piece[s->piece_of[part]];
  const size_t n = (size_t)piece->dof;
  if (piece->factor) {
    const DlsThreads threads = dls_threads_one();
    const DlsStatus status = dls_sparse_factor_solve(piece->factor, columns, b, x);
    dls_threads_restore(threads);
    return status;
  }
  const double *LU = piece->factors + (size_t)(part - piece->first_part) * n * n;
  memmove(x, b, (size_t)columns * n * sizeof *x);
  for (int c = 0; c < columns; c++) dls_rigid_solve(piece->dof, LU, x + (size_t)c * n);
  return DLS_OK;
}

DlsStatus dls_inertia_solve(const DlsInertia *s, const double *b, double *x) {
  for (int part = 0; part < s->parts; part++) {
    const int start = dls_inertia_start(s, part);
    DLS_TRY(dls_inertia_solve_part(s, part, 1, b + start, x + start));
  }
  for (int k = 0; k < s->freedom; k++)
    DLS_CHECK(isfinite(x[k]), DLS_ERR_NUMERIC,
              "the mass matrix is singular to working precision: velocity %d is not finite", k);
  return DLS_OK;
}

/* p = L (U v) of rigid parts. */
void dls_inertia_apply(const DlsInertia *s, const double *v, double *p) {
  for (int k = 0; k < s->pieces; k++) {
    const Piece *piece = &s->piece[k];
    const int n = piece->dof;
    if (piece->factor) {
      dls_sparse_multiply(&piece->M, v + piece->first, p + piece->first);
      continue;
    }
    for (int e = 0; e < piece->parts * n; e++) {
      const double *LU = piece->factors + (size_t)(e / n) * (size_t)(n * n);
      double sum = 0;
      for (int j = 0; j < n; j++)
        sum += dls_rigid_entry(n, LU, e % n, j) * v[piece->first + e - e % n + j];
      p[piece->first + e] = sum;
    }
  }
}

/* The rows of a piece from row piece->first on; zeros of rigid parts are left out. */
static void write_rows(const Piece *piece, DlsSparse *M) {
  const int n = piece->dof;
  int next = M->start[piece->first];
  for (int e = 0; e < piece->parts * n; e++) {
    const int row = piece->first + e, own = row - e % n;
    if (piece->factor) {
      for (int k = piece->M.start[e]; k < piece->M.start[e + 1]; k++) {
        M->column[next] = piece->first + piece->M.column[k];
        M->value[next++] = piece->M.value[k];
      }
    } else {
      const double *LU = piece->factors + (size_t)(e / n) * (size_t)(n * n);
      for (int j = 0; j < n; j++) {
        const double value = dls_rigid_entry(n, LU, e % n, j);
        if (value == 0) continue;
        M->column[next] = own + j;
        M->value[next++] = value;
      }
    }
    M->start[row + 1] = next;
  }
}

DlsStatus dls_inertia_matrix(const DlsInertia *s, DlsSparse *M) {
  size_t entries = 0;
  for (int k = 0; k < s->pieces; k++) {
    const Piece *piece = &s->piece[k];
    entries += piece->factor ? (size_t)piece->M.start[piece->dof]
                             : (size_t)piece->parts * (size_t)(piece->dof * piece->dof);
  }
  DLS_CHECK(entries < INT_MAX, DLS_ERR_UNSUPPORTED, "%zu entries are too many for a sparse matrix",
            entries);
  DLS_TRY(dls_sparse_allocate(s->freedom, s->freedom, (int)entries, M));
  for (int k = 0; k < s->pieces; k++) write_rows(&s->piece[k], M);
  return DLS_OK;
}
