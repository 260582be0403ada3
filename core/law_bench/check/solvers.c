/* Every solver that takes the law gives the same answer on a few coupled contacts. W is definite
 * with weak coupling, so that the solution is one. */
#include "law_bench/law_bench_impl.h"

#include <delassus/solver.h>

enum { CONTACTS = 4, MAX_ROWS = CONTACTS * DLS_MAX_BLOCK };

typedef struct {
  LawCaseStep step[CONTACTS];
  DlsRelation relation[CONTACTS];
  DlsCustomRelation custom[CONTACTS];
  double W[MAX_ROWS * MAX_ROWS], q[MAX_ROWS];
  int block, dim;
} Scene;

/* The same law and masses everywhere, each contact with a gap and velocities of its own. */
static LawCaseOutcome draw_scene(LawCase *law_case, Scene *scene) {
  DlsRandom *random = &law_case->bench.random;
  LawCaseStep *first = &scene->step[0];
  law_case->bench.number *= 4; /* the parameters as given */
  law_case_draw_laws(law_case, first);
  law_case->bench.number /= 4;
  law_case_draw_contact(law_case, first);
  first->contact.radius =
      law_case_log_uniform(random, -0.3, 0.3); /* spins weigh as velocities do */
  law_case_draw_matrix(law_case, first, LAW_CASE_NORMAL_APART, 0);
  const int n = scene->block = first->contact.block;
  scene->dim = first->contact.dim;
  double speed = dls_small_norm(scene->dim, first->contact.u_before);
  if (!(speed > 0)) speed = 1;
  for (int i = 0; i < CONTACTS; i++) {
    LawCaseStep *step = &scene->step[i];
    if (i > 0) *step = *first;
    DlsContact *c = &step->contact;
    law_case_draw_vector(random, c->dim, n, speed, c->radius, c->u_before);
    c->gap = i % 2 ? 0 : speed * c->h * dls_random_unit(random);
    c->gap_rate = c->gap > 0 ? c->gap / c->h : 0;
    for (int k = 0; k < n; k++) step->q[k] = c->u_before[k];
    step->q[0] -= speed;
    LawCaseOutcome outcome = law_case_orient(law_case, step);
    if (outcome == LAW_CASE_OK) outcome = law_case_begin(law_case, step);
    if (outcome == LAW_CASE_OK) outcome = law_case_prepare(law_case, step);
    if (outcome != LAW_CASE_OK) return outcome;
    scene->relation[i] = step->relation;
    scene->custom[i] = step->custom;
    memcpy(scene->q + i * n, step->q, (size_t)n * sizeof *step->q);
  }
  return LAW_CASE_OK;
}

/* W = S (diagonal blocks + a share of B B^T between them) S, as block rows. */
static DlsStatus make_problem(LawCase *law_case, Scene *scene, DlsProblem **out) {
  const int n = scene->block, rows = CONTACTS * n;
  double B[MAX_ROWS * MAX_ROWS], scale[MAX_ROWS];
  int start[CONTACTS + 1], column[CONTACTS * CONTACTS];
  for (int k = 0; k < rows * rows; k++) B[k] = dls_random_normal(&law_case->bench.random);
  for (int k = 0; k < rows; k++) scale[k] = sqrt(scene->step[0].D[k % n * (n + 1)]);
  for (int i = 0; i < CONTACTS; i++) {
    start[i] = i * CONTACTS;
    for (int j = 0; j < CONTACTS; j++) {
      column[i * CONTACTS + j] = j;
      double *value = scene->W + (i * CONTACTS + j) * n * n;
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
          const int row = i * n + a, other = j * n + b;
          double sum = 0;
          for (int k = 0; k < rows; k++) sum += B[row * rows + k] * B[other * rows + k];
          value[a * n + b] = 0.15 * scale[row] * scale[other] * sum / rows +
                             (i == j ? scene->step[i].D[a * n + b] : 0);
        }
    }
  }
  start[CONTACTS] = CONTACTS * CONTACTS;
  DlsOperator *W = NULL;
  DLS_TRY(dls_operator_create_assembled(CONTACTS, n, start, column, scene->W, &W));
  bool custom = false;
  for (int i = 0; i < CONTACTS; i++) custom |= scene->relation[i].cone == DLS_CONE_CUSTOM;
  return dls_problem_create(scene->dim, &W, scene->q, scene->relation,
                            custom ? scene->custom : NULL, out);
}

static void judge_solver(LawCase *law_case, const Scene *scene, const DlsProblem *problem,
                         const DlsSolver *solver, double *first, const char **first_name) {
  const int rows = CONTACTS * scene->block;
  const DlsLimits limits = {
      .tolerance = 1e-11, .max_time = 10, .max_iterations = 300000, .measure = DLS_MEASURE_SCALED};
  double r[MAX_ROWS] = {0}, u[MAX_ROWS] = {0}, error = 0, size = 0;
  DlsReport report;
  const DlsStatus status = dls_solve(solver, problem, NULL, &limits, NULL, r, u, &report);
  if (status == DLS_ERR_SOLVER || status == DLS_ERR_UNSUPPORTED) {
    law_case_say(law_case, "%s refuses: %s\n", solver->name, dls_error_message());
    return;
  }
  if (status != DLS_OK) {
    law_case_broken(law_case, "%s: %s", solver->name, dls_error_message());
    return;
  }
  law_case_say(law_case, "%s: %s, error %.2e, %ld iterations\n", solver->name,
               dls_outcome_text(report.outcome), report.error, report.iterations);
  law_case_say_vector(law_case, "  u", u, rows, "m/s");
  law_case_say_vector(law_case, "  r", r, rows, "N s");
  law_case_judge(law_case, report.error, 1e-9, "%s ends %s, at the error %.2e", solver->name,
                 dls_outcome_text(report.outcome), report.error);
  if (!*first_name) {
    *first_name = solver->name;
    memcpy(first, u, sizeof u);
    return;
  }
  for (int k = 0; k < rows; k++) {
    const int n = scene->block, contact = k / n, part = k % n;
    const double arm = part < scene->dim ? 1 : scene->step[0].contact.radius;
    const double W = scene->W[contact * (CONTACTS + 1) * n * n + part * (n + 1)];
    const double pulled = W * fabs(scene->relation[contact].a[part]); /* what a alone would move */
    error = fmax(error, arm * fabs(u[k] - first[k]));
    size = fmax(size, arm * fmax(fmax(fabs(scene->q[k]), fabs(first[k])), pulled));
  }
  law_case_judge(law_case, error, 1e-6 * size, "%s and %s differ by %.3g m/s of %.3g", solver->name,
                 *first_name, error, size);
}

static void run_solvers(LawCase *law_case) {
  static Scene scene; /* large; of this process alone */
  DlsProblem *problem = NULL;
  const DlsSolver *const *solvers;
  const char *first_name = NULL;
  double first[MAX_ROWS] = {0};
  int count;
  memset(&scene, 0, sizeof scene);
  if (draw_scene(law_case, &scene) != LAW_CASE_OK) return;
  if (make_problem(law_case, &scene, &problem) != DLS_OK ||
      dls_solver_list(&solvers, &count) != DLS_OK) {
    law_case_broken(law_case, "%s", dls_error_message());
    return;
  }
  for (int i = 0; i < CONTACTS; i++) law_case_say_step(law_case, "contact", &scene.step[i]);
  for (int k = 0; k < count; k++)
    judge_solver(law_case, &scene, problem, solvers[k], first, &first_name);
  if (!first_name) law_case_broken(law_case, "no solver takes the law");
  dls_problem_destroy(&problem);
}

const LawCaseCheck law_case_solvers = {
    .name = "solvers",
    .question = "all solvers that take the law give the same answer, four contacts coupled",
    .cases = 12,
    .applies = law_case_needs_relation,
    .run = run_solvers,
};
