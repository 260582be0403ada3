/* A small sound law, and with -DCASE_x one thing wrong in it. tests/unit/CMakeLists.txt builds one
 * shared object of each case; tests/unit/base_plugin_test.c says what must be answered. */
#ifdef CASE_empty_object
int dls_test_nothing;
int dls_test_nothing = 1;
#else
#include <delassus/law.h>

#ifdef CASE_undefined_symbol
double dls_test_undefined_symbol(double x);
#endif

#ifdef CASE_null_name
#define LAW_NAME NULL
#elif defined(CASE_empty_name)
#define LAW_NAME ""
#elif defined(CASE_capital_name)
#define LAW_NAME "Capital-Name"
#elif defined(CASE_control_name)
#define LAW_NAME "control\033name"
#elif defined(CASE_long_name)
#define LAW_NAME "a0123456789012345678901234567890123456789012345678901234567890123456789"
#elif defined(CASE_other_name)
#define LAW_NAME "another"
#else
#define LAW_NAME CASE_NAME
#endif

/* The second parameter is the one that has the fault. */
#define STIFFNESS .name = "k", .unit = "N/m", .meaning = "stiffness"
static const DlsParam params[] = {
    {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = 1},
#ifdef CASE_param_null_name
    {NULL, "N/m", "stiffness", .value = 1, .min = 0, .max = 2},
#elif defined(CASE_param_bad_name)
    {"k=1", "N/m", "stiffness", .value = 1, .min = 0, .max = 2},
#elif defined(CASE_param_twice)
    {"mu", "N/m", "stiffness", .value = 1, .min = 0, .max = 2},
#elif defined(CASE_param_no_unit)
    {"k", NULL, "stiffness", .value = 1, .min = 0, .max = 2},
#elif defined(CASE_param_no_meaning)
    {"k", "N/m", NULL, .value = 1, .min = 0, .max = 2},
#elif defined(CASE_param_nan_default)
    {STIFFNESS, .value = NAN, .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
#elif defined(CASE_param_outside)
    {STIFFNESS, .value = 5, .min = 0, .max = 2},
#elif defined(CASE_param_bounds)
    {STIFFNESS, .value = 1, .min = 2, .max = 0},
#elif defined(CASE_param_nan_bound)
    {STIFFNESS, .value = 1, .min = NAN, .max = 2},
#else
    {STIFFNESS, .value = 1, .min = 0, .max = 2},
#endif
};

static const DlsParam states[] = {
#ifdef CASE_state_outside
    {"wear", "m", "depth worn off", .value = -1, .min = 0, .max = 1},
#else
    {"wear", "m", "depth worn off", .value = 0, .min = 0, .max = 1},
#endif
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  (void)c;
  out->cone = DLS_CONE_COULOMB;
  out->mu[0] = out->mu[1] = p[0];
#ifdef CASE_prepare_nan_b
  out->b[1] = NAN;
#elif defined(CASE_prepare_inf_a)
  out->a[0] = HUGE_VAL;
#elif defined(CASE_prepare_nan_c)
  out->C[0] = NAN;
#elif defined(CASE_prepare_negative_c)
  out->C[0] = -1;
#elif defined(CASE_prepare_nan_mu)
  out->mu[0] = NAN;
#elif defined(CASE_prepare_negative_mu)
  out->mu[0] = -0.1;
#elif defined(CASE_prepare_unknown_cone)
  out->cone = (DlsCone)77;
#elif defined(CASE_prepare_rolling)
  out->cone = DLS_CONE_ROLLING;
#elif defined(CASE_prepare_custom)
  out->cone = DLS_CONE_CUSTOM;
#elif defined(CASE_prepare_error)
  return DLS_ERR_LAW;
#elif defined(CASE_prepare_status)
  return (DlsStatus)99;
#elif defined(CASE_undefined_symbol)
  out->b[0] = dls_test_undefined_symbol(p[0]);
#endif
  return DLS_OK;
}

/* r = 0: the law of no contact, with derivatives. */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p, (void)state, (void)u;
  for (int i = 0; i < c->block; i++) F[i] = r[i];
  for (int k = 0; dF_du && k < c->block * c->block; k++) dF_du[k] = 0;
  for (int k = 0; dF_dr && k < c->block * c->block; k++) dF_dr[k] = k % (c->block + 1) == 0;
#ifdef CASE_residual_nan
  F[1] = NAN;
#elif defined(CASE_residual_none)
  F[0] = 1; /* whatever r is: no solution */
#elif defined(CASE_residual_inf)
  if (dF_du) dF_du[3] = -HUGE_VAL;
#elif defined(CASE_residual_nan_dr)
  if (dF_dr) dF_dr[0] = NAN;
#elif defined(CASE_residual_error)
  return DLS_ERR_LAW;
#endif
  return DLS_OK;
}

static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)p, (void)state, (void)D, (void)q;
  for (int i = 0; i < c->block; i++) r[i] = NAN;
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)p, (void)state, (void)u, (void)c, (void)rho;
  r[0] = HUGE_VAL;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)c, (void)p, (void)u, (void)r, (void)state;
#ifdef CASE_commit_nan
  state[0] = NAN;
#elif defined(CASE_commit_outside)
  state[0] = 2;
#elif defined(CASE_commit_error)
  return DLS_ERR_LAW;
#else
  state[0] = 0.5;
#endif
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  (void)c, (void)p, (void)state, (void)u, (void)r;
  *stored = *dissipated = 0;
#ifdef CASE_energy_nan_stored
  *stored = NAN;
#elif defined(CASE_energy_inf_dissipated)
  *dissipated = HUGE_VAL;
#elif defined(CASE_energy_error)
  return DLS_ERR_NUMERIC;
#endif
  return DLS_OK;
}

static const DlsLaw law = {
#ifdef CASE_wrong_abi
    .abi = DLS_LAW_ABI + 6,
    .size = (uint32_t)sizeof(DlsLaw),
#elif defined(CASE_wrong_size)
    .abi = DLS_LAW_ABI,
    .size = (uint32_t)sizeof(DlsLaw) + 8,
#elif defined(CASE_zero_head)
    .abi = 0,
    .size = 0,
#else
    DLS_LAW_HEAD,
#endif
    .name = LAW_NAME,
#ifdef CASE_null_summary
    .summary = NULL,
#elif defined(CASE_control_summary)
    .summary = "clears the screen \033[2J",
#else
    .summary = "a law with a fault",
#endif
#ifdef CASE_bell_description
    .description = "rings \a",
#endif
#ifndef CASE_null_references
    .references = "none",
#endif
#ifndef CASE_null_params
    .params = params,
#endif
#ifdef CASE_negative_params
    .nparams = -1,
#elif defined(CASE_many_params)
    .nparams = 1000000000,
#else
    .nparams = DLS_COUNT(params),
#endif
#ifndef CASE_null_states
    .states = states,
#endif
#ifdef CASE_many_states
    .nstates = 65,
#else
    .nstates = DLS_COUNT(states),
#endif
#ifdef CASE_bad_blocks
    .blocks = DLS_BLOCK(4),
#elif defined(CASE_other_block)
    .blocks = DLS_BLOCK(2),
#endif
#if !defined(CASE_no_functions) && !defined(WITH_RESIDUAL)
    .prepare = prepare,
#endif
#ifdef WITH_RESIDUAL
    .residual = residual,
#endif
#if defined(CASE_solve_nan) || defined(CASE_solve_alone)
    .solve = solve,
#endif
#ifdef CASE_project_inf
    .project = project,
#endif
#ifndef CASE_no_commit
    .commit = commit,
#endif
    .energy = energy,
};

/* Which of the functions above a case leaves out of its struct does not matter. */
const void *const dls_test_all_functions[] = {&law, params, states};
void (*const dls_test_all_code[])(void) = {(void (*)(void))prepare, (void (*)(void))residual,
                                           (void (*)(void))solve,   (void (*)(void))project,
                                           (void (*)(void))commit,  (void (*)(void))energy};

#ifdef CASE_missing_symbol
#elif defined(CASE_hidden_symbol)
__attribute__((visibility("hidden"))) const DlsLaw *hidden_entry(void);
const DlsLaw *hidden_entry(void) { return &law; }
#elif defined(CASE_null_entry)
const DlsLaw *dls_law_entry(void) { return NULL; }
#elif defined(CASE_solver_entry)
DLS_EXPORT const void *dls_solver_entry(void);
const void *dls_solver_entry(void) { return &law; }
#else
const DlsLaw *dls_law_entry(void) { return &law; }
#endif
#endif

#ifdef CASE_program
int main(void);
int main(void) { return 0; }
#endif
