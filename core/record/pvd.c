/* Series of VTU files: rows in memory, the file rewritten from them; reading of what we wrote. */
#include "record/pvd.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/vtu/vtu_impl.h"

typedef struct {
  double time;
  int part;
  char *file;
} Frame;

struct DlsPvd {
  char *path;
  double pace, last_s; /* s; the clock at the last rewriting */
  bool behind;         /* the file does not have all frames */
  Frame *frames;
  int count, room;
};

void dls_pvd_destroy(DlsPvd **pvd) {
  if (!*pvd) return;
  for (int i = 0; i < (*pvd)->count; i++) free((*pvd)->frames[i].file);
  free((*pvd)->frames);
  free((*pvd)->path);
  free(*pvd);
  *pvd = NULL;
}

int dls_pvd_frames(const DlsPvd *pvd) { return pvd->count; }

double dls_pvd_last(const DlsPvd *pvd) {
  return pvd->count ? pvd->frames[pvd->count - 1].time : -HUGE_VAL;
}

static DlsStatus rewrite(DlsPvd *pvd) {
  DlsFile *file;
  pvd->last_s = dls_clock_now();
  DLS_TRY(dls_file_begin(pvd->path, &file));
  dls_file_print(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                       "<Collection>\n");
  for (int i = 0; i < pvd->count; i++) {
    char time[DLS_NUMBER_BYTES];
    dls_file_print(file, "<DataSet timestep=\"%s\" group=\"\" part=\"%d\" file=\"",
                   dls_number_text(time, pvd->frames[i].time, 0), pvd->frames[i].part);
    dls_vtu_put_escaped(file, pvd->frames[i].file);
    dls_file_print(file, "\"/>\n");
  }
  dls_file_print(file, "</Collection>\n</VTKFile>\n");
  DLS_TRY(dls_file_place(&file));
  pvd->behind = false;
  return DLS_OK;
}

void dls_pvd_pace(DlsPvd *pvd, double seconds) { pvd->pace = seconds; }

DlsStatus dls_pvd_flush(DlsPvd *pvd) { return pvd->behind ? rewrite(pvd) : DLS_OK; }

static DlsStatus rewrite_if_due(DlsPvd *pvd) {
  pvd->behind = true;
  return dls_clock_now() - pvd->last_s >= pvd->pace ? rewrite(pvd) : DLS_OK;
}

/* Takes `file` over, also when it fails. */
static DlsStatus append(DlsPvd *pvd, double time, int part, char *file) {
  Frame *frames = pvd->frames;
  if (pvd->count == pvd->room) {
    const int room = pvd->room ? 2 * pvd->room : 64;
    frames = realloc(frames, (size_t)room * sizeof *frames);
    if (frames) {
      pvd->frames = frames;
      pvd->room = room;
    }
  }
  if (!frames || !file) {
    free(file);
    return dls_fail(DLS_ERR_MEMORY, "%s: out of memory for %d frames", pvd->path, pvd->count + 1);
  }
  pvd->frames[pvd->count++] = (Frame){time, part, file};
  return DLS_OK;
}

/* The value of an attribute inside the tag that ends at `end`, unescaped and freed by the caller;
 * NULL where it is missing. */
static char *attribute(const char *tag, const char *end, const char *name) {
  static const struct {
    const char *code, sign;
  } codes[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  char key[32];
  snprintf(key, sizeof key, " %s=\"", name);
  const char *from = strstr(tag, key);
  if (!from || from >= end) return NULL;
  from += strlen(key);
  const char *stop = strchr(from, '"');
  char *value = stop && stop < end ? malloc((size_t)(stop - from) + 1) : NULL;
  char *to = value;
  while (value && from < stop) {
    char sign = *from;
    size_t length = 1;
    for (int i = 0; i < DLS_COUNT(codes); i++)
      if (strncmp(from, codes[i].code, strlen(codes[i].code)) == 0) {
        sign = codes[i].sign;
        length = strlen(codes[i].code);
      }
    *to++ = sign;
    from += length;
  }
  if (value) *to = '\0';
  return value;
}

static DlsStatus read_frame(DlsPvd *pvd, const char *tag, const char *end, double until) {
  char *time_text = attribute(tag, end, "timestep"), *part_text = attribute(tag, end, "part");
  char *file = attribute(tag, end, "file"), *rest = NULL;
  const double time = time_text ? strtod(time_text, &rest) : 0;
  const bool timed = time_text && rest != time_text && *rest == '\0' && isfinite(time);
  int64_t part = 0;
  const bool whole =
      !part_text || dls_checked_text(part_text, strlen(part_text), 0, INT32_MAX, &part);
  free(time_text);
  free(part_text);
  const bool sound = timed && whole && file;
  if (sound && time <= until) return append(pvd, time, (int)part, file);
  free(file);
  DLS_CHECK(
      sound, DLS_ERR_FORMAT,
      "%s: '%.*s' is not a frame with timestep and file; remove the file to start a new series",
      pvd->path, (int)(end - tag > 80 ? 80 : end - tag), tag);
  return DLS_OK;
}

static DlsStatus read_frames(DlsPvd *pvd, const char *text, double until) {
  DLS_CHECK(strstr(text, "type=\"Collection\"") && strstr(text, "</VTKFile>"), DLS_ERR_FORMAT,
            "%s: is not a whole PVD file; remove it to start a new series", pvd->path);
  for (const char *tag = text; (tag = strstr(tag, "<DataSet"));) {
    const char *end = strchr(tag, '>');
    DLS_CHECK(end, DLS_ERR_FORMAT, "%s: is not a whole PVD file; remove it to start a new series",
              pvd->path);
    DLS_TRY(read_frame(pvd, tag, end, until));
    tag = end;
  }
  return DLS_OK;
}

/* The text of a file, freed by the caller; NULL without error where there is no file. */
static DlsStatus read_text(const char *path, char **out) {
  FILE *file;
  *out = NULL;
  if (access(path, F_OK) != 0 && errno == ENOENT) return DLS_OK;
  DLS_TRY(dls_file_open(path, &file));
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room), *more = text;
  for (size_t got = 1; more && got > 0; used += got) {
    if (used + 1 == room) {
      more = realloc(text, room *= 2);
      if (more) text = more;
    }
    got = more ? fread(text + used, 1, room - used - 1, file) : 0;
  }
  const bool failed = ferror(file) != 0;
  fclose(file);
  if (text) text[used] = '\0';
  if (more && !failed) {
    *out = text;
    return DLS_OK;
  }
  free(text);
  return failed ? dls_file_fail(path, EIO) : dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
}

static DlsStatus resume(DlsPvd *pvd, double until) {
  char *text;
  DLS_TRY(read_text(pvd->path, &text));
  const DlsStatus status = text ? read_frames(pvd, text, until) : DLS_OK;
  free(text);
  DLS_TRY(status);
  return rewrite(pvd);
}

static DlsStatus make(const char *path, double until, DlsPvd **out) {
  DlsPvd *pvd;
  *out = NULL;
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "PVD file: the path is empty");
  DLS_CHECK(!isnan(until), DLS_ERR_ARGUMENT, "%s: the time to go on from is not a number", path);
  DLS_NEW(pvd, 1);
  pvd->path = strdup(path);
  DlsStatus status = pvd->path ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
  if (status == DLS_OK) status = until == -HUGE_VAL ? rewrite(pvd) : resume(pvd, until);
  if (status == DLS_OK)
    *out = pvd;
  else
    dls_pvd_destroy(&pvd);
  return status;
}

DlsStatus dls_pvd_create(const char *path, DlsPvd **out) { return make(path, -HUGE_VAL, out); }

DlsStatus dls_pvd_resume(const char *path, double time, DlsPvd **out) {
  return make(path, time, out);
}

DlsStatus dls_pvd_add(DlsPvd *pvd, double time, int part, const char *file) {
  DLS_CHECK(isfinite(time), DLS_ERR_ARGUMENT, "%s: the time of frame '%s' is not finite", pvd->path,
            file);
  DLS_CHECK(
      *file && *file != '/', DLS_ERR_ARGUMENT,
      "%s: frame '%s' must be named as seen from the folder of the series, so that the folder "
      "can be moved",
      pvd->path, file);
  DLS_CHECK(
      pvd->count == 0 || time >= dls_pvd_last(pvd), DLS_ERR_ARGUMENT,
      "%s: frame '%s' at %g s comes before the last one at %g s; go on from an earlier time to "
      "drop that",
      pvd->path, file, time, dls_pvd_last(pvd));
  for (int i = pvd->count; i-- > 0 && pvd->frames[i].time == time;)
    if (pvd->frames[i].part == part) {
      char *name = strdup(file);
      DLS_CHECK(name, DLS_ERR_MEMORY, "%s: out of memory", pvd->path);
      free(pvd->frames[i].file);
      pvd->frames[i].file = name;
      return rewrite_if_due(pvd);
    }
  DLS_TRY(append(pvd, time, part, strdup(file)));
  const DlsStatus status = rewrite_if_due(pvd);
  if (status != DLS_OK) free(pvd->frames[--pvd->count].file); /* as on disk */
  return status;
}
