/* What a law is told of a contact. */
#include "assemble/kinematics.h"

#include "assemble/support.h"

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

DlsLawUse *dls_kinematics_tell(DlsAssembly *a, int i) {
  const int place = a->step.keeps ? i : 0;
  DlsContact *k = &a->step.kinematics[place];
  fill_kinematics(a, a->step.in_set[i], k);
  memcpy(k->u_before, a->step.u_before + (size_t)i * (size_t)a->run.block,
         (size_t)a->run.block * sizeof *k->u_before);
  k->mass = dls_support_mass(a, a->step.world, i);
  a->step.use[place] = dls_interaction_use(&a->step.laws->item[a->step.interaction[i]], i, k,
                                           a->step.state + (size_t)i * (size_t)a->run.states);
  return &a->step.use[place];
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
