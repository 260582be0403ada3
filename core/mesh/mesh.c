#include "mesh/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "mesh/mesh_impl.h"

const DlsCellFacts dls_cell_facts[DLS_CELL_KINDS] = {
#define FACTS(code, name, dim, nodes, gmsh) {name, dim, nodes, gmsh},
    DLS_CELL_LIST(FACTS)
#undef FACTS
};

/* Room for one item more; *room doubles. */
static DlsStatus grow(void *array, int64_t count, int64_t more, int64_t *room, size_t bytes) {
  if (count + more <= *room) return DLS_OK;
  const int64_t wanted = count + more > 2 * *room ? count + more + 16 : 2 * *room;
  void **held = array, *new = realloc(*held, (size_t)wanted * bytes);
  DLS_CHECK(new, DLS_ERR_MEMORY, "out of memory for a mesh: %lld items of %zu bytes",
            (long long)wanted, bytes);
  *held = new;
  *room = wanted;
  return DLS_OK;
}

static DlsStatus grow_int(void *array, int count, int *room, size_t bytes) {
  int64_t wide = *room;
  DLS_TRY(grow(array, count, 1, &wide, bytes));
  *room = (int)wide;
  return DLS_OK;
}

DlsStatus dls_mesh_add_node(DlsMesh *m, const double x[3]) {
  DLS_CHECK(m->nodes < DLS_MESH_NODES, DLS_ERR_UNSUPPORTED, "a mesh of more than %d nodes",
            (int)DLS_MESH_NODES);
  DLS_TRY(grow_int(&m->node, m->nodes, &m->node_room, sizeof *m->node));
  memcpy(m->node[m->nodes++], x, sizeof *m->node);
  return DLS_OK;
}

DlsStatus dls_mesh_add_cell(DlsMesh *m, DlsCellKind kind, int corners, const int *corner) {
  DLS_CHECK(m->cells < DLS_MESH_CELLS, DLS_ERR_UNSUPPORTED, "a mesh of more than %d cells",
            (int)DLS_MESH_CELLS);
  if (m->cells + 1 >= m->cell_room) {
    int64_t room = m->cell_room, same = room;
    DLS_TRY(grow(&m->kind, m->cells, 2, &room, sizeof *m->kind));
    DLS_TRY(grow(&m->start, m->cells, 2, &same, sizeof *m->start));
    m->cell_room = (int)room;
  }
  if (m->cells == 0) m->start[0] = 0;
  const int64_t first = m->start[m->cells];
  DLS_TRY(grow(&m->corner, first, corners, &m->corner_room, sizeof *m->corner));
  memcpy(m->corner + first, corner, (size_t)corners * sizeof *corner);
  m->kind[m->cells++] = (uint8_t)kind;
  m->start[m->cells] = first + corners;
  return DLS_OK;
}

static DlsStatus add_group(DlsMesh *m, int *out) {
  DLS_TRY(grow_int(&m->group, m->groups, &m->group_room, sizeof *m->group));
  m->group[m->groups] = (DlsMeshGroup){.dim = -1, .tag = -1};
  *out = m->groups++;
  return DLS_OK;
}

DlsStatus dls_mesh_name_group(DlsMesh *m, const char *name, size_t length, int *out) {
  const size_t kept = length < DLS_MESH_NAME - 1 ? length : DLS_MESH_NAME - 1;
  char text[DLS_MESH_NAME] = {0};
  memcpy(text, name, kept);
  *out = dls_names_find(&m->names, text, kept);
  if (*out >= 0) return DLS_OK;
  DLS_TRY(add_group(m, out));
  memcpy(m->group[*out].name, text, sizeof text);
  return dls_names_add(&m->names, text, *out, NULL);
}

DlsStatus dls_mesh_tag_group(DlsMesh *m, int dim, int tag, int *out) {
  for (int g = m->groups - 1; g >= 0; g--)
    if (m->group[g].dim == dim && m->group[g].tag == tag) {
      *out = g;
      return DLS_OK;
    }
  DLS_TRY(add_group(m, out));
  DlsMeshGroup *new = &m->group[*out];
  new->dim = dim, new->tag = tag;
  snprintf(new->name, sizeof new->name, "%d", tag);
  return DLS_OK;
}

DlsStatus dls_mesh_put_in_group(DlsMesh *m, int group, int cell) {
  DLS_TRY(grow_int(&m->member, m->members, &m->member_room, sizeof *m->member));
  m->member[m->members][0] = group;
  m->member[m->members++][1] = cell;
  return DLS_OK;
}

int dls_mesh_find_group(const DlsMesh *m, const char *name) {
  for (int g = 0; g < m->groups; g++)
    if (strcmp(m->group[g].name, name) == 0) return g;
  return -1;
}

void dls_mesh_clear(DlsMesh *m) {
  free(m->node);
  free(m->kind);
  free(m->start);
  free(m->corner);
  free(m->group);
  free(m->member);
  dls_names_clear(&m->names);
  *m = (DlsMesh){0};
}

typedef DlsStatus Reader(DlsScan *scan, DlsMesh *out);

static Reader *reader_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".stl") == 0) return dls_mesh_read_stl;
  if (dot && strcasecmp(dot, ".obj") == 0) return dls_mesh_read_obj;
  if (dot && strcasecmp(dot, ".msh") == 0) return dls_mesh_read_msh;
  if (dot && strcasecmp(dot, ".vtu") == 0) return dls_mesh_read_vtu;
  return NULL;
}

bool dls_mesh_known(const char *path) { return reader_of(path) != NULL; }

DlsStatus dls_mesh_read_bytes(const char *path, const char *bytes, size_t size, DlsMesh *out) {
  Reader *read = reader_of(path);
  *out = (DlsMesh){0};
  DLS_CHECK(read, DLS_ERR_FORMAT, "%s: a mesh is a file .stl, .obj, .msh or .vtu", path);
  DlsScan scan = {.path = path, .begin = bytes, .at = bytes, .end = bytes + size, .line = 1};
  DlsStatus status = read(&scan, out);
  if (status == DLS_OK && (out->nodes == 0 || out->cells == 0))
    status = dls_fail(DLS_ERR_FORMAT, "%s: holds no mesh: %d nodes, %d cells", path, out->nodes,
                      out->cells);
  if (status != DLS_OK) dls_mesh_clear(out);
  return status;
}

DlsStatus dls_mesh_read(const char *path, DlsMesh *out) {
  char *bytes;
  size_t size;
  *out = (DlsMesh){0};
  DLS_CHECK(dls_mesh_known(path), DLS_ERR_FORMAT, "%s: a mesh is a file .stl, .obj, .msh or .vtu",
            path);
  DLS_TRY(dls_file_read(path, &bytes, &size));
  const DlsStatus status = dls_mesh_read_bytes(path, bytes, size, out);
  free(bytes);
  return status;
}
