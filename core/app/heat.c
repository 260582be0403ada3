#include "app/heat.h"

#include <pthread.h>
#include <stdio.h>

#include "app/interrupt.h"

typedef struct {
  const AppHeat *heat;
  int next; /* solver */
  pthread_mutex_t lock;
  DlsStatus status;
  char sentence[1024]; /* of the status */
} Track;

static void keep_status(Track *track, DlsStatus status) {
  if (status == DLS_OK || track->status != DLS_OK) return;
  track->status = status;
  snprintf(track->sentence, sizeof track->sentence, "%s", dls_error_message());
}

/* The next solver without a run; -1: none is left, or something failed. */
static int next_solver(Track *track) {
  const AppHeat *heat = track->heat;
  while (track->next < heat->field->count && track->status == DLS_OK && !app_interrupted()) {
    const int s = track->next++;
    if (dls_race_at(heat->race, heat->number, s)->end == DLS_RACE_NONE) return s;
    keep_status(track, heat->tell(heat->context, heat->number, s, true));
  }
  return -1;
}

static DlsStatus take_run(const AppHeat *heat, int s, DlsRaceRun *run) {
  dls_race_put(heat->race, heat->number, s, heat->field->entrant[s].label, run);
  return heat->tell(heat->context, heat->number, s, false);
}

/* Solves are made outside the lock, each in a process of its own; all else within it. */
static void *race_on(void *context) {
  Track *track = context;
  const AppHeat *heat = track->heat;
  const DlsEntrant *entrant = heat->field->entrant;
  pthread_mutex_lock(&track->lock);
  for (int s; (s = next_solver(track)) >= 0;) {
    DlsRaceRun run;
    pthread_mutex_unlock(&track->lock);
    const DlsStatus status =
        dls_race_run(heat->race, heat->number, heat->problem, entrant[s].solver, entrant[s].options,
                     heat->guess, NULL, &run);
    pthread_mutex_lock(&track->lock);
    keep_status(track, status);
    if (status == DLS_OK) keep_status(track, take_run(heat, s, &run));
  }
  pthread_mutex_unlock(&track->lock);
  return NULL;
}

DlsStatus app_heat_run(const AppHeat *heat) {
  pthread_t thread[APP_HEAT_JOBS];
  int threads = 0;
  Track track = {.heat = heat};
  pthread_mutex_init(&track.lock, NULL);
  for (int s = 0; s < heat->field->count; s++)
    snprintf(heat->race->solver[s], sizeof heat->race->solver[s], "%s",
             heat->field->entrant[s].label);
  while (threads + 1 < heat->jobs && pthread_create(&thread[threads], NULL, race_on, &track) == 0)
    threads++;
  race_on(&track);
  for (int k = 0; k < threads; k++) pthread_join(thread[k], NULL);
  pthread_mutex_destroy(&track.lock);
  return track.status == DLS_OK ? DLS_OK : dls_fail(track.status, "%s", track.sentence);
}
