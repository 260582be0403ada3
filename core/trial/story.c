/* The judge's notes: the worst sentence of a check, and all of one case where it is told. */
#include "trial/trial_impl.h"

#include <delassus/cone.h>

#include <stdarg.h>
#include <stdio.h>

static void keep(Trial *trial, double ratio, const char *format, va_list list) {
  DlsTrialResult *result = trial->result;
  if (trial->story && ratio > 1) {
    char line[DLS_TRIAL_SENTENCE];
    va_list copy;
    va_copy(copy, list);
    vsnprintf(line, sizeof line, format, copy);
    va_end(copy);
    trial_say(trial, "FAILS, %.3g times the tolerance: %s\n", ratio, line);
  }
  if (result->worst_case >= 0 && !(ratio > result->worst)) return;
  result->worst = ratio;
  result->worst_case = trial->number;
  vsnprintf(result->sentence, sizeof result->sentence, format, list);
}

void trial_judge(Trial *trial, double error, double tolerance, const char *format, ...) {
  va_list list;
  const double ratio = isnan(error) ? INFINITY : fmax(error, 0) / tolerance;
  trial->result->measured++;
  if (!trial->story && trial->result->worst_case >= 0 && ratio <= trial->result->worst) return;
  va_start(list, format);
  keep(trial, isnan(ratio) ? INFINITY : ratio, format, list);
  va_end(list);
}

void trial_broken(Trial *trial, const char *format, ...) {
  va_list list;
  trial->result->measured++;
  va_start(list, format);
  keep(trial, INFINITY, format, list);
  va_end(list);
}

void trial_say(Trial *trial, const char *format, ...) {
  va_list list;
  if (!trial->story) return;
  const size_t used = strlen(trial->story);
  va_start(list, format);
  vsnprintf(trial->story + used, DLS_TRIAL_STORY - used, format, list);
  va_end(list);
}

void trial_say_vector(Trial *trial, const char *name, const double *x, int count,
                      const char *unit) {
  if (!trial->story) return;
  trial_say(trial, "  %-10s", name);
  for (int k = 0; k < count; k++) trial_say(trial, " %.17g", x[k]);
  trial_say(trial, "  %s\n", unit);
}

void trial_say_matrix(Trial *trial, const char *name, const double *A, int n, const char *unit) {
  for (int k = 0; k < n && trial->story; k++)
    trial_say_vector(trial, k == 0 ? name : "", A + k * n, n, k == 0 ? unit : "");
}

static void say_numbers(Trial *trial, const char *title, const DlsParam *rows, const double *x,
                        int count) {
  for (int i = 0; i < count; i++)
    trial_say(trial, "  %-10s %s = %.17g %s\n", i == 0 ? title : "", rows[i].name, x[i],
              strcmp(rows[i].unit, "1") == 0 ? "" : rows[i].unit);
}

void trial_say_step(Trial *trial, const char *title, const TrialStep *step) {
  static const char *const ends[] = {"open", "slip", "stick", "no solution"};
  const DlsContact *c = &step->contact;
  const int n = c->block;
  if (!trial->story) return;
  trial_say(trial, "%s: %d-D, block %d, t = %.17g s, h = %.17g s\n", title, c->dim, n, c->time,
            c->h);
  for (int k = 0; k < step->parts; k++) {
    trial_say(trial, "  law        %s\n", step->part[k].law->name);
    say_numbers(trial, "parameters", step->part[k].law->params, step->part[k].params,
                step->part[k].law->nparams);
    say_numbers(trial, "state", step->part[k].law->states, step->part[k].state,
                step->part[k].law->nstates);
  }
  trial_say(trial, "  gap        %.17g m, gap_rate %.17g m/s\n", c->gap, c->gap_rate);
  trial_say(trial, "  radius     %.17g m, mass %.17g kg\n", c->radius, c->mass);
  trial_say_matrix(trial, "frame", &c->frame[0][0], 3, "rows n, t1, t2");
  trial_say_matrix(trial, "axes[0]", &c->axes[0][0][0], 3, "of the antagonist");
  trial_say_matrix(trial, "axes[1]", &c->axes[1][0][0], 3, "of the candidate");
  trial_say_vector(trial, "u_before", c->u_before, n, "m/s");
  trial_say_matrix(trial, "D", step->D, n, "1/kg");
  trial_say_vector(trial, "q", step->q, n, "m/s");
  trial_say(trial, "  relation   %s, %s\n", dls_cone_name(step->relation.cone),
            ends[step->outcome]);
  if (step->relation.cone != DLS_CONE_CUSTOM) {
    trial_say_vector(trial, "mu", step->relation.mu, DLS_MU_COUNT, "");
    trial_say_vector(trial, "a", step->relation.a, n, "N s");
    trial_say_vector(trial, "b", step->relation.b, n, "m/s");
    trial_say_vector(trial, "C", step->relation.C, n, "1/kg");
  }
  trial_say_vector(trial, "u", step->u, n, "m/s");
  trial_say_vector(trial, "r", step->r, n, "N s");
}
