/* The two bodies of a contact as a law is told of them: sizes, names, spins that agree with the
 * relative ones in u, the numbers of places and surfaces that the law lists. */
#include "law_bench/law_bench_impl.h"

static void draw_table(LawCase *law_case, const DlsParam *rows, int count, bool given,
                       double *out) {
  for (int i = 0; i < count; i++)
    out[i] = given ? rows[i].value : dls_bench_draw_value(&law_case->bench.random, &rows[i], false);
}

/* Fields anywhere within their bounds; surfaces as they begin, for what they become is the law's
 * own doing. */
static void draw_places(LawCase *law_case, LawCasePart *part) {
  const bool given = law_case->bench.number % 4 == 0; /* as parameters are */
  for (int side = 0; side < 2; side++) {
    draw_table(law_case, part->law->fields, part->law->nfields, given, part->fields[side]);
    draw_table(law_case, part->law->surfaces, part->law->nsurfaces, true, part->surface[side]);
  }
}

/* Two radii whose reduced one is c->radius; or one body is flat. */
static void draw_radii(DlsRandom *random, DlsContact *c) {
  const int flat = dls_random_below(random, 4); /* 0, 1: that side */
  const double share = dls_random_between(random, 0.05, 0.95);
  c->radii[0] = flat == 0 ? 0 : flat == 1 ? c->radius : c->radius / share;
  c->radii[1] = flat == 1 ? 0 : flat == 0 ? c->radius : c->radius / (1 - share);
}

void law_case_draw_pair(LawCase *law_case, LawCaseStep *step) {
  static const char *const materials[] = {"steel", "stone", NULL};
  DlsRandom *random = &law_case->bench.random;
  DlsContact *c = &step->contact;
  draw_radii(random, c);
  c->area = c->radius * c->radius * dls_bench_log_uniform(random, -4, 0);
  if (!law_case->law->per_area && dls_random_below(random, 8) == 0) c->area = 0; /* unknown */
  for (int k = 0; k < c->dim; k++)
    c->point[k] = c->radius * dls_random_normal(random) * dls_bench_log_uniform(random, 0, 2);
  for (int side = 0; side < 2; side++) {
    c->material[side] = materials[dls_random_below(random, DLS_COUNT(materials))];
    c->body[side] = 2 * dls_random_below(random, 1000) + side;
    c->deformable[side] = dls_random_below(random, 8) == 0;
  }
  if (dls_random_below(random, 4) == 0) c->body[0] = -1 - dls_random_below(random, 10);
  /* The mean of both spins, across the normal: about it the pair would turn. */
  memset(step->spin, 0, sizeof step->spin);
  for (int k = c->dim == 2 ? 2 : 1; k < 3; k++)
    step->spin[k] = dls_random_normal(random) / c->h * dls_bench_log_uniform(random, -4, -1);
  law_case_set_spins(c, step->spin, c->u_before, (const double(*)[3])c->frame);
  for (int k = 0; k < step->parts; k++) draw_places(law_case, &step->part[k]);
}

void law_case_set_spins(DlsContact *c, const double mean[3], const double *u,
                        const double (*frame)[3]) {
  for (int e = 0; e < 3; e++) {
    double middle = 0, relative = 0;
    for (int k = 0; k < 3; k++) middle += mean[k] * frame[k][e];
    for (int k = c->dim; k < c->block; k++) relative += u[k] * law_case_axis(c->dim, k, frame)[e];
    c->spin[0][e] = middle - 0.5 * relative;
    c->spin[1][e] = middle + 0.5 * relative;
  }
}

#define EXCHANGE(type, a, b)                                                                       \
  do {                                                                                             \
    type exchange_kept;                                                                            \
    memcpy(&exchange_kept, &(a), sizeof exchange_kept);                                            \
    memcpy(&(a), &(b), sizeof exchange_kept);                                                      \
    memcpy(&(b), &exchange_kept, sizeof exchange_kept);                                            \
  } while (0)

void law_case_swap_bodies(DlsContact *c) {
  typedef double Axes[3][3];
  typedef double Vector[3];
  EXCHANGE(Axes, c->axes[0], c->axes[1]);
  EXCHANGE(Vector, c->spin[0], c->spin[1]);
  EXCHANGE(double, c->radii[0], c->radii[1]);
  EXCHANGE(const char *, c->material[0], c->material[1]);
  EXCHANGE(int64_t, c->body[0], c->body[1]);
  EXCHANGE(int, c->deformable[0], c->deformable[1]);
}

void law_case_swap_places(LawCaseStep *step) {
  typedef double Row[DLS_MAX_PARAMS];
  for (int k = 0; k < step->parts; k++) {
    EXCHANGE(Row, step->part[k].fields[0], step->part[k].fields[1]);
    EXCHANGE(Row, step->part[k].surface[0], step->part[k].surface[1]);
  }
}

static void hide_bodies(DlsContact *c) {
  for (int side = 0; side < 2; side++) {
    c->radii[side] = NAN;
    c->material[side] = NULL;
    c->body[side] = INT64_MIN;
    c->deformable[side] = -1;
    for (int e = 0; e < 3; e++) c->spin[side][e] = NAN;
    for (int e = 0; e < 9; e++) c->axes[side][e / 3][e % 3] = NAN;
  }
}

const DlsContact *law_case_told(LawCaseStep *step, int part) {
  const LawCasePart *p = &step->part[part];
  for (int side = 0; side < 2; side++) {
    step->contact.fields[side] = p->law->nfields ? p->fields[side] : NULL;
    step->contact.surface[side] = p->law->nsurfaces ? p->surface[side] : NULL;
  }
  step->contact.tables = law_case_tables(p, step->part[part].table);
  if (!step->blind) return &step->contact;
  step->hidden = step->contact;
  hide_bodies(&step->hidden);
  return &step->hidden;
}
