/* Samples of spheres and disks: a column, a pyramid of cannon balls, a dense packing in a box. */
#include "sample/sample_impl.h"

#include <math.h>
#include <stdlib.h>

static const double radius = 0.01;  /* m */
static const double density = 2500; /* kg/m3; a disk is 1 m thick */
static const double rolling = 0.05; /* coefficient of rolling over the radius */
static const double torsion = 0.02; /* coefficient of torsion over the radius */

static SceneBody sphere_at(int dim, double r, const double *x) {
  SceneBody body = {.x = {x[0], x[1], x[2]}};
  body.mass = dim == 2 ? density * M_PI * r * r : density * 4 / 3 * M_PI * r * r * r;
  for (int k = 0; k < 3; k++) body.inertia[k] = (dim == 2 ? 0.5 : 0.4) * body.mass * r * r;
  return body;
}

static DlsRelation relation_of(const Scene *scene, double mu) {
  if (scene->block == scene->dim) return (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  return (DlsRelation){.cone = DLS_CONE_ROLLING,
                       .mu = {mu, mu, rolling * radius, scene->block == 6 ? torsion * radius : 0}};
}

/* Contact between two spheres, at the middle of what they share. */
static DlsStatus add_pair(Scene *scene, double mu, int antagonist, int candidate) {
  SceneContact contact = {
      .antagonist = antagonist, .candidate = candidate, .relation = relation_of(scene, mu)};
  const double *a = scene->bodies[antagonist].x, *b = scene->bodies[candidate].x;
  double length = 0;
  for (int k = 0; k < 3; k++) {
    contact.normal[k] = b[k] - a[k];
    contact.point[k] = (a[k] + b[k]) / 2;
    length += contact.normal[k] * contact.normal[k];
  }
  for (int k = 0; k < 3; k++) contact.normal[k] /= sqrt(length);
  return dls_scene_add_contact(scene, &contact);
}

/* Contact of a sphere with the plane x_axis = place, which it stands on the side `sign` of. */
static DlsStatus add_plane(Scene *scene, double mu, int body, int axis, double sign, double place) {
  SceneContact contact = {
      .antagonist = SCENE_GROUND, .candidate = body, .relation = relation_of(scene, mu)};
  for (int k = 0; k < 3; k++) contact.point[k] = scene->bodies[body].x[k];
  contact.point[axis] = place;
  contact.normal[axis] = sign;
  return dls_scene_add_contact(scene, &contact);
}

/* `size` spheres at rest on each other: number k from below carries h g m (size - k). */
DlsStatus dls_sample_column(const DlsSampleParams *params, Scene *scene, double **r) {
  if (params->tilt == 0) DLS_NEW(*r, 3 * params->size);
  for (int k = 0; k < params->size; k++) {
    const double x[3] = {0, 0, radius * (1 + 2 * k)};
    const SceneBody body = sphere_at(3, radius, x);
    DLS_TRY(dls_scene_add_body(scene, &body));
    DLS_TRY(k ? add_pair(scene, params->mu, k - 1, k)
              : add_plane(scene, params->mu, 0, 2, 1.0, 0.0));
    if (*r) (*r)[3 * k] = -params->h * body.mass * scene->gravity[2] * (params->size - k);
  }
  return DLS_OK;
}

/* The sphere (i, j) of a layer of side n whose first sphere is `first`. */
static int ball(int first, int n, int i, int j) { return first + i * n + j; }

/* A pyramid of `size` layers on a square base; spheres touch their neighbours in the layer and the
 * four below. */
DlsStatus dls_sample_pile(const DlsSampleParams *params, Scene *scene, double **r) {
  (void)r; /* no closed form */
  for (int layer = 0, below = 0; layer < params->size; layer++) {
    const int n = params->size - layer, first = scene->nbodies;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const double x[3] = {radius * (layer + 2 * i), radius * (layer + 2 * j),
                             radius * (1 + M_SQRT2 * layer)};
        const SceneBody body = sphere_at(3, radius, x);
        const int self = ball(first, n, i, j);
        DLS_TRY(dls_scene_add_body(scene, &body));
        if (layer == 0) DLS_TRY(add_plane(scene, params->mu, self, 2, 1.0, 0.0));
        for (int corner = 0; layer > 0 && corner < 4; corner++)
          DLS_TRY(add_pair(scene, params->mu,
                           ball(below, n + 1, i + (corner >> 1), j + (corner & 1)), self));
        if (i > 0) DLS_TRY(add_pair(scene, params->mu, ball(first, n, i - 1, j), self));
        if (j > 0) DLS_TRY(add_pair(scene, params->mu, ball(first, n, i, j - 1), self));
      }
    below = first;
  }
  return DLS_OK;
}

/* A close packing: rows along x, shifted in turn, layers shifted in turn; in 2-D one row per layer.
 * Distances between neighbours are `spacing`, radii spread a little below radius, so that about two
 * fifths (3-D) or two thirds (2-D) of the neighbours touch: a disordered network on an orderly
 * place. */
typedef struct {
  int dim, across;     /* spheres along x, and along y in 3-D */
  double spacing;      /* m */
  double low, size[3]; /* the box is [0, size]; the first centre stands `low` from its walls */
  double *radii;
} Packing;

static const double spread = 0.04, jitter = 0.005; /* over the radius */

static void place_of(const Packing *p, int number, double *x) {
  const double d = p->spacing;
  const int i = number % p->across;
  if (p->dim == 2) {
    const int row = number / p->across;
    x[0] = p->low + d * (i + 0.5 * (row % 2));
    x[1] = p->low + d * sqrt(0.75) * row;
    x[2] = 0;
    return;
  }
  const int j = (number / p->across) % p->across, layer = number / (p->across * p->across);
  x[0] = p->low + d * (i + 0.5 * ((j + layer) % 2));
  x[1] = p->low + d * sqrt(0.75) * (j + (layer % 2) / 3.0);
  x[2] = p->low + d * sqrt(2.0 / 3.0) * layer;
}

static DlsStatus add_spheres(const DlsSampleParams *params, Scene *scene, Packing *p) {
  const double fall = 0.05, noise = 0.02; /* m/s */
  DlsRandom random;
  dls_random_seed(&random, params->seed);
  for (int k = 0; k < params->size; k++) {
    double x[3];
    place_of(p, k, x);
    for (int axis = 0; axis < p->dim; axis++)
      x[axis] += jitter * radius * dls_random_between(&random, -1, 1);
    p->radii[k] = radius * (1 - spread * dls_random_unit(&random));
    SceneBody body = sphere_at(p->dim, p->radii[k], x);
    for (int axis = 0; axis < p->dim; axis++)
      body.v[axis] = noise * dls_random_between(&random, -1, 1);
    body.v[p->dim - 1] -= fall;
    DLS_TRY(dls_scene_add_body(scene, &body));
  }
  return DLS_OK;
}

static int touch(const Scene *scene, const Packing *p, int a, int b) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double d = scene->bodies[b].x[k] - scene->bodies[a].x[k];
    square += d * d;
  }
  const double reach = p->radii[a] + p->radii[b];
  return square < reach * reach;
}

/* Walls and floor first, then the neighbours of lower number. In the order of places a neighbour is
 * never farther back than one layer, one row and two spheres. */
static DlsStatus add_contacts(const DlsSampleParams *params, Scene *scene, const Packing *p) {
  const int layer = p->dim == 2 ? p->across : p->across * p->across;
  const int back = layer + (p->dim == 2 ? 0 : p->across) + 2;
  for (int k = 0; k < params->size; k++) {
    const double *x = scene->bodies[k].x;
    for (int axis = 0; axis < p->dim; axis++) {
      if (x[axis] < p->radii[k]) DLS_TRY(add_plane(scene, params->mu, k, axis, 1.0, 0.0));
      if (axis < p->dim - 1 && x[axis] > p->size[axis] - p->radii[k])
        DLS_TRY(add_plane(scene, params->mu, k, axis, -1.0, p->size[axis]));
    }
    for (int other = k > back ? k - back : 0; other < k; other++)
      if (touch(scene, p, other, k)) DLS_TRY(add_pair(scene, params->mu, other, k));
  }
  return DLS_OK;
}

/* `size` spheres (disks in 2-D) that fall, packed, into a box without a lid. */
DlsStatus dls_sample_packing(const DlsSampleParams *params, Scene *scene, double **r) {
  Packing p = {.dim = scene->dim};
  (void)r; /* no closed form */
  p.across = (int)ceil(p.dim == 2 ? sqrt(params->size) : cbrt(params->size));
  p.spacing = 2 * radius * (p.dim == 2 ? 0.975 : 0.983);
  p.low = p.spacing / 2;
  p.size[0] = p.spacing * (p.across + 0.5);
  p.size[1] = 2 * p.low + p.spacing * sqrt(0.75) * (p.across - 1 + 1.0 / 3.0);
  DLS_NEW(p.radii, params->size);
  DlsStatus status = add_spheres(params, scene, &p);
  if (status == DLS_OK) status = add_contacts(params, scene, &p);
  free(p.radii);
  return status;
}
