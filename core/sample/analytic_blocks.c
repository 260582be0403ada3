/* Answers in closed form: blocks, tables and rods on the ground. P = m g h is the weight over one
 * step, N s. */
#include "sample/analytic_impl.h"

#include <math.h>

static const double up[3] = {0, 0, 1};

static double fall_of(const Scene *scene) { return -scene->h * scene->gravity[scene->dim - 1]; }

/* Feet on the ground whose reactions are not unique are known by their sums: Σ N = P, Σ T = pull
 * and Σ (x, y) N = moment; `arm` is the length that moments are measured by. */
static void know_sums(const Scene *scene, DlsAnalytic *out, int feet, double P,
                      const double pull[2], const double moment[2], double arm) {
  dls_analytic_forget_r(scene, out);
  out->r_size = P;
  double *normal = dls_analytic_total(scene, out, P, P);
  double *tangent[2], *about[2];
  for (int k = 0; k < 2; k++) {
    tangent[k] = dls_analytic_total(scene, out, pull[k], P);
    about[k] = dls_analytic_total(scene, out, moment[k], arm * P);
  }
  for (int i = 0; i < feet; i++) {
    normal[3 * i] = 1;
    for (int k = 0; k < 2; k++) {
      tangent[k][3 * i + 1 + k] = 1;
      about[k][3 * i] = scene->contacts[i].point[k];
    }
  }
}

/* A cube of half side c that slides on its four lower corners with v along d, |d| = 1, friction mu.
 * All corners slip along d, so the impulses sum to P (1, -mu d) and, without rotation, u = (0, (v -
 * mu g h) d): it does not lift. Moments about the centre, c above the ground: Σ x_i N_i = c mu P
 * d_x and Σ y_i N_i = c mu P d_y; the four N_i themselves are not unique. Valid while mu c max|d| <
 * c, so that the pressure stays under the cube. p: mu. */
DlsStatus dls_analytic_slide(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu = p[0], c = 0.1, mass = 2, v = 0.5, d[2] = {0.6, 0.8};
  const double P = mass * fall_of(scene), left = v - mu * fall_of(scene);
  DLS_TRY(dls_analytic_add(scene, mass, mass * 2 * c * c / 3, 0, 0, c));
  for (int k = 0; k < 2; k++) scene->bodies[0].v[k] = v * d[k];
  for (int corner = 0; corner < 4; corner++) {
    const double point[3] = {corner & 1 ? c : -c, corner & 2 ? c : -c, 0};
    DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, point, up, mu));
  }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  const double pull[2] = {-mu * P * d[0], -mu * P * d[1]};
  const double moment[2] = {c * mu * P * d[0], c * mu * P * d[1]};
  know_sums(scene, out, 4, P, pull, moment, c);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) out->u[3 * i + 1 + k] = left * d[k];
  return DLS_OK;
}

/* A particle at rest on a slope with tan a = s mu. It is held when s <= 1, r = P (cos a, -sin a,
 * 0), and slides otherwise, r = P cos a (1, -mu, 0), u = g h (0, sin a - mu cos a, 0), t1 down the
 * slope. p: s. */
DlsStatus dls_analytic_slope(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu = 0.5, a = atan(p[0] * mu), mass = 2, origin[3] = {0}, gh = fall_of(scene);
  dls_analytic_tilt(scene, a);
  DLS_TRY(dls_analytic_add(scene, mass, 1, 0, 0, 0));
  DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, origin, up, mu));
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r_size = mass * gh;
  out->r[0] = mass * gh * cos(a);
  out->r[1] = -fmin(p[0], 1) * mu * out->r[0];
  out->u[1] = fmax(gh * (sin(a) - mu * cos(a)), 0);
  return DLS_OK;
}

/* A particle on a plane with friction mu1 along t1, mu2 along t2: r_i = -N mu_i² u_i / G, G = |(mu1
 * u1, mu2 u2)|, the point of the ellipse with the largest dissipation. The velocity after the step
 * is chosen, so that the one before follows without an equation to solve: v_i = u_i (1 + g h mu_i²
 * / G). Held: v inside the ellipse g h (mu1, mu2), u = 0 and r_T = -m v. p: mu1 / mu2, 1 when
 * held. */
DlsStatus dls_analytic_ellipse(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu[2] = {0.6, 0.6 / p[0]}, mass = 2, origin[3] = {0}, gh = fall_of(scene);
  const double P = mass * gh, u[2] = {0.03, 0.02}, inside[2] = {0.4, 0.5};
  const double G = hypot(mu[0] * u[0], mu[1] * u[1]);
  const int held = p[1] > 0;
  DLS_TRY(dls_analytic_add(scene, mass, 1, 0, 0, 0));
  DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, origin, up, mu[0]));
  scene->contacts[0].relation.mu[DLS_MU_2] = mu[1];
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r_size = out->r[0] = P;
  for (int k = 0; k < 2; k++) {
    const double before = held ? inside[k] * mu[k] * gh : u[k] * (1 + gh * mu[k] * mu[k] / G);
    scene->bodies[0].v[k] = before;
    out->u[1 + k] = held ? 0 : u[k];
    out->r[1 + k] = held ? -mass * before : -P * mu[k] * mu[k] * u[k] / G;
  }
  return DLS_OK;
}

/* A table at rest on n legs, its centre of mass off the middle by e: u = 0; legs share the weight
 * in many ways, with Σ N = P, Σ x N = P e_x, Σ y N = P e_y, Σ T = 0 and no torque about the
 * vertical. p: n. */
DlsStatus dls_analytic_table(const double *p, Scene *scene, DlsAnalytic *out) {
  const int legs = (int)p[0];
  const double mass = 20, radius = 0.6, e[2] = {0.15, 0.1}, P = mass * fall_of(scene);
  DLS_TRY(dls_analytic_add(scene, mass, 3, e[0], e[1], 0.7));
  for (int k = 0; k < legs; k++) {
    const double angle = 2 * M_PI * (k + 0.5) / legs;
    const double point[3] = {radius * cos(angle), radius * sin(angle), 0};
    DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, point, up, 0.3));
  }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  const double pull[2] = {0, 0}, moment[2] = {P * e[0], P * e[1]};
  know_sums(scene, out, legs, P, pull, moment, radius);
  double *turn = dls_analytic_total(scene, out, 0, P * radius);
  for (int i = 0; i < legs; i++) {
    const double *point = scene->contacts[i].point;
    turn[3 * i + 1] = -point[1];
    turn[3 * i + 2] = point[0];
  }
  return DLS_OK;
}

/* A particle in a groove along x between two planes whose normals lean by c from the vertical, the
 * groove tilted by a. Across it 2 N cos c = P cos a. Slipping, both frictions point along the
 * groove: friction acts as mu / cos c, and it slides when tan a > mu / cos c = 2 mu here, u_T1 = g
 * h (sin a - cos a mu / cos c). Held, u = 0, and what each plane carries is not unique: Σ T1 = -P
 * sin a, and the forces across sum to the weight. p: tan a over mu / cos c. */
DlsStatus dls_analytic_groove(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu = 0.3, c = M_PI / 3, mass = 2, origin[3] = {0};
  const double grip = mu / cos(c), a = atan(p[0] * grip), gh = fall_of(scene), P = mass * gh;
  const double N = P * cos(a) / (2 * cos(c));
  dls_analytic_tilt(scene, a);
  DLS_TRY(dls_analytic_add(scene, mass, 1, 0, 0, 0));
  for (int side = -1; side <= 1; side += 2) {
    const double normal[3] = {0, side * sin(c), cos(c)};
    DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, origin, normal, mu));
  }
  DLS_TRY(dls_analytic_room(scene, 1, out));
  out->r_size = P;
  if (p[0] > 1) {
    for (int i = 0; i < 2; i++) {
      out->r[3 * i] = N;
      out->r[3 * i + 1] = -mu * N;
      out->u[3 * i + 1] = gh * (sin(a) - grip * cos(a));
    }
    return DLS_OK;
  }
  dls_analytic_forget_r(scene, out);
  double *along = dls_analytic_total(scene, out, -P * sin(a), P);
  double *lift = dls_analytic_total(scene, out, P * cos(a), P);
  double *across = dls_analytic_total(scene, out, 0, P);
  for (int i = 0; i < 2; i++) {
    /* t1 is the x axis, t2 = n x t1 = (0, n_z, -n_y). */
    const double *n = scene->contacts[i].normal;
    along[3 * i + 1] = 1;
    lift[3 * i] = n[2];
    lift[3 * i + 2] = -n[1];
    across[3 * i] = n[1];
    across[3 * i + 2] = n[2];
  }
  return DLS_OK;
}

/* All solutions of one contact in 2-D, by cases: open, stick, slip to either side. W symmetric,
 * [4]. */
static int enumerate(const double *W, const double *q, double mu, double (*u)[2], double (*r)[2]) {
  int count = 0;
  if (q[0] >= 0) {
    r[count][0] = r[count][1] = 0;
    u[count][0] = q[0];
    u[count++][1] = q[1];
  }
  const double det = W[0] * W[3] - W[1] * W[2];
  const double stick[2] = {-(W[3] * q[0] - W[1] * q[1]) / det, -(W[0] * q[1] - W[2] * q[0]) / det};
  if (stick[0] >= 0 && fabs(stick[1]) <= mu * stick[0]) {
    for (int k = 0; k < 2; k++) {
      r[count][k] = stick[k];
      u[count][k] = 0;
    }
    count++;
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    const double push = -q[0] / (W[0] - sign * mu * W[1]);
    const double slip = q[1] + (W[2] - sign * mu * W[3]) * push;
    if (!(push > 0) || !(sign * slip > 0)) continue;
    r[count][0] = push;
    r[count][1] = -sign * mu * push;
    u[count][0] = 0;
    u[count++][1] = slip;
  }
  return count;
}

/* Painleve's rod: half length l, leaning by f with tan f = 2, its front end on the ground and
 * sliding forward at V. With the arm (l cos f, -l sin f) and I = m l² / 3,
 *   m W = [1 + 3 cos² f, -3 sin f cos f; ., 1 + 3 sin² f],   t backward,
 * so that in forward slip u_N = (1.6 - 1.2 mu) r_N / m + q_N: below mu = 4/3 the answer is unique.
 * Above, q_N < 0 (the rod falls) leaves no slip, but the step has an answer: an impulse that stops
 * the end at once, r = -W^-1 q. And q_N > 0 (the end lifts) has three: it lifts, it slips, it is
 * stopped. All found by cases. p: mu, q_N over g h. */
DlsStatus dls_analytic_rod(const double *p, Scene *scene, DlsAnalytic *out) {
  const double mu = p[0], l = 0.5, f = atan(2.0), mass = 1, gh = fall_of(scene), V = 1;
  const double c = cos(f), s = sin(f), point[3] = {l * c, 0, 0}, normal[3] = {0, 1, 0};
  const double spin = (p[1] + 1) * gh / (l * c); /* rad/s: gives q_N */
  const double W[4] = {(1 + 3 * c * c) / mass, -3 * s * c / mass, -3 * s * c / mass,
                       (1 + 3 * s * s) / mass};
  const double q[2] = {spin * l * c - gh, -V - spin * l * s};
  double u[4][2], r[4][2];
  const int answers = enumerate(W, q, mu, u, r);
  DLS_TRY(dls_analytic_add(scene, mass, mass * l * l / 3, 0, l * s, 0));
  scene->bodies[0].v[0] = V;
  scene->bodies[0].spin[2] = spin;
  DLS_TRY(dls_analytic_touch(scene, SCENE_GROUND, 0, point, normal, mu));
  DLS_TRY(dls_analytic_room(scene, answers, out));
  for (int i = 0; i < answers; i++)
    for (int k = 0; k < 2; k++) {
      out->u[2 * i + k] = u[i][k];
      out->r[2 * i + k] = r[i][k];
    }
  out->r_size = mass * V;
  return DLS_OK;
}
