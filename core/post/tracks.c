#include "post/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static DlsStatus begin(DlsTracks *t, const DlsPacking *g) {
  t->dim = g->dim;
  DLS_NEW(t->id, g->grains);
  DLS_NEW(t->radius, g->grains);
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    t->id[t->bodies] = g->id[i];
    t->radius[t->bodies++] = g->radius[i];
  }
  return DLS_OK;
}

static DlsStatus grow(DlsTracks *t) {
  const int room = t->room ? 2 * t->room : 16;
  double *time;
  double(*place)[3];
  DLS_NEW(time, room);
  dls_memory_copy(time, t->time, (size_t)t->moments, sizeof *time);
  free(t->time);
  t->time = time;
  DLS_NEW(place, (size_t)room * (size_t)t->bodies);
  dls_memory_copy(place, t->place, (size_t)t->moments * (size_t)t->bodies, sizeof *place);
  free(t->place);
  t->place = place;
  t->room = room;
  return DLS_OK;
}

/* In a periodic cell a track goes on to the copy that is nearest to where it was. */
static void unwrap(const DlsTracks *t, const DlsCell *cell, int b, double place[3]) {
  double shift[6];
  const double *before = dls_tracks_at(t, t->moments - 1, b);
  if (isnan(before[0])) return;
  dls_cell_nearest(cell, before, place, shift);
  for (int k = 0; k < 3; k++) place[k] += shift[k];
}

/* Both lists ascend. */
DlsStatus dls_tracks_add(DlsTracks *t, const DlsPacking *g) {
  if (t->moments == 0) DLS_TRY(begin(t, g));
  if (t->moments == t->room) DLS_TRY(grow(t));
  double(*place)[3] = t->place + (size_t)t->moments * (size_t)t->bodies;
  for (int b = 0, i = 0; b < t->bodies; b++) {
    while (i < g->grains && g->id[i] < t->id[b]) i++;
    const bool there = i < g->grains && g->id[i] == t->id[b];
    for (int k = 0; k < 3; k++) place[b][k] = there ? g->position[i][k] : NAN;
    if (there && g->cell.axes && t->moments > 0) unwrap(t, &g->cell, b, place[b]);
  }
  t->time[t->moments++] = g->time;
  return DLS_OK;
}

void dls_tracks_clear(DlsTracks *t) {
  free(t->time);
  free(t->id);
  free(t->radius);
  free(t->place);
  *t = (DlsTracks){0};
}

static bool is_wanted(const DlsTracks *t, int body, const DlsProbe *region) {
  for (int m = 0; m < t->moments; m++)
    if (isnan(dls_tracks_at(t, m, body)[0])) return false;
  return dls_probe_holds(region, t->dim, dls_tracks_at(t, 0, body));
}

void dls_tracks_keep(DlsTracks *t, const DlsProbe *region) {
  const int before = t->bodies;
  int kept = 0, *from = malloc(((size_t)before + 1) * sizeof *from);
  if (!from) return; /* all stay */
  for (int b = 0; b < before; b++)
    if (is_wanted(t, b, region)) from[kept++] = b;
  for (int m = 0; m < t->moments; m++)
    for (int b = 0; b < kept; b++)
      memcpy(t->place[(size_t)m * (size_t)kept + (size_t)b],
             t->place[(size_t)m * (size_t)before + (size_t)from[b]], sizeof *t->place);
  for (int b = 0; b < kept; b++) t->id[b] = t->id[from[b]], t->radius[b] = t->radius[from[b]];
  t->bodies = kept;
  free(from);
}

void dls_tracks_meridian(DlsTracks *t, const double centre[3]) {
  for (size_t n = 0; n < (size_t)t->moments * (size_t)t->bodies; n++) {
    double *x = t->place[n];
    x[0] = hypot(x[0] - centre[0], x[1] - centre[1]);
    x[1] = x[2];
    x[2] = 0;
  }
  t->dim = 2;
}

void dls_tracks_box(const DlsTracks *t, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = INFINITY, high[k] = -INFINITY;
    for (size_t n = 0; n < (size_t)t->moments * (size_t)t->bodies; n++) {
      low[k] = fmin(low[k], t->place[n][k]);
      high[k] = fmax(high[k], t->place[n][k]);
    }
    if (low[k] > high[k]) low[k] = high[k] = 0;
  }
}

/* The body's way in an interval, from its middle, where that is in the box. */
static bool is_inside(const DlsTracks *t, int interval, int body, const double low[3],
                      const double high[3], double middle[3], double way[3]) {
  const double *a = dls_tracks_at(t, interval, body), *b = dls_tracks_at(t, interval + 1, body);
  bool inside = true;
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (a[k] + b[k]);
    way[k] = b[k] - a[k];
    if (k < t->dim) inside = inside && middle[k] >= low[k] && middle[k] < high[k];
  }
  return inside;
}

/* A mean over intervals that comes one by one, and its standard error. */
typedef struct {
  int count;
  double sum, sum2;
} Series;

static void take(Series *s, double value) {
  s->count++;
  s->sum += value;
  s->sum2 += value * value;
}

static double mean_of(const Series *s) { return s->count ? s->sum / s->count : NAN; }

static double error_of(const Series *s) {
  if (s->count < 2) return NAN;
  const double mean = s->sum / s->count;
  return sqrt(fmax(0, s->sum2 / s->count - mean * mean) / (s->count - 1));
}

DlsTrackMove dls_tracks_move(const DlsTracks *t, const double low[3], const double high[3]) {
  DlsTrackMove out = {.bodies = 0};
  Series series[3] = {0};
  for (int m = 0; m + 1 < t->moments; m++) {
    double sum[3] = {0}, middle[3], way[3];
    int bodies = 0;
    for (int b = 0; b < t->bodies; b++) {
      if (!is_inside(t, m, b, low, high, middle, way)) continue;
      bodies++;
      for (int k = 0; k < 3; k++) sum[k] += way[k];
    }
    if (!bodies) continue;
    out.intervals++;
    out.bodies += bodies;
    for (int k = 0; k < 3; k++) take(&series[k], sum[k] / bodies);
  }
  for (int k = 0; k < 3; k++)
    out.mean[k] = mean_of(&series[k]), out.error[k] = error_of(&series[k]);
  if (out.intervals) out.bodies /= out.intervals;
  return out;
}

DlsTrackTurn dls_tracks_turn(const DlsTracks *t, int a, int b, const double low[3],
                             const double high[3]) {
  DlsTrackTurn out = {.bodies = 0};
  Series series = {0};
  const double centre[2] = {0.5 * (low[a] + high[a]), 0.5 * (low[b] + high[b])};
  for (int m = 0; m + 1 < t->moments; m++) {
    double moment = 0, inertia = 0, middle[3], way[3];
    int bodies = 0;
    for (int i = 0; i < t->bodies; i++) {
      if (!is_inside(t, m, i, low, high, middle, way)) continue;
      const double x = middle[a] - centre[0], y = middle[b] - centre[1];
      bodies++;
      moment += x * way[b] - y * way[a];
      inertia += x * x + y * y;
    }
    if (!(inertia > 0)) continue;
    out.intervals++;
    out.bodies += bodies;
    take(&series, moment / inertia);
  }
  out.mean = mean_of(&series), out.error = error_of(&series);
  if (out.intervals) out.bodies /= out.intervals;
  return out;
}
