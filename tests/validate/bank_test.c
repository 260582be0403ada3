/* Two cuts in a bank of disks with avalanches (Moreau 2001, sec. 3.5 and Fig. 4):
 * input/bank-disks.yaml. Across a cut along the surface the force is vertical; across an upright
 * one it goes down the slope. Forces every 0.1 s once the bank is fed slowly. Over 3 s, with an
 * avalanche or two, the first is held to be nearer to the vertical than to the normal of the cut;
 * over all 9 s (DELASSUS_LONG) to be vertical within four errors of five blocks of time. Of the
 * upright cut of one bank no more is asked than that its force goes down towards the foot; over ten
 * banks (DELASSUS_LONG) it is along the surface.
 *
 * The surface is the line through the highest resting grains of 14 columns, as in
 * tests/validate/bank_angles.py; a bank of these disks is no flatter than the internal friction of
 * disks without rolling friction (sin phi = 0.29, input/strength.yaml) and no steeper than two
 * grains on each other, mu = 0.5. */
#include "tests/decks.h"

#include "post/cut.h"

enum { BLOCKS = 5, COLUMNS = 14, MOST = 100 };

static double surface(const DlsPacking *g) {
  const double low = -0.33, high = 0.22, slow = 0.2;
  double x[COLUMNS] = {0}, top[COLUMNS], n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < COLUMNS; k++) top[k] = -1;
  for (int i = 0; i < g->grains; i++) {
    const int k = (int)floor((g->centre[i][0] - low) / (high - low) * COLUMNS);
    const double y = g->centre[i][1] + g->radius[i];
    if (k < 0 || k >= COLUMNS || y <= top[k]) continue;
    if (hypot(g->velocity[i][0], g->velocity[i][1]) < slow) top[k] = y, x[k] = g->centre[i][0];
  }
  for (int k = 0; k < COLUMNS; k++)
    if (top[k] > -1) n++, sx += x[k], sy += top[k], sxx += x[k] * x[k], sxy += x[k] * top[k];
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

typedef struct {
  double value, error; /* degrees */
} Angle;

/* Of the mean of forces, from the axis (x, y) on, anticlockwise. */
static Angle angle_of(double (*force)[2], int count, double x, double y) {
  double sum[2] = {0}, part[BLOCKS] = {0}, mean = 0, squares = 0;
  for (int b = 0; b < BLOCKS; b++) {
    double own[2] = {0};
    for (int k = b * count / BLOCKS; k < (b + 1) * count / BLOCKS; k++)
      for (int i = 0; i < 2; i++) own[i] += force[k][i], sum[i] += force[k][i];
    part[b] = atan2(x * own[1] - y * own[0], x * own[0] + y * own[1]) * 180 / acos(-1);
    mean += part[b] / BLOCKS;
  }
  for (int b = 0; b < BLOCKS; b++) squares += pow(part[b] - mean, 2);
  return (Angle){atan2(x * sum[1] - y * sum[0], x * sum[0] + y * sum[1]) * 180 / acos(-1),
                 sqrt(squares / (BLOCKS - 1) / BLOCKS)};
}

TEST(a_cut_along_the_surface_of_a_bank_bears_a_vertical_force) {
  static const char *const sets[] = {NULL};
  const double end = getenv("DELASSUS_LONG") ? 14 : 8;
  double along[MOST][2], upright[MOST][2], slope = 0;
  DlsCut cut[2];
  TestDeck deck;
  int count = 0;
  CHECK_OK(dls_cut_read("segment:-0.138,0.158:0.038,0.062", 2, &cut[0]));
  CHECK_OK(dls_cut_read("segment:0.02,0:0.02,0.17", 2, &cut[1]));
  test_deck_open(&deck, "bank-disks.yaml", sets);
  for (double time = 5; time < end && count < MOST; time += 0.1, count++) {
    DlsCutForce f[2];
    test_deck_run(&deck, time);
    test_deck_take(&deck);
    for (int k = 0; k < 2; k++) dls_cut(&deck.packing, &cut[k], &f[k]);
    memcpy(along[count], f[0].force, sizeof along[count]);
    memcpy(upright[count], f[1].force, sizeof upright[count]);
    slope += surface(&deck.packing);
  }
  slope /= count;
  const Angle vertical = angle_of(along, count, 0, -1), level = angle_of(upright, count, 1, 0);
  if (getenv("SHOW"))
    printf("%d moments, surface %.1f degrees; off the vertical %.1f +- %.1f, from the horizontal "
           "%.1f +- %.1f\n",
           count, atan(slope) * 180 / acos(-1), vertical.value, vertical.error, level.value,
           level.error);
  CHECK(slope > 0.29 / sqrt(1 - 0.29 * 0.29) && slope < 0.5);
  CHECK_TOLD(fabs(vertical.value) < atan(slope) * 90 / acos(-1), "%g", vertical.value);
  if (getenv("DELASSUS_LONG"))
    CHECK_TOLD(fabs(vertical.value) < 4 * vertical.error, "%g +- %g", vertical.value,
               vertical.error);
  CHECK_TOLD(level.value < -4 * level.error, "%g +- %g", level.value, level.error);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}

/* One bank is one arrangement of forces, which turns by some five degrees from bank to bank while
 * its own fluctuations in nine seconds are smaller: so over ten banks. In the layer above the cut
 * along the surface the force across an upright one goes down the slope, as across the first it is
 * vertical: within three errors of these banks, which are to be smaller than 3 degrees. */
TEST(over_banks_the_force_across_an_upright_cut_is_along_the_surface) {
  enum { BANKS = 10 };
  if (!getenv("DELASSUS_LONG")) test_skip("ten banks take minutes; make check-long");
  double off[2][BANKS], mean[2] = {0}, squares[2] = {0};
  DlsCut cut[2];
  CHECK_OK(dls_cut_read("segment:-0.138,0.158:0.038,0.062", 2, &cut[0]));
  CHECK_OK(dls_cut_read("segment:-0.05,0.11:-0.05,0.28", 2, &cut[1]));
  for (int b = 0; b < BANKS; b++) {
    char seed[2][40];
    double sum[2][2] = {{0}}, slope = 0;
    int count = 0;
    TestDeck deck;
    snprintf(seed[0], sizeof seed[0], "sources[0].seed=%d", b + 1);
    snprintf(seed[1], sizeof seed[1], "sources[1].seed=%d", b + 101);
    const char *const sets[] = {seed[0], seed[1], NULL};
    test_deck_open(&deck, "bank-disks.yaml", sets);
    for (double time = 5.1; time < 14.05; time += 0.1, count++) {
      test_deck_run(&deck, time);
      test_deck_take(&deck);
      for (int k = 0; k < 2; k++) {
        DlsCutForce f;
        dls_cut(&deck.packing, &cut[k], &f);
        for (int i = 0; i < 2; i++) sum[k][i] += f.force[i];
      }
      slope += atan(surface(&deck.packing));
    }
    test_deck_close(&deck);
    off[0][b] = atan2(sum[0][0], -sum[0][1]) * 180 / acos(-1);
    off[1][b] = (atan2(-sum[1][1], sum[1][0]) - slope / count) * 180 / acos(-1);
    printf("bank %d of %d: %.1f off the vertical, %.1f off the surface of %.1f degrees\n", b + 1,
           BANKS, off[0][b], off[1][b], slope / count * 180 / acos(-1));
    fflush(stdout);
    for (int k = 0; k < 2; k++)
      mean[k] += off[k][b] / BANKS, squares[k] += off[k][b] * off[k][b] / BANKS;
  }
  for (int k = 0; k < 2; k++) {
    const double error = sqrt((squares[k] - mean[k] * mean[k]) / (BANKS - 1));
    CHECK_BELOW(error, 3);
    CHECK_TOLD(fabs(mean[k]) < 3 * error, "cut %d: %g +- %g degrees", k, mean[k], error);
  }
}
