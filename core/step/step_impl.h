/* Shared by the files that make a step. */
#ifndef DELASSUS_STEP_STEP_IMPL_H
#define DELASSUS_STEP_STEP_IMPL_H

#include "assemble/coupling.h"
#include "step/simulation.h"

/* Arrays for the bodies and boundaries of now. */
DlsStatus dls_step_make_room(DlsSimulation *simulation);

/* s: the moment of the step whose loads it takes: its middle, or its end where it is quasi-static.
 */
double dls_step_load_time(const DlsSimulation *simulation);

/* work.force = the loads of the influence at time `middle`, then v_free as the scheme makes it. */
DlsStatus dls_step_free_motion(DlsSimulation *simulation, const double gravity[3], double middle);

/* Of the reduced radius: gaps of this size are nothing but what a solver leaves. */
static const double dls_step_hair = 1e-4;

/* How fast bodies (free velocities) and boundaries are, m/s, and what loads give a body at most in
 * the step; radii of elements, m. */
typedef struct {
  double fastest, gained, smallest, largest;
} DlsStepExtent;
DlsStepExtent dls_step_extent(const DlsSimulation *simulation);

/* How deep an overlap may be for what a solver leaves of u_N, which adds up from step to step, and
 * how fast what is deeper is pushed apart. */
void dls_step_push_apart(const DlsSimulation *simulation, const DlsStepExtent *extent,
                         DlsStepPlan *plan);

/* m: gaps that are looked at whatever the speed, for the laws' ranges or because settings say
 * so. */
DlsStatus dls_step_reach(const DlsSimulation *simulation, double *out);

/* Whether contacts of a body with another, or boundary -1 - antagonist, are frozen. Balls touch at
 * one point, which is where it is. */
bool dls_step_is_frozen(const DlsSimulation *simulation, int candidate, int antagonist);

/* Which contacts of the set are those of the step before, by their features or their place; poses
 * are those that it was detected with. */
DlsStatus dls_step_match(DlsSimulation *simulation, const DlsDetection *where);

/* The contacts of the step, matched with those of the last one. */
DlsStatus dls_step_detect(DlsSimulation *simulation, const DlsDetection *where);

/* The problem of the set as it is now, from the impulses of the `before` contacts it had. */
DlsStatus dls_step_assemble_again(DlsSimulation *simulation, const DlsStepPlan *plan, int before);

/* Newton's loop of deformable bodies that are not linear (newton.c), once the step has been solved
 * about v: it is solved again about its own v+, with the contacts and frames that it has, until
 * these bodies are in balance. Where they do not get there, work.unsettled. */
DlsStatus dls_step_settle(DlsSimulation *simulation, DlsStepPlan *plan, const double gravity[3]);

/* Room for `take`, one for each contact of the set. */
DlsStatus dls_step_make_take(DlsSimulation *simulation);

/* Shows the solved problem to the spectator. */
DlsStatus dls_step_show(DlsSimulation *simulation);

/* For schemes that ask laws for forces: refuses a step that is too long for the stiffness of the
 * contacts, with the one to take; and the longest for two that have just touched. */
DlsStatus dls_stiffness_check(const DlsSimulation *simulation);
DlsStatus dls_stiffness_longest(const DlsSimulation *simulation, DlsStableStep *out);

/* Impulses, states and frames of the contacts of this step, for the next one; and those of the step
 * before. */
DlsStatus dls_step_remember(DlsSimulation *simulation);
DlsAssembleBefore dls_step_before(const DlsSimulation *simulation);

/* Adds to boundary_push the mean forces of this part of the step, times the part of the whole that
 * it is. */
void dls_step_push_boundaries(DlsSimulation *simulation, double part);

/* The correction of positions at the end of a part of the step, once its bodies have moved
 * (correction.c). */
DlsStatus dls_correction_project(DlsSimulation *simulation, const double gravity[3]);

/* Parts of what a scheme's `account` adds: the work of moving boundaries; that of weights and other
 * loads, and what the scheme itself takes. */
void dls_ledger_add_boundaries(DlsSimulation *simulation);
void dls_ledger_add_loads(DlsSimulation *simulation, const double gravity[3],
                          const DlsStepPlan *plan);

/* Energies now, and what the accounts leave unexplained. */
void dls_ledger_close(DlsSimulation *simulation);

/* The body that goes farthest in h seconds in terms of its radius, of a deformable one of its
 * sides, with v and then v+ (velocity, NULL: v alone). */
typedef struct {
  int body;
  double speed, radius; /* m/s, m */
  double ratio;         /* way / radius */
  bool soft;            /* `radius` is the mean side */
} DlsFarthest;
DlsFarthest dls_control_farthest(const DlsSimulation *simulation, double before, double after,
                                 const double *velocity);

/* Poses and velocities at the beginning of a step, to go back to. */
DlsStatus dls_control_save(DlsSimulation *simulation);
void dls_control_restore(DlsSimulation *simulation);
void dls_control_destroy(DlsStepSaved **saved);

/* Deformable bodies (deformables.c); nothing happens where there are none. What is refused: schemes
 * that do not move them, boundaries that they carry. */
DlsStatus dls_deformables_check(const DlsSimulation *simulation);

/* Their part of v_free, and the motion of their centres in front (world/layout.h); those that are
 * not linear about a guess of v+, flat (NULL: v). */
DlsStatus dls_deformables_free_velocity(DlsSimulation *simulation, const double gravity[3],
                                        const double *guess);

/* What is left of their balance at velocities v+ (flat) and pushes of contacts. */
DlsStatus dls_deformables_balance(const DlsSimulation *simulation, const double gravity[3],
                                  const double *velocity, const double *push, DlsBalanceLeft *out);

/* m/s: of the fastest of their elements, at flat velocities. */
double dls_deformables_fastest(const DlsWorld *world, const double *flat);

/* What their elements move with besides their body, for detection; *out is NULL where there are
 * none, and lasts until the next call. */
DlsStatus dls_deformables_drift_of(DlsSimulation *simulation, const double *flat,
                                   const double (**out)[3]);

/* Whether v+ leads no element of theirs farther than `way`, m, from where v_free does. */
bool dls_deformables_stay_close(const DlsSimulation *simulation, double way);

/* They begin a step, before they move; and end it with v+ in work.velocity: what they remember
 * moves on, and the ledger gains what is lost within them and the work of their own loads. */
void dls_deformables_begin(DlsSimulation *simulation, const double gravity[3]);
DlsStatus dls_deformables_finish(DlsSimulation *simulation, const double gravity[3]);

/* The same of the whole step, with all that its parts change: for a step that is cut. */
DlsStatus dls_control_begin(DlsSimulation *simulation);
DlsStatus dls_control_undo(DlsSimulation *simulation);
void dls_control_before_destroy(DlsStepBefore **before);

#endif
