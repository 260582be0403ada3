/* The study behind the handle, and what its files share. */
#ifndef DELASSUS_STUDY_STUDY_IMPL_H
#define DELASSUS_STUDY_STUDY_IMPL_H

#include <stdatomic.h>

#include "base/folder_lock.h"
#include "study/study.h"
#include "study/table.h"
#include "study/take.h"

enum { DLS_STUDY_NOTE = 600, DLS_STUDY_PATH = 2048 };

typedef struct {
  double value;
  char unit[DLS_STUDY_UNIT];
} DlsStudyValue;

/* What comes back from the process of a row. */
typedef struct {
  DlsStudyState state;
  char note[DLS_STUDY_NOTE];
  DlsStudyValue value[]; /* of the results */
} DlsStudyOutcome;

/* Memory that all processes of the study share. */
typedef struct {
  atomic_bool stop;          /* asks runs to save their state and end */
  _Atomic double progress[]; /* [rows], 0 to 1 */
} DlsStudyBoard;

struct DlsStudy {
  DlsDeck *deck;
  DlsStudyData data;
  DlsStudyOptions options;
  DlsStudyTable table;
  char **path; /* [deck.count], of the decks */
  char folder[DLS_STUDY_PATH];
  DlsFolderLock *lock;
  DlsStudyBoard *board;
  size_t board_bytes, outcome_bytes;
  char *outcome; /* [rows] of outcome_bytes */
};

static inline DlsStudyOutcome *dls_study_outcome(const DlsStudy *s, int row) {
  return (DlsStudyOutcome *)(void *)(s->outcome + (size_t)row * s->outcome_bytes);
}

/* Folders: of a row; of one of its stages, from 0. */
void dls_study_row_folder(const DlsStudy *study, int row, char out[DLS_STUDY_PATH]);
void dls_study_stage_folder(const DlsStudy *study, int row, int stage, char out[DLS_STUDY_PATH]);
/* The number from 0 of a stage that is given from 1, 0 standing for the last. */
int dls_study_stage(const DlsStudy *study, int given);

/* Overrides of a stage for a row, "key=value", those of all runs first; freed by
 * dls_study_settings_clear(). */
typedef struct {
  char **item;
  int count;
} DlsStudySettings;
DlsStatus dls_study_settings(const DlsStudy *study, int row, int stage, DlsStudySettings *out);
void dls_study_settings_clear(DlsStudySettings *settings);

/* Whether a result or a figure asks for series.csv of a stage. */
bool dls_study_wants_series(const DlsStudy *study, int stage);

/* Tries decks with the settings of every row: mistakes of keys are told at the key. */
DlsStatus dls_study_try_decks(DlsStudy *study);

/* The work of a row, in its own process: stages, series, results. What fails is an outcome. */
void dls_study_work(const DlsStudy *study, int row, DlsStudyOutcome *out);
/* One solve of a study of solves, into FOLDER/solve.csv; `finished` tells whether it counts. */
DlsStatus dls_study_solve(const DlsStudy *study, int row, const char *folder, DlsStudyOutcome *out);

/* All rows, `jobs` at a time. */
DlsStatus dls_study_crew(DlsStudy *study);

/* results.csv, whole. */
DlsStatus dls_study_write(const DlsStudy *study);

#endif
