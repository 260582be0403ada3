/* A scene: rigid bodies and the points where they touch, and from these H, M, q of one time-step.
 * It serves the samples alone. Space axes x, y, z, gravity along -z when not tilted; in 2-D x, y.
 */
#ifndef DELASSUS_SAMPLE_SAMPLE_IMPL_H
#define DELASSUS_SAMPLE_SAMPLE_IMPL_H

#include <delassus/sample.h>

#include "base/memory.h"
#include "base/random.h"

enum { SCENE_GROUND = -1, SCENE_MAX_DOF = 6 };

typedef struct {
  double mass;       /* kg */
  double inertia[3]; /* kg m2 about the space axes through x; 2-D: [2] alone */
  double x[3];       /* m, the centre of mass */
  double v[3];       /* m/s */
  double spin[3];    /* rad/s at the start; 2-D: [2] alone */
} SceneBody;

typedef struct {
  int antagonist, candidate; /* bodies, or SCENE_GROUND */
  double point[3];           /* m */
  double normal[3];          /* unit, from the antagonist to the candidate */
  DlsRelation relation;
} SceneContact;

typedef struct {
  int dim, block;
  double h, gravity[3];
  SceneBody *bodies;
  int nbodies, body_room;
  SceneContact *contacts;
  int ncontacts, contact_room;
  double *u; /* planted, [contacts][block], or NULL; owned */
} Scene;

void dls_scene_begin(Scene *scene, int dim, int block, const DlsSampleParams *params);
void dls_scene_clear(Scene *scene);

DlsStatus dls_scene_add_body(Scene *scene, const SceneBody *body);
DlsStatus dls_scene_add_contact(Scene *scene, const SceneContact *contact);

/* W of the scene, factored, and q = H (v + h g), [contacts][block], to be ended with free(). */
DlsStatus dls_scene_operator(const Scene *scene, DlsOperator **W, double **q);

/* The problem of the scene; with planted velocities u, q = u - W r instead. */
DlsStatus dls_scene_problem(const Scene *scene, const double *r, DlsProblem **out);

/* The samples, by the file they are in. Each fills a scene that has begun, and r where it is known:
 * *r is NULL or [contacts][block]. */
typedef DlsStatus (*SampleBuild)(const DlsSampleParams *params, Scene *scene, double **r);

DlsStatus dls_sample_slope(const DlsSampleParams *params, Scene *scene, double **r);
DlsStatus dls_sample_table(const DlsSampleParams *params, Scene *scene, double **r);
DlsStatus dls_sample_wall(const DlsSampleParams *params, Scene *scene, double **r);

DlsStatus dls_sample_column(const DlsSampleParams *params, Scene *scene, double **r);
DlsStatus dls_sample_pile(const DlsSampleParams *params, Scene *scene, double **r);
DlsStatus dls_sample_packing(const DlsSampleParams *params, Scene *scene, double **r);

DlsStatus dls_sample_random(const DlsSampleParams *params, Scene *scene, double **r);

#endif
