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

static DlsStatus prepare(DlsContactNeed *needs, const DlsPattern *pattern, int *possible) {
  const DlsOperator *W = dls_problem_operator(needs->sweep->problem);
  const int contacts = needs->contacts, bodies = pattern->parts;
  DLS_NEW(needs->spot, contacts);
  DLS_NEW(needs->part, 2 * (size_t)contacts);
  DLS_NEW(needs->given, bodies + 1);
  *possible = 1;
  for (int i = 0; i < contacts && *possible; i++) {
    float *part = needs->part + 2 * (size_t)i;
    *possible = describe(W, pattern, i, &needs->spot[i], part);
    const float sum = part[0] + part[1];
    needs->spot[i].rho = sum > 0 ? 1 / sum : 0;
  }
  return DLS_OK;
}

DlsStatus dls_contact_need_create(DlsSweep *sweep, DlsContactNeed **out) {
  *out = NULL;
  if (!sweep->factored || sweep->block > 3) return DLS_OK;
  DlsContactNeed *needs;
  DlsPattern pattern;
  int possible = 0;
  DLS_NEW(needs, 1);
  needs->sweep = sweep;
  needs->contacts = sweep->contacts;
  needs->block = sweep->block;
  DlsStatus status = dls_operator_pattern(dls_problem_operator(sweep->problem), &pattern);
  needs->bodies = pattern.parts;
  if (status == DLS_OK) status = prepare(needs, &pattern, &possible);
  dls_pattern_clear(&pattern);
  if (status == DLS_OK && possible)
    *out = needs;
  else
    dls_contact_need_destroy(needs);
  return status;
}

void dls_contact_need_destroy(DlsContactNeed *needs) {
  if (!needs) return;
  free(needs->spot);
  free(needs->part);
  free(needs->given);
  free(needs);
}

/* Contact i has moved from `before` to r. */
DLS_INLINE void count_move(DlsContactNeed *needs, int block, int i, const double *before,
                           const double *r) {
  Spot *spot = &needs->spot[i];
  const float *part = needs->part + 2 * (size_t)i;
  float *given = needs->given;
  double size2 = 0;
  for (int k = 0; k < block; k++) size2 += (r[k] - before[k]) * (r[k] - before[k]);
  const float size = (float)(sqrt(size2) / needs->unit);
  for (int k = 0; k < 2; k++) given[spot->body[k]] += part[k] * size;
  given[needs->bodies] = 0;
  spot->seen = given[spot->body[0]] + given[spot->body[1]];
}

DLS_HOT double dls_contact_need_begin(DlsContactNeed *needs, double *scratch, double *r_hat) {
  const int block = needs->block;
  const size_t n = (size_t)needs->contacts * (size_t)block;
  memset(needs->given, 0, ((size_t)needs->bodies + 1) * sizeof *needs->given);
  memcpy(scratch, r_hat, n * sizeof *r_hat);
  dls_sweep_pass(needs->sweep, NULL, 0, 1, r_hat);
  needs->unit = sqrt(needs->sweep->moved2 / needs->contacts);
  if (!(needs->unit > 0)) needs->unit = 1;
  for (int i = 0; i < needs->contacts; i++)
    count_move(needs, block, i, scratch + (size_t)i * (size_t)block,
               r_hat + (size_t)i * (size_t)block);
  needs->visits = needs->last = needs->contacts;
  needs->total2 = 0;
  return sqrt(needs->sweep->moved2);
}

/* The contacts of [begin, end) whose need² is at least `least`; Σ need² of all of them. */
DLS_INLINE int find_needy(const DlsContactNeed *needs, int begin, int end, float least, int *list,
                          double *total2) {
  const float *given = needs->given;
  float sum = 0;
  int found = 0;
  for (int i = begin; i < end; i++) {
    const Spot *spot = &needs->spot[i];
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
DLS_INLINE void pass(DlsContactNeed *needs, int block, double *r_hat) {
  const int contacts = needs->contacts;
  const size_t size = (size_t)block;
  const float least = (float)(needs->total2 / contacts);
  double total2 = 0, before[3 * CHUNK];
  int list[CHUNK + 1];
  needs->last = 0;
  for (int begin = 0; begin < contacts; begin += CHUNK) {
    const int end = begin + CHUNK < contacts ? begin + CHUNK : contacts;
    const int found = find_needy(needs, begin, end, least, list, &total2);
    if (!found || least == 0) continue;
    for (int k = 0; k < found; k++)
      memcpy(before + (size_t)k * size, r_hat + (size_t)list[k] * size, size * sizeof *before);
    dls_sweep_some(needs->sweep, list, found, r_hat);
    for (int k = 0; k < found; k++)
      count_move(needs, block, list[k], before + (size_t)k * size, r_hat + (size_t)list[k] * size);
    needs->last += found;
  }
  needs->visits += needs->last;
  needs->total2 = total2;
}

DLS_HOT static void pass_3(DlsContactNeed *needs, double *r_hat) { pass(needs, 3, r_hat); }

double dls_contact_need_pass(DlsContactNeed *needs, double *r_hat) {
  if (needs->block == 3)
    pass_3(needs, r_hat);
  else
    pass(needs, needs->block, r_hat);
  return needs->unit * sqrt(needs->total2);
}

long dls_contact_need_visits(const DlsContactNeed *needs) { return needs->visits; }
int dls_contact_need_last(const DlsContactNeed *needs) { return needs->last; }
