/* What a law is told of a contact. */
#include "assemble/kinematics.h"

#include "assemble/reach.h"
#include "assemble/support.h"
#include "law/turn.h"
#include "world/deformable.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Of the radius: bodies laid to touch do touch, round-off or not. */
static const double closed = 1e-10;

static inline bool is_open(const DlsAssembly *a, int c) {
  const DlsAssembleStep *step = &a->step.asked;
  return a->step.set->gap[c] > closed * dls_contact_length(a->step.world, a->step.set, c) &&
         !(step->take && step->take[c]);
}

bool dls_kinematics_is_open(const DlsAssembly *a, int c) { return is_open(a, c); }

static bool is_soft(const DlsAssembly *a, int c) {
  const DlsContactSet *set = a->step.set;
  return dls_deformable_of(a->step.world, set->candidate[c]) ||
         (set->antagonist[c] >= 0 && dls_deformable_of(a->step.world, set->antagonist[c]));
}

/* The velocity that the gap stands for: at -gap_rate the contact would just be closed at the end of
 * the step. */
static double gap_rate(const DlsAssembly *a, int c) {
  const DlsAssembleStep *step = &a->step.asked;
  const double gap = a->step.set->gap[c];
  const bool pushed = gap < 0 && step->push > 0 && is_soft(a, c);
  if (step->gap_term == DLS_GAP_NONE && !is_open(a, c) && !pushed) return 0;
  if (step->gap_term == DLS_GAP_SIGNED || gap >= 0) return gap / step->h;
  const double length = dls_contact_length(a->step.world, a->step.set, c);
  const double deep = -gap - fmax(step->slack, closed * length);
  return deep > 0 ? -fmin(deep / step->h, step->push) : 0;
}

/* m: of a body at a feature, 0 of boundary -1 - who. */
static double radius_of(const DlsAssembly *a, int who, uint32_t feature) {
  return who < 0 ? 0 : dls_world_radius_at(a->step.world, who, feature);
}

/* rad/s, likewise. */
static const double *spin_of(const DlsWorld *world, int who) {
  return (who < 0 ? world->boundary[-1 - who].velocity : world->velocity[who]) + 3;
}

/* What is told of a body, or of boundary -1 - who. */
static void fill_side(const DlsWorld *world, int who, uint32_t feature, int side, DlsContact *k) {
  const DlsBoundary *boundary = who < 0 ? &world->boundary[-1 - who] : NULL;
  const int material = boundary ? boundary->material : world->material[who];
  k->material[side] =
      material < world->materials.count ? world->materials.item[material].name : NULL;
  k->body[side] = boundary ? -(int64_t)boundary->id : (int64_t)world->id[who];
  k->radii[side] = boundary ? 0 : dls_world_radius_at(world, who, feature);
  k->deformable[side] = !boundary && dls_deformable_of(world, who);
  memcpy(k->spin[side], spin_of(world, who), sizeof k->spin[side]);
  dls_rotation_axes(boundary ? boundary->orientation : world->orientation[who], k->axes[side]);
}

static void fill_bodies(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsContactSet *set = a->step.set;
  const bool linked = dls_key_is_link(&set->key[c]);
  const uint64_t feature = linked ? 0 : set->key[c].feature;
  fill_side(a->step.world, set->antagonist[c], (uint32_t)feature, 0, k);
  fill_side(a->step.world, set->candidate[c], (uint32_t)(feature >> 32), 1, k);
  if (linked) k->radii[0] = k->radii[1] = 0;
}

/* As if nothing had been told of the bodies. */
static void clear_bodies(DlsContact *k) {
  for (int side = 0; side < 2; side++) {
    k->material[side] = NULL;
    k->body[side] = k->deformable[side] = 0;
    k->radii[side] = 0;
    memset(k->spin[side], 0, sizeof k->spin[side]);
    memset(k->axes[side], 0, sizeof k->axes[side]);
  }
}

/* All that laws are told of contact c of the set, but velocities and mass; of the bodies nothing
 * where no law looks at them (DLS_CLAIM_PLAIN). It is half a kilobyte, asked for at every contact
 * twice in a step: each number is written once, and what was never told needs no clearing. */
static void fill_kinematics(const DlsAssembly *a, int c, const DlsInteraction *item,
                            DlsContact *k) {
  const DlsContactSet *set = a->step.set;
  const DlsAssembleStep *step = &a->step.asked;
  k->dim = a->step.world->dim;
  k->block = a->run.block;
  k->time = step->time;
  k->h = step->h;
  k->gap = set->gap[c];
  k->gap_rate = gap_rate(a, c);
  for (int e = 0; e < DLS_MAX_BLOCK; e++) k->u_before[e] = 0;
  k->radius = set->radius[c];
  k->mass = 0;
  k->area = set->area[c];
  memcpy(k->frame, set->frame[c], sizeof k->frame);
  memcpy(k->point, set->point[c], sizeof k->point);
  for (int e = 0; e < 3; e++) k->turn[e] = 0;
  for (int side = 0; side < 2; side++) k->fields[side] = k->surface[side] = NULL;
  k->tables = dls_interaction_tables(item);
  if (!item->plain)
    fill_bodies(a, c, k);
  else if (a->run.tells_bodies)
    clear_bodies(k);
}

/* The turn of contact c since the step before: its normal's, and the mean spin of both about it;
 * none where nothing is known of that step. */
static void fill_turn(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsContactSet *set = a->step.set;
  const DlsAssembleBefore *before = &a->step.before;
  const int previous = set->previous[c];
  if (previous < 0 || !before->frame) return;
  const double *first = spin_of(a->step.world, set->antagonist[c]);
  const double *second = spin_of(a->step.world, set->candidate[c]);
  double spin[3];
  for (int e = 0; e < 3; e++) spin[e] = 0.5 * (first[e] + second[e]);
  dls_pair_turn(before->frame[previous], set->frame[c], spin, a->step.asked.moment - before->moment,
                k->turn);
}

DlsStatus dls_kinematics_fields(const DlsAssembly *a, const DlsInteraction *item, int c,
                                double *values) {
  const DlsContactSet *set = a->step.set;
  const DlsWorld *world = a->step.world;
  const int pair[2] = {set->antagonist[c], set->candidate[c]};
  for (int side = 0; side < 2; side++) {
    const int wall = pair[side] < 0 ? -1 - pair[side] : -1;
    const DlsFieldOwner owner = {.boundary = wall,
                                 .material = wall >= 0 ? world->boundary[wall].material
                                                       : world->material[pair[side]],
                                 .id = wall >= 0 ? 0 : world->id[pair[side]]};
    DLS_TRY(dls_interactions_fields(a->step.laws, item, &owner, a->step.asked.time, set->point[c],
                                    values + side * DLS_MAX_PARAMS));
  }
  return DLS_OK;
}

/* What of the laws depends on the place of contact c, told to them: params [DLS_MAX_PARAMS], fields
 * [2][DLS_MAX_PARAMS]; neither is touched where nothing does. */
static DlsStatus fill_place(const DlsAssembly *a, const DlsInteraction *item, int c, double *params,
                            double *fields, DlsContact *k, DlsLawUse *use) {
  if (item->formulas) {
    DLS_TRY(dls_interaction_params(item, k->time, k->point, k->radius, params));
    use->params = params;
  }
  if (!item->fields) return DLS_OK;
  for (int side = 0; side < 2; side++) k->fields[side] = fields + side * DLS_MAX_PARAMS;
  return dls_kinematics_fields(a, item, c, fields);
}

/* What the surfaces at contact c of the set remember for the laws of an interaction, out [2]
 * [surfaces of all of them]. */
static void read_surfaces(const DlsAssembly *a, int c, const DlsInteraction *item, int width,
                          double *out) {
  const DlsSurfaces *surfaces = a->step.asked.surfaces;
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  for (int side = 0; side < 2 && !surfaces; side++) dls_law_new_surface(&use, out + side * width);
  if (!surfaces) return;
  for (int k = 0; dls_interaction_law(item, k); k++) {
    const DlsLaw *law = dls_interaction_law(item, k);
    DlsSurfaceKey key[2];
    if (law->nsurfaces == 0) continue;
    dls_surfaces_keys(surfaces, a->step.world, a->step.set, c, law, key);
    for (int side = 0; side < 2; side++)
      dls_surface_get(dls_surfaces_of(surfaces, law), &key[side], out + side * width);
    out += law->nsurfaces;
  }
}

/* Tells a contact of them; `room` [2][surfaces] is where they are from then on. */
static void tell_surfaces(const DlsAssembly *a, int c, const DlsInteraction *item, double *room,
                          DlsContact *k) {
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  const int width = dls_law_count_surfaces(&use);
  if (width == 0) return;
  read_surfaces(a, c, item, width, room);
  for (int side = 0; side < 2; side++) k->surface[side] = room + side * width;
}

DlsStatus dls_kinematics_tell(DlsAssembly *a, int i, int lane, const DlsLawUse **out) {
  const int place = a->step.keeps ? i : lane;
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  DlsContact *k = &a->step.kinematics[place];
  DlsLawUse *use = &a->step.use[place];
  const double *u_before = a->step.u_before + (size_t)i * (size_t)a->run.block;
  fill_kinematics(a, a->step.in_set[i], item, k);
  if (item->turns) fill_turn(a, a->step.in_set[i], k);
  for (int e = 0; e < a->run.block; e++) k->u_before[e] = u_before[e];
  k->mass = dls_support_mass(a, a->step.world, i);
  if (a->run.surfaces)
    tell_surfaces(a, a->step.in_set[i], item,
                  a->step.surface + 2 * (size_t)i * (size_t)a->run.surfaces, k);
  *use = dls_interaction_use(item, i, k, a->step.state + (size_t)i * (size_t)a->run.states);
  use->forces = a->step.asked.forces;
  *out = use;
  if (!item->formulas && !item->fields) return DLS_OK;
  const size_t slot = (size_t)place * DLS_MAX_PARAMS;
  return fill_place(a, item, a->step.in_set[i], item->formulas ? a->step.params + slot : NULL,
                    item->fields ? a->step.fields + 2 * slot : NULL, k, use);
}

DlsStatus dls_kinematics_start(const DlsAssembly *a, int i, double *state) {
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  const int c = a->step.in_set[i];
  double range = 0;
  if (item->starts == 0 || a->step.asked.time != 0) return DLS_OK;
  if (!dls_key_is_link(&a->step.set->key[c]) && dls_kinematics_is_open(a, c)) {
    DLS_TRY(dls_kinematics_range(a, c, a->step.interaction[i], &range));
    if (a->step.set->gap[c] > range) return DLS_OK;
  }
  for (int k = 0; k < item->starts; k++) state[item->start[k]] = item->start_value[k];
  return DLS_OK;
}

DlsStatus dls_kinematics_range(const DlsAssembly *a, int c, int interaction, double *out) {
  const DlsContactSet *set = a->step.set;
  const DlsInteraction *item = &a->step.laws->item[interaction];
  DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  double params[DLS_MAX_PARAMS];
  *out = 0;
  if (!dls_reach_is_asked(item)) return DLS_OK;
  if (item->formulas) {
    DLS_TRY(
        dls_interaction_params(item, a->step.asked.time, set->point[c], set->radius[c], params));
    use.params = params;
  }
  const DlsPair pair = {
      .dim = a->step.world->dim,
      .radius = set->radius[c],
      .radii = {radius_of(a, set->antagonist[c], (uint32_t)set->key[c].feature),
                radius_of(a, set->candidate[c], (uint32_t)(set->key[c].feature >> 32))},
      .tables = dls_interaction_tables(item)};
  return dls_law_range(&use, &pair, out);
}

bool dls_kinematics_turns(const DlsInteraction *item) {
  if (item->law->orient) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->orient) return true;
  return false;
}

DlsStatus dls_kinematics_orient(const DlsAssembly *a, DlsContactSet *set, int c, int i) {
  DlsContact kinematics = {0};
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  DlsLawUse use = dls_interaction_use(item, i, &kinematics, NULL);
  double wanted[3], params[DLS_MAX_PARAMS], fields[2 * DLS_MAX_PARAMS];
  double surface[2 * DLS_MAX_PARAMS];
  fill_kinematics(a, c, item, &kinematics);
  if (a->run.surfaces) tell_surfaces(a, c, item, surface, &kinematics);
  DLS_TRY(fill_place(a, item, c, params, fields, &kinematics, &use));
  DLS_TRY(dls_law_orient(&use, wanted));
  dls_contact_turn(wanted, set->frame[c]);
  return DLS_OK;
}
