/* Rows side by side: as many threads as jobs, each of which starts a process for one row after the
 * other and waits for its end. The threads do nothing else, so that a process that is forked finds
 * the library at rest. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "study/study_impl.h"

enum { JOBS_MOST = 1024 };

static const double saving = 20;      /* s that a run has to save its state when it is stopped */
static const double grace = 30;       /* s beyond the limit in which a run may end by itself */
static const double often = 10;       /* s between two writings of results.csv */
static const double look_every = 0.1; /* s */

typedef struct {
  DlsStudy *study;
  pthread_mutex_t lock;
  int next, ended, idle; /* idle: threads that have come to their end */
  int threads;           /* of each process */
  double *before;        /* [rows] progress when the row was taken up; NAN: not yet */
  double began;
  atomic_bool stopping;
  _Atomic double deadline; /* of saving, once stopping */
} Crew;

typedef struct {
  const DlsStudy *study;
  int row;
} Task;

static void work(void *context, void *result) {
  const Task *task = context;
  dls_study_work(task->study, task->row, result);
}

/* A process is killed only when it has not saved its state in time. */
static bool has_waited(void *context) {
  Crew *crew = context;
  return atomic_load(&crew->stopping) && dls_clock_now() > atomic_load(&crew->deadline);
}

/* The next row, -1 where there is none, or where the thread is not able. */
static int take_row(Crew *crew, bool able) {
  int row = -1;
  pthread_mutex_lock(&crew->lock);
  if (able && crew->next < crew->study->table.rows && !atomic_load(&crew->stopping)) {
    row = crew->next++;
    crew->before[row] = 0;
  } else {
    crew->idle++;
  }
  pthread_mutex_unlock(&crew->lock);
  return row;
}

static void judge_end(const DlsChildEnd *end, DlsStudyOutcome *out) {
  if (end->outcome == DLS_CHILD_DONE) return;
  out->state = end->outcome == DLS_CHILD_TIMEOUT   ? DLS_STUDY_TIMEOUT
               : end->outcome == DLS_CHILD_STOPPED ? DLS_STUDY_WAITING
                                                   : DLS_STUDY_CRASHED;
  out->note[0] = '\0';
  if (out->state != DLS_STUDY_CRASHED) return;
  if (end->outcome == DLS_CHILD_NOT_STARTED)
    snprintf(out->note, sizeof out->note, "no process could be started");
  else if (end->signal)
    snprintf(out->note, sizeof out->note, "ended by signal %d (%s)", end->signal,
             strsignal(end->signal));
  else
    snprintf(out->note, sizeof out->note, "ended with exit status %d", end->status);
}

static void forget_values(const DlsStudy *s, DlsStudyOutcome *out) {
  for (int k = 0; k < s->data.results.count; k++) out->value[k] = (DlsStudyValue){.value = NAN};
}

static void *labour(void *context) {
  Crew *crew = context;
  DlsStudy *s = crew->study;
  const double limit = s->options.limit > 0 ? s->options.limit : s->data.limit;
  const DlsChildLimits limits = {.seconds = limit > 0 ? limit + grace : 0,
                                 .megabyte = (size_t)s->data.memory,
                                 .threads = crew->threads,
                                 .stop = has_waited,
                                 .stop_context = crew};
  DlsStudyOutcome *out = calloc(1, s->outcome_bytes);
  for (int row; (row = take_row(crew, out != NULL)) >= 0;) {
    const Task task = {s, row};
    memset(out, 0, s->outcome_bytes);
    const DlsChildEnd end = dls_child_run(work, (void *)&task, &limits, out, s->outcome_bytes);
    judge_end(&end, out);
    if (out->state > DLS_STUDY_UNCONVERGED) forget_values(s, out);
    pthread_mutex_lock(&crew->lock);
    memcpy(dls_study_outcome(s, row), out, s->outcome_bytes);
    crew->ended++;
    atomic_store(&s->board->progress[row], 1);
    pthread_mutex_unlock(&crew->lock);
  }
  free(out);
  return NULL;
}

/* What is left by the pace of this session: rows that were there already count for nothing. */
static DlsStudyProgress look(Crew *crew, int threads) {
  const DlsStudy *s = crew->study;
  double made = 0, left = 0;
  pthread_mutex_lock(&crew->lock);
  DlsStudyProgress p = {
      .rows = s->table.rows, .ended = crew->ended, .working = threads - crew->idle, .left = NAN};
  for (int row = 0; row < s->table.rows; row++) {
    const double now = atomic_load(&s->board->progress[row]);
    if (!isnan(crew->before[row])) made += now - crew->before[row];
    left += 1 - now;
  }
  pthread_mutex_unlock(&crew->lock);
  if (made > 0) p.left = (dls_clock_now() - crew->began) * left / made;
  return p;
}

static void nap(double seconds) {
  const struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};
  nanosleep(&time, NULL);
}

static void ask_to_stop(Crew *crew) {
  if (atomic_load(&crew->stopping)) return;
  atomic_store(&crew->deadline, dls_clock_now() + saving);
  atomic_store(&crew->study->board->stop, true);
  atomic_store(&crew->stopping, true);
}

/* The calling thread looks on: stops, progress, the table now and then. */
static DlsStatus oversee(Crew *crew, int threads) {
  const DlsStudy *s = crew->study;
  double written = dls_clock_now();
  DlsStatus status = DLS_OK;
  for (bool more = true; more;) {
    pthread_mutex_lock(&crew->lock);
    more = crew->idle < threads;
    pthread_mutex_unlock(&crew->lock);
    if (!more) break;
    if (status != DLS_OK || (s->options.stop && s->options.stop(s->options.context)))
      ask_to_stop(crew);
    if (s->options.progress) {
      const DlsStudyProgress p = look(crew, threads);
      s->options.progress(s->options.context, &p);
    }
    if (status == DLS_OK && dls_clock_now() - written > often) {
      pthread_mutex_lock(&crew->lock); /* no row changes meanwhile */
      status = dls_study_write(s);
      pthread_mutex_unlock(&crew->lock);
      written = dls_clock_now();
    }
    nap(look_every);
  }
  return status;
}

static DlsStatus set_to_work(Crew *crew, int jobs) {
  pthread_t thread[JOBS_MOST];
  int threads = 0;
  while (threads < jobs && pthread_create(&thread[threads], NULL, labour, crew) == 0) threads++;
  DLS_CHECK(threads > 0, DLS_ERR_MEMORY, "no thread could be started; end other programs");
  const DlsStatus status = oversee(crew, threads);
  for (int k = 0; k < threads; k++) pthread_join(thread[k], NULL);
  return status;
}

DlsStatus dls_study_crew(DlsStudy *study) {
  Crew crew = {.study = study, .began = dls_clock_now()};
  int jobs = study->options.jobs > 0 ? study->options.jobs : dls_pool_threads();
  if (jobs > study->table.rows) jobs = study->table.rows;
  if (jobs > JOBS_MOST) jobs = JOBS_MOST;
  crew.threads = jobs > 0 && dls_pool_threads() > jobs ? dls_pool_threads() / jobs : 1;
  DLS_NEW(crew.before, study->table.rows);
  for (int row = 0; row < study->table.rows; row++) crew.before[row] = NAN;
  pthread_mutex_init(&crew.lock, NULL);
  const DlsStatus status = set_to_work(&crew, jobs);
  pthread_mutex_destroy(&crew.lock);
  free(crew.before);
  return status;
}
