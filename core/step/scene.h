/* A scene: what a deck says of a simulation, and the simulation made of it. The tables of scene_schema.c are the
 * one place where the keys of a deck stand. */
#ifndef DELASSUS_STEP_SCENE_H
#define DELASSUS_STEP_SCENE_H

#include "deck/deck.h"
#include "step/simulation.h"

typedef struct {
  double step, end, alert; /* s, s, m */
  int scheme;              /* DlsScheme */
  bool signed_gap;
} DlsSceneTime;

typedef struct {
  char *name;
  double density; /* kg/m3 */
} DlsSceneMaterial;

typedef struct {
  DlsDeckStrings between;    /* two names, "*" for all */
  DlsDeckStrings law;        /* the first, and those that follow it */
  DlsDeckVariant parameters; /* double [DLS_MAX_PARAMS], of a list [DLS_MAX_LAWS][DLS_MAX_PARAMS] */
  const DlsDeckNode *place;
} DlsSceneLaw;

typedef struct {
  int shape; /* DlsRegionKind */
  double low[3], high[3], centre[3], radius, radius_top, height;
} DlsSceneRegion;

typedef struct {
  int kind; /* DlsSizesKind */
  double radius, min, max, sigma, exponent;
  DlsDeckReals values, shares;
  int by; /* 0 number, 1 volume */
} DlsSceneSizes;

typedef struct {
  char *material;
  int place; /* lattice, pyramid, random, packed, rain, deposit, file */
  int lattice, base, layers, count, seed;
  double pitch, jitter, gap, fraction, foot[3];
  char *file;
  DlsSceneRegion region;
  DlsSceneSizes sizes;
  double velocity[3], spin[3];
  const DlsDeckNode *node;
} DlsSceneGrains;

typedef struct {
  double at[3], radius;
} DlsSceneElement;

typedef struct {
  char *material;
  double radius, mass, position[3], velocity[3], spin[3];
  DlsDeckList cluster; /* of DlsSceneElement */
  DlsDeckStrings fixed;
  const DlsDeckNode *node;
} DlsSceneBody;

typedef struct {
  char *name, *material;
  int shape; /* DlsBoundaryKind */
  bool inside;
  DlsDeckStrings open;
  double length[3], radius[2], rounding, depth, position[3], axis[3];
  DlsExpression *displacement[3], *velocity[3], *spin[3];
  const DlsDeckNode *node;
} DlsSceneBoundary;

typedef struct {
  char *name;
  double tolerance;
  int measure; /* DlsMeasure */
  int max_iterations;
  DlsDeckVariant options;
} DlsSceneSolver;

typedef struct {
  double every, checkpoint; /* s; 0: at the end alone */
  bool compress;
} DlsSceneOutput;

typedef struct {
  char *title;
  int dimension;
  DlsSceneTime time;
  DlsExpression *gravity[3];
  double drag; /* 1/s */
  DlsDeckList materials, laws, grains, bodies, boundaries;
  DlsSceneSolver solver;
  DlsSceneOutput output;
} DlsSceneData;

typedef struct {
  DlsSceneData data;
  DlsSimulation *simulation;
} DlsScene;

/* The schema of a deck. */
DLS_EXPORT const DlsDeckSection *dls_scene_section(void);

/* Reads the deck and builds the simulation: bodies placed, laws found, overlaps and parameters checked; nothing has
 * moved yet. The deck must outlive nothing: it may be destroyed after. All problems are in the deck. */
DLS_EXPORT DlsStatus dls_scene_build(DlsDeck *deck, DlsScene **out);
DLS_EXPORT void dls_scene_destroy(DlsScene **scene); /* NULL is fine */

#endif
