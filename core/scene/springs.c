#include "scene/springs.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define APPEND(array, count, item)                                                                 \
  do {                                                                                             \
    void *more = realloc((array), ((size_t)(count) + 1) * sizeof *(array));                        \
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d springs", (count) + 1);                  \
    (array) = more;                                                                                \
    (array)[(count)++] = (item);                                                                   \
  } while (0)

DlsStatus dls_springs_add(DlsSprings *s, const DlsSpring *spring) {
  APPEND(s->spring, s->springs, *spring);
  return DLS_OK;
}

DlsStatus dls_springs_add_bend(DlsSprings *s, const DlsBend *bend) {
  APPEND(s->bend, s->bends, *bend);
  return DLS_OK;
}

void dls_springs_clear(DlsSprings *s) {
  free(s->spring);
  free(s->bend);
  *s = (DlsSprings){0};
}

/* Numbers of the bodies; false where one is not there. */
static bool find(const DlsRoster *roster, const DlsWorld *world, int count, const DlsMember *member,
                 int *body) {
  for (int k = 0; k < count; k++)
    if ((body[k] = dls_roster_number(roster, world, member[k])) < 0) return false;
  return true;
}

/* from -> to; the distance. */
static double arm(const DlsWorld *world, int from, int to, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = world->position[to][k] - world->position[from][k];
  return dls_vector_norm(out);
}

static void pull(const DlsSpring *s, const DlsWorld *world, const int *body, double (*force)[6]) {
  double d[3], closing = 0;
  const double size = arm(world, body[0], body[1], d);
  if (!(size > 0)) return; /* no direction */
  const double *v = world->velocity[body[0]], *w = world->velocity[body[1]];
  for (int k = 0; k < 3; k++) closing += (w[k] - v[k]) * d[k] / size;
  const double tension = s->stiffness * (size - s->length) + s->damping * closing;
  for (int k = 0; k < 3; k++) {
    force[body[0]][k] += tension * d[k] / size;
    force[body[1]][k] -= tension * d[k] / size;
  }
}

/* The two arms of a bend: vectors a (first to middle) and b (middle to last), cosine and sine of
 * the turn; across = a x b / |a| |b|, along z in 2-D, where the sine has its sign. */
typedef struct {
  double a[3], b[3], a2, b2, cosine, sine, across[3];
} Turn;

static bool turn_of(const DlsWorld *world, const int *body, Turn *t) {
  const double a = arm(world, body[0], body[1], t->a), b = arm(world, body[1], body[2], t->b);
  if (!(a > 0 && b > 0)) return false;
  t->a2 = a * a;
  t->b2 = b * b;
  dls_vector_cross(t->a, t->b, t->across);
  for (int k = 0; k < 3; k++) t->across[k] /= a * b;
  t->cosine = dls_vector_dot(t->a, t->b) / (a * b);
  t->sine = world->dim == 2 ? t->across[2] : dls_vector_norm(t->across);
  return true;
}

/* torque = dV/dtheta about the axis of the turn; a straight chain in space that wants to be bent
 * has no axis, and stays straight. grad theta: (axis x a)/a^2 for the first body, (axis x b)/b^2
 * for the last. */
static void bend(const DlsBend *s, const DlsWorld *world, const int *body, double (*force)[6]) {
  Turn t;
  double torque[3], first[3], last[3];
  if (!turn_of(world, body, &t)) return;
  const double c = cos(s->angle), q = sin(s->angle);
  for (int k = 0; k < 3; k++) {
    const double axis = fabs(t.sine) > 1e-12 ? t.across[k] / t.sine : world->dim == 2 && k == 2;
    torque[k] = 0.5 * s->stiffness * (c * t.across[k] - q * t.cosine * axis);
  }
  dls_vector_cross(torque, t.a, first);
  dls_vector_cross(torque, t.b, last);
  for (int k = 0; k < 3; k++) {
    first[k] /= t.a2;
    last[k] /= t.b2;
    force[body[0]][k] -= first[k];
    force[body[1]][k] += first[k] + last[k];
    force[body[2]][k] -= last[k];
  }
}

void dls_springs_force(const DlsSprings *s, const DlsRoster *roster, const DlsWorld *world,
                       double (*force)[6]) {
  int body[3];
  for (int k = 0; k < s->springs; k++)
    if (find(roster, world, 2, s->spring[k].end, body)) pull(&s->spring[k], world, body, force);
  for (int k = 0; k < s->bends; k++)
    if (find(roster, world, 3, s->bend[k].body, body)) bend(&s->bend[k], world, body, force);
}

double dls_springs_energy(const DlsSprings *s, const DlsRoster *roster, const DlsWorld *world) {
  double sum = 0, d[3];
  int body[3];
  Turn t;
  for (int k = 0; k < s->springs; k++) {
    const DlsSpring *spring = &s->spring[k];
    if (!find(roster, world, 2, spring->end, body)) continue;
    const double stretch = arm(world, body[0], body[1], d) - spring->length;
    sum += 0.5 * spring->stiffness * stretch * stretch;
  }
  for (int k = 0; k < s->bends; k++) {
    const DlsBend *b = &s->bend[k];
    if (!find(roster, world, 3, b->body, body) || !turn_of(world, body, &t)) continue;
    sum += 0.5 * b->stiffness * (1 - cos(b->angle) * t.cosine - sin(b->angle) * t.sine);
  }
  return sum;
}

/* A term of stiffness k g g^T over some bodies adds k |g_i| sum_j |g_j| / m_i to the bound of row
 * i; fixed bodies do not answer. */
static void add_term(const DlsWorld *world, int count, const int *body, const double *g, double k,
                     double *bound) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    if ((world->fixed[body[i]] & 7) != 7) sum += g[i];
  for (int i = 0; i < count; i++)
    if ((world->fixed[body[i]] & 7) != 7) bound[body[i]] += k * g[i] * sum / world->mass[body[i]];
}

DlsStatus dls_springs_frequency(const DlsSprings *s, const DlsRoster *roster, const DlsWorld *world,
                                double *out) {
  double *bound, highest = 0, d[3];
  int body[3];
  DLS_NEW(bound, world->count);
  for (int k = 0; k < s->springs; k++)
    if (find(roster, world, 2, s->spring[k].end, body))
      add_term(world, 2, body, (const double[]){1, 1}, s->spring[k].stiffness, bound);
  for (int k = 0; k < s->bends; k++) {
    if (!find(roster, world, 3, s->bend[k].body, body)) continue;
    const double a = 1 / arm(world, body[0], body[1], d), b = 1 / arm(world, body[1], body[2], d);
    add_term(world, 3, body, (const double[]){a, a + b, b}, 0.5 * s->bend[k].stiffness, bound);
  }
  for (int b = 0; b < world->count; b++) highest = fmax(highest, bound[b]);
  free(bound);
  *out = sqrt(highest);
  return DLS_OK;
}
