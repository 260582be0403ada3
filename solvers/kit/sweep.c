/* What the kernels of a sweep share: which of them is taken, preparation of contacts, and the
 * update that any law can take. */
#include "solvers/kit/sweep.h"

#include <delassus/cone.h>
#include <delassus/local.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "problem/cone_impl.h"
#include "problem/local/local_impl.h"
#include "problem/natural_map.h"
#include "problem/parted.h"
#include "problem/problem_impl.h"
#include "problem/spins.h"

#include <stdlib.h>
#include <string.h>

static int is_isotropic(const DlsRelation *relation, int block) {
  return relation->cone == DLS_CONE_COULOMB &&
         (block == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2]);
}

/* Numbers of each array, the next one beginning on a line of its own. */
enum { LINE = 64 };

static void *carve(char **next, size_t bytes) {
  void *at = *next;
  *next += (bytes + LINE - 1) / LINE * LINE;
  return at;
}

/* Isotropic contacts with a block that is definite, and clearly so, take the fast path, those that
 * dilate a quick one of their own, all others the general one. */
static void classify_contacts(DlsSweep *sweep) {
  const int block = sweep->block, dim = dls_problem_dim(sweep->problem);
  const size_t size = (size_t)(block * block);
  for (int i = 0; i < sweep->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(sweep->problem, i);
    const double *D = sweep->D + (size_t)i * size, mu = relation->mu[DLS_MU_1];
    const int plain = is_isotropic(relation, block) && dim == block && mu > 0;
    const DlsSweepKind quick = relation->associated > 0 ? DLS_KIND_DILATANT : DLS_KIND_COULOMB;
    if (block == 3) {
      DlsCoulomb3 *local = &sweep->contact3[i].local;
      const int definite = dls_coulomb3_prepare(mu, D, local) && dls_coulomb3_is_regular(local, D);
      sweep->contact3[i].kind = plain && definite ? quick : DLS_KIND_GENERAL;
    } else if (block == 2) {
      DlsCoulomb2 *local = &sweep->contact2[i].local;
      const int definite = dls_coulomb2_prepare(mu, D, local) && dls_coulomb2_is_regular(local, D);
      sweep->contact2[i].kind = plain && definite ? quick : DLS_KIND_GENERAL;
    }
  }
}

/* One piece of memory holds all arrays: small problems are solved in less time than a few more
 * would take to get. `blocks` off the diagonal, `velocities` of bodies. */
DlsStatus dls_sweep_take_memory(DlsSweep *sweep, size_t blocks, size_t velocities) {
  const size_t contacts = (size_t)sweep->contacts, size = (size_t)(sweep->block * sweep->block);
  const size_t contact = sweep->block == 3   ? sizeof *sweep->contact3
                         : sweep->block == 2 ? sizeof *sweep->contact2
                                             : 0;
  const size_t bytes[] = {contacts * size * sizeof(double), contacts * contact,
                          velocities * sizeof(double),      blocks * size * sizeof(double),
                          (contacts + 1) * sizeof(int),     blocks * sizeof(int)};
  size_t total = 0;
  for (int k = 0; k < DLS_COUNT(bytes); k++) total += (bytes[k] + LINE - 1) / LINE * LINE;
  char *next;
  DLS_NEW(next, total);
  sweep->memory = next;
  sweep->D = carve(&next, bytes[0]);
  void *contacts_at = carve(&next, bytes[1]);
  if (sweep->block == 3) sweep->contact3 = contacts_at;
  if (sweep->block == 2) sweep->contact2 = contacts_at;
  sweep->y = carve(&next, bytes[2]);
  sweep->value = carve(&next, bytes[3]);
  sweep->start = carve(&next, bytes[4]);
  sweep->column = carve(&next, bytes[5]);
  return DLS_OK;
}

void dls_sweep_prepare_contacts(DlsSweep *sweep) {
  dls_problem_standard_diagonal(sweep->problem, sweep->D);
  classify_contacts(sweep);
}

/* The quickest first; the last takes every operator. */
static const DlsSweepKernel *choose_kernel(const DlsOperator *W, DlsSweepForm form) {
  static const DlsSweepKernel *const kernels[] = {&dls_sweep_on_spheres, &dls_sweep_on_supports,
                                                  &dls_sweep_on_parts, &dls_sweep_on_rows};
  int k = 0;
  while ((kernels[k]->on_parts && form == DLS_SWEEP_ASSEMBLED) || !kernels[k]->fits(W)) k++;
  return kernels[k];
}

static DlsStatus prepare(DlsSweep *sweep, DlsSweepForm form) {
  const DlsOperator *W = dls_problem_operator(sweep->problem);
  sweep->kernel = choose_kernel(W, form);
  sweep->factored = sweep->kernel->on_parts;
  DLS_CHECK(form != DLS_SWEEP_FACTORED || sweep->factored, DLS_ERR_SOLVER,
            "%s: no factored sweep, for the operator is %s; use the option form=assembled",
            dls_problem_name(sweep->problem), dls_operator_form(W));
  sweep->q = dls_problem_standard_q(sweep->problem);
  sweep->compliance = sweep->problem->compliance;
  return sweep->kernel->prepare(sweep);
}

DlsStatus dls_sweep_create(const DlsProblem *problem, DlsSweepForm form, DlsSweep **out) {
  *out = NULL;
  DlsSweep *sweep;
  DLS_NEW(sweep, 1);
  sweep->problem = problem;
  sweep->contacts = dls_problem_contacts(problem);
  sweep->block = dls_problem_block(problem);
  sweep->omega = sweep->step = 1;
  const DlsStatus status = prepare(sweep, form);
  if (status == DLS_OK)
    *out = sweep;
  else
    dls_sweep_destroy(sweep);
  return status;
}

void dls_sweep_destroy(DlsSweep *sweep) {
  if (!sweep) return;
  dls_pattern_clear(&sweep->pattern);
  dls_colours_clear(&sweep->own_colours);
  free(sweep->tally);
  free(sweep->place);
  free(sweep->memory);
  free(sweep->sphere);
  free(sweep->anchor);
  free(sweep);
}

/* Colours of another size than the operator's, or of a kernel that reads rows. */
static DlsStatus make_colours(DlsSweep *sweep, int size) {
  if (!sweep->factored) {
    const DlsBlockRows rows = {.contacts = sweep->contacts,
                               .block = sweep->block,
                               .start = sweep->start,
                               .column = sweep->column};
    return dls_colours_of_rows(&rows, size, &sweep->own_colours);
  }
  DlsPattern pattern;
  DLS_TRY(dls_operator_pattern(dls_problem_operator(sweep->problem), &pattern));
  const DlsStatus status = dls_colours_of_parts(&pattern, size, &sweep->own_colours);
  dls_pattern_clear(&pattern);
  return status;
}

DlsStatus dls_sweep_colour(DlsSweep *sweep, int size) {
  const bool usual = size == 0 && sweep->factored;
  if (size == 0) size = sweep->contacts < DLS_COLOURS_FROM ? sweep->contacts : DLS_COLOURS_CLUSTER;
  if (size >= sweep->contacts) return DLS_OK;
  if (usual) {
    DLS_TRY(dls_operator_colours(dls_problem_operator(sweep->problem), &sweep->colours));
  } else {
    DLS_TRY(make_colours(sweep, size));
    sweep->colours = &sweep->own_colours;
  }
  DLS_NEW(sweep->tally, sweep->colours->clusters);
  return DLS_OK;
}

DlsStatus dls_sweep_share(const DlsSweep *sweep, const DlsLimits *limits, bool *parted) {
  *parted = false;
  if (!sweep->factored || sweep->place || !sweep->colours ||
      sweep->colours == &sweep->own_colours || limits->measure == DLS_MEASURE_BIPOTENTIAL)
    return DLS_OK;
  return dls_problem_part(sweep->problem, parted);
}

DlsPortions *dls_sweep_portions(const DlsSweep *sweep) {
  return dls_operator_parted(dls_problem_operator(sweep->problem));
}

DlsStatus dls_sweep_hold(DlsSweep *sweep, double alpha) {
  const size_t block = (size_t)sweep->block, n = (size_t)sweep->contacts * block;
  const size_t dim = (size_t)dls_problem_dim(sweep->problem);
  if (sweep->anchor) return DLS_OK;
  DLS_NEW(sweep->anchor, 3 * n);
  double *weight = sweep->anchor, *soft = weight + n;
  dls_sweep_diagonal(sweep, weight);
  for (size_t e = 0; e < n; e++) {
    const size_t k = e % block;
    if (k < dim)
      weight[e] = k == 0 ? alpha * weight[e] : weight[e - k];
    else
      weight[e] *= alpha;
    soft[e] = weight[e] + (sweep->compliance ? sweep->compliance[e] : 0);
    if (sweep->D) sweep->D[e / block * block * block + k * (block + 1)] += weight[e];
  }
  sweep->compliance = soft;
  if (sweep->kernel->soften)
    sweep->kernel->soften(sweep);
  else
    classify_contacts(sweep);
  return DLS_OK;
}

void dls_sweep_anchor(DlsSweep *sweep, const double *r_hat) {
  const size_t n = (size_t)sweep->contacts * (size_t)sweep->block;
  const double *plain = dls_problem_standard_q(sweep->problem);
  double *q = sweep->anchor + 2 * n;
  for (size_t e = 0; e < n; e++) q[e] = plain[e] - sweep->anchor[e] * r_hat[e];
  sweep->q = q;
}

/* They are in rising order: without gaps they need no list. */
DlsSweepList dls_sweep_cluster(const DlsSweep *sweep, int cluster, bool backwards) {
  const DlsColours *colours = sweep->colours;
  const int begin = colours->cluster[cluster], count = colours->cluster[cluster + 1] - begin;
  const int *contact = colours->contact + begin;
  const bool gaps = contact[count - 1] - contact[0] != count - 1;
  const int next = cluster + 1 < colours->clusters && !backwards ? contact[count] : 0;
  return (DlsSweepList){gaps ? contact : NULL, contact[0], count, backwards, next};
}

DlsSharedRows dls_sweep_rows(const DlsSweep *sweep) {
  return (DlsSharedRows){sweep->y, (size_t)sweep->stride * sizeof *sweep->y};
}

/* What is done with all clusters of a sweep. */
typedef struct {
  DlsSweep *sweep;
  const double *given; /* r̂ that is read, or */
  double *r;           /* r̂ that is changed */
  bool backwards;
} Job;

static DlsStatus scatter_cluster(void *context, int cluster) {
  const Job *job = context;
  const DlsSweepList list = dls_sweep_cluster(job->sweep, cluster, false);
  job->sweep->kernel->scatter(job->sweep, &list, job->given);
  return DLS_OK;
}

static DlsStatus pass_cluster(void *context, int cluster) {
  const Job *job = context;
  DlsSweep part = dls_sweep_part(job->sweep);
  const DlsSweepList list = dls_sweep_cluster(job->sweep, cluster, job->backwards);
  part.kernel->pass(&part, &list, 1, job->r);
  dls_sweep_tell(&part, cluster);
  return part.status;
}

void dls_sweep_refresh(DlsSweep *sweep, const double *r_hat) {
  const DlsSweepList all = {.count = sweep->contacts};
  Job job = {.sweep = sweep, .given = r_hat};
  if (!sweep->kernel->scatter) return;
  DlsPortions *portions = dls_sweep_portions(sweep);
  if (portions)
    dls_portions_clear(portions, sweep->y, dls_sweep_rows(sweep).bytes);
  else
    memset(sweep->y, 0, sweep->velocities * sizeof *sweep->y);
  if (portions)
    sweep->status = dls_portions_each(portions, false, DLS_WORTH_ADDING, scatter_cluster, &job,
                                      dls_sweep_rows(sweep), (DlsSharedRows){NULL, 0});
  else if (sweep->colours)
    sweep->status =
        dls_colours_each(sweep->colours, false, DLS_WORTH_ADDING, scatter_cluster, &job, NULL);
  else
    sweep->kernel->scatter(sweep, &all, r_hat);
  dls_ledger.rows += sweep->contacts;
}

const double *dls_sweep_block(const DlsSweep *sweep, int i, double *room) {
  if (sweep->D) return sweep->D + (size_t)i * (size_t)(sweep->block * sweep->block);
  sweep->kernel->block(sweep, i, room);
  return room;
}

void dls_sweep_diagonal(const DlsSweep *sweep, double *diagonal) {
  const size_t block = (size_t)sweep->block;
  for (size_t i = 0; i < (size_t)sweep->contacts; i++) {
    double room[9];
    const double *D = dls_sweep_block(sweep, (int)i, room);
    for (size_t k = 0; k < block; k++) diagonal[i * block + k] = D[k * (block + 1)];
  }
}

size_t dls_sweep_body_numbers(const DlsSweep *sweep) { return sweep->velocities; }

static void add_squares(void *context, size_t begin, size_t end, double *sum) {
  const double *r = ((const Job *)context)->given;
  for (size_t e = begin; e < end; e++) *sum += r[e] * r[e];
}

void dls_sweep_settle(DlsSweep *sweep, const double *r_hat) {
  const double much = 1e4;
  const size_t n = (size_t)sweep->contacts * (size_t)sweep->block;
  Job job = {.given = r_hat};
  double left2;
  dls_problem_sum(sweep->problem, n, 1, add_squares, &job, &left2);
  if (!(sweep->moved2 <= much * left2)) dls_sweep_refresh(sweep, r_hat);
}

DlsSweep dls_sweep_part(const DlsSweep *sweep) {
  DlsSweep part = *sweep;
  part.moved2 = 0;
  part.unsolved = part.newton_fallbacks = 0;
  part.status = DLS_OK;
  return part;
}

void dls_sweep_tell(const DlsSweep *part, int cluster) {
  part->tally[cluster] = (DlsSweepTally){part->moved2, part->unsolved, part->newton_fallbacks};
}

void dls_sweep_clear_tallies(DlsSweep *sweep) {
  memset(sweep->tally, 0, (size_t)sweep->colours->clusters * sizeof *sweep->tally);
}

void dls_sweep_add_tallies(DlsSweep *sweep) {
  for (int c = 0; c < sweep->colours->clusters; c++) {
    sweep->moved2 += sweep->tally[c].moved2;
    sweep->unsolved += sweep->tally[c].unsolved;
    sweep->newton_fallbacks += sweep->tally[c].newton_fallbacks;
  }
}

/* Those of [first, first + count) that this rank does. */
static DlsStatus pass_clusters(void *context, int first, int count) {
  enum { TOGETHER = 8 * DLS_SWEEP_TOGETHER };
  const Job *job = context;
  const DlsPortions *portions = dls_sweep_portions(job->sweep);
  int cluster[TOGETHER], some = 0;
  for (int c = first; c < first + count; c++) {
    if (!portions || dls_portions_does(portions, c)) cluster[some++] = c;
    if (some < TOGETHER && c + 1 < first + count) continue;
    DLS_TRY(job->sweep->kernel->pass_clusters(job->sweep, cluster, some, job->backwards, job->r));
    some = 0;
  }
  return DLS_OK;
}

/* Once over all clusters. */
static void pass_colours(DlsSweep *sweep, bool backwards, double *r_hat) {
  Job job = {.sweep = sweep, .r = r_hat, .backwards = backwards};
  dls_sweep_clear_tallies(sweep);
  DlsPortions *portions = dls_sweep_portions(sweep);
  const bool together = sweep->kernel->pass_clusters != NULL;
  DlsStatus status;
  if (portions) {
    const DlsSharedRows y = dls_sweep_rows(sweep), none = {NULL, 0};
    status = together ? dls_portions_each_run(portions, backwards, DLS_WORTH_SOLVING,
                                              DLS_SWEEP_TOGETHER, pass_clusters, &job, y)
                      : dls_portions_each(portions, backwards, DLS_WORTH_SOLVING, pass_cluster,
                                          &job, y, none);
    status = dls_portions_tell(portions, sweep->tally, sizeof *sweep->tally, status);
  } else {
    status = together ? dls_colours_each_run(sweep->colours, backwards, DLS_WORTH_SOLVING,
                                             DLS_SWEEP_TOGETHER, pass_clusters, &job, NULL)
                      : dls_colours_each(sweep->colours, backwards, DLS_WORTH_SOLVING, pass_cluster,
                                         &job, NULL);
  }
  if (sweep->status == DLS_OK) sweep->status = status;
  dls_sweep_add_tallies(sweep);
}

void dls_sweep_pass(DlsSweep *sweep, const int *order, int backwards, long passes, double *r_hat) {
  const DlsSweepList list = {.order = order, .count = sweep->contacts, .backwards = backwards != 0};
  const long visits = passes * sweep->contacts, before = dls_ledger.contacts;
  sweep->moved2 = 0;
  if (sweep->colours && !order)
    for (long k = 0; k < passes && sweep->status == DLS_OK; k++)
      pass_colours(sweep, list.backwards, r_hat);
  else
    sweep->kernel->pass(sweep, &list, passes, r_hat);
  dls_ledger.rows += visits;
  dls_ledger.contacts = before + visits; /* some are counted by dls_local_solve() too */
}

void dls_sweep_some(DlsSweep *part, const DlsSweepList *list, double *r_hat) {
  const long before = dls_ledger.contacts;
  part->kernel->pass(part, list, 1, r_hat);
  dls_ledger.rows += list->count;
  dls_ledger.contacts = before + list->count;
}

/* One predictor-corrector step, spins and torques over ℓ (problem/spins.h); a custom law brings its
 * own. */
static void project(DlsSweep *sweep, int i, const double *D, const double *q, double *r) {
  const DlsRelation *relation = dls_problem_relation(sweep->problem, i);
  const int block = sweep->block, dim = dls_problem_dim(sweep->problem);
  const bool custom = relation->cone == DLS_CONE_CUSTOM;
  const double length = custom ? 1 : dls_spin_length(dim, block, D);
  double u[DLS_MAX_BLOCK], largest = 0;
  dls_small_affine(block, D, r, q, u);
  for (int k = 0; k < block; k++) {
    const double turn = dls_spin_turn(dim, k, length);
    largest = fmax(largest, turn * turn * D[k * (block + 1)]);
    u[k] *= turn;
  }
  const double rho = largest > 0 ? sweep->step / largest : sweep->step;
  if (custom) {
    const DlsCustomRelation *own = &dls_problem_custom(sweep->problem)[i];
    const DlsStatus status = own->project(own->context, u, rho, r);
    if (sweep->status == DLS_OK) sweep->status = status;
    return;
  }
  const DlsRelation even = dls_spin_even(relation, length);
  for (int k = dim; k < block; k++) r[k] /= length;
  dls_natural_point(&even, dim, block, rho, u, r, r, NULL);
  dls_cone_project(&even, dim, block, r);
  for (int k = dim; k < block; k++) r[k] *= length;
}

/* The friction of one group of components: r_g <- its projection on the disc of this radius. */
static void slide(const DlsSweep *sweep, const DlsConeGroup *g, const double *D, const double *u,
                  double radius, double *r) {
  double largest = 0;
  for (int k = g->first; k < g->first + g->size; k++)
    largest = fmax(largest, D[k * (sweep->block + 1)]);
  for (int k = g->first; k < g->first + g->size; k++)
    r[k] -= u[k] * sweep->step / (largest > 0 ? largest : 1);
  const double size = dls_small_norm(g->size, r + g->first);
  if (size <= radius) return;
  for (int k = g->first; k < g->first + g->size; k++) r[k] *= radius / size;
}

/* Two predictor-corrector steps, contact and then friction. */
static void alternate(const DlsSweep *sweep, const DlsRelation *relation, const double *D,
                      const double *q, double *r) {
  const int block = sweep->block, dim = dls_problem_dim(sweep->problem);
  DlsConeGroup groups[3] = {{0}};
  double u[DLS_MAX_BLOCK] = {0}, before[DLS_MAX_BLOCK] = {0};
  const int count = dls_cone_groups(relation, dim, block, groups);
  dls_small_affine(block, D, r, q, u);
  before[0] = fmax(0, r[0] - u[0] * sweep->step / (D[0] > 0 ? D[0] : 1));
  for (int g = 0; g < count; g++) /* what no group holds carries nothing */
    memcpy(before + groups[g].first, r + groups[g].first, (size_t)groups[g].size * sizeof *r);
  memcpy(r, before, (size_t)block * sizeof *r);
  dls_small_affine(block, D, r, q, u);
  for (int g = 0; g < count; g++) slide(sweep, &groups[g], D, u, groups[g].mu * r[0], r);
}

/* Whose discs are round and whose friction does not open it. */
static bool alternates(const DlsSweep *sweep, const DlsRelation *relation) {
  return sweep->update == DLS_SWEEP_ALTERNATE && relation->associated == 0 &&
         (is_isotropic(relation, sweep->block) || relation->cone == DLS_CONE_ROLLING);
}

static void count(DlsSweep *sweep, DlsLocalOutcome outcome) {
  sweep->unsolved += outcome == DLS_LOCAL_NONE;
  sweep->newton_fallbacks += outcome == DLS_LOCAL_BY_NEWTON;
  if (outcome == DLS_LOCAL_FAILED) sweep->status = DLS_ERR_LAW;
}

/* The quick solve of a contact that dilates; false where there is none. */
static bool solve_dilatant(const DlsSweep *sweep, int i, const double *D, const double *q,
                           double *r) {
  const int block = sweep->block;
  const int64_t kind = block == 3 && sweep->contact3   ? sweep->contact3[i].kind
                       : block == 2 && sweep->contact2 ? sweep->contact2[i].kind
                                                       : DLS_KIND_GENERAL;
  if (kind != DLS_KIND_DILATANT) return false;
  const DlsRelation *relation = dls_problem_relation(sweep->problem, i);
  const DlsDilatant contact = {relation->mu[DLS_MU_1], relation->associated, block - 1};
  double next[3] = {0};
  memcpy(next, r, (size_t)block * sizeof *next);
  if (dls_local_dilatant(&contact, D, q, next) == DLS_LOCAL_NONE) return false;
  memcpy(r, next, (size_t)block * sizeof *next);
  return true;
}

void dls_sweep_general(DlsSweep *sweep, int i, const double *q_local, double *r) {
  const DlsRelation *relation = dls_problem_relation(sweep->problem, i);
  const DlsCustomRelation *custom = dls_problem_custom(sweep->problem);
  const int block = sweep->block;
  double next[DLS_MAX_BLOCK], room[9];
  const double *D = dls_sweep_block(sweep, i, room);
  memcpy(next, r, (size_t)block * sizeof *next);
  if (alternates(sweep, relation))
    alternate(sweep, relation, D, q_local, next);
  else if (sweep->update != DLS_SWEEP_SOLVE)
    project(sweep, i, D, q_local, next);
  else if (!solve_dilatant(sweep, i, D, q_local, next))
    count(sweep, dls_local_solve(relation, dls_problem_dim(sweep->problem), block,
                                 custom ? &custom[i] : NULL, D, q_local, next));
  dls_sweep_relax(block, sweep->omega, next, r);
}

long dls_sweep_passes(DlsSweep *sweep, long passes, double deadline, double *r_hat) {
  const long some = 2000000 / (sweep->contacts + 1); /* passes of about 0.1 s */
  const long portion = dls_ledger_rules.most > 0 || some < 1 ? 1 : some < 500 ? some : 500;
  long done = 0;
  while (done < passes && sweep->status == DLS_OK) {
    const long now = passes - done < portion ? passes - done : portion;
    dls_sweep_pass(sweep, NULL, 0, now, r_hat);
    done += now;
    if (dls_ledger_now() >= deadline) break;
  }
  return done;
}
