/* Flow on a grid: fields that are known, their circulation, and errors against planted scatter. */
#include <math.h>

#include "post/flow.h"
#include "tests/test.h"

enum { SIDE = 12, BODIES = SIDE * SIDE }; /* in 4 x 4 cells: nine bodies in each */

/* A lattice on (0, 12)², which at each moment moves by a turn about (6, 6) and a drift, small
 * beside a cell. */
static DlsTracks moving(int moments, double angle, const double *drift) {
  DlsTracks tracks = {0};
  DlsPacking g = {0};
  double y0 = 0;
  CHECK_OK(dls_packing_reserve(&g, BODIES, 0));
  g.dim = 2;
  for (int m = 0; m < moments; m++) {
    for (int i = 0; i < BODIES; i++) {
      const double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
      g.id[i] = i;
      g.position[i][0] = x - angle * m * (y - 6);
      g.position[i][1] = y + angle * m * (x - 6) + y0;
    }
    CHECK_OK(dls_tracks_add(&tracks, &g));
    if (drift) y0 += drift[m];
  }
  dls_packing_clear(&g);
  return tracks;
}

static const double low[3] = {0, 0, 0}, high[3] = {12, 12, 0};

/* u = a (-(y - 6), x - 6): ∮ u·dl = 2 a area; the loop through the middles of the outermost of 4
 * x 4 cells of side 3 is 9 x 9. */
TEST(what_turns_circulates_by_twice_its_area) {
  const double angle = 1e-4;
  DlsTracks t = moving(5, angle, NULL);
  DlsFlow flow;
  CHECK_OK(dls_flow_take(&t, 0, 1, 4, 4, low, high, &flow));
  CHECK_INT(flow.intervals, 4);
  const DlsFlowCell cell = dls_flow_cell(&flow, 3, 1);
  CHECK_NEAR(cell.bodies, 9, 0);
  CHECK_NEAR(cell.mean[0], -angle * (4.5 - 6), 1e-15);
  CHECK_NEAR(cell.mean[1], angle * (10.5 - 6), 1e-15);
  CHECK_INT(dls_flow_rows(&flow, 0, 3), 4);
  const DlsFlowLoop loop = dls_flow_circulation(&flow, 0, 3, 4);
  CHECK_NEAR(loop.area, 81, 1e-12);
  CHECK_NEAR(loop.mean, 2 * 81 * angle, 1e-13);
  CHECK_BELOW(loop.error, 1e-12);
  /* A part of it turns about another place, and drifts: the same per area. */
  const DlsFlowLoop half = dls_flow_circulation(&flow, 0, 1, 3);
  CHECK_NEAR(half.area, 18, 1e-12);
  CHECK_NEAR(half.mean, 2 * 18 * angle, 1e-13);
  dls_flow_clear(&flow);
  dls_tracks_clear(&t);
}

/* A pack that breathes as a whole has moves that scatter, and no circulation at all. */
TEST(a_drift_does_not_circulate) {
  const double drift[] = {0.01, -0.03, 0.02, 0.04, 0};
  double mean = 0, square = 0;
  DlsTracks t = moving(5, 0, drift);
  DlsFlow flow;
  CHECK_OK(dls_flow_take(&t, 0, 1, 4, 4, low, high, &flow));
  for (int k = 0; k < 4; k++) mean += drift[k] / 4;
  for (int k = 0; k < 4; k++) square += (drift[k] - mean) * (drift[k] - mean);
  const DlsFlowCell cell = dls_flow_cell(&flow, 2, 2);
  CHECK_NEAR(cell.mean[1], mean, 1e-14);
  /* Of equal numbers in each interval the jackknife is the error of the mean. */
  CHECK_NEAR(cell.error[1], sqrt(square / (4 * 3)), 1e-14);
  const DlsFlowLoop loop = dls_flow_circulation(&flow, 0, 3, 4);
  CHECK_NEAR(loop.mean, 0, 1e-13);
  CHECK_BELOW(loop.error, 1e-13);
  dls_flow_clear(&flow);
  dls_tracks_clear(&t);
}

TEST(rows_end_where_bodies_are_rare) {
  const double tall[3] = {12, 24, 0};
  DlsTracks t = moving(5, 0, NULL);
  DlsFlow flow;
  CHECK_OK(dls_flow_take(&t, 0, 1, 4, 8, low, tall, &flow));
  CHECK_INT(dls_flow_rows(&flow, 0, 3), 4);
  CHECK_INT(dls_flow_cell(&flow, 1, 6).intervals, 0);
  CHECK(isnan(dls_flow_cell(&flow, 1, 6).mean[0]));
  dls_flow_clear(&flow);
  dls_tracks_clear(&t);
}

TEST(a_line_has_no_cells) {
  const double flat[3] = {12, 0, 0};
  DlsTracks t = moving(3, 0, NULL);
  DlsFlow flow;
  CHECK_FAILS(dls_flow_take(&t, 0, 1, 4, 4, low, flat, &flow), DLS_ERR_ARGUMENT, "in one line");
  dls_flow_clear(&flow);
  dls_tracks_clear(&t);
}
