/* What the forms of the Delassus operator share. A form is a struct that begins with DlsOperator.
 */
#ifndef DELASSUS_PROBLEM_OPERATOR_OPERATOR_IMPL_H
#define DELASSUS_PROBLEM_OPERATOR_OPERATOR_IMPL_H

#include <delassus/operator.h>

typedef struct {
  void (*apply)(const DlsOperator *W, const double *r, double *u); /* u = W r */
  void (*diagonal)(const DlsOperator *W, double *D);
  DlsStatus (*assemble)(const DlsOperator *W, DlsOperator **out);
  DlsStatus (*solve_mass)(const DlsOperator *W, const double *b, double *x); /* may be NULL */
  void (*velocity)(const DlsOperator *W, const double *r, double *v);        /* may be NULL */
  DlsStatus (*bodies)(const DlsOperator *W, DlsSparse *M, DlsSparse *H);     /* may be NULL */
  void (*magnitude)(const DlsOperator *W, const double *r,
                    double *u);    /* Σ |W_ij||r_j|; may be NULL */
  void (*destroy)(DlsOperator *W); /* frees what the form owns and W itself; half-made is fine */
} DlsOperatorForm;

struct DlsOperator {
  DlsForm form;
  const DlsOperatorForm *does;
  int contacts, block;
  int freedom; /* velocities of the bodies; 0 when assembled */
};

/* contacts >= 0, block 2, 3, 5 or 6; the sentence says which is not. */
DlsStatus dls_operator_check_shape(int contacts, int block);

/* u_i >= Σ_j |W_ij||r_j|, the numbers that apply adds up: its round-off is some units in their last
 * place. Of the coupled form a bound by the diagonal, |W_ij| <= sqrt(W_ii W_jj). Not reentrant, as
 * apply. */
DlsStatus dls_operator_magnitude(const DlsOperator *W, const double *r, double *u);

#endif
