/* What impulses on the surface of a deformable body do to its velocities, from the last block of
 * one factor: against solves with the whole of it, and W with and without. The body is a cube of
 * nodes, each with three velocities, on springs between neighbours and within each node. */
#include "tests/solving.h"

#include "base/random.h"
#include "problem/operator/inertia_impl.h"
#include "problem/operator/operator_impl.h"
#include "problem/operator/sparse.h"

enum { EDGE = 9, NODES = EDGE * EDGE * EDGE, SIZE = 3 * NODES, FACE = 3 * EDGE * EDGE };

typedef struct {
  int start[SIZE + 1], column[SIZE * 9], surface[FACE];
  double value[SIZE * 9];
  DlsSparse M;
} Cube;

static int node_of(int x, int y, int z) { return (z * EDGE + y) * EDGE + x; }

static double entry(int i, int j, double skew) {
  const int a = i / 3, b = j / 3;
  if (a == b && i != j) return i < j ? 0.3 + skew : 0.3 - skew;
  if (a == b) return 7 + 0.01 * (a % 13);
  return i % 3 == j % 3 ? -1 : 0;
}

/* The velocities of one face in a shuffled order. */
static void make(Cube *c, uint64_t seed, double skew) {
  DlsRandom random;
  int count = 0;
  for (int i = 0; i < SIZE; i++) {
    const int a = i / 3, x = a % EDGE, y = a / EDGE % EDGE, z = a / EDGE / EDGE;
    const int near[] = {z > 0 ? node_of(x, y, z - 1) : -1,
                        y > 0 ? node_of(x, y - 1, z) : -1,
                        x > 0 ? a - 1 : -1,
                        a,
                        x < EDGE - 1 ? a + 1 : -1,
                        y < EDGE - 1 ? a + EDGE : -1,
                        z < EDGE - 1 ? a + EDGE * EDGE : -1};
    for (int n = 0; n < DLS_COUNT(near); n++)
      for (int k = 0; k < 3; k++) {
        const int j = 3 * near[n] + k;
        if (near[n] < 0 || entry(i, j, skew) == 0) continue;
        c->column[count] = j;
        c->value[count++] = entry(i, j, skew);
      }
    c->start[i + 1] = count;
  }
  c->M = (DlsSparse){SIZE, SIZE, c->start, c->column, c->value};
  dls_random_seed(&random, seed);
  for (int k = 0; k < FACE; k++) {
    const int at = dls_random_below(&random, k + 1), node = node_of(k / 3 % EDGE, 4, k / 3 / EDGE);
    c->surface[k] = c->surface[at];
    c->surface[at] = 3 * node + k % 3;
  }
}

static void check_columns(const DlsInertia *inertia, int part, const Cube *c) {
  static double b[SIZE], x[SIZE];
  DlsInertiaSurface s;
  CHECK_OK(dls_inertia_surface(inertia, part, &s));
  CHECK_INT(s.count, FACE);
  for (int k = 0; k < FACE; k += 7) {
    memset(b, 0, sizeof b);
    b[c->surface[k]] = 1;
    CHECK_OK(dls_inertia_solve_part(inertia, part, 1, b, x));
    CHECK_INT(s.place[c->surface[k]], k);
    for (int l = 0; l < FACE; l++) CHECK_NEAR(s.S[k * FACE + l], x[c->surface[l]], 1e-14);
  }
}

TEST(the_last_block_of_the_factor_gives_what_solves_give) {
  static Cube c;
  DlsInertia *inertia = NULL;
  make(&c, 1, 0);
  CHECK_OK(dls_inertia_create(&inertia));
  CHECK_OK(dls_inertia_add_sparse_surface(inertia, &c.M, FACE, c.surface));
  check_columns(inertia, 0, &c);
  for (int k = 0; k < c.start[SIZE]; k++) c.value[k] *= 0.5;
  CHECK_OK(dls_inertia_change_sparse(inertia, 0, c.value));
  check_columns(inertia, 0, &c);
  CHECK_INT(dls_inertia_factorisations(inertia), 2);
  dls_inertia_destroy(&inertia);
}

/* Contacts between the face and a rigid body; `inside`: one of them within the cube. */
static void compare_operators(bool inside) {
  enum { CONTACTS = 40, BLOCK = 3, WEIGHTS = 9 };
  static Cube c;
  static double weight[CONTACTS * 2 * WEIGHTS * BLOCK];
  static int velocity[CONTACTS * 2 * WEIGHTS];
  int start[CONTACTS + 1], part[2 * CONTACTS], first[2 * CONTACTS + 1] = {0}, n = 0, entries = 0;
  double mass[36] = {0};
  DlsRandom random;
  DlsInertia *inertia[2] = {NULL, NULL};
  DlsOperator *W[2] = {NULL, NULL}, *own[2] = {NULL, NULL};
  DlsBlockRows rows[2];
  make(&c, 2, 0);
  dls_random_seed(&random, 3);
  for (int i = 0; i < CONTACTS; i++) {
    start[i] = entries;
    for (int side = 0; side < 1 + (i % 3 == 0); side++) {
      part[entries++] = side;
      const int from = dls_random_below(&random, FACE - WEIGHTS);
      for (int k = 0; k < (side ? 6 : WEIGHTS); k++, n++) {
        velocity[n] = side ? k : c.surface[from + k];
        if (inside && i == 5 && k == 2) velocity[n] = 3 * node_of(1, 1, 1);
        for (int a = 0; a < BLOCK; a++) weight[n * BLOCK + a] = dls_random_normal(&random);
      }
      first[entries] = n;
    }
  }
  start[CONTACTS] = entries;
  for (int k = 0; k < 6; k++) mass[7 * k] = 2 + k;
  const DlsContactRows H = {CONTACTS, BLOCK, start, part, first, velocity, weight};
  for (int with = 0; with < 2; with++) {
    CHECK_OK(dls_inertia_create(&inertia[with]));
    CHECK_OK(dls_inertia_add_sparse_surface(inertia[with], &c.M, with ? FACE : 0, c.surface));
    CHECK_OK(dls_inertia_add_rigid(inertia[with], 1, 6, mass));
    CHECK_OK(dls_operator_create(&H, inertia[with], &W[with]));
    CHECK_OK(dls_operator_rows(W[with], &own[with], &rows[with]));
  }
  CHECK_INT(rows[0].start[CONTACTS], rows[1].start[CONTACTS]);
  for (int k = 0; k < rows[0].start[CONTACTS] * BLOCK * BLOCK; k++)
    CHECK_NEAR(rows[1].value[k], rows[0].value[k], 1e-13);
  double D[2][CONTACTS * BLOCK * BLOCK];
  for (int with = 0; with < 2; with++) dls_operator_diagonal(W[with], D[with]);
  CHECK_BELOW(test_apart(CONTACTS * BLOCK * BLOCK, D[0], D[1]), 1e-13);
  double r[CONTACTS * BLOCK], u[2][CONTACTS * BLOCK], v[2][SIZE + 6];
  for (int k = 0; k < CONTACTS * BLOCK; k++) r[k] = dls_random_normal(&random);
  for (int with = 0; with < 2; with++) {
    dls_operator_apply(W[with], r, u[with]);
    CHECK_OK(dls_operator_velocity(W[with], r, v[with]));
  }
  CHECK_BELOW(test_apart(CONTACTS * BLOCK, u[0], u[1]), 1e-11);
  CHECK_BELOW(test_apart(SIZE + 6, v[0], v[1]), 1e-11);
  for (int k = 0; k < c.start[SIZE]; k++) c.value[k] *= 0.5; /* twice as easy to move */
  CHECK_OK(dls_inertia_change_sparse(inertia[1], 0, c.value));
  CHECK_OK(dls_inertia_change_sparse(inertia[0], 0, c.value));
  for (int with = 0; with < 2; with++) dls_operator_apply(W[with], r, u[with]);
  CHECK_BELOW(test_apart(CONTACTS * BLOCK, u[0], u[1]), 1e-11);
  for (int with = 0; with < 2; with++) {
    dls_operator_destroy(&own[with]);
    dls_operator_destroy(&W[with]);
    dls_inertia_destroy(&inertia[with]);
  }
}

TEST(W_is_the_same_with_a_surface_and_without) { compare_operators(false); }
TEST(contacts_that_reach_beyond_the_surface_are_solved_for) { compare_operators(true); }

TEST(surfaces_that_are_none_are_refused) {
  static Cube c;
  DlsInertia *inertia = NULL;
  DlsInertiaSurface s;
  make(&c, 4, 0);
  CHECK_OK(dls_inertia_create(&inertia));
  const int twice[] = {3, 4, 3}, beyond[] = {0, SIZE};
  CHECK_FAILS(dls_inertia_add_sparse_surface(inertia, &c.M, 3, twice), DLS_ERR_ARGUMENT, "twice");
  CHECK_FAILS(dls_inertia_add_sparse_surface(inertia, &c.M, 2, beyond), DLS_ERR_ARGUMENT, "none");
  CHECK_INT(dls_inertia_parts(inertia), 0);
  /* Of a matrix that is not symmetric there is none to be had, and no harm in asking. */
  make(&c, 4, 0.1);
  CHECK_OK(dls_inertia_add_sparse_surface(inertia, &c.M, FACE, c.surface));
  CHECK_OK(dls_inertia_surface(inertia, 0, &s));
  CHECK_INT(s.count, 0);
  dls_inertia_destroy(&inertia);
}
