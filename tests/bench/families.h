/* Problems that nobody tuned anything on, by the seed: samples of random size, friction and tilt,
 * random rigid structures, and steps of the shipped decks. A hash of the name puts each into one of
 * two halves: the one to tune on, and the one to report. */
#ifndef DELASSUS_BENCH_FAMILIES_H
#define DELASSUS_BENCH_FAMILIES_H

#include <stdbool.h>

#include <delassus/problem.h>

/* Gets each problem with the guess that a run has for it, or NULL. */
typedef void (*FamilyVisit)(void *context, const char *name, const DlsProblem *problem,
                            const double *guess);

/* Whether the name is in the half that is reported. Steps of one deck are together. */
bool families_is_held(const char *name);

/* `count` of each family, half of them held; decks are read from the folder. */
void families_visit(const char *decks, int count, bool held, FamilyVisit visit, void *context);

#endif
