/* Every solver that takes the law gives the same answer on a few coupled contacts. W is definite
 * with weak coupling, so that the solution of a law with a constant coefficient is one; of others
 * there may be several. A solver that says itself that it did not get there is no fault of the law,
 * as long as one does; two that got to different places are no fault where the law's own relation,
 * asked contact by contact, holds at both. */
#include "law_bench/law_bench_impl.h"

#include <delassus/solver.h>

#include <stdio.h>

enum { CONTACTS = 4, MAX_ROWS = CONTACTS * DLS_MAX_BLOCK, MAX_SOLVERS = 64 };

static const double reached = 1e-9; /* `scaled` error of an answer */

/* What is told of all cases. */
typedef struct {
  long cases, several; /* in which solvers met; with more than one solution */
  long stalls[MAX_SOLVERS];
  char names[MAX_SOLVERS][32];
} Notes;

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
      dls_bench_log_uniform(random, -0.3, 0.3); /* spins weigh as velocities do */
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

/* An answer, and who found it. */
typedef struct {
  const char *solver;
  double u[MAX_ROWS], r[MAX_ROWS];
} Answer;

/* The largest error of the law's own relation over the contacts, each by itself: u = W_ii r + q
 * with what the others give in q. */
static double relation_error(const Scene *scene, const Answer *answer) {
  const int n = scene->block;
  double worst = 0;
  for (int i = 0; i < CONTACTS; i++) {
    static LawCaseStep step;
    double moved[DLS_MAX_BLOCK] = {0};
    step = scene->step[i];
    memcpy(step.D, scene->W + i * (CONTACTS + 1) * n * n, (size_t)(n * n) * sizeof *step.D);
    memcpy(step.r, answer->r + i * n, (size_t)n * sizeof *step.r);
    law_case_multiply(n, step.D, step.r, moved);
    for (int k = 0; k < n; k++) step.q[k] = answer->u[i * n + k] - moved[k];
    worst = fmax(worst, law_case_relation_error(&step));
  }
  return worst;
}

/* Two answers: the largest difference of their velocities against the size of all. */
static void compare(LawCase *law_case, const Scene *scene, const Answer *first,
                    const Answer *other) {
  const int rows = CONTACTS * scene->block;
  double error = 0, size = 0;
  for (int k = 0; k < rows; k++) {
    const int n = scene->block, contact = k / n, part = k % n;
    const double arm = part < scene->dim ? 1 : scene->step[0].contact.radius;
    const double W = scene->W[contact * (CONTACTS + 1) * n * n + part * (n + 1)];
    const double pulled = W * fabs(scene->relation[contact].a[part]); /* what a alone would move */
    error = fmax(error, arm * fabs(other->u[k] - first->u[k]));
    size = fmax(size, arm * fmax(fmax(fabs(scene->q[k]), fabs(first->u[k])), pulled));
  }
  if (error > 1e-6 * size) {
    const double own = relation_error(scene, first), others = relation_error(scene, other);
    law_case_say(law_case, "%s and %s differ; the relation is missed by %.2e and by %.2e\n",
                 first->solver, other->solver, own, others);
    if (fmax(own, others) < 1e-7) {
      ((Notes *)law_case->bench.notes)->several++;
      return;
    }
  }
  law_case_judge(law_case, error, 1e-6 * size, "%s and %s differ by %.3g m/s of %.3g",
                 other->solver, first->solver, error, size);
}

/* Whether the solver took the problem and got to an answer. */
static bool ask_solver(LawCase *law_case, const Scene *scene, const DlsProblem *problem,
                       const DlsSolver *solver, int number, Answer *out, double *error) {
  const int rows = CONTACTS * scene->block;
  const DlsLimits limits = {
      .tolerance = 1e-11, .max_time = 10, .max_iterations = 300000, .measure = DLS_MEASURE_SCALED};
  Notes *notes = law_case->bench.notes;
  DlsReport report;
  *out = (Answer){.solver = solver->name};
  const DlsStatus status = dls_solve(solver, problem, NULL, &limits, NULL, out->r, out->u, &report);
  if (status == DLS_ERR_SOLVER || status == DLS_ERR_UNSUPPORTED) {
    law_case_say(law_case, "%s refuses: %s\n", solver->name, dls_error_message());
    return false;
  }
  if (status != DLS_OK) {
    law_case_broken(law_case, "%s: %s", solver->name, dls_error_message());
    return false;
  }
  law_case_say(law_case, "%s: %s, error %.2e, %ld iterations\n", solver->name,
               dls_outcome_text(report.outcome), report.error, report.iterations);
  law_case_say_vector(law_case, "  u", out->u, rows, "m/s");
  law_case_say_vector(law_case, "  r", out->r, rows, "N s");
  if (!(*error <= report.error)) *error = report.error; /* NAN at first */
  if (report.error <= reached) return true;
  if (number < MAX_SOLVERS) {
    notes->stalls[number]++;
    snprintf(notes->names[number], sizeof notes->names[number], "%s", solver->name);
  }
  return false;
}

static void run_solvers(LawCase *law_case) {
  static Scene scene; /* large; of this process alone */
  DlsProblem *problem = NULL;
  const DlsSolver *const *solvers;
  Answer first = {.solver = NULL}, answer;
  double least = NAN; /* the smallest error of all */
  int count;
  memset(&scene, 0, sizeof scene);
  if (draw_scene(law_case, &scene) != LAW_CASE_OK) return;
  if (make_problem(law_case, &scene, &problem) != DLS_OK ||
      dls_solver_list(&solvers, &count) != DLS_OK) {
    law_case_broken(law_case, "%s", dls_error_message());
    return;
  }
  ((Notes *)law_case->bench.notes)->cases++;
  for (int i = 0; i < CONTACTS; i++) law_case_say_step(law_case, "contact", &scene.step[i]);
  for (int k = 0; k < count; k++) {
    if (!ask_solver(law_case, &scene, problem, solvers[k], k, &answer, &least)) continue;
    if (first.solver)
      compare(law_case, &scene, &first, &answer);
    else
      first = answer;
  }
  if (isnan(least))
    law_case_broken(law_case, "no solver takes the law");
  else
    law_case_judge(law_case, least, reached, "no solver gets below the error %.2e", least);
  dls_problem_destroy(&problem);
}

static void conclude(const DlsLaw *law, DlsBenchResult *result, const void *notes) {
  const Notes *told = notes;
  size_t used = 0;
  (void)law;
  if (told->several)
    used += (size_t)snprintf(result->remark, sizeof result->remark,
                             "several solutions: %ld answers are not the first, and solve it too",
                             told->several);
  const char *head = "solvers that did not get to 1e-9:";
  for (int k = 0; k < MAX_SOLVERS && used + 1 < sizeof result->remark; k++) {
    if (!told->stalls[k]) continue;
    used += (size_t)snprintf(result->remark + used, sizeof result->remark - used,
                             "%s%s %s in %ld of %ld cases", used && *head != ',' ? "; " : "", head,
                             told->names[k], told->stalls[k], told->cases);
    head = ",";
  }
}

const LawCaseCheck law_case_solvers = {
    .name = "solvers",
    .question = "solvers that take the law agree, or each has a solution; four contacts coupled",
    .tolerance = "1e-9 by the scaled error, 1e-6 of the speed",
    .cases = 12,
    .applies = law_case_needs_relation,
    .run = run_solvers,
    .conclude = conclude,
    .note_bytes = sizeof(Notes),
};
