/* What a law is told of a contact. */
#include "assemble/kinematics.h"

#include "assemble/support.h"
#include "law/turn.h"

#include <math.h>
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
  double columns[9];
  if (material < world->materials.count) k->material[side] = world->materials.item[material].name;
  k->body[side] = boundary ? -(int64_t)boundary->id : (int64_t)world->id[who];
  k->radii[side] = boundary ? 0 : dls_world_radius_at(world, who, feature);
  memcpy(k->spin[side], (boundary ? boundary->velocity : world->velocity[who]) + 3,
         sizeof k->spin[side]);
  dls_rotation_matrix(boundary ? boundary->orientation : world->orientation[who], columns);
  for (int row = 0; row < 3; row++)
    for (int e = 0; e < 3; e++) k->axes[side][row][e] = columns[3 * e + row];
}

/* All that a law is told of contact c of the set, but velocities and mass. */
static void fill_kinematics(const DlsAssembly *a, int c, DlsContact *k) {
  const DlsWorld *world = a->step.world;
  const DlsContactSet *set = a->step.set;
  const DlsAssembleStep *step = &a->step.asked;
  *k = (DlsContact){.dim = world->dim,
                    .block = a->run.block,
                    .time = step->time,
                    .h = step->h,
                    .gap = set->gap[c],
                    .gap_rate = gap_rate(a, c),
                    .radius = set->radius[c],
                    .area = set->area[c]};
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
  const int previous = set->previous[c], pair[2] = {set->antagonist[c], set->candidate[c]};
  double spin[3] = {0};
  if (previous < 0 || !before->frame) return;
  for (int side = 0; side < 2; side++) {
    const int who = pair[side];
    const double *v =
        who >= 0 ? a->step.world->velocity[who] : a->step.world->boundary[-1 - who].velocity;
    for (int e = 0; e < 3; e++) spin[e] += 0.5 * v[3 + e];
  }
  dls_pair_turn(before->frame[previous], set->frame[c], spin, a->step.asked.moment - before->moment,
                k->turn);
}

DlsLawUse *dls_kinematics_tell(DlsAssembly *a, int i) {
  const int place = a->step.keeps ? i : 0;
  DlsContact *k = &a->step.kinematics[place];
  fill_kinematics(a, a->step.in_set[i], k);
  fill_turn(a, a->step.in_set[i], k);
  memcpy(k->u_before, a->step.u_before + (size_t)i * (size_t)a->run.block,
         (size_t)a->run.block * sizeof *k->u_before);
  k->mass = dls_support_mass(a, a->step.world, i);
  a->step.use[place] = dls_interaction_use(&a->step.laws->item[a->step.interaction[i]], i, k,
                                           a->step.state + (size_t)i * (size_t)a->run.states);
  return &a->step.use[place];
}

DlsStatus dls_kinematics_range(const DlsAssembly *a, int c, int interaction, double *out) {
  const DlsContactSet *set = a->step.set;
  const DlsLawUse use = dls_interaction_use(&a->step.laws->item[interaction], -1, NULL, NULL);
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
  const DlsLawUse use =
      dls_interaction_use(&a->step.laws->item[a->step.interaction[i]], i, &kinematics, NULL);
  double wanted[3];
  fill_kinematics(a, c, &kinematics);
  DLS_TRY(dls_law_orient(&use, wanted));
  dls_contact_turn(wanted, set->frame[c]);
  return DLS_OK;
}
