/* What few sweeps do to a column of equal spheres (Brendel et al. 2004, secs. 1.5 and 1.6).
 *
 * A sweep makes each contact force r_i half the sum of its neighbours'. Of a force that is smooth
 * over many diameters d, per sweep (eqs. 1.32, 1.33),
 *
 *   r <- r + D r''      D = d^2 / 2                  drawn: one expects what a parallel update does
 *                       D = d^2 (4 sqrt(e) - 5) / 2  random: each contact once, shuffled
 *                       D = d^2                      sequential
 *
 * Sequential: the change of a contact is half of r'' and half of the change of the one before, so
 * r''. Shuffled: with times x in [0, 1] drawn for the contacts, f(x), the change of one whose one
 * neighbour comes later, is a + 1/2 ∫_0^x f = a exp(x / 2), a = r'' / 2; that of any other one
 * a + 2 (1/2) ∫_0^x f = a (2 exp(x / 2) - 1), whose mean over x is a (4 sqrt(e) - 5).
 *
 * In time, with N_I sweeps a step from the last forces, dr/dt = -(N_I D / d^2) (m / h^2) u for the
 * force: contacts are springs of stiffness K = (D / d^2) N_I m / h^2, sound travels at
 * d sqrt(K / m) = (d / h) sqrt(N_I D / d^2). */
#include "tests/solving.h"
#include "tests/verify/step_scene.h"

#include <stdio.h>

enum { ORDERS = 3 };
static const char *const orders[ORDERS] = {"sequential", "random", "drawn"};

static double diffusion(int order) {
  const double constants[ORDERS] = {1, 2 * exp(0.5) - 2.5, 0.5};
  return constants[order];
}

/* nsgs in an order; its error is not measured on the way, for a solve returns the best of the
 * answers that it has measured, and few sweeps may well make the error of their guess larger. */
static const DlsSolver *ask(int order, double options[16]) {
  const DlsSolver *nsgs = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK(nsgs->option_bytes <= 16 * sizeof *options);
  dls_solver_defaults(nsgs, options);
  CHECK_OK(dls_solver_set_option(nsgs, options, "sweep", orders[order]));
  CHECK_OK(dls_solver_set_option(nsgs, options, "check_every", "1000000"));
  return nsgs;
}

static void reseed(const DlsSolver *nsgs, double options[16], int seed) {
  char text[16];
  snprintf(text, sizeof text, "%d", seed);
  CHECK_OK(dls_solver_set_option(nsgs, options, "seed", text));
}

/* What is missing of the slowest mode of a column, cos(pi i / 2n): a floor that reflects, no force
 * above the top. */
static double missing(int n, const double *r, const double *exact) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i ? 1 : 0.5) * (exact[3 * i] - r[3 * i]) * cos(M_PI * i / (2 * n));
  return sum;
}

/* Per sweep, the logarithm of what is left of the slowest mode, between `first` and `last`. */
static double decay(int n, int order, int seed, long first, long last) {
  DlsProblem *problem = NULL;
  double *exact = NULL, left[2], options[16] = {0};
  const DlsSolver *nsgs = ask(order, options);
  const DlsSampleParams params = {.size = n, .mu = 0.5, .h = 1e-3};
  CHECK_OK(dls_sample_create("column", &params, &problem, &exact));
  reseed(nsgs, options, seed);
  double *r = calloc(3 * (size_t)n, sizeof *r);
  for (int k = 0; k < 2; k++) {
    const DlsLimits limits = {.tolerance = 1e-12, .max_iterations = k ? last : first};
    DlsReport report;
    memset(r, 0, 3 * (size_t)n * sizeof *r);
    CHECK_OK(dls_solve(nsgs, problem, options, &limits, NULL, r, NULL, &report));
    CHECK(report.iterations == limits.max_iterations);
    left[k] = missing(n, r, exact);
  }
  free(r);
  free(exact);
  dls_problem_destroy(&problem);
  return log(left[0] / left[1]) / (double)(last - first);
}

/* The ends of the column are known to one diameter of n, so the rate D (pi / 2n)^2 to 2 / n of it;
 * that of shuffled and drawn sweeps besides to three times its error over the seeds. */
TEST(sweeps_are_a_diffusion) {
  const int n = 60, seeds = 30;
  for (int order = 0; order < ORDERS; order++) {
    const int count = order ? seeds : 1;
    double sum = 0, square = 0;
    for (int k = 0; k < count; k++) {
      const double own = decay(n, order, k + 1, 1000, 4000) * pow(2 * n / M_PI, 2);
      sum += own / count;
      square += own * own / count;
    }
    const double error = count > 1 ? sqrt(fmax(0, square - sum * sum) / (count - 1)) : 0;
    const double bound = 2.0 / n * diffusion(order) + 3 * error;
    CHECK_TOLD(fabs(sum - diffusion(order)) <= bound, "%s: D = %.4f +- %.4f d^2, expected %.4f",
               orders[order], sum, error, diffusion(order));
    CHECK_TOLD(bound < 0.1, "%s: D known to %.3f alone", orders[order],
               bound); /* tells them apart */
  }
}

/* Time from which the floor bears half of a column that is let go, in steps; *most receives the
 * largest load, in weights. */
static double delay(int n, int order, int sweeps, int seed, double *most) {
  const double radius = 0.01, h = 1e-3;
  double options[16] = {0}, found = 0, before = 0, before_load = 0;
  Scene scene;
  open_scene(&scene, 3, &dls_scheme_moreau, h, true, 0, 0, 0);
  DlsStepSettings *settings = &scene.simulation->settings;
  const DlsWorld *world = scene.simulation->world;
  /* Overlaps that round-off does not open. */
  for (int b = 0; b < n; b++)
    test_scene_sphere(&scene, radius, 0, 0, (2 * b + 1) * radius * 0.9999);
  settings->solver = ask(order, options);
  settings->solver_options = options;
  settings->limits.max_iterations = sweeps;
  const int steps = (int)(3 * n / sqrt(sweeps * diffusion(order)));
  *most = 0;
  for (int k = 0; k < steps; k++) {
    reseed(settings->solver, options, seed * steps + k); /* other orders in each step */
    run(&scene, 1);
    double momentum = 0;
    for (int b = 0; b < n; b++) momentum += world->velocity[b][2];
    const double load = 1 + (momentum - before) / (n * test_g * h);
    before = momentum;
    *most = fmax(*most, load);
    if (found == 0 && load >= 0.5) found = k + (0.5 - before_load) / (load - before_load);
    before_load = load;
  }
  settings->solver_options = NULL;
  close_scene(&scene);
  return found;
}

/* The wave from the floor has passed c t / d spheres, which it has stopped and whose weight and
 * loss of momentum the floor bears: the load is c t over the length of the column, half of it after
 * n d / 2c = n / 2 sqrt(N_I D / d^2) steps, known to a step, and three times the error over the
 * seeds. It goes on to twice the weight, when the wave is back from the top; the sweeps damp it,
 * and of rigid spheres it would never be above 1: the bound of 1.5 is what was seen (1.67 to 1.86),
 * less a tenth. */
TEST(few_sweeps_make_rigid_spheres_pseudo_elastic) {
  const int n = 60, seeds = 10, sweeps[] = {2, 8, 32};
  for (int order = 1; order < ORDERS; order++)
    for (int c = 0; c < 3; c++) {
      double sum = 0, square = 0, most, top = 0;
      for (int k = 0; k < seeds; k++) {
        const double own = delay(n, order, sweeps[c], k, &most);
        sum += own / seeds;
        square += own * own / seeds;
        top += most / seeds;
      }
      const double error = sqrt(fmax(0, square - sum * sum) / (seeds - 1));
      const double expected = 0.5 * n / sqrt(sweeps[c] * diffusion(order));
      CHECK_TOLD(fabs(sum - expected) <= 1 + 3 * error,
                 "%s, %d sweeps: %.2f +- %.2f steps, not %.2f", orders[order], sweeps[c], sum,
                 error, expected);
      CHECK_TOLD(top > 1.5 && top <= 2, "%s, %d sweeps: at most %.2f weights", orders[order],
                 sweeps[c], top);
    }
}
