/* LMGC90's laws beside ours (docs/notes/lmgc90-laws.md), and drives as expressions of t. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "import/lmgc90_impl.h"

enum { PARAMETERS = 4 };

/* A parameter of ours is the number of one of two keys (LMGC90 has changed some), or a constant. */
typedef struct {
  const char *ours, *key, *or_key;
  double constant; /* where there is no key */
} Parameter;

typedef struct {
  const char *name, *law;
  bool moreau, signed_gap;
  Parameter parameter[PARAMETERS];
  const char *told; /* what differs; NULL: nothing */
} Row;

#define FRICTION                                                                                   \
  { "mu", "fric", NULL, 0 }
#define STATIC                                                                                     \
  {"mu", "dfrc", "fric", 0}, { "mu_static", "sfrc", NULL, 0 }
#define IMPACT                                                                                     \
  {"rho", "rstn", NULL, 0}, { "tau", "rstt", NULL, 0 }

static const char no_g0[] = "the gap of the first step is not taken off (g0)";
static const char wet[] =
    "the tangential strength coht and the static coefficient have no place in `cohesive`; bonds "
    "begin at contacts that have once touched";
static const char bond[] = "strengths are forces of a bond there: taken as stresses on 1 m2";

static const Row rows[] = {
    {"IQS_CLB", "coulomb", false, false, {FRICTION}, NULL},
    {"IQS_CLB_g0", "coulomb", false, false, {FRICTION}, no_g0},
    {"GAP_SGR_CLB", "coulomb", false, true, {FRICTION}, NULL},
    {"GAP_SGR_CLB_g0", "coulomb", false, true, {FRICTION}, no_g0},
    {"VEL_SGR_CLB", "coulomb", true, false, {FRICTION}, NULL},
    {"IQS_DS_CLB", "coulomb", false, false, {STATIC}, NULL},
    {"GAP_SGR_DS_CLB", "coulomb", false, true, {STATIC}, NULL},
    {"VEL_SGR_DS_CLB", "coulomb", true, false, {STATIC}, NULL},
    {"RST_CLB", "coulomb", true, false, {IMPACT, FRICTION}, NULL},
    {"RST_DS_CLB", "coulomb", true, false, {IMPACT, STATIC}, NULL},
    {"IQS_WET_DS_CLB",
     "cohesive",
     false,
     false,
     {{"F_C", "cohn", NULL, 0}, {"d_C", "Wthk", "Weth", 0}, {"mu", "dfrc", NULL, 0}},
     wet},
    {"xQS_WET_DS_CLB",
     "cohesive",
     false,
     false,
     {{"F_C", "cohn", NULL, 0}, {"d_C", "Wthk", "Weth", 0}, {"mu", "dfrc", NULL, 0}},
     wet},
    {"IQS_MOHR_DS_CLB",
     "mohr-coulomb",
     false,
     false,
     {{"tension", "cohn", NULL, 0},
      {"cohesion", "coht", NULL, 0},
      {"mu", "dfrc", NULL, 0},
      {"area", NULL, NULL, 1}},
     bond},
    {"GAP_MOHR_DS_CLB",
     "mohr-coulomb",
     false,
     true,
     {{"tension", "cohn", NULL, 0},
      {"cohesion", "coht", NULL, 0},
      {"mu", "dfrc", NULL, 0},
      {"area", NULL, NULL, 1}},
     bond},
    {"IQS_STICK", "coulomb", false, false, {{"mu", NULL, NULL, 1e6}}, NULL},
    {"GAP_SGR_STICK", "coulomb", false, true, {{"mu", NULL, NULL, 1e6}}, NULL},
    {"ELASTIC_REPELL_CLB", "elastic", false, false, {{"k", "stif", "F/gp", 0}, FRICTION}, NULL},
    {"VISCO_ELASTIC_REPELL_CLB",
     "viscoelastic",
     false,
     false,
     {{"k", "stif", "F/gp", 0}, {"damping", "etan", "F/sr", 0}, FRICTION},
     NULL},
    {"COUPLED_DOF", "bilateral", false, false, {{"kind", NULL, NULL, 0}}, NULL},
    {"NORMAL_COUPLED_DOF", "bilateral", false, false, {{"kind", NULL, NULL, 2}}, NULL},
};

static bool field_of(const DlsLmgc90Law *law, const char *key, double *value) {
  for (int k = 0; key && k < law->fields; k++)
    if (strcmp(law->field[k].key, key) == 0) {
      *value = law->field[k].value;
      return true;
    }
  return false;
}

DlsStatus dls_lmgc90_map(DlsLmgc90 *scene, const DlsLmgc90Law *law, bool *known,
                         DlsLmgc90Mapping *out) {
  int r = 0;
  while (r < DLS_COUNT(rows) && strcmp(rows[r].name, law->law) != 0) r++;
  *known = r < DLS_COUNT(rows);
  if (!*known)
    return dls_import_note(&scene->notes, true, scene->tact_dat, law->line,
                           "the law %s of %s has none of ours beside it; see "
                           "docs/notes/lmgc90-laws.md",
                           law->law, law->name);
  *out = (DlsLmgc90Mapping){
      .law = rows[r].law, .moreau = rows[r].moreau, .signed_gap = rows[r].signed_gap};
  size_t used = 0;
  for (int k = 0; k < PARAMETERS && rows[r].parameter[k].ours; k++) {
    const Parameter *p = &rows[r].parameter[k];
    char number[DLS_NUMBER_BYTES];
    double value = p->constant;
    if (p->key && !field_of(law, p->key, &value) && !field_of(law, p->or_key, &value))
      return dls_fail(DLS_ERR_FORMAT, "%s:%d: the law %s (%s) has no %s=; add it", scene->tact_dat,
                      law->line, law->name, law->law, p->key);
    used += (size_t)snprintf(out->parameters + used, sizeof out->parameters - used, "%s%s: %s",
                             k ? ", " : "", p->ours, dls_number_text(number, value, 0));
  }
  if (rows[r].told)
    DLS_TRY(dls_import_note(&scene->notes, false, scene->tact_dat, law->line, "%s: %s", law->law,
                            rows[r].told));
  return DLS_OK;
}

void dls_lmgc90_put(FILE *out, double value) {
  char number[DLS_NUMBER_BYTES];
  fputs(dls_number_text(number, value, 0), out);
}

/* Zero at all times. */
bool dls_lmgc90_is_zero(const DlsLmgc90Drive *d) {
  for (int k = 0; k < d->rows; k++)
    if (d->table[k][1] != 0) return false;
  if (d->rows) return true;
  return (d->number[0] == 0 && d->number[1] == 0) || (d->number[4] == 0 && d->number[5] == 0);
}

/* v_0 + sum of the rises: linear between rows, constant beyond the ends, jumps at equal times. */
static void write_table(FILE *out, const DlsLmgc90Drive *d) {
  dls_lmgc90_put(out, d->table[0][1]);
  for (int k = 0; k + 1 < d->rows; k++) {
    const double *a = d->table[k], *b = d->table[k + 1];
    if (a[1] == b[1]) continue;
    fputs(" + (", out);
    dls_lmgc90_put(out, b[1] - a[1]);
    fputs(b[0] > a[0] ? ")*ramp(t, " : ")*step(t, ", out);
    dls_lmgc90_put(out, a[0]);
    if (b[0] > a[0]) {
      fputs(", ", out);
      dls_lmgc90_put(out, b[0]);
    }
    fputc(')', out);
  }
}

void dls_lmgc90_write_drive(FILE *out, const DlsLmgc90Drive *d) {
  const double *n = d->number;
  if (!d->rows && (dls_lmgc90_is_zero(d) || (n[1] == 0 && n[4] == 1 && n[5] == 0))) {
    dls_lmgc90_put(out, dls_lmgc90_is_zero(d) ? 0 : n[0]);
    return;
  }
  fputc('"', out);
  if (d->rows) {
    write_table(out, d);
  } else {
    fputc('(', out);
    dls_lmgc90_put(out, n[0]);
    if (n[1] != 0) {
      fputs(" + ", out);
      dls_lmgc90_put(out, n[1]);
      fputs("*cos(", out);
      dls_lmgc90_put(out, n[2]);
      fputs("*t + ", out);
      dls_lmgc90_put(out, n[3]);
      fputs(")", out);
    }
    fputc(')', out);
    if (n[5] != 0 || n[4] != 1) {
      fputs("*max(-1, min(1, ", out);
      dls_lmgc90_put(out, n[4]);
      fputs(" + ", out);
      dls_lmgc90_put(out, n[5]);
      fputs("*t))", out);
    }
  }
  fputc('"', out);
}
