/* Answers in closed form: columns, chains and single spheres. P = m g h is the weight over one
 * step, N s. */
#include "sample/analytic_impl.h"

#include <math.h>

static const double radius = 0.05; /* m */

static double fall_of(const Scene *scene) { return -scene->h * scene->gravity[scene->dim - 1]; }

static double inertia_of(double mass) { return 0.4 * mass * radius * radius; }

/* Spheres along the axis `axis`, the first on the ground when it is the vertical. */
static DlsStatus line_up(Scene *scene, int axis, int count, const double *mass, int step,
                         double mu) {
  double normal[3] = {0};
  normal[axis] = 1;
  for (int k = 0; k < count; k++) {
    double x[3] = {0}, point[3] = {0};
    x[axis] = radius * (1 + 2 * k);
    point[axis] = radius * 2 * k;
    const double m = mass[k * step];
    DLS_TRY(dls_analytic_add(scene, m, inertia_of(m), x[0], x[1], x[2]));
    if (k > 0 || axis == 2)
      DLS_TRY(dls_analytic_touch(scene, k ? k - 1 : SCENE_GROUND, k, point, normal, mu));
  }
  return DLS_OK;
}

/* n equal spheres at rest on each other: contact k from below carries the weight of n - k. p: n. */
DlsStatus dls_analytic_column(const double *p, Scene *scene, DlsAnalytic *out) {
  const int n = (int)p[0];
  const double mass = 1;
  DLS_TRY(line_up(scene, 2, n, &mass, 0, 0.5));
  DLS_TRY(dls_analytic_room(scene, 1, out));
  for (int k = 0; k < n; k++) out->r[3 * k] = mass * fall_of(scene) * (n - k);
  out->r_size = out->r[0];
  return DLS_OK;
}

/* A sphere of 1 kg that carries one of R kg: r = g h (1 + R, R). p: R. */
DlsStatus dls_analytic_heavy(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mass[2] = {1, p[0]};
  DLS_TRY(line_up(scene, 2, 2, mass, 1, 0.5));
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r[0] = fall_of(scene) * (1 + p[0]);
  out->r[3] = fall_of(scene) * p[0];
  out->r_size = out->r[0];
  return DLS_OK;
}

/* n equal spheres in touch along x without gravity, the first arrives at V. Moreau's rule u_N + e
 * u⁻_N >= 0, with equality where r_N > 0, at all contacts at once: u⁻ = (-V, 0, 0, ...), so the
 * first contact opens at e V and the others stay closed. Momentum: a + (n-1) b = V with b - a = e V
 * gives b = (1 + e) V / n for all but the first sphere, and contact k drives the n-1-k behind it:
 * r_k = m (n-1-k) b > 0. (Newton's cradle is not what this rule gives.) p: n, e. */
DlsStatus dls_analytic_chain(const double *p, Scene *scene, DlsAnalytic *out) {
  const int n = (int)p[0];
  const double mass = 1, V = 1, e = p[1], b = (1 + e) * V / n;
  scene->gravity[2] = 0;
  DLS_TRY(line_up(scene, 0, n, &mass, 0, 0.3));
  scene->bodies[0].v[0] = V;
  scene->contacts[0].relation.b[0] = -e * V;
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->u[0] = e * V;
  for (int k = 0; k < n - 1; k++) out->r[3 * k] = mass * (n - 1 - k) * b;
  out->r_size = mass * V;
  return DLS_OK;
}

/* A sphere on a slope of angle a with resistance to rolling, tan a = s mu_r / R and mu large. Held
 * when s <= 1: T = -P sin a, the torque about t2 is -R P sin a. Else it rolls, its torque -mu_r N:
 * with v = R w and I = k m R²,
 *   m v = P sin a - T,   k m R v = R T - mu_r N   =>   m v (1 + k) = P (sin a - (mu_r / R) cos a).
 *       p: s. */
DlsStatus dls_analytic_rolling(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mass = 1, k = 0.4, arm = 0.2 /* mu_r / R */, a = atan(p[0] * arm);
  const double P = mass * fall_of(scene), v = fmax(0, sin(a) - arm * cos(a)) * P / mass / (1 + k);
  const double origin[3] = {0}, up[3] = {0, 0, 1};
  dls_analytic_tilt(scene, a);
  DLS_TRY(dls_analytic_add(scene, mass, inertia_of(mass), 0, 0, radius));
  DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, origin, up, 0.7));
  scene->contacts[0].relation.cone = DLS_CONE_ROLLING;
  scene->contacts[0].relation.mu[DLS_MU_ROLL] = arm * radius;
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r_size = P;
  out->length = radius;
  out->r[0] = P * cos(a);
  out->r[1] = -(P * sin(a) - mass * v);
  out->r[4] = -radius * fmin(P * sin(a), arm * out->r[0]);
  out->u[4] = v / radius;
  return DLS_OK;
}

/* A sphere that spins about the vertical: the torque of torsion is at most mu_t N, so w = w0 - mu_t
 * P / I, or it stops with the torque -I w0. w0 = s mu_t P / I. p: s. */
DlsStatus dls_analytic_torsion(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mass = 1, P = mass * fall_of(scene), limit = 0.1 * radius * P; /* mu_t N, N m s */
  const double origin[3] = {0}, up[3] = {0, 0, 1}, inertia = inertia_of(mass);
  DLS_TRY(dls_analytic_add(scene, mass, inertia, 0, 0, radius));
  scene->bodies[0].spin[2] = p[0] * limit / inertia;
  DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, origin, up, 0.5));
  scene->contacts[0].relation.cone = DLS_CONE_ROLLING;
  scene->contacts[0].relation.mu[DLS_MU_ROLL] = 0.1 * radius;
  scene->contacts[0].relation.mu[DLS_MU_TORSION] = 0.1 * radius;
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r_size = P;
  out->length = radius;
  out->r[0] = P;
  out->r[5] = -fmin(p[0], 1) * limit;
  out->u[5] = fmax(p[0] - 1, 0) * limit / inertia;
  return DLS_OK;
}
