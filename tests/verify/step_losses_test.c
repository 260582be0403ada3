/* What is lost within deformable bodies, and by what. With a law that tells sigma : d e_p at the
 * end of a step, of points of weight w,
 *
 *   lost_plastic = sum w sigma+ : d e_p - d psi_h                        (what j2 tells)
 *   lost_within  = sum w (sigma + sigma+)/2 : d e_p - d psi_h            theta = 1/2
 *   lost_within  = sum w (sigma+ : d e_p + d sigma : d e_e / 2) - d psi_h   quasi-static
 *
 * so that what the steps take is told to round-off, is of second order for each and of first in
 * all. psi_h is what hardening stores. */
#include "scene/scene.h"
#include "tests/scene_text.h"
#include "tests/test.h"
#include "world/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const DlsLedger *ledger_of(const DlsScene *scene) {
  return &scene->simulation->state.ledger;
}

/* What is at the points of the first deformable body. */
typedef struct {
  int points;
  DlsDeformableFields f;
} Points;

static void points_clear(Points *p) {
  free(p->f.displacement), free(p->f.velocity), free(p->f.force), free(p->f.place);
  free(p->f.weight), free(p->f.stress), free(p->f.strain), free(p->f.energy), free(p->f.state);
}

static Points points_of(const DlsScene *scene) {
  const DlsWorld *world = scene->simulation->world;
  const DlsDeformable *d = &world->deformable.item[0];
  const DlsDeformableMesh *m = d->kind->mesh(d->model);
  Points p = {.points = m->point[m->cells]};
  const size_t points = (size_t)p.points, nodes = (size_t)m->nodes;
  p.f = (DlsDeformableFields){.displacement = calloc(nodes, 24),
                              .velocity = calloc(nodes, 24),
                              .force = calloc((size_t)m->start[m->cells], 24),
                              .place = calloc(points, 24),
                              .weight = calloc(points, 8),
                              .stress = calloc(points, 48),
                              .strain = calloc(points, 48),
                              .energy = calloc(points, 8),
                              .state = calloc(points * (size_t)(m->states + 1), 8)};
  CHECK_OK(d->kind->fields(d->model, world->deformable.state + d->state,
                           world->deformable.velocity + d->velocity, &p.f));
  return p;
}

/* State k of point q; those of j2 are the plastic strain, with shears twice, and how far it has
 * flowed. */
static double state_of(const Points *p, int k, int q) { return p->f.state[k * p->points + q]; }

enum { FLOW = 6 };
static const double isotropic = 5e4, kinematic = 1e5; /* Pa */

/* J, stored by the hardening of all points. */
static double hardened(const Points *p) {
  double sum = 0;
  for (int q = 0; q < p->points; q++) {
    const double flow = state_of(p, FLOW, q);
    double square = 0;
    for (int k = 0; k < 6; k++) square += state_of(p, k, q) * state_of(p, k, q) * (k < 3 ? 1 : 0.5);
    sum += p->f.weight[q] * (0.5 * isotropic * flow * flow + kinematic / 3 * square);
  }
  return sum;
}

/* J: sigma+ : d e_p, (sigma + sigma+)/2 : d e_p and d sigma : d e_e / 2 of a step. */
static void works(const Points *a, const Points *b, double *end, double *mean, double *elastic) {
  for (int q = 0; q < a->points; q++)
    for (int k = 0; k < 6; k++) {
      const double flow = state_of(b, k, q) - state_of(a, k, q);
      const double strain = (b->f.strain[q][k] - a->f.strain[q][k]) * (k < 3 ? 1 : 2);
      const double first = a->f.stress[q][k], last = b->f.stress[q][k], w = b->f.weight[q];
      *end += w * last * flow;
      *mean += w * (first + last) / 2 * flow;
      *elastic += w * (last - first) / 2 * (strain - flow);
    }
}

/* A block of metal is sheared and pressed by what its top is driven, and goes back. */
static const char metal[] =
    "dimension: 2\n"
    "time: {step: %g s, end: 20 s, scheme: %s}\n"
    "gravity: [0, 0]\n"
    "materials: {metal: {density: 1000}}\n"
    "laws: [{law: coulomb}]\n"
    "bodies:\n"
    "  - material: metal\n"
    "    position: [0, 0]\n"
    "    deformable:\n"
    "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"
    "      kinematics: %s\n"
    "      bulk: {law: j2, parameters: {young: 1e6, poisson: 0.3, yield: 1e4, hardening: 5e4, "
    "kinematic: 1e5}}\n"
    "      fixed: {group: bottom}\n"
    "      prescribed: {group: top, x: '0.04*sin(2*t)', y: '-0.02*sin(t)'}\n";

static DlsScene *open_metal(const char *scheme, const char *kinematics, double step) {
  char text[1200];
  snprintf(text, sizeof text, metal, step, scheme, kinematics);
  return test_scene_of_text(text);
}

TEST(what_flows_is_told_from_what_steps_take) {
  for (int still = 0; still < 2; still++) {
    double end = 0, mean = 0, elastic = 0;
    DlsScene *scene = open_metal(still ? "static" : "moreau", "small", still ? 0.05 : 5e-3);
    Points before = points_of(scene);
    for (int k = 0; k < (still ? 60 : 600); k++) {
      CHECK_OK(dls_scene_step(scene));
      Points now = points_of(scene);
      works(&before, &now, &end, &mean, &elastic);
      points_clear(&before);
      before = now;
    }
    const DlsLedger *l = ledger_of(scene);
    const double stored = hardened(&before);
    CHECK(end - stored > 0.5 * l->strain && stored > 0); /* it has flowed */
    CHECK_NEAR(l->plastic, end - stored, 1e-12 * end);
    CHECK_NEAR(l->viscous, 0, 0);
    const double known = still ? end + elastic - stored : mean - stored;
    CHECK_NEAR(l->within, known, 1e-11 * end);
    /* What no account explains is what Newton's loop leaves of the balance of forces. */
    CHECK_NEAR(l->balance, 0, 1e-8 * fabs(l->force));
    points_clear(&before);
    dls_scene_destroy(&scene);
  }
}

/* J that the steps of a press take, in so many of them. */
static double taken(const char *kinematics, int steps) {
  DlsScene *scene = open_metal("static", kinematics, 1.5 / steps);
  for (int k = 0; k < steps; k++) CHECK_OK(dls_scene_step(scene));
  const DlsLedger *l = ledger_of(scene);
  const double rest = l->within - l->plastic - l->viscous;
  CHECK(fabs(rest) < 0.2 * l->plastic);
  dls_scene_destroy(&scene);
  return rest;
}

/* d sigma : d e_e / 2 > 0 is of second order in the step: half of it in steps of half the
 * length. */
TEST(what_steps_take_is_of_first_order) {
  static const char *const all[] = {"small", "total-lagrangian"};
  for (int k = 0; k < 2; k++) {
    const double long_ones = taken(all[k], 40), short_ones = taken(all[k], 80);
    CHECK(short_ones > 0);
    CHECK_NEAR(long_ones / short_ones, 2, 0.1);
  }
}

/* What Rayleigh's damping takes of bodies that keep their energy is all that is lost: by masses as
 * by stiffness, of driven bodies too. Of co-rotational ones a step takes (w h)^2 besides; of stored
 * energies that are not quadratic what is left where strains gain less than 1e-3
 * (body_points.c). */
#define SPRINGS "      springs: {group: top, stiffness: 100}\n"
TEST(damping_is_all_that_is_lost_where_nothing_flows) {
  static const char deck[] =
      "dimension: 2\n"
      "time: {step: 1e-3 s, end: 20 s}\n"
      "gravity: [0, -10]\n"
      "materials: {rubber: {density: 1000}}\n"
      "laws: [{law: coulomb}]\n"
      "bodies:\n"
      "  - material: rubber\n"
      "    position: [0, 0]\n"
      "    deformable:\n"
      "      mesh: {kind: block, size: [1, 0.2], cells: [6, 2], element: %s}\n"
      "      kinematics: %s\n"
      "      bulk: {law: %s, parameters: {young: 1e5, poisson: 0.3}}\n"
      "      damping: {mass: %g, stiffness: %g}\n"
      "      fixed: {group: left}\n"
      "      prescribed: {group: right, vx: 0, vy: '0.5*sin(20*t)'}\n"
      "%s";
  static const struct {
    const char *kinematics, *law, *element, *springs;
    double rest; /* of what is lost */
  } cases[] = {{"small", "elastic", "Q4", SPRINGS, 1e-11},
               {"total-lagrangian", "elastic", "T3", SPRINGS, 1e-11},
               {"total-lagrangian", "neo-hookean", "T3", SPRINGS, 1e-6},
               {"corotational", "elastic", "Q4", "", 2e-2}};
  static const double damping[3][2] = {{3, 0}, {0, 2e-3}, {3, 2e-3}};
  for (int k = 0; k < DLS_COUNT(cases); k++)
    for (int d = 0; d < 3; d++) {
      char text[1500];
      snprintf(text, sizeof text, deck, cases[k].element, cases[k].kinematics, cases[k].law,
               damping[d][0], damping[d][1], cases[k].springs);
      DlsScene *scene = test_scene_of_text(text);
      for (int n = 0; n < 200; n++) CHECK_OK(dls_scene_step(scene));
      const DlsLedger *l = ledger_of(scene);
      CHECK(l->viscous > 0.01 * l->strain);
      CHECK_NEAR(l->plastic, 0, 0);
      CHECK_NEAR(l->within / l->viscous, 1, cases[k].rest);
      dls_scene_destroy(&scene);
    }
}

/* J that damage has taken of a strip of 0.1 x 0.1 x 0.02 m, stretched by 1.3 mm. */
static double torn(int steps, double *within) {
  static const char deck[] =
      "dimension: 2\n"
      "time: {step: %.17g s, end: 20 s, scheme: static}\n"
      "gravity: [0, 0]\n"
      "materials: {stone: {density: 1000}}\n"
      "laws: [{law: coulomb}]\n"
      "bodies:\n"
      "  - material: stone\n"
      "    position: [0, 0]\n"
      "    deformable:\n"
      "      mesh: {kind: block, size: [0.1, 0.1], cells: [1, 1]}\n"
      "      plane: stress\n"
      "      thickness: 0.02\n"
      "      bulk: {law: damage, parameters: {young: 1e9, poisson: 0, strength: 1e6, "
      "fracture_energy: 200}}\n"
      "      fixed: {group: left}\n"
      "      prescribed: {group: right, vx: 1.3e-3}\n";
  char text[1200];
  snprintf(text, sizeof text, deck, 1.0 / steps);
  DlsScene *scene = test_scene_of_text(text);
  for (int k = 0; k < steps; k++) CHECK_OK(dls_scene_step(scene));
  const double out = ledger_of(scene)->plastic;
  *within = ledger_of(scene)->within;
  dls_scene_destroy(&scene);
  return out;
}

/* With k0 = strength / E and kf - k0 = G / (size strength) - k0 / 2 the area below the stress is
 * strength (k0 / 2 + (kf - k0) (1 - exp(-(e - k0) / (kf - k0)))) up to the strain e, less what is
 * stored. Laws are asked at the end of each step: first order, so that twice the answer of 2n steps
 * less that of n is of second. */
TEST(damage_takes_what_it_should) {
  const double k0 = 1e-3, spread = 200 / (0.1 * 1e6) - k0 / 2, e = 0.013, volume = 2e-4;
  const double left = exp(-(e - k0) / spread);
  const double known = 1e6 * volume * (k0 / 2 + spread * (1 - left) - 0.5 * left * e);
  double within[2];
  const double n = torn(100, &within[0]), twice = torn(200, &within[1]);
  CHECK_NEAR((twice - known) / (n - known), 0.5, 0.05);
  CHECK_NEAR(2 * twice - n, known, 2e-3 * known);
  CHECK_NEAR(2 * within[1] - within[0], known, 2e-3 * known);
  CHECK_NEAR(known, 200 * 0.002, 2e-2 * known); /* nearly all of its section's fracture energy */
}
