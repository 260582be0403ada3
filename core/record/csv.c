/* Tables that grow: rows are kept in a buffer of whole rows and written in one call. */
#include "record/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"

enum { BUFFER_BYTES = 1 << 16 };

struct DlsCsv {
  char *path, *header;
  int columns, descriptor;
  DlsCsvOptions options;
  int64_t rows;     /* in the file and in the buffer */
  int buffered;     /* rows of them in the buffer */
  off_t end;        /* of the last whole row in the file */
  double last_s;    /* clock at the last flush */
  size_t used, row; /* bytes in the buffer; the most one row can take */
  char *buffer;
};

static void csv_free(DlsCsv *csv) {
  if (csv->descriptor >= 0) close(csv->descriptor);
  free(csv->path);
  free(csv->header);
  free(csv->buffer);
  free(csv);
}

/* A text into a field, each quote doubled: at most 2 bytes for each one. */
static char *put_text(char *to, const char *text) {
  for (; *text; text++) {
    if (*text == '"') *to++ = '"';
    *to++ = *text;
  }
  return to;
}

/* One field of the header, "name [unit]", in quotes where it needs them (RFC 4180). */
static char *put_field(char *to, const char *name, const char *unit) {
  const bool has_unit = unit && *unit;
  const bool quoted = strpbrk(name, ",\"") || (has_unit && strpbrk(unit, ",\""));
  if (quoted) *to++ = '"';
  to = put_text(to, name);
  if (has_unit) {
    to = put_text(to, " [");
    to = put_text(to, unit);
    *to++ = ']';
  }
  if (quoted) *to++ = '"';
  return to;
}

static DlsStatus check_twins(const DlsCsv *csv, const DlsCsvColumn *columns, int count) {
  DlsNames names = {0};
  DlsStatus status = DLS_OK;
  for (int i = 0, before = -1; i < count && status == DLS_OK; i++) {
    status = dls_names_add(&names, columns[i].name, i, &before);
    if (status == DLS_OK && before >= 0)
      status =
          dls_fail(DLS_ERR_ARGUMENT, "%s: two columns are named '%s'", csv->path, columns[i].name);
  }
  dls_names_clear(&names);
  return status;
}

static DlsStatus make_header(DlsCsv *csv, const DlsCsvColumn *columns, int count) {
  size_t bytes = 2;
  for (int i = 0; i < count; i++) {
    const char *name = columns[i].name, *unit = columns[i].unit;
    DLS_CHECK(name && *name, DLS_ERR_ARGUMENT, "%s: column %d has no name", csv->path, i + 1);
    DLS_CHECK(!strpbrk(name, "\r\n") && (!unit || !strpbrk(unit, "\r\n")), DLS_ERR_ARGUMENT,
              "%s: the name or unit of column %d holds the end of a line", csv->path, i + 1);
    const size_t length = strlen(name) + (unit ? strlen(unit) : 0);
    DLS_CHECK(length < 400, DLS_ERR_ARGUMENT, "%s: column %d: %zu bytes are too many for a name",
              csv->path, i + 1, length);
    bytes += 2 * length + 12;
  }
  DLS_TRY(check_twins(csv, columns, count));
  DLS_NEW(csv->header, bytes);
  char *to = csv->header;
  for (int i = 0; i < count; i++) {
    if (i) *to++ = ',';
    to = put_field(to, columns[i].name, columns[i].unit);
  }
  *to++ = '\n';
  *to = '\0';
  return DLS_OK;
}

static DlsStatus prepare(DlsCsv *csv, const char *path, const DlsCsvColumn *columns, int count,
                         const DlsCsvOptions *options) {
  csv->descriptor = -1;
  csv->path = strdup(path);
  DLS_CHECK(csv->path, DLS_ERR_MEMORY, "%s: out of memory", path);
  csv->options = options ? *options : (DlsCsvOptions){.flush_rows = 1};
  DLS_CHECK(csv->options.digits >= 0 && csv->options.digits <= DLS_NUMBER_EXACT, DLS_ERR_ARGUMENT,
            "%s: %d digits: take 1 to 17, or 0 for the shortest", path, csv->options.digits);
  DLS_CHECK(count > 0, DLS_ERR_ARGUMENT, "%s: a table needs a column", path);
  csv->columns = count;
  csv->row = (size_t)count * DLS_NUMBER_BYTES;
  csv->last_s = dls_clock_now();
  DLS_TRY(make_header(csv, columns, count));
  DLS_NEW(csv->buffer, csv->row + BUFFER_BYTES);
  return DLS_OK;
}

static DlsStatus open_at_end(DlsCsv *csv) {
  csv->descriptor = open(csv->path, O_RDWR | O_CLOEXEC);
  if (csv->descriptor < 0) return dls_file_fail(csv->path, errno);
  if (ftruncate(csv->descriptor, csv->end) != 0) return dls_file_fail(csv->path, errno);
  return lseek(csv->descriptor, csv->end, SEEK_SET) == csv->end ? DLS_OK
                                                                : dls_file_fail(csv->path, errno);
}

static DlsStatus create(DlsCsv *csv) {
  DlsFile *file;
  DLS_TRY(dls_file_begin(csv->path, &file));
  dls_file_put(file, csv->header, strlen(csv->header));
  DLS_TRY(dls_file_commit(&file));
  csv->end = (off_t)strlen(csv->header);
  return open_at_end(csv);
}

static DlsStatus check_header(const DlsCsv *csv, FILE *file) {
  const size_t length = strlen(csv->header);
  char *found;
  DLS_NEW(found, length + 1);
  const size_t got = fread(found, 1, length, file);
  const bool same = got == length && memcmp(found, csv->header, length) == 0;
  free(found);
  DLS_CHECK(same, DLS_ERR_FORMAT,
            "%s: its columns are not those of this run; write to another folder, or go on with the "
            "deck that it comes from",
            csv->path);
  return DLS_OK;
}

/* Where the row number `rows` ends; a last row without an end of line is torn and does not
 * count. */
static DlsStatus find_end(DlsCsv *csv, FILE *file, int64_t rows) {
  static const size_t piece = BUFFER_BYTES;
  csv->end = (off_t)strlen(csv->header);
  while (csv->rows < rows) {
    const size_t got = fread(csv->buffer, 1, piece, file);
    size_t i = 0;
    while (i < got && csv->rows < rows)
      if (csv->buffer[i++] == '\n') csv->rows++;
    csv->end += (off_t)i;
    DLS_CHECK(got > 0, DLS_ERR_FORMAT,
              "%s: has %" PRId64 " whole rows, %" PRId64 " are needed to go on; start from an "
              "earlier checkpoint",
              csv->path, csv->rows, rows);
  }
  return DLS_OK;
}

static DlsStatus resume(DlsCsv *csv, int64_t rows) {
  DLS_CHECK(rows >= 0, DLS_ERR_ARGUMENT, "%s: cannot keep %" PRId64 " rows", csv->path, rows);
  FILE *file;
  DLS_TRY(dls_file_open(csv->path, &file));
  DlsStatus status = check_header(csv, file);
  if (status == DLS_OK) status = find_end(csv, file, rows);
  fclose(file);
  DLS_TRY(status);
  return open_at_end(csv);
}

static DlsStatus make(const char *path, const DlsCsvColumn *columns, int count,
                      const DlsCsvOptions *options, int64_t rows, bool fresh, DlsCsv **out) {
  DlsCsv *csv;
  *out = NULL;
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "CSV file: the path is empty");
  DLS_NEW(csv, 1);
  DlsStatus status = prepare(csv, path, columns, count, options);
  if (status == DLS_OK) status = fresh ? create(csv) : resume(csv, rows);
  if (status == DLS_OK)
    *out = csv;
  else
    csv_free(csv);
  return status;
}

DlsStatus dls_csv_create(const char *path, const DlsCsvColumn *columns, int count,
                         const DlsCsvOptions *options, DlsCsv **out) {
  return make(path, columns, count, options, 0, true, out);
}

DlsStatus dls_csv_resume(const char *path, const DlsCsvColumn *columns, int count,
                         const DlsCsvOptions *options, int64_t rows, DlsCsv **out) {
  return make(path, columns, count, options, rows, false, out);
}

/* What fails half-way is cut off again, so that the file ends with a whole row; the buffer stays,
 * and the next flush tries once more. */
DlsStatus dls_csv_flush(DlsCsv *csv) {
  size_t done = 0;
  csv->last_s = dls_clock_now();
  while (done < csv->used) {
    const ssize_t written = write(csv->descriptor, csv->buffer + done, csv->used - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (ftruncate(csv->descriptor, csv->end) == 0) lseek(csv->descriptor, csv->end, SEEK_SET);
      return dls_file_fail(csv->path, error);
    }
    done += (size_t)written;
  }
  csv->end += (off_t)csv->used;
  csv->used = 0;
  csv->buffered = 0;
  return DLS_OK;
}

DlsStatus dls_csv_sync(DlsCsv *csv) {
  DLS_TRY(dls_csv_flush(csv));
  return fdatasync(csv->descriptor) == 0 ? DLS_OK : dls_file_fail(csv->path, errno);
}

static bool flush_is_due(const DlsCsv *csv) {
  const DlsCsvOptions *o = &csv->options;
  return csv->used > BUFFER_BYTES || (o->flush_rows && csv->buffered >= o->flush_rows) ||
         (o->flush_s > 0 && dls_clock_now() - csv->last_s >= o->flush_s);
}

DlsStatus dls_csv_row(DlsCsv *csv, const double *values) {
  if (csv->used > BUFFER_BYTES) DLS_TRY(dls_csv_flush(csv)); /* the last one failed */
  char *to = csv->buffer + csv->used, number[DLS_NUMBER_BYTES];
  for (int i = 0; i < csv->columns; i++) {
    to = stpcpy(to, dls_number_text(number, values[i], csv->options.digits));
    *to++ = i + 1 < csv->columns ? ',' : '\n';
  }
  csv->used = (size_t)(to - csv->buffer);
  csv->rows++;
  csv->buffered++;
  return flush_is_due(csv) ? dls_csv_flush(csv) : DLS_OK;
}

int64_t dls_csv_rows(const DlsCsv *csv) { return csv->rows; }

DlsStatus dls_csv_close(DlsCsv **csv) {
  if (!*csv) return DLS_OK;
  const DlsStatus status = dls_csv_flush(*csv);
  csv_free(*csv);
  *csv = NULL;
  return status;
}
