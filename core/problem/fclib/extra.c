/* What an FCLIB file holds besides the problem: texts, a solution, guesses. */
#include "problem/fclib/fclib_impl.h"

#include <stdio.h>
#include <stdlib.h>

void dls_fclib_extra_clear(DlsFclibExtra *extra) {
  free(extra->title);
  free(extra->description);
  free(extra->math_info);
  free(extra->solution_r);
  free(extra->solution_u);
  for (int k = 0; k < extra->guesses; k++) {
    if (extra->guess_r) free(extra->guess_r[k]);
    if (extra->guess_u) free(extra->guess_u[k]);
  }
  free(extra->guess_r);
  free(extra->guess_u);
  *extra = (DlsFclibExtra){0};
}

static DlsStatus read_texts(const DlsH5File *file, const char *problem, DlsFclibExtra *extra) {
  char group[64];
  snprintf(group, sizeof group, "%s/info", problem);
  const struct {
    const char *name;
    char **text;
  } texts[] = {{"title", &extra->title},
               {"description", &extra->description},
               {"math_info", &extra->math_info}};
  for (int k = 0; k < DLS_COUNT(texts); k++) {
    bool found;
    DLS_TRY(dls_h5_find(file, group, texts[k].name, &found));
    if (found) DLS_TRY(dls_h5_read_text(file, group, texts[k].name, texts[k].text));
  }
  return DLS_OK;
}

/* r and u of a group, each where there are data. */
static DlsStatus read_pair(const DlsH5File *file, const char *group, int rows, double **r,
                           double **u) {
  bool found;
  DLS_TRY(dls_h5_written(file, group, "r", &found));
  if (found) DLS_TRY(dls_h5_read_reals(file, group, "r", rows, rows, "one block per contact", r));
  DLS_TRY(dls_h5_written(file, group, "u", &found));
  if (found) DLS_TRY(dls_h5_read_reals(file, group, "u", rows, rows, "one block per contact", u));
  return DLS_OK;
}

/* Guesses are groups 1, 2, ... number_of_guesses. */
static DlsStatus read_guesses(const DlsH5File *file, int rows, DlsFclibExtra *extra) {
  bool found;
  long long links;
  int guesses;
  DLS_TRY(dls_h5_find(file, "/guesses", NULL, &found));
  if (!found) return DLS_OK;
  DLS_TRY(dls_h5_links(file, "/guesses", &links));
  DLS_TRY(dls_h5_read_int(file, "/guesses", "number_of_guesses", &guesses));
  DLS_CHECK(guesses >= 0 && guesses < links, DLS_ERR_FORMAT,
            "%s: /guesses/number_of_guesses: is %d, but %lld are there", file->path, guesses,
            links - 1);
  if (guesses == 0) return DLS_OK;
  extra->guess_r = calloc((size_t)guesses, sizeof *extra->guess_r);
  extra->guess_u = calloc((size_t)guesses, sizeof *extra->guess_u);
  DLS_CHECK(extra->guess_r && extra->guess_u, DLS_ERR_MEMORY, "%s: no memory", file->path);
  extra->guesses = guesses;
  for (int k = 0; k < guesses; k++) {
    char group[64];
    snprintf(group, sizeof group, "/guesses/%d", k + 1);
    DLS_TRY(dls_h5_find(file, group, NULL, &found));
    DLS_CHECK(found, DLS_ERR_FORMAT, "%s: %s: is missing", file->path, group);
    DLS_TRY(read_pair(file, group, rows, &extra->guess_r[k], &extra->guess_u[k]));
  }
  return DLS_OK;
}

DlsStatus dls_fclib_read_extra(const DlsH5File *file, const char *problem, int rows,
                               DlsFclibExtra *extra) {
  DLS_TRY(read_texts(file, problem, extra));
  DLS_TRY(read_pair(file, "/solution", rows, &extra->solution_r, &extra->solution_u));
  return read_guesses(file, rows, extra);
}
