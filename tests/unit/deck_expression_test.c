/* Expressions of t: values against the C library, constants, rates, and what is refused; units. */
#include "deck/expression.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "deck/units.h"
#include "tests/test.h"

static const double pi = 3.14159265358979323846;

static DlsExpression *make(const char *text) {
  DlsExpression *e = NULL;
  CHECK_OK(dls_expression_create(text, NULL, &e));
  return e;
}

static double value(const char *text, double t) {
  DlsExpression *e = make(text);
  const double result = e ? dls_expression_value(e, t) : NAN;
  dls_expression_destroy(&e);
  return result;
}

TEST(values_are_those_of_the_c_library) {
  for (int k = -20; k <= 20; k++) {
    const double t = 0.37 * k;
    CHECK_NEAR(value("1.5e-3*sin(2*pi*15*t)", t), 1.5e-3 * sin(2 * pi * 15 * t), 1e-17);
    CHECK_NEAR(value("cos(t)+tan(t/4)", t), cos(t) + tan(t / 4), 1e-15);
    CHECK_NEAR(value("exp(-t^2)", t), exp(-t * t), 1e-15);
    CHECK_NEAR(value("sqrt(abs(t))", t), sqrt(fabs(t)), 1e-15);
    CHECK_NEAR(value("min(t,1,2-t)", t), fmin(fmin(t, 1), 2 - t), 0);
    CHECK_NEAR(value("max(t, -1)", t), fmax(t, -1), 0);
    CHECK_NEAR(value("atan2(sin(t/3), cos(t/3))", t), t / 3, 1e-15);
    CHECK_NEAR(value("t < 0 ? -1 : floor(t)", t), t < 0 ? -1 : floor(t), 0);
    CHECK_NEAR(value("(t >= 0 && t <= 1) || t == 2", t), t >= 0 && t <= 1, 0);
  }
  CHECK_NEAR(value("-2^2", 0), -4, 0);
  CHECK_NEAR(value("2^3^2", 0), 512, 0);
  CHECK_NEAR(value("6/3/2", 0), 1, 0);
  CHECK_NEAR(value("log(exp(2)) + log10(1000)", 0), 5, 1e-15);
}

TEST(steps_ramps_and_pulses) {
  CHECK_NEAR(value("step(t, 1)", 0.999), 0, 0);
  CHECK_NEAR(value("step(t, 1)", 1), 1, 0);
  CHECK_NEAR(value("ramp(t, 1, 3)", 0), 0, 0);
  CHECK_NEAR(value("ramp(t, 1, 3)", 1.5), 0.25, 0);
  CHECK_NEAR(value("ramp(t, 1, 3)", 4), 1, 0);
  CHECK_NEAR(value("ramp(t, 1, 1)", 1), 1, 0); /* of no length: a step */
  CHECK_NEAR(value("pulse(t, 1, 2)", 0.5), 0, 0);
  CHECK_NEAR(value("pulse(t, 1, 2)", 1), 1, 0);
  CHECK_NEAR(value("pulse(t, 1, 2)", 2), 0, 0);
}

TEST(constants_are_folded) {
  static const char *const constants[] = {"5", "-2.5e-3", "2*pi", "sin(1)+sqrt(2)", " 7 "};
  for (int k = 0; k < DLS_COUNT(constants); k++) {
    DlsExpression *e = make(constants[k]);
    CHECK(dls_expression_is_constant(e));
    CHECK_NEAR(dls_expression_value(e, 1), dls_expression_value(e, 2), 0);
    CHECK_NEAR(dls_expression_rate(e, 1, 1e-3), 0, 0);
    CHECK(strcmp(dls_expression_text(e), constants[k]) == 0);
    dls_expression_destroy(&e);
  }
  CHECK_NEAR(value("2*pi", 0), 2 * pi, 0);
  DlsExpression *e = make("t");
  CHECK(!dls_expression_is_constant(e));
  dls_expression_destroy(&e);
  CHECK(e == NULL);
  dls_expression_destroy(&e);
}

/* (f(t+h) - f(t-h)) / 2h - f'(t) = h^2 f'''/6 + ... : exact for a parabola. */
TEST(the_rate_is_a_central_difference) {
  DlsExpression *e = make("3*t^2 - t"), *wave = make("sin(10*t)");
  CHECK_NEAR(dls_expression_rate(e, 2, 1e-3), 11, 1e-11);
  CHECK_NEAR(dls_expression_rate(wave, 0.3, 1e-4), 10 * cos(3), 1e3 * 1e-8 / 6 * 1.01);
  dls_expression_destroy(&e);
  dls_expression_destroy(&wave);
}

TEST(other_variables_have_their_place) {
  DlsExpression *e = NULL, *copy = NULL;
  CHECK_OK(dls_expression_create("t + 10*x + 100*y", "t|x|y", &e));
  CHECK_NEAR(dls_expression_at(e, (double[]){1, 2, 3}), 321, 0);
  CHECK_NEAR(dls_expression_value(e, 5), 5, 0);
  CHECK_OK(dls_expression_copy(e, &copy));
  dls_expression_destroy(&e);
  CHECK_NEAR(dls_expression_at(copy, (double[]){3, 2, 1}), 123, 0);
  dls_expression_destroy(&copy);
}

TEST(what_is_no_expression_is_refused_at_its_place) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"", "the expression is empty"},
      {"   ", "the expression is empty"},
      {"2*sinn(t)", "unknown function 'sinn' at character 3 of '2*sinn(t)'; did you mean 'sin'?"},
      {"squrt(t)", "did you mean 'sqrt'?"},
      {"t + time", "unknown name 'time' at character 5"},
      {"2*p", "unknown name 'p' at character 3 of '2*p'; there are t, pi, and functions such as"},
      {"sin", "a function without its (...) at character 1"},
      {"sin + 1", "a function without its (...)"},
      {"t(3)", "unknown function 't' at character 1"},
      {"_pi", "unknown name '_pi' at character 1 of '_pi'; did you mean 'pi'?"},
      {"(t", "a ')' is missing at character 3"},
      {"t)", "a ')' without its '(' at character 2"},
      {"1, 2", "a comma outside of brackets at character 2"},
      {"(1, 2)", " at character "},
      {"t = 2", "'=' assigns nothing at character 3 of 't = 2'; to compare write '=='"},
      {"t # 2", "a character that has no meaning at character 3"},
      {"\"abc\"", "a character that has no meaning at character 1"},
      {"t !", "a character that has no meaning at character 3"},
      {"2 t", " at character "},
      {"2 +", "unexpected end of expression at character 4 of '2 +'; a value is missing"},
      {"* 2", " at character 1"},
      {"t t", "at character 3 of 't t'; an operator such as * is missing before it"},
      {"sin()", " at character "},
      {"sin(1,2)", " at character "},
      {"ramp(t,1)", "too few parameters for function \"ramp\" at character 9 of 'ramp(t,1)'; write "
                    "ramp(t,a,b)"},
      {"t ? 1", " at character "},
      {"1 : 2", " at character "},
      {"min()", " at character "},
      {"1e999*t", "a number that cannot be read at character 1"},
      {"0x10*t", "a number that cannot be read at character 1"},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    DlsExpression *e = NULL;
    CHECK_FAILS(dls_expression_create(cases[k].text, NULL, &e), DLS_ERR_FORMAT, cases[k].part);
    CHECK(e == NULL);
    dls_expression_destroy(&e);
  }
}

TEST(length_and_depth_have_a_limit) {
  char text[3000];
  DlsExpression *e = NULL;
  memset(text, '(', sizeof text);
  strcpy(text + 500, "t");
  CHECK_FAILS(dls_expression_create(text, NULL, &e), DLS_ERR_FORMAT, "too many brackets");
  memset(text, '1', sizeof text - 1);
  strcpy(text + 2990, "*t");
  CHECK_FAILS(dls_expression_create(text, NULL, &e), DLS_ERR_FORMAT, "longer than 2000 characters");
}

TEST(where_it_is_not_finite_is_told) {
  DlsExpression *e = make("1/(t-1)"), *root = make("sqrt(0.5-t)"), *constant = make("1/0");
  CHECK(isinf(dls_expression_value(e, 1)));
  CHECK_OK(dls_expression_check(e, 0, 0.9, 10));
  CHECK_FAILS(dls_expression_check(e, 0, 2, 10), DLS_ERR_NUMERIC, "is infinite at t = 1 s");
  CHECK_FAILS(dls_expression_check(root, 0, 1, 10), DLS_ERR_NUMERIC, "is no number at t = 0.6 s");
  CHECK_FAILS(dls_expression_check(constant, 0, 1, 1), DLS_ERR_NUMERIC, "is infinite");
  dls_expression_destroy(&e);
  dls_expression_destroy(&root);
  dls_expression_destroy(&constant);
}

static void *work(void *argument) {
  const double seed = *(const double *)argument;
  for (int round = 0; round < 20; round++) {
    DlsExpression *e = NULL;
    if (dls_expression_create("sin(t) + ramp(t,0,10)", NULL, &e) != DLS_OK) return argument;
    for (int k = 0; k < 1000; k++) {
      const double t = seed + 1e-3 * k;
      if (fabs(dls_expression_value(e, t) - (sin(t) + t / 10)) > 1e-15) return argument;
    }
    dls_expression_destroy(&e);
    if (dls_expression_create("sin(", NULL, &e) == DLS_OK) return argument;
  }
  return NULL;
}

TEST(handles_of_different_threads_are_independent) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  double seeds[THREADS] = {0, 1, 2, 3};
  for (int k = 0; k < THREADS; k++) CHECK(pthread_create(&threads[k], NULL, work, &seeds[k]) == 0);
  for (int k = 0; k < THREADS; k++) {
    void *failed;
    pthread_join(threads[k], &failed);
    CHECK(failed == NULL);
  }
}

TEST(every_function_of_the_list_is_there) {
  const char *call, *meaning;
  for (int k = 0; (call = dls_expression_function(k, &meaning)); k++) {
    char text[80];
    snprintf(text, sizeof text, "%.*s(%s", (int)strcspn(call, "("), call,
             strchr(call, ',')
                 ? (strchr(call, ',') != strrchr(call, ',') && !strstr(call, "...") ? "0.5,0.2,0.7)"
                                                                                    : "0.5,0.2)")
                 : "0.5)");
    CHECK(isfinite(value(text, 0)) && meaning[0]);
  }
}

static double in_unit(const char *number, const char *unit_text) {
  DlsUnit unit;
  double result = NAN;
  CHECK_OK(dls_unit_parse(unit_text, &unit));
  CHECK(dls_unit_convert(&unit, number, &result));
  return result;
}

TEST(units_convert_to_SI) {
  static const struct {
    const char *text;
    double expected;
  } cases[] = {{"mm", 1e-3},      {"g/cm3", 1e3}, {"kg/m3", 1},      {"kN/m2", 1e3},
               {"m/s^2", 1},      {"mm²", 1e-6},  {"cm-1", 1e2},     {"N s", 1},
               {"N.m/rad", 1},    {"1/ms", 1e3},  {"MPa*s", 1e6},    {"km/h", 1 / 3.6},
               {"µm", 1e-6},      {"m^-2 kg", 1}, {"t/m³", 1e3},     {"", 1},
               {"min", 60},       {"h", 3600},    {"rev", 2 * M_PI}, {"deg", M_PI / 180},
               {"rpm", M_PI / 30}};
  for (int k = 0; k < DLS_COUNT(cases); k++)
    CHECK_NEAR(in_unit("1", cases[k].text), cases[k].expected, 1e-15 * cases[k].expected);
}

/* 4.9 mm is the double nearest to 0.0049, and so for every decimal behind which stands a unit that
 * is a power of ten. The judge: the digits as a whole number, with the exponent that follows, read
 * by strtod(). */
TEST(units_convert_to_the_nearest_double) {
  static const struct {
    const char *text;
    int ten;
  } units[] = {{"mm", -3},   {"cm", -2},  {"dm", -1},   {"um", -6},   {"nm", -9},  {"km", 3},
               {"g", -3},    {"mg", -6},  {"t", 3},     {"ms", -3},   {"us", -6},  {"kHz", 3},
               {"mN", -3},   {"MN", 6},   {"kPa", 3},   {"GPa", 9},   {"bar", 5},  {"mJ", -3},
               {"kW", 3},    {"mm2", -6}, {"mm3", -9},  {"g/cm3", 3}, {"N/mm", 3}, {"kg", 0},
               {"mrad", -3}, {"1/ms", 3}, {"kN/m2", 3}, {"mm/s", -3}};
  DlsRandom random;
  dls_random_seed(&random, 11);
  CHECK(test_same_bits(in_unit("4.9", "mm"), 0.0049));
  for (int k = 0; k < 30000; k++) {
    char digits[32], number[80], judge[80];
    const int n = 1 + dls_random_below(&random, 22), point = dls_random_below(&random, n + 1);
    const int exponent = dls_random_below(&random, 3) ? 0 : dls_random_below(&random, 41) - 20;
    const int u = dls_random_below(&random, DLS_COUNT(units));
    for (int i = 0; i < n; i++) digits[i] = (char)('0' + dls_random_below(&random, 10));
    digits[n] = '\0';
    int used = snprintf(number, sizeof number, "%.*s.%s", point, digits, digits + point);
    if (exponent) snprintf(number + used, sizeof number - (size_t)used, "e%+d", exponent);
    snprintf(judge, sizeof judge, "%se%d", digits, exponent - (n - point) + units[u].ten);
    if (!test_same_bits(in_unit(number, units[u].text), strtod(judge, NULL)))
      test_fail(__FILE__, __LINE__, "%s %s is not the double nearest to %s", number, units[u].text,
                judge);
  }
}

TEST(units_that_are_none_are_refused) {
  DlsUnit unit;
  CHECK_FAILS(dls_unit_parse("kgg", &unit), DLS_ERR_FORMAT, "'kgg' is no unit; did you mean 'kg'?");
  CHECK_FAILS(dls_unit_parse("parsec", &unit), DLS_ERR_FORMAT, "'parsec' is no unit; known are");
  CHECK_FAILS(dls_unit_parse("m//s", &unit), DLS_ERR_FORMAT, "is no unit");
  CHECK_FAILS(dls_unit_parse("m^", &unit), DLS_ERR_FORMAT, "the power of 'm' is missing");
  CHECK_FAILS(dls_unit_parse("m0", &unit), DLS_ERR_FORMAT, "missing or zero");
  CHECK_FAILS(dls_unit_parse("m999", &unit), DLS_ERR_FORMAT, "too large");
  CHECK_FAILS(dls_unit_parse("nm20 nm20", &unit), DLS_ERR_FORMAT, "too large");
  CHECK_FAILS(dls_unit_parse("m/", &unit), DLS_ERR_FORMAT, "ends before its last unit");
}
