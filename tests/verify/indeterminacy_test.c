/* Forces that are not unique: intervals of normal reactions in closed form, against another
 * program for linear programmes, and bracketed in 3-D. */
#include <delassus/indeterminacy.h>
#include <delassus/solver.h>
#include <math.h>
#include <stdlib.h>

#include "sample/dense.h"
#include "tests/linear_program.h"
#include "tests/test.h"

/* W = H M^-1 H^T and q = H M^-1 P of a few bodies with unit masses, H [rows][freedom]. */
typedef struct {
  int dim, contacts, freedom;
  double *H, *P;
  double mu;
} System;

static System open_system(int dim, int contacts, int freedom, double mu) {
  System s = {.dim = dim, .contacts = contacts, .freedom = freedom, .mu = mu};
  s.H = calloc((size_t)(contacts * dim * freedom), sizeof *s.H);
  s.P = calloc((size_t)freedom, sizeof *s.P);
  CHECK(s.H && s.P);
  return s;
}

static void close_system(System *s) {
  free(s->H);
  free(s->P);
}

static double *row(const System *s, int contact, int component) {
  return s->H + (size_t)(contact * s->dim + component) * (size_t)s->freedom;
}

static DlsProblem *make(const System *s) {
  const int rows = s->contacts * s->dim;
  double *W = calloc((size_t)(rows * rows), sizeof *W), *q = calloc((size_t)rows, sizeof *q);
  DlsRelation *relation = calloc((size_t)s->contacts, sizeof *relation);
  DlsProblem *problem = NULL;
  CHECK(W && q && relation);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < s->freedom; k++) {
      const double h = s->H[i * s->freedom + k];
      q[i] += h * s->P[k];
      for (int j = 0; j < rows; j++) W[i * rows + j] += h * s->H[j * s->freedom + k];
    }
  for (int i = 0; i < s->contacts; i++)
    relation[i] = (DlsRelation){.cone = s->mu > 0 ? DLS_CONE_COULOMB : DLS_CONE_SIGNORINI,
                                .mu = {s->mu, s->mu}};
  CHECK_OK(dls_sample_dense(s->dim, s->contacts, s->dim, W, q, relation, NULL, &problem));
  free(W), free(q), free(relation);
  return problem;
}

/* Solves, and finds the intervals. */
static DlsIndeterminacy measure(const System *s, const DlsIndeterminacyOptions *options,
                                DlsForceInterval *interval, double *r) {
  const DlsSolver *solver;
  DlsIndeterminacy found;
  DlsReport report;
  DlsLimits limits = dls_limits_default();
  DlsProblem *problem = make(s);
  limits.tolerance = 1e-11;
  CHECK_OK(dls_solver_find("auto", &solver));
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome == DLS_CONVERGED);
  CHECK_OK(dls_indeterminacy_measure(problem, r, options, &found, interval, NULL));
  dls_problem_destroy(&problem);
  return found;
}

/* A disk of unit weight and radius between two planes whose normals lean by `lean` from the
 * vertical. Its torques cancel, T2 = -T1, so that N1 = N2 = N, and N cos lean + T sin lean = 1/2
 * with |T| <= mu N: N from 1/2 / (cos + mu sin) to 1/2 / (cos - mu sin), without limit where mu tan
 * lean >= 1. */
static void check_groove(double lean, double mu) {
  System s = open_system(2, 2, 3, mu);
  DlsForceInterval interval[2];
  double r[4] = {0};
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1;
    double *n = row(&s, side, 0), *t = row(&s, side, 1);
    n[0] = sign * sin(lean), n[1] = cos(lean);
    t[0] = -n[1], t[1] = n[0], t[2] = 1; /* the point is at minus the normal */
  }
  s.P[1] = -1;
  const DlsIndeterminacy found = measure(&s, NULL, interval, r);
  CHECK_INT(found.self_stress, 1);
  CHECK_INT(found.unknowns, 4);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(interval[i].low, 0.5 / (cos(lean) + mu * sin(lean)), 1e-8);
    if (mu * tan(lean) >= 1)
      CHECK(isinf(interval[i].high));
    else
      CHECK_NEAR(interval[i].high, 0.5 / (cos(lean) - mu * sin(lean)), 1e-8);
    CHECK(interval[i].low <= r[2 * i] + 1e-9 && r[2 * i] <= interval[i].high + 1e-9);
  }
  CHECK_INT(found.unlimited, mu * tan(lean) >= 1 ? 2 : 0);
  close_system(&s);
}

TEST(a_disk_in_a_groove) {
  check_groove(0.5, 0.3);
  check_groove(1.0, 0.5);
  check_groove(1.2, 0.5); /* wedged: 0.5 tan 1.2 = 1.29 */
}

/* A column of disks: each force is the weight above it, whatever friction could do. */
TEST(a_column_is_decided) {
  enum { HIGH = 5 };
  System s = open_system(2, HIGH, 3 * HIGH, 0.4);
  DlsForceInterval interval[HIGH];
  double r[2 * HIGH] = {0};
  for (int i = 0; i < HIGH; i++) {
    double *n = row(&s, i, 0), *t = row(&s, i, 1);
    n[3 * i + 1] = 1, t[3 * i] = 1, t[3 * i + 2] = 1;
    if (i > 0) n[3 * i - 2] = -1, t[3 * i - 3] = -1, t[3 * i - 1] = 1;
    s.P[3 * i + 1] = -1;
  }
  const DlsIndeterminacy found = measure(&s, NULL, interval, r);
  CHECK_INT(found.self_stress, 0);
  CHECK_INT(found.decided, HIGH);
  for (int i = 0; i < HIGH; i++) {
    CHECK_NEAR(interval[i].low, HIGH - i, 1e-7);
    CHECK_NEAR(interval[i].high, HIGH - i, 1e-7);
  }
  close_system(&s);
}

/* Maury, slide 70: 14 discs of a triangular lattice touch 29 times, more often than they have
 * velocities. */
enum { DISCS = 14, TOUCHES = 29 };

static System fourteen_discs(double pressure) {
  static const int long_rows[] = {3, 4, 4, 3}; /* offset by half a disc each */
  static const double begin[] = {0.5, 0, 0.5, 1};
  double x[DISCS][2], middle[2] = {0, 0};
  System s = open_system(2, TOUCHES, 2 * DISCS, 0);
  int count = 0, touches = 0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < long_rows[k]; i++, count++) {
      x[count][0] = begin[k] + i, x[count][1] = k * sqrt(0.75);
      middle[0] += x[count][0] / DISCS, middle[1] += x[count][1] / DISCS;
    }
  CHECK_INT(count, DISCS);
  for (int i = 0; i < DISCS; i++)
    for (int j = i + 1; j < DISCS; j++) {
      const double d[2] = {x[j][0] - x[i][0], x[j][1] - x[i][1]};
      if (hypot(d[0], d[1]) > 1.001) continue;
      CHECK(touches < TOUCHES);
      double *n = row(&s, touches++, 0);
      for (int k = 0; k < 2; k++) n[2 * i + k] = -d[k], n[2 * j + k] = d[k];
    }
  CHECK_INT(touches, TOUCHES);
  for (int i = 0; i < DISCS; i++)
    for (int k = 0; k < 2; k++) s.P[2 * i + k] = -pressure * (x[i][k] - middle[k]);
  return s;
}

TEST(fourteen_discs_alone_carry_nothing) {
  System s = fourteen_discs(0);
  DlsForceInterval interval[TOUCHES];
  double r[2 * TOUCHES] = {0};
  const DlsIndeterminacy found = measure(&s, NULL, interval, r);
  CHECK_INT(found.self_stress, TOUCHES - (2 * DISCS - 3));
  CHECK_INT(found.decided, TOUCHES);
  for (int i = 0; i < TOUCHES; i++) CHECK_BELOW(interval[i].high, 1e-9);
  close_system(&s);
}

/* Pressed together: each interval against the simplex method of the tests. */
TEST(fourteen_discs_pressed) {
  System s = fourteen_discs(1);
  DlsForceInterval interval[TOUCHES];
  double r[2 * TOUCHES] = {0};
  int wide = 0;
  const DlsIndeterminacy found = measure(&s, NULL, interval, r);
  CHECK_INT(found.self_stress, 4);
  LinearProgram lp;
  lp_open(&lp, 2 * DISCS, TOUCHES);
  for (int k = 0; k < 2 * DISCS; k++) {
    const double sign = s.P[k] < 0 ? 1 : -1; /* b >= 0: H^T r = -P */
    for (int i = 0; i < TOUCHES; i++) *lp_at(&lp, k, i) = sign * row(&s, i, 0)[k];
    lp.b[k] = sign * -s.P[k];
  }
  for (int i = 0; i < TOUCHES; i++)
    for (int sense = -1; sense <= 1; sense += 2) {
      double c[TOUCHES] = {0}, best = 0;
      c[i] = sense;
      CHECK(lp_solve(&lp, c, &best) == LP_OPTIMAL);
      CHECK_NEAR(sense > 0 ? interval[i].high : interval[i].low, sense * best, 1e-7);
      wide += sense > 0 && interval[i].high - interval[i].low > 0.1;
    }
  CHECK(wide > 10);
  lp_close(&lp);
  close_system(&s);
}

/* A particle between two planes in 3-D, tangents turned about the normals so that no corner of the
 * polygon lies where the force is largest. In the plane of both normals f1 + f2 = 1 upwards, f1 and
 * f2 within phi of their normals: the set of f1 has its corners where both stand at edges of their
 * cones. */
static double exact(double lean, double mu, int sense) {
  double best = sense > 0 ? -INFINITY : INFINITY;
  for (int a = -1; a <= 1; a += 2)
    for (int b = -1; b <= 1; b += 2) {
      /* x (n1 + a mu t1) + y (n2 + b mu t2) = up, t = the normal turned by a quarter */
      const double e1[2] = {sin(lean) - a * mu * cos(lean), cos(lean) + a * mu * sin(lean)};
      const double e2[2] = {-sin(lean) - b * mu * cos(lean), cos(lean) - b * mu * sin(lean)};
      const double det = e1[0] * e2[1] - e1[1] * e2[0];
      const double x = -e2[0] / det, y = e1[0] / det;
      if (x < 0 || y < 0) continue;
      best = sense > 0 ? fmax(best, x) : fmin(best, x);
    }
  return best;
}

TEST(brackets_in_three_dimensions) {
  const double lean = 0.9, mu = 0.4, turn = 0.11;
  System s = open_system(3, 2, 3, mu);
  DlsForceInterval interval[2];
  double r[6] = {0};
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1;
    const double across[3] = {0, -sign * cos(lean), sin(lean)}, along[3] = {1, 0, 0};
    double *n = row(&s, side, 0);
    n[1] = sign * sin(lean), n[2] = cos(lean);
    for (int k = 0; k < 3; k++) {
      row(&s, side, 1)[k] = cos(turn) * across[k] + sin(turn) * along[k];
      row(&s, side, 2)[k] = -sin(turn) * across[k] + cos(turn) * along[k];
    }
  }
  s.P[2] = -1;
  double last = INFINITY;
  for (int edges = 8; edges <= 64; edges *= 2) {
    const DlsIndeterminacyOptions options = {.edges = edges, .most = 10, .seed = 1};
    const DlsIndeterminacy found = measure(&s, &options, interval, r);
    CHECK_INT(found.self_stress, 3);
    const double low = exact(lean, mu, -1), high = exact(lean, mu, 1);
    for (int i = 0; i < 2; i++) {
      CHECK(interval[i].low >= low - 1e-8 && interval[i].high <= high + 1e-8);
      CHECK(interval[i].outer_low <= low + 1e-8 && interval[i].outer_high >= high - 1e-8);
    }
    const double apart = interval[0].outer_high - interval[0].high;
    CHECK(apart < last);
    last = apart;
  }
  CHECK_BELOW(last, 5e-3);
  close_system(&s);
}

TEST(what_is_refused) {
  System s = fourteen_discs(1);
  DlsForceInterval interval[TOUCHES];
  DlsIndeterminacy found;
  double r[2 * TOUCHES] = {0};
  DlsProblem *problem = make(&s);
  const DlsIndeterminacyOptions few = {.edges = 3, .most = 1}, none = {.edges = 8, .most = 0};
  CHECK_FAILS(dls_indeterminacy_measure(problem, r, &few, &found, interval, NULL), DLS_ERR_ARGUMENT,
              "4 to 64");
  CHECK_FAILS(dls_indeterminacy_measure(problem, r, &none, &found, interval, NULL),
              DLS_ERR_ARGUMENT, "ask for one");
  dls_problem_destroy(&problem);
  close_system(&s);
}
