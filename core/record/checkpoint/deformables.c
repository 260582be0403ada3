/* Deformable bodies as vectors of a checkpoint, and back: their numbers, in the order of their
 * bodies. What they are made of, meshes and bulk laws, is the simulation's own, which has to have
 * them already. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "record/checkpoint/checkpoint_impl.h"
#include "world/deformable.h"

DlsStatus dls_snapshot_make_deformables(DlsSnapshot *s, int count, int velocities, int states) {
  s->deformables = count, s->soft_velocities = velocities, s->soft_states = states;
  DLS_NEW(s->soft_id, count);
  DLS_NEW(s->soft_size, 2 * (size_t)count);
  DLS_NEW(s->soft_digest, count);
  DLS_NEW(s->soft_velocity, velocities);
  DLS_NEW(s->soft_state, states);
  return DLS_OK;
}

DlsStatus dls_snapshot_take_deformables(const DlsWorld *world, DlsSnapshot *out) {
  const DlsDeformables *all = &world->deformable;
  DLS_TRY(dls_snapshot_make_deformables(out, all->count, all->velocities, all->states));
  for (int k = 0; k < all->count; k++) {
    const DlsDeformable *d = &all->item[k];
    out->soft_id[k] = world->id[d->body];
    out->soft_size[2 * k] = d->size.velocities;
    out->soft_size[2 * k + 1] = d->size.states;
    out->soft_digest[k] = dls_deformable_digest(d);
  }
  dls_memory_copy(out->soft_velocity, all->velocity, (size_t)all->velocities,
                  sizeof *out->soft_velocity);
  dls_memory_copy(out->soft_state, all->state, (size_t)all->states, sizeof *out->soft_state);
  return DLS_OK;
}

/* Of the file alone. */
DlsStatus dls_snapshot_check_deformables(const DlsSnapshot *s, const char *path) {
  long long velocities = 0, states = 0;
  for (int k = 0; k < s->deformables; k++) {
    const int32_t *size = s->soft_size + 2 * k;
    const int body = dls_world_find(s->world, s->soft_id[k]);
    DLS_CHECK(body >= 0 && (k == 0 || s->soft_id[k] > s->soft_id[k - 1]), DLS_ERR_FORMAT,
              "%s: /deformable/id: deformable body %d is none of the bodies, or out of order", path,
              k);
    DLS_CHECK(s->world->fixed[body] == (s->dim == 2 ? DLS_FIXED_IN_PLANE : 0), DLS_ERR_FORMAT,
              "%s: /bodies/fixed: body %d is deformable and has fixed components", path, body);
    DLS_CHECK(size[0] > 0 && size[1] >= 0, DLS_ERR_FORMAT,
              "%s: /deformable/size: deformable body %d has %d velocities and %d states", path, k,
              (int)size[0], (int)size[1]);
    velocities += size[0], states += size[1];
  }
  DLS_CHECK(velocities == s->soft_velocities && states == s->soft_states, DLS_ERR_FORMAT,
            "%s: /deformable/size: tells of %lld velocities and %lld states, there are %d and %d",
            path, velocities, states, s->soft_velocities, s->soft_states);
  DLS_CHECK(dls_small_finite(s->soft_velocities, s->soft_velocity), DLS_ERR_FORMAT,
            "%s: /deformable/velocity: a number is not finite", path);
  DLS_CHECK(dls_small_finite(s->soft_states, s->soft_state), DLS_ERR_FORMAT,
            "%s: /deformable/state: a number is not finite", path);
  return DLS_OK;
}

/* Whether the body is the one whose numbers stand at k of the file. */
static DlsStatus check_body(const DlsSnapshot *s, const char *path, int k, const DlsDeformable *d) {
  const int32_t *size = s->soft_size + 2 * k;
  const int elements = s->world->first[d->body + 1] - s->world->first[d->body];
  DLS_CHECK(size[0] == d->size.velocities && size[1] == d->size.states, DLS_ERR_ARGUMENT,
            "%s: /deformable/size: body %llu had %d velocities and %d states, and is a %s of %d "
            "and %d now; go on with the deck and the meshes of that run",
            path, (unsigned long long)s->soft_id[k], (int)size[0], (int)size[1], d->kind->name,
            d->size.velocities, d->size.states);
  DLS_CHECK(s->soft_digest[k] == dls_deformable_digest(d), DLS_ERR_ARGUMENT,
            "%s: /deformable/digest: the mesh of body %llu, a %s, is not that of the run, or other "
            "nodes of it are held; go on with the deck and the meshes of that run",
            path, (unsigned long long)s->soft_id[k], d->kind->name);
  DLS_CHECK(elements == d->size.elements, DLS_ERR_FORMAT,
            "%s: /bodies/first: body %llu, a %s of %d elements, has %d", path,
            (unsigned long long)s->soft_id[k], d->kind->name, d->size.elements, elements);
  return DLS_OK;
}

DlsStatus dls_snapshot_put_deformables(const DlsSnapshot *s, const char *path, const DlsWorld *from,
                                       DlsDeformables *out) {
  int *body;
  DLS_NEW(body, s->deformables);
  for (int k = 0; k < s->deformables; k++) body[k] = dls_world_find(s->world, s->soft_id[k]);
  DlsStatus status = dls_deformables_choose(from, s->deformables, s->soft_id, body, out);
  free(body);
  if (status != DLS_OK) return dls_fail_context(status, "%s: /deformable/id", path);
  for (int k = 0; k < s->deformables; k++) DLS_TRY(check_body(s, path, k, &out->item[k]));
  dls_memory_copy(out->velocity, s->soft_velocity, (size_t)s->soft_velocities,
                  sizeof *out->velocity);
  dls_memory_copy(out->state, s->soft_state, (size_t)s->soft_states, sizeof *out->state);
  return DLS_OK;
}
