/* index.html: written as it is read, from the summary to the single run. */
#include "compare/page.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "compare/figures.h"
#include "compare/html.h"

/* Solved problems and their total time for a solver and a tolerance. */
static int solved(const DlsRace *race, int s, double tolerance, double *total, int *wins) {
  int count = 0;
  *total = 0;
  *wins = 0;
  for (int p = 0; p < race->problems; p++) {
    const double mine = dls_race_time(dls_race_at(race, p, s), tolerance);
    double best = INFINITY;
    for (int k = 0; k < race->solvers; k++)
      best = fmin(best, dls_race_time(dls_race_at(race, p, k), tolerance));
    if (!isfinite(mine)) continue;
    count++;
    *total += mine;
    *wins += mine <= best;
  }
  return count;
}

static void put_summary(DlsFile *file, const DlsRace *race) {
  dls_file_print(file, "<h2>Summary</h2><div class=wide><table><tr><th>solver");
  for (int t = 0; t < race->tolerances; t++)
    dls_file_print(file, "<th>solved to %g<th>total time<th>fastest on", race->tolerance[t]);
  dls_file_print(file, "<th>failures<th>peak memory</tr>\n");
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
    dls_html_solver(file, s, race->solver[s]);
    for (int t = 0; t < race->tolerances; t++) {
      double total;
      int wins;
      const int count = solved(race, s, race->tolerance[t], &total, &wins);
      dls_file_print(file, "<td%s>%d of %d<td>%.3g s<td>%d",
                     count == race->problems ? " class=best" : "", count, race->problems, total,
                     wins);
    }
    dls_file_print(file, "<td%s>%d<td>%.0f MB</tr>\n", failures ? " class=bad" : "", failures,
                   peak);
  }
  dls_file_print(
      file, "</table></div><p class=quiet>Total time is over the problems that the solver solved. "
            "Failures: crashed, killed at the time limit, out of memory.</p>\n");
}

static DlsStatus put_profiles(DlsFile *file, const DlsRace *race, const char *folder) {
  char path[PATH_MAX];
  double moment[DLS_RACE_MOMENTS];
  dls_file_print(
      file, "<h2>Performance profiles</h2><p>The share of the problems that a solver solves within "
            "a factor of the best solver for each problem (Dolan and Mor&eacute; 2002). Higher is "
            "better; at 1 the share of wins, at the right end the share that is solved at all.</p>"
            "<div class=figures>\n");
  for (int t = 0; t < race->tolerances; t++)
    for (int by_time = 1; by_time >= 0; by_time--) {
      snprintf(path, sizeof path, "%s/profile-%s-%g.svg", folder, by_time ? "time" : "iterations",
               race->tolerance[t]);
      DLS_TRY(dls_figure_profile(race, t, by_time, path));
      DLS_TRY(dls_html_include(file, path));
    }
  dls_file_print(file,
                 "</div><h2>What is reached in a given time</h2><p>The share of the problems whose "
                 "error is at "
                 "most the value on the axis when the time is over.</p><div class=figures>\n");
  const int moments = dls_race_moments(race, moment);
  for (int k = 0; k < moments; k++) {
    snprintf(path, sizeof path, "%s/error-at-%gs.svg", folder, moment[k]);
    DLS_TRY(dls_figure_moment(race, moment[k], path));
    DLS_TRY(dls_html_include(file, path));
  }
  dls_file_print(file, "</div>\n");
  return DLS_OK;
}

static void put_times(DlsFile *file, const DlsRace *race, int t) {
  dls_file_print(
      file, "<h2>Seconds to an error of %g</h2><div class=wide><table><tr><th>problem<th>contacts",
      race->tolerance[t]);
  for (int s = 0; s < race->solvers; s++) {
    dls_file_print(file, "<th>");
    dls_html_solver(file, s, race->solver[s]);
  }
  dls_file_print(file, "</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    double best = INFINITY;
    for (int s = 0; s < race->solvers; s++)
      best = fmin(best, dls_race_time(dls_race_at(race, p, s), race->tolerance[t]));
    dls_file_print(file, "<tr><td><a href='#p%d'>", p);
    dls_html_text(file, race->problem[p].name);
    dls_file_print(file, "</a><td>%d", race->problem[p].contacts);
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      const double time = dls_race_time(run, race->tolerance[t]);
      if (isfinite(time))
        dls_file_print(file, "<td%s>%.3g", time <= best ? " class=best" : "", time);
      else
        dls_file_print(file, "<td class=%s>%s", run->end == DLS_RACE_REFUSED ? "quiet" : "bad",
                       dls_race_status(run, race->tolerance[t]));
    }
    dls_file_print(file, "</tr>\n");
  }
  dls_file_print(file, "</table></div>\n");
}

static void put_statistics(DlsFile *file, const DlsRace *race) {
  dls_file_print(
      file,
      "<h2>The problems</h2><div "
      "class=wide><table><tr><th>problem<th>dimension<th>contacts<th>bodies"
      "<th>contacts per body<th>islands<th>largest<th>rank / rows<th>density of W<th>W_NN max / min"
      "<th>&mu;<th>open<th>slip<th>stick</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    const DlsRaceProblem *problem = &race->problem[p];
    const DlsStatistics *a = &problem->statistics;
    dls_file_print(file, "<tr><td>");
    dls_html_text(file, problem->name);
    dls_file_print(file, "<td>%d<td>%d", problem->dim, problem->contacts);
    if (problem->measured) {
      if (a->bodies)
        dls_file_print(file, "<td>%d<td>%.2f", a->bodies, a->contacts_per_body);
      else
        dls_file_print(file, "<td class=quiet>-<td class=quiet>-");
      dls_file_print(file, "<td>%d<td>%d<td>%s%d / %d = %.2f<td>%.2g<td>%.2g<td>%g to %g",
                     a->islands, a->largest_island, a->rank_is_bound ? "&le; " : "", a->rank,
                     a->rows, a->rows ? (double)a->rank / a->rows : 1, a->density,
                     a->w_min > 0 ? a->w_max / a->w_min : INFINITY, a->mu_min, a->mu_max);
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
  dls_file_print(file, "</table></div>\n");
}

static void put_runs(DlsFile *file, const DlsRace *race, int p) {
  dls_file_print(
      file,
      "<div class=wide><table><tr><th>solver<th>ended<th>iterations<th>time<th>natural<th>scaled"
      "<th>bi-potential<th>peak memory<th class=note>note</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, p, s);
    dls_file_print(file, "<tr><td>");
    dls_html_solver(file, s, race->solver[s]);
    if (run->end == DLS_RACE_ENDED)
      dls_file_print(file, "<td>%s<td>%ld<td>%.3g s<td>%.1e<td>%.1e<td>%.1e J",
                     dls_outcome_text(run->outcome), run->iterations, run->time_s,
                     run->errors.natural, run->errors.scaled, run->errors.bipotential);
    else
      dls_file_print(file, "<td class=bad>%s<td><td><td><td><td>", dls_race_end_text(run->end));
    dls_file_print(file, "<td>%.0f MB<td class=note>", run->peak_mb);
    dls_html_text(file, run->note);
    dls_file_print(file, "</tr>\n");
  }
  dls_file_print(file, "</table></div>\n");
}

static DlsStatus put_problems(DlsFile *file, const DlsRace *race, const char *folder) {
  char path[PATH_MAX];
  dls_file_print(file, "<h2>Convergence, problem by problem</h2>\n");
  for (int p = 0; p < race->problems; p++) {
    dls_file_print(file, "<details id=p%d%s><summary>", p, race->problems <= 4 ? " open" : "");
    dls_html_text(file, race->problem[p].name);
    dls_file_print(file, ", %d contacts</summary><div class=figures>\n", race->problem[p].contacts);
    for (int by_time = 1; by_time >= 0; by_time--) {
      snprintf(path, sizeof path, "%s/curve-%s-%d.svg", folder, by_time ? "time" : "iterations",
               p + 1);
      DLS_TRY(dls_figure_curves(race, p, by_time, path));
      DLS_TRY(dls_html_include(file, path));
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
  DLS_TRY(dls_file_begin(path, &file));
  dls_html_begin(file, title, about);
  put_summary(file, race);
  DlsStatus status = put_profiles(file, race, folder);
  for (int t = 0; t < race->tolerances; t++) put_times(file, race, t);
  put_statistics(file, race);
  if (status == DLS_OK) status = put_problems(file, race, folder);
  dls_file_print(
      file,
      "<p class=quiet>The numbers of this page: runs.csv, history.csv; the figures as SVG files "
      "beside it.</p></html>\n");
  if (status != DLS_OK) {
    dls_file_abandon(&file);
    return status;
  }
  return dls_file_commit(&file);
}
