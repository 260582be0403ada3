/* A sparse matrix by compressed rows. */
#ifndef DELASSUS_SPARSE_H
#define DELASSUS_SPARSE_H

/* Columns of a row ascending, no duplicates. */
typedef struct {
  int rows, columns;
  int *start;  /* [rows + 1] */
  int *column; /* [start[rows]] */
  double *value;
} DlsSparse;

#endif
