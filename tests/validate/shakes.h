/* Vessels that shake, in tests: tracks at one phase of the period. */
#ifndef DELASSUS_TESTS_VALIDATE_SHAKES_H
#define DELASSUS_TESTS_VALIDATE_SHAKES_H

#include "tests/decks.h"

#include "post/flow.h"

/* Goes on to `from`, and takes the places there and after each of `count` periods. */
static inline DlsTracks test_shake(TestDeck *deck, double from, double period, int count) {
  DlsTracks tracks = {0};
  for (int k = 0; k <= count; k++) {
    test_deck_run(deck, from + k * period);
    test_deck_take(deck);
    CHECK_OK(dls_tracks_add(&tracks, &deck->packing));
  }
  return tracks;
}

/* By how much more the left half turns counter-clockwise than the right one, m² in a period:
 * above 0 where the middle rises and the walls sink. */
typedef struct {
  double mean, error;
} TestRoll;

static inline TestRoll test_roll(const DlsTracks *tracks, int across, int up) {
  double low[3], high[3];
  DlsFlow flow;
  dls_tracks_box(tracks, low, high);
  CHECK_OK(dls_flow_take(tracks, 0, 1, across, up, low, high, &flow));
  const int rows = dls_flow_rows(&flow, 0, across - 1);
  CHECK(rows >= 2);
  const DlsFlowLoop left = dls_flow_circulation(&flow, 0, across / 2 - 1, rows),
                    right = dls_flow_circulation(&flow, across - across / 2, across - 1, rows);
  dls_flow_clear(&flow);
  return (TestRoll){left.mean - right.mean, hypot(left.error, right.error)};
}

#endif
