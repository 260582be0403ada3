/* A body with 60 velocities that lives in tests/ alone, in the steps of core/step: found by the
 * ordinary detection, in one problem with rigid bodies of six, under a contact law and the standard
 * solvers. What a step does is computed again here, with dense matrices and a solver of its own. */
#include "tests/elastic_chain.h"

#include "assemble/coupling.h"

#include <float.h>
#include <math.h>

enum { NODES = 20, FREEDOM = 3 * NODES + 6 };
static const double h = 1e-3, node_mass = 0.1, stiffness = 4e4, radius = 0.05, mu = 0.3;

/* A standing chain above the floor and a ball above it, both on their way down and aside. */
typedef struct {
  TestScene scene;
  int chain, ball;
} Fall;

static void open_fall(Fall *f, const DlsScheme *scheme, double theta) {
  const double low[3] = {0, 0, radius + 2.3e-3}, apart[3] = {0, 0, 2 * radius};
  test_scene_open(&f->scene, 3, scheme, h, "coulomb");
  test_scene_set(&f->scene, 0, "mu", mu);
  test_scene_boundary(&f->scene, 0);
  f->scene.simulation->settings.theta = theta;
  f->chain =
      chain_add(f->scene.world, chain_create(3, NODES, node_mass, stiffness, radius, low, apart),
                (const double[3]){0.4, 0.1, -1});
  f->ball = test_scene_sphere(&f->scene, 0.08, 0.02, -0.01,
                              low[2] + (NODES - 1) * apart[2] + radius + 0.08 + 4e-3);
  double *v = f->scene.world->velocity[f->ball];
  v[0] = -0.3, v[2] = -1.5, v[4] = 2;
}

/* The same by dense matrices, written without a line of core/. Velocities: chain, then ball. */
typedef struct {
  double q[3 * NODES], x[3], v[FREEDOM]; /* x of the ball, from where it began */
  double M[FREEDOM][FREEDOM];
  double low, ball_at[3], ball_radius, ball_mass, ball_inertia;
  bool touched[2]; /* in the problem of the step before */
} Twin;

static void open_twin(const Fall *f, Twin *t) {
  const DlsWorld *world = f->scene.world;
  memset(t, 0, sizeof *t);
  t->low = radius + 2.3e-3;
  t->ball_radius = 0.08;
  t->ball_mass = world->mass[f->ball];
  t->ball_inertia = 0.4 * t->ball_mass * t->ball_radius * t->ball_radius;
  memcpy(t->ball_at, world->position[f->ball], sizeof t->ball_at);
  memcpy(t->v, chain_v(world, f->chain), 3 * NODES * sizeof *t->v);
  memcpy(t->v + 3 * NODES, world->velocity[f->ball], 6 * sizeof *t->v);
  for (int i = 0; i < 3 * NODES; i++) {
    const double k = h * h / 4 * stiffness;
    t->M[i][i] = node_mass + k * ((i >= 3) + (i < 3 * NODES - 3));
    if (i >= 3) t->M[i][i - 3] = t->M[i - 3][i] = -k;
  }
  for (int i = 0; i < 6; i++)
    t->M[3 * NODES + i][3 * NODES + i] = i < 3 ? t->ball_mass : t->ball_inertia;
}

/* x = M^-1 b by elimination. */
static void solve_dense(const Twin *t, const double *b, double *x) {
  static double A[FREEDOM][FREEDOM];
  memcpy(A, t->M, sizeof A);
  memcpy(x, b, FREEDOM * sizeof *x);
  for (int p = 0; p < FREEDOM; p++)
    for (int i = p + 1; i < FREEDOM; i++) {
      const double factor = A[i][p] / A[p][p];
      if (factor == 0) continue;
      for (int j = p; j < FREEDOM; j++) A[i][j] -= factor * A[p][j];
      x[i] -= factor * x[p];
    }
  for (int i = FREEDOM - 1; i >= 0; i--) {
    for (int j = i + 1; j < FREEDOM; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}

/* Rows of contact 0, first node on the floor, or 1, ball on the last node; tells the gap. */
static double twin_rows(const Twin *t, int contact, double (*H)[FREEDOM]) {
  const int last = 3 * (NODES - 1);
  double n[3] = {0, 0, 1}, t1[3] = {1, 0, 0}, t2[3], lever[3], gap;
  memset(H, 0, 3 * sizeof *H);
  if (contact == 0) {
    for (int k = 0; k < 3; k++) H[k][(k + 2) % 3] = 1;
    return t->low + t->q[2] - radius;
  }
  const double node[3] = {t->q[last], t->q[last + 1],
                          t->low + 2 * radius * (NODES - 1) + t->q[last + 2]};
  for (int k = 0; k < 3; k++) n[k] = t->ball_at[k] + t->x[k] - node[k];
  const double distance = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++) n[k] /= distance;
  gap = distance - radius - t->ball_radius;
  const double along = n[0];
  for (int k = 0; k < 3; k++) t1[k] -= along * n[k];
  const double size = sqrt(1 - along * along);
  for (int k = 0; k < 3; k++) t1[k] /= size;
  dls_vector_cross(n, t1, t2);
  for (int k = 0; k < 3; k++) lever[k] = -(t->ball_radius + gap / 2) * n[k];
  const double *axis[3] = {n, t1, t2};
  for (int row = 0; row < 3; row++) {
    double turn[3];
    dls_vector_cross(lever, axis[row], turn);
    for (int k = 0; k < 3; k++) {
      H[row][last + k] = -axis[row][k];
      H[row][3 * NODES + k] = axis[row][k];
      H[row][3 * NODES + 3 + k] = turn[k];
    }
  }
  return gap;
}

/* r <- projection on Coulomb's cone of r - rho (u + mu |u_T| n), contact by contact, until it
 * stands still: a fixed point is a solution (De Saxce and Feng 1998). */
static void solve_contacts(int rows, double (*W)[6], const double *q, double *r) {
  double change = 1, size = 1;
  for (int sweep = 0; sweep < 1000000 && change > 1e-16 * size; sweep++) {
    change = size = 0;
    for (int c = 0; c < rows; c += 3) {
      const double rho = 1 / (W[c][c] + W[c + 1][c + 1] + W[c + 2][c + 2]);
      double u[3], p[3];
      for (int k = 0; k < 3; k++) {
        u[k] = q[c + k];
        for (int j = 0; j < rows; j++) u[k] += W[c + k][j] * r[j];
      }
      u[0] += mu * hypot(u[1], u[2]);
      for (int k = 0; k < 3; k++) p[k] = r[c + k] - rho * u[k];
      const double slip = hypot(p[1], p[2]);
      if (slip <= -p[0] / mu || (slip == 0 && p[0] <= 0)) {
        p[0] = p[1] = p[2] = 0;
      } else if (slip > mu * p[0]) {
        const double normal = (p[0] + mu * slip) / (1 + mu * mu);
        p[1] *= mu * normal / slip, p[2] *= mu * normal / slip, p[0] = normal;
      }
      for (int k = 0; k < 3; k++) {
        change = fmax(change, fabs(p[k] - r[c + k]));
        size = fmax(size, fabs(p[k]));
        r[c + k] = p[k];
      }
    }
  }
}

/* x_M = x + h v / 2; contacts closed there, or that were and opened by less than 1e-4 of the
 * reduced radius; M^ (v+ - v) = h (F - K q_M) + H^T r; x+ = x_M + h v+ / 2. */
static int twin_step(Twin *t) {
  const double small = radius * t->ball_radius / (radius + t->ball_radius);
  const double length[2] = {radius, small};
  double load[FREEDOM] = {0}, dv[FREEDOM], H[6][FREEDOM], back[6][FREEDOM], W[6][6], q[6],
         r[6] = {0};
  int rows = 0;
  for (int i = 0; i < 3 * NODES; i++) t->q[i] += h / 2 * t->v[i];
  for (int k = 0; k < 3; k++) t->x[k] += h / 2 * t->v[3 * NODES + k];
  for (int i = 0; i < 3 * NODES; i++) {
    double pull = 0;
    if (i >= 3) pull += t->q[i] - t->q[i - 3];
    if (i < 3 * NODES - 3) pull += t->q[i] - t->q[i + 3];
    load[i] = h * ((i % 3 == 2 ? -node_mass * test_g : 0) - stiffness * pull);
  }
  load[3 * NODES + 2] = -h * t->ball_mass * test_g;
  solve_dense(t, load, dv);
  for (int i = 0; i < FREEDOM; i++) t->v[i] += dv[i];
  for (int c = 0; c < 2; c++) {
    const double gap = twin_rows(t, c, H + rows);
    t->touched[c] = gap <= (t->touched[c] ? 1e-4 : 1e-10) * length[c];
    rows += t->touched[c] ? 3 : 0;
  }
  for (int i = 0; i < rows; i++) {
    solve_dense(t, H[i], back[i]);
    q[i] = 0;
    for (int j = 0; j < FREEDOM; j++) q[i] += H[i][j] * t->v[j];
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      W[i][j] = 0;
      for (int k = 0; k < FREEDOM; k++) W[i][j] += H[i][k] * back[j][k];
    }
  solve_contacts(rows, W, q, r);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < FREEDOM; j++) t->v[j] += back[i][j] * r[i];
  for (int i = 0; i < 3 * NODES; i++) t->q[i] += h / 2 * t->v[i];
  for (int k = 0; k < 3; k++) t->x[k] += h / 2 * t->v[3 * NODES + k];
  return rows / 3;
}

/* Over 300 steps, with landings, slip and lift-off at both ends: what two solvers at 1e-12 leave
 * grows by no more than a factor of a thousand or so. */
TEST(a_chain_steps_as_dense_matrices_say) {
  static Twin twin;
  Fall f;
  int both = 0, none = 0;
  open_fall(&f, &dls_scheme_moreau, 0.5);
  open_twin(&f, &twin);
  const DlsWorld *world = f.scene.world;
  for (int n = 0; n < 300; n++) {
    const int contacts = twin_step(&twin);
    test_scene_run(&f.scene, 1);
    CHECK_INT(f.scene.simulation->last.assembly.step.count, contacts);
    both += contacts == 2, none += contacts == 0;
    for (int i = 0; i < 3 * NODES; i++) {
      CHECK_NEAR(chain_q(world, f.chain)[i], twin.q[i], 1e-9 * radius);
      CHECK_NEAR(chain_v(world, f.chain)[i], twin.v[i], 1e-9);
    }
    for (int k = 0; k < 6; k++) {
      CHECK_NEAR(world->velocity[f.ball][k], twin.v[3 * NODES + k], 1e-9);
      if (k < 3) CHECK_NEAR(world->position[f.ball][k], twin.ball_at[k] + twin.x[k], 1e-9 * radius);
    }
  }
  CHECK(both > 0 && none > 0);
  CHECK_INT(dls_coupling_factorisations(&f.scene.simulation->last.assembly), 1);
  test_scene_close(&f.scene);
}

/* What the ledger does not explain is round-off: of the sums of 66 numbers a step, through a factor
 * of condition 1 + 4 h^2 theta^2 k / m. For theta = 1/2 nothing is lost within. */
TEST(the_accounts_of_a_chain_close) {
  static const struct {
    const DlsScheme *scheme;
    double theta;
  } cases[] = {{&dls_scheme_moreau, 0.5}, {&dls_scheme_moreau, 0.7}, {&dls_scheme_euler, 0.5}};
  for (int c = 0; c < DLS_COUNT(cases); c++) {
    enum { STEPS = 300 };
    const double theta = cases[c].scheme == &dls_scheme_euler ? 1 : cases[c].theta;
    Fall f;
    open_fall(&f, cases[c].scheme, cases[c].theta);
    const DlsLedger *ledger = &f.scene.simulation->state.ledger;
    double most = 0;
    for (int n = 0; n < STEPS; n++) {
      double before[3], after[3];
      dls_world_momentum(f.scene.world, before);
      test_scene_run(&f.scene, 1);
      dls_world_momentum(f.scene.world, after);
      const double mass = NODES * node_mass + f.scene.world->mass[f.ball];
      for (int k = 0; k < 3; k++) {
        const double floor = -h * f.scene.simulation->state.boundary_force[0][k];
        CHECK_NEAR(after[k] - before[k], floor + h * mass * f.scene.gravity[k],
                   1e3 * DBL_EPSILON * FREEDOM * mass);
      }
      const double round_off = 1e2 * DBL_EPSILON * FREEDOM * (n + 1) *
                               (1 + 4 * h * h * theta * theta * stiffness / node_mass);
      CHECK_NEAR(ledger->balance, 0, round_off * ledger->start);
      if (theta == 0.5) CHECK_NEAR(ledger->within, 0, round_off * ledger->start);
      CHECK_NEAR(ledger->strain, dls_world_strain_energy(f.scene.world), 0);
      most = fmax(most, ledger->strain);
    }
    CHECK(most > 0.01 * ledger->start); /* the chain was squeezed */
    CHECK(ledger->dissipated > 0);
    if (theta > 0.5) CHECK(ledger->within > 0);
    test_scene_close(&f.scene);
  }
}

/* No law loses anything here: free flight, energy and momentum of a chain that swings, in 2-D. */
TEST(a_free_chain_keeps_its_energy) {
  const double low[3] = {0, 5, 0}, apart[3] = {0.1, 0, 0};
  TestScene scene;
  test_scene_open(&scene, 2, &dls_scheme_moreau, h, "coulomb");
  scene.gravity[1] = 0;
  const int body =
      chain_add(scene.world, chain_create(2, 9, node_mass, stiffness, 0.04, low, apart),
                (const double[3]){0.3, -0.2, 0});
  CHECK_INT(dls_layout_count(scene.world, body), 18);
  CHECK_INT((int)dls_layout_start(scene.world, body), 6);
  CHECK_INT((int)dls_layout_size(scene.world), 24);
  for (int i = 0; i < 18; i++) chain_q(scene.world, body)[i] = 1e-2 * sin(i * i);
  dls_deformables_show(scene.world);
  test_scene_run(&scene, 0);
  const double x = scene.world->position[body][0];
  const double energy = scene.simulation->state.ledger.start;
  CHECK(scene.simulation->state.ledger.strain > 0.1 * energy);
  double before[3], after[3];
  dls_world_momentum(scene.world, before);
  test_scene_run(&scene, 1000);
  const DlsLedger *l = &scene.simulation->state.ledger;
  dls_world_momentum(scene.world, after);
  CHECK_NEAR(l->kinetic + l->strain, energy, 1e-11 * energy);
  for (int k = 0; k < 3; k++) CHECK_NEAR(after[k], before[k], 1e-12);
  CHECK_NEAR(scene.world->position[body][0], x + 1000 * h * 0.3, 1e-12);
  CHECK_INT(dls_coupling_factorisations(&scene.simulation->last.assembly), 1);
  test_scene_close(&scene);
}

/* Each spring is shortened by what stands above it; the floor carries all. */
TEST(a_chain_carries_a_ball_at_rest) {
  static const char *const solvers[] = {"auto", "nsgs", "apgd", "alm", "proximal"};
  for (int k = 0; k < DLS_COUNT(solvers); k++) {
    Fall f;
    open_fall(&f, &dls_scheme_moreau, 0.5);
    DlsSimulation *s = f.scene.simulation;
    DlsWorld *world = f.scene.world;
    const double all = NODES * node_mass + world->mass[f.ball], ball = world->mass[f.ball];
    double *q = chain_q(world, f.chain);
    CHECK_OK(dls_solver_find(solvers[k], &s->settings.solver));
    memset(chain_v(world, f.chain), 0, 3 * NODES * sizeof(double));
    memset(world->velocity[f.ball], 0, sizeof *world->velocity);
    q[2] = -2.3e-3;
    for (int i = 1; i < NODES; i++)
      q[3 * i + 2] = q[3 * i - 1] - (ball + (NODES - i) * node_mass) * test_g / stiffness;
    memset(world->position[f.ball], 0, sizeof *world->position);
    world->position[f.ball][2] =
        radius + 2.3e-3 + 2 * radius * (NODES - 1) + q[3 * NODES - 1] + radius + 0.08;
    dls_deformables_show(world);
    for (int n = 0; n < 20; n++) {
      test_scene_run(&f.scene, 1);
      CHECK_INT(s->last.report.active, 2);
      CHECK_NEAR(-s->state.boundary_force[0][2], all * test_g, 1e-9 * all * test_g);
      for (int i = 0; i < 3 * NODES; i++)
        CHECK_NEAR(chain_v(world, f.chain)[i], 0, 1e-9 * test_g * h);
    }
    test_scene_close(&f.scene);
  }
}
