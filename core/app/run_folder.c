/* The folder of a run: its name, its lock, and what of an earlier run is lost there. */
#include "record/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/run_impl.h"
#include "base/file.h"

/* --out; that of the checkpoint; the name of the deck without its suffix. */
static void name_folder(AppRun *run) {
  const char *from = run->deck_path;
  if (run->out) {
    snprintf(run->folder, sizeof run->folder, "%s", run->out);
    return;
  }
  if (run->restart && !run->stage) {
    const char *slash = strrchr(run->restart, '/');
    const int length = slash ? (int)(slash - run->restart) : 1;
    snprintf(run->folder, sizeof run->folder, "%.*s", length ? length : 1,
             slash ? run->restart : ".");
    return;
  }
  const char *name = strrchr(from, '/');
  snprintf(run->folder, sizeof run->folder, "%s", name ? name + 1 : from);
  char *dot = strrchr(run->folder, '.');
  if (dot && dot != run->folder) *dot = '\0';
}

/* Nothing is lost without a word, and no longer run without --overwrite. */
static DlsStatus look_around(const AppRun *run, bool *alike) {
  DlsRunFolder there;
  const DlsSceneTime *time = &run->scene->data.time;
  const double end = time->end, near = app_run_nearly * time->step;
  const double begin = run->in_place ? dls_restart_time(run->from) : -INFINITY;
  DLS_TRY(dls_run_folder_look(run->folder, run->scene, &there));
  *alike = !there.any || there.alike;
  if (!there.any || there.time <= begin + near) return DLS_OK;
  DLS_CHECK(run->overwrite || !(there.time > end + near), DLS_ERR_ARGUMENT,
            "%s: holds a run of %d frames to t = %g s, longer than this one, to t = %g s, which "
            "would remove it; name another folder with --out, or say --overwrite",
            run->folder, there.frames, there.time, end);
  if (there.alike && there.time <= end + near) return DLS_OK;
  fprintf(stderr, "delassus run: %s: replaces %s (%d frames, to t = %g s%s)\n", run->folder,
          run->in_place ? "what is there behind the checkpoint" : "the run that is there",
          there.frames, there.time, there.alike ? "" : ", of another deck");
  return DLS_OK;
}

DlsStatus app_run_enter(AppRun *run) {
  DLS_CHECK(!run->out || strlen(run->out) < sizeof run->folder, DLS_ERR_ARGUMENT,
            "--out: the path has %zu bytes, and %zu is the most", strlen(run->out),
            sizeof run->folder - 1);
  DLS_CHECK(!run->restart || strlen(run->restart) < sizeof run->folder, DLS_ERR_ARGUMENT,
            "--restart: the path has %zu bytes, and %zu is the most", strlen(run->restart),
            sizeof run->folder - 1);
  name_folder(run);
  DLS_TRY(dls_file_make_folder(run->folder));
  DLS_TRY(dls_folder_lock(run->folder, &run->lock));
  const bool home = run->restart && dls_run_folder_has(run->folder, run->restart);
  DLS_CHECK(!run->stage || !home, DLS_ERR_ARGUMENT,
            "%s: is the folder of the checkpoint, and a stage has results of its own; name another "
            "with --out",
            run->folder);
  run->in_place = home;
  bool alike;
  DLS_TRY(look_around(run, &alike));
  return run->in_place ? DLS_OK : dls_run_folder_clear(run->folder, alike);
}
