/* Memory of one deck: chunks of 64 kB, larger where one piece is larger. */
#include "deck/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct DlsArenaChunk {
  DlsArenaChunk *next;
  alignas(max_align_t) char bytes[];
};

enum { CHUNK_BYTES = 1 << 16 };

void *dls_arena_take(DlsArena *arena, size_t bytes) {
  const size_t unit = alignof(max_align_t);
  if (bytes > ((size_t)-1) / 2) return NULL;
  bytes = (bytes + unit - 1) / unit * unit;
  if (!arena->chunks || arena->size - arena->used < bytes) {
    const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    DlsArenaChunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) return NULL;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
    arena->size = size;
  }
  void *piece = arena->chunks->bytes + arena->used;
  arena->used += bytes;
  return piece;
}

char *dls_arena_text(DlsArena *arena, const char *text, size_t length) {
  char *copy = dls_arena_take(arena, length + 1);
  if (copy && length > 0) memcpy(copy, text, length);
  return copy;
}

void dls_arena_end(DlsArena *arena) {
  while (arena->chunks) {
    DlsArenaChunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  *arena = (DlsArena){0};
}
