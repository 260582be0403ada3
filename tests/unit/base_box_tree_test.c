#include "tests/test.h"

#include "base/box_tree.h"

enum { ITEMS = 300 };

static void count(void *context, int item) { ((int *)context)[item]++; }

static double drawn(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void draw(DlsRange *range, uint64_t *state, double spread, double size) {
  for (int k = 0; k < 3; k++) {
    range->low[k] = spread * drawn(state);
    range->high[k] = range->low[k] + size * drawn(state);
  }
}

/* All items that a place meets are found, each once, wherever they have moved since the tree was
 * made. */
TEST(a_tree_finds_what_a_scan_finds) {
  static DlsRange range[ITEMS];
  uint64_t state = 7;
  DlsBoxTree tree = {0};
  for (int items = 0; items <= ITEMS; items += items < 6 ? 1 : 98) {
    for (int n = 0; n < items; n++) draw(&range[n], &state, 10, 0.8);
    CHECK_OK(dls_box_tree_make(&tree, items, range));
    for (int round = 0; round < 20; round++) {
      int found[ITEMS] = {0}, met = 0;
      DlsRange where;
      draw(&where, &state, 10, 3);
      dls_box_tree_near(&tree, &where, count, found);
      for (int n = 0; n < items; n++) {
        CHECK(found[n] <= 1);
        if (dls_ranges_meet(&range[n], &where)) CHECK_INT(found[n], 1);
        met += found[n];
      }
      if (items > 200) CHECK(met < items / 2);
      for (int n = 0; n < items; n++)
        for (int k = 0; k < 3; k++) {
          const double way = 0.1 * (drawn(&state) - 0.5);
          range[n].low[k] += way, range[n].high[k] += way;
        }
      dls_box_tree_follow(&tree, range);
    }
  }
  dls_box_tree_clear(&tree);
}
