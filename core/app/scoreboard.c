#include "app/scoreboard.h"

#include <stdio.h>
#include <string.h>

#include <delassus/version.h>

#include "app/app.h"
#include "compare/scoreboard.h"

/* "3e-12", "2e-03 !", "(1e-3)", "crashed". */
static void print_cell(const DlsScoreboard *board, int k, int s) {
  const DlsVerdict verdict = dls_scoreboard_verdict(board, k, s);
  const double worst = dls_scoreboard_error(board, k, s)->worst;
  char text[32];
  if (verdict == DLS_VERDICT_FAILED)
    snprintf(text, sizeof text, "%s", dls_race_end_text(dls_race_at(board->race, k, s)->end));
  else if (verdict == DLS_VERDICT_UNFINISHED)
    snprintf(text, sizeof text, "(%.0e)", worst);
  else
    snprintf(text, sizeof text, worst > 0 ? "%.0e%c" : "0 ", worst,
             verdict == DLS_VERDICT_MISLED ? '!' : ' ');
  printf(" %10s", text);
}

static void print_head(const DlsScoreboard *board) {
  printf("%-14s %-33s", "case", "distance from the answer");
  for (int s = 0; s < board->race->solvers; s++) printf(" %10.10s", board->race->solver[s]);
  printf("\n");
}

static void print_summary(const DlsScoreboard *board, const char *out) {
  for (int v = 0; v < DLS_VERDICTS; v++) {
    static const char *const meanings[] = {"converged, and right", "! converged, and wrong",
                                           "(did not converge)", "no answer"};
    printf("%-48s", meanings[v]);
    for (int s = 0; s < board->race->solvers; s++) {
      int count = 0;
      for (int k = 0; k < board->cases; k++)
        count += dls_scoreboard_verdict(board, k, s) == (DlsVerdict)v;
      printf(" %9d ", count);
    }
    printf("\n");
  }
  printf("report: %s/index.html   table: %s/analytic.csv\n", out, out);
}

static DlsStatus run_all(const DlsEntrants *field, DlsScoreboard *board, bool quiet) {
  if (!quiet) print_head(board);
  for (int k = 0; k < board->cases && !app_interrupted(); k++) {
    const DlsAnalytic *a = &board->analytic[k];
    if (!quiet) printf("%-14s %-33s", a->name, a->setting);
    for (int s = 0; s < field->count; s++) {
      const DlsEntrant *entrant = &field->entrant[s];
      if (app_interrupted()) break;
      DLS_TRY(dls_scoreboard_run(board, k, s, entrant->solver, entrant->options));
      memcpy(board->race->solver[s], entrant->label, sizeof entrant->label);
      if (!quiet) print_cell(board, k, s);
      fflush(stdout);
    }
    if (!quiet) printf("\n");
  }
  return DLS_OK;
}

DlsStatus app_scoreboard(const DlsEntrants *field, DlsRace *race, const char *out, bool quiet) {
  DlsScoreboard board;
  char about[512];
  for (int s = 0; s < field->count; s++)
    memcpy(race->solver[s], field->entrant[s].label, sizeof field->entrant[s].label);
  DlsStatus status = dls_scoreboard_create(race, &board);
  snprintf(
      about, sizeof about,
      "delassus %s. %d problems whose answer is known in closed form, %d solvers from zero, to "
      "a %s error of %g within %g s. Judged by the distance from the answer, not by the "
      "residual.",
      DLS_VERSION, board.cases, field->count, dls_measure_word(race->measure),
      race->tolerance[race->tolerances - 1], race->max_time);
  if (status == DLS_OK) status = run_all(field, &board, quiet);
  if (status == DLS_OK) status = dls_scoreboard_write(&board, out);
  if (status == DLS_OK) status = dls_scoreboard_page(&board, about, out);
  if (status == DLS_OK) print_summary(&board, out);
  dls_scoreboard_clear(&board);
  return status;
}
