/* The points at which rounded solids meet, against brute force on their cores: the gap is the
 * distance of the cores less both roundings, apart, touching and deep within each other.
 * DELASSUS_PAIRS: how many random pairs (20,000 unless told; check-long: a million). */
#include <stdio.h>

#include "detect/convex/nearest.h"
#include "detect/meeting.h"
#include "tests/convex_soup.h"

static const double tolerance = 1e-9;     /* of the size */
static const double tilt = 0.05240777928; /* tan of 3 degrees, which faces may lean */

typedef struct {
  long none, single, several, deep;
  double worst;
} Tally;

static double least_gap(const DlsManifold *m) {
  double least = HUGE_VAL;
  for (int k = 0; k < m->count; k++) least = fmin(least, m->point[k].gap);
  return least;
}

/* Whether a face of p stands within 3 degrees across the direction. */
static bool has_face(const DlsPosed *p, const double n[3], double sign) {
  for (int f = 0; f < p->core.faces; f++)
    if (sign * dls_vector_dot(n, p->plane[f]) > cos(atan(tilt)) - 1e-9) return true;
  return false;
}

/* m: of a place to a core. */
static double away(const DlsPosed *p, const double x[3]) {
  const Soup soup = soup_of(p);
  Soup place = {.vertices = 1};
  memcpy(place.vertex[0], x, sizeof place.vertex[0]);
  return brute_distance(&soup, &place);
}

/* Halfway between the surfaces: as far from either core as its rounding and half of the gap. */
static void check_place(const DlsPosed *a, const DlsPosed *b, const DlsManifoldPoint *p,
                        double size) {
  CHECK_NEAR(away(a, p->point), a->rounding + p->gap / 2, tolerance * size);
  CHECK_NEAR(away(b, p->point), b->rounding + p->gap / 2, tolerance * size);
}

static void check_pair(const DlsMeeting *meeting, const DlsSide *one, const DlsSide *other,
                       const DlsPosed *a, const DlsPosed *b, Tally *tally) {
  const Soup p = soup_of(a), q = soup_of(b);
  const double round = a->rounding + b->rounding, size = fmax(a->reach, b->reach) + round;
  const double separation = brute_separation(a->dim, &p, &q), apart = brute_distance(&p, &q);
  const bool cores = separation > 0; /* these do not touch */
  const double gap = (cores ? apart : separation) - round;
  /* What a face that is not parallel makes of the way across it and along it. */
  const double lean = tilt * (2 * fmin(a->reach, b->reach) + fabs(cores ? apart : separation));
  const DlsMeeting farther = {.dim = meeting->dim, .alert = 1e3};
  DlsManifold m, all;
  dls_meet_convex(meeting, one, other, &m);
  dls_meet_convex(&farther, one, other, &all);
  CHECK(m.count <= DLS_FACE_POINTS);
  /* Cores that overlap are told by a face that leans from the direction of the least depth. */
  const double below = cores ? 0 : lean;
  if (gap > meeting->alert + below + tolerance * size) CHECK_INT(m.count, 0);
  if (gap < meeting->alert - lean - tolerance * size) CHECK(m.count > 0);
  if (m.count == 0) {
    tally->none++;
    return;
  }
  const double *n = m.point[0].normal, least = least_gap(&m);
  CHECK_NEAR(dls_vector_norm(n), 1, 1e-12);
  for (int k = 1; k < m.count; k++) CHECK(memcmp(n, m.point[k].normal, 3 * sizeof *n) == 0);
  CHECK(least > gap - below - tolerance * size); /* no point is nearer than the two are */
  CHECK(least < gap + lean + tolerance * size);
  tally->deep += !cores;
  if (all.count > 1 || has_face(a, n, -1) || has_face(b, n, 1)) {
    tally->several++;
    return;
  }
  tally->single++;
  tally->worst = fmax(tally->worst, fabs(least - gap) / size);
  CHECK_BELOW(fabs(least - gap) / size, tolerance);
  if (cores && m.point[0].gap / 2 > -fmin(a->rounding, b->rounding))
    check_place(a, b, &m.point[0], size);
}

static void draw_rounded(DlsRandom *random, int dim, double rounding, DlsConvexNumbers *out) {
  double triangle[3][3];
  bool thin = true;
  while (thin) draw_shape(random, dim, rounding, out, triangle, &thin);
}

static void try_pairs(int dim, long pairs, uint64_t seed, Tally *tally) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long pair = 0; pair < pairs; pair++) {
    static DlsPosed posed[2];
    DlsConvexNumbers n[2] = {{0}};
    DlsPose pose[2] = {{{0}, {1, 0, 0, 0}}, {{0}, {1, 0, 0, 0}}};
    DlsSide side[2];
    for (int i = 0; i < 2; i++) {
      draw_rounded(&random, dim, 0.01 * pow(10, dls_random_between(&random, -3, 0)), &n[i]);
      draw_turn(&random, dim, pose[i].orientation);
    }
    for (int k = 0; k < dim; k++) pose[1].position[k] = 2 * (dls_random_unit(&random) - 0.5);
    for (int i = 0; i < 2; i++) pose_it(dim, &n[i], NULL, false, &pose[i], &posed[i]);
    if (dls_random_below(&random, 4) > 0) { /* cores a gap apart, touching, or within each other */
      const double wanted = pow(10, dls_random_between(&random, -12, 0));
      const int how = dls_random_below(&random, 3);
      DlsNearest near;
      dls_convex_nearest(&posed[0], &posed[1], HUGE_VAL, &near);
      for (int k = 0; k < 3; k++)
        pose[1].position[k] += (near.distance - (how == 0   ? wanted
                                                 : how == 1 ? 0.02 * wanted
                                                            : -0.1 * wanted)) *
                               near.normal[k];
      pose_it(dim, &n[1], NULL, false, &pose[1], &posed[1]);
    }
    for (int i = 0; i < 2; i++)
      side[i] = (DlsSide){.solid = {.dim = dim,
                                    .kind = DLS_SHAPE_CONVEX,
                                    .count = n[i].count,
                                    .number = n[i].number,
                                    .scale = 1},
                          .pose = pose[i]};
    const DlsMeeting meeting = {.dim = dim, .alert = pow(10, dls_random_between(&random, -6, 1))};
    check_pair(&meeting, &side[0], &side[1], &posed[0], &posed[1], tally);
    for (int i = 0; i < 2; i++) free(n[i].number);
  }
}

static void rounded(int dim, uint64_t seed) {
  const char *text = getenv("DELASSUS_PAIRS");
  const long pairs = text ? strtol(text, NULL, 10) : 20000;
  Tally t = {0};
  try_pairs(dim, pairs, seed, &t);
  CHECK(t.single > pairs / 20 && t.several > pairs / 20 && t.deep > pairs / 20 &&
        t.none > pairs / 20);
  if (text)
    printf("%d-D: %ld beyond alert, %ld by one point (worst %.2g of the size), %ld by faces and "
           "edges, %ld deep\n",
           dim, t.none, t.single, t.worst, t.several, t.deep);
}

TEST(rounded_polyhedra_meet_at_the_gap_of_brute_force) { rounded(3, 11); }
TEST(rounded_polygons_meet_at_the_gap_of_brute_force) { rounded(2, 12); }
