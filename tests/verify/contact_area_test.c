/* Over which area a contact's force is its pressure: what laws and files are told is the stress in
 * the body below, whatever the kinematics. Small strains balance stresses on the surface as it
 * was, large ones on the surface as it is. Blocks that spread by some 3 % under a tenth of their
 * modulus, without friction: their stress is the same everywhere. */
#include "post/average.h"
#include "post/deformed.h"
#include "scene/scene.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int dim;
  const char *kinematics, *points;
  bool two; /* a block on a block, or on a floor */
} Case;

static DlsScene *press(const Case *c) {
  const bool in_space = c->dim == 3;
  const bool held =
      strcmp(c->kinematics, "corotational") != 0; /* along an axis alone it cannot be */
  char block[2][1200], text[4000];
  for (int k = 0; k < 2; k++)
    snprintf(block[k], sizeof block[k],
             "  - material: rubber\n"
             "    position: [0, %s%g]\n"
             "    deformable:\n"
             "      mesh: {kind: block, size: [1, %s1], cells: [%d, %s2]}\n"
             "      kinematics: %s\n"
             "      bulk: {law: %s, parameters: {young: 1e6, poisson: 0.3}}\n"
             "%s%s%s%s"
             "      contact: {groups: [%s], points: %s}\n"
             "%s",
             in_space ? "0, " : "", k == 0 && c->two ? -0.5 : 0.5, in_space ? "1, " : "", 2 + k,
             in_space ? "3, " : "", c->kinematics,
             strcmp(c->kinematics, "total-lagrangian") ? "elastic" : "neo-hookean",
             held ? "      fixed: [{group: left, axes: x}" : "",
             held && in_space ? ", {group: front, axes: y}" : "",
             k == 0 && c->two
                 ? (in_space ? ", {group: bottom, axes: z}" : ", {group: bottom, axes: y}")
                 : "",
             held ? "]\n" : "", k == 0 && c->two ? "top" : "bottom", c->points,
             k == 0 && c->two ? ""
             : in_space       ? "      loads: {group: top, traction: [0, 0, -1e5]}\n"
                              : "      loads: {group: top, traction: [0, -1e5]}\n");
  snprintf(
      text, sizeof text,
      "dimension: %d\ntime: {step: 1, end: 3, scheme: static}\ngravity: [0, 0%s]\n"
      "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb, parameters: {mu: 0}}]\n"
      "bodies:\n%s%s"
      "boundaries: {floor: {shape: plane, material: rubber, position: [0, 0%s], axis: [0, %s1]}}\n"
      "solver: {tolerance: 1e-12}\n",
      c->dim, in_space ? ", 0" : "", c->two ? block[0] : "", block[1],
      c->two ? (in_space ? ", -5" : "") : (in_space ? ", 0" : ""), in_space ? "0, " : "");
  if (c->two && !in_space)
    memcpy(strstr(text, "position: [0, 0], axis"), "position: [0,-5], axis", 22);
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) exit(1);
  /* Contacts of a step are those of the surface at its beginning. */
  for (int k = 0; k < 3; k++) CHECK_OK(dls_scene_step(scene));
  return scene;
}

TEST(a_contact_s_pressure_is_the_stress_below_it) {
  static const Case cases[] = {
      {2, "small", "nodes", false},
      {2, "small", "quadrature", false},
      {2, "corotational", "nodes", false},
      {2, "total-lagrangian", "nodes", false},
      {2, "total-lagrangian", "quadrature", false},
      {3, "small", "nodes", false},
      {3, "total-lagrangian", "nodes", false},
      {2, "small", "mortar", true},
      {2, "total-lagrangian", "mortar", true},
      {3, "small", "mortar", true},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    const Case *c = &cases[k];
    DlsScene *scene = press(c);
    const DlsSimulation *s = scene->simulation;
    const DlsAssembly *a = &s->last.assembly;
    DlsPacking packing = {0};
    DlsDeformed d = {0};
    CHECK_OK(dls_packing_take(s, &packing));
    CHECK_OK(dls_deformed_take(s, &packing, &d));
    const int up = c->dim == 2 ? 1 : 2;
    const double stress = -d.stress[0][up], scale = 1e-7 * stress;
    double worst = 0, whole = 0;
    CHECK(stress > 0.9e5);
    for (int i = 0; i < a->step.count; i++) {
      const double area = s->last.contacts.area[a->step.in_set[i]];
      /* Points of integration are more than nodes: theirs are means. */
      const double r = a->solve.r[(size_t)i * (size_t)a->run.block];
      if (r == 0) continue; /* of the floor, far below a block that another one carries */
      if (strcmp(c->points, "quadrature")) CHECK_NEAR(r / (s->last.report.h * area), stress, scale);
      whole += area;
    }
    for (int n = 0; n < d.cells.nodes; n++)
      if (d.pressure[n] > 0) worst = fmax(worst, fabs(d.pressure[n] / stress - 1));
    CHECK_BELOW(worst, 1e-7);
    /* The two areas are far enough apart for that to say something. */
    if (strcmp(c->kinematics, "total-lagrangian"))
      CHECK_NEAR(whole, 1, 1e-12);
    else
      CHECK(whole > 1.02);
    if (getenv("SHOW"))
      printf("%d-D %s %s%s: stress %.9g Pa, area %.6f, pressures off by %.2g\n", c->dim,
             c->kinematics, c->points, c->two ? " on a block" : "", stress, whole, worst);
    dls_deformed_clear(&d);
    dls_packing_clear(&packing);
    dls_scene_destroy(&scene);
  }
}
