/* What a case is made of: parameters within their bounds, a contact somewhere in space, masses,
 * velocities. Sizes are spread over decades, and exact zeros and bounds come often. */
#include "trial/trial_impl.h"

double trial_log_uniform(DlsRandom *random, double low, double high) {
  return pow(10, dls_random_between(random, low, high));
}

static bool chance(DlsRandom *random, double probability) {
  return dls_random_unit(random) < probability;
}

/* A value of the table's row: between finite bounds evenly, else by decades around the default. */
static double draw_value(DlsRandom *random, const DlsParam *p, bool at_bounds) {
  const bool low = p->min > -DLS_NO_BOUND, high = p->max < DLS_NO_BOUND;
  if (chance(random, at_bounds ? 0.6 : 0.1)) {
    const bool upper = chance(random, 0.5);
    if (upper && high) return p->max;
    if (!upper && low) return p->min;
    if (at_bounds) { /* no bound: far out */
      const double far = fmax(fabs(p->value), 1) * trial_log_uniform(random, 0, 6);
      return upper ? fmax(p->min, far) : fmin(p->max, -far);
    }
  }
  if (low && high) return dls_random_between(random, p->min, p->max);
  const double from = low ? p->min : high ? p->max : 0;
  const double size = p->value != from ? fabs(p->value - from) * trial_log_uniform(random, -2, 2)
                                       : trial_log_uniform(random, -3, 1);
  const double sign = low ? 1 : high ? -1 : chance(random, 0.5) ? 1 : -1;
  return from + sign * size;
}

void trial_draw_params(Trial *trial, bool at_bounds, TrialPart *part) {
  const DlsLaw *law = part->law;
  const bool ours = law == trial->law;
  part->drawn = false;
  for (int i = 0; i < law->nparams; i++) {
    part->params[i] = ours ? trial->options->params[i] : law->params[i].value;
    if (trial->number % 4 == 0 && !at_bounds) continue; /* as given */
    if ((ours && trial->options->pinned[i]) || chance(&trial->random, 0.4)) continue;
    part->params[i] = draw_value(&trial->random, &law->params[i], at_bounds);
    part->drawn = true;
  }
}

static const double watched = 0.6180339887498949; /* behind every state: it must stay */

void trial_draw_laws(Trial *trial, TrialStep *step) {
  step->parts = 0;
  const bool behind = trial->first && trial->number / 4 % 2 == 1;
  if (behind) step->part[step->parts++].law = trial->first;
  step->part[step->parts++].law = trial->law;
  for (int k = 0; k < step->parts; k++) {
    TrialPart *part = &step->part[k];
    trial_draw_params(trial, false, part);
    dls_law_new_state(part->law, part->state);
    for (int i = part->law->nstates; i < DLS_MAX_PARAMS + TRIAL_WATCHED; i++)
      part->state[i] = watched;
  }
}

double trial_range(const TrialPart *part) {
  return part->law->range ? part->law->range(part->params) : 0;
}

/* Rows of a random rotation, right-handed. */
void trial_draw_rotation(DlsRandom *random, double axes[3][3]) {
  double size = 0;
  while (!(size > 1e-3)) {
    for (int k = 0; k < 3; k++) axes[0][k] = dls_random_normal(random);
    size = dls_small_norm(3, axes[0]);
  }
  for (int k = 0; k < 3; k++) axes[0][k] /= size;
  for (size = 0; !(size > 1e-3);) {
    for (int k = 0; k < 3; k++) axes[1][k] = dls_random_normal(random);
    const double along = dls_small_dot(3, axes[0], axes[1]);
    for (int k = 0; k < 3; k++) axes[1][k] -= along * axes[0][k];
    size = dls_small_norm(3, axes[1]);
  }
  for (int k = 0; k < 3; k++) axes[1][k] /= size;
  for (int k = 0; k < 3; k++)
    axes[2][k] =
        axes[0][(k + 1) % 3] * axes[1][(k + 2) % 3] - axes[0][(k + 2) % 3] * axes[1][(k + 1) % 3];
}

/* A rotation about z, for the plane. */
static void draw_plane_rotation(DlsRandom *random, double axes[3][3]) {
  const double angle = dls_random_between(random, 0, 6.283185307179586);
  memset(axes, 0, 9 * sizeof(double));
  axes[0][0] = axes[1][1] = cos(angle);
  axes[0][1] = sin(angle);
  axes[1][0] = -sin(angle);
  axes[2][2] = 1;
}

static void draw_axes(DlsRandom *random, int dim, double axes[3][3]) {
  if (dim == 2)
    draw_plane_rotation(random, axes);
  else
    trial_draw_rotation(random, axes);
}

double trial_draw_speed(Trial *trial) { return trial_log_uniform(&trial->random, -3, 1.5); }

/* Normal numbers times the speed, spins times speed / length; some of them exactly zero. */
void trial_draw_vector(DlsRandom *random, int dim, int block, double speed, double length,
                       double *out) {
  const double empty = chance(random, 0.15) ? 0.5 : 0;
  for (int k = 0; k < block; k++)
    out[k] =
        chance(random, empty) ? 0 : dls_random_normal(random) * (k < dim ? speed : speed / length);
}

static void draw_shape(Trial *trial, DlsContact *c) {
  static const int shapes[][2] = {{2, 2}, {3, 3}, {3, 6}, {3, 5}, {2, 3}};
  int served[DLS_COUNT(shapes)], count = 0;
  for (int k = 0; k < DLS_COUNT(shapes); k++)
    if (dls_law_serves(trial->law, shapes[k][1])) served[count++] = k;
  const int pick = served[count ? dls_random_below(&trial->random, count) : 0];
  c->dim = shapes[pick][0];
  c->block = shapes[pick][1];
}

/* Zero, within what a step closes, within the range of the law, or overlapping. */
static double draw_gap(DlsRandom *random, double travel, double radius, double range) {
  switch (dls_random_below(random, 6)) {
  case 0:
  case 1:
    return 0;
  case 2:
    return travel * dls_random_between(random, 0, 2);
  case 3:
    return -travel * dls_random_between(random, 0, 1);
  case 4:
    return range > 0 ? range * dls_random_between(random, 0, 1.1)
                     : radius * trial_log_uniform(random, -6, -3);
  default:
    return -radius * trial_log_uniform(random, -6, -3);
  }
}

/* gap_rate is what the schemes give: gap / h of an open contact; of a closed one 0, or gap / h. */
void trial_draw_contact(Trial *trial, TrialStep *step) {
  DlsRandom *random = &trial->random;
  DlsContact *c = &step->contact;
  memset(c, 0, sizeof *c);
  draw_shape(trial, c);
  const double speed = trial_draw_speed(trial);
  c->time = dls_random_between(random, 0, 10);
  c->h = trial_log_uniform(random, -5, -1.5);
  c->radius = trial_log_uniform(random, -3, 0);
  c->mass = trial_log_uniform(random, -3, 3);
  double range = 0;
  for (int k = 0; k < step->parts; k++) range = fmax(range, trial_range(&step->part[k]));
  c->gap = draw_gap(random, speed * c->h, c->radius, isfinite(range) ? range : 0);
  c->gap_rate = c->gap > 0 || chance(random, 0.3) ? c->gap / c->h : 0;
  trial_draw_vector(random, c->dim, c->block, speed, c->radius, c->u_before);
  draw_axes(random, c->dim, c->frame);
  for (int side = 0; side < 2; side++) draw_axes(random, c->dim, c->axes[side]);
}

/* Which of N, T, spins a component is. */
static int kind_of(int dim, int k) { return k == 0 ? 0 : k < dim ? 1 : 2; }

static bool couples(TrialCoupling coupling, int dim, int i, int j) {
  if (coupling == TRIAL_COUPLED || i == j) return true;
  const int a = kind_of(dim, i), b = kind_of(dim, j);
  if (coupling == TRIAL_NORMAL_APART) return (a == 0) == (b == 0);
  return a == b;
}

void trial_draw_matrix(Trial *trial, TrialStep *step, TrialCoupling coupling, double spread) {
  const DlsContact *c = &step->contact;
  const int n = c->block, dim = c->dim;
  double B[DLS_MAX_BLOCK * DLS_MAX_BLOCK], scale[DLS_MAX_BLOCK];
  for (int k = 0; k < n * n; k++) B[k] = dls_random_normal(&trial->random);
  for (int k = 0; k < n; k++) {
    scale[k] = 1 / sqrt(c->mass) / (k < dim ? 1 : c->radius);
    if (spread > 0) scale[k] *= trial_log_uniform(&trial->random, -spread / 2, spread / 2);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.3 : 0;
      for (int k = 0; k < n; k++) sum += 0.7 / n * B[i * n + k] * B[j * n + k];
      step->D[i * n + j] = couples(coupling, dim, i, j) ? scale[i] * sum * scale[j] : 0;
    }
  step->contact.mass = 1 / step->D[0];
}
