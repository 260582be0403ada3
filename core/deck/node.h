/* The tree of a deck: scalars, lists and maps, each with the place where it was written. */
#ifndef DELASSUS_DECK_NODE_H
#define DELASSUS_DECK_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

typedef enum { DLS_DECK_SCALAR, DLS_DECK_SEQUENCE, DLS_DECK_MAPPING } DlsDeckNodeKind;

typedef struct DlsDeckNode DlsDeckNode;
struct DlsDeckNode {
  DlsDeckNodeKind kind;
  bool quoted;      /* a scalar in quotes or a block: never null */
  int line, column; /* from 1; of the key where the node has one */
  const char *set;  /* the --set that wrote it; NULL: the file */
  const char *text; /* of a scalar, UTF-8 */
  const char *key;  /* in a map; else NULL */
  int index;        /* in a list, from 0 */
  const DlsDeckNode *parent;
  DlsDeckNode *first, *last, *next;
  int count; /* children */
};

/* The child of that key, or NULL; `section` may be NULL or no map. */
const DlsDeckNode *dls_deck_find(const DlsDeckNode *section, const char *key);

/* "bodies[2].radius", cut at `bytes`; of the root "". */
void dls_deck_node_path(const DlsDeckNode *node, char *out, size_t bytes);

/* Nothing written behind a key, or ~ or null. */
bool dls_deck_is_null(const DlsDeckNode *node);

#endif
