/* The tables of a law on the bench: those that it brings with it, stretched along both columns. */
#include "law_bench/law_bench_impl.h"

#include <math.h>

const DlsLawTable *law_case_tables(const LawCasePart *part, DlsLawTable *out) {
  for (int k = 0; k < part->law->ntables; k++)
    out[k] = (DlsLawTable){.rows = part->rows[k],
                           .beyond = part->law->tables[k].standard.beyond,
                           .x = part->column[k][0],
                           .y = part->column[k][1]};
  return part->law->ntables ? out : NULL;
}

/* Column `side` of the table, by one factor; as it was where that leaves its bounds. */
static void stretch(LawCasePart *part, int k, int side, double factor) {
  const DlsTableParam *own = &part->law->tables[k];
  const DlsParam *row = side ? &own->y : &own->x;
  double *column = part->column[k][side];
  for (int i = 0; i < part->rows[k]; i++)
    if (column[i] * factor < row->min || column[i] * factor > row->max) return;
  for (int i = 0; i < part->rows[k]; i++) column[i] *= factor;
}

/* Of a long table as many rows as the case has room for, the first and the last among them. */
static void take_standard(LawCasePart *part, int k) {
  const DlsLawTable *standard = &part->law->tables[k].standard;
  const int rows = standard->rows < LAW_CASE_ROWS ? standard->rows : LAW_CASE_ROWS;
  part->rows[k] = rows;
  for (int i = 0; i < rows; i++) {
    const int from = (int)((long)i * (standard->rows - 1) / (rows - 1));
    part->column[k][0][i] = standard->x[from];
    part->column[k][1][i] = standard->y[from];
  }
}

void law_case_draw_tables(LawCase *law_case, LawCasePart *part) {
  DlsRandom *random = &law_case->bench.random;
  for (int k = 0; k < part->law->ntables; k++) {
    take_standard(part, k);
    if (part->law->tables[k].optional && dls_random_below(random, 2) == 0) part->rows[k] = 0;
    if (law_case->bench.number % 4 == 0) continue; /* as given, as parameters are */
    for (int side = 0; side < 2; side++)
      stretch(part, k, side, dls_bench_log_uniform(random, -1, 1));
  }
}
