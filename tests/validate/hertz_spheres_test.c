/* Two balls by Hertz: pressed (input/hertz-spheres.yaml, quasi-static, by mortar) and thrown at
 * each other (input/hertz-impact.yaml: one of them and a wall). R = 50 mm, E = 20 GPa, nu = 0.3:
 *
 *   1/E* = 2 (1 - nu^2) / E,  R* = R / 2,  a^3 = 3 F R* / (4 E*),  p0 = 3 F / (2 pi a^2)
 *
 * The balls are as large as 5 to 8 a, no half-spaces: at 4 mm of approach they take 12 % more force
 * than F = 4/3 E* sqrt(R*) h^(3/2). CalculiX finds 656.5 kN on a mesh of its own (spheres.py), and
 * what Hertz says of a and p0 is asked at the force that is there. */
#include "tests/decks.h"

#include <math.h>

#include "world/deformable.h"

static const double R = 0.05, E = 20e9, nu = 0.3, pi = 3.14159265358979324; /* m, Pa */

/* Pa: sigma_zz at the point of integration of body 0 that is nearest to its foot, (0, 0, 0) as it
 * was. */
static double stress_at_foot(const DlsWorld *world) {
  const DlsDeformable *d = dls_deformable_of(world, 0);
  const DlsDeformableMesh *m = d->kind->mesh(d->model);
  const size_t points = (size_t)m->point[m->cells], ends = (size_t)m->start[m->cells];
  const size_t nodes = (size_t)m->nodes;
  DlsDeformableFields f = {.displacement = calloc(nodes, sizeof *f.displacement),
                           .velocity = calloc(nodes, sizeof *f.velocity),
                           .force = calloc(ends, sizeof *f.force),
                           .place = calloc(points, sizeof *f.place),
                           .weight = calloc(points, sizeof *f.weight),
                           .stress = calloc(points, sizeof *f.stress),
                           .strain = calloc(points, sizeof *f.strain),
                           .energy = calloc(points, sizeof *f.energy),
                           .state = calloc(points + 1, sizeof *f.state)};
  CHECK_OK(d->kind->fields(d->model, world->deformable.state + d->state,
                           world->deformable.velocity + d->velocity, &f));
  size_t best = 0;
  double nearest = INFINITY;
  for (size_t p = 0; p < points; p++) {
    const double away = hypot(f.place[p][0], f.place[p][1]) + fabs(f.place[p][2]);
    if (away < nearest) nearest = away, best = p;
  }
  const double out = f.stress[best][2];
  free(f.displacement), free(f.velocity), free(f.force), free(f.place), free(f.weight);
  free(f.stress), free(f.strain), free(f.energy), free(f.state);
  return out;
}

/* m: how far a point of the surface that is r from the axis has gone towards it (Johnson, Contact
 * Mechanics, eq. 3.41c). */
static double drawn_in(double r, double a, double p0) {
  const double within = fmax(1 - r * r / (a * a), 0);
  return r > 0 ? (1 - 2 * nu) * (1 + nu) / (3 * E) * a * a / r * p0 * (1 - pow(within, 1.5)) : 0;
}

/* The forces F_i of contacts, which need no areas: F = 4 sum F_i, and of Hertz' pressure
 * sum F_i r_i^2 = 2/5 a^2 sum F_i, r as it was: 2 % of it go at 4 mm. */
TEST(two_balls_are_pressed_as_hertz_says) {
  const double E_star = E / (2 * (1 - nu * nu)), calculix = 656.5e3; /* N */
  TestDeck deck;
  test_deck_open(&deck, "hertz-spheres.yaml", (const char *[]){NULL});
  test_deck_run(&deck, 1);
  const DlsSimulation *s = deck.simulation;
  const DlsAssembly *assembly = &s->last.assembly;
  const int block = assembly->run.block;
  double F = 0, square = 0;
  for (int i = 0; i < assembly->step.count; i++)
    F += 4 * assembly->solve.r[(size_t)i * (size_t)block] / s->last.report.h *
         fabs(s->last.contacts.frame[assembly->step.in_set[i]][2]);
  const double a_known = cbrt(3 * F * R / (8 * E_star));
  const double p0 = -stress_at_foot(s->world), p0_known = 1.5 * F / (pi * a_known * a_known);
  for (int i = 0; i < assembly->step.count; i++) {
    const int c = assembly->step.in_set[i];
    const double *x = s->last.contacts.point[c], now = hypot(x[0], x[1]);
    const double r = now + drawn_in(now, a_known, p0_known);
    square += 4 * assembly->solve.r[(size_t)i * (size_t)block] / s->last.report.h *
              fabs(s->last.contacts.frame[c][2]) * r * r;
  }
  const double a = sqrt(2.5 * square / F);
  if (getenv("SHOW"))
    printf("F %.1f kN, a %.3f mm of %.3f, p0 %.1f MPa of %.1f\n", 1e-3 * F, 1e3 * a, 1e3 * a_known,
           1e-6 * p0, 1e-6 * p0_known);
  CHECK_NEAR(F, calculix, 0.02 * calculix);
  CHECK_NEAR(a, a_known, 0.02 * a_known);
  CHECK_NEAR(p0, p0_known, 0.02 * p0_known);
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}

/* d = (15 m v^2 / (16 E' sqrt(R)))^(2/5), E' = E / (1 - nu^2), m that of the mesh; for 2.943 d / v
 * there is contact, with 4/3 E' sqrt(R) d^(3/2) at most. Tells a / R, and how far both are off. */
static void strike(double v, double *ratio, double *duration, double *force) {
  const double E_wall = E / (1 - nu * nu);
  char speed[64], step[64];
  TestDeck deck;
  snprintf(speed, sizeof speed, "bodies[0].velocity=[0, 0, %g]", -v);
  snprintf(step, sizeof step, "time.step=%.17g", 2.5e-6 * pow(5 / v, 0.2));
  test_deck_open(&deck, "hertz-impact.yaml", (const char *[]){speed, step, NULL});
  DlsSimulation *s = deck.simulation;
  const double start = dls_world_kinetic_energy(s->world), m = 4 * 2 * start / (v * v);
  const double d = pow(15 * m * v * v / (16 * E_wall * sqrt(R)), 0.4), known = 2.943 * d / v;
  double most = 0, touching = 0;
  dls_simulation_recount(s);
  while (s->state.time < 1.2 * known) {
    const DlsAssembly *assembly = &s->last.assembly;
    double F = 0;
    CHECK_OK(dls_scene_step(deck.scene));
    for (int i = 0; i < assembly->step.count; i++)
      F += 4 * assembly->solve.r[(size_t)i * (size_t)assembly->run.block] / s->last.report.h;
    most = fmax(most, F), touching += F > 0 ? s->last.report.h : 0;
  }
  const double left = dls_world_kinetic_energy(s->world) + dls_world_strain_energy(s->world);
  *ratio = sqrt(d / R), *duration = touching / known - 1;
  *force = most / (4.0 / 3 * E_wall * sqrt(R) * pow(d, 1.5)) - 1;
  if (getenv("SHOW"))
    printf("%g m/s: a/R %.3f, duration %.2f us, %+.2f %%, force %+.2f %%, energy %.5f\n", v, *ratio,
           1e6 * touching, 100 * *duration, 100 * *force, left / start);
  CHECK_NEAR(left, start, 1e-3 * start);
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}

/* A ball is stiffer than a half-space by a share that goes with a / R; the less it is pressed the
 * nearer is Hertz. */
TEST(a_ball_is_thrown_back_as_hertz_says) {
  double ratio[2], duration[2], force[2];
  strike(5, &ratio[0], &duration[0], &force[0]);
  strike(15, &ratio[1], &duration[1], &force[1]);
  for (int k = 0; k < 2; k++) {
    CHECK_NEAR(duration[k], 0, 0.6 * ratio[k]);
    CHECK_NEAR(force[k], 0, 0.6 * ratio[k]);
  }
  CHECK(fabs(duration[0]) < fabs(duration[1]) && fabs(force[0]) < fabs(force[1]));
}
