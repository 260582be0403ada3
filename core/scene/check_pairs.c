/* Which bodies can meet which boundaries: told before anything runs. */
#include "detect/meeting.h"
#include "scene/scene_impl.h"
#include "world/boundary/kind.h"

/* Whether bodies with corners are there, or come later. */
static bool has_solids(const DlsSceneData *data, const DlsWorld *world) {
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneSource *sources = data->sources.items;
  bool found = data->blocks.count > 0;
  for (int e = 0; e < world->first[world->count] && !found; e++)
    found = !dls_world_is_ball(world, e);
  for (int k = 0; k < data->grains.count; k++) found = found || grains[k].form.shape;
  for (int k = 0; k < data->bodies.count; k++) found = found || bodies[k].shape;
  for (int k = 0; k < data->sources.count; k++) found = found || sources[k].form.shape;
  return found;
}

void dls_scene_check_pairs(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world) {
  const DlsSceneBoundary *items = data->boundaries.items;
  if (!has_solids(data, world)) return;
  for (int b = 0; b < data->boundaries.count; b++) {
    const DlsBoundaryKind kind = (DlsBoundaryKind)items[b].shape;
    if (dls_meeting_of_boundary(DLS_SHAPE_CONVEX, kind, items[b].inside)) continue;
    dls_deck_problem(deck, items[b].node, "shape",
                     "bodies with corners do not meet a %s%s; take a %s of the same form",
                     dls_boundary_text(kind),
                     dls_boundary_operations(kind)->has_inside ? " from outside" : "",
                     data->dimension == 2 ? "polyline" : "mesh");
  }
}
