/* From YAML text to a tree of nodes, with caps against files made to fill the memory. */
#ifndef DELASSUS_DECK_TREE_H
#define DELASSUS_DECK_TREE_H

#include "deck/arena.h"
#include "deck/node.h"

enum {
  DLS_DECK_MAX_BYTES = 64 << 20, /* of a file */
  DLS_DECK_MAX_NODES = 1000000,  /* aliases count as what they stand for */
  DLS_DECK_MAX_DEPTH = 64,
  DLS_DECK_MAX_ALIASES = 10000, /* and anchors a tenth of it */
};

/* The root of one YAML document, allocated in `arena`. `name` begins the sentence of a failure,
 * DLS_ERR_FORMAT; where `set` is given (the --set that wrote the text) it stands instead of file
 * and line, and every node keeps the pointer. */
DlsStatus dls_tree_parse(DlsArena *arena, const char *name, const char *set, const char *text,
                         size_t bytes, DlsDeckNode **out);

/* A zeroed node, placed where `near` stands; NULL when out of memory. */
DlsDeckNode *dls_tree_new(DlsArena *arena, DlsDeckNodeKind kind, const DlsDeckNode *near);

/* Puts `child` behind the last child; key NULL for a list. */
void dls_tree_append(DlsDeckNode *parent, const char *key, DlsDeckNode *child);

/* Takes a child away; those behind it move up. */
void dls_tree_remove(DlsDeckNode *parent, DlsDeckNode *child);

/* Puts `node` in the place of `old`, a child of `parent`, which then belongs to nobody. */
void dls_tree_replace(DlsDeckNode *parent, DlsDeckNode *old, DlsDeckNode *node);

#endif
