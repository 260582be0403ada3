#include "solvers/kit/contact_need.h"

#include "base/dispatch.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Contacts are taken by so many, so that what a contact moves is known to those after it. */
enum { CHUNK = 128 };

/* Of one contact on two bodies at most; the second may be one that never moves. */
typedef struct {
  int body[2];
  float rho;  /* 1 / Ŵ_NN */
  float seen; /* Σ_b A_b when it was solved last */
} Spot;

struct DlsContactNeed {
  DlsSweep *sweep; /* lent */
  int contacts, block, bodies;
  Spot *spot;
  float *part;   /* w of the bodies, [contacts][2] */
  float *given;  /* A, [bodies + 1]; the last stays 0 */
  double total2; /* Σ need² of the last pass, needs over `unit` */
  double unit;   /* N s, a typical change of the first pass: single precision has a short range */
  long visits;
  int last;
};

/* Bodies that touch contact i, and their parts of Ŵ_NN; false when there are more than two. */
static int describe(const DlsOperator *W, const DlsPattern *pattern, int i, Spot *spot,
                    float *part) {
  const int touches = pattern->start[i + 1] - pattern->start[i];
  if (touches > 2) return 0;
  spot->body[0] = spot->body[1] = pattern->parts;
  for (int k = 0; k < touches; k++) {
    spot->body[k] = pattern->part[pattern->start[i] + k];
    part[k] = (float)dls_operator_share(W, i, k);
  }
  return 1;
}

static DlsStatus prepare(DlsContactNeed *focus, const DlsPattern *pattern, int *possible) {
  const DlsOperator *W = dls_problem_operator(focus->sweep->problem);
  const int contacts = focus->contacts, bodies = pattern->parts;
  DLS_NEW(focus->spot, contacts);
  DLS_NEW(focus->part, 2 * (size_t)contacts);
  DLS_NEW(focus->given, bodies + 1);
  *possible = 1;
  for (int i = 0; i < contacts && *possible; i++) {
    float *part = focus->part + 2 * (size_t)i;
    *possible = describe(W, pattern, i, &focus->spot[i], part);
    const float sum = part[0] + part[1];
    focus->spot[i].rho = sum > 0 ? 1 / sum : 0;
  }
  return DLS_OK;
}

DlsStatus dls_contact_need_create(DlsSweep *sweep, DlsContactNeed **out) {
  *out = NULL;
  if (!sweep->factored || sweep->block > 3) return DLS_OK;
  DlsContactNeed *focus;
  DlsPattern pattern;
  int possible = 0;
  DLS_NEW(focus, 1);
  focus->sweep = sweep;
  focus->contacts = sweep->contacts;
  focus->block = sweep->block;
  DlsStatus status = dls_operator_pattern(dls_problem_operator(sweep->problem), &pattern);
  focus->bodies = pattern.parts;
  if (status == DLS_OK) status = prepare(focus, &pattern, &possible);
  dls_pattern_clear(&pattern);
  if (status == DLS_OK && possible)
    *out = focus;
  else
    dls_contact_need_destroy(focus);
  return status;
}

void dls_contact_need_destroy(DlsContactNeed *focus) {
  if (!focus) return;
  free(focus->spot);
  free(focus->part);
  free(focus->given);
  free(focus);
}

/* Contact i has moved from `before` to r. */
DLS_INLINE void count_move(DlsContactNeed *focus, int block, int i, const double *before,
                           const double *r) {
  Spot *spot = &focus->spot[i];
  const float *part = focus->part + 2 * (size_t)i;
  float *given = focus->given;
  double size2 = 0;
  for (int k = 0; k < block; k++) size2 += (r[k] - before[k]) * (r[k] - before[k]);
  const float size = (float)(sqrt(size2) / focus->unit);
  for (int k = 0; k < 2; k++) given[spot->body[k]] += part[k] * size;
  given[focus->bodies] = 0;
  spot->seen = given[spot->body[0]] + given[spot->body[1]];
}

DLS_HOT double dls_contact_need_begin(DlsContactNeed *focus, double *scratch, double *r_hat) {
  const int block = focus->block;
  const size_t n = (size_t)focus->contacts * (size_t)block;
  memset(focus->given, 0, ((size_t)focus->bodies + 1) * sizeof *focus->given);
  memcpy(scratch, r_hat, n * sizeof *r_hat);
  dls_sweep_pass(focus->sweep, NULL, 0, 1, r_hat);
  focus->unit = sqrt(focus->sweep->moved2 / focus->contacts);
  if (!(focus->unit > 0)) focus->unit = 1;
  for (int i = 0; i < focus->contacts; i++)
    count_move(focus, block, i, scratch + (size_t)i * (size_t)block,
               r_hat + (size_t)i * (size_t)block);
  focus->visits = focus->last = focus->contacts;
  focus->total2 = 0;
  return sqrt(focus->sweep->moved2);
}

/* The contacts of [begin, end) whose need² is at least `least`; Σ need² of all of them. */
DLS_INLINE int find_needy(const DlsContactNeed *focus, int begin, int end, float least, int *list,
                          double *total2) {
  const float *given = focus->given;
  float sum = 0;
  int found = 0;
  for (int i = begin; i < end; i++) {
    const Spot *spot = &focus->spot[i];
    const float since = given[spot->body[0]] + given[spot->body[1]] - spot->seen;
    const float need = spot->rho * since, need2 = need * need;
    sum += need2;
    list[found] = i;
    found += need2 >= least;
  }
  *total2 += (double)sum;
  return found;
}

/* Inlined with the block known. */
DLS_INLINE void pass(DlsContactNeed *focus, int block, double *r_hat) {
  const int contacts = focus->contacts;
  const size_t size = (size_t)block;
  const float least = (float)(focus->total2 / contacts);
  double total2 = 0, before[3 * CHUNK];
  int list[CHUNK + 1];
  focus->last = 0;
  for (int begin = 0; begin < contacts; begin += CHUNK) {
    const int end = begin + CHUNK < contacts ? begin + CHUNK : contacts;
    const int found = find_needy(focus, begin, end, least, list, &total2);
    if (!found || least == 0) continue;
    for (int k = 0; k < found; k++)
      memcpy(before + (size_t)k * size, r_hat + (size_t)list[k] * size, size * sizeof *before);
    dls_sweep_some(focus->sweep, list, found, r_hat);
    for (int k = 0; k < found; k++)
      count_move(focus, block, list[k], before + (size_t)k * size, r_hat + (size_t)list[k] * size);
    focus->last += found;
  }
  focus->visits += focus->last;
  focus->total2 = total2;
}

DLS_HOT static void pass_3(DlsContactNeed *focus, double *r_hat) { pass(focus, 3, r_hat); }

double dls_contact_need_pass(DlsContactNeed *focus, double *r_hat) {
  if (focus->block == 3)
    pass_3(focus, r_hat);
  else
    pass(focus, focus->block, r_hat);
  return focus->unit * sqrt(focus->total2);
}

long dls_contact_need_visits(const DlsContactNeed *focus) { return focus->visits; }
int dls_contact_need_last(const DlsContactNeed *focus) { return focus->last; }
