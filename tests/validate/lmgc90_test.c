/* The scenes of the public contact library, as LMGC90's input folders: how many bodies, their
 * masses against a volume computed here from the faces, contacts of the first step; and a few steps
 * that all converge. DELASSUS_LONG: the aqueduct stands for 1 s. */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/lmgc90.h"
#include "scene/scene.h"

typedef struct {
  DlsLmgc90 read;
  DlsScene *scene;
} Import;

static void import_scene(const char *name, const char *const *sets, Import *out) {
  char folder[1024], *text = NULL;
  DlsDeck *deck = NULL;
  *out = (Import){0};
  if (!test_shared()) test_skip("the scenes are absent; set DELASSUS_SHARED to their folder");
  snprintf(folder, sizeof folder, "%s/scenes/%s", test_shared(), name);
  struct stat info;
  if (stat(folder, &info) != 0) test_skip("the scenes are absent from DELASSUS_SHARED");
  CHECK_OK(dls_lmgc90_read(folder, &out->read));
  CHECK_OK(dls_lmgc90_deck(&out->read, 0, 0, false, &text));
  CHECK_INT(out->read.notes.lost, 0);
  if (!text) exit(1);
  CHECK_OK(dls_deck_parse("import.yaml", text, strlen(text), &deck));
  for (; *sets; sets++) CHECK_OK(dls_deck_set(deck, *sets));
  CHECK_OK(dls_scene_build(deck, &out->scene));
  dls_deck_destroy(&deck);
  free(text);
  if (!out->scene) exit(1);
}

static void end_import(Import *i) {
  dls_scene_destroy(&i->scene);
  dls_lmgc90_clear(&i->read);
}

/* Divergence theorem on the triangles as they are written, V = |sum a . (b x c)| / 6; where their
 * orientation is mixed, the absolute ones about the mean vertex, right for convex bodies. */
static double volume_of(const DlsLmgc90Contactor *c) {
  double mean[3] = {0}, sum = 0;
  for (int v = 0; v < c->vertices; v++)
    for (int k = 0; k < 3; k++) mean[k] += c->vertex[v][k] / c->vertices;
  for (int f = 0; f < c->faces; f++) {
    double a[3][3];
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) a[i][k] = c->vertex[c->face[f][i] - 1][k] - mean[k];
    sum += fabs(a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) +
                a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
                a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) /
           6;
  }
  return sum;
}

static double density_of(const DlsLmgc90 *read, const char *bulk) {
  for (int k = 0; k < read->bulks; k++)
    if (strcmp(read->bulk[k].name, bulk) == 0) return read->bulk[k].density;
  return NAN;
}

/* Numbers of seven digits: faces of four corners are flat to 1e-6 of their size. */
static void check_masses(const Import *i) {
  const DlsWorld *w = i->scene->simulation->world;
  for (int b = 0; b < i->read.bodies; b++) {
    const DlsLmgc90Body *body = &i->read.body[b];
    const DlsLmgc90Contactor *c = body->contactor;
    const double rho = density_of(&i->read, body->bulk), r = c->size[0];
    const double volume = strcmp(c->kind, "POLYR") == 0   ? volume_of(c)
                          : strcmp(c->kind, "SPHER") == 0 ? 4 * acos(-1) / 3 * r * r * r
                                                          : 8 * r * c->size[1] * c->size[2];
    CHECK_NEAR(w->mass[b] / (rho * volume), 1, 1e-4);
  }
}

static int run(Import *i, int steps, int *contacts_first) {
  const DlsSimulation *s = i->scene->simulation;
  for (int k = 0; k < steps; k++) {
    CHECK_OK(dls_scene_step(i->scene));
    if (k == 0) *contacts_first = s->last.report.contacts;
  }
  return (int)s->state.unconverged;
}

/* The published problems of this scene have 4337 to 4811 contacts, with at most four points where
 * two faces meet; ours have up to eight. */
TEST(aqueduct_stands) {
  static const char *const sets[] = {"time.step=1e-3", NULL};
  Import i;
  int first = 0;
  import_scene("Aqueduc_PR", sets, &i);
  const DlsWorld *w = i.scene->simulation->world;
  CHECK_INT(w->count, 322);
  check_masses(&i);
  const bool is_long = getenv("DELASSUS_LONG") != NULL;
  double top = -INFINITY, now = -INFINITY;
  for (int b = 0; b < w->count; b++) top = fmax(top, w->position[b][2]);
  CHECK_INT(run(&i, is_long ? 1000 : 3, &first), 0);
  CHECK(first > 4337 && first < 2 * 4811);
  for (int b = 0; b < w->count; b++) now = fmax(now, w->position[b][2]);
  CHECK_NEAR(now, top, 0.01); /* of 16 m: it stands */
  end_import(&i);
}

TEST(bridge_under_its_force) {
  static const char *const sets[] = {"time.step=1e-3", NULL};
  Import i;
  int first = 0;
  import_scene("Bridge_PR", sets, &i);
  CHECK_INT(i.scene->simulation->world->count, 23);
  check_masses(&i);
  CHECK_INT(run(&i, 100, &first), 0); /* the force has grown to its 5.77 MN */
  CHECK(first > 40);
  end_import(&i);
}

TEST(spheres_in_a_box) {
  static const char *const sets[] = {"time.step=1e-3", NULL};
  Import i;
  int first = 0;
  import_scene("945_SP_Box_PL", sets, &i);
  CHECK_INT(i.scene->simulation->world->count, 950);
  check_masses(&i);
  CHECK_INT(run(&i, 50, &first), 0);
  end_import(&i);
}

/* Deformable bodies are named, not dropped. */
TEST(deformable_bodies_are_named) {
  DlsLmgc90 read;
  char folder[1024], *text;
  struct stat info;
  if (!test_shared()) test_skip("the scenes are absent; set DELASSUS_SHARED to their folder");
  snprintf(folder, sizeof folder, "%s/scenes/cubes_H8_5", test_shared());
  if (stat(folder, &info) != 0) test_skip("the scenes are absent from DELASSUS_SHARED");
  CHECK_OK(dls_lmgc90_read(folder, &read));
  CHECK(dls_lmgc90_deck(&read, 1e-3, 1, false, &text) == DLS_ERR_FORMAT);
  CHECK(strstr(dls_error_message(), "BODIES.DAT:2: a body of type MAILx") != NULL);
  dls_lmgc90_clear(&read);
}
