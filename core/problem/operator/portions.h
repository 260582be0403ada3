/* How the ranks of a team (base/team.h) share what is done with the contacts of an operator.
 *
 * The contacts of a rank are a stretch of them in their order, which is that of a curve in space,
 * of whole chunks of base/pool.h, so that sums of chunks are made by one rank each. Clusters
 * (colours.h) that lie in the stretch of a rank are its own; one that does not, and one that is
 * alone in its colour, such as those of large bodies, is done by all. A rank has the velocities of
 * those parts that clusters touch which it does; behind each colour it gets of them what others
 * have moved. In one colour a part is moved by one cluster at most, so that rows are copied, never
 * added: each rank has the bits of one that does all.
 *
 * Who has what follows from the pattern, which every rank knows; nothing is agreed on. */
#ifndef DELASSUS_PROBLEM_OPERATOR_PORTIONS_H
#define DELASSUS_PROBLEM_OPERATOR_PORTIONS_H

#include "base/pool.h"
#include "base/team.h"
#include "problem/operator/colours.h"

enum { DLS_PORTIONS_FROM = 2048 }; /* contacts, below which messages cost more than they save */

typedef struct DlsPortions DlsPortions;
struct DlsPortions {
  DlsTeam *team;
  int rank, ranks, contacts, parts;
  const DlsColours *colours; /* of the operator */
  int *start;                /* [ranks + 1]: contacts of each rank */
  int *owner;                /* [clusters]: a rank, or -1: all */
  uint8_t *mine;             /* [parts]: a cluster that I do touches it */
  int *part, own;            /* [own]: which those are */
  int *kept, *kept_start; /* parts that some rank has, by the lowest that has them; [ranks + 1] */
  DlsHalo **moved;        /* [colours]: parts that one rank moves in it and another has */
  int *sorted, *first;    /* clusters of one rank by rank [clusters]; [ranks + 1] where begin */
  double *row;    /* [clusters + ranks][DLS_POOL_WIDTH]: what is told behind a pass, and a status */
  int *row_start; /* [ranks + 1], and as many for the chunks of a sum */
  double *piece;  /* [pieces][DLS_POOL_WIDTH]: of a sum */
  bool parted;    /* vectors of contacts hold what is of this rank alone */
  int done;       /* colours behind which a pass has exchanged */
};

/* Those of an operator, made when they are first asked for, and its own: *out is NULL where this
 * thread works for no team, below DLS_PORTIONS_FROM contacts, and where the form does not apply W
 * by parts of one size through dls_operator_scatter(). */
DlsStatus dls_operator_portions(const DlsOperator *W, DlsPortions **out);
void dls_portions_destroy(DlsPortions **portions);

/* Those by which W is parted now; NULL: it is whole. */
DlsPortions *dls_operator_parted(const DlsOperator *W);

/* The contacts that this rank does now: all of a whole operator. */
void dls_operator_stretch(const DlsOperator *W, size_t *begin, size_t *end);

static inline bool dls_portions_does(const DlsPortions *portions, int cluster) {
  return portions->owner[cluster] < 0 || portions->owner[cluster] == portions->rank;
}

/* Zeros in the rows [parts] of this rank's parts. */
void dls_portions_clear(const DlsPortions *portions, void *rows, size_t bytes);

/* Rows [parts] of parts that ranks have, at all. */
DlsStatus dls_portions_gather(const DlsPortions *portions, void *rows, size_t bytes);

/* As dls_colours_each() over the clusters that this rank does, and behind each colour the rows of
 * the arrays [parts] that others have changed; `second` may be NULL. Fails at all ranks where it
 * fails at one. */
typedef struct {
  void *rows;
  size_t bytes; /* of a row */
} DlsSharedRows;
DlsStatus dls_portions_each(DlsPortions *portions, bool backwards, int worth, DlsClusterWork work,
                            void *context, DlsSharedRows first, DlsSharedRows second);

/* As dls_colours_each_run(), of all clusters of a colour: `work` leaves out those of others. */
DlsStatus dls_portions_each_run(DlsPortions *portions, bool backwards, int worth, int together,
                                DlsClustersWork work, void *context, DlsSharedRows rows);

/* Behind it: of an array [clusters] of things of `bytes`, 8 to 64, those of clusters that others
 * have done; and the status of all. */
DlsStatus dls_portions_tell(DlsPortions *portions, void *told, size_t bytes, DlsStatus mine);

/* As dls_pool_sum(), of n terms, as many of each contact: each rank adds the chunks of its own. */
void dls_portions_sum(DlsPortions *portions, size_t n, int width, DlsPoolTerms terms, void *context,
                      double *sum);

#endif
