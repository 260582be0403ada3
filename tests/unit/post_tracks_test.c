/* Tracks: a flow that is known, sampled at moments; bodies that come and go; the meridian plane. */
#include <math.h>
#include <string.h>

#include "post/tracks.h"
#include "tests/test.h"

enum { SIDE = 9, BODIES = SIDE * SIDE };

/* A lattice that turns by `angle` about (1, 2) and drifts by (dx, dy) at each moment. */
static DlsTracks turning(int moments, double angle, double dx, double dy) {
  DlsTracks tracks = {0};
  DlsPacking g = {0};
  CHECK_OK(dls_packing_reserve(&g, BODIES, 0));
  g.dim = 2;
  for (int m = 0; m < moments; m++) {
    g.time = 0.1 * m;
    for (int i = 0; i < BODIES; i++) {
      const double x = i % SIDE - (SIDE - 1) / 2.0, y = i / SIDE - (SIDE - 1) / 2.0, a = angle * m;
      g.id[i] = 10 + i;
      g.radius[i] = 0.5;
      g.position[i][0] = 1 + x * cos(a) - y * sin(a) + m * dx;
      g.position[i][1] = 2 + x * sin(a) + y * cos(a) + m * dy;
    }
    CHECK_OK(dls_tracks_add(&tracks, &g));
  }
  dls_packing_clear(&g);
  return tracks;
}

static const double all_low[3] = {-1e9, -1e9, -1e9}, all_high[3] = {1e9, 1e9, 1e9};

TEST(a_drift_is_the_mean_of_all) {
  DlsTracks t = turning(6, 0, 0.25, -0.5);
  const DlsTrackMove move = dls_tracks_move(&t, all_low, all_high);
  CHECK_INT(move.intervals, 5);
  CHECK_NEAR(move.bodies, BODIES, 0);
  CHECK_NEAR(move.mean[0], 0.25, 1e-14);
  CHECK_NEAR(move.mean[1], -0.5, 1e-14);
  CHECK_BELOW(move.error[0], 1e-7);
  dls_tracks_clear(&t);
}

/* Chords of a turn by a: their middles lie at cos(a/2) of the radius, and are 2 sin(a/2) of it
 * long: the ratio is 2 tan(a/2). */
TEST(a_turn_is_its_angle) {
  const double angle = 0.02, low[3] = {-9, -8, 0}, high[3] = {11, 12, 0};
  DlsTracks t = turning(4, angle, 0, 0);
  const DlsTrackTurn turn = dls_tracks_turn(&t, 0, 1, low, high);
  CHECK_INT(turn.intervals, 3);
  CHECK_NEAR(turn.mean, 2 * tan(angle / 2), 1e-12);
  CHECK_BELOW(turn.error, 1e-8);
  dls_tracks_clear(&t);
}

/* The left half of a lattice that turns rises or sinks with its distance from the axis. */
TEST(a_box_takes_what_is_in_it) {
  const double angle = 1e-4, low[3] = {-4, -3, 0}, high[3] = {0.4, 7, 0};
  DlsTracks t = turning(2, angle, 0, 0);
  const DlsTrackMove move = dls_tracks_move(&t, low, high);
  CHECK_NEAR(move.bodies, 4 * SIDE, 0);         /* x from -3 to 0 */
  CHECK_NEAR(move.mean[1], -2.5 * angle, 1e-8); /* x - 1: from -4 to -1 */
  CHECK(isnan(move.error[1]));
  dls_tracks_clear(&t);
}

TEST(bodies_come_and_go) {
  DlsTracks t = {0};
  DlsPacking g = {0};
  DlsProbe all;
  CHECK_OK(dls_probe_read("all", 3, &all));
  CHECK_OK(dls_packing_reserve(&g, 3, 0));
  g.dim = 3;
  for (int m = 0; m < 40; m++) {
    static const int64_t ids[3][3] = {{1, 4, 7}, {1, 4, 7}, {1, 7, 9}};
    memcpy(g.id, ids[m < 20 ? 0 : 2], sizeof ids[0]);
    for (int i = 0; i < 3; i++) g.position[i][0] = (double)g.id[i] + m;
    CHECK_OK(dls_tracks_add(&t, &g));
  }
  CHECK_INT(t.bodies, 3);
  dls_tracks_keep(&t, &all);
  CHECK_INT(t.bodies, 2); /* 4 has gone; 9 came later */
  CHECK_INT((int)t.id[1], 7);
  CHECK_NEAR(dls_tracks_at(&t, 39, 1)[0], 46, 0);
  dls_tracks_clear(&t);
  dls_packing_clear(&g);
}

TEST(the_meridian_plane) {
  DlsTracks t = {0};
  DlsPacking g = {0};
  CHECK_OK(dls_packing_reserve(&g, 1, 0));
  g.dim = 3;
  g.position[0][0] = 4, g.position[0][1] = 6, g.position[0][2] = -2;
  CHECK_OK(dls_tracks_add(&t, &g));
  dls_tracks_meridian(&t, (double[3]){1, 2, 0});
  CHECK_INT(t.dim, 2);
  CHECK_NEAR(dls_tracks_at(&t, 0, 0)[0], 5, 1e-15);
  CHECK_NEAR(dls_tracks_at(&t, 0, 0)[1], -2, 0);
  dls_tracks_clear(&t);
  dls_packing_clear(&g);
}
