/* A scene: what a deck says of a simulation, and the simulation made of it. The tables of
 * schema.c are the one place where the keys of a deck stand. */
#ifndef DELASSUS_SCENE_SCENE_H
#define DELASSUS_SCENE_SCENE_H

#include "deck/deck.h"
#include "scene/deformable.h"
#include "scene/ground.h"
#include "scene/loads.h"
#include "scene/springs.h"
#include "step/simulation.h"
#include "world/body_file.h"
#include "world/source.h"

typedef struct {
  double step, end, alert; /* s, s, m */
  int scheme;              /* number in dls_schemes */
  double theta;
  int control; /* DlsControl */
  double fraction;
  bool signed_gap;
  int correction; /* DlsCorrection */
  double overlap;
} DlsSceneTime;

/* Patches of surfaces that laws remember. */
typedef struct {
  int directions;
  double cell; /* m */
} DlsSceneSurfaces;

typedef struct {
  char *name;
  double density; /* kg/m3 */
} DlsSceneMaterial;

typedef struct {
  DlsDeckStrings between; /* two names, of materials or one of a boundary; "*" for all */
  DlsDeckStrings law;     /* the first, and those that follow it */
  DlsDeckVariant
      parameters;        /* DlsExpression * [DLS_MAX_PARAMS], of a list [laws][DLS_MAX_PARAMS] */
  DlsDeckVariant state;  /* double [DLS_MAX_PARAMS], NAN: not given; of a list likewise */
  DlsDeckVariant tables; /* DlsSceneTable *[DLS_MAX_PARAMS], NULL: not given; of a list likewise */
  int points;            /* 0 manifold, 1 frozen */
  const DlsDeckNode *place;
} DlsSceneLaw;

/* A table of a law: once the deck is read it has its numbers, wherever they came from, so that the
 * resolved deck and a checkpoint have them. */
typedef struct {
  char *file; /* NULL by then */
  DlsDeckReals x, y;
  const DlsDeckNode *place;
} DlsSceneTable;

/* What a field is somewhere. */
typedef struct {
  DlsDeckStrings of; /* names of materials or boundaries; "*" for all */
  DlsExpression *value;
  const DlsDeckNode *place;
} DlsSceneField;

typedef struct {
  int shape; /* DlsRegionKind */
  double low[3], high[3], centre[3], radius, radius_top, height;
  char *file; /* mesh; NULL: none */
  double scale;
  DlsFacets *facets; /* of the file, once the scene is built; NULL: none */
  const DlsDeckNode *node;
} DlsSceneRegion;

typedef struct {
  int kind; /* DlsSizesKind */
  double radius, min, max, sigma, exponent;
  DlsDeckReals values, shares;
  int by; /* 0 number, 1 volume */
} DlsSceneSizes;

/* Components of bodies that are prescribed; NULL: free. */
typedef struct {
  DlsExpression *displacement[3], *velocity[3], *spin[3];
} DlsSceneMotion;

/* What a body with corners is, and one disk or sphere of a cluster: below. */
typedef struct DlsSceneShape DlsSceneShape;

/* What grains that are no balls are, and how they are turned. */
typedef struct {
  DlsDeckList cluster;            /* of DlsSceneElement */
  DlsSceneShape *shape;           /* NULL: none */
  DlsSceneDeformable *deformable; /* likewise */
  int turns;                      /* DlsSceneTurns */
} DlsSceneForm;
typedef enum { DLS_SCENE_TURNS_RANDOM, DLS_SCENE_TURNS_NONE } DlsSceneTurns;

typedef struct {
  char *material, *name;
  int place; /* lattice, pyramid, random, packed, rain, deposit, file */
  int lattice, base, layers, count, seed;
  double pitch, jitter, gap, fraction, mass, foot[3];
  char *file;
  DlsSceneRegion region;
  DlsSceneSizes sizes;
  DlsSceneForm form;
  double velocity[3], spin[3];
  DlsDeckStrings fixed;
  DlsSceneMotion motion; /* of each grain alike */
  double from, until;    /* s; until NAN: to the end, here and below */
  const DlsDeckNode *node;
} DlsSceneGrains;

typedef struct {
  double at[3], radius;
} DlsSceneElement;

/* A convex solid, rounded or not. */
#define DLS_SCENE_SHAPES(X)                                                                        \
  X(BOX, "box")                                                                                    \
  X(REGULAR, "regular")                                                                            \
  X(POLYGON, "polygon")                                                                            \
  X(PRISM, "prism")                                                                                \
  X(HULL, "hull")                                                                                  \
  X(CAPSULE, "capsule")                                                                            \
  X(CYLINDER, "cylinder")                                                                          \
  X(CONE, "cone")                                                                                  \
  X(SOLID, "solid")                                                                                \
  X(PARTS, "parts")                                                                                \
  X(IRREGULAR, "irregular")
enum {
#define DLS_SCENE_SHAPE_ENUM(code, name) DLS_SCENE_##code,
  DLS_SCENE_SHAPES(DLS_SCENE_SHAPE_ENUM)
#undef DLS_SCENE_SHAPE_ENUM
};
struct DlsSceneShape {
  int kind;                                    /* DLS_SCENE_BOX ... */
  double lengths[3], radius, height, rounding; /* m */
  int corners, most_corners, sides;
  double irregularity, elongation, flatness;
  int seed, variants;
  DlsDeckReals points; /* m */
  char *file;          /* NULL: none */
  double scale;        /* m: a length of 1 in the file */
  const DlsDeckNode *node;
};

typedef struct {
  char *material, *name;
  double radius, mass, position[3], velocity[3], spin[3];
  double turn[3];                 /* rad: rotation vector; in 2-D the first, about z */
  DlsDeckList cluster;            /* of DlsSceneElement */
  DlsSceneShape *shape;           /* NULL: none */
  DlsSceneDeformable *deformable; /* likewise */
  DlsDeckStrings fixed;
  double from, until;
  DlsSceneMotion motion;
  DlsExpression *force[3], *torque[3]; /* N, N m, of t; NULL: none */
  const DlsDeckNode *node;
} DlsSceneBody;

typedef struct {
  char *name, *material;
  int count;
  double radius, mass, start[3], end[3], velocity[3];
  double stiffness, damping, rest_length, bending, rest_angle;
  DlsExpression *pressure; /* Pa; NULL: none */
  DlsDeckStrings fixed;    /* first, last */
  double from, until;
  const DlsDeckNode *node;
} DlsSceneChain;

/* A hole in a wall of bricks. */
typedef struct {
  double x[2], bearing; /* m */
  int courses[2];
} DlsSceneOpening;

/* A structure of blocks (world/blocks/blocks.h). */
#define DLS_SCENE_BLOCKS(X)                                                                        \
  X(WALL, "wall")                                                                                  \
  X(STONES, "stones")                                                                              \
  X(ARCH, "arch")                                                                                  \
  X(VAULT, "vault")                                                                                \
  X(DOME, "dome")                                                                                  \
  X(COLUMN, "column")                                                                              \
  X(STACK, "stack")                                                                                \
  X(PYRAMID, "pyramid")                                                                            \
  X(VORONOI, "voronoi")
enum {
#define DLS_SCENE_BLOCKS_ENUM(code, name) DLS_SCENE_BLOCKS_##code,
  DLS_SCENE_BLOCKS(DLS_SCENE_BLOCKS_ENUM)
#undef DLS_SCENE_BLOCKS_ENUM
};
typedef struct {
  char *name, *material;
  int kind; /* DLS_SCENE_BLOCKS_WALL ... */
  double at[3], turn[3], velocity[3];
  double size[3], gap, length, spread;
  double radius, radius_top, thickness, span, oculus, depth, height;
  int count, bricks, courses, leaves, rows, rings, sides, relax, seed;
  bool springers;
  DlsDeckList openings;  /* of DlsSceneOpening */
  int base;              /* 0 free, 1 held */
  DlsSceneMotion motion; /* of the base */
  double from, until;
  const DlsDeckNode *node;
} DlsSceneBlocks;

typedef struct {
  DlsDeckStrings between;
  double stiffness, damping, rest_length; /* NAN: as they are at the start */
  const DlsDeckNode *node;
} DlsSceneSpring;

/* Two points that a law ties. */
typedef struct {
  int kind; /* DlsSceneLinkKind */
  char *body, *to, *material;
  DlsDeckReals at, to_at; /* m, in space, at the start; none: the centre, or the other point */
  double normal[3];
  double length; /* m; NAN: as it is at the start */
  const DlsDeckNode *node;
} DlsSceneLink;

typedef enum {
  DLS_SCENE_LINK_WIRE,
  DLS_SCENE_LINK_ROD,
  DLS_SCENE_LINK_HINGE,
  DLS_SCENE_LINK_SLIDER
} DlsSceneLinkKind;

typedef struct {
  DlsDeckStrings along;
  double stiffness, rest_angle;
  const DlsDeckNode *node;
} DlsSceneBend;

typedef struct {
  double variance, diffusion; /* m2/s3, m2/s */
  int seed;
} DlsSceneRandom;

/* The periodic cell. */
typedef struct {
  double low[3], high[3];            /* m */
  DlsDeckStrings periodic;           /* x, y, z */
  DlsExpression *stretch[3], *shear; /* 1/s; NULL: none */
  DlsExpression *stress[3];          /* Pa, tension above 0; NULL: none drives it */
  double mass, damping;              /* kg and kg/s, of an edge that a stress drives */
  const DlsDeckNode *node;
} DlsSceneCell;

typedef struct {
  char *material; /* NULL: every body */
  double towards[3], speed;
  DlsExpression *velocity[3]; /* of t, x, y, z */
  const DlsDeckNode *node;
} DlsSceneDesired;

/* The record of a ground's motion: once the deck is read it has its numbers, as tables of laws. */
typedef struct {
  char *file; /* NULL by then */
  DlsDeckReals time, x, y, z;
  double scale, from;
  bool baseline;
  const DlsDeckNode *node;
} DlsSceneGround;

typedef struct {
  int kernel, along; /* DLS_WHEEL_TRIANGLE ..; x, y, z */
  double speed, start, length;
} DlsSceneWheel;

typedef struct {
  DlsDeckStrings on;
  char *material;
  DlsExpression *acceleration[3], *force[3];
  DlsSceneWheel *wheel; /* NULL: none */
  double from, until;
  const DlsDeckNode *node;
} DlsSceneLoad;

typedef struct {
  char *material;
  DlsSceneRegion region;
  DlsSceneSizes sizes;
  DlsSceneForm form;
  double rate, mass_rate, from, until, velocity[3], spread;
  int limit, seed;
  const DlsDeckNode *node;
} DlsSceneSource;

typedef struct {
  DlsSceneRegion region;
  bool outside;
  double from, until;
  const DlsDeckNode *node;
} DlsSceneSink;

typedef struct {
  DlsExpression *pressure, *force[3]; /* Pa, N */
  double area, mass, damping;         /* m2, kg, kg/s */
  DlsDeckStrings across;
  const DlsDeckNode *node;
} DlsSceneServo;

typedef enum { DLS_SIDE_FRONT, DLS_SIDE_BACK, DLS_SIDE_BOTH } DlsSceneSide;

typedef struct {
  char *name, *material;
  int shape; /* DlsBoundaryKind */
  bool inside;
  int around; /* nothing, deposit */
  DlsDeckStrings open;
  double length[3], radius[2], rounding, depth, position[3], axis[3], turn[3];
  char *file;            /* mesh, polyline; NULL: none */
  DlsDeckStrings groups; /* of the file; none: all of it */
  DlsDeckReals points;   /* polyline: x, y one behind the other */
  bool closed;
  double scale; /* m */
  int side;     /* DlsSceneSide */
  DlsExpression *displacement[3], *velocity[3], *spin[3];
  double from, until;
  DlsSceneServo *servo; /* NULL: none */
  const DlsDeckNode *node;
} DlsSceneBoundary;

typedef struct {
  char *name;
  double tolerance;
  int measure; /* DlsMeasure */
  int max_iterations;
  int no_solution; /* DlsImpossible */
  DlsDeckVariant options;
} DlsSceneSolver;

/* A mean over time of what can be read off the grains (post/observable.h); strings NULL: not
 * given. */
typedef struct {
  char *name;
  int of; /* DlsObservableKind */
  char *region, *along, *grid, *kernel;
  DlsDeckStrings cuts;
  int by;           /* DlsAverageKind; -1: as suits */
  bool walls;       /* a field is corrected at them */
  double centre[2]; /* m; NAN: not given */
  double from, to;  /* s; to NAN: the end of the run */
  double every;     /* s; 0: every step */
  double period;    /* s; 0: no phases */
  int bins, blocks;
  const DlsDeckNode *node;
} DlsSceneAverage;

typedef enum { DLS_SCENE_FLOAT64, DLS_SCENE_FLOAT32 } DlsScenePrecision;

typedef struct {
  double every, checkpoint; /* s; 0: at the end alone */
  double from, to;          /* s, of frames; to NAN: the end of the run */
  bool compress;
  int precision; /* DlsScenePrecision */
  bool csv, walls, gauss;
  int pieces;            /* of a frame */
  DlsDeckStrings arrays; /* of frames; none: all */
  DlsDeckStrings post;   /* words of post/quantity.h */
  DlsDeckList averages;  /* of DlsSceneAverage */
} DlsSceneOutput;

typedef struct {
  char *title;
  int dimension;
  DlsSceneTime time;
  DlsExpression *gravity[3];
  double drag;        /* 1/s */
  DlsSceneCell *cell; /* NULL: none */
  DlsDeckVariant
      fields; /* DlsDeckList [section->count] of DlsSceneField, by the keys of its rows */
  DlsDeckList materials, laws, grains, bodies, chains, blocks, springs, bends, boundaries, links;
  DlsDeckList sources, sinks, desired, loads;
  DlsSceneGround *ground; /* NULL: at rest */
  DlsSceneRandom random;
  DlsSceneSurfaces surfaces;
  DlsSceneSolver solver;
  DlsSceneOutput output;
} DlsSceneData;

/* A file that a restart reads again while its bodies come from the checkpoint: the mesh or points
 * of a boundary, the record of the ground, the mesh of a region. What was in it when the scene was
 * built. */
typedef struct {
  char *key; /* "boundaries.hopper.file" */
  const char *path;
  size_t bytes;
  uint64_t hash;
} DlsSceneFile;

/* A wall that a force drives along one axis, or a round one whose radius a pressure drives: a body
 * without contacts of its own carries it, of which x alone is free where `swells`. */
typedef struct {
  int boundary, axis;
  bool swells;
  double side;   /* +1 or -1: the pressed wall pushes that way along the axis, or its radius */
  int across[4]; /* planes, in pairs, whose distances make the area; -1 none. Or one cylinder */
  DlsMember carrier;
} DlsServo;

typedef struct {
  DlsSceneData data;
  DlsSimulation *simulation;
  DlsRoster roster; /* who of the deck is in the world */
  DlsSprings springs;
  int servos;
  DlsServo *servo;
  DlsLoaded *loaded;      /* [loads] */
  DlsGround ground;       /* rows 0: at rest */
  DlsSourceState *poured; /* [sources] */
  int64_t *taken;         /* [sinks], bodies so far */
  double (*origin)[3];    /* [boundaries], m: displacements count from there; see adapt.c */
  bool ready;             /* who comes and goes in the next step has done so: the step was cut */
  int files;
  DlsSceneFile *file;    /* [files], in the order of the deck */
  DlsBodyReader *reader; /* of frames and checkpoints, for place: file; NULL: tables alone */
} DlsScene;

typedef struct {
  DlsBodyReader *reader;
  /* A checkpoint brings the bodies: whether those of the deck overlap does not matter. */
  bool restart;
} DlsSceneOptions;

/* The schema of a deck. */
const DlsDeckSection *dls_scene_section(void);

/* Reads the deck and builds the simulation: bodies placed, laws found, overlaps and parameters
 * checked; nothing has moved yet. The deck must outlive nothing: it may be destroyed after. All
 * problems are in the deck. */
DlsStatus dls_scene_build(DlsDeck *deck, DlsScene **out);
DlsStatus dls_scene_build_with(DlsDeck *deck, const DlsSceneOptions *options, DlsScene **out);
void dls_scene_destroy(DlsScene **scene); /* NULL is fine */

/* Bodies and boundaries come and go as their time, sources and sinks say; then one step. Where the
 * simulation's monitor cuts the step (simulation->cut), the bodies that came and went have done so,
 * which scene->ready remembers, and nothing has moved. So it is where the step has no solution and
 * solver.no_solution is stop: DLS_ERR_NO_SOLUTION, and the sentence names who is squeezed. */
DlsStatus dls_scene_step(DlsScene *scene);

/* Who squeezes whom in the simulation's squeeze, such as "body 1 (sphere, 0.05 m) is squeezed
 * between boundary 'floor' and boundary 'lid', which close at 1 m/s". */
DlsStatus dls_scene_describe_squeeze(const DlsScene *scene, char *text, size_t bytes);

/* Bodies in the world but for those that carry walls. */
int dls_scene_bodies(const DlsScene *scene);

/* Whether the bodies of an entry of the roster are driven, or held and named; `name` then is what
 * the deck calls them: their name, or such as "body2", "grains1" in its order. */
bool dls_scene_entry_drives(const DlsScene *scene, int entry, char *name, size_t bytes);

/* m2, in 2-D m: what the pressure of a servo acts on now. */
double dls_scene_servo_area(const DlsScene *scene, const DlsServo *servo);

/* J: stored in springs; kinetic, of the walls that servos drive. */
double dls_scene_spring_energy(const DlsScene *scene);
double dls_scene_servo_energy(const DlsScene *scene);

/* What a checkpoint keeps of a scene besides its simulation, as bytes: the roster, sources and
 * sinks. `size` must be that of this scene; refused, with nothing changed, where the bytes cannot
 * be of it. */
size_t dls_scene_state_size(const DlsScene *scene);
void dls_scene_state_save(const DlsScene *scene, void *out);
DlsStatus dls_scene_state_restore(DlsScene *scene, const void *bytes, size_t size);

/* A checkpoint of another deck, taken into the scene of this one (adapt.c). Between begin and
 * end the checkpoint is read into scene->simulation, as it is; `then` is the data of its deck,
 * `bytes` its state as above, `origins` [boundaries of then][3] or NULL. A `stage` begins anew at t
 * = 0 with the bodies as they are. Bodies are kept, materials and boundaries are found again by
 * their names. On failure the scene is of no more use; begin needs an end or a cancel. */
typedef struct {
  DlsMaterials materials; /* of the deck */
  int boundaries;
  DlsBoundary *boundary; /* as the deck places them */
  DlsFacetsList facets;  /* of them */
} DlsSceneAdapt;
DlsStatus dls_scene_adapt_begin(DlsScene *scene, const DlsSceneData *then, DlsSceneAdapt *adapt);
DlsStatus dls_scene_adapt_end(DlsScene *scene, const DlsSceneData *then, bool stage,
                              const void *bytes, size_t size, const double (*origins)[3],
                              DlsSceneAdapt *adapt);
void dls_scene_adapt_cancel(DlsScene *scene, DlsSceneAdapt *adapt);

#endif
