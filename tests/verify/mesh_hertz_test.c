/* Hertz's contact of a cylinder and a block in plane strain (NAFEMS, Konter 2006; Code_Aster
 * SSNP154): R = 50 mm, E = 210 and 70 GPa, nu = 0.3, F = 35 kN/mm:
 *
 *   1/E* = (1 - nu^2) (1/E1 + 1/E2),   a = sqrt(4 F R / (pi E*)) = 6.2146 mm,
 *   p0 = 2 F / (pi a) = 3585.4 MPa,    p(x) = p0 sqrt(1 - x^2/a^2)
 *
 * One half of both, x > 0; the cylinder as far as 40 degrees from its foot, the block 100 mm
 * deep and wide. Implicit steps so long that inertia is nothing. By mortar, with 24, 36, 48, 72
 * cells along the surfaces (SHOW=1): see the table of docs/validation.md. */
#include <stdio.h>

#include "tests/meshed_block.h"

#include "post/deformed.h"
#include "step/scheme.h"

static const double R = 0.05, E1 = 210e9, E2 = 70e9, nu = 0.3, F = 35e6, pi = 3.14159265358979324;
static const double block_side = 0.1, sector = 0.7;
static double force = F; /* N/m */

/* The unit square to the cylinder: the lower side to its arc, the upper to a line through its
 * centre; both finer towards (0, 0). */
static void to_cylinder(double x[3]) {
  const double angle = sector * pow(x[0], 1.6), t = pow(x[1], 1.8);
  const double top = R * sin(sector) * angle / sector;
  x[0] = (1 - t) * R * sin(angle) + t * top;
  x[1] = R * (1 - (1 - t) * cos(angle));
}
static void to_block(double x[3]) {
  x[0] = block_side * pow(x[0], 2);
  x[1] = -block_side * pow(1 - x[1], 2);
}

static unsigned char held_block(const double X[3]) {
  return (unsigned char)((X[0] == 0) | (X[1] == -block_side) << 1);
}
static unsigned char held_cylinder(const double X[3]) { return X[0] == 0; }
static bool arc(const double X[3]) {
  return X[1] < 0.99 * R && X[0] > 1e-9 && X[0] < 0.9 * R * sin(sector);
}
static bool upper_side(const double X[3]) { return X[1] > -1e-9; }
static double load(const double X[3]) {
  return X[1] > R * (1 - 1e-9) ? force / 2 / (R * sin(sector)) : 0;
}

typedef struct {
  double a, p0; /* m, Pa, of the ellipse that is nearest to the pressures */
  int contacts;
  double block, cylinder; /* of p0: pressures at nodes beside the closed form, root mean square */
} Hertz;

/* p^2 = p0^2 - (p0/a)^2 x^2, by least squares over the contacts with half of the largest and
 * more. */
static Hertz fit(const TestScene *scene) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  double sum[5] = {0}, most = 0;
  Hertz out = {0};
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < a->step.count; i++) {
      const int c = a->step.in_set[i];
      const double p = a->solve.r[2 * i] / (s->settings.h * s->last.contacts.area[c]);
      const double x = s->last.contacts.point[c][0] / R, y = p * p;
      if (pass == 0) {
        most = fmax(most, p);
        out.contacts += p > 0;
      } else if (p > 0.5 * most && x > 1e-9) { /* the area of the node at 0 is half of it */
        const double term[5] = {1, x * x, x * x * x * x, y, x * x * y};
        for (int k = 0; k < 5; k++) sum[k] += term[k];
      }
    }
  const double det = sum[0] * sum[2] - sum[1] * sum[1];
  const double c0 = (sum[3] * sum[2] - sum[1] * sum[4]) / det;
  const double c1 = (sum[0] * sum[4] - sum[1] * sum[3]) / det;
  out.p0 = sqrt(c0), out.a = R * sqrt(-c0 / c1);
  return out;
}

/* m: half the way from the node before to the one behind along a surface, of nodes with contacts.
 */
static double share_of(const DlsDeformed *now, int node) {
  const double x = now->cells.place[node][0];
  double left = -INFINITY, right = INFINITY;
  for (int n = 0; n < now->cells.nodes; n++) {
    if (isnan(now->gap[n]) || now->body[n] != now->body[node] || n == node) continue;
    const double other = now->cells.place[n][0];
    if (other < x) left = fmax(left, other);
    if (other > x) right = fmin(right, other);
  }
  return ((isinf(right) ? x : right) - (isinf(left) ? x : left)) / 2;
}

/* What files show: the pressures at nodes of both bodies within 1.2 a, beside the closed form; root
 * mean squares along x. */
static void compare(const TestScene *scene, double a, double p0, Hertz *out) {
  DlsPacking packing = {0};
  DlsDeformed now;
  double sum[2] = {0}, whole[2] = {0};
  CHECK_OK(dls_packing_take(scene->simulation, &packing));
  CHECK_OK(dls_deformed_take(scene->simulation, &packing, &now));
  for (int n = 0; n < now.cells.nodes; n++) {
    const double x = now.cells.place[n][0];
    if (isnan(now.gap[n]) || x > 1.2 * a) continue;
    const int body = now.body[n] != now.body[0];
    const double off = now.pressure[n] - p0 * sqrt(fmax(0, 1 - x * x / (a * a)));
    sum[body] += share_of(&now, n) * off * off;
    whole[body] += share_of(&now, n);
  }
  out->block = sqrt(sum[0] / whole[0]) / p0, out->cylinder = sqrt(sum[1] / whole[1]) / p0;
  dls_deformed_clear(&now);
  dls_packing_clear(&packing);
}

static Hertz press(int cells, DlsMeetBy meet) {
  TestScene scene;
  const BlockSetup block = {.cells = {cells, cells * 2 / 3},
                            .length = {1, 1},
                            .E = E2,
                            .nu = nu,
                            .density = 1e11,
                            .meet = meet,
                            .bend = to_block,
                            .held = held_block,
                            .meets = upper_side};
  BlockSetup cylinder = block;
  cylinder.E = E1, cylinder.bend = to_cylinder, cylinder.held = held_cylinder;
  cylinder.meets = arc, cylinder.pressure = load;
  test_scene_open(&scene, 2, &dls_scheme_euler, 1, "signorini");
  scene.simulation->settings.signed_gap = true;
  scene.simulation->settings.limits.measure = DLS_MEASURE_SCALED;
  scene.simulation->settings.limits.tolerance = 1e-9;
  scene.gravity[1] = 0;
  Block bodies[2] = {block_add(&scene, &block), block_add(&scene, &cylinder)};
  test_scene_run(&scene, 12);
  Hertz out = fit(&scene);
  const double E_star = 1 / ((1 - nu * nu) * (1 / E1 + 1 / E2));
  const double a = sqrt(4 * force * R / (pi * E_star));
  compare(&scene, a, 2 * force / (pi * a), &out);
  if (getenv("SHOW"))
    printf("cells %d, by %d: a %.4f mm, p0 %.1f MPa, %d nodes, last move %.3g m; p(x) of the block "
           "%.2f %%, of the cylinder %.2f %%\n",
           cells, (int)meet, 1e3 * out.a, 1e-6 * out.p0, out.contacts, scene.world->velocity[1][1],
           100 * out.block, 100 * out.cylinder);
  test_scene_close(&scene);
  for (int k = 0; k < 2; k++) block_clear(&bodies[k]);
  return out;
}

TEST(a_cylinder_on_a_block_is_pressed_as_hertz_says) {
  const double E_star = 1 / ((1 - nu * nu) * (1 / E1 + 1 / E2));
  const double a = sqrt(4 * F * R / (pi * E_star)), p0 = 2 * F / (pi * a);
  CHECK_NEAR(a, 6.2146e-3, 1e-7);
  CHECK_NEAR(p0, 3585.4e6, 1e5);
  if (getenv("SHOW"))
    for (int cells = 24; cells <= 72; cells += 12) press(cells, DLS_MEET_BY_MORTAR);
  const Hertz h = press(48, DLS_MEET_BY_MORTAR);
  CHECK_NEAR(h.a, a, 0.02 * a);
  CHECK_NEAR(h.p0, p0, 0.02 * p0);
}

/* The pressures at nodes, p0 sqrt(1 - x^2 / a^2). With an end like a root the error of linear
 * pressures falls as the size of the cells, down to what the bodies are beside half-spaces,
 * (a/R)^2: half a per cent for a quarter of the force. */
TEST(pressures_along_the_face_are_those_of_hertz) {
  force = F / 4;
  const Hertz coarse = press(24, DLS_MEET_BY_MORTAR), fine = press(72, DLS_MEET_BY_MORTAR);
  if (getenv("SHOW")) press(36, DLS_MEET_BY_MORTAR), press(48, DLS_MEET_BY_MORTAR);
  CHECK_BELOW(fine.block, coarse.block / 2);
  CHECK_BELOW(fine.cylinder, coarse.cylinder / 2);
  CHECK_BELOW(fine.block, 0.03);
  CHECK_BELOW(fine.cylinder, 0.03);
  force = F;
}
