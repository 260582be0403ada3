/* Grains that are no balls. A generator places balls; each grain becomes a cluster or a solid,
 * scaled so that the ball of radius r about its centre of mass is the smallest that holds it, and
 * turned. Balls that do not overlap leave the grains apart whatever their turns. All grains of a
 * solid share its numbers. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "world/convex.h"
#include "world/irregular.h"

#include <stdlib.h>
#include <string.h>

/* Streams of random numbers beside those of the generators. */
enum { GRAIN_STREAMS = 40, VARIANT_STREAMS = 41, SEED_BITS = 31 };

bool dls_scene_has_form(const DlsSceneForm *form) {
  return form->shape || form->cluster.count > 0 || form->deformable;
}

int dls_scene_variants(const DlsSceneForm *form) {
  return form->shape && form->shape->kind == DLS_SCENE_IRREGULAR ? form->shape->variants : 1;
}

DlsStatus dls_scene_cluster(const DlsDeckList *list, int dim, DlsShape *out) {
  const DlsSceneElement *from = list->items;
  DlsElement *elements;
  *out = (DlsShape){0};
  DLS_NEW(elements, list->count);
  for (int k = 0; k < list->count; k++) {
    memcpy(elements[k].offset, from[k].at, sizeof elements[k].offset);
    elements[k].radius = from[k].radius;
  }
  const DlsStatus status = dls_shape_cluster(dim, list->count, elements, out);
  free(elements);
  return status;
}

DlsStatus dls_scene_form(const DlsSceneForm *form, int dim, uint64_t seed, int variant,
                         DlsShape *out) {
  DlsRandom random;
  if (!form->shape && !form->cluster.count) return dls_shape_sphere(dim, 1, out);
  if (!form->shape) return dls_scene_cluster(&form->cluster, dim, out);
  DlsSceneShape shape = *form->shape;
  if (shape.kind == DLS_SCENE_IRREGULAR && !(shape.radius > 0)) shape.radius = 1;
  dls_random_stream(&random, seed | (uint64_t)shape.seed << SEED_BITS,
                    (UINT64_C(1) << VARIANT_STREAMS) + (uint64_t)variant);
  return dls_scene_draw_solid(&shape, dim, &random, out);
}

/* m: the distance of its farthest point from the centre of mass. */
static double span(const DlsShape *shape) {
  double most = 0;
  for (int e = 0; e < shape->count; e++) {
    const DlsElement *element = &shape->element[e];
    const DlsSolid solid = dls_shape_solid(shape, e);
    if (solid.kind != DLS_SHAPE_CONVEX) { /* a ball, or its ball */
      most = fmax(most, dls_vector_norm(element->offset) + element->radius);
      continue;
    }
    const DlsConvex convex = dls_convex_view(&solid);
    for (int v = 0; v < convex.vertices; v++) {
      double x[3];
      dls_rotation_apply(shape->figure[e].rotation, convex.vertex + 3 * v, x);
      for (int k = 0; k < 3; k++) x[k] = element->offset[k] + solid.scale * x[k];
      most = fmax(most, dls_vector_norm(x) + solid.scale * convex.rounding);
    }
  }
  return most;
}

DlsStatus dls_scene_bulk(const DlsSceneForm *form, int dim, uint64_t seed, double *out) {
  const int variants = dls_scene_variants(form);
  double sum = 0;
  *out = 1;
  if (!dls_scene_has_form(form)) return DLS_OK;
  for (int v = 0; v < variants; v++) {
    DlsShape shape, ball;
    DLS_TRY(dls_scene_form(form, dim, seed, v, &shape));
    const DlsStatus status = dls_shape_sphere(dim, span(&shape), &ball);
    if (status == DLS_OK) sum += shape.volume / ball.volume;
    dls_shape_clear(&shape);
    dls_shape_clear(&ball);
    DLS_TRY(status);
  }
  *out = sum / variants;
  return DLS_OK;
}

/* The centre of mass at the centre of the ball. */
static DlsStatus add_grain(DlsWorld *world, const DlsPopulation *p, int k, const DlsSceneMake *make,
                           const DlsShape *shape, DlsRandom *random, const double velocity[6]) {
  const bool ball = !dls_scene_has_form(make->form);
  DlsBody body = {.shape = shape,
                  .scale = ball ? p->radius[k] : p->radius[k] / span(shape),
                  .density = world->materials.item[make->material].density,
                  .mass = make->mass,
                  .material = make->material,
                  .orientation = {1, 0, 0, 0}};
  double centre[3];
  if (!ball && make->form->turns == DLS_SCENE_TURNS_RANDOM)
    dls_rotation_draw(world->dim, random, body.orientation);
  dls_rotation_apply(body.orientation, shape->centre, centre);
  for (int i = 0; i < 3; i++) body.position[i] = p->centre[3 * k + i] - body.scale * centre[i];
  memcpy(body.velocity, velocity, sizeof body.velocity);
  return dls_world_add_body(world, &body);
}

static DlsStatus add_deformable(DlsWorld *world, const DlsPopulation *p, int k,
                                const DlsSceneMake *make, DlsRandom *random,
                                const double velocity[6]) {
  double turn[4] = {1, 0, 0, 0};
  if (make->form->turns == DLS_SCENE_TURNS_RANDOM) dls_rotation_draw(world->dim, random, turn);
  return dls_scene_add_deformable(make->form->deformable, make->material, p->radius[k],
                                  p->centre + 3 * k, turn, velocity, world);
}

DlsStatus dls_scene_add_grains(DlsWorld *world, const DlsPopulation *p, const DlsSceneMake *make,
                               const double (*velocity)[6]) {
  const int variants = dls_scene_variants(make->form);
  DlsShape *shape; /* made when first used */
  DLS_NEW(shape, variants);
  DlsStatus status =
      dls_world_reserve(world, world->count + p->count, world->first[world->count] + p->count);
  for (int k = 0; k < p->count && status == DLS_OK; k++) {
    DlsRandom random;
    dls_random_stream(&random, make->seed,
                      (UINT64_C(1) << GRAIN_STREAMS) + (uint64_t)(make->first + k));
    if (make->form->deformable) {
      status = add_deformable(world, p, k, make, &random, velocity[k]);
      continue;
    }
    const int v = dls_random_below(&random, variants);
    if (!shape[v].count) status = dls_scene_form(make->form, world->dim, make->seed, v, &shape[v]);
    if (status == DLS_OK) status = add_grain(world, p, k, make, &shape[v], &random, velocity[k]);
  }
  for (int v = 0; v < variants; v++) dls_shape_clear(&shape[v]);
  free(shape);
  return status;
}
