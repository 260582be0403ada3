/* From films of less and less viscosity to the gluey contact (Maury, slides 54 to 65):
 * q_eps -> q uniformly where q_eps" = f - eps q_eps'/q_eps and q is the gluey motion; five fluids
 * beside the limit (input/fluids.yaml, slide 63); and many gluey bodies whose forces are not unique
 * (input/gluey-pack.yaml). */
#include "tests/decks.h"
#include "tests/law_point.h"

/* f = -1/2 for a second and 1/2 from then on, from q = 1/8 at rest: the gluey body lands at
 * t = 0.7071, is pressed until gamma = -1/2 at t = 1, and is let go at t = 2. */
static double glued(double t) {
  if (t < sqrt(0.5)) return 0.125 - t * t / 4;
  return t < 2 ? 0 : (t - 2) * (t - 2) / 4;
}

/* m: largest |q_eps - q| until t = 3. Gaps are above exp(-1/2 / eps), so above the cutoff. */
static double distance(double eps, double h) {
  LawPoint point;
  double worst = 0;
  point_open(&point, "lubrication", 3, h, 1);
  point_set(&point, "kappa", eps);
  point_set(&point, "range", 10);
  point_set(&point, "cutoff", 1e-12);
  point.gap = 0.125;
  while (point.time < 3 - 0.5 * h) {
    const double load[3] = {point.time < 1 - 0.5 * h ? -0.5 : 0.5, 0, 0};
    point_step(&point, load);
    worst = fmax(worst, fabs(point.gap - glued(point.time)));
  }
  return worst;
}

/* gamma_eps = eps ln q_eps is of the order of eps |ln eps| where q_eps is some eps, before the
 * landing and after the take-off, so that the ways differ by as much. */
TEST(thin_films_become_glue) {
  double before = 0;
  for (double eps = 0.16; eps > 0.015; eps /= 2) {
    const double d = distance(eps, 1e-4), share = d / (eps * -log(eps));
    if (getenv("DELASSUS_SHOW"))
      printf("eps = %g m/s: at most %.4f m from the glue, %.3f eps |ln eps|\n", eps, d, share);
    if (before > 0) CHECK_NEAR(share / before, 1, 0.1);
    before = share;
  }
}

TEST(thinner_fluids_are_nearer_to_the_limit) {
  static const char *const sets[] = {NULL};
  TestDeck deck;
  double apart[6] = {0};
  test_deck_open(&deck, "fluids.yaml", sets);
  const DlsSimulation *s = deck.simulation;
  const double(*x)[3] = (const double(*)[3])s->world->position;
  const double R = 0.025, landing = sqrt(2);
  while (s->state.time < 5 - 1e-9) {
    CHECK_OK(dls_scene_step(deck.scene));
    const double t = s->state.time;
    for (int i = 0; i < 5; i++) {
      apart[i] = fmax(apart[i], fabs(x[i][2] - x[5][2]));
      CHECK(x[i][2] > R); /* no film is ever passed through */
    }
    const double exact = t < landing ? 0.02 - 0.01 * t * t : t < 4 ? 0 : 0.01 * (t - 4) * (t - 4);
    CHECK_NEAR(x[5][2] - R, exact, 0.1 * s->settings.h); /* speeds are below 0.1 m/s */
  }
  if (getenv("DELASSUS_SHOW"))
    printf("from the limit: molasses %.4f, honey %.4f, castor oil %.4f, olive oil %.4f, blood "
           "%.4f m\n",
           apart[0], apart[1], apart[2], apart[3], apart[4]);
  for (int i = 0; i + 1 < 5; i++) CHECK(apart[i + 1] < apart[i]);
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}

/* Contacts of the pack remember an impulse each, gamma = -(sum of r_N). With more contacts than
 * velocities these are not unique (slides 69 to 71), and differ with where the solver stops. But
 * u is the nearest to u_free + M^-1 H^T |gamma| among those that open no contact which is held:
 * of gamma only H^T gamma counts as long as the pack keeps its shape, and that is the impulse of
 * the weight. So all of it is let go when t g - (t - 1) 2 g = 0, at t = 2 s, whatever gamma is. */
enum { STEPS = 460 };

static double pack(const char *solver, double sum[2], double *remembered, int *contacts) {
  char set[64];
  const char *const sets[] = {set, NULL};
  TestDeck deck;
  double leaves = -1;
  snprintf(set, sizeof set, "solver.name=%s", solver);
  test_deck_open(&deck, "gluey-pack.yaml", sets);
  const DlsSimulation *s = deck.simulation;
  for (int k = 0; k < STEPS; k++) {
    CHECK_OK(dls_scene_step(deck.scene));
    const DlsAssembly *a = &s->last.assembly;
    if (k == 199) { /* pressed for a second */
      *contacts = a->step.count;
      for (int c = 0; c < a->step.count; c++) remembered[c] = a->step.state[c * a->run.states];
    }
    const double speed = s->world->velocity[s->world->count / 2][1];
    if (leaves < 0 && speed > 1e-4) leaves = s->state.time;
  }
  sum[0] = sum[1] = 0;
  for (int i = 0; i < s->world->count; i++) {
    sum[0] += s->world->mass[i] * s->world->velocity[i][1];
    sum[1] += s->world->mass[i];
  }
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
  return leaves;
}

TEST(what_many_gluey_contacts_remember_is_not_unique_when_they_let_go_is) {
  enum { MOST = 2000 };
  static const char *const solvers[] = {"nsgs", "newton"};
  static double gamma[2][MOST];
  int contacts[2] = {0};
  for (int k = 0; k < 2; k++) {
    double sum[2];
    const double leaves = pack(solvers[k], sum, gamma[k], &contacts[k]);
    if (getenv("DELASSUS_SHOW"))
      printf("%s: let go at %.3f s, then %.6f m/s in the mean at 2.3 s\n", solvers[k], leaves,
             sum[0] / sum[1]);
    CHECK_NEAR(leaves, 2, 2 * 5e-3);
    CHECK_NEAR(sum[0] / sum[1], 0.3, 1e-6); /* g (2.3 - 2): no impulse is lost */
  }
  CHECK_INT(contacts[0], contacts[1]);
  double apart = 0, largest = 0;
  for (int c = 0; c < contacts[0]; c++) {
    apart = fmax(apart, fabs(gamma[0][c] - gamma[1][c]));
    largest = fmax(largest, fabs(gamma[0][c]));
  }
  if (getenv("DELASSUS_SHOW"))
    printf("%d contacts of %d disks: gamma differs by up to %.2g of the largest\n", contacts[0], 77,
           apart / largest);
  CHECK(apart > 1e-3 * largest); /* five orders above the tolerance */
}
