/* From contacts to a Problem; formulas in assemble.h. */
#include "assemble/motion.h"
#include "assemble/support.h"

#include <delassus/local.h>

#include "base/memory.h"
#include "law/failure.h"

#include <math.h>
#include <stdbool.h>

#include <stdlib.h>
#include <string.h>

void dls_assembly_clear(DlsAssembly *a) {
  dls_problem_destroy(&a->problem);
  free(a->source);
  free(a->start);
  free(a->body);
  free(a->H);
  free(a->w);
  free(a->q);
  free(a->u_before);
  free(a->r);
  free(a->u);
  free(a->state);
  free(a->began);
  free(a->interaction);
  free(a->range);
  free(a->distinct);
  free(a->which);
  free(a->kinematics);
  free(a->use);
  free(a->custom);
  free(a->mass);
  free(a->sphere);
  free(a->scale);
  *a = (DlsAssembly){0};
}

/* Room for `contacts`; what was there is dropped. */
static DlsStatus make_room(DlsAssembly *a, int contacts) {
  if (contacts <= a->capacity && a->source) return DLS_OK;
  const int block = a->block, dof = a->dof, states = a->states;
  dls_assembly_clear(a);
  a->block = block;
  a->dof = dof;
  a->states = states;
  const size_t n = (size_t)contacts + (size_t)contacts / 8 + 16, rows = n * (size_t)block;
  DLS_NEW(a->source, n);
  DLS_NEW(a->w, rows);
  DLS_NEW(a->q, rows);
  DLS_NEW(a->u_before, rows);
  DLS_NEW(a->r, rows);
  DLS_NEW(a->u, rows);
  DLS_NEW(a->state, n * (size_t)states);
  DLS_NEW(a->began, n * (size_t)states);
  DLS_NEW(a->interaction, n);
  DLS_NEW(a->which, n);
  a->capacity = (int)n;
  return DLS_OK;
}

/* Whether laws are asked again during the solve or after it: then what they were told stays. */
static bool asks_again(const DlsInteraction *item) {
  if (item->law->residual || item->law->force) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->residual || item->then[k]->force) return true;
  return false;
}

static DlsStatus make_room_for_laws(DlsAssembly *a, const DlsInteractions *laws, int forces) {
  a->keeps = forces;
  for (int k = 0; k < laws->count; k++) a->keeps |= asks_again(&laws->item[k]);
  const int told = a->keeps ? a->capacity : 1;
  if (told <= a->told_capacity) return DLS_OK;
  free(a->kinematics);
  free(a->use);
  free(a->custom);
  a->kinematics = NULL;
  a->use = NULL;
  a->custom = NULL;
  a->told_capacity = 0;
  DLS_NEW(a->kinematics, told);
  DLS_NEW(a->use, told);
  DLS_NEW(a->custom, told);
  a->told_capacity = told;
  return DLS_OK;
}

/* Of the radius: bodies laid to touch do touch, round-off or not. */
static const double closed = 1e-10;

static bool is_open(const DlsAssembly *a, const DlsAssembleStep *step, int c) {
  return a->set->gap[c] > closed * dls_contact_length(a->world, a->set, c) &&
         !(step->take && step->take[c]);
}

/* The velocity that the gap stands for: at -gap_rate the contact would just be closed at the end of
 * the step. */
static double gap_rate(const DlsAssembly *a, const DlsAssembleStep *step, int c) {
  const double length = dls_contact_length(a->world, a->set, c);
  const double gap = a->set->gap[c], deep = -gap - fmax(step->slack, closed * length);
  if (step->gap_term == DLS_GAP_NONE && !is_open(a, step, c)) return 0;
  if (step->gap_term != DLS_GAP_POSITIVE || gap >= 0) return gap / step->h;
  return deep > 0 ? -fmin(deep / step->h, step->push) : 0;
}

/* All that a law is told of contact c of the set, but velocities and mass. */
static void fill_kinematics(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsWorld *world = a->world;
  const DlsContactSet *set = a->set;
  const DlsAssembleStep *step = &a->step;
  *k = (DlsContact){.dim = world->dim,
                    .block = a->block,
                    .time = step->time,
                    .h = step->h,
                    .gap = set->gap[c],
                    .gap_rate = gap_rate(a, step, c),
                    .radius = set->radius[c]};
  memcpy(k->frame, set->frame[c], sizeof k->frame);
  const int pair[2] = {set->antagonist[c], set->candidate[c]};
  for (int side = 0; side < 2; side++) {
    double columns[9];
    dls_rotation_matrix(pair[side] >= 0 ? world->orientation[pair[side]]
                                        : world->boundary[-1 - pair[side]].orientation,
                        columns);
    for (int row = 0; row < 3; row++)
      for (int e = 0; e < 3; e++) k->axes[side][row][e] = columns[3 * e + row];
  }
}

/* The laws of contact i of the assembly, told all. Where nothing is kept, until the next one is. */
static DlsLawUse *tell(DlsAssembly *a, int i) {
  const int place = a->keeps ? i : 0;
  DlsContact *k = &a->kinematics[place];
  fill_kinematics(a, a->source[i], k);
  memcpy(k->u_before, a->u_before + (size_t)i * (size_t)a->block,
         (size_t)a->block * sizeof *k->u_before);
  k->mass = dls_support_mass(a, a->world, i);
  a->use[place] = dls_interaction_use(&a->laws->item[a->interaction[i]], i, k,
                                      a->state + (size_t)i * (size_t)a->states);
  return &a->use[place];
}

static int material_of(const DlsWorld *world, int who) {
  return who >= 0 ? world->material[who] : world->boundary[-1 - who].material;
}

/* Guess and state of a contact: those of the same contact a step ago, or of a new one. */
static DlsStatus recall(DlsAssembly *a, const DlsLawUse *use, const double *r_before,
                        const double *state_before, int i) {
  const int previous = a->set->previous[a->source[i]];
  const size_t block = (size_t)a->block, states = (size_t)a->states;
  double *r = a->r + (size_t)i * block, *state = a->state + (size_t)i * states;
  memset(r, 0, block * sizeof *r);
  if (previous >= 0 && r_before) memcpy(r, r_before + (size_t)previous * block, block * sizeof *r);
  if (states == 0) return DLS_OK;
  if (previous >= 0 && state_before) {
    memcpy(state, state_before + (size_t)previous * states, states * sizeof *state);
    return DLS_OK;
  }
  memset(state, 0, states * sizeof *state);
  return dls_law_begin(use, state);
}

static bool same(int count, const double *x, const double *y) {
  for (int k = 0; k < count; k++)
    if (x[k] != y[k]) return false;
  return true;
}

/* The number of a relation among those of the step. Most contacts of a step have one that another had shortly
 * before; `recent` is how many of those are looked at. */
static DlsStatus keep_relation(DlsAssembly *a, const DlsRelation *relation, int *number) {
  const int recent = 4;
  for (int n = a->relations - 1; n >= 0 && n >= a->relations - recent; n--) {
    const DlsRelation *old = &a->distinct[n];
    *number = n;
    if (old->cone == relation->cone && same(a->block, old->b, relation->b) &&
        same(DLS_MU_COUNT, old->mu, relation->mu) && same(a->block, old->a, relation->a) &&
        same(a->block, old->C, relation->C))
      return DLS_OK;
  }
  if (a->relations == a->relation_capacity) {
    const int capacity = a->relations + a->relations / 4 + 16;
    DlsRelation *more = realloc(a->distinct, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: the relations of %d contacts", capacity);
    a->distinct = more;
    a->relation_capacity = capacity;
  }
  *number = a->relations++;
  a->distinct[*number] = *relation;
  return DLS_OK;
}

/* The relation of contact i. */
static DlsStatus prepare_law(DlsAssembly *a, const double *r_before, const double *state_before,
                             int i) {
  const DlsLawUse *use = tell(a, i);
  DLS_TRY(recall(a, use, r_before, state_before, i));
  DlsRelation relation = {.cone = DLS_CONE_FREE};
  if (!a->step.forces) DLS_TRY(dls_law_prepare(use, &relation));
  DLS_TRY(keep_relation(a, &relation, &a->which[i]));
  if (relation.cone != DLS_CONE_CUSTOM) return DLS_OK;
  a->customs++;
  return dls_law_custom(use, &a->custom[i]);
}

/* Turns the frame of contact c of the set, number i of the assembly, where its law wants it. */
static DlsStatus orient(const DlsAssembly *a, DlsContactSet *set, int c, int i) {
  DlsContact kinematics;
  const DlsLawUse use =
      dls_interaction_use(&a->laws->item[a->interaction[i]], i, &kinematics, NULL);
  double wanted[3];
  fill_kinematics(a, c, &kinematics);
  DLS_TRY(dls_law_orient(&use, wanted));
  dls_contact_turn(wanted, set->frame[c]);
  return DLS_OK;
}

static bool turns_frames(const DlsInteraction *item) {
  if (item->law->orient) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->orient) return true;
  return false;
}

/* How far each interaction acts. */
static DlsStatus fill_ranges(DlsAssembly *a, const DlsInteractions *laws) {
  double farthest;
  if (laws->count > a->range_capacity) {
    free(a->range);
    a->range = NULL;
    a->range_capacity = laws->count;
    DLS_NEW(a->range, a->range_capacity);
  }
  return dls_interactions_range(laws, a->range, &farthest);
}

static DlsStatus choose_contacts(DlsAssembly *a, DlsContactSet *set) {
  const DlsWorld *world = a->world;
  const DlsInteractions *laws = a->laws;
  const DlsAssembleStep *step = &a->step;
  a->count = 0;
  for (int c = 0; c < set->count; c++) {
    const int first = material_of(world, set->candidate[c]);
    const int second = material_of(world, set->antagonist[c]);
    const int interaction = laws->pair[first * laws->materials + second];
    if (step->only_closed && is_open(a, step, c) &&
        (interaction < 0 || set->gap[c] > a->range[interaction]))
      continue;
    DLS_CHECK(interaction >= 0, DLS_ERR_ARGUMENT,
              "no law is given for the materials '%s' and '%s'; add one, or a default",
              world->materials.item[first].name, world->materials.item[second].name);
    a->source[a->count] = c;
    a->interaction[a->count] = interaction;
    if (world->dim == 3 && turns_frames(&laws->item[interaction]))
      DLS_TRY(orient(a, set, c, a->count));
    dls_support_fill(a, world, set, step->free_velocity, c, a->count++);
  }
  return DLS_OK;
}

DlsStatus dls_assemble(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                       DlsContactSet *set, const DlsAssembleStep *step, const double *r_before,
                       const double *state_before) {
  int block;
  DLS_TRY(dls_interactions_block(laws, world->dim, &block));
  const int dof = world->dim == 2 ? 3 : 6, states = dls_interactions_states(laws);
  if (block != a->block || dof != a->dof || states != a->states) dls_assembly_clear(a);
  a->block = block;
  a->dof = dof;
  a->states = states;
  dls_problem_destroy(&a->problem);
  DLS_TRY(make_room(a, set->count));
  DLS_TRY(dls_support_begin(a, world));
  DLS_TRY(make_room_for_laws(a, laws, step->forces));
  DLS_TRY(fill_ranges(a, laws));
  a->world = world;
  a->laws = laws;
  a->set = set;
  a->step = *step;
  DLS_TRY(choose_contacts(a, set));
  a->customs = a->relations = 0;
  for (int i = 0; i < a->count; i++) DLS_TRY(prepare_law(a, r_before, state_before, i));
  DlsOperator *W = NULL;
  DLS_TRY(dls_support_operator(a, world, &W));
  DLS_TRY(dls_problem_create_shared(world->dim, &W, a->q, a->distinct, a->which,
                                    a->customs ? a->custom : NULL, DLS_USE, &a->problem));
  if (!step->forces) dls_motion_tell(a);
  return DLS_OK;
}

/* Diagonal blocks of Ŵ [count][block^2], then u [count][block] at r; freed by the caller, NULL without memory. */
static double *all_local(const DlsAssembly *a) {
  const size_t rows = (size_t)a->count * (size_t)a->block, blocks = rows * (size_t)a->block;
  double *all = dls_memory_array(blocks + rows, sizeof *all);
  if (!all) return NULL;
  dls_problem_standard_diagonal(a->problem, all);
  dls_problem_velocity(a->problem, a->r, all + blocks);
  return all;
}

/* D and q of contact i from all of them; D is that of W, without the law's compliance. */
static void one_local(const DlsAssembly *a, const double *all, int i, double *D, double *q) {
  const size_t block = (size_t)a->block, at = (size_t)i * block;
  const double *u = all + (size_t)a->count * block * block + at, *r = a->r + at;
  memcpy(D, all + at * block, block * block * sizeof *D);
  for (size_t k = 0; k < block; k++) {
    D[k * (block + 1)] -= dls_assemble_relation(a, i)->C[k];
    q[k] = u[k];
    for (size_t e = 0; e < block; e++) q[k] -= D[k * block + e] * r[e];
  }
}

bool dls_assemble_local(const DlsAssembly *a, int i, double *D, double *q) {
  double *all = a->problem && i >= 0 && i < a->count ? all_local(a) : NULL;
  if (!all) return false;
  one_local(a, all, i, D, q);
  free(all);
  return true;
}

static DlsStatus check_custom(const DlsAssembly *a, const double *all, int i) {
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK] = {0};
  one_local(a, all, i, D, q);
  memcpy(r, a->r + (size_t)i * (size_t)a->block, (size_t)a->block * sizeof *r);
  const DlsLocalOutcome outcome = dls_local_solve(dls_assemble_relation(a, i), a->kinematics[i].dim,
                                                  a->block, &a->custom[i], D, q, r);
  if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW;
  return outcome == DLS_LOCAL_NONE ? dls_law_unsolved(&a->use[i], D, q, r) : DLS_OK;
}

DlsStatus dls_assemble_check_custom(const DlsAssembly *a) {
  if (!a->problem || !dls_problem_has(a->problem, DLS_CONE_CUSTOM)) return DLS_OK;
  double *all = all_local(a);
  DlsStatus status = all ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a check of laws");
  for (int i = 0; i < a->count && status == DLS_OK; i++)
    if (dls_assemble_relation(a, i)->cone == DLS_CONE_CUSTOM) status = check_custom(a, all, i);
  free(all);
  return status;
}

/* Whether the laws of contact i may hold energy: a rigid relation without memory, range and pull does not. */
static bool may_store(const DlsAssembly *a, int i) {
  const DlsRelation *relation = dls_assemble_relation(a, i);
  double soft = a->range[a->interaction[i]];
  if (a->states > 0 || relation->cone == DLS_CONE_CUSTOM) return true;
  for (int k = 0; k < a->block; k++) soft += relation->C[k] + fabs(relation->a[k]);
  return soft > 0;
}

/* What laws are asked from here on is asked at the states with which the step began. */
static void keep_began(DlsAssembly *a) {
  const size_t states = (size_t)a->states;
  if (states) memcpy(a->began, a->state, (size_t)a->count * states * sizeof *a->state);
  for (int i = 0; a->keeps && i < a->count; i++) a->use[i].state = a->began + (size_t)i * states;
}

DlsStatus dls_assemble_commit(DlsAssembly *a) {
  a->stored = 0;
  keep_began(a);
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)a->block;
    double stored, dissipated;
    if (!may_store(a, i)) continue;
    const DlsLawUse *use = a->keeps ? &a->use[i] : tell(a, i);
    if (!a->step.forces) { /* explicit: asked already */
      DLS_TRY(dls_law_energy(use, a->u + e, a->r + e, &stored, &dissipated));
      a->stored += stored;
    }
    DLS_TRY(dls_law_commit(use, a->u + e, a->r + e, a->state + (size_t)i * (size_t)a->states));
  }
  return DLS_OK;
}
