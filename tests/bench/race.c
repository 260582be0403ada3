/* Regret: the time of `auto` over that of the best of our own solvers, `auto` among them, from the
 * same guess, processor time of one core with all that a solver makes first; of short solves the
 * least of five. Each solver has as long as the best before it took (ten times as long
 * where the times of all are told), and where `auto` fails ten times as long as that took; nobody
 * more than LIMIT_S. */
#include "tests/bench/race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/fclib.h>
#include <delassus/solver.h>

#include "tests/bench/cost.h"
#include "tests/bench/families.h"

enum { TOLERANCES = 2, MOST = 4096, REPEATS = 5 };
static const double tolerances[TOLERANCES] = {1e-4, 1e-8};
static const double LIMIT_S = 0.5;

typedef struct {
  const DlsSolver *ours; /* auto, or who runs alone */
  bool alone, each;      /* one solver alone; the times of all are told */
  double regret[TOLERANCES][MOST];
  int count[TOLERANCES], unsolved[TOLERANCES], problems;
  double total[TOLERANCES], best[TOLERANCES], worst[TOLERANCES];
  char where[TOLERANCES][96];
} Race;

/* Seconds until it is solved; INFINITY where it is not, and *spent what that took. */
static double solve(const DlsSolver *solver, const DlsProblem *problem, const double *guess,
                    double tolerance, double limit, double *spent, DlsReport *report) {
  const DlsLimits limits = {.tolerance = tolerance, .max_time = limit, .clock = DLS_CLOCK_CPU};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n + 1, sizeof *r), least = INFINITY;
  *spent = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    if (guess)
      memcpy(r, guess, n * sizeof *r);
    else
      memset(r, 0, n * sizeof *r);
    if (dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, report) != DLS_OK) break;
    *spent = fmin(*spent, report->cpu_s);
    if (report->outcome != DLS_CONVERGED) break;
    least = fmin(least, report->cpu_s);
    if (report->cpu_s > 0.02) break;
  }
  free(r);
  return least;
}

static void look(void *context, const char *name, const DlsProblem *problem, const double *guess) {
  Race *race = context;
  const DlsSolver *ours = race->ours, *const *all = NULL;
  int count = 0;
  must(dls_solver_list(&all, &count));
  race->problems++;
  for (int t = 0; t < TOLERANCES; t++) {
    DlsReport report, other = {0};
    double spent, other_spent;
    const double time = solve(ours, problem, guess, tolerances[t], LIMIT_S, &spent, &report);
    double best = time;
    const char *who = ours->name;
    for (int k = 0; k < count && !race->alone; k++) {
      if (all[k] == ours) continue;
      const double most = isfinite(best) ? (race->each ? 10 * best : best) : 10 * spent;
      const double limit = fmin(LIMIT_S, most);
      const double its = solve(all[k], problem, guess, tolerances[t], limit, &other_spent, &other);
      if (race->each && isfinite(its))
        printf("  %-24s %.0e %-12s %9.4f ms %6ld\n", name, tolerances[t], all[k]->name, 1e3 * its,
               other.iterations);
      if (its < best) {
        best = its;
        who = all[k]->name;
      }
    }
    const double regret = isfinite(time) ? time / best : INFINITY;
    printf("%-24s %5d %d %.0e %-15s %9.4f %6ld %-9s %9.4f %7.2f  %.60s\n", name,
           dls_problem_contacts(problem), dls_problem_block(problem), tolerances[t],
           isfinite(time) ? "solved" : "not solved", 1e3 * (isfinite(time) ? time : spent),
           report.iterations, isfinite(best) ? who : "none", 1e3 * best,
           isfinite(best) ? regret : NAN, report.note);
    fflush(stdout);
    if (!isfinite(best)) continue;
    race->unsolved[t] += !isfinite(time);
    if (!isfinite(time) || race->count[t] == MOST) continue;
    race->regret[t][race->count[t]++] = regret;
    race->total[t] += time;
    race->best[t] += best;
    if (regret <= race->worst[t]) continue;
    race->worst[t] = regret;
    snprintf(race->where[t], sizeof race->where[t], "%s", name);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_totals(Race *race) {
  printf("tolerance problems solved unsolved median   95 %%  worst  total s, of the best\n");
  for (int t = 0; t < TOLERANCES; t++) {
    const int n = race->count[t];
    double *regret = race->regret[t];
    qsort(regret, (size_t)n, sizeof *regret, ascending);
    printf("%-9.0e %8d %6d %8d %6.2f %6.2f %6.2f  %.4g %.4g  worst on %s\n", tolerances[t],
           race->problems, n, race->unsolved[t], n ? regret[n / 2] : NAN,
           n ? regret[(int)(0.95 * n)] : NAN, race->worst[t], race->total[t], race->best[t],
           race->where[t]);
  }
}

int race_main(int argc, char **argv) {
  static Race race;
  if (argc < 2) return 2;
  race.each = strcmp(argv[0], "each") == 0;
  race.alone = !race.each && strcmp(argv[0], "all") != 0;
  must(dls_solver_find(race.alone ? argv[0] : "auto", &race.ours));
  printf("%-24s %5s %s %-5s %-15s %9s %6s %-9s %9s %7s  %s\n", "problem", "size", "b", "tol",
         race.ours->name, "ms", "iter", "best", "ms", "regret", "note");
  const bool held = strcmp(argv[1], "held") == 0;
  if (held || strcmp(argv[1], "tuned") == 0) {
    const char *decks = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL;
    families_visit(decks, argc > 3 ? atoi(argv[3]) : 20, held, look, &race);
  } else {
    for (int k = 1; k < argc; k++) {
      DlsProblem *problem = NULL;
      const char *name = strrchr(argv[k], '/');
      must(dls_fclib_read(argv[k], &problem, NULL));
      if (problem) look(&race, name ? name + 1 : argv[k], problem, NULL);
      dls_problem_destroy(&problem);
    }
  }
  print_totals(&race);
  return 0;
}
