/* Parameters of a law: defaults, setting by name and from text, bounds. */
#include "tests/test.h"

#include <string.h>

#include <delassus/laws.h>

static const DlsLaw *coulomb(double *params) {
  const DlsLaw *law;
  if (dls_law_find("coulomb", &law) != DLS_OK) test_skip("coulomb is not built");
  dls_law_defaults(law, params);
  return law;
}

static double value(const DlsLaw *law, const double *params, const char *name) {
  for (int i = 0; i < law->nparams; i++)
    if (strcmp(law->params[i].name, name) == 0) return params[i];
  return NAN;
}

TEST(defaults_are_the_declared_ones) {
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
  const DlsLaw *law = coulomb(params);
  CHECK_NEAR(value(law, params, "mu"), 0.3, 0);
  CHECK_NEAR(value(law, params, "rho"), 0, 0);
  dls_law_new_state(law, state);
  CHECK_INT(law->nstates, 1);
  CHECK_NEAR(state[0], 0, 0);
}

TEST(a_parameter_is_set_by_number_and_by_text) {
  double params[DLS_MAX_PARAMS];
  const DlsLaw *law = coulomb(params);
  CHECK_OK(dls_law_set(law, params, "mu", 0.7));
  CHECK_NEAR(value(law, params, "mu"), 0.7, 0);
  CHECK_OK(dls_law_set_text(law, params, "mu=0.25"));
  CHECK_NEAR(value(law, params, "mu"), 0.25, 0);
  CHECK_OK(dls_law_set_text(law, params, " tau = -5e-1 "));
  CHECK_NEAR(value(law, params, "tau"), -0.5, 0);
  CHECK_OK(dls_law_set_text(law, params, "rho=1")); /* a bound belongs to the range */
}

TEST(a_wrong_value_is_refused_and_nothing_changes) {
  double params[DLS_MAX_PARAMS];
  const DlsLaw *law = coulomb(params);
  CHECK_FAILS(dls_law_set(law, params, "mu", -0.1), DLS_ERR_ARGUMENT,
              "mu = -0.1 is not within 0 and inf (friction coefficient, unit 1)");
  CHECK_FAILS(dls_law_set(law, params, "rho", 1.5), DLS_ERR_ARGUMENT, "not within 0 and 1");
  CHECK_FAILS(dls_law_set(law, params, "mu", NAN), DLS_ERR_ARGUMENT, "no finite number");
  CHECK_FAILS(dls_law_set(law, params, "mu", HUGE_VAL), DLS_ERR_ARGUMENT, "no finite number");
  CHECK_FAILS(dls_law_set_text(law, params, "mu=inf"), DLS_ERR_ARGUMENT, "no finite number");
  CHECK_FAILS(dls_law_set_text(law, params, "mu=0.3x"), DLS_ERR_ARGUMENT, "'0.3x' is no number");
  CHECK_FAILS(dls_law_set_text(law, params, "mu="), DLS_ERR_ARGUMENT, "is no number");
  CHECK_FAILS(dls_law_set_text(law, params, "=1"), DLS_ERR_ARGUMENT, "no name before");
  CHECK_FAILS(dls_law_set_text(law, params, "mu"), DLS_ERR_ARGUMENT, "form name=number");
  CHECK_FAILS(dls_law_set_text(law, params, "mu=1 2"), DLS_ERR_ARGUMENT, "'1 2' is no number");
  CHECK_NEAR(value(law, params, "mu"), 0.3, 0);
}

TEST(an_unknown_parameter_gives_the_nearest) {
  double params[DLS_MAX_PARAMS];
  const DlsLaw *law = coulomb(params);
  CHECK_FAILS(dls_law_set_text(law, params, "mu_statik=1"), DLS_ERR_ARGUMENT,
              "did you mean 'mu_static'?");
  CHECK_FAILS(dls_law_set(law, params, "roh", 1), DLS_ERR_ARGUMENT, "did you mean 'rho'?");
  CHECK_FAILS(dls_law_set(law, params, "stiffness", 1), DLS_ERR_ARGUMENT,
              "'stiffness'; it has: mu, mu_static, rho, tau, v_rest");
}
