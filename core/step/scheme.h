/* A scheme: how one step goes from (x, v) to (x+, v+), as a table of operations. All schemes are
 *
 *   x_M = x + (h - after) v;   v_free from v and the loads;   contacts are sought at x_M;
 *   v+ = v_free + M^-1 H^T r,  r by the solver or from forces of the laws;   x+ = x_M + after v+
 *
 * and differ in what fills these words. The step itself (step.c), with its parts, its way back and
 * its accounts, asks the table and never which scheme it is. One file per scheme, scheme_....c; one
 * line each in scheme_list.h. A table of one's own is as good: settings.scheme = &mine. */
#ifndef DELASSUS_STEP_SCHEME_H
#define DELASSUS_STEP_SCHEME_H

#include <stdbool.h>

#include "assemble/assemble.h"
#include "step/scheme_list.h"

struct DlsSimulation;

/* The longest stable step where the lightest two bodies of any two materials have just touched. */
typedef struct {
  double longest;         /* s */
  double stiffness, mass; /* N/m; kg, reduced, of those two */
  const char *law;
} DlsStableStep;

/* The step at hand. */
typedef struct {
  double before, after; /* s of motion before and after the change of velocities */
  double spare;         /* m, by which the detection looked farther than to what closes */
  bool instant;         /* the time of an event: no motion and no loads to speak of */
  DlsAssembleStep assemble;
} DlsStepPlan;

/* What the laws are asked for: relations, which the solver makes hold; or forces at a velocity. */
typedef enum { DLS_ASKS_RELATIONS, DLS_ASKS_FORCES } DlsSchemeAsks;

/* What influences give: forces, N and N m; or the velocities that bodies want, in motion without
 * inertia, which has neither forces nor energy. */
typedef enum { DLS_LOADS_ARE_FORCES, DLS_LOADS_ARE_VELOCITIES } DlsSchemeLoads;

typedef struct DlsScheme {
  const char *name, *summary;
  DlsSchemeAsks asks;
  DlsSchemeLoads loads;
  bool takes_theta, takes_signed_gap; /* the settings of these names mean something to it */
  bool takes_correction;              /* positions may be corrected after its step: correction.c */
  bool moves_deformables;             /* its free_velocity has theirs: dls_scheme_accelerate */
  bool takes_cell;                    /* contacts with copies of bodies in a periodic cell */
  bool quasi_static; /* no inertia: loads of the end of the step, no kinetic energy */

  /* DLS_ERR_LAW, with a law to take instead, where the scheme cannot use this one. */
  DlsStatus (*check_law)(const struct DlsScheme *scheme, const DlsLaw *law);

  /* s of a step of h seconds that bodies move with v+; contacts stand where h - after has led. */
  double (*after)(double theta, double h);

  /* Bodies and boundaries go on for so many seconds. */
  void (*move)(struct DlsSimulation *simulation, double seconds);

  /* last.free_velocity from the world's velocities, gravity in m/s2 and the loads, work.force. */
  DlsStatus (*free_velocity)(struct DlsSimulation *simulation, const double gravity[3]);

  /* last.contacts, matched with those of the step before; in plan->assemble, which of them count
   * and what their gaps are worth. */
  DlsStatus (*seek)(struct DlsSimulation *simulation, DlsStepPlan *plan);

  /* last.assembly.solve.r and .u from the assembled problem. */
  DlsStatus (*impulses)(struct DlsSimulation *simulation);

  /* After that, with v+ in work.velocity: contacts that v+ closes. NULL: none are sought. */
  DlsStatus (*look_ahead)(struct DlsSimulation *simulation, const DlsStepPlan *plan);

  /* After that: s from the beginning of the part to the first event in it, 0: it is now, INFINITY:
   * none. The part is then taken anew, so long; at 0 as an instant. NULL: there are no events. */
  DlsStatus (*until_event)(struct DlsSimulation *simulation, const DlsStepPlan *plan,
                           double *seconds);

  /* Adds the works of the step to the ledger; work.velocity holds v+, the world's velocity v. NULL:
   * the scheme knows no energy, and its ledger no balance. */
  DlsStatus (*account)(struct DlsSimulation *simulation, const double gravity[3],
                       const DlsStepPlan *plan);

  /* After the laws have moved their states on: what they store now, in the ledger. NULL: nothing,
   * or counted by `account`. */
  void (*account_stored)(struct DlsSimulation *simulation);

  /* NULL: any step is stable. */
  DlsStatus (*stable_step)(const struct DlsSimulation *simulation, DlsStableStep *out);
} DlsScheme;

#define DLS_SCHEME_DECLARE(code, name, summary) extern const DlsScheme dls_scheme_##code;
DLS_SCHEME_LIST(DLS_SCHEME_DECLARE)
#undef DLS_SCHEME_DECLARE

/* The schemes of the list, in its order; NULL behind the last. */
extern const DlsScheme *const dls_schemes[];

/* ---- What schemes are made of: each fits the member of its name. ---- */

/* Laws that give relations. */
DlsStatus dls_scheme_check_relations(const DlsScheme *scheme, const DlsLaw *law);

/* x <- x + seconds v, rotations alike, boundaries and what they carry too. */
void dls_scheme_move(struct DlsSimulation *simulation, double seconds);

/* v_free = v + h (g + M^-1 F), free components only; of deformable bodies v + M^ ^-1 p
 * (world/deformable_kind.h). */
DlsStatus dls_scheme_accelerate(struct DlsSimulation *simulation, const double gravity[3]);

/* Contacts that may close within the step, at the velocities that the bodies would have without
 * contacts or because others push them a little; the gap term is g+/h, or g/h by the settings. */
DlsStatus dls_scheme_seek_ahead(struct DlsSimulation *simulation, DlsStepPlan *plan);

/* Contacts that are closed where the bodies stand, and those within the range of their laws. */
DlsStatus dls_scheme_seek_closed(struct DlsSimulation *simulation, DlsStepPlan *plan);

/* By the solver of the settings. */
DlsStatus dls_scheme_solve(struct DlsSimulation *simulation);

/* Pairs that the solved velocities close join the problem, which is solved again, until there is
 * none that is new; work.velocity is then v+ of all. For dls_scheme_seek_ahead(). */
DlsStatus dls_scheme_look_ahead(struct DlsSimulation *simulation, const DlsStepPlan *plan);

/* Impulses meet the mean of the velocities before and after (Moreau 1994, eq. 6.5); what the laws
 * store more than before, of what contacts took, is not lost. */
DlsStatus dls_scheme_account_impulses(struct DlsSimulation *simulation, const double gravity[3],
                                      const DlsStepPlan *plan);
void dls_scheme_account_stored(struct DlsSimulation *simulation);

#endif
