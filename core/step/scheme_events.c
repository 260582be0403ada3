/* events: from one collision to the next, at their instants (Moreau 2001, sec. 1.3), for balls and
 * planes. Between events bodies go x + t v + t² (v+ - v) / 2h, which is exact under constant
 * forces; only pairs that touch and do not collide, lasting contacts, are in the problem. The first
 * time at which another pair closes is the root of a polynomial of degree four; the part ends
 * there, with the contacts that it has. Then comes an instant: all pairs that touch, no loads, no
 * motion, the law at the velocities with which they come.
 *
 * Bounces that accumulate are more and more events. One that would rise by less than `hair` of the
 * radius is none: the contact lasts, and the step takes it as moreau does. */
#include "step/step_impl.h"
#include "world/layout.h"

#include <math.h>
#include <string.h>

enum { DEGREE = 4 };

/* Of the smaller radius; of the speeds of a pair, where there are no loads. */
static const double hair = 1e-9, faint = 1e-9;

static double after(double theta, double h) {
  (void)theta;
  return 0.5 * h;
}

/* ---- The first time in (0, end] at which a polynomial comes down through 0. ---- */

static double value(const double *c, int degree, double t) {
  double sum = c[degree];
  for (int k = degree - 1; k >= 0; k--) sum = sum * t + c[k];
  return sum;
}

/* Where it is 0 in an interval in which it goes one way, from a value that is not of the sign of
 * that at `high`; to the last bit. */
static double bisect(const double *c, int degree, double low, double high) {
  const double at_high = value(c, degree, high);
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return high;
    if ((value(c, degree, middle) > 0) == (at_high > 0))
      high = middle;
    else
      low = middle;
  }
}

/* Its zeros in (0, end), ascending, between those of its derivative; returns how many. */
static int zeros(const double *c, int degree, double end, double *root) {
  double derivative[DEGREE], turn[DEGREE + 2];
  int count = 0;
  if (degree == 0) return 0;
  for (int k = 0; k < degree; k++) derivative[k] = (k + 1) * c[k + 1];
  const int turns = zeros(derivative, degree - 1, end, turn + 1);
  turn[0] = 0, turn[turns + 1] = end;
  for (int k = 0; k <= turns; k++)
    if ((value(c, degree, turn[k]) > 0) != (value(c, degree, turn[k + 1]) > 0))
      root[count++] = bisect(c, degree, turn[k], turn[k + 1]);
  return count;
}

static double comes_down(const double *c, int degree, double end) {
  double root[DEGREE], slope[DEGREE];
  const int count = zeros(c, degree, end, root);
  for (int k = 0; k < degree; k++) slope[k] = (k + 1) * c[k + 1];
  for (int k = 0; k < count; k++)
    if (value(slope, degree - 1, root[k]) < 0) return root[k];
  return INFINITY;
}

/* ---- Pairs. ---- */

/* A pair at the beginning of the part: the way of one side beside the other is
 * place + t speed + t² bend, m. */
typedef struct {
  double place[3], speed[3], bend[3];
  double gap, closing; /* m, and m/s: > 0 where they come nearer */
  double slow;         /* m/s: a collision below it is a contact that lasts */
  double radius;       /* m, of both; a plane has none */
  double smaller;      /* m */
  double normal[3];    /* of the plane */
  bool plane;
} Pair;

/* How a body stands, moves and bends at the beginning of the part, the world being in its middle;
 * its load, m/s2, in pair->slow. */
static void add_way(const DlsSimulation *s, const DlsStepPlan *plan, int b, double sign,
                    Pair *pair) {
  const double h = plan->before + plan->after, *v = s->world->velocity[b];
  const double *ends = s->work.velocity + 6 * (size_t)b;
  const double *flies = s->last.free_velocity + 6 * (size_t)b;
  double load[3];
  for (int k = 0; k < 3; k++) {
    pair->place[k] += sign * (s->world->position[b][k] - plan->before * v[k]);
    pair->speed[k] += sign * v[k];
    pair->bend[k] += sign * (ends[k] - v[k]) / (2 * h);
    load[k] = (flies[k] - v[k]) / h;
  }
  pair->slow += dls_vector_norm(load);
}

/* How far apart, how fast, and below which speed a bounce would not rise by a hair. */
static void finish(Pair *pair) {
  const double *away = pair->plane ? pair->normal : pair->place, size = dls_vector_norm(away);
  pair->gap = (pair->plane ? dls_vector_dot(pair->normal, pair->place) : size) - pair->radius;
  pair->closing = size > 0 ? -dls_vector_dot(away, pair->speed) / size : 0;
  pair->slow = sqrt(2 * pair->slow * hair * pair->smaller) + faint * dls_vector_norm(pair->speed);
}

static double radius_of(const DlsWorld *world, int b) {
  return world->element[world->first[b]].radius;
}

static Pair two_balls(const DlsSimulation *s, const DlsStepPlan *plan, int i, int j) {
  const double a = radius_of(s->world, i), b = radius_of(s->world, j);
  Pair pair = {.radius = a + b, .smaller = fmin(a, b)};
  add_way(s, plan, i, 1, &pair);
  add_way(s, plan, j, -1, &pair);
  finish(&pair);
  return pair;
}

static Pair ball_and_plane(const DlsSimulation *s, const DlsStepPlan *plan, int i, int boundary) {
  const DlsBoundary *wall = &s->world->boundary[boundary];
  const double a = radius_of(s->world, i), *x = s->world->position[i];
  Pair pair = {.radius = a, .smaller = a, .plane = true};
  DlsNear foot[DLS_MAX_FEATURES];
  dls_boundary_near(s->world->dim, wall, x, HUGE_VAL, foot);
  add_way(s, plan, i, 1, &pair);
  for (int k = 0; k < 3; k++) {
    pair.normal[k] = foot[0].normal[k];
    pair.place[k] -= foot[0].point[k] - plan->before * wall->velocity[k];
    pair.speed[k] -= wall->velocity[k];
  }
  finish(&pair);
  return pair;
}

static Pair pair_of(const DlsSimulation *s, const DlsStepPlan *plan, int i, int other) {
  return other < 0 ? ball_and_plane(s, plan, i, -1 - other) : two_balls(s, plan, i, other);
}

/* s until the pair closes; 0: it touches and collides now. */
static double closes(const Pair *pair, double end) {
  const double *p = pair->place, *v = pair->speed, *b = pair->bend, *n = pair->normal;
  if (pair->gap <= hair * pair->smaller && pair->closing > pair->slow) return 0;
  if (pair->plane) {
    const double c[3] = {pair->gap, dls_vector_dot(n, v), dls_vector_dot(n, b)};
    return comes_down(c, 2, end);
  }
  const double c[DEGREE + 1] = {dls_vector_dot(p, p) - pair->radius * pair->radius,
                                2 * dls_vector_dot(p, v),
                                dls_vector_dot(v, v) + 2 * dls_vector_dot(p, b),
                                2 * dls_vector_dot(v, b), dls_vector_dot(b, b)};
  return comes_down(c, DEGREE, end);
}

/* ---- The scheme. ---- */

/* An instant has no duration to speak of: forces have no impulse in it, what holds by a force does
 * not hold, and springs do not give way. */
static DlsStatus check_law(const DlsScheme *scheme, const DlsLaw *law) {
  DLS_TRY(dls_scheme_check_relations(scheme, law));
  DLS_CHECK(!law->traction && !law->range && !law->surface && !(law->residual && law->nstates),
            DLS_ERR_LAW,
            "the contact law '%s' acts over time or across a gap, but time.scheme events takes "
            "collisions as instants; take coulomb, or set time.scheme to moreau or euler",
            law->name);
  return DLS_OK;
}

static DlsStatus check_world(const DlsSimulation *s) {
  const DlsWorld *world = s->world;
  bool balls = world->deformable.count == 0 && s->settings.links.count == 0, planes = true;
  for (int b = 0; b < world->count; b++) balls = balls && dls_world_is_round(world, b);
  for (int b = 0; b < world->boundary_count; b++) {
    const DlsBoundary *wall = &world->boundary[b];
    planes = planes && wall->carrier == 0 &&
             dls_boundary_flat(world->dim, wall, wall->position, HUGE_VAL) &&
             dls_vector_norm(wall->velocity + 3) == 0;
  }
  DLS_CHECK(balls && planes, DLS_ERR_ARGUMENT,
            "time.scheme events goes by roots for balls and planes that do not turn; here %s, so "
            "take moreau or euler",
            balls ? "is another boundary" : "are other bodies, or links");
  return DLS_OK;
}

/* What touches and does not collide; at an instant all that touches. A contact of the part before
 * lasts although it opened by as much as moreau allows. */
static bool belongs(const DlsSimulation *s, const DlsStepPlan *plan, int c) {
  const DlsContactSet *set = &s->last.contacts;
  const Pair pair = pair_of(s, plan, set->candidate[c], set->antagonist[c]);
  const bool lasts = fabs(pair.closing) <= pair.slow;
  const double most = lasts && set->previous[c] >= 0 ? dls_step_hair : hair;
  return (lasts || plan->instant) && pair.gap <= most * pair.smaller;
}

static DlsStatus seek(DlsSimulation *s, DlsStepPlan *plan) {
  const DlsStepExtent extent = dls_step_extent(s);
  DlsContactSet *set = &s->last.contacts, *kept = &s->work.ahead;
  const DlsDetection where = {.alert = dls_step_hair * extent.largest};
  DLS_TRY(check_world(s));
  memcpy(s->work.velocity, s->last.free_velocity,
         6 * (size_t)s->world->count * sizeof *s->work.velocity);
  DLS_TRY(dls_step_detect(s, &where));
  kept->count = 0;
  DLS_TRY(dls_contact_set_reserve(kept, set->count));
  for (int c = 0; c < set->count; c++)
    if (belongs(s, plan, c)) DLS_TRY(dls_contact_set_append(kept, set, c));
  set->count = 0;
  for (int c = 0; c < kept->count; c++) DLS_TRY(dls_contact_set_append(set, kept, c));
  DLS_TRY(dls_step_match(s, &(DlsDetection){0}));
  DLS_TRY(dls_step_make_take(s));
  memset(s->work.take, 1, (size_t)set->count * sizeof *s->work.take);
  plan->assemble.only_closed = 1;
  plan->assemble.take = s->work.take;
  return DLS_OK;
}

static bool is_met(const DlsContactSet *set, int i, int other) {
  for (int c = 0; c < set->count; c++)
    if ((set->candidate[c] == i && set->antagonist[c] == other) ||
        (set->candidate[c] == other && set->antagonist[c] == i))
      return true;
  return false;
}

static DlsStatus until_event(DlsSimulation *s, const DlsStepPlan *plan, double *seconds) {
  const DlsWorld *world = s->world;
  *seconds = INFINITY;
  if (plan->instant) return DLS_OK;
  for (int i = 0; i < world->count; i++)
    for (int other = -world->boundary_count; other < i; other++) {
      if (is_met(&s->last.contacts, i, other)) continue;
      const Pair pair = pair_of(s, plan, i, other);
      *seconds = fmin(*seconds, closes(&pair, plan->before + plan->after));
    }
  return DLS_OK;
}

const DlsScheme dls_scheme_events = {
    DLS_SCHEME_HEAD(events),
    .asks = DLS_ASKS_RELATIONS,
    .loads = DLS_LOADS_ARE_FORCES,
    .check_law = check_law,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = dls_scheme_accelerate,
    .seek = seek,
    .impulses = dls_scheme_solve,
    .until_event = until_event,
    .account = dls_scheme_account_impulses,
    .account_stored = dls_scheme_account_stored,
};
