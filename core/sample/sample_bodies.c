/* From bodies and contact points to H, M and q.
 *
 * The velocity at a point p of a body is v + ω x (p - x), so the row of H for the direction d reads
 *   [d, (p - x) x d]   for the candidate, the opposite for the antagonist,
 * and the row of a relative spin about d reads [0, d]. In 2-D the dof are (v_x, v_y, ω). */
#include "sample/sample_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/cone.h>

#include "base/small.h"

static const double standard_gravity = 9.81; /* m/s2 */

void dls_scene_begin(Scene *scene, int dim, int block, const DlsSampleParams *params) {
  memset(scene, 0, sizeof *scene);
  scene->dim = dim;
  scene->block = block;
  scene->h = params->h;
  scene->gravity[0] = standard_gravity * sin(params->tilt);
  scene->gravity[dim - 1] = -standard_gravity * cos(params->tilt);
}

void dls_scene_clear(Scene *scene) {
  free(scene->bodies);
  free(scene->contacts);
  free(scene->u);
  memset(scene, 0, sizeof *scene);
}

/* Room for one more; doubles. NULL when out of memory, and the old array stays as it is. */
static void *grow(void *array, int used, int *room, size_t bytes) {
  if (used < *room) return array;
  const int wanted = *room ? 2 * *room : 64;
  void *larger = realloc(array, (size_t)wanted * bytes);
  if (larger) *room = wanted;
  return larger;
}

DlsStatus dls_scene_add_body(Scene *scene, const SceneBody *body) {
  SceneBody *bodies = grow(scene->bodies, scene->nbodies, &scene->body_room, sizeof *bodies);
  DLS_CHECK(bodies, DLS_ERR_MEMORY, "sample: no memory for body %d", scene->nbodies);
  scene->bodies = bodies;
  bodies[scene->nbodies++] = *body;
  return DLS_OK;
}

DlsStatus dls_scene_add_contact(Scene *scene, const SceneContact *contact) {
  SceneContact *contacts =
      grow(scene->contacts, scene->ncontacts, &scene->contact_room, sizeof *contacts);
  DLS_CHECK(contacts, DLS_ERR_MEMORY, "sample: no memory for contact %d", scene->ncontacts);
  scene->contacts = contacts;
  contacts[scene->ncontacts++] = *contact;
  return DLS_OK;
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rows n, t1, t2, right-handed; t1 is the space axis farthest from n, made orthogonal to it: the x
 * axis for a horizontal ground. In 2-D t is n turned by +90 degrees. */
static void frame_of(int dim, const double *normal, double frame[3][3]) {
  memcpy(frame[0], normal, sizeof frame[0]);
  if (dim == 2) {
    frame[1][0] = -normal[1];
    frame[1][1] = normal[0];
    frame[1][2] = 0;
    return;
  }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(normal[k]) < fabs(normal[axis])) axis = k;
  double length = 0;
  for (int k = 0; k < 3; k++) {
    frame[1][k] = (k == axis) - normal[axis] * normal[k];
    length += frame[1][k] * frame[1][k];
  }
  for (int k = 0; k < 3; k++) frame[1][k] /= sqrt(length);
  cross(frame[0], frame[1], frame[2]);
}

/* The block x dof part of H of one body, row-major; sign +1 candidate, -1 antagonist. */
static void support_rows(const Scene *scene, const SceneContact *contact, int body, double sign,
                         double *H) {
  const int dim = scene->dim, block = scene->block, dof = dim == 2 ? 3 : 6;
  const DlsLayout layout = dls_cone_layout(contact->relation.cone, dim, block);
  double frame[3][3], arm[3], turn[3];
  frame_of(dim, contact->normal, frame);
  for (int k = 0; k < 3; k++) arm[k] = contact->point[k] - scene->bodies[body].x[k];
  memset(H, 0, (size_t)(block * dof) * sizeof *H);
  for (int row = 0; row < 1 + layout.tangents; row++) {
    double *out = H + row * dof;
    cross(arm, frame[row], turn);
    for (int k = 0; k < dim; k++) out[k] = sign * frame[row][k];
    if (dim == 2)
      out[2] = sign * turn[2];
    else
      for (int k = 0; k < 3; k++) out[3 + k] = sign * turn[k];
  }
  for (int row = 1 + layout.tangents; row < block; row++) {
    double *out = H + row * dof;
    const int torsion = row >= 1 + layout.tangents + layout.rollings;
    const double *about = torsion ? frame[0] : frame[row - layout.tangents];
    if (dim == 2)
      out[2] = sign;
    else
      for (int k = 0; k < 3; k++) out[3 + k] = sign * about[k];
  }
}

/* The velocity of a body at the end of a free step, in its dof. */
static void free_velocity(const Scene *scene, const SceneBody *body, double *v) {
  memset(v, 0, SCENE_MAX_DOF * sizeof *v);
  for (int k = 0; k < scene->dim; k++) v[k] = body->v[k] + scene->h * scene->gravity[k];
  if (scene->dim == 2)
    v[2] = body->spin[2];
  else
    memcpy(v + 3, body->spin, sizeof body->spin);
}

static void mass_matrix(int dim, const SceneBody *body, double *M) {
  const int dof = dim == 2 ? 3 : 6;
  memset(M, 0, (size_t)(dof * dof) * sizeof *M);
  for (int k = 0; k < dim; k++) M[k * dof + k] = body->mass;
  if (dim == 2)
    M[8] = body->inertia[2];
  else
    for (int k = 0; k < 3; k++) M[(3 + k) * dof + 3 + k] = body->inertia[k];
}

/* The arrays that dls_operator_create_factored() takes. */
typedef struct {
  int *start, *body;
  double *H, *mass, *q;
} Arrays;

static void arrays_free(Arrays *a) {
  free(a->start);
  free(a->body);
  free(a->H);
  free(a->mass);
  free(a->q);
}

static DlsStatus arrays_alloc(const Scene *scene, Arrays *a) {
  const size_t n = (size_t)scene->ncontacts, block = (size_t)scene->block;
  const size_t dof = scene->dim == 2 ? 3 : 6;
  DLS_NEW(a->start, n + 1);
  DLS_NEW(a->body, 2 * n);
  DLS_NEW(a->H, 2 * n * block * dof);
  DLS_NEW(a->mass, (size_t)scene->nbodies * dof * dof);
  DLS_NEW(a->q, n * block);
  return DLS_OK;
}

static void fill(const Scene *scene, Arrays *a) {
  const int block = scene->block, dof = scene->dim == 2 ? 3 : 6;
  int supports = 0;
  for (int k = 0; k < scene->nbodies; k++)
    mass_matrix(scene->dim, &scene->bodies[k], a->mass + k * dof * dof);
  for (int i = 0; i < scene->ncontacts; i++) {
    const SceneContact *contact = &scene->contacts[i];
    const int body[2] = {contact->antagonist, contact->candidate};
    a->start[i] = supports;
    for (int side = 0; side < 2; side++) {
      if (body[side] == SCENE_GROUND) continue;
      double *H = a->H + (size_t)supports * (size_t)(block * dof), v[SCENE_MAX_DOF];
      a->body[supports++] = body[side];
      support_rows(scene, contact, body[side], side ? 1.0 : -1.0, H);
      free_velocity(scene, &scene->bodies[body[side]], v);
      for (int row = 0; row < block; row++)
        a->q[i * block + row] += dls_small_dot(dof, H + row * dof, v);
    }
  }
  a->start[scene->ncontacts] = supports;
}

DlsStatus dls_scene_operator(const Scene *scene, DlsOperator **W, double **q) {
  Arrays a = {0};
  *W = NULL;
  *q = NULL;
  DlsStatus status = arrays_alloc(scene, &a);
  if (status == DLS_OK) {
    fill(scene, &a);
    status = dls_operator_create_factored(scene->ncontacts, scene->block, scene->nbodies,
                                          scene->dim == 2 ? 3 : 6, a.start, a.body, a.H, a.mass, W);
  }
  if (status == DLS_OK) {
    *q = a.q;
    a.q = NULL;
  }
  arrays_free(&a);
  return status;
}

static DlsStatus relations_of(const Scene *scene, DlsRelation **out) {
  DLS_NEW(*out, scene->ncontacts);
  for (int i = 0; i < scene->ncontacts; i++) (*out)[i] = scene->contacts[i].relation;
  return DLS_OK;
}

DlsStatus dls_scene_problem(const Scene *scene, const double *r, DlsProblem **out) {
  DlsOperator *W = NULL;
  DlsRelation *relations = NULL;
  double *q = NULL;
  *out = NULL;
  DlsStatus status = dls_scene_operator(scene, &W, &q);
  if (status == DLS_OK) status = relations_of(scene, &relations);
  if (status == DLS_OK && scene->u) {
    dls_operator_apply(W, r, q);
    for (int k = 0; k < scene->ncontacts * scene->block; k++) q[k] = scene->u[k] - q[k];
  }
  if (status == DLS_OK) status = dls_problem_create(scene->dim, &W, q, relations, NULL, out);
  dls_operator_destroy(&W);
  free(relations);
  free(q);
  return status;
}
