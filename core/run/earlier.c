#include "run/earlier.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "record/checkpoint/checkpoint.h"
#include "record/restart.h"

enum { LONGEST_FILE = 64 << 20 }; /* bytes */

/* The whole of a regular file, freed by the caller; NULL where there is none. */
static char *content(const char *folder, const char *name) {
  char path[4200], *text = NULL;
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > LONGEST_FILE) return NULL;
  FILE *file;
  if (dls_file_open(path, &file) != DLS_OK) return NULL;
  text = calloc(1, (size_t)info.st_size + 1);
  if (text && fread(text, 1, (size_t)info.st_size, file) != (size_t)info.st_size) text[0] = '\0';
  fclose(file);
  return text;
}

/* Frames and the time of the last one. */
static void look_at_series(const char *folder, DlsEarlierRun *out) {
  static const char key[] = "timestep=\"";
  char *text = content(folder, "bodies.pvd");
  if (!text) return;
  out->any = true;
  for (const char *at = text; (at = strstr(at, key)); out->frames++) {
    at += sizeof key - 1;
    const double time = strtod(at, NULL);
    if (isfinite(time)) out->time = fmax(out->time, time);
  }
  free(text);
}

static void look_at_checkpoint(const char *folder, DlsEarlierRun *out) {
  char path[4200];
  DlsCheckpointLook look;
  snprintf(path, sizeof path, "%s/checkpoint.h5", folder);
  if (access(path, F_OK) != 0) return;
  out->any = true;
  if (dls_checkpoint_look(path, &look) != DLS_OK) return; /* damaged: nothing that could be lost */
  out->time = fmax(out->time, look.time);
  dls_checkpoint_look_clear(&look);
}

DlsStatus dls_earlier_look(const char *folder, const DlsScene *scene, DlsEarlierRun *out) {
  char *then, *now = NULL;
  *out = (DlsEarlierRun){.time = -INFINITY};
  look_at_series(folder, out);
  look_at_checkpoint(folder, out);
  if (!out->any || !(then = content(folder, "resolved.yaml"))) return DLS_OK;
  const DlsStatus status = dls_deck_text(dls_scene_section(), &scene->data, NULL, &now);
  if (status == DLS_OK && dls_restart_alike(then, now, &out->alike) != DLS_OK) out->alike = false;
  free(then);
  free(now);
  return status;
}

static bool begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_of_run(const char *file, bool alike) {
  static const char *const always[] = {"checkpoint.h5", "checkpoint.prev.h5", "changes.txt",
                                       "summary.json",  "law-failure.yaml",   "halved.csv",
                                       "halved.svg"};
  for (int k = 0; k < DLS_COUNT(always); k++)
    if (strcmp(file, always[k]) == 0) return true;
  if (alike) return false;
  const size_t length = strlen(file);
  const bool hdf5 = length > 5 && strcmp(file + length - 5, ".hdf5") == 0;
  return strcmp(file, "picture.svg") == 0 || begins(file, "average_") ||
         (begins(file, "capture_") && hdf5);
}

DlsStatus dls_earlier_clear(const char *folder, bool alike) {
  DIR *list = opendir(folder);
  if (!list) return dls_file_fail(folder, errno);
  DlsStatus status = DLS_OK;
  for (struct dirent *entry; status == DLS_OK && (entry = readdir(list));) {
    char path[4200];
    if (!is_of_run(entry->d_name, alike)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (unlink(path) != 0 && errno != ENOENT) status = dls_file_fail(path, errno);
  }
  closedir(list);
  return status;
}

bool dls_earlier_has(const char *folder, const char *file) {
  struct stat one, other;
  const char *slash = strrchr(file, '/');
  char *home = slash ? strndup(file, slash > file ? (size_t)(slash - file) : 1) : strdup(".");
  const bool same = home && stat(home, &one) == 0 && stat(folder, &other) == 0 &&
                    one.st_dev == other.st_dev && one.st_ino == other.st_ino;
  free(home);
  return same;
}
