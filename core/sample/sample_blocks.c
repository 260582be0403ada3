/* Samples of blocks: particles on a slope, a table, a wall of bricks, and random geometry with a
 * planted solution. */
#include "sample/sample_impl.h"

#include <math.h>
#include <stdlib.h>

static SceneContact on_ground(int candidate, double mu) {
  return (SceneContact){
      .antagonist = SCENE_GROUND,
      .candidate = candidate,
      .normal = {0, 0, 1},
      .relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}},
  };
}

/* A brick of half sides a, with its mass and inertia. */
static SceneBody brick_at(const double *x, const double *a, double density) {
  SceneBody body = {.mass = density * 8 * a[0] * a[1] * a[2]};
  for (int k = 0; k < 3; k++) {
    const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
    body.inertia[k] = body.mass * (b * b + c * c) / 3;
    body.x[k] = x[k];
  }
  return body;
}

/* `size` particles of 2 kg on one plane, apart from each other; number k has friction mu (k + 1) /
 * size. Held when tan(tilt) <= mu_k: r = h m g (cos, -sin, 0), t1 down the slope. It slides
 * otherwise: r = h m g cos (1, -mu_k, 0). */
DlsStatus dls_sample_slope(const DlsSampleParams *params, Scene *scene, double **r) {
  const double mass = 2.0;
  const double push = -params->h * mass * scene->gravity[2];
  const double pull = params->h * mass * scene->gravity[0];
  DLS_NEW(*r, 3 * params->size);
  for (int k = 0; k < params->size; k++) {
    const double mu = params->mu * (k + 1) / params->size;
    SceneBody body = {.mass = mass, .inertia = {0.01, 0.01, 0.01}, .x = {0, k, 0}};
    SceneContact contact = on_ground(k, mu);
    contact.point[1] = k; /* at the centre of mass: a particle does not turn */
    DLS_TRY(dls_scene_add_body(scene, &body));
    DLS_TRY(dls_scene_add_contact(scene, &contact));
    (*r)[3 * k] = fmax(push, 0);
    (*r)[3 * k + 1] = -copysign(fmin(fabs(pull), mu * fmax(push, 0)), pull);
  }
  return DLS_OK;
}

/* A round table with `size` legs on a regular polygon. From four legs on it is hyperstatic: the
 * legs can share the weight in many ways, in equal parts for one. */
DlsStatus dls_sample_table(const DlsSampleParams *params, Scene *scene, double **r) {
  const double height = 0.7, radius = 0.6, half[3] = {0.7, 0.7, 0.02}, x[3] = {0, 0, height};
  const SceneBody table = brick_at(x, half, 600);
  DLS_TRY(dls_scene_add_body(scene, &table));
  if (params->tilt == 0) DLS_NEW(*r, 3 * params->size);
  for (int k = 0; k < params->size; k++) {
    const double angle = 2 * M_PI * (k + 0.5) / params->size;
    SceneContact leg = on_ground(0, params->mu);
    leg.point[0] = radius * cos(angle);
    leg.point[1] = radius * sin(angle);
    DLS_TRY(dls_scene_add_contact(scene, &leg));
    if (*r) (*r)[3 * k] = -params->h * table.mass * scene->gravity[2] / params->size;
  }
  return DLS_OK;
}

/* Bricks of a wall, by courses. */
typedef struct {
  double left, right; /* m */
} Brick;

static const double brick_side[3] = {0.20, 0.10, 0.06}; /* m */

/* Running bond: odd courses are shifted by half a brick and end with halves. */
static int course_of(int course, int width, Brick *bricks) {
  const double length = brick_side[0];
  const int odd = course % 2, count = width + odd;
  for (int i = 0; i < count; i++) {
    const double left = length * (i - 0.5 * odd);
    bricks[i].left = fmax(left, 0);
    bricks[i].right = fmin(left + length, length * width);
  }
  return count;
}

/* The four corners of the face that two bricks share, from x = left to right at height z. */
static DlsStatus add_face(Scene *scene, int below, int above, double left, double right, double z,
                          double mu) {
  for (int corner = 0; corner < 4; corner++) {
    SceneContact contact = on_ground(above, mu);
    contact.antagonist = below;
    contact.point[0] = corner & 1 ? right : left;
    contact.point[1] = corner & 2 ? brick_side[1] / 2 : -brick_side[1] / 2;
    contact.point[2] = z;
    DLS_TRY(dls_scene_add_contact(scene, &contact));
  }
  return DLS_OK;
}

static DlsStatus lay_course(const DlsSampleParams *params, Scene *scene, int course,
                            const Brick *under, int nunder, const Brick *bricks, int count) {
  const double z = course * brick_side[2], density = 2000;
  const int first = scene->nbodies;
  for (int i = 0; i < count; i++) {
    const double x[3] = {(bricks[i].left + bricks[i].right) / 2, 0, z + brick_side[2] / 2};
    const double half[3] = {(bricks[i].right - bricks[i].left) / 2, brick_side[1] / 2,
                            brick_side[2] / 2};
    const SceneBody body = brick_at(x, half, density);
    DLS_TRY(dls_scene_add_body(scene, &body));
    if (course == 0)
      DLS_TRY(
          add_face(scene, SCENE_GROUND, first + i, bricks[i].left, bricks[i].right, 0, params->mu));
    for (int j = 0; course > 0 && j < nunder; j++) {
      const double left = fmax(bricks[i].left, under[j].left);
      const double right = fmin(bricks[i].right, under[j].right);
      if (right - left < 0.1 * brick_side[0]) continue;
      DLS_TRY(add_face(scene, first - nunder + j, first + i, left, right, z, params->mu));
    }
  }
  return DLS_OK;
}

/* `size` courses of `size` bricks, four contact points per face: W has about half its rank. */
DlsStatus dls_sample_wall(const DlsSampleParams *params, Scene *scene, double **r) {
  const int width = params->size;
  Brick *rows = NULL;
  DlsStatus status = DLS_OK;
  (void)r; /* no closed form */
  DLS_NEW(rows, 2 * (width + 1));
  for (int course = 0, under = 0; course < params->size && status == DLS_OK; course++) {
    Brick *bricks = rows + (course % 2) * (width + 1);
    const Brick *below = rows + ((course + 1) % 2) * (width + 1);
    const int count = course_of(course, width, bricks);
    status = lay_course(params, scene, course, below, under, bricks, count);
    under = count;
  }
  free(rows);
  return status;
}

static void random_direction(DlsRandom *random, double *out) {
  double length;
  do {
    for (int k = 0; k < 3; k++) out[k] = dls_random_between(random, -1, 1);
    length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  } while (length > 1 || length < 0.1);
  for (int k = 0; k < 3; k++) out[k] /= length;
}

/* One third of the contacts opens, slips, sticks: r in K, u + mu |u_T| n in K*, orthogonal. */
static void plant(DlsRandom *random, int contact, double mu, double *r, double *u) {
  const double size = dls_random_between(random, 0.5, 1.5);
  const double angle = dls_random_between(random, 0, 2 * M_PI);
  const double ct = cos(angle), st = sin(angle);
  switch (contact % 3) {
  case 0:
    u[0] = size;
    u[1] = size * ct;
    u[2] = size * st;
    break;
  case 1:
    r[0] = size;
    r[1] = -mu * size * ct;
    r[2] = -mu * size * st;
    u[1] = size * ct;
    u[2] = size * st;
    break;
  default:
    r[0] = size;
    r[1] = 0.5 * mu * size * ct;
    r[2] = 0.5 * mu * size * st;
  }
}

/* `size` contacts between bodies at random points, normals and masses (over a factor 100), and a
 * solution chosen first: q = u - W r. */
DlsStatus dls_sample_random(const DlsSampleParams *params, Scene *scene, double **r) {
  const int bodies = 1 + (2 * params->size) / 3;
  DlsRandom random;
  dls_random_seed(&random, params->seed);
  for (int k = 0; k < bodies; k++) {
    const double mass = pow(10, dls_random_between(&random, -1, 1));
    SceneBody body = {.mass = mass};
    for (int i = 0; i < 3; i++) {
      body.inertia[i] = mass * dls_random_between(&random, 0.2, 0.3);
      body.x[i] = dls_random_between(&random, -1, 1);
    }
    DLS_TRY(dls_scene_add_body(scene, &body));
  }
  DLS_NEW(*r, 3 * params->size);
  DLS_NEW(scene->u, 3 * params->size);
  for (int i = 0; i < params->size; i++) {
    const double mu = params->mu * dls_random_between(&random, 0.5, 1.5);
    SceneContact contact = on_ground(dls_random_below(&random, bodies), mu);
    contact.antagonist = dls_random_below(&random, bodies);
    if (contact.antagonist == contact.candidate) contact.antagonist = SCENE_GROUND;
    random_direction(&random, contact.normal);
    for (int k = 0; k < 3; k++) contact.point[k] = dls_random_between(&random, -1, 1);
    DLS_TRY(dls_scene_add_contact(scene, &contact));
    plant(&random, i, mu, *r + 3 * i, scene->u + 3 * i);
  }
  return DLS_OK;
}
