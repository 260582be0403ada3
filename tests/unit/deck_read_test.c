/* Decks that are right: values, units, defaults, overrides, and the resolved deck read again. */
#include "tests/unit/deck_sample.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/files.h"

static DlsDeck *parse(const char *text) {
  DlsDeck *deck = NULL;
  CHECK_OK(dls_deck_parse("sample.yaml", text, strlen(text), &deck));
  return deck;
}

static const char *path_of(const char *name) { return test_path("deck_read", name); }

static const Body *body_of(const Sample *sample, int k) {
  return (const Body *)sample->bodies.items + k;
}

static const Material *material_of(const Sample *sample, int k) {
  return (const Material *)sample->materials.items + k;
}

TEST(values_arrive_in_their_fields_in_SI) {
  DlsDeck *deck = parse(sample_text);
  Sample s;
  CHECK_OK(dls_deck_read(deck, &sample_section, &s));
  CHECK(strcmp(s.title, "two spheres") == 0);
  CHECK_INT(s.scheme, 1);
  CHECK_INT(s.seed, 7);
  CHECK_INT(s.counts[0], 4);
  CHECK_INT(s.counts[1], 5);
  CHECK_INT(s.counts[2], 0);
  CHECK_NEAR(s.frequency, 15, 0);
  CHECK_NEAR(s.spin, 2 * acos(-1), 1e-15);
  CHECK_NEAR(dls_expression_value(s.gravity[1], 0.01), 1.5e-3 * sin(2 * acos(-1) * 15 * 0.01),
             1e-18);
  CHECK_NEAR(dls_expression_at(s.field, (double[]){1, 2, 3}), 7, 0);
  CHECK_INT(s.shares.count, 2);
  CHECK_NEAR(s.shares.values[1], 0.75, 0);
  CHECK_NEAR(s.time.step, 0.0005, 0);
  CHECK_INT(s.materials.count, 3);
  CHECK(strcmp(material_of(&s, 2)->name, "iron") == 0);
  CHECK_NEAR(material_of(&s, 2)->density, 7800, 0);
  CHECK_INT(s.bodies.count, 2);
  CHECK_NEAR(body_of(&s, 0)->radius, 0.005, 0);
  CHECK_NEAR(body_of(&s, 0)->position[1], 0.02, 0);
  CHECK_NEAR(body_of(&s, 0)->position[2], 0, 0);
  CHECK_NEAR(body_of(&s, 1)->mass, 0.003, 0);
  CHECK_INT(body_of(&s, 1)->fixed.count, 2);
  CHECK(strcmp(body_of(&s, 1)->fixed.values[1], "rz") == 0);
  CHECK_NEAR(dls_expression_value(body_of(&s, 1)->motion->velocity[0], 3), 0.01, 0);
  CHECK_NEAR(dls_expression_value(body_of(&s, 1)->motion->velocity[1], 0.5), 1, 0);
  CHECK_NEAR(dls_expression_value(body_of(&s, 1)->motion->velocity[2], 0.5), 0, 0);
  CHECK_NEAR(dls_expression_value(body_of(&s, 1)->motion->angle, 0), acos(-1) / 6, 1e-16);
  CHECK_INT(body_of(&s, 1)->place->line, 25);
  CHECK(s.solver.options.section == &newton_section);
  CHECK_INT(((const Newton *)s.solver.options.data)->restart, 50);
  dls_deck_release(&sample_section, &s);
  CHECK(s.title == NULL && s.bodies.items == NULL);
  dls_deck_destroy(&deck);
  CHECK(deck == NULL);
}

TEST(what_is_not_given_has_its_default_or_says_so) {
  DlsDeck *deck = parse("time: {step: 1e-3}\nbodies: [{radius: 1}]\nsolver:\n");
  Sample s;
  CHECK_OK(dls_deck_read(deck, &sample_section, &s));
  CHECK(strcmp(s.title, "untitled") == 0);
  CHECK(s.table == NULL && s.field == NULL);
  CHECK_INT(s.scheme, 0);
  CHECK_INT(s.counts[0], DLS_DECK_NO_INT);
  CHECK_NEAR(dls_expression_value(s.gravity[2], 1), -9.81, 0);
  CHECK_NEAR(s.time.end, 1, 0);
  CHECK_NEAR(s.solver.tolerance, 1e-6, 0);
  CHECK_NEAR(((const GaussSeidel *)s.solver.options.data)->omega, 1, 0);
  CHECK_INT(s.materials.count, 0);
  CHECK(isnan(body_of(&s, 0)->mass));
  CHECK(body_of(&s, 0)->motion == NULL && body_of(&s, 0)->visible);
  dls_deck_release(&sample_section, &s);
  dls_deck_destroy(&deck);
}

TEST(overrides_change_values_and_make_what_is_missing) {
  static const char *const sets[] = {"time.step=2 ms",
                                     "bodies[1].radius=7",
                                     "bodies.0.radius=8",
                                     "solver.name=nsgs",
                                     "solver.options={omega: 1.5}",
                                     "materials.glass.density=2400",
                                     "gravity=[0, 0, sin(t)]",
                                     "title=a: b # c",
                                     "bodies[2].radius=9",
                                     "bodies[2].motion.angle=2*t"};
  DlsDeck *deck = parse(sample_text);
  Sample s;
  for (int k = 0; k < DLS_COUNT(sets); k++) CHECK_OK(dls_deck_set(deck, sets[k]));
  CHECK_OK(dls_deck_read(deck, &sample_section, &s));
  CHECK_NEAR(s.time.step, 0.002, 0);
  CHECK_NEAR(body_of(&s, 1)->radius, 7, 0);
  CHECK_NEAR(body_of(&s, 0)->radius, 8, 0);
  CHECK_NEAR(((const GaussSeidel *)s.solver.options.data)->omega, 1.5, 0);
  CHECK_INT(s.materials.count, 4);
  CHECK_NEAR(material_of(&s, 3)->density, 2400, 0);
  CHECK_NEAR(dls_expression_value(s.gravity[2], 0.5), sin(0.5), 0);
  CHECK(strcmp(s.title, "a: b # c") == 0);
  CHECK_INT(s.bodies.count, 3);
  CHECK_NEAR(dls_expression_value(body_of(&s, 2)->motion->angle, 3), 6, 0);
  dls_deck_release(&sample_section, &s);
  dls_deck_destroy(&deck);
}

TEST(an_override_that_cannot_be_is_refused) {
  static const struct {
    const char *set, *part;
    DlsStatus status;
  } cases[] = {
      {"time.step", "is not of the form key.path=value", DLS_ERR_ARGUMENT},
      {"=1", "is not of the form", DLS_ERR_ARGUMENT},
      {"time..step=1", "a key is missing", DLS_ERR_ARGUMENT},
      {"time.step.x=1", "time.step is the value '0.5 ms' in the deck", DLS_ERR_ARGUMENT},
      {"bodies[5].radius=1", "bodies has 2 items, numbered from 0; [5]", DLS_ERR_ARGUMENT},
      {"bodies.radius=1", "bodies is a list; write the number of the item", DLS_ERR_ARGUMENT},
      {"time[0]=1", "time is no list", DLS_ERR_ARGUMENT},
      {"bodies[x]=1", "stands the number of an item", DLS_ERR_ARGUMENT},
      {"bodies[1]radius=1", "comes '.', '[' or '='", DLS_ERR_ARGUMENT},
      {"gravity=[0, 1", "separate the items by commas and close", DLS_ERR_FORMAT},
      {"gravity=[*a]", "set gravity=[*a]: character 2 of the value: *a has no anchor",
       DLS_ERR_FORMAT},
      {"title=\xff", "is no UTF-8", DLS_ERR_ARGUMENT},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    DlsDeck *deck = parse(sample_text);
    CHECK_FAILS(dls_deck_set(deck, cases[k].set), cases[k].status, cases[k].part);
    CHECK(test_contains(dls_error_message(), "set "));
    dls_deck_destroy(&deck);
  }
}

TEST(an_override_that_the_schema_does_not_know_names_the_set) {
  DlsDeck *deck = parse(sample_text);
  Sample s;
  CHECK_OK(dls_deck_set(deck, "solver.tolerence=1e-8"));
  CHECK_OK(dls_deck_set(deck, "bodies[1].radius=-1"));
  CHECK_FAILS(
      dls_deck_read(deck, &sample_section, &s), DLS_ERR_FORMAT,
      "set solver.tolerence=1e-8: solver.tolerence: unknown key; did you mean 'tolerance'?");
  CHECK_INT(dls_deck_problem_count(deck), 2);
  CHECK(test_contains(dls_deck_problem_text(deck, 1),
                      "set bodies[1].radius=-1: bodies[1].radius: -1 m is out of bounds; give a "
                      "value above 0 and at most 1000 m"));
  CHECK(dls_deck_problem_text(deck, 2) == NULL);
  dls_deck_destroy(&deck);
}

/* The resolved text of a deck, freed by the caller. */
static char *resolve(const char *text, const char *title) {
  DlsDeck *deck = parse(text);
  Sample s;
  char *out = NULL;
  CHECK_OK(dls_deck_read(deck, &sample_section, &s));
  CHECK_OK(dls_deck_text(&sample_section, &s, title, &out));
  dls_deck_release(&sample_section, &s);
  dls_deck_destroy(&deck);
  return out;
}

TEST(a_resolved_deck_reads_as_itself) {
  char *first = resolve(sample_text, "delassus\nresolved"), *second = resolve(first, NULL);
  CHECK(strncmp(first, "# delassus\n# resolved\n", 22) == 0);
  if (strcmp(first + 22, second) != 0)
    test_fail(__FILE__, __LINE__, "the resolved deck changes:\n%s\n%s", first, second);
  CHECK(test_contains(first, "  end: 1                                # s; end of the run\n"));
  CHECK(test_contains(first, "    position: [1, 0.02] "));
  CHECK(test_contains(first, "colour: green"));
  CHECK(test_contains(first, "radius: 0.005 "));
  free(first);
  free(second);
}

TEST(numbers_survive_the_resolved_deck_to_the_last_bit) {
  static const double values[] = {
      0.1 + 0.2,          1.0 / 3, 4.9e-324 * 3, 1.7976931348623157e308, 2.2250738585072014e-308,
      123456789.123456789};
  for (int k = 0; k < DLS_COUNT(values); k++) {
    Sample s, again;
    DlsDeck *deck = parse("time: {step: 1e-3}\nbodies: [{radius: 1}]\n"), *copy = NULL;
    char *text = NULL;
    CHECK_OK(dls_deck_read(deck, &sample_section, &s));
    s.time.step = values[k];
    s.spin = -values[k];
    CHECK_OK(dls_deck_text(&sample_section, &s, NULL, &text));
    copy = parse(text);
    CHECK_OK(dls_deck_read(copy, &sample_section, &again));
    CHECK(test_same_bits(s.time.step, again.time.step));
    CHECK(test_same_bits(s.spin, again.spin));
    dls_deck_release(&sample_section, &s);
    dls_deck_release(&sample_section, &again);
    dls_deck_destroy(&deck);
    dls_deck_destroy(&copy);
    free(text);
  }
}

TEST(texts_of_any_characters_survive) {
  char *first = resolve("title: \"a \\\"b\\\" \\\\ \\n \\t \\u2028 \\u0085 µ ° \\x01: #\"\n"
                        "time: {step: 1}\nbodies: [{radius: 1, fixed: []}]\n",
                        NULL);
  char *second = resolve(first, NULL);
  CHECK(strcmp(first, second) == 0);
  DlsDeck *deck = parse(first);
  CHECK(strcmp(dls_deck_find(dls_deck_root(deck), "title")->text,
               "a \"b\" \\ \n \t \u2028 \xc2\x85 µ ° \x01: #") == 0);
  dls_deck_destroy(&deck);
  free(first);
  free(second);
}

TEST(files_are_read_written_and_found_beside_the_deck) {
  FILE *file = fopen(path_of("data.csv"), "w");
  CHECK(file != NULL);
  if (file) fclose(file);
  file = fopen(path_of("deck.yaml"), "w");
  fprintf(file, "%stable: data.csv\n", sample_text);
  fclose(file);
  DlsDeck *deck = NULL;
  Sample s, again;
  CHECK_OK(dls_deck_open(path_of("deck.yaml"), &deck));
  CHECK_OK(dls_deck_read(deck, &sample_section, &s));
  CHECK(s.table && s.table[0] == '/' && test_contains(s.table, "/deck_read/data.csv"));
  CHECK_OK(dls_deck_write(&sample_section, &s, NULL, path_of("resolved.yaml")));
  dls_deck_destroy(&deck);
  CHECK_OK(dls_deck_open(path_of("resolved.yaml"), &deck));
  CHECK_OK(dls_deck_read(deck, &sample_section, &again));
  CHECK(strcmp(s.table, again.table) == 0);
  CHECK_FAILS(dls_deck_write(&sample_section, &s, NULL, path_of("nowhere/x.yaml")), DLS_ERR_FILE,
              "does not exist");
  dls_deck_release(&sample_section, &s);
  dls_deck_release(&sample_section, &again);
  dls_deck_destroy(&deck);
}

TEST(the_schema_prints_as_markdown) {
  char *text = NULL;
  CHECK_OK(dls_deck_describe(&sample_section, &text));
  CHECK(test_contains(text, "| `scheme` | moreau, euler, first-order |  | `moreau` |  | "));
  CHECK(test_contains(text, "### `bodies[]`\n\nA sphere.\n"));
  CHECK(test_contains(text, "### `bodies[].motion`"));
  CHECK(test_contains(text, "### `materials.NAME`"));
  CHECK(test_contains(text, "| `density` | number | kg/m3 | **required** | above 0 | "));
  CHECK(test_contains(text, "| `gravity` | 3 expressions of t | m/s2 | `[0, 0, -9.81]` |"));
  CHECK(!test_contains(text, "`place`") && !test_contains(text, "`name` |  |"));
  free(text);
}
