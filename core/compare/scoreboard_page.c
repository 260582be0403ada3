/* index.html of a scoreboard: who is right, residual against truth, the cases one by one. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/claims.h"
#include "compare/scoreboard.h"
#include "plot/page.h"
#include "plot/race.h"
#include "plot/runner.h"

static void put_summary(DlsFile *file, const DlsScoreboard *board) {
  dls_file_print(file, "<h2>Summary</h2>");
  dls_page_table(file, NULL,
                 "solver|right|converged, but wrong|not converged|no answer|largest error when "
                 "converged|:on</tr>\n");
  for (int s = 0; s < board->race->solvers; s++) {
    int count[DLS_VERDICTS] = {0}, worst = -1;
    for (int k = 0; k < board->cases; k++) {
      const DlsVerdict verdict = dls_scoreboard_verdict(board, k, s);
      count[verdict]++;
      if (verdict > DLS_VERDICT_MISLED) continue;
      if (worst < 0 ||
          dls_scoreboard_error(board, k, s)->worst > dls_scoreboard_error(board, worst, s)->worst)
        worst = k;
    }
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), board->race->solver[s]);
    dls_file_print(file, "<td%s>%d of %d<td%s>%d<td%s>%d<td>%d",
                   count[DLS_VERDICT_RIGHT] == board->cases ? " class=best" : "",
                   count[DLS_VERDICT_RIGHT], board->cases,
                   count[DLS_VERDICT_MISLED] ? " class=misled" : "", count[DLS_VERDICT_MISLED],
                   count[DLS_VERDICT_UNFINISHED] ? " class=unfinished" : "",
                   count[DLS_VERDICT_UNFINISHED], count[DLS_VERDICT_FAILED]);
    if (worst >= 0)
      dls_file_print(file, "<td>%.1e<td class=left>%s",
                     dls_scoreboard_error(board, worst, s)->worst, board->analytic[worst].name);
    else
      dls_file_print(file, "<td><td>");
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

static bool begins_family(const DlsScoreboard *board, int k) {
  return k == 0 || board->analytic[k].title != board->analytic[k - 1].title;
}

static void put_cell(DlsFile *file, const DlsScoreboard *board, int k, int s) {
  const DlsVerdict verdict = dls_scoreboard_verdict(board, k, s);
  const DlsRaceRun *run = dls_race_at(board->race, k, s);
  const double worst = dls_scoreboard_error(board, k, s)->worst;
  dls_file_print(file, "<td class=%s title='%s, natural error %.1e'>", dls_verdict_text(verdict),
                 dls_verdict_text(verdict), run->errors.natural);
  if (verdict == DLS_VERDICT_FAILED)
    dls_page_text(file, dls_race_end_text(run->end));
  else if (verdict == DLS_VERDICT_UNFINISHED)
    dls_file_print(file, "(%.0e)", worst);
  else
    dls_file_print(file, worst > 0 ? "%.0e" : "0", worst);
}

static void put_board(DlsFile *file, const DlsScoreboard *board) {
  dls_file_print(
      file,
      "<h2>Distance from the answer</h2><p>The largest deviation of what is judged, relative "
      "to the size of velocities and impulses in the problem. <span "
      "class=misled>&nbsp;red&nbsp;</span> "
      "converged, its residual measured here, and off by more than %d times the tolerance; "
      "<span class=unfinished>(in brackets)</span> did not converge.</p>",
      DLS_SCORE_FACTOR);
  dls_page_table(file, "board", "case|:setting");
  for (int s = 0; s < board->race->solvers; s++) {
    dls_file_print(file, "<th>");
    dls_page_name(file, dls_plot_colour(s), board->race->solver[s]);
  }
  dls_file_print(file, "</tr>\n");
  for (int k = 0; k < board->cases; k++) {
    if (begins_family(board, k)) {
      dls_file_print(file, "<tr><td colspan=%d class=left><b>", 2 + board->race->solvers);
      dls_page_text(file, board->analytic[k].title);
      dls_file_print(file, "</b></tr>\n");
    }
    dls_file_print(file, "<tr><td><a href='#c%d'>%s</a><td class=left>", k,
                   board->analytic[k].name);
    dls_page_text(file, board->analytic[k].setting);
    for (int s = 0; s < board->race->solvers; s++) put_cell(file, board, k, s);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

/* A dot for each run: the natural error that it stopped at, and how wrong it is. */
static DlsStatus draw_residuals(const DlsScoreboard *board, const char *stem) {
  const int solvers = board->race->solvers;
  const char **names;
  DlsPlotRun *runs;
  double(*points)[2];
  DLS_NEW(names, solvers + 1);
  runs = dls_memory_array((size_t)solvers + 1, sizeof *runs);
  points = dls_memory_array((size_t)solvers * (size_t)board->cases + 1, sizeof *points);
  DlsStatus status = DLS_OK;
  if (!runs || !points) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  for (int s = 0; s < solvers && status == DLS_OK; s++) {
    double(*point)[2] = points + (size_t)s * (size_t)board->cases;
    names[s] = board->race->solver[s];
    for (int k = 0; k < board->cases; k++) {
      if (dls_scoreboard_verdict(board, k, s) == DLS_VERDICT_FAILED) continue;
      point[runs[s].count][0] = dls_race_at(board->race, k, s)->errors.natural;
      point[runs[s].count++][1] = dls_scoreboard_error(board, k, s)->worst;
    }
    runs[s].point = (const double(*)[2])point;
  }
  const DlsPlotRace figure = {.title = "Residual against truth",
                              .x_label = "natural error of the answer",
                              .y_label = "distance from the exact answer",
                              .columns = "solver,natural,distance",
                              .x = {1e-17, 1e1},
                              .y = {1e-17, 1e1},
                              .runners = solvers,
                              .names = names};
  if (status == DLS_OK) status = dls_plot_scatter(&figure, runs, DLS_SCORE_FACTOR, stem);
  free(points);
  free(runs);
  free(names);
  return status;
}

static DlsStatus put_figure(DlsFile *file, const DlsScoreboard *board, const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/residual", folder);
  DLS_TRY(draw_residuals(board, path));
  snprintf(path, sizeof path, "%s/residual.svg", folder);
  dls_file_print(file,
                 "<h2>Residual against truth</h2><p>Each run is a dot. On the grey line the "
                 "distance is as small as the residual; above the red one it is more than %d "
                 "times that. Values below 1e-17 are drawn there.</p><div class=figures>\n",
                 DLS_SCORE_FACTOR);
  DLS_TRY(dls_page_figure(file, path));
  dls_file_print(file, "</div>\n");
  return DLS_OK;
}

static void put_runs(DlsFile *file, const DlsScoreboard *board, int k) {
  dls_file_print(file, "<details id=c%d><summary>%s: ", k, board->analytic[k].name);
  dls_page_text(file, board->analytic[k].setting);
  dls_file_print(file, "; contacts: %d", board->race->problem[k].contacts);
  if (board->analytic[k].answers > 1)
    dls_file_print(file, "; %d solutions, the nearest counts", board->analytic[k].answers);
  dls_file_print(file, "</summary>");
  dls_page_table(file, NULL,
                 "solver|verdict|velocity off by|impulse off by|natural|scaled|ended|iterations"
                 "|time|solution|:note</tr>\n");
  for (int s = 0; s < board->race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(board->race, k, s);
    const DlsAnalyticError *error = dls_scoreboard_error(board, k, s);
    const DlsVerdict verdict = dls_scoreboard_verdict(board, k, s);
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), board->race->solver[s]);
    dls_file_print(file, "<td class=%s>%s", dls_verdict_text(verdict), dls_verdict_text(verdict));
    if (verdict == DLS_VERDICT_FAILED)
      dls_file_print(file, "<td><td><td><td><td class=bad>%s<td><td><td>",
                     dls_race_end_text(run->end));
    else
      dls_file_print(file, "<td>%.1e<td>%.1e<td>%.1e<td>%.1e<td>%s<td>%ld<td>%.3g s<td>%d of %d",
                     error->velocity, error->impulse, run->errors.natural, run->errors.scaled,
                     dls_race_status(board->race, run, dls_race_last(board->race)), run->iterations,
                     run->time_s, error->answer + 1, board->analytic[k].answers);
    dls_file_print(file, "<td class=note>");
    dls_race_put_claims(file, board->race, run);
    dls_page_text(file, run->note);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
  dls_file_print(file, "</details>\n");
}

static void put_cases(DlsFile *file, const DlsScoreboard *board) {
  dls_file_print(file, "<h2>The cases</h2><p>P is the weight times the step, g h the velocity that "
                       "gravity gives in it.</p>\n");
  for (int k = 0; k < board->cases; k++) {
    const DlsAnalytic *a = &board->analytic[k];
    if (begins_family(board, k)) {
      dls_file_print(file, "<h3>");
      dls_page_text(file, a->title);
      dls_file_print(file, "</h3><p>");
      dls_page_text(file, a->because);
      dls_file_print(file, "<br><span class=quiet>Judged: ");
      dls_page_text(file, a->judged);
      dls_file_print(file, ".</span></p>\n");
    }
    put_runs(file, board, k);
  }
}

DlsStatus dls_scoreboard_page(const DlsScoreboard *board, const char *about, const char *folder) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/index.html", folder);
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(dls_page_begin(path, "Contact solvers against analytic answers", about, &file));
  put_summary(file, board);
  put_board(file, board);
  const DlsStatus status = put_figure(file, board, folder);
  put_cases(file, board);
  return dls_page_end(
      status, "The numbers of this page: analytic.csv; the figure: residual.svg, residual.csv.",
      &file);
}
