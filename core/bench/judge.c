/* The judge's notes: the worst sentence of a check, and all of one case where it is told. */
#include "bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep(DlsBenchCase *c, double ratio, const char *format, va_list list) {
  DlsBenchResult *result = c->result;
  if (c->story && ratio > 1) {
    char line[DLS_BENCH_SENTENCE];
    va_list copy;
    va_copy(copy, list);
    vsnprintf(line, sizeof line, format, copy);
    va_end(copy);
    dls_bench_say(c, "FAILS, %.3g times the tolerance: %s\n", ratio, line);
  }
  if (result->worst_case >= 0 && !(ratio > result->worst)) return;
  result->worst = ratio;
  result->worst_case = c->number;
  vsnprintf(result->sentence, sizeof result->sentence, format, list);
}

void dls_bench_judge(DlsBenchCase *c, double error, double tolerance, const char *format, ...) {
  va_list list;
  const double ratio = isnan(error) ? INFINITY : fmax(error, 0) / tolerance;
  c->result->measured++;
  va_start(list, format);
  keep(c, isnan(ratio) ? INFINITY : ratio, format, list);
  va_end(list);
}

void dls_bench_broken(DlsBenchCase *c, const char *format, ...) {
  va_list list;
  c->result->measured++;
  va_start(list, format);
  keep(c, INFINITY, format, list);
  va_end(list);
}

void dls_bench_report(DlsBenchCase *c, double share, const char *format, ...) {
  va_list list;
  c->result->measured++;
  va_start(list, format);
  keep(c, isnan(share) ? 1 : fmin(fmax(share, 0), 1), format, list);
  va_end(list);
}

void dls_bench_say(DlsBenchCase *c, const char *format, ...) {
  va_list list;
  if (!c->story) return;
  const size_t used = strlen(c->story);
  va_start(list, format);
  vsnprintf(c->story + used, DLS_BENCH_STORY - used, format, list);
  va_end(list);
}
