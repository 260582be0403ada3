/* Distance and direction of two convex solids against brute force (tests/convex_soup.h).
 * DELASSUS_PAIRS: how many random pairs (20,000 unless told; check-long: a million). */
#include <stdio.h>

#include "detect/convex/nearest.h"
#include "tests/convex_soup.h"

static const double tolerance = 1e-9; /* of the size */

typedef struct {
  long apart, overlapping, most_iterations;
  double worst; /* of distances, share of the size */
} Tally;

static void check_pair(const DlsPosed *a, const DlsPosed *b, Tally *tally) {
  const double size = fmax(a->reach, b->reach);
  const Soup p = soup_of(a), q = soup_of(b);
  DlsNearest near;
  dls_convex_nearest(a, b, HUGE_VAL, &near);
  CHECK(isfinite(near.distance) && isfinite(near.normal[0] + near.normal[1] + near.normal[2]));
  CHECK(near.iterations <= 64);
  CHECK_NEAR(dls_vector_norm(near.normal), 1, 1e-12);
  const double separation = brute_separation(a->dim, &p, &q);
  const double apart = brute_distance(&p, &q);
  const double expected = separation > 0 || apart > 1e-7 * size ? apart : separation;
  const bool overlap = separation <= 0;
  const double error = fabs(near.distance - (overlap ? separation : expected)) / size;
  tally->worst = fmax(tally->worst, error);
  if (near.iterations > tally->most_iterations) tally->most_iterations = near.iterations;
  if (overlap)
    tally->overlapping++;
  else
    tally->apart++;
  CHECK_BELOW(error, tolerance);
  if (near.distance < -1e-9 * size) { /* axes that are spared change no bit */
    DlsNearest all;
    dls_convex_separation(a, b, NULL, &all);
    CHECK(all.distance == near.distance);
    CHECK(memcmp(all.normal, near.normal, sizeof near.normal) == 0);
  }
  /* The direction: along it the two are as far apart as they are at all. */
  CHECK_BELOW((near.distance - gap_along(&p, &q, near.normal)) / size, tolerance);
  if (near.distance > 1e-6 * size) { /* by angle */
    double across[3], n[3];
    for (int k = 0; k < 3; k++) n[k] = (near.on_a[k] - near.on_b[k]) / near.distance;
    dls_vector_cross(n, near.normal, across);
    CHECK_BELOW(dls_vector_norm(across), 1e-7);
  }
}

/* Moves b along the direction so that the distance becomes what is wanted, to round-off. */
static void set_gap(const DlsPosed *a, const DlsPosed *b, double wanted, DlsPose *pose) {
  DlsNearest near;
  dls_convex_nearest(a, b, HUGE_VAL, &near);
  for (int k = 0; k < 3; k++) pose->position[k] += (near.distance - wanted) * near.normal[k];
}

static void try_pairs(int dim, long pairs, uint64_t seed, Tally *tally) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long pair = 0; pair < pairs; pair++) {
    static DlsPosed a, b;
    DlsConvexNumbers n[2] = {{0}};
    DlsPose pose[2] = {{{0}, {1, 0, 0, 0}}, {{0}, {1, 0, 0, 0}}};
    double triangle[2][3][3] = {{{0}}};
    bool thin[2];
    for (int i = 0; i < 2; i++) {
      draw_shape(&random, dim, 0, &n[i], triangle[i], &thin[i]);
      draw_turn(&random, dim, pose[i].orientation);
    }
    for (int k = 0; k < dim; k++) pose[1].position[k] = 4 * (dls_random_unit(&random) - 0.5);
    pose_it(dim, &n[0], triangle[0], thin[0], &pose[0], &a);
    pose_it(dim, &n[1], triangle[1], thin[1], &pose[1], &b);
    const int how = dls_random_below(&random, 4);
    if (how > 0) { /* a gap from 1e-12 to 10, touching, a slight overlap */
      const double gap = pow(10, dls_random_between(&random, -12, 1));
      set_gap(&a, &b, how == 1 ? gap : how == 2 ? 0 : -fmin(gap, 0.01), &pose[1]);
      pose_it(dim, &n[1], triangle[1], thin[1], &pose[1], &b);
    }
    check_pair(&a, &b, tally);
    for (int i = 0; i < 2; i++) free(n[i].number);
  }
}

/* The way of an edge, and what is outward there: unit, across each other. */
static void edge_frame(const DlsPosed *p, int e, double frame[3][3], double middle[3]) {
  const double *x = p->vertex[(int)p->core.edge[4 * e]];
  const double *y = p->vertex[(int)p->core.edge[4 * e + 1]];
  double *along = frame[0], *out = frame[1];
  for (int k = 0; k < 3; k++) along[k] = y[k] - x[k], middle[k] = (x[k] + y[k]) / 2;
  const double length = dls_vector_norm(along);
  for (int k = 0; k < 3; k++) {
    along[k] /= length;
    out[k] = p->plane[(int)p->core.edge[4 * e + 2]][k] + p->plane[(int)p->core.edge[4 * e + 3]][k];
  }
  if (!(dls_vector_norm(out) > 1e-3)) /* of what is thin */
    for (int k = 0; k < 3; k++) out[k] = middle[k] - p->centre[k];
  const double part = dls_vector_dot(out, along);
  for (int k = 0; k < 3; k++) out[k] -= part * along[k];
  const double norm = dls_vector_norm(out);
  for (int k = 0; k < 3; k++) out[k] /= norm;
  dls_vector_cross(along, out, frame[2]);
}

/* How edges cross: powers of ten of the sine and of the gap. */
typedef struct {
  double sine[2], gap[2];
  bool overlap; /* half of them do */
} Crossing;

/* Turns and moves b so that two edges cross in their middles at a small angle, a gap apart. */
static void cross_edges(DlsRandom *random, const Crossing *how, const DlsPosed *a,
                        const DlsPosed *b, DlsPosed *out) {
  static double vertex[DLS_CONVEX_VERTICES][3];
  double of_a[3][3], of_b[3][3], from[3], to[3], turned[3][3];
  const double angle = pow(10, dls_random_between(random, how->sine[0], how->sine[1]));
  const double size = pow(10, dls_random_between(random, how->gap[0], how->gap[1]));
  const double gap = !how->overlap || dls_random_below(random, 2) ? size : -size;
  edge_frame(a, dls_random_below(random, a->core.edges), of_a, to);
  edge_frame(b, dls_random_below(random, b->core.edges), of_b, from);
  for (int k = 0; k < 3; k++) {
    turned[0][k] = cos(angle) * of_a[0][k] + sin(angle) * of_a[2][k];
    turned[1][k] = -of_a[1][k];
    to[k] += gap * of_a[1][k];
  }
  dls_vector_cross(turned[0], turned[1], turned[2]);
  *out = *b;
  memset(out->centre, 0, sizeof out->centre);
  for (int v = 0; v < b->core.vertices; v++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = b->vertex[v][k] - from[k];
    for (int k = 0; k < 3; k++) {
      vertex[v][k] = to[k];
      for (int i = 0; i < 3; i++) vertex[v][k] += turned[i][k] * dls_vector_dot(of_b[i], d);
      out->centre[k] += vertex[v][k] / b->core.vertices;
    }
    memcpy(out->vertex[v], vertex[v], sizeof vertex[v]);
  }
  for (int f = 0; f < b->core.faces; f++) {
    double n[3];
    for (int k = 0; k < 3; k++) {
      n[k] = 0;
      for (int i = 0; i < 3; i++) n[k] += turned[i][k] * dls_vector_dot(of_b[i], b->plane[f]);
    }
    memcpy(out->plane[f], n, sizeof n);
    out->plane[f][3] = -HUGE_VAL;
    for (int k = (int)b->core.start[f]; k < (int)b->core.start[f + 1]; k++)
      out->plane[f][3] =
          fmax(out->plane[f][3], dls_vector_dot(n, out->vertex[(int)b->core.corner[k]]));
  }
}

static void try_crossed_edges(const Crossing *how, long pairs, uint64_t seed, Tally *tally) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long pair = 0; pair < pairs; pair++) {
    static DlsPosed a, b, moved;
    DlsConvexNumbers n[2] = {{0}};
    DlsPose pose[2] = {{{0}, {1, 0, 0, 0}}, {{0}, {1, 0, 0, 0}}};
    double triangle[2][3][3] = {{{0}}};
    bool thin[2];
    for (int i = 0; i < 2; i++) {
      draw_shape(&random, 3, 0, &n[i], triangle[i], &thin[i]);
      draw_turn(&random, 3, pose[i].orientation);
      pose_it(3, &n[i], triangle[i], thin[i], &pose[i], i ? &b : &a);
    }
    cross_edges(&random, how, &a, &b, &moved);
    check_pair(&a, &moved, tally);
    for (int i = 0; i < 2; i++) free(n[i].number);
  }
}

static long pairs_wanted(void) {
  const char *text = getenv("DELASSUS_PAIRS");
  return text ? strtol(text, NULL, 10) : 20000;
}

TEST(polyhedra_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  try_pairs(3, pairs_wanted(), 1, &tally);
  CHECK(tally.apart > pairs_wanted() / 4 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("3-D: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
           tally.apart, tally.overlapping, tally.worst, tally.most_iterations);
}

TEST(edges_that_cross_at_small_angles_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  const Crossing any = {.sine = {-12, 0}, .gap = {-12, -1}, .overlap = true};
  try_crossed_edges(&any, pairs_wanted(), 3, &tally);
  CHECK(tally.apart > pairs_wanted() / 8 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("crossed: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
           tally.apart, tally.overlapping, tally.worst, tally.most_iterations);
}

/* Where places are too near to tell the direction, and edges too parallel for their cross. */
TEST(edges_that_nearly_touch_nearly_parallel_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  const Crossing hard = {.sine = {-9, -5}, .gap = {-9.5, -5.5}};
  try_crossed_edges(&hard, pairs_wanted(), 4, &tally);
  CHECK(tally.apart == pairs_wanted());
  if (getenv("DELASSUS_PAIRS"))
    printf("hard crossings: worst %.2g of the size, at most %ld iterations\n", tally.worst,
           tally.most_iterations);
}

TEST(polygons_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  try_pairs(2, pairs_wanted(), 2, &tally);
  CHECK(tally.apart > pairs_wanted() / 4 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("2-D: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
           tally.apart, tally.overlapping, tally.worst, tally.most_iterations);
}
