#include "sample/dense.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct {
  int *start, *column;
  double *value;
} Rows;

static DlsStatus make_rows(int contacts, int block, const double *W, Rows *rows) {
  const int n = contacts * block;
  DLS_NEW(rows->start, contacts + 1);
  DLS_NEW(rows->column, contacts * contacts + 1);
  DLS_NEW(rows->value, n * n + 1);
  for (int i = 0; i < contacts; i++) {
    rows->start[i + 1] = rows->start[i] + contacts;
    for (int j = 0; j < contacts; j++) {
      double *value = rows->value + (i * contacts + j) * block * block;
      rows->column[i * contacts + j] = j;
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++)
          value[a * block + b] = W[(i * block + a) * n + j * block + b];
    }
  }
  return DLS_OK;
}

DlsStatus dls_sample_dense(int dim, int contacts, int block, const double *W, const double *q,
                           const DlsRelation *relations, const DlsCustomRelation *custom,
                           DlsProblem **out) {
  DlsOperator *assembled = NULL;
  Rows rows = {0};
  *out = NULL;
  DlsStatus status = make_rows(contacts, block, W, &rows);
  if (status == DLS_OK)
    status = dls_operator_create_assembled(contacts, block, rows.start, rows.column, rows.value,
                                           &assembled);
  if (status == DLS_OK) status = dls_problem_create(dim, &assembled, q, relations, custom, out);
  free(rows.start);
  free(rows.column);
  free(rows.value);
  return status;
}
