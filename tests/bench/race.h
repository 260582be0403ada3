/* `auto` against the best of our own solvers with hindsight, problem by problem. */
#ifndef DELASSUS_BENCH_RACE_H
#define DELASSUS_BENCH_RACE_H

/* Arguments: all, each (all, and the times of each are told), or the name of a solver that runs
 * alone; then tuned or held with the folder of decks (- for none) and how many of each family, or
 * files of problems. */
int race_main(int argc, char **argv);

/* Error against time of each way (trace.c): tuned or held, decks, how many of each family. */
int trace_main(int argc, char **argv);

#endif
