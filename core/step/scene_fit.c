/* Boundaries whose extent follows from what they hold. */
#include "step/scene_impl.h"

#include <math.h>

static const DlsSceneGrains *deposit_of(const DlsSceneData *data) {
  const DlsSceneGrains *grains = data->grains.items;
  for (int k = 0; k < data->grains.count; k++)
    if (grains[k].place == DLS_PLACE_DEPOSIT) return &grains[k];
  return NULL;
}

/* Why the box cannot be the one of the deposit; NULL when it can. */
static const char *mistake(const DlsSceneGrains *deposit, const DlsSceneBoundary *b) {
  double given = 0;
  for (int k = 0; k < 3; k++) given += fabs(b->length[k]) + fabs(b->position[k]);
  if (!deposit) return "no grains have place: deposit; take it away, and give length and position";
  if (b->shape != DLS_BOUNDARY_BOX) return "only a box can be around a deposit; set shape: box";
  if (given > 0) return "length and position follow from the deposit; take them away, or this";
  return NULL;
}

/* [0, side]^2 x [0, 2 side]. */
static void fit(DlsDeck *deck, const DlsSceneGrains *deposit, DlsSceneBoundary *b) {
  const char *wrong = mistake(deposit, b);
  if (wrong) {
    dls_deck_problem(deck, b->node, "around", "%s", wrong);
    return;
  }
  const double side = dls_population_deposit_side(deposit->count, deposit->sizes.radius);
  for (int k = 0; k < 3; k++) {
    b->length[k] = k < 2 ? side : 2 * side;
    b->position[k] = b->length[k] / 2;
  }
}

void dls_scene_fit(DlsDeck *deck, DlsSceneData *data) {
  DlsSceneBoundary *boundaries = data->boundaries.items;
  for (int k = 0; k < data->boundaries.count; k++)
    if (boundaries[k].around == DLS_AROUND_DEPOSIT) fit(deck, deposit_of(data), &boundaries[k]);
}
