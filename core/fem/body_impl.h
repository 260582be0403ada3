/* What the files of a body of finite elements share. */
#ifndef DELASSUS_FEM_BODY_IMPL_H
#define DELASSUS_FEM_BODY_IMPL_H

#include "fem/body.h"
#include "fem/body_view.h"
#include "fem/cell.h"

typedef struct {
  const DlsBulk *law;
  double *params;
  double density;
  int measure; /* DLS_BULK_SMALL ... */
  bool stores; /* a stored energy that is not quadratic is all that it is: it has no history */
  double tangent[36]; /* Pa: of a linear law; in plane stress with zz eliminated */
} DlsBodyMatter;

typedef struct {
  int dim, nodes, cells, n; /* n = nodes dim */
  int free;                 /* velocities that are neither held nor driven */
  double (*X)[3];           /* m */
  DlsElementType *type;
  int *first, *node; /* [cells + 1]; nodes of cells */
  int *material_of;  /* [cells] */
  int materials;
  DlsBodyMatter *material;
  DlsKinematics kinematics;
  bool plane_stress;
  double thickness, alpha, beta, tolerance;

  int *number;   /* [n], of a velocity, -1 held or driven */
  int drives;    /* each with its place in the state behind the displacements: speed, and that of
                    the step before */
  int *drive_of; /* [drives], number below n */
  int *drive_at; /* [n], of the drive, -1 none; NULL without drives */
  DlsBodyAmount *drive;
  bool *displaces; /* [drives], what `drive` is: a displacement */

  double mass; /* kg */
  /* Of all nodes and axes, held ones too: */
  int *start, *column; /* rows of K and M */
  double *K;           /* of linear laws where nothing is strained, and of springs */
  double *M;           /* NULL: lumped, `share` is its diagonal */
  double *share;       /* [n], kg: the sums of rows of M, which weights and mean speeds go by */
  double *room;        /* [nodes], m3: integrals of interpolations */
  double *spring;      /* [n], N/m */

  /* Of the velocities: */
  DlsSparse pattern;
  int *entry;    /* where each number of the pattern is in K and M */
  int *diagonal; /* [free], in the pattern */
  int contacts, *contact;
  int *surface, surface_count; /* velocities of nodes that meet others */
  int sides;
  DlsBodySide *side;
  DlsSurfaceNodes nodes_of_sides; /* of sides; its nodes are the contacts */
  double radius;

  int pressures, tractions, forces;
  DlsBodyPressure *pressure;
  DlsBodyTraction *traction;
  DlsBodyForce *force;
  DlsBodyFunctions functions;

  int points, states;   /* of all cells; of laws, the most at a point */
  const DlsBulk *shown; /* the law whose states files show, NULL: none */
  const char **name;    /* their names */
  DlsBodyView *view;
  const DlsDeformableOperations *kind;
} DlsBodyModel;

/* Entries of a kind that are alike for all kinematics (body.c). */
double dls_body_mass(const void *model);
const DlsSparse *dls_body_pattern(const void *model);
const int *dls_body_surface(const void *model, int *count);
const DlsDeformableMesh *dls_body_mesh(const void *model);
const DlsContactFaces *dls_body_faces(const void *model); /* NULL: it has no sides */
int dls_body_weights(const void *model, const double *state, int element, const double point[3],
                     DlsPointWeight *out);
void dls_body_driven_element(const void *model, const double *state, int element, double out[3]);
void dls_body_place_all(const void *model, const double *u, double centre[3], double (*element)[3]);

void dls_body_mean_velocity(const void *model, const double *state, const double *v, double out[3]);
void dls_body_angular_momentum(const void *model, const double *u, const double *v, double out[3]);
double dls_body_kinetic(const void *model, const double *state, const double *v);

#define DLS_BODY_ALIKE                                                                             \
  .mass = dls_body_mass, .place = dls_body_place_all, .pattern = dls_body_pattern,                 \
  .weights = dls_body_weights, .driven = dls_body_driven_element,                                  \
  .angular_momentum = dls_body_angular_momentum, .kinetic = dls_body_kinetic,                      \
  .destroy = dls_body_destroy, .mesh = dls_body_mesh, .faces = dls_body_faces

/* Speeds of driven nodes for the step, in the state. */
void dls_body_begin_drives(const DlsBodyModel *model, const DlsDeformableStep *step, double *state);

/* Velocity i < n, of driven ones as the state has it; of driven ones now and a step ago, 0 of
 * others. */
double dls_body_speed(const DlsBodyModel *model, const double *state, const double *v, int i);
double dls_body_driven(const DlsBodyModel *model, const double *state, int i, bool old);

/* At the end of a step, of nodes without mass (body_calm.c): their v+, and where they are in its
 * middle. Whether there are any. */
bool dls_body_calm(const DlsBodyModel *model, const DlsDeformableStep *step, const double *v,
                   double *next, double *state);

double dls_body_row(const DlsBodyModel *model, const double *A, int row, const double *x);

/* A row of M x; and value += part M, of the pattern. */
double dls_body_mass_row(const DlsBodyModel *model, int row, const double *x);
void dls_body_add_mass(const DlsBodyModel *model, double part, double *value);

double dls_body_amount(const DlsBodyModel *model, const DlsBodyAmount *amount, double t);

/* Adds to out [n], N: pressures, tractions and body forces in the middle of the step, at its end in
 * quasi-static ones. Pressures act
 * on sides as they were, turned by `turn` [3][3] unless NULL, or with the displacements u unless
 * NULL. */
void dls_body_add_loads(const DlsBodyModel *model, const DlsDeformableStep *step,
                        const double *turn, const double *u, double *out);

/* Made once (body_build.c). */
DlsStatus dls_body_check(const DlsBodySetup *setup);
DlsStatus dls_body_build(const DlsBodySetup *setup, DlsBodyModel *model);

/* Cell c with its nodes, X [nodes of the cell][3]; and where an entry of K and M is. */
DlsStatus dls_body_cell(const DlsBodyModel *model, int c, double (*X)[3], DlsCell *out);
int dls_body_find(const DlsBodyModel *model, int row, int column);

/* A += what node b does to node a: dim rows of a block, `apart` numbers from each other; where it
 * begins in A. */
int dls_body_add_block(const DlsBodyModel *model, int a, int b, const double *block, int apart,
                       double *A);

enum { DLS_BODY_STATES = 64 }; /* of a law, at most */

/* Of bodies with states at points: these, new; forces, N [n]; what points feel of displacements
 * that a body begins with. */
void dls_body_points_new(const DlsBodyModel *model, double *state);
DlsStatus dls_body_points_forces(const DlsBodyModel *model, const double *state, double *out);
DlsStatus dls_body_points_settle(const DlsBodyModel *model, double *state);

/* Of linear laws: M^ by K, the round-off of p, and the stress of a small strain. */
void dls_body_linear_matrix(const void *model, const double *u, const DlsDeformableStep *step,
                            double *value);
double dls_body_linear_noise(const void *model, const double *u, const DlsDeformableStep *step);
DlsStatus dls_body_linear_stress(const void *model, int c, int p, const double gamma[6],
                                 double stress[6], double *energy, double *state);

/* Of co-rotational bodies: their axes, [3][3], row-major, NULL of others; as those of points above.
 */
const double *dls_body_turn(const DlsBodyModel *model, const double *state);
void dls_body_turning_new(const DlsBodyModel *model, double *state);
DlsStatus dls_body_turning_forces(const DlsBodyModel *model, const double *state, double *out);
DlsStatus dls_body_turning_settle(const DlsBodyModel *model, double *state);

/* [n], in space. */
void dls_body_space_velocity(const DlsBodyModel *model, const double *state, const double *v,
                             double *out);

extern const DlsDeformableOperations dls_body_linear_kind, dls_body_points_kind;
extern const DlsDeformableOperations dls_body_turning_kind;

#endif
