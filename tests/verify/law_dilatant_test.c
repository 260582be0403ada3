/* The law `dilatant` against closed forms: a block dragged over a plane, what it dissipates, and
 * its two ends, Coulomb's law and the associated one. */
#include "tests/law_point.h"
#include "tests/simulating.h"

static const double h = 1e-3, mass = 2, pi = 3.14159265358979323846;

static void open_joint(LawPoint *point, int dim, double mu, double dilatancy) {
  point_open(point, "dilatant", dim, h, mass);
  point_set(point, "mu", mu);
  point_set(point, "dilatancy", dilatancy);
}

/* Pressed by P and dragged by T > mu P from rest, one step: the push is what holds u_N = tan_psi
 * u_T, N (1 + mu tan_psi) = P + tan_psi T, u_T = h (T - mu N) / m. */
TEST(a_dragged_block_rises_at_the_angle_of_dilatancy) {
  const double P = 30, T = 40, mu = 0.6;
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k <= 6; k++) {
      LawPoint point;
      const double tangent = 0.1 * k, a = 0.8;
      const double force[3] = {-P, dim == 3 ? T * cos(a) : T, T * sin(a)};
      open_joint(&point, dim, mu, tangent);
      point_step(&point, force);
      const double N = (P + tangent * T) / (1 + mu * tangent), u = h * (T - mu * N) / mass;
      CHECK_NEAR(point.r[0], h * N, 1e-12 * h * N);
      CHECK_NEAR(point.u[0], tangent * u, 1e-12 * u);
      CHECK_NEAR(point.u[1], dim == 3 ? u * cos(a) : u, 1e-12 * u);
      /* From rest: -r·u/2 = (mu - tan_psi) r_N |u_T| / 2, nothing where the law is associated. */
      CHECK_NEAR(point.dissipated, 0.5 * (mu - tangent) * h * N * u, 1e-13 * h * N * u);
    }
}

/* Under euler the gap of a block that slides at speed v is tan_psi v h: the artificial gap of
 * convex programmes, of the order of the step. Dragged with mu P it keeps its speed. */
TEST(the_gap_of_a_block_that_slides_is_of_the_order_of_the_step) {
  const double P = 30, mu = 0.6, tangent = 0.3, v = 0.5;
  for (int fine = 1; fine <= 4; fine *= 4) {
    LawPoint point;
    point_open(&point, "dilatant", 2, h / fine, mass);
    point_set(&point, "mu", mu);
    point_set(&point, "dilatancy", tangent);
    const double force[2] = {-P, mu * P};
    point.u[1] = v;
    for (int k = 0; k < 400; k++) point_step(&point, force);
    CHECK_NEAR(point.gap, tangent * point.u[1] * h / fine, 1e-9 * h);
    CHECK_NEAR(point.u[0], 0, 1e-9);
    CHECK_NEAR(point.r[0], P * h / fine, 1e-9 * P * h);
  }
}

/* The relation of a slope's block under Coulomb's law and under this one with dilatancy 0 is one.
 * */
TEST(without_dilatancy_it_is_coulombs_law) {
  for (int k = 0; k < 20; k++) {
    LawPoint joint, dry;
    const double a = pi * k / 40, force[3] = {-20 * cos(a), 20 * sin(a), 3};
    open_joint(&joint, 3, 0.5, 0);
    point_open(&dry, "coulomb", 3, h, mass);
    point_set(&dry, "mu", 0.5);
    for (int step = 0; step < 5; step++) {
      point_step(&joint, force);
      point_step(&dry, force);
    }
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(joint.r[i], dry.r[i], 1e-15);
      CHECK_NEAR(joint.u[i], dry.u[i], 1e-15);
    }
  }
}

/* Above mu it counts as mu: the associated law, whose velocity is normal to the cone at r. */
TEST(dilatancy_counts_up_to_mu) {
  const double force[3] = {-20, 30, 5}, mus[] = {0, 0.3, 0.9};
  for (int k = 0; k < 3; k++) {
    LawPoint point;
    open_joint(&point, 3, mus[k], 5);
    point_step(&point, force);
    const double slide = hypot(point.u[1], point.u[2]), held = hypot(point.r[1], point.r[2]);
    CHECK(slide > 0);
    CHECK_NEAR(point.u[0], mus[k] * slide, 1e-12 * slide);
    CHECK_NEAR(held, mus[k] * point.r[0], 1e-12 * point.r[0]);
    CHECK_NEAR(point.dissipated, 0, 1e-15);
  }
}

/* Two balls slide side by side on one floor, all alike but for the dilatancy of their materials:
 * each contact of the step has the relation of its own. */
TEST(contacts_that_differ_by_dilatancy_alone_are_told_apart) {
  const double v = 2, radius = 0.1, tangent = 0.3;
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "dilatant");
  DlsSimulation *s = scene.simulation;
  int rough = -1, second = -1;
  CHECK_OK(dls_materials_add(&scene.world->materials, "rough", 2500, &rough));
  dls_interactions_clear(&s->settings.laws);
  CHECK_OK(dls_interactions_create(2, &s->settings.laws));
  for (int k = 0; k < 2; k++) {
    CHECK_OK(dls_interactions_add(&s->settings.laws, scene.law[0], &second));
    double *params = s->settings.laws.item[second].params;
    CHECK_OK(dls_law_set(scene.law[0], params, "mu", 0.5));
    CHECK_OK(dls_law_set(scene.law[0], params, "dilatancy", k * tangent));
    CHECK_OK(dls_interactions_give(&s->settings.laws, 0, k, second));
  }
  test_scene_boundary(&scene, 0);
  for (int k = 0; k < 2; k++) {
    const int ball = test_scene_sphere(&scene, radius, 0, k, radius);
    scene.world->material[ball] = k;
    scene.world->velocity[ball][0] = v;
  }
  test_scene_run(&scene, 1);
  /* The push N of a sphere of mass m and inertia 2/5 m R²: sliding loses 7/2 mu N / m, and with the
   * weight h m g, N = m (h g + tan_psi v) / (1 + 7/2 mu tan_psi). */
  for (int k = 0; k < 2; k++) {
    const double t = k * tangent, N = (h * test_g + t * v) / (1 + 3.5 * 0.5 * t);
    CHECK_NEAR(scene.world->velocity[k][2], t * (v - 3.5 * 0.5 * N), 1e-9 * v);
  }
  test_scene_close(&scene);
}
