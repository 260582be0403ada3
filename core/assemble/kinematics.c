/* What a law is told of a contact. */
#include "assemble/kinematics.h"

#include "assemble/reach.h"
#include "assemble/support.h"
#include "law/turn.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Of the radius: bodies laid to touch do touch, round-off or not. */
static const double closed = 1e-10;

bool dls_kinematics_is_open(const DlsAssembly *a, int c) {
  const DlsAssembleStep *step = &a->step.asked;
  return a->step.set->gap[c] > closed * dls_contact_length(a->step.world, a->step.set, c) &&
         !(step->take && step->take[c]);
}

/* The velocity that the gap stands for: at -gap_rate the contact would just be closed at the end of
 * the step. */
static double gap_rate(const DlsAssembly *a, int c) {
  const DlsAssembleStep *step = &a->step.asked;
  const double length = dls_contact_length(a->step.world, a->step.set, c);
  const double gap = a->step.set->gap[c], deep = -gap - fmax(step->slack, closed * length);
  if (step->gap_term == DLS_GAP_NONE && !dls_kinematics_is_open(a, c)) return 0;
  if (step->gap_term != DLS_GAP_POSITIVE || gap >= 0) return gap / step->h;
  return deep > 0 ? -fmin(deep / step->h, step->push) : 0;
}

/* m: of a body at a feature, 0 of boundary -1 - who. */
static double radius_of(const DlsAssembly *a, int who, uint32_t feature) {
  return who < 0 ? 0 : dls_world_radius_at(a->step.world, who, feature);
}

/* What is told of a body, or of boundary -1 - who. */
static void fill_side(const DlsWorld *world, int who, uint32_t feature, int side, DlsContact *k) {
  const DlsBoundary *boundary = who < 0 ? &world->boundary[-1 - who] : NULL;
  const int material = boundary ? boundary->material : world->material[who];
  if (material < world->materials.count) k->material[side] = world->materials.item[material].name;
  k->body[side] = boundary ? -(int64_t)boundary->id : (int64_t)world->id[who];
  k->radii[side] = boundary ? 0 : dls_world_radius_at(world, who, feature);
  memcpy(k->spin[side], (boundary ? boundary->velocity : world->velocity[who]) + 3,
         sizeof k->spin[side]);
  dls_rotation_axes(boundary ? boundary->orientation : world->orientation[who], k->axes[side]);
}

/* All that a law is told of contact c of the set, but velocities and mass. */
static void fill_kinematics(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsWorld *world = a->step.world;
  const DlsContactSet *set = a->step.set;
  const DlsAssembleStep *step = &a->step.asked;
  /* All of it is written once: it is a kilobyte, and asked for at every contact. */
  memset(&k->area, 0, sizeof *k - offsetof(DlsContact, area));
  k->dim = world->dim;
  k->block = a->run.block;
  k->time = step->time;
  k->h = step->h;
  k->gap = set->gap[c];
  k->gap_rate = gap_rate(a, c);
  memset(k->u_before, 0, sizeof k->u_before);
  k->radius = set->radius[c];
  k->mass = 0;
  k->area = set->area[c];
  memcpy(k->frame, set->frame[c], sizeof k->frame);
  memcpy(k->point, set->point[c], sizeof k->point);
  const uint64_t feature = dls_key_is_link(&set->key[c]) ? 0 : set->key[c].feature;
  fill_side(world, set->antagonist[c], (uint32_t)feature, 0, k);
  fill_side(world, set->candidate[c], (uint32_t)(feature >> 32), 1, k);
  if (dls_key_is_link(&set->key[c])) k->radii[0] = k->radii[1] = 0;
}

/* The turn of contact c since the step before: its normal's, and the mean spin of both about it;
 * none where nothing is known of that step. */
static void fill_turn(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsContactSet *set = a->step.set;
  const DlsAssembleBefore *before = &a->step.before;
  const int previous = set->previous[c];
  double spin[3];
  if (previous < 0 || !before->frame) return;
  for (int e = 0; e < 3; e++) spin[e] = 0.5 * (k->spin[0][e] + k->spin[1][e]);
  dls_pair_turn(before->frame[previous], set->frame[c], spin, a->step.asked.moment - before->moment,
                k->turn);
}

/* Fields of both sides at contact c: values [2][DLS_MAX_PARAMS], lent to k. */
static DlsStatus fill_fields(const DlsAssembly *a, const DlsInteraction *item, int c,
                             double *values, DlsContact *k) {
  const DlsContactSet *set = a->step.set;
  const int pair[2] = {set->antagonist[c], set->candidate[c]};
  for (int side = 0; side < 2; side++) {
    double *own = values + side * DLS_MAX_PARAMS;
    const int wall = pair[side] < 0 ? -1 - pair[side] : -1;
    const int material =
        wall >= 0 ? a->step.world->boundary[wall].material : a->step.world->material[pair[side]];
    DLS_TRY(dls_interactions_fields(a->step.laws, item, material, wall, k->time, k->point, own));
    k->fields[side] = own;
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
  return item->fields ? fill_fields(a, item, c, fields, k) : DLS_OK;
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

DlsStatus dls_kinematics_tell(DlsAssembly *a, int i, const DlsLawUse **out) {
  const int place = a->step.keeps ? i : 0;
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  DlsContact *k = &a->step.kinematics[place];
  DlsLawUse *use = &a->step.use[place];
  fill_kinematics(a, a->step.in_set[i], k);
  if (item->turns) fill_turn(a, a->step.in_set[i], k);
  memcpy(k->u_before, a->step.u_before + (size_t)i * (size_t)a->run.block,
         (size_t)a->run.block * sizeof *k->u_before);
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
                radius_of(a, set->candidate[c], (uint32_t)(set->key[c].feature >> 32))}};
  return dls_law_range(&use, &pair, out);
}

bool dls_kinematics_turns(const DlsInteraction *item) {
  if (item->law->orient) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->orient) return true;
  return false;
}

DlsStatus dls_kinematics_orient(const DlsAssembly *a, DlsContactSet *set, int c, int i) {
  DlsContact kinematics;
  const DlsInteraction *item = &a->step.laws->item[a->step.interaction[i]];
  DlsLawUse use = dls_interaction_use(item, i, &kinematics, NULL);
  double wanted[3], params[DLS_MAX_PARAMS], fields[2 * DLS_MAX_PARAMS];
  double surface[2 * DLS_MAX_PARAMS];
  fill_kinematics(a, c, &kinematics);
  if (a->run.surfaces) tell_surfaces(a, c, item, surface, &kinematics);
  DLS_TRY(fill_place(a, item, c, params, fields, &kinematics, &use));
  DLS_TRY(dls_law_orient(&use, wanted));
  dls_contact_turn(wanted, set->frame[c]);
  return DLS_OK;
}
