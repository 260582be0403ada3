/* euler: contacts at x, also those that may close, at the velocities that are solved for:
 * u_N + g+/h >= 0; x+ = x + h v+ (Brendel, Unger and Wolf 2004, eqs. 1.10-1.30). */
#include "step/step_impl.h"

static double after(double theta, double h) {
  (void)theta;
  return h;
}

const DlsScheme dls_scheme_euler = {
    DLS_SCHEME_HEAD(euler),
    .asks = DLS_ASKS_RELATIONS,
    .loads = DLS_LOADS_ARE_FORCES,
    .moves_deformables = true,
    .takes_cell = true,
    .takes_correction = true,
    .takes_signed_gap = true,
    .check_law = dls_scheme_check_relations,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = dls_scheme_accelerate,
    .seek = dls_scheme_seek_ahead,
    .impulses = dls_scheme_solve,
    .look_ahead = dls_scheme_look_ahead,
    .account = dls_scheme_account_impulses,
    .account_stored = dls_scheme_account_stored,
};
