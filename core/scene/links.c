/* From names and points in a deck to links between bodies. */
#include "scene/scene_impl.h"

#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A side of a link as the deck names it: a body, as its number, or a boundary, as -1 - b; its id as
 * keys of contacts have it. */
typedef struct {
  int who;
  uint64_t id;
} Side;

static bool find_body(DlsDeck *deck, const DlsScene *scene, const DlsSceneLink *s, const char *key,
                      const char *name, Side *out) {
  const DlsWorld *world = scene->simulation->world;
  DlsMember *list = NULL;
  int count = 0;
  const DlsStatus status = dls_roster_expand(&scene->roster, name, &list, &count);
  if (status != DLS_OK) dls_deck_problem(deck, s->node, key, "%s", dls_error_message());
  if (status == DLS_OK && count != 1)
    dls_deck_problem(deck, s->node, key, "%s stands for %d bodies; name one, such as %s.1", name,
                     count, name);
  const bool one = status == DLS_OK && count == 1;
  const int who = one ? dls_roster_number(&scene->roster, world, list[0]) : -1;
  if (one && who < 0)
    dls_deck_problem(deck, s->node, key,
                     "%s is not there at the start; links join what is, so drop its `from`", name);
  free(list);
  if (who < 0) return false;
  *out = (Side){who, world->id[who]};
  return true;
}

/* `to` names a boundary, or else a body. */
static bool find_other(DlsDeck *deck, const DlsScene *scene, const DlsSceneLink *s, Side *out) {
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const DlsWorld *world = scene->simulation->world;
  for (int b = 0; b < scene->data.boundaries.count; b++)
    if (items[b].name && strcmp(items[b].name, s->to) == 0) {
      *out = (Side){-1 - b, DLS_KEY_BOUNDARY | world->boundary[b].id};
      return true;
    }
  return find_body(deck, scene, s, "to", s->to, out);
}

static const double *origin_of(const DlsWorld *world, int who) {
  return who < 0 ? world->boundary[-1 - who].position : world->position[who];
}

static const double *turn_of(const DlsWorld *world, int who) {
  return who < 0 ? world->boundary[-1 - who].orientation : world->orientation[who];
}

static void place(const DlsWorld *world, int who, const double point[3], double at[3]) {
  const double *x = origin_of(world, who);
  const double lever[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
  dls_rotation_apply_inverse(turn_of(world, who), lever, at);
}

static void point_of(const DlsDeckReals *given, const double *otherwise, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = given->count == 0 ? otherwise[k] : k < given->count ? given->values[k] : 0;
}

static DlsStatus add(DlsDeck *deck, DlsScene *scene, const DlsSceneLink *s) {
  static const DlsLinkKind kinds[] = {DLS_LINK_AXIAL, DLS_LINK_AXIAL, DLS_LINK_POINT,
                                      DLS_LINK_PLANE};
  const DlsWorld *world = scene->simulation->world;
  DlsLink link = {.kind = kinds[s->kind]};
  Side body, other;
  double a[3], b[3];
  if (dls_materials_require(&world->materials, s->material, &link.material) != DLS_OK)
    dls_deck_problem(deck, s->node, "material", "%s", dls_error_message());
  if (!find_body(deck, scene, s, "body", s->body, &body) || !find_other(deck, scene, s, &other))
    return DLS_OK;
  if (body.id == other.id) {
    dls_deck_problem(deck, s->node, "to", "is the body itself; name another");
    return DLS_OK;
  }
  point_of(&s->at, origin_of(world, body.who), a);
  point_of(&s->to_at, link.kind == DLS_LINK_AXIAL ? origin_of(world, other.who) : a, b);
  const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  const double distance = dls_vector_norm(apart), size = dls_vector_norm(s->normal);
  link.length = isnan(s->length) ? distance : s->length;
  if (link.kind == DLS_LINK_AXIAL && !(distance > 0))
    dls_deck_problem(deck, s->node, "to_at",
                     "is the point `at` itself, so that the link has no "
                     "direction; move one, or take a hinge");
  if (link.kind == DLS_LINK_PLANE && !(size > 0))
    dls_deck_problem(deck, s->node, "normal",
                     "is needed for a slider: the direction in which the "
                     "point cannot go");
  for (int k = 0; k < 3 && size > 0; k++) link.normal[k] = s->normal[k] / size;
  dls_rotation_apply_inverse(turn_of(world, other.who), link.normal, link.normal);
  place(world, body.who, a, link.at[1]);
  place(world, other.who, b, link.at[0]);
  link.id[1] = body.id;
  link.id[0] = other.id;
  return dls_links_add(&scene->simulation->settings.links, &link);
}

void dls_scene_add_links(DlsDeck *deck, DlsScene *scene) {
  const DlsSceneLink *items = scene->data.links.items;
  const DlsInteractions *laws = &scene->simulation->settings.laws;
  for (int k = 0; k < scene->data.links.count; k++)
    if (add(deck, scene, &items[k]) != DLS_OK)
      dls_deck_problem(deck, items[k].node, NULL, "%s", dls_error_message());
  const DlsLinks *links = &scene->simulation->settings.links;
  for (int k = 0; k < links->count && dls_deck_problem_count(deck) == 0; k++) {
    const int m = links->item[k].material;
    if (laws->pair[m * laws->materials + m] < 0)
      dls_deck_problem(deck, items[k].node, "material",
                       "no law acts between %s and itself; add one with between: [%s, %s]",
                       items[k].material, items[k].material, items[k].material);
  }
}
