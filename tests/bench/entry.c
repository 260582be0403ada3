/* Problems of entry.h: read or built once, copied into the other forms. */
#include "tests/bench/entry.h"

#include <delassus/fclib.h>
#include <delassus/sample.h>

#include <stdio.h>
#include <string.h>

static DlsStatus assembled_copy(const DlsProblem *problem, DlsProblem **out) {
  DlsOperator *W = NULL;
  DLS_TRY(dls_operator_assemble(dls_problem_operator(problem), &W));
  return dls_problem_create_like(problem, &W, out);
}

/* Takes the problem, whatever its form. */
static DlsStatus fill(DlsProblem *problem, Entry *out) {
  const DlsOperator *W = dls_problem_operator(problem);
  DlsStatus status = DLS_OK;
  if (dls_operator_has_rows(W)) {
    out->assembled = problem;
  } else {
    status = assembled_copy(problem, &out->assembled);
    if (dls_operator_has_parts(W)) {
      out->factored = problem;
    } else {
      dls_problem_destroy(&problem);
    }
  }
  if (status == DLS_OK) {
    status = peer_create(out->assembled, &out->peer);
    if (status == DLS_ERR_UNSUPPORTED) status = DLS_OK;
  }
  if (status != DLS_OK) entry_clear(out);
  return status;
}

DlsStatus entry_read(const char *path, Entry *out) {
  memset(out, 0, sizeof *out);
  const char *file = strrchr(path, '/');
  file = file ? file + 1 : path;
  DlsProblem *problem = NULL;
  DLS_TRY(dls_fclib_read(path, &problem, NULL));
  const bool local = dls_operator_has_rows(dls_problem_operator(problem));
  snprintf(out->name, sizeof out->name, "%s%.*s", local ? "" : "global/", (int)strcspn(file, "."),
           file);
  return fill(problem, out);
}

/* A sample of that size, and its contacts. */
static DlsStatus sample_of(const DlsSample *sample, int size, DlsProblem **out, int *contacts) {
  DlsSampleParams params = sample->defaults;
  params.size = size;
  DLS_TRY(dls_sample_create(sample->name, &params, out, NULL));
  *contacts = dls_problem_contacts(*out);
  return DLS_OK;
}

DlsStatus entry_sample(const char *name, int contacts, Entry *out) {
  memset(out, 0, sizeof *out);
  snprintf(out->name, sizeof out->name, "%s-%d", name, contacts);
  const DlsSample *sample = NULL;
  DLS_TRY(dls_sample_find(name, &sample));
  DlsProblem *problem = NULL;
  int few = 1, many = 1, got = 0;
  /* Contacts grow with the size: doubled until there are enough, then halved between. */
  while (got < contacts && many < sample->max_size) {
    few = many;
    many = 2 * many < sample->max_size ? 2 * many : sample->max_size;
    dls_problem_destroy(&problem);
    DLS_TRY(sample_of(sample, many, &problem, &got));
  }
  while (many - few > 1 + few / 100) {
    const int middle = few + (many - few) / 2;
    dls_problem_destroy(&problem);
    DLS_TRY(sample_of(sample, middle, &problem, &got));
    *(got < contacts ? &few : &many) = middle;
  }
  return fill(problem, out);
}

void entry_clear(Entry *entry) {
  peer_destroy(&entry->peer);
  dls_problem_destroy(&entry->assembled);
  dls_problem_destroy(&entry->factored);
}
