/* moreau: x_M = x + (1 - theta) h v; contacts closed at x_M; M (v+ - v) = h F + H^T r;
 * x+ = x_M + theta h v+ (Moreau 1994, sec. 7, where theta = 1/2). */
#include "step/step_impl.h"
#include "world/layout.h"

#include <math.h>

/* Of the reduced radius: a contact that would be deeper than this in the middle of the next step
 * counts at once. */
static const double deep = 0.5;

static double after(double theta, double h) { return theta * h; }

/* Where v + w x (point - x) of a body on a side of contact c, or the velocity of a boundary there,
 * goes along n; of a deformable body, that of the element with the feature, or of those that make
 * the side. */
static double normal_speed(const DlsSimulation *s, int c, int side) {
  const DlsContactSet *set = &s->last.contacts;
  const double *n = set->frame[c], *point = set->point[c];
  const uint32_t feature = (uint32_t)(side == 0 ? set->key[c].feature >> 32 : set->key[c].feature);
  const DlsContactMean *mean = &set->mean[c][side];
  int who = side == 0 ? set->candidate[c] : set->antagonist[c];
  double velocity[3], lever[3];
  const int carrier = who < 0 ? dls_world_carrier(s->world, -1 - who) : -1;
  if (carrier >= 0 && s->world->boundary[-1 - who].flags & DLS_BOUNDARY_SWELLS)
    return s->last.free_velocity[6 * (size_t)carrier] *
           dls_boundary_outward(s->world->dim, &s->world->boundary[-1 - who], point, n);
  if (carrier >= 0) who = carrier;
  if (who < 0) {
    dls_boundary_velocity(&s->world->boundary[-1 - who], point, velocity);
    return dls_vector_dot(velocity, n);
  }
  const DlsDeformable *soft = dls_deformable_of(s->world, who);
  if (soft && mean->count > 0) {
    const double *v = s->last.free_velocity + dls_layout_start(s->world, who);
    double sum = 0;
    for (int m = mean->start; m < mean->start + mean->count; m++) {
      dls_deformable_velocity(s->world, soft, set->element[m], point, v, velocity);
      sum += set->weight[m] * dls_vector_dot(velocity, n);
    }
    return sum;
  }
  if (soft) {
    dls_deformable_velocity(s->world, soft, dls_world_element_of(s->world, who, feature), point,
                            s->last.free_velocity + dls_layout_start(s->world, who), velocity);
    return dls_vector_dot(velocity, n);
  }
  const double *v = s->last.free_velocity + 6 * (size_t)who;
  const double *shift = set->shift[c]; /* of the copy of the antagonist */
  for (int k = 0; k < 3; k++)
    lever[k] = point[k] - s->world->position[who][k] - (side ? shift[k] : 0);
  dls_vector_cross(v + 3, lever, velocity);
  return dls_vector_dot(velocity, n) + dls_vector_dot(v, n) +
         (side ? dls_vector_dot(shift + 3, n) : 0);
}

/* Of the same length: a point of flat sides of two that touched a step ago, known by other
 * features. Where faces lie on each other edge to edge their corners change names as they drift by
 * round-off, and a block would fall for a step through the gap of the one that is new. Far less
 * than a hair: a corner that really comes down from above is to close first. */
static const double renamed = 1e-7;

/* What the solver leaves of u_N opens contacts at rest by a hair; a grain would fall through it for
 * a step, g h^2: so a contact that was in the problem a step ago stays in it up to that gap. */
static bool was_closed(const DlsSimulation *s, int c, double gap, double length) {
  const DlsContactSet *set = &s->last.contacts;
  if (set->previous[c] >= 0) return gap <= dls_step_hair * length;
  return set->radius[c] == 0 && gap > 0 && gap <= renamed * length &&
         dls_contact_memory_knows(&s->state.memory, &set->key[c]);
}

static DlsStatus choose(DlsSimulation *s, bool fast) {
  const DlsContactSet *set = &s->last.contacts;
  DLS_TRY(dls_step_make_take(s));
  for (int c = 0; c < set->count; c++) {
    const double gap = set->gap[c], length = dls_contact_length(s->world, set, c);
    s->work.take[c] = was_closed(s, c, gap, length);
    if (!fast || s->work.take[c] || gap <= 0) continue;
    const double closing = normal_speed(s, c, 0) - normal_speed(s, c, 1);
    s->work.take[c] = gap + s->settings.h * closing < -deep * length;
  }
  return DLS_OK;
}

/* Surfaces of deformable bodies that are pressed for long sink into each other, since what the
 * solver leaves of u_N, about its tolerance of the fastest free velocity V, adds up. They are met
 * up to h V deep, and are to stay so: that depth turned back within the impact would be energy.
 * What is deeper has crept, and comes apart by so many times the speed at which it did. */
static const double faster = 10;

/* What is closed in the middle of the step, what was a step ago and opened by a hair, and what
 * flies so fast that it would pass before the next middle. */
static DlsStatus seek(DlsSimulation *s, DlsStepPlan *plan) {
  const DlsStepExtent extent = dls_step_extent(s);
  /* Two of the fastest may meet head on. */
  const bool fast = 2 * s->settings.h * extent.fastest > 0.5 * deep * extent.smallest;
  DlsDetection where = {.horizon = 0};
  DLS_TRY(dls_step_reach(s, &where.alert));
  where.alert = fmax(where.alert, dls_step_hair * extent.largest);
  if (fast) {
    where.horizon = s->settings.h;
    where.velocity = dls_layout_six(s->last.free_velocity);
    DLS_TRY(dls_deformables_drift_of(s, s->last.free_velocity, &where.drift));
  }
  plan->assemble.only_closed = 1;
  if (s->world->deformable.count > 0) {
    dls_step_push_apart(s, &extent, plan);
    plan->assemble.slack += s->settings.h * extent.fastest;
    plan->assemble.push = faster * s->settings.limits.tolerance * extent.fastest;
  }
  DLS_TRY(dls_step_detect(s, &where));
  DLS_TRY(choose(s, fast));
  plan->assemble.take = s->work.take;
  return DLS_OK;
}

const DlsScheme dls_scheme_moreau = {
    DLS_SCHEME_HEAD(moreau),
    .asks = DLS_ASKS_RELATIONS,
    .loads = DLS_LOADS_ARE_FORCES,
    .moves_deformables = true,
    .takes_cell = true,
    .takes_theta = true,
    .check_law = dls_scheme_check_relations,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = dls_scheme_accelerate,
    .seek = seek,
    .impulses = dls_scheme_solve,
    .account = dls_scheme_account_impulses,
    .account_stored = dls_scheme_account_stored,
};
