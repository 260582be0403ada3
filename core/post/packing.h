/* A packing at one moment: grains, contacts and the forces in them, as plain arrays. All of this
 * room works on it; it comes from a simulation (here) or from the files of a run
 * (record/packing_read.h), with the same numbers.
 *
 * Places are those at which the contacts of the step were found, so that arms and forces belong
 * together: centre = position - lag velocity, the scheme's way back from the end of the step.
 * Forces are means of the step. */
#ifndef DELASSUS_POST_PACKING_H
#define DELASSUS_POST_PACKING_H

#include <stdint.h>

#include "step/simulation.h"

enum { DLS_PACKING_BOUNDARIES = 1000000 }; /* ids of boundaries are 1 to this at most */

/* What a grain is: a rigid body; or a deformable one; or, of a packing that is refined
 * (post/packing_cells.h), a cell of one, or a node or point that only passes forces on. */
typedef enum { DLS_PART_RIGID, DLS_PART_BODY, DLS_PART_CELL, DLS_PART_NODE } DlsPart;

typedef struct DlsPacking {
  int dim;
  double time;       /* s */
  double lag;        /* s */
  double h;          /* s, length of the step; 0: none has been made */
  int boundaries;    /* of the world: their ids are 1 to this; -1: not known */
  double gravity[3]; /* m/s2 */
  DlsCell cell;      /* where the contacts were found; axes 0: none */

  int grains;                          /* bodies, but for those without contacts that carry walls */
  int64_t *id;                         /* ascending */
  double (*centre)[3], (*velocity)[3]; /* m, m/s */
  double (*position)[3];               /* m, of the centre of mass at the end of the step */
  double (*spin)[3];                   /* rad/s */
  double (*inertia)[9];  /* kg m2, about the centre, space axes; in 2-D [8] alone counts */
  double *mass, *volume; /* kg, m3; 2-D: per metre of depth */
  double *radius;        /* m, of the ball of the same volume */
  /* m, from the centre: the sides of the box around the grain; zero where it is a ball of that
   * radius. */
  double (*low)[3], (*high)[3];
  /* N: what the contacts give to each grain, by its momentum: m (v+ - v_free) / h. It equals the
   * sum of its contact forces, and is not computed from them. Zero for held ones. */
  double (*resultant)[3];
  int32_t *held; /* 1: a body that no force moves; it counts as a boundary */

  int contacts;
  int *candidate;      /* grain */
  int *antagonist;     /* grain, or minus the id of a boundary */
  double (*point)[3];  /* m */
  double (*shift)[3];  /* m: from the antagonist to the copy of it that is met; NULL: no cell */
  double (*normal)[3]; /* unit, from antagonist to candidate */
  double (*force)[3];  /* N, on the candidate */
  double *normal_force, *tangential_force; /* N */
  double *friction_limit; /* N, mu (f_N + cohesion); NaN: there is none, or it is not known */
  int32_t *status;        /* 0 open, 1 slips, 2 sticks */
  DlsLawReports reports;  /* what laws say of the contacts; word NULL: of a file */

  int walls; /* boundaries that are met now, where the contacts were found; none: there are none, or
                not told */
  DlsBoundary *wall;

  /* NULL where all bodies are rigid: */
  uint8_t *part;           /* [grains], DlsPart */
  double (*moment)[9];     /* [grains], N m, beside those of contacts; of a body the whole */
  struct DlsPacking *fine; /* with the cells of deformable bodies instead of these */
  int contacts_between;    /* of `fine`: the first ones; the others are forces of nodes on cells */
  DlsFacetsList facets;    /* of them */
} DlsPacking;

/* What sums over moments, masses and volumes are taken of. */
static inline const DlsPacking *dls_packing_fine(const DlsPacking *g) {
  return g->fine ? g->fine : g;
}

static inline int dls_packing_part(const DlsPacking *g, int grain) {
  return g->part ? g->part[grain] : DLS_PART_RIGID;
}

/* The last step of a simulation. *out is zeroed or holds an earlier one. */
DlsStatus dls_packing_take(const DlsSimulation *simulation, DlsPacking *out);

/* m: where contact c is on the grain of side 0 (candidate) or 1 (antagonist), which it may meet by
 * a copy of it. */
static inline void dls_packing_point(const DlsPacking *g, int c, int side, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = side && g->shift ? g->point[c][k] - g->shift[c][k] : g->point[c][k];
}

/* Zeroed arrays of these sizes, for those who fill it otherwise. */
DlsStatus dls_packing_reserve(DlsPacking *packing, int grains, int contacts);
/* Makes room for so many walls, zeroed. */
DlsStatus dls_packing_walls(DlsPacking *packing, int walls);
void dls_packing_clear(DlsPacking *packing);

/* The way from the places where the contacts of the last step were found to the end of the step,
 * s. */
double dls_packing_lag(const DlsSimulation *simulation);

/* m: how far the grain goes along an axis of space; sign -1: least coordinate, 1: largest. */
static inline double dls_packing_side(const DlsPacking *g, int grain, int axis, int sign) {
  const double *low = g->low[grain], *high = g->high[grain];
  const double away =
      low[axis] < high[axis] ? (sign < 0 ? low[axis] : high[axis]) : sign * g->radius[grain];
  return g->centre[grain][axis] + away;
}

/* Room for the shifts of a packing in a cell, zeroed. */
DlsStatus dls_packing_copies(DlsPacking *packing);

/* The box around the grains that are not held, along periodic axes the cell; all zero where there
 * are none. */
void dls_packing_box(const DlsPacking *packing, double low[3], double high[3]);

/* The room of the sample: that box, each side moved to the wall that stands there within a tenth of
 * a mean grain. Grains may lie in walls by what the solver lets them, and the sample ends at the
 * wall: stresses over this volume are those of the forces on walls over their areas. */
double dls_packing_volume(const DlsPacking *packing); /* of it, m3; of a sheared cell too */
void dls_packing_room(const DlsPacking *packing, double low[3], double high[3]);

/* Contacts with boundaries and held bodies count as without a force from here on. */
void dls_packing_leave_walls(DlsPacking *packing);

/* Mean diameter of the grains that are not held, m. */
double dls_packing_diameter(const DlsPacking *packing);

/* Mean normal force of the contacts that push, N; what divides strong from weak. */
double dls_packing_mean_force(const DlsPacking *packing);

/* Whether contact c has a force; whether its antagonist is outside of the sample: a boundary or a
 * held body. */
static inline int dls_packing_active(const DlsPacking *g, int c) {
  return g->normal_force[c] != 0 || g->tangential_force[c] != 0;
}

static inline int dls_packing_is_free(const DlsPacking *g, int grain) {
  return grain >= 0 && !g->held[grain];
}

#endif
