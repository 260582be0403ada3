/* Open addressing, the slots one behind the other; at most every second one is taken. */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *name, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)name[k]) * 1099511628211u;
  return hash ^ (hash >> 32); /* the low bits choose the slot */
}

/* The slot of the name, or the free one where it belongs. */
static DlsNamesSlot *slot_of(const DlsNames *names, uint64_t hash, const char *name,
                             size_t length) {
  const size_t mask = (size_t)names->capacity - 1;
  for (size_t k = (size_t)hash & mask;; k = (k + 1) & mask) {
    DlsNamesSlot *slot = &names->slot[k];
    if (!slot->name) return slot;
    if (slot->hash == hash && strlen(slot->name) == length && memcmp(slot->name, name, length) == 0)
      return slot;
  }
}

static DlsStatus grow(DlsNames *names) {
  if (2 * (names->count + 1) <= names->capacity) return DLS_OK;
  DlsNames more = {.count = names->count, .capacity = names->capacity ? 2 * names->capacity : 16};
  more.slot = calloc((size_t)more.capacity, sizeof *more.slot);
  DLS_CHECK(more.slot, DLS_ERR_MEMORY, "out of memory for %d names", more.capacity);
  for (int k = 0; k < names->capacity; k++) {
    const DlsNamesSlot *old = &names->slot[k];
    if (old->name) *slot_of(&more, old->hash, old->name, strlen(old->name)) = *old;
  }
  free(names->slot);
  *names = more;
  return DLS_OK;
}

DlsStatus dls_names_add(DlsNames *names, const char *name, int number, int *before) {
  const size_t length = strlen(name);
  const uint64_t hash = hash_of(name, length);
  if (before) *before = -1;
  DLS_TRY(grow(names));
  DlsNamesSlot *slot = slot_of(names, hash, name, length);
  if (slot->name) {
    if (before) *before = slot->number;
    return DLS_OK;
  }
  char *copy = strdup(name);
  DLS_CHECK(copy, DLS_ERR_MEMORY, "out of memory for the name %.60s", name);
  *slot = (DlsNamesSlot){hash, copy, number};
  names->count++;
  return DLS_OK;
}

int dls_names_find(const DlsNames *names, const char *name, size_t length) {
  if (!names->count) return -1;
  const DlsNamesSlot *slot = slot_of(names, hash_of(name, length), name, length);
  return slot->name ? slot->number : -1;
}

void dls_names_clear(DlsNames *names) {
  for (int k = 0; k < names->capacity; k++) free(names->slot[k].name);
  free(names->slot);
  *names = (DlsNames){0};
}
