/* What is different between two decks, key by key. Both are resolved ones, whose values are all
 * written and in one form, so that texts tell whether values are equal to the last bit. */
#ifndef DELASSUS_DECK_DIFFERENCE_H
#define DELASSUS_DECK_DIFFERENCE_H

#include "deck/deck.h"

typedef struct {
  char *key;  /* "laws[0].parameters.mu"; a list of numbers or words is one key */
  char *then; /* as YAML on one line, cut where it is long; "nothing" where the key is not there */
  char *now;
  char *place; /* where the new value is written: "deck.yaml:12", "set key=value", "a default" */
} DlsDeckDifference;

/* A zeroed one is ready; the caller ends it with dls_deck_differences_clear(). */
typedef struct {
  int count, capacity;
  DlsDeckDifference *item;
} DlsDeckDifferences;

/* Adds what differs, in the order of `then`. Sections that are there in one deck alone are one
 * difference; so is another order of named sections, whose numbers follow from it. `written` is the
 * deck that the new values come from, for their places. */
DlsStatus dls_deck_compare(const DlsDeckNode *then, const DlsDeckNode *now, const DlsDeck *written,
                           DlsDeckDifferences *out);
void dls_deck_differences_clear(DlsDeckDifferences *differences);

/* Whether `key` is `path` or lies below it: "laws" covers "laws[0].parameters.mu"; items may be
 * written as in "laws.0". */
bool dls_deck_covers(const char *path, const char *key);

/* The node at a path such as "laws[0].parameters"; NULL when there is none. */
const DlsDeckNode *dls_deck_at(const DlsDeckNode *root, const char *path);

#endif
