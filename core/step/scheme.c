/* The list of schemes, and what they share that is small. */
#include "step/step_impl.h"

#include <stddef.h>

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

DlsStatus dls_scheme_accelerate(DlsSimulation *s, const double gravity[3]) {
  const DlsWorld *world = s->world;
  const double h = s->settings.h;
  for (int b = 0; b < world->count; b++) {
    double inverse[3], inertia[9], *v = s->last.free_velocity + 6 * (size_t)b;
    const double *force = s->work.force[b];
    dls_world_inverse_mass(world, b, NULL, inverse, inertia);
    for (int k = 0; k < 3; k++) {
      const double weight = inverse[k] > 0 ? gravity[k] : 0; /* a fixed component does not fall */
      v[k] = world->velocity[b][k] + h * (weight + inverse[k] * force[k]);
      v[3 + k] = world->velocity[b][3 + k] + h * dls_vector_dot(inertia + 3 * k, force + 3);
    }
  }
  return dls_deformables_free_velocity(s, gravity, NULL);
}
