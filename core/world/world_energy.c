/* Sums over all bodies: energies and momenta. Compensated (Neumaier 1974), because balances to
 * round-off are made of their differences. */
#include "world/deformable.h"

typedef struct {
  double sum, rest;
} Total;

static void add(Total *total, double term) {
  const double sum = total->sum + term;
  total->rest +=
      fabs(total->sum) >= fabs(term) ? (total->sum - sum) + term : (term - sum) + total->sum;
  total->sum = sum;
}

/* About the centre of mass: I w in space axes. */
static void own_momentum(const DlsWorld *world, int i, double out[3]) {
  const DlsDeformable *soft = dls_deformable_of(world, i);
  if (soft) {
    soft->kind->angular_momentum(soft->model, world->deformable.state + soft->state,
                                 world->deformable.velocity + soft->velocity, out);
    return;
  }
  const double *J = world->inertia[i], *spin = world->velocity[i] + 3, *q = world->orientation[i];
  if (world->isotropic[i]) {
    for (int k = 0; k < 3; k++) out[k] = J[k] * spin[k];
    return;
  }
  dls_rotation_apply_inverse(q, spin, out);
  for (int k = 0; k < 3; k++) out[k] *= J[k];
  dls_rotation_apply(q, out, out);
}

double dls_world_body_energy(const DlsWorld *world, int body) {
  const double *v = world->velocity[body];
  const DlsDeformable *soft = dls_deformable_of(world, body);
  double L[3];
  if (soft)
    return soft->kind->kinetic(soft->model, world->deformable.state + soft->state,
                               world->deformable.velocity + soft->velocity);
  own_momentum(world, body, L);
  return 0.5 * (world->mass[body] * dls_vector_dot(v, v) + dls_vector_dot(v + 3, L));
}

double dls_world_kinetic_energy(const DlsWorld *world) {
  Total total = {0, 0};
  for (int i = 0; i < world->count; i++) add(&total, dls_world_body_energy(world, i));
  return total.sum + total.rest;
}

double dls_world_potential_energy(const DlsWorld *world, const double gravity[3]) {
  Total total = {0, 0};
  for (int i = 0; i < world->count; i++)
    add(&total, -world->mass[i] * dls_vector_dot(gravity, world->position[i]));
  return total.sum + total.rest;
}

void dls_world_momentum(const DlsWorld *world, double out[3]) {
  Total total[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int i = 0; i < world->count; i++)
    for (int k = 0; k < 3; k++) add(&total[k], world->mass[i] * world->velocity[i][k]);
  for (int k = 0; k < 3; k++) out[k] = total[k].sum + total[k].rest;
}

void dls_world_angular_momentum(const DlsWorld *world, const double about[3], double out[3]) {
  Total total[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int i = 0; i < world->count; i++) {
    double r[3], orbital[3], own[3];
    for (int k = 0; k < 3; k++) r[k] = world->position[i][k] - about[k];
    dls_vector_cross(r, world->velocity[i], orbital);
    own_momentum(world, i, own);
    for (int k = 0; k < 3; k++) add(&total[k], world->mass[i] * orbital[k] + own[k]);
  }
  for (int k = 0; k < 3; k++) out[k] = total[k].sum + total[k].rest;
}
