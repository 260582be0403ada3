/* Narrow phase: which kept pairs, and which boundaries, are contacts; their frames and gaps. */
#include <math.h>

#include "detect/detector_impl.h"

enum { MAX_STRIDES = 64 };

typedef struct {
  DlsDetector *d;
  const DlsDetectInput *scene;
  DlsContactSet *set;
} Narrow;

/* The feature that element e is of its body. */
static uint32_t feature_of(const DlsWorld *world, int e) {
  return (uint32_t)(e - world->first[world->element_body[e]]);
}

/* A contact whose candidate is the element e of ball a; n from the antagonist to it. */
static void add_contact(const Narrow *w, int e, const DlsBall *a, int antagonist, uint64_t id,
                        uint32_t feature, double gap, double radius, const double n[3]) {
  const DlsWorld *world = w->scene->world;
  DlsContactSet *set = w->set;
  const int i = set->count++, body = world->element_body[e];
  set->candidate[i] = body;
  set->antagonist[i] = antagonist;
  set->gap[i] = gap;
  set->radius[i] = radius;
  for (int k = 0; k < 3; k++) set->point[i][k] = a->x[k] - n[k] * (a->radius + gap / 2);
  dls_contact_frame(world->dim, n, set->frame[i]);
  set->key[i] =
      (DlsContactKey){world->id[body], id, dls_key_features(feature_of(world, e), feature)};
  set->previous[i] = -1;
}

/* Whether two balls that move straight come within `limit` of each other's centres. d: from the
 * other to this one; way: of this one relative to the other. */
static bool meets(const double d[3], const double way[3], double square, double limit) {
  if (square <= limit * limit) return true;
  const double closing = -dls_vector_dot(d, way);
  if (closing <= 0) return false;
  const double w2 = dls_vector_dot(way, way), t = closing < w2 ? closing / w2 : 1;
  return square - 2 * t * closing + t * t * w2 <= limit * limit;
}

static void test_pair(const Narrow *w, int e, const DlsBall *a, int f, const DlsBall *b) {
  const DlsWorld *world = w->scene->world;
  double d[3], way[3], n[3] = {0, world->dim == 2, world->dim == 3};
  for (int k = 0; k < 3; k++) {
    d[k] = a->x[k] - b->x[k];
    way[k] = a->way[k] - b->way[k];
  }
  const double sum = a->radius + b->radius, square = dls_vector_dot(d, d);
  if (!meets(d, way, square, sum + w->scene->alert + a->sag + b->sag)) return;
  const int i = world->element_body[e], j = world->element_body[f];
  if ((world->flags[i] | world->flags[j]) & (DLS_BODY_GHOST | DLS_BODY_DOOMED)) return;
  if (dls_world_is_fixed(world, i) && dls_world_is_fixed(world, j)) return;
  const double distance = sqrt(square);
  if (distance > 0)
    for (int k = 0; k < 3; k++) n[k] = d[k] / distance;
  add_contact(w, e, a, j, world->id[j], feature_of(world, f), distance - sum,
              a->radius * b->radius / sum, n);
}

/* Whether the ball comes within the alert distance of a feature on its straight way relative to the
 * boundary. Distance changes by no more than the way does, so strides of the present gap never
 * pass the first moment (sphere tracing, Hart 1996). */
static bool reaches(const DlsBoundary *b, int dim, const DlsBall *a, const double way[3],
                    double length, double limit, const DlsNear *start) {
  double gap = start->distance - limit, along = 0;
  if (dls_boundary_supports(b, start) && gap + dls_vector_dot(start->normal, way) > 0) return false;
  for (int n = 0; n < MAX_STRIDES && gap > 1e-6 * a->radius; n++) {
    DlsNear near[DLS_MAX_FEATURES];
    double x[3];
    along += gap;
    if (along > length) return false;
    for (int k = 0; k < 3; k++) x[k] = a->x[k] + along / length * way[k];
    const int count = dls_boundary_features(dim, b, x, HUGE_VAL, near);
    gap = HUGE_VAL;
    for (int i = 0; i < count; i++)
      if (near[i].feature == start->feature) gap = near[i].distance - limit;
  }
  return true;
}

static void test_boundary(const Narrow *w, int e, const DlsBall *a, int number) {
  const DlsDetectInput *s = w->scene;
  const DlsBoundary *b = &s->boundary[number];
  DlsNear near[DLS_MAX_FEATURES];
  double way[3];
  dls_boundary_velocity(b, a->x, way);
  for (int k = 0; k < 3; k++) way[k] = a->way[k] - s->horizon * way[k];
  const double length = dls_vector_norm(way), limit = a->radius + s->alert + a->sag;
  const int count = dls_boundary_features(s->world->dim, b, a->x, limit + length, near);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (near[i].distance > limit && !reaches(b, s->world->dim, a, way, length, limit, &near[i]))
      continue;
    bool seen = false;
    for (int j = 0; j < kept; j++) seen = seen || dls_near_same(&near[i], &near[j]);
    if (seen) continue;
    near[kept++] = near[i];
    add_contact(w, e, a, -1 - number, DLS_KEY_BOUNDARY | b->id, (uint32_t)near[i].feature,
                near[i].distance - a->radius, a->radius, near[i].normal);
  }
}

DlsStatus dls_narrow(DlsDetector *detector, const DlsDetectInput *scene, DlsContactSet *set) {
  DlsDetector *d = detector;
  const DlsWorld *world = scene->world;
  const Narrow narrow = {d, scene, set};
  const int walls = world->boundary_count;
  set->count = 0;
  for (int n = 0; n < d->count; n++) {
    const int e = d->order[n], k = d->place[e], body = world->element_body[e];
    const int begin = d->pairs.row[k], end = d->pairs.row[k + 1];
    const int most = set->count + (end - begin) + walls * DLS_MAX_FEATURES;
    if (most > set->capacity) DLS_TRY(dls_contact_set_reserve(set, most + most / 8 + 64));
    for (int p = begin; p < end; p++) {
      const int f = d->pairs.partner[p];
      test_pair(&narrow, e, &d->ball[k], f, &d->ball[d->place[f]]);
    }
    if (dls_world_is_fixed(world, body) || world->flags[body] & (DLS_BODY_GHOST | DLS_BODY_DOOMED))
      continue;
    for (int b = 0; b < walls; b++)
      if (!(scene->boundary[b].flags & DLS_BODY_GHOST)) test_boundary(&narrow, e, &d->ball[k], b);
  }
  return DLS_OK;
}
