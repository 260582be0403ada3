#include "record/cells_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "record/vtu/vtu_read.h"

enum { MOST = 100000000 }; /* of anything; the file has to hold it */

/* How many: cells, corners, shares. */
static DlsStatus read_sizes(const DlsVtuFile *file, const char *path, int *cells, int *corners,
                            int *shares) {
  int64_t offsets, connectivity, share = 0;
  DLS_TRY(dls_vtu_length(file, DLS_VTU_OF_MESH, "offsets", &offsets));
  DLS_TRY(dls_vtu_length(file, DLS_VTU_OF_MESH, "connectivity", &connectivity));
  if (dls_vtu_has(file, DLS_VTU_OF_FIELD, "share_of"))
    DLS_TRY(dls_vtu_length(file, DLS_VTU_OF_FIELD, "share_of", &share));
  DLS_CHECK(dls_checked_int(offsets, 0, MOST, cells) &&
                dls_checked_int(connectivity, 0, MOST, corners) && share % 3 == 0 &&
                dls_checked_int(share / 3, 0, MOST, shares),
            DLS_ERR_FORMAT, "%s: %" PRId64 " cells with %" PRId64 " corners: impossible", path,
            offsets, connectivity);
  return DLS_OK;
}

static DlsStatus read_mesh(const DlsVtuFile *file, const char *path, int corners, int64_t *work,
                           DlsPackingCells *out) {
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_MESH, "offsets", out->cells, work));
  for (int c = 0; c < out->cells; c++)
    DLS_CHECK(dls_checked_int(work[c], out->start[c] + 1, corners, &out->start[c + 1]),
              DLS_ERR_FORMAT, "%s: offsets: cell %d ends at %" PRId64, path, c, work[c]);
  DLS_CHECK(out->start[out->cells] == corners, DLS_ERR_FORMAT,
            "%s: connectivity: holds %d numbers, not the %d of offsets", path, corners,
            out->start[out->cells]);
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_MESH, "connectivity", corners, work));
  for (int k = 0; k < corners; k++)
    DLS_CHECK(dls_checked_int(work[k], 0, out->nodes - 1, &out->node[k]), DLS_ERR_FORMAT,
              "%s: connectivity: corner %d is point %" PRId64 " of %d", path, k, work[k],
              out->nodes);
  return DLS_OK;
}

static DlsStatus read_shares(const DlsVtuFile *file, const char *path, const DlsPacking *g,
                             int64_t *work, DlsPackingCells *out) {
  double(*force)[3];
  int last = 0;
  DLS_NEW(force, out->shares);
  DlsStatus status =
      dls_vtu_integers(file, DLS_VTU_OF_FIELD, "share_of", 3 * (int64_t)out->shares, work);
  if (status == DLS_OK)
    status = dls_vtu_reals(file, DLS_VTU_OF_FIELD, "share_force", 3, out->shares, force[0]);
  for (int k = 0; k < out->shares && status == DLS_OK; k++) {
    DlsNodeShare *s = &out->share[k];
    memcpy(s->force, force[k], sizeof s->force);
    if (!dls_checked_int(work[3 * k], last, g->contacts - 1, &s->contact) ||
        !dls_checked_int(work[3 * k + 1], 0, 1, &s->side) ||
        !dls_checked_int(work[3 * k + 2], 0, out->nodes - 1, &s->node))
      status = dls_fail(DLS_ERR_FORMAT,
                        "%s: share_of: number %d is of contact %" PRId64 ", side %" PRId64
                        " and node %" PRId64 ": there is none, or it is out of order",
                        path, k, work[3 * k], work[3 * k + 1], work[3 * k + 2]);
    last = s->contact;
  }
  free(force);
  return status;
}

/* Cells of bodies of the frame, each with matter in it. */
static DlsStatus read_cells(const DlsVtuFile *file, const char *path, DlsPackingCells *out) {
  const int n = out->cells;
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_CELLS, "id", n, out->owner));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_CELLS, "volume", 1, n, out->volume));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_CELLS, "mass", 1, n, out->mass));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_CELLS, "stress", 9, n, out->moment[0]));
  for (int c = 0; c < n; c++) {
    DLS_CHECK(out->volume[c] > 0 && out->mass[c] > 0, DLS_ERR_FORMAT,
              "%s: volume, mass: cell %d has none above 0", path, c);
    for (int k = 0; k < 9; k++) out->moment[c][k] *= out->volume[c];
  }
  return DLS_OK;
}

static DlsStatus read(const DlsVtuFile *file, const char *path, DlsPacking *g,
                      DlsPackingCells *out) {
  int nodes, cells = 0, corners = 0, shares = 0;
  DLS_TRY(read_sizes(file, path, &cells, &corners, &shares));
  DLS_CHECK(dls_checked_int(dls_vtu_points(file), 0, MOST, &nodes), DLS_ERR_FORMAT,
            "%s: %" PRId64 " points", path, dls_vtu_points(file));
  DLS_TRY(dls_packing_cells_make(nodes, cells, corners, shares, out));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, nodes, out->place[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "velocity", 3, nodes, out->velocity[0]));
  int64_t *work;
  const int64_t most = corners > 3 * (int64_t)shares ? corners : 3 * (int64_t)shares;
  DLS_NEW(work, (size_t)(most > cells ? most : cells));
  DlsStatus status = read_mesh(file, path, corners, work, out);
  if (status == DLS_OK && shares) status = read_shares(file, path, g, work, out);
  free(work);
  DLS_TRY(status);
  DLS_TRY(read_cells(file, path, out));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_FIELD, "cell_force", 3, corners, out->force[0]));
  if (g->dim == 2) /* as all sums over grains in 2-D */
    for (int c = 0; c < cells; c++) out->moment[c][8] = 0;
  if (dls_packing_refine(g, out) != DLS_OK) return dls_fail_context(DLS_ERR_FORMAT, "%s", path);
  return DLS_OK;
}

DlsStatus dls_cells_read(const char *path, DlsPacking *packing) {
  DlsVtuFile *file = NULL;
  DlsPackingCells cells = {0};
  DLS_TRY(dls_vtu_open(path, &file));
  const DlsStatus status = read(file, path, packing, &cells);
  dls_packing_cells_clear(&cells);
  dls_vtu_close(&file);
  return status;
}
