/* The files of meshes/, as Gmsh wrote them: each is read, and is what its geometry says. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/body_mesh.h"
#include "tests/test.h"

static const double pi = 3.14159265358979323846;

static void measure(const DlsBodyMesh *b, const DlsBodyGroup *g, double *size) {
  *size = 0;
  for (int k = 0; k < g->cells; k++) {
    const DlsElementKind *kind = dls_element_kind((int)b->type[g->cell[k]]);
    double X[DLS_ELEMENT_NODES][3];
    for (int n = 0; n < kind->nodes; n++)
      memcpy(X[n], b->X[b->node[b->start[g->cell[k]] + n]], sizeof *X);
    *size += dls_element_volume(kind, (const double(*)[3])X);
  }
  for (int k = 0; k < g->sides; k++) {
    const DlsBodySide at = g->side[k];
    const DlsElementSide *side = &dls_element_kind((int)b->type[at.cell])->side[at.side];
    const DlsElementKind *kind = dls_element_kind((int)side->type);
    double X[DLS_ELEMENT_NODES][3], w[DLS_ELEMENT_NODES], area[3];
    for (int n = 0; n < kind->nodes; n++)
      memcpy(X[n], b->X[b->node[b->start[at.cell] + side->node[n]]], sizeof *X);
    dls_element_side_weights(kind, (const double(*)[3])X, w, area);
    for (int n = 0; n < kind->nodes; n++) *size += w[n];
  }
}

typedef struct {
  const char *name;
  double size, tolerance; /* of its cells and sides */
} Group;

typedef struct {
  const char *file;
  int dim;
  DlsElementType type;
  Group group[8];
} File;

/* Sides of circles are chords; of six nodes they are parabolas, too short by some 1e-5. */
static const File files[] = {
#define BOX(name)                                                                                  \
  {                                                                                                \
    name, 3, DLS_TET4, {{"soft", 1, 1e-12},  {"stiff", 1, 1e-12}, {"left", 1, 1e-12},              \
                        {"right", 1, 1e-12}, {"skin", 10, 1e-12}, {"edge", 0, 0}},                 \
  }
    BOX("box-22.msh"),
    BOX("box-22-binary.msh"),
    BOX("box-41.msh"),
    BOX("box-41-binary.msh"),
    {"wheel.msh",
     2,
     DLS_T6,
     {{"hub", pi *(0.18 * 0.18 - 0.06 * 0.06), 1e-4},
      {"tyre", pi *(0.3 * 0.3 - 0.18 * 0.18), 1e-4},
      {"axle", 2 * pi * 0.06, 1e-4},
      {"tread", 2 * pi * 0.3, 1e-4}}},
    {"plate.msh",
     2,
     DLS_Q4,
     {{"plate", 1600 - 25 * pi, 0.01},
      {"hole", 5 * pi, 0.02},
      {"left", 30, 1e-12},
      {"bottom", 30, 1e-12},
      {"right", 40, 1e-12},
      {"top", 40, 1e-12}}},
#define BEAM(name)                                                                                 \
  {                                                                                                \
    name, 2, DLS_Q4, {{"beam", 500, 1e-9},       {"split", 40, 1e-9},      {"bond", 60, 1e-9},     \
                      {"split_above", 40, 1e-9}, {"bond_above", 60, 1e-9}, {"left", 5, 1e-9},      \
                      {"right", 5, 1e-9}},                                                         \
  }
    BEAM("beam-fine.msh"),
    BEAM("beam-coarse.msh"),
    {"three-part-bar.msh",
     2,
     DLS_Q4,
     {{"foot", 1, 1e-9}, {"waist", 1, 1e-9}, {"head", 1, 1e-9}, {"bottom", 0.1, 1e-9}}},
    {"cook.msh", 2, DLS_Q4, {{"panel", 1440, 1e-9}, {"left", 44, 1e-9}, {"right", 16, 1e-9}}},
    {"hertz-block.msh",
     2,
     DLS_Q4,
     {{"block", 20000, 1e-9}, {"top", 9, 1e-9}, {"bottom", 100, 1e-9}, {"axis", 200, 1e-9}}},
    {"hertz-cylinder.msh",
     2,
     DLS_Q4,
     {{"cylinder", 2500 * pi / 4, 1e-3}, {"foot", 9, 1e-4}, {"top", 50, 1e-9}, {"axis", 50, 1e-9}}},
    {"bore-pin.msh",
     2,
     DLS_Q4,
     {{"body", pi / 2 * (59.99 * 59.99 - 2 * 2), 1e-3},
      {"inner", pi * 2, 1e-3},
      {"outer", pi * 59.99, 1e-3},
      {"axis", 2 * 57.99, 1e-9}}},
    {"bore-plate.msh",
     2,
     DLS_Q4,
     {{"body", pi / 2 * (1e6 - 60 * 60), 1e-3},
      {"inner", pi * 60, 1e-3},
      {"outer", pi * 1000, 1e-3},
      {"axis", 2 * 940, 1e-9}}},
/* Cells beside the axis are wedges. */
#define BALL(name, parts)                                                                          \
  {                                                                                                \
    name, 3, DLS_HEX8, {                                                                           \
      {"ball", (parts)*5e5 * pi / 24, 0.05}, {"foot", 1250 * pi * 0.0389428, 0.05},                \
          {"equator", 625 * pi, 0.03}, {"x", (parts)*625 * pi, 0.02}, {                            \
        "y", (parts)*625 * pi, 0.02                                                                \
      }                                                                                            \
    }                                                                                              \
  }
    BALL("hertz-ball.msh", 1),
    BALL("hertz-ball-coarse.msh", 1),
    BALL("hertz-ball-whole.msh", 2),
};

static void path_of(const char *name, char *out, size_t bytes) {
  snprintf(out, bytes, "%s/meshes/%s", TEST_SOURCE_DIR, name);
}

TEST(meshes_of_gmsh_are_what_their_geometry_says) {
  for (int k = 0; k < DLS_COUNT(files); k++) {
    const File *f = &files[k];
    char path[4096];
    DlsMesh mesh;
    DlsBodyMesh body;
    path_of(f->file, path, sizeof path);
    CHECK_OK(dls_mesh_read(path, &mesh));
    CHECK_OK(dls_body_mesh_create(&mesh, path, f->dim, 1, &body));
    dls_mesh_clear(&mesh);
    CHECK(body.cells > 0 && body.type[0] == f->type);
    const DlsElementType last = body.type[body.cells - 1];
    CHECK(last == f->type || (f->type == DLS_HEX8 && last == DLS_WEDGE6));
    for (const Group *g = f->group; g->name; g++) {
      const DlsBodyGroup *found = dls_body_mesh_group(&body, g->name);
      double size;
      CHECK_TOLD(found && found->nodes > 1, "%s: no group %s", f->file, g->name);
      if (!found) continue;
      measure(&body, found, &size);
      CHECK_TOLD(fabs(size - g->size) <= g->tolerance * g->size, "%s: %s measures %.17g, not %g",
                 f->file, g->name, size, g->size);
    }
    dls_body_mesh_clear(&body);
  }
}

TEST(no_mesh_is_left_out) {
  DIR *folder = opendir(TEST_SOURCE_DIR "/meshes");
  CHECK(folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    const char *dot = strrchr(entry->d_name, '.');
    bool known = !dot || strcmp(dot, ".msh") != 0;
    for (int k = 0; k < DLS_COUNT(files); k++) known |= strcmp(files[k].file, entry->d_name) == 0;
    CHECK_TOLD(known, "meshes/%s has no row in this test", entry->d_name);
  }
  if (folder) closedir(folder);
}
