/* What reports say was done is what was done: an operator that counts its own products beside the
 * counts of a report, and what follows of the counts for every solver. */
#include "tests/solving.h"

#include "problem/operator/operator_impl.h"

/* W of another operator, whose products are counted. It shows no rows and no parts, so that who
 * wants more than a product assembles it, which is not a product of the solve. */
typedef struct {
  DlsOperator base; /* first, as in every form */
  DlsOperator *inside;
} Counting;

static long products;

static void apply(const DlsOperator *base, const double *r, double *u) {
  const Counting *W = (const Counting *)base;
  products++;
  W->inside->does->apply(W->inside, r, u);
}

static void destroy(DlsOperator *base) {
  dls_operator_destroy(&((Counting *)base)->inside);
  free(base);
}

static void diagonal(const DlsOperator *base, double *D) {
  dls_operator_diagonal(((const Counting *)base)->inside, D);
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  return dls_operator_assemble(((const Counting *)base)->inside, out);
}

static const DlsOperatorForm form = {.name = "counting",
                                     .apply = apply,
                                     .destroy = destroy,
                                     .diagonal = diagonal,
                                     .assemble = assemble};

/* The same problem on an operator that counts. */
static DlsProblem *wrap(const DlsProblem *problem) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  Counting *W = calloc(1, sizeof *W);
  DlsRelation *relations = calloc((size_t)contacts, sizeof *relations);
  DlsProblem *out = NULL;
  W->base = (DlsOperator){.does = &form, .contacts = contacts, .block = block};
  CHECK_OK(dls_operator_assemble(dls_problem_operator(problem), &W->inside));
  for (int i = 0; i < contacts; i++) relations[i] = *dls_problem_relation(problem, i);
  DlsOperator *base = &W->base;
  CHECK_OK(dls_problem_create(dls_problem_dim(problem), &base, dls_problem_q(problem), relations,
                              NULL, &out));
  free(relations);
  return out;
}

/* A solver whose products are read when it is ended, before the certificate makes its own. */
static const DlsSolver *watched;
static long products_then;

static void end(void *self) {
  products_then = products;
  watched->destroy(self);
}

static DlsReport solve_watched(const DlsSolver *solver, const DlsProblem *problem,
                               const DlsLimits *limits) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  DlsSolver copy = *solver;
  DlsReport report;
  watched = solver;
  copy.destroy = end;
  products = products_then = 0;
  CHECK_OK(dls_solve(&copy, problem, NULL, limits, NULL, r, NULL, &report));
  free(r);
  return report;
}

static DlsProblem *make(const char *name, int size) {
  const DlsSample *sample;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_find(name, &sample));
  DlsSampleParams params = sample->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(name, &params, &problem, NULL));
  return problem;
}

static void check(bool is, const DlsSolver *solver, const char *what, double a, double b) {
  if (!is) test_fail(__FILE__, __LINE__, "%s: %s: %g and %g", solver->name, what, a, b);
}

/* Rows that are not in products are in sweeps, in systems of islands, or in refreshes of a sweep;
 * on this form a sweep has rows of its own. */
TEST(rows_and_contacts_are_what_the_operator_and_the_sweeps_saw) {
  DlsProblem *plain = make("box", 20), *problem = wrap(plain);
  const DlsLimits limits = {
      .tolerance = 1e-6, .max_iterations = 3000, .max_time = 20, .clock = DLS_CLOCK_CPU};
  const long contacts = dls_problem_contacts(problem);
  FOR_EACH_SOLVER (solver) {
    const DlsReport report = solve_watched(solver, problem, &limits);
    const DlsWork *work = &report.work;
    const long in_products = products_then * contacts, in_sweeps = work->sweeps * contacts;
    const bool sweeps_alone = strcmp(solver->name, "nsgs") == 0;
    const bool products_alone = work->sweeps == 0 && work->newton_steps == 0 &&
                                work->factorisations == 0 && work->partial_sweeps == 0;
    check(work->measures > 0, solver, "measures", (double)work->measures, 0);
    check(work->rows_applied >= in_products, solver, "rows and those of products",
          (double)work->rows_applied, (double)in_products);
    check(work->contacts_solved >= (work->products ? 0 : in_sweeps), solver,
          "contacts and those of sweeps", (double)work->contacts_solved, (double)in_sweeps);
    if (products_alone)
      check(work->rows_applied == in_products, solver, "rows are those of products",
            (double)work->rows_applied, (double)in_products);
    if (products_alone)
      check(products_then >= work->products, solver, "products, and those it tells of",
            (double)products_then, (double)work->products);
    if (sweeps_alone)
      check(work->rows_applied == in_products + in_sweeps, solver, "rows of products and sweeps",
            (double)work->rows_applied, (double)(in_products + in_sweeps));
    if (sweeps_alone)
      check(work->contacts_solved == in_sweeps, solver, "contacts of sweeps",
            (double)work->contacts_solved, (double)in_sweeps);
  }
  dls_problem_destroy(&problem);
  dls_problem_destroy(&plain);
}

/* The sweeps of alm before its first step, which are no iterations, are work. */
TEST(sweeps_before_the_first_step_are_counted) {
  DlsProblem *problem = make("box", 20);
  const DlsLimits limits = {
      .tolerance = 1e-8, .max_iterations = 1, .max_time = 20, .clock = DLS_CLOCK_CPU};
  const DlsSolver *alm;
  CHECK_OK(dls_solver_find("alm", &alm));
  const DlsReport report = solve_watched(alm, problem, &limits);
  CHECK_INT(report.work.sweeps, 200);
  CHECK(report.work.contacts_solved >= 200L * dls_problem_contacts(problem));
  dls_problem_destroy(&problem);
}

/* One island of n rows, dense: LU has 2n³/3 flops, a solve with it 2n². */
TEST(flops_of_dense_factors_are_those_of_the_textbook) {
  DlsProblem *problem = make("table", 4);
  const long n = (long)dls_problem_contacts(problem) * dls_problem_block(problem);
  const DlsLimits limits = {
      .tolerance = 1e-9, .max_iterations = 1000, .max_time = 20, .clock = DLS_CLOCK_CPU};
  const char *names[] = {"alm", "proximal"};
  for (int k = 0; k < 2; k++) {
    const DlsSolver *solver;
    CHECK_OK(dls_solver_find(names[k], &solver));
    const DlsReport report = solve_watched(solver, problem, &limits);
    const long factors = report.work.factorisations, lu = 2 * n * n * n / 3;
    CHECK(factors > 0);
    check(report.work.factor_flops == factors * (lu + 2 * n * n), solver, "flops",
          (double)report.work.factor_flops, (double)(factors * (lu + 2 * n * n)));
  }
  dls_problem_destroy(&problem);
}

/* Sparse factors have at least the entries of the matrix, and their flops: one multiplication each
 * with what is below the pivot. A solver whose linear algebra is not ours counts too. */
TEST(whoever_factors_has_flops) {
  DlsProblem *problem = make("box", 40);
  const DlsLimits limits = {
      .tolerance = 1e-6, .max_iterations = 400, .max_time = 20, .clock = DLS_CLOCK_CPU};
  FOR_EACH_SOLVER (solver) {
    const DlsReport report = solve_watched(solver, problem, &limits);
    const long rows = (long)dls_problem_contacts(problem) * dls_problem_block(problem);
    check(report.work.factorisations == 0 || report.work.factor_flops >= rows, solver,
          "flops of factorisations", (double)report.work.factor_flops,
          (double)report.work.factorisations);
    check(report.work.factorisations > 0 || report.work.factor_flops == 0, solver,
          "flops without factorisations", (double)report.work.factor_flops, 0);
  }
  dls_problem_destroy(&problem);
}

/* By hand: 2 contacts in 3-D that W couples: 2 * 9 * 2 flops a row, 90 a contact. */
TEST(units_by_hand) {
  double dense[36] = {0}, q[6] = {-1, 0, 0, -1, 0, 0};
  DlsRelation relations[2] = {{.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}},
                              {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}}};
  DlsProblem *problem = NULL;
  DlsWorkPrice price;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) dense[6 * i + j] = i == j ? 2 : 0.1;
  CHECK_OK(dls_sample_dense(3, 2, 3, dense, q, relations, NULL, &problem));
  CHECK_OK(dls_work_price(problem, &price));
  CHECK_NEAR(price.row, 36, 0);
  CHECK_NEAR(price.contact, 90, 0);
  CHECK_NEAR(price.product, 72, 0);
  const DlsWork work = {.rows_applied = 4, .contacts_solved = 4, .factor_flops = 144};
  CHECK_NEAR(dls_work_units(&price, &work), 2 + 5 + 2, 1e-14);
  dls_problem_destroy(&problem);
}

/* What does not factor looks at its budget before it has spent twice of it; who does may end one
 * factorisation late. The same budget gives the same counts, whatever the clock. */
TEST(a_budget_of_work_ends_every_solver) {
  DlsProblem *problem = make("box", 40);
  DlsWorkPrice price;
  CHECK_OK(dls_work_price(problem, &price));
  const DlsLimits limits = {.tolerance = 1e-14, .max_work = 150};
  FOR_EACH_SOLVER (solver) {
    const DlsReport report = solve_watched(solver, problem, &limits);
    const DlsReport again = solve_watched(solver, problem, &limits);
    const double spent = dls_work_units(&price, &report.work);
    if (report.outcome != DLS_WORK_LIMIT)
      test_fail(__FILE__, __LINE__, "%s: %s after the work of %g products", solver->name,
                dls_outcome_text(report.outcome), spent);
    check(spent >= 150, solver, "ended before its budget", spent, 150);
    if (report.work.factorisations == 0) check(spent <= 300, solver, "spent", spent, 150);
    CHECK_INT(again.work.rows_applied, report.work.rows_applied);
    CHECK_INT(again.work.contacts_solved, report.work.contacts_solved);
    CHECK_INT(again.work.factor_flops, report.work.factor_flops);
  }
  dls_problem_destroy(&problem);
}
