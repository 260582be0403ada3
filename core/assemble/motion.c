/* What is known of the motions of a step before it is solved: how fast things are, and whether some
 * motion obeys every contact. Where one does, nothing can be squeezed (delassus/squeeze.h), and no
 * one need look for it. */
#include "assemble/motion.h"

#include "base/pool.h"
#include "world/layout.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_TRIED = 4, SPEEDS_CHUNK = 512 }; /* boundaries whose motion is tried; contacts */

/* All bodies move with a boundary, velocity V at x and spin W, but for restitution: v = V - rho (v-
 * - V). Then u = (1 + rho) (H V + w) - rho u-, which rebounds as laws with that rho want it. */
typedef struct {
  const DlsBoundary *with; /* NULL: all are at rest */
  double rho;
} Trial;

typedef struct {
  const DlsAssembly *a;
  _Atomic double fastest; /* the largest of all, in whatever order they come */
} Speeds;

static void find_fastest(void *context, size_t begin, size_t end, int lane) {
  Speeds *speeds = context;
  const DlsAssembly *a = speeds->a;
  const DlsWorld *world = a->step.world;
  const double(*v_free)[6] = dls_layout_six(a->step.asked.free_velocity);
  double fastest = 0, before = atomic_load(&speeds->fastest);
  (void)lane;
  for (size_t i = begin; i < end; i++) {
    const int c = a->step.in_set[i], antagonist = a->step.set->antagonist[c];
    const double *other =
        antagonist >= 0 ? v_free[antagonist] : world->boundary[-1 - antagonist].velocity;
    fastest = fmax(fastest, dls_vector_norm(v_free[a->step.set->candidate[c]]));
    fastest = fmax(fastest, dls_vector_norm(other));
    if (antagonist < 0) fastest = fmax(fastest, fabs(world->boundary[-1 - antagonist].growth));
    for (size_t k = 0; k < (size_t)a->run.block; k++)
      fastest = fmax(fastest, fabs(a->step.w[i * (size_t)a->run.block + k]));
  }
  while (fastest > before && !atomic_compare_exchange_weak(&speeds->fastest, &before, fastest))
    continue;
}

static double fastest_of(const DlsAssembly *a) {
  const DlsWorld *world = a->step.world;
  double fastest = 0;
  for (int k = 0; k < world->deformable.count && a->step.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const double *v = a->step.asked.free_velocity + dls_layout_start(world, d->body);
    fastest = fmax(fastest, dls_deformable_speed(world, d, v, (const double[3]){0, 0, 0}));
  }
  Speeds speeds = {a, fastest};
  dls_pool_for((size_t)a->step.count, SPEEDS_CHUNK, find_fastest, &speeds);
  return atomic_load(&speeds.fastest);
}

/* Whether the body takes on any velocity; a deformable one may be held somewhere. */
static bool is_free(const DlsWorld *world, int body) {
  const int plane = DLS_FIXED_X | DLS_FIXED_Y | DLS_FIXED_TURN_Z;
  return !(world->fixed[body] & (world->dim == 2 ? plane : DLS_FIXED_ALL)) &&
         !dls_deformable_of(world, body);
}

/* (H V + w)_N of contact i; *known: false where a body cannot move so. Bodies that move as one do
 * not meet each other. */
static double meeting_speed(const DlsAssembly *a, const Trial *trial, int i, bool *known) {
  const int c = a->step.in_set[i], antagonist = a->step.set->antagonist[c];
  const double w = a->step.w[(size_t)i * (size_t)a->run.block];
  double velocity[3];
  if (!trial->with) return w;
  *known = *known && is_free(a->step.world, a->step.set->candidate[c]) &&
           (antagonist >= 0 ? is_free(a->step.world, antagonist)
                            : dls_world_carrier(a->step.world, -1 - antagonist) < 0);
  if (antagonist >= 0) return w;
  dls_boundary_velocity(trial->with, a->step.set->point[c], velocity);
  return w + dls_vector_dot(velocity, a->step.set->frame[c]);
}

/* Whether û of the trial is admissible at every contact that asks for something. */
static bool obeys(const DlsAssembly *a, const Trial *trial, double nothing) {
  bool known = true;
  for (int i = 0; i < a->step.count && known; i++) {
    const DlsRelation *relation = dls_assemble_relation(a, i);
    const DlsCone cone = relation->cone;
    if (cone == DLS_CONE_FREE || cone == DLS_CONE_CUSTOM || relation->C[0] > 0) continue;
    if (cone == DLS_CONE_BILATERAL || cone == DLS_CONE_SLIDER) return false; /* not looked into */
    const double u = (1 + trial->rho) * meeting_speed(a, trial, i, &known) -
                     trial->rho * a->step.u_before[(size_t)i * (size_t)a->run.block] +
                     relation->b[0];
    if (!(u >= -nothing)) return false;
  }
  return known;
}

/* The largest restitution that the laws ask for: b_N = rho u-_N of what comes near. */
static double restitution_of(const DlsAssembly *a) {
  double rho = 0;
  for (int i = 0; i < a->step.count; i++) {
    const double before = a->step.u_before[(size_t)i * (size_t)a->run.block];
    const double b = dls_assemble_relation(a, i)->b[0];
    if (b < 0 && before < 0) rho = fmax(rho, b / before);
  }
  return rho;
}

void dls_motion_tell(const DlsAssembly *a) {
  const double speed = fastest_of(a), nothing = 1e-12 * speed, rho = restitution_of(a);
  Trial trials[2 * (MOST_TRIED + 1)] = {{.with = NULL}, {.with = NULL, .rho = rho}};
  int count = 2;
  for (int b = 0; b < a->step.world->boundary_count && count < 2 * MOST_TRIED; b++) {
    const DlsBoundary *boundary = &a->step.world->boundary[b];
    if (dls_vector_norm(boundary->velocity) + dls_vector_norm(boundary->velocity + 3) == 0)
      continue;
    trials[count++] = (Trial){.with = boundary};
    if (rho > 0) trials[count++] = (Trial){.with = boundary, .rho = rho};
  }
  dls_problem_set_speed(a->solve.problem, speed);
  for (int k = 0; k < count; k++)
    if (obeys(a, &trials[k], nothing)) {
      dls_problem_promise_motion(a->solve.problem);
      return;
    }
}
