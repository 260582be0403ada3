/* Shared by the files that make a step. */
#ifndef DELASSUS_STEP_STEP_IMPL_H
#define DELASSUS_STEP_STEP_IMPL_H

#include "step/simulation.h"

/* How a scheme sees a step. */
typedef struct {
  double before, after; /* s of drift before and after the change of velocities */
  double horizon;       /* s, of detection */
  double spare;         /* m, by which the detection looked farther than to what closes */
  DlsAssembleStep assemble;
} DlsStepPlan;

/* Arrays for the bodies and boundaries of now. */
DlsStatus dls_step_make_room(DlsSimulation *simulation);

/* force = F of the influence without gravity; v_free = v + h (g + M^-1 F), free components only; for first-order
 * motion the desired velocity. */
DlsStatus dls_step_free_motion(DlsSimulation *simulation, const double gravity[3], double middle);

/* The contacts of the step, matched with those of the last one, and which open ones count (plan->assemble.take). */
DlsStatus dls_step_detect(DlsSimulation *simulation, DlsStepPlan *plan);

/* Room for `take`, one for each contact of the set. */
DlsStatus dls_step_make_take(DlsSimulation *simulation);

/* The impulses, by the solver or from the forces of the laws. */
DlsStatus dls_step_solve(DlsSimulation *simulation);
DlsStatus dls_step_evaluate(DlsSimulation *simulation);

/* After the solve, where contacts may close within the step: pairs that the solved velocities close
 * join the problem, which is solved again, until there is none that is new; work.velocity is
 * then v+ of all. */
DlsStatus dls_step_look_ahead(DlsSimulation *simulation, const DlsStepPlan *plan);

/* Shows the solved problem to the spectator. */
DlsStatus dls_step_show(DlsSimulation *simulation);

/* Explicit: refuses a step that is too long for the stiffness of the contacts, with the one to
 * take. */
DlsStatus dls_step_check_stiffness(const DlsSimulation *simulation);

/* Impulses and states of the contacts of this step, for the next one. */
DlsStatus dls_step_remember(DlsSimulation *simulation);

/* Adds to boundary_push the mean forces of this part of the step, times the part of the whole that it is. */
void dls_step_push_boundaries(DlsSimulation *simulation, double part);

/* Works of the step; work.velocity holds v+, the world's v. `after`: s of drift with v+. */
DlsStatus dls_ledger_add_step(DlsSimulation *simulation, const double gravity[3], double after);

/* Energies now, and what the accounts leave unexplained. */
void dls_ledger_close(DlsSimulation *simulation);

/* After dls_assemble_commit(): of what contacts took from the bodies, what their laws store more than before is not
 * lost; what was stored in a contact that is gone, is. */
void dls_ledger_store(DlsSimulation *simulation);

/* The body that goes farthest in h seconds in terms of its radius, with v and then v+ (velocity, NULL: v alone). */
typedef struct {
  int body;
  double speed, radius; /* m/s, m */
  double ratio;         /* way / radius */
} DlsFarthest;
DlsFarthest dls_control_farthest(const DlsSimulation *simulation, double before, double after,
                                 const double (*velocity)[6]);

/* Poses and velocities at the beginning of a step, to go back to. */
DlsStatus dls_control_save(DlsSimulation *simulation);
void dls_control_restore(DlsSimulation *simulation);
void dls_control_destroy(DlsStepSaved **saved);

/* The same of the whole step, with all that its parts change: for a step that is cut. */
DlsStatus dls_control_begin(DlsSimulation *simulation);
DlsStatus dls_control_undo(DlsSimulation *simulation);
void dls_control_before_destroy(DlsStepBefore **before);

#endif
