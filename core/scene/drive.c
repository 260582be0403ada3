/* What moves the bodies and boundaries of a scene besides contacts: prescribed motions, gravity,
 * drag, springs, random forces, servos, loads, the ground; and, for motion without inertia, the
 * velocities that bodies desire. */
#include "scene/scene_impl.h"

#include "scene/forcing.h"

#include <math.h>
#include <stdio.h>
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

bool dls_scene_is_driven(const DlsSceneMotion *motion) {
  for (int k = 0; k < 3; k++)
    if (motion->displacement[k] || motion->velocity[k] || motion->spin[k]) return true;
  return false;
}

/* What a motion says at this moment, alike for all bodies that have it. */
typedef struct {
  bool set[6], moved[3]; /* velocities; displacements */
  double velocity[6], displacement[3];
} Motion;

static Motion motion_at(const DlsSceneMotion *s, double t, double h) {
  Motion m = {.set = {false}};
  for (int k = 0; k < 3; k++) {
    if (s->displacement[k]) {
      m.set[k] = m.moved[k] = true;
      m.displacement[k] = dls_expression_value(s->displacement[k], t);
      m.velocity[k] = (dls_expression_value(s->displacement[k], t + h) - m.displacement[k]) / h;
    }
    if (s->velocity[k]) {
      m.set[k] = true;
      m.velocity[k] = dls_expression_value(s->velocity[k], t + h / 2);
    }
    if (s->spin[k]) {
      m.set[3 + k] = true;
      m.velocity[3 + k] = dls_expression_value(s->spin[k], t + h / 2);
    }
  }
  return m;
}

/* The bodies of an entry whose motion is prescribed. */
static DlsStatus move_entry(DlsScene *scene, DlsWorld *world, int e, const DlsSceneMotion *motion,
                            const char *name, double t, double h) {
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  if (entry->state != DLS_ROSTER_HERE || !dls_scene_is_driven(motion)) return DLS_OK;
  const Motion m = motion_at(motion, t, h);
  for (int n = 0; n < dls_roster_led(entry); n++) {
    const int body = dls_roster_number(&scene->roster, world, (DlsMember){e, n});
    double velocity[6];
    if (body < 0) continue;
    memcpy(velocity, world->velocity[body], sizeof velocity);
    for (int k = 0; k < 3; k++)
      if (m.moved[k]) world->position[body][k] = entry->centre[n][k] + m.displacement[k];
    for (int k = 0; k < 6; k++)
      if (m.set[k]) velocity[k] = m.velocity[k];
    DLS_TRY(drive(scene, world, body, velocity, name, t));
  }
  return DLS_OK;
}

static DlsStatus move_bodies(DlsScene *scene, DlsWorld *world, double t, double h) {
  const DlsSceneBody *bodies = scene->data.bodies.items;
  const DlsSceneGrains *grains = scene->data.grains.items;
  const DlsSceneBlocks *blocks = scene->data.blocks.items;
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    const DlsSceneBody *body = bodies + entry->index;
    const DlsSceneGrains *all = grains + entry->index;
    const DlsSceneBlocks *some = blocks + entry->index;
    if (entry->kind == DLS_ROSTER_BODY)
      DLS_TRY(move_entry(scene, world, e, &body->motion, body->name ? body->name : "a body", t, h));
    if (entry->kind == DLS_ROSTER_GRAINS)
      DLS_TRY(move_entry(scene, world, e, &all->motion, all->name ? all->name : "grains", t, h));
    if (entry->kind == DLS_ROSTER_BLOCKS)
      DLS_TRY(move_entry(scene, world, e, &some->motion, some->name ? some->name : "blocks", t, h));
  }
  return DLS_OK;
}

/* A pressure that nothing resists closes a ring, or opens it without end. */
static DlsStatus check_radius(const DlsBoundary *wall, const char *name, double t) {
  DLS_CHECK(wall->radius[0] > 0 && isfinite(wall->radius[0]), DLS_ERR_NUMERIC,
            "the pressure has driven the radius of boundary %s to %g m at t = %g s; give it grains "
            "that resist, more damping, or a lower pressure",
            name, wall->radius[0], t);
  return DLS_OK;
}

/* A carried wall moves as its expressions say across the axis that the servo has. */
static DlsStatus move_carrier(DlsScene *scene, DlsWorld *world, const DlsServo *servo, double t,
                              double h) {
  const DlsSceneBoundary *s =
      (const DlsSceneBoundary *)scene->data.boundaries.items + servo->boundary;
  const int body = dls_roster_number(&scene->roster, world, servo->carrier);
  double velocity[6];
  if (servo->swells) return check_radius(&world->boundary[servo->boundary], s->name, t);
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

/* What is held, and has no motion of its own along an axis, goes with the ground. */
static bool moves_alone(const DlsSceneMotion *motion, int axis) {
  return motion && (motion->displacement[axis] || motion->velocity[axis]);
}

static void shake_boundary(const DlsScene *scene, int b, const double now[9], const double then[9],
                           double h, DlsBoundary *boundary) {
  const DlsSceneBoundary *s = (const DlsSceneBoundary *)scene->data.boundaries.items + b;
  for (int k = 0; k < 3; k++) {
    if (!scene->ground.moves[k] || s->servo || s->displacement[k] || s->velocity[k]) continue;
    boundary->position[k] = scene->origin[b][k] + now[6 + k];
    boundary->velocity[k] = (then[6 + k] - now[6 + k]) / h;
  }
}

static DlsStatus shake_entry(DlsScene *scene, DlsWorld *world, int e, const double now[9],
                             const double then[9], double t, double h) {
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  const DlsSceneBody *bodies = scene->data.bodies.items;
  const DlsSceneGrains *grains = scene->data.grains.items;
  if (entry->state != DLS_ROSTER_HERE || entry->kind == DLS_ROSTER_SERVO || !entry->centre)
    return DLS_OK;
  const DlsSceneMotion *motion = entry->kind == DLS_ROSTER_BODY     ? &bodies[entry->index].motion
                                 : entry->kind == DLS_ROSTER_GRAINS ? &grains[entry->index].motion
                                                                    : NULL;
  for (int n = 0; n < entry->count; n++) {
    const int body = dls_roster_number(&scene->roster, world, (DlsMember){e, n});
    double velocity[6];
    bool driven = false;
    if (body < 0) continue;
    memcpy(velocity, world->velocity[body], sizeof velocity);
    for (int k = 0; k < world->dim; k++) {
      if (!scene->ground.moves[k] || !(world->fixed[body] & (1u << k)) || moves_alone(motion, k))
        continue;
      world->position[body][k] = entry->centre[n][k] + now[6 + k];
      velocity[k] = (then[6 + k] - now[6 + k]) / h;
      driven |= velocity[k] != world->velocity[body][k];
    }
    if (driven) DLS_TRY(drive(scene, world, body, velocity, "the ground", t));
  }
  return DLS_OK;
}

/* Position at t, and the velocity that takes it to t + h. */
static DlsStatus shake(DlsScene *scene, DlsWorld *world, double t, double h) {
  double now[9], then[9];
  if (!scene->ground.rows) return DLS_OK;
  dls_ground_at(&scene->ground, t, now);
  dls_ground_at(&scene->ground, t + h, then);
  for (int b = 0; b < scene->data.boundaries.count; b++)
    shake_boundary(scene, b, now, then, h, &world->boundary[b]);
  for (int e = 0; e < scene->roster.count; e++)
    DLS_TRY(shake_entry(scene, world, e, now, then, t, h));
  return DLS_OK;
}

DlsStatus dls_scene_move(void *context, DlsWorld *world, double t, double h) {
  DlsScene *scene = context;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  for (int b = 0; b < scene->data.boundaries.count; b++)
    if (!items[b].servo)
      DLS_TRY(move_boundary(&items[b], scene->origin[b], &world->boundary[b], t, h));
  dls_world_carry(world);
  for (int k = 0; k < scene->servos; k++)
    DLS_TRY(move_carrier(scene, world, &scene->servo[k], t, h));
  DLS_TRY(dls_scene_move_cell(scene, world, t, h));
  DLS_TRY(move_bodies(scene, world, t, h));
  DLS_TRY(shake(scene, world, t, h));
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
  const DlsBoundary *wall = &world->boundary[servo->boundary];
  double area = 1;
  if (servo->swells)
    return servo->across[0] < 0 ? dls_boundary_side(world->dim, wall)
                                : dls_boundary_side(2, wall) *
                                      distance_across(world, servo->across[0], servo->across[1]);
  if (servo->across[0] < 0) return items[servo->boundary].servo->area;
  if (servo->across[1] < 0) { /* the round of a cylinder */
    const DlsBoundary *around = &world->boundary[servo->across[0]];
    return 0.5 * around->radius[0] * dls_boundary_side(2, around);
  }
  for (int k = 0; k < 4 && servo->across[k] >= 0; k += 2)
    area *= distance_across(world, servo->across[k], servo->across[k + 1]);
  return area;
}

/* M dv/dt = target - c v + contacts: the last term is the solver's; the wall has no weight. Of a
 * radius v = dR/dt, and the contacts push by their normal forces. One whose time is not come waits.
 * */
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

/* A membrane: the fluid on the left of a chain, seen from its start to its end, pushes each piece
 * between two centres with p times its length along its normal; half of that to each bead. In sum p
 * times the chord, turned to the right. */
static void add_pressures(const DlsScene *scene, const DlsWorld *world, double t,
                          double (*force)[6]) {
  const DlsSceneChain *items = scene->data.chains.items;
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    if (entry->kind != DLS_ROSTER_CHAIN || !items[entry->index].pressure) continue;
    const double half = 0.5 * dls_expression_value(items[entry->index].pressure, t);
    int before = -1;
    for (int n = 0; n < entry->count; n++) {
      const int bead = dls_roster_number(&scene->roster, world, (DlsMember){e, n});
      if (bead >= 0 && before >= 0) {
        const double dx = world->position[bead][0] - world->position[before][0];
        const double dy = world->position[bead][1] - world->position[before][1];
        force[before][0] += half * dy, force[before][1] -= half * dx;
        force[bead][0] += half * dy, force[bead][1] -= half * dx;
      }
      before = bead;
    }
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

/* Forces and torques that the deck puts on single bodies. */
static DlsStatus add_loads(DlsScene *scene, const DlsWorld *world, double t, double (*force)[6]) {
  const DlsSceneBody *bodies = scene->data.bodies.items;
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    if (entry->kind != DLS_ROSTER_BODY || entry->state != DLS_ROSTER_HERE) continue;
    const DlsSceneBody *s = bodies + entry->index;
    const int body = s->force[0] || s->torque[0]
                         ? dls_roster_number(&scene->roster, world, (DlsMember){e, 0})
                         : -1;
    for (int k = 0; k < 6 && body >= 0; k++) {
      DlsExpression *of = k < 3 ? s->force[k] : s->torque[k - 3];
      const double value = of ? dls_expression_value(of, t) : 0;
      DLS_CHECK(isfinite(value), DLS_ERR_NUMERIC, "the %s on %s is not finite at t = %g s",
                k < 3 ? "force" : "torque", s->name ? s->name : "a body", t);
      force[body][k] += value;
    }
  }
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
  if (data->chains.count) add_pressures(scene, world, t, force);
  if (data->loads.count) DLS_TRY(dls_scene_add_load_forces(scene, world, t, force));
  return add_loads(scene, world, t, force);
}

DlsInfluence dls_scene_influence(DlsScene *scene) {
  return (DlsInfluence){
      .context = scene, .move = dls_scene_move, .gravity = gravity_at, .force = act};
}

bool dls_scene_entry_drives(const DlsScene *scene, int e, char *name, size_t bytes) {
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  const bool is_body = entry->kind == DLS_ROSTER_BODY, is_blocks = entry->kind == DLS_ROSTER_BLOCKS;
  const DlsSceneBody *body = (const DlsSceneBody *)scene->data.bodies.items + entry->index;
  const DlsSceneGrains *grains = (const DlsSceneGrains *)scene->data.grains.items + entry->index;
  const DlsSceneBlocks *blocks = (const DlsSceneBlocks *)scene->data.blocks.items + entry->index;
  if (!is_body && !is_blocks && entry->kind != DLS_ROSTER_GRAINS) return false;
  const char *given = is_body ? body->name : is_blocks ? blocks->name : grains->name;
  const bool driven = dls_scene_is_driven(is_body     ? &body->motion
                                          : is_blocks ? &blocks->motion
                                                      : &grains->motion);
  if (!driven && !(given && dls_scene_fixed(&scene->data, entry, 0))) return false;
  if (given)
    snprintf(name, bytes, "%s", given);
  else
    snprintf(name, bytes, "%s%d",
             is_body     ? "body"
             : is_blocks ? "blocks"
                         : "grains",
             entry->index + 1);
  return true;
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
