/* Boundaries whose extent follows from what they hold. */
#include "scene/scene_impl.h"

#include <math.h>
#include <string.h>

static const DlsSceneGrains *deposit_of(const DlsSceneData *data) {
  const DlsSceneGrains *grains = data->grains.items;
  for (int k = 0; k < data->grains.count; k++)
    if (grains[k].place == DLS_PLACE_DEPOSIT) return &grains[k];
  return NULL;
}

/* Why the box cannot be the one of the deposit, of that length and position; NULL when it can. A
 * resolved deck has both: the very numbers are no mistake. */
static const char *mistake(const DlsSceneGrains *deposit, const DlsSceneBoundary *b,
                           const double *length, const double *position) {
  double given = 0, apart = 0;
  for (int k = 0; k < 3; k++) {
    given += fabs(b->length[k]) + fabs(b->position[k]);
    apart += fabs(b->length[k] - length[k]) + fabs(b->position[k] - position[k]);
  }
  if (!deposit) return "no grains have place: deposit; take it away, and give length and position";
  if (b->shape != DLS_BOUNDARY_BOX) return "only a box can be around a deposit; set shape: box";
  if (given > 0 && apart > 1e-9 * length[0])
    return "length and position follow from the deposit; take them away, or this";
  return NULL;
}

/* [0, side]^2 x [0, 2 side]. */
static void fit(DlsDeck *deck, const DlsSceneGrains *deposit, DlsSceneBoundary *b) {
  const double side =
      deposit ? dls_population_deposit_side(deposit->count, deposit->sizes.radius) : 0;
  const double length[3] = {side, side, 2 * side}, position[3] = {side / 2, side / 2, side};
  const char *wrong = mistake(deposit, b, length, position);
  if (wrong) {
    dls_deck_problem(deck, b->node, "around", "%s", wrong);
    return;
  }
  memcpy(b->length, length, sizeof length);
  memcpy(b->position, position, sizeof position);
}

void dls_scene_fit(DlsDeck *deck, DlsSceneData *data) {
  DlsSceneBoundary *boundaries = data->boundaries.items;
  for (int k = 0; k < data->boundaries.count; k++)
    if (boundaries[k].around == DLS_AROUND_DEPOSIT) fit(deck, deposit_of(data), &boundaries[k]);
}
