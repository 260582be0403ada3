/* CSV files that grow row by row: a fixed set of columns, a header `name [unit]`, numbers.
 *
 * The file is created whole with its header; rows are appended in pieces of whole rows, so that a
 * run that is killed loses at most the rows since the last flush, and at most one row is torn.
 * dls_csv_resume() cuts the file back to the rows that a checkpoint knows. */
#ifndef DELASSUS_RECORD_CSV_H
#define DELASSUS_RECORD_CSV_H

#include <stdint.h>

#include <delassus/status.h>

typedef struct DlsCsv DlsCsv;

typedef struct {
  const char *name;
  const char *unit; /* NULL or "": none */
} DlsCsvColumn;

typedef struct {
  int digits;     /* significant, 1 to 17 (17: %.17g); 0: as few as give the same double back */
  int flush_rows; /* a flush after so many rows; 0: when the buffer is full */
  double
      flush_s; /* and when so many seconds went by since the last, looked at row by row; 0: not */
} DlsCsvOptions;

/* A new file in the place of an old one. `options` NULL: shortest numbers, a flush at every row.
 * Ended with dls_csv_close(). */
DlsStatus dls_csv_create(const char *path, const DlsCsvColumn *columns, int count,
                         const DlsCsvOptions *options, DlsCsv **out);

/* Goes on with a file of the same header: its first `rows` rows stay, the rest is cut off. */
DlsStatus dls_csv_resume(const char *path, const DlsCsvColumn *columns, int count,
                         const DlsCsvOptions *options, int64_t rows, DlsCsv **out);

/* values [count]. A failure of the disk is told at the flush. */
DlsStatus dls_csv_row(DlsCsv *csv, const double *values);

/* Hands the rows to the system, which keeps them when the process dies; sync: also to the disk,
 * which keeps them when the machine dies. Call sync before a checkpoint that counts the rows. */
DlsStatus dls_csv_flush(DlsCsv *csv);
DlsStatus dls_csv_sync(DlsCsv *csv);

int64_t dls_csv_rows(const DlsCsv *csv);

/* Flushes, closes, frees; sets *csv to NULL, also when the flush fails. NULL is fine. */
DlsStatus dls_csv_close(DlsCsv **csv);

#endif
