/* Elements as sides of meetings, each made once in a detection, when it is first asked for. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/convex/posed.h"
#include "detect/detector_impl.h"

static bool is_convex(const DlsWorld *world, int e) {
  return !dls_world_is_ball(world, e) && world->figure[e].numbers->kind == DLS_SHAPE_CONVEX;
}

enum { TO_BE_MADE, BEING_MADE, MADE };

DlsStatus dls_sides_begin(DlsSides *sides, const DlsWorld *world) {
  const int count = world->first[world->count];
  int total = 0;
  if (count > sides->capacity) {
    dls_sides_clear(sides);
    DLS_NEW(sides->side, count);
    DLS_NEW(sides->state, count);
    DLS_NEW(sides->start, count);
    sides->capacity = count;
  }
  for (int e = 0; e < count; e++) {
    atomic_store_explicit(&sides->state[e], TO_BE_MADE, memory_order_relaxed);
    sides->side[e].ball = NULL;
    sides->start[e] = total;
    if (!is_convex(world, e)) continue;
    const DlsSolid solid = dls_world_solid(world, e);
    total += dls_turned_count(&solid);
  }
  if (total > sides->turned_capacity) {
    free(sides->turned);
    sides->turned = NULL;
    sides->turned_capacity = 0;
    DLS_NEW(sides->turned, total);
    sides->turned_capacity = total;
  }
  return DLS_OK;
}

static void fill(DlsSides *sides, const DlsDetectInput *s, int e, const DlsBall *ball,
                 DlsSide *side) {
  const int body = s->world->element_body[e];
  const double *v = s->velocity[body];
  double arm[3], turn[3];
  *side = (DlsSide){.ball = ball, .solid = dls_world_solid(s->world, e)};
  dls_world_element_pose(s->world, e, s->position[body], s->orientation[body], &side->pose);
  for (int k = 0; k < 3; k++) arm[k] = side->pose.position[k] - s->position[body][k];
  dls_vector_cross(v + 3, arm, turn);
  for (int k = 0; k < 3; k++) {
    side->velocity[k] = v[k] + turn[k];
    side->velocity[3 + k] = v[3 + k];
  }
  for (int k = 0; s->drift && k < 3; k++) side->velocity[k] += s->drift[e][k];
  if (!is_convex(s->world, e)) return;
  double *turned = sides->turned + sides->start[e];
  dls_solid_turn(&side->solid, &side->pose, turned);
  side->turned = turned;
}

const DlsSide *dls_sides_of(DlsSides *sides, const DlsDetectInput *scene, int e,
                            const DlsBall *ball) {
  DlsSide *side = &sides->side[e];
  unsigned char state = atomic_load_explicit(&sides->state[e], memory_order_acquire);
  if (state == MADE) return side;
  if (state == TO_BE_MADE && atomic_compare_exchange_strong(&sides->state[e], &state, BEING_MADE)) {
    fill(sides, scene, e, ball, side);
    atomic_store_explicit(&sides->state[e], MADE, memory_order_release);
  }
  while (atomic_load_explicit(&sides->state[e], memory_order_acquire) != MADE) sched_yield();
  return side;
}

size_t dls_sides_bytes(const DlsSides *sides) {
  return (sizeof *sides->side + sizeof *sides->state + sizeof *sides->start) *
             (size_t)sides->capacity +
         sizeof *sides->turned * (size_t)sides->turned_capacity;
}

void dls_sides_clear(DlsSides *sides) {
  free(sides->side);
  free(sides->state);
  free(sides->start);
  free(sides->turned);
  *sides = (DlsSides){0};
}
