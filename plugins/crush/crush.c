/* A contact that crushes: elastic up to a strength, then the material gives way and keeps the dent.
 *   x = -gap the overlap, D = D1 + D2 the dents of both surfaces at the point of contact
 *   f = k (x - D) for x > D,   f <= Y(D);   where f = Y the dent grows, dD >= 0
 *   Y(D) = strength + pressure A(D),   A = 2 pi R D, the area of the dent of a ball; of a disk
 *   2 sqrt(2 R D) thickness; of a contact that tells its area, that
 * R is the reduced radius. With pressure 0 the force has a constant cap. The dents belong to the
 * patches of the surfaces: who comes back to a patch finds it crushed.
 *
 * The force is that of the end of the step, x1 = -(gap + h u_N), for the dent D1 it ends with. As
 * an equation, with rho > 0 in kg: F = r - R(r - rho u), R = (y, projection on the disc mu y),
 * where y solves  y = h f(x),  y + rho x/h = r_N - rho (u_N + gap/h): piece by piece in closed
 * form. */
#include <delassus/law.h>

enum { K, STRENGTH, PRESSURE, THICKNESS, MU, SHARE };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-9, .max = DLS_NO_BOUND},
    [STRENGTH] = {"strength", "N", "force that begins to crush", .value = 10, .min = 0,
                  .max = DLS_NO_BOUND},
    [PRESSURE] = {"pressure", "Pa", "that the area of the dent bears besides", .value = 0, .min = 0,
                  .max = DLS_NO_BOUND},
    [THICKNESS] = {"thickness", "m", "of disks, for the area of their dents in 2-D", .value = 1,
                   .min = 0, .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [SHARE] = {"share", "1",
               "part of a dent that a body has against a boundary, which has the rest; two bodies "
               "have half each",
               .value = 0.5, .min = 0, .max = 1},
};

enum { ELASTIC };
static const DlsParam states[] = {
    [ELASTIC] = {"elastic", "m", "elastic part of the overlap at the end of the last step",
                 .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

enum { DENT };
static const DlsParam surfaces[] = {
    [DENT] = {"dent", "m", "permanent indentation of the patch", .value = 0, .min = 0,
              .max = DLS_NO_BOUND},
};

static double dent(const DlsContact *c) { return c->surface[0][DENT] + c->surface[1][DENT]; }

/* Y(D) = cap + linear D + root sqrt(D). */
typedef struct {
  double cap, linear, root;
} Strength;

static Strength strength_of(const DlsContact *c, const double *p) {
  const double pi = 3.14159265358979323846;
  if (c->area > 0) return (Strength){p[STRENGTH] + p[PRESSURE] * c->area, 0, 0};
  if (c->dim == 3) return (Strength){p[STRENGTH], p[PRESSURE] * 2 * pi * c->radius, 0};
  return (Strength){p[STRENGTH], 0, p[PRESSURE] * p[THICKNESS] * 2 * sqrt(2 * c->radius)};
}

static double strength_at(const Strength *y, double D) {
  return y->cap + y->linear * D + y->root * sqrt(fmax(D, 0));
}

/* The dent at which  weight D + beyond Y(D) = target, for target >= beyond Y(0): a quadratic in
 * sqrt(D), written so that nothing cancels. */
static double dent_where(const Strength *y, double weight, double beyond, double target) {
  const double a = weight + beyond * y->linear, b = beyond * y->root;
  const double c = target - beyond * y->cap;
  if (!(c > 0)) return 0;
  if (b == 0) return c / a;
  const double s = 2 * c / (b + sqrt(b * b + 4 * a * c));
  return s * s;
}

/* df/dx of a contact that crushes: 1 / (1/k + 1/Y'). */
static double crushing_slope(const Strength *y, double k, double D) {
  if (y->root > 0 && !(D > 0)) return k;
  const double Y = y->linear + (y->root > 0 ? 0.5 * y->root / sqrt(D) : 0);
  return k * Y / (k + Y);
}

/* Where an overlap leads: force, its slope, and the dent. */
typedef struct {
  double force, slope, dent;
} Pressed;

static Pressed press(const DlsContact *c, const double *p, double x) {
  const Strength y = strength_of(c, p);
  const double D = dent(c), trial = p[K] * (x - D);
  if (trial <= 0) return (Pressed){0, 0, D};
  if (trial <= strength_at(&y, D)) return (Pressed){trial, p[K], D};
  const double D1 = dent_where(&y, 1, 1 / p[K], x);
  return (Pressed){p[K] * (x - D1), crushing_slope(&y, p[K], D1), D1};
}

/* y of the head for z = r_N - rho u_N, and dy/dz. Crushing: x = D1 + Y/k and y = h Y. */
static double normal_part(const DlsContact *c, const double *p, double rho, double z,
                          double *dy_dz) {
  const Strength strength = strength_of(c, p);
  const double weight = rho / c->h, target = z - weight * c->gap, D = dent(c);
  const double elastic = c->h * p[K] * (target - weight * D) / (c->h * p[K] + weight);
  double force = fmax(elastic, 0) / c->h, slope = elastic > 0 ? p[K] : 0;
  if (force > strength_at(&strength, D)) {
    const double D1 = dent_where(&strength, weight, c->h + weight / p[K], target);
    force = strength_at(&strength, D1);
    slope = crushing_slope(&strength, p[K], D1);
  }
  *dy_dz = c->h * slope / (c->h * slope + weight);
  return c->h * force;
}

static double overlap_after(const DlsContact *c, const double *u) {
  return -(c->gap + c->h * u[0]);
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  state[ELASTIC] = fmax(0, -c->gap - dent(c));
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  double slope, z[DLS_MAX_BLOCK] = {0};
  (void)state;
  for (int i = 0; i < c->dim; i++) z[i] = r[i] - rho * u[i];
  const double y = normal_part(c, p, rho, z[0], &slope);
  const double size = dls_law_length(z + 1, c->dim - 1), limit = p[MU] * y;
  r[0] = y;
  for (int i = 1; i < c->block; i++)
    r[i] = i < c->dim ? z[i] * (size > limit ? limit / size : 1) : 0;
  return DLS_OK;
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  const double rho = c->mass > 0 ? c->mass : 1;
  double slope, z[DLS_MAX_BLOCK] = {0}, to[DLS_MAX_BLOCK];
  for (int i = 0; i < c->block; i++) {
    z[i] = r[i] - rho * u[i];
    to[i] = r[i];
  }
  const DlsStatus status = project(c, p, state, u, rho, to);
  for (int i = 0; i < c->block; i++) F[i] = r[i] - to[i];
  if (!dF_du || !dF_dr) return status;
  const double y = normal_part(c, p, rho, z[0], &slope);
  dls_law_disc_slopes(c, z, rho, p[MU] * y, slope, p[MU] * slope, dF_du, dF_dr);
  return status;
}

/* The explicit scheme: the force at the gap. Friction: what stops the slip of a solid sphere within
 * the step, whose mass there is 2/7 m, as far as the disc allows. */
static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  const double normal = press(c, p, -c->gap).force, limit = p[MU] * normal;
  (void)state;
  out[0] = normal;
  for (int i = 1; i < c->block; i++) out[i] = i < c->dim ? -2.0 / 7 * c->mass / c->h * u[i] : 0;
  const double size = dls_law_length(out + 1, c->dim - 1);
  for (int i = 1; i < c->dim; i++) out[i] *= size > limit ? limit / size : 1;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)r;
  state[ELASTIC] = press(c, p, overlap_after(c, u)).force / p[K];
  return DLS_OK;
}

/* Stored: the spring. What else is done on the contact crushes it, or is friction. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double after = press(c, p, overlap_after(c, u)).force;
  *stored = 0.5 * after * after / p[K];
  *dissipated = -dls_law_work(c, u, r) - (*stored - 0.5 * p[K] * state[ELASTIC] * state[ELASTIC]);
  return DLS_OK;
}

static DlsStatus surface(const DlsContact *c, const double *p, const double *state, const double *u,
                         const double *r, double *change) {
  const double more = press(c, p, overlap_after(c, u)).dent - dent(c);
  const double share = c->body[0] < 0 ? p[SHARE] : 0.5;
  (void)state, (void)r;
  change[0] = more * (1 - share);
  change[1] = more * share;
  return DLS_OK;
}

enum { UNHURT, CRUSHING, CRUSHED };
static const char *const statuses[] = {
    [UNHURT] = "unhurt", [CRUSHING] = "crushing", [CRUSHED] = "crushed"};

enum { BEARS };
static const DlsParam outputs[] = {
    [BEARS] = {"strength", "N", "force that would crush it further", .value = 0, .min = 0,
               .max = DLS_NO_BOUND},
};

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *out) {
  const Strength strength = strength_of(c, p);
  const double D = press(c, p, overlap_after(c, u)).dent;
  (void)state;
  *status = D > dent(c) ? CRUSHING : D > 0 ? CRUSHED : r[0] > 0 ? UNHURT : -1;
  *friction_limit = p[MU] * fmax(r[0], 0);
  out[BEARS] = strength_at(&strength, D);
  return DLS_OK;
}

static const DlsLaw crush = {
    DLS_LAW_HEAD,
    .name = "crush",
    .summary = "elastic contact that crushes at a strength and keeps the dent, with friction",
    .description = "Implicit in the overlap, so that no step is too large for the stiffness.\n"
                   "Dents belong to patches of the surfaces and outlive the contact.",
    .references = "Johnson 1985, Contact Mechanics, ch. 6; Thornton 1997, J. Appl. Mech. 64",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP,
    .maturity = "verified",
    .surfaces = surfaces,
    .nsurfaces = DLS_COUNT(surfaces),
    .surface_scope = DLS_SURFACE_PATCH,
    .statuses = statuses,
    .nstatuses = DLS_COUNT(statuses),
    .outputs = outputs,
    .noutputs = DLS_COUNT(outputs),
    .begin = begin,
    .residual = residual,
    .project = project,
    .force = force,
    .commit = commit,
    .energy = energy,
    .surface = surface,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &crush; }
