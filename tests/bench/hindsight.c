/* The table of hindsight.h. Every solve runs in a child from r = 0, after one iteration that does
 * not count. Siconos knows no limit of time: both sides are ended after the same processor time. */
#include "tests/bench/hindsight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/contender.h"

enum { MOST_OURS = 2, MOST = 16 };

typedef struct {
  const DlsSolver *solver[MOST_OURS];
  void *options[MOST_OURS];
  int count;
} Ours;

static void ours_clear(Ours *ours) {
  for (int k = 0; k < ours->count; k++) free(ours->options[k]);
}

static DlsStatus ours_add(Ours *ours, const char *name) {
  const DlsSolver *solver = NULL;
  DLS_TRY(dls_solver_find(name, &solver));
  void *options = calloc(1, solver->option_bytes + 1);
  DLS_CHECK(options, DLS_ERR_MEMORY, "out of memory");
  dls_solver_defaults(solver, options);
  ours->solver[ours->count] = solver;
  ours->options[ours->count++] = options;
  return DLS_OK;
}

static DlsStatus ours_create(Ours *ours) {
  if (ours_add(ours, "auto") == DLS_OK) return DLS_OK;
  DLS_TRY(ours_add(ours, "nsgs"));
  return ours_add(ours, "newton");
}

/* Totals of one contender, and of the two sides. */
typedef struct {
  char name[32];
  int solved;
  double time_s; /* over what it solved */
} Sum;

typedef struct {
  Sum sums[2 * MOST];
  int nsums;
  int problems, ours, theirs, both, slower, much_slower;
  double ours_s, theirs_s; /* over the problems that both solve */
  double worst;
  char where[96];
} Totals;

static void add_sum(Totals *totals, const char *name, bool solved, double time_s) {
  int k = 0;
  while (k < totals->nsums && strcmp(totals->sums[k].name, name) != 0) k++;
  if (k == 2 * MOST) return;
  Sum *sum = &totals->sums[k];
  if (k == totals->nsums) {
    *sum = (Sum){.solved = 0};
    snprintf(sum->name, sizeof sum->name, "%s", name);
    totals->nsums++;
  }
  sum->solved += solved;
  if (solved) sum->time_s += time_s;
}

static int gather(const Ours *ours, const Entry *entry, char (*names)[32], Contender *out) {
  int count = 0, rivals = 0;
  const DlsProblem *problem = entry->factored ? entry->factored : entry->assembled;
  for (int k = 0; k < ours->count; k++) {
    snprintf(names[count], sizeof names[count], "our %s", ours->solver[k]->name);
    out[count] = (Contender){.name = names[count],
                             .problem = problem,
                             .peer = entry->peer,
                             .solver = ours->solver[k],
                             .options = ours->options[k]};
    count++;
  }
  const PeerVariant *rival = peer_rivals(entry->peer, &rivals);
  for (int k = 0; k < rivals && count < MOST; k++)
    out[count++] = (Contender){.name = rival[k].name,
                               .problem = entry->assembled,
                               .peer = entry->peer,
                               .variant = rival[k]};
  return count;
}

static int quickest(const Attempt *attempts, int first, int end, double tolerance, double budget) {
  int best = -1;
  for (int i = first; i < end; i++)
    if (attempt_reached(&attempts[i], tolerance) && attempts[i].time_s <= budget &&
        (best < 0 || attempts[i].time_s < attempts[best].time_s))
      best = i;
  return best;
}

static void print_side(const Contender *c, const Attempt *a, int best) {
  if (best < 0)
    printf(" %14s %10s", "none", "");
  else
    printf(" %14s %10.2e", c[best].name, a[best].time_s);
}

static void race(const HindsightSettings *settings, const Ours *ours, const Entry *entry,
                 double tolerance, FILE *csv, Totals *totals) {
  Contender contenders[MOST];
  char names[MOST_OURS][32];
  Attempt attempts[MOST];
  Task tasks[MOST];
  const int count = gather(ours, entry, names, contenders);
  for (int i = 0; i < count; i++)
    tasks[i] = (Task){.tolerance = tolerance,
                      .max_iterations = 10000000,
                      .limit_s = 10 * settings->budget,
                      .cpu_s = settings->budget,
                      .slice_s = 0.01,
                      .warm = true};
  contenders_try(contenders, count, tasks, settings->repeat, attempts);
  const int mine = quickest(attempts, 0, ours->count, tolerance, settings->budget);
  const int best = quickest(attempts, ours->count, count, tolerance, settings->budget);
  const double ratio = mine >= 0 && best >= 0 ? attempts[mine].time_s / attempts[best].time_s : NAN;
  printf("%-38s %8d", entry->name, dls_problem_contacts(entry->assembled));
  print_side(contenders, attempts, mine);
  print_side(contenders, attempts, best);
  printf(" %8.2f%s\n", ratio, ratio > 1.5 ? "  slower" : "");
  fflush(stdout);
  for (int i = 0; i < count; i++) {
    const bool solved = quickest(attempts, i, i + 1, tolerance, settings->budget) == i;
    add_sum(totals, contenders[i].name, solved, attempts[i].time_s);
    if (csv)
      fprintf(csv, "%s,%d,%s,%g,%s,%ld,%.6e,%.6e\n", entry->name,
              dls_problem_contacts(entry->assembled), contenders[i].name, tolerance,
              attempts[i].outcome != DLS_CHILD_DONE ? dls_child_text(attempts[i].outcome)
              : solved                              ? "reached"
                                                    : "not reached",
              attempts[i].iterations, attempts[i].time_s, attempts[i].natural);
  }
  totals->problems++;
  totals->ours += mine >= 0;
  totals->theirs += best >= 0;
  if (isnan(ratio)) return;
  totals->both++;
  totals->slower += ratio > 1;
  totals->much_slower += ratio > 1.5;
  totals->ours_s += attempts[mine].time_s;
  totals->theirs_s += attempts[best].time_s;
  if (ratio <= totals->worst) return;
  totals->worst = ratio;
  snprintf(totals->where, sizeof totals->where, "%s", entry->name);
}

static void print_totals(const Totals *t, double tolerance) {
  printf("\n  %g: of %d problems ours solves %d, their best %d, both %d; on these %.3g s and %.3g "
         "s, ratio %.2f (target 0.5)\n"
         "  worst ratio %.2f (target 1.5) on %s; slower on %d, by more than 1.5 times on %d\n"
         "  each alone, solved and seconds:",
         tolerance, t->problems, t->ours, t->theirs, t->both, t->ours_s, t->theirs_s,
         t->ours_s / t->theirs_s, t->worst, t->where, t->slower, t->much_slower);
  for (int k = 0; k < t->nsums; k++)
    printf("%s %s %d %.3g", k ? "," : "", t->sums[k].name, t->sums[k].solved, t->sums[k].time_s);
  printf("\n");
}

DlsStatus hindsight_run(const HindsightSettings *settings, const Entry *entries, int count,
                        const double *tolerances, int ntolerances) {
  Ours ours = {0};
  FILE *csv = NULL;
  DlsStatus status = ours_create(&ours);
  if (status == DLS_OK && settings->csv) {
    csv = fopen(settings->csv, "w");
    if (!csv) status = dls_fail(DLS_ERR_FILE, "%s: cannot be written", settings->csv);
    if (csv)
      fprintf(csv, "problem,contacts,contender,tolerance,status,iterations,time_s,error_natural\n");
  }
  for (int t = 0; t < ntolerances && status == DLS_OK; t++) {
    Totals totals = {.worst = 0};
    printf("\nTo a natural error of %g: %s, and the best of Siconos' solvers, each chosen for the "
           "problem\nwith hindsight; seconds, and ours over theirs.\n%-38s %8s %14s %10s %14s %10s "
           "%8s\n",
           tolerances[t],
           ours.count == 1 ? "our auto, no hindsight" : "the better of our nsgs and newton",
           "problem", "contacts", "ours", "s", "theirs", "s", "ratio");
    for (int i = 0; i < count; i++)
      if (entries[i].peer) race(settings, &ours, &entries[i], tolerances[t], csv, &totals);
    print_totals(&totals, tolerances[t]);
  }
  if (csv) fclose(csv);
  ours_clear(&ours);
  return status;
}
