#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "study/study_impl.h"

const char *dls_study_state_text(DlsStudyState state) {
  static const char *const texts[] = {
#define DLS_STUDY_STATE_TEXT(code, text) text,
      DLS_STUDY_STATE_LIST(DLS_STUDY_STATE_TEXT)
#undef DLS_STUDY_STATE_TEXT
  };
  return texts[state];
}

int dls_study_stage(const DlsStudy *s, int given) {
  const int stages = s->data.deck.count;
  return given > 0 ? given - 1 : stages > 0 ? stages - 1 : 0;
}

void dls_study_row_folder(const DlsStudy *s, int row, char out[DLS_STUDY_PATH]) {
  char name[DLS_STUDY_NAME];
  dls_study_row_name(&s->table, row, name);
  snprintf(out, DLS_STUDY_PATH, "%.1700s/runs/%s", s->folder, name);
}

/* "runs/NAME" of one deck; "runs/NAME/2-triaxial" of several. */
void dls_study_stage_folder(const DlsStudy *s, int row, int stage, char out[DLS_STUDY_PATH]) {
  dls_study_row_folder(s, row, out);
  if (s->data.deck.count < 2) return;
  const char *deck = s->data.deck.values[stage], *slash = strrchr(deck, '/');
  const char *stem = slash ? slash + 1 : deck, *dot = strrchr(stem, '.');
  const size_t used = strlen(out);
  snprintf(out + used, DLS_STUDY_PATH - used, "/%d-%.*s", stage + 1,
           (int)(dot ? dot - stem : (long)strlen(stem)), stem);
}

bool dls_study_wants_series(const DlsStudy *s, int stage) {
  const DlsStudyResult *results = s->data.results.items;
  const DlsStudyFigure *figures = s->data.figures.items;
  for (int k = 0; k < s->data.results.count; k++)
    if (strcmp(results[k].of, "series") == 0 && dls_study_stage(s, results[k].stage) == stage)
      return true;
  for (int k = 0; k < s->data.figures.count; k++)
    if (strcmp(figures[k].of, "series") == 0 && dls_study_stage(s, figures[k].stage) == stage)
      return true;
  return false;
}

/* Opening. */

static DlsStatus resolve_paths(DlsStudy *s) {
  DLS_NEW(s->path, s->data.deck.count + 1);
  for (int k = 0; k < s->data.deck.count; k++) {
    s->path[k] = dls_study_beside(s->deck, s->data.deck.values[k]);
    DLS_CHECK(s->path[k], DLS_ERR_MEMORY, "out of memory for a path");
  }
  return DLS_OK;
}

/* Two rows with the same values are one run, and would share a folder. */
static DlsStatus check_twins(const DlsStudy *s) {
  DlsNames names = {0};
  DlsStatus status = DLS_OK;
  for (int row = 0; row < s->table.rows && status == DLS_OK; row++) {
    char name[DLS_STUDY_NAME];
    int before = -1;
    dls_study_row_name(&s->table, row, name);
    status = dls_names_add(&names, name, row, &before);
    if (status == DLS_OK && before >= 0)
      status = dls_fail(DLS_ERR_ARGUMENT,
                        "%s: keys: runs %d and %d are the same, %s; give each value once",
                        dls_deck_path(s->deck), before + 1, row + 1, name);
  }
  dls_names_clear(&names);
  return status;
}

static DlsStatus share_memory(DlsStudy *s) {
  s->board_bytes = sizeof *s->board + (size_t)s->table.rows * sizeof s->board->progress[0];
  void *page =
      mmap(NULL, s->board_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  DLS_CHECK(page != MAP_FAILED, DLS_ERR_MEMORY, "out of memory for %d runs", s->table.rows);
  s->board = page;
  s->outcome_bytes =
      sizeof(DlsStudyOutcome) + (size_t)s->data.results.count * sizeof(DlsStudyValue);
  s->outcome = dls_memory_array((size_t)s->table.rows, s->outcome_bytes);
  DLS_CHECK(s->outcome, DLS_ERR_MEMORY, "out of memory for %d runs", s->table.rows);
  for (int row = 0; row < s->table.rows; row++) {
    DlsStudyOutcome *out = dls_study_outcome(s, row);
    out->state = DLS_STUDY_WAITING;
    for (int k = 0; k < s->data.results.count; k++) out->value[k].value = NAN;
  }
  return DLS_OK;
}

static void tell_mistakes(const DlsStudy *s) {
  if (!s->deck || !s->options.mistake) return;
  for (int k = 0; dls_deck_problem_text(s->deck, k); k++)
    s->options.mistake(s->options.context, dls_deck_problem_text(s->deck, k));
}

static DlsStatus open_study(DlsStudy *s, const char *path) {
  DLS_TRY(dls_deck_open(path, &s->deck));
  for (int k = 0; k < s->options.nset; k++) DLS_TRY(dls_deck_set(s->deck, s->options.set[k]));
  DLS_TRY(dls_deck_read(s->deck, dls_study_section(), &s->data));
  DLS_CHECK(s->data.kind == DLS_STUDY_RUN || s->options.load, DLS_ERR_ARGUMENT,
            "%s: is a study of solves, and nobody loads problems here", path);
  DLS_TRY(resolve_paths(s));
  DLS_TRY(dls_study_table(&s->data, &s->table));
  DLS_TRY(check_twins(s));
  DLS_TRY(dls_study_try_decks(s));
  return share_memory(s);
}

DlsStatus dls_study_open(const char *path, const DlsStudyOptions *options, DlsStudy **out) {
  DlsStudy *s;
  *out = NULL;
  DLS_NEW(s, 1);
  s->options = *options;
  const DlsStatus status = open_study(s, path);
  if (status == DLS_OK) {
    *out = s;
  } else {
    tell_mistakes(s);
    dls_study_close(&s);
  }
  return status;
}

void dls_study_close(DlsStudy **study) {
  DlsStudy *s = *study;
  if (!s) return;
  if (s->board) munmap(s->board, s->board_bytes);
  free(s->outcome);
  for (int k = 0; s->path && k < s->data.deck.count; k++) free(s->path[k]);
  free(s->path);
  dls_study_table_clear(&s->table);
  dls_deck_release(dls_study_section(), &s->data);
  dls_deck_destroy(&s->deck);
  dls_folder_unlock(&s->lock);
  free(s);
  *study = NULL;
}

/* The table of results. */

/* A cell as RFC 4180 has it: in quotes where it holds a comma, a quote or the end of a line. */
static void put_cell(DlsFile *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    dls_file_put(file, text, strlen(text));
    return;
  }
  dls_file_put(file, "\"", 1);
  for (; *text; text++) {
    if (*text == '"') dls_file_put(file, "\"", 1);
    dls_file_put(file, *text == '\n' || *text == '\r' ? " " : text, 1);
  }
  dls_file_put(file, "\"", 1);
}

/* As the study gives it, or as the first run that has it. */
static const char *unit_of(const DlsStudy *s, int k) {
  const DlsStudyResult *results = s->data.results.items;
  if (results[k].unit) return results[k].unit;
  for (int row = 0; row < s->table.rows; row++) {
    const DlsStudyOutcome *out = dls_study_outcome(s, row);
    if (out->state <= DLS_STUDY_UNCONVERGED) return out->value[k].unit;
  }
  return "";
}

static void put_header(DlsFile *file, const DlsStudy *s) {
  const DlsStudyResult *results = s->data.results.items;
  dls_file_print(file, "run");
  for (int c = 0; c < s->table.columns; c++) {
    dls_file_print(file, ",");
    put_cell(file, s->table.column[c].name);
  }
  dls_file_print(file, ",status");
  for (int k = 0; k < s->data.results.count; k++) {
    char name[400];
    const char *unit = unit_of(s, k);
    snprintf(name, sizeof name, *unit ? "%s [%s]" : "%s", results[k].name, unit);
    dls_file_print(file, ",");
    put_cell(file, name);
  }
  dls_file_print(file, ",note\n");
}

DlsStatus dls_study_write(const DlsStudy *s) {
  char path[DLS_STUDY_PATH + 64], number[DLS_NUMBER_BYTES];
  DlsFile *file = NULL;
  snprintf(path, sizeof path, "%s/results.csv", s->folder);
  DLS_TRY(dls_file_begin(path, &file));
  put_header(file, s);
  for (int row = 0; row < s->table.rows; row++) {
    const DlsStudyOutcome *out = dls_study_outcome(s, row);
    dls_file_print(file, "%d", row + 1);
    for (int c = 0; c < s->table.columns; c++) {
      dls_file_print(file, ",");
      put_cell(file, dls_study_cell(&s->table, row, c));
    }
    dls_file_print(file, ",%s", dls_study_state_text(out->state));
    for (int k = 0; k < s->data.results.count; k++)
      dls_file_print(file, ",%s", dls_number_text(number, out->value[k].value, 0));
    dls_file_print(file, ",");
    put_cell(file, out->note);
    dls_file_print(file, "\n");
  }
  return dls_file_commit(&file);
}

DlsStatus dls_study_run(DlsStudy *s, const char *folder) {
  DLS_CHECK(strlen(folder) < 1700, DLS_ERR_ARGUMENT, "%.60s...: is too long a path", folder);
  snprintf(s->folder, sizeof s->folder, "%s", folder);
  DLS_TRY(dls_file_make_folder(s->folder));
  DLS_TRY(dls_folder_lock(s->folder, &s->lock));
  const DlsStatus status = dls_study_crew(s), written = dls_study_write(s);
  return status != DLS_OK ? status : written;
}

int dls_study_rows(const DlsStudy *s) { return s->table.rows; }

int dls_study_count(const DlsStudy *s, DlsStudyState state) {
  int count = 0;
  for (int row = 0; row < s->table.rows; row++) count += dls_study_outcome(s, row)->state == state;
  return count;
}

const char *dls_study_note(const DlsStudy *s, DlsStudyState state, int *row) {
  for (*row = 1; *row <= s->table.rows; (*row)++) {
    const DlsStudyOutcome *out = dls_study_outcome(s, *row - 1);
    if (out->state == state && out->note[0]) return out->note;
  }
  return "";
}
