#include "record/series_write.h"

#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "record/packing_read.h"

/* In 2-D volumes are areas. */
static void put_name(DlsFile *file, int dim, const char *name, const char *unit) {
  if (dls_file_position(file)) dls_file_print(file, ",");
  dls_file_print(file, "%s", name);
  if (*unit) dls_file_print(file, " [%s]", dim == 2 && strcmp(unit, "m3") == 0 ? "m2" : unit);
}

static void put_header(DlsFile *file, int dim) {
#define PUT_NAME(name, unit) put_name(file, dim, #name, unit);
  DLS_SERIES_LIST(PUT_NAME)
#undef PUT_NAME
  dls_file_print(file, "\n");
}

static void put_row(DlsFile *file, const DlsSeriesRow *row) {
  char number[DLS_NUMBER_BYTES];
  const char *comma = "";
#define PUT_NUMBER(name, unit)                                                                     \
  dls_file_print(file, "%s%s", comma, dls_number_text(number, row->name, 0));                      \
  comma = ",";
  DLS_SERIES_LIST(PUT_NUMBER)
#undef PUT_NUMBER
  dls_file_print(file, "\n");
}

static DlsStatus write_rows(DlsFile *file, const char *folder, const char *region,
                            DlsAverageKind average, int axis, int frames) {
  DlsSeries series = {.average = average, .axis = axis};
  DlsPacking g = {0};
  DlsSeriesRow row;
  DlsStatus status = DLS_OK;
  for (int k = 0; k < frames && status == DLS_OK; k++) {
    status = dls_packing_read(folder, k, &g);
    if (status == DLS_OK && k == 0) {
      status = dls_probe_read(region ? region : "all", g.dim, &series.region);
      put_header(file, g.dim);
    }
    if (status == DLS_OK) status = dls_series_row(&series, &g, k, &row);
    if (status == DLS_OK) put_row(file, &row);
  }
  dls_packing_clear(&g);
  return status;
}

DlsStatus dls_series_write(const char *folder, const char *region, DlsAverageKind average, int axis,
                           const char *path, int *rows) {
  DlsFile *file = NULL;
  int frames;
  DLS_TRY(dls_packing_frames(folder, &frames));
  DLS_CHECK(frames > 0, DLS_ERR_FILE, "%s: has no frames; give `output: every` of its deck",
            folder);
  DLS_TRY(dls_file_begin(path, &file));
  const DlsStatus status = write_rows(file, folder, region, average, axis, frames);
  if (rows) *rows = frames;
  if (status == DLS_OK) return dls_file_commit(&file);
  dls_file_abandon(&file);
  return status;
}
