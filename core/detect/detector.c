/* A detector's life, its balls and when the kept pairs are still good. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "detect/mesh/mesh.h"

/* Allowance beyond what this detection needs, in radii: longer lists, rarer builds. */
static const double skin = 0.16, way_skin = 0.5;

enum { SAMPLE = 65, BALLS_CHUNK = 512 };

DlsStatus dls_detector_create(DlsDetector **out) {
  *out = NULL;
  DLS_NEW(*out, 1);
  return DLS_OK;
}

static void clear_balls(DlsDetector *d) {
#define CLEAR(field)                                                                               \
  free(d->field);                                                                                  \
  d->field = NULL;
  DLS_FOR_BALL_ARRAYS(CLEAR)
  CLEAR(pairs.row)
  CLEAR(box)
  CLEAR(built_box)
#undef CLEAR
  d->capacity = 0;
}

DlsStatus dls_parts_begin(DlsDetector *d, bool *out) {
  *out = d->count > 2 * DLS_PART_BALLS && dls_pool_threads() > 1;
  if (*out && !d->part) DLS_NEW(d->part, DLS_PARTS);
  return DLS_OK;
}

static void clear_parts(DlsDetector *d) {
  for (int k = 0; d->part && k < DLS_PARTS; k++) {
    dls_contact_set_clear(&d->part[k].set);
    free(d->part[k].pairs.found);
    free(d->part[k].pairs.partner);
  }
  free(d->part);
}

static size_t bytes_of_parts(const DlsDetector *d) {
  size_t bytes = 0;
  for (int k = 0; d->part && k < DLS_PARTS; k++)
    bytes +=
        sizeof *d->part + dls_contact_set_bytes(&d->part[k].set) +
        (sizeof *d->pairs.found + sizeof *d->pairs.partner) * (size_t)d->part[k].pairs.capacity;
  return bytes;
}

void dls_detector_destroy(DlsDetector **detector) {
  DlsDetector *d = *detector;
  *detector = NULL;
  if (!d) return;
  clear_balls(d);
  free(d->head);
  free(d->pairs.found);
  free(d->pairs.partner);
  dls_contact_set_clear(&d->scratch);
  dls_sides_clear(&d->sides);
  clear_parts(d);
  dls_meshes_destroy(&d->meshes);
  free(d->cut);
  free(d);
}

void dls_detector_forget(DlsDetector *detector) { detector->valid = false; }

DlsDetectorReport dls_detector_report(const DlsDetector *detector) {
  DlsDetectorReport report = detector->report;
  report.pairs = detector->pairs.count;
  return report;
}

size_t dls_detector_bytes(const DlsDetector *d) {
  size_t ball = sizeof *d->pairs.row;
#define SIZE(field) ball += sizeof *d->field;
  DLS_FOR_BALL_ARRAYS(SIZE)
#undef SIZE
  if (d->box) ball += 2 * sizeof *d->box;
  return sizeof *d + ball * (size_t)d->capacity + sizeof *d->head * (size_t)d->bucket_capacity +
         (sizeof *d->pairs.found + sizeof *d->pairs.partner) * (size_t)d->pairs.capacity +
         dls_contact_set_bytes(&d->scratch) + dls_sides_bytes(&d->sides) + bytes_of_parts(d);
}

static DlsStatus make_boxes(DlsDetector *d, const DlsWorld *world) {
  if (!world->figure) {
    free(d->box);
    free(d->built_box);
    d->box = d->built_box = NULL;
  } else if (!d->box || !d->built_box) {
    d->valid = false;
    free(d->box);
    d->box = NULL;
    DLS_NEW(d->box, d->capacity);
    DLS_NEW(d->built_box, d->capacity);
  }
  return DLS_OK;
}

static DlsStatus make_room(DlsDetector *d, int count) {
  if (count <= d->capacity) return DLS_OK;
  const int capacity = d->capacity ? count + count / 4 : count;
  clear_balls(d);
  d->valid = false;
#define MAKE(field) DLS_NEW(d->field, capacity);
  DLS_FOR_BALL_ARRAYS(MAKE)
#undef MAKE
  DLS_NEW(d->pairs.row, capacity + 1);
  d->capacity = capacity;
  return DLS_OK;
}

static void fill_ball(const DlsDetectInput *s, int e, DlsBall *ball) {
  const int body = s->world->element_body[e];
  const double *x = s->position[body], *v = s->velocity[body], *o = s->world->element[e].offset;
  const double h = s->horizon;
  ball->radius = s->world->element[e].radius;
  ball->sag = 0;
  for (int k = 0; k < 3; k++) {
    ball->x[k] = x[k];
    ball->way[k] = h * v[k];
  }
  for (int k = 0; s->drift && k < 3; k++) ball->way[k] += h * s->drift[e][k];
  if (o[0] == 0 && o[1] == 0 && o[2] == 0) return;
  double arm[3], turn[3];
  dls_rotation_apply(s->orientation[body], o, arm);
  dls_vector_cross(v + 3, arm, turn);
  for (int k = 0; k < 3; k++) {
    ball->x[k] += arm[k];
    ball->way[k] += h * turn[k];
  }
  /* An arc of angle a and radius R leaves its tangent by at most R a^2 / 2. */
  ball->sag = 0.5 * h * h * dls_vector_dot(v + 3, v + 3) * dls_vector_norm(o);
}

/* What turns within its ball is not where the ball says: its box, and how far it may leave it. */
static void fill_box(const DlsDetectInput *s, int e, DlsBall *ball, DlsBox *box) {
  const int body = s->world->element_body[e];
  const DlsSolid solid = dls_world_solid(s->world, e);
  double low[3], high[3];
  DlsPose pose;
  dls_world_element_pose(s->world, e, s->position[body], s->orientation[body], &pose);
  dls_shape_operations(solid.kind)->bounds(&solid, &pose, low, high);
  for (int k = 0; k < 3; k++) {
    box->centre[k] = 0.5 * (low[k] + high[k]);
    box->half[k] = 0.5 * (high[k] - low[k]);
  }
  if (!dls_world_is_ball(s->world, e))
    ball->sag += s->horizon * dls_vector_norm(s->velocity[body] + 3) * ball->radius;
}

typedef struct {
  DlsDetector *d;
  const DlsDetectInput *scene;
} Gathering;

static DlsStatus gather_some(void *context, size_t begin, size_t end, int lane) {
  const Gathering *g = context;
  DlsDetector *d = g->d;
  (void)lane;
  for (size_t k = begin; k < end; k++) {
    DlsBall *ball = &d->ball[k];
    fill_ball(g->scene, d->element[k], ball);
    const double sum = fabs(ball->x[0]) + fabs(ball->x[1]) + fabs(ball->x[2]) + fabs(ball->way[0]) +
                       fabs(ball->way[1]) + fabs(ball->way[2]) + ball->sag;
    if (!(sum < 1e150)) {
      const int body = g->scene->world->element_body[d->element[k]];
      return dls_fail(
          DLS_ERR_NUMERIC, "body %llu: its position or velocity is no finite number (%g %g %g m)",
          (unsigned long long)g->scene->world->id[body], ball->x[0], ball->x[1], ball->x[2]);
    }
    if (d->box) fill_box(g->scene, d->element[k], ball, &d->box[k]);
  }
  return DLS_OK;
}

static DlsStatus gather(DlsDetector *d, const DlsDetectInput *s) {
  Gathering g = {d, s};
  return dls_pool_try((size_t)d->count, BALLS_CHUNK, gather_some, &g);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median over a sample of balls, by component: what most of them share, whatever a few do. Of
 * the way, or of the displacement since the build. */
static void common(const DlsDetector *d, bool displacement, double out[3]) {
  const int count = d->count < SAMPLE ? d->count : SAMPLE;
  for (int i = 0; i < 3; i++) {
    double sample[SAMPLE];
    for (int n = 0; n < count; n++) {
      const int k = (int)((int64_t)n * d->count / count);
      sample[n] = displacement ? d->ball[k].x[i] - d->built[k][i] : d->ball[k].way[i];
    }
    qsort(sample, (size_t)count, sizeof *sample, compare);
    out[i] = count ? sample[count / 2] : 0;
  }
}

static double apart(const double *a, const double *b, const double *c) {
  const double x = a[0] - b[0] - c[0], y = a[1] - b[1] - c[1], z = a[2] - b[2] - c[2];
  return sqrt(x * x + y * y + z * z);
}

/* How far ball k, or what it holds, has come since the build, beyond the shift; in a periodic cell
 * to the nearest copy of where it was. */
static inline double moved(const DlsDetector *d, bool boxed, int k, const double shift[3]) {
  if (d->cell.axes) {
    double then[3], beside[6];
    for (int i = 0; i < 3; i++) then[i] = d->built[k][i] + shift[i];
    dls_cell_nearest(&d->world->cell, d->ball[k].x, then, beside);
    return apart(d->ball[k].x, then, beside);
  }
  if (!boxed) return apart(d->ball[k].x, d->built[k], shift);
  const DlsBox *now = &d->box[k], *then = &d->built_box[k];
  double most = 0;
  for (int i = 0; i < 3; i++)
    most = fmax(most,
                fabs(now->centre[i] - then->centre[i] - shift[i]) + now->half[i] - then->half[i]);
  return fmax(most, apart(d->ball[k].x, d->built[k], shift));
}

/* The condition of detector_impl.h, for some balls; `boxed`, a constant where it is called, whether
 * there are boxes. */
static inline bool all_within(const DlsDetector *d, bool boxed, double alert, const double shift[3],
                              const double way[3], size_t begin, size_t end) {
  const double none[3] = {0, 0, 0};
  for (size_t k = begin; k < end; k++) {
    const DlsBall *ball = &d->ball[k];
    if (moved(d, boxed, (int)k, shift) + apart(ball->way, way, none) + ball->sag + alert / 2 >
        d->allowance[k])
      return false;
  }
  return true;
}

typedef struct {
  const DlsDetector *d;
  double alert;
  const double *shift, *way;
  atomic_bool left; /* one has left its allowance */
} Within;

static void look_within(void *context, size_t begin, size_t end, int lane) {
  Within *w = context;
  (void)lane;
  if (atomic_load_explicit(&w->left, memory_order_relaxed)) return;
  if (!(w->d->box ? all_within(w->d, true, w->alert, w->shift, w->way, begin, end)
                  : all_within(w->d, false, w->alert, w->shift, w->way, begin, end)))
    atomic_store(&w->left, true);
}

static bool within_allowance(const DlsDetector *d, double alert, const double shift[3],
                             const double way[3]) {
  Within w = {.d = d, .alert = alert, .shift = shift, .way = way};
  dls_pool_for((size_t)d->count, BALLS_CHUNK, look_within, &w);
  return !atomic_load(&w.left);
}

static bool still_good(const DlsDetector *d, const DlsDetectInput *s) {
  const double none[3] = {0, 0, 0};
  double shift[3], way[3], alert = s->alert;
  if (d->cell.axes != s->world->cell.axes) return false;
  if (d->cell.axes) alert += 2 * dls_images_strain(d, &s->world->cell, s->horizon);
  common(d, false, way);
  if (within_allowance(d, alert, none, way)) return true;
  /* All falling together? */
  common(d, true, shift);
  return within_allowance(d, alert, shift, way);
}

/* New pairs, balls in the spatial order of now. */
static DlsStatus build(DlsDetector *d, const DlsDetectInput *s) {
  const double none[3] = {0, 0, 0};
  double way[3];
  dls_curve_sort(d, s->world->dim);
  for (int k = 0; k < d->count; k++) {
    d->element[k] = d->order[k];
    d->place[d->order[k]] = k;
  }
  DLS_TRY(gather(d, s));
  common(d, false, way);
  d->cell = s->world->cell;
  const double strain = d->cell.axes ? dls_images_strain(d, &d->cell, s->horizon) : 0;
  for (int k = 0; k < d->count; k++) {
    const DlsBall *ball = &d->ball[k];
    const double own = apart(ball->way, way, none);
    memcpy(d->built[k], ball->x, sizeof ball->x);
    if (d->box) d->built_box[k] = d->box[k];
    /* A slow ball has a skin of its radius, a fast one of some steps of its way. */
    d->allowance[k] = s->alert / 2 + ball->sag + own + strain + skin * ball->radius +
                      fmin(3 * own, way_skin * ball->radius);
  }
  d->images = 0;
  if (d->cell.axes) DLS_TRY(dls_images_add(d, s, way));
  DLS_TRY(dls_grid_pairs(d, s->world));
  if (d->cell.axes) DLS_TRY(gather(d, s)); /* where they are, in the cell or not */
  d->valid = true;
  d->world = s->world;
  d->revision = s->world->revision;
  d->report.rebuilds++;
  return DLS_OK;
}

/* Balls of this moment, and pairs that hold all contacts. */
static DlsStatus update(DlsDetector *d, const DlsDetectInput *s) {
  const int count = s->world->first[s->world->count];
  DLS_TRY(make_room(d, count));
  DLS_TRY(make_boxes(d, s->world));
  if (d->world != s->world || d->revision != s->world->revision || d->count != count)
    d->valid = false;
  d->count = count;
  if (!d->valid)
    for (int e = 0; e < count; e++) d->element[e] = d->place[e] = d->order[e] = e;
  DLS_TRY(gather(d, s));
  if (d->valid && still_good(d, s)) return DLS_OK;
  d->valid = false;
  return build(d, s);
}

static DlsStatus check_scene(const DlsDetection *where) {
  DLS_CHECK(isfinite(where->alert) && where->alert >= 0, DLS_ERR_ARGUMENT,
            "detection: alert distance %g m is not a length from 0 on", where->alert);
  DLS_CHECK(isfinite(where->horizon) && where->horizon >= 0, DLS_ERR_ARGUMENT,
            "detection: horizon %g s is not a time from 0 on", where->horizon);
  return DLS_OK;
}

DlsStatus dls_detect(DlsDetector *detector, const DlsWorld *world, const DlsDetection *where,
                     DlsContactSet *set) {
  DlsDetector *d = detector;
  const DlsDetectInput scene = {
      .world = world,
      .position = where->position ? where->position : (const double(*)[3])world->position,
      .orientation =
          where->orientation ? where->orientation : (const double(*)[4])world->orientation,
      .velocity = where->velocity ? where->velocity : (const double(*)[6])world->velocity,
      .boundary = where->boundary ? where->boundary : world->boundary,
      .drift = where->drift,
      .of_interest = where->of_interest,
      .sights = where->sights,
      .memory = where->memory,
      .alert = where->alert,
      .horizon = where->horizon,
  };
  const double start = dls_clock_now();
  set->count = 0;
  DLS_TRY(check_scene(where));
  DLS_TRY(update(d, &scene));
  const double built = dls_clock_now();
  dls_curve_sort(d, world->dim);
  DLS_TRY(dls_narrow(d, &scene, set));
  d->report.detections++;
  d->report.build_s += built - start;
  d->report.narrow_s += dls_clock_now() - built;
  return DLS_OK;
}

DlsStatus dls_detect_penetration(DlsDetector *detector, const DlsWorld *world, double *out) {
  const DlsDetection still = {0};
  *out = 0;
  DLS_TRY(dls_detect(detector, world, &still, &detector->scratch));
  for (int i = 0; i < detector->scratch.count; i++) *out = fmax(*out, -detector->scratch.gap[i]);
  return DLS_OK;
}

static double reduced_size(const DlsWorld *world, int one, int other) {
  const double size = dls_world_size(world, one);
  return other < 0 ? size : 1 / (1 / size + 1 / dls_world_size(world, other));
}

int dls_contact_element(const DlsWorld *world, const DlsContactSet *set, int c, int side) {
  const DlsContactMean mean = set->mean[c][side];
  const uint64_t features = set->key[c].feature;
  int best = mean.start;
  for (int m = mean.start + 1; m < mean.start + mean.count; m++)
    if (set->weight[m] > set->weight[best]) best = m;
  if (mean.count > 0) return set->element[best];
  return dls_world_element_of(world, side == 0 ? set->candidate[c] : set->antagonist[c],
                              (uint32_t)(side == 0 ? features >> 32 : features));
}

double dls_contact_size(const DlsWorld *world, const DlsContactSet *set, int c) {
  return reduced_size(world, set->candidate[c], set->antagonist[c]);
}
