/* From names in a deck to springs between bodies and walls that forces drive. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ok(DlsDeck *deck, const DlsDeckNode *node, const char *key, DlsStatus status) {
  if (status != DLS_OK) dls_deck_problem(deck, node, key, "%s", dls_error_message());
  return status == DLS_OK;
}

/* The bodies that a list of names stands for, in order; at least `least`. Freed by the caller. */
static DlsMember *members_of(DlsDeck *deck, const DlsScene *scene, const DlsDeckNode *node,
                             const char *key, const DlsDeckStrings *names, int least, int *count) {
  DlsMember *list = NULL;
  *count = 0;
  for (int k = 0; k < names->count; k++)
    if (!ok(deck, node, key, dls_roster_expand(&scene->roster, names->values[k], &list, count))) {
      *count = 0;
      return list;
    }
  for (int i = 1; i < *count; i++)
    for (int j = i - 1; j >= 0 && j >= i - 2; j--)
      if (list[i].entry == list[j].entry && list[i].offset == list[j].offset) {
        dls_deck_problem(deck, node, key, "names the body %s twice in a row; take one away",
                         scene->roster.entry[list[i].entry].name);
        *count = 0;
        return list;
      }
  if (*count < least) {
    dls_deck_problem(deck, node, key, "stands for %d bod%s, needs %d or more; add names", *count,
                     *count == 1 ? "y" : "ies", least);
    *count = 0;
  }
  return list;
}

static const double *centre_of(const DlsScene *scene, DlsMember member) {
  return scene->roster.entry[member.entry].centre[member.offset];
}

static double distance(const DlsScene *scene, DlsMember a, DlsMember b) {
  const double *x = centre_of(scene, a), *y = centre_of(scene, b);
  return dls_vector_norm((const double[]){y[0] - x[0], y[1] - x[1], y[2] - x[2]});
}

/* A spring between each member and the next. */
static DlsStatus join(DlsScene *scene, const DlsMember *list, int count, double stiffness,
                      double damping, double length) {
  for (int k = 0; k + 1 < count; k++)
    DLS_TRY(dls_springs_add(
        &scene->springs,
        &(DlsSpring){.end = {list[k], list[k + 1]},
                     .stiffness = stiffness,
                     .damping = damping,
                     .length = length >= 0 ? length : distance(scene, list[k], list[k + 1])}));
  return DLS_OK;
}

static DlsStatus stiffen(DlsScene *scene, const DlsMember *list, int count, double stiffness,
                         double angle) {
  for (int k = 0; k + 2 < count; k++)
    DLS_TRY(dls_springs_add_bend(&scene->springs,
                                 &(DlsBend){.body = {list[k], list[k + 1], list[k + 2]},
                                            .stiffness = stiffness,
                                            .angle = angle}));
  return DLS_OK;
}

static DlsStatus join_chain(DlsScene *scene, int e) {
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  const DlsSceneChain *s = (const DlsSceneChain *)scene->data.chains.items + entry->index;
  DlsMember *list;
  DLS_NEW(list, entry->count);
  for (int k = 0; k < entry->count; k++) list[k] = (DlsMember){e, k};
  DlsStatus status = DLS_OK;
  if (s->stiffness > 0 || s->damping > 0)
    status = join(scene, list, entry->count, s->stiffness, s->damping, s->rest_length);
  if (status == DLS_OK && s->bending > 0)
    status = stiffen(scene, list, entry->count, s->bending, s->rest_angle);
  free(list);
  return status;
}

/* Explicit forces of springs are stable for h omega < 2; beyond, they blow the bodies apart. */
static void check_frequency(DlsDeck *deck, const DlsScene *scene, const DlsWorld *world) {
  const double h = scene->data.time.step;
  double omega;
  const DlsDeckNode *node = dls_deck_find(dls_deck_root(deck), "time");
  if (!ok(deck, node, NULL,
          dls_springs_frequency(&scene->springs, &scene->roster, world, &omega)) ||
      h * omega < 2)
    return;
  dls_deck_problem(deck, node, "step",
                   "the springs swing with up to %.3g rad/s, and %g s is too long a step for them; "
                   "take one below %.2g s, softer springs or heavier bodies",
                   omega, h, 2 / omega);
}

void dls_scene_add_springs(DlsDeck *deck, DlsScene *scene, const DlsWorld *world) {
  const DlsSceneSpring *springs = scene->data.springs.items;
  const DlsSceneBend *bends = scene->data.bends.items;
  int count;
  for (int e = 0; e < scene->roster.count; e++)
    if (scene->roster.entry[e].kind == DLS_ROSTER_CHAIN)
      ok(deck, dls_deck_root(deck), "chains", join_chain(scene, e));
  for (int k = 0; k < scene->data.springs.count; k++) {
    const DlsSceneSpring *s = &springs[k];
    DlsMember *list = members_of(deck, scene, s->node, "between", &s->between, 2, &count);
    ok(deck, s->node, NULL, join(scene, list, count, s->stiffness, s->damping, s->rest_length));
    free(list);
  }
  for (int k = 0; k < scene->data.bends.count; k++) {
    const DlsSceneBend *s = &bends[k];
    DlsMember *list = members_of(deck, scene, s->node, "along", &s->along, 3, &count);
    ok(deck, s->node, NULL, stiffen(scene, list, count, s->stiffness, s->rest_angle));
    free(list);
  }
  if (dls_deck_problem_count(deck) == 0) check_frequency(deck, scene, world);
}

/* The axis that a normal lies along, and its side; -1 for one that lies along none. */
static int axis_of_normal(const DlsWorld *world, int boundary, double *side) {
  const double local[3] = {0, world->dim == 2, world->dim == 3};
  double normal[3];
  dls_rotation_apply(world->boundary[boundary].orientation, local, normal);
  for (int k = 0; k < 3; k++)
    if (fabs(fabs(normal[k]) - 1) < 1e-9) {
      *side = normal[k] > 0 ? 1 : -1;
      return k;
    }
  return -1;
}

/* The one component of the force that is not zero; -1 for none, or several. */
static int axis_of_force(DlsExpression *const *force) {
  int axis = -1;
  for (int k = 0; k < 3; k++) {
    if (dls_expression_is_constant(force[k]) && dls_expression_value(force[k], 0) == 0) continue;
    if (axis >= 0) return -1;
    axis = k;
  }
  return axis;
}

DlsStatus dls_scene_name_boundaries(const DlsSceneData *data, DlsNames *names) {
  const DlsSceneBoundary *items = data->boundaries.items;
  for (int b = 0; b < data->boundaries.count; b++)
    DLS_TRY(dls_names_add(names, items[b].name, b, NULL));
  return DLS_OK;
}

/* How many boundaries `across` has to name; 0 where it has no meaning. One cylinder will do for a
 * plane that closes it. */
static int wanted_across(const DlsSceneData *data, const DlsServo *servo) {
  const DlsSceneBoundary *items = data->boundaries.items;
  if (!servo->swells) return 2 * (data->dimension - 1);
  return data->dimension == 3 && items[servo->boundary].shape == DLS_BOUNDARY_CYLINDER ? 2 : 0;
}

static bool is_within_cylinder(const DlsSceneData *data, const DlsServo *servo, int b) {
  const DlsSceneBoundary *items = data->boundaries.items;
  return data->dimension == 3 && !servo->swells && items[b].shape == DLS_BOUNDARY_CYLINDER &&
         items[servo->boundary].servo->across.count == 1;
}

static void find_across(DlsDeck *deck, const DlsSceneData *data, const DlsNames *names,
                        const DlsSceneServo *s, DlsServo *servo) {
  const DlsSceneBoundary *items = data->boundaries.items;
  const int wanted = wanted_across(data, servo);
  const bool is_lid = wanted == 4 && s->across.count == 1;
  for (int k = 0; k < 4; k++) servo->across[k] = -1;
  if (s->across.count && s->across.count != wanted && !is_lid) {
    dls_deck_problem(deck, s->node, "across", "names %d boundaries; %s", s->across.count,
                     wanted == 0   ? "the area follows from the radius; take it away"
                     : wanted == 4 ? "give two pairs of planes, [left, right, front, back], or one "
                                     "cylinder, [cell]"
                     : servo->swells ? "give the two planes at its ends, [bottom, top]"
                                     : "in 2-D give two, [left, right]");
    return;
  }
  for (int k = 0; k < s->across.count; k++) {
    servo->across[k] = dls_names_find(names, s->across.values[k], strlen(s->across.values[k]));
    if (servo->across[k] < 0)
      dls_deck_problem(deck, s->node, "across", "no boundary is named '%s'; name two planes",
                       s->across.values[k]);
    else if (items[servo->across[k]].shape != DLS_BOUNDARY_PLANE &&
             !is_within_cylinder(data, servo, servo->across[k]))
      dls_deck_problem(deck, s->node, "across", "%s is no plane; give the area in its place",
                       s->across.values[k]);
  }
}

static void add_servo(DlsDeck *deck, DlsScene *scene, const DlsWorld *world, const DlsNames *names,
                      int b) {
  const DlsSceneBoundary *boundary = (const DlsSceneBoundary *)scene->data.boundaries.items + b;
  const DlsSceneServo *s = boundary->servo;
  DlsServo *servo = &scene->servo[scene->servos];
  *servo = (DlsServo){.boundary = b, .side = 1};
  servo->swells = s->pressure && dls_boundary_side(world->dim, &world->boundary[b]) > 0;
  if (servo->swells) {
    servo->side = boundary->inside ? -1 : 1;
  } else if (s->pressure) {
    servo->axis = axis_of_normal(world, b, &servo->side);
    if (servo->axis < 0)
      dls_deck_problem(deck, boundary->node, "axis",
                       "a servo drives a plane whose normal is along x, y or z; turn it so");
  } else {
    servo->axis = axis_of_force(s->force);
    if (servo->axis < 0 || servo->axis >= world->dim)
      dls_deck_problem(
          deck, s->node, "force",
          "a servo drives a boundary along one axis; give one component that is not 0");
  }
  find_across(deck, &scene->data, names, s, servo);
  if (servo->axis >= 0 && boundary->velocity[0] &&
      !(dls_expression_is_constant(boundary->velocity[servo->axis]) &&
        dls_expression_value(boundary->velocity[servo->axis], 0) == 0))
    dls_deck_problem(deck, boundary->node, "velocity",
                     "the servo moves the boundary along %c; set that component to 0",
                     "xyz"[servo->axis]);
  scene->servos++;
}

void dls_scene_add_servos(DlsDeck *deck, DlsScene *scene, const DlsWorld *world) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  scene->servo = dls_memory_array((size_t)scene->data.boundaries.count, sizeof *scene->servo);
  DlsNames names = {0};
  if (!scene->servo || dls_scene_name_boundaries(&scene->data, &names) != DLS_OK) {
    dls_names_clear(&names);
    dls_deck_problem(deck, dls_deck_root(deck), "boundaries", "out of memory for their servos");
    return;
  }
  for (int b = 0; b < scene->data.boundaries.count; b++)
    if (items[b].servo) add_servo(deck, scene, world, &names, b);
  dls_names_clear(&names);
}
