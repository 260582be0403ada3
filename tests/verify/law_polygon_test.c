/* coulomb-polygon: friction whose cone has a polygon for its section (Moreau 1994, sec. 5), against
 * the polygon itself: where a block gives way, where it slides to, what is dissipated, and the
 * nearest point by brute force. Corners are those of the law's own table; the hull is made here. */
#include "tests/law_point.h"
#include "tests/simulating.h"

#include <math.h>

enum { CORNERS = 4 };

/* Counter-clockwise: the standard table has growing angles, and the origin within. */
typedef struct {
  double v[CORNERS][2];
} Polygon;

static Polygon polygon_of_law(void) {
  const DlsLaw *law = NULL;
  Polygon out = {{{0}}};
  CHECK_OK(dls_law_find("coulomb-polygon", &law));
  const DlsLawTable *table = &law->tables[0].standard;
  CHECK_INT(table->rows, CORNERS);
  for (int k = 0; k < CORNERS; k++) {
    out.v[k][0] = table->y[k] * cos(table->x[k]);
    out.v[k][1] = table->y[k] * sin(table->x[k]);
  }
  return out;
}

/* The outward normal of side k, of length 1, and its distance from the origin. */
static double side_of(const Polygon *p, int k, double n[2]) {
  const double *a = p->v[k], *b = p->v[(k + 1) % CORNERS];
  const double length = hypot(b[0] - a[0], b[1] - a[1]);
  n[0] = (b[1] - a[1]) / length;
  n[1] = (a[0] - b[0]) / length;
  const double h = a[0] * n[0] + a[1] * n[1];
  CHECK(h > 0);
  return h;
}

/* How far the polygon goes in a direction, and through which side. */
static double extent(const Polygon *p, double angle, int *side) {
  double least = HUGE_VAL;
  for (int k = 0; k < CORNERS; k++) {
    double n[2];
    const double h = side_of(p, k, n), along = n[0] * cos(angle) + n[1] * sin(angle);
    if (along <= 0 || h / along >= least) continue;
    least = h / along;
    *side = k;
  }
  return least;
}

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* A block on three feet that cannot turn, on a floor whose grain is turned by `grain`; gravity is
 * tilted by `slope` along x. How fast it slides after some steps, and where to in axes of the
 * floor. */
static double slide(const DlsScheme *scheme, double grain, double slope, double along[2]) {
  TestScene scene;
  const double R = 0.02, L = 0.1, h = 1e-3;
  const DlsElement feet[3] = {{{L, 0, 0}, R}, {{-L, L, 0}, R}, {{-L, -L, 0}, R}};
  test_scene_open(&scene, 3, scheme, h, "coulomb-polygon");
  DlsBoundary *floor = test_scene_boundary(&scene, 0);
  floor->orientation[0] = cos(grain / 2);
  floor->orientation[3] = sin(grain / 2);
  const int block = test_scene_body(&scene, 3, feet, 0, 0, R);
  scene.world->fixed[block] = DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
  scene.gravity[0] = test_g * sin(slope);
  scene.gravity[2] = -test_g * cos(slope);
  test_scene_run(&scene, 20);
  const double *v = scene.world->velocity[block], c = cos(grain), s = sin(grain);
  along[0] = c * v[0] + s * v[1];
  along[1] = c * v[1] - s * v[0];
  CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-9);
  test_scene_close(&scene);
  return hypot(along[0], along[1]);
}

/* The pull is along x, at -grain from t1; what holds it is opposite. It rests up to the slope whose
 * tangent is the extent of the polygon there, to 0.1 %; beyond it slides against the normal of the
 * side that gave way, not down the slope. */
TEST(angle_of_repose_follows_the_polygon) {
  const Polygon p = polygon_of_law();
  int seen[CORNERS] = {0};
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int k = 0; k < 12; k++) {
      double v[2], n[2];
      int side = 0;
      const double grain = 0.2 + k * M_PI / 6, limit = atan(extent(&p, M_PI - grain, &side));
      CHECK_BELOW(slide(schemes[s], grain, atan(0.999 * tan(limit)), v), 1e-10);
      const double speed = slide(schemes[s], grain, atan(1.001 * tan(limit)), v);
      CHECK(speed > 1e-6);
      side_of(&p, side, n);
      CHECK_NEAR(v[0] / speed, -n[0], 1e-9);
      CHECK_NEAR(v[1] / speed, -n[1], 1e-9);
      seen[side]++;
    }
  for (int k = 0; k < CORNERS; k++) CHECK(seen[k] > 0);
}

static void open_driven(LawPoint *point, const DlsLawTable *table, int dim) {
  point_open(point, "coulomb-polygon", dim, 1e-3, 1e9);
  point->contact.tables = table;
}

/* A machine too heavy to be slowed slides by every direction: the reaction is the corner that takes
 * most, max r_T·(-u_T) over the section, which is the support number of the direction. */
TEST(most_is_dissipated) {
  const Polygon p = polygon_of_law();
  int seen[CORNERS] = {0};
  for (int k = 0; k < 100; k++) {
    LawPoint point;
    const DlsLaw *law;
    const double push[DLS_MAX_BLOCK] = {-3}, angle = 0.0314159 + 2 * M_PI * k / 100;
    CHECK_OK(dls_law_find("coulomb-polygon", &law));
    open_driven(&point, &law->tables[0].standard, 3);
    point.u[1] = cos(angle);
    point.u[2] = sin(angle);
    point_step(&point, push);
    double most = -1;
    int best = 0;
    for (int j = 0; j < CORNERS; j++) {
      const double power = -p.v[j][0] * cos(angle) - p.v[j][1] * sin(angle);
      if (power > most) best = j;
      most = fmax(most, power);
    }
    seen[best]++;
    const double N = point.r[0];
    CHECK_NEAR(N, 3e-3, 1e-12);
    CHECK_NEAR(point.r[1], N * p.v[best][0], 1e-12);
    CHECK_NEAR(point.r[2], N * p.v[best][1], 1e-12);
    CHECK_NEAR(point.dissipated, N * most, 1e-12);
  }
  for (int k = 0; k < CORNERS; k++) CHECK(seen[k] > 0);
}

/* In 2-D friction differs by the sense: support numbers of the section along the first axis. */
TEST(in_the_plane_friction_differs_by_the_sense) {
  static const double angles[] = {0, 3.14159265358979324}, mu[] = {0.2, 0.7};
  const DlsLawTable table = {2, DLS_TABLE_HOLD, angles, mu};
  for (int sense = -1; sense <= 1; sense += 2) {
    LawPoint point;
    const double push[DLS_MAX_BLOCK] = {-3};
    open_driven(&point, &table, 2);
    point.u[1] = -sense;
    point_step(&point, push);
    CHECK_NEAR(point.r[1], sense > 0 ? 0.2 * 3e-3 : -0.7 * 3e-3, 1e-12);
  }
}

/* The projection with u = 0 is the nearest point of r_N D: inside, and no point of the border,
 * sampled finely, is nearer. Twenty polygons drawn at random, of which some corners lie within the
 * hull of the others, and some hulls have the origin for a corner. */
TEST(the_projection_is_the_nearest_point_of_the_section) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int k = 0; k < 20; k++) {
    LawPoint point;
    double angle[6], mu[6];
    const int rows = 3 + k % 4;
    const DlsLawTable table = {rows, DLS_TABLE_HOLD, angle, mu};
    for (int i = 0; i < rows; i++) {
      angle[i] = (k % 3 ? 6 : 3) * (i + 0.8 * dls_random_unit(&random)) / rows;
      mu[i] = 0.1 + dls_random_unit(&random);
    }
    open_driven(&point, &table, 3);
    const DlsLawUse use = {.law = point.law, .kinematics = &point.contact, .params = point.params};
    DlsCustomRelation custom;
    CHECK_OK(dls_law_custom(&use, &custom));
    for (int trial = 0; trial < 50; trial++) {
      const double N = 1 + dls_random_unit(&random), u[3] = {0};
      double y[3] = {N, 4 * dls_random_unit(&random) - 2, 4 * dls_random_unit(&random) - 2}, r[3];
      memcpy(r, y, sizeof r);
      CHECK_OK(custom.project(custom.context, u, 1, r));
      CHECK(r[0] == N);
      /* All segments between two corners, the origin among these, hold the border; the rest of them
       * is inside. */
      double least = HUGE_VAL, ahead = -HUGE_VAL;
      for (int i = -1; i < rows; i++)
        for (int j = -1; j < rows; j++)
          for (int m = 0; m <= 400; m++) {
            double x[2] = {0};
            if (i >= 0) {
              x[0] += N * (1 - m / 400.0) * mu[i] * cos(angle[i]);
              x[1] += N * (1 - m / 400.0) * mu[i] * sin(angle[i]);
            }
            if (j >= 0) {
              x[0] += N * m / 400.0 * mu[j] * cos(angle[j]);
              x[1] += N * m / 400.0 * mu[j] * sin(angle[j]);
            }
            least = fmin(least, hypot(x[0] - y[1], x[1] - y[2]));
            ahead = fmax(ahead, (y[1] - r[1]) * (x[0] - r[1]) + (y[2] - r[2]) * (x[1] - r[2]));
          }
      const double apart = hypot(r[1] - y[1], r[2] - y[2]);
      CHECK(apart <= least + 1e-12);
      CHECK_BELOW(ahead, 1e-12); /* the variational inequality of a projection */
      double again[3];
      memcpy(again, r, sizeof again);
      CHECK_OK(custom.project(custom.context, u, 1, again));
      CHECK_NEAR(again[1], r[1], 1e-12);
      CHECK_NEAR(again[2], r[2], 1e-12);
    }
  }
}
