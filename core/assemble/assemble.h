/* From contacts to a Problem: H, M, q and the relation of each contact for one step.
 *
 *   u = T (v_i + w_i x (p - x_i)) - T (v_j + w_j x (p - x_j)),  T the rows n, t1, t2
 *   q = H v_free + w,  u_before = H v + w,  w = T (prescribed part of v at p) - T v_boundary(p)
 *
 * Rows of spins, where the block has them: t1 . (w_i - w_j), t2 . (w_i - w_j), then n . (w_i -
 * w_j). Components of velocity that are fixed have no column in H; what they are stands in w. */
#ifndef DELASSUS_ASSEMBLE_ASSEMBLE_H
#define DELASSUS_ASSEMBLE_ASSEMBLE_H

#include <stdbool.h>

#include <delassus/errors.h>
#include <delassus/problem.h>

#include "assemble/interaction.h"
#include "assemble/surface.h"
#include "detect/link.h"

typedef struct DlsSphereContact DlsSphereContact; /* problem/operator/spheres.h */
typedef struct DlsCoupling DlsCoupling;           /* opaque: coupling.c */

/* What the scheme says of the step. */
typedef struct {
  double time, h;        /* s */
  double moment;         /* s, when the contacts of the set stand so */
  int gap_term;          /* DLS_GAP_... */
  int only_closed;       /* leave out open contacts beyond their law's range (moreau) */
  const uint8_t *take;   /* [contacts of the set] 1: as if closed; NULL: none */
  const DlsLinks *links; /* those of the set, whose laws they name; NULL: none */
  int forces;            /* 1: laws are asked for no relations; those of the problem are free */
  bool ways;             /* u is a way, m, and u_N + gap + slack >= 0 without friction all that is
                            asked; boundaries stay, carriers too. For dls_assemble_velocity() with
                            v_free = 0: the ways of the bodies */
  const double *free_velocity; /* v_free, flat (world/layout.h) */
  double slack;                /* m: overlaps up to here stay as they are, and */
  double push;                 /* m/s: others are pushed apart no faster; DLS_GAP_POSITIVE, and
                                  closed contacts of deformable bodies with DLS_GAP_NONE */
  DlsSurfaces *surfaces; /* ready; changed by dls_assemble_commit(). NULL: as if all were new */
} DlsAssembleStep;

/* What is kept of the contacts of the step before, which set->previous numbers. */
typedef struct {
  const double *r;          /* [..][block]; NULL: none */
  const double *state;      /* [..][states]; NULL: none */
  const double (*frame)[9]; /* [..]; NULL: vectors of laws stand as they are */
  double moment;            /* s, when the frames stood so */
} DlsAssembleBefore;

/* 0 where the contact is closed and g/h where it is open; g+/h, and -min((-g - slack)/h, push)
 * where the overlap -g is larger than the slack; g/h. */
enum { DLS_GAP_NONE, DLS_GAP_POSITIVE, DLS_GAP_SIGNED };

/* What an assembly keeps from step to step, for the run: the shape of its problems, which follows
 * from the laws, and what belongs to bodies and interactions rather than to contacts. All arrays of
 * an assembly are its own, grow as needed and end with dls_assembly_clear(). */
typedef struct {
  int block, dof, states; /* components of a contact, velocities of a body, variables of a law */
  int surfaces;           /* variables of a side of a contact */
  bool tells_bodies;      /* some law of the run so far looks at the bodies of a contact */
  double *range;          /* [laws]: m, of each interaction at most */
  double (*scale)[2];     /* inertia of spheres, [bodies]: 1/sqrt(mass), 1/sqrt(inertia), 0 fixed */
  double *mass;           /* inertia of others, [bodies][dof^2] */
  DlsCoupling *coupling;  /* inertia and rows of worlds with deformable bodies; else NULL */
  int range_capacity, scale_capacity, mass_capacity;
  int capacity;      /* contacts that the arrays of a step and of a solve have room for */
  int told_capacity; /* the same of kinematics, use and custom */
  int params_capacity, fields_capacity;
  int relation_capacity;
  DlsRelation *fresh; /* of a block of contacts, until they are compared with those there are */
  double *stored;     /* J, of a block of contacts */
} DlsAssemblyRun;

/* The contacts of a step as dls_assemble() found them: valid from there to the next dls_assemble().
 * Contacts that were left out are not here. */
typedef struct {
  int count;
  int *in_set;      /* [count]: number in the contact set */
  int *interaction; /* [count] */
  int spheres;      /* all bodies are: `sphere` and `scale` in the place of H and mass */
  int coupled;      /* some bodies are not rigid: `coupling` in the place of H and mass */
  DlsSphereContact *sphere;
  int *start, *body;    /* supports of contact i: start[i] <= s < start[i + 1], on body[s] */
  double *H;            /* row-major block x dof per support */
  double *w;            /* [count][block]: prescribed part of u, of driven bodies and boundaries */
  double *q, *u_before; /* [count][block] */
  double *state;        /* [count][states]: of the start, after dls_assemble_commit() of the end */
  double *surface;      /* [count][2][surfaces]: of both sides, at the start */
  double *began;        /* from then on those of the start, for laws that are asked again */
  double stored;        /* J in all contacts, as their laws say, by dls_assemble_commit() */
  double stored_by[DLS_LAW_ACCOUNTS]; /* J, `stored` law by law */
  double *dissipated;                 /* [count]: J in this step, by the laws that were asked */
  DlsRelation *distinct; /* [relations]: those that differ; of contact i it is number which[i] */
  int *which;            /* [count] */
  int relations;
  int keeps;              /* laws are asked again during the solve or after it */
  bool serial;            /* they are asked for one contact after the other, by one thread */
  DlsContact *kinematics; /* [count] where that is so, else [threads] */
  DlsLawUse *use;         /* likewise */
  double *params;         /* likewise [..][DLS_MAX_PARAMS], where parameters are formulas */
  double *fields;         /* likewise [..][2][DLS_MAX_PARAMS], where laws list fields */
  DlsCustomRelation *custom;
  int customs; /* contacts with a custom relation */

  /* Lent to dls_assemble(), and until dls_assemble_commit(): laws are told of a contact when they
   * are asked. */
  const DlsWorld *world;
  const DlsInteractions *laws;
  const DlsContactSet *set;
  DlsContactSet *turned; /* the same, for frames that laws turn */
  DlsAssembleStep asked;
  DlsAssembleBefore before;
} DlsAssemblyContacts;

/* What a solve reads and writes: r is a guess before it, the answer after it. Kept as long as
 * the step. */
typedef struct {
  DlsProblem *problem; /* reads q, relations and rows of the step, which it is lent */
  double *r;           /* [count][block], N s */
  double *u;           /* [count][block], m/s: after the solve */
} DlsAssemblySolve;

typedef struct {
  DlsAssemblyRun run;
  DlsAssemblyContacts step;
  DlsAssemblySolve solve;
} DlsAssembly;

/* A zeroed assembly is ready. Fills everything up to `problem`; r and state of a contact come from
 * the step before, vectors in its plane turned with the pair (law/turn.h). Frames of the set are
 * turned where a law wants it. */
DlsStatus dls_assemble(DlsAssembly *assembly, const DlsWorld *world, const DlsInteractions *laws,
                       DlsContactSet *set, const DlsAssembleStep *step,
                       const DlsAssembleBefore *before);

/* The relation of contact i. */
static inline const DlsRelation *dls_assemble_relation(const DlsAssembly *assembly, int i) {
  return &assembly->step.distinct[assembly->step.which[i]];
}

/* velocity = free_velocity + M^-1 H^T r, for every body; both flat (world/layout.h). Fails where
 * the operator cannot tell M^-1 H^T r; velocity is then not to be used. */
DlsStatus dls_assemble_velocity(const DlsAssembly *assembly, const DlsWorld *world,
                                const double *free_velocity, double *velocity);

/* Edges of a cell that are driven (world->drive): their rates at the end of the step, m/s, and the
 * work of the growing cell on the bodies during it, J. False: none is driven. */
bool dls_assemble_cell(const DlsAssembly *assembly, const DlsWorld *world, double rate[3],
                       double *work);

/* The one-contact problem u = D r + q of contact i, the others held at r: D [block][block], q
 * [block]. False where the step came to no problem. */
bool dls_assemble_local(const DlsAssembly *assembly, int i, double *D, double *q);

/* After a solve that did not converge: DLS_ERR_LAW for the first custom law whose one-contact
 * problem has no answer. */
DlsStatus dls_assemble_check_custom(const DlsAssembly *assembly);

/* The states after the step, by the laws' commit, what is stored in contacts then, and what the
 * step adds to surfaces. The bodies stand where dls_assemble() found them. */
DlsStatus dls_assemble_commit(DlsAssembly *assembly);

/* What laws report of the contacts: arrays of the caller. */
typedef struct {
  int outputs;    /* numbers of a contact, dls_interactions_outputs() */
  int *word;      /* [count]: -1, or a number among the statuses of its laws, one after the other */
  double *output; /* [count][outputs]: of its laws, one after the other; NULL where outputs is 0 */
} DlsLawReports;

/* Open, slip or stick of every contact [count], and N s: the most that friction can give in it, NaN
 * where there is no limit or its law does not tell; by the definition of errors.h, with the limits
 * that laws report. `reports` may be NULL. After the commit. */
DlsStatus dls_assemble_status(const DlsAssembly *assembly, DlsContactStatus *status, double *limit,
                              DlsLawReports *reports);

/* Whether a law of contact i has a `report`. */
bool dls_assemble_reports(const DlsAssembly *assembly, int i);

/* J, what contact i dissipated in the step: as its laws say, and where none does, all that it took
 * from the bodies. After the commit. */
double dls_assemble_dissipated(const DlsAssembly *assembly, int i);

/* Whether the laws of contact i may hold energy: a rigid relation without memory, range and pull
 * does not, and is not asked. */
bool dls_assemble_may_store(const DlsAssembly *assembly, int i);

void dls_assembly_clear(DlsAssembly *assembly);

#endif
