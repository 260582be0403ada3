#include "scene/roster.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

DlsStatus dls_roster_add(DlsRoster *roster, const DlsRosterEntry *entry) {
  if (roster->count == roster->capacity) {
    const int capacity = 2 * roster->capacity + 8;
    DlsRosterEntry *more = realloc(roster->entry, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d entries of the deck", capacity);
    roster->entry = more;
    roster->capacity = capacity;
  }
  if (entry->name) DLS_TRY(dls_names_add(&roster->names, entry->name, roster->count, NULL));
  roster->entry[roster->count++] = *entry;
  return DLS_OK;
}

void dls_roster_clear(DlsRoster *roster) {
  for (int e = 0; e < roster->count; e++) free(roster->entry[e].centre);
  free(roster->entry);
  dls_names_clear(&roster->names);
  *roster = (DlsRoster){0};
}

DlsRosterEntry *dls_roster_entry(const DlsRoster *roster, DlsRosterKind kind, int index) {
  for (int e = 0; e < roster->count; e++)
    if (roster->entry[e].kind == kind && roster->entry[e].index == index) return &roster->entry[e];
  return NULL;
}

int dls_roster_number(const DlsRoster *roster, const DlsWorld *world, DlsMember member) {
  const DlsRosterEntry *entry = &roster->entry[member.entry];
  if (entry->state != DLS_ROSTER_HERE || member.offset >= entry->count) return -1;
  return dls_world_find(world, entry->first + (uint64_t)member.offset);
}

/* The entry of a name; *bead is the number behind its last dot, 0 for none. */
static int find_name(const DlsRoster *roster, const char *name, int *bead) {
  const char *dot = strrchr(name, '.');
  *bead = 0;
  int e = dls_names_find(&roster->names, name, strlen(name));
  if (e >= 0) return e;
  char *end = NULL;
  const long number = dot ? strtol(dot + 1, &end, 10) : 0;
  if (!dot || *end || number < 1) return -1;
  e = dls_names_find(&roster->names, name, (size_t)(dot - name));
  if (e < 0 ||
      (roster->entry[e].kind != DLS_ROSTER_CHAIN && roster->entry[e].kind != DLS_ROSTER_BLOCKS) ||
      number > roster->entry[e].count)
    return -1;
  *bead = (int)number;
  return e;
}

static DlsStatus fail_unknown(const DlsRoster *roster, const char *name) {
  enum { MOST = 64 };
  const char *names[MOST];
  int count = 0;
  for (int e = 0; e < roster->count && count < MOST; e++)
    if (roster->entry[e].name) names[count++] = roster->entry[e].name;
  const char *nearest = dls_nearest(name, names, count);
  return dls_fail(DLS_ERR_ARGUMENT, "no body or chain is named '%s'; %s%s%s", name,
                  nearest ? "did you mean '" : "give one the key name: ", nearest ? nearest : name,
                  nearest ? "'?" : "");
}

DlsStatus dls_roster_expand(const DlsRoster *roster, const char *name, DlsMember **list,
                            int *count) {
  int bead;
  const int e = find_name(roster, name, &bead);
  if (e < 0) return fail_unknown(roster, name);
  const int first = bead ? bead - 1 : 0, last = bead ? bead : roster->entry[e].count;
  DlsMember *more = realloc(*list, (size_t)(*count + last - first + 1) * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for the bodies of '%s'", name);
  *list = more;
  for (int k = first; k < last; k++) more[(*count)++] = (DlsMember){e, k};
  return DLS_OK;
}

DlsRosterMark dls_roster_mark(const DlsRoster *roster, int e) {
  return (DlsRosterMark){roster->entry[e].first, roster->entry[e].count,
                         (int64_t)roster->entry[e].state};
}

DlsStatus dls_roster_restore(DlsRoster *roster, const DlsWorld *world, const DlsRosterMark *marks) {
  for (int e = 0; e < roster->count; e++) {
    const DlsRosterMark *m = &marks[e];
    const bool whole = roster->entry[e].kind != DLS_ROSTER_GRAINS;
    const bool numbered = m->first <= world->next_id && m->count >= 0 && m->count < INT32_MAX &&
                          (uint64_t)m->count <= world->next_id - m->first;
    DLS_CHECK(m->state >= DLS_ROSTER_WAITS && m->state <= DLS_ROSTER_GONE &&
                  (numbered || m->state == DLS_ROSTER_WAITS) && m->count >= 0 &&
                  m->count < INT32_MAX && (!whole || m->count == roster->entry[e].count),
              DLS_ERR_FORMAT,
              "the bodies of the checkpoint are not those of the deck (entry %d of %d); go on with "
              "the deck that wrote it",
              e + 1, roster->count);
  }
  for (int e = 0; e < roster->count; e++) {
    roster->entry[e].first = marks[e].first;
    roster->entry[e].count = (int)marks[e].count;
    roster->entry[e].state = (DlsRosterState)marks[e].state;
  }
  return DLS_OK;
}
