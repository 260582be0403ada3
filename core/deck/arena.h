/* Memory of one deck: taken in pieces, given back all at once. */
#ifndef DELASSUS_DECK_ARENA_H
#define DELASSUS_DECK_ARENA_H

#include <stddef.h>

typedef struct DlsArenaChunk DlsArenaChunk;
typedef struct {
  DlsArenaChunk *chunks;
  size_t used, size; /* of the newest chunk */
} DlsArena;

/* Zeroed bytes, aligned for any type; NULL when out of memory. */
void *dls_arena_take(DlsArena *arena, size_t bytes);

/* A copy of text[0, length), ended by a zero. */
char *dls_arena_text(DlsArena *arena, const char *text, size_t length);

void dls_arena_end(DlsArena *arena);

#endif
