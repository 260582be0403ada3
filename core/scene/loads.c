#include "scene/loads.h"

#include <math.h>
#include <stdlib.h>

#include "scene/scene_impl.h"

static double kernel_at(int kernel, double y) {
  y = fabs(y);
  return kernel == DLS_WHEEL_BEAM ? exp(-y) * (cos(y) + sin(y)) : fmax(0, 1 - y);
}

void dls_wheel_shares(int kernel, double length, double s, int count, const double *x,
                      double *share) {
  double first = INFINITY, last = -INFINITY, sum = 0;
  int nearest = -1;
  for (int i = 0; i < count; i++) {
    first = fmin(first, x[i]), last = fmax(last, x[i]);
    share[i] = kernel_at(kernel, (x[i] - s) / length);
    sum += share[i];
    if (nearest < 0 || fabs(x[i] - s) < fabs(x[nearest] - s)) nearest = i;
  }
  const double out = fmax(0, fmax(first - s, s - last)), whole = fmax(0, 1 - out / length);
  for (int i = 0; i < count; i++) {
    /* Between two that are farther apart than the kernel reaches: the nearest bears it. */
    if (!(sum > 1e-3)) share[i] = i == nearest;
    share[i] *= whole / (sum > 1e-3 ? sum : 1);
  }
}

void dls_scene_add_loads(DlsDeck *deck, DlsScene *scene) {
  const DlsSceneLoad *items = scene->data.loads.items;
  const int count = scene->data.loads.count;
  scene->loaded = calloc((size_t)count + 1, sizeof *scene->loaded);
  if (!scene->loaded) {
    dls_deck_problem(deck, dls_deck_root(deck), "loads", "out of memory for %d of them", count);
    return;
  }
  for (int n = 0; n < count; n++)
    for (int k = 0; k < items[n].on.count; k++)
      if (dls_roster_expand(&scene->roster, items[n].on.values[k], &scene->loaded[n].member,
                            &scene->loaded[n].count) != DLS_OK)
        dls_deck_problem(deck, items[n].node, "on", "%s", dls_error_message());
  for (int n = 0; n < count; n++) {
    DlsLoaded *on = &scene->loaded[n];
    on->x = calloc((size_t)on->count + 1, sizeof *on->x);
    on->share = calloc((size_t)on->count + 1, sizeof *on->share);
    on->body = calloc((size_t)on->count + 1, sizeof *on->body);
    if (!on->x || !on->share || !on->body)
      dls_deck_problem(deck, items[n].node, "on", "out of memory for %d bodies", on->count);
  }
}

void dls_scene_end_loads(DlsScene *scene) {
  for (int n = 0; scene->loaded && n < scene->data.loads.count; n++) {
    free(scene->loaded[n].member);
    free(scene->loaded[n].x);
    free(scene->loaded[n].share);
    free(scene->loaded[n].body);
  }
  free(scene->loaded);
  scene->loaded = NULL;
}

/* Forces on what is held do nothing; their work would be counted. */
static void add(const DlsWorld *world, int body, double factor, const double value[3],
                double (*force)[6]) {
  for (int k = 0; k < 3; k++)
    if (!(world->fixed[body] & (1u << k))) force[body][k] += factor * value[k];
}

static DlsStatus value_at(DlsExpression *const expression[3], double t, const char *what,
                          double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = expression[k] ? dls_expression_value(expression[k], t) : 0;
    DLS_CHECK(isfinite(out[k]), DLS_ERR_NUMERIC, "the %s of a load is not finite at t = %g s", what,
              t);
  }
  return DLS_OK;
}

static void roll(const DlsScene *scene, const DlsWorld *world, const DlsSceneLoad *s,
                 const DlsLoaded *on, double t, const double value[3], double (*force)[6]) {
  const DlsSceneWheel *wheel = s->wheel;
  int here = 0;
  for (int k = 0; k < on->count; k++) {
    const int body = dls_roster_number(&scene->roster, world, on->member[k]);
    if (body < 0) continue;
    on->body[here] = body;
    on->x[here++] = world->position[body][wheel->along];
  }
  if (here == 0) return;
  dls_wheel_shares(wheel->kernel, wheel->length, wheel->start + wheel->speed * (t - s->from), here,
                   on->x, on->share);
  for (int k = 0; k < here; k++) add(world, on->body[k], on->share[k], value, force);
}

DlsStatus dls_scene_add_load_forces(const DlsScene *scene, const DlsWorld *world, double t,
                                    double (*force)[6]) {
  const DlsSceneLoad *items = scene->data.loads.items;
  for (int n = 0; n < scene->data.loads.count; n++) {
    const DlsSceneLoad *s = &items[n];
    const DlsLoaded *on = &scene->loaded[n];
    const bool by_mass = s->acceleration[0] != NULL;
    double value[3];
    if (t < s->from || t >= s->until) continue; /* until NAN: never */
    DLS_TRY(value_at(by_mass ? s->acceleration : s->force, t, by_mass ? "acceleration" : "force",
                     value));
    if (s->wheel) {
      roll(scene, world, s, on, t, value, force);
      continue;
    }
    const int material = s->material ? dls_materials_find(&world->materials, s->material) : -1;
    for (int k = 0; k < (s->on.count ? on->count : world->count); k++) {
      const int b = s->on.count ? dls_roster_number(&scene->roster, world, on->member[k]) : k;
      if (b < 0 || world->flags[b] & DLS_BODY_GHOST) continue;
      if (s->material && world->material[b] != material) continue;
      add(world, b, by_mass ? world->mass[b] : 1, value, force);
    }
  }
  return DLS_OK;
}
