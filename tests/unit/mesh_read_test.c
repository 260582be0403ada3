/* Readers of STL, OBJ, MSH and VTU: the same cube in each, then 2000 broken copies of each. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/random.h"
#include "fem/body_mesh.h"
#include "mesh/mesh.h"
#include "tests/files.h"
#include "tests/io/mutations.h"
#include "tests/test.h"
#include "world/facets.h"

/* The unit cube: corner n at the bits of n; each face counter-clockwise from outside. */
static const int cube[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
static int bit(int corner, int axis) { return corner >> axis & 1; }

static void put(Bytes *b, const void *bytes, size_t size) {
  memcpy(b->bytes + b->count, bytes, size);
  b->count += size;
}

static void text(Bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void text(Bytes *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  b->count +=
      (size_t)vsnprintf((char *)b->bytes + b->count, MUTATION_BYTES - b->count, format, arguments);
  va_end(arguments);
}

static void make_obj(Bytes *b) {
  text(b, "# a cube\nmtllib none.mtl\n");
  for (int n = 0; n < 8; n++) text(b, "v %d %d %d\n", bit(n, 0), bit(n, 1), bit(n, 2));
  for (int f = 0; f < 6; f++) {
    if (f % 3 == 0) text(b, "o part%d\n", f / 3);
    const int *c = cube[f];
    if (f % 2)
      text(b, "f %d/1/1 %d//2 %d/3 \\\n %d\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
    else
      text(b, "f %d %d %d %d\n", c[0] - 8, c[1] - 8, c[2] - 8, c[3] - 8);
  }
}

static void make_stl(Bytes *b) {
  text(b, "solid a cube\n");
  for (int k = 0; k < 12; k++) {
    const int *c = cube[k / 2], corner[3] = {c[0], c[1 + k % 2], c[2 + k % 2]};
    text(b, "  facet normal nan 0 0\n    outer loop\n");
    for (int i = 0; i < 3; i++)
      text(b, "      vertex %g %s %.9g\n", (double)bit(corner[i], 0),
           bit(corner[i], 1) ? "1e0" : "-0", bit(corner[i], 2) * (1 + 1e-7 * (k % 2)));
    text(b, "    endloop\n  endfacet\n");
  }
  text(b, "endsolid a cube\n");
}

static void make_binary_stl(Bytes *b) {
  const char head[80] = "solid, though binary";
  const uint32_t count = 12;
  put(b, head, sizeof head);
  put(b, &count, sizeof count);
  for (int k = 0; k < 12; k++) {
    const int *c = cube[k / 2], corner[3] = {c[0], c[1 + k % 2], c[2 + k % 2]};
    const float normal[3] = {0};
    const uint16_t attribute = 0;
    put(b, normal, sizeof normal);
    for (int i = 0; i < 9; i++) {
      const float x = (float)bit(corner[i / 3], i % 3);
      put(b, &x, sizeof x);
    }
    put(b, &attribute, sizeof attribute);
  }
}

static void put_int(Bytes *b, int value) { put(b, &(int32_t){value}, 4); }
static void put_long(Bytes *b, int64_t value) { put(b, &value, 8); }
static void put_real(Bytes *b, double value) { put(b, &value, 8); }

static void head(Bytes *b, const char *version, bool binary) {
  text(b, "$MeshFormat\n%s %d 8\n", version, binary);
  if (binary) put_int(b, 1), text(b, "\n");
  text(b,
       "$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"the walls\"\n3 9 \"inside\"\n$EndPhysicalNames\n"
       "$Comments\nnothing\n$EndComments\n");
}

/* Six quadrilaterals of group 7 and one hexahedron of group 9; nodes are numbered 10 n + 5. */
static const int hexahedron[8] = {0, 1, 3, 2, 4, 5, 7, 6};

static void make_msh2(Bytes *b) {
  head(b, "2.2", false);
  text(b, "$Nodes\n8\n");
  for (int n = 7; n >= 0; n--)
    text(b, "%d %d %d %d\n", 10 * n + 5, bit(n, 0), bit(n, 1), bit(n, 2));
  text(b, "$EndNodes\n$Elements\n7\n");
  for (int f = 0; f < 6; f++) {
    text(b, "%d 3 2 7 1", f + 1);
    for (int k = 0; k < 4; k++) text(b, " %d", 10 * cube[f][k] + 5);
    text(b, "\n");
  }
  text(b, "7 5 2 9 1");
  for (int k = 0; k < 8; k++) text(b, " %d", 10 * hexahedron[k] + 5);
  text(b, "\n$EndElements\n");
}

static void make_binary_msh2(Bytes *b) {
  head(b, "2.2", true);
  text(b, "$Nodes\n8\n");
  for (int n = 7; n >= 0; n--) {
    put_int(b, 10 * n + 5);
    for (int k = 0; k < 3; k++) put_real(b, bit(n, k));
  }
  text(b, "\n$EndNodes\n$Elements\n7\n");
  put_int(b, 3), put_int(b, 6), put_int(b, 2);
  for (int f = 0; f < 6; f++) {
    put_int(b, f + 1), put_int(b, 7), put_int(b, 1);
    for (int k = 0; k < 4; k++) put_int(b, 10 * cube[f][k] + 5);
  }
  put_int(b, 5), put_int(b, 1), put_int(b, 2), put_int(b, 7), put_int(b, 9), put_int(b, 1);
  for (int k = 0; k < 8; k++) put_int(b, 10 * hexahedron[k] + 5);
  text(b, "\n$EndElements\n");
}

static void make_msh4(Bytes *b) {
  head(b, "4.1", false);
  text(b, "$Entities\n1 0 1 1\n3 0 0 0 0\n4 0 0 0 1 1 1 2 7 8 0\n6 0 0 0 1 1 1 1 9 1 4\n"
          "$EndEntities\n$Nodes\n2 8 5 75\n2 4 0 3\n");
  for (int n = 0; n < 3; n++) text(b, "%d\n", 10 * n + 5);
  for (int n = 0; n < 3; n++) text(b, "%d %d %d\n", bit(n, 0), bit(n, 1), bit(n, 2));
  text(b, "3 6 0 5\n");
  for (int n = 3; n < 8; n++) text(b, "%d\n", 10 * n + 5);
  for (int n = 3; n < 8; n++) text(b, "%d %d %d\n", bit(n, 0), bit(n, 1), bit(n, 2));
  text(b, "$EndNodes\n$Elements\n2 7 1 7\n2 4 3 6\n");
  for (int f = 0; f < 6; f++) {
    text(b, "%d", f + 1);
    for (int k = 0; k < 4; k++) text(b, " %d", 10 * cube[f][k] + 5);
    text(b, "\n");
  }
  text(b, "3 6 5 1\n7");
  for (int k = 0; k < 8; k++) text(b, " %d", 10 * hexahedron[k] + 5);
  text(b, "\n$EndElements\n");
}

static void make_binary_msh4(Bytes *b) {
  head(b, "4.1", true);
  text(b, "$Entities\n");
  put_long(b, 0), put_long(b, 0), put_long(b, 1), put_long(b, 1);
  for (int e = 0; e < 2; e++) {
    put_int(b, e ? 6 : 4);
    for (int k = 0; k < 6; k++) put_real(b, k / 3);
    put_long(b, 1), put_int(b, e ? 9 : 7);
    put_long(b, e);
    if (e) put_int(b, 4);
  }
  text(b, "\n$EndEntities\n$Nodes\n");
  put_long(b, 1), put_long(b, 8), put_long(b, 5), put_long(b, 75);
  put_int(b, 3), put_int(b, 6), put_int(b, 0), put_long(b, 8);
  for (int n = 0; n < 8; n++) put_long(b, 10 * n + 5);
  for (int n = 0; n < 8; n++)
    for (int k = 0; k < 3; k++) put_real(b, bit(n, k));
  text(b, "\n$EndNodes\n$Elements\n");
  put_long(b, 2), put_long(b, 7), put_long(b, 1), put_long(b, 7);
  put_int(b, 2), put_int(b, 4), put_int(b, 3), put_long(b, 6);
  for (int f = 0; f < 6; f++) {
    put_long(b, f + 1);
    for (int k = 0; k < 4; k++) put_long(b, 10 * cube[f][k] + 5);
  }
  put_int(b, 3), put_int(b, 6), put_int(b, 5), put_long(b, 1), put_long(b, 7);
  for (int k = 0; k < 8; k++) put_long(b, 10 * hexahedron[k] + 5);
  text(b, "\n$EndElements\n");
}

/* ---- VTU: text; appended, raw; the same of zlib, as this program writes; base64 of zlib beside
 * the tags, as meshio does; base64 appended, as VTK does ---- */

typedef enum { VTU_TEXT, VTU_RAW, VTU_ZLIB, VTU_BASE64_ZLIB, VTU_BASE64 } VtuMode;

static void put_base64(Bytes *b, const unsigned char *from, size_t count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < count; k += 3) {
    unsigned all = 0;
    for (size_t i = 0; i < 3; i++) all = all << 8 | (k + i < count ? from[k + i] : 0);
    for (size_t i = 0; i < 4; i++)
      text(b, "%c", i > count - k ? '=' : letters[all >> (18 - 6 * (int)i) & 63]);
  }
}

/* The numbers of one array as they stand in the file; of zlib in two blocks. */
static void put_block(Bytes *b, VtuMode mode, const void *from, uint32_t bytes) {
  unsigned char out[4096], head[32];
  const uint32_t half = (bytes / 2 + 7) / 8 * 8;
  if (mode == VTU_RAW || mode == VTU_BASE64) {
    memcpy(out, &bytes, 4);
    memcpy(out + 4, from, bytes);
    if (mode == VTU_RAW)
      put(b, out, bytes + 4);
    else
      put_base64(b, out, bytes + 4);
    return;
  }
  uLongf first = sizeof out, second;
  compress(out, &first, from, half);
  second = sizeof out - first;
  compress(out + first, &second, (const unsigned char *)from + half, bytes - half);
  const uint32_t numbers[5] = {2, half, bytes - half, (uint32_t)first, (uint32_t)second};
  memcpy(head, numbers, sizeof numbers);
  if (mode == VTU_ZLIB) {
    put(b, head, sizeof numbers);
    put(b, out, first + second);
  } else {
    put_base64(b, head, sizeof numbers);
    put_base64(b, out, first + second);
  }
}

static void put_array(Bytes *b, Bytes *data, VtuMode mode, const char *name, const char *type,
                      int components, const void *from, int count) {
  const bool real = strcmp(type, "Float64") == 0;
  const uint32_t bytes = (uint32_t)count * (real ? 8 : 4);
  text(b, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"%s\"", type, name,
       components,
       mode == VTU_TEXT          ? "ascii"
       : mode == VTU_BASE64_ZLIB ? "binary"
                                 : "appended");
  if (mode == VTU_TEXT) {
    text(b, ">\n");
    for (int k = 0; k < count; k++)
      if (real)
        text(b, "%.17g ", ((const double *)from)[k]);
      else
        text(b, "%d ", ((const int32_t *)from)[k]);
    text(b, "\n</DataArray>\n");
  } else if (mode == VTU_BASE64_ZLIB) {
    text(b, ">\n");
    put_block(b, mode, from, bytes);
    text(b, "\n</DataArray>\n");
  } else {
    text(b, " offset=\"%zu\"/>\n", data->count);
    put_block(data, mode, from, bytes);
  }
}

static void make_vtu(Bytes *b, VtuMode mode) {
  static Bytes data;
  double x[24];
  int32_t corner[32], offset[7], type[7], group[7];
  data.count = 0;
  for (int k = 0; k < 24; k++) x[k] = bit(k / 3, k % 3);
  for (int f = 0; f < 6; f++) {
    for (int k = 0; k < 4; k++) corner[4 * f + k] = cube[f][k];
    offset[f] = 4 * f + 4, type[f] = 9, group[f] = 7;
  }
  for (int k = 0; k < 8; k++) corner[24 + k] = hexahedron[k];
  offset[6] = 32, type[6] = 12, group[6] = 9;
  text(b,
       "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
       "byte_order=\"LittleEndian\"%s>\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"8\" "
       "NumberOfCells=\"7\">\n<PointData/>\n<CellData>\n",
       mode == VTU_ZLIB || mode == VTU_BASE64_ZLIB ? " compressor=\"vtkZLibDataCompressor\"" : "");
  put_array(b, &data, mode, "gmsh:physical", "Int32", 1, group, 7);
  text(b, "</CellData>\n<Points>\n");
  put_array(b, &data, mode, "Points", "Float64", 3, x, 24);
  text(b, "</Points>\n<Cells>\n");
  put_array(b, &data, mode, "connectivity", "Int32", 1, corner, 32);
  put_array(b, &data, mode, "offsets", "Int32", 1, offset, 7);
  put_array(b, &data, mode, "types", "Int32", 1, type, 7);
  text(b, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
  if (mode != VTU_TEXT && mode != VTU_BASE64_ZLIB) {
    text(b, "<AppendedData encoding=\"%s\">\n_", mode == VTU_BASE64 ? "base64" : "raw");
    put(b, data.bytes, data.count);
    text(b, "\n</AppendedData>\n");
  }
  text(b, "</VTKFile>\n");
}

static void make_text_vtu(Bytes *b) { make_vtu(b, VTU_TEXT); }
static void make_raw_vtu(Bytes *b) { make_vtu(b, VTU_RAW); }
static void make_zlib_vtu(Bytes *b) { make_vtu(b, VTU_ZLIB); }
static void make_base64_zlib_vtu(Bytes *b) { make_vtu(b, VTU_BASE64_ZLIB); }
static void make_base64_vtu(Bytes *b) { make_vtu(b, VTU_BASE64); }

typedef struct {
  const char *ending;
  void (*make)(Bytes *b);
} Format;

static const Format formats[] = {
    {"stl", make_stl},         {"stl", make_binary_stl},      {"obj", make_obj},
    {"msh", make_msh2},        {"msh", make_binary_msh2},     {"msh", make_msh4},
    {"msh", make_binary_msh4}, {"vtu", make_text_vtu},        {"vtu", make_raw_vtu},
    {"vtu", make_zlib_vtu},    {"vtu", make_base64_zlib_vtu}, {"vtu", make_base64_vtu},
};

static const char *path_of(const Format *f) {
  static char path[4096];
  char name[16];
  snprintf(name, sizeof name, "cube.%s", f->ending);
  if (!path[0] || !test_contains(path, name))
    snprintf(path, sizeof path, "%s", test_path("mesh_read", name));
  return path;
}

/* Volume enclosed by the triangles: sum of det / 6. */
static double volume_of(const DlsMesh *m, const DlsMeshTriangles *t) {
  double six = 0;
  for (int k = 0; k < t->count; k++) {
    const double *a = m->node[t->corner[k][0]], *b = m->node[t->corner[k][1]],
                 *c = m->node[t->corner[k][2]];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

TEST(every_format_gives_the_same_cube) {
  for (int k = 0; k < DLS_COUNT(formats); k++) {
    Bytes bytes = {.count = 0};
    DlsMesh mesh;
    DlsMeshTriangles triangles;
    formats[k].make(&bytes);
    mutation_save(path_of(&formats[k]), &bytes);
    CHECK_OK(dls_mesh_read(path_of(&formats[k]), &mesh));
    CHECK_INT(mesh.nodes, 8);
    CHECK_OK(dls_mesh_triangles(&mesh, "cube", -1, &triangles));
    CHECK_OK(dls_mesh_join(&mesh, "cube", &triangles));
    CHECK_INT(triangles.count, 12);
    CHECK_NEAR(volume_of(&mesh, &triangles), 1, 1e-6);
    for (int i = 0; i < 36; i++) CHECK(triangles.neighbour[i / 3][i % 3] >= 0);
    dls_mesh_triangles_clear(&triangles);
    dls_mesh_clear(&mesh);
  }
}

TEST(groups_have_their_names_and_cells) {
  static const struct {
    int format, cells, groups, members;
    const char *first;
  } expected[] = {{0, 12, 1, 12, "a cube"},  {1, 12, 0, 0, ""},         {2, 6, 2, 6, "part0"},
                  {3, 7, 2, 7, "the walls"}, {4, 7, 2, 7, "the walls"}, {5, 7, 3, 13, "the walls"},
                  {6, 7, 2, 7, "the walls"}, {7, 7, 2, 7, "7"},         {8, 7, 2, 7, "7"},
                  {9, 7, 2, 7, "7"},         {10, 7, 2, 7, "7"},        {11, 7, 2, 7, "7"}};
  for (int k = 0; k < DLS_COUNT(expected); k++) {
    Bytes bytes = {.count = 0};
    DlsMesh mesh;
    formats[k].make(&bytes);
    mutation_save(path_of(&formats[k]), &bytes);
    CHECK_OK(dls_mesh_read(path_of(&formats[k]), &mesh));
    CHECK_INT(mesh.cells, expected[k].cells);
    CHECK_INT(mesh.groups, expected[k].groups);
    CHECK_INT(mesh.members, expected[k].members);
    if (mesh.groups) CHECK_INT(strcmp(mesh.group[0].name, expected[k].first), 0);
    if (k >= 3) {
      CHECK_INT(mesh.kind[6], DLS_CELL_HEXAHEDRON);
      CHECK(dls_mesh_find_group(&mesh, k >= 7 ? "9" : "inside") >= 0);
      CHECK_INT(dls_mesh_count(&mesh, 6), 8);
    }
    if (k == 0) CHECK_INT(mesh.welded, 4); /* the upper corners came twice, 1e-7 apart */
    dls_mesh_clear(&mesh);
  }
}

static void refuse(const char *ending, const char *content, const char *sentence) {
  char name[16];
  DlsMesh mesh;
  snprintf(name, sizeof name, "bad.%s", ending);
  const char *path = test_file("mesh_read", name, content);
  const DlsStatus status = dls_mesh_read(path, &mesh);
  CHECK_TOLD(status != DLS_OK && test_contains(dls_error_message(), sentence),
             "'%s' does not say '%s'", dls_error_message(), sentence);
}

TEST(mistakes_are_told_with_their_line) {
  refuse("obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "bad.obj:3: corner 3 of the face names no node");
  refuse("obj", "v 0 0\n", "bad.obj:1: a node has three numbers, not 2");
  refuse("obj", "v 0 0 zero\n", "bad.obj:1: 'zero' is no finite number");
  refuse("obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "bad.obj:3: a face has three corners or more");
  refuse("obj", "# nothing\n", "holds no mesh");
  refuse("stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nendloop\n",
         "bad.stl:5: 'endloop' is no finite number");
  refuse("stl", "no solid\n", "is no STL");
  refuse("msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "is MSH 4; 2.2 and 4.1 are read");
  refuse("msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9000000\n", "bad.msh:5: '9000000'");
  refuse("msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
         "1 2 0 1 1 2\n$EndElements\n",
         "bad.msh:10: a cell names node 2, which is not there");
  refuse("ply", "ply\n", "a mesh is a file .stl, .obj, .msh or .vtu");
  refuse("vtu", "nothing", "has no <Piece>");
  refuse("vtu", "<html>", "is no VTK file");
  refuse("vtu", "<VTKFile type=\"PolyData\">", "is a VTK file of type 'PolyData'");
  refuse("vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">",
         "compressed by vtkLZ4DataCompressor; zlib alone is read");
  refuse("vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1\" NumberOfCells=\"1\">"
         "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0\n"
         "</DataArray>",
         "bad.vtu:4: the file ends where a number of an array should stand");
}

/* Triangles of two sides of an edge, turned against each other; three at one edge. */
TEST(surfaces_that_are_none_are_refused_with_the_edge) {
  static const char *const content[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 1 1 1\nf 1 2 3\n"
                                        "f 3 2 4\nf 3 2 5\n"};
  static const char *const sentence[] = {"triangles 0 and 1 show opposite sides at their edge",
                                         "3 triangles meet at the edge from (1, 0, 0)"};
  for (int k = 0; k < 2; k++) {
    DlsMesh mesh;
    DlsMeshTriangles triangles;
    const char *path = test_file("mesh_read", "edge.obj", content[k]);
    CHECK_OK(dls_mesh_read(path, &mesh));
    CHECK_OK(dls_mesh_triangles(&mesh, path, -1, &triangles));
    CHECK_FAILS(dls_mesh_join(&mesh, path, &triangles), DLS_ERR_FORMAT, sentence[k]);
    dls_mesh_triangles_clear(&triangles);
    dls_mesh_clear(&mesh);
  }
}

/* One to four edits of bytes: other bytes, digits, cuts, doubles. */
static void mutate(int index, Bytes *b) {
  DlsRandom random;
  dls_random_seed(&random, (uint64_t)index + 1);
  const int edits = 1 + dls_random_below(&random, 4);
  for (int e = 0; e < edits && b->count > 1; e++) {
    const size_t at = (size_t)dls_random_below(&random, (int)b->count);
    const size_t length = 1 + (size_t)dls_random_below(&random, 12);
    switch (dls_random_below(&random, 5)) {
    case 0:
      b->bytes[at] = (unsigned char)dls_random_below(&random, 256);
      break;
    case 1:
      b->bytes[at] = (unsigned char)"0123456789-+.e \n"[dls_random_below(&random, 16)];
      break;
    case 2:
      if (dls_random_below(&random, 4) == 0) b->count = at + 1;
      break;
    case 3:
      if (at + length < b->count) {
        memmove(b->bytes + at, b->bytes + at + length, b->count - at - length);
        b->count -= length;
      }
      break;
    default:
      if (at + length < b->count && b->count + length < MUTATION_BYTES) {
        memmove(b->bytes + at + length, b->bytes + at, b->count - at);
        b->count += length;
      }
    }
  }
}

static const Format *under_test;

/* What is left of a mesh as a boundary: refused with a sentence, or with nearest points that are
 * finite. */
static const char *meet(const DlsMesh *mesh, const DlsMeshTriangles *t) {
  DlsFacets *facets;
  DlsFacetPoint point[8];
  const char *wrong = NULL;
  if (dls_facets_make(3, false, "cube", mesh->nodes, (const double(*)[3])mesh->node, t->count,
                      (const int(*)[3])t->corner, &facets) != DLS_OK)
    return dls_error_message()[0] ? NULL : "no sentence";
  for (int k = 0; k < 8; k++) {
    const double x[3] = {0.3 + (k & 1), 0.4 + (k >> 1 & 1), 0.2 + (k >> 2)};
    const int count = dls_facets_near(facets, x, 3, 0, 8, point);
    for (int i = 0; i < count; i++)
      if (!isfinite(point[i].distance) ||
          !isfinite(point[i].normal[0] + point[i].normal[1] + point[i].normal[2]))
        wrong = "a nearest point that is none";
    if (!(fabs(dls_facets_depth(facets, x)) >= 0)) wrong = "a depth that is none";
  }
  dls_facets_release(&facets);
  return wrong;
}

static const char *read_mutation(int index, bool *accepted) {
  static Bytes bytes;
  DlsMesh mesh;
  DlsMeshTriangles triangles = {0};
  bytes.count = 0;
  under_test->make(&bytes);
  mutate(index, &bytes);
  dls_fail(DLS_OK, "%s", "");
  char *exact = malloc(bytes.count); /* no byte more: what is read beyond is seen */
  if (!exact) return "no memory";
  memcpy(exact, bytes.bytes, bytes.count);
  const DlsStatus status = dls_mesh_read_bytes(path_of(under_test), exact, bytes.count, &mesh);
  free(exact);
  *accepted = status == DLS_OK;
  if (status != DLS_OK) return dls_error_message()[0] ? NULL : "refused without a sentence";
  const char *wrong = NULL;
  for (int c = 0; c < mesh.cells && !wrong; c++)
    for (int k = 0; k < dls_mesh_count(&mesh, c); k++) {
      const int corner = dls_mesh_corners(&mesh, c)[k];
      if (corner < 0 || corner >= mesh.nodes) wrong = "a cell names a node that is not there";
    }
  for (int k = 0; k < mesh.members && !wrong; k++)
    if (mesh.member[k][0] < 0 || mesh.member[k][0] >= mesh.groups || mesh.member[k][1] < 0 ||
        mesh.member[k][1] >= mesh.cells)
      wrong = "a group that is none";
  if (!wrong && dls_mesh_triangles(&mesh, "cube", -1, &triangles) == DLS_OK)
    if (dls_mesh_join(&mesh, "cube", &triangles) != DLS_OK && !dls_error_message()[0])
      wrong = "no sentence";
  if (!wrong && triangles.count) wrong = meet(&mesh, &triangles);
  dls_mesh_triangles_clear(&triangles);
  DlsBodyMesh body;
  if (!wrong && dls_body_mesh_create(&mesh, "cube", 3, 1, &body) == DLS_OK)
    dls_body_mesh_clear(&body);
  else if (!dls_error_message()[0])
    wrong = "no body, without a sentence";
  dls_mesh_clear(&mesh);
  return wrong;
}

TEST(broken_files_are_read_or_refused) {
  for (int k = 0; k < DLS_COUNT(formats); k++) {
    under_test = &formats[k];
    const Mutations m = mutations_run(2000, 10, read_mutation);
    CHECK(m.accepted > 0 && m.accepted < 2000);
  }
}
