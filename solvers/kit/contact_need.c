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

/* What a pass finds in a cluster. */
typedef struct {
  double total2;
  int found;
} NeedTally;

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
  NeedTally *tally; /* of the clusters of the sweep, where it has any */
};

/* Bodies that move and touch contact i, and their parts of Ŵ_NN; false when there are more than
 * two. */
static int describe(const DlsOperator *W, const DlsPattern *pattern, int i, Spot *spot,
                    float *part) {
  const int begin = pattern->start[i], touches = pattern->start[i + 1] - begin;
  if (touches > 2) return 0;
  spot->body[0] = spot->body[1] = pattern->parts;
  for (int k = 0; k < touches; k++) {
    if (pattern->fixed && pattern->fixed[begin + k]) continue;
    spot->body[k] = pattern->part[begin + k];
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
  if (needs->sweep->colours) DLS_NEW(needs->tally, needs->sweep->colours->clusters);
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
  free(needs->tally);
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
  for (int k = 0; k < 2; k++)
    if (spot->body[k] < needs->bodies) given[spot->body[k]] += part[k] * size;
  spot->seen = given[spot->body[0]] + given[spot->body[1]];
}

/* What is done with the contacts of a list; of a cluster, or all. */
typedef struct {
  DlsContactNeed *needs;
  const double *before; /* r̂ before the first pass */
  double *r;
  float least; /* need² of the contacts to be solved */
} Job;

/* Inlined with the block known. */
DLS_INLINE void count_moves(const Job *job, int block, const DlsSweepList *list) {
  for (int n = 0; n < list->count; n++) {
    const int i = dls_sweep_contact(list, n);
    const size_t at = (size_t)i * (size_t)block;
    count_move(job->needs, block, i, job->before + at, job->r + at);
  }
}

DLS_HOT static void count_moves_3(const Job *job, const DlsSweepList *list) {
  count_moves(job, 3, list);
}

static void count_list(const Job *job, const DlsSweepList *list) {
  if (job->needs->block == 3)
    count_moves_3(job, list);
  else
    count_moves(job, job->needs->block, list);
}

static DlsStatus count_cluster(void *context, int cluster) {
  const Job *job = context;
  const DlsSweepList list = dls_sweep_cluster(job->needs->sweep, cluster, false);
  count_list(job, &list);
  return DLS_OK;
}

static DlsSharedRows given_of(const DlsContactNeed *needs) {
  return (DlsSharedRows){needs->given, sizeof *needs->given};
}

double dls_contact_need_begin(DlsContactNeed *needs, double *scratch, double *r_hat) {
  DlsSweep *sweep = needs->sweep;
  const DlsSweepList all = {.count = needs->contacts};
  Job job = {.needs = needs, .before = scratch, .r = r_hat};
  memset(needs->given, 0, ((size_t)needs->bodies + 1) * sizeof *needs->given);
  memcpy(scratch, r_hat, (size_t)needs->contacts * (size_t)needs->block * sizeof *r_hat);
  dls_sweep_pass(sweep, NULL, 0, 1, r_hat);
  needs->unit = sqrt(sweep->moved2 / needs->contacts);
  if (!(needs->unit > 0)) needs->unit = 1;
  DlsPortions *portions = dls_sweep_portions(sweep);
  if (portions)
    (void)dls_portions_each(portions, false, DLS_WORTH_ADDING, count_cluster, &job, given_of(needs),
                            (DlsSharedRows){NULL, 0});
  else if (sweep->colours)
    (void)dls_colours_each(sweep->colours, false, DLS_WORTH_ADDING, count_cluster, &job, NULL);
  else
    count_list(&job, &all);
  needs->visits = needs->last = needs->contacts;
  needs->total2 = 0;
  return sqrt(sweep->moved2);
}

/* The contacts among the n of a list from `from` on whose need² is at least `least`; Σ need² of
 * all of them. */
DLS_INLINE int find_needy(const DlsContactNeed *needs, const DlsSweepList *list, int from, int n,
                          float least, int *needy, double *total2) {
  const float *given = needs->given;
  float sum = 0;
  int found = 0;
  for (int k = from; k < from + n; k++) {
    const int i = dls_sweep_contact(list, k);
    const Spot *spot = &needs->spot[i];
    const float since = given[spot->body[0]] + given[spot->body[1]] - spot->seen;
    const float need = spot->rho * since, need2 = need * need;
    sum += need2;
    needy[found] = i;
    found += need2 >= least;
  }
  *total2 += (double)sum;
  return found;
}

/* Solves the needy of a list, CHUNK contacts at a time. Inlined with the block known. */
DLS_INLINE NeedTally solve_needy(const Job *job, int block, const DlsSweepList *list,
                                 DlsSweep *part) {
  DlsContactNeed *needs = job->needs;
  const size_t size = (size_t)block;
  NeedTally tally = {0};
  double before[3 * CHUNK];
  int needy[CHUNK + 1];
  for (int from = 0; from < list->count; from += CHUNK) {
    const int left = list->count - from, n = left < CHUNK ? left : CHUNK;
    const int found = find_needy(needs, list, from, n, job->least, needy, &tally.total2);
    if (!found || job->least == 0) continue;
    for (int k = 0; k < found; k++)
      memcpy(before + (size_t)k * size, job->r + (size_t)needy[k] * size, size * sizeof *before);
    dls_sweep_some(part, &(DlsSweepList){.order = needy, .count = found}, job->r);
    for (int k = 0; k < found; k++)
      count_move(needs, block, needy[k], before + (size_t)k * size,
                 job->r + (size_t)needy[k] * size);
    tally.found += found;
  }
  return tally;
}

DLS_HOT static NeedTally solve_needy_3(const Job *job, const DlsSweepList *list, DlsSweep *part) {
  return solve_needy(job, 3, list, part);
}

static NeedTally solve_list(const Job *job, const DlsSweepList *list, DlsSweep *part) {
  const int block = job->needs->block;
  return block == 3 ? solve_needy_3(job, list, part) : solve_needy(job, block, list, part);
}

static DlsStatus solve_cluster(void *context, int cluster) {
  const Job *job = context;
  DlsSweep part = dls_sweep_part(job->needs->sweep);
  const DlsSweepList list = dls_sweep_cluster(&part, cluster, false);
  job->needs->tally[cluster] = solve_list(job, &list, &part);
  dls_sweep_tell(&part, cluster);
  return part.status;
}

/* By colours; the sums in the order of the clusters. */
static NeedTally solve_colours(Job *job) {
  DlsContactNeed *needs = job->needs;
  DlsSweep *sweep = needs->sweep;
  const size_t clusters = (size_t)sweep->colours->clusters;
  NeedTally all = {0};
  memset(needs->tally, 0, clusters * sizeof *needs->tally);
  dls_sweep_clear_tallies(sweep);
  DlsPortions *portions = dls_sweep_portions(sweep);
  DlsStatus status = portions ? dls_portions_each(portions, false, DLS_WORTH_SOLVING, solve_cluster,
                                                  job, dls_sweep_rows(sweep), given_of(needs))
                              : dls_colours_each(sweep->colours, false, DLS_WORTH_SOLVING,
                                                 solve_cluster, job, NULL);
  if (portions) status = dls_portions_tell(portions, needs->tally, sizeof *needs->tally, status);
  if (portions) status = dls_portions_tell(portions, sweep->tally, sizeof *sweep->tally, status);
  if (sweep->status == DLS_OK) sweep->status = status;
  dls_sweep_add_tallies(sweep);
  for (size_t c = 0; c < clusters; c++) {
    all.total2 += needs->tally[c].total2;
    all.found += needs->tally[c].found;
  }
  return all;
}

double dls_contact_need_pass(DlsContactNeed *needs, double *r_hat) {
  const DlsSweepList list = {.count = needs->contacts};
  Job job = {.needs = needs, .r = r_hat, .least = (float)(needs->total2 / needs->contacts)};
  const NeedTally all =
      needs->sweep->colours ? solve_colours(&job) : solve_list(&job, &list, needs->sweep);
  needs->last = all.found;
  needs->visits += all.found;
  needs->total2 = all.total2;
  return needs->unit * sqrt(needs->total2);
}

long dls_contact_need_visits(const DlsContactNeed *needs) { return needs->visits; }
int dls_contact_need_last(const DlsContactNeed *needs) { return needs->last; }
