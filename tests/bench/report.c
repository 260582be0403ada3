/* The tables of report.h. */
#include "tests/bench/report.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

/* "projection" solves no one-contact problem, so that it is no measure of a sweep: shown apart. */
static bool exact(const Contender *contender) { return strcmp(contender->name, "projection") != 0; }

static void keep(Worst *worst, double value, const char *where, bool smallest) {
  if (isnan(value)) return;
  if (worst->where[0] && (smallest ? value >= worst->value : value <= worst->value)) return;
  worst->value = value;
  snprintf(worst->where, sizeof worst->where, "%s", where);
}

DlsStatus report_open(const char *csv_path, Report *report) {
  memset(report, 0, sizeof *report);
  if (!csv_path) return DLS_OK;
  report->csv = fopen(csv_path, "w");
  DLS_CHECK(report->csv, DLS_ERR_FILE, "%s: cannot be written", csv_path);
  fprintf(report->csv,
          "problem,contacts,block,contender,ns_per_contact_sweep,call_s,tolerance,status,"
          "iterations,time_s,error_natural,error_siconos\n");
  return DLS_OK;
}

void report_close(Report *report) {
  if (report->csv) fclose(report->csv);
  report->csv = NULL;
}

static void csv_rates(const Report *report, const char *name, const Contender *c, int count,
                      const Rate *rates) {
  for (int i = 0; report->csv && i < count; i++)
    fprintf(report->csv, "%s,%d,%d,%s,%.2f,%.3e,,,,,,\n", name, dls_problem_contacts(c[i].problem),
            dls_problem_block(c[i].problem), c[i].name, rates[i].ns, rates[i].call_s);
}

static double blocks_per_row(const DlsProblem *problem) {
  const DlsBlockRows rows = dls_operator_block_rows(dls_problem_operator(problem));
  return (double)rows.start[rows.contacts] / (double)rows.contacts;
}

/* The variant with the cheapest sweep of those that solve the one-contact problem and get about as
 * far in the same sweeps as the default, number `first`; -1: none. */
static int fastest_of(const Contender *c, int first, int count, const Rate *rates) {
  int best = -1;
  for (int i = first; i < count; i++) {
    const bool good = rates[i].error <= fmax(10 * rates[first].error, 1e-8);
    if (exact(&c[i]) && good && rates[i].ns > 0 && (best < 0 || rates[i].ns < rates[best].ns))
      best = i;
  }
  return best;
}

static int find(const Contender *c, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(c[i].name, name) == 0) return i;
  return -1;
}

/* A rate and its ratio to ours; a star where the sweeps ended in numbers that are not finite. */
static void print_rate(const Rate *rate, const Rate *ours) {
  printf(" %8.1f%c %5.2f", rate->ns, isfinite(rate->error) ? ' ' : '*', rate->ns / ours->ns);
}

void report_rate_head(void) {
  printf("\nA sweep on block rows: nanoseconds per contact, and theirs over ours. Fastest: the "
         "cheapest\n"
         "sweep of Siconos' variants that solve the one-contact problem and get as far as the "
         "default;\n"
         "projection: one projected step instead. *: the sweeps ended in numbers that are not "
         "finite.\n"
         "Call: microseconds of a call for one sweep, set-up and last error with it, ours and "
         "default.\n"
         "%-38s %8s %5s %5s %7s %9s %5s %9s %5s  %-16s %9s %5s %10s %9s %9s\n",
         "problem", "contacts", "block", "W/row", "ours", "default", "ratio", "quartic", "ratio",
         "fastest", "ns", "ratio", "projection", "call", "default");
}

void report_rate(Report *report, const char *name, const Contender *c, int count,
                 const Rate *rates) {
  const int fastest = count > 1 ? fastest_of(c, 1, count, rates) : -1;
  const int quartic = find(c, count, "quartic"), projection = find(c, count, "projection");
  printf("%-38s %8d %5d %5.1f %7.1f", name, dls_problem_contacts(c[0].problem),
         dls_problem_block(c[0].problem), blocks_per_row(c[0].problem), rates[0].ns);
  if (count > 1) {
    print_rate(&rates[1], &rates[0]);
    keep(&report->rate_default, rates[1].ns / rates[0].ns, name, true);
  }
  if (quartic > 0) {
    print_rate(&rates[quartic], &rates[0]);
    keep(&report->rate_quartic, rates[quartic].ns / rates[0].ns, name, true);
  }
  if (fastest > 0) {
    printf("%s  %-16s", quartic > 0 ? "" : "                ", c[fastest].name);
    print_rate(&rates[fastest], &rates[0]);
    keep(&report->rate_fastest, rates[fastest].ns / rates[0].ns, name, true);
  }
  if (projection > 0) printf(" %10.1f", rates[projection].ns);
  if (count > 1)
    printf("%s %9.2f %9.2f", projection > 0 ? "" : "           ", 1e6 * rates[0].call_s,
           1e6 * rates[1].call_s);
  printf("\n");
  fflush(stdout);
  report->rates++;
  csv_rates(report, name, c, count, rates);
}

void report_factored_head(void) {
  printf("\nA sweep on factors (bodies' velocities): nanoseconds per contact.\n"
         "%-38s %8s %5s %8s %10s %9s %5s %9s %5s\n",
         "problem", "contacts", "block", "factored", "block rows", "default", "ratio", "quartic",
         "ratio");
}

void report_factored(Report *report, const char *name, const Contender *c, int count,
                     const Rate *rates) {
  printf("%-38s %8d %5d %8.1f %10.1f", name, dls_problem_contacts(c[0].problem),
         dls_problem_block(c[0].problem), rates[0].ns, rates[1].ns);
  for (int i = 2; i < count; i++) print_rate(&rates[i], &rates[0]);
  printf("\n");
  fflush(stdout);
  if (fnmatch("@(*pheres*|box-*)", name, FNM_EXTMATCH) == 0)
    keep(&report->rate_factored, rates[0].ns, name, false);
  csv_rates(report, name, c, count, rates);
}

void report_race_head(double tolerance) {
  printf(
      "\nTo a natural error of %g, from zero: sweeps and seconds (where not reached, the error or\n"
      "what happened, in brackets). Quickest: of all variants of Siconos that reach it in our "
      "time.\n"
      "%-38s %20s %20s %6s %20s   %s\n",
      tolerance, "problem", "ours", "default", "ratio", "quartic", "quickest");
}

static void print_cell(const Attempt *attempt, double tolerance) {
  char text[40];
  if (attempt_reached(attempt, tolerance)) {
    snprintf(text, sizeof text, "%ld %9.2e", attempt->iterations, attempt->time_s);
  } else if (attempt->outcome != DLS_CHILD_DONE) {
    snprintf(text, sizeof text, "[%s]", dls_child_text(attempt->outcome));
  } else if (attempt->status != DLS_OK) {
    snprintf(text, sizeof text, "[%s]", dls_status_text(attempt->status));
  } else {
    snprintf(text, sizeof text, "%ld [%.1e]", attempt->iterations, attempt->natural);
  }
  printf(" %20s", text);
}

static void csv_race(const Report *report, const char *name, const Contender *c, double tolerance,
                     const Attempt *a) {
  if (!report->csv) return;
  const char *status = a->outcome != DLS_CHILD_DONE    ? dls_child_text(a->outcome)
                       : attempt_reached(a, tolerance) ? "reached"
                                                       : "not reached";
  fprintf(report->csv, "%s,%d,%d,%s,,,%g,%s,%ld,%.6e,%.6e,%.6e\n", name,
          dls_problem_contacts(c->problem), dls_problem_block(c->problem), c->name, tolerance,
          status, a->iterations, a->time_s, a->natural, a->siconos);
}

void report_race(Report *report, const char *name, const Contender *c, int count, double tolerance,
                 const Attempt *a) {
  const bool ours = attempt_reached(&a[0], tolerance);
  const int quartic = find(c, count, "quartic");
  int quickest = -1;
  for (int i = 0; i < count; i++) {
    csv_race(report, name, &c[i], tolerance, &a[i]);
    report->disagreements += !attempt_agrees(&a[i]);
    if (i > 0 && attempt_reached(&a[i], tolerance) &&
        (quickest < 0 || a[i].time_s < a[quickest].time_s))
      quickest = i;
  }
  report->races++;
  report->unsolved_ours += !ours;
  printf("%-38s", name);
  print_cell(&a[0], tolerance);
  if (count > 1) {
    const bool theirs = attempt_reached(&a[1], tolerance);
    const double ratio = ours && theirs ? a[1].time_s / a[0].time_s : NAN;
    report->unsolved_theirs += !theirs;
    report->slower_default += ratio < 1;
    report->slower_visible += ratio < 1 && a[0].time_s - a[1].time_s > 1e-4;
    keep(&report->race_default, ratio, name, true);
    print_cell(&a[1], tolerance);
    printf(" %6.2f", ratio);
  }
  if (quartic > 0) print_cell(&a[quartic], tolerance);
  if (quickest > 0) {
    const double ratio = ours ? a[quickest].time_s / a[0].time_s : NAN;
    report->slower_any += ratio < 1;
    keep(&report->race_any, ratio, name, true);
    printf("%s   %s %.2e, ratio %.2f", quartic > 0 ? "" : "                     ", c[quickest].name,
           a[quickest].time_s, ratio);
  }
  printf("\n");
  fflush(stdout);
}

static void print_worst(const char *what, const Worst *worst, const char *target) {
  if (worst->where[0]) printf("  %-58s %8.2f  %s%s\n", what, worst->value, worst->where, target);
}

void report_summary(const Report *r) {
  printf("\nSummary, the worst of each: %d problems swept, %d races\n", r->rates, r->races);
  print_worst("sweep, Siconos' default over ours", &r->rate_default, "  (target 3)");
  print_worst("sweep, Siconos' quartic over ours", &r->rate_quartic, "  (target 1.5)");
  print_worst("sweep, Siconos' fastest sound variant over ours", &r->rate_fastest,
              "  (target 1.5)");
  print_worst("sweep on factors, spheres, ns per contact", &r->rate_factored,
              "  (target below 50)");
  print_worst("time to tolerance, Siconos' default over ours", &r->race_default, "  (target 1)");
  print_worst("time to tolerance, its quickest variant over ours", &r->race_any, "");
  printf("  races lost to the default %d (%d by more than 0.1 ms), to any variant %d\n"
         "  races not finished: ours %d, the default %d\n",
         r->slower_default, r->slower_visible, r->slower_any, r->unsolved_ours, r->unsolved_theirs);
  if (r->disagreements)
    printf("  the two errors of an answer differ in %d races\n", r->disagreements);
}
