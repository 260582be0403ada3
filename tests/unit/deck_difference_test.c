/* Two decks key by key: what differs is named by its path, with both values and the place of the
 * new one. */
#include "tests/test.h"

#include <string.h>

#include "deck/difference.h"

static DlsDeck *deck_of(const char *text) {
  DlsDeck *deck = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  return deck;
}

/* The difference of this key, found or not. */
static const DlsDeckDifference *find(const DlsDeckDifferences *all, const char *key) {
  for (int k = 0; k < all->count; k++)
    if (strcmp(all->item[k].key, key) == 0) return &all->item[k];
  return NULL;
}

static void check(const DlsDeckDifferences *all, const char *key, const char *then, const char *now,
                  const char *place) {
  const DlsDeckDifference *d = find(all, key);
  if (!d || strcmp(d->then, then) != 0 || strcmp(d->now, now) != 0 || strcmp(d->place, place) != 0)
    test_fail(__FILE__, __LINE__, "%s: %s -> %s at %s, not %s -> %s at %s", key,
              d ? d->then : "none", d ? d->now : "none", d ? d->place : "none", then, now, place);
}

static const char first[] = "gravity: [0, -9.81]\n"
                            "time: {step: 1, end: 2}\n"
                            "laws:\n"
                            "  - {law: coulomb, parameters: {mu: 0.3, rho: 0}}\n"
                            "  - {law: signorini}\n"
                            "walls:\n"
                            "  left: {x: 0}\n"
                            "  right: {x: 1, servo: {mass: 2}}\n";

TEST(equal_decks_have_no_difference) {
  DlsDeck *a = deck_of(first), *b = deck_of(first);
  DlsDeckDifferences all = {0};
  CHECK_OK(dls_deck_compare(dls_deck_root(a), dls_deck_root(b), b, &all));
  CHECK_INT(all.count, 0);
  dls_deck_differences_clear(&all);
  dls_deck_destroy(&a);
  dls_deck_destroy(&b);
}

TEST(every_difference_has_its_key_its_values_and_its_place) {
  DlsDeck *a = deck_of(first);
  DlsDeck *b = deck_of("gravity: [0, -1.62]\n"
                       "time: {step: 1, end: 2, scheme: euler}\n"
                       "laws:\n"
                       "  - law: coulomb\n"
                       "    parameters: {mu: 0.5, rho: 0}\n"
                       "walls:\n"
                       "  left: {x: 0}\n"
                       "  right: {x: 1}\n"
                       "  top: {x: 3}\n");
  DlsDeckDifferences all = {0};
  CHECK_OK(dls_deck_set(b, "time.end=7"));
  CHECK_OK(dls_deck_compare(dls_deck_root(a), dls_deck_root(b), b, &all));
  CHECK_INT(all.count, 7);
  check(&all, "gravity", "[0, -9.81]", "[0, -1.62]", "deck.yaml:1");
  check(&all, "time.end", "2", "7", "set time.end=7");
  check(&all, "time.scheme", "nothing", "euler", "deck.yaml:2");
  check(&all, "laws[0].parameters.mu", "0.3", "0.5", "deck.yaml:5");
  check(&all, "laws[1]", "{law: signorini}", "nothing", "a default");
  check(&all, "walls.right.servo", "{mass: 2}", "nothing", "a default");
  check(&all, "walls.top", "nothing", "{x: 3}", "deck.yaml:9");
  dls_deck_differences_clear(&all);
  dls_deck_destroy(&a);
  dls_deck_destroy(&b);
}

/* Numbers of materials and boundaries follow from the order of their names. */
TEST(another_order_of_names_is_a_difference) {
  DlsDeck *a = deck_of("walls: {left: 1, right: 2, top: 3}\n");
  DlsDeck *b = deck_of("walls: {right: 2, left: 1, top: 3}\n");
  DlsDeckDifferences all = {0};
  CHECK_OK(dls_deck_compare(dls_deck_root(a), dls_deck_root(b), b, &all));
  CHECK_INT(all.count, 1);
  check(&all, "walls", "in the order left, right, top", "in the order right, left, top",
        "deck.yaml:1");
  dls_deck_differences_clear(&all);
  dls_deck_destroy(&a);
  dls_deck_destroy(&b);
}

TEST(a_key_covers_all_below_it_and_nothing_beside) {
  CHECK(dls_deck_covers("laws", "laws[0].parameters.mu"));
  CHECK(dls_deck_covers("laws[0]", "laws[0].parameters.mu"));
  CHECK(dls_deck_covers("laws.0.parameters", "laws[0].parameters.mu"));
  CHECK(dls_deck_covers("laws[0].parameters.mu", "laws[0].parameters.mu"));
  CHECK(!dls_deck_covers("laws[1]", "laws[0].parameters.mu"));
  CHECK(!dls_deck_covers("law", "laws[0]"));
  CHECK(!dls_deck_covers("laws[0].parameters.mu.x", "laws[0].parameters.mu"));
  CHECK(!dls_deck_covers("time.end", "time"));
}

TEST(a_path_finds_its_node) {
  DlsDeck *a = deck_of(first);
  const DlsDeckNode *mu = dls_deck_at(dls_deck_root(a), "laws[0].parameters.mu");
  CHECK(mu && strcmp(mu->text, "0.3") == 0);
  CHECK(dls_deck_at(dls_deck_root(a), "laws.0.parameters.mu") == mu);
  CHECK(!dls_deck_at(dls_deck_root(a), "laws[2]"));
  CHECK(!dls_deck_at(dls_deck_root(a), "gravty"));
  dls_deck_destroy(&a);
}

TEST(a_deck_takes_a_section_of_another_where_it_has_none) {
  DlsDeck *a = deck_of(first), *b = deck_of("gravity: [0, -1]\n");
  CHECK_OK(dls_deck_adopt(b, "walls", dls_deck_find(dls_deck_root(a), "walls")));
  CHECK_OK(dls_deck_adopt(b, "gravity", dls_deck_find(dls_deck_root(a), "gravity")));
  dls_deck_destroy(&a); /* what was taken is a copy */
  const DlsDeckNode *mass = dls_deck_at(dls_deck_root(b), "walls.right.servo.mass");
  CHECK(mass && strcmp(mass->text, "2") == 0);
  const DlsDeckNode *own = dls_deck_at(dls_deck_root(b), "gravity[1]");
  CHECK(own && strcmp(own->text, "-1") == 0);
  dls_deck_destroy(&b);
}

TEST(a_tilde_takes_a_key_or_an_item_away) {
  DlsDeck *a = deck_of(first);
  CHECK_OK(dls_deck_set(a, "walls.right.servo=~"));
  CHECK(!dls_deck_at(dls_deck_root(a), "walls.right.servo"));
  CHECK(dls_deck_at(dls_deck_root(a), "walls.right.x") != NULL);
  CHECK_OK(dls_deck_set(a, "laws[0]=~"));
  const DlsDeckNode *law = dls_deck_at(dls_deck_root(a), "laws[0].law");
  CHECK(law && strcmp(law->text, "signorini") == 0);
  CHECK_OK(dls_deck_set(a, "laws[0]=~"));
  CHECK_OK(dls_deck_set(a, "laws[0].law=coulomb")); /* an empty list takes a first item again */
  CHECK(dls_deck_at(dls_deck_root(a), "laws[0].law") != NULL);
  dls_deck_destroy(&a);
}
