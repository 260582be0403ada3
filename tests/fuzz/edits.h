/* HDF5 files with other numbers in them. HDF5 1.10 itself crashes and hangs on files whose
 * structure is damaged, which the tests io/fclib_fuzz and io/checkpoint_fuzz try in children; here
 * the structure stays sound, and what the datasets hold, and whether and how long they are there,
 * is up to the fuzzer: each 16 bytes are one edit of a good file. */
#ifndef DELASSUS_TESTS_FUZZ_EDITS_H
#define DELASSUS_TESTS_FUZZ_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EDIT_BYTES = 16, EDIT_DATASETS = 100 };

typedef struct {
  uint8_t *bytes; /* of the good file */
  size_t size;
  int count;
  char *name[EDIT_DATASETS];
  size_t at[EDIT_DATASETS], length[EDIT_DATASETS]; /* where the data are; 0: not in one piece */
} EditedFile;

/* Takes over the file at `path`. */
void edited_take(const char *path, EditedFile *out);

/* Writes the good file with the edits to `path`. */
void edited_write(const EditedFile *file, const uint8_t *edits, size_t size, const char *path);

/* One edit: the bytes of `value` over those of a dataset at a place; `resize`: that many of them
 * instead. */
void edit_make(uint8_t out[EDIT_BYTES], int dataset, uint32_t at, double value, bool resize);

#endif
