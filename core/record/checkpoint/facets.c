/* What meshes and polylines are made of as vectors of a checkpoint, and back: each set once,
 * however many boundaries share it. Planes, patches and trees follow from the corners. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"

DlsStatus dls_snapshot_make_facets(DlsSnapshot *s, int sets, int owners, int nodes, int corners) {
  s->facet_sets = sets, s->facet_owners = owners;
  s->facet_nodes = nodes, s->facet_corners = corners;
  DLS_NEW(s->facet_of, owners);
  DLS_NEW(s->facet_size, 3 * (size_t)sets);
  DLS_NEW(s->facet_node, 3 * (size_t)nodes);
  DLS_NEW(s->facet_corner, 3 * (size_t)corners);
  return DLS_OK;
}

DlsStatus dls_snapshot_take_facets(const DlsWorld *world, DlsSnapshot *out) {
  DlsFacetsList sets = {0};
  DlsStatus status = DLS_OK;
  int nodes = 0, corners = 0;
  for (int b = 0; b < world->boundary_count && status == DLS_OK; b++)
    status = dls_facets_hold(&sets, world->boundary[b].facets);
  for (int k = 0; k < sets.count; k++) nodes += sets.item[k]->nodes, corners += sets.item[k]->count;
  if (status == DLS_OK)
    status = dls_snapshot_make_facets(out, sets.count, sets.count ? world->boundary_count : 0,
                                      nodes, corners);
  double *node = out->facet_node;
  int32_t *corner = out->facet_corner;
  for (int k = 0; k < sets.count && status == DLS_OK; k++) {
    const DlsFacets *f = sets.item[k];
    const int32_t size[3] = {f->both, f->nodes, f->count};
    memcpy(out->facet_size + 3 * k, size, sizeof size);
    memcpy(node, f->node, (size_t)f->nodes * sizeof *f->node);
    memcpy(corner, f->corner, (size_t)f->count * sizeof *f->corner);
    node += 3 * (size_t)f->nodes;
    corner += 3 * (size_t)f->count;
  }
  for (int b = 0; b < out->facet_owners && status == DLS_OK; b++) {
    out->facet_of[b] = -1;
    for (int k = 0; k < sets.count; k++)
      if (world->boundary[b].facets == sets.item[k]) out->facet_of[b] = k;
  }
  dls_facets_list_clear(&sets);
  return status;
}

/* Set k, whose corners begin at these places. */
static DlsStatus make_set(const DlsSnapshot *s, const char *path, int k, int *node, int *corner,
                          DlsFacets **out) {
  const int32_t *size = s->facet_size + 3 * k;
  DLS_CHECK(size[0] >= 0 && size[0] <= 1 && size[1] > 0 && size[1] <= s->facet_nodes - *node &&
                size[2] > 0 && size[2] <= s->facet_corners - *corner,
            DLS_ERR_FORMAT, "%s: /facets/size: set %d is impossible", path, k);
  const double(*x)[3] = (const double(*)[3])(void *)(s->facet_node + 3 * (size_t)*node);
  const int(*c)[3] = (const int(*)[3])(void *)(s->facet_corner + 3 * (size_t)*corner);
  *node += size[1];
  *corner += size[2];
  if (dls_facets_make(s->dim, size[0], "facets", size[1], x, size[2], c, out) == DLS_OK)
    return DLS_OK;
  return dls_fail_context(DLS_ERR_FORMAT, "%s: /facets/corner: set %d", path, k);
}

DlsStatus dls_snapshot_put_facets(const DlsSnapshot *s, const char *path) {
  DlsWorld *world = s->world;
  int node = 0, corner = 0;
  if (s->facet_sets == 0 && s->facet_owners == 0) return DLS_OK;
  DLS_CHECK(s->facet_owners == world->boundary_count, DLS_ERR_FORMAT,
            "%s: /facets/boundary: tells of %d boundaries, there are %d", path, s->facet_owners,
            world->boundary_count);
  for (int k = 0; k < s->facet_sets; k++) {
    DlsFacets *set;
    DLS_TRY(make_set(s, path, k, &node, &corner, &set));
    DlsStatus status = dls_facets_hold(&world->facets, set);
    for (int b = 0; b < world->boundary_count && status == DLS_OK; b++)
      if (s->facet_of[b] == k) world->boundary[b].facets = set;
    dls_facets_release(&set);
    DLS_TRY(status);
  }
  for (int b = 0; b < world->boundary_count; b++)
    DLS_CHECK(s->facet_of[b] >= -1 && s->facet_of[b] < s->facet_sets, DLS_ERR_FORMAT,
              "%s: /facets/boundary: boundary %d is of set %d, there are %d", path, b,
              s->facet_of[b], s->facet_sets);
  return DLS_OK;
}
