/* What a deck says of a deformable body (fem/body.h): a mesh, what it is made of, what holds and
 * loads it. Expressions are functions of t. */
#ifndef DELASSUS_SCENE_DEFORMABLE_H
#define DELASSUS_SCENE_DEFORMABLE_H

#include "deck/deck.h"

/* A file, or one of the grids of mesh/grid.h. */
typedef struct {
  char *file;   /* NULL: none */
  double scale; /* m: a length of 1 in the file */
  int kind;     /* DlsGridKind, -1: none */
  double size[3], radius, inner, height;
  int cells[3];
  int element; /* number in DLS_SCENE_ELEMENTS; -1: Q4 or HEX8 */
  const DlsDeckNode *node;
} DlsSceneMesh;

#define DLS_SCENE_ELEMENTS(X)                                                                      \
  X(T3, "T3")                                                                                      \
  X(T6, "T6")                                                                                      \
  X(Q4, "Q4")                                                                                      \
  X(Q8, "Q8")                                                                                      \
  X(TET4, "TET4")                                                                                  \
  X(TET10, "TET10")                                                                                \
  X(HEX8, "HEX8")                                                                                  \
  X(WEDGE6, "WEDGE6")

typedef struct {
  char *law;
  DlsDeckVariant parameters; /* double [nparams of the law] */
  char *group;               /* NULL: what no other has */
  double density;            /* kg/m3; NAN: of the body's material */
  const DlsDeckNode *node;
} DlsSceneBulk;

enum { DLS_SCENE_AS_BALLS = 3 };
typedef struct {
  DlsDeckStrings groups;
  int points;    /* DlsMeetBy, or DLS_SCENE_AS_BALLS */
  double radius; /* m, of the balls about nodes; 0: a thousandth of the mean side */
  bool both, self;
  const DlsDeckNode *node;
} DlsSceneTouch;

typedef struct {
  char *group;
  DlsDeckStrings axes;
  const DlsDeckNode *node;
} DlsSceneHeld;

typedef struct {
  char *group;
  DlsExpression *displacement[3]; /* m */
  DlsExpression *velocity[3];     /* m/s; neither: free */
  const DlsDeckNode *node;
} DlsSceneDriven;

typedef struct {
  char *group;
  DlsExpression *pressure, *traction[3]; /* Pa; NULL: none */
  const DlsDeckNode *node;
} DlsSceneSideLoad;

typedef struct {
  char *group;
  double stiffness; /* Pa/m */
  DlsDeckStrings axes;
  const DlsDeckNode *node;
} DlsSceneBedding;

typedef struct {
  double mass, stiffness; /* 1/s, s */
} DlsSceneDamping;

typedef struct {
  DlsSceneMesh mesh;
  DlsDeckList bulk; /* of DlsSceneBulk */
  int kinematics, mass;
  int plane; /* 0 strain, 1 stress */
  double thickness, tolerance;
  DlsSceneDamping damping;
  DlsSceneTouch contact;
  DlsDeckList fixed, prescribed; /* of DlsSceneHeld, DlsSceneDriven */
  DlsDeckList loads, springs;    /* of DlsSceneSideLoad, DlsSceneBedding */
  DlsExpression *force[3];       /* N/m3 */
  const DlsDeckNode *node;
} DlsSceneDeformable;

#endif
