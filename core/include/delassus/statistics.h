/* What an expert reads first of a contact problem: its size, how its contacts hang together,
 * whether its reactions are unique, and how badly it is scaled. */
#ifndef DELASSUS_STATISTICS_H
#define DELASSUS_STATISTICS_H

#include <stdbool.h>

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int contacts, block, dim;
  const char *form;          /* of W, a word that stays valid */
  int cones[DLS_CONE_COUNT]; /* contacts with each cone */

  /* Bodies: 0 for an operator that does not tell them apart. Bodies without contact, those that are
   * fixed and the ground do not count. */
  int bodies;
  int freedom; /* degrees of freedom of the bodies */
  double contacts_per_body;
  int contacts_per_body_max;

  double blocks_per_row; /* of W, diagonal included */
  int blocks_per_row_max;
  double density;   /* blocks of W over contacts^2 */
  double asymmetry; /* max |W - W^T| / max |W| */

  int islands;        /* groups of contacts that W does not couple */
  int largest_island; /* contacts in the largest */

  /* Numerical rank of the symmetric part of W; where it is below rows, reactions are not unique. */
  int rows, rank;
  bool rank_is_bound; /* some island was too large to factor: rank is an upper bound */
  int rank_bounded;   /* rows of such islands, which count with their rows or their freedom */
  double condition;   /* largest over smallest pivot of an island, a hint from below; 0 unknown */
  int condition_rows; /* rows of the islands that it was looked for in, those of up to 2000 */

  double w_min, w_median, w_max; /* 1/kg: the diagonal W_NN */
  double mu_min, mu_max;         /* of sliding, over COULOMB and ROLLING contacts; 0 without any */
} DlsStatistics;

/* Assembles W for the time of the call unless it is assembled already. */
DLS_EXPORT DlsStatus dls_statistics_measure(const DlsProblem *problem, DlsStatistics *out);

/* What rank and condition are: "counted" (eigenvalues above 1e-11 of the largest) or "upper bound";
 * "not computed", "lower bound" (by pivots of every island) or "lower bound of small islands". */
DLS_EXPORT const char *dls_statistics_rank_kind(const DlsStatistics *statistics);
DLS_EXPORT const char *dls_statistics_condition_kind(const DlsStatistics *statistics);

#ifdef __cplusplus
}
#endif
#endif
