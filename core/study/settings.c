/* What a row sets in the decks, and whether the decks take it. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene.h"
#include "study/study_impl.h"

static DlsStatus add(DlsStudySettings *settings, const char *key, const char *value) {
  char *text = NULL;
  const int length = value ? asprintf(&text, "%s=%s", key, value) : asprintf(&text, "%s", key);
  DLS_CHECK(length >= 0, DLS_ERR_MEMORY, "out of memory for the settings of a run");
  settings->item[settings->count++] = text;
  return DLS_OK;
}

/* "2:key=value" is of the second stage alone; NULL where the setting is of another one. */
static const char *of_stage(const char *text, int stage) {
  const size_t digits = strspn(text, "0123456789");
  if (!digits || text[digits] != ':') return text;
  return strtol(text, NULL, 10) == stage + 1 ? text + digits + 1 + strspn(text + digits + 1, " ")
                                             : NULL;
}

static DlsStatus fill(const DlsStudy *s, int row, int stage, DlsStudySettings *out) {
  int most = s->data.set.count + 1;
  for (int c = 0; c < s->table.columns; c++) most += s->table.column[c].nkeys;
  DLS_NEW(out->item, most);
  for (int k = 0; k < s->data.set.count; k++) {
    const char *text = of_stage(s->data.set.values[k], stage);
    if (text) DLS_TRY(add(out, text, NULL));
  }
  for (int c = 0; c < s->table.columns; c++) {
    const DlsStudyColumn *column = &s->table.column[c];
    if (column->stage && column->stage != stage + 1) continue;
    for (int k = 0; k < column->nkeys; k++)
      DLS_TRY(add(out, column->keys[k], dls_study_cell(&s->table, row, c)));
  }
  return DLS_OK;
}

DlsStatus dls_study_settings(const DlsStudy *s, int row, int stage, DlsStudySettings *out) {
  *out = (DlsStudySettings){0};
  const DlsStatus status = fill(s, row, stage, out);
  if (status != DLS_OK) dls_study_settings_clear(out);
  return status;
}

void dls_study_settings_clear(DlsStudySettings *settings) {
  for (int k = 0; k < settings->count; k++) free(settings->item[k]);
  free(settings->item);
  *settings = (DlsStudySettings){0};
}

/* Bodies that a stage leaves out come from the deck before it, as they will in the run. */
static DlsStatus lend(DlsDeck *deck, const DlsDeck *before) {
  static const char *const keys[] = {"grains", "bodies", "chains"};
  for (int k = 0; k < DLS_COUNT(keys) && before; k++) {
    const DlsDeckNode *node = dls_deck_find(dls_deck_root(before), keys[k]);
    if (node) DLS_TRY(dls_deck_adopt(deck, keys[k], node));
  }
  return DLS_OK;
}

/* Reads the deck of a stage with settings; the first mistake is the sentence. */
static DlsStatus try_deck(const DlsStudy *s, int stage, const DlsStudySettings *settings,
                          DlsDeck **deck) {
  DlsSceneData data;
  DlsDeck *before = NULL;
  DlsStatus status = stage > 0 ? dls_deck_open(s->path[stage - 1], &before) : DLS_OK;
  if (status == DLS_OK) status = dls_deck_open(s->path[stage], deck);
  for (int k = 0; settings && k < settings->count && status == DLS_OK; k++)
    status = dls_deck_set(*deck, settings->item[k]);
  if (status == DLS_OK) status = lend(*deck, before);
  if (status == DLS_OK) {
    status = dls_deck_read(*deck, dls_scene_section(), &data);
    if (status == DLS_OK) dls_deck_release(dls_scene_section(), &data);
  }
  dls_deck_destroy(&before);
  return status;
}

static void tell(const DlsStudy *s, const char *text) {
  if (s->options.mistake) s->options.mistake(s->options.context, text);
}

/* The mistakes of a deck as it stands are told as those of `run` are. */
static DlsStatus try_plain(const DlsStudy *s, int stage) {
  DlsDeck *deck = NULL;
  const DlsStatus status = try_deck(s, stage, NULL, &deck);
  if (status != DLS_OK && deck && dls_deck_problem_count(deck))
    for (int k = 0; dls_deck_problem_text(deck, k); k++) tell(s, dls_deck_problem_text(deck, k));
  else if (status != DLS_OK)
    tell(s, dls_error_message());
  dls_deck_destroy(&deck);
  return status;
}

/* The mistake of a row is told where the study writes the key that the sentence names. */
static void blame(const DlsStudy *s, int row, int stage, const char *sentence) {
  for (int c = 0; c < s->table.columns; c++) {
    const DlsStudyColumn *column = &s->table.column[c];
    char text[700];
    if (column->stage && column->stage != stage + 1) continue;
    for (int k = 0; k < column->nkeys; k++) {
      snprintf(text, sizeof text, "%s=%s", column->keys[k], dls_study_cell(&s->table, row, c));
      if (!strstr(sentence, text) && c < s->table.columns - 1) continue;
      dls_deck_problem(s->deck, column->place, "key", "%s does not take it: %s", s->path[stage],
                       sentence);
      return;
    }
  }
  dls_deck_problem(s->deck, dls_deck_root(s->deck), "set", "%s does not take it: %s",
                   s->path[stage], sentence);
}

DlsStatus dls_study_try_decks(DlsStudy *s) {
  for (int stage = 0; stage < s->data.deck.count; stage++) DLS_TRY(try_plain(s, stage));
  for (int row = 0; row < s->table.rows; row++)
    for (int stage = 0; stage < s->data.deck.count; stage++) {
      DlsStudySettings settings;
      DlsDeck *deck = NULL;
      char sentence[900];
      DLS_TRY(dls_study_settings(s, row, stage, &settings));
      const DlsStatus status = try_deck(s, stage, &settings, &deck);
      snprintf(sentence, sizeof sentence, "%s",
               deck && dls_deck_problem_count(deck) ? dls_deck_problem_text(deck, 0)
                                                    : dls_error_message());
      dls_study_settings_clear(&settings);
      dls_deck_destroy(&deck);
      if (status == DLS_OK) continue;
      blame(s, row, stage, sentence);
      return dls_deck_status(s->deck);
    }
  return DLS_OK;
}
