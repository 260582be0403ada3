/* The list of schemes, and what they share that is small. */
#include "base/pool.h"
#include "step/step_impl.h"

#include <stddef.h>

enum { BODIES_CHUNK = 1024 };

const DlsScheme *const dls_schemes[] = {
#define ENTRY(code, name, summary) &dls_scheme_##code,
    DLS_SCHEME_LIST(ENTRY)
#undef ENTRY
        NULL};

DlsStatus dls_scheme_check_relations(const DlsScheme *scheme, const DlsLaw *law) {
  DLS_CHECK(law->prepare || law->residual || law->traction, DLS_ERR_LAW,
            "the contact law '%s' gives a force alone, but the scheme %s solves for impulses; "
            "take coulomb, or set time.scheme to explicit",
            law->name, scheme->name);
  return DLS_OK;
}

void dls_scheme_move(DlsSimulation *s, double seconds) {
  dls_world_drift(s->world, seconds);
  for (int b = 0; b < s->world->boundary_count; b++)
    dls_boundary_drift(seconds, &s->world->boundary[b]);
  dls_world_carry(s->world);
}

typedef struct {
  DlsSimulation *s;
  const double *gravity;
} Acceleration;

static void accelerate_some(void *context, size_t begin, size_t end, int lane) {
  DlsSimulation *s = ((const Acceleration *)context)->s;
  const double *gravity = ((const Acceleration *)context)->gravity, h = s->settings.h;
  const DlsWorld *world = s->world;
  (void)lane;
  for (int b = (int)begin; b < (int)end; b++) {
    double inverse[3], inertia[9], *v = s->last.free_velocity + 6 * (size_t)b;
    const double *force = s->work.force[b];
    dls_world_inverse_mass(world, b, NULL, inverse, inertia);
    for (int k = 0; k < 3; k++) {
      const double weight = inverse[k] > 0 ? gravity[k] : 0; /* a fixed component does not fall */
      v[k] = world->velocity[b][k] + h * (weight + inverse[k] * force[k]);
      v[3 + k] = world->velocity[b][3 + k] + h * dls_vector_dot(inertia + 3 * k, force + 3);
    }
  }
}

DlsStatus dls_scheme_accelerate(DlsSimulation *s, const double gravity[3]) {
  Acceleration a = {s, gravity};
  dls_pool_for((size_t)s->world->count, BODIES_CHUNK, accelerate_some, &a);
  return dls_deformables_free_velocity(s, gravity, NULL);
}
