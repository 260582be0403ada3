/* Boundaries from files of meshes, and from lists of points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"
#include "mesh/mesh.h"
#include "scene/scene_impl.h"
#include "world/boundary/kind.h"

/* Corners and facets on their way. */
typedef struct {
  int nodes, count;
  double (*node)[3];
  int (*corner)[3];
} Parts;

static void parts_clear(Parts *p) {
  free(p->node);
  free(p->corner);
}

/* The other side is the front when corners go round the other way. */
static void turn_round(int dim, Parts *p) {
  for (int t = 0; t < p->count; t++) {
    const int first = p->corner[t][dim - 2];
    p->corner[t][dim - 2] = p->corner[t][dim - 1];
    p->corner[t][dim - 1] = first;
  }
}

static DlsStatus finish(const DlsSceneBoundary *s, int dim, Parts *p, DlsFacets **out) {
  const char *name = s->file ? s->file : "points";
  if (s->side == DLS_SIDE_BACK) turn_round(dim, p);
  return dls_facets_make(dim, s->side == DLS_SIDE_BOTH, name, p->nodes, (const double(*)[3])p->node,
                         p->count, (const int(*)[3])p->corner, out);
}

/* The triangles of one group, -1: all, behind those that are there. */
static DlsStatus add_group(const DlsSceneBoundary *s, const DlsMesh *m, int group, Parts *p) {
  DlsMeshTriangles triangles;
  DLS_TRY(dls_mesh_triangles(m, s->file, group, &triangles));
  const size_t all = (size_t)p->count + (size_t)triangles.count;
  int(*corner)[3] = realloc(p->corner, all * sizeof *corner);
  if (corner) {
    memcpy(corner + p->count, triangles.corner, (size_t)triangles.count * sizeof *corner);
    p->corner = corner;
    p->count = (int)all;
  }
  dls_mesh_triangles_clear(&triangles);
  DLS_CHECK(corner, DLS_ERR_MEMORY, "%s: out of memory", s->file);
  return DLS_OK;
}

static DlsStatus unknown_group(const DlsSceneBoundary *s, const DlsMesh *m, const char *name) {
  char known[400] = "";
  size_t length = 0;
  for (int g = 0; g < m->groups && length + DLS_MESH_NAME + 2 < sizeof known; g++)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", g ? ", " : "",
                               m->group[g].name);
  return dls_fail(DLS_ERR_ARGUMENT, "%s: has no group '%s'; it has %s", s->file, name,
                  m->groups ? known : "none: leave `groups` out");
}

static DlsStatus read_groups(const DlsSceneBoundary *s, const DlsMesh *m, Parts *p) {
  if (s->groups.count == 0) return add_group(s, m, -1, p);
  for (int k = 0; k < s->groups.count; k++) {
    const int group = dls_mesh_find_group(m, s->groups.values[k]);
    if (group < 0) return unknown_group(s, m, s->groups.values[k]);
    for (int i = 0; i < k; i++)
      DLS_CHECK(strcmp(s->groups.values[i], s->groups.values[k]) != 0, DLS_ERR_ARGUMENT,
                "%s: the group '%s' is named twice", s->file, s->groups.values[k]);
    DLS_TRY(add_group(s, m, group, p));
  }
  return DLS_OK;
}

/* Nodes that no facet has would be no harm but for the size of files: they go. */
static DlsStatus take_nodes(const DlsSceneBoundary *s, const DlsMesh *m, Parts *p) {
  int *number;
  DLS_NEW(number, m->nodes);
  p->node = dls_memory_array((size_t)m->nodes, sizeof *p->node);
  for (int c = 0; c < 3 * p->count && p->node; c++) {
    int *corner = &p->corner[c / 3][c % 3];
    if (!number[*corner]) {
      for (int k = 0; k < 3; k++) p->node[p->nodes][k] = s->scale * m->node[*corner][k];
      number[*corner] = ++p->nodes;
    }
    *corner = number[*corner] - 1;
  }
  free(number);
  DLS_CHECK(p->node, DLS_ERR_MEMORY, "%s: out of memory", s->file);
  return DLS_OK;
}

static DlsStatus check_closed(const DlsSceneBoundary *s, DlsFacets **facets) {
  double edge[2][3];
  const int open = dls_facets_open(*facets, edge);
  if (open == 0) return DLS_OK;
  dls_facets_release(facets);
  return dls_fail(DLS_ERR_FORMAT,
                  "%s: is not closed: %d edge%s of one triangle alone, the first from (%g, %g, %g) "
                  "to (%g, %g, %g) m; close the surface",
                  s->file, open, open == 1 ? " is" : "s are", edge[0][0], edge[0][1], edge[0][2],
                  edge[1][0], edge[1][1], edge[1][2]);
}

static DlsStatus make_mesh(const DlsSceneBoundary *s, DlsFacets **out) {
  DlsMesh mesh;
  Parts p = {0};
  DLS_TRY(dls_mesh_read(s->file, &mesh));
  DlsStatus status = read_groups(s, &mesh, &p);
  if (status == DLS_OK) status = take_nodes(s, &mesh, &p);
  dls_mesh_clear(&mesh);
  if (status == DLS_OK) status = finish(s, 3, &p, out);
  if (status == DLS_OK && s->closed) status = check_closed(s, out);
  parts_clear(&p);
  return status;
}

/* x, y of a CSV: columns by name, or the first two. */
static DlsStatus read_table(const DlsSceneBoundary *s, Parts *p) {
  DlsTable table;
  DLS_TRY(dls_table_read(s->file, &table));
  const int x = table.named ? dls_table_find(&table, "x") : 0;
  const int y = table.named ? dls_table_find(&table, "y") : 1;
  DlsStatus status = DLS_OK;
  if (x < 0 || y < 0 || x >= table.columns || y >= table.columns)
    status = dls_fail(DLS_ERR_FORMAT, "%s: has no columns x and y", s->file);
  p->node = status == DLS_OK ? dls_memory_array((size_t)table.rows, sizeof *p->node) : NULL;
  for (int k = 0; k < table.rows && p->node; k++) {
    const double *row = table.value + (size_t)k * (size_t)table.columns;
    p->node[k][0] = s->scale * row[x];
    p->node[k][1] = s->scale * row[y];
  }
  p->nodes = table.rows;
  if (status == DLS_OK && !p->node) status = dls_fail(DLS_ERR_MEMORY, "%s: out of memory", s->file);
  dls_table_clear(&table);
  return status;
}

static DlsStatus read_points(const DlsSceneBoundary *s, Parts *p) {
  if (s->file) return read_table(s, p);
  DLS_CHECK(s->points.count % 2 == 0, DLS_ERR_ARGUMENT,
            "points: %d numbers are no pairs; give x, y of each point", s->points.count);
  p->nodes = s->points.count / 2;
  DLS_NEW(p->node, p->nodes);
  for (int k = 0; k < p->nodes; k++)
    for (int i = 0; i < 2; i++) p->node[k][i] = s->scale * s->points.values[2 * k + i];
  return DLS_OK;
}

static DlsStatus make_line(const DlsSceneBoundary *s, Parts *p, DlsFacets **out) {
  DLS_TRY(read_points(s, p));
  DLS_CHECK(p->nodes >= (s->closed ? 3 : 2), DLS_ERR_ARGUMENT, "%s: %d points; a%s line needs %d",
            s->file ? s->file : "points", p->nodes, s->closed ? " closed" : "", s->closed ? 3 : 2);
  p->count = p->nodes - !s->closed;
  DLS_NEW(p->corner, p->count);
  for (int t = 0; t < p->count; t++) {
    p->corner[t][0] = t;
    p->corner[t][1] = (t + 1) % p->nodes;
  }
  return finish(s, 2, p, out);
}

DlsStatus dls_scene_facets(const DlsSceneBoundary *s, int dim, DlsFacets **out) {
  const DlsBoundaryOperations *kind = dls_boundary_operations((DlsBoundaryKind)s->shape);
  Parts p = {0};
  *out = NULL;
  if (!kind->of_facets || kind->only_dim != dim) return DLS_OK; /* said by its check */
  if (dim == 3) return make_mesh(s, out);
  const DlsStatus status = make_line(s, &p, out);
  parts_clear(&p);
  return status;
}
