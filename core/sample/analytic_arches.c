/* Answers in closed form, in 2-D: a wedge between two plates, an arch of three disks, an arch of
 * voussoirs. The second axis points up; t is n turned by +90 degrees. */
#include "sample/analytic_impl.h"

#include <math.h>

/* A wedge of mass m, its faces leaning by b from the vertical and converging downwards, is squeezed
 * by two plates of mass M that arrive at V from both sides, without gravity. Plates are points at
 * the contact: nothing turns. On the right n = (-cos b, sin b), t = (-sin b, -cos b), and the wedge
 * gets N n + T t. It jams when tan b <= mu: all stops, N = M V cos b, T = M V sin b. Else it is
 * driven out, T = mu N; with A = cos b + mu sin b and B = sin b - mu cos b,
 *   m s = 2 N B,   M (x + V) = N A,   M y = -N B,   u_N = x cos b + (s - y) sin b = 0
 * for the wedge's velocity (0, s) and the right plate's (x, y), so N = V cos b / (A cos b / M + B
 * sin b (2/m + 1/M)). p: tan b over mu. */
DlsStatus dls_analytic_wedge(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu = 0.4, b = atan(p[0] * mu), m = 1, M = 3, V = 0.5, half = 0.1;
  const double A = cos(b) + mu * sin(b), B = sin(b) - mu * cos(b);
  double N = M * V * cos(b), T = M * V * sin(b), slip = 0;
  scene->gravity[1] = 0;
  DLS_TRY(dls_analytic_add(scene, m, 0.01, 0, 0, 0));
  for (int side = 1; side >= -1; side -= 2) {
    const int plate = scene->nbodies;
    const double point[3] = {side * half, 0, 0}, normal[3] = {-side * cos(b), sin(b), 0};
    DLS_TRY(dls_analytic_add(scene, M, 0.01, point[0], 0, 0));
    scene->bodies[plate].v[0] = -side * V;
    DLS_TRY(dls_analytic_touch(scene, plate, 0, point, normal, mu));
  }
  if (p[0] > 1) {
    N = V * cos(b) / (A * cos(b) / M + B * sin(b) * (2 / m + 1 / M));
    T = mu * N;
    const double s = 2 * N * B / m, x = N * A / M - V, y = -N * B / M;
    slip = x * sin(b) - (s - y) * cos(b);
  }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  for (int i = 0; i < 2; i++) { /* the left is the mirror image */
    const double sign = i ? -1 : 1;
    out->r[2 * i] = N;
    out->r[2 * i + 1] = sign * T;
    out->u[2 * i + 1] = sign * slip;
  }
  out->r_size = M * V;
  return DLS_OK;
}

/* Two disks on the ground, apart, carry a third; f is the angle from the vertical to the lines of
 * centres. Moments about a lower disk's centre make its two frictions equal, its horizontal balance
 * then gives T = N tan(f/2), and the upper disk's N = P/2; the ground carries 3P/2 each. It stands
 * when mu >= tan(f/2). Else the upper contacts slip, T = mu N, and the lower disks roll out with c,
 * the upper sinks with s; k = I / (m R²):
 *   c sin f = s cos f,   m c (1 + k) = N (sin f - mu (1 + cos f)),
 *       m s = P - 2 N (cos f + mu sin f),
 *   on the ground N' = P + N (cos f + mu sin f), T' = k m c + mu N inwards. p: mu over tan(f/2). */
DlsStatus dls_analytic_arch(const double *p, Scene *scene, DlsAnalytic *out) {
  const double f = 40 * M_PI / 180, R = 0.1, mass = 1, k = 0.5, mu = p[0] * tan(f / 2);
  const double P = -mass * scene->h * scene->gravity[1], upright[3] = {0, 1, 0};
  const double D = sin(f) - mu * (1 + cos(f)), bear = cos(f) + mu * sin(f);
  double N = P / 2, T = P / 2 * tan(f / 2), ground = 1.5 * P, inwards = T, slip = 0;
  for (int side = 1; side >= -1; side -= 2) {
    const double x = side * 2 * R * sin(f), point[3] = {x, 0, 0};
    DLS_TRY(dls_analytic_add(scene, mass, k * mass * R * R, x, R, 0));
    DLS_TRY(
        dls_analytic_touch(scene, SCENE_GROUND, scene->nbodies - 1, point, upright, fmax(mu, 0.3)));
  }
  DLS_TRY(dls_analytic_add(scene, mass, k * mass * R * R, 0, R + 2 * R * cos(f), 0));
  for (int side = 1; side >= -1; side -= 2) {
    const double point[3] = {side * R * sin(f), R + R * cos(f), 0};
    const double normal[3] = {-side * sin(f), cos(f), 0};
    DLS_TRY(dls_analytic_touch(scene, side > 0 ? 0 : 1, 2, point, normal, mu));
  }
  if (p[0] < 1) {
    N = P / (tan(f) * D / (1 + k) + 2 * bear);
    T = mu * N;
    const double c = N * D / (mass * (1 + k)), s = c * tan(f);
    ground = P + N * bear;
    inwards = k * mass * c + T;
    slip = c * (1 + cos(f)) + s * sin(f);
  }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  for (int i = 0; i < 2;
       i++) { /* right, left; t of the ground points to -x, that of the right pair down */
    const double sign = i ? -1 : 1;
    double *foot = out->r + 2 * i, *pair = out->r + 2 * (2 + i);
    foot[0] = ground;
    foot[1] = sign * inwards;
    pair[0] = N;
    pair[1] = -sign * T;
    out->u[2 * (2 + i) + 1] = sign * slip;
  }
  out->r_size = 3 * P;
  return DLS_OK;
}

/* A sector of a ring: mass per density, centre of mass from the centre of the ring, inertia about
 * it. */
typedef struct {
  double mass, distance, inertia;
} Sector;

static Sector sector_of(double inner, double outer, double opening, double density) {
  Sector s = {.mass = density * opening * (pow(outer, 2) - pow(inner, 2)) / 2};
  s.distance = density * 2 * sin(opening / 2) * (pow(outer, 3) - pow(inner, 3)) / 3 / s.mass;
  s.inertia =
      density * opening * (pow(outer, 4) - pow(inner, 4)) / 4 - s.mass * s.distance * s.distance;
  return s;
}

/* Half a ring of n voussoirs, thickness over mean radius 0.25, two contact points a joint. A line
 * of thrust fits into it (from 0.1075 on) and with mu = 0.6 no joint slides: u = 0. The thrust is
 * not unique; the springings carry the weight, Σ N = P, Σ T = 0, and Σ x N = 0 about the centre. p:
 * n. */
DlsStatus dls_analytic_voussoirs(const double *p, Scene *scene, DlsAnalytic *out) {
  const int n = (int)p[0];
  const double ring[2] = {0.875, 1.125}, mu = 0.6, opening = M_PI / n; /* m */
  const Sector s = sector_of(ring[0], ring[1], opening, 10);
  const double P = -n * s.mass * scene->h * scene->gravity[1];
  for (int k = 0; k < n; k++) {
    const double angle = (k + 0.5) * opening;
    DLS_TRY(dls_analytic_add(scene, s.mass, s.inertia, s.distance * cos(angle),
                             s.distance * sin(angle), 0));
  }
  for (int joint = 0; joint <= n; joint++)
    for (int side = 0; side < 2; side++) {
      const double angle = joint * opening, last = joint == n ? -1 : 1;
      const double point[3] = {ring[side] * cos(angle), ring[side] * sin(angle), 0};
      const double normal[3] = {-last * sin(angle), last * cos(angle), 0};
      DLS_TRY(dls_analytic_touch(scene, joint == 0 || joint == n ? SCENE_GROUND : joint - 1,
                                 joint == n ? n - 1 : joint, point, normal, mu));
    }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  dls_analytic_forget_r(scene, out);
  out->r_size = P;
  double *normal = dls_analytic_total(scene, out, P, P);
  double *thrust = dls_analytic_total(scene, out, 0, P);
  double *moment = dls_analytic_total(scene, out, 0, P);
  for (int i = 0; i < scene->ncontacts; i++) {
    if (scene->contacts[i].antagonist != SCENE_GROUND) continue;
    normal[2 * i] = 1;
    thrust[2 * i + 1] = 1;
    moment[2 * i] = scene->contacts[i].point[0];
  }
  return DLS_OK;
}
