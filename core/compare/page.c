/* index.html: written as it is read, from the summary to the single run. */
#include "compare/page.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "compare/claims.h"
#include "compare/figures.h"
#include "plot/page.h"
#include "plot/panel.h"

/* What a solver did on all problems, for one tolerance. */
typedef struct {
  int solved, wins;
  double total;  /* s; what is not solved counts with the time limit */
  double median; /* s, of the same numbers */
} Score;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double best_time(const DlsRace *race, int p, double tolerance) {
  double best = INFINITY;
  for (int s = 0; s < race->solvers; s++)
    best = fmin(best, dls_race_time(race, dls_race_at(race, p, s), tolerance));
  return best;
}

static DlsStatus score(const DlsRace *race, int s, double tolerance, Score *out) {
  double *times;
  const int n = race->problems;
  *out = (Score){0};
  DLS_NEW(times, n + 1);
  for (int p = 0; p < n; p++) {
    const double mine = dls_race_time(race, dls_race_at(race, p, s), tolerance);
    times[p] = isfinite(mine) ? mine : race->max_time;
    out->total += times[p];
    out->solved += isfinite(mine);
    out->wins += isfinite(mine) && mine <= best_time(race, p, tolerance);
  }
  qsort(times, (size_t)n, sizeof *times, ascending);
  if (n) out->median = 0.5 * (times[(n - 1) / 2] + times[n / 2]);
  free(times);
  return DLS_OK;
}

/* 3 digits, ms. */
static void put_ms(DlsFile *file, double seconds) {
  const double ms = 1e3 * seconds;
  const int digits = ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : 3;
  dls_file_print(file, "%.*f", digits, ms);
}

static DlsStatus put_summary(DlsFile *file, const DlsRace *race) {
  dls_file_print(file, "<h2>Summary</h2>");
  dls_page_table(file, NULL, "solver");
  for (int t = 0; t < race->tolerances; t++)
    dls_file_print(file, "<th>solved to %g<th>median, ms<th>total, s<th>fastest on",
                   race->tolerance[t]);
  dls_file_print(file, "<th>failures<th>peak memory, MB</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    int failures = 0;
    double peak = 0;
    for (int p = 0; p < race->problems; p++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      failures += run->end == DLS_RACE_CRASHED || run->end == DLS_RACE_KILLED ||
                  run->end == DLS_RACE_MEMORY;
      peak = fmax(peak, run->peak_mb);
    }
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    for (int t = 0; t < race->tolerances; t++) {
      Score sum;
      DLS_TRY(score(race, s, race->tolerance[t], &sum));
      dls_file_print(file, "<td%s>%d of %d<td>", sum.solved == race->problems ? " class=best" : "",
                     sum.solved, race->problems);
      put_ms(file, sum.median);
      dls_file_print(file, "<td>%.3g<td>%d", sum.total, sum.wins);
    }
    dls_file_print(file, "<td%s>%d<td>%.0f</tr>\n", failures ? " class=bad" : "", failures, peak);
  }
  dls_page_table_end(file);
  dls_file_print(file,
                 "<p class=quiet>Median and total are over all problems, one that "
                 "is not solved counting with the limit of %g s. Failures: crashed, killed, out of "
                 "memory.</p>\n",
                 race->max_time);
  return DLS_OK;
}

/* The words for runs that did not reach a tolerance, and what they mean. */
static const char *const words[][2] = {
    {DLS_RACE_MISTAKEN, "it said that it was there, and the measure of its answer says no; both "
                        "numbers are in the table of the problem"},
    {"time limit", "it stopped at the limit of time, with the best it had, or came after it"},
    {"iteration limit", "it stopped at a limit of its own"},
    {"stalled", "it saw no progress any more and said so"},
    {"diverged", "its numbers ran off"},
    {"no solution exists", "no motion is possible, which was proved: there is nothing to solve"},
    {"refused", "it does not take such a problem; its sentence is in the table of the problem"},
    {"crashed", "its process ended by a signal, or left without a result"},
    {"killed", "it did not stop at the limit of time and was ended"},
    {"memory", "it wanted more memory than it may have"},
    {"other", "see the table of the problem"},
};

/* The number of the word for a status; the last where there is none. */
static int word_of(const char *status) {
  int k = 0;
  while (k < DLS_COUNT(words) - 1 && strcmp(status, words[k][0]) != 0) k++;
  return k;
}

static void put_ends(DlsFile *file, const DlsRace *race) {
  const int last = dls_race_last(race);
  dls_file_print(file, "<h2>How the others ended</h2>");
  dls_page_table(file, NULL, "not solved to");
  dls_file_print(file, " %g", race->tolerance[last]);
  for (int k = 0; k < DLS_COUNT(words); k++) dls_file_print(file, "<th>%s", words[k][0]);
  dls_file_print(file, "</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    int count[DLS_COUNT(words)] = {0};
    for (int p = 0; p < race->problems; p++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      if (!isfinite(dls_race_time(race, run, race->tolerance[last])))
        count[word_of(dls_race_status(race, run, last))]++;
    }
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    for (int k = 0; k < DLS_COUNT(words); k++)
      dls_file_print(file, count[k] ? "<td>%d" : "<td class=quiet>%d", count[k]);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
  dls_file_print(file, "<dl class=quiet>");
  for (int k = 0; k < DLS_COUNT(words); k++)
    dls_file_print(file, "<dt>%s<dd>%s", words[k][0], words[k][1]);
  dls_file_print(file, "</dl>\n");
}

static DlsStatus put_profiles(DlsFile *file, const DlsRace *race, const char *folder) {
  char path[PATH_MAX];
  double moment[DLS_RACE_MOMENTS];
  dls_file_print(
      file,
      "<h2>Performance profiles</h2><p>With t<sub>ps</sub> the time, or the iterations, that "
      "solver s needs on problem p to the error above the figure, infinite where it does not "
      "get there within %g s, the curve of s is &rho;<sub>s</sub>(&tau;) = share of the %d "
      "problems "
      "with t<sub>ps</sub> &le; &tau; min<sub>k</sub> t<sub>pk</sub> (Dolan and Mor&eacute; 2002). "
      "Higher is better: at &tau; = 1 the share of wins, at the right end the share that is solved "
      "at all. An iteration is a sweep, a projection, a factorisation or a case, as the solver "
      "counts: by iterations compare only what is alike.</p><div class=figures>\n",
      race->max_time, race->problems);
  for (int t = 0; t < race->tolerances; t++)
    for (int by_time = 1; by_time >= 0; by_time--) {
      snprintf(path, sizeof path, "%s/profile-%s-%g.svg", folder, by_time ? "time" : "iterations",
               race->tolerance[t]);
      DLS_TRY(dls_figure_profile(race, t, by_time, path));
      DLS_TRY(dls_page_figure(file, path));
    }
  dls_file_print(
      file,
      "</div><h2>What is reached in a given time</h2><p>The share of the problems whose "
      "error, the least that was reached, is at most the value on the axis when the time "
      "is over: measured at the tolerances and at the end, between them as the solver "
      "says, if all its claims that were tested are true. Solvers stop at an error of %g: left of "
      "it lies what came for "
      "nothing.</p><div class=figures>\n",
      race->tolerance[race->tolerances - 1]);
  const int moments = dls_race_moments(race, moment);
  for (int k = 0; k < moments; k++) {
    snprintf(path, sizeof path, "%s/error-at-%gs.svg", folder, moment[k]);
    DLS_TRY(dls_figure_moment(race, moment[k], path));
    DLS_TRY(dls_page_figure(file, path));
  }
  dls_file_print(file, "</div>\n");
  return DLS_OK;
}

static void put_times(DlsFile *file, const DlsRace *race, int t) {
  dls_file_print(file, "<h2>Milliseconds to an error of %g</h2>", race->tolerance[t]);
  dls_page_table(file, "board dense", "problem|contacts");
  for (int s = 0; s < race->solvers; s++) {
    dls_file_print(file, "<th>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
  }
  dls_file_print(file, "</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    const double best = best_time(race, p, race->tolerance[t]);
    dls_file_print(file, "<tr><td><a href='#p%d'>", p);
    dls_page_text(file, race->problem[p].name);
    dls_file_print(file, "</a><td>%d", race->problem[p].contacts);
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      const double time = dls_race_time(race, run, race->tolerance[t]);
      if (isfinite(time)) {
        dls_file_print(file, "<td%s>", time <= best ? " class=best" : "");
        put_ms(file, time);
      } else
        dls_file_print(file, "<td class=%s>%s", run->end == DLS_RACE_REFUSED ? "quiet" : "bad",
                       dls_race_status(race, run, t));
    }
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

static void put_statistics(DlsFile *file, const DlsRace *race) {
  dls_file_print(file, "<h2>The problems</h2>");
  dls_page_table(file, "dense",
                 "problem|dimension|contacts|bodies|contacts per body|islands|largest island"
                 "|rank of W / rows|density of W|W<sub>NN</sub> largest / least|&mu;|open|slip"
                 "|stick</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    const DlsRaceProblem *problem = &race->problem[p];
    const DlsStatistics *a = &problem->statistics;
    dls_file_print(file, "<tr><td>");
    dls_page_text(file, problem->name);
    dls_file_print(file, "<td>%d<td>%d", problem->dim, problem->contacts);
    if (problem->measured) {
      if (a->bodies)
        dls_file_print(file, "<td>%d<td>%.2f", a->bodies, a->contacts_per_body);
      else
        dls_file_print(file, "<td class=quiet>-<td class=quiet>-");
      dls_file_print(file, "<td>%d<td>%d<td>%s%d / %d = %.2f<td>%.2g<td>%.2g<td>%g", a->islands,
                     a->largest_island, a->rank_is_bound ? "&le; " : "", a->rank, a->rows,
                     a->rows ? (double)a->rank / a->rows : 1, a->density,
                     a->w_min > 0 ? a->w_max / a->w_min : INFINITY, a->mu_min);
      if (a->mu_max > a->mu_min) dls_file_print(file, " to %g", a->mu_max);
    } else {
      dls_file_print(file, "<td colspan=8 class=quiet>not measured: too large for 30 s");
    }
    /* The statuses of the most accurate answer. */
    const DlsRaceRun *best = NULL;
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      if (run->end == DLS_RACE_ENDED &&
          run->errors.open + run->errors.slip + run->errors.stick > 0 &&
          (!best || run->errors.natural < best->errors.natural))
        best = run;
    }
    if (best)
      dls_file_print(file, "<td>%d<td>%d<td>%d</tr>\n", best->errors.open, best->errors.slip,
                     best->errors.stick);
    else
      dls_file_print(file, "<td class=quiet>-<td class=quiet>-<td class=quiet>-</tr>\n");
  }
  dls_page_table_end(file);
  dls_file_print(file, "<p class=quiet>Open, slip and stick are those of the most "
                       "accurate answer; islands are groups of contacts that W does not couple."
                       "</p>\n");
}

static void put_runs(DlsFile *file, const DlsRace *race, int p) {
  dls_page_table(
      file, NULL,
      "solver|ended|iterations|time|natural|scaled|bi-potential|peak memory|:note</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, p, s);
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    if (run->end == DLS_RACE_ENDED)
      dls_file_print(file, "<td%s>%s<td>%ld<td>%.3g s<td>%.1e<td>%.1e<td>%.1e J",
                     dls_race_true(race, run) ? "" : " class=bad",
                     dls_race_status(race, run, dls_race_last(race)), run->iterations, run->time_s,
                     run->errors.natural, run->errors.scaled, run->errors.bipotential);
    else
      dls_file_print(file, "<td class=bad>%s<td><td><td><td><td>", dls_race_end_text(run->end));
    dls_file_print(file, "<td>%.0f MB<td class=note>", run->peak_mb);
    dls_race_put_claims(file, race, run);
    dls_page_text(file, run->note);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

static DlsStatus put_problems(DlsFile *file, const DlsRace *race, const char *folder) {
  char path[PATH_MAX];
  dls_file_print(
      file, "<h2>Convergence, problem by problem</h2><p class=quiet>Curves are what solvers say "
            "of themselves on the way; the last point is measured, and so is each tolerance that "
            "a solver claims to pass, by a solve that is stopped there. Of a solver whose claim "
            "is not true only what was measured is drawn.</p>\n");
  for (int p = 0; p < race->problems; p++) {
    dls_file_print(file, "<details id=p%d%s><summary>", p, race->problems <= 4 ? " open" : "");
    dls_page_text(file, race->problem[p].name);
    dls_file_print(file, ", %d contact%s</summary><div class=figures>\n", race->problem[p].contacts,
                   race->problem[p].contacts == 1 ? "" : "s");
    for (int by_time = 1; by_time >= 0; by_time--) {
      snprintf(path, sizeof path, "%s/curve-%s-%d.svg", folder, by_time ? "time" : "iterations",
               p + 1);
      DLS_TRY(dls_figure_curves(race, p, by_time, path));
      DLS_TRY(dls_page_figure(file, path));
    }
    dls_file_print(file, "</div>\n");
    put_runs(file, race, p);
    dls_file_print(file, "</details>\n");
  }
  return DLS_OK;
}

DlsStatus dls_race_page(const DlsRace *race, const char *title, const char *about,
                        const char *folder) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/index.html", folder);
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(dls_page_begin(path, title, about, &file));
  DlsStatus status = put_summary(file, race);
  if (status == DLS_OK) status = put_profiles(file, race, folder);
  for (int t = 0; t < race->tolerances; t++) put_times(file, race, t);
  put_ends(file, race);
  put_statistics(file, race);
  if (status == DLS_OK) status = put_problems(file, race, folder);
  return dls_page_end(
      status,
      "The numbers of this page: runs.csv, convergence.csv; the figures as SVG files "
      "beside it.",
      &file);
}
