/* Integers from outside: nothing wraps, nothing is cut. And numbers as bytes: what was saved comes
 * back, and nothing is read beyond the end. */
#include "base/checked.h"

#include <limits.h>
#include <string.h>

#include "base/pack.h"
#include "tests/test.h"

TEST(integers_of_64_bits_are_never_cut_to_32) {
  int out = 7;
  CHECK(!dls_checked_int(INT64_C(1) << 32, INT_MIN, INT_MAX, &out));
  CHECK(!dls_checked_int(-(INT64_C(1) << 32) - 1, INT_MIN, -1, &out));
  CHECK(!dls_checked_int(INT64_MIN, INT_MIN, INT_MAX, &out));
  CHECK(!dls_checked_int(4, 0, 3, &out));
  CHECK_INT(out, 7);
  CHECK(dls_checked_int(INT_MIN, INT_MIN, INT_MAX, &out) && out == INT_MIN);
  CHECK(dls_checked_int(INT_MAX, 0, INT_MAX, &out) && out == INT_MAX);
}

TEST(real_numbers_become_integers_only_where_they_are) {
  int out = 7;
  const double none[] = {0.5, NAN, INFINITY, -INFINITY, 2147483648.0, 1e300, -1};
  for (int k = 0; k < 7; k++) CHECK(!dls_checked_real(none[k], 0, INT_MAX, &out));
  CHECK_INT(out, 7);
  CHECK(dls_checked_real(-0.0, 0, 1, &out) && out == 0);
  CHECK(dls_checked_real(2147483647.0, 0, INT_MAX, &out) && out == INT_MAX);
}

TEST(texts_are_numbers_as_a_whole_or_not_at_all) {
  static const char *const none[] = {"",
                                     "-",
                                     "+",
                                     " 1",
                                     "1 ",
                                     "1x",
                                     "0x1",
                                     "1.5",
                                     "--1",
                                     "1e3",
                                     "9223372036854775808",
                                     "-9223372036854775809",
                                     "99999999999999999999"};
  int64_t out = 7;
  for (int k = 0; k < DLS_COUNT(none); k++)
    if (dls_checked_text(none[k], strlen(none[k]), INT64_MIN, INT64_MAX, &out))
      test_fail(__FILE__, __LINE__, "'%s' passes as %lld", none[k], (long long)out);
  CHECK_INT(out, 7);
  CHECK(dls_checked_text("123xyz", 3, 0, 200, &out) && out == 123);
  CHECK(!dls_checked_text("201", 3, 0, 200, &out));
  CHECK(dls_checked_text("-9223372036854775808", 20, INT64_MIN, INT64_MAX, &out) &&
        out == INT64_MIN);
  CHECK(dls_checked_text("+9223372036854775807", 20, 0, INT64_MAX, &out) && out == INT64_MAX);
}

TEST(products_of_sizes_do_not_overflow) {
  size_t out = 7;
  CHECK(!dls_checked_product(SIZE_MAX / 2 + 1, 2, SIZE_MAX, &out));
  CHECK(!dls_checked_product(1000, 1000, 999999, &out));
  CHECK_INT(out, 7);
  CHECK(dls_checked_product(1000, 1000, 1000000, &out) && out == 1000000);
  CHECK(dls_checked_product(0, SIZE_MAX, 0, &out) && out == 0);
}

TEST(a_place_is_always_in_a_cell) {
  CHECK_INT(dls_checked_cell(NAN, 5), 0);
  CHECK_INT(dls_checked_cell(-1e300, 5), 0);
  CHECK_INT(dls_checked_cell(0.999, 5), 0);
  CHECK_INT(dls_checked_cell(4.5, 5), 4);
  CHECK_INT(dls_checked_cell(5, 5), 4);
  CHECK_INT(dls_checked_cell(INFINITY, 5), 4);
}

typedef struct {
  double x[2];
  int n;
  int64_t id;
} Thing;

static void pack_thing(DlsPack *pack, Thing *t, bool *fits) {
  dls_pack_reals(pack, t->x, 2);
  dls_pack_int(pack, &t->n, 0, 10, fits);
  dls_pack_longs(pack, &t->id, 1);
}

TEST(fields_come_back_as_they_were_saved) {
  Thing from = {{1.5, -0.0}, 7, INT64_MIN}, to = {{0}, 0, 0};
  unsigned char bytes[64];
  bool fits = true;
  DlsPack count = {.way = DLS_PACK_COUNT}, save = {.way = DLS_PACK_SAVE, .to = bytes};
  pack_thing(&count, &from, &fits);
  CHECK_INT(count.used, 32);
  pack_thing(&save, &from, &fits);
  DlsPack restore = {.way = DLS_PACK_RESTORE, .from = bytes, .left = 32};
  pack_thing(&restore, &to, &fits);
  CHECK(fits && dls_pack_whole(&restore) && to.n == 7 && to.id == INT64_MIN);
  CHECK(test_same_bits(to.x[0], 1.5) && test_same_bits(to.x[1], -0.0));
  from.n = 11;
  save.used = 0;
  pack_thing(&save, &from, &fits);
  restore = (DlsPack){.way = DLS_PACK_RESTORE, .from = bytes, .left = 32};
  pack_thing(&restore, &to, &fits);
  CHECK(!fits && to.n == 7);
}

TEST(nothing_is_restored_beyond_the_end) {
  Thing to = {{1, 2}, 3, 4};
  const unsigned char bytes[20] = {0};
  bool fits = true;
  DlsPack restore = {.way = DLS_PACK_RESTORE, .from = bytes, .left = sizeof bytes};
  pack_thing(&restore, &to, &fits);
  CHECK(restore.ended && !dls_pack_whole(&restore));
  CHECK_INT(to.n, 3);
  CHECK_INT(to.id, 4);
}
