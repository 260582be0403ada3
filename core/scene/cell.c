/* The periodic cell of a deck: what goes with it, and how it deforms. */
#include "scene/scene_impl.h"
#include "world/boundary/kind.h"

#include <math.h>
#include <string.h>

unsigned dls_scene_cell_axes(const DlsSceneCell *cell) {
  unsigned axes = 0;
  for (int k = 0; cell && k < cell->periodic.count; k++)
    axes |= 1u << (cell->periodic.values[k][0] - 'x');
  return axes;
}

/* A boundary that is the same all along the periodic axes: one without any size, which has no end,
 * whose normal is across them and stays so: a plane. */
static bool goes_on(const DlsSceneBoundary *b, unsigned axes, int dim) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->shape);
  bool any = false;
  const bool sized = dls_by_dim(kind->lengths, dim) > 0 || kind->radii > 0 || kind->of_facets;
  if (sized || b->turn[0] != 0 || b->turn[1] != 0 || b->turn[2] != 0 || b->spin[0]) return false;
  for (int k = 0; k < 3; k++) {
    any |= b->axis[k] != 0;
    if (axes & (1u << k) && b->axis[k] != 0) return false;
  }
  return any || !(axes & (1u << (dim - 1))); /* no axis: upward */
}

/* A stress stands along each edge of the cell, and no other axis. */
static void check_stress(DlsDeck *deck, const DlsSceneData *data, unsigned axes) {
  const DlsSceneCell *cell = data->cell;
  const bool driven = cell->stress[0] || cell->stress[1] || cell->stress[2];
  if (!driven && (cell->mass > 0 || cell->damping > 0))
    dls_deck_problem(deck, cell->node, "stress",
                     "is missing: `mass` and `damping` are of edges that a stress drives");
  if (!driven) return;
  if (!(cell->mass > 0))
    dls_deck_problem(deck, cell->node, "mass",
                     "a stress drives edges that have a mass; give some times that of the grains");
  if (cell->shear || cell->stretch[0] || cell->stretch[1] || cell->stretch[2])
    dls_deck_problem(deck, cell->node, "stress",
                     "drives the edges by itself; leave out `stretch` and `shear`");
  for (int k = 0; k < 3; k++)
    if (cell->stress[k] && !(axes & (1u << k)) &&
        dls_expression_value(cell->stress[k], 0.5 * data->time.end) != 0)
      dls_deck_problem(
          deck, cell->node, "stress",
          "the cell has no edge along %c; set that stress to 0, or add %c to `periodic`", "xyz"[k],
          "xyz"[k]);
}

void dls_scene_check_cell(DlsDeck *deck, const DlsSceneData *data) {
  const DlsSceneCell *cell = data->cell;
  const DlsDeckNode *root = dls_deck_root(deck);
  DlsCell made;
  if (!cell) return;
  const unsigned axes = dls_scene_cell_axes(cell);
  const struct {
    const char *key;
    int count;
  } not_yet[] = {{"sources", data->sources.count}, {"sinks", data->sinks.count},
                 {"links", data->links.count},     {"springs", data->springs.count},
                 {"bends", data->bends.count},     {"chains", data->chains.count},
                 {"blocks", data->blocks.count}};
  if (dls_cell_make(data->dimension, axes, cell->low, cell->high, &made) != DLS_OK)
    dls_deck_problem(deck, cell->node, "periodic", "%s", dls_error_message());
  check_stress(deck, data, axes);
  if (cell->shear && (axes & 3u) != 3u)
    dls_deck_problem(deck, cell->node, "shear",
                     "needs a cell that is periodic along x and y; add them to `periodic`");
  for (int k = 0; k < 3; k++)
    if (cell->stretch[k] && !(axes & (1u << k)) &&
        dls_expression_value(cell->stretch[k], 0.5 * data->time.end) != 0)
      dls_deck_problem(deck, cell->node, "stretch",
                       "the cell has no edge along %c; set that rate to 0, or add %c to `periodic`",
                       "xyz"[k], "xyz"[k]);
  for (int k = 0; k < DLS_COUNT(not_yet); k++)
    if (not_yet[k].count)
      dls_deck_problem(deck, root, not_yet[k].key,
                       "do not reach across a periodic cell; take them or the cell away");
  const DlsSceneBoundary *items = data->boundaries.items;
  for (int k = 0; k < data->boundaries.count; k++)
    if (!goes_on(&items[k], axes, data->dimension))
      dls_deck_problem(deck, items[k].node, "shape",
                       "is not the same all along the periodic axes: take a plane whose axis has "
                       "none of them, and no turn or spin; or another cell");
}

DlsStatus dls_scene_set_cell(const DlsSceneData *data, DlsWorld *world) {
  const DlsSceneCell *cell = data->cell;
  if (!cell) return DLS_OK;
  return dls_cell_make(data->dimension, dls_scene_cell_axes(cell), cell->low, cell->high,
                       &world->cell);
}

/* A cell that a shear has left tilted, in the run that a checkpoint is of, does not go on so; what
 * is left of its shear ends. */
static DlsStatus make_upright(DlsCell *cell) {
  static const double hair = 1e-9; /* of an edge: round-off of a shear that has gone back */
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      if (i == k) continue;
      DLS_CHECK(fabs(cell->edge[k][i]) <= hair * cell->edge[k][k], DLS_ERR_UNSUPPORTED,
                "cell: a stress drives edges that stand along the axes, and that along %c leans by "
                "%g m along %c; shear it back first, or leave it to `stretch` and `shear`",
                "xyz"[k], cell -> edge[k][i], "xyz"[i]);
      cell->rate[k][i] = 0;
    }
  return DLS_OK;
}

/* Edges that a stress drives keep their rates until contacts change them. */
static DlsStatus drive_edges(const DlsSceneCell *cell, DlsWorld *world, double t) {
  DlsCellDrive *drive = &world->drive;
  DLS_TRY(make_upright(&world->cell));
  drive->axes = world->cell.axes;
  for (int k = 0; k < 3; k++) {
    if (!(drive->axes & (1u << k))) continue;
    const double area = dls_cell_room(&world->cell) / world->cell.edge[k][k];
    const double stress = cell->stress[k] ? dls_expression_value(cell->stress[k], t) : 0;
    drive->mass[k] = cell->mass;
    drive->force[k] = stress * area - cell->damping * world->cell.rate[k][k];
    DLS_CHECK(isfinite(drive->force[k]), DLS_ERR_NUMERIC,
              "cell: the stress along %c is not finite at t = %g s", "xyz"[k], t);
  }
  return DLS_OK;
}

/* rate_k = L edge_k, L in the middle of the step. */
DlsStatus dls_scene_move_cell(DlsScene *scene, DlsWorld *world, double t, double h) {
  const DlsSceneCell *cell = scene->data.cell;
  double rate[3][3];
  if (!cell || !world->cell.axes) return DLS_OK;
  if (cell->stress[0]) return drive_edges(cell, world, t);
  const double shear = cell->shear ? dls_expression_value(cell->shear, t + 0.5 * h) : 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      const double stretch =
          cell->stretch[i] ? dls_expression_value(cell->stretch[i], t + 0.5 * h) : 0;
      rate[k][i] = stretch * world->cell.edge[k][i];
    }
    rate[k][0] += shear * world->cell.edge[k][1];
    DLS_CHECK(isfinite(rate[k][0]) && isfinite(rate[k][1]) && isfinite(rate[k][2]), DLS_ERR_NUMERIC,
              "cell: the rate of strain is not finite at t = %g s", t);
  }
  const double gain = dls_world_strain(world, (const double(*)[3])rate);
  if (scene->simulation) scene->simulation->state.ledger.boundary += gain;
  return DLS_OK;
}
