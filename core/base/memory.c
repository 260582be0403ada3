#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_LINE = 64, SMALL = 1024 };

void *dls_memory_array(size_t count, size_t bytes) {
  if (bytes && count > (SIZE_MAX - 2 * CACHE_LINE) / bytes) return NULL;
  /* One line more than asked: a kernel may load, never use, a few numbers past the end. */
  const size_t total = (count * bytes / CACHE_LINE + 2) * CACHE_LINE;
  /* The C library serves small sizes from a cache, aligned ones never. */
  if (total <= SMALL) return calloc(1, total);
  void *array = aligned_alloc(CACHE_LINE, total);
  if (array) memset(array, 0, total);
  return array;
}

size_t dls_memory_physical(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes : 0;
}
