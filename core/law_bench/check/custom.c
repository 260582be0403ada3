/* The functions of custom laws: derivatives of `residual`, its size, and `project`; and the
 * projections on the canonical cones. */
#include "law_bench/law_bench_impl.h"

#include <delassus/cone.h>

#include <stdio.h>

static const char *has_residual(const DlsLaw *law) {
  return law->residual || law->traction ? NULL : "the law has no residual";
}

/* A custom relation with u, r near its solution: half of the points on it, where the kinks are. */
static LawCaseOutcome draw_point(LawCase *law_case, LawCaseStep *step) {
  DlsRandom *random = &law_case->bench.random;
  memset(step, 0, sizeof *step);
  law_case_draw_laws(law_case, step);
  law_case_draw_contact(law_case, step);
  law_case_draw_matrix(law_case, step, LAW_CASE_COUPLED, 0);
  const DlsContact *c = &step->contact;
  const double speed = law_case_draw_speed(law_case);
  law_case_draw_vector(random, c->dim, c->block, speed, c->radius, step->q);
  LawCaseOutcome outcome = law_case_orient(law_case, step);
  if (outcome == LAW_CASE_OK) outcome = law_case_begin(law_case, step);
  char *story = law_case->bench.story; /* the point is told below */
  law_case->bench.story = NULL;
  if (outcome == LAW_CASE_OK) outcome = law_case_answer(law_case, step);
  law_case->bench.story = story;
  if (outcome != LAW_CASE_OK) return outcome;
  if (dls_random_unit(random) < 0.5) {
    double du[DLS_MAX_BLOCK], dr[DLS_MAX_BLOCK];
    law_case_draw_vector(random, c->dim, c->block, speed, c->radius, du);
    law_case_draw_vector(random, c->dim, c->block, speed * c->mass, 1 / c->radius, dr);
    for (int k = 0; k < c->block; k++) {
      step->u[k] += du[k];
      step->r[k] += dr[k];
    }
  }
  law_case_say_step(law_case, "point (u and r are free of each other)", step);
  return LAW_CASE_OK;
}

/* F at (u, r) + eps (du, dr), and its derivative there along (du, dr). */
static bool along(const LawCaseStep *step, double eps, const double *du, const double *dr,
                  double *F, double *slope) {
  const int n = step->contact.block;
  double u[DLS_MAX_BLOCK] = {0}, r[DLS_MAX_BLOCK] = {0};
  double Fu[DLS_MAX_BLOCK * DLS_MAX_BLOCK], Fr[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  for (int k = 0; k < n; k++) {
    u[k] = step->u[k] + eps * du[k];
    r[k] = step->r[k] + eps * dr[k];
  }
  if (step->custom.residual(step->custom.context, u, r, F, Fu, Fr) != DLS_OK) return false;
  for (int k = 0; k < n; k++)
    slope[k] = dls_small_dot(n, Fu + k * n, du) + dls_small_dot(n, Fr + k * n, dr);
  return true;
}

/* What a line through a point shows: the smallest error over the lengths e, and both slopes
 * there. */
typedef struct {
  double error, size, exact, finite;
} Slope;

/* Semismoothness: |F(x + e d) - F(x) - e J(x + e d) d| = o(e). It holds at kinks too, for any
 * element of the generalised derivative, and fails for a wrong term at every e. False when the law
 * fails. */
static bool measure(LawCase *law_case, const LawCaseStep *step, const double *du, const double *dr,
                    const char *what, Slope *out) {
  const int n = step->contact.block;
  double F0[DLS_MAX_BLOCK], F[DLS_MAX_BLOCK], slope[DLS_MAX_BLOCK] = {0};
  *out = (Slope){.error = INFINITY};
  if (!along(step, 0, du, dr, F0, slope)) return false;
  for (int decade = 3; decade < 10; decade++) {
    const double eps = pow(10, -decade);
    Slope here = {.error = -1};
    if (!along(step, eps, du, dr, F, slope)) return false;
    for (int k = 0; k < n; k++) {
      const double difference = (F[k] - F0[k]) / eps;
      out->size = fmax(out->size, fmax(fabs(difference), fabs(slope[k])));
      if (fabs(difference - slope[k]) > here.error)
        here = (Slope){fabs(difference - slope[k]), 0, slope[k], difference};
    }
    law_case_say(law_case, "  along %s, e = 1e-%d: J d = %.9g, (F(x + e d) - F(x)) / e = %.9g\n",
                 what, decade, here.exact, here.finite);
    if (here.error < out->error) *out = (Slope){here.error, out->size, here.exact, here.finite};
  }
  return true;
}

/* At a point where F leaves zero as a power just above 1 the error falls too slowly to be seen:
 * then the line is tried again from beside it. `scale` is an impulse. */
static void judge_direction(LawCase *law_case, const LawCaseStep *step, const double *du,
                            const double *dr, double scale, const char *what) {
  const DlsContact *c = &step->contact;
  Slope slope;
  bool done = measure(law_case, step, du, dr, what, &slope);
  if (done && slope.error > 1e-3 * slope.size + 1e-8 * scale) {
    LawCaseStep beside = *step; /* its custom relation still speaks of *step, whose contact it is */
    double shift[DLS_MAX_BLOCK];
    law_case_draw_vector(&law_case->bench.random, c->dim, c->block, 1e-4 * scale / c->mass,
                         c->radius, shift);
    for (int k = 0; k < c->block; k++) beside.u[k] += shift[k];
    law_case_draw_vector(&law_case->bench.random, c->dim, c->block, 1e-4 * scale, 1 / c->radius,
                         shift);
    for (int k = 0; k < c->block; k++) beside.r[k] += shift[k];
    done = measure(law_case, &beside, du, dr, what, &slope);
  }
  if (!done)
    law_case_broken(law_case, "residual: %s", dls_error_message());
  else
    law_case_judge(law_case, slope.error, 1e-3 * slope.size + 1e-8 * scale,
                   "along %s the derivative gives %.6g, finite differences %.6g", what, slope.exact,
                   slope.finite);
}

static void run_derivatives(LawCase *law_case) {
  LawCaseStep step;
  if (draw_point(law_case, &step) != LAW_CASE_OK || step.relation.cone != DLS_CONE_CUSTOM) return;
  const DlsContact *c = &step.contact;
  const double speed = law_case_speed(&step) + 1e-9, impulse = c->mass * speed;
  double zero[DLS_MAX_BLOCK] = {0}, d[DLS_MAX_BLOCK], other[DLS_MAX_BLOCK];
  char what[16];
  for (int k = 0; k < c->block; k++) {
    memset(d, 0, sizeof d);
    snprintf(what, sizeof what, "u[%d]", k);
    d[k] = k < c->dim ? speed : speed / c->radius;
    judge_direction(law_case, &step, d, zero, impulse, what);
    snprintf(what, sizeof what, "r[%d]", k);
    d[k] = k < c->dim ? impulse : impulse * c->radius;
    judge_direction(law_case, &step, zero, d, impulse, what);
  }
  law_case_draw_vector(&law_case->bench.random, c->dim, c->block, speed, c->radius, d);
  law_case_draw_vector(&law_case->bench.random, c->dim, c->block, impulse, 1 / c->radius, other);
  judge_direction(law_case, &step, d, other, impulse, "a random line");
}

const LawCaseCheck law_case_derivatives = {
    .name = "derivatives",
    .question = "dF_du and dF_dr against finite differences, at kinks too",
    .tolerance = "1e-3 of the slope",
    .cases = 2000,
    .applies = has_residual,
    .run = run_derivatives,
};

static const char *has_projection(const DlsLaw *law) {
  return law->prepare || law->project || law->traction ? NULL
                                                       : "the law has neither prepare nor project";
}

/* r <- P(r): the law's step with a rho that leaves nothing of û; or the cone's projection. */
static bool project(const LawCaseStep *step, double rho, double *r) {
  const int n = step->contact.block;
  if (step->relation.cone == DLS_CONE_CUSTOM)
    return step->custom.project(step->custom.context, step->u, rho, r) == DLS_OK;
  dls_cone_project(&step->relation, step->contact.dim, n, r);
  return true;
}

static double distance(int n, const double *x, const double *y) {
  double d[DLS_MAX_BLOCK];
  for (int k = 0; k < n; k++) d[k] = x[k] - y[k];
  return dls_small_norm(n, d);
}

/* |P(P(x)) - P(x)|, the least for several rho that leave nothing of û: a law with a compliance has
 * a resolvent for P, which becomes a projection as rho vanishes, and may lose its digits where rho
 * is least. */
static double again(const LawCaseStep *step, const double *x, double *Px, double *PPx) {
  const double rhos[] = {1e-200, 1e-30 * step->contact.mass, 1e-15 * step->contact.mass};
  const size_t bytes = DLS_MAX_BLOCK * sizeof *x;
  double least = INFINITY;
  for (int k = 0; k < DLS_COUNT(rhos); k++) {
    double once[DLS_MAX_BLOCK], twice[DLS_MAX_BLOCK];
    memcpy(once, x, bytes);
    if (!project(step, rhos[k], once)) return NAN;
    memcpy(twice, once, bytes);
    if (!project(step, rhos[k], twice)) return NAN;
    const double moved = distance(step->contact.block, once, twice);
    if (!(moved < least)) continue;
    least = moved;
    memcpy(Px, once, bytes);
    memcpy(PPx, twice, bytes);
  }
  return least;
}

/* How much farther apart P(x) and P(y) are than x and y, as a part of their size, where torques
 * count over `length`. */
static double expansion(const LawCaseStep *step, const double *x, const double *y, const double *Px,
                        const double *Py, double length) {
  double far = 0, near = 0, size = 0;
  for (int k = 0; k < step->contact.block; k++) {
    const double arm = k < step->contact.dim ? 1 : length;
    far = hypot(far, (x[k] - y[k]) / arm);
    near = hypot(near, (Px[k] - Py[k]) / arm);
    size = hypot(size, hypot(x[k], y[k]) / arm);
  }
  return (near - far) / size;
}

/* The least of it over lengths of all sizes: a torque counts as it is, in N m s, or by a length of
 * the law's own choice, such as that of its contact area. */
static double least_expansion(const LawCaseStep *step, const double *x, const double *y,
                              const double *Px, const double *Py) {
  double least = expansion(step, x, y, Px, Py, 1);
  const int lengths = step->contact.block > step->contact.dim ? 97 : 1;
  for (int k = 0; k < lengths; k++)
    least = fmin(least, expansion(step, x, y, Px, Py,
                                  step->contact.radius * pow(10, (k - lengths / 2) / 8.0)));
  return least;
}

/* The law's own P may be a product of intervals and discs, whose size follows r_N: it is compared
 * at equal r_N. A projection on a cone is compared anywhere. */
static void judge_projection(LawCase *law_case, const LawCaseStep *step) {
  const int n = step->contact.block;
  const DlsContact *c = &step->contact;
  const double impulse = law_case_impulse(step), nothing = 1e-200;
  double x[DLS_MAX_BLOCK] = {0}, y[DLS_MAX_BLOCK] = {0}, Px[DLS_MAX_BLOCK] = {0},
         PPx[DLS_MAX_BLOCK] = {0}, Py[DLS_MAX_BLOCK];
  law_case_draw_vector(&law_case->bench.random, c->dim, n, impulse, 1 / c->radius, x);
  law_case_draw_vector(&law_case->bench.random, c->dim, n, impulse, 1 / c->radius, y);
  /* Where x_N is 0 all that is left of r_N is rho û_N, and no rho is small beside it. */
  if (step->relation.cone == DLS_CONE_CUSTOM && x[0] == 0) x[0] = impulse;
  if (step->relation.cone == DLS_CONE_CUSTOM && dls_random_unit(&law_case->bench.random) < 0.7)
    y[0] = x[0];
  const bool level = y[0] == x[0] || step->relation.cone != DLS_CONE_CUSTOM;
  const double moved = again(step, x, Px, PPx);
  const double size = dls_small_norm(n, x) + dls_small_norm(n, y) + 1e-6 * impulse + 1e-150;
  law_case_say_vector(law_case, "x", x, n, "N s");
  law_case_say_vector(law_case, "P(x)", Px, n, "N s");
  law_case_say_vector(law_case, "P(P(x))", PPx, n, "N s");
  law_case_judge(law_case, moved, 1e-9 * size,
                 "P(P(x)) = (%.6g, %.6g, ...), but P(x) = (%.6g, %.6g, ...)", PPx[0], PPx[1], Px[0],
                 Px[1]);
  memcpy(Px, x, sizeof Px);
  memcpy(Py, y, sizeof Py);
  if (!project(step, nothing, Px) || !project(step, nothing, Py)) {
    law_case_broken(law_case, "project: %s", dls_error_message());
    return;
  }
  const double far = distance(n, x, y), near = distance(n, Px, Py);
  if (level)
    law_case_judge(law_case, far > 0 ? least_expansion(step, x, y, Px, Py) : 0, 1e-9,
                   "|P(x) - P(y)| = %.6g, but |x - y| = %.6g N s", near, far);
  else
    law_case_judge(law_case, fabs(Px[0] - Py[0]) - far, 1e-9 * size,
                   "|P_N(x) - P_N(y)| = %.6g, but |x - y| = %.6g N s", fabs(Px[0] - Py[0]), far);
}

/* A solution is a fixed point of the step, whatever rho. */
static void judge_fixed_point(LawCase *law_case, LawCaseStep *step) {
  const int n = step->contact.block;
  if (law_case_answer(law_case, step) != LAW_CASE_OK || step->outcome == DLS_LOCAL_NONE) return;
  const double rho = step->contact.mass * dls_bench_log_uniform(&law_case->bench.random, -2, 2);
  double r[DLS_MAX_BLOCK];
  memcpy(r, step->r, sizeof r);
  if (!project(step, rho, r)) {
    law_case_broken(law_case, "project: %s", dls_error_message());
    return;
  }
  law_case_judge(
      law_case, distance(n, r, step->r),
      1e-6 * (law_case_impulse(step) + rho * law_case_speed(step)) + 1e-300,
      "a solution r = (%.6g, %.6g, ...) is moved to (%.6g, %.6g, ...) by project, rho = %.3g",
      step->r[0], step->r[1], r[0], r[1], rho);
}

static void run_projection(LawCase *law_case) {
  LawCaseStep step;
  if (draw_point(law_case, &step) != LAW_CASE_OK) return;
  const bool custom = step.relation.cone == DLS_CONE_CUSTOM;
  if (custom && !step.custom.project) return;
  judge_projection(law_case, &step);
  if (custom) judge_fixed_point(law_case, &step);
}

const LawCaseCheck law_case_projection = {
    .name = "projection",
    .question = "the projection is idempotent and non-expansive, solutions are its fixed points",
    .tolerance = "1e-9 of the impulse",
    .cases = 2000,
    .applies = has_projection,
    .run = run_projection,
};
