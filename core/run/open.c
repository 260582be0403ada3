/* The beginning and the end of a run. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/plugin.h"
#include "record/bodies_read.h"
#include "run/run_impl.h"
#include "run/scene.h"

DlsRunOptions dls_run_options_default(void) { return (DlsRunOptions){.shadow_every = 50}; }

const char *dls_run_state_text(DlsRunState state) {
  static const char *const texts[] = {
#define DLS_RUN_STATE_TEXT(code, text) text,
      DLS_RUN_STATE_LIST(DLS_RUN_STATE_TEXT)
#undef DLS_RUN_STATE_TEXT
  };
  return (int)state >= 0 && (int)state < DLS_COUNT(texts) ? texts[state] : "unknown";
}

DlsScene *dls_run_scene(DlsRun *run) { return run->scene; }

void dls_run_tell(const DlsRun *run, DlsRunEvent event, const char *format, ...) {
  char text[4096];
  va_list arguments;
  if (!run->tell) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  run->tell(run->context, event, text);
}

/* A copy; NULL stays NULL. */
static DlsStatus keep_text(const char *text, char **out) {
  *out = text ? strdup(text) : NULL;
  DLS_CHECK(!text || *out, DLS_ERR_MEMORY, "out of memory for a path");
  return DLS_OK;
}

static DlsStatus check_options(const char *deck, const DlsRunOptions *o) {
  DLS_CHECK(deck || o->restart, DLS_ERR_ARGUMENT, "run: which deck? Name one, or a checkpoint");
  DLS_CHECK(deck || !o->text, DLS_ERR_ARGUMENT, "run: a deck that is given as text needs a name");
  DLS_CHECK(o->restart || (!o->stage && !o->nchange), DLS_ERR_ARGUMENT,
            "run: a stage, and keys that may change, go with a checkpoint; name it in `restart`");
  DLS_CHECK(!o->out || strlen(o->out) < DLS_RUN_PATH, DLS_ERR_ARGUMENT,
            "run: the path of `out` has %zu bytes, and %d is the most", strlen(o->out),
            DLS_RUN_PATH - 1);
  DLS_CHECK(!o->restart || strlen(o->restart) < DLS_RUN_PATH, DLS_ERR_ARGUMENT,
            "run: the path of `restart` has %zu bytes, and %d is the most", strlen(o->restart),
            DLS_RUN_PATH - 1);
  DLS_CHECK(!o->stage || deck, DLS_ERR_ARGUMENT, "run: a stage has a deck of its own; name it");
  DLS_CHECK(!o->stage || !o->nchange, DLS_ERR_ARGUMENT,
            "run: a stage may change all; leave `change` out");
  DLS_CHECK(o->out || (o->capture <= 0 && !o->shadow), DLS_ERR_ARGUMENT,
            "run: captures and shadow solvers write files; give `out`, a folder for them");
  DLS_CHECK(!o->shadow || o->shadow_every > 0, DLS_ERR_ARGUMENT,
            "run: `shadow_every` is %ld; let it be 1 or more", o->shadow_every);
  return DLS_OK;
}

static DlsStatus open_deck(DlsRun *run, const char *deck, const DlsRunOptions *o) {
  if (o->restart) DLS_TRY(dls_restart_open(o->restart, &run->from));
  if (deck) {
    DLS_TRY(o->text ? dls_deck_parse(deck, o->text, strlen(o->text), &run->deck)
                    : dls_deck_open(deck, &run->deck));
    for (int k = 0; k < o->nset; k++) DLS_TRY(dls_deck_set(run->deck, o->set[k]));
  } else {
    DLS_TRY(dls_restart_deck(run->from, &run->deck));
    DLS_TRY(dls_restart_set(run->deck, o->set, o->nset));
  }
  return run->from ? dls_restart_lend(run->from, run->deck) : DLS_OK;
}

/* All mistakes of the deck are told, one by one. */
static void tell_mistakes(const DlsRun *run) {
  const int count = run->deck ? dls_deck_problem_count(run->deck) : 0;
  if (!count) return;
  for (int k = 0; dls_deck_problem_text(run->deck, k); k++)
    dls_run_tell(run, DLS_RUN_MISTAKE, "%s", dls_deck_problem_text(run->deck, k));
  dls_run_tell(run, DLS_RUN_NOTICE, "%d mistake%s in %s; nothing was run", count,
               count == 1 ? "" : "s", dls_deck_path(run->deck));
}

static DlsStatus build(DlsRun *run, const char *deck, const DlsRunOptions *o) {
  const DlsSceneOptions options = {.reader = dls_bodies_read, .restart = o->restart != NULL};
  DlsStatus status = open_deck(run, deck, o);
  if (status == DLS_OK) status = dls_scene_build_with(run->deck, &options, &run->scene);
  if (status == DLS_OK) {
    dls_averages_check(run->deck, run->scene);
    status = dls_deck_status(run->deck);
  }
  if (status != DLS_OK) {
    tell_mistakes(run);
    return dls_run_keep_early(run, status);
  }
  return run->from ? dls_run_compare(run, o) : DLS_OK;
}

/* A surface that is met from one side alone lets through what comes round its rims. */
static void tell_open_meshes(const DlsRun *run) {
  const DlsWorld *world = run->scene->simulation->world;
  const DlsSceneBoundary *items = run->scene->data.boundaries.items;
  for (int k = 0; k < run->scene->data.boundaries.count && world->dim == 3; k++) {
    const DlsFacets *facets = world->boundary[k].facets;
    double edge[2][3];
    const int open = facets && !facets->both ? dls_facets_open(facets, edge) : 0;
    if (open > 0)
      dls_run_tell(run, DLS_RUN_NOTICE,
                   "boundary %s: %s is open at %d edges, the first from (%g, %g, %g) to (%g, %g, "
                   "%g) m: what passes there is behind it; `closed: true` refuses that",
                   items[k].name, items[k].file, open, edge[0][0], edge[0][1], edge[0][2],
                   edge[1][0], edge[1][1], edge[1][2]);
  }
}

static DlsStatus open_run(DlsRun *run, const char *deck, const DlsRunOptions *o) {
  DLS_TRY(check_options(deck, o));
  run->stop = o->stop;
  run->tell = o->tell;
  run->context = o->context;
  run->max_time = o->max_time;
  run->stage = o->stage;
  run->capture = o->capture;
  run->shadow_every = o->shadow_every;
  run->marks.last_frame = -INFINITY;
  DLS_TRY(keep_text(deck, &run->name));
  DLS_TRY(keep_text(o->restart, &run->restart));
  DLS_TRY(keep_text(o->out, &run->folder));
  if (o->shadow) DLS_TRY(dls_entrants_read("shadow", o->shadow, &run->shadows));
  DLS_TRY(build(run, deck, o));
  dls_run_tell(run, DLS_RUN_PLACED, "%s", "");
  if (!run->from) tell_open_meshes(run);
  return dls_run_check_capture(run);
}

static DlsStatus begin_results(DlsRun *run, const DlsRunOptions *o) {
  if (run->folder) DLS_TRY(dls_run_enter(run, o->overwrite));
  DlsTeam *before = dls_team_lend(NULL); /* what one writes it works out alone */
  const DlsStatus status = dls_run_mind_death(run, dls_run_results_begin(run));
  dls_team_lend(before);
  return status;
}

/* The other ranks have read what they begin from before the first one changes the folder: a
 * checkpoint may lie there. */
static DlsStatus open_together(DlsRun *run, const char *deck, const DlsRunOptions *o) {
  run->team = dls_team_here();
  const bool writes = dls_team_rank(run->team) == 0;
  DlsRunOptions mine = *o;
  if (!writes) mine.out = mine.shadow = NULL, mine.capture = 0;
  dls_team_lend(NULL); /* one that cannot read what the others can must not leave them waiting */
  DlsStatus status = open_run(run, deck, &mine);
  dls_team_lend(run->team);
  if (status == DLS_OK && !writes) status = begin_results(run, &mine);
  DLS_TRY(dls_team_agree(run->team, status));
  return dls_team_agree(run->team, writes ? begin_results(run, &mine) : DLS_OK);
}

/* Frees everything, whatever is there; leaves the files as they are. */
static DlsStatus end_run(DlsRun **run) {
  DlsRun *r = *run;
  dls_run_views_clear(r);
  dls_shadow_end(&r->shadow);
  dls_entrants_clear(&r->shadows);
  dls_frames_destroy(&r->frames);
  dls_averages_close(&r->averages);
  const DlsStatus status = dls_history_close(&r->history);
  dls_scene_destroy(&r->scene);
  dls_deck_destroy(&r->deck);
  dls_restart_close(&r->from);
  dls_folder_unlock(&r->lock);
  free(r->name);
  free(r->restart);
  free(r->folder);
  free(r);
  *run = NULL;
  return status;
}

static DlsStatus check_texts(const char *name, const char *const *text, int count) {
  DLS_CHECK(count >= 0 && (count == 0 || text), DLS_ERR_ARGUMENT, "n%s is %d, and there is no list",
            name, count);
  for (int i = 0; i < count; i++) DLS_CHECK(text[i], DLS_ERR_ARGUMENT, "%s[%d] is NULL", name, i);
  return DLS_OK;
}

static DlsStatus check_numbers(const DlsRunOptions *options) {
  DLS_TRY(check_texts("set", options->set, options->nset));
  DLS_TRY(check_texts("change", options->change, options->nchange));
  DLS_CHECK(options->capture >= 0, DLS_ERR_ARGUMENT,
            "capture is %ld: give a number of steps, or 0 for none", options->capture);
  DLS_CHECK(options->max_time >= 0, DLS_ERR_ARGUMENT,
            "max_time is %g s: give a time, or 0 for no limit", options->max_time);
  return DLS_OK;
}

DlsStatus dls_run_open(const char *deck, const DlsRunOptions *options, DlsRun **out) {
  const DlsRunOptions plain = dls_run_options_default();
  DlsRun *run;
  DLS_CHECK(out, DLS_ERR_ARGUMENT, "`out` is NULL: where the run is to be put");
  *out = NULL;
  DLS_TRY(check_numbers(options ? options : &plain));
  DLS_NEW(run, 1);
  dls_guard_forget(); /* of laws that died in a run before */
  dls_plugin_forget();
  const DlsStatus status = open_together(run, deck, options ? options : &plain);
  if (status == DLS_OK)
    *out = run;
  else
    (void)end_run(&run); /* the sentence that counts is the first */
  return status;
}

DlsStatus dls_run_close(DlsRun **run) {
  DlsStatus status = DLS_OK;
  if (!run || !*run) return DLS_OK;
  if ((*run)->state == DLS_RUN_GOES_ON) {
    (*run)->state = DLS_RUN_STOPPED;
    status = dls_team_agree((*run)->team, dls_run_mind_death(*run, dls_run_results_end(*run)));
  }
  const DlsStatus ended = end_run(run);
  return status != DLS_OK ? status : ended;
}
