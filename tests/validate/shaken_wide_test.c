/* Disks in shaken vessels of two widths, and shakes with rest between them (Moreau 1994, sec. 8),
 * by the disks, frequency and amplitude of input/shaken-disks.yaml, without the large one.
 *
 * Told there: a wider vessel with more objects in proportion has the same boundary layers, but a
 * slower general circulation. And he announces cycles of a shake and a return to rest (Knight et
 * al. 1993): here they make the same flow, between states at rest.
 *
 * Bounds are errors of the shakes: two in the short form, three in the long one. Short: 250 and 500
 * disks, half as high as the deck's, too few to tell how slow the wider one turns; shakes with rest
 * of 125. DELASSUS_LONG=1: 500 and 1000, as high as there. */
#include "tests/validate/shakes.h"

static const double period = 0.05, layer = 2.4e-3; /* s, m */

static bool is_long(void) { return getenv("DELASSUS_LONG") != NULL; }

static double bound(void) { return is_long() ? 3 : 2; }

/* `width` and `high` in mm; shakes: y(t) of the vessel. */
static void open_vessel(double width, double high, int count, const char *shake, TestDeck *deck) {
  char grains[400], right[100], move[3][300];
  static const char *const wall[3] = {"floor", "left", "right"};
  snprintf(grains, sizeof grains,
           "grains=[{material: disk, place: packed, region: {low: [0, 0], high: [%g mm, %g mm]}, "
           "sizes: {kind: uniform, min: 0.375 mm, max: 0.75 mm}, count: %d}]",
           width, high, count);
  snprintf(right, sizeof right, "boundaries.right.position=[%g mm, 0]", width);
  for (int k = 0; k < 3; k++)
    snprintf(move[k], sizeof move[k], "boundaries.%s.displacement=[0, \"1.25e-3*(1 - cos(%s))\"]",
             wall[k], shake);
  const char *const sets[] = {"bodies=[]", grains, right, move[0], move[1], move[2], NULL};
  test_deck_open(deck, "shaken-disks.yaml", sets);
}

typedef struct {
  double sinks, sinks_error; /* m in a shake: mean height lost in the layers at both sides */
  double turns, turns_error; /* rad in a shake: circulation of a half over twice its area */
} Flow;

static Flow flow_of(DlsTracks *tracks, double width, int across, int up) {
  const double much = 1;
  Flow out = {0};
  double low[3], high[3];
  DlsFlow flow;
  const DlsTrackMove left = dls_tracks_move(tracks, (double[3]){-much, -much, -much},
                                            (double[3]){layer, much, much}),
                     right = dls_tracks_move(tracks, (double[3]){width - layer, -much, -much},
                                             (double[3]){much, much, much});
  out.sinks = -0.5 * (left.mean[1] + right.mean[1]);
  out.sinks_error = 0.5 * hypot(left.error[1], right.error[1]);
  dls_tracks_box(tracks, low, high);
  CHECK_OK(dls_flow_take(tracks, 0, 1, across, up, low, high, &flow));
  const int rows = dls_flow_rows(&flow, 0, across - 1);
  const DlsFlowLoop a = dls_flow_circulation(&flow, 0, across / 2 - 1, rows),
                    b = dls_flow_circulation(&flow, across / 2, across - 1, rows);
  const double twice = 2 * (a.area + b.area);
  dls_flow_clear(&flow);
  out.turns = (a.mean - b.mean) / twice;
  out.turns_error = hypot(a.error, b.error) / twice;
  if (is_long() || getenv("SHOW")) {
    printf("%g mm: sinks %.3g +- %.2g m, turns %.3g +- %.2g rad in a shake\n", 1e3 * width,
           out.sinks, out.sinks_error, out.turns, out.turns_error);
    fflush(stdout);
  }
  return out;
}

static Flow shaken(double width, double high, int count, const char *shake, double each, int shakes,
                   int across) {
  TestDeck deck;
  open_vessel(width, high, count, shake, &deck);
  DlsTracks tracks = test_shake(&deck, is_long() ? 0.2 : 0.1, each, shakes);
  CHECK_INT(tracks.bodies, count);
  const Flow flow = flow_of(&tracks, 1e-3 * width, across, is_long() ? 8 : 6);
  dls_tracks_clear(&tracks);
  test_deck_close(&deck);
  return flow;
}

TEST(a_wider_vessel_has_the_same_layers_and_turns_slower) {
  const char *sine = "2*pi*20*t";
  const int shakes = is_long() ? 100 : 40;
  const Flow narrow = is_long() ? shaken(25, 31, 500, sine, period, shakes, 6)
                                : shaken(25, 15, 250, sine, period, shakes, 6),
             wide = is_long() ? shaken(50, 31, 1000, sine, period, shakes, 12)
                              : shaken(50, 15, 500, sine, period, shakes, 12);
  const double sink_error = hypot(narrow.sinks_error, wide.sinks_error),
               turn_error = hypot(narrow.turns_error, wide.turns_error);
  CHECK_TOLD(narrow.sinks > bound() * narrow.sinks_error, "%g +- %g", narrow.sinks,
             narrow.sinks_error);
  CHECK_TOLD(wide.sinks > bound() * wide.sinks_error, "%g +- %g", wide.sinks, wide.sinks_error);
  CHECK_TOLD(fabs(narrow.sinks - wide.sinks) < 3 * sink_error, "%g, %g +- %g", narrow.sinks,
             wide.sinks, sink_error);
  if (is_long())
    CHECK_TOLD(narrow.turns - wide.turns > bound() * turn_error, "%g, %g +- %g", narrow.turns,
               wide.turns, turn_error);
}

/* Each 0.25 s a period of 20 Hz behind 0.2 s of rest. */
TEST(shakes_with_rest_between_them_turn_it_as_well) {
  const char *tap = "2*pi*20*max(0, t - 0.25*floor(t/0.25) - 0.2)";
  const Flow flow =
      is_long() ? shaken(25, 31, 500, tap, 0.25, 18, 6) : shaken(12.5, 15, 125, tap, 0.25, 18, 6);
  CHECK_TOLD(flow.sinks > bound() * flow.sinks_error, "%g +- %g", flow.sinks, flow.sinks_error);
  CHECK_TOLD(flow.turns > bound() * flow.turns_error, "%g +- %g", flow.turns, flow.turns_error);
}
