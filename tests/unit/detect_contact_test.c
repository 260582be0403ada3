/* Frames, sets and the memory of keys. */
#include <string.h>

#include "base/random.h"
#include "detect/contact.h"
#include "tests/test.h"
#include "world/rotation.h"

TEST(frames_are_right_handed_and_orthonormal) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 0; n < 200; n++) {
      double normal[3] = {0, 0, 0}, frame[9], cross[3];
      for (int k = 0; k < dim; k++)
        normal[k] = n < 6 ? (n / 2 == k) * (n % 2 ? 1 : -1) : dls_random_normal(&random);
      if (dls_vector_norm(normal) == 0) normal[0] = 1;
      const double size = dls_vector_norm(normal);
      for (int k = 0; k < 3; k++) normal[k] /= size;
      dls_contact_frame(dim, normal, frame);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          CHECK_NEAR(dls_vector_dot(frame + 3 * i, frame + 3 * j), i == j, 4e-15);
      dls_vector_cross(frame, frame + 3, cross);
      for (int k = 0; k < 3; k++) CHECK_NEAR(cross[k], frame[6 + k], 4e-15);
    }
}

TEST(reserve_keeps_what_is_there) {
  DlsContactSet set = {0};
  CHECK_OK(dls_contact_set_reserve(&set, 3));
  set.count = 3;
  set.gap[2] = 7;
  set.frame[2][8] = 5;
  CHECK_OK(dls_contact_set_reserve(&set, 1000));
  CHECK_NEAR(set.gap[2], 7, 0);
  CHECK_NEAR(set.frame[2][8], 5, 0);
  CHECK(dls_contact_set_bytes(&set) < 1000 * (180 + 48)); /* of which `shift` 48 */
  dls_contact_set_clear(&set);
  CHECK_INT(set.capacity, 0);
}

static DlsContactKey key_of(uint64_t i, uint64_t j) { return (DlsContactKey){i, j, 0}; }

/* Against a search through all keys. */
static void check_match(const DlsContactMemory *memory, int count, const DlsContactKey *keys,
                        DlsContactSet *set) {
  dls_contact_memory_match(memory, set);
  for (int i = 0; i < set->count; i++) {
    int expected = -1;
    for (int j = 0; j < count && expected < 0; j++)
      if (memcmp(&keys[j], &set->key[i], sizeof keys[j]) == 0) expected = j;
    CHECK_INT(set->previous[i], expected);
  }
}

/* One id has a thousand partners, and keys come in any order. */
TEST(memory_finds_the_same_contact_again) {
  enum { COUNT = 4000 };
  static DlsContactKey keys[COUNT];
  DlsContactMemory memory = {0};
  DlsContactSet set = {0};
  DlsRandom random;
  dls_random_seed(&random, 6);
  for (int i = 0; i < COUNT; i++) {
    const uint64_t a = (uint64_t)i / 3;
    keys[i] = i < 1000 ? key_of(1, 10 + (uint64_t)i) : key_of(a, a + 7 + (uint64_t)i % 3);
    if (i % 10) continue;
    keys[i] = key_of((uint64_t)i, DLS_KEY_BOUNDARY | 3);
    keys[i].feature = dls_key_features(i % 20 ? 1u << 31 : 0, (uint32_t)i % 6);
  }
  CHECK_OK(dls_contact_set_reserve(&set, COUNT));
  set.count = COUNT;
  for (int i = 0; i < COUNT; i++) set.key[i] = key_of(5, 6);
  dls_contact_memory_match(&memory, &set); /* of nothing */
  CHECK_INT(set.previous[COUNT - 1], -1);
  CHECK_OK(dls_contact_memory_remember(&memory, COUNT, keys, NULL));
  for (int i = 0; i < COUNT; i++) {
    const int pick = dls_random_below(&random, 2 * COUNT);
    set.key[i] = pick < COUNT ? keys[pick] : key_of(900000 + (uint64_t)pick, 1);
  }
  check_match(&memory, COUNT, keys, &set);
  /* By whatever features; the other way round they are not the same two. */
  for (int i = 0; i < COUNT; i++) {
    DlsContactKey other = keys[i];
    other.feature ^= 0x123400000567u;
    CHECK(dls_contact_memory_knows(&memory, &other));
    const DlsContactKey turned = key_of(other.antagonist, other.candidate);
    CHECK(!dls_contact_memory_knows(&memory, &turned));
    other.candidate += 5000000;
    CHECK(!dls_contact_memory_knows(&memory, &other));
  }
  CHECK_OK(dls_contact_memory_remember(&memory, 0, NULL, NULL));
  dls_contact_memory_match(&memory, &set);
  CHECK_INT(set.previous[0], -1);
  CHECK(!dls_contact_memory_knows(&memory, &keys[0]));
  dls_contact_memory_clear(&memory);
  dls_contact_set_clear(&set);
}

/* Bricks in running bond, each with four contacts on six others: keys are found in a few looks,
 * however close their ids are and however far those of other bodies reach. */
TEST(memory_spreads_the_contacts_of_bodies_with_ids_next_to_each_other) {
  enum { BRICKS = 1000, COURSE = 40, KEYS = 12 * BRICKS };
  static const uint64_t above[3] = {1, COURSE, COURSE + 1};
  static DlsContactKey keys[KEYS];
  DlsContactMemory memory = {0};
  int run = 0, longest = 0;
  for (int i = 0; i < KEYS; i++) {
    const uint64_t brick = (uint64_t)i / 12 + 1, other = brick + above[i / 4 % 3];
    keys[i] = (DlsContactKey){brick, other, dls_key_features(8, (uint32_t)i % 4)};
  }
  CHECK_OK(dls_contact_memory_remember(&memory, KEYS, keys, NULL));
  for (int s = 0; s < 2 * memory.slots; s++) {
    run = memory.slot[s % memory.slots] ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  CHECK(longest < KEYS / 50);
  dls_contact_memory_clear(&memory);
}

/* As from step to step: most in order, some gone (the first and the last too), some new, some
 * changed places, some of the same bodies by another feature. */
TEST(memory_finds_contacts_whose_order_changed_little) {
  enum { COUNT = 2000 };
  static DlsContactKey keys[COUNT];
  DlsContactMemory memory = {0};
  DlsContactSet set = {0};
  DlsRandom random;
  int found = 0;
  dls_random_seed(&random, 7);
  for (int i = 0; i < COUNT; i++)
    keys[i] = (DlsContactKey){(uint64_t)i / 4, (uint64_t)i / 4 + 1, (uint64_t)i % 4 << 32};
  CHECK_OK(dls_contact_memory_remember(&memory, COUNT, keys, NULL));
  CHECK_OK(dls_contact_set_reserve(&set, 2 * COUNT));
  for (int i = 1; i < COUNT - 1; i++) {
    const int fate = dls_random_below(&random, 10);
    if (fate == 0) continue;
    if (fate == 1) set.key[set.count++] = key_of(900000 + (uint64_t)i, 1);
    set.key[set.count++] = keys[i];
    if (fate == 2) set.key[set.count - 1].feature |= 5;
    if (fate != 3 || set.count < 2) continue;
    const DlsContactKey last = set.key[set.count - 1];
    set.key[set.count - 1] = set.key[set.count - 2];
    set.key[set.count - 2] = last;
  }
  check_match(&memory, COUNT, keys, &set);
  for (int i = 0; i < set.count; i++) found += set.previous[i] >= 0;
  CHECK(found > COUNT / 2 && found < COUNT - 2 && set.count > found);
  dls_contact_memory_clear(&memory);
  dls_contact_set_clear(&set);
}

TEST(keys_hold_64_bits_of_features) {
  enum { COUNT = 5 };
  const uint32_t last = UINT32_MAX,
                 feature[COUNT][2] = {{0, 0}, {last, 0}, {0, last}, {last, last}, {1, 0}};
  DlsContactMemory memory = {0};
  DlsContactSet set = {0};
  DlsContactKey keys[COUNT];
  CHECK_INT(dls_key_id(DLS_KEY_BOUNDARY | 123456789), 123456789);
  CHECK_OK(dls_contact_set_reserve(&set, COUNT));
  set.count = COUNT;
  for (int i = 0; i < COUNT; i++) {
    keys[i] = (DlsContactKey){7, 8, dls_key_features(feature[i][0], feature[i][1])};
    set.key[COUNT - 1 - i] = keys[i];
  }
  CHECK_OK(dls_contact_memory_remember(&memory, COUNT - 1, keys, NULL));
  dls_contact_memory_match(&memory, &set);
  for (int i = 0; i < COUNT; i++) CHECK_INT(set.previous[COUNT - 1 - i], i < COUNT - 1 ? i : -1);
  dls_contact_memory_clear(&memory);
  dls_contact_set_clear(&set);
}
