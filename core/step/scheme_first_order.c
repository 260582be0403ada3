/* first-order: no inertia of motion: v+ is the velocity nearest to the desired one that contacts
 * allow, in the norm of the masses; x+ = x + h v+ (Maury's crowd motion). */
#include "step/step_impl.h"

#include <string.h>

static double after(double theta, double h) {
  (void)theta;
  return h;
}

/* The loads are the desired velocities. */
static DlsStatus desire(DlsSimulation *s, const double gravity[3]) {
  (void)gravity;
  memcpy(s->last.free_velocity, s->work.force, (size_t)s->world->count * sizeof *s->work.force);
  return DLS_OK;
}

const DlsScheme dls_scheme_first_order = {
    DLS_SCHEME_HEAD(first_order),
    .asks = DLS_ASKS_RELATIONS,
    .loads = DLS_LOADS_ARE_VELOCITIES,
    .takes_signed_gap = true,
    .check_law = dls_scheme_check_relations,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = desire,
    .seek = dls_scheme_seek_ahead,
    .impulses = dls_scheme_solve,
    .look_ahead = dls_scheme_look_ahead,
};
