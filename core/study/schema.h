/* What the file of a study may hold: a deck or several in stages, keys that vary, what is taken
 * from each run, figures. The reader of decks reads it, so that mistakes have file, line, key and
 * cure. */
#ifndef DELASSUS_STUDY_SCHEMA_H
#define DELASSUS_STUDY_SCHEMA_H

#include "base/choices.h"
#include "deck/deck.h"
#include "post/average.h"

#define DLS_STUDY_KIND_LIST(X)                                                                     \
  X(RUN, "run")                                                                                    \
  X(SOLVE, "solve")
#define DLS_STUDY_COMBINE_LIST(X)                                                                  \
  X(GRID, "grid")                                                                                  \
  X(ROWS, "rows")
#define DLS_STUDY_DRAW_LIST(X)                                                                     \
  X(UNIFORM, "uniform")                                                                            \
  X(LOG_UNIFORM, "log-uniform")                                                                    \
  X(NORMAL, "normal")                                                                              \
  X(INTEGER, "integer")
#define DLS_STUDY_TAKE_LIST(X)                                                                     \
  X(LAST, "last")                                                                                  \
  X(FIRST, "first")                                                                                \
  X(MEAN, "mean")                                                                                  \
  X(MAX, "max")                                                                                    \
  X(MIN, "min")                                                                                    \
  X(AT, "at")
#define DLS_STUDY_LOG_LIST(X)                                                                      \
  X(NONE, "none")                                                                                  \
  X(OF_X, "x")                                                                                     \
  X(OF_Y, "y")                                                                                     \
  X(OF_XY, "xy")

#define DLS_STUDY_ENUM(code, word) DLS_STUDY_##code,
enum { DLS_STUDY_KIND_LIST(DLS_STUDY_ENUM) };
enum { DLS_STUDY_COMBINE_LIST(DLS_STUDY_ENUM) };
enum { DLS_STUDY_DRAW_LIST(DLS_STUDY_ENUM) };
enum { DLS_STUDY_TAKE_LIST(DLS_STUDY_ENUM) };
#undef DLS_STUDY_ENUM
#define DLS_STUDY_ENUM(code, word) DLS_STUDY_LOG_##code,
enum { DLS_STUDY_LOG_LIST(DLS_STUDY_ENUM) };
#undef DLS_STUDY_ENUM

typedef struct {
  char *name, *key;
  DlsDeckStrings values;
  int draw; /* -1: values */
  double min, max, mean, deviation;
  int stage; /* from 1; 0: all */
  const DlsDeckNode *place;
} DlsStudyKey;

typedef struct {
  DlsDeckStrings key;
  int count, first, stage;
  const DlsDeckNode *place;
} DlsStudySeeds;

typedef struct {
  char *region;
  int average, axis; /* axis -1: the last one */
} DlsStudySeries;

typedef struct {
  char *name, *of, *column, *unit;
  int take;
  double at, from, to; /* s; NAN: not given */
  int stage;           /* from 1; 0: the last */
  const DlsDeckNode *place;
} DlsStudyResult;

typedef struct {
  char *title, *of, *x, *y, *by, *x_label, *y_label;
  int points, stage, log;
  const DlsDeckNode *place;
} DlsStudyFigure;

typedef struct {
  char *title;
  int kind;
  DlsDeckStrings deck, set;
  DlsDeckList keys; /* DlsStudyKey */
  int combine, draws, seed;
  DlsStudySeeds *seeds;
  double limit; /* s; 0: none */
  int memory;   /* MB; 0: no limit */
  DlsStudySeries series;
  DlsDeckList results; /* DlsStudyResult */
  DlsDeckList figures; /* DlsStudyFigure */
} DlsStudyData;

/* The sections of the file, of a DlsStudyData. */
const DlsDeckSection *dls_study_section(void);

/* The path of deck number k as it is seen from here: relative ones stand beside the study. Freed by
 * the caller; NULL when out of memory. */
char *dls_study_beside(const DlsDeck *study, const char *path);

#endif
