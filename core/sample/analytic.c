/* The problems with a known answer by number, and the judge. */
#include "sample/analytic_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/cone.h>

#include "base/small.h"

typedef struct {
  const char *name, *title, *judged, *because;
  int dim, block;
  AnalyticBuild build;
} Family;

enum {
  SLIDE,
  SLOPE,
  TABLE,
  GROOVE,
  WEDGE,
  ARCH,
  VOUSSOIRS,
  ROD,
  HEAVY,
  CHAIN,
  COLUMN,
  ROLLING,
  TORSION,
  ELLIPSE
};

static const Family families[] = {
    [SLIDE] = {"slide", "Cube sliding on four corners",
               "velocities (no lift while it slides), resultant, moments",
               "All corners slip alike: u = (0, v - mu g h) along the slip, impulses sum to P (1, "
               "-mu). A solver that drops De Saxce's shift lifts it by mu |u_T|.",
               3, 3, dls_analytic_slide},
    [SLOPE] = {"slope", "Particle on a slope", "velocity, impulse",
               "Held when tan a <= mu, r = P (cos a, -sin a); else r = P cos a (1, -mu) and it "
               "gains g h (sin a - mu cos a).",
               3, 3, dls_analytic_slope},
    [TABLE] = {"table", "Table at rest, load off its middle",
               "velocities, resultant, moments; not the share of each leg",
               "More legs than equations: the legs' shares are not unique, their resultant P and "
               "its place are.",
               3, 3, dls_analytic_table},
    [GROOVE] = {"groove", "Particle in a tilted groove",
                "velocities, impulses; held: the resultant instead of impulses",
                "Two planes leaning by 60 degrees double the friction: it slides when tan a > mu / "
                "cos c.",
                3, 3, dls_analytic_groove},
    [WEDGE] = {"wedge", "Wedge squeezed by two plates", "velocities, impulses",
               "It jams, and all stops, when tan b <= mu; else it is driven out, and momentum with "
               "u_N = 0 gives N.",
               2, 2, dls_analytic_wedge},
    [ARCH] = {"arch", "Arch of three disks", "velocities, impulses",
              "Moments: T = N tan(f/2), N = P/2. It stands when mu >= tan(f/2), else the lower "
              "disks roll out.",
              2, 2, dls_analytic_arch},
    [VOUSSOIRS] = {"voussoirs", "Half a ring of voussoirs",
                   "velocities, what the springings carry; not the thrust",
                   "A line of thrust fits into the ring (t/R = 0.25 > 0.1075): u = 0. The "
                   "springings carry the weight; the thrust is not unique.",
                   2, 2, dls_analytic_voussoirs},
    [ROD] = {"painleve", "Painleve's rod, sliding on its front end", "velocity, impulse",
             "Forward slip has u_N = (1.6 - 1.2 mu) r_N / m + q_N. Above mu = 4/3 a falling rod is "
             "stopped by an impulse, a lifting one has three answers: open, slip, stop.",
             2, 2, dls_analytic_rod},
    [HEAVY] = {"heavy", "Light sphere under a heavy one", "velocities, impulses",
               "Weights: r = g h (1 + R, R).", 3, 3, dls_analytic_heavy},
    [CHAIN] = {"chain", "Chain of spheres hit at one end", "velocities, impulses",
               "Moreau's rule at all contacts at once: the first opens at e V, the others move "
               "together at (1 + e) V / n.",
               3, 3, dls_analytic_chain},
    [COLUMN] = {"column", "Column of spheres at rest", "velocities, impulses",
                "Each contact carries the weight above.", 3, 3, dls_analytic_column},
    [ROLLING] = {"rolling", "Sphere on a slope with resistance to rolling",
                 "velocity and spin, impulse and torque",
                 "Held when tan a <= mu_r / R; else it rolls, gaining g h (sin a - (mu_r/R) cos a) "
                 "/ (1 + 2/5).",
                 3, 5, dls_analytic_rolling},
    [TORSION] = {"torsion", "Spinning sphere with resistance to torsion",
                 "velocity and spin, impulse and torque", "The torque is at most mu_t P.", 3, 6,
                 dls_analytic_torsion},
    [ELLIPSE] = {"ellipse", "Particle on a plane with two coefficients of friction",
                 "velocity, impulse",
                 "r_i = -N mu_i^2 u_i / |(mu1 u1, mu2 u2)|: the final velocity is chosen, the "
                 "initial one follows.",
                 3, 3, dls_analytic_ellipse},
};

typedef struct {
  int family;
  const char *label, *setting;
  double p[ANALYTIC_PARAMETERS];
} Row;

static const Row rows[] = {
    {SLIDE, "0.3", "mu = 0.3", {0.3}},
    {SLIDE, "0.6", "mu = 0.6", {0.6}},
    {SLIDE, "1", "mu = 1", {1}},
    {SLOPE, "0.9", "tan a = 0.9 mu: held", {0.9}},
    {SLOPE, "1", "tan a = mu: just held", {1}},
    {SLOPE, "1.1", "tan a = 1.1 mu: slides", {1.1}},
    {TABLE, "4", "4 legs", {4}},
    {TABLE, "12", "12 legs", {12}},
    {GROOVE, "0.8", "tan a = 0.8 mu / cos c: held", {0.8}},
    {GROOVE, "1.25", "tan a = 1.25 mu / cos c: slides", {1.25}},
    {WEDGE, "0.8", "tan b = 0.8 mu: jams", {0.8}},
    {WEDGE, "1.25", "tan b = 1.25 mu: driven out", {1.25}},
    {WEDGE, "4", "tan b = 4 mu: driven out", {4}},
    {ARCH, "1.3", "mu = 1.3 tan(f/2): stands", {1.3}},
    {ARCH, "0.8", "mu = 0.8 tan(f/2): gives way", {0.8}},
    {VOUSSOIRS, "7", "7 voussoirs", {7}},
    {VOUSSOIRS, "21", "21 voussoirs", {21}},
    {ROD, "1", "mu = 1, falling: slips", {1, -1}},
    {ROD, "2", "mu = 2, falling: no slip, stopped", {2, -1}},
    {ROD, "2-up", "mu = 2, lifting: three answers", {2, 0.5}},
    {HEAVY, "1", "ratio 1", {1}},
    {HEAVY, "1e3", "ratio 1e3", {1e3}},
    {HEAVY, "1e6", "ratio 1e6", {1e6}},
    {CHAIN, "10", "10 spheres, e = 0.5", {10, 0.5}},
    {CHAIN, "100", "100 spheres, e = 0.5", {100, 0.5}},
    {COLUMN, "10", "10 spheres", {10}},
    {COLUMN, "100", "100 spheres", {100}},
    {ROLLING, "0.8", "tan a = 0.8 mu_r / R: held", {0.8}},
    {ROLLING, "1.5", "tan a = 1.5 mu_r / R: rolls", {1.5}},
    {TORSION, "0.8", "it stops", {0.8}},
    {TORSION, "3", "it spins on", {3}},
    {ELLIPSE, "held", "mu1 / mu2 = 2, held", {2, 1}},
    {ELLIPSE, "2", "mu1 / mu2 = 2, slides", {2, 0}},
    {ELLIPSE, "10", "mu1 / mu2 = 10, slides", {10, 0}},
};

int dls_analytic_count(void) { return DLS_COUNT(rows); }

static size_t size_of(const Scene *scene) {
  return (size_t)scene->ncontacts * (size_t)scene->block;
}

DlsStatus dls_analytic_room(const Scene *scene, int answers, DlsAnalytic *out) {
  const size_t size = size_of(scene);
  out->answers = answers;
  DLS_NEW(out->u, (size_t)answers * size);
  DLS_NEW(out->r, (size_t)answers * size);
  DLS_NEW(out->total, ANALYTIC_TOTALS * size);
  DLS_NEW(out->sum, ANALYTIC_TOTALS);
  DLS_NEW(out->total_size, ANALYTIC_TOTALS);
  return DLS_OK;
}

double *dls_analytic_total(const Scene *scene, DlsAnalytic *out, double sum, double size) {
  const int k = out->totals++;
  out->sum[k] = sum;
  out->total_size[k] = size;
  return out->total + (size_t)k * size_of(scene);
}

void dls_analytic_forget_r(const Scene *scene, DlsAnalytic *out) {
  for (size_t k = 0; k < size_of(scene); k++) out->r[k] = NAN;
}

void dls_analytic_tilt(Scene *scene, double angle) {
  const double g = -scene->gravity[scene->dim - 1];
  scene->gravity[0] = g * sin(angle);
  scene->gravity[scene->dim - 1] = -g * cos(angle);
}

DlsStatus dls_analytic_add(Scene *scene, double mass, double inertia, double x, double y,
                           double z) {
  const SceneBody body = {.mass = mass, .inertia = {inertia, inertia, inertia}, .x = {x, y, z}};
  return dls_scene_add_body(scene, &body);
}

DlsStatus dls_analytic_touch(Scene *scene, int antagonist, int candidate, const double *point,
                             const double *normal, double mu) {
  SceneContact contact = {.antagonist = antagonist,
                          .candidate = candidate,
                          .relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}}};
  memcpy(contact.point, point, sizeof contact.point);
  memcpy(contact.normal, normal, sizeof contact.normal);
  return dls_scene_add_contact(scene, &contact);
}

void dls_analytic_clear(DlsAnalytic *analytic) {
  dls_problem_destroy(&analytic->problem);
  free(analytic->u);
  free(analytic->r);
  free(analytic->total);
  free(analytic->sum);
  free(analytic->total_size);
  memset(analytic, 0, sizeof *analytic);
}

/* Velocities are compared with the largest that is there before or after. */
static double velocity_size(const DlsAnalytic *a) {
  const size_t size =
      (size_t)dls_problem_contacts(a->problem) * (size_t)dls_problem_block(a->problem);
  const double *q = dls_problem_q(a->problem);
  double largest = 0;
  for (size_t k = 0; k < size; k++) largest = fmax(largest, fabs(q[k]));
  return largest;
}

DlsStatus dls_analytic_create(int number, DlsAnalytic *out) {
  memset(out, 0, sizeof *out);
  DLS_CHECK(number >= 0 && number < DLS_COUNT(rows), DLS_ERR_ARGUMENT,
            "analytic problem %d: there are 0 .. %d", number, DLS_COUNT(rows) - 1);
  const Row *row = &rows[number];
  const Family *family = &families[row->family];
  const DlsSampleParams step = {.h = 5e-3};
  Scene scene;
  snprintf(out->name, sizeof out->name, "%s-%s", family->name, row->label);
  out->title = family->title;
  out->setting = row->setting;
  out->judged = family->judged;
  out->because = family->because;
  out->length = 1;
  dls_scene_begin(&scene, family->dim, family->block, &step);
  DlsStatus status = family->build(row->p, &scene, out);
  if (status == DLS_OK) status = dls_scene_problem(&scene, NULL, &out->problem);
  if (status == DLS_OK) status = dls_problem_set_name(out->problem, out->name);
  if (status == DLS_OK) out->u_size = velocity_size(out);
  dls_scene_clear(&scene);
  if (status != DLS_OK) dls_analytic_clear(out);
  return status;
}

/* The larger; a deviation that is no number counts as infinite, an answer that is not unique not at
 * all. */
static double larger(double worst, double found, double exact, double size) {
  if (isnan(exact)) return worst;
  const double apart = fabs(found - exact) / size;
  return isnan(apart) ? INFINITY : fmax(worst, apart);
}

DlsStatus dls_analytic_judge(const DlsAnalytic *a, const double *r, DlsAnalyticError *out) {
  const int block = dls_problem_block(a->problem), n = dls_problem_contacts(a->problem) * block;
  double *u, totals = 0;
  DLS_NEW(u, n);
  dls_problem_velocity(a->problem, r, u);
  for (int k = 0; k < a->totals; k++)
    totals = larger(totals, dls_small_dot(n, a->total + (size_t)k * (size_t)n, r), a->sum[k],
                    a->total_size[k]);
  *out = (DlsAnalyticError){INFINITY, INFINITY, INFINITY, 0};
  for (int answer = 0; answer < a->answers; answer++) {
    const double *exact_u = a->u + answer * n, *exact_r = a->r + answer * n;
    DlsAnalyticError e = {.impulse = totals, .answer = answer};
    for (int k = 0; k < n; k++) {
      const DlsLayout layout = dls_cone_layout(dls_problem_relation(a->problem, k / block)->cone,
                                               dls_problem_dim(a->problem), block);
      const double arm = k % block > layout.tangents ? a->length : 1; /* spins and torques */
      e.velocity = larger(e.velocity, u[k], exact_u[k], a->u_size / arm);
      e.impulse = larger(e.impulse, r[k], exact_r[k], a->r_size * arm);
    }
    e.worst = fmax(e.velocity, e.impulse);
    if (e.worst < out->worst) *out = e;
  }
  free(u);
  return DLS_OK;
}
