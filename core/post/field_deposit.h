/* Sums of kernels on a grid: values at a point, or spread along a line, are added to the nodes that it reaches. */
#ifndef DELASSUS_POST_FIELD_DEPOSIT_H
#define DELASSUS_POST_FIELD_DEPOSIT_H

#include "post/field.h"

typedef struct {
  int dim;
  DlsFieldGrid grid;
  DlsKernel kernel;
  double factor, reach, step[3];
  int nodes, components;
  double *sum;       /* [nodes][components] */
  double *weight[3]; /* along each axis, [points] */
} DlsDeposit;

DlsStatus dls_deposit_begin(DlsDeposit *deposit, int dim, const DlsFieldGrid *grid,
                            const DlsKernel *kernel, int components);
void dls_deposit_end(DlsDeposit *deposit);

/* sum[first + k] += value[k] phi(node - x), k < count. */
void dls_deposit_point(DlsDeposit *deposit, const double x[3], int first, int count,
                       const double *value);

/* The same with the mean of phi along the way from a to b. */
void dls_deposit_line(DlsDeposit *deposit, const double a[3], const double b[3], int first,
                      int count, const double *value);

#endif
