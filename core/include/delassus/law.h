/* What a contact law is. This header alone is enough to write one: a law is one constant DlsLaw
 * behind one exported function, built as a shared object, linked with nothing of ours.
 *
 * Functions of a law are pure: no globals, no printing, no memory. History lives in `state`, which
 * the core owns, keeps with the contact's identity, saves and restores. A function returns DLS_OK,
 * or DLS_ERR_LAW when it cannot answer; the core then says which law, at which contact. Numbers
 * that are not finite are refused in the same way. */
#ifndef DELASSUS_LAW_H
#define DELASSUS_LAW_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <delassus/relation.h>
#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct of this header or of relation.h changes its meaning or its layout. */
#define DLS_LAW_ABI  3
#define DLS_LAW_HEAD .abi = DLS_LAW_ABI, .size = (uint32_t)sizeof(DlsLaw)

#define DLS_NO_BOUND HUGE_VAL /* as .max; -DLS_NO_BOUND as .min */

/* Numbers by measurement: y against x, row by row, straight lines between them; what is beyond the
 * first and the last row is as `beyond` says. dls_law_table_at() reads it. */
typedef struct {
  int rows;            /* from 2 on; 0: there is no such table */
  int beyond;          /* DLS_TABLE_HOLD ... */
  const double *x, *y; /* [rows], SI, finite; x grows from row to row */
} DlsLawTable;

enum {
  DLS_TABLE_HOLD, /* y stays what it is in the first and the last row */
  DLS_TABLE_LINE, /* the first and the last straight line go on */
};

/* What the core tells a law of one contact at the start of a step. Frame: n points from the
 * antagonist to the candidate. Everything SI.
 *
 * gap_rate is the velocity that the gap stands for: u_N = -gap_rate would just close it by the end
 * of the step. Where bodies are apart it is gap / h > 0. Where they touch or overlap it is
 *   moreau, explicit    0
 *   euler, first-order  0 down to a small overlap; below it negative, what drives them apart, at
 *                       most at a speed of the scheme's choice
 *   with signed gaps    gap / h, whatever its sign (time.signed_gap of a deck) */
typedef struct {
  int dim;                        /* 2 or 3, the space */
  int block;                      /* 2, 3, 5 or 6 components of u and r */
  double time;                    /* s, at the start of the step */
  double h;                       /* s, the step; > 0 */
  double gap;                     /* m; > 0 apart, < 0 interpenetrated */
  double gap_rate;                /* m/s; the scheme's part of u_N, below */
  double u_before[DLS_MAX_BLOCK]; /* u at the start of the step */
  double radius;                  /* m; reduced radius 1/(1/R1 + 1/R2); 0 unknown */
  double mass;                    /* kg; reduced mass 1/W_NN; 0 unknown */
  double frame[3][3];             /* rows n, t1, t2 in space axes (2-D: n, t) */
  double axes[2][3][3];           /* rows: material axes of antagonist and candidate, space axes */

  double area;     /* m2: what this point stands for of the surface, in 2-D its length times the
                      thickness; 0 unknown */
  double point[3]; /* m, where the reaction acts */

  /* Of antagonist and candidate, in this order. */
  double radii[2];         /* m, there; 0 flat or unknown */
  const char *material[2]; /* their names in the deck; NULL unknown */
  int64_t body[2];         /* its id, as in frames; of a boundary minus its own, < 0 */
  int deformable[2];       /* 1: a body that is not rigid */
  double spin[2][3];       /* rad/s, at the start of the step, space axes */

  /* rad: how the pair as a whole turned since the step before, space axes: the turn of n, and about
   * n the mean of both spins. Zero in the first step of a contact, and for laws that keep no vector
   * of the contact plane (states of kind DLS_TANGENT or DLS_JUMP), alone or together. */
  double turn[3];

  /* What the law lists in .fields and .surfaces, of antagonist and candidate; NULL where it lists
   * none. */
  const double *fields[2];  /* [nfields], at the point, at the start of the step */
  const double *surface[2]; /* [nsurfaces], at the start of the step */

  const DlsLawTable *tables; /* [ntables], those that the law lists in .tables; NULL: none */
} DlsContact;

/* Two bodies that may meet, for `range`. */
typedef struct {
  int dim;
  double radius;             /* m, reduced, as in DlsContact; 0 unknown */
  double radii[2];           /* m; 0 flat or unknown */
  const DlsLawTable *tables; /* as in DlsContact */
} DlsPair;

/* What a state variable is, in .kind. Two that follow each other are DLS_TANGENT together: the
 * components along t1 and t2 of one vector in the contact plane (in 2-D the second stays 0). The
 * core turns it with the pair, so that a law finds it in the frame of now and writes it in that
 * frame: it is objective, and no law has to project anything.
 * DLS_JUMP is such a vector to which the core itself adds the slip, for `traction`. */
enum { DLS_SCALAR, DLS_TANGENT, DLS_JUMP };

/* A parameter or a state variable: {"mu", "1", "friction coefficient", .value = 0.3, .min = 0,
 * ...}. For a parameter .value is the default, for a state variable the value of a new contact.
 * Bounds are inclusive; -DLS_NO_BOUND and DLS_NO_BOUND stand for none. */
typedef struct {
  const char *name;
  const char *unit; /* "1" for a pure number */
  const char *meaning;
  double value, min, max;
  int kind; /* of a state variable: DLS_SCALAR ... */
} DlsParam;

/* Both rows of a vector in the contact plane: DLS_VECTOR_STATE("spring", "m", "elongation",
 * DLS_TANGENT) declares spring_1 and spring_2. */
#define DLS_VECTOR_STATE(name_, unit_, meaning_, kind_)                                            \
  {name_ "_1", unit_, meaning_ " along t1", 0, -DLS_NO_BOUND, DLS_NO_BOUND, kind_}, {              \
    name_ "_2", unit_, meaning_ " along t2", 0, -DLS_NO_BOUND, DLS_NO_BOUND, kind_                 \
  }

/* A table that a law wants, which a deck gives by a CSV file or by its numbers:
 *   {.name = "friction", .meaning = "friction coefficient against the speed of sliding",
 *    .x = {"speed", "m/s", "of sliding", .min = 0, .max = DLS_NO_BOUND},
 *    .y = {"mu", "1", "friction coefficient", .min = 0, .max = DLS_NO_BOUND},
 *    .standard = {2, DLS_TABLE_HOLD, speeds, coefficients}}
 * x and y say what the columns are called, in which unit the law wants them and within which bounds
 * each number is; their .value is not read. */
typedef struct {
  const char *name;
  const char *meaning;
  DlsParam x, y;
  int rising;           /* 1: y never falls from row to row; a table in which it does is refused */
  int optional;         /* 1: where a deck gives none there is none; `delassus law check` tries the
                           law with the one below, and without */
  DlsLawTable standard; /* where a deck gives none; its .beyond is that of every other, too */
} DlsTableParam;

/* Which blocks a law can serve: .blocks = DLS_BLOCK(2) | DLS_BLOCK(3). 0 stands for every block. A
 * law that needs spins serves 3 (for 2-D) and 6, or 5, but not 2; it is then given no 3 in 3-D. */
#define DLS_BLOCK(components) (1u << (components))

/* What a law says of itself beyond its formula, in .claims; `delassus law check` puts each to the
 * test, besides what holds for every law. */
enum {
  DLS_CLAIM_COMPLETE = 1,    /* Moreau's completeness: a closed contact never ends with û_N < 0 */
  DLS_CLAIM_HOMOGENEOUS = 2, /* velocities times s give impulses times s, for every s > 0, at the
                                default parameters: options that set a speed may end it */
  DLS_CLAIM_SWAP = 4,        /* the two bodies may change places */
  DLS_CLAIM_CLOCK = 8,       /* it looks at c->time: what it answers depends on when. Without this
                                the same path at another time gives the same */
  DLS_CLAIM_PLAIN = 16,      /* it looks at the contact, not at the two bodies: axes, radii,
                                material, body, deformable and spin are not read. The core may then
                                leave them out, which is faster: 0 and NULL, unless a law that acts
                                with it asks for them */
};

/* Where the numbers of .surfaces live. */
enum {
  DLS_SURFACE_BODY,  /* one set for each body or boundary */
  DLS_SURFACE_PATCH, /* one for each patch of its surface, in its own axes; docs/law-author.md */
};

typedef struct DlsLaw {
  uint32_t abi, size; /* DLS_LAW_HEAD, always the first two fields */
  const char *name;   /* [a-z][a-z0-9-]*, the name in decks and of the file name.so */
  const char *summary;
  const char *description; /* may be NULL */
  const char *references;
  const DlsParam *params;
  int nparams;
  const DlsParam *states;
  int nstates;
  uint32_t blocks;
  uint32_t claims;      /* DLS_CLAIM_... joined by | */
  const char *maturity; /* "experimental", "verified" (analytic answers) or "validated" (published
                           results); NULL: experimental */

  /* 1 where the law may follow another in a deck's list, such as `law: [coulomb, capillary]`. Its
   * prepare then finds the relation of the laws before it in *out, and adds what is its own: the
   * terms of the gap and of restitution are the first law's.
   * Alone it finds *out zeroed, whose cone is DLS_CONE_FREE. */
  int composes;

  /* Numbers of places that the law wants to know, such as a temperature: name, unit, meaning, and
   * the value where a deck says nothing. Bodies, boundaries or formulas of a deck give them. */
  const DlsParam *fields;
  int nfields;

  /* Measured curves that the law follows; it finds them in c->tables, and in those of the pair. */
  const DlsTableParam *tables;
  int ntables;

  /* Numbers of surfaces that outlive a contact, such as a worn depth: as states, but of each side.
   * The core keeps them, writes them to frames and checkpoints, and changes them by `surface`. */
  const DlsParam *surfaces;
  int nsurfaces;
  int surface_scope; /* DLS_SURFACE_BODY or DLS_SURFACE_PATCH */

  /* What the law tells of a contact besides its reaction, by `report`: words for its status, and
   * numbers with name, unit and meaning; both are written to frames. */
  const char *const *statuses;
  int nstatuses;
  const DlsParam *outputs;
  int noutputs;

  /* Optional: m, the gap up to which the law acts, >= 0; without it 0. It may depend on the radii,
   * and then grows or falls with each of them throughout. Contacts within it are in the problem
   * also where the scheme would leave open ones out, and keep their state. Beyond it a contact may
   * still be seen, by schemes that look ahead or because another law reaches farther: the law then
   * gives what holds at that gap. */
  double (*range)(const DlsPair *pair, const double *params);

  /* Optional, before all else in a step: the direction that t1 shall have, in space axes, for
   * cones that are not round; the core projects it into the tangent plane and turns the frame. A
   * zero vector, or one along n, leaves the frame as it is. u_before and mass are not known yet.
   * Not called in 2-D. */
  DlsStatus (*orient)(const DlsContact *c, const double *params, double t1[3]);

  /* Optional: the state of a contact that has just been found; arrives with the values of the
   * table. */
  DlsStatus (*begin)(const DlsContact *c, const double *params, double *state);

  /* The canonical relation of this step; *out arrives zeroed (but see composes). Required, unless
   * `traction`, `residual` or `force` is there. A custom law may have both, and sets out->cone =
   * DLS_CONE_CUSTOM in the steps that need it. */
  DlsStatus (*prepare)(const DlsContact *c, const double *params, const double *state,
                       DlsRelation *out);

  /* Traction of a jump, for laws whose force follows from where the bodies are and how they move:
   * implicit schemes solve r = h A t(jump, u), jump = jump before + h u, and the explicit one takes
   * the force A t at the jump of its step; A is 1, or c->area where .per_area is 1. The core makes
   * the relation, its derivatives and its one-contact solve, and commits `next`: no other function
   * is needed.
   *   jump  [block]  m: [0] the gap; [1], [2] the slip of this step, with the states of kind
   *                  DLS_JUMP, where the law has such, the slip since the contact began; of spins
   *                  the angle of this step, rad
   *   u     [block]  m/s, rad/s
   *   t     [block]  on the candidate: N, N m; with .per_area Pa and N m / m2. t_N > 0 pushes
   *   dt_djump, dt_du [block][block], row-major, an element of the generalised derivatives; NULL
   *                  together: not wanted
   *   next  [nstates] the state, if the step ends so; arrives as `state`, with the new jump in the
   *                  states of kind DLS_JUMP; NULL: not wanted */
  DlsStatus (*traction)(const DlsContact *c, const double *params, const double *state,
                        const double *jump, const double *u, double *t, double *dt_djump,
                        double *dt_du, double *next);
  int per_area; /* 1: t is a stress; a contact whose area is unknown is then refused */

  /* Custom law: F(u, r) = 0 is the relation, F of `block` components in N s; dF_du and dF_dr are
   * an element of its generalised derivative, row-major block x block. dF_du may be NULL together
   * with dF_dr: then only F is asked for. */
  DlsStatus (*residual)(const DlsContact *c, const double *params, const double *state,
                        const double *u, const double *r, double *F, double *dF_du, double *dF_dr);

  /* Custom law, optional: the one-contact problem u = D r + q, F(u, r) = 0, D row-major. r holds a
   * guess on entry. Without it the core does Newton's method on `residual`. */
  DlsStatus (*solve)(const DlsContact *c, const double *params, const double *state,
                     const double *D, const double *q, double *r);

  /* Custom law, optional, for the projection solvers: one step r <- P(r - rho û) at velocity u,
   * where P and û (u with the gap, restitution ...) are the law's own. r is the reaction on entry
   * and the new one, admissible, on return; rho > 0 in kg. A fixed point is a solution. Of torques
   * and spins rho is the same number, in kg m2: P is the nearest point by |r|² with N s and N m s
   * as they are, which is what solvers that weigh r against u by rho (admm) rely on. */
  DlsStatus (*project)(const DlsContact *c, const double *params, const double *state,
                       const double *u, double rho, double *r);

  /* For the explicit scheme: the force, N (torques N m), of `block` components, that acts on the
   * candidate at this gap and velocity u; commit then gets r = h force. */
  DlsStatus (*force)(const DlsContact *c, const double *params, const double *state,
                     const double *u, double *force);

  /* Optional, after a step that ended with (u, r): the state for the next one, in place. */
  DlsStatus (*commit)(const DlsContact *c, const double *params, const double *u, const double *r,
                      double *state);

  /* Optional: joules stored in the contact at the end of the step, and dissipated during it. What
   * r takes from the bodies, -dls_law_work(c, u, r), is what is dissipated and what more is stored
   * than before. A law that acts together with others answers as if it were alone; the core counts
   * the work once. */
  DlsStatus (*energy)(const DlsContact *c, const double *params, const double *state,
                      const double *u, const double *r, double *stored, double *dissipated);

  /* With .surfaces: what the step adds to them, change [2][nsurfaces], of antagonist and candidate;
   * arrives zeroed. All contacts of a surface add to it, in the order of the contacts; the sum is
   * held within the bounds of the table. */
  DlsStatus (*surface)(const DlsContact *c, const double *params, const double *state,
                       const double *u, const double *r, double *change);

  /* With .statuses or .outputs, or for laws whose friction the core cannot know: what a contact is
   * after the step, `state` being that of its end. *status arrives -1, which stands for what the
   * core sees (open, slip, stick), and becomes a number of .statuses; *friction_limit, N s, arrives
   * as the core knows it, NaN where it does not; outputs [noutputs] arrive zeroed. */
  DlsStatus (*report)(const DlsContact *c, const double *params, const double *state,
                      const double *u, const double *r, int *status, double *friction_limit,
                      double *outputs);
} DlsLaw;

/* y of a table at x, and the slope dy/dx there (NULL: not wanted): at a row that of the line to its
 * right, behind the last row of the one that goes on. A table without rows gives 0. */
static inline double dls_law_table_at(const DlsLawTable *table, double x, double *slope) {
  const int last = table->rows - 1;
  int low = 0, high = last;
  if (slope) *slope = 0;
  if (last < 0) return 0;
  if (last == 0) return table->y[0];
  if (table->beyond == DLS_TABLE_HOLD && x < table->x[0]) return table->y[0];
  if (table->beyond == DLS_TABLE_HOLD && x >= table->x[last]) return table->y[last];
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (x < table->x[middle])
      high = middle;
    else
      low = middle;
  }
  const double rise = (table->y[low + 1] - table->y[low]) / (table->x[low + 1] - table->x[low]);
  if (slope) *slope = rise;
  return table->y[low] + rise * (x - table->x[low]);
}

/* J, the work of the impulse r on the bodies: r meets the mean of the velocities before and after,
 * which is exact for rigid bodies (Moreau 1994, eq. 6.5). */
static inline double dls_law_work(const DlsContact *c, const double *u, const double *r) {
  double work = 0;
  for (int i = 0; i < c->block; i++) work += 0.5 * r[i] * (u[i] + c->u_before[i]);
  return work;
}

/* The energy of a law that stores nothing: what the bodies lose is gone. */
static inline DlsStatus dls_law_dissipates(const DlsContact *c, const double *params,
                                           const double *state, const double *u, const double *r,
                                           double *stored, double *dissipated) {
  (void)params;
  (void)state;
  *stored = 0;
  *dissipated = -dls_law_work(c, u, r);
  return DLS_OK;
}

/* b of a rigid contact with restitution, rho along the normal and tau along the tangents (Moreau
 * 1994, eqs. 5.8 and 6.1): fills b[0] and, where the contact collides, the tangents; the others
 * stay as they are.
 *   closed                        b = (rho u⁻_N + gap_rate, tau u⁻_T)
 *   closes within the step at u⁻  the same without the gap: it collides in this step, before it
 *                                 touches
 *   yet to collide                b = (gap_rate, 0): u_N >= -gap / h, the gap may close and no more
 * Where both coefficients are 0 nothing is thrown back, and a gap that closes is laid on the
 * surface. Moreau's scheme sees closed contacts alone; in those that look ahead a law without the
 * middle line loses its bounce, since the contact arrives closed and slowed down. */
static inline void dls_law_restitution(const DlsContact *c, double rho, double tau, double *b) {
  const int collides = (rho != 0 || tau != 0) && c->u_before[0] < -c->gap_rate;
  b[0] = c->gap_rate;
  if (c->gap_rate > 0 && !collides) return;
  b[0] = rho * c->u_before[0] + fmin(c->gap_rate, 0);
  for (int i = 1; i < c->dim; i++) b[i] = tau * c->u_before[i];
}

/* m, the length by which spins count like velocities: the reduced radius, else the side of the
 * area, else 1 m. */
static inline double dls_law_spin_length(const DlsContact *c) {
  return c->radius > 0 ? c->radius : c->area > 0 ? sqrt(c->area) : 1;
}

/* m2, what a law per unit of area acts on: `given` where it is above 0, else what the core knows of
 * the point, else pi R², R the reduced radius; 0 where neither is known. */
static inline double dls_law_area(const DlsContact *c, double given) {
  const double pi = 3.14159265358979323846;
  return given > 0 ? given : c->area > 0 ? c->area : pi * c->radius * c->radius;
}

static inline double dls_law_length(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum = hypot(sum, x[i]);
  return sum;
}

/* Derivatives of F = r - R(z), z = r - rho u, where R(z) = (y, P_s(z_T)), P_s the projection on the
 * disc of radius s: dF/dr = 1 - R', dF/du = rho R', from dy = dy/dz_N and ds = ds/dz_N. Of the disc
 * dP/dz = s/|z| (1 - z zᵀ/|z|²) and dP/ds = z/|z| where it slips, 1 and 0 where it does not. */
static inline void dls_law_disc_slopes(const DlsContact *c, const double *z, double rho, double s,
                                       double dy, double ds, double *dF_du, double *dF_dr) {
  const int n = c->block;
  const double size = dls_law_length(z + 1, c->dim - 1);
  double R[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {dy};
  for (int i = 1; i < c->dim; i++) {
    const double along = size > s ? z[i] / size : 0;
    R[i * n] = along * ds;
    for (int j = 1; j < c->dim; j++) {
      const double same = i == j;
      R[i * n + j] = size > s ? s / size * (same - along * z[j] / size) : same;
    }
  }
  for (int k = 0; k < n * n; k++) {
    dF_dr[k] = (k % (n + 1) == 0) - R[k];
    dF_du[k] = rho * R[k];
  }
}

/* The one symbol that a law exports. */
DLS_EXPORT const DlsLaw *dls_law_entry(void);

#ifdef __cplusplus
}
#endif
#endif
