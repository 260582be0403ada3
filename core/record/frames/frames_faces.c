/* Where bodies with corners meet: contacts of the same two elements (or of one and a boundary) with
 * one normal are the corners of one face, and their forces have one resultant. With corner x_i,
 * force f_i on the candidate, normal n, and c the mean of the corners:
 *
 *   F = sum f_i,   f_N = F . n,   A = sum of the areas that the points stand for
 *   pressure = f_N / A,   traction = F / A
 *   M = sum (x_i - c) x f_i                  moment about c
 *   x_p = c + n x M / f_N                    centre of pressure: no moment across n about it
 *   twist = M . n - ((x_p - c) x F) . n      what is left, about n
 *
 * F, M and x_p follow from the balance of the bodies wherever single f_i do not. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/errors.h>

#include "base/memory.h"
#include "base/small.h"
#include "record/frames/arrays.h"
#include "record/frames/frames_impl.h"

enum { MOST_CORNERS = 64 };

typedef struct {
  int count;
  int *first; /* [count + 1]: contacts of each, in a row */
  int *row;   /* [count]: those with a centre of pressure, `pressed` of them */
  int pressed;
  double *point; /* [contacts of faces][3], m, in order round the face */
  int64_t *order, *end;
  uint8_t *type;
  double *force, *traction, *moment, *centre, *pressure_centre, *normal; /* [count][3] */
  double *normal_force, *tangential_force, *pressure, *area, *gap, *twist, *limit;
  int64_t *candidate, *antagonist;
  int32_t *status, *points;
} Faces;

static void clear(Faces *f) {
  void *const all[] = {f->first,
                       f->row,
                       f->point,
                       f->order,
                       f->end,
                       f->type,
                       f->force,
                       f->moment,
                       f->centre,
                       f->traction,
                       f->normal,
                       f->pressure,
                       f->area,
                       f->gap,
                       f->twist,
                       f->normal_force,
                       f->candidate,
                       f->status,
                       f->antagonist,
                       f->points,
                       f->limit,
                       f->pressure_centre,
                       f->tangential_force};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
}

static DlsStatus make(int contacts, Faces *f) {
  const size_t n = (size_t)contacts;
  DLS_NEW(f->first, n + 1);
  DLS_NEW(f->row, n);
  DLS_NEW(f->point, 3 * n);
  DLS_NEW(f->order, n);
  DLS_NEW(f->end, n);
  DLS_NEW(f->type, n);
  DLS_NEW(f->force, 3 * n);
  DLS_NEW(f->traction, 3 * n);
  DLS_NEW(f->moment, 3 * n);
  DLS_NEW(f->centre, 3 * n);
  DLS_NEW(f->pressure_centre, 3 * n);
  DLS_NEW(f->normal, 3 * n);
  DLS_NEW(f->normal_force, n);
  DLS_NEW(f->tangential_force, n);
  DLS_NEW(f->pressure, n);
  DLS_NEW(f->area, n);
  DLS_NEW(f->gap, n);
  DLS_NEW(f->twist, n);
  DLS_NEW(f->limit, n);
  DLS_NEW(f->candidate, n);
  DLS_NEW(f->antagonist, n);
  DLS_NEW(f->status, n);
  DLS_NEW(f->points, n);
  return DLS_OK;
}

/* The elements that meet at contact i of the problem; -1: a boundary. */
static void elements_at(const DlsSimulation *s, int i, int element[2]) {
  const DlsContactSet *set = &s->last.contacts;
  const int c = s->last.assembly.step.in_set[i], who = set->antagonist[c];
  const uint64_t feature = set->key[c].feature;
  element[0] = dls_world_element_of(s->world, set->candidate[c], (uint32_t)(feature >> 32));
  element[1] = who < 0 ? -1 : dls_world_element_of(s->world, who, (uint32_t)feature);
}

/* Whether contact i is of the face that begins with contact `first`. */
static bool same_face(const DlsSimulation *s, const DlsPacking *g, int first, int i) {
  int a[2], b[2];
  if (g->candidate[first] != g->candidate[i] || g->antagonist[first] != g->antagonist[i] ||
      dls_vector_dot(g->normal[first], g->normal[i]) < 1 - 1e-9)
    return false;
  elements_at(s, first, a);
  elements_at(s, i, b);
  return a[0] == b[0] && a[1] == b[1];
}

/* Copies the corners in order round their mean, counter-clockwise as seen against the normal. */
static void order_corners(const DlsPacking *g, int first, int count, const double middle[3],
                          double *out) {
  const double *n = g->normal[first];
  const int axis = fabs(n[0]) < 0.6 ? 0 : 1;
  const double e[3] = {axis == 0, axis == 1, 0};
  double t[3], u[3], angle[MOST_CORNERS];
  int turn[MOST_CORNERS];
  dls_vector_cross(n, e, t);
  dls_vector_cross(n, t, u);
  for (int i = 0; i < count; i++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = g->point[first + i][k] - middle[k];
    const double a = atan2(dls_vector_dot(d, u), dls_vector_dot(d, t));
    int place = i;
    for (; place > 0 && angle[place - 1] > a; place--) {
      angle[place] = angle[place - 1];
      turn[place] = turn[place - 1];
    }
    angle[place] = a;
    turn[place] = i;
  }
  for (int i = 0; i < count; i++)
    memcpy(out + 3 * i, g->point[first + turn[i]], sizeof g->point[0]);
}

/* Sums over the corners of face k; its moment about their mean. */
static void add_up(const DlsFrameView *v, int k, Faces *f) {
  const DlsPacking *g = &v->packing;
  const int first = f->first[k], count = f->first[k + 1] - first;
  double *c = f->centre + 3 * k, *F = f->force + 3 * k, *M = f->moment + 3 * k;
  int open = 0, slip = 0;
  memcpy(f->normal + 3 * k, g->normal[first], sizeof g->normal[0]);
  f->points[k] = count;
  f->candidate[k] = v->candidate[first];
  f->antagonist[k] = v->antagonist[first];
  for (int i = first; i < first + count; i++) {
    for (int e = 0; e < 3; e++) {
      c[e] += g->point[i][e] / count;
      F[e] += g->force[i][e];
    }
    f->area[k] += v->area[i];
    f->gap[k] += v->gap[i] / count;
    f->limit[k] += g->friction_limit[i];
    open += g->status[i] == DLS_OPEN;
    slip += g->status[i] == DLS_SLIP;
  }
  for (int i = first; i < first + count; i++) {
    double arm[3], torque[3];
    for (int e = 0; e < 3; e++) arm[e] = g->point[i][e] - c[e];
    dls_vector_cross(arm, g->force[i], torque);
    for (int e = 0; e < 3; e++) M[e] += torque[e];
  }
  f->status[k] = open == count ? DLS_OPEN : open + slip == count ? DLS_SLIP : DLS_STICK;
}

/* What follows from the sums. Where the pushes and pulls of a face cancel to round-off it has no
 * centre of pressure. */
static void derive(const DlsPacking *g, int k, Faces *f) {
  const double *n = f->normal + 3 * k, *F = f->force + 3 * k, *M = f->moment + 3 * k;
  double *at = f->pressure_centre + 3 * k, across[3], twist[3], all = 0, square = 0;
  const double push = dls_vector_dot(F, n);
  for (int i = f->first[k]; i < f->first[k + 1]; i++) all += fabs(g->normal_force[i]);
  dls_vector_cross(n, M, across);
  for (int e = 0; e < 3; e++) {
    const double sheared = F[e] - push * n[e];
    square += sheared * sheared;
    f->traction[3 * k + e] = f->area[k] > 0 ? F[e] / f->area[k] : NAN;
  }
  const bool pressed = fabs(push) > 1e-9 * all;
  f->normal_force[k] = push;
  f->tangential_force[k] = sqrt(square);
  f->pressure[k] = f->area[k] > 0 ? push / f->area[k] : NAN;
  for (int e = 0; e < 3; e++) across[e] = pressed ? across[e] / push : NAN;
  for (int e = 0; e < 3; e++) at[e] = f->centre[3 * k + e] + across[e];
  dls_vector_cross(across, F, twist);
  f->twist[k] = dls_vector_dot(M, n) - (pressed ? dls_vector_dot(twist, n) : 0);
  if (pressed) f->row[f->pressed++] = k;
}

/* Faces of all contacts that a body with corners has. */
static void gather(const DlsSimulation *s, const DlsFrameView *v, Faces *f) {
  const DlsPacking *g = &v->packing;
  int64_t points = 0;
  for (int i = 0, next; i < v->contacts; i = next) {
    int element[2];
    for (next = i + 1; next < v->contacts && next - i < MOST_CORNERS; next++)
      if (!same_face(s, g, i, next)) break;
    elements_at(s, i, element);
    if (dls_world_is_ball(s->world, element[0]) &&
        (element[1] < 0 || dls_world_is_ball(s->world, element[1])))
      continue;
    const int k = f->count++, count = next - i;
    f->first[k] = i;
    f->first[k + 1] = next;
    add_up(v, k, f);
    order_corners(g, i, count, f->centre + 3 * k, f->point + 3 * points);
    points += count;
    f->end[k] = points;
    f->type[k] = count > 2 ? DLS_VTU_POLYGON : count == 2 ? DLS_VTU_LINE : DLS_VTU_VERTEX;
    derive(g, k, f);
  }
}

static DlsStatus put(DlsFrames *frames, const DlsSimulation *s, Faces *f) {
  const DlsVtuArray data[] = {
      {.name = "pressure", .values = f->pressure, .role = DLS_VTU_SCALARS, .unknown = true},
      DLS_FRAMES_REALS("force", f->force, 3, DLS_VTU_VECTORS),
      DLS_FRAMES_REALS("normal", f->normal, 3, DLS_VTU_NORMALS),
      {.name = "traction", .values = f->traction, .components = 3, .unknown = true},
      DLS_FRAMES_REALS("normal_force", f->normal_force, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("tangential_force", f->tangential_force, 1, DLS_VTU_PLAIN),
      {.name = "friction_limit", .values = f->limit, .unknown = true},
      DLS_FRAMES_REALS("moment", f->moment, 3, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("twist", f->twist, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("centre", f->centre, 3, DLS_VTU_PLAIN),
      {.name = "pressure_centre", .values = f->pressure_centre, .components = 3, .unknown = true},
      DLS_FRAMES_REALS("area", f->area, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("gap", f->gap, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_NUMBERS("candidate", f->candidate, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("antagonist", f->antagonist, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("status", f->status, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("points", f->points, DLS_VTU_INT32),
  };
  const int64_t points = f->count ? f->end[f->count - 1] : 0;
  DlsPickedArrays pressed = {0}, places = {0};
  const DlsVtuArray place = DLS_FRAMES_REALS("at", f->pressure_centre, 3, DLS_VTU_PLAIN);
  for (int64_t k = 0; k < points; k++) f->order[k] = k;
  const DlsVtuGrid grid = {.points = points,
                           .cells = f->count,
                           .position = f->point,
                           .connectivity = f->order,
                           .end = f->end,
                           .type = f->type,
                           .cell_data = data,
                           .cell_arrays = DLS_COUNT(data),
                           .timed = true,
                           .time = s->state.time};
  DLS_TRY(dls_frames_open(frames, DLS_FRAMES_FACES));
  DLS_TRY(dls_frames_open(frames, DLS_FRAMES_RESULTANTS));
  DLS_TRY(dls_frames_put(frames, DLS_FRAMES_FACES, &grid));
  DlsStatus status = dls_arrays_pick(data, DLS_COUNT(data), f->pressed, f->row, &pressed);
  if (status == DLS_OK) status = dls_arrays_pick(&place, 1, f->pressed, f->row, &places);
  if (status == DLS_OK) {
    const double *at = (const double *)(const void *)places.bytes;
    const DlsVtuGrid dots =
        dls_frames_grid(s, DLS_VTU_VERTEX, f->pressed, at, pressed.array, pressed.count);
    status = dls_frames_put(frames, DLS_FRAMES_RESULTANTS, &dots);
  }
  dls_arrays_clear(&pressed);
  dls_arrays_clear(&places);
  return status;
}

DlsStatus dls_frames_put_faces(DlsFrames *frames, const DlsSimulation *s, const DlsFrameView *v) {
  Faces faces = {0};
  DlsStatus status = make(v->contacts, &faces);
  if (status == DLS_OK) {
    gather(s, v, &faces);
    status = put(frames, s, &faces);
  }
  clear(&faces);
  return status;
}
