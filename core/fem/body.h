/* A deformable body of finite elements: any bulk law (delassus/bulk.h) at each point, and one of
 * three kinematics. Its velocities are those of its nodes along each axis, without those that are
 * held or driven; its state begins with the displacements of all nodes, [nodes][dim]. What it does
 * in a step says world/deformable_kind.h.
 *
 *   small            strains and turns are small. Where all laws are linear its M^ is factored once
 *                    for each h, and nothing is iterated.
 *   corotational     strains are small, the body turns as it likes: linear in axes that turn with
 *                    it, with linear laws alone, so that its M^ is factored once too. Its
 *                    velocities are those along these axes, which its state knows.
 *   total-lagrangian both may be large: by the Green or the logarithmic strain, as the law wants.
 *
 * It meets others by sides of its cells, as a surface, or by some of its nodes, each with a small
 * ball about it. */
#ifndef DELASSUS_FEM_BODY_H
#define DELASSUS_FEM_BODY_H

#include <stdbool.h>

#include <delassus/bulk.h>

#include "fem/surface.h"
#include "world/deformable_kind.h"
#include "world/shape.h"

#define DLS_KINEMATICS_LIST(X)                                                                     \
  X(SMALL, "small")                                                                                \
  X(COROTATIONAL, "corotational")                                                                  \
  X(TOTAL_LAGRANGIAN, "total-lagrangian")

typedef enum {
#define DLS_KINEMATICS_ENUM(code, name) DLS_KINEMATICS_##code,
  DLS_KINEMATICS_LIST(DLS_KINEMATICS_ENUM)
#undef DLS_KINEMATICS_ENUM
} DlsKinematics;

/* Of each node its share, by the scaled diagonal; of interpolations; lumped, and that of nodes that
 * meet others is given to the others of their cells, so that an impact stops no mass: it then takes
 * no energy (Khenous, Laborde and Renard 2008). */
#define DLS_MASS_LIST(X)                                                                           \
  X(LUMPED, "lumped")                                                                              \
  X(CONSISTENT, "consistent")                                                                      \
  X(FREE_CONTACT, "massless-contact")

typedef enum {
#define DLS_MASS_ENUM(code, name) DLS_MASS_##code,
  DLS_MASS_LIST(DLS_MASS_ENUM)
#undef DLS_MASS_ENUM
} DlsMassKind;

typedef struct {
  const DlsBulk *law;
  const double *params; /* [law->nparams] */
  double density;       /* kg/m3 */
} DlsBodyMaterial;

/* value, times a function of time unless function is -1. */
typedef struct {
  double value;
  int function;
} DlsBodyAmount;

/* Functions of time, by number, at t in s: pure. Lent for the life of the model. */
typedef struct {
  const void *context;
  double (*at)(const void *context, int function, double t);
} DlsBodyFunctions;

/* A node that moves along an axis with this speed, m/s, whatever the body does: taken in the middle
 * of each step. Or `displaces`: the amount is a displacement, m, and the node moves in each step by
 * what it gains there. It meets others as a boundary that moves does: contacts work on it and do
 * not move it. */
typedef struct {
  int node, axis;
  DlsBodyAmount speed;
  bool displaces;
} DlsBodyDrive;

/* Pa. A pressure pushes inwards; it follows the side in total Lagrangian bodies, turns with
 * corotational ones and stays as it was with small ones. A traction acts along an axis of space on
 * the area of the side as it was. Both act as in the middle of the step, in quasi-static ones as at
 * its end. */
typedef struct {
  DlsBodySide side;
  DlsBodyAmount pressure;
} DlsBodyPressure;

typedef struct {
  DlsBodySide side;
  int axis;
  DlsBodyAmount traction;
} DlsBodyTraction;

/* N/m3 along an axis of space, on all of the body as it was. */
typedef struct {
  int axis;
  DlsBodyAmount force;
} DlsBodyForce;

/* N/m: holds a node where it was. */
typedef struct {
  int node, axis;
  double stiffness;
} DlsBodySpring;

/* All arrays are copied, but for laws and functions. */
typedef struct {
  int dim, nodes, cells;
  const double (*X)[3];       /* [nodes], m, where nothing is strained */
  const DlsElementType *type; /* [cells], of dimension dim */
  const int *start;           /* [cells + 1] */
  const int *node;            /* [start[cells]] */
  int materials;
  const DlsBodyMaterial *material; /* [materials] */
  const int *material_of;          /* [cells]; NULL: the first of all */

  double thickness;  /* m, in 2-D */
  bool plane_stress; /* in 2-D: sigma_zz = 0; else epsilon_zz = 0 */
  DlsKinematics kinematics;
  DlsMassKind mass;
  double alpha, beta; /* 1/s, s: Rayleigh's damping, C = alpha M + beta K */

  const unsigned char *held; /* [nodes], bits 1 2 4 for the axes; NULL: none */
  int drives;
  const DlsBodyDrive *drive;
  int pressures;
  const DlsBodyPressure *pressure;
  int tractions;
  const DlsBodyTraction *traction;
  int forces;
  const DlsBodyForce *force;
  int springs;
  const DlsBodySpring *spring;
  DlsBodyFunctions functions; /* NULL: every amount has function -1 */

  int sides;
  const DlsBodySide
      *side; /* sides that meet others as a surface (world/contact_faces.h), and how */
  DlsMeetBy meet;
  bool both, self;
  int contacts;       /* without sides: */
  const int *contact; /* [contacts], nodes that meet others by balls */
  double radius;      /* m, of the balls about them */

  double tolerance; /* of Newton's loop: what is left of the balance of impulses, over the sum of
                       their sizes; 0: 1e-8. Of bodies that need none it is not read */
} DlsBodySetup;

/* A model for dls_world_add_deformable() with dls_body_kind(model). Refuses, with a sentence, nodes
 * and types that are none, cells that are inverted (with their number), nodes without a cell, laws
 * that do not fit the kinematics, loads where there is no side or node. */
DlsStatus dls_body_create(const DlsBodySetup *setup, void **model);
void dls_body_destroy(void *model);
const DlsDeformableOperations *dls_body_kind(const void *model);

/* At rest and unstrained: [states], as the kind's size says. */
void dls_body_new_state(const void *model, double *state);

/* For a body that begins with displacements, which have been written into the front of its state:
 * what its points feel of them, as if they had come at once. */
DlsStatus dls_body_settle(const void *model, double *state);

/* The shape by which detection sees it; ended with dls_shape_clear(). */
DlsStatus dls_body_shape(const void *model, DlsShape *out);

/* The number of velocity `axis` of a node, -1 where it is held or driven. */
int dls_body_velocity(const void *model, int node, int axis);

/* Velocities from those of the nodes in space, [nodes][dim], and back (held nodes stand, driven
 * ones move). */
void dls_body_take_velocity(const void *model, const double *state, const double *nodes,
                            double *velocity);
void dls_body_node_velocity(const void *model, const double *state, const double *velocity,
                            double *nodes);

/* Where a node is, m. */
void dls_body_place(const void *model, const double *state, int node, double out[3]);

/* The velocities that move a node, times `share` (an interpolation, say); how many, dim at most.
 * Contacts that are spread over nodes join the lists of these. */
int dls_body_node_weights(const void *model, const double *state, int node, double share,
                          DlsPointWeight *out);

/* Its sides that meet others, lent. */
const DlsBodySide *dls_body_sides(const void *model, int *count);

/* N, [nodes][dim], space axes: the forces that hold the body as its state says, and as long as it
 * likes: what rates of strain add is left out. */
DlsStatus dls_body_forces(const void *model, const double *state, double *out);

#endif
