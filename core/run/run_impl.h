/* Private to the room of runs: open.c (a deck becomes a run, and ends), restart.c (going on from a
 * checkpoint), folder.c (where the results stand), results.c (what is written), step.c (the steps
 * between), view.c (what can be read). */
#ifndef DELASSUS_RUN_RUN_IMPL_H
#define DELASSUS_RUN_RUN_IMPL_H

#include <stdatomic.h>

#include <delassus/run.h>

#include "base/folder_lock.h"
#include "base/team.h"
#include "record/frames/frames.h"
#include "record/restart.h"
#include "run/averages.h"
#include "run/history.h"
#include "run/shadow.h"

/* Where the results stand, kept with a checkpoint: a restart cuts them back to it. */
typedef struct {
  double last_frame; /* s */
  double first_step; /* after which history.csv begins */
} DlsRunMarks;

/* What dls_run_bodies() and its kin have filled since the last step. */
typedef struct {
  bool fresh[3]; /* bodies, contacts, boundaries */
  DlsRunBodies bodies;
  DlsRunContacts contacts;
  DlsRunBoundaries boundaries;
} DlsRunViews;

enum { DLS_RUN_PATH = 2048 }; /* bytes of the longest path of a folder or a checkpoint */

struct DlsRun {
  DlsScene *scene;
  DlsDeck *deck;
  DlsRestart *from; /* NULL: a run from its beginning */
  char *name;       /* of the deck, in the certificate */
  char *restart;    /* the checkpoint it began from; NULL: none */
  bool stage;
  DlsTeam *team; /* the ranks of this run, all with the same scene; the first one alone writes */

  /* Who listens. */
  bool (*stop)(void *context);
  void (*tell)(void *context, DlsRunEvent event, const char *text);
  void *context;
  double max_time; /* s */
  atomic_bool asked_to_stop;

  /* Where the results stand; folder NULL: nowhere, and the rest is nothing. */
  char *folder;
  DlsFolderLock *lock;
  bool in_place; /* the restart goes on in the folder of its checkpoint */
  DlsFrames *frames;
  DlsHistory *history;
  DlsAverages *averages;
  DlsShadow *shadow;
  DlsEntrants shadows;
  long shadow_every, capture;
  double next_checkpoint, next_frame; /* s */
  DlsRunMarks marks;

  DlsRunState state;
  double began, lasted; /* s, of wall clock */
  long first_step;      /* 0, or the step of the restart */
  long not_captured;    /* steps to be captured, with a custom contact */
  int shadowed;
  char impossible[700]; /* why the run stopped at a step without a solution; "" otherwise */
  bool problem_kept;    /* custom laws cannot be written */
  bool failure_kept;
  char line[3200]; /* of dls_run_average() */
  DlsRunViews views;
};

/* Times so near, as a share of a step, are the same, whatever h adds up to. */
static const double dls_run_nearly = 1e-3;

/* Says something to who listens. */
void dls_run_tell(const DlsRun *run, DlsRunEvent event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether somebody wants the run to end, here. */
bool dls_run_is_asked(const DlsRun *run);
/* The same of any rank; or its time is over. All ranks ask at the same places. */
bool dls_run_is_over(const DlsRun *run);

/* FOLDER/NAME. */
void dls_run_path(const DlsRun *run, const char *name, char out[DLS_RUN_PATH + 64]);

/* restart.c. Compares the deck with that of the checkpoint. */
DlsStatus dls_run_compare(const DlsRun *run, const DlsRunOptions *options);
/* Brings the state of the checkpoint, where there is one. */
DlsStatus dls_run_bring(DlsRun *run);
/* Adds to a checkpoint what the run needs to go on. */
DlsStatus dls_run_keep(const DlsRun *run, DlsCheckpointExtra *extra);
/* What restarts have changed so far, a line each. */
const char *dls_run_changes(const DlsRun *run);

/* folder.c. The folder, made and locked; what is lost there is told or refused. */
DlsStatus dls_run_enter(DlsRun *run, bool overwrite);

/* results.c. Before the first step, after each, and behind the last; a run without a folder has
 * none. */
DlsStatus dls_run_check_capture(const DlsRun *run);
DlsStatus dls_run_results_begin(DlsRun *run);
DlsStatus dls_run_results_step(DlsRun *run);
DlsStatus dls_run_results_end(DlsRun *run);
/* The proof that no motion is possible. */
void dls_run_keep_problem(DlsRun *run);
/* A checkpoint at `path`. */
DlsStatus dls_run_write_checkpoint(DlsRun *run, const char *path);

/* failure.c. What a law was asked when it failed. */
DlsStatus dls_run_keep_failure(DlsRun *run);
/* `status`, unless a law has died on the way and those who called it went on without: then its
 * sentence, with DLS_ERR_LAW. */
DlsStatus dls_run_mind_death(DlsRun *run, DlsStatus status);
/* The same of a law that failed or died while the deck was read, or as it was loaded. Returns
 * `status`, with the sentence that there was. */
DlsStatus dls_run_keep_early(DlsRun *run, DlsStatus status);

/* view.c. */
void dls_run_views_clear(DlsRun *run);

#endif
