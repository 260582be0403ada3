/* Bodies with corners from files: the section `shape` with a `file`. Points of a hull; a closed
 * convex surface; a body of several such, one for each named group of the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"
#include "detect/convex/nearest.h"
#include "mesh/mesh.h"
#include "scene/scene_impl.h"

/* x, y and in 3-D z of a CSV; columns by name, or the first ones. */
static DlsStatus points_of_table(const DlsSceneShape *s, int width, double (**out)[3], int *count) {
  static const char *const names[] = {"x", "y", "z"};
  DlsTable table;
  int column[3];
  *out = NULL;
  DLS_TRY(dls_table_read(s->file, &table));
  DlsStatus status = DLS_OK;
  for (int k = 0; k < width && status == DLS_OK; k++) {
    column[k] = table.named ? dls_table_find(&table, names[k]) : k;
    if (column[k] < 0 || column[k] >= table.columns)
      status = dls_fail(DLS_ERR_FORMAT, "%s: has no column %s", s->file, names[k]);
  }
  *count = table.rows;
  if (status == DLS_OK && !(*out = dls_memory_array((size_t)table.rows, sizeof **out)))
    status = dls_fail(DLS_ERR_MEMORY, "%s: out of memory", s->file);
  for (int p = 0; p < table.rows && status == DLS_OK; p++)
    for (int k = 0; k < width; k++)
      (*out)[p][k] = s->scale * table.value[p * table.columns + column[k]];
  dls_table_clear(&table);
  return status;
}

DlsStatus dls_scene_file_points(const DlsSceneShape *s, int width, double (**out)[3], int *count) {
  DlsMesh mesh;
  *out = NULL;
  if (!dls_mesh_known(s->file)) return points_of_table(s, width, out, count);
  DLS_CHECK(width == 3, DLS_ERR_ARGUMENT,
            "shape: %s is of 3-D; corners of polygons come from a CSV with x, y", s->file);
  DLS_TRY(dls_mesh_read(s->file, &mesh));
  *count = mesh.nodes;
  *out = dls_memory_array((size_t)mesh.nodes, sizeof **out);
  for (int n = 0; n < mesh.nodes && *out; n++)
    for (int k = 0; k < 3; k++) (*out)[n][k] = s->scale * mesh.node[n][k];
  dls_mesh_clear(&mesh);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "%s: out of memory", s->file);
  return DLS_OK;
}

/* A surface that is refused unless it is closed, shows its front outward, and is convex. */
typedef struct {
  int vertices, faces;
  int *number; /* [nodes of the mesh]: vertex, -1 not used */
  double (*vertex)[3];
  int *start, *corner;
} Surface;

static void surface_clear(Surface *f) {
  free(f->number);
  free(f->vertex);
  free(f->start);
  free(f->corner);
}

static DlsStatus make_surface(const DlsMesh *m, const DlsMeshTriangles *t, double scale,
                              Surface *out) {
  DLS_NEW(out->number, m->nodes);
  DLS_NEW(out->vertex, m->nodes);
  DLS_NEW(out->start, t->count + 1);
  DLS_NEW(out->corner, 3 * (size_t)t->count);
  for (int n = 0; n < m->nodes; n++) out->number[n] = -1;
  for (int c = 0; c < 3 * t->count; c++) {
    const int node = t->corner[c / 3][c % 3];
    if (out->number[node] < 0) {
      out->number[node] = out->vertices;
      for (int k = 0; k < 3; k++) out->vertex[out->vertices][k] = scale * m->node[node][k];
      out->vertices++;
    }
    out->corner[c] = out->number[node];
    out->start[c / 3 + 1] = c / 3 * 3 + 3;
  }
  out->faces = t->count;
  return DLS_OK;
}

/* An edge of one triangle alone, by its places: a hole. */
static DlsStatus check_closed(const DlsSceneShape *s, const DlsMesh *m, const DlsMeshTriangles *t) {
  for (int k = 0; k < 3 * t->count; k++) {
    const double *p = m->node[t->corner[k / 3][k % 3]], *q = m->node[t->corner[k / 3][(k + 1) % 3]];
    DLS_CHECK(t->neighbour[k / 3][k % 3] >= 0, DLS_ERR_FORMAT,
              "%s: the surface is open at the edge from (%g, %g, %g) to (%g, %g, %g), which one "
              "triangle alone has; a solid is closed",
              s->file, p[0], p[1], p[2], q[0], q[1], q[2]);
  }
  return DLS_OK;
}

/* Triangles in one plane become one face: the hull of a convex surface is the same solid. */
static DlsStatus numbers_of(const DlsSceneShape *s, const DlsMesh *m, const DlsMeshTriangles *t,
                            DlsConvexNumbers *out) {
  Surface f = {0};
  DlsConvexNumbers checked = {0};
  DlsStatus status = make_surface(m, t, s->scale, &f);
  const double(*vertex)[3] = (const double(*)[3])f.vertex;
  if (status == DLS_OK)
    status = dls_convex_build(3, 0, f.vertices, vertex, f.faces, f.start, f.corner, &checked);
  free(checked.number);
  if (status == DLS_OK) status = dls_convex_hull(3, s->rounding, f.vertices, vertex, out);
  surface_clear(&f);
  return status;
}

/* The solid of one group of the file, -1: of all of it. */
static DlsStatus solid_of(const DlsSceneShape *s, const DlsMesh *m, int group,
                          DlsConvexNumbers *out) {
  DlsMeshTriangles t;
  *out = (DlsConvexNumbers){0};
  DLS_TRY(dls_mesh_triangles(m, s->file, group, &t));
  DlsStatus status = dls_mesh_join(m, s->file, &t);
  if (status == DLS_OK) status = check_closed(s, m, &t);
  if (status == DLS_OK) {
    status = numbers_of(s, m, &t, out);
    if (status != DLS_OK) dls_fail_context(status, "%s", s->file);
  }
  dls_mesh_triangles_clear(&t);
  return status;
}

static void pose_part(const DlsConvexNumbers *part, DlsPosed *out) {
  const double origin[3] = {0};
  const DlsPose pose = {{0}, {1, 0, 0, 0}};
  const DlsSolid solid = {
      .dim = 3, .kind = DLS_SHAPE_CONVEX, .count = part->count, .number = part->number, .scale = 1};
  dls_posed_solid(&solid, &pose, origin, out);
}

/* Masses would count an overlap twice. */
static DlsStatus check_apart(const DlsSceneShape *s, const DlsMesh *m, int count,
                             const DlsConvexNumbers *part, const int *group) {
  static _Thread_local DlsPosed a, b;
  for (int i = 0; i < count; i++) {
    pose_part(&part[i], &a);
    for (int j = i + 1; j < count; j++) {
      DlsNearest nearest;
      pose_part(&part[j], &b);
      dls_convex_nearest(&a, &b, 0, &nearest);
      DLS_CHECK(nearest.far || nearest.distance > -1e-6 * fmin(a.reach, b.reach), DLS_ERR_FORMAT,
                "%s: the parts '%s' and '%s' overlap by %g m, which would count twice in the mass; "
                "let them touch at most",
                s->file, m->group[group[i]].name, m->group[group[j]].name, -nearest.distance);
    }
  }
  return DLS_OK;
}

/* Groups that have surface cells, in the order of the file. */
static int find_parts(const DlsMesh *m, int *group) {
  int count = 0;
  for (int g = 0; g < m->groups; g++) {
    bool surface = false;
    for (int k = 0; k < m->members && !surface; k++)
      surface = m->member[k][0] == g && dls_cell_facts[m->kind[m->member[k][1]]].dim == 2;
    if (surface) group[count++] = g;
  }
  return count;
}

enum { MOST_PARTS = 1024 };

static DlsStatus read_parts(const DlsSceneShape *s, const DlsMesh *m, int count, const int *group,
                            DlsShape *out) {
  DlsConvexNumbers *part;
  DlsShapePart *given;
  DLS_NEW(part, count);
  given = dls_memory_array((size_t)count, sizeof *given);
  DlsStatus status = given ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "%s: out of memory", s->file);
  for (int k = 0; k < count && status == DLS_OK; k++) {
    status = solid_of(s, m, group[k], &part[k]);
    if (status != DLS_OK) dls_fail_context(status, "part '%s'", m->group[group[k]].name);
    given[k] =
        (DlsShapePart){.kind = DLS_SHAPE_CONVEX, .count = part[k].count, .number = part[k].number};
  }
  if (status == DLS_OK) status = check_apart(s, m, count, part, group);
  if (status == DLS_OK) status = dls_shape_compose(3, count, given, out);
  for (int k = 0; k < count; k++) free(part[k].number);
  free(part);
  free(given);
  return status;
}

static DlsStatus make_parts(const DlsSceneShape *s, const DlsMesh *m, DlsShape *out) {
  int *group;
  DLS_CHECK(m->groups > 0, DLS_ERR_FORMAT,
            "%s: names no parts: objects (o) or groups (g) of an OBJ, solids of an STL as text, "
            "physical surfaces of a MSH; `kind: solid` takes the whole as one",
            s->file);
  DLS_CHECK(m->groups <= MOST_PARTS, DLS_ERR_UNSUPPORTED, "%s: has %d parts, more than %d", s->file,
            m->groups, (int)MOST_PARTS);
  DLS_NEW(group, m->groups);
  const int count = find_parts(m, group);
  const DlsStatus status = count ? read_parts(s, m, count, group, out)
                                 : dls_fail(DLS_ERR_FORMAT, "%s: no part has a surface", s->file);
  free(group);
  return status;
}

DlsStatus dls_scene_file_solid(const DlsSceneShape *s, int dim, DlsShape *out) {
  DlsMesh mesh;
  DLS_CHECK(s->file, DLS_ERR_ARGUMENT, "shape: give the `file`, an STL, OBJ or MSH");
  DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT,
            "shape: surfaces from files are of 3-D; in 2-D give `polygon` with a CSV of x, y");
  DLS_TRY(dls_mesh_read(s->file, &mesh));
  DlsStatus status;
  if (s->kind == DLS_SCENE_PARTS) {
    status = make_parts(s, &mesh, out);
  } else {
    DlsConvexNumbers numbers;
    status = solid_of(s, &mesh, -1, &numbers);
    const DlsShapePart part = {
        .kind = DLS_SHAPE_CONVEX, .count = numbers.count, .number = numbers.number};
    if (status == DLS_OK) status = dls_shape_compose(3, 1, &part, out);
    free(numbers.number);
  }
  dls_mesh_clear(&mesh);
  return status;
}
