/* Sweeps over contacts, for solvers that update one contact at a time. In standard form (û, r̂), on
 * block rows or on body velocities:
 *
 *   assembled  q_i = q̂_i + Σ_{j≠i} Ŵ_ij r̂_j from block rows, stored by columns
 *   factored   û_i = q̂_i + Σ_s gather_s y; after the update y += scatter^T dr
 *              (Moreau 1994, eq. 7.6); between spheres with fewer numbers
 *
 * Invariant of the factored form: y = Σ scatter^T r̂, so the velocity at a contact costs its own
 * rows.
 *
 * A kernel is what runs over the contacts. Those made for one layout ask the operator for its view
 * (problem/operator/operator_impl.h); the two general ones take any operator that has parts, and
 * any at all. The first of the list in sweep.c that fits is taken. */
#ifndef DELASSUS_SOLVERS_KIT_SWEEP_H
#define DELASSUS_SOLVERS_KIT_SWEEP_H

#include <delassus/problem.h>
#include <delassus/solver.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem/coulomb.h"
#include "problem/operator/colours.h"
#include "problem/operator/operator_impl.h"
#include "problem/operator/portions.h"

typedef enum { DLS_SWEEP_AUTO, DLS_SWEEP_ASSEMBLED, DLS_SWEEP_FACTORED } DlsSweepForm;

/* The contacts of a pass: order[0] .. order[count - 1], without an order first .. first + count -
 * 1; from the last one on where it goes backwards. */
typedef struct {
  const int *order;
  int first, count;
  bool backwards;
  int next; /* where the next list begins, as far as that is known; 0: nowhere */
} DlsSweepList;

/* How a contact is updated:
 *
 *   SOLVE      exactly
 *   PROJECT    by one predictor-corrector step r <- P_K(r - rho (û + Γ(û) n)), rho = step / largest
 *              diagonal of Ŵ_ii, spins and torques over ℓ (Sanni et al. 2009, eq. 22)
 *   ALTERNATE  by two: contact, r_N <- max(0, r_N - rho_N û_N), then, û brought up to date,
 *              friction, r_T <- P(r_T - rho_T û_T) on the disc |r_T| <= mu r_N, rolling and torsion
 * on
 *              theirs; rho_N = step / Ŵ_NN, rho_T = step / largest diagonal of the tangents (what
 * eq.
 *              22 stands against). Round discs that do not dilate; any other contact as PROJECT */
typedef enum { DLS_SWEEP_SOLVE, DLS_SWEEP_PROJECT, DLS_SWEEP_ALTERNATE } DlsSweepUpdate;

typedef enum { DLS_KIND_COULOMB, DLS_KIND_DILATANT, DLS_KIND_GENERAL } DlsSweepKind;

typedef struct {
  DlsCoulomb3 local;
  double slip; /* s of the last solve, for the next */
  int64_t kind;
} DlsSweepContact3;

typedef struct {
  DlsCoulomb2 local;
  int64_t kind;
} DlsSweepContact2;

/* A contact between spheres: its block is diagonal. */
typedef struct {
  double inverse_nn, inverse_tt, mu;
  int64_t kind; /* DLS_KIND_COULOMB or DLS_KIND_DILATANT: isotropic; DLS_KIND_GENERAL: any other */
} DlsSweepSphere;

typedef struct DlsSweep DlsSweep;

/* What a cluster adds to what the sweep counts. */
typedef struct {
  double moved2;
  long unsolved, newton_fallbacks;
} DlsSweepTally;

/* Clusters that are done side by side where a kernel can. */
enum { DLS_SWEEP_TOGETHER = 8 };

typedef struct {
  bool on_parts;                         /* on velocities of parts; else on block rows of W */
  bool (*fits)(const DlsOperator *W);    /* whether the operator shows what the kernel reads */
  DlsStatus (*prepare)(DlsSweep *sweep); /* memory, and what is made once */
  /* y += scatter^T r̂ of the contacts of a list; NULL without y. */
  void (*scatter)(DlsSweep *sweep, const DlsSweepList *list, const double *r_hat);
  void (*pass)(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r_hat);
  /* Once over clusters of one colour, side by side, and what they count told; NULL: one after the
   * other, by `pass`. */
  DlsStatus (*pass_clusters)(const DlsSweep *sweep, const int *cluster, int count, bool backwards,
                             double *r_hat);
  /* Of a kernel that keeps no blocks in sweep->D, else NULL: the diagonal block of contact i, and
   * what follows from the blocks, after a change of compliance. */
  void (*block)(const DlsSweep *sweep, int i, double *D);
  void (*soften)(DlsSweep *sweep);
} DlsSweepKernel;

extern const DlsSweepKernel dls_sweep_on_spheres, dls_sweep_on_supports, dls_sweep_on_parts,
    dls_sweep_on_rows;

struct DlsSweep {
  const DlsSweepKernel *kernel;
  const void *view;          /* of the operator, for kernels made for one layout */
  const DlsProblem *problem; /* lent for the life of the sweep */
  int contacts, block;
  void *memory;     /* of the arrays below, but for `sphere` and `compliance` */
  int factored;     /* on velocities of parts */
  bool same_bodies; /* some contact may stand on one part twice; of the kernel of spheres */
  double *D;        /* diagonal blocks of Ŵ, row-major; NULL where the kernel keeps none */
  DlsSweepContact3 *contact3; /* block 3 */
  DlsSweepContact2 *contact2; /* block 2 */
  DlsSweepSphere *sphere;     /* spheres */
  int *start, *column;        /* off-diagonal block rows, blocks column-major */
  double *value;
  double *y;         /* on parts: their scaled velocities */
  size_t velocities; /* length of y that belongs to parts */
  int *place; /* [parts + 1]: where the velocities of a part begin in y; NULL: `stride` apart */
  int stride;
  const DlsColours *colours; /* the order of a pass; NULL: that of the contacts */
  DlsColours own_colours;    /* the same, where they are not the operator's */
  DlsSweepTally *tally;      /* of each cluster, in a pass */
  DlsPattern pattern;        /* which parts contacts touch; of the general kernel */
  const double *q;           /* q̂; the problem's, or with an anchor */
  const double *compliance;  /* C by component, or NULL; the problem's, or with an anchor */
  double *anchor;            /* [3][contacts][block]: alpha D, C and q̂ with an anchor; or NULL */
  double omega;              /* relaxation */
  double step;               /* of DLS_SWEEP_PROJECT and ALTERNATE */
  DlsSweepUpdate update;
  double moved2;         /* Σ |Δr̂|² over the last call of dls_sweep_pass */
  DlsStatus status;      /* of the first law that failed in a pass; its sentence is kept */
  long unsolved;         /* one-contact problems for which no solution was found, ever */
  long newton_fallbacks; /* times that Newton's method did what a law's own solve could not */
};

/* Allocates and prepares; AUTO takes body velocities when the problem's operator has them. */
DlsStatus dls_sweep_create(const DlsProblem *problem, DlsSweepForm form, DlsSweep **out);
void dls_sweep_destroy(DlsSweep *sweep);

/* From now on passes go by the colours of clusters of `size` contacts (colours.h), with as many
 * threads as there are; 0: of the size that the number of contacts suggests, which for few contacts
 * is all of them. Without a call they go in the order of the contacts, by one thread. */
DlsStatus dls_sweep_colour(DlsSweep *sweep, int size);

/* From now on the sweeps solve the problem with û + alpha D (r̂ - r̂_0), a proximal step from r̂_0:
 * D is W_NN, for moments their own diagonal of Ŵ. Hold once, then anchor as often as r̂_0
 * changes. */
DlsStatus dls_sweep_hold(DlsSweep *sweep, double alpha);
void dls_sweep_anchor(DlsSweep *sweep, const double *r_hat);

/* y from r_hat anew (no effect on the assembled form). Before the first pass, and against drift. */
void dls_sweep_refresh(DlsSweep *sweep, const double *r_hat);

/* After a first pass: a guess far larger than what it has left its round-off in y, which is then
 * made anew. */
void dls_sweep_settle(DlsSweep *sweep, const double *r_hat);

/* The diagonal of Ŵ by component; the length of y, 0 on the assembled form. */
void dls_sweep_diagonal(const DlsSweep *sweep, double *diagonal);
size_t dls_sweep_body_numbers(const DlsSweep *sweep);

/* Where the velocities of a part begin in y. */
DLS_INLINE size_t dls_sweep_place(const DlsSweep *sweep, int part) {
  return sweep->place ? (size_t)sweep->place[part] : (size_t)part * (size_t)sweep->stride;
}

/* `passes` times over all contacts: by colours where the sweep has them, or in the order
 * order[0 .. contacts - 1], by one thread; backwards when asked. */
void dls_sweep_pass(DlsSweep *sweep, const int *order, int backwards, long passes, double *r_hat);

/* Parts the problem among ranks (problem/parted.h), where this sweep can be shared and the measure
 * of the limits too: by the operator's own colours, on parts of one size. Until dls_problem_join()
 * passes, refreshes and measures are done by all together, and y is right for the parts that this
 * rank has. */
DlsStatus dls_sweep_share(const DlsSweep *sweep, const DlsLimits *limits, bool *parted);

/* Those who share it now, or NULL: then each does all. y by parts, as they want it. */
DlsPortions *dls_sweep_portions(const DlsSweep *sweep);
DlsSharedRows dls_sweep_rows(const DlsSweep *sweep);

/* Over the contacts of a list alone, once, from within a cluster: `part` is a copy of the sweep,
 * whose counts begin at 0. */
void dls_sweep_some(DlsSweep *part, const DlsSweepList *list, double *r_hat);

/* For work on a cluster of sweep->colours: its contacts; a copy of the sweep that counts from 0,
 * its status that of the cluster; and its counts, which are added up in the order of the clusters
 * when all are done. */
DlsSweepList dls_sweep_cluster(const DlsSweep *sweep, int cluster, bool backwards);
DlsSweep dls_sweep_part(const DlsSweep *sweep);
void dls_sweep_tell(const DlsSweep *part, int cluster);
void dls_sweep_clear_tallies(DlsSweep *sweep);
void dls_sweep_add_tallies(DlsSweep *sweep);

/* The update of contact i by the general way: q_local is û_i without the contact's own reaction. */
void dls_sweep_general(DlsSweep *sweep, int i, const double *q_local, double *r);

/* For kernels: one piece of memory for all arrays, with `blocks` off the diagonal and `velocities`
 * of parts; then the diagonal blocks and what follows from them. */
DlsStatus dls_sweep_take_memory(DlsSweep *sweep, size_t blocks, size_t velocities);
void dls_sweep_prepare_contacts(DlsSweep *sweep);

/* The diagonal block of contact i: D of the sweep, or `room` [9] filled by a kernel that keeps
 * none. */
const double *dls_sweep_block(const DlsSweep *sweep, int i, double *room);

/* The n-th contact of a pass. */
DLS_INLINE int dls_sweep_contact(const DlsSweepList *list, int n) {
  const int place = list->backwards ? list->count - 1 - n : n;
  return list->order ? list->order[place] : list->first + place;
}

/* r <- r + omega (next - r); exactly `next` when omega is 1. */
DLS_INLINE void dls_sweep_relax(int block, double omega, const double *next, double *r) {
  if (omega == 1)
    for (int k = 0; k < block; k++) r[k] = next[k];
  else
    for (int k = 0; k < block; k++) r[k] += omega * (next[k] - r[k]);
}

/* A sphere's block is diagonal: the reaction moves by -u over the diagonal, and is cut at the cone.
 * inverse_nn, inverse_tt in kg. */
DLS_INLINE void dls_sweep_cut(double inverse_nn, double inverse_tt, double mu, double omega,
                              const double *restrict u, double *restrict r) {
  const double normal = r[0] - u[0] * inverse_nn;
  double next[3] = {0, 0, 0};
  if (normal > 0) {
    const double t1 = r[1] - u[1] * inverse_tt, t2 = r[2] - u[2] * inverse_tt;
    const double size2 = t1 * t1 + t2 * t2, limit = mu * normal;
    const double scale = size2 > limit * limit ? limit / sqrt(size2) : 1.0;
    next[0] = normal;
    next[1] = t1 * scale;
    next[2] = t2 * scale;
  }
  dls_sweep_relax(3, omega, next, r);
}

/* Passes in the order of the contacts, as many as end before the deadline, in s of
 * dls_ledger_now(), INFINITY for none; a law that fails ends them. Returns how many there were. */
long dls_sweep_passes(DlsSweep *sweep, long passes, double deadline, double *r_hat);

#endif
