/* The figures of a race: STEM.svg, and STEM.csv with what is drawn. They are drawn from numbers as
 * the tables have them, digits cut, so that who computes them from that table finds the same. */
#ifndef DELASSUS_COMPARE_FIGURES_H
#define DELASSUS_COMPARE_FIGURES_H

#include "compare/groups.h"
#include "compare/power.h"
#include "compare/race/race.h"

/* What a solve costs: word of files, title, axes of profiles and of sizes. */
#define DLS_COST_LIST(X)                                                                           \
  X(TIME, "time", "Time", "τ = time / least time of all solvers", "time  [s]")                     \
  X(WORK, "work", "Work", "τ = work / least work of all solvers", "work  [products with W]")       \
  X(ITERATIONS, "iterations", "Iterations", "τ = iterations / fewest of all solvers", "iterations")

typedef enum {
#define DLS_COST_ENUM(code, word, title, ratio, axis) DLS_COST_##code,
  DLS_COST_LIST(DLS_COST_ENUM)
#undef DLS_COST_ENUM
      DLS_COSTS
} DlsCost;
typedef struct {
  const char *word, *title, *ratio, *axis;
} DlsCostWords;
const DlsCostWords *dls_cost_words(DlsCost cost);
const char *dls_cost_title(const DlsRace *race, DlsCost cost); /* by the clock of the race */

/* Of a solve to tolerance number `tolerance`; infinite where it did not get there. */
double dls_race_cost(const DlsRace *race, int problem, int solver, int tolerance, DlsCost cost);

/* Dolan and More's performance profile on the problems of a group, on all where it is NULL: the
 * share that a solver solves within tau times the best solver's cost. The axis goes so far that the
 * right edge is the share that is solved at all. */
DlsStatus dls_figure_profile(const DlsRace *race, const DlsGroup *group, int tolerance,
                             DlsCost cost, const char *stem);

enum { DLS_RACE_MOMENTS = 4 };
/* Seconds after which errors are compared: decades up to the time limit. Returns how many. */
int dls_race_moments(const DlsRace *race, double moment[DLS_RACE_MOMENTS]);
/* The share of the problems whose error is below x after so many seconds. */
DlsStatus dls_figure_moment(const DlsRace *race, double moment, const char *stem);

/* Error against cost on the way to the tightest tolerance, on one problem. */
DlsStatus dls_figure_curves(const DlsRace *race, int problem, DlsCost cost, const char *stem);

/* How many problems there are of each size and hyperstaticity. */
DlsStatus dls_figure_density(const DlsRace *race, const char *stem);

/* Cost against contacts for each solver, with the powers fitted, [solvers]; a count of points and
 * no exponent (NaN) where there are too few. */
DlsStatus dls_figure_powers(const DlsRace *race, int tolerance, DlsCost cost, const char *stem,
                            DlsPower *powers);

#endif
