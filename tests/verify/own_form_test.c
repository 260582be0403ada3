/* A form of the operator that lives in this file alone: W = diag(d) + V V^T, with V of a few
 * columns, given by its action. Every solver gives on it the velocities that it gives on the dense
 * W, whether the form can do no more than u = W r, or tells the parts that contacts touch as well:
 * one of its own for each contact, with mass 1 / d, and one of `RANK` velocities that all share. */
#include "tests/solving.h"

#include "base/random.h"
#include "problem/operator/operator_impl.h"

#include <delassus/islands.h>

enum { CONTACTS = 5, BLOCK = 3, ROWS = CONTACTS * BLOCK, RANK = 4 };

typedef struct {
  DlsOperator base; /* first, as in every form */
  double d[ROWS], V[ROWS][RANK];
  double own[CONTACTS][BLOCK * BLOCK]; /* sqrt(d) on the diagonal: how a contact moves its part */
  int start[CONTACTS + 1], part[2 * CONTACTS];
} LowRank;

static void apply(const DlsOperator *base, const double *r, double *u) {
  const LowRank *W = (const LowRank *)base;
  double y[RANK] = {0};
  for (int e = 0; e < ROWS; e++)
    for (int c = 0; c < RANK; c++) y[c] += W->V[e][c] * r[e];
  for (int e = 0; e < ROWS; e++) {
    u[e] = W->d[e] * r[e];
    for (int c = 0; c < RANK; c++) u[e] += W->V[e][c] * y[c];
  }
}

static void destroy(DlsOperator *base) { free(base); }

static DlsStatus pattern(const DlsOperator *base, DlsPattern *out) {
  const LowRank *W = (const LowRank *)base;
  out->parts = CONTACTS + 1;
  out->start = W->start;
  out->part = W->part;
  return DLS_OK;
}

static void touch(const DlsOperator *base, int contact, int k, DlsTouch *out) {
  const LowRank *W = (const LowRank *)base;
  out->part = k == 0 ? contact : CONTACTS;
  out->first = k == 0 ? contact * BLOCK : ROWS;
  out->dof = k == 0 ? BLOCK : RANK;
  out->gather = out->scatter = k == 0 ? W->own[contact] : W->V[contact * BLOCK];
}

static const DlsOperatorForm action = {.name = "action", .apply = apply, .destroy = destroy};
static const DlsOperatorForm parts = {
    .name = "parts", .apply = apply, .destroy = destroy, .pattern = pattern, .touch = touch};

static DlsOperator *draw(const DlsOperatorForm *form, uint64_t seed) {
  LowRank *W = calloc(1, sizeof *W);
  DlsRandom random;
  dls_random_seed(&random, seed);
  W->base = (DlsOperator){
      .does = form, .contacts = CONTACTS, .block = BLOCK, .freedom = form->touch ? ROWS + RANK : 0};
  for (int e = 0; e < ROWS; e++) {
    W->d[e] = 0.5 + dls_random_unit(&random);
    W->own[e / BLOCK][e % BLOCK * (BLOCK + 1)] = sqrt(W->d[e]);
    for (int c = 0; c < RANK; c++) W->V[e][c] = dls_random_normal(&random);
  }
  for (int i = 0; i < CONTACTS; i++) {
    W->part[2 * i] = i;
    W->part[2 * i + 1] = CONTACTS;
    W->start[i + 1] = 2 * i + 2;
  }
  return &W->base;
}

static void write_out(const LowRank *W, double *dense) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++) {
      dense[i * ROWS + j] = i == j ? W->d[i] : 0;
      for (int c = 0; c < RANK; c++) dense[i * ROWS + j] += W->V[i][c] * W->V[j][c];
    }
}

static void draw_load(uint64_t seed, double *q, DlsRelation *relations) {
  DlsRandom random;
  dls_random_seed(&random, seed + 100);
  for (int e = 0; e < ROWS; e++) q[e] = dls_random_normal(&random) - (e % BLOCK == 0);
  for (int i = 0; i < CONTACTS; i++)
    relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB,
                                 .mu = {0.3, 0.3},
                                 .C = {i % 2 ? 0.2 : 0, 0.1, 0.1},
                                 .a = {0.05 * i}};
}

static void check_solvers(const DlsOperatorForm *form) {
  for (uint64_t seed = 1; seed <= 2; seed++) {
    double dense[ROWS * ROWS], q[ROWS];
    DlsRelation relations[CONTACTS];
    DlsProblem *problem = NULL;
    DlsOperator *W = draw(form, seed);
    write_out((const LowRank *)W, dense);
    draw_load(seed, q, relations);
    DlsProblem *known = test_dense_problem(3, CONTACTS, BLOCK, dense, q, relations);
    CHECK_OK(dls_problem_create(3, &W, q, relations, NULL, &problem));
    FOR_EACH_SOLVER (solver) {
      TestRun a = test_solve(solver, problem, 1e-10), b = test_solve(solver, known, 1e-10);
      if (a.report.outcome != DLS_CONVERGED || b.report.outcome != DLS_CONVERGED)
        test_fail(__FILE__, __LINE__, "form %s, %s: %s and %s", form->name, solver->name,
                  dls_outcome_text(a.report.outcome), dls_outcome_text(b.report.outcome));
      CHECK_BELOW(test_apart(ROWS, a.u, b.u), 1e-7 * (1 + test_size(ROWS, b.u)));
      test_end(&a);
      test_end(&b);
    }
    dls_problem_destroy(&problem);
    dls_problem_destroy(&known);
  }
}

TEST(every_solver_solves_with_the_action_of_W_alone) { check_solvers(&action); }
TEST(every_solver_solves_on_parts_of_any_size) { check_solvers(&parts); }

/* What is left out of the table is done from the action. */
TEST(diagonal_rows_and_fingerprint_come_from_the_action) {
  double dense[ROWS * ROWS], D[ROWS * BLOCK], w[CONTACTS];
  DlsOperator *W = draw(&action, 3), *own = NULL;
  DlsBlockRows rows;
  write_out((const LowRank *)W, dense);
  dls_operator_diagonal(W, D);
  CHECK_OK(dls_operator_normals(W, w));
  CHECK_OK(dls_operator_rows(W, &own, &rows));
  CHECK_INT(rows.start[CONTACTS], CONTACTS * CONTACTS);
  for (int i = 0; i < CONTACTS; i++) {
    CHECK_NEAR(w[i], dense[i * BLOCK * (ROWS + 1)], 1e-13);
    for (int j = 0; j < CONTACTS; j++)
      for (int e = 0; e < BLOCK * BLOCK; e++) {
        const int row = i * BLOCK + e / BLOCK, column = j * BLOCK + e % BLOCK;
        const double value = rows.value[(rows.start[i] + j) * BLOCK * BLOCK + e];
        CHECK_NEAR(value, dense[row * ROWS + column], 1e-13);
        if (i == j) CHECK_NEAR(D[i * BLOCK * BLOCK + e], value, 0);
      }
  }
  dls_operator_destroy(&own);
  dls_operator_destroy(&W);
}

/* What cannot be done fails, with the name of the form. */
TEST(what_a_form_cannot_do_fails_with_its_name) {
  double x[ROWS] = {0}, y[ROWS];
  DlsSparse M, H;
  DlsOperator *W = draw(&action, 4);
  CHECK_FAILS(dls_operator_velocity(W, x, y), DLS_ERR_ARGUMENT, "`action` has no bodies");
  CHECK_FAILS(dls_operator_solve_mass(W, x, y), DLS_ERR_ARGUMENT, "`action` has no mass");
  CHECK_FAILS(dls_operator_bodies(W, &M, &H), DLS_ERR_ARGUMENT, "`action` does not keep");
  dls_operator_destroy(&W);
}

/* Without the shared part each contact is alone. */
TEST(islands_come_from_the_parts) {
  int island[CONTACTS], count = 0;
  LowRank *W = (LowRank *)draw(&parts, 5);
  DlsOperator *base = &W->base;
  CHECK_OK(dls_islands_find(base, island, &count));
  CHECK_INT(count, 1);
  for (int i = 0; i < CONTACTS; i++) {
    W->part[i] = i;
    W->start[i + 1] = i + 1;
  }
  CHECK_OK(dls_islands_find(base, island, &count));
  CHECK_INT(count, CONTACTS);
  dls_operator_destroy(&base);
}
