/* The table beside a figure: a name and the two numbers of a point in each row. */
#ifndef DELASSUS_PLOT_TABLE_H
#define DELASSUS_PLOT_TABLE_H

#include "base/file.h"

/* Commas and quotes of the name become semicolons and apostrophes. */
static inline void dls_plot_row(DlsFile *table, const char *name, double x, double y) {
  for (; *name; name++) {
    const char plain = *name == ',' ? ';' : *name == '"' ? '\'' : *name;
    dls_file_put(table, &plain, 1);
  }
  dls_file_print(table, ",%.17g,%.17g\n", x, y);
}

#endif
