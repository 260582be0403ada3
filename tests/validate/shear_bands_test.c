/* Does a biaxial test of rods localise (Brendel, Unger and Wolf 2004, sec. 1.9, ref. 6)?
 * input/strength.yaml, compressed along y until it fails and on from there. Between two moments 0.3
 * s apart, 3 % of axial strain, every disk has the displacement gradient that fits the disks within
 * three mean radii of it best, and from it the shear |e1 - e2|. Bands are told by where the most
 * sheared seventh of the disks stand beside each other: of pairs of them, 0.03 to 0.12 m apart, the
 * share whose line makes 45 to 65 degrees with x, or 115 to 135, over the share of all pairs. Lines
 * of Mohr and Coulomb stand at 45 + phi/2 (phi about 20 degrees, docs/validation.md), those of zero
 * extension at 45 + psi/2 at least 45. Without bands it is 1; the test wants it above by more than
 * three standard errors of the intervals of all samples. */
#include "tests/decks.h"

#include <math.h>

enum { MOST_GRAINS = 512, MOST_INTERVALS = 64 };

typedef struct {
  int grains;
  double x[MOST_GRAINS][2], shear[MOST_GRAINS];
} Field;

static int places(const TestDeck *deck, double x[][2]) {
  const DlsWorld *world = deck->simulation->world;
  int count = 0;
  for (int b = 0; b < world->count && count < MOST_GRAINS; b++) {
    if (world->flags[b] & DLS_BODY_GHOST) continue;
    for (int k = 0; k < 2; k++) x[count][k] = world->position[b][k];
    count++;
  }
  return count;
}

/* |e1 - e2| of the gradient that fits the moves u of the disks within `reach` of disk i: normal
 * equations about their mean. */
static double shear_of(int count, double x[][2], double u[][2], int i, double reach) {
  double sum[2] = {0}, moved[2] = {0}, A[2][2] = {{0}}, B[2][2] = {{0}}, G[2][2];
  int near = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < count; j++) {
      const double d[2] = {x[j][0] - x[i][0], x[j][1] - x[i][1]};
      if (d[0] * d[0] + d[1] * d[1] > reach * reach) continue;
      for (int k = 0; k < 2; k++) {
        if (pass == 0) sum[k] += d[k], moved[k] += u[j][k];
        for (int l = 0; l < 2 && pass; l++) {
          A[k][l] += (d[k] - sum[k] / near) * (d[l] - sum[l] / near);
          B[k][l] += (u[j][k] - moved[k] / near) * (d[l] - sum[l] / near);
        }
      }
      near += pass == 0;
    }
  const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  if (near < 4 || !(det > 0)) return 0;
  for (int k = 0; k < 2; k++) {
    G[k][0] = (B[k][0] * A[1][1] - B[k][1] * A[1][0]) / det;
    G[k][1] = (B[k][1] * A[0][0] - B[k][0] * A[0][1]) / det;
  }
  return hypot(G[0][0] - G[1][1], G[0][1] + G[1][0]);
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Of pairs of disks with a shear of at least `least` the share along the lines. */
static double share_along(const Field *f, double least) {
  long all = 0, along = 0;
  for (int i = 0; i < f->grains; i++)
    for (int j = i + 1; j < f->grains; j++) {
      const double d[2] = {f->x[j][0] - f->x[i][0], f->x[j][1] - f->x[i][1]};
      const double way = hypot(d[0], d[1]);
      if (f->shear[i] < least || f->shear[j] < least || way < 0.03 || way > 0.12) continue;
      const double angle = fabs(atan2(fabs(d[1]), fabs(d[0]))) * 180 / M_PI;
      all++;
      along += angle >= 45 && angle <= 65;
    }
  return all ? (double)along / (double)all : 0;
}

/* Ratios of the intervals of one sample, and the participation of its shear: (mean)² / mean of
 * squares, 1 where all disks are sheared alike. */
static int ratios(int seed, double step, double *out, double *participation) {
  enum { INTERVALS = 5 };
  TestDeck deck;
  char from[40], h[40];
  static Field f;
  static double before[MOST_GRAINS][2], after[MOST_GRAINS][2], u[MOST_GRAINS][2];
  double sorted[MOST_GRAINS];
  snprintf(from, sizeof from, "grains[0].seed=%d", seed);
  snprintf(h, sizeof h, "time.step=%g s", step);
  const char *const sets[] = {from, h, NULL};
  test_deck_open(&deck, "strength.yaml", sets);
  test_deck_run(&deck, 0.7);
  for (int k = 0; k < INTERVALS; k++) {
    f.grains = places(&deck, before);
    test_deck_run(&deck, deck.simulation->state.time + 0.3);
    CHECK_INT(places(&deck, after), f.grains);
    double mean = 0, square = 0;
    for (int i = 0; i < f.grains; i++)
      for (int c = 0; c < 2; c++) {
        f.x[i][c] = before[i][c];
        u[i][c] = after[i][c] - before[i][c];
      }
    for (int i = 0; i < f.grains; i++) {
      sorted[i] = f.shear[i] = shear_of(f.grains, f.x, u, i, 0.013);
      mean += f.shear[i] / f.grains;
      square += f.shear[i] * f.shear[i] / f.grains;
    }
    qsort(sorted, (size_t)f.grains, sizeof *sorted, descending);
    *participation += mean * mean / square / INTERVALS;
    out[k] = share_along(&f, sorted[f.grains / 7]) / share_along(&f, 0);
    if (getenv("SHOW")) printf(" %.3f", out[k]);
  }
  if (getenv("SHOW")) printf("  sample %d\n", seed);
  test_deck_close(&deck);
  return INTERVALS;
}

TEST(the_most_sheared_disks_stand_along_the_lines_of_failure) {
  const bool whole = getenv("DELASSUS_LONG") != NULL;
  const int samples = whole ? 8 : 2;
  double ratio[MOST_INTERVALS], mean = 0, square = 0, participation = 0;
  int count = 0;
  for (int s = 1; s <= samples; s++)
    count += ratios(s, whole ? 1e-3 : 2e-3, ratio + count, &participation);
  for (int k = 0; k < count; k++) mean += ratio[k] / count;
  for (int k = 0; k < count; k++) square += (ratio[k] - mean) * (ratio[k] - mean);
  const double error = sqrt(square / count / (count - 1));
  participation /= samples;
  if (getenv("SHOW"))
    printf("pairs along the lines: %.3f +- %.3f of what is even; participation %.3f\n", mean, error,
           participation);
  CHECK(mean - 1 > 3 * error);
  CHECK(participation < M_PI / 4); /* that of plane normal vectors: more uneven than noise */
}
