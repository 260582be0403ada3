/* A run: what a deck describes, stepped from its beginning to its end, with all that `delassus run`
 * writes; the program is a few messages around this header.
 *
 *   DlsRun *run;
 *   bool more = true;
 *   if (dls_run_open("input/pyramid.yaml", NULL, &run) != DLS_OK) puts(dls_error_message());
 *   while (more && dls_run_step(run, &more) == DLS_OK) look_at(dls_run_bodies(run));
 *   dls_run_close(&run);
 *
 * Silent: nothing is printed, and nothing ends the process. Where there is no run (NULL: it was not
 * opened, or is closed) a function fails, or gives what is empty. Runs of one process do not see
 * each other, whatever the order of their steps. Each may live in a thread of its own; one run is
 * used by one thread at a time, but for dls_run_stop(). docs/library.md has more. */
#ifndef DELASSUS_RUN_H
#define DELASSUS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/errors.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DlsRun DlsRun;

/* What a run tells on its way. */
typedef enum {
  DLS_RUN_NOTICE,  /* what is replaced, dropped or left out, before the first step */
  DLS_RUN_MISTAKE, /* one mistake of the deck, with file, line, key and cure; then it is refused */
  DLS_RUN_CHANGE,  /* one key in which a restart differs unasked; then it is refused */
  DLS_RUN_PLACED,  /* the deck is read and its bodies are placed; nothing is written yet. No text */
  DLS_RUN_SQUEEZED /* no motion was possible in this step, and the run goes on as the deck asks */
} DlsRunEvent;

/* How a run is made; dls_run_options_default() gives one to change. All pointers but `context` are
 * lent for the call of dls_run_open() alone. */
typedef struct {
  const char *text; /* the deck itself, as YAML; its name is then the `deck` of dls_run_open() */
  const char *out;  /* folder of the results, made where it is not; NULL: nothing is written */
  const char *const *set; /* [nset] overrides of keys, such as "time.end=2" */
  int nset;
  const char *restart;       /* a checkpoint to begin from; NULL: the bodies of the deck */
  bool stage;                /* with restart: another deck, from t = 0, with the bodies of there */
  const char *const *change; /* [nchange] keys in which a restart may differ, with all below them */
  int nchange;
  bool overwrite;     /* also where a longer run is lost by it */
  long capture;       /* every so many steps the problem is written, as FCLIB; 0: never */
  const char *shadow; /* solvers that solve some steps too, "a,b" or "all"; NULL: none. Each works
                         in a process of its own: this one is forked */
  long shadow_every;  /* these steps */
  double max_time;    /* s of wall clock from the first step on; 0: no limit */
  /* Asked after each step, and at each measure of a solver's error: true stops the run. */
  bool (*stop)(void *context);
  /* Hears what the run tells; `text` lives for the call. NULL: nobody. */
  void (*tell)(void *context, DlsRunEvent event, const char *text);
  void *context; /* of the two */
} DlsRunOptions;

DLS_EXPORT DlsRunOptions dls_run_options_default(void); /* writes nothing, tells nobody */

/* Reads the deck, a path; places its bodies, and begins the files of its results. `deck` may be
 * NULL with options->restart, whose checkpoint holds one; `options` NULL stands for the defaults.
 * A deck with mistakes is refused with the first of them, and `tell` hears all; a folder at which
 * another run works, or whose longer run would be lost, is refused too. On failure *out is NULL and
 * nothing is left behind. */
DLS_EXPORT DlsStatus dls_run_open(const char *deck, const DlsRunOptions *options, DlsRun **out);

/* One step, with its row of the history and the frames, averages, captures and checkpoints that are
 * due. *more is false when it was the last, or when the run was stopped: then all files are whole,
 * as dls_run_close() would leave them, and further calls do nothing. A solve that did not converge
 * is no failure. Where no motion is possible the run ends before that step, *more false. On
 * failure (a law, a full disk) the run is over, and its last checkpoint stays. */
DLS_EXPORT DlsStatus dls_run_step(DlsRun *run, bool *more);

/* Steps until `time` is reached, s, or the run is over. */
DLS_EXPORT DlsStatus dls_run_until(DlsRun *run, double time, bool *more);

/* Asks the run to end at its next chance, within a step too: what is then saved is the state before
 * it. May be called from a handler of signals, and from another thread. */
DLS_EXPORT void dls_run_stop(DlsRun *run);

/* Ends the run, also before its end: a frame, the certificate and a checkpoint of the state are
 * written then, from which it can go on. NULL is fine; sets *run to NULL, whatever it returns. */
DLS_EXPORT DlsStatus dls_run_close(DlsRun **run);

/* A checkpoint of the state between two steps, for `restart`; needs no folder of results. */
DLS_EXPORT DlsStatus dls_run_save(DlsRun *run, const char *path);

#define DLS_RUN_STATE_LIST(X)                                                                      \
  X(GOES_ON, "goes on")                                                                            \
  X(FINISHED, "finished")     /* the end of the deck is reached */                                 \
  X(STOPPED, "stopped")       /* by somebody, or by max_time */                                    \
  X(IMPOSSIBLE, "impossible") /* at a step in which no motion is possible: see `reason` */         \
  X(FAILED, "failed")

typedef enum {
#define DLS_RUN_STATE_ENUM(code, text) DLS_RUN_##code,
  DLS_RUN_STATE_LIST(DLS_RUN_STATE_ENUM)
#undef DLS_RUN_STATE_ENUM
} DlsRunState;

DLS_EXPORT const char *dls_run_state_text(DlsRunState state);

/* J; the columns of history.csv of these names (docs/run.md). */
typedef struct {
  double kinetic, potential, stored;                          /* now */
  double spring, servo;                                       /* now: in springs; of driven walls */
  double dissipated, boundary_work, force_work, gravity_work; /* since the beginning */
  double scheme_loss, balance;
  double strain, lost_within; /* now, in deformable bodies; since the beginning, lost in them */
  double lost_plastic, lost_viscous; /* of lost_within: by what flows or breaks; by what resists
                                        rates. What is left the steps have taken */
  double corrected; /* since the beginning: weights along the ways of time.correction */
} DlsRunEnergy;

typedef struct {
  DlsRunState state;
  int dim;
  double time, step_length, end_time; /* s */
  long step, first_step;              /* done so far; that of the restart, else 0 */
  int bodies, boundaries;
  /* The last step. */
  int contacts, active; /* in its problem; with an impulse */
  bool converged;
  long iterations;
  double error;       /* in the measure of the deck */
  double penetration; /* m, the deepest */
  int parts, rounds;  /* into how many it was cut; solves beyond the first */
  DlsRunEnergy energy;
  /* All steps. */
  long not_converged, without_solution, not_captured;
  double worst_error, worst_penetration;
  double wall_clock;  /* s, since the first step or until the end */
  int shadowed;       /* steps that other solvers solved too */
  const char *folder; /* of the results; NULL: none */
  const char *reason; /* why no motion is possible; "" elsewhere */
  bool problem_kept;  /* the problem of that step is FOLDER/no-solution.hdf5 */
  bool failure_kept;  /* what a law was asked when it failed is FOLDER/law-failure.yaml */
} DlsRunReport;

/* The strings live as long as the run. */
DLS_EXPORT DlsRunReport dls_run_report(const DlsRun *run);

/* A line for average number k of the deck: its file, or that it has not begun; NULL behind the
 * last. Valid until the next call. */
DLS_EXPORT const char *dls_run_average(DlsRun *run, int k);

/* What follows is filled when it is asked for; arrays are valid until the next step, or the end of
 * the run. A view whose count is -1 could not be made: dls_error_message() says why. */

/* Bodies, in the order of their birth, but for those that carry walls. */
typedef struct {
  int count;
  const uint64_t *id;          /* ascending, from 1; a body keeps its own */
  const double (*position)[3]; /* m, of the centre of mass */
  const double (
      *orientation)[4]; /* unit quaternion (w, x, y, z), from its own axes to those of space */
  const double (*velocity)[3]; /* m/s */
  const double (*spin)[3];     /* rad/s, space axes */
  const double *radius; /* m: of a disk or sphere; of a cluster that of the ball that holds it */
  const double *mass;   /* kg; in 2-D per metre of depth */
  const int *material;  /* number in the order of the deck */
} DlsRunBodies;
DLS_EXPORT DlsRunBodies dls_run_bodies(DlsRun *run);

/* Contacts of the last step; none before it. Forces are means over it, or over its last part. */
typedef struct {
  int count;
  const int64_t *candidate, *antagonist; /* ids of bodies; of a boundary minus its id */
  const double (*point)[3];              /* m */
  const double (*normal)[3];             /* unit, from antagonist to candidate */
  const double (*force)[3];              /* N, on the candidate */
  const double *gap;                     /* m, below 0: overlap */
  const double *normal_force;            /* N, above 0 pushes */
  const double *tangential_force;        /* N, its length */
  const DlsContactStatus *status;        /* open, slip or stick */
} DlsRunContacts;
DLS_EXPORT DlsRunContacts dls_run_contacts(DlsRun *run);

/* Boundaries, in the order of the deck. */
typedef struct {
  int count;
  const int64_t *id; /* from 1 */
  const char *const *name;
  const double (*position)[3]; /* m, of its origin */
  const double (*velocity)[3]; /* m/s, there */
  const double (*force)[3];    /* N, on it, mean of the last step */
  const double (*torque)[3];   /* N m, about its origin */
} DlsRunBoundaries;
DLS_EXPORT DlsRunBoundaries dls_run_boundaries(DlsRun *run);

#ifdef __cplusplus
}
#endif
#endif
