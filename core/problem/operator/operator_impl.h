/* What the forms of the Delassus operator share. A form is a struct that begins with DlsOperator,
 * and a table of what it can do. Nobody asks which form an operator has: who needs more than u = W
 * r asks whether the form has block rows of its own, or parts, or shows what a kernel reads.
 *
 * A form needs a name, apply and destroy. What else it leaves out is done from these, slowly, or
 * fails with its name; so a new form works with every solver at once. */
#ifndef DELASSUS_PROBLEM_OPERATOR_OPERATOR_IMPL_H
#define DELASSUS_PROBLEM_OPERATOR_OPERATOR_IMPL_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/operator.h>

#include "base/hash.h"

/* Which parts (bodies) the contacts touch: contact i those of the entries
 * start[i] <= s < start[i + 1], entry s part[s]. */
typedef struct {
  int contacts, parts;
  const int *start, *part;
  const uint8_t *fixed; /* [entries]: the part never moves and couples nothing; NULL: all move */
  int *own;             /* memory behind the arrays, or NULL where the operator lends them */
} DlsPattern;

/* How one entry moves its part. The part has `dof` velocities y[first .. first + dof - 1], scaled
 * so that its mass is the identity:  u_i += gather y,  y += scatter^T dr_i,  both block x dof. */
typedef struct {
  int part, first, dof;
  const double *gather, *scatter;
  double room[18]; /* where a form that stores less writes both */
} DlsTouch;

typedef struct {
  const char *name; /* a word, for messages and files */
  void (*apply)(const DlsOperator *W, const double *r, double *u); /* u = W r */
  void (*destroy)(DlsOperator *W); /* frees what the form owns and W itself; half-made is fine */

  /* What has a way round where it is NULL. */
  void (*diagonal)(const DlsOperator *W, double *D);              /* by apply on unit vectors */
  void (*normals)(const DlsOperator *W, double *w);               /* W_NN [contacts]; by diagonal */
  DlsStatus (*assemble)(const DlsOperator *W, DlsOperator **out); /* by apply on unit vectors */
  void (*magnitude)(const DlsOperator *W, const double *r,
                    double *u);                       /* Σ |W_ij||r_j|; a bound by diagonal */
  void (*hash)(const DlsOperator *W, uint64_t *hash); /* all its numbers; W on a vector, diagonal */

  /* Block rows that the form holds anyway; else NULL, and they are assembled. */
  DlsBlockRows (*rows)(const DlsOperator *W);

  /* Parts. With `pattern` islands are found without W. With `touch` as well, of entry start[i] + k
   * of the pattern, sweeps run on velocities of parts. */
  DlsStatus (*pattern)(const DlsOperator *W, DlsPattern *out);
  void (*touch)(const DlsOperator *W, int contact, int k, DlsTouch *out);
  double (*share)(const DlsOperator *W, int contact, int k); /* see below; by touch */

  /* M and H; else NULL, and they fail. */
  DlsStatus (*solve_mass)(const DlsOperator *W, const double *b, double *x);
  DlsStatus (*velocity)(const DlsOperator *W, const double *r, double *v);
  DlsStatus (*bodies)(const DlsOperator *W, DlsSparse *M, DlsSparse *H);

  /* What kernels that are made for one layout read, by its name; NULL where the form has another.
   * solvers/kit/sweep.c takes the first of its kernels whose layout an operator shows. */
  const void *(*view)(const DlsOperator *W, const char *layout);

  /* apply() adds to the parts by dls_operator_scatter() and reads them for the contacts of
   * dls_operator_stretch() alone: ranks can share it. */
  bool parts_alike;
} DlsOperatorForm;

/* An order in which parts can be moved by several threads; colours.h. */
typedef struct DlsColours DlsColours;

/* What each rank of a team does; portions.h. */
typedef struct DlsPortions DlsPortions;

struct DlsOperator {
  const DlsOperatorForm *does;
  int contacts, block;
  int freedom;           /* velocities of the parts; 0 when it knows none */
  DlsColours *colours;   /* NULL until they are asked for */
  DlsPortions *portions; /* likewise, and where ranks share nothing */
};

/* contacts >= 0, block 2, 3, 5 or 6; the sentence says which is not. */
DlsStatus dls_operator_check_shape(int contacts, int block);

/* u_i >= Σ_j |W_ij||r_j|, the numbers that apply adds up: its round-off is some units in their last
 * place. Where the form does not tell them a bound by the diagonal, |W_ij| <= sqrt(W_ii W_jj). Not
 * reentrant, as apply. */
DlsStatus dls_operator_magnitude(const DlsOperator *W, const double *r, double *u);

/* W_NN by contact. */
DlsStatus dls_operator_normals(const DlsOperator *W, double *w);

/* All numbers of W into *hash. */
DlsStatus dls_operator_hash(const DlsOperator *W, uint64_t *hash);

/* The parts that contacts touch, where the form tells. End it with dls_pattern_clear(). */
static inline bool dls_operator_has_pattern(const DlsOperator *W) {
  return W->does->pattern != NULL;
}
DlsStatus dls_operator_pattern(const DlsOperator *W, DlsPattern *out);
void dls_pattern_clear(DlsPattern *pattern);

/* Blocks a row of W, as it would be assembled: contacts that share a part, counted once for each
 * that they share; where the operator tells neither parts nor rows, all. */
DlsStatus dls_operator_count_blocks(const DlsOperator *W, double *per_row);

/* The share of entry k of a contact in its W_NN, 1/kg. */
double dls_operator_share(const DlsOperator *W, int contact, int k);

/* The view of this name, or NULL. */
const void *dls_operator_view(const DlsOperator *W, const char *layout);

/* The layout of DlsSupports, with one number of velocities for all parts. */
#define DLS_LAYOUT_SUPPORTS "supports"

#endif
