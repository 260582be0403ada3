#include "problem/operator/block_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Columns ascend. */
const double *dls_block_rows_find(const DlsBlockRows *W, int row, int column) {
  int low = W->start[row], high = W->start[row + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (W->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < W->start[row + 1] && W->column[low] == column;
  return found ? W->value + (size_t)low * (size_t)(W->block * W->block) : NULL;
}

void dls_block_rows_asymmetry(const DlsBlockRows *W, double *apart, double *largest) {
  const int b = W->block;
  *apart = *largest = 0;
  for (int i = 0; i < W->contacts; i++)
    for (int k = W->start[i]; k < W->start[i + 1]; k++) {
      const double *block = W->value + (size_t)k * (size_t)(b * b);
      const double *mirror = dls_block_rows_find(W, W->column[k], i);
      for (int r = 0; r < b; r++)
        for (int c = 0; c < b; c++) {
          const double value = block[r * b + c];
          *largest = fmax(*largest, fabs(value));
          *apart = fmax(*apart, fabs(value - (mirror ? mirror[c * b + r] : 0)));
        }
    }
}
