#define _GNU_SOURCE /* asprintf */
#include "study/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *dls_study_beside(const DlsDeck *study, const char *path) {
  const char *file = dls_deck_path(study), *slash = strrchr(file, '/');
  char *out = NULL;
  if (path[0] == '/' || !slash) return strdup(path);
  if (asprintf(&out, "%.*s/%s", (int)(slash - file), file, path) < 0) return NULL;
  return out;
}

/* A key has values, or a distribution with all its numbers. */
static void check_key(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  const DlsStudyKey *k = data;
  if ((k->values.count > 0) == (k->draw >= 0)) {
    dls_deck_problem(deck, node, "values", "%s; give `values`, or `draw` with a distribution",
                     k->draw >= 0 ? "are given, and a distribution too" : "are not given");
    return;
  }
  if (k->draw < 0) return;
  if (k->draw == DLS_STUDY_NORMAL) {
    if (!(k->deviation > 0) || isnan(k->mean))
      dls_deck_problem(deck, node, "draw", "normal needs `mean` and `deviation`, which is above 0");
  } else if (!(k->min <= k->max)) {
    dls_deck_problem(deck, node, "draw", "needs `min` and `max`, which is not below it");
  } else if (k->draw == DLS_STUDY_LOG_UNIFORM && !(k->min > 0)) {
    dls_deck_problem(deck, node, "min", "log-uniform numbers are above 0; so let it be");
  } else if (k->draw == DLS_STUDY_INTEGER && (fabs(k->min) > 1e9 || k->max > 1e9)) {
    dls_deck_problem(deck, node, "max", "whole numbers are drawn between -1e9 and 1e9");
  }
}

static const DlsDeckRow key_rows[] = {
    DLS_DECK_NAME_ROW(DlsStudyKey, name),
    DLS_DECK_PLACE_ROW(DlsStudyKey, place),
    DLS_DECK_STRING_ROW(
        DlsStudyKey, key, DLS_DECK_REQUIRED,
        "of the deck, such as laws[0].parameters.mu, as `set` of a run names it; of a study "
        "of solves: problem, solver, tolerance, max_iterations, max_time, or an "
        "option of the solver"),
    {DLS_DECK_ROW(DlsStudyKey, values, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "that it takes, each as `set` of a run takes it"),
     .least = 1},
    DLS_DECK_CHOICE_ROW(DlsStudyKey, draw, DLS_CHOICES(DLS_STUDY_DRAW_LIST), DLS_DECK_OPTIONAL,
                        "in the place of values: drawn at random, `draws` times"),
    DLS_DECK_REAL_ROW(DlsStudyKey, min, NULL, DLS_DECK_OPTIONAL, 0, 0, "of what is drawn"),
    DLS_DECK_REAL_ROW(DlsStudyKey, max, NULL, DLS_DECK_OPTIONAL, 0, 0, "of what is drawn"),
    DLS_DECK_REAL_ROW(DlsStudyKey, mean, NULL, DLS_DECK_OPTIONAL, 0, 0, "draw: normal"),
    DLS_DECK_REAL_ROW(DlsStudyKey, deviation, NULL, DLS_DECK_OPTIONAL, 0, 0, "draw: normal"),
    DLS_DECK_INT_ROW(DlsStudyKey, stage, "0", 0, 99, "whose deck has the key, from 1; 0: all"),
};

static const DlsDeckSection key_section = {
    .name = "key",
    .meaning = "A key that varies; its name becomes a column of results.csv.",
    .rows = key_rows,
    .count = DLS_COUNT(key_rows),
    .bytes = sizeof(DlsStudyKey),
    .check = check_key};

static const DlsDeckRow seeds_rows[] = {
    DLS_DECK_PLACE_ROW(DlsStudySeeds, place),
    {DLS_DECK_ROW(DlsStudySeeds, key, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
                  "that takes the seed, such as grains[0].seed; several take the same"),
     .least = 1},
    DLS_DECK_INT_ROW(DlsStudySeeds, count, DLS_DECK_REQUIRED, 1, 100000, "of seeds"),
    DLS_DECK_INT_ROW(DlsStudySeeds, first, "1", 0, 2000000000, "seed; the others follow"),
    DLS_DECK_INT_ROW(DlsStudySeeds, stage, "0", 0, 99, "whose deck has the key, from 1; 0: all"),
};

static const DlsDeckSection seeds_section = {
    .name = "seeds",
    .meaning = "Each combination is run with these seeds: what error bars are over.",
    .rows = seeds_rows,
    .count = DLS_COUNT(seeds_rows),
    .bytes = sizeof(DlsStudySeeds)};

static const DlsDeckRow series_rows[] = {
    DLS_DECK_STRING_ROW(DlsStudySeries, region, "all",
                        "all, sphere:C:R ...: a region as docs/stress.md writes it"),
    DLS_DECK_CHOICE_ROW(DlsStudySeries, average, DLS_CHOICES(DLS_AVERAGE_LIST), "centres",
                        "what a region cuts"),
    DLS_DECK_CHOICE_ROW(DlsStudySeries, axis, "x|y|z", DLS_DECK_OPTIONAL,
                        "of the axial strain; the last one unless given"),
};

static const DlsDeckSection series_section = {
    .name = "series",
    .meaning = "How series.csv is taken from the frames, where a result or a figure asks for it.",
    .rows = series_rows,
    .count = DLS_COUNT(series_rows),
    .bytes = sizeof(DlsStudySeries)};

static void check_result(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  const DlsStudyResult *r = data;
  if (r->take == DLS_STUDY_AT && isnan(r->at))
    dls_deck_problem(deck, node, "take", "at is a time, which `at` gives, such as at: 0.5 s");
  if (r->take != DLS_STUDY_AT && !isnan(r->at))
    dls_deck_problem(deck, node, "at", "goes with take: at; write that, or leave it out");
  if (r->from > r->to) dls_deck_problem(deck, node, "from", "is behind `to`; let it be before");
}

static const DlsDeckRow result_rows[] = {
    DLS_DECK_NAME_ROW(DlsStudyResult, name),
    DLS_DECK_PLACE_ROW(DlsStudyResult, place),
    DLS_DECK_STRING_ROW(DlsStudyResult, of, "history",
                        "history, series (a row for each frame), summary, solve, or a file of the "
                        "run's folder, FILE.csv"),
    DLS_DECK_STRING_ROW(DlsStudyResult, column, DLS_DECK_REQUIRED,
                        "of it, or an expression of columns; of summary a key, such as "
                        "energy.kinetic"),
    DLS_DECK_CHOICE_ROW(DlsStudyResult, take, DLS_CHOICES(DLS_STUDY_TAKE_LIST), "last",
                        "which of its rows"),
    DLS_DECK_REAL_ROW(DlsStudyResult, at, "s", DLS_DECK_OPTIONAL, 0, 0,
                      "take: at; between two rows on the line from one to the other"),
    DLS_DECK_REAL_ROW(DlsStudyResult, from, "s", DLS_DECK_OPTIONAL, 0, 0, "rows from this time on"),
    DLS_DECK_REAL_ROW(DlsStudyResult, to, "s", DLS_DECK_OPTIONAL, 0, 0, "rows to this time"),
    DLS_DECK_INT_ROW(DlsStudyResult, stage, "0", 0, 99, "that it is of, from 1; 0: the last"),
    DLS_DECK_STRING_ROW(DlsStudyResult, unit, DLS_DECK_OPTIONAL,
                        "for the header; that of the column unless given"),
};

static const DlsDeckSection result_section = {
    .name = "result",
    .meaning = "A number of each run; its name becomes a column of results.csv.",
    .rows = result_rows,
    .count = DLS_COUNT(result_rows),
    .bytes = sizeof(DlsStudyResult),
    .check = check_result};

static const DlsDeckRow figure_rows[] = {
    DLS_DECK_PLACE_ROW(DlsStudyFigure, place),
    DLS_DECK_STRING_ROW(DlsStudyFigure, title, DLS_DECK_OPTIONAL, "above it"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, of, "results",
                        "results: a point for each combination; history, series or FILE.csv: a "
                        "curve, the mean of the runs"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, x, DLS_DECK_REQUIRED, "a column, or an expression of them"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, y, DLS_DECK_REQUIRED, "a column, or an expression of them"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, by, DLS_DECK_OPTIONAL,
                        "a key: one curve for each of its values, all else in the mean; unless "
                        "given, one for each combination of values"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, x_label, DLS_DECK_OPTIONAL, "x and its unit unless given"),
    DLS_DECK_STRING_ROW(DlsStudyFigure, y_label, DLS_DECK_OPTIONAL, "y and its unit unless given"),
    DLS_DECK_INT_ROW(DlsStudyFigure, points, "60", 2, 5000, "of a mean curve"),
    DLS_DECK_CHOICE_ROW(DlsStudyFigure, log, DLS_CHOICES(DLS_STUDY_LOG_LIST), "none",
                        "logarithmic axes"),
    DLS_DECK_INT_ROW(DlsStudyFigure, stage, "0", 0, 99, "that it is of, from 1; 0: the last"),
};

static const DlsDeckSection figure_section = {
    .name = "figure",
    .meaning = "y against x, the mean over seeds with its standard error.",
    .rows = figure_rows,
    .count = DLS_COUNT(figure_rows),
    .bytes = sizeof(DlsStudyFigure)};

static void check_stage(DlsDeck *deck, const DlsDeckNode *node, int stage, int stages) {
  if (stage > stages)
    dls_deck_problem(deck, node, "stage", "is %d, and there %s %d in `deck`", stage,
                     stages == 1 ? "is" : "are", stages);
}

static void check_stages(DlsDeck *deck, const DlsStudyData *d) {
  const DlsStudyKey *keys = d->keys.items;
  const DlsStudyResult *results = d->results.items;
  const DlsStudyFigure *figures = d->figures.items;
  const int stages = d->deck.count;
  for (int k = 0; k < d->keys.count; k++) check_stage(deck, keys[k].place, keys[k].stage, stages);
  if (d->seeds) check_stage(deck, d->seeds->place, d->seeds->stage, stages);
  for (int k = 0; k < d->results.count; k++)
    check_stage(deck, results[k].place, results[k].stage, stages);
  for (int k = 0; k < d->figures.count; k++)
    check_stage(deck, figures[k].place, figures[k].stage, stages);
}

/* Names of columns are told apart, and from those that the table has anyway. */
static void check_names(DlsDeck *deck, const DlsStudyData *d) {
  static const char *const taken[] = {"run", "seed", "status", "note"};
  const DlsStudyKey *keys = d->keys.items;
  const DlsStudyResult *results = d->results.items;
  for (int k = 0; k < d->keys.count + d->results.count; k++) {
    const bool is_key = k < d->keys.count;
    const char *name = is_key ? keys[k].name : results[k - d->keys.count].name;
    const DlsDeckNode *place = is_key ? keys[k].place : results[k - d->keys.count].place;
    bool twice = false;
    for (int n = 0; n < DLS_COUNT(taken); n++) twice = twice || strcmp(name, taken[n]) == 0;
    for (int n = 0; n < d->keys.count && !is_key; n++)
      twice = twice || strcmp(name, keys[n].name) == 0;
    if (twice)
      dls_deck_problem(deck, place, NULL,
                       "`%s` is a column that results.csv has already; take another name", name);
  }
}

static void check_files(DlsDeck *deck, const DlsDeckNode *node, const DlsStudyData *d) {
  for (int k = 0; k < d->deck.count; k++) {
    char *path = dls_study_beside(deck, d->deck.values[k]);
    if (path && access(path, R_OK) != 0)
      dls_deck_problem(deck, node, "deck",
                       "%s cannot be read; name a deck, seen from the folder of this file", path);
    free(path);
  }
}

static bool has_key(const DlsStudyData *d, const char *key) {
  const DlsStudyKey *keys = d->keys.items;
  for (int k = 0; k < d->keys.count; k++)
    if (strcmp(keys[k].key, key) == 0) return true;
  return false;
}

static void check_rows(DlsDeck *deck, const DlsStudyData *d) {
  const DlsStudyKey *keys = d->keys.items, *first = NULL;
  for (int k = 0; k < d->keys.count && d->combine == DLS_STUDY_ROWS; k++) {
    if (keys[k].draw >= 0) continue;
    if (first && keys[k].values.count != first->values.count)
      dls_deck_problem(deck, keys[k].place, "values",
                       "are %d, and those of `%s` are %d; combine: rows takes them side by side, "
                       "so give each as many",
                       keys[k].values.count, first->name, first->values.count);
    if (!first) first = &keys[k];
  }
}

static void check_study(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  const DlsStudyData *d = data;
  const bool solves = d->kind == DLS_STUDY_SOLVE;
  if (!solves && d->deck.count == 0)
    dls_deck_problem(deck, node, "deck", "is missing; name a deck, or several that are stages");
  if (solves && (d->deck.count || d->set.count))
    dls_deck_problem(deck, node, d->deck.count ? "deck" : "set",
                     "is of runs, and this is a study of solves; leave it out");
  if (solves && (!has_key(d, "problem") || !has_key(d, "solver")))
    dls_deck_problem(deck, node, "keys",
                     "of a study of solves have one with `key: problem` and one with `key: "
                     "solver`; add what is missing");
  check_files(deck, node, d);
  if (!solves) check_stages(deck, d);
  check_names(deck, d);
  check_rows(deck, d);
}

static const DlsDeckRow rows[] = {
    DLS_DECK_STRING_ROW(DlsStudyData, title, "Study", "of the page"),
    DLS_DECK_CHOICE_ROW(DlsStudyData, kind, DLS_CHOICES(DLS_STUDY_KIND_LIST), "run",
                        "runs of decks, or solves of problems"),
    {DLS_DECK_ROW(DlsStudyData, deck, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "file, seen from the folder of this one; several are stages, each from the last "
                  "checkpoint of the one before it"),
     .least = 1},
    {DLS_DECK_ROW(DlsStudyData, set, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "KEY=VALUE: overrides of every deck; 2:KEY=VALUE of the second alone"),
     .least = 1},
    DLS_DECK_SECTION_ROW(DlsStudyData, keys, DLS_DECK_MAP, DLS_DECK_OPTIONAL, &key_section,
                         "what varies"),
    DLS_DECK_CHOICE_ROW(DlsStudyData, combine, DLS_CHOICES(DLS_STUDY_COMBINE_LIST), "grid",
                        "grid: every value with every other; rows: the first of each key, the "
                        "second of each ..."),
    DLS_DECK_INT_ROW(DlsStudyData, draws, "1", 1, 1000000, "of the keys that are drawn"),
    DLS_DECK_INT_ROW(DlsStudyData, seed, "1", 0, 2000000000, "of the draws"),
    DLS_DECK_SECTION_ROW(DlsStudyData, seeds, DLS_DECK_POINTER, DLS_DECK_OPTIONAL, &seeds_section,
                         "of the runs"),
    DLS_DECK_REAL_ROW(DlsStudyData, limit, "s", "0", 0, DLS_DECK_FREE,
                      "of wall clock for each run; 0: none"),
    DLS_DECK_INT_ROW(DlsStudyData, memory, "0", 0, 100000000, "MB that a run may take; 0: any"),
    DLS_DECK_SECTION_ROW(DlsStudyData, series, DLS_DECK_SECTION, DLS_DECK_OPTIONAL, &series_section,
                         "the table of frames"),
    DLS_DECK_SECTION_ROW(DlsStudyData, results, DLS_DECK_MAP, DLS_DECK_OPTIONAL, &result_section,
                         "columns of results.csv"),
    DLS_DECK_SECTION_ROW(DlsStudyData, figures, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &figure_section,
                         "drawn from them"),
};

static const DlsDeckSection section = {.name = "study",
                                       .meaning = "The file itself.",
                                       .rows = rows,
                                       .count = DLS_COUNT(rows),
                                       .bytes = sizeof(DlsStudyData),
                                       .check = check_study};

const DlsDeckSection *dls_study_section(void) { return &section; }
