/* Mistakes of a deck that no row of the schema sees alone. Each is told at its line, with a
 * cure. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "world/boundary/kind.h"
#include "world/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  DlsDeck *deck;
  const DlsSceneData *data;
} Check;

static const DlsDeckNode *section(const Check *c, const char *key) {
  return dls_deck_find(dls_deck_root(c->deck), key);
}

static void check_time(const Check *c) {
  const DlsSceneTime *time = &c->data->time;
  const DlsDeckNode *node = section(c, "time");
  if (time->end > 0 && time->step > time->end * (1 + 1e-9))
    dls_deck_problem(c->deck, node, "step",
                     "one step of %g s is longer than the whole run of %g s; shorten the step, or "
                     "raise time.end",
                     time->step, time->end);
  const DlsScheme *scheme = dls_schemes[time->scheme];
  if (time->signed_gap && !scheme->takes_signed_gap)
    dls_deck_problem(c->deck, node, "signed_gap",
                     "%s has no gap term; take it away, or set scheme: euler", scheme->name);
  if (time->theta != 0.5 && !scheme->takes_theta)
    dls_deck_problem(c->deck, node, "theta",
                     "belongs to the scheme moreau; take it away, or set scheme: moreau");
}

/* In 2-D, what points out of the plane at some time of the run. */
static void check_flat(const Check *c, const DlsDeckNode *node, const char *key,
                       DlsExpression *expression, const char *component) {
  if (c->data->dimension != 2 || !expression) return;
  for (int k = 0; k <= 8; k++)
    if (dls_expression_value(expression, k * c->data->time.end / 8) != 0) {
      dls_deck_problem(c->deck, node, key,
                       "has a component %s, out of the plane in 2-D; set it to 0, or dimension: 3",
                       component);
      return;
    }
}

static void check_sizes(const Check *c, const DlsSceneGrains *g) {
  const DlsSceneSizes *sizes = &g->sizes;
  const DlsDeckNode *node = dls_deck_find(g->node, "sizes");
  const bool alone = g->place == DLS_PLACE_PYRAMID || g->place == DLS_PLACE_DEPOSIT;
  const char *radius = node ? "radius" : "sizes";
  if (!node) node = g->node;
  if (g->place == DLS_PLACE_FILE) return;
  if (alone && sizes->kind != DLS_SIZES_FIXED)
    dls_deck_problem(c->deck, node, "kind",
                     "a %s has grains of one size; write sizes: {radius: 5 mm}",
                     g->place == DLS_PLACE_PYRAMID ? "pyramid" : "deposit");
  else if (sizes->kind == DLS_SIZES_FIXED && !(sizes->radius > 0))
    dls_deck_problem(c->deck, node, radius,
                     "the grains have no radius; give one, as in sizes: {radius: 5 mm}");
  if (sizes->kind == DLS_SIZES_SHARES && sizes->shares.count != sizes->values.count)
    dls_deck_problem(c->deck, node, "shares",
                     "%d shares for %d values; give one share for each value", sizes->shares.count,
                     sizes->values.count);
}

/* 1 for a name that there is not, which is told elsewhere. */
static double density_of(const Check *c, const char *material) {
  const DlsSceneMaterial *materials = c->data->materials.items;
  for (int k = 0; k < c->data->materials.count; k++)
    if (strcmp(materials[k].name, material) == 0) return materials[k].density;
  return 1;
}

/* Of grains and of sources. Proportions alone count, so that lengths need a size to be scaled
 * by. */
static void check_form(const Check *c, const DlsDeckNode *node, const DlsSceneForm *form,
                       const char *material, uint64_t seed) {
  const DlsSceneShape *s = form->shape;
  DlsShape shape = {0};
  if (!dls_scene_has_form(form)) return;
  if (form->deformable) {
    if (s || form->cluster.count)
      dls_deck_problem(c->deck, node, "deformable",
                       "the grains have a cluster or a shape too; take one of them away");
    dls_scene_check_deformable(c->deck, form->deformable, c->data->dimension,
                               density_of(c, material));
    return;
  }
  if (s && form->cluster.count) {
    dls_deck_problem(c->deck, node, "shape",
                     "the grains have a cluster and a shape; take one of them away");
    return;
  }
  if (s && s->kind == DLS_SCENE_IRREGULAR && s->rounding > 0 && !(s->radius > 0)) {
    dls_deck_problem(c->deck, s->node, "rounding",
                     "goes with the size of the grain; give the radius that it is of, too");
    return;
  }
  if (dls_scene_form(form, c->data->dimension, seed, 0, &shape) != DLS_OK)
    dls_deck_problem(c->deck, s ? s->node : node, s ? "kind" : "cluster", "%s",
                     dls_error_message());
  dls_shape_clear(&shape);
}

static void check_source_form(const Check *c, const DlsSceneSource *s) {
  if (s->form.deformable)
    dls_deck_problem(c->deck, s->node, "deformable",
                     "sources pour rigid bodies; place deformable ones by `grains`");
  else
    check_form(c, s->node, &s->form, s->material, (uint64_t)s->seed);
}

static void check_grains(const Check *c, const DlsSceneGrains *g) {
  static const char *const names[] = {"lattice", "pyramid", "random", "packed",
                                      "rain",    "deposit", "file"};
  const bool by_fraction = g->place == DLS_PLACE_RANDOM || g->place == DLS_PLACE_PACKED;
  const bool counted = g->place == DLS_PLACE_RAIN || g->place == DLS_PLACE_DEPOSIT;
  check_sizes(c, g);
  if (g->form.deformable && (g->fixed.count || dls_scene_is_driven(&g->motion)))
    dls_deck_problem(c->deck, g->node, g->fixed.count ? "fixed" : "motion",
                     "is of rigid bodies; write `fixed` or `prescribed` under `deformable`, with a "
                     "group of the mesh");
  if (g->mass > 0 && (g->form.deformable || g->place == DLS_PLACE_FILE))
    dls_deck_problem(c->deck, g->node, "mass",
                     g->form.deformable ? "deformable bodies weigh what `bulk` says; take it away"
                                        : "the bodies of a file weigh what the density of their "
                                          "material gives; take it away");
  if (g->place == DLS_PLACE_FILE && dls_scene_has_form(&g->form))
    dls_deck_problem(c->deck, g->node, g->form.shape ? "shape" : "cluster",
                     "the bodies of a file are what the file says; take it away");
  else
    check_form(c, g->node, &g->form, g->material, (uint64_t)g->seed);
  if (by_fraction && !g->count && !(g->fraction > 0))
    dls_deck_problem(c->deck, g->node, "count",
                     "%s does not say how many grains; give count, or the solid fraction to reach",
                     names[g->place]);
  if (by_fraction && g->count && g->fraction > 0)
    dls_deck_problem(c->deck, g->node, "fraction",
                     "count and fraction both say how many grains; take one away");
  if (counted && !g->count)
    dls_deck_problem(c->deck, g->node, "count", "%s needs a number of grains; add count: 1000",
                     names[g->place]);
  if (g->place == DLS_PLACE_DEPOSIT && c->data->dimension == 2)
    dls_deck_problem(c->deck, g->node, "place",
                     "deposit is for 3-D; in 2-D take rain or lattice, or set dimension: 3");
  if (g->place == DLS_PLACE_FILE && !g->file)
    dls_deck_problem(c->deck, g->node, "file",
                     "place: file needs the path of a CSV file, a frame or a checkpoint; add it");
  if (g->place != DLS_PLACE_FILE && g->file)
    dls_deck_problem(c->deck, g->node, "file", "is read by place: file alone; this is place: %s",
                     names[g->place]);
}

/* What rigid bodies alone have, and where a deformable one says it. */
static void check_deformable(const Check *c, const DlsSceneBody *body) {
  if (body->mass > 0)
    dls_deck_problem(c->deck, body->node, "mass",
                     "of a deformable body follows from the density of what it is made of; take it "
                     "away");
  if (body->fixed.count)
    dls_deck_problem(c->deck, body->node, "fixed",
                     "holds rigid bodies; write it under `deformable`, with a group of the mesh");
  if (dls_scene_is_driven(&body->motion))
    dls_deck_problem(c->deck, body->node, "motion",
                     "drives rigid bodies; write `prescribed` under `deformable`, with a group of "
                     "the mesh");
  if (body->torque[0])
    dls_deck_problem(c->deck, body->node, "torque",
                     "turns rigid bodies; write `loads` under `deformable`, with tractions");
  dls_scene_check_deformable(c->deck, body->deformable, c->data->dimension,
                             density_of(c, body->material));
}

static void check_body(const Check *c, const DlsSceneBody *body) {
  const int given = (body->radius > 0) + (body->cluster.count > 0) + (body->shape != NULL) +
                    (body->deformable != NULL);
  if (given == 0)
    dls_deck_problem(c->deck, body->node, "radius",
                     "the body has neither a radius nor a cluster nor a shape nor deformable; give "
                     "one of them");
  if (given > 1)
    dls_deck_problem(
        c->deck, body->node, "radius",
        "the body has more than one of radius, cluster, shape and deformable; leave one "
        "of them");
  if (c->data->dimension == 2 && (body->turn[1] != 0 || body->turn[2] != 0))
    dls_deck_problem(c->deck, body->node, "turn", "in 2-D is one angle; give [ANGLE]");
  DlsShape shape = {0};
  if (body->shape && dls_scene_solid(body->shape, c->data->dimension, &shape) != DLS_OK)
    dls_deck_problem(c->deck, body->shape->node, "kind", "%s", dls_error_message());
  dls_shape_clear(&shape);
  if (body->deformable) check_deformable(c, body);
}

/* What each shape needs besides its name. */
static void check_extent(const Check *c, const DlsSceneBoundary *b) {
  const int dim = c->data->dimension;
  const DlsBoundaryOperations *kind = dls_boundary_operations((DlsBoundaryKind)b->shape);
  const int lengths = dls_by_dim(kind->lengths, dim);
  if (kind->only_dim && kind->only_dim != dim)
    return; /* said by the world, with what to take instead */
  if (lengths && !(b->length[0] > 0))
    dls_deck_problem(c->deck, b->node, "length", "this shape needs a length; give %s in m",
                     lengths == 1   ? "length: [0.5]"
                     : lengths == 2 ? "its edges, length: [0.5, 0.5]"
                                    : "its edges, length: [0.5, 0.5, 0.5]");
  if (kind->radii && !(b->radius[0] > 0) && !(b->radius[1] > 0))
    dls_deck_problem(c->deck, b->node, "radius", "this shape needs a radius; give %s in m",
                     kind->radius_example);
}

/* What a mesh or a polyline is made of, and others are not. */
static void check_facets(const Check *c, const DlsSceneBoundary *b) {
  const DlsBoundaryOperations *kind = dls_boundary_operations((DlsBoundaryKind)b->shape);
  const bool line = kind->of_facets && kind->only_dim == 2;
  if (c->data->dimension == 2 && (b->turn[1] != 0 || b->turn[2] != 0))
    dls_deck_problem(c->deck, b->node, "turn", "in 2-D is one angle; give [ANGLE]");
  if (kind->of_facets && kind->only_dim == c->data->dimension && !b->file && b->points.count == 0)
    dls_deck_problem(c->deck, b->node, "file", "%s",
                     line ? "a polyline needs its points; give points: [0, 0, 1, 0] in m, or a "
                            "file, a CSV with x, y"
                          : "a mesh needs a file; give file: hopper.stl, an STL, OBJ or MSH");
  if (b->file && b->points.count)
    dls_deck_problem(c->deck, b->node, "points", "there is a file too; leave one of them");
  if (!kind->of_facets && (b->file || b->points.count || b->groups.count))
    dls_deck_problem(c->deck, b->node,
                     b->file           ? "file"
                     : b->points.count ? "points"
                                       : "groups",
                     "a %s has none; set shape: %s, or take it away", kind->name,
                     c->data->dimension == 2 ? "polyline" : "mesh");
  if (!kind->of_facets && b->closed)
    dls_deck_problem(c->deck, b->node, "closed", "is of a mesh or polyline; take it away");
  if (kind->of_facets && !line && b->points.count)
    dls_deck_problem(c->deck, b->node, "points", "is of a polyline; take it away");
  if (line && b->groups.count)
    dls_deck_problem(c->deck, b->node, "groups", "a CSV has none; take it away");
  if (kind->of_facets && (b->axis[0] != 0 || b->axis[1] != 0 || b->axis[2] != 0))
    dls_deck_problem(c->deck, b->node, "axis", "a %s has none; turn it by `turn`", kind->name);
  if (kind->of_facets && (b->length[0] != 0 || b->radius[0] != 0))
    dls_deck_problem(c->deck, b->node, b->length[0] != 0 ? "length" : "radius",
                     "a %s has none; set its `scale`", kind->name);
}

static void check_boundary(const Check *c, const DlsSceneBoundary *b) {
  check_extent(c, b);
  check_facets(c, b);
  if (b->inside && !dls_boundary_operations((DlsBoundaryKind)b->shape)->has_inside)
    dls_deck_problem(c->deck, b->node, "inside",
                     "this shape has no inside; take it away, a plane faces along its axis");
  if (b->displacement[0] && b->velocity[0])
    dls_deck_problem(c->deck, b->node, "velocity",
                     "a boundary has either a displacement or a velocity; take one away");
  if (c->data->dimension == 2 && b->axis[2] != 0)
    dls_deck_problem(c->deck, b->node, "axis", "points out of the plane in 2-D; give [x, y]");
  check_flat(c, b->node, "displacement", b->displacement[2], "z");
  check_flat(c, b->node, "velocity", b->velocity[2], "z");
  check_flat(c, b->node, "spin", b->spin[0], "x");
  check_flat(c, b->node, "spin", b->spin[1], "y");
}

void dls_scene_check(DlsDeck *deck, const DlsSceneData *data) {
  const Check c = {deck, data};
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneSource *sources = data->sources.items;
  const DlsSceneBoundary *boundaries = data->boundaries.items;
  check_time(&c);
  check_flat(&c, dls_deck_root(deck), "gravity", data->gravity[2], "z");
  for (int k = 0; k < data->grains.count; k++) check_grains(&c, &grains[k]);
  for (int k = 0; k < data->sources.count; k++) check_source_form(&c, &sources[k]);
  for (int k = 0; k < data->bodies.count; k++) check_body(&c, &bodies[k]);
  for (int k = 0; k < data->boundaries.count; k++) check_boundary(&c, &boundaries[k]);
  dls_scene_check_drive(deck, data);
  dls_scene_check_cell(deck, data);
  if (!data->grains.count && !data->bodies.count && !data->chains.count && !data->blocks.count &&
      !data->sources.count)
    dls_deck_problem(deck, dls_deck_root(deck), NULL,
                     "there is nothing to simulate; add grains, bodies or blocks");
}

/* How many bodies of a material there can be, as far as it matters: 0, 1, 2 for more. */
static void count_bodies(const DlsScene *scene, int *bodies) {
  const DlsWorld *world = scene->simulation->world;
  const DlsSceneSource *sources = scene->data.sources.items;
  for (int b = 0; b < world->count; b++)
    bodies[world->material[b]] += !(world->flags[b] & DLS_BODY_GHOST);
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    const int number =
        dls_materials_find(&world->materials, dls_scene_material(&scene->data, entry));
    if (entry->state == DLS_ROSTER_WAITS && number >= 0) bodies[number] += entry->count;
  }
  for (int k = 0; k < scene->data.sources.count; k++) {
    const int number = dls_materials_find(&world->materials, sources[k].material);
    if (number >= 0) bodies[number] += 2;
  }
}

/* Whether what can meet of these materials has a law: two bodies, or a body and each boundary; one
 * of `none` is one. */
static bool has_law(const DlsSimulation *s, int i, int j, const int *bodies, bool two) {
  const DlsInteractions *laws = &s->settings.laws;
  if (laws->pair[i * laws->materials + j] != -1) return true;
  if (two) return false;
  for (int b = 0; b < laws->boundaries; b++) {
    const int of = laws->boundary_material[b];
    if (bodies[i] && of == j && laws->wall[i * laws->boundaries + b] == -1) return false;
    if (bodies[j] && of == i && laws->wall[j * laws->boundaries + b] == -1) return false;
  }
  return true;
}

/* One problem for each pair of materials that can meet; with one body of its own a material does
 * not meet itself. */
void dls_scene_check_laws(DlsDeck *deck, const DlsScene *scene) {
  const DlsSimulation *s = scene->simulation;
  const DlsWorld *world = s->world;
  const int n = world->materials.count;
  int *bodies = dls_memory_array((size_t)n, sizeof *bodies);
  bool *wall = dls_memory_array((size_t)n, sizeof *wall);
  if (bodies) count_bodies(scene, bodies);
  for (int b = 0; wall && b < world->boundary_count; b++) wall[world->boundary[b].material] = true;
  for (int i = 0; bodies && wall && i < n; i++)
    for (int j = i; j < n; j++) {
      const bool two = bodies[i] && bodies[j] && (i != j || bodies[i] > 1);
      const bool meet = two || (bodies[i] && wall[j]) || (wall[i] && bodies[j]);
      if (meet && !has_law(s, i, j, bodies, two))
        dls_deck_problem(deck, dls_deck_root(deck), "laws",
                         "no law between %s and %s, which can meet; add one with between: [%s, "
                         "%s], or one for all without `between`",
                         world->materials.item[i].name, world->materials.item[j].name,
                         world->materials.item[i].name, world->materials.item[j].name);
    }
  free(bodies);
  free(wall);
}

/* How deep two bodies may overlap at the start. Those of a file may come from a run, which
 * leaves overlaps of a few hundredths of a radius where its step or its tolerance is coarse; up
 * to a tenth of the smaller radius of the pair the place of the contact and its normal still
 * mean something, and they are taken as they are. Elsewhere a hundredth of the smallest radius
 * of all is a slip of the pen. */
static const double deepest_drawn = 0.01, deepest_read = 0.1;

static bool is_read(const DlsSceneData *data, const DlsDeckNode *owner) {
  const DlsSceneGrains *grains = data->grains.items;
  for (int k = 0; k < data->grains.count; k++)
    if (grains[k].place == DLS_PLACE_FILE && grains[k].node == owner) return true;
  return false;
}

/* A body as a sentence names it: one of a file by its id, too. */
static void name_body(const DlsWorld *world, int body, bool read, const char *drawn, char *out,
                      size_t bytes) {
  const double *x = world->position[body];
  if (read)
    snprintf(out, bytes, "body %llu at (%g, %g, %g)", (unsigned long long)world->id[body], x[0],
             x[1], x[2]);
  else
    snprintf(out, bytes, "%s at (%g, %g, %g)", drawn, x[0], x[1], x[2]);
}

static double limit_of(const DlsSceneData *data, const DlsSimulation *s,
                       const DlsDeckNode *const *owner, double smallest, int c) {
  const int one = s->last.contacts.candidate[c], other = s->last.contacts.antagonist[c];
  if (!is_read(data, owner[one]) && (other < 0 || !is_read(data, owner[other])))
    return deepest_drawn * smallest;
  const double radius = dls_world_size(s->world, one);
  return deepest_read * (other < 0 ? radius : fmin(radius, dls_world_size(s->world, other)));
}

/* The pair that is deepest in terms of what it may be is told at the section of the body that
 * came later. */
void dls_scene_check_overlap(DlsDeck *deck, const DlsSceneData *data, DlsSimulation *s,
                             const DlsDeckNode *const *owner) {
  const DlsWorld *world = s->world;
  const DlsDetection where = {.sights = dls_interactions_sights(&s->settings.laws)};
  const DlsSceneBoundary *boundaries = data->boundaries.items;
  double smallest, largest, most = 1;
  int worst = -1;
  dls_world_sizes(world, &smallest, &largest);
  if (dls_detect(s->detector, world, &where, &s->last.contacts) != DLS_OK) {
    dls_deck_problem(deck, dls_deck_root(deck), NULL, "%s", dls_error_message());
    return;
  }
  for (int c = 0; c < s->last.contacts.count; c++) {
    if (!(s->last.contacts.gap[c] < -deepest_drawn * smallest)) continue;
    const double share = -s->last.contacts.gap[c] / limit_of(data, s, owner, smallest, c);
    if (share > most) most = share, worst = c;
  }
  if (worst < 0) return;
  const int one = s->last.contacts.candidate[worst], other = s->last.contacts.antagonist[worst];
  const int body = one > other ? one : other;
  const double limit = limit_of(data, s, owner, smallest, worst);
  const bool read = is_read(data, owner[one]) || (other >= 0 && is_read(data, owner[other]));
  char who[120], whom[120];
  name_body(world, body, read, "the body", who, sizeof who);
  if (other < 0)
    snprintf(whom, sizeof whom, "boundary %.80s", boundaries[-1 - other].name);
  else
    name_body(world, body == other ? one : other, read, "the one", whom, sizeof whom);
  dls_deck_problem(
      deck, owner[body], NULL, "%s overlaps %s by %.3g m at the start, more than %s (%.3g m); %s",
      who, whom, -s->last.contacts.gap[worst],
      read ? "a tenth of the smaller radius" : "a hundredth of the smallest radius", limit,
      read ? "move one of them in the file, or take an earlier frame or a run with a "
             "shorter step"
           : "move them apart");
}
