/* Decks that are wrong: each mistake gets its own sentence, with the line and the cure. A case is
 * the good deck of deck_sample.h with one line replaced, or with lines added behind it. */
#include "tests/unit/deck_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deck/tree.h"
#include "tests/test.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/deck_mistakes"

typedef struct {
  int line;         /* replaced in the sample; 0: `with` is put behind it */
  const char *with; /* the new line, or several */
  int at;           /* the line that the message names */
  const char *part; /* what follows "deck.yaml:LINE:" somewhere in the message */
} Mistake;

static const Mistake mistakes[] = {
    /* keys */
    {2, "shceme: euler", 2, "shceme: unknown key; did you mean 'scheme'?"},
    {2, "wibble: euler", 2, "wibble: unknown key; there are: title, table, scheme, seed"},
    {11, "  stepp: 1", 11, "time.stepp: unknown key; did you mean 'step'?"},
    {11, "  end: 1", 10, "time.step: is missing; add it to the section: length of a step (s)"},
    {15, "    omega: 1", 15, "solver.options.omega: unknown key; there are: restart"},
    {17, "  rock: {densty: 2500}", 17,
     "materials.rock.densty: unknown key; did you mean 'density'?"},
    {17, "  rock: {mu: 0.1}", 17, "materials.rock.density: is missing"},
    {22, "  - raduis: 5 mm", 22, "bodies[0].raduis: unknown key; did you mean 'radius'?"},
    {30, "      velocty: 1", 30, "bodies[1].motion.velocty: unknown key"},
    {24, "    place: here", 24, "bodies[0].place: unknown key"},
    {19, "    density: 1\n    name: x", 20, "materials.steel.name: unknown key"},
    /* types */
    {3, "seed: many", 3, "seed: is a whole number, not 'many'; write a plain number"},
    {3, "seed: 1.5", 3, "seed: is a whole number, not '1.5'; remove the fraction"},
    {3, "seed: [1]", 3, "seed: is a whole number, not a list; write one value"},
    {3, "seed:", 3, "seed: has no value; give it a whole number, or remove the line"},
    {3, "seed: 1e300", 3, "seed: 1e+300 is out of bounds"},
    {11, "  step: fast", 11, "time.step: is a number, not 'fast'; write a plain number in s"},
    {11, "  step: {a: 1}", 11, "time.step: is a number, not a section"},
    {11, "  step: 0,5", 11, "time.step: is a number, not '0,5'; write a decimal point, no comma"},
    {11, "  step: 0x10", 11, "time.step: is a number, not '0x10'"},
    {11, "  step: 1/2", 11, "time.step: is a number, not '1/2'"},
    {11, "  step: .nan", 11, "time.step: '.nan' is no finite number"},
    {11, "  step: -inf", 11, "time.step: '-inf' is no finite number"},
    {11, "  step: 1e999", 11, "time.step: '1e999' is no finite number"},
    {11, "  step: 1e308 h", 11, "time.step: '1e308 h' is no finite number"},
    {1, "title: [a, b]", 1, "title: is a text, not a list"},
    {1, "title: ~", 1, "title: has no value; give it a text"},
    {22, "  - radius: 1\n    visible: maybe", 23,
     "bodies[0].visible: is true or false, not 'maybe'"},
    {10, "time: 5\nx:", 10, "time: is a section, not a value; write its 'key: value' lines"},
    {22, "  - 5\n  - radius: 1", 22, "bodies[0]: is a section, not a value"},
    {28, "    motion: [1]\n    x:", 28, "bodies[1].motion: is a section, not a list"},
    {27, "    fixed: x", 27, "bodies[1].fixed: is a list of 0 or more words, not 'x'"},
    /* choices */
    {2, "scheme: eulr", 2,
     "scheme: is one of moreau, euler, first-order, not 'eulr'; did you mean 'euler'?"},
    {2, "scheme: rk4", 2, "scheme: is one of moreau, euler, first-order, not 'rk4'"},
    {27, "    fixed: [x, rw]", 27, "bodies[1].fixed[1]: is one of x, y, z, rx, ry, rz, not 'rw'"},
    {13, "  name: nsgz", 14, "solver.options: there is no solver 'nsgz'; there are nsgs, newton"},
    /* bounds */
    {3, "seed: -1", 3, "seed: -1 is out of bounds; give a value from 0 to 1000000000"},
    {11, "  step: 0", 11, "time.step: 0 s is out of bounds; give a value above 0 s"},
    {22, "  - radius: -5 mm", 22,
     "bodies[0].radius: -0.005 m is out of bounds; give a value above 0"},
    {22, "  - radius: 2 km", 22, "bodies[0].radius: 2000 m is out of bounds"},
    {17, "  rock: {density: 1, mu: -0.1}", 17,
     "materials.rock.mu: -0.1 is out of bounds; give a "
     "value at least 0"},
    {9, "shares: [0.5, 1.5]", 9, "shares[1]: 1.5 is out of bounds; give a value from 0 to 1"},
    {4, "counts: [0, 1]", 4, "counts[0]: 0 is out of bounds"},
    {26, "    mass: 1e9", 26, "bodies[1].mass: 1e+09 kg is more than a mountain; check the unit"},
    /* lengths */
    {4, "counts: [1]", 4, "counts: has 1 item, needs 2 to 3 numbers"},
    {4, "counts: 5", 4, "counts: is a list of 2 to 3 numbers, not '5'; write [a, b, ...]"},
    {7, "gravity: [0, 0]", 7, "gravity: has 2 items, needs 3 expressions"},
    {7, "gravity: [0 0 -9.81]", 7,
     "gravity: has 1 item, needs 3 expressions; separate them by commas"},
    {23, "    position: [1, 2, 3, 4]", 23, "bodies[0].position: has 4 items, needs 2 to 3 numbers"},
    {23, "    position: {x: 1}", 23,
     "bodies[0].position: is a list of 2 to 3 numbers, not a section"},
    /* units */
    {22, "  - radius: 5 kg", 22, "bodies[0].radius: '5 kg' is in kg, which is no m; give it in m"},
    {22, "  - radius: 5 mmm", 22, "bodies[0].radius: '5 mmm': 'mmm' is no unit; did you mean 'm"},
    {17, "  rock: {density: 1, mu: 30 deg}", 17, "'30 deg' has a unit, this is a plain number"},
    {6, "spin: 15 Hz", 6, "spin: '15 Hz' is in Hz, which is no rad/s"},
    {5, "frequency: 3 rad/s", 5, "frequency: '3 rad/s' is in rad/s, which is no Hz"},
    {19, "    density: 5 kg/", 19, "'kg/' ends before its last unit"},
    {23, "    position: [1, 2 s]", 23, "bodies[0].position[1]: '2 s' is in s, which is no m"},
    /* expressions */
    {7, "gravity: [0, 0, sinn(t)]", 7,
     "gravity[2]: unknown function 'sinn' at character 1 of 'sinn(t)'; did you mean 'sin'?"},
    {7, "gravity: [0, 2*x, 0]", 7, "gravity[1]: unknown name 'x' at character 3 of '2*x'"},
    {7, "gravity: [0, 0, 1/t]", 7, "gravity[2]: '1/t' is infinite at t = 0 s"},
    {7, "gravity: [0, 0, sqrt(t-1)]", 7, "gravity[2]: 'sqrt(t-1)' is no number at t = 0 s"},
    {7, "gravity: [0, 0, 2*(t+1]", 7, "gravity[2]: a ')' is missing at character 7 of '2*(t+1'"},
    {7, "gravity: [0, ramp(t, 1)]", 7, "in a list put an expression that has commas in quotes"},
    {7, "gravity: [0, 0, 5 kg]", 7, "gravity[2]: '5 kg' is in kg, which is no m/s2"},
    {8, "field: t = 3", 8, "field: '=' assigns nothing at character 3 of 't = 3'; to compare"},
    {8, "field: \"\"", 8, "field: the expression is empty"},
    /* structure */
    {21, "bodies: []\nx:", 21, "bodies: has 0 items; there are at least 1"},
    {16, "materials:\n  - density: 1\nx:", 16, "materials: holds named sections; write 'name:'"},
    {21, "bodies:\n  a: {radius: 1}\nx:", 21, "bodies: is a list; write '- ' before each item"},
    {0, "table: nowhere.csv", 31, "table: the file 'nowhere.csv' cannot be read"},
    {0, "table: /", 31, "table: '/' is a folder; name a file in it"},
};

/* Syntax: the reading ends there; "deck.yaml:LINE:COLUMN: ". */
static const Mistake broken[] = {
    {3, "seed: 1\nseed: 2", 4,
     ":1: the key 'seed' stands here for the second time (first at line 3)"},
    {11, "\tstep: 1", 11, ":1: a tab in the indentation; indent with blanks"},
    {30, "      angle: \"30 deg", 0, "close the quote that is open"},
    {2, "scheme: euler: x", 2, "mapping values are not allowed in this context; write one"},
    {4, "counts: [4, 5", 5, "separate the items by commas and close the list with ]"},
    {17, "  rock: {density: 1", 18, "close the braces with }"},
    {11, " step: 1\n  end: 2", 12, "; "},
    {2, "scheme: @euler", 2, ":9: found character that cannot start any token"},
    {20, "  iron: *stell", 20, ":9: *stell has no anchor above it"},
    {20, "  iron: &a {x: *a}", 20, "*a stands inside what it stands for"},
    {20, "  iron: {<<: *steel}", 20, "merge keys ('<<') are not supported; write the keys out"},
    {3, "seed: !!int 3", 3, "the tag 'tag:yaml.org,2002:int' is not supported; remove it"},
    {3, "[a, b]: 3", 3, "a key is a word"},
    {3, "---", 3, "a second document; a deck is one document"},
    {1, "title: caf\xe9", 1, "save the file as UTF-8"},
    {1, "title: \"a\\0b\"", 1, "a zero byte in a text; remove it"},
    {1, "title: \x01", 1,
     "control characters are not allowed; the file holds bytes that are no text"},
    {1, "title: \"C:\\data\"", 1, "in double quotes a backslash is written twice"},
    {3, "seed", 3, "a key is followed by a colon and a blank"},
};

/* The sample with one line replaced. */
static char *spoil(const Mistake *mistake) {
  char *text = malloc(sizeof sample_text + strlen(mistake->with) + 2), *out = text;
  const char *line = sample_text;
  for (int number = 1; *line; number++) {
    const char *end = strchr(line, '\n') + 1;
    if (number == mistake->line)
      out += sprintf(out, "%s\n", mistake->with);
    else
      out += sprintf(out, "%.*s", (int)(end - line), line);
    line = end;
  }
  if (mistake->line == 0) sprintf(out, "%s\n", mistake->with);
  return text;
}

TEST(every_mistake_has_its_line_and_its_cure) {
  CHECK(DLS_COUNT(mistakes) >= 40);
  for (int k = 0; k < DLS_COUNT(mistakes); k++) {
    const Mistake *m = &mistakes[k];
    char *text = spoil(m), place[40];
    bool found = false;
    DlsDeck *deck = NULL;
    Sample s;
    snprintf(place, sizeof place, "deck.yaml:%d: ", m->at);
    if (dls_deck_parse("deck.yaml", text, strlen(text), &deck) != DLS_OK) {
      test_fail(__FILE__, __LINE__, "'%s' is no YAML: %s", m->with, dls_error_message());
      free(text);
      continue;
    }
    if (dls_deck_read(deck, &sample_section, &s) == DLS_OK)
      test_fail(__FILE__, __LINE__, "'%s' is accepted", m->with);
    for (int p = 0; !found && dls_deck_problem_text(deck, p); p++) {
      const char *message = dls_deck_problem_text(deck, p);
      found = strncmp(message, place, strlen(place)) == 0 && test_contains(message, m->part);
    }
    if (!found)
      test_fail(__FILE__, __LINE__, "'%s' gives \"%s\", not \"%s%s\"", m->with,
                dls_deck_problem_text(deck, 0), place, m->part);
    CHECK(s.title == NULL && s.bodies.items == NULL);
    dls_deck_destroy(&deck);
    free(text);
  }
}

TEST(every_syntax_error_has_its_place_and_its_cure) {
  for (int k = 0; k < DLS_COUNT(broken); k++) {
    const Mistake *m = &broken[k];
    char *text = spoil(m), place[40];
    DlsDeck *deck = NULL;
    snprintf(place, sizeof place, "deck.yaml:%d:", m->at);
    if (m->at == 0) strcpy(place, "deck.yaml:");
    CHECK_FAILS(dls_deck_parse("deck.yaml", text, strlen(text), &deck), DLS_ERR_FORMAT, m->part);
    if (strncmp(dls_error_message(), place, strlen(place)) != 0)
      test_fail(__FILE__, __LINE__, "'%s' gives \"%s\", not at %s", m->with, dls_error_message(),
                place);
    CHECK(deck == NULL);
    dls_deck_destroy(&deck);
    free(text);
  }
}

TEST(all_problems_are_told_at_once_in_the_order_of_the_file) {
  DlsDeck *deck = NULL;
  Sample s;
  const char *text = "bodies: [{radius: -1}, {raduis: 1}]\nscheme: x\ntime: {step: 0}\ntitel: y\n";
  CHECK_OK(dls_deck_parse("d.yaml", text, strlen(text), &deck));
  CHECK_FAILS(dls_deck_read(deck, &sample_section, &s), DLS_ERR_FORMAT, "(and 5 more problems");
  CHECK_INT(dls_deck_problem_count(deck), 6);
  for (int k = 1; k < 6; k++)
    CHECK(strncmp(dls_deck_problem_text(deck, k - 1), dls_deck_problem_text(deck, k), 8) <= 0);
  dls_deck_destroy(&deck);
}

TEST(of_very_many_problems_the_first_twenty_are_kept) {
  char text[4000] = "time: {step: 1}\nbodies: [{radius: 1}]\n";
  for (int k = 0; k < 100; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "wrong%d: 1\n", k);
  DlsDeck *deck = NULL;
  Sample s;
  CHECK_OK(dls_deck_parse("d.yaml", text, strlen(text), &deck));
  CHECK_FAILS(dls_deck_read(deck, &sample_section, &s), DLS_ERR_FORMAT, "(and 99 more problems");
  CHECK(test_contains(dls_deck_problem_text(deck, DLS_DECK_PROBLEMS - 1), "d.yaml:22: wrong19:"));
  CHECK(dls_deck_problem_text(deck, DLS_DECK_PROBLEMS) == NULL);
  dls_deck_destroy(&deck);
}

static DlsStatus parse(const char *text) {
  DlsDeck *deck = NULL;
  const DlsStatus status = dls_deck_parse("d.yaml", text, strlen(text), &deck);
  dls_deck_destroy(&deck);
  return status;
}

TEST(decks_without_keys_are_refused) {
  CHECK_FAILS(parse(""), DLS_ERR_FORMAT, "d.yaml: the deck is empty");
  CHECK_FAILS(parse("# a comment\n\n"), DLS_ERR_FORMAT, "d.yaml: the deck is empty");
  CHECK_FAILS(parse("---\n"), DLS_ERR_FORMAT, "d.yaml: the deck is empty");
  CHECK_FAILS(parse("hello"), DLS_ERR_FORMAT, "d.yaml:1: a deck is made of 'key: value' lines");
  CHECK_FAILS(parse("- a\n- b\n"), DLS_ERR_FORMAT, "this is a list");
}

/* Nine levels of ten aliases would be a thousand million nodes. */
TEST(an_alias_bomb_is_refused) {
  char text[4000] = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int k = 1; k < 9; k++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), "a%d: &a%d [", k, k);
    for (int n = 0; n < 10; n++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s*a%d", n ? ", " : "", k - 1);
    strcat(text, "]\n");
  }
  CHECK_FAILS(parse(text), DLS_ERR_FORMAT,
              "more than 1000000 values once the aliases are unfolded");
}

TEST(depth_and_numbers_of_anchors_have_a_limit) {
  char *text = malloc(1 << 20), *out = text;
  out += sprintf(out, "a: ");
  for (int k = 0; k < 100000; k++) *out++ = '[';
  *out = '\0';
  CHECK_FAILS(parse(text), DLS_ERR_FORMAT, "d.yaml:1:68: nested deeper than 64 levels");
  out = text;
  for (int k = 0; k < 2000; k++) out += sprintf(out, "k%d: &a%d 1\n", k, k);
  CHECK_FAILS(parse(text), DLS_ERR_FORMAT, "too many anchors");
  out = text + sprintf(text, "a: &a 1\nb: [");
  for (int k = 0; k < 20000; k++) out += sprintf(out, "*a, ");
  sprintf(out, "]\n");
  CHECK_FAILS(parse(text), DLS_ERR_FORMAT, "too many aliases");
  free(text);
}

TEST(what_is_no_file_is_refused) {
  DlsDeck *deck = NULL;
  mkdir(TEST_BINARY_DIR "/tests", 0777);
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(FOLDER, 0777);
  CHECK_FAILS(dls_deck_open(FOLDER, &deck), DLS_ERR_FILE, "is a folder; name a file in it");
  CHECK_FAILS(dls_deck_open(FOLDER "/none.yaml", &deck), DLS_ERR_FILE,
              "none.yaml: cannot be opened");
  FILE *file = fopen(FOLDER "/huge.yaml", "w");
  CHECK(file && fseek(file, DLS_DECK_MAX_BYTES, SEEK_SET) == 0 && fputc('\n', file) == '\n');
  if (file) fclose(file); /* a hole: it takes no room on the disk */
  CHECK_FAILS(dls_deck_open(FOLDER "/huge.yaml", &deck), DLS_ERR_FORMAT, "larger than 64 MB");
  remove(FOLDER "/huge.yaml");
}
