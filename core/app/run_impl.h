/* Shared by the files of `delassus run`: run.c (the command), run_loop.c (the steps and what they
 * write), run_restart.c (going on from a checkpoint), run_folder.c (where the results stand). */
#ifndef DELASSUS_APP_RUN_IMPL_H
#define DELASSUS_APP_RUN_IMPL_H

#include "app/app.h"
#include "app/averages.h"
#include "app/history.h"
#include "app/shadow.h"
#include "base/folder_lock.h"
#include "record/frames/frames.h"
#include "record/restart.h"

enum { APP_RUN_SETTINGS = 256 };

/* Where the results stand, kept with a checkpoint: a restart cuts them back to it. */
typedef struct {
  double last_frame; /* s */
  double first_step; /* after which history.csv begins */
} AppRunMarks;

typedef struct {
  const AppCommand *command;
  const char *deck_path, *out, *restart, *stage;
  const char *settings[APP_RUN_SETTINGS], *change[APP_RUN_SETTINGS];
  int nsettings, nchange;
  long capture, shadow_every;
  long not_captured; /* steps of --capture with a custom contact */
  const char *shadow_list;
  DlsEntrants shadows;
  AppShadow *shadow;
  double max_time;
  bool quiet, equilibrium, overwrite;

  DlsDeck *deck;
  DlsScene *scene;
  DlsRestart *from; /* NULL: a run from its beginning */
  bool in_place;    /* the restart goes on in the folder of its checkpoint */
  char *name;       /* of the deck, in the certificate */
  DlsFrames *frames;
  AppHistory *history;
  AppAverages *averages;
  DlsFolderLock *lock;
  char folder[2048];
  double began, last_line, next_checkpoint, next_frame; /* s */
  AppRunMarks marks;
  long first_step; /* 0, or the step of the restart */
  bool stopped, shown;
  char impossible[700]; /* why the run stopped at a step without a solution; "" otherwise */
  bool kept; /* the problem of that step is in no-solution.hdf5: custom laws cannot be written */
  long squeezes; /* steps without a solution that were told */
} AppRun;

/* Times so near, as a share of a step, are the same, whatever h adds up to. */
static const double app_run_nearly = 1e-3;

/* run_loop.c: steps until the end, or until somebody stops it, with everything that is written. */
DlsStatus app_run_simulate(AppRun *run);

/* run_restart.c. Reads the deck or decks, with the overrides, and builds the scene; on a mistake it
 * has been told: false, and *status is the exit status. */
bool app_run_read(AppRun *run, int *status);
/* The state of the checkpoint, where there is one. */
DlsStatus app_run_bring(AppRun *run);
/* Adds to a checkpoint what the run needs to go on. */
DlsStatus app_run_keep(const AppRun *run, DlsCheckpointExtra *extra);
/* "go on with: ...", a line that the shell takes as it stands. */
void app_run_say_how(const AppRun *run);

/* What the laws of the deck let be captured, told before anything is written: one that is always
 * custom is refused, of one that is custom in some steps those steps are left out. */
DlsStatus app_run_check_capture(const AppRun *run);

/* run_folder.c. The folder, made and locked; what is lost there is told or refused. */
DlsStatus app_run_enter(AppRun *run);

#endif
