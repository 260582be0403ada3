/* Contacts as a unilateral Darcy problem (Maury, slides 66 to 75): u + B* lambda = U, B u <= 0.
 *
 * - In a row B B* is the discrete Laplacian with lambda = 0 at both ends: m W = tridiag(-1, 2, -1),
 *   with the eigenvalues 2 - 2 cos(k pi / (n + 1)) (slide 72).
 * - In a square pack rows and columns know nothing of each other; in a triangular one contacts that
 *   share a disk are coupled by the cosine of their angle: 2, +-1/2, -1 (slide 73). On a pressure
 *   field p the sum of the three directions is then a Laplacian: -(9/4) d² laplace p, to d⁴.
 * - The obstacle problem for lambda (slides 68, 69): in a row u is the nearest non-decreasing
 *   velocity to U, by pooling neighbours that approach, and lambda its sum from the end; to 1 / N
 *   it is the continuous problem, whose answer for U = cos is known. */
#include "tests/decks.h"
#include "tests/simulating.h"

#include <delassus/problem.h>

static const double pi = 3.14159265358979323846, radius = 0.01;

enum { MOST = 1200 };

/* Disks that touch; the problem of one step at rest, without gravity. */
static void lattice(TestScene *scene, int columns, int rows, bool triangular) {
  test_scene_open(scene, 2, &dls_scheme_euler, 1e-3, "signorini");
  scene->gravity[1] = 0;
  scene->simulation->settings.alert = 1e-3 * radius; /* open by round-off is touching here */
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++)
      test_scene_sphere(scene, radius, radius * (2 * i + (triangular ? j % 2 : 0)),
                        radius * j * (triangular ? sqrt(3) : 2), 0);
  test_scene_run(scene, 1);
}

/* out = m W lambda along the normals; column by column, lambda 1 at one contact. */
static void operate(const TestScene *scene, const double *lambda, double *out) {
  const DlsAssembly *a = &scene->simulation->last.assembly;
  const int n = a->step.count, block = a->run.block;
  double *r = calloc((size_t)(2 * n * block), sizeof *r), *q = r + n * block;
  double *u = malloc((size_t)(n * block) * sizeof *u);
  if (!r || !u) exit(1);
  dls_problem_velocity(a->solve.problem, r, q);
  for (int c = 0; c < n; c++) r[c * block] = lambda[c];
  dls_problem_velocity(a->solve.problem, r, u);
  for (int c = 0; c < n; c++) out[c] = scene->world->mass[0] * (u[c * block] - q[c * block]);
  free(r), free(u);
}

static void ends_of(const TestScene *scene, int c, int who[2]) {
  const DlsSimulation *s = scene->simulation;
  const int n = s->last.assembly.step.in_set[c];
  who[0] = s->last.contacts.antagonist[n], who[1] = s->last.contacts.candidate[n];
}

/* Unit vector of contact c from the antagonist to the candidate, and the middle. */
static void place_of(const TestScene *scene, int c, double normal[2], double middle[2]) {
  int who[2];
  ends_of(scene, c, who);
  for (int k = 0; k < 2; k++) {
    const double *x[2] = {scene->world->position[who[0]], scene->world->position[who[1]]};
    normal[k] = (x[1][k] - x[0][k]) / (2 * radius);
    middle[k] = 0.5 * (x[0][k] + x[1][k]);
  }
}

TEST(in_a_row_it_is_the_discrete_laplacian) {
  enum { DISKS = 24, CONTACTS = DISKS - 1 };
  TestScene scene;
  lattice(&scene, DISKS, 1, false);
  CHECK_INT(scene.simulation->last.assembly.step.count, CONTACTS);
  for (int k = 1; k <= CONTACTS; k++) { /* each mode is one, with its eigenvalue */
    double mode[CONTACTS], out[CONTACTS];
    const double value = 2 - 2 * cos(k * pi / (CONTACTS + 1));
    for (int c = 0; c < CONTACTS; c++) {
      int who[2];
      ends_of(&scene, c, who);
      mode[c] = sin(k * pi * (fmin(who[0], who[1]) + 1) / (CONTACTS + 1));
    }
    operate(&scene, mode, out);
    for (int c = 0; c < CONTACTS; c++) CHECK_NEAR(out[c], value * mode[c], 1e-13);
  }
  test_scene_close(&scene);
}

/* Every entry is that of the stencil: 2 on the diagonal, for two contacts that share a disk the
 * cosine of their normals, pointing away from it, else 0. How often each cosine comes: see
 * below. */
static void check_stencil(const TestScene *scene, int count[5]) {
  const int n = scene->simulation->last.assembly.step.count;
  double one[MOST] = {0}, out[MOST];
  CHECK(n <= MOST);
  for (int c = 0; c < n; c++) {
    int a[2], b[2];
    double at[2], there[2], unused[2];
    one[c] = 1;
    operate(scene, one, out);
    one[c] = 0;
    ends_of(scene, c, a);
    place_of(scene, c, at, unused);
    for (int d = 0; d < n; d++) {
      double expected = c == d ? 2 : 0;
      ends_of(scene, d, b);
      place_of(scene, d, there, unused);
      for (int k = 0; k < 2 && c != d; k++)
        for (int l = 0; l < 2; l++)
          if (a[k] == b[l]) expected += (k == l ? 1 : -1) * (at[0] * there[0] + at[1] * there[1]);
      CHECK_NEAR(out[d], expected, 1e-12);
      /* By signs that do not depend on which disk is which: outwards from the shared one. */
      for (int k = 0; k < 2 && c != d; k++)
        for (int l = 0; l < 2; l++)
          if (a[k] == b[l]) {
            const double cosine = (k == l ? 1 : -1) * (at[0] * there[0] + at[1] * there[1]);
            for (int m = 0; m < 5; m++) count[m] += fabs(cosine - (m - 2) / 2.0) < 1e-9;
          }
    }
  }
}

TEST(on_lattices_it_has_their_stencils) {
  TestScene scene;
  int square[5] = {0}, triangle[5] = {0};
  lattice(&scene, 7, 6, false);
  check_stencil(&scene, square);
  test_scene_close(&scene);
  /* Straight on: -1. Around the corner: 0, rows and columns are apart. */
  CHECK(square[0] > 0 && square[2] > 0);
  CHECK_INT(square[1] + square[3] + square[4], 0);
  lattice(&scene, 7, 6, true);
  check_stencil(&scene, triangle);
  test_scene_close(&scene);
  CHECK(triangle[0] > 0 && triangle[1] > 0 && triangle[3] > 0);
  CHECK_INT(triangle[2] + triangle[4], 0);
}

/* p = cos(k . x) at the middles: what the operator makes of it, summed over three contacts with the
 * three directions at one disk, against -(9/4) d² laplace p = (9/4) d² k² p there. Error of the
 * second order in k d. */
static double laplacian_error(double kd) {
  enum { SIDE = 18 };
  TestScene scene;
  double p[MOST] = {0}, out[MOST];
  const double d = 2 * radius, k[2] = {kd / d * cos(0.3), kd / d * sin(0.3)};
  lattice(&scene, SIDE, SIDE, true);
  const int n = scene.simulation->last.assembly.step.count;
  CHECK(n <= MOST);
  for (int c = 0; c < n; c++) {
    double normal[2], x[2];
    place_of(&scene, c, normal, x);
    p[c] = cos(k[0] * x[0] + k[1] * x[1]);
  }
  operate(&scene, p, out);
  const int middle = SIDE * (SIDE / 2) + SIDE / 2;
  double sum = 0;
  int found = 0;
  for (int c = 0; c < n; c++) {
    int who[2];
    ends_of(&scene, c, who);
    if (who[0] != middle && who[1] != middle) continue;
    sum += out[c] / 2; /* six contacts, each direction twice */
    found++;
  }
  CHECK_INT(found, 6);
  const double *x = scene.world->position[middle];
  const double exact = 2.25 * kd * kd * cos(k[0] * x[0] + k[1] * x[1]);
  const double error = fabs(sum / exact - 1);
  test_scene_close(&scene);
  return error;
}

TEST(on_a_triangular_lattice_it_is_a_laplacian_of_pressures) {
  const double wide = laplacian_error(0.2), fine = laplacian_error(0.1);
  if (getenv("DELASSUS_SHOW"))
    printf("triangular lattice, k d = 0.2: %.2g off the Laplacian, 0.1: %.2g\n", wide, fine);
  CHECK_BELOW(wide, 0.2 * 0.2);
  CHECK_NEAR(wide / fine, 4, 0.4);
}

/* The nearest non-decreasing sequence, all weights equal: pool adjacent violators. */
static void pool(int n, const double *U, double *u) {
  int count[MOST], blocks = 0;
  double mean[MOST];
  for (int i = 0; i < n; i++) {
    mean[blocks] = U[i], count[blocks] = 1, blocks++;
    while (blocks > 1 && mean[blocks - 2] >= mean[blocks - 1]) {
      const int all = count[blocks - 2] + count[blocks - 1];
      mean[blocks - 2] =
          (count[blocks - 2] * mean[blocks - 2] + count[blocks - 1] * mean[blocks - 1]) / all;
      count[blocks - 2] = all, blocks--;
    }
  }
  for (int b = 0, i = 0; b < blocks; b++)
    for (int k = 0; k < count[b]; k++) u[i++] = mean[b];
}

/* U = cos(2 pi x) on 0 < x < 1: closed up to b, where the mean of U over (0, b) is U(b), that is
 * tan(2 pi b) = 2 pi b, and free from there on, where U grows. Within p = sin(2 pi x) / (2 pi) -
 * U(b) x, beyond 0. */
static double obstacle_pressure(double x) {
  double low = pi, high = 1.5 * pi;
  for (int k = 0; k < 100; k++) {
    const double angle = 0.5 * (low + high);
    *(sin(angle) - angle * cos(angle) > 0 ? &low : &high) = angle;
  }
  return x < low / (2 * pi) ? sin(2 * pi * x) / (2 * pi) - cos(low) * x : 0;
}

static double row_error(int n) {
  double U[MOST], u[MOST], pressure = 0, worst = 0;
  char *text = malloc(200000);
  TestDeck deck;
  const double d = 1.0 / n, h = 1e-3;
  if (!text) exit(1);
  int at = snprintf(text, 200000,
                    "dimension: 2\n"
                    "time: {step: %g, end: 1, scheme: first-order}\n"
                    "materials: {disk: {}}\nlaws: [{law: signorini}]\n"
                    "solver: {tolerance: 1e-12}\n"
                    "desired: [{velocity: [\"cos(2*pi*x)\", 0]}]\nbodies:\n",
                    h);
  for (int i = 0; i < n; i++)
    at += snprintf(text + at, (size_t)(200000 - at),
                   "  - {material: disk, radius: %.17g, mass: 1, position: [%.17g, 0], "
                   "fixed: [y, turn_z]}\n",
                   0.5 * d, (i + 0.5) * d);
  test_deck_parse(&deck, text);
  free(text);
  const DlsSimulation *s = deck.simulation;
  for (int i = 0; i < n; i++) U[i] = cos(2 * pi * s->world->position[i][0]);
  pool(n, U, u);
  CHECK_OK(dls_scene_step(deck.scene));
  double lambda[MOST] = {0};
  const DlsAssembly *a = &s->last.assembly;
  for (int c = 0; c < a->step.count; c++) {
    const int k = a->step.in_set[c];
    const int i = s->last.contacts.candidate[k], j = s->last.contacts.antagonist[k];
    lambda[i < j ? i : j] = a->solve.r[c * a->run.block];
  }
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(s->world->velocity[i][0], u[i], 1e-9);
    pressure += U[i] - u[i];
    if (i + 1 == n) break;
    CHECK_NEAR(lambda[i], pressure, 1e-9 * n);
    const double exact = obstacle_pressure((i + 1) * d);
    worst = fmax(worst, fabs(lambda[i] * d - exact));
  }
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
  return worst;
}

TEST(a_row_solves_the_obstacle_problem) {
  const double wide = row_error(20), fine = row_error(80);
  if (getenv("DELASSUS_SHOW"))
    printf("pressure of a row: %.2g off with 20 disks, %.2g with 80\n", wide, fine);
  CHECK_BELOW(wide, 1.0 / 20);
  CHECK(fine < wide / 4); /* sums by midpoints, and the end of the block to one disk */
}
