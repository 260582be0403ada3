/* A state of one deck in the scene of another: friction, walls, gravity, solver and all else are
 * those of the new deck, the bodies those of the state.  Materials and boundaries are found
 * again by their names. A wall stands where the state has it, unless the new deck gives it
 * another shape, position or axis: then where the deck says. Walls that servos drive are carried
 * by bodies without contacts; those of the state go, those of the new deck come, with the
 * velocity that the wall has where a servo drove it before. A displacement counts from where the
 * wall is, so that none jumps: x(t) = x_now + d(t) - d(t_now). Where densities change, masses do
 * in proportion, but for bodies that have a mass of their own. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "base/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the radius: how deep a body may be in a wall that the new deck has put elsewhere. */
static const double deepest = 0.1;

/* Where things stand in the state of the old deck. */
typedef struct {
  const DlsSceneData *then;
  bool stage;
  int grains, bodies, chains, blocks, servos;
  DlsSceneState state;         /* its entries: grains, bodies, chains, blocks, servos */
  double (*servo_velocity)[6]; /* [boundaries of then]; of its carrier, else 0 */
  bool *had_servo, *swelled;   /* likewise */
  DlsNames walls;              /* boundaries of then */
} Old;

static void old_clear(Old *old) {
  dls_scene_state_clear(&old->state);
  free(old->servo_velocity);
  free(old->had_servo);
  free(old->swelled);
  dls_names_clear(&old->walls);
}

static DlsStatus old_read(Old *old, const DlsWorld *world, const void *bytes, size_t size) {
  const DlsSceneData *then = old->then;
  const DlsSceneBoundary *walls = then->boundaries.items;
  old->grains = then->grains.count;
  old->bodies = then->bodies.count;
  old->chains = then->chains.count;
  old->blocks = then->blocks.count;
  for (int b = 0; b < then->boundaries.count; b++) old->servos += walls[b].servo != NULL;
  DLS_TRY(dls_scene_name_boundaries(then, &old->walls));
  DLS_TRY(dls_scene_state_read(bytes, size, world,
                               old->grains + old->bodies + old->chains + old->blocks + old->servos,
                               then->sources.count, then->sinks.count, &old->state));
  DLS_NEW(old->servo_velocity, then->boundaries.count);
  DLS_NEW(old->had_servo, then->boundaries.count);
  DLS_NEW(old->swelled, then->boundaries.count);
  return DLS_OK;
}

static const DlsRosterMark *mark_of(const Old *old, DlsRosterKind kind, int index) {
  const int first = kind == DLS_ROSTER_GRAINS  ? 0
                    : kind == DLS_ROSTER_BODY  ? old->grains
                    : kind == DLS_ROSTER_CHAIN ? old->grains + old->bodies
                                               : old->grains + old->bodies + old->chains;
  return &old->state.mark[first + index];
}

/* Whether a body has a mass that does not follow from its density: the deck gave it one. */
static bool has_own_mass(const Old *old, uint64_t id) {
  const DlsSceneBody *bodies = old->then->bodies.items;
  const DlsSceneChain *chains = old->then->chains.items;
  for (int k = 0; k < old->bodies + old->chains; k++) {
    const bool body = k < old->bodies;
    const DlsRosterMark *mark =
        mark_of(old, body ? DLS_ROSTER_BODY : DLS_ROSTER_CHAIN, body ? k : k - old->bodies);
    const double mass = body ? bodies[k].mass : chains[k - old->bodies].mass;
    if (mass > 0 && id >= mark->first && id - mark->first < (uint64_t)mark->count) return true;
  }
  return false;
}

static void scale_mass(DlsWorld *world, int b, double factor) {
  world->mass[b] *= factor;
  for (int k = 0; k < 3; k++) world->inertia[b][k] *= factor;
}

/* Numbers of materials, by name. world->materials are those of now, `before` those of then. */
static DlsStatus adapt_materials(const Old *old, const DlsMaterials *before, DlsWorld *world) {
  for (int b = 0; b < world->count; b++) {
    const DlsMaterial *was = &before->item[world->material[b]];
    const int now = dls_materials_find(&world->materials, was->name);
    const bool ghost = world->flags[b] & DLS_BODY_GHOST;
    DLS_CHECK(now >= 0 || ghost, DLS_ERR_ARGUMENT,
              "body %llu is of the material '%s', which the deck does not have; add it",
              (unsigned long long)world->id[b], was->name);
    world->material[b] = ghost ? 0 : now;
    if (ghost || world->materials.item[now].density == was->density) continue;
    if (!has_own_mass(old, world->id[b]))
      scale_mass(world, b, world->materials.item[now].density / was->density);
  }
  return DLS_OK;
}

static bool same_materials(const DlsMaterials *a, const DlsMaterials *b) {
  if (a->count != b->count) return false;
  for (int k = 0; k < a->count; k++)
    if (strcmp(a->item[k].name, b->item[k].name) != 0) return false;
  return true;
}

/* The bodies that carried walls go; their velocities are noted. */
static void drop_carriers(Old *old, DlsWorld *world) {
  const DlsSceneBoundary *walls = old->then->boundaries.items;
  int next = old->grains + old->bodies + old->chains + old->blocks, gone = 0;
  for (int b = 0; b < old->then->boundaries.count; b++) {
    if (!walls[b].servo) continue;
    const int body = dls_world_find(world, old->state.mark[next++].first);
    if (body < 0 || !(world->flags[body] & DLS_BODY_GHOST)) continue;
    memcpy(old->servo_velocity[b], world->velocity[body], sizeof *old->servo_velocity);
    old->had_servo[b] = true;
    old->swelled[b] = world->boundary[b].flags & DLS_BOUNDARY_SWELLS;
    dls_world_doom(world, body);
    gone++;
  }
  if (gone) dls_world_compact(world, NULL);
}

static bool same_facets(const DlsFacets *a, const DlsFacets *b) {
  if (!a || !b) return a == b;
  return a->nodes == b->nodes && a->count == b->count &&
         memcmp(a->node, b->node, (size_t)a->nodes * sizeof *a->node) == 0 &&
         memcmp(a->corner, b->corner, (size_t)a->count * sizeof *a->corner) == 0;
}

static bool same_place(const DlsSceneBoundary *a, const DlsSceneBoundary *b) {
  return a->shape == b->shape && dls_small_same(3, a->position, b->position) &&
         dls_small_same(3, a->axis, b->axis);
}

static bool same_texts(DlsExpression *const *a, DlsExpression *const *b) {
  for (int k = 0; k < 3; k++) {
    if (!a[k] != !b[k]) return false;
    if (a[k] && strcmp(dls_expression_text(a[k]), dls_expression_text(b[k])) != 0) return false;
  }
  return true;
}

/* The wall k of the new deck with the pose, the id and the force that the state has for it;
 * *placed: the deck has put it where it is, or made it of other facets. */
static void take_boundary(DlsScene *scene, const Old *old, const double (*origins)[3],
                          const DlsBoundary *state, const double (*force)[6], int k, bool *placed) {
  DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *now = (const DlsSceneBoundary *)scene->data.boundaries.items + k;
  const DlsSceneBoundary *walls = old->then->boundaries.items;
  const int was = dls_names_find(&old->walls, now->name, strlen(now->name));
  DlsBoundary *wall = &s->world->boundary[k];
  wall->carrier = 0;
  *placed = was < 0 || !same_place(&walls[was], now);
  if (*placed) {
    wall->id = s->world->next_boundary_id++;
    return;
  }
  /* Of other facets, where it was, but with contacts that begin anew. */
  *placed = !same_facets(state[was].facets, wall->facets);
  wall->id = *placed ? s->world->next_boundary_id++ : state[was].id;
  memcpy(wall->position, state[was].position, sizeof wall->position);
  memcpy(wall->orientation, state[was].orientation, sizeof wall->orientation);
  memset(wall->velocity, 0, sizeof wall->velocity);
  if (walls[was].radius[0] == now->radius[0]) wall->radius[0] = state[was].radius[0];
  memcpy(s->state.boundary_force[k], force[was], sizeof *force);
  memcpy(scene->origin[k], wall->position, sizeof scene->origin[k]);
  if (!old->stage && origins && same_texts(walls[was].displacement, now->displacement)) {
    memcpy(scene->origin[k], origins[was], sizeof scene->origin[k]);
    return;
  }
  for (int c = 0; c < 3; c++)
    if (now->displacement[c])
      scene->origin[k][c] -= dls_expression_value(now->displacement[c], s->state.time);
}

/* Ids ascend with the numbers of boundaries: where the order is another one, all get new ones, and
 * the contacts at walls begin anew. */
static void order_ids(DlsWorld *world) {
  bool ascending = true;
  for (int b = 1; b < world->boundary_count; b++)
    ascending &= world->boundary[b].id > world->boundary[b - 1].id;
  for (int b = 0; b < world->boundary_count && !ascending; b++)
    world->boundary[b].id = world->next_boundary_id++;
}

static DlsStatus adapt_boundaries(DlsScene *scene, const Old *old, const double (*origins)[3],
                                  DlsSceneAdapt *adapt, bool *placed) {
  DlsSimulation *s = scene->simulation;
  DlsWorld *world = s->world;
  DlsBoundary *state = world->boundary;
  double(*force)[6] = s->state.boundary_force;
  DLS_CHECK(world->boundary_count == old->then->boundaries.count, DLS_ERR_FORMAT,
            "the boundaries of the checkpoint are not those of its deck: it is damaged");
  for (int k = 0; k < adapt->boundaries; k++)
    DLS_TRY(dls_facets_hold(&world->facets, adapt->boundary[k].facets));
  s->state.boundary_force = NULL;
  s->state.boundary_capacity = 0;
  world->boundary = adapt->boundary;
  world->boundary_count = world->boundary_capacity = adapt->boundaries;
  adapt->boundary = NULL;
  DlsStatus status = DLS_OK;
  s->state.boundary_force =
      dls_memory_array((size_t)adapt->boundaries + 8, sizeof *s->state.boundary_force);
  if (s->state.boundary_force) {
    s->state.boundary_capacity = adapt->boundaries + 8;
    for (int k = 0; k < adapt->boundaries; k++)
      take_boundary(scene, old, origins, state, (const double(*)[6])force, k, &placed[k]);
    order_ids(world);
  } else
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the forces on boundaries");
  free(state);
  free(force);
  world->revision++;
  return status;
}

/* What this deck holds and prescribes of the bodies of an entry; grains of a file keep what that
 * holds besides. */
static void hold_again(DlsScene *scene, int e) {
  DlsWorld *world = scene->simulation->world;
  const DlsRosterEntry *entry = &scene->roster.entry[e];
  const DlsSceneGrains *grains = (const DlsSceneGrains *)scene->data.grains.items + entry->index;
  const bool from_file = entry->kind == DLS_ROSTER_GRAINS && grains->place == DLS_PLACE_FILE;
  if (entry->kind != DLS_ROSTER_BODY && entry->kind != DLS_ROSTER_GRAINS &&
      entry->kind != DLS_ROSTER_BLOCKS)
    return;
  for (int n = 0; n < entry->count; n++) {
    const int body = dls_roster_number(&scene->roster, world, (DlsMember){e, n});
    if (body < 0) continue;
    world->fixed[body] =
        (uint8_t)((from_file ? world->fixed[body] : 0) | dls_scene_fixed(&scene->data, entry, n));
    if (world->dim == 2) world->fixed[body] |= DLS_FIXED_IN_PLANE;
  }
}

/* Who of the deck is in the world. Servos follow. */
static DlsStatus adapt_roster(DlsScene *scene, const Old *old) {
  for (int e = 0; e < scene->roster.count; e++) {
    DlsRosterEntry *entry = &scene->roster.entry[e];
    if (entry->kind == DLS_ROSTER_SERVO) continue;
    const DlsRosterMark *mark = mark_of(old, entry->kind, entry->index);
    DLS_CHECK(
        mark->state >= DLS_ROSTER_WAITS && mark->state <= DLS_ROSTER_GONE && mark->count >= 0 &&
            mark->count < INT32_MAX &&
            ((entry->kind == DLS_ROSTER_GRAINS && !entry->centre) || mark->count == entry->count),
        DLS_ERR_FORMAT, "the bodies of the checkpoint are not those of its deck");
    DLS_CHECK(!old->stage || mark->state != DLS_ROSTER_WAITS, DLS_ERR_ARGUMENT,
              "some bodies still wait for their time, t = %g s, and the clock of a stage begins at "
              "0; go on until then, or without a stage",
              entry->from);
    DLS_CHECK(
        !old->stage || mark->state != DLS_ROSTER_HERE || !(entry->until >= 0), DLS_ERR_ARGUMENT,
        "some bodies are to go at t = %g s, and the clock of a stage begins at 0; go on until "
        "then, or without a stage",
        entry->until);
    entry->first = mark->first;
    entry->count = (int)mark->count;
    entry->state = (DlsRosterState)mark->state;
    hold_again(scene, e);
  }
  return DLS_OK;
}

/* A body for each wall that a servo drives from now on, where the wall is. */
static DlsStatus add_carriers(DlsScene *scene, const Old *old) {
  DlsWorld *world = scene->simulation->world;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  for (int k = 0; k < scene->servos; k++) {
    const DlsServo *servo = &scene->servo[k];
    const char *name = items[servo->boundary].name;
    const int was = dls_names_find(&old->walls, name, strlen(name));
    DLS_TRY(dls_scene_birth(scene, &scene->roster.entry[servo->carrier.entry], world));
    const int body = world->count - 1;
    DlsBoundary *wall = &world->boundary[servo->boundary];
    memcpy(world->position[body], wall->position, sizeof wall->position);
    if (servo->swells) world->position[body][0] += wall->radius[0];
    if (was >= 0 && old->had_servo[was] && old->swelled[was] == servo->swells && servo->axis >= 0)
      world->velocity[body][servo->axis] = old->servo_velocity[was][servo->axis];
    wall->carrier = world->id[body];
  }
  return DLS_OK;
}

static void adapt_arrivals(DlsScene *scene, const Old *old) {
  scene->ready = false;
  for (int k = 0; k < scene->data.sources.count; k++)
    scene->poured[k] =
        old->stage || k >= old->state.sources ? (DlsSourceState){0} : old->state.poured[k];
  for (int k = 0; k < scene->data.sinks.count; k++)
    scene->taken[k] = old->stage || k >= old->state.sinks ? 0 : old->state.taken[k];
}

/* Impulses are a guess for the next step: they go with its length. */
static void adapt_contacts(DlsSimulation *s, double h, bool forget) {
  if (!forget) {
    const size_t count = (size_t)s->state.memory.count * (size_t)s->state.block;
    for (size_t k = 0; k < count && s->settings.h != h; k++) s->state.r[k] *= s->settings.h / h;
    return;
  }
  dls_contact_memory_clear(&s->state.memory);
  free(s->state.r);
  free(s->state.law_state);
  free(s->state.frame);
  s->state.r = s->state.law_state = NULL;
  s->state.frame = NULL;
  s->state.kept = 0;
}

/* Energy that bodies bring or take with them is no work of the step. */
static void adapt_accounts(DlsSimulation *s, bool stage, double kinetic) {
  if (s->state.memory.count == 0) {
    s->state.ledger.start -= s->state.ledger.stored;
    s->state.ledger.stored = 0;
  }
  if (!stage) {
    s->state.ledger.kinetic = dls_world_kinetic_energy(s->world);
    s->state.ledger.start += s->state.ledger.kinetic - kinetic;
    return;
  }
  s->state.time = 0;
  s->state.step = s->state.unconverged = 0;
  s->state.worst_error = s->state.worst_penetration = 0;
  s->last.report = (DlsStepReport){.solver = {.outcome = DLS_CONVERGED}};
}

/* A wall that was put elsewhere must not cut into bodies. */
static DlsStatus check_placed(DlsScene *scene, const bool *placed) {
  DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const DlsDetection where = {.sights = dls_interactions_sights(&s->settings.laws)};
  bool any = false;
  for (int b = 0; b < scene->data.boundaries.count; b++) any |= placed[b];
  if (!any) return DLS_OK;
  DLS_TRY(dls_detect(s->detector, s->world, &where, &s->last.contacts));
  int worst = -1;
  for (int c = 0; c < s->last.contacts.count; c++) {
    const int wall = -1 - s->last.contacts.antagonist[c];
    if (wall < 0 || !placed[wall] ||
        s->last.contacts.gap[c] >= -deepest * dls_contact_length(s->world, &s->last.contacts, c))
      continue;
    if (worst < 0 || s->last.contacts.gap[c] < s->last.contacts.gap[worst]) worst = c;
  }
  const int count = s->last.contacts.count;
  s->last.contacts.count = 0; /* they belong to no step */
  if (worst < 0 || count == 0) return DLS_OK;
  return dls_fail(
      DLS_ERR_ARGUMENT,
      "boundary %s, which the deck has moved or added, stands %.3g m deep in body %llu, "
      "more than a tenth of its radius; put it elsewhere, or leave its position",
      items[-1 - s->last.contacts.antagonist[worst]].name, -s->last.contacts.gap[worst],
      (unsigned long long)s->world->id[s->last.contacts.candidate[worst]]);
}

DlsStatus dls_scene_adapt_begin(DlsScene *scene, const DlsSceneData *then, DlsSceneAdapt *adapt) {
  DlsWorld *world = scene->simulation->world;
  const DlsSceneMaterial *items = then->materials.items;
  DlsMaterials before = {0};
  *adapt = (DlsSceneAdapt){.boundaries = world->boundary_count};
  DLS_NEW(adapt->boundary, world->boundary_count);
  if (world->boundary_count)
    memcpy(adapt->boundary, world->boundary,
           (size_t)world->boundary_count * sizeof *adapt->boundary);
  DlsStatus status = DLS_OK;
  for (int k = 0; k < world->boundary_count && status == DLS_OK; k++)
    status = dls_facets_hold(&adapt->facets, world->boundary[k].facets);
  for (int k = 0, number; k < then->materials.count && status == DLS_OK; k++)
    status = dls_materials_add(&before, items[k].name, items[k].density, &number);
  if (status != DLS_OK) {
    dls_materials_clear(&before);
    dls_facets_list_clear(&adapt->facets);
    free(adapt->boundary);
    return status;
  }
  adapt->materials = world->materials;
  world->materials = before;
  return DLS_OK;
}

void dls_scene_adapt_cancel(DlsScene *scene, DlsSceneAdapt *adapt) {
  DlsWorld *world = scene->simulation->world;
  dls_materials_clear(&world->materials);
  world->materials = adapt->materials;
  dls_facets_list_clear(&adapt->facets);
  free(adapt->boundary);
  *adapt = (DlsSceneAdapt){0};
}

static DlsStatus adapt_all(DlsScene *scene, Old *old, const double (*origins)[3],
                           const DlsMaterials *before, DlsSceneAdapt *adapt, bool *placed) {
  DlsSimulation *s = scene->simulation;
  const double kinetic = dls_world_kinetic_energy(s->world);
  const bool forget = !same_materials(before, &s->world->materials);
  DLS_TRY(adapt_materials(old, before, s->world));
  drop_carriers(old, s->world);
  if (old->stage) s->state.time = 0; /* displacements begin with the stage */
  DLS_TRY(adapt_boundaries(scene, old, origins, adapt, placed));
  DLS_TRY(adapt_roster(scene, old));
  DLS_TRY(add_carriers(scene, old));
  adapt_arrivals(scene, old);
  adapt_contacts(s, old->then->time.step, forget);
  dls_scene_show_boundaries(scene);
  adapt_accounts(s, old->stage, kinetic); /* before walls and driven bodies move: that is work */
  DLS_TRY(dls_scene_move(scene, s->world, s->state.time, s->settings.h));
  if (old->stage) dls_simulation_recount(s);
  return check_placed(scene, placed);
}

DlsStatus dls_scene_adapt_end(DlsScene *scene, const DlsSceneData *then, bool stage,
                              const void *bytes, size_t size, const double (*origins)[3],
                              DlsSceneAdapt *adapt) {
  DlsWorld *world = scene->simulation->world;
  Old old = {.then = then, .stage = stage};
  DlsMaterials before = world->materials;
  world->materials = adapt->materials;
  bool *placed = dls_memory_array((size_t)adapt->boundaries, sizeof *placed);
  DlsStatus status = placed ? old_read(&old, world, bytes, size)
                            : dls_fail(DLS_ERR_MEMORY, "out of memory for the boundaries");
  if (status == DLS_OK) status = adapt_all(scene, &old, origins, &before, adapt, placed);
  dls_materials_clear(&before);
  dls_facets_list_clear(&adapt->facets);
  free(adapt->boundary);
  free(placed);
  old_clear(&old);
  *adapt = (DlsSceneAdapt){0};
  return status;
}
