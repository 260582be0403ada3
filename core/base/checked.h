/* Integers from outside. What a file, a deck or a command line says becomes an int or a size here,
 * within bounds that the caller states: nothing wraps, nothing is cut to fewer bits, nothing that
 * is not a whole number passes for one. The sentence is the caller's, who knows the file and the
 * key. */
#ifndef DELASSUS_BASE_CHECKED_H
#define DELASSUS_BASE_CHECKED_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An integer of 64 bits as an int of least .. most; false, and *out as it was, where it is none. */
static inline bool dls_checked_int(int64_t value, int least, int most, int *out) {
  if (value < least || value > most) return false;
  *out = (int)value;
  return true;
}

/* A real number that must be whole. */
static inline bool dls_checked_real(double value, int least, int most, int *out) {
  if (!(value >= least && value <= most) || value != floor(value)) return false;
  *out = (int)value;
  return true;
}

/* The decimal digits [length] of a text, all of them, with a sign before them or none. */
static inline bool dls_checked_text(const char *text, size_t length, int64_t least, int64_t most,
                                    int64_t *out) {
  const bool minus = length > 0 && text[0] == '-';
  int64_t value = 0;
  if (length > 0 && (minus || text[0] == '+')) text++, length--;
  if (length == 0) return false;
  for (size_t k = 0; k < length; k++) {
    const int digit = text[k] - '0';
    if (digit < 0 || digit > 9) return false;
    if (__builtin_mul_overflow(value, 10, &value)) return false;
    if (__builtin_add_overflow(value, minus ? -digit : digit, &value)) return false;
  }
  if (value < least || value > most) return false;
  *out = value;
  return true;
}

/* a b of sizes, where it is at most `most`. */
static inline bool dls_checked_product(size_t a, size_t b, size_t most, size_t *out) {
  size_t product;
  if (__builtin_mul_overflow(a, b, &product) || product > most) return false;
  *out = product;
  return true;
}

/* Which of `count` cells in a row a place falls into, the first of them being [0, 1): those beyond
 * an end count as at it, whatever the number is. */
static inline int dls_checked_cell(double place, int count) {
  if (!(place > 0)) return 0;
  return place < count ? (int)place : count - 1;
}

#endif
