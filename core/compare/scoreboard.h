/* The scoreboard: how far the answers of solvers are from answers known in closed form
 * (delassus/analytic.h), beside the errors that they stopped at. A solver that converged to its
 * tolerance and is yet off by more than DLS_SCORE_FACTOR times it is marked. */
#ifndef DELASSUS_COMPARE_SCOREBOARD_H
#define DELASSUS_COMPARE_SCOREBOARD_H

#include <delassus/analytic.h>

#include "compare/race/race.h"

enum { DLS_SCORE_FACTOR = 100 };

#define DLS_VERDICT_LIST(X)                                                                        \
  X(RIGHT, "right")           /* converged, and within the factor of the answer */                 \
  X(MISLED, "misled")         /* converged, and wrong */                                           \
  X(UNFINISHED, "unfinished") /* did not converge */                                               \
  X(FAILED, "failed")         /* no answer: refused, crashed, killed */

typedef enum {
#define DLS_VERDICT_ENUM(code, text) DLS_VERDICT_##code,
  DLS_VERDICT_LIST(DLS_VERDICT_ENUM)
#undef DLS_VERDICT_ENUM
      DLS_VERDICTS
} DlsVerdict;

/* The race's problems are the analytic ones, in their order. */
typedef struct {
  DlsRace *race; /* lent */
  int cases;
  DlsAnalytic *analytic;   /* [cases] */
  DlsAnalyticError *error; /* [cases][solvers] */
} DlsScoreboard;

/* Builds the problems and names those of the race, which has room for dls_analytic_count() of them.
 * Ended with dls_scoreboard_clear(). */
DlsStatus dls_scoreboard_create(DlsRace *race, DlsScoreboard *out);
void dls_scoreboard_clear(DlsScoreboard *board);

/* One solver on one problem, in a process of its own, from zero; and its judgement. */
DlsStatus dls_scoreboard_run(DlsScoreboard *board, int number, int solver, const DlsSolver *with,
                             const void *options);

static inline const DlsAnalyticError *dls_scoreboard_error(const DlsScoreboard *board, int number,
                                                           int solver) {
  return &board->error[(size_t)number * (size_t)board->race->solvers + (size_t)solver];
}

DlsVerdict dls_scoreboard_verdict(const DlsScoreboard *board, int number, int solver);
const char *dls_verdict_text(DlsVerdict verdict);

/* analytic.csv in the folder: one row per problem and solver. */
DlsStatus dls_scoreboard_write(const DlsScoreboard *board, const char *folder);

/* index.html, and its figure as residual.svg. `about` is plain text. */
DlsStatus dls_scoreboard_page(const DlsScoreboard *board, const char *about, const char *folder);

#endif
