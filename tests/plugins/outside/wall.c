/* Contact with a soft wall: stiffness k, friction mu. A law as a user writes one, outside the tree.
 *   û_N = u_N + g/h + r_N/(h² k),   0 <= û_N ⟂ r_N >= 0;   Coulomb friction of coefficient mu */
#include <delassus/law.h>

enum { MU, K };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = 0.5, .min = 0, .max = DLS_NO_BOUND},
    [K] = {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-9, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->b[0] = c->gap / c->h;
  out->C[0] = 1 / (c->h * c->h * p[K]);
  return DLS_OK;
}

static const DlsLaw wall = {
    DLS_LAW_HEAD,         .name = "wall",   .summary = "soft wall with friction",
    .references = "none", .params = params, .nparams = DLS_COUNT(params),
    .prepare = prepare,
};

const DlsLaw *dls_law_entry(void) { return &wall; }
