/* Arrays of the library: zeroed, aligned to a cache line unless they are small, sizes checked.
 * Freed with free(). */
#ifndef DELASSUS_BASE_MEMORY_H
#define DELASSUS_BASE_MEMORY_H

#include <delassus/status.h>
#include <stddef.h>
#include <string.h>

/* NULL when out of memory or when count * bytes overflows; never NULL for count = 0. */
void *dls_memory_array(size_t count, size_t bytes);

/* Bytes of memory that the machine has; 0 where it does not tell. */
size_t dls_memory_physical(void);

/* As memcpy, which may not be given NULL: nothing is copied from or to an array of no items. */
static inline void dls_memory_copy(void *to, const void *from, size_t count, size_t bytes) {
  if (count && bytes) memcpy(to, from, count * bytes);
}

/* pointer = a zeroed array of `count` items; returns DLS_ERR_MEMORY from the calling function. */
#define DLS_NEW(pointer, count)                                                                    \
  do {                                                                                             \
    const size_t dls_new_count = (size_t)(count);                                                  \
    (pointer) = dls_memory_array(dls_new_count, sizeof *(pointer));                                \
    DLS_CHECK((pointer) != NULL, DLS_ERR_MEMORY, "out of memory: %zu items of %zu bytes",          \
              dls_new_count, sizeof *(pointer));                                                   \
  } while (0)

#endif
