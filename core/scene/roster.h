/* Who of the deck is in the world: one entry for each population, body, chain, structure of blocks
 * and servo wall, with the ids of its bodies. Entries wait for their time, are here, and go;
 * numbers of bodies change when others go, ids do not. */
#ifndef DELASSUS_SCENE_ROSTER_H
#define DELASSUS_SCENE_ROSTER_H

#include "base/names.h"
#include "world/world.h"

typedef enum {
  DLS_ROSTER_GRAINS,
  DLS_ROSTER_BODY,
  DLS_ROSTER_CHAIN,
  DLS_ROSTER_BLOCKS,
  DLS_ROSTER_SERVO /* the body that carries a wall */
} DlsRosterKind;

typedef enum { DLS_ROSTER_WAITS, DLS_ROSTER_HERE, DLS_ROSTER_GONE } DlsRosterState;

typedef struct {
  DlsRosterKind kind;
  int index;          /* in its list of the deck; of a servo wall: the boundary */
  const char *name;   /* lent by the data of the deck; NULL: none */
  double from, until; /* s; until NAN: to the end */
  DlsRosterState state;
  uint64_t first;      /* its bodies have the ids first .. first + count - 1 */
  int count;           /* of bodies at birth */
  int base;            /* of blocks: the first so many are what the others stand on */
  double (*centre)[3]; /* [count], m, at birth; NULL for grains */
} DlsRosterEntry;

typedef struct {
  int count, capacity;
  DlsRosterEntry *entry;
  DlsNames names; /* of entries */
} DlsRoster;

/* One body of an entry. */
typedef struct {
  int entry, offset;
} DlsMember;

/* Adds an entry that waits; number count - 1. A zeroed roster is ready. */
DlsStatus dls_roster_add(DlsRoster *roster, const DlsRosterEntry *entry);
void dls_roster_clear(DlsRoster *roster);

/* How many of its bodies, from the first on, what the deck prescribes of an entry is for. */
static inline int dls_roster_led(const DlsRosterEntry *entry) {
  return entry->kind == DLS_ROSTER_BLOCKS ? entry->base : entry->count;
}

/* The entry of this kind and index; NULL when there is none. */
DlsRosterEntry *dls_roster_entry(const DlsRoster *roster, DlsRosterKind kind, int index);

/* The number of the body in the world now, -1 where it is not. */
int dls_roster_number(const DlsRoster *roster, const DlsWorld *world, DlsMember member);

/* "bob", "rope" (its beads, all in order), "rope.3" (the third): members appended to *list, a
 * growing array of *count; DLS_ERR_ARGUMENT gives the nearest name there is. */
DlsStatus dls_roster_expand(const DlsRoster *roster, const char *name, DlsMember **list,
                            int *count);

/* What a checkpoint keeps of an entry. */
typedef struct {
  uint64_t first;
  int64_t count, state;
} DlsRosterMark;

/* The mark of an entry; the marks of all, [count], back into the roster: DLS_ERR_FORMAT, with
 * nothing changed, where they are not of these entries, or of bodies that the world never had. */
DlsRosterMark dls_roster_mark(const DlsRoster *roster, int entry);
DlsStatus dls_roster_restore(DlsRoster *roster, const DlsWorld *world, const DlsRosterMark *marks);

#endif
