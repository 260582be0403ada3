/* Whether some island of a problem is squeezed; see squeeze.h. The rows of an island are what its
 * laws ask of û whatever the reactions, as functions of velocities: u = gather y between bodies, u
 * = W r of an assembled operator. */
#include <delassus/islands.h>
#include <delassus/squeeze.h>

#include "base/memory.h"
#include "base/small.h"
#include "problem/operator/operator_impl.h"
#include "problem/problem_impl.h"
#include "problem/separate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 600, MOST_COLUMNS = 4000 };

/* Relative: what rows of H and of W are known to. W squares what H says, so that a mass ratio of
 * 1e12 stands there as 1e-12; in H it would be 1e-6. */
static const double exact_H = 1e-12, exact_W = 1e-14;

/* One number of a row: its column among all velocities (or reactions). */
typedef struct {
  int column;
  double value;
} Entry;

typedef struct {
  const DlsProblem *problem;
  bool squared;                 /* rows are those of W, not of H */
  DlsOperator *assembled;       /* owned, of one that has neither parts nor rows; NULL */
  const DlsOperator *W;         /* the problem's, or `assembled` */
  DlsPattern pattern;           /* of the parts; unless `squared` */
  DlsBlockRows W_rows;          /* where `squared` */
  double *scale;                /* [rows of W]: 1 / sqrt(W_jj), where `squared` */
  double *r, *u;                /* [contacts][block]: r̂ and its û */
  int *island;                  /* [contacts] */
  int islands, *first, *member; /* contacts of island m: member[first[m] .. first[m + 1] - 1] */
  int *place;                   /* [all columns]: number among those of the island at hand, -1 */
  int all_columns;

  /* The island at hand. Room for the largest that is not too large is made when the first is
   * looked at: `most_rows` and `most_columns`. */
  int most_rows, most_columns;
  int rows, columns;
  Entry *entry;                             /* of row i: begin[i] <= e < begin[i + 1] */
  int room, *begin;                         /* [most_rows + 1] */
  int *contact, *component;                 /* [most_rows] */
  int *known;                               /* [most_columns]: the columns in use, to forget them */
  double *norm, *q, *size, *start, *lambda; /* [most_rows] */
  bool fresh;                               /* start is q, not û */
  uint8_t *equation;                        /* [most_rows] */
} Hunt;

void dls_squeeze_clear(DlsSqueeze *squeeze) {
  free(squeeze->contact);
  free(squeeze->push);
  *squeeze = (DlsSqueeze){0};
}

void dls_squeeze_describe(const DlsSqueeze *squeeze, char *text, size_t bytes) {
  const int most = 8; /* contacts by number */
  const int count = squeeze->count, told = count < most ? count : most;
  size_t at = 0;
#define SAY(...)                                                                                   \
  do {                                                                                             \
    const int wrote = snprintf(text + at, bytes - at, __VA_ARGS__);                                \
    at = wrote < 0 || at + (size_t)wrote >= bytes ? bytes - 1 : at + (size_t)wrote;                \
  } while (0)
  SAY("no motion is possible: contact%s", count == 1 ? "" : "s");
  for (int k = 0; k < told; k++)
    SAY("%s%d", k == 0 ? " " : k + 1 == count ? " and " : ", ", squeeze->contact[k]);
  if (told < count) SAY(" and %d more", count - told);
  if (count == 1)
    SAY(" closes at %.4g m/s, and no reaction moves it", squeeze->closing);
  else
    SAY(" push each other and close at %.4g m/s", squeeze->closing);
#undef SAY
}

static void hunt_destroy(Hunt *h) {
  if (!h) return;
  dls_operator_destroy(&h->assembled);
  dls_pattern_clear(&h->pattern);
  free(h->scale);
  free(h->r);
  free(h->u);
  free(h->island);
  free(h->first);
  free(h->member);
  free(h->place);
  free(h->entry);
  free(h->begin);
  free(h->norm);
  free(h->equation);
  free(h);
}

/* Whether the law asks for û_k >= 0, or for û_k = 0, whatever the reactions. Compliance gives
 * way. */
typedef enum { ASKS_NOTHING, ASKS_SIGN, ASKS_ZERO } Asks;

static Asks asks(const DlsRelation *relation, int k) {
  if (relation->C[k] > 0) return ASKS_NOTHING;
  switch (relation->cone) {
  case DLS_CONE_SIGNORINI:
  case DLS_CONE_COULOMB:
  case DLS_CONE_ROLLING:
    return k == 0 ? ASKS_SIGN : ASKS_NOTHING;
  case DLS_CONE_SLIDER:
    return k == 0 ? ASKS_ZERO : ASKS_NOTHING;
  case DLS_CONE_BILATERAL:
    return ASKS_ZERO;
  case DLS_CONE_FREE:
  case DLS_CONE_CUSTOM:
  default:
    return ASKS_NOTHING;
  }
}

/* Whether the law may give r̂_k another value than 0. */
static bool may_react(const DlsRelation *relation, int k) {
  if (relation->cone == DLS_CONE_FREE) return false;
  return k == 0 || (relation->cone != DLS_CONE_SIGNORINI && relation->cone != DLS_CONE_SLIDER);
}

/* One more number of the last row. */
static DlsStatus put(Hunt *h, int column, double value) {
  int *end = &h->begin[h->rows + 1];
  if (value == 0) return DLS_OK;
  if (*end == h->room) {
    const int room = 2 * h->room + 64;
    Entry *more = realloc(h->entry, (size_t)room * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d numbers", room);
    h->entry = more;
    h->room = room;
  }
  h->entry[(*end)++] = (Entry){column, value};
  return DLS_OK;
}

/* u = gather y. */
static DlsStatus row_of_parts(Hunt *h, int i, int k) {
  const int touches = h->pattern.start[i + 1] - h->pattern.start[i];
  for (int t = 0; t < touches; t++) {
    DlsTouch touch;
    h->W->does->touch(h->W, i, t, &touch);
    for (int c = 0; c < touch.dof; c++)
      DLS_TRY(put(h, touch.first + c, touch.gather[k * touch.dof + c]));
  }
  return DLS_OK;
}

static DlsStatus row_of_blocks(Hunt *h, int i, int k) {
  const DlsBlockRows W = h->W_rows;
  const size_t block = (size_t)W.block;
  for (int at = W.start[i]; at < W.start[i + 1]; at++)
    for (int c = 0; c < W.block; c++) {
      const int column = W.column[at] * W.block + c;
      if (!may_react(dls_problem_shared(h->problem, W.column[at]), c)) continue;
      const double value = W.value[(size_t)at * block * block + (size_t)k * block + (size_t)c];
      DLS_TRY(put(h, column, value * h->scale[column]));
    }
  return DLS_OK;
}

static DlsStatus row_of(Hunt *h, int i, int k) {
  h->begin[h->rows + 1] = h->begin[h->rows];
  return h->squared ? row_of_blocks(h, i, k) : row_of_parts(h, i, k);
}

/* Islands as lists of their contacts. */
static DlsStatus deal(Hunt *h) {
  const int contacts = h->problem->contacts;
  DLS_NEW(h->island, contacts);
  DLS_TRY(dls_islands_find(h->W, h->island, &h->islands));
  DLS_NEW(h->first, h->islands + 2);
  DLS_NEW(h->member, contacts);
  for (int i = 0; i < contacts; i++) h->first[h->island[i] + 2]++;
  for (int m = 0; m < h->islands; m++) h->first[m + 2] += h->first[m + 1];
  for (int i = 0; i < contacts; i++) h->member[h->first[h->island[i] + 1]++] = i;
  return DLS_OK;
}

/* r̂ and its û. */
static DlsStatus take_pair(Hunt *h, const double *r) {
  const DlsProblem *p = h->problem;
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  DLS_NEW(h->r, n);
  DLS_NEW(h->u, n);
  if (r) {
    memcpy(h->r, r, n * sizeof *r);
    dls_problem_to_standard(p, h->r);
  }
  dls_problem_standard_velocity(p, h->r, h->u);
  return DLS_OK;
}

/* What rows are made of, and the islands. */
static DlsStatus make(Hunt *h) {
  const DlsProblem *p = h->problem;
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  h->W = p->W;
  h->squared = !dls_operator_has_parts(p->W);
  if (h->squared) {
    DLS_TRY(dls_operator_rows(p->W, &h->assembled, &h->W_rows));
    if (h->assembled) h->W = h->assembled;
  } else {
    DLS_TRY(dls_operator_pattern(p->W, &h->pattern));
  }
  DLS_TRY(deal(h));
  h->all_columns = dls_operator_freedom(h->W);
  if (h->squared) {
    double *D;
    h->all_columns = (int)n;
    DLS_NEW(h->scale, n);
    DLS_NEW(D, n * (size_t)p->block);
    dls_operator_diagonal(h->W, D);
    for (size_t e = 0; e < n; e++) {
      const size_t block = (size_t)p->block;
      const double w = D[e / block * block * block + e % block * (block + 1)];
      h->scale[e] = w > 0 && isfinite(1 / sqrt(w)) ? 1 / sqrt(w) : 1;
    }
    free(D);
  }
  DLS_NEW(h->place, h->all_columns);
  for (int c = 0; c < h->all_columns; c++) h->place[c] = -1;
  return DLS_OK;
}

/* q + b of a component: λ·q̂ = λ·(q + b), and cohesion leaves no round-off in it. */
static double load_of(const DlsProblem *p, int i, int k) {
  return p->q[(size_t)i * (size_t)p->block + (size_t)k] + dls_problem_shared(p, i)->b[k];
}

/* What that sum was made of, m/s: what is far below it is round-off. */
static double speed_of(const DlsProblem *p, int i, int k) {
  return fabs(p->q[(size_t)i * (size_t)p->block + (size_t)k]) +
         fabs(dls_problem_shared(p, i)->b[k]) + p->speed;
}

/* Σ sqrt(W_jj) |r̂_j| of an island, m/s times sqrt(kg): eps times this bounds the round-off of û_i
 * over sqrt(W_ii). Reactions that have run off leave û without digits. */
static double pushes_of(const Hunt *h, int m) {
  const DlsProblem *p = h->problem;
  double sum = 0;
  for (int at = h->first[m]; at < h->first[m + 1]; at++) {
    const int i = h->member[at];
    sum += dls_small_norm(p->block, h->r + (size_t)i * (size_t)p->block) / sqrt(p->rho[i]);
  }
  return sum;
}

static const double digits = 1e-11; /* û is known to this, or q is the place to start from */

/* Whether û of the island is admissible as it is, or violates so little that nothing could be
 * proved. */
static bool is_admissible(const Hunt *h, int m) {
  const double nothing = 1e-13, noise = DBL_EPSILON * pushes_of(h, m);
  const DlsProblem *p = h->problem;
  double worst = 0, load = 0, lightest = 0;
  for (int at = h->first[m]; at < h->first[m + 1]; at++)
    for (int i = h->member[at], k = 0; k < p->block; k++) {
      const Asks what = asks(dls_problem_shared(p, i), k);
      const double u = h->u[(size_t)i * (size_t)p->block + (size_t)k];
      if (what == ASKS_NOTHING) continue;
      lightest = fmax(lightest, 1 / sqrt(p->rho[i]));
      worst = fmax(worst, what == ASKS_SIGN ? -u : fabs(u));
      load = fmax(load, speed_of(p, i, k));
    }
  return worst <= nothing * load && noise * lightest <= digits * load;
}

/* Whether the û of each contact alone is admissible, so that every island is: its load is at least
 * that of each of its contacts, its noise at most that of all. Most solves end here, before islands
 * are looked for. */
static bool all_are_admissible(const Hunt *h) {
  const double nothing = 1e-13;
  const DlsProblem *p = h->problem;
  double pushes = 0, lightest = 0, least = INFINITY;
  for (int i = 0; i < p->contacts; i++) {
    const size_t at = (size_t)i * (size_t)p->block;
    double worst = 0, load = 0;
    bool any = false;
    pushes += dls_small_norm(p->block, h->r + at) / sqrt(p->rho[i]);
    for (int k = 0; k < p->block; k++) {
      const Asks what = asks(dls_problem_shared(p, i), k);
      if (what == ASKS_NOTHING) continue;
      any = true;
      worst = fmax(worst, what == ASKS_SIGN ? -h->u[at + (size_t)k] : fabs(h->u[at + (size_t)k]));
      load = fmax(load, speed_of(p, i, k));
    }
    if (!any) continue;
    if (!(worst <= nothing * load)) return false;
    lightest = fmax(lightest, 1 / sqrt(p->rho[i]));
    least = fmin(least, load);
  }
  /* twice, for sums of islands are rounded otherwise than the sum of all */
  return 2 * DBL_EPSILON * pushes * lightest <= digits * least;
}

/* Columns by their number in the island, duplicates summed, |row| = 1; false where the island has
 * too many. */
static bool finish_row(Hunt *h) {
  const int begin = h->begin[h->rows];
  int *end = &h->begin[h->rows + 1], kept = begin;
  double sum = 0;
  for (int e = begin; e < *end; e++) {
    int *place = &h->place[h->entry[e].column];
    if (*place < 0) {
      if (h->columns == MOST_COLUMNS) return false;
      h->known[h->columns] = h->entry[e].column;
      *place = h->columns++;
    }
    int same = begin;
    while (same < kept && h->entry[same].column != *place) same++;
    if (same < kept)
      h->entry[same].value += h->entry[e].value;
    else
      h->entry[kept++] = (Entry){*place, h->entry[e].value};
  }
  *end = kept;
  for (int e = begin; e < kept; e++) sum += h->entry[e].value * h->entry[e].value;
  h->norm[h->rows] = sum > 0 ? sqrt(sum) : 1;
  for (int e = begin; e < kept; e++) h->entry[e].value /= h->norm[h->rows];
  return true;
}

/* The rows of an island; *fits: whether it is not too large. */
static DlsStatus fill(Hunt *h, int m, bool *fits) {
  const DlsProblem *p = h->problem;
  h->rows = h->columns = 0;
  *fits = true;
  for (int at = h->first[m]; at < h->first[m + 1]; at++)
    for (int i = h->member[at], k = 0; k < p->block; k++) {
      const Asks what = asks(dls_problem_shared(p, i), k);
      if (what == ASKS_NOTHING) continue;
      *fits = h->rows < MOST_ROWS;
      if (!*fits) return DLS_OK;
      DLS_TRY(row_of(h, i, k));
      *fits = finish_row(h);
      if (!*fits) return DLS_OK;
      const int row = h->rows++;
      h->contact[row] = i;
      h->component[row] = k;
      h->equation[row] = what == ASKS_ZERO;
      h->q[row] = load_of(p, i, k) / h->norm[row];
      h->size[row] = speed_of(p, i, k) / h->norm[row];
      h->start[row] = h->u[(size_t)i * (size_t)p->block + (size_t)k] / h->norm[row];
    }
  return DLS_OK;
}

static void check_start(Hunt *h, int m) {
  double load = 0;
  for (int i = 0; i < h->rows; i++) load = fmax(load, h->size[i]);
  h->fresh = !(DBL_EPSILON * pushes_of(h, m) <= digits * load);
  if (h->fresh) memcpy(h->start, h->q, (size_t)h->rows * sizeof *h->start);
}

static void forget_columns(Hunt *h) {
  for (int c = 0; c < h->columns; c++) h->place[h->known[c]] = -1;
}

static double velocity_of(const Hunt *h, int row, const double *v) {
  double sum = h->start[row];
  for (int e = h->begin[row]; e < h->begin[row + 1]; e++)
    sum += h->entry[e].value * v[h->entry[e].column];
  return sum;
}

/* A motion that the rows allow, sought near û: each row that is violated is obeyed in turn, at
 * first with a margin that shrinks (the relaxation of Agmon and Motzkin). True where all are obeyed
 * at last, so that there is nothing to prove, and for many rows, whose proof would be dear, already
 * where what is violated still falls: it stays where no motion exists. */
static bool gives_way(const Hunt *h, double *v) {
  const int sweeps = 5, few = 60, rounds = h->rows <= few ? 10 : 200;
  double load = 0, worst = 0, left = 0, earlier = 0;
  for (int i = 0; i < h->rows; i++) {
    load = fmax(load, h->size[i]);
    worst = fmax(worst, h->equation[i] ? fabs(h->start[i]) : -h->start[i]);
  }
  for (int round = 0; round < rounds; round++) {
    const double margin = 2 * round < rounds ? worst * pow(0.5, 20.0 * round / rounds) : 0;
    for (int k = 0; k < sweeps * h->rows; k++) {
      const int i = k % h->rows;
      const double now = velocity_of(h, i, v), wanted = h->equation[i] ? 0 : margin;
      if (!h->equation[i] && now >= wanted) continue;
      for (int e = h->begin[i]; e < h->begin[i + 1]; e++)
        v[h->entry[e].column] += (wanted - now) * h->entry[e].value;
    }
    left = 0;
    for (int i = 0; i < h->rows; i++) {
      const double now = velocity_of(h, i, v);
      left = fmax(left, h->equation[i] ? fabs(now) : -now);
    }
    if (left <= 1e-13 * load) return true;
    if (4 * round < 3 * rounds) earlier = left;
  }
  return h->rows > few && left <= 0.5 * earlier;
}

/* The pushes of the rows as those of contacts. */
static DlsStatus tell(const Hunt *h, DlsSqueeze *out) {
  const int block = h->problem->block;
  double largest = 0, power = 0;
  for (int row = 0; row < h->rows; row++)
    largest = fmax(largest, fabs(h->lambda[row]) / h->norm[row]);
  DLS_NEW(out->contact, h->rows);
  DLS_NEW(out->push, (size_t)h->rows * (size_t)block);
  for (int row = 0; row < h->rows; row++) {
    if (h->lambda[row] == 0) continue;
    const int i = h->contact[row];
    if (out->count == 0 || out->contact[out->count - 1] != i) out->contact[out->count++] = i;
    out->push[(size_t)(out->count - 1) * (size_t)block + (size_t)h->component[row]] =
        h->lambda[row] / h->norm[row] / largest;
    power += h->lambda[row] / h->norm[row] / largest * load_of(h->problem, i, h->component[row]);
  }
  out->closing = -power;
  return DLS_OK;
}

/* λ of the rows at hand, dense; *found: whether it proves. `A` [rows][columns] is zero. */
static DlsStatus prove(Hunt *h, double *A, bool *found) {
  const DlsSystem system = {.rows = h->rows,
                            .columns = h->columns,
                            .A = A,
                            .q = h->q,
                            .size = h->size,
                            .equation = h->equation,
                            .exact = h->squared ? exact_W : exact_H};
  for (int i = 0; i < h->rows; i++)
    for (int e = h->begin[i]; e < h->begin[i + 1]; e++)
      A[(size_t)i * (size_t)h->columns + (size_t)h->entry[e].column] = h->entry[e].value;
  /* Near û first, where slow closing shows. */
  for (int turn = h->fresh; turn < 2 && !*found; turn++) {
    DLS_TRY(dls_separate(&system, turn == 0 ? h->start : h->q, h->lambda, found));
    if (*found) DLS_TRY(dls_separate_proves(&system, h->lambda, found));
  }
  return DLS_OK;
}

/* Most solves end with nothing to look at, and small ones are over sooner than room for the largest
 * island of all problems is zeroed. */
static DlsStatus make_room(Hunt *h) {
  if (h->equation) return DLS_OK;
  int rows = 0;
  for (int m = 0; m < h->islands && rows < MOST_ROWS; m++) {
    const int contacts = h->first[m + 1] - h->first[m];
    const int all = contacts < MOST_ROWS ? contacts * h->problem->block : MOST_ROWS;
    if (all > rows) rows = all;
  }
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  const int columns = h->all_columns < MOST_COLUMNS ? h->all_columns : MOST_COLUMNS;
  h->most_rows = rows;
  h->most_columns = columns;
  DLS_NEW(h->begin, 3 * rows + 1 + columns);
  h->contact = h->begin + rows + 1;
  h->component = h->contact + rows;
  h->known = h->component + rows;
  DLS_NEW(h->norm, 5 * rows);
  h->q = h->norm + rows;
  h->size = h->q + rows;
  h->start = h->size + rows;
  h->lambda = h->start + rows;
  DLS_NEW(h->equation, rows);
  return DLS_OK;
}

static DlsStatus hunt_island(Hunt *h, int m, DlsSqueeze *out) {
  bool fits = false, found = false;
  if (is_admissible(h, m)) return DLS_OK;
  DLS_TRY(make_room(h));
  DlsStatus status = fill(h, m, &fits);
  forget_columns(h);
  DLS_TRY(status);
  if (!fits || h->rows == 0) return DLS_OK;
  check_start(h, m);
  double *work;
  DLS_NEW(work, h->columns);
  const bool free_to_move = gives_way(h, work);
  free(work);
  if (free_to_move) return DLS_OK;
  DLS_NEW(work, (size_t)h->rows * (size_t)h->columns);
  status = prove(h, work, &found);
  free(work);
  return status == DLS_OK && found ? tell(h, out) : status;
}

DlsStatus dls_squeeze_find(const DlsProblem *problem, const double *r, DlsSqueeze *out) {
  Hunt *h;
  *out = (DlsSqueeze){0};
  if (problem->moves) return DLS_OK;
  /* W of deformable bodies is dear to assemble. */
  if (!dls_operator_has_parts(problem->W) && !dls_operator_has_rows(problem->W) &&
      problem->contacts > MOST_ROWS)
    return DLS_OK;
  DLS_NEW(h, 1);
  h->problem = problem;
  DlsStatus status = take_pair(h, r);
  if (status == DLS_OK && !all_are_admissible(h)) status = make(h);
  for (int m = 0; m < h->islands && status == DLS_OK && out->count == 0; m++)
    status = hunt_island(h, m, out);
  hunt_destroy(h);
  if (status != DLS_OK) dls_squeeze_clear(out);
  return status;
}
