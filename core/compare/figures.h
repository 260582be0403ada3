/* The figures of a race, as SVG files in a folder.
 *   profile-time-T.svg, profile-iterations-T.svg   Dolan and More's performance profiles at
 *       tolerance T: the share of the
 *                         problems that a solver solves within tau times the best solver's time, or
 *                         iterations
 *   error-at-T.svg        the share of the problems whose error is below x after T seconds
 *   curve-time-K.svg, curve-iterations-K.svg
 *       error against time and iterations on problem K */
#ifndef DELASSUS_COMPARE_FIGURES_H
#define DELASSUS_COMPARE_FIGURES_H

#include "compare/race/race.h"

enum { DLS_RACE_MOMENTS = 4 };
/* Seconds after which errors are compared: decades up to the time limit. Returns how many. */
int dls_race_moments(const DlsRace *race, double moment[DLS_RACE_MOMENTS]);

DlsStatus dls_figure_profile(const DlsRace *race, int tolerance, bool by_time, const char *path);
DlsStatus dls_figure_moment(const DlsRace *race, double moment, const char *path);
DlsStatus dls_figure_curves(const DlsRace *race, int problem, bool by_time, const char *path);

#endif
