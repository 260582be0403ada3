/* What the caller adds to a checkpoint: bytes under names. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"

bool dls_checkpoint_name_ok(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  const size_t length = strlen(name);
  return length > 0 && length < DLS_CHECKPOINT_NAME && strspn(name, letters) > 0 &&
         strspn(name, all) == length;
}

static DlsCheckpointBlob *find(const DlsCheckpointExtra *extra, const char *name) {
  for (int k = 0; k < extra->count; k++)
    if (strcmp(extra->item[k].name, name) == 0) return &extra->item[k];
  return NULL;
}

const DlsCheckpointBlob *dls_checkpoint_extra_find(const DlsCheckpointExtra *extra,
                                                   const char *name) {
  return find(extra, name);
}

static DlsStatus make_room(DlsCheckpointExtra *extra) {
  if (extra->count < extra->capacity) return DLS_OK;
  const int capacity = 2 * extra->capacity + 8;
  DlsCheckpointBlob *more = realloc(extra->item, (size_t)capacity * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "checkpoint: out of memory for %d names", capacity);
  extra->item = more;
  extra->capacity = capacity;
  return DLS_OK;
}

DlsStatus dls_checkpoint_extra_put(DlsCheckpointExtra *extra, const char *name, const void *bytes,
                                   size_t size) {
  DLS_CHECK(dls_checkpoint_name_ok(name), DLS_ERR_ARGUMENT,
            "checkpoint: `%.70s` is no name: up to %d letters, digits and . - _, a letter first",
            name, DLS_CHECKPOINT_NAME - 1);
  DLS_CHECK(size < (size_t)1 << 31, DLS_ERR_ARGUMENT, "checkpoint: %s has %zu bytes, 2^31 or more",
            name, size);
  DLS_TRY(make_room(extra));
  char *copy;
  DLS_NEW(copy, size);
  if (size) memcpy(copy, bytes, size);
  DlsCheckpointBlob *blob = find(extra, name);
  if (blob) {
    free(blob->bytes);
  } else {
    blob = &extra->item[extra->count++];
    memset(blob, 0, sizeof *blob);
    memcpy(blob->name, name, strlen(name) + 1);
  }
  blob->size = size;
  blob->bytes = copy;
  return DLS_OK;
}

DlsStatus dls_checkpoint_extra_get(const DlsCheckpointExtra *extra, const char *name, void *bytes,
                                   size_t size) {
  const DlsCheckpointBlob *blob = find(extra, name);
  const char *from = extra->from ? extra->from : "checkpoint";
  DLS_CHECK(blob, DLS_ERR_FORMAT,
            "%s: /extra/%s: is missing; go on with the deck that wrote the checkpoint", from, name);
  DLS_CHECK(
      blob->size == size, DLS_ERR_FORMAT,
      "%s: /extra/%s: has %zu bytes where %zu are expected; go on with the deck and the version "
      "that wrote the checkpoint",
      from, name, blob->size, size);
  if (size) memcpy(bytes, blob->bytes, size);
  return DLS_OK;
}

void dls_checkpoint_extra_clear(DlsCheckpointExtra *extra) {
  for (int k = 0; k < extra->count; k++) free(extra->item[k].bytes);
  free(extra->item);
  free(extra->from);
  *extra = (DlsCheckpointExtra){0};
}
