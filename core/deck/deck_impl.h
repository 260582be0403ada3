/* The fields of a deck, and what the files of this room share. */
#ifndef DELASSUS_DECK_DECK_IMPL_H
#define DELASSUS_DECK_DECK_IMPL_H

#include "deck/arena.h"
#include "deck/deck.h"

typedef struct {
  char *text;
  int line;
} DlsDeckProblem;

struct DlsDeck {
  DlsArena arena;
  const char *path;
  DlsDeckNode *root;
  DlsDeckProblem problems[DLS_DECK_PROBLEMS]; /* by line; those of --set first */
  int nkept, nproblems;
  bool out_of_memory;
};

enum { DLS_DECK_LONGEST_VECTOR = 16 };

/* One value, of any kind that holds no section, from `node` into the field at `field`. Problems are
 * added to the deck; the field then keeps something that can be released. */
void dls_deck_read_value(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                         void *field);

/* The field of a row that is optional and was not given. */
void dls_deck_clear_value(const DlsDeckRow *row, void *field);

/* The word nearest to `text` as "; did you mean 'word'?", or "". */
const char *dls_deck_suggest(const char *text, const char *const *words, int count, char *out,
                             size_t bytes);

/* "from 0 to 1", "above 0", "" for a row without bounds. */
void dls_deck_bounds(const DlsDeckRow *row, char *out, size_t bytes);

/* Rows that stand for no key of a deck. */
bool dls_deck_row_hidden(const DlsDeckRow *row);

#endif
