#include "post/time_average.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pack.h"

struct DlsTimeAverage {
  DlsObservableRequest request; /* its strings are ours */
  double centre[2];
  char *sign; /* the request in one line, by which a checkpoint knows it */
  int dim, columns;
  bool begun;
  DlsObservable observable;
  DlsMean *mean;
  double *values; /* [room] */
  size_t room;
};

static DlsStatus copy_text(const char *from, const char **to) {
  *to = NULL;
  if (!from) return DLS_OK;
  *to = strdup(from);
  DLS_CHECK(*to, DLS_ERR_MEMORY, "out of memory for a text");
  return DLS_OK;
}

static DlsStatus copy_request(const DlsObservableRequest *from, DlsTimeAverage *t) {
  DlsObservableRequest *to = &t->request;
  const char **cuts;
  *to = *from;
  to->region = to->along = to->grid = to->kernel = NULL;
  to->ncuts = 0;
  to->cuts = NULL;
  DLS_NEW(cuts, from->ncuts + 1);
  to->cuts = cuts;
  for (; to->ncuts < from->ncuts; to->ncuts++)
    DLS_TRY(copy_text(from->cuts[to->ncuts], &cuts[to->ncuts]));
  if (from->centre) {
    memcpy(t->centre, from->centre, sizeof t->centre);
    to->centre = t->centre;
  }
  DLS_TRY(copy_text(from->region, &to->region));
  DLS_TRY(copy_text(from->along, &to->along));
  DLS_TRY(copy_text(from->grid, &to->grid));
  return copy_text(from->kernel, &to->kernel);
}

/* All that a request says, so that two of them can be compared. */
static DlsStatus make_sign(const DlsObservableRequest *request, DlsTimeAverage *t) {
  const char *const texts[] = {request->region, request->along, request->grid, request->kernel};
  size_t room = 200, used;
  for (int k = 0; k < DLS_COUNT(texts); k++) room += texts[k] ? strlen(texts[k]) + 2 : 2;
  for (int k = 0; k < request->ncuts; k++) room += strlen(request->cuts[k]) + 2;
  DLS_NEW(t->sign, room);
  used = (size_t)snprintf(t->sign, room, "%s %d-D %d %d", dls_observable_text(request->kind),
                          t->dim, request->average, request->plain);
  if (request->centre)
    used += (size_t)snprintf(t->sign + used, room - used, " %.17g %.17g", request->centre[0],
                             request->centre[1]);
  for (int k = 0; k < DLS_COUNT(texts); k++)
    used += (size_t)snprintf(t->sign + used, room - used, " %s", texts[k] ? texts[k] : "-");
  for (int k = 0; k < request->ncuts; k++)
    used += (size_t)snprintf(t->sign + used, room - used, " %s", request->cuts[k]);
  return DLS_OK;
}

static DlsStatus make(const DlsObservableRequest *request, const DlsWindow *window,
                      DlsTimeAverage *t) {
  DlsObservableArray arrays[DLS_OBSERVABLE_ARRAYS];
  int *weight, next = 0;
  DLS_TRY(copy_request(request, t));
  DLS_TRY(dls_observable_check(request, t->dim, NULL));
  DLS_TRY(make_sign(request, t));
  const int count = dls_observable_arrays(request->kind, t->dim, arrays, &t->columns);
  DLS_NEW(weight, t->columns);
  for (int k = 0; k < count; k++)
    for (int c = 0; c < arrays[k].components; c++) weight[next++] = arrays[k].weight;
  const DlsStatus status = dls_mean_create(window, t->columns, weight, &t->mean);
  free(weight);
  return status;
}

DlsStatus dls_time_average_create(const DlsObservableRequest *request, int dim,
                                  const DlsWindow *window, DlsTimeAverage **out) {
  *out = NULL;
  DlsTimeAverage *t;
  DLS_NEW(t, 1);
  t->dim = dim;
  const DlsStatus status = make(request, window, t);
  if (status == DLS_OK)
    *out = t;
  else
    dls_time_average_destroy(&t);
  return status;
}

void dls_time_average_destroy(DlsTimeAverage **time_average) {
  if (!time_average || !*time_average) return;
  DlsTimeAverage *t = *time_average;
  for (int k = 0; k < t->request.ncuts; k++) free((void *)t->request.cuts[k]);
  free((void *)t->request.cuts);
  free((void *)t->request.region);
  free((void *)t->request.along);
  free((void *)t->request.grid);
  free((void *)t->request.kernel);
  free(t->values);
  free(t->sign);
  dls_mean_destroy(&t->mean);
  free(t);
  *time_average = NULL;
}

static DlsStatus make_room(DlsTimeAverage *t, size_t count) {
  if (count <= t->room) return DLS_OK;
  free(t->values);
  t->room = 0;
  DLS_NEW(t->values, count);
  t->room = count;
  return DLS_OK;
}

DlsStatus dls_time_average_add(DlsTimeAverage *t, const DlsPacking *g) {
  if (!dls_window_takes(dls_mean_window(t->mean), g->time, g->h)) return DLS_OK;
  if (!t->begun) DLS_TRY(dls_observable_begin(&t->request, g, &t->observable));
  t->begun = true;
  const int rows = dls_observable_rows(&t->observable, g);
  DLS_TRY(make_room(t, (size_t)rows * (size_t)t->columns));
  DLS_TRY(dls_observable_take(&t->observable, g, t->values));
  return dls_mean_add(t->mean, g->time, g->h, rows,
                      t->observable.kind == DLS_OBSERVABLE_GRAINS ? g->id : NULL, t->values);
}

const DlsObservable *dls_time_average_observable(const DlsTimeAverage *t) {
  return t->begun ? &t->observable : NULL;
}
const DlsMean *dls_time_average_mean(const DlsTimeAverage *t) { return t->mean; }

DlsStatus dls_time_average_value(const DlsTimeAverage *t, int bin, int row, const char *array,
                                 int component, DlsMeanValue *out) {
  const int column = dls_observable_column(t->request.kind, t->dim, array);
  DLS_CHECK(column >= 0 && column + component < t->columns, DLS_ERR_ARGUMENT,
            "%s: is no array of %s", array, dls_observable_text(t->request.kind));
  DLS_CHECK(row >= 0 && row < dls_mean_rows(t->mean) && bin >= 0 &&
                bin < dls_mean_window(t->mean)->bins,
            DLS_ERR_ARGUMENT, "%s: no row %d in bin %d; %d rows so far", array, row, bin,
            dls_mean_rows(t->mean));
  *out = dls_mean_value(t->mean, bin, row, column + component);
  return DLS_OK;
}

/* Before the mean: length of the sign and whether it has begun, the sign, the places of the
 * observable. */
static void pack_head(DlsPack *pack, int64_t head[2], char *sign, size_t length) {
  dls_pack_longs(pack, head, 2);
  dls_pack_bytes(pack, sign, length);
}

/* Counts or saves what is before the mean: nothing of the time_average is changed. */
static size_t pack_front(const DlsTimeAverage *time_average, DlsPack *pack) {
  DlsTimeAverage *t = (DlsTimeAverage *)time_average;
  int64_t head[2] = {(int64_t)strlen(t->sign), t->begun};
  bool fits = true;
  pack_head(pack, head, t->sign, strlen(t->sign));
  dls_observable_pack(&t->observable, pack, &fits);
  return pack->used;
}

size_t dls_time_average_bytes(const DlsTimeAverage *t) {
  DlsPack pack = {.way = DLS_PACK_COUNT};
  return pack_front(t, &pack) + dls_mean_bytes(t->mean);
}

void dls_time_average_save(const DlsTimeAverage *t, void *out) {
  DlsPack pack = {.way = DLS_PACK_SAVE, .to = out};
  const size_t front = pack_front(t, &pack);
  dls_mean_save(t->mean, (char *)out + front);
}

/* The rows of a mean are those of its observable; of grains they come and go. */
static DlsStatus check_rows(const DlsTimeAverage *t, const DlsObservable *observable) {
  static const DlsPacking nobody;
  const int rows = dls_mean_rows(t->mean);
  if (observable->kind == DLS_OBSERVABLE_GRAINS || dls_mean_instants(t->mean, -1) == 0)
    return DLS_OK;
  DLS_CHECK(rows == dls_observable_rows(observable, &nobody), DLS_ERR_FORMAT,
            "average: it has %d rows where %s has %d; the bytes are damaged", rows, t->sign,
            dls_observable_rows(observable, &nobody));
  return DLS_OK;
}

DlsStatus dls_time_average_restore(DlsTimeAverage *t, const void *bytes, size_t size) {
  DlsPack pack = {.way = DLS_PACK_RESTORE, .from = bytes, .left = size};
  const size_t length = strlen(t->sign);
  int64_t head[2] = {-1, -1};
  DlsObservable observable;
  char *sign;
  DLS_NEW(sign, length + 1);
  pack_head(&pack, head, sign, length);
  const bool same = !pack.ended && head[0] == (int64_t)length && strcmp(sign, t->sign) == 0;
  free(sign);
  DLS_CHECK(same && (head[1] == 0 || head[1] == 1), DLS_ERR_FORMAT,
            "average: it was of something else than %s; keep what the deck says", t->sign);
  if (head[1]) {
    DLS_TRY(dls_observable_resume(&t->request, t->dim, &pack, &observable));
  } else {
    bool fits = true; /* places that are not fixed yet: zeros, passed over */
    memset(&observable, 0, sizeof observable);
    dls_observable_pack(&observable, &pack, &fits);
    memset(&observable, 0, sizeof observable);
    DLS_CHECK(!pack.ended, DLS_ERR_FORMAT, "average: %zu bytes are too few", size);
  }
  DLS_TRY(dls_mean_restore(t->mean, (const char *)bytes + pack.used, size - pack.used));
  DLS_CHECK(head[1] || dls_mean_instants(t->mean, -1) == 0, DLS_ERR_FORMAT,
            "average: it has instants, but never began; the bytes are damaged");
  DLS_TRY(check_rows(t, &observable));
  t->observable = observable;
  t->begun = head[1] != 0;
  return DLS_OK;
}
