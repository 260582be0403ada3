/* FCLIB files: the first byte chooses a good one of each kind, the rest are edits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/errors.h>
#include <delassus/fclib.h>
#include <delassus/problem.h>

#include "tests/fuzz/edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/io/fclib_make.h"

static EditedFile good[MAKE_COUNT];

static const EditedFile *good_file(int kind) {
  char path[600];
  if (good[kind].bytes) return &good[kind];
  snprintf(path, sizeof path, "%s/%s.hdf5", fuzz_folder(), make_names[kind]);
  make_file((MakeKind)kind, path);
  edited_take(path, &good[kind]);
  return &good[kind];
}

/* Each file as it is, and with one edit of each dataset. */
static void seeds(FuzzSink *sink, void *context) {
  for (int kind = 0; kind < MAKE_COUNT; kind++) {
    uint8_t bytes[1 + EDIT_BYTES] = {(uint8_t)kind};
    sink(context, bytes, 1);
    for (int k = 0; k < good_file(kind)->count; k++) {
      edit_make(bytes + 1, k, 0, k % 2 ? 1e300 : -1, k % 3 == 0);
      sink(context, bytes, sizeof bytes);
    }
  }
}

static void use(const DlsProblem *problem) {
  const size_t size = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(size, sizeof *r), *u = calloc(size, sizeof *u);
  DlsErrors errors;
  for (size_t k = 0; k < size; k++) r[k] = k % 3 == 0;
  dls_errors_measure(problem, r, u, &errors);
  free(r);
  free(u);
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  DlsProblem *problem = NULL;
  DlsFclibExtra extra;
  if (size == 0) return;
  const EditedFile *file = good_file(bytes[0] % MAKE_COUNT);
  snprintf(path, sizeof path, "%s/problem.hdf5", fuzz_folder());
  edited_write(file, bytes + 1, size - 1, path);
  if (dls_fclib_read(path, &problem, &extra) == DLS_OK) {
    use(problem);
    dls_fclib_extra_clear(&extra);
  }
  dls_problem_destroy(&problem);
}

const FuzzTarget fuzz_problem = {"problem", seeds, one};
