/* Input folders of LMGC90 as decks: what a small folder says is what its deck builds; what is not
 * known is named with file and line. */
#include "tests/files.h"
#include "tests/lmgc90_folder.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"
#include "import/lmgc90.h"
#include "scene/scene.h"

#define FOLDER "import_lmgc90"

static const char *folder_path(void) {
  static char path[4096];
  snprintf(path, sizeof path, "%s", test_path(FOLDER, "."));
  return path;
}

/* The folder as it is, but for one file. */
static void put_folder(const char *name, const char *text) {
  for (int k = 0; k < DLS_COUNT(lmgc90_files); k++)
    test_file(FOLDER, lmgc90_files[k].name,
              name && strcmp(name, lmgc90_files[k].name) == 0 ? text : lmgc90_files[k].text);
}

static DlsStatus import_folder(bool partial, char **text, DlsLmgc90 *scene) {
  *text = NULL;
  DlsStatus status = dls_lmgc90_read(folder_path(), scene);
  if (status == DLS_OK) status = dls_lmgc90_deck(scene, 0, 0, partial, text);
  return status;
}

static DlsScene *build(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("import.yaml", text, strlen(text), &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  return scene;
}

TEST(a_folder_builds_its_bodies) {
  DlsLmgc90 read;
  char *text;
  put_folder(NULL, NULL);
  CHECK_OK(import_folder(false, &text, &read));
  CHECK_INT(read.notes.lost, 0);
  CHECK_INT(read.bodies, 4);
  CHECK_NEAR(read.step, 1e-3, 0);
  CHECK_NEAR(read.end, 1e-2, 1e-17);
  DlsScene *scene = text ? build(text) : NULL;
  dls_lmgc90_clear(&read);
  free(text);
  if (!scene) return;
  const DlsSimulation *s = scene->simulation;
  const DlsWorld *w = s->world;
  const double pi = acos(-1), lens = pi * (4 * 0.5 + 0.8) * pow(2 * 0.5 - 0.8, 2) / 12;
  CHECK_INT(w->count, 4);
  CHECK_NEAR(w->mass[0], 2000 * 8, 1e-9);
  CHECK_NEAR(w->mass[1], 2000 * (2 * 4 * pi / 3 / 8 - lens), 0.02); /* the union, 1e-5 of it */
  CHECK_NEAR(w->mass[2], 2000 * 4 * pi / 3 / 8, 1e-9);              /* avrd, not byrd */
  CHECK_NEAR(w->position[0][0], 0.5, 1e-15);
  CHECK_NEAR(w->position[2][0], 7, 1e-15); /* coo + X */
  CHECK_NEAR(w->velocity[2][1], 2, 0);
  CHECK_NEAR(w->velocity[2][4], 3, 1e-12); /* about its own first axis, which is y */
  const double first[3] = {1, 0, 0};
  double turned[3];
  dls_rotation_apply(w->orientation[2], first, turned);
  CHECK_NEAR(turned[1], 1, 1e-12);
  CHECK_INT(w->fixed[3], 63);
  CHECK(strcmp(s->settings.scheme->name, "euler") == 0);
  CHECK_NEAR(s->settings.alert, 5e-3, 0);
  dls_scene_destroy(&scene);
}

/* Forces of the folder act: with the plane far below the cube falls as Newton says. */
TEST(forces_and_motions_of_a_folder_act) {
  DlsLmgc90 read;
  char *text;
  char tall[sizeof lmgc90_bodies];
  strcpy(tall, lmgc90_bodies);
  char *ground = strstr(tall, "coo3=-0.5000000D+00");
  CHECK(ground != NULL);
  memcpy(ground, "coo3=-0.5000000D+02", 19);
  put_folder("BODIES.DAT", tall);
  CHECK_OK(import_folder(false, &text, &read));
  DlsScene *scene = text ? build(text) : NULL;
  dls_lmgc90_clear(&read);
  free(text);
  if (!scene) return;
  const int steps = 10;
  for (int k = 0; k < steps; k++) CHECK_OK(dls_scene_step(scene));
  const double t = 1e-3 * steps, m = 16000;
  const double(*v)[6] = (const double(*)[6])scene->simulation->world->velocity;
  CHECK_NEAR(v[0][0], -650 / m * t, 1e-12);
  /* The push grows as -5e4 t N; its sum over the step is exact to O(h). */
  CHECK_NEAR(v[0][2], -9.81 * t - 5e4 * t * t / 2 / m, 5e4 * t * 1e-3 / m);
  /* vx = 2 cos(3 t) clamp(t / 2), at the middle of the last step. */
  CHECK_NEAR(v[3][0], 2 * cos(3 * (t - 5e-4)) * (t - 5e-4) / 2, 1e-9);
  dls_scene_destroy(&scene);
}

static const char flat_bodies[] =
    "$bdyty\n RBDY2      1\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.0D+00  gyrd= 0.0D+00\n"
    "$nodty\n NO3xx      1  coo1= 0.0D+00  coo2= 0.2D+01  coo3= 0.0D+00\n"
    "$tacty\n POLYG      1  color  BLEUx  nb_vertex=      4\n"
    "  coo1=-0.1D+01  coo2=-0.5D+00\n  coo1= 0.1D+01  coo2=-0.5D+00\n"
    "  coo1= 0.1D+01  coo2= 0.5D+00\n  coo1=-0.1D+01  coo2= 0.5D+00\n$$$$$$\n"
    "$bdyty\n RBDY2      2\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.0D+00  gyrd= 0.0D+00\n"
    "$nodty\n NO3xx      1  coo1= 0.4D+01  coo2= 0.2D+01  coo3= 0.0D+00\n"
    "$tacty\n DISKx      1  color  BLEUx  byrd= 0.5D+00\n$$$$$$\n"
    "$bdyty\n RBDY2      3\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.0D+00  gyrd= 0.0D+00\n"
    "$nodty\n NO3xx      1  coo1= 0.0D+00  coo2=-0.1D+00  coo3= 0.1D+00\n"
    "$tacty\n JONCx      1  color  VERTx  axe1= 0.5D+01  axe2= 0.1D+00\n$$$$$$\n"
    "$bdyty\n RBDY2      4\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.0D+00  gyrd= 0.0D+00\n"
    "$nodty\n NO3xx      1  coo1= 0.0D+00  coo2= 0.0D+00  coo3= 0.0D+00\n"
    "$tacty\n xKSID      1  color  VERTx  byrd= 0.2D+02\n$$$$$$\n";
static const char flat_drive[] = "$bdyty\n RBDY2  3\n$nodty\n NO3xx  1\n$dofty\n vlocy 1 0. 0. 0. "
                                 "0. 1. 0.\n vlocy 2 0. 0. 0. 0. "
                                 "1. 0.\n vlocy 3 0. 0. 0. 0. 1. 0.\n$$$$$$\n"
                                 "$bdyty\n RBDY2  4\n$nodty\n NO3xx  1\n$dofty\n vlocy 1 0. 0. 0. "
                                 "0. 1. 0.\n vlocy 2 0. 0. 0. 0. "
                                 "1. 0.\n vlocy 3 0.7 0. 0. 0. 1. 0.\n$$$$$$\n";
static const char flat_tact[] =
    "$behav\n l0  RST_CLB  rstn= 0.5D+00  rstt= 0.0D+00  fric= 0.3D+00\n"
    "$seety\n cdbdy\n RBDY2  POLYG  BLEUx  l0  RBDY2  JONCx  VERTx  0.1D-01\n"
    "$seety\n cdbdy\n RBDY2  DISKx  BLEUx  l0  RBDY2  JONCx  VERTx  0.1D-01\n"
    "$seety\n cdbdy\n RBDY2  DISKx  BLEUx  l0  RBDY2  POLYG  BLEUx  0.1D-01\n"
    "$seety\n cdbdy\n RBDY2  DISKx  BLEUx  l0  RBDY2  xKSID  VERTx  0.1D-01\n"
    "$seety\n cdbdy\n RBDY2  POLYG  BLEUx  l0  RBDY2  xKSID  VERTx  0.1D-01\n";

TEST(a_folder_in_2d) {
  DlsLmgc90 read;
  char *text;
  put_folder("BODIES.DAT", flat_bodies);
  test_file(FOLDER, "DRV_DOF.DAT", flat_drive);
  test_file(FOLDER, "TACT_BEHAV.DAT", flat_tact);
  test_file(FOLDER, "DOF.INI", "! DOF\n");
  CHECK_OK(import_folder(false, &text, &read));
  DlsScene *scene = text ? build(text) : NULL;
  dls_lmgc90_clear(&read);
  free(text);
  if (!scene) return;
  const DlsWorld *w = scene->simulation->world;
  CHECK_INT(w->dim, 2);
  CHECK_INT(w->count, 3);
  CHECK_INT(w->boundary_count, 1);
  CHECK_NEAR(w->mass[0], 2000 * 2, 1e-9);
  CHECK_NEAR(w->mass[1], 2000 * acos(-1) / 4, 1e-9);
  CHECK_NEAR(w->mass[2], 2000 * (4 * 5 * 0.1 + acos(-1) * 0.01), 1e-6); /* round ends */
  CHECK(strcmp(scene->simulation->settings.scheme->name, "moreau") == 0);
  CHECK_OK(dls_scene_step(scene));
  dls_scene_destroy(&scene);
}

/* Of three materials on one place, those that share a row of the table of sights meet. */
TEST(what_is_not_in_the_table_of_sights_passes_through) {
  DlsLmgc90 read;
  char *text, tact[4000], *row;
  put_folder("BODIES.DAT", flat_bodies);
  test_file(FOLDER, "DRV_DOF.DAT", flat_drive);
  test_file(FOLDER, "DOF.INI", "! DOF\n");
  snprintf(tact, sizeof tact, "%s", flat_tact);
  row = strstr(tact, "$seety\n cdbdy\n RBDY2  POLYG  BLEUx  l0  RBDY2  JONCx");
  CHECK(row != NULL);
  memcpy(row + strlen("$seety\n cdbdy\n RBDY2  "), "PT2Dx", 5); /* nobody's */
  test_file(FOLDER, "TACT_BEHAV.DAT", tact);
  CHECK_OK(import_folder(false, &text, &read));
  CHECK_INT(read.notes.lost, 0);
  bool told = false;
  for (int k = 0; k < read.notes.count; k++)
    told |= strstr(read.notes.note[k].text, "POLYG BLEUx and JONCx VERTx have no row") != NULL;
  CHECK(told);
  DlsScene *scene = text ? build(text) : NULL;
  dls_lmgc90_clear(&read);
  free(text);
  if (!scene) return;
  const DlsWorld *w = scene->simulation->world;
  const DlsContactSet *set = &scene->simulation->last.contacts;
  long polygon_met = 0;
  scene->simulation->world->velocity[0][1] = -5;
  for (int n = 0; n < 1000 && w->position[0][1] > -1.2; n++) {
    CHECK_OK(dls_scene_step(scene));
    for (int c = 0; c < set->count; c++)
      polygon_met += set->candidate[c] == 0 && set->antagonist[c] == 2;
  }
  CHECK_INT(polygon_met, 0);
  CHECK_BELOW(w->position[0][1], -1.2); /* below the bar at -0.1 */
  CHECK_NEAR(w->position[0][0], 0, 1e-12);
  dls_scene_destroy(&scene);
}

/* One file spoilt, and a part of the sentence that must come. */
TEST(mistakes_are_named) {
  static const struct {
    const char *name, *text, *said;
  } rows[] = {
      {"BODIES.DAT", "$bdyty\n MAILx 1\n$$$$$$\n", "BODIES.DAT:2: a MAILx with 0 elements"},
      {"BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n POLYR 1 color A nb_vertex= 2 nb_face= 1\n",
       "0 vertices, but says nb_vertex= 2"},
      {"BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n SPHER 1 color A byrd= x\n",
       "BODIES.DAT:4: byrd= is followed by no finite number"},
      {"BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n SPHER 1 color A byrd= -1.\n", "a size is above 0"},
      {"BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n WHEEL 1 color A byrd= 1.\n",
       "contactor WHEEL of a RBDY3 is not known"},
      {"BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n SPHER 1 color A byrd= 1.\n$wrong\n",
       "BODIES.DAT:5: $wrong is no keyword"},
      {"BODIES.DAT", "", "there is no body"},
      {"BULK_BEHAV.DAT", "$behav\n STONE RIGID Umas= 1.D+999\n", "BULK_BEHAV.DAT:2: Umas="},
      {"TACT_BEHAV.DAT", "$behav\n l0 IQS_CLB fric= 0.3\n$seety\n a b\n", "eight words"},
      {"TACT_BEHAV.DAT", "$behav\n l0 IQS_CLB fric= 0.3\n", "no row in the table of sights"},
      {"DRV_DOF.DAT", "$bdyty\n RBDY3 9\n", "DRV_DOF.DAT:2: there is no body RBDY3 9"},
      {"DRV_DOF.DAT", "$bdyty\n RBDY3 1\n$dofty\n force 7 0. 0. 0. 0. 0. 0.\n", "is no component"},
      {"DRV_DOF.DAT", "$bdyty\n RBDY3 1\n$dofty\n force 3 evolution none.DAT\n", "none.DAT"},
      {"DOF.INI", "$bdyty\n RBDY3 3\n a(1)= 2. a(2)= 0. a(3)= 0.\n", "right-handed"},
      {"COMMAND.DAT", "nothing\n", "give the step"},
  };
  for (int k = 0; k < DLS_COUNT(rows); k++) {
    DlsLmgc90 read;
    char *text;
    put_folder(rows[k].name, rows[k].text);
    if (strcmp(rows[k].name, "BODIES.DAT") == 0) { /* no word of bodies that are gone */
      test_file(FOLDER, "DRV_DOF.DAT", "! none\n");
      test_file(FOLDER, "DOF.INI", "! none\n");
    }
    CHECK(import_folder(false, &text, &read) != DLS_OK);
    if (!strstr(dls_error_message(), rows[k].said))
      test_fail(__FILE__, __LINE__, "'%s' is not in: %s", rows[k].said, dls_error_message());
    CHECK(text == NULL);
    dls_lmgc90_clear(&read);
  }
}

/* A pit in one face: 1/6 of the volume is missing, and the body is not taken for its hull. */
TEST(a_dented_body_is_not_its_hull) {
  DlsLmgc90 read;
  char *text, dented[2 * sizeof lmgc90_bodies];
  const char *one = strstr(lmgc90_bodies, "nb_vertex=    8      nb_face=   12");
  const char *faces = strstr(lmgc90_bodies, "   ver1= 1  ver2= 3");
  const char *top = strstr(lmgc90_bodies, "   ver1= 5  ver2= 6  ver3= 7");
  const char *rest = strstr(lmgc90_bodies, "   ver1= 1  ver2= 2  ver3= 6");
  snprintf(dented, sizeof dented,
           "%.*snb_vertex=    9      nb_face=   14%.*s   coo1= 0.  coo2= 0.  coo3= 0.\n%.*s"
           "   ver1= 5  ver2= 6  ver3= 9\n   ver1= 6  ver2= 7  ver3= 9\n"
           "   ver1= 7  ver2= 8  ver3= 9\n   ver1= 8  ver2= 5  ver3= 9\n%s",
           (int)(one - lmgc90_bodies), lmgc90_bodies, (int)(faces - (one + 34)), one + 34,
           (int)(top - faces), faces, rest);
  put_folder("BODIES.DAT", dented);
  CHECK(import_folder(false, &text, &read) == DLS_ERR_FORMAT);
  CHECK(strstr(dls_error_message(), "is not convex: its sides enclose 0.8333 of its hull") != NULL);
  dls_lmgc90_clear(&read);
  CHECK_OK(import_folder(true, &text, &read)); /* the others */
  CHECK(text && !strstr(text, "body-1,") && strstr(text, "body-2,"));
  dls_lmgc90_clear(&read);
  free(text);
}

/* ---- MAILx ---- */

#define MESH_FOLDER "import_meshes"

static DlsStatus import_meshes(const char *name, const char *text, DlsLmgc90 *scene, char **deck) {
  for (int k = 0; k < DLS_COUNT(lmgc90_mesh_files); k++)
    test_file(MESH_FOLDER, lmgc90_mesh_files[k].name,
              name && strcmp(name, lmgc90_mesh_files[k].name) == 0 ? text
                                                                   : lmgc90_mesh_files[k].text);
  static char folder[4096];
  snprintf(folder, sizeof folder, "%s", test_path(MESH_FOLDER, "."));
  *deck = NULL;
  DLS_TRY(dls_lmgc90_read(folder, scene));
  static char stem[4096];
  snprintf(stem, sizeof stem, "%s", test_path(MESH_FOLDER, "deck"));
  scene->stem = stem;
  return dls_lmgc90_deck(scene, 0, 0, false, deck);
}

/* Two cubes of one element: kinematics, masses, nodes that stand and move; the deck runs. */
TEST(meshed_bodies_are_deformable_ones) {
  DlsLmgc90 read;
  char *text, name[32];
  CHECK_OK(import_meshes(NULL, NULL, &read, &text));
  CHECK_INT(read.notes.lost, 0);
  for (int k = 0; k < read.meshes; k++) {
    char *mesh;
    CHECK_OK(dls_lmgc90_mesh(&read, k, &mesh));
    snprintf(name, sizeof name, "deck-mailx%d.msh", k + 1);
    test_file(MESH_FOLDER, name, mesh);
    free(mesh);
  }
  static const char *const parts[] = {
      "kinematics: total-lagrangian",       "mass: consistent",
      "{group: held_xyz, axes: [x, y, z]}", "{group: held_xz, axes: [x, z]}",
      "{group: drive1, vz: -0.01}",         "young: 10000000,"};
  for (int k = 0; text && k < DLS_COUNT(parts); k++) CHECK(strstr(text, parts[k]) != NULL);
  DlsScene *scene = text ? build(text) : NULL;
  dls_lmgc90_clear(&read);
  free(text);
  if (!scene) return;
  for (int n = 0; n < 5; n++) {
    CHECK_OK(dls_scene_step(scene));
    CHECK_INT(scene->simulation->last.report.solver.outcome, DLS_CONVERGED);
    CHECK_INT(scene->simulation->last.report.contacts, 4);
  }
  dls_scene_destroy(&scene);
}

TEST(mistakes_of_meshed_bodies_are_named) {
  static const struct {
    const char *name, *from, *to, *said;
  } rows[] = {
      {"BODIES.DAT", "H8xxx      1  nodes", "DKTxx      1  nodes", "not known, such as DKTxx"},
      {"BODIES.DAT", "     8\n", "     9\n", "BODIES.DAT:4: there is no node 9; the body has 8"},
      {"BODIES.DAT", "     8\n", "\n", "BODIES.DAT:4: 7 nodes of an element of 8"},
      {"BODIES.DAT", "     8\n", "     8 3\n", "'3' is a node more than the 8"},
      {"BODIES.DAT", "NO3xx 2", "NO3xx 3", "node 3 stands where node 2 is wanted"},
      {"BODIES.DAT", "ASpx4", "PT3Dx", "contactor PT3Dx of a MAILx is not known"},
      {"BODIES.DAT", "behav  stone", "behav  cream", "there is no material 'cream'"},
      {"BODIES.DAT", "model  M3DH8", "model  M3DXX", "there is no model 'M3DXX' in MODELS.DAT"},
      {"BULK_BEHAV.DAT", "isotropic", "orthotropic", "BULK_BEHAV.DAT:4: the material stone (ELAS)"},
      {"MODELS.DAT", "elas_", "J2iso", "MODELS.DAT:6: the option mater J2iso of a model"},
      {"MODELS.DAT", "MECAx", "THERx", "MODELS.DAT:3: the physics THERx is not taken"},
      {"DRV_DOF.DAT", "NO3xx      1", "NO3xx      9", "DRV_DOF.DAT:6: '9' is no node"},
      {"DRV_DOF.DAT", "MAILx      2", "MAILx      3", "there is no body MAILx 3"},
      {"DRV_DOF.DAT", "vlocy", "force", "a force on a node of a MAILx is left out"},
  };
  for (int k = 0; k < DLS_COUNT(rows); k++) {
    DlsLmgc90 read;
    char *text, spoilt[8192];
    const char *whole = "";
    for (int f = 0; f < DLS_COUNT(lmgc90_mesh_files); f++)
      if (strcmp(lmgc90_mesh_files[f].name, rows[k].name) == 0) whole = lmgc90_mesh_files[f].text;
    const char *at = strstr(whole, rows[k].from);
    CHECK(at != NULL);
    if (!at) continue;
    snprintf(spoilt, sizeof spoilt, "%.*s%s%s", (int)(at - whole), whole, rows[k].to,
             at + strlen(rows[k].from));
    CHECK(import_meshes(rows[k].name, spoilt, &read, &text) != DLS_OK);
    if (!strstr(dls_error_message(), rows[k].said))
      test_fail(__FILE__, __LINE__, "'%s' is not in: %s", rows[k].said, dls_error_message());
    free(text);
    dls_lmgc90_clear(&read);
  }
}
