/* Copies of balls beyond the borders of a periodic cell, so that a search that knows of no cell
 * finds the pairs across it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/detector_impl.h"

/* Room for `total` balls and copies; what is there stays. */
static DlsStatus make_room(DlsDetector *d, int total) {
  if (total <= d->capacity) return DLS_OK;
  const int capacity = total + total / 4;
#define MORE(field)                                                                                \
  do {                                                                                             \
    void *more = realloc(d->field, (size_t)capacity * sizeof *d->field);                           \
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: %d balls and copies of them", capacity);       \
    d->field = more;                                                                               \
  } while (0);
  DLS_FOR_BALL_ARRAYS(MORE)
#undef MORE
  int *row = realloc(d->pairs.row, ((size_t)capacity + 1) * sizeof *row);
  DLS_CHECK(row, DLS_ERR_MEMORY, "out of memory: %d balls and copies of them", capacity);
  d->pairs.row = row;
  d->capacity = capacity;
  return DLS_OK;
}

static double length(const double *a, const double *b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* Two that can touch now or within the horizon must be nearer than half the cell; *reach: half of
 * how far two grown balls can be from each other at most. */
static DlsStatus check_width(const DlsDetector *d, const DlsDetectInput *s, const double way[3],
                             double *reach) {
  const DlsCell *cell = &s->world->cell;
  double most = 0;
  *reach = 0;
  DLS_CHECK(
      !s->world->figure, DLS_ERR_UNSUPPORTED,
      "a periodic cell holds balls and clusters of balls alone; leave out other shapes or the "
      "cell");
  for (int k = 0; k < d->count; k++) {
    const DlsBall *ball = &d->ball[k];
    most = fmax(most, ball->radius + ball->sag + length(ball->way, way) + s->alert / 2);
    *reach = fmax(*reach, ball->radius + d->allowance[k]);
  }
  for (int k = 0; k < 3; k++) {
    if (!(cell->axes & (1u << k))) continue;
    const double width = dls_cell_width(cell, k), own = s->horizon * dls_vector_norm(cell->rate[k]);
    DLS_CHECK(width > 4 * most + 2 * own, DLS_ERR_ARGUMENT,
              "the periodic cell is %g m wide along %c, and two bodies can meet from %g m: they "
              "would meet by two of their copies; make the cell wider than %g m there, or the step "
              "shorter",
              width, "xyz"[k], 2 * most, 4 * most + 2 * own);
  }
  return DLS_OK;
}

/* The copy of ball k that stands `shift` beside it. */
static void add(DlsDetector *d, int k, const double shift[6]) {
  const int to = d->count + d->images++;
  d->ball[to] = d->ball[k];
  for (int i = 0; i < 3; i++) d->ball[to].x[i] += shift[i];
  d->element[to] = d->element[k];
  d->allowance[to] = d->allowance[k];
}

DlsStatus dls_images_add(DlsDetector *detector, const DlsDetectInput *scene, const double way[3]) {
  DlsDetector *d = detector;
  const DlsCell *cell = &scene->world->cell;
  int most[3];
  double reach;
  DLS_TRY(check_width(d, scene, way, &reach));
  for (int k = 0; k < 3; k++) most[k] = cell->axes & (1u << k) ? 1 : 0;
  for (int b = 0; b < d->count; b++) {
    double shift[6], share[3], n[3];
    dls_cell_into(cell, d->ball[b].x, shift);
    for (int i = 0; i < 3; i++) d->ball[b].x[i] += shift[i];
    dls_cell_shares(cell, d->ball[b].x, share);
    const double own = d->ball[b].radius + d->allowance[b] + reach;
    DLS_TRY(make_room(d, d->count + d->images + 27));
    for (n[2] = -most[2]; n[2] <= most[2]; n[2]++)
      for (n[1] = -most[1]; n[1] <= most[1]; n[1]++)
        for (n[0] = -most[0]; n[0] <= most[0]; n[0]++) {
          bool near = n[0] != 0 || n[1] != 0 || n[2] != 0;
          for (int k = 0; k < 3 && near; k++) {
            const double margin = own / dls_cell_width(cell, k);
            if (most[k]) near = share[k] + n[k] > -margin && share[k] + n[k] < 1 + margin;
          }
          if (!near) continue;
          dls_cell_shift(cell, n, shift);
          add(d, b, shift);
        }
  }
  return DLS_OK;
}

double dls_images_strain(const DlsDetector *d, const DlsCell *cell, double horizon) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    if (cell->axes & (1u << k))
      sum += length(cell->edge[k], d->cell.edge[k]) + horizon * dls_vector_norm(cell->rate[k]);
  return 0.5 * sum;
}
