/* What moves the bodies and boundaries of a scene besides contacts: prescribed motions, gravity,
 * drag, springs, random forces, servos; and, for motion without inertia, the velocities that bodies
 * desire. */
#include "scene/scene_impl.h"

#include "scene/forcing.h"

#include <math.h>
#include <string.h>

static void gravity_at(void *context, double t, double out[3]) {
  const DlsScene *scene = context;
  for (int k = 0; k < 3; k++)
    out[k] = scene->data.gravity[k] ? dls_expression_value(scene->data.gravity[k], t) : 0;
}

/* Sets fixed components of a body; the energy it takes is work of what drives it, as of a
 * boundary. */
static DlsStatus drive(DlsScene *scene, DlsWorld *world, int body, const double velocity[6],
                       const char *what, double t) {
  const double before = dls_world_body_energy(world, body);
  for (int k = 0; k < 6; k++)
    DLS_CHECK(isfinite(velocity[k]), DLS_ERR_NUMERIC, "the motion of %s is not finite at t = %g s",
              what, t);
  memcpy(world->velocity[body], velocity, sizeof world->velocity[body]);
  scene->simulation->state.ledger.boundary += dls_world_body_energy(world, body) - before;
  return DLS_OK;
}

static bool is_driven(const DlsSceneMotion *motion) {
  for (int k = 0; k < 3; k++)
    if (motion->displacement[k] || motion->velocity[k] || motion->spin[k]) return true;
  return false;
}

static DlsStatus move_body(DlsScene *scene, DlsWorld *world, int e, double t, double h) {
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  const DlsSceneBody *s = (const DlsSceneBody *)scene->data.bodies.items + entry->index;
  const int body = dls_roster_number(&scene->roster, world, (DlsMember){e, 0});
  if (body < 0 || !is_driven(&s->motion)) return DLS_OK;
  double velocity[6];
  memcpy(velocity, world->velocity[body], sizeof velocity);
  for (int k = 0; k < 3; k++) {
    if (s->motion.displacement[k]) {
      const double now = dls_expression_value(s->motion.displacement[k], t);
      world->position[body][k] = entry->centre[0][k] + now;
      velocity[k] = (dls_expression_value(s->motion.displacement[k], t + h) - now) / h;
    }
    if (s->motion.velocity[k]) velocity[k] = dls_expression_value(s->motion.velocity[k], t + h / 2);
    if (s->motion.spin[k]) velocity[3 + k] = dls_expression_value(s->motion.spin[k], t + h / 2);
  }
  return drive(scene, world, body, velocity, s->name ? s->name : "a body", t);
}

/* A carried wall moves as its expressions say across the axis that the servo has. */
static DlsStatus move_carrier(DlsScene *scene, DlsWorld *world, const DlsServo *servo, double t,
                              double h) {
  const DlsSceneBoundary *s =
      (const DlsSceneBoundary *)scene->data.boundaries.items + servo->boundary;
  const int body = dls_roster_number(&scene->roster, world, servo->carrier);
  double velocity[6];
  if (body < 0 || !s->velocity[0]) return DLS_OK;
  memcpy(velocity, world->velocity[body], sizeof velocity);
  for (int k = 0; k < 3; k++)
    if (k != servo->axis) velocity[k] = dls_expression_value(s->velocity[k], t + h / 2);
  return drive(scene, world, body, velocity, s->name, t);
}

/* Pose at t, and the velocity that takes it to t + h. */
static DlsStatus move_boundary(const DlsSceneBoundary *s, const double *origin,
                               DlsBoundary *boundary, double t, double h) {
  for (int k = 0; k < 3; k++) {
    if (s->displacement[k]) {
      const double now = dls_expression_value(s->displacement[k], t);
      boundary->position[k] = origin[k] + now;
      boundary->velocity[k] = (dls_expression_value(s->displacement[k], t + h) - now) / h;
    }
    if (s->velocity[k]) boundary->velocity[k] = dls_expression_value(s->velocity[k], t + h / 2);
    if (s->spin[k]) boundary->velocity[3 + k] = dls_expression_value(s->spin[k], t + h / 2);
    DLS_CHECK(isfinite(boundary->velocity[k]) && isfinite(boundary->velocity[3 + k]),
              DLS_ERR_NUMERIC, "the motion of boundary %s is not finite at t = %g s", s->name, t);
  }
  return DLS_OK;
}

DlsStatus dls_scene_move(void *context, DlsWorld *world, double t, double h) {
  DlsScene *scene = context;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  for (int b = 0; b < scene->data.boundaries.count; b++)
    if (!items[b].servo)
      DLS_TRY(move_boundary(&items[b], scene->origin[b], &world->boundary[b], t, h));
  for (int k = 0; k < scene->servos; k++)
    DLS_TRY(move_carrier(scene, world, &scene->servo[k], t, h));
  for (int e = 0; e < scene->roster.count; e++)
    if (scene->roster.entry[e].kind == DLS_ROSTER_BODY) DLS_TRY(move_body(scene, world, e, t, h));
  dls_world_carry(world);
  return DLS_OK;
}

static bool is_ghost(const DlsWorld *world, int body) {
  return world->flags[body] & DLS_BODY_GHOST;
}

static void add_drag(const DlsScene *scene, const DlsWorld *world, double (*force)[6]) {
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 3 && !is_ghost(world, b); k++)
      force[b][k] -= scene->data.drag * world->mass[b] * world->velocity[b][k];
}

/* Adds factor times the mass (or 1) times normal numbers. */
static void add_random(const DlsScene *scene, const DlsWorld *world, double t, double factor,
                       bool by_mass, double (*force)[6]) {
  for (int b = 0; b < world->count; b++) {
    double normal[3];
    if (is_ghost(world, b)) continue;
    dls_forcing_draw((uint64_t)scene->data.random.seed, t, world->id[b], world->dim, normal);
    for (int k = 0; k < 3; k++)
      if (!(world->fixed[b] & (1u << k)))
        force[b][k] += factor * (by_mass ? world->mass[b] : 1) * normal[k];
  }
}

/* The distance of two parallel planes. */
static double distance_across(const DlsWorld *world, int first, int second) {
  const double local[3] = {0, world->dim == 2, world->dim == 3};
  double normal[3], d[3];
  dls_rotation_apply(world->boundary[first].orientation, local, normal);
  for (int k = 0; k < 3; k++)
    d[k] = world->boundary[second].position[k] - world->boundary[first].position[k];
  return fabs(dls_vector_dot(normal, d));
}

double dls_scene_servo_area(const DlsScene *scene, const DlsServo *servo) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const DlsWorld *world = scene->simulation->world;
  double area = 1;
  if (servo->across[0] < 0) return items[servo->boundary].servo->area;
  for (int k = 0; k < 4 && servo->across[k] >= 0; k += 2)
    area *= distance_across(world, servo->across[k], servo->across[k + 1]);
  return area;
}

/* M dv/dt = target - c v + contacts: the last term is the solver's; the wall has no weight. One
 * whose time is not come waits. */
static void add_servos(DlsScene *scene, const DlsWorld *world, double t, double (*force)[6]) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  double gravity[3];
  gravity_at(scene, t, gravity);
  for (int k = 0; k < scene->servos; k++) {
    const DlsServo *servo = &scene->servo[k];
    const DlsSceneServo *deck = items[servo->boundary].servo;
    const int body = dls_roster_number(&scene->roster, world, servo->carrier), axis = servo->axis;
    if (body < 0) continue;
    force[body][axis] -= world->mass[body] * gravity[axis];
    if (world->boundary[servo->boundary].flags & DLS_BODY_GHOST) continue;
    const double target = deck->pressure ? servo->side * dls_expression_value(deck->pressure, t) *
                                               dls_scene_servo_area(scene, servo)
                                         : dls_expression_value(deck->force[axis], t);
    force[body][axis] += target - deck->damping * world->velocity[body][axis];
  }
}

/* In the place of forces: the velocity that each body wants, and a random walk about it. */
static DlsStatus desire(DlsScene *scene, const DlsWorld *world, double t, double (*velocity)[6]) {
  const DlsSceneDesired *items = scene->data.desired.items;
  for (int k = 0; k < scene->data.desired.count; k++) {
    const DlsSceneDesired *s = &items[k];
    const int material = s->material ? dls_materials_find(&world->materials, s->material) : -1;
    for (int b = 0; b < world->count; b++) {
      if (s->material && world->material[b] != material) continue;
      const double *x = world->position[b], at[4] = {t, x[0], x[1], x[2]};
      double way[3] = {0};
      for (int c = 0; c < world->dim; c++)
        way[c] = s->velocity[0] ? dls_expression_at(s->velocity[c], at) : s->towards[c] - x[c];
      const double size = dls_vector_norm(way);
      DLS_CHECK(isfinite(size), DLS_ERR_NUMERIC,
                "the desired velocity at (%g, %g, %g) is not finite at t = %g s", x[0], x[1], x[2],
                t);
      const double factor = s->velocity[0] ? 1 : size > 0 ? s->speed / size : 0;
      for (int c = 0; c < 3; c++) velocity[b][c] = factor * way[c];
    }
  }
  const double diffusion = scene->data.random.diffusion;
  if (diffusion > 0)
    add_random(scene, world, t, sqrt(2 * diffusion / scene->simulation->settings.h), false,
               velocity);
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 6; k++)
      if (world->fixed[b] & (1u << k)) velocity[b][k] = world->velocity[b][k];
  return DLS_OK;
}

static DlsStatus act(void *context, const DlsWorld *world, double t, double (*force)[6]) {
  DlsScene *scene = context;
  const DlsSceneData *data = &scene->data;
  if (scene->simulation->settings.scheme->loads == DLS_LOADS_ARE_VELOCITIES)
    return desire(scene, world, t, force);
  if (data->drag > 0) add_drag(scene, world, force);
  dls_springs_force(&scene->springs, &scene->roster, world, force);
  if (data->random.variance > 0)
    add_random(scene, world, t, sqrt(data->random.variance / scene->simulation->settings.h), true,
               force);
  if (scene->servos) add_servos(scene, world, t, force);
  return DLS_OK;
}

DlsInfluence dls_scene_influence(DlsScene *scene) {
  return (DlsInfluence){
      .context = scene, .move = dls_scene_move, .gravity = gravity_at, .force = act};
}

int dls_scene_bodies(const DlsScene *scene) {
  return scene->simulation->world->count - scene->servos;
}

double dls_scene_spring_energy(const DlsScene *scene) {
  return dls_springs_energy(&scene->springs, &scene->roster, scene->simulation->world);
}

double dls_scene_servo_energy(const DlsScene *scene) {
  const DlsWorld *world = scene->simulation->world;
  double sum = 0;
  for (int k = 0; k < scene->servos; k++) {
    const int body = dls_roster_number(&scene->roster, world, scene->servo[k].carrier);
    if (body >= 0) sum += dls_world_body_energy(world, body);
  }
  return sum;
}
