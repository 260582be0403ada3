/* Who comes and who goes between two steps: entries of the roster by time, sources, sinks;
 * boundaries by time. The kinetic energy that bodies bring or take is added to the start of the
 * ledger, so that the balance still closes. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "base/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times so near are the same, whatever h adds up to. */
static bool reached(const DlsSimulation *s, double moment) {
  return s->state.time >= moment - 1e-3 * s->settings.h;
}

static bool within(const DlsSimulation *s, double from, double until) {
  return reached(s, from) && !(until >= 0 && reached(s, until));
}

static void count_born(DlsSimulation *s, int before) {
  for (int b = before; b < s->world->count; b++)
    s->state.ledger.start += dls_world_body_energy(s->world, b);
}

static void doom(DlsSimulation *s, int body) {
  if (s->world->flags[body] & DLS_BODY_DOOMED) return;
  s->state.ledger.start -= dls_world_body_energy(s->world, body);
  dls_world_doom(s->world, body);
}

static DlsStatus follow_roster(DlsScene *scene, int *doomed) {
  DlsSimulation *s = scene->simulation;
  for (int e = 0; e < scene->roster.count; e++) {
    DlsRosterEntry *entry = &scene->roster.entry[e];
    if (entry->state == DLS_ROSTER_WAITS && reached(s, entry->from)) {
      const int before = s->world->count;
      DLS_TRY(dls_scene_birth(scene, entry, s->world));
      count_born(s, before);
    }
    if (entry->state != DLS_ROSTER_HERE || !(entry->until >= 0) || !reached(s, entry->until))
      continue;
    for (int k = 0; k < entry->count; k++) {
      const int body = dls_roster_number(&scene->roster, s->world, (DlsMember){e, k});
      if (body >= 0) doom(s, body);
      *doomed += body >= 0;
    }
    entry->state = DLS_ROSTER_GONE;
  }
  return DLS_OK;
}

/* What a new grain must not hit: spheres near the region, gathered at the first question, and
 * boundaries. */
typedef struct {
  const DlsWorld *world;
  const DlsRegion *region;
  bool gathered;
  int count;
  double (*ball)[4];
} Obstacles;

static bool gather(Obstacles *o) {
  const DlsWorld *world = o->world;
  double low[3], high[3];
  dls_region_bounds(o->region, world->dim, low, high);
  o->ball = malloc(((size_t)world->first[world->count] + 1) * sizeof *o->ball);
  o->gathered = true;
  for (int e = 0; o->ball && e < world->first[world->count]; e++) {
    const int body = world->element_body[e];
    double *ball = o->ball[o->count];
    bool near = !(world->flags[body] & (DLS_BODY_GHOST | DLS_BODY_DOOMED));
    dls_rotation_apply(world->orientation[body], world->element[e].offset, ball);
    ball[3] = world->element[e].radius;
    for (int k = 0; k < world->dim; k++) {
      ball[k] += world->position[body][k];
      near &= ball[k] + ball[3] > low[k] && ball[k] - ball[3] < high[k];
    }
    o->count += near;
  }
  return o->ball != NULL;
}

static int blocked(void *context, const double *x, double radius) {
  Obstacles *o = context;
  if (!o->gathered && !gather(o)) return 1;
  for (int i = 0; i < o->count; i++) {
    const double *y = o->ball[i], sum = radius + y[3];
    const double d[3] = {x[0] - y[0], x[1] - y[1], o->world->dim == 3 ? x[2] - y[2] : 0};
    if (dls_vector_dot(d, d) < sum * sum) return 1;
  }
  for (int b = 0; b < o->world->boundary_count; b++) {
    DlsNear near[DLS_MAX_FEATURES];
    const DlsBoundary *boundary = &o->world->boundary[b];
    if (boundary->flags & DLS_BODY_GHOST) continue;
    if (dls_boundary_near(o->world->dim, boundary, x, radius, near) > 0) return 1;
  }
  return 0;
}

DlsSource dls_scene_source(const DlsSceneSource *s, double density) {
  DlsSource source = {.region = dls_scene_region(&s->region),
                      .sizes = dls_scene_sizes(&s->sizes),
                      .seed = (uint64_t)s->seed,
                      .rate = s->rate,
                      .mass_rate = s->mass_rate,
                      .density = density,
                      .begin = s->from,
                      .end = s->until >= 0 ? s->until : INFINITY,
                      .limit = s->limit,
                      .spread = s->spread};
  memcpy(source.velocity, s->velocity, sizeof source.velocity);
  return source;
}

static DlsStatus add_poured(DlsSimulation *s, const DlsPopulation *grains, const double *velocity,
                            const DlsSceneMake *make) {
  const int before = s->world->count;
  double(*all)[6];
  DLS_NEW(all, grains->count);
  for (int k = 0; k < grains->count; k++) memcpy(all[k], velocity + 3 * k, 3 * sizeof *velocity);
  const DlsStatus status = dls_scene_add_grains(s->world, grains, make, (const double(*)[6])all);
  free(all);
  count_born(s, before);
  return status;
}

static DlsStatus pour(DlsScene *scene, int k) {
  DlsSimulation *s = scene->simulation;
  const DlsSceneSource *deck = (const DlsSceneSource *)scene->data.sources.items + k;
  int material;
  DLS_TRY(dls_materials_require(&s->world->materials, deck->material, &material));
  DlsSceneMake make = {.form = &deck->form, .seed = (uint64_t)deck->seed, .material = material};
  double bulk = 1;
  if (deck->mass_rate > 0) DLS_TRY(dls_scene_bulk(make.form, s->world->dim, make.seed, &bulk));
  const double density = bulk * s->world->materials.item[material].density;
  const DlsSource source = dls_scene_source(deck, density);
  Obstacles obstacles = {.world = s->world, .region = &source.region};
  DlsPopulation grains = {0};
  double *velocity = NULL;
  DlsStatus status = dls_source_pour(&source, s->world->dim, s->state.time + 1e-3 * s->settings.h,
                                     0, blocked, &obstacles, &scene->poured[k], &grains, &velocity);
  make.first = scene->poured[k].poured - grains.count;
  if (status == DLS_OK && grains.count > 0) status = add_poured(s, &grains, velocity, &make);
  free(obstacles.ball);
  free(velocity);
  dls_population_clear(&grains);
  return status;
}

/* Fixed bodies and those that carry walls stay. */
static int drain(DlsScene *scene, int k) {
  DlsSimulation *s = scene->simulation;
  const DlsWorld *world = s->world;
  const DlsSceneSink *deck = (const DlsSceneSink *)scene->data.sinks.items + k;
  const DlsSink sink = {.region = dls_scene_region(&deck->region), .outside = deck->outside};
  int taken = 0;
  if (!within(s, deck->from, deck->until)) return 0;
  for (int b = 0; b < world->count; b++) {
    if (dls_world_is_fixed(world, b) || world->flags[b] & (DLS_BODY_GHOST | DLS_BODY_DOOMED))
      continue;
    if (!dls_sink_takes(&sink, world->dim, world->position[b])) continue;
    doom(s, b);
    taken++;
  }
  scene->taken[k] += taken;
  return taken;
}

void dls_scene_show_boundaries(DlsScene *scene) {
  DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  for (int b = 0; b < scene->data.boundaries.count; b++) {
    DlsBoundary *boundary = &s->world->boundary[b];
    if (within(s, items[b].from, items[b].until))
      boundary->flags &= ~(uint32_t)DLS_BODY_GHOST;
    else
      boundary->flags |= DLS_BODY_GHOST;
  }
}

static DlsStatus come_and_go(DlsScene *scene) {
  DlsSimulation *s = scene->simulation;
  int doomed = 0;
  dls_scene_show_boundaries(scene);
  DLS_TRY(follow_roster(scene, &doomed));
  for (int k = 0; k < scene->data.sinks.count; k++) doomed += drain(scene, k);
  if (doomed) dls_world_compact(s->world, NULL);
  for (int k = 0; k < scene->data.sources.count; k++) DLS_TRY(pour(scene, k));
  return dls_scene_tell_fields(scene);
}

/* A source that found no room tries again, elsewhere: a step that was cut does not ask it twice. */
DlsStatus dls_scene_step(DlsScene *scene) {
  if (!scene->ready) DLS_TRY(come_and_go(scene));
  scene->ready = true;
  const DlsStatus status = dls_simulation_step(scene->simulation);
  if (status == DLS_ERR_NO_SOLUTION) return dls_scene_refuse_squeeze(scene);
  DLS_TRY(status);
  scene->ready = scene->simulation->last.cut;
  return DLS_OK;
}

/* The fields in their order. */
static void pack_state(DlsPack *pack, DlsSceneState *state) {
  for (int e = 0; e < state->entries; e++) {
    dls_pack_bytes(pack, &state->mark[e].first, sizeof state->mark[e].first);
    dls_pack_longs(pack, &state->mark[e].count, 1);
    dls_pack_longs(pack, &state->mark[e].state, 1);
  }
  for (int k = 0; k < state->sources; k++) {
    dls_pack_longs(pack, &state->poured[k].poured, 1);
    dls_pack_longs(pack, &state->poured[k].tries, 1);
    dls_pack_reals(pack, &state->poured[k].mass, 1);
  }
  dls_pack_longs(pack, state->taken, (size_t)state->sinks);
}

static size_t state_bytes(int entries, int sources, int sinks) {
  return ((size_t)entries * 3 + (size_t)sources * 3 + (size_t)sinks) * sizeof(int64_t);
}

void dls_scene_state_clear(DlsSceneState *state) {
  free(state->mark);
  free(state->poured);
  free(state->taken);
  *state = (DlsSceneState){0};
}

static DlsStatus make_state(int entries, int sources, int sinks, DlsSceneState *out) {
  *out = (DlsSceneState){.entries = entries, .sources = sources, .sinks = sinks};
  DLS_NEW(out->mark, entries);
  DLS_NEW(out->poured, sources);
  DLS_NEW(out->taken, sinks);
  return DLS_OK;
}

static DlsStatus check_state(const DlsSceneState *state, const DlsWorld *world) {
  const int64_t most = INT64_C(1) << 53; /* that a real number counts to */
  for (int k = 0; k < state->sources; k++) {
    const DlsSourceState *s = &state->poured[k];
    DLS_CHECK(s->poured >= 0 && s->poured < most && s->tries >= 0 && s->tries < most &&
                  s->mass >= 0 && isfinite(s->mass),
              DLS_ERR_FORMAT, "source %d of the checkpoint has poured an impossible number", k);
  }
  for (int k = 0; k < state->sinks; k++)
    DLS_CHECK(state->taken[k] >= 0 && state->taken[k] < (int64_t)world->next_id, DLS_ERR_FORMAT,
              "sink %d of the checkpoint has taken an impossible number", k);
  return DLS_OK;
}

DlsStatus dls_scene_state_read(const void *bytes, size_t size, const DlsWorld *world, int entries,
                               int sources, int sinks, DlsSceneState *out) {
  DlsPack pack = {.way = DLS_PACK_RESTORE, .from = bytes, .left = size};
  const size_t wanted = state_bytes(entries, sources, sinks);
  *out = (DlsSceneState){0};
  DLS_CHECK(
      size == wanted, DLS_ERR_FORMAT,
      "the checkpoint has %zu bytes of bodies, sources and sinks, the deck %zu; go on with the "
      "deck that wrote it",
      size, wanted);
  DLS_TRY(make_state(entries, sources, sinks, out));
  pack_state(&pack, out);
  return check_state(out, world);
}

size_t dls_scene_state_size(const DlsScene *scene) {
  return state_bytes(scene->roster.count, scene->data.sources.count, scene->data.sinks.count);
}

void dls_scene_state_save(const DlsScene *scene, void *out) {
  DlsPack pack = {.way = DLS_PACK_SAVE, .to = out};
  for (int e = 0; e < scene->roster.count; e++) {
    DlsRosterMark mark = dls_roster_mark(&scene->roster, e);
    pack_state(&pack, &(DlsSceneState){.entries = 1, .mark = &mark});
  }
  pack_state(&pack, &(DlsSceneState){.sources = scene->data.sources.count,
                                     .sinks = scene->data.sinks.count,
                                     .poured = scene->poured,
                                     .taken = scene->taken});
}

static DlsStatus take_state(DlsScene *scene, const DlsSceneState *state) {
  const DlsWorld *world = scene->simulation->world;
  DLS_CHECK(world->boundary_count == scene->data.boundaries.count, DLS_ERR_FORMAT,
            "the checkpoint has %d boundaries, the deck %d; go on with the deck that wrote it",
            world->boundary_count, scene->data.boundaries.count);
  DLS_TRY(dls_roster_restore(&scene->roster, world, state->mark));
  dls_memory_copy(scene->poured, state->poured, (size_t)state->sources, sizeof *scene->poured);
  dls_memory_copy(scene->taken, state->taken, (size_t)state->sinks, sizeof *scene->taken);
  return DLS_OK;
}

DlsStatus dls_scene_state_restore(DlsScene *scene, const void *bytes, size_t size) {
  DlsSceneState state;
  DlsStatus status =
      dls_scene_state_read(bytes, size, scene->simulation->world, scene->roster.count,
                           scene->data.sources.count, scene->data.sinks.count, &state);
  if (status == DLS_OK) status = take_state(scene, &state);
  dls_scene_state_clear(&state);
  return status;
}
