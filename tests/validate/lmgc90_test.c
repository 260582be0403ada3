/* The scenes of the public contact library, as LMGC90's input folders: how many bodies, their
 * masses against a volume computed here from the faces, contacts of the first step; and a few steps
 * that all converge. DELASSUS_LONG: the aqueduct stands for 1 s. */
#include "tests/files.h"
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

/* The contacts of a pair of bodies. */
typedef struct {
  uint64_t candidate, antagonist;
  int count;
  const double *point[16];
} Pair;

static double distance(const double *p, const double *q) {
  return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
              (p[2] - q[2]) * (p[2] - q[2]));
}

/* m: how far its points are from the line through the two that are farthest apart. */
static double width_of(const Pair *p) {
  const double *from = p->point[0], *to = from;
  double width = 0;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < i; k++)
      if (distance(p->point[i], p->point[k]) > distance(from, to))
        from = p->point[i], to = p->point[k];
  const double length = distance(from, to);
  for (int i = 0; i < p->count && length > 0; i++) {
    double u[3], w[3];
    for (int k = 0; k < 3; k++) u[k] = (to[k] - from[k]) / length, w[k] = p->point[i][k] - from[k];
    const double x = u[1] * w[2] - u[2] * w[1], y = u[2] * w[0] - u[0] * w[2];
    const double z = u[0] * w[1] - u[1] * w[0];
    width = fmax(width, sqrt(x * x + y * y + z * z));
  }
  return width;
}

static int places_of(const Pair *p, double near) {
  int count = 0;
  for (int i = 0; i < p->count; i++) {
    bool again = false;
    for (int k = 0; k < i; k++) again = again || distance(p->point[i], p->point[k]) < near;
    count += !again;
  }
  return count;
}

/* The pairs of a set of contacts; *out is the caller's to free. */
static int find_pairs(const DlsContactSet *set, Pair **out) {
  Pair *pair = calloc((size_t)set->count + 1, sizeof *pair);
  int count = 0;
  if (!pair) exit(1);
  for (int c = 0; c < set->count; c++) {
    const DlsContactKey *key = &set->key[c];
    int n = 0;
    while (n < count &&
           (pair[n].candidate != key->candidate || pair[n].antagonist != key->antagonist))
      n++;
    if (n == count) pair[count++] = (Pair){key->candidate, key->antagonist, 0, {NULL}};
    CHECK(pair[n].count < DLS_COUNT(pair[n].point));
    if (pair[n].count < DLS_COUNT(pair[n].point)) pair[n].point[pair[n].count++] = set->point[c];
  }
  *out = pair;
  return count;
}

/* Where four stones meet along a line, two pairs of them meet across it, by their edges alone: the
 * faces they share have no width. More than a third of the pairs is such, of two places each. The
 * published problems have 4337 to 4811 contacts: more than four points a face, without the lines,
 * and fewer than these and two for each line. The alert distance takes no part, 5 mm or 10 um. */
TEST(a_third_of_the_pairs_of_the_aqueduct_meet_along_lines) {
  static const char *const near[] = {"time.alert=1e-5", NULL}, *const far[] = {NULL};
  static const char *const *const alert[] = {near, far};
  int contacts[2];
  for (int k = 0; k < 2; k++) {
    Import i;
    Pair *pair;
    int lines = 0, of_lines = 0, of_faces = 0;
    import_scene("Aqueduc_PR", alert[k], &i);
    CHECK_INT(run(&i, 1, &contacts[k]), 0);
    const int count = find_pairs(&i.scene->simulation->last.contacts, &pair);
    for (int n = 0; n < count; n++) {
      const bool line = width_of(&pair[n]) < 1e-6; /* m; coordinates have seven digits */
      lines += line;
      if (line)
        of_lines += places_of(&pair[n], 1e-6);
      else
        of_faces += pair[n].count < 4 ? pair[n].count : 4;
    }
    CHECK_TOLD(3 * lines > count && 2 * lines < count, "%d of %d", lines, count);
    CHECK_TOLD(of_lines > 1.9 * lines && of_lines <= 2 * lines, "%d of %d", of_lines, lines);
    CHECK_TOLD(of_faces < 4337 && of_faces + of_lines > 4811, "%d and %d", of_faces, of_lines);
    free(pair);
    end_import(&i);
  }
  CHECK_INT(contacts[0], contacts[1]);
}

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

/* ---- Deformable bodies ---- */

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("cubes.yaml", text, strlen(text), &deck));
  CHECK_OK(dls_deck_set(deck, "solver.tolerance=1e-10"));
  CHECK_OK(dls_scene_build(deck, &scene));
  for (int k = 0; !scene && k < dls_deck_problem_count(deck); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(deck, k));
  dls_deck_destroy(&deck);
  if (!scene) exit(1);
  return scene;
}

/* The two cubes of 5^3 elements as the folder has them, against blocks that are built in: the same
 * energies at each step. */
TEST(meshed_cubes_are_built_in_blocks) {
  static const char ours[] =
      "dimension: 3\n"
      "time: {step: 0.1 ms, end: 2 ms, scheme: euler, alert: 0.1, signed_gap: true}\n"
      "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2750}}\n"
      "laws: [{law: coulomb, parameters: {mu: 0.3}}]\nbodies:\n"
      "  - material: stone\n    position: [0.5, 0.5, 0.5]\n    deformable:\n"
      "      mesh: {kind: block, size: [1, 1, 1], cells: [5, 5, 5]}\n"
      "      bulk: {law: elastic, parameters: {young: 70 GPa, poisson: 0.2}}\n"
      "      fixed: {group: bottom}\n      contact: {groups: [top]}\n"
      "  - material: stone\n    position: [0.5, 0.5, 1.5]\n    deformable:\n"
      "      mesh: {kind: block, size: [1, 1, 1], cells: [5, 5, 5]}\n"
      "      bulk: {law: elastic, parameters: {young: 70 GPa, poisson: 0.2}}\n"
      "      contact: {groups: [bottom]}\n";
  DlsLmgc90 read;
  char folder[1024], stem[4096], *text = NULL;
  struct stat info;
  if (!test_shared()) test_skip("the scenes are absent; set DELASSUS_SHARED to their folder");
  snprintf(folder, sizeof folder, "%s/scenes/cubes_H8_5", test_shared());
  if (stat(folder, &info) != 0) test_skip("the scenes are absent from DELASSUS_SHARED");
  CHECK_OK(dls_lmgc90_read(folder, &read));
  test_file("lmgc90", "empty", "");
  snprintf(stem, sizeof stem, "%s", test_path("lmgc90", "cubes"));
  read.stem = stem;
  CHECK_OK(dls_lmgc90_deck(&read, 1e-4, 2e-3, false, &text));
  CHECK_INT(read.meshes, 2);
  CHECK_INT(read.notes.lost, 0);
  for (int k = 0; k < read.meshes; k++) {
    char *mesh, name[32];
    CHECK_OK(dls_lmgc90_mesh(&read, k, &mesh));
    snprintf(name, sizeof name, "cubes-mailx%d.msh", k + 1);
    test_file("lmgc90", name, mesh);
    free(mesh);
  }
  dls_lmgc90_clear(&read);
  if (!text) exit(1);
  DlsScene *scene[2] = {scene_of(text), scene_of(ours)};
  free(text);
  for (int n = 0; n < 20; n++) {
    const DlsLedger *l[2];
    for (int k = 0; k < 2; k++) {
      CHECK_OK(dls_scene_step(scene[k]));
      const DlsStepReport *r = &scene[k]->simulation->last.report;
      CHECK_INT(r->solver.outcome, DLS_CONVERGED);
      CHECK_INT(r->contacts, 36);
      l[k] = &scene[k]->simulation->state.ledger;
    }
    const double scale = l[1]->kinetic + l[1]->strain;
    CHECK(scale > 0);
    CHECK_NEAR(l[0]->kinetic, l[1]->kinetic, 1e-6 * scale);
    CHECK_NEAR(l[0]->strain, l[1]->strain, 1e-6 * scale);
  }
  for (int k = 0; k < 2; k++) dls_scene_destroy(&scene[k]);
}
