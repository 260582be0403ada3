/* From contacts to a Problem; formulas in assemble.h. */
#include "assemble/coupling.h"
#include "assemble/kinematics.h"
#include "assemble/motion.h"
#include "assemble/reach.h"
#include "assemble/restitution.h"
#include "assemble/support.h"
#include "assemble/together.h"

#include <delassus/local.h>

#include "base/memory.h"
#include "base/pool.h"
#include "law/failure.h"
#include "law/turn.h"
#include "world/deformable.h"

#include <math.h>
#include <stdbool.h>

#include <stdlib.h>
#include <string.h>

void dls_assembly_clear(DlsAssembly *a) {
  dls_problem_destroy(&a->solve.problem);
  free(a->step.in_set);
  free(a->step.start);
  free(a->step.body);
  free(a->step.H);
  free(a->step.w);
  free(a->step.q);
  free(a->step.u_before);
  free(a->solve.r);
  free(a->solve.u);
  free(a->step.state);
  free(a->step.began);
  free(a->step.surface);
  free(a->step.interaction);
  free(a->run.range);
  free(a->step.distinct);
  free(a->step.which);
  free(a->run.fresh);
  free(a->run.stored);
  free(a->step.dissipated);
  free(a->step.kinematics);
  free(a->step.use);
  free(a->step.custom);
  free(a->step.params);
  free(a->step.fields);
  free(a->run.mass);
  free(a->step.sphere);
  free(a->run.scale);
  dls_coupling_destroy(&a->run.coupling);
  *a = (DlsAssembly){0};
}

/* As dls_assembly_clear(), but factors of deformable bodies stay. */
static void clear_contacts(DlsAssembly *a) {
  DlsCoupling *kept = a->run.coupling;
  a->run.coupling = NULL;
  dls_assembly_clear(a);
  a->run.coupling = kept;
}

/* Room for `contacts`; what was there is dropped. */
static DlsStatus make_room(DlsAssembly *a, int contacts) {
  if (contacts <= a->run.capacity && a->step.in_set) return DLS_OK;
  const int block = a->run.block, dof = a->run.dof, states = a->run.states;
  const int surfaces = a->run.surfaces;
  clear_contacts(a);
  a->run.block = block;
  a->run.dof = dof;
  a->run.states = states;
  a->run.surfaces = surfaces;
  const size_t n = (size_t)contacts + (size_t)contacts / 8 + 16, rows = n * (size_t)block;
  DLS_NEW(a->step.in_set, n);
  DLS_NEW(a->step.w, rows);
  DLS_NEW(a->step.q, rows);
  DLS_NEW(a->step.u_before, rows);
  DLS_NEW(a->solve.r, rows);
  DLS_NEW(a->solve.u, rows);
  DLS_NEW(a->step.state, n * (size_t)states);
  DLS_NEW(a->step.surface, 2 * n * (size_t)surfaces);
  DLS_NEW(a->step.interaction, n);
  DLS_NEW(a->step.which, n);
  DLS_NEW(a->step.dissipated, n);
  a->run.capacity = (int)n;
  return DLS_OK;
}

/* Whether laws are asked again during the solve or after it: then what they were told stays. */
static bool asks_again(const DlsInteraction *item) {
  for (int k = 0; dls_interaction_law(item, k); k++) {
    const DlsLaw *law = dls_interaction_law(item, k);
    if (law->residual || law->force || law->traction || law->report || law->nsurfaces) return true;
  }
  return false;
}

/* Where parameters are formulas, or laws list fields, contacts have their own. */
static DlsStatus make_room_for_places(DlsAssembly *a, const DlsInteractions *laws, int told) {
  bool formulas = false, fields = false;
  for (int k = 0; k < laws->count; k++) {
    formulas |= laws->item[k].formulas > 0;
    fields |= laws->item[k].fields > 0;
  }
  const int params = formulas ? told : 0, values = fields ? told : 0;
  if (params > a->run.params_capacity) {
    free(a->step.params);
    a->step.params = NULL;
    a->run.params_capacity = 0;
    DLS_NEW(a->step.params, (size_t)params * DLS_MAX_PARAMS);
    a->run.params_capacity = params;
  }
  if (values > a->run.fields_capacity) {
    free(a->step.fields);
    a->step.fields = NULL;
    a->run.fields_capacity = 0;
    DLS_NEW(a->step.fields, 2 * (size_t)values * DLS_MAX_PARAMS);
    a->run.fields_capacity = values;
  }
  return DLS_OK;
}

static DlsStatus make_room_for_laws(DlsAssembly *a, const DlsInteractions *laws, int forces) {
  a->step.keeps = forces;
  for (int k = 0; k < laws->count; k++) {
    a->step.keeps |= asks_again(&laws->item[k]);
    a->run.tells_bodies |= !laws->item[k].plain;
  }
  const int told = a->step.keeps ? a->run.capacity : dls_pool_threads();
  DLS_TRY(make_room_for_places(a, laws, told));
  if (told <= a->run.told_capacity) return DLS_OK;
  free(a->step.kinematics);
  free(a->step.use);
  free(a->step.custom);
  free(a->step.began);
  a->step.kinematics = NULL;
  a->step.use = NULL;
  a->step.custom = NULL;
  a->step.began = NULL;
  a->run.told_capacity = 0;
  DLS_NEW(a->step.kinematics, told);
  DLS_NEW(a->step.use, told);
  DLS_NEW(a->step.custom, told);
  if (a->step.keeps) DLS_NEW(a->step.began, (size_t)told * (size_t)a->run.states);
  a->run.told_capacity = told;
  return DLS_OK;
}

static int material_of(const DlsWorld *world, int who) {
  return who >= 0 ? world->material[who] : world->boundary[-1 - who].material;
}

/* Vectors of the contact plane, from the frame of the step before to that of now. In 2-D their one
 * component is along t, whichever way that points. */
static void carry(const DlsAssembly *a, const DlsLawUse *use, int i, double *state) {
  const DlsAssembleBefore *before = &a->step.before;
  const int c = a->step.in_set[i];
  if (before->frame && a->step.world->dim == 3)
    dls_law_carry(use, before->frame[a->step.set->previous[c]], a->step.set->frame[c], state);
}

/* Guess and state of a contact: those of the same contact a step ago, or of a new one. */
static DlsStatus recall(DlsAssembly *a, const DlsLawUse *use, int i) {
  const DlsAssembleBefore *before = &a->step.before;
  const int previous = a->step.set->previous[a->step.in_set[i]];
  const size_t block = (size_t)a->run.block, states = (size_t)a->run.states;
  double *r = a->solve.r + (size_t)i * block, *state = a->step.state + (size_t)i * states;
  memset(r, 0, block * sizeof *r);
  if (previous >= 0 && before->r)
    memcpy(r, before->r + (size_t)previous * block, block * sizeof *r);
  if (states == 0) return DLS_OK;
  if (previous >= 0 && before->state) {
    memcpy(state, before->state + (size_t)previous * states, states * sizeof *state);
    if (a->step.laws->item[a->step.interaction[i]].turns) carry(a, use, i, state);
    return DLS_OK;
  }
  memset(state, 0, states * sizeof *state);
  DLS_TRY(dls_law_begin(use, state));
  return dls_kinematics_start(a, i, state);
}

static bool same(int count, const double *x, const double *y) {
  for (int k = 0; k < count; k++)
    if (x[k] != y[k]) return false;
  return true;
}

/* The number of a relation among those of the step. Most contacts of a step have one that another
 * had shortly before; `recent` is how many of those are looked at. */
static DlsStatus keep_relation(DlsAssembly *a, const DlsRelation *relation, int *number) {
  const int recent = 4;
  for (int n = a->step.relations - 1; n >= 0 && n >= a->step.relations - recent; n--) {
    const DlsRelation *old = &a->step.distinct[n];
    *number = n;
    if (old->cone == relation->cone && same(a->run.block, old->b, relation->b) &&
        same(DLS_MU_COUNT, old->mu, relation->mu) && same(a->run.block, old->a, relation->a) &&
        same(a->run.block, old->C, relation->C) && old->associated == relation->associated)
      return DLS_OK;
  }
  if (a->step.relations == a->run.relation_capacity) {
    const int capacity = a->step.relations + a->step.relations / 4 + 16;
    DlsRelation *more = realloc(a->step.distinct, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: the relations of %d contacts", capacity);
    a->step.distinct = more;
    a->run.relation_capacity = capacity;
  }
  *number = a->step.relations++;
  a->step.distinct[*number] = *relation;
  return DLS_OK;
}

/* Contacts of a chunk of a loop over them, some 20 us; of a block of such, whose relations are
 * compared by one thread. */
enum { CHUNK = 64, BLOCK = 64 * CHUNK };

/* item(a, i, lane) for contacts first .. first + count - 1; one behind the other where what is
 * asked has state of its own: formulas, surfaces, deformable bodies. */
typedef DlsStatus (*Item)(DlsAssembly *a, int i, int lane);

typedef struct {
  DlsAssembly *a;
  Item item;
  int first;
} Items;

static DlsStatus do_item(void *context, size_t i, int lane) {
  const Items *items = context;
  return items->item(items->a, items->first + (int)i, lane);
}

static DlsStatus for_contacts(DlsAssembly *a, int first, int count, Item item) {
  Items items = {a, item, first};
  return dls_pool_each((size_t)count, a->step.serial ? (size_t)count : CHUNK, do_item, &items);
}

/* The relation of contact i, before it is compared with others. */
static DlsStatus prepare_law(DlsAssembly *a, int i, int lane) {
  const DlsLawUse *use;
  DlsRelation *relation = &a->run.fresh[i % BLOCK];
  if (a->step.asked.ways) {
    memset(a->solve.r + (size_t)i * (size_t)a->run.block, 0,
           (size_t)a->run.block * sizeof *a->solve.r);
    *relation = (DlsRelation){.cone = DLS_CONE_SIGNORINI};
    return DLS_OK;
  }
  DLS_TRY(dls_kinematics_tell(a, i, lane, &use));
  DLS_TRY(recall(a, use, i));
  *relation = (DlsRelation){.cone = DLS_CONE_FREE};
  if (!a->step.asked.forces) DLS_TRY(dls_law_prepare(use, relation));
  if (relation->cone != DLS_CONE_CUSTOM) return DLS_OK;
  a->step.use[i].rolling = relation->mu[DLS_MU_ROLL]; /* laws asked again keep their use */
  a->step.use[i].torsion = relation->mu[DLS_MU_TORSION];
  return dls_law_custom(use, &a->step.custom[i]);
}

/* Those of contacts begin .. end - 1. */
static DlsStatus prepare_laws(DlsAssembly *a, int begin, int end) {
  a->step.customs = a->step.relations = 0;
  if (!a->run.fresh) DLS_NEW(a->run.fresh, BLOCK);
  for (int first = begin; first < end; first += BLOCK) {
    const int left = end - first, count = left < BLOCK ? left : BLOCK;
    DLS_TRY(for_contacts(a, first, count, prepare_law));
    for (int i = first; i < first + count; i++) {
      DLS_TRY(keep_relation(a, &a->run.fresh[i % BLOCK], &a->step.which[i]));
      a->step.customs += a->run.fresh[i % BLOCK].cone == DLS_CONE_CUSTOM;
    }
  }
  return DLS_OK;
}

/* How far each interaction acts at most. */
static DlsStatus fill_ranges(DlsAssembly *a) {
  const DlsInteractions *laws = a->step.laws;
  double farthest;
  if (laws->count > a->run.range_capacity) {
    free(a->run.range);
    a->run.range = NULL;
    a->run.range_capacity = laws->count;
    DLS_NEW(a->run.range, a->run.range_capacity);
  }
  return dls_reach_bounds(laws, a->step.world, a->step.asked.time, a->run.range, &farthest);
}

/* Whether the laws act on contact c of the set, which is open. */
static DlsStatus is_within_range(const DlsAssembly *a, int c, int interaction, bool *out) {
  const double gap = a->step.set->gap[c];
  double range;
  *out = interaction >= 0 && gap <= a->run.range[interaction];
  if (!*out) return DLS_OK;
  DLS_TRY(dls_kinematics_range(a, c, interaction, &range));
  *out = gap <= range;
  return DLS_OK;
}

/* The interaction of contact c of the set; -1: it is no part of the problem. */
static DlsStatus choose_contact(DlsAssembly *a, int c, int lane) {
  const DlsWorld *world = a->step.world;
  const DlsInteractions *laws = a->step.laws;
  const DlsAssembleStep *step = &a->step.asked;
  const DlsContactSet *set = a->step.set;
  const bool linked = dls_key_is_link(&set->key[c]);
  const int own = linked ? step->links->item[dls_key_link(&set->key[c])].material : -1;
  const int first = linked ? own : material_of(world, set->candidate[c]);
  const int second = linked ? own : material_of(world, set->antagonist[c]);
  const int interaction =
      dls_interactions_between(laws, first, second, linked ? 0 : set->antagonist[c]);
  (void)lane;
  a->step.interaction[c] = -1;
  if (!linked && step->only_closed && dls_kinematics_is_open(a, c)) {
    bool within;
    DLS_TRY(is_within_range(a, c, interaction, &within));
    if (!within) return DLS_OK;
  }
  DLS_CHECK(interaction >= 0, DLS_ERR_ARGUMENT,
            "no law is given for the materials '%s' and '%s'; add one, or a default",
            world->materials.item[first].name, world->materials.item[second].name);
  if (a->step.coupled)
    for (int side = 0; side < 2; side++)
      DLS_TRY(dls_restitution_check(world, &laws->item[interaction],
                                    side == 0 ? set->candidate[c] : set->antagonist[c]));
  a->step.interaction[c] = interaction;
  return DLS_OK;
}

/* The frame of contact i and its supports. */
static DlsStatus place_contact(DlsAssembly *a, int i, int lane) {
  const DlsWorld *world = a->step.world;
  const int c = a->step.in_set[i];
  (void)lane;
  if (world->dim == 3 && !a->step.asked.ways &&
      dls_kinematics_turns(&a->step.laws->item[a->step.interaction[i]]))
    DLS_TRY(dls_kinematics_orient(a, a->step.turned, c, i));
  dls_support_fill(a, world, a->step.set, a->step.asked.free_velocity, c, i);
  if (a->step.asked.ways) {
    double *q = a->step.q + (size_t)i * (size_t)a->run.block;
    memset(q, 0, (size_t)a->run.block * sizeof *q);
    q[0] = a->step.set->gap[c] + a->step.asked.slack;
  }
  return DLS_OK;
}

static DlsStatus choose_contacts(DlsAssembly *a) {
  DLS_TRY(for_contacts(a, 0, a->step.set->count, choose_contact));
  a->step.count = 0;
  for (int c = 0; c < a->step.set->count; c++) {
    const int i = a->step.count, interaction = a->step.interaction[c];
    if (interaction < 0) continue;
    a->step.in_set[i] = c;
    a->step.interaction[i] = interaction;
    if (a->step.coupled) { /* which looks whether anything can move there */
      DLS_TRY(place_contact(a, i, 0));
      if (!(dls_support_mass(a, a->step.world, i) > 0)) continue;
    }
    a->step.count++;
  }
  if (!a->step.coupled) dls_support_begin_contacts(a, a->step.world, a->step.set);
  return DLS_OK;
}

/* Rows and relations of contacts begin .. end - 1; rows of worlds with deformable bodies are there
 * since they were chosen. */
static DlsStatus fill_contacts(DlsAssembly *a, int begin, int end) {
  if (!a->step.coupled) DLS_TRY(for_contacts(a, begin, end - begin, place_contact));
  return prepare_laws(a, begin, end);
}

/* By the ranks together. Where a law has failed at one of them it fails at all, each of which then
 * knows what it was asked. */
static DlsStatus fill_together(DlsAssembly *a) {
  int begin, end;
  DlsTeam *team = dls_together_assemble(a);
  if (!team) return fill_contacts(a, 0, a->step.count);
  dls_together_contacts_of(a, team, &begin, &end);
  const DlsStatus mine = fill_contacts(a, begin, end);
  if (dls_team_any(team, mine != DLS_OK)) {
    DLS_TRY(fill_contacts(a, 0, a->step.count));
    return dls_team_agree(team, mine);
  }
  return dls_together_gather(a, team);
}

/* Whether laws, or what they are told, may be asked for one contact at a time alone. */
static bool is_serial(const DlsAssembly *a) {
  if (a->step.coupled || a->run.surfaces) return true;
  for (int k = 0; k < a->step.laws->count; k++)
    if (a->step.laws->item[k].formulas || a->step.laws->item[k].fields) return true;
  return false;
}

DlsStatus dls_assemble(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                       DlsContactSet *set, const DlsAssembleStep *step,
                       const DlsAssembleBefore *before) {
  int block;
  DLS_TRY(dls_interactions_block(laws, world->dim, &block));
  const int dof = world->dim == 2 ? 3 : 6, states = dls_interactions_states(laws);
  const int surfaces = dls_interactions_surfaces(laws);
  if (block != a->run.block || dof != a->run.dof || states != a->run.states ||
      surfaces != a->run.surfaces)
    clear_contacts(a);
  a->run.block = block;
  a->run.dof = dof;
  a->run.states = states;
  a->run.surfaces = surfaces;
  dls_problem_destroy(&a->solve.problem);
  DLS_TRY(make_room(a, set->count));
  a->step.world = world;
  a->step.laws = laws;
  a->step.set = a->step.turned = set;
  a->step.asked = *step;
  a->step.before = *before;
  DLS_TRY(dls_support_begin(a, world));
  DLS_TRY(make_room_for_laws(a, laws, step->forces));
  DLS_TRY(fill_ranges(a));
  a->step.serial = is_serial(a);
  DLS_TRY(choose_contacts(a));
  DLS_TRY(fill_together(a));
  DlsOperator *W = NULL;
  DLS_TRY(dls_support_operator(a, world, &W));
  DLS_TRY(dls_problem_create_shared(world->dim, &W, a->step.q, a->step.distinct, a->step.which,
                                    a->step.customs ? a->step.custom : NULL, DLS_USE,
                                    &a->solve.problem));
  if (!step->forces && !step->ways) dls_motion_tell(a);
  return DLS_OK;
}

/* Diagonal blocks of Ŵ [count][block^2], then u [count][block] at r; freed by the caller, NULL
 * without memory. */
static double *all_local(const DlsAssembly *a) {
  const size_t rows = (size_t)a->step.count * (size_t)a->run.block,
               blocks = rows * (size_t)a->run.block;
  double *all = dls_memory_array(blocks + rows, sizeof *all);
  if (!all) return NULL;
  dls_problem_standard_diagonal(a->solve.problem, all);
  dls_problem_velocity(a->solve.problem, a->solve.r, all + blocks);
  return all;
}

/* D and q of contact i from all of them; D is that of W, without the law's compliance. */
static void one_local(const DlsAssembly *a, const double *all, int i, double *D, double *q) {
  const size_t block = (size_t)a->run.block, at = (size_t)i * block;
  const double *u = all + (size_t)a->step.count * block * block + at, *r = a->solve.r + at;
  memcpy(D, all + at * block, block * block * sizeof *D);
  for (size_t k = 0; k < block; k++) {
    D[k * (block + 1)] -= dls_assemble_relation(a, i)->C[k];
    q[k] = u[k];
    for (size_t e = 0; e < block; e++) q[k] -= D[k * block + e] * r[e];
  }
}

bool dls_assemble_local(const DlsAssembly *a, int i, double *D, double *q) {
  double *all = a->solve.problem && i >= 0 && i < a->step.count ? all_local(a) : NULL;
  if (!all) return false;
  one_local(a, all, i, D, q);
  free(all);
  return true;
}

static DlsStatus check_custom(const DlsAssembly *a, const double *all, int i) {
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK] = {0};
  const DlsRelation *relation = dls_assemble_relation(a, i);
  const int n = a->run.block;
  one_local(a, all, i, D, q);
  for (int k = 0; k < n; k++) { /* in standard form */
    D[k * (n + 1)] += relation->C[k];
    r[k] = a->solve.r[(size_t)i * (size_t)n + (size_t)k] + relation->a[k];
    q[k] += relation->b[k];
  }
  for (int k = 0; k < n * n; k++) q[k / n] -= D[k] * relation->a[k % n];
  const DlsLocalOutcome outcome =
      dls_local_solve(dls_assemble_relation(a, i), a->step.kinematics[i].dim, a->run.block,
                      &a->step.custom[i], D, q, r);
  if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW;
  return outcome == DLS_LOCAL_NONE ? dls_law_unsolved(&a->step.use[i], D, q, r) : DLS_OK;
}

DlsStatus dls_assemble_check_custom(const DlsAssembly *a) {
  if (!a->solve.problem || !dls_problem_has(a->solve.problem, DLS_CONE_CUSTOM)) return DLS_OK;
  double *all = all_local(a);
  DlsStatus status = all ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a check of laws");
  for (int i = 0; i < a->step.count && status == DLS_OK; i++)
    if (dls_assemble_relation(a, i)->cone == DLS_CONE_CUSTOM) status = check_custom(a, all, i);
  free(all);
  return status;
}

bool dls_assemble_may_store(const DlsAssembly *a, int i) {
  const DlsRelation *relation = dls_assemble_relation(a, i);
  double soft = a->run.range[a->step.interaction[i]];
  if (a->run.states > 0 || relation->cone == DLS_CONE_CUSTOM) return true;
  for (int k = 0; k < a->run.block; k++) soft += relation->C[k] + fabs(relation->a[k]);
  return soft > 0;
}

/* What laws are asked from here on is asked at the states with which the step began. */
static void keep_began(DlsAssembly *a) {
  const size_t states = (size_t)a->run.states;
  if (!a->step.keeps) return;
  if (states)
    memcpy(a->step.began, a->step.state, (size_t)a->step.count * states * sizeof *a->step.state);
  for (int i = 0; i < a->step.count; i++) a->step.use[i].state = a->step.began + (size_t)i * states;
}

/* What the step adds to the surfaces of contact i. */
static DlsStatus change_surfaces(DlsAssembly *a, int i, const DlsLawUse *use) {
  const size_t e = (size_t)i * (size_t)a->run.block;
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  const int width = dls_law_count_surfaces(use);
  double change[2 * DLS_MAX_PARAMS];
  int at = 0;
  if (width == 0 || !a->step.asked.surfaces) return DLS_OK;
  DLS_TRY(dls_law_surface(use, a->solve.u + e, a->solve.r + e, change));
  for (int k = 0; dls_interaction_law(item, k); k++) {
    const DlsLaw *law = dls_interaction_law(item, k);
    DlsSurfaceKey key[2];
    if (law->nsurfaces == 0) continue;
    DlsSurface *of = dls_surfaces_of(a->step.asked.surfaces, law);
    dls_surfaces_keys(a->step.asked.surfaces, a->step.world, a->step.set, a->step.in_set[i], law,
                      key);
    for (int side = 0; side < 2; side++)
      DLS_TRY(dls_surface_add(of, &key[side], change + side * width + at));
    at += law->nsurfaces;
  }
  return DLS_OK;
}

/* What contact i stores, and the states of its laws after the step. */
static DlsStatus commit_contact(DlsAssembly *a, int i, int lane) {
  const size_t e = (size_t)i * (size_t)a->run.block;
  double *stored = &a->run.stored[i % BLOCK];
  *stored = 0;
  if (!dls_assemble_may_store(a, i) && a->run.surfaces == 0) return DLS_OK;
  const DlsLawUse *use = a->step.use;
  if (a->step.keeps)
    use += i;
  else
    DLS_TRY(dls_kinematics_tell(a, i, lane, &use));
  if (!a->step.asked.forces) /* explicit: asked already */
    DLS_TRY(dls_law_energy(use, a->solve.u + e, a->solve.r + e, stored, &a->step.dissipated[i]));
  if (a->run.surfaces) /* sees the state of the start, as all but `report` do */
    DLS_TRY(change_surfaces(a, i, use));
  return dls_law_commit(use, a->solve.u + e, a->solve.r + e,
                        a->step.state + (size_t)i * (size_t)a->run.states);
}

DlsStatus dls_assemble_commit(DlsAssembly *a) {
  a->step.stored = 0;
  memset(a->step.stored_by, 0, sizeof a->step.stored_by);
  keep_began(a);
  if (!a->run.stored) DLS_NEW(a->run.stored, BLOCK);
  for (int first = 0; first < a->step.count; first += BLOCK) {
    const int left = a->step.count - first, count = left < BLOCK ? left : BLOCK;
    DLS_TRY(for_contacts(a, first, count, commit_contact));
    for (int i = first; i < first + count; i++) {
      a->step.stored += a->run.stored[i % BLOCK];
      a->step.stored_by[a->step.laws->item[a->step.interaction[i]].account] +=
          a->run.stored[i % BLOCK];
    }
  }
  return DLS_OK;
}
