/* Mistakes of a deck in what acts on bodies and in what comes and goes. */
#include "scene/scene_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "world/boundary/kind.h"

typedef struct {
  DlsDeck *deck;
  const DlsSceneData *data;
} Check;

static bool is_first_order(const Check *c) {
  return dls_schemes[c->data->time.scheme]->loads == DLS_LOADS_ARE_VELOCITIES;
}

static void check_span(const Check *c, const DlsDeckNode *node, double from, double until) {
  if (until <= from)
    dls_deck_problem(c->deck, node, "until",
                     "ends at %g s, but begins at %g s; give a later time, or take it away", until,
                     from);
}

static const char *const taken =
    "the name '%s' is taken by another body or chain; give each its own";

static void check_name(const Check *c, const DlsDeckNode *node, const char *name, DlsNames *names) {
  int before = -1;
  if (!name) return;
  if (dls_names_add(names, name, names->count, &before) != DLS_OK)
    dls_deck_problem(c->deck, node, "name", "%s", dls_error_message());
  else if (before >= 0)
    dls_deck_problem(c->deck, node, "name", taken, name);
}

/* Names of bodies and chains, each its own. */
static void check_names(const Check *c) {
  const DlsSceneBody *bodies = c->data->bodies.items;
  const DlsSceneChain *chains = c->data->chains.items;
  const DlsSceneBlocks *blocks = c->data->blocks.items;
  DlsNames names = {0};
  for (int i = 0; i < c->data->bodies.count; i++)
    check_name(c, bodies[i].node, bodies[i].name, &names);
  for (int i = 0; i < c->data->chains.count; i++)
    check_name(c, chains[i].node, chains[i].name, &names);
  for (int i = 0; i < c->data->blocks.count; i++)
    check_name(c, blocks[i].node, blocks[i].name, &names);
  dls_names_clear(&names);
}

/* A component has one motion, and stays in the plane in 2-D. */
static void check_motion(const Check *c, const DlsSceneMotion *motion, const DlsDeckNode *of) {
  static const char *const velocity[] = {"vx", "vy", "vz"};
  const DlsDeckNode *node = dls_deck_find(of, "motion");
  for (int k = 0; k < 3; k++)
    if (motion->displacement[k] && motion->velocity[k])
      dls_deck_problem(c->deck, node, velocity[k],
                       "%c has a displacement already; take one of the two away", "xyz"[k]);
  if (c->data->dimension == 3) return;
  const char *out = motion->displacement[2] ? "z"
                    : motion->velocity[2]   ? "vz"
                    : motion->spin[0]       ? "wx"
                    : motion->spin[1]       ? "wy"
                                            : NULL;
  if (out)
    dls_deck_problem(c->deck, node, out,
                     "moves the body out of the plane in 2-D; take it away, or set dimension: 3");
}

static void check_chain(const Check *c, const DlsSceneChain *chain) {
  double square = 0;
  for (int k = 0; k < 3; k++) square += pow(chain->end[k] - chain->start[k], 2);
  const double pitch = sqrt(square) / (chain->count - 1);
  if (!(square > 0))
    dls_deck_problem(c->deck, chain->node, "end",
                     "the chain begins and ends at one point; give two");
  else if (pitch < 1.98 * chain->radius)
    dls_deck_problem(
        c->deck, chain->node, "radius",
        "beads of radius %g m are %.3g m apart and overlap; take smaller or fewer ones",
        chain->radius, pitch);
  check_span(c, chain->node, chain->from, chain->until);
  if (chain->pressure && c->data->dimension == 3)
    dls_deck_problem(c->deck, chain->node, "pressure",
                     "acts on a line of beads in 2-D; in 3-D give a servo wall a pressure");
  if (chain->pressure && is_first_order(c))
    dls_deck_problem(c->deck, chain->node, "pressure",
                     "needs a scheme with inertia; take moreau or euler");
}

/* A pressure on a cylinder or sphere drives its radius, and nothing else moves it. */
static void check_swelling(const Check *c, const DlsSceneBoundary *b) {
  const bool is_endless = c->data->dimension == 3 && b->shape == DLS_BOUNDARY_CYLINDER &&
                          !(b->length[0] > 0 && isfinite(b->length[0]));
  if (b->servo->area > 0)
    dls_deck_problem(c->deck, b->servo->node, "area",
                     "the area follows from the radius; take it away%s",
                     is_endless ? ", and give across: [bottom, top], the planes at its ends" : "");
  else if (is_endless && !b->servo->across.count)
    dls_deck_problem(c->deck, b->servo->node, "pressure",
                     "the cylinder is endless; give its length, or across: [bottom, top], the "
                     "planes at its ends");
  if (b->velocity[0])
    dls_deck_problem(c->deck, b->node, "velocity",
                     "the pressure drives the radius, and the axis stays; take it away");
}

static void check_servo(const Check *c, const DlsSceneBoundary *b) {
  const DlsSceneServo *s = b->servo;
  if (!s) return;
  const DlsDeckNode *node = s->node;
  if (!s->pressure == !s->force[0])
    dls_deck_problem(c->deck, node, s->pressure ? "force" : NULL,
                     "a servo has either a pressure or a force; %s",
                     s->pressure ? "take one away" : "give one");
  const bool is_plane = b->shape == DLS_BOUNDARY_PLANE;
  const bool swells =
      s->pressure && dls_boundary_operations((DlsBoundaryKind)b->shape)->side != NULL;
  if (s->pressure && !is_plane && !swells)
    dls_deck_problem(
        c->deck, node, "pressure",
        "acts along the normal of a plane, or on the side of a cylinder or sphere, and "
        "this is none; give a force");
  if (swells) check_swelling(c, b);
  if (s->pressure && is_plane && !(s->area > 0) == !s->across.count)
    dls_deck_problem(c->deck, node, s->across.count ? "area" : "pressure", "%s",
                     s->across.count ? "area and across both make the area; take one away"
                                     : "needs the area it acts on; give area, or across: "
                                       "[left, right]");
  if (b->displacement[0] || b->spin[0])
    dls_deck_problem(c->deck, b->node, b->spin[0] ? "spin" : "displacement",
                     "a servo moves this boundary; take it away (velocity may stand, for the other "
                     "axes)");
  if (is_first_order(c))
    dls_deck_problem(c->deck, node, NULL,
                     "a servo needs a scheme with inertia; take moreau or euler");
}

/* first-order knows velocities alone, the others forces alone. */
static void check_forces(const Check *c) {
  const DlsSceneData *data = c->data;
  const DlsDeckNode *root = dls_deck_root(c->deck);
  static const char *const no_forces =
      "motion without inertia has no forces; take it away, or another scheme";
  if (is_first_order(c)) {
    if (data->loads.count) dls_deck_problem(c->deck, root, "loads", "%s", no_forces);
    if (data->drag > 0) dls_deck_problem(c->deck, root, "drag", "%s", no_forces);
    if (data->springs.count) dls_deck_problem(c->deck, root, "springs", "%s", no_forces);
    if (data->bends.count) dls_deck_problem(c->deck, root, "bends", "%s", no_forces);
    if (data->random.variance > 0)
      dls_deck_problem(c->deck, dls_deck_find(root, "random"), "variance",
                       "is of velocities, which first-order does not keep; give diffusion");
    return;
  }
  if (data->random.diffusion > 0)
    dls_deck_problem(c->deck, dls_deck_find(root, "random"), "diffusion",
                     "is for scheme: first-order; give variance");
  if (data->desired.count)
    dls_deck_problem(c->deck, root, "desired",
                     "velocities are desired in scheme: first-order alone; take them away, or set "
                     "it");
}

static void check_desired(const Check *c, const DlsSceneDesired *s) {
  const bool towards = !isnan(s->towards[0]);
  if (towards == (s->velocity[0] != NULL))
    dls_deck_problem(c->deck, s->node, towards ? "velocity" : NULL,
                     "give either towards, with a speed, or a velocity");
  else if (towards && !(s->speed > 0))
    dls_deck_problem(c->deck, s->node, "speed", "towards needs a speed; add speed: 1.2 m/s");
}

void dls_scene_check_drive(DlsDeck *deck, const DlsSceneData *data) {
  const Check c = {deck, data};
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneChain *chains = data->chains.items;
  const DlsSceneBoundary *boundaries = data->boundaries.items;
  const DlsSceneDesired *desired = data->desired.items;
  const DlsSceneSink *sinks = data->sinks.items;
  const DlsSceneBlocks *blocks = data->blocks.items;
  for (int k = 0; k < data->blocks.count; k++) {
    check_span(&c, blocks[k].node, blocks[k].from, blocks[k].until);
    check_motion(&c, &blocks[k].motion, blocks[k].node);
  }
  for (int k = 0; k < data->grains.count; k++) {
    check_span(&c, grains[k].node, grains[k].from, grains[k].until);
    check_motion(&c, &grains[k].motion, grains[k].node);
  }
  for (int k = 0; k < data->bodies.count; k++) {
    check_span(&c, bodies[k].node, bodies[k].from, bodies[k].until);
    check_motion(&c, &bodies[k].motion, bodies[k].node);
  }
  for (int k = 0; k < data->chains.count; k++) check_chain(&c, &chains[k]);
  for (int k = 0; k < data->boundaries.count; k++) {
    check_span(&c, boundaries[k].node, boundaries[k].from, boundaries[k].until);
    check_servo(&c, &boundaries[k]);
  }
  for (int k = 0; k < data->desired.count; k++) check_desired(&c, &desired[k]);
  for (int k = 0; k < data->sinks.count; k++)
    check_span(&c, sinks[k].node, sinks[k].from, sinks[k].until);
  dls_scene_check_loads(deck, data);
  check_names(&c);
  check_forces(&c);
}

/* Sources, sinks and desires name regions and materials. */
/* Grains of one step look for a place among each other: of this many pairs there are still few
 * enough. */
enum { MOST_IN_A_STEP = 20000 };

/* A rate without bound would fill the region, or the memory, in one step. */
static void check_flow(DlsDeck *deck, const DlsSceneSource *item, const DlsSource *source,
                       const DlsSceneData *data) {
  const double rate = dls_source_most(source, data->dimension);
  const bool few = source->limit > 0 && source->limit <= MOST_IN_A_STEP;
  if (few || rate * data->time.step <= MOST_IN_A_STEP) return;
  dls_deck_problem(
      deck, item->node, source->rate > 0 ? "rate" : "mass_rate",
      "pours up to %.3g grains in a step of %g s, at most %d can be placed; lower it, take "
      "larger grains, a smaller time.step, or a limit",
      rate * data->time.step, data->time.step, MOST_IN_A_STEP);
}

void dls_scene_check_sources(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world) {
  const DlsSceneSource *sources = data->sources.items;
  const DlsSceneSink *sinks = data->sinks.items;
  const DlsSceneDesired *desired = data->desired.items;
  for (int k = 0; k < data->sources.count; k++) {
    int material;
    if (dls_materials_require(&world->materials, sources[k].material, &material) != DLS_OK) {
      dls_deck_problem(deck, sources[k].node, "material", "%s", dls_error_message());
      continue;
    }
    double bulk = 1;
    if (dls_scene_bulk(&sources[k].form, data->dimension, (uint64_t)sources[k].seed, &bulk) !=
        DLS_OK) {
      dls_deck_problem(deck, sources[k].node, "shape", "%s", dls_error_message());
      continue;
    }
    const DlsSource source =
        dls_scene_source(&sources[k], bulk * world->materials.item[material].density);
    if (dls_source_check(&source, data->dimension) != DLS_OK)
      dls_deck_problem(deck, sources[k].node, NULL, "%s", dls_error_message());
    else
      check_flow(deck, &sources[k], &source, data);
  }
  for (int k = 0; k < data->sinks.count; k++) {
    const DlsRegion region = dls_scene_region(&sinks[k].region);
    if (dls_region_check(&region, data->dimension) != DLS_OK)
      dls_deck_problem(deck, sinks[k].node, "region", "%s", dls_error_message());
  }
  for (int k = 0; k < data->desired.count; k++) {
    int material;
    if (desired[k].material &&
        dls_materials_require(&world->materials, desired[k].material, &material) != DLS_OK)
      dls_deck_problem(deck, desired[k].node, "material", "%s", dls_error_message());
  }
}
