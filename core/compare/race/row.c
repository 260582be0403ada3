#include "compare/race/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int dls_race_tolerance(const DlsRace *race, double tolerance) {
  for (int t = 0; t < race->tolerances; t++)
    if (fabs(tolerance / race->tolerance[t] - 1) <= 1e-6) return t; /* %g keeps six digits */
  return -1;
}

DlsStatus dls_race_rows_add(DlsRace *race, DlsRaceTable table, int run, double tolerance,
                            const char *line) {
  if (race->rows == race->row_room) {
    const int room = 2 * race->row_room + 64;
    struct DlsRaceRow *more = realloc(race->row, (size_t)room * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for the rows of an earlier race");
    race->row = more;
    race->row_room = room;
  }
  char *copy = strdup(line);
  DLS_CHECK(copy, DLS_ERR_MEMORY, "out of memory for the rows of an earlier race");
  race->row[race->rows++] = (struct DlsRaceRow){table, run, tolerance, copy};
  return DLS_OK;
}

bool dls_race_rows_replaced(const DlsRace *race, const struct DlsRaceRow *row) {
  if (row->run < 0 || race->run[row->run].end == DLS_RACE_NONE) return false;
  const int which = dls_race_tolerance(race, row->tolerance);
  return row->table == DLS_RACE_RUNS ? which >= 0 : which == dls_race_last(race);
}

void dls_race_rows_clear(DlsRace *race) {
  for (int k = 0; k < race->rows; k++) free(race->row[k].line);
  free(race->row);
  race->row = NULL;
  race->rows = race->row_room = 0;
}
