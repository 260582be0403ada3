/* Names and their numbers, found in a time that does not grow with how many there are: a hash
 * table. Decks may have a hundred thousand named bodies, and springs that name them. */
#ifndef DELASSUS_BASE_NAMES_H
#define DELASSUS_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <delassus/status.h>

typedef struct {
  uint64_t hash;
  char *name; /* a copy; NULL: the slot is free */
  int number; /* from 0 */
} DlsNamesSlot;

/* Zeroed, it is empty and ready. */
typedef struct {
  int count, capacity; /* a power of two, at least twice the count */
  DlsNamesSlot *slot;
} DlsNames;

/* Gives `number` to a name; one that is there already keeps its number. *before, which may be NULL,
 * is that number, -1 for a new name. */
DlsStatus dls_names_add(DlsNames *names, const char *name, int number, int *before);

/* The number of a name, of `length` bytes, or -1. */
int dls_names_find(const DlsNames *names, const char *name, size_t length);

void dls_names_clear(DlsNames *names);

#endif
