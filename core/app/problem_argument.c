/* Problems named on the command line. */
#include "app/problem_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/sample.h>

static const char syntax[] = "write NAME[:SIZE[:key=value,...]] with the keys mu, h, tilt, seed";

static DlsStatus set_key(const char *spec, char *pair, DlsSampleParams *params) {
  char *equals = strchr(pair, '='), *end = NULL;
  DLS_CHECK(equals, DLS_ERR_ARGUMENT, "sample \"%s\": \"%s\" is not key=value; %s", spec, pair,
            syntax);
  *equals = '\0';
  const char *text = equals + 1;
  if (strcmp(pair, "seed") == 0) {
    params->seed = strtoull(text, &end, 10);
  } else {
    double *target = strcmp(pair, "mu") == 0     ? &params->mu
                     : strcmp(pair, "h") == 0    ? &params->h
                     : strcmp(pair, "tilt") == 0 ? &params->tilt
                                                 : NULL;
    DLS_CHECK(target, DLS_ERR_ARGUMENT, "sample \"%s\": there is no key \"%s\"; %s", spec, pair,
              syntax);
    *target = strtod(text, &end);
  }
  DLS_CHECK(end != text && *end == '\0', DLS_ERR_ARGUMENT,
            "sample \"%s\": %s = \"%s\" is not a number", spec, pair, text);
  return DLS_OK;
}

/* text is a copy of spec that is cut to pieces. */
static DlsStatus read_spec(const char *spec, char *text, const char **name,
                           DlsSampleParams *params) {
  const DlsSample *sample;
  char *size = strchr(text, ':'), *keys = NULL;
  *name = text;
  if (size) *size++ = '\0';
  if (size) keys = strchr(size, ':');
  if (keys) *keys++ = '\0';
  DLS_TRY(dls_sample_find(text, &sample));
  *params = sample->defaults;
  if (size && *size) {
    char *end;
    const long value = strtol(size, &end, 10);
    DLS_CHECK(*end == '\0' && value >= 1 && value <= sample->max_size, DLS_ERR_ARGUMENT,
              "sample \"%s\": size \"%s\" (%s) is not a whole number in 1 .. %d; %s", spec, size,
              sample->size, sample->max_size, syntax);
    params->size = (int)value;
  }
  for (char *rest = NULL, *pair = keys ? strtok_r(keys, ",", &rest) : NULL; pair;
       pair = strtok_r(NULL, ",", &rest))
    DLS_TRY(set_key(spec, pair, params));
  return DLS_OK;
}

static DlsStatus load_sample(const char *spec, DlsProblem **out) {
  char text[256];
  const char *name;
  DlsSampleParams params;
  DLS_CHECK(strlen(spec) < sizeof text, DLS_ERR_ARGUMENT, "sample: %zu letters are too many; %s",
            strlen(spec), syntax);
  strcpy(text, spec);
  DLS_TRY(read_spec(spec, text, &name, &params));
  DLS_TRY(dls_sample_create(name, &params, out, NULL));
  return dls_problem_set_name(*out, spec);
}

/* The same problem on an assembled operator. */
static DlsStatus assemble(DlsProblem **problem) {
  DlsOperator *W = NULL;
  DlsProblem *assembled = NULL;
  const DlsProblem *given = *problem;
  DLS_TRY(dls_operator_assemble(dls_problem_operator(given), &W));
  DLS_TRY(dls_problem_create_like(given, &W, &assembled));
  dls_problem_destroy(problem);
  *problem = assembled;
  return DLS_OK;
}

static DlsStatus change_form(AppForm form, DlsProblem **problem) {
  const DlsOperator *W = dls_problem_operator(*problem);
  if (form == APP_FORM_ASSEMBLED && !dls_operator_has_rows(W)) return assemble(problem);
  DLS_CHECK(form != APP_FORM_FACTORED || dls_operator_has_parts(W), DLS_ERR_UNSUPPORTED,
            "%s: it comes %s and does not tell bodies apart, so there is no factored form; use "
            "--form auto",
            dls_problem_name(*problem), dls_operator_form(W));
  return DLS_OK;
}

/* The same bodies and loads with friction that is so far associated; the name tells. */
static DlsStatus change_law(double associated, DlsProblem *problem) {
  char name[512];
  snprintf(name, sizeof name, "%s associated %g", dls_problem_name(problem), associated);
  DLS_TRY(dls_problem_associate(problem, associated));
  return dls_problem_set_name(problem, name);
}

DlsStatus app_problem_load(const AppProblemName *name, AppForm form, AppProblem *out) {
  memset(out, 0, sizeof *out);
  DlsStatus status = name->is_sample ? load_sample(name->text, &out->problem)
                                     : dls_fclib_read(name->text, &out->problem, &out->extra);
  if (status == DLS_OK) status = change_form(form, &out->problem);
  if (status == DLS_OK && name->changed) status = change_law(name->associated, out->problem);
  if (status != DLS_OK) app_problem_clear(out);
  return status;
}

void app_problem_clear(AppProblem *self) {
  dls_problem_destroy(&self->problem);
  dls_fclib_extra_clear(&self->extra);
}

static DlsStatus pick_guess(const AppProblem *self, const char *which, const double **from) {
  const char *name = dls_problem_name(self->problem);
  char *end;
  *from = NULL;
  if (strcmp(which, "zero") == 0) return DLS_OK;
  if (strcmp(which, "file") == 0) {
    *from = self->extra.solution_r;
    DLS_CHECK(*from, DLS_ERR_ARGUMENT, "%s: it holds no solution/r to start from; use --guess zero",
              name);
    return DLS_OK;
  }
  const long k = strtol(which, &end, 10);
  DLS_CHECK(end != which && *end == '\0', DLS_ERR_ARGUMENT,
            "--guess %s: write zero, file or the number of a guess in the file", which);
  DLS_CHECK(k >= 0 && k < self->extra.guesses && self->extra.guess_r[k], DLS_ERR_ARGUMENT,
            "%s: it has no guess number %ld; it holds %d, numbered from 0", name, k,
            self->extra.guesses);
  *from = self->extra.guess_r[k];
  return DLS_OK;
}

DlsStatus app_problem_guess(const AppProblem *self, const char *which, double **r) {
  const size_t rows =
      (size_t)dls_problem_contacts(self->problem) * (size_t)dls_problem_block(self->problem);
  const double *from;
  *r = NULL;
  DLS_TRY(pick_guess(self, which, &from));
  *r = calloc(rows ? rows : 1, sizeof **r);
  DLS_CHECK(*r, DLS_ERR_MEMORY, "no memory for %zu reactions", rows);
  if (from) memcpy(*r, from, rows * sizeof **r);
  return DLS_OK;
}

bool app_problem_names_add(const AppCommand *command, const AppOption *option, const char *value,
                           void *field) {
  AppProblemNames *names = field;
  if (names->count == names->capacity) {
    const int capacity = 2 * names->capacity + 64;
    AppProblemName *more = realloc(names->item, (size_t)capacity * sizeof *more);
    if (!more) {
      app_refuse(command, "out of memory for %d problems", capacity);
      return false;
    }
    names->item = more;
    names->capacity = capacity;
  }
  names->item[names->count++] = (AppProblemName){.text = value, .is_sample = !option->operand};
  return true;
}

bool app_problem_names_associate(const AppCommand *command, const AppOption *option,
                                 const char *value, void *field) {
  AppProblemNames *names = field;
  (void)option;
  names->laws = 0;
  for (const char *at = value; *at || names->laws == 0;) {
    char *end;
    const double associated = strtod(at, &end);
    const bool good =
        end != at && (*end == ',' || *end == '\0') && associated >= 0 && associated <= 1;
    if (!good || names->laws == APP_ASSOCIATED_MOST) {
      app_refuse(command, "--associated %s: numbers from 0 to 1 with commas, at most %d", value,
                 (int)APP_ASSOCIATED_MOST);
      return false;
    }
    names->associated[names->laws++] = associated;
    at = *end ? end + 1 : end;
  }
  return true;
}

DlsStatus app_problem_names_spread(AppProblemNames *names) {
  const int count = names->count, laws = names->laws;
  if (laws == 0 || count == 0) return DLS_OK;
  AppProblemName *item = calloc((size_t)count * (size_t)laws, sizeof *item);
  DLS_CHECK(item, DLS_ERR_MEMORY, "no memory for %d problems under %d laws", count, laws);
  for (int i = 0; i < count * laws; i++) {
    item[i] = names->item[i / laws];
    item[i].changed = true;
    item[i].associated = names->associated[i % laws];
  }
  free(names->item);
  names->item = item;
  names->count = names->capacity = count * laws;
  return DLS_OK;
}

void app_problem_names_clear(AppProblemNames *names) {
  free(names->item);
  *names = (AppProblemNames){0};
}
