/* Checkpoints written: aside, to the disk, and then in the place of the last one, which stays as
 * the one before it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/version.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

/* Words of 8 bytes, little-endian, the last one filled up with zeros. */
static uint64_t mix_bytes(uint64_t hash, const unsigned char *bytes, size_t size) {
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = mix(hash, word);
  }
  uint64_t last = 0;
  if (size) memcpy(&last, bytes, size);
  return mix(hash, last);
}

uint64_t dls_checkpoint_hash(const char *name, const void *bytes, size_t size) {
  const size_t length = strlen(name);
  const uint64_t hash = mix_bytes(mix(length, size), (const unsigned char *)name, length);
  return mix_bytes(hash, bytes, size);
}

char *dls_checkpoint_previous(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  const size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path);
  const size_t bytes = strlen(path) + sizeof ".prev";
  char *previous = malloc(bytes);
  if (previous) snprintf(previous, bytes, "%.*s.prev%s", (int)stem, path, path + stem);
  return previous;
}

typedef struct {
  const char *path;
  const DlsSimulation *simulation;
  DlsSnapshot *snapshot;
  const DlsCheckpointExtra *extra;
  hid_t file;
  uint64_t digest;
} Writing;

static DlsStatus put(void *context, const char *name, DlsH5Kind kind, long long count,
                     void *values) {
  Writing *w = context;
  w->digest ^= dls_checkpoint_hash(name, values, (size_t)count * dls_h5_bytes(kind));
  return dls_h5_write(w->path, w->file, name, kind, count, values);
}

static DlsStatus put_settings(Writing *w, const DlsSimulation *s) {
  char *settings;
  DLS_TRY(dls_checkpoint_settings(s, &settings));
  const DlsStatus status = put(w, "/settings", DLS_H5_BYTE, (long long)strlen(settings), settings);
  free(settings);
  DLS_TRY(status);
  return put(w, "/pairs", DLS_H5_INT,
             (long long)s->settings.laws.materials * s->settings.laws.materials,
             s->settings.laws.pair);
}

/* The names, a line each, and a vector of bytes for each. */
static DlsStatus put_extra(Writing *w, const DlsCheckpointExtra *extra) {
  char *names, *end;
  const int count = extra ? extra->count : 0;
  DLS_NEW(names, (size_t)count * DLS_CHECKPOINT_NAME + 1);
  end = names;
  for (int k = 0; k < count; k++)
    end += sprintf(end, "%.*s\n", DLS_CHECKPOINT_NAME - 1, extra->item[k].name);
  DlsStatus status = put(w, "/extra_names", DLS_H5_BYTE, end - names, names);
  free(names);
  for (int k = 0; k < count && status == DLS_OK; k++) {
    char name[sizeof "/extra/" + DLS_CHECKPOINT_NAME];
    snprintf(name, sizeof name, "/extra/%s", extra->item[k].name);
    status = put(w, name, DLS_H5_BYTE, (long long)extra->item[k].size, extra->item[k].bytes);
  }
  return status;
}

static DlsStatus put_all(void *context, hid_t file) {
  Writing *w = context;
  DlsSnapshot *snapshot = w->snapshot;
  w->file = file;
  static const char *const groups[] = {"run",        "bodies", "boundaries", "contacts", "solids",
                                       "deformable", "facets", "surfaces",   "extra"};
  int32_t format = DLS_CHECKPOINT_FORMAT;
  for (int k = 0; k < DLS_COUNT(groups); k++) {
    const hid_t group = H5Gcreate2(w->file, groups[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return dls_h5_cannot_write(w->path, groups[k]);
    H5Gclose(group);
  }
  DLS_TRY(put(w, "/delassus_checkpoint", DLS_H5_INT, 1, &format));
  DLS_TRY(dls_h5_write_text(w->path, w->file, "version", DLS_VERSION));
  DLS_TRY(put_settings(w, w->simulation));
  DLS_TRY(put(w, "/dimension", DLS_H5_INT, 1, &snapshot->dim));
  DLS_TRY(put(w, "/contacts/block", DLS_H5_INT, 1, &snapshot->block));
  DLS_TRY(put(w, "/contacts/states", DLS_H5_INT, 1, &snapshot->states));
  DLS_TRY(dls_snapshot_visit(snapshot, put, w));
  DLS_TRY(put_extra(w, w->extra));
  return dls_h5_write(w->path, w->file, "/digest", DLS_H5_LONG, 1, &w->digest);
}

/* The last checkpoint becomes the one before. A second name for it first, so that there is one
 * under `path` at every moment; on a file system without such names it moves. */
static DlsStatus keep_last(const char *path) {
  if (access(path, F_OK) != 0) return DLS_OK;
  char *previous = dls_checkpoint_previous(path);
  DLS_CHECK(previous, DLS_ERR_MEMORY, "%s: out of memory", path);
  const size_t bytes = strlen(previous) + sizeof ".part";
  char *aside = malloc(bytes);
  DlsStatus status = aside ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
  if (aside) {
    snprintf(aside, bytes, "%s.part", previous);
    unlink(aside);
    const char *from = link(path, aside) == 0 ? aside : path;
    if (rename(from, previous) != 0) status = dls_file_fail(previous, errno);
    unlink(aside); /* where both names were of one file, rename leaves them */
  }
  free(aside);
  free(previous);
  return status;
}

static DlsStatus write_snapshot(const char *path, const DlsSimulation *s, DlsSnapshot *snapshot,
                                const DlsCheckpointExtra *extra) {
  if (dls_snapshot_check(snapshot, path, s->world->materials.count) != DLS_OK)
    return dls_fail_context(DLS_ERR_NUMERIC,
                            "the checkpoint is not written, and the last one stays");
  DlsFile *file;
  DLS_TRY(dls_file_begin(path, &file));
  Writing w = {.path = path, .simulation = s, .snapshot = snapshot, .extra = extra};
  DlsStatus status = dls_h5_write_file(path, put_all, &w, file);
  if (status == DLS_OK) status = keep_last(path);
  if (status == DLS_OK) return dls_file_commit(&file);
  dls_file_abandon(&file);
  return status;
}

DlsStatus dls_checkpoint_write(const char *path, const DlsSimulation *simulation,
                               const DlsCheckpointExtra *extra) {
  DlsSnapshot snapshot;
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "checkpoint: the path is empty");
  const DlsWorld *world = simulation->world;
  for (int e = 0; world->figure && e < world->first[world->count]; e++)
    DLS_CHECK(dls_world_solid(world, e).kind < DLS_SHAPE_KINDS, DLS_ERR_UNSUPPORTED,
              "%s: a checkpoint holds shapes that every program knows, and body %llu is a %s", path,
              (unsigned long long)world->id[world->element_body[e]],
              dls_shape_operations(dls_world_solid(world, e).kind)->name);
  DLS_TRY(dls_snapshot_take(simulation, &snapshot));
  const DlsStatus status = write_snapshot(path, simulation, &snapshot, extra);
  dls_snapshot_clear(&snapshot);
  return status;
}
