/* FCLIB files: the first byte chooses a good one of each kind, the rest are edits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/errors.h>
#include <delassus/fclib.h>
#include <delassus/problem.h>
#include <delassus/squeeze.h>

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

/* What was written can be read, and is the same problem to the last bit where W was assembled. */
static void write_again(const DlsProblem *problem, const double *r, const double *u) {
  char path[600], first[DLS_FINGERPRINT], second[DLS_FINGERPRINT];
  DlsProblem *again = NULL;
  snprintf(path, sizeof path, "%s/again.hdf5", fuzz_folder());
  if (dls_problem_fingerprint(problem, first) != DLS_OK ||
      dls_fclib_write(path, problem, "again", r, u, r) != DLS_OK)
    return;
  const bool assembled = dls_operator_has_rows(dls_problem_operator(problem));
  if (dls_fclib_read(path, &again, NULL) != DLS_OK) {
    fprintf(stderr, "fuzz: what was written is refused: %s\n", dls_error_message());
    abort();
  }
  if (dls_problem_fingerprint(again, second) == DLS_OK && assembled && strcmp(first, second) != 0) {
    fprintf(stderr, "fuzz: what was written is another problem\n");
    abort();
  }
  dls_problem_destroy(&again);
}

static void look_for_squeeze(const DlsProblem *problem, const double *r) {
  DlsSqueeze squeeze = {0};
  char text[400];
  if (dls_squeeze_find(problem, r, &squeeze) == DLS_OK)
    dls_squeeze_describe(&squeeze, text, sizeof text);
  dls_squeeze_clear(&squeeze);
}

static void use(const DlsProblem *problem) {
  const size_t size = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(size, sizeof *r), *u = calloc(size, sizeof *u);
  DlsErrors errors;
  for (size_t k = 0; k < size; k++) r[k] = k % 3 == 0;
  dls_errors_measure(problem, r, u, &errors);
  look_for_squeeze(problem, r);
  write_again(problem, r, u);
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
