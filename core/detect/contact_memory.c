/* Keys of the last step in an open-addressed table. Those of a pair lie together, pairs anywhere:
 * ids next to each other, as in a wall with a dozen contacts a brick, must not share a part of the
 * table while the rest is empty. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/place.h"

static unsigned home_of_pair(const DlsContactMemory *memory, const DlsContactKey *key) {
  const uint64_t both = key->candidate * 0x9e3779b97f4a7c15u ^ key->antagonist;
  const uint64_t mix = (both ^ both >> 32) * 0xbf58476d1ce4e5b9u;
  return (unsigned)(mix >> 32) & ((unsigned)memory->slots - 1);
}

static unsigned home(const DlsContactMemory *memory, const DlsContactKey *key) {
  const unsigned within = (unsigned)(key->feature * 0x9e3779b97f4a7c15u >> 62);
  return (home_of_pair(memory, key) + within) & ((unsigned)memory->slots - 1);
}

static bool same(const DlsContactKey *a, const DlsContactKey *b) {
  return a->candidate == b->candidate && a->antagonist == b->antagonist && a->feature == b->feature;
}

static DlsStatus make_room(DlsContactMemory *memory, int count) {
  if (count <= memory->capacity) return DLS_OK;
  const int capacity = count + count / 4 + 16;
  int slots = 64;
  while (slots < 2 * capacity && slots < 1 << 30) slots *= 2;
  DlsContactKey *key = dls_memory_array((size_t)capacity, sizeof *key);
  int *slot = dls_memory_array((size_t)slots, sizeof *slot);
  if (!key || !slot) {
    free(key);
    free(slot);
    return dls_fail(DLS_ERR_MEMORY, "out of memory: the keys of %d contacts", count);
  }
  free(memory->key);
  free(memory->slot);
  free(memory->place);
  memory->place = NULL;
  memory->key = key;
  memory->slot = slot;
  memory->capacity = capacity;
  memory->slots = slots;
  memory->count = 0;
  return DLS_OK;
}

DlsStatus dls_contact_memory_remember(DlsContactMemory *memory, int count, const DlsContactKey *key,
                                      const int *source) {
  DLS_CHECK(count >= 0 && count < 1 << 29, DLS_ERR_ARGUMENT, "cannot remember %d contacts", count);
  DLS_TRY(make_room(memory, count));
  memory->count = count;
  memory->placed = false;
  if (count == 0) return DLS_OK;
  memset(memory->slot, 0, (size_t)memory->slots * sizeof *memory->slot);
  const unsigned mask = (unsigned)memory->slots - 1;
  for (int i = 0; i < count; i++) {
    const DlsContactKey *from = &key[source ? source[i] : i];
    unsigned s = home(memory, from);
    memory->key[i] = *from;
    while (memory->slot[s]) s = (s + 1) & mask;
    memory->slot[s] = i + 1;
  }
  return DLS_OK;
}

/* The number of a key, -1 where it is not remembered. */
static int look_up(const DlsContactMemory *memory, const DlsContactKey *key) {
  const unsigned mask = (unsigned)memory->slots - 1;
  for (unsigned s = home(memory, key); memory->slot[s]; s = (s + 1) & mask)
    if (same(&memory->key[memory->slot[s] - 1], key)) return memory->slot[s] - 1;
  return -1;
}

/* Puts a number into ascending ones, each once; beyond `most` the largest goes. */
static int insert(int count, int most, int *number, int one) {
  int place = count;
  while (place > 0 && number[place - 1] >= one) place--;
  if (place < count && number[place] == one) return count;
  if (place == most) return count;
  if (count == most) count--;
  memmove(&number[place + 1], &number[place], (size_t)(count - place) * sizeof *number);
  number[place] = one;
  return count + 1;
}

/* Keys of a pair begin at one of four slots, whatever their features. */
int dls_contact_memory_pair(const DlsContactMemory *memory, const DlsContactKey *key, int most,
                            int *number) {
  int count = 0;
  if (memory->count == 0) return 0;
  const unsigned mask = (unsigned)memory->slots - 1, first = home_of_pair(memory, key);
  for (unsigned start = 0; start < 4; start++)
    for (unsigned s = (first + start) & mask; memory->slot[s]; s = (s + 1) & mask) {
      const int k = memory->slot[s] - 1;
      const DlsContactKey *there = &memory->key[k];
      if (there->candidate == key->candidate && there->antagonist == key->antagonist)
        count = insert(count, most, number, k);
    }
  return count;
}

bool dls_contact_memory_knows(const DlsContactMemory *memory, const DlsContactKey *key) {
  int one;
  return dls_contact_memory_pair(memory, key, 1, &one) > 0;
}

DlsStatus dls_contact_memory_make_places(DlsContactMemory *memory) {
  if (!memory->place && memory->capacity > 0) DLS_NEW(memory->place, memory->capacity);
  memory->placed = true;
  return DLS_OK;
}

/* From step to step the order of contacts changes little: the one remembered after the last that
 * was found is mostly the next, and the table is asked only where it is not. */
void dls_contact_memory_match(const DlsContactMemory *memory, DlsContactSet *set) {
  int next = 0;
  for (int i = 0; i < set->count; i++) {
    const DlsContactKey *key = &set->key[i];
    int found = -1;
    if (next < memory->count && same(&memory->key[next], key))
      found = next;
    else if (memory->count > 0)
      found = look_up(memory, key);
    set->previous[i] = found;
    if (found >= 0) next = found + 1;
  }
}

void dls_contact_memory_clear(DlsContactMemory *memory) {
  free(memory->key);
  free(memory->slot);
  free(memory->place);
  *memory = (DlsContactMemory){0};
}

size_t dls_contact_memory_bytes(const DlsContactMemory *memory) {
  return sizeof *memory->key * (size_t)memory->capacity +
         sizeof *memory->slot * (size_t)memory->slots +
         (memory->place ? sizeof *memory->place * (size_t)memory->capacity : 0);
}
