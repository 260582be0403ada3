/* The world: bodies, boundaries and materials, in 2-D or 3-D, structure of arrays. Bodies are rigid
 * unless they are among the deformable ones (deformable.h).
 *
 * Bodies are numbered 0 .. count - 1 in the order of their birth, ids ascending; removal keeps the
 * order. Rooms below read and write the arrays; only the functions here change their lengths. In
 * 2-D z components of position and velocity and x, y components of spin are zero and stay so.
 * SI. */
#ifndef DELASSUS_WORLD_WORLD_H
#define DELASSUS_WORLD_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "world/boundary/boundary.h"
#include "world/cell.h"
#include "world/deformable_kind.h"
#include "world/faces.h"
#include "world/material.h"
#include "world/outline.h"
#include "world/rotation.h"
#include "world/shape.h"

/* Bits of `fixed`: components of velocity that forces and impulses do not change. In 2-D z, and
 * the turns about x and y, are always fixed. */
enum {
  DLS_FIXED_X = 1,
  DLS_FIXED_Y = 2,
  DLS_FIXED_Z = 4,
  DLS_FIXED_TURN_X = 8,
  DLS_FIXED_TURN_Y = 16,
  DLS_FIXED_TURN_Z = 32,
  DLS_FIXED_ALL = 63,
  DLS_FIXED_IN_PLANE = DLS_FIXED_Z | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y,
};

/* Ids of bodies and boundaries are below: files hold them as reals too, and a key of a contact
 * needs the highest bit. */
#define DLS_END_OF_IDS ((uint64_t)1 << 47)

/* Bits of `flags`; the others are the caller's. */
enum { DLS_BODY_GHOST = 1u /* no contacts */, DLS_BODY_DOOMED = 2u /* gone at the next compact */ };

typedef struct {
  int dim;
  uint64_t next_id;          /* of the next body; ids begin at 1 */
  uint64_t next_boundary_id; /* of the next boundary, likewise */
  uint64_t revision;         /* grows when bodies, elements or boundaries come or go; who writes
                                an element's radius or its offset in a rigid body raises it too */

  int count, capacity;
  double (*position)[3];    /* m, centre of mass */
  double (*orientation)[4]; /* principal axes -> space axes, unit quaternion (w, x, y, z) */
  double *angle;            /* rad, in 2-D the turn about z, not wrapped; NULL in 3-D */
  double (*velocity)[6];    /* m/s and rad/s: v, then spin in space axes */
  double *mass;             /* kg (2-D: kg per m of depth) */
  double *volume;           /* m3 (2-D: m2), of the union of its elements, whatever its mass */
  double (*inertia)[3];     /* kg m2, principal; in 2-D [2] alone counts */
  uint64_t *id;             /* ascending */
  uint32_t *flags;
  int *material;
  int *first; /* [count + 1]: elements first[i] <= e < first[i + 1] are those of body i */
  uint8_t *fixed;
  uint8_t *isotropic; /* 1: spherical inertia, no gyroscopic torque */

  int element_capacity; /* elements in use: first[count] */
  DlsElement *element;  /* body axes */
  int *element_body;
  DlsFigure *figure; /* [elements], body axes; NULL while every element is a ball */

  int boundary_count, boundary_capacity;
  DlsBoundary *boundary;
  DlsFacetsList facets; /* of boundaries, those that are gone too */

  DlsCell cell;       /* axes 0: space goes on without end */
  DlsCellDrive drive; /* of its edges, told anew in each step */

  DlsDeformables deformable;

  DlsMaterials materials;
} DlsWorld;

/* A body to be born. Zeroed fields are sensible: unit quaternion for {0}, scale 1 for 0. */
typedef struct {
  const DlsShape *shape; /* lent for the call */
  double scale;          /* of lengths */
  double density;        /* kg/m3; or */
  double mass;           /* kg, counts when above 0; inertia follows in proportion */
  double position[3];    /* m, of the origin of the axes in which the shape was given */
  double orientation[4]; /* of those axes */
  double velocity[6];    /* m/s of the centre of mass, rad/s */
  int material;
  uint8_t fixed;
  uint32_t flags;
  uint64_t id; /* 0: the next one; else above all ids so far (restart) */
} DlsBody;

DlsStatus dls_world_create(int dim, DlsWorld **out);
void dls_world_destroy(DlsWorld **world); /* NULL is fine; sets it to NULL */

/* Makes room, so that no addition up to `bodies` and `elements` allocates. */
DlsStatus dls_world_reserve(DlsWorld *world, int bodies, int elements);

/* Exactly this many bodies and elements, for a restart: every array over them is then the caller's
 * to fill, `first` and `element_body` too, and next_id. */
DlsStatus dls_world_resize(DlsWorld *world, int bodies, int elements);

/* The new body is number count - 1. Refuses a shape of another dimension, mass or density that is
 * not positive, numbers that are not finite, motion out of the plane in 2-D, an unknown
 * material. */
DlsStatus dls_world_add_body(DlsWorld *world, const DlsBody *body);

/* Copies the boundary, shares its facets, gives it an id unless it has one. It is number
 * boundary_count - 1. */
DlsStatus dls_world_add_boundary(DlsWorld *world, const DlsBoundary *boundary);

/* Dooms a body, O(1); it goes, with all doomed ones, at the next compact. */
static inline void dls_world_doom(DlsWorld *world, int body) {
  world->flags[body] |= DLS_BODY_DOOMED;
}

/* Removes the doomed, in one pass that keeps the order. remap, unless NULL, receives for each old
 * number the new one, or -1; [old count]. Returns how many went; 0 touches nothing but remap. */
int dls_world_compact(DlsWorld *world, int *remap);

/* Removes a boundary; those behind it move up by one. */
DlsStatus dls_world_remove_boundary(DlsWorld *world, int boundary);

/* The number of the body, or boundary, with this id; -1 when there is none. */
int dls_world_find(const DlsWorld *world, uint64_t id);
int dls_world_find_boundary(const DlsWorld *world, uint64_t id);

/* Bytes held by the arrays. */
size_t dls_world_bytes(const DlsWorld *world);

/* Whether no impulse moves the body. */
static inline int dls_world_is_fixed(const DlsWorld *world, int body) {
  return world->fixed[body] == DLS_FIXED_ALL;
}

/* In 2-D, after `angle` changed: the quaternion that goes with it. */
static inline void dls_world_set_angle(DlsWorld *world, int body, double angle) {
  double *q = world->orientation[body];
  world->angle[body] = angle;
  q[0] = cos(angle / 2), q[1] = 0, q[2] = 0, q[3] = sin(angle / 2);
}

/* Element e as its kind sees it. */
DlsSolid dls_world_solid(const DlsWorld *world, int element);

/* Where the axes of element e stand when its body has this position and orientation. */
void dls_world_element_pose(const DlsWorld *world, int element, const double position[3],
                            const double orientation[4], DlsPose *out);

static inline bool dls_world_is_ball(const DlsWorld *world, int element) {
  return !world->figure || !world->figure[element].numbers;
}

/* Whether a body is one ball. */
static inline bool dls_world_is_round(const DlsWorld *world, int body) {
  const int e = world->first[body];
  return world->first[body + 1] - e == 1 && dls_world_is_ball(world, e);
}

/* The first feature of an element among those of its body, as keys of contacts count them. */
static inline uint32_t dls_world_first_feature(const DlsWorld *world, int element) {
  if (world->figure) return world->figure[element].first_feature;
  return (uint32_t)(element - world->first[world->element_body[element]]);
}

/* Lengths of a body, m, wherever a radius would be asked of a ball.
 * size: its length scale, that of its smallest element (a radius; half the least width).
 * reach: of its farthest point from the centre of mass.
 * arm: how far from the centre its surface moves when it turns: a ball turns within itself. */
double dls_world_size(const DlsWorld *world, int body);
double dls_world_reach(const DlsWorld *world, int body);
double dls_world_arm(const DlsWorld *world, int body);

/* The element of a body that has this feature, as keys of contacts count them: 0 is its first. Of
 * faces of a deformable body 0 too: they have no element of their own. */
int dls_world_element_of(const DlsWorld *world, int body, uint32_t feature);

/* m: of the ball that a feature of a body, as keys of contacts count them, belongs to; 0 where it
 * is no ball's. */
double dls_world_radius_at(const DlsWorld *world, int body, uint32_t feature);

/* m, of one element. */
static inline double dls_world_element_size(const DlsWorld *world, int element) {
  return dls_world_is_ball(world, element) ? world->element[element].radius
                                           : world->figure[element].size;
}

/* The least and the largest size of all elements, m; INFINITY and 0 where there are none. */
void dls_world_sizes(const DlsWorld *world, double *least, double *largest);

/* The inverse mass matrix of a body with orientation q (NULL: its own): M^-1 of the free
 * components, zero rows and columns for the fixed ones. Translation: out_mass, the diagonal;
 * rotation, space axes, row-major: out_inertia. */
void dls_world_inverse_mass(const DlsWorld *world, int body, const double *q, double out_mass[3],
                            double out_inertia[9]);

/* The inertia tensor in space axes for orientation q (NULL: its own), row-major. */
void dls_world_inertia(const DlsWorld *world, int body, const double *q, double out[9]);

/* Places and orientations by a way each, m and rad about space axes; velocities stay. */
void dls_world_shift(DlsWorld *world, const double (*way)[6]);

/* Free flight of every body for h seconds (which may be negative, or half a step): x += h v, and
 * the turn of rotation.h: exact for spherical inertia, midpoint rule with energy and momentum kept
 * for any other (the spin then changes); constant spin where a turn is fixed. The edges
 * of the cell too; not the boundaries. */
void dls_world_drift(DlsWorld *world, double h);

/* Bodies that have left the periodic cell come back on its other side, with the velocity of their
 * copy there; returns by how much their kinetic energy grew, J. */
double dls_world_wrap(DlsWorld *world);

/* The edges of the cell change at these rates from now on, m/s, and the bodies with them, each by
 * the share of the cell at which it stands: v += sum (s_k - 1/2) (rate_k - rate_k before), so that
 * no place of the cell is another than the rest. Fixed components stay. Returns by how much the
 * kinetic energy grew, J. */
double dls_world_strain(DlsWorld *world, const double rate[3][3]);

/* Boundaries with a carrier take its position and velocity, or their radius and its growth; one
 * whose carrier is gone stays. */
void dls_world_carry(DlsWorld *world);

/* The number of the body that carries a boundary, -1: none. */
int dls_world_carrier(const DlsWorld *world, int boundary);

/* Adds the lines of all boundaries but ghosts to an outline, owners their numbers; `reach`, m, is
 * how far endless ones are drawn. */
DlsStatus dls_world_outline_boundaries(const DlsWorld *world, const DlsSight *sight,
                                       DlsOutline *out);
/* Their surfaces in 3-D, likewise. */
DlsStatus dls_world_faces(const DlsWorld *world, const DlsSight *sight, DlsFaces *out);

/* Adds the lines of all elements but balls of all bodies but ghosts, owners the numbers of
 * bodies. */
DlsStatus dls_world_outline_bodies(const DlsWorld *world, DlsOutline *out);
/* Their surfaces, element by element. */
DlsStatus dls_world_skin(const DlsWorld *world, DlsSkin *out);
/* m, space axes: the centre of volume of an element, and the box around a body. */
void dls_world_element_centre(const DlsWorld *world, int element, double out[3]);
void dls_world_bounds(const DlsWorld *world, int body, double low[3], double high[3]);

/* Totals over all bodies. */
double dls_world_kinetic_energy(const DlsWorld *world);
double dls_world_potential_energy(const DlsWorld *world, const double gravity[3]);
void dls_world_momentum(const DlsWorld *world, double out[3]);
void dls_world_angular_momentum(const DlsWorld *world, const double about[3], double out[3]);
/* J, of one body. */
double dls_world_body_energy(const DlsWorld *world, int body);

#endif
