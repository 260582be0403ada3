/* The order of a sweep, for any number of threads. Contacts are cut in their order into clusters of
 * neighbours; clusters that share no part that moves may have the same colour. A sweep takes colour
 * after colour; clusters of a colour do not see each other, so that it does not matter who does
 * them, and when; within a cluster contacts go in their order.
 *
 *   colour 0            colour 1                 last colours
 *   [c0] [c3] [c7] ...  [c1] [c4] [c9] ...  ...  [contacts of large bodies] [more of them]
 *
 * The order is a function of the problem alone.
 *
 * A large part, one that more than LARGE clusters touch, would make a colour for each of them: its
 * contacts are taken out first and come last, in their order, each of their clusters with a colour
 * of its own. Parts that never move couple nothing and do not count. */
#ifndef DELASSUS_PROBLEM_OPERATOR_COLOURS_H
#define DELASSUS_PROBLEM_OPERATOR_COLOURS_H

#include <delassus/operator.h>
#include <stdbool.h>

#include "problem/operator/operator_impl.h"

/* Problems of fewer contacts than FROM are swept in the order of their contacts. A cluster of 128
 * is worth some 3 us of a thread, and has neighbours enough to be as good as the plain order
 * (docs/notes/order-of-sweeps.md). */
enum { DLS_COLOURS_FROM = 1024, DLS_COLOURS_CLUSTER = 128, DLS_COLOURS_LARGE = 16 };

/* Threads share a colour by zones, each a 64th of the contacts in their order, the same in every
 * colour: so that what belongs to a body stays mostly with one processor, whose caches have it. */
enum { DLS_COLOURS_ZONES = 64 };

struct DlsColours {
  int contacts, clusters, colours;
  int *contact; /* [contacts], in the order of the sweep */
  int *cluster; /* [clusters + 1]: where each begins in `contact` */
  int *colour;  /* [colours + 1]: where each begins among the clusters */
  int *zone;    /* [colours][ZONES + 1]: where zones of a colour begin among the clusters */
};

/* In clusters of `size` contacts, told apart by the parts that contacts touch, or by the columns of
 * W. End it with dls_colours_clear(). */
DlsStatus dls_colours_of_parts(const DlsPattern *pattern, int size, DlsColours *out);
DlsStatus dls_colours_of_rows(const DlsBlockRows *W, int size, DlsColours *out);
void dls_colours_clear(DlsColours *colours);

/* Those of an operator that has parts, made when they are first asked for, and its own; *out is
 * NULL where it has none, and below DLS_COLOURS_FROM contacts. Not reentrant, as apply. */
DlsStatus dls_operator_colours(const DlsOperator *W, const DlsColours **out);

/* Adds what contacts give to the parts that they touch: contact[0] .. contact[count - 1], without a
 * list 0 .. count - 1. */
typedef void (*DlsContactsWork)(void *context, const int *contact, int count);

/* Over all contacts: by the clusters of W, side by side, or all at once where it has none; where
 * ranks share them (portions.h) over those of this one. `parts` are what they are added to, rows of
 * so many bytes. */
void dls_operator_scatter(const DlsOperator *W, DlsContactsWork work, void *context, void *parts,
                          size_t bytes);

/* Does cluster c, the contacts contact[cluster[c]] .. contact[cluster[c + 1] - 1]: it reads and
 * writes what belongs to these contacts and to the parts that they touch, and what is its own. */
typedef DlsStatus (*DlsClusterWork)(void *context, int cluster);

/* What is done between colours, by the thread that asked for the loop: where parts are shared with
 * other processes, this is where `after` sends those that the colour has changed and `before`
 * brings those that it will read. In one colour a part is touched by one cluster at most, so that
 * copies are replaced, never added. NULL: nothing. */
typedef struct {
  DlsStatus (*before)(void *context, int colour);
  DlsStatus (*after)(void *context, int colour);
  void *context;
} DlsColourSeam;

/* Contacts of a colour from which on it is worth the call of threads: where each is solved, and
 * where it is only added to its parts. */
enum { DLS_WORTH_SOLVING = 512, DLS_WORTH_ADDING = 2048 };

/* Colour after colour, the clusters of each side by side where it has as many contacts as are
 * `worth` it; backwards from the last colour on. Ends
 * behind the colour in which work fails, with the status of its first cluster that did. */
DlsStatus dls_colours_each(const DlsColours *colours, bool backwards, int worth,
                           DlsClusterWork work, void *context, const DlsColourSeam *seam);

/* The same for work that does clusters [first, first + count) of a colour together, of which
 * `together` are as quick as one: threads get as many at a time where there are enough. What is
 * done together may follow from the number of threads; what comes out may not. */
typedef DlsStatus (*DlsClustersWork)(void *context, int first, int count);
DlsStatus dls_colours_each_run(const DlsColours *colours, bool backwards, int worth, int together,
                               DlsClustersWork work, void *context, const DlsColourSeam *seam);

#endif
