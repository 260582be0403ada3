/* Two thousand decks mutated from a good one by a seeded generator, each with an override, and as
 * many mutated expressions: no crash, no hang, no leak; a refusal has a sentence that begins with
 * its place, and what is accepted gives a resolved deck that reads as itself. */
#include "tests/unit/deck_sample.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "deck/units.h"
#include "tests/test.h"

enum { MUTATIONS = 2000, BYTES = 8192 };

typedef struct {
  char bytes[BYTES];
  size_t count;
} Text;

static const char *const pieces[] = {
    ": ",
    "- ",
    "\n",
    "\n  ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "*a",
    "*steel",
    "<<: *steel",
    "!!int ",
    "'",
    "\"",
    "#",
    "\t",
    "|\n",
    ">\n",
    "---\n",
    "...\n",
    "%YAML",
    "? ",
    "~",
    "null",
    ".nan",
    "1e999",
    "-1",
    "0",
    "1e-320",
    "5 mm",
    " kg/m3",
    "\xff",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "\r\n",
    "sin(",
    "t",
    "ramp(t,1,2)",
    "^^",
    "==",
    "bodies:",
    "radius: 1",
    "name: x",
    "options:",
    "true",
    "@",
    "99999999999999999999",
    "\\u0000",
    "\"\\x41\"",
    "&steel ",
    "* ",
    "/s",
    "m^9",
    "?:",
};

static size_t below(DlsRandom *random, size_t count) {
  return (size_t)dls_random_below(random, (int)count);
}

/* Replaces bytes[at, at+gone) by `new`. */
static void replace(Text *text, size_t at, size_t gone, const char *with, size_t length) {
  if (at > text->count) at = text->count;
  if (gone > text->count - at) gone = text->count - at;
  if (text->count - gone + length >= BYTES) return;
  memmove(text->bytes + at + length, text->bytes + at + gone, text->count - at - gone);
  memcpy(text->bytes + at, with, length);
  text->count += length;
  text->count -= gone;
  text->bytes[text->count] = '\0';
}

static void mutate(DlsRandom *random, Text *text) {
  const size_t at = below(random, text->count + 1);
  char copy[64];
  switch (dls_random_below(random, 6)) {
  case 0: { /* a byte */
    const char byte = (char)dls_random_below(random, 256);
    replace(text, at, 1, &byte, 1);
    break;
  }
  case 1: /* a hole */
    replace(text, at, 1 + below(random, 40), "", 0);
    break;
  case 2: { /* a part again, elsewhere */
    const size_t from = below(random, text->count + 1),
                 length = below(random, sizeof copy) % (text->count - from + 1);
    memcpy(copy, text->bytes + from, length);
    replace(text, at, 0, copy, length);
    break;
  }
  case 3: /* the end is lost */
    if (dls_random_below(random, 8) == 0) replace(text, at, text->count, "", 0);
    break;
  default: { /* a word of the language */
    const char *piece = pieces[dls_random_below(random, DLS_COUNT(pieces))];
    replace(text, at, below(random, 4), piece, strlen(piece));
  }
  }
}

/* A refusal says where. */
static void check_sentence(const char *sentence) {
  if (strncmp(sentence, "fuzz.yaml:", 10) != 0 && strncmp(sentence, "set ", 4) != 0)
    test_fail(__FILE__, __LINE__, "no place in \"%s\"", sentence);
}

static char *resolved(const Sample *sample) {
  char *text = NULL;
  CHECK_OK(dls_deck_text(&sample_section, sample, NULL, &text));
  return text;
}

static void check_round_trip(const Sample *sample) {
  char *first = resolved(sample), *second = NULL;
  DlsDeck *deck = NULL;
  Sample again;
  CHECK_OK(dls_deck_parse("fuzz.yaml", first, strlen(first), &deck));
  if (deck && dls_deck_read(deck, &sample_section, &again) == DLS_OK) {
    second = resolved(&again);
    if (strcmp(first, second) != 0)
      test_fail(__FILE__, __LINE__, "changes:\n%s\n%s", first, second);
    dls_deck_release(&sample_section, &again);
  } else {
    test_fail(__FILE__, __LINE__, "%s\n%s", dls_error_message(), first);
  }
  dls_deck_destroy(&deck);
  free(first);
  free(second);
}

static bool try_deck(const Text *text, const char *set) {
  DlsDeck *deck = NULL;
  Sample sample;
  bool good = false;
  char *exact = malloc(text->count + 1); /* so that a sanitizer sees a read past its end */
  memcpy(exact, text->bytes, text->count);
  if (dls_deck_parse("fuzz.yaml", exact, text->count, &deck) != DLS_OK ||
      dls_deck_set(deck, set) != DLS_OK) {
    check_sentence(dls_error_message());
  } else if (dls_deck_read(deck, &sample_section, &sample) != DLS_OK) {
    for (int k = 0; dls_deck_problem_text(deck, k); k++)
      check_sentence(dls_deck_problem_text(deck, k));
    CHECK(dls_deck_problem_count(deck) > 0);
  } else {
    good = true;
    check_round_trip(&sample);
    dls_deck_release(&sample_section, &sample);
  }
  dls_deck_destroy(&deck);
  free(exact);
  return good;
}

static void start(Text *text, const char *from) {
  text->count = strlen(from);
  memcpy(text->bytes, from, text->count + 1);
}

TEST(mutated_decks_are_read_or_refused) {
  static const char *const sets[] = {
      "seed=3",          "time.step=1 ms",   "bodies[0].radius=2",   "bodies[1].motion.angle=t",
      "gravity=[0,0,t]", "solver.name=nsgs", "materials.x.density=1"};
  static Text text, set;
  DlsRandom random;
  int good = 0;
  dls_random_seed(&random, 20260214);
  for (int k = 0; k < MUTATIONS; k++) {
    start(&text, sample_text);
    start(&set, sets[k % DLS_COUNT(sets)]);
    for (int n = 1 + dls_random_below(&random, k % 3 ? 3 : 20); n > 0; n--) mutate(&random, &text);
    if (k % 4 == 0) mutate(&random, &set);
    good += try_deck(&text, set.bytes);
  }
  CHECK(good > MUTATIONS / 50 && good < MUTATIONS); /* both ends of the reader were reached */
}

TEST(mutated_expressions_are_read_or_refused) {
  static const char *const seeds[] = {"1.5e-3*sin(2*pi*15*t)", "t<1 ? ramp(t,0,1) : min(t,2,3)",
                                      "-(t+1)^2/(3-x)&&1||x>=2", "max(1,abs(-t),sqrt(x))"};
  static const char *const words[] = {"(",    ")",     ",",  "?",  ":", "+",   "-",  "^",
                                      "*",    "/",     "<=", "==", "t", "x",   "pi", "sin",
                                      "min(", "step(", "&&", "||", " ", "1e5", "!",  "=",
                                      "\"",   "0",     "()", "if", ".", "$",   "\n", "_"};
  static Text text;
  DlsRandom random;
  int good = 0;
  dls_random_seed(&random, 7);
  for (int k = 0; k < MUTATIONS; k++) {
    DlsExpression *e = NULL;
    start(&text, seeds[k % DLS_COUNT(seeds)]);
    for (int n = 1 + dls_random_below(&random, k % 2 ? 2 : 6); n > 0; n--) {
      const char *word = words[dls_random_below(&random, DLS_COUNT(words))];
      replace(&text, below(&random, text.count + 1), below(&random, 3), word, strlen(word));
    }
    if (dls_expression_create(text.bytes, "t|x", &e) == DLS_OK) {
      const double t[2] = {0.5, 0.25}, once = dls_expression_at(e, t);
      const double twice = dls_expression_at(e, t);
      CHECK(test_same_bits(once, twice));
      good++;
    } else if (!dls_error_message()[0]) {
      test_fail(__FILE__, __LINE__, "no sentence for '%s'", text.bytes);
    }
    dls_expression_destroy(&e);
  }
  CHECK(good > MUTATIONS / 50 && good < MUTATIONS);
}

TEST(mutated_units_are_read_or_refused) {
  static const char *const words[] = {"m", "kg", "s", "/", "^", "-", "3",
                                      "²", ".",  " ", "*", "N", "°"};
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int k = 0; k < MUTATIONS; k++) {
    char text[64] = "";
    DlsUnit unit;
    for (int n = dls_random_below(&random, 8); n > 0; n--)
      strcat(text, words[dls_random_below(&random, DLS_COUNT(words))]);
    if (dls_unit_parse(text, &unit) == DLS_OK)
      CHECK(isfinite(unit.up / unit.down) && unit.up > 0 && unit.down > 0);
  }
}
