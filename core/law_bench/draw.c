/* What a case is made of: parameters within their bounds, a contact somewhere in space, masses,
 * velocities. Sizes are spread over decades, and exact zeros and bounds come often. */
#include "law_bench/law_bench_impl.h"

void law_case_draw_params(LawCase *law_case, bool at_bounds, LawCasePart *part) {
  const DlsLaw *law = part->law;
  const bool ours = law == law_case->law;
  double given[DLS_MAX_PARAMS];
  for (int i = 0; i < law->nparams; i++)
    given[i] = ours ? law_case->options->params[i] : law->params[i].value;
  part->drawn = false;
  if (law_case->bench.number % 4 == 0 && !at_bounds) /* as given */
    memcpy(part->params, given, (size_t)law->nparams * sizeof *given);
  else
    part->drawn =
        dls_bench_draw_params(&law_case->bench.random, law->params, law->nparams, given,
                              ours ? law_case->options->pinned : NULL, at_bounds, part->params);
}

static const double watched = 0.6180339887498949; /* behind every state: it must stay */

void law_case_draw_laws(LawCase *law_case, LawCaseStep *step) {
  step->parts = 0;
  const bool behind = law_case->first && law_case->bench.number / 4 % 2 == 1;
  if (behind) step->part[step->parts++].law = law_case->first;
  step->part[step->parts++].law = law_case->law;
  for (int k = 0; k < step->parts; k++) {
    LawCasePart *part = &step->part[k];
    law_case_draw_params(law_case, false, part);
    law_case_draw_tables(law_case, part);
    dls_law_new_state(part->law, part->state);
    for (int i = part->law->nstates; i < DLS_MAX_PARAMS + LAW_CASE_WATCHED; i++)
      part->state[i] = watched;
  }
}

double law_case_range(const LawCaseStep *step, int part) {
  const LawCasePart *p = &step->part[part];
  DlsLawTable tables[DLS_MAX_TABLES];
  DlsPair pair = dls_law_pair(&step->contact);
  pair.tables = law_case_tables(p, tables);
  return p->law->range ? p->law->range(&pair, p->params) : 0;
}

double law_case_reach(const LawCaseStep *step) {
  double reach = 0;
  for (int k = 0; k < step->parts; k++) reach = fmax(reach, law_case_range(step, k));
  return reach;
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
    dls_bench_draw_rotation(random, axes);
}

double law_case_draw_speed(LawCase *law_case) {
  return dls_bench_log_uniform(&law_case->bench.random, -3, 1.5);
}

/* Normal numbers times the speed, spins times speed / length; some of them exactly zero. */
void law_case_draw_vector(DlsRandom *random, int dim, int block, double speed, double length,
                          double *out) {
  const double empty = dls_bench_chance(random, 0.15) ? 0.5 : 0;
  for (int k = 0; k < block; k++)
    out[k] = dls_bench_chance(random, empty)
                 ? 0
                 : dls_random_normal(random) * (k < dim ? speed : speed / length);
}

static void draw_shape(LawCase *law_case, DlsContact *c) {
  static const int shapes[][2] = {{2, 2}, {3, 3}, {3, 6}, {3, 5}, {2, 3}};
  int served[DLS_COUNT(shapes)], count = 0;
  for (int k = 0; k < DLS_COUNT(shapes); k++)
    if (dls_law_serves(law_case->law, shapes[k][1])) served[count++] = k;
  const int pick = served[count ? dls_random_below(&law_case->bench.random, count) : 0];
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
                     : radius * dls_bench_log_uniform(random, -6, -3);
  default:
    return -radius * dls_bench_log_uniform(random, -6, -3);
  }
}

/* gap_rate is what the schemes give: gap / h of an open contact; of a closed one 0, or gap / h. */
void law_case_draw_contact(LawCase *law_case, LawCaseStep *step) {
  DlsRandom *random = &law_case->bench.random;
  DlsContact *c = &step->contact;
  memset(c, 0, sizeof *c);
  draw_shape(law_case, c);
  const double speed = law_case_draw_speed(law_case);
  c->time = dls_random_between(random, 0, 10);
  c->h = dls_bench_log_uniform(random, -5, -1.5);
  c->radius = dls_bench_log_uniform(random, -3, 0);
  c->mass = dls_bench_log_uniform(random, -3, 3);
  law_case_draw_vector(random, c->dim, c->block, speed, c->radius, c->u_before);
  draw_axes(random, c->dim, c->frame);
  for (int side = 0; side < 2; side++) draw_axes(random, c->dim, c->axes[side]);
  law_case_draw_pair(law_case, step);
  const double reach = law_case_reach(step);
  c->gap = draw_gap(random, speed * c->h, c->radius, isfinite(reach) ? reach : 0);
  c->gap_rate = c->gap > 0 || dls_bench_chance(random, 0.3) ? c->gap / c->h : 0;
}

/* Which of N, T, spins a component is. */
static int kind_of(int dim, int k) { return k == 0 ? 0 : k < dim ? 1 : 2; }

static bool couples(LawCaseCoupling coupling, int dim, int i, int j) {
  if (coupling == LAW_CASE_COUPLED || i == j) return true;
  const int a = kind_of(dim, i), b = kind_of(dim, j);
  if (coupling == LAW_CASE_NORMAL_APART) return (a == 0) == (b == 0);
  return a == b;
}

void law_case_draw_matrix(LawCase *law_case, LawCaseStep *step, LawCaseCoupling coupling,
                          double spread) {
  const DlsContact *c = &step->contact;
  const int n = c->block, dim = c->dim;
  double B[DLS_MAX_BLOCK * DLS_MAX_BLOCK], scale[DLS_MAX_BLOCK];
  for (int k = 0; k < n * n; k++) B[k] = dls_random_normal(&law_case->bench.random);
  for (int k = 0; k < n; k++) {
    scale[k] = 1 / sqrt(c->mass) / (k < dim ? 1 : c->radius);
    if (spread > 0)
      scale[k] *= dls_bench_log_uniform(&law_case->bench.random, -spread / 2, spread / 2);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.3 : 0;
      for (int k = 0; k < n; k++) sum += 0.7 / n * B[i * n + k] * B[j * n + k];
      step->D[i * n + j] = couples(coupling, dim, i, j) ? scale[i] * sum * scale[j] : 0;
    }
  step->contact.mass = 1 / step->D[0];
}
