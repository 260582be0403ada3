/* The folder of a run: its lock, and what of an earlier run is lost there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "run/earlier.h"
#include "run/run_impl.h"

/* Nothing is lost without a word, and no longer run unless that is asked for. */
static DlsStatus look_around(const DlsRun *run, bool overwrite, bool *alike) {
  DlsEarlierRun there;
  const DlsSceneTime *time = &run->scene->data.time;
  const double end = time->end, near = dls_run_nearly * time->step;
  const double begin = run->in_place ? dls_restart_time(run->from) : -INFINITY;
  DLS_TRY(dls_earlier_look(run->folder, run->scene, &there));
  *alike = !there.any || there.alike;
  if (!there.any || there.time <= begin + near) return DLS_OK;
  DLS_CHECK(overwrite || !(there.time > end + near), DLS_ERR_ARGUMENT,
            "%s: holds a run of %d frames to t = %g s, longer than this one, to t = %g s, which "
            "would remove it; name another folder in `out`, or say `overwrite`",
            run->folder, there.frames, there.time, end);
  if (there.alike && there.time <= end + near) return DLS_OK;
  dls_run_tell(run, DLS_RUN_NOTICE, "%s: replaces %s (%d frames, to t = %g s%s)", run->folder,
               run->in_place ? "what is there behind the checkpoint" : "the run that is there",
               there.frames, there.time, there.alike ? "" : ", of another deck");
  return DLS_OK;
}

void dls_run_path(const DlsRun *run, const char *name, char out[DLS_RUN_PATH + 64]) {
  snprintf(out, DLS_RUN_PATH + 64, "%s/%s", run->folder, name);
}

DlsStatus dls_run_enter(DlsRun *run, bool overwrite) {
  DLS_TRY(dls_file_make_folder(run->folder));
  DLS_TRY(dls_folder_lock(run->folder, &run->lock));
  const bool home = run->restart && dls_earlier_has(run->folder, run->restart);
  DLS_CHECK(!run->stage || !home, DLS_ERR_ARGUMENT,
            "%s: is the folder of the checkpoint, and a stage has results of its own; name another "
            "in `out`",
            run->folder);
  run->in_place = home && dls_restart_has(run->from, "marks"); /* not of a run without results */
  bool alike;
  DLS_TRY(look_around(run, overwrite, &alike));
  return run->in_place ? DLS_OK : dls_earlier_clear(run->folder, alike);
}
