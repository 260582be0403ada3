/* Means over the instants of a run: of rows of numbers, over a window of time, whole or by the
 * phases of a period.
 *
 *   mean  = sum w x / sum w
 *       over instants; w = 1, or another column
 *   error = sqrt(sum (x_b - x̄)^2 / (n (n - 1)))
 *       standard error, from the means x_b of n blocks
 *   correlation = 1 - sum (x_b+1 - x_b)^2 / (2 sum (x_b - x̄)^2)
 *       of neighbouring blocks (von Neumann 1941)
 *
 * Instants that follow one another are correlated, so that their scatter tells too small an error;
 * blocks are equal parts of the window, by phases whole periods. They are long enough where the
 * correlation is small.
 *
 * Forces are means of a step, so an instant belongs to the middle of its step, t - h/2: bins and
 * windows that are made of whole steps then hold whole steps, whatever round-off adds to t. Phases
 * count from t = 0. */
#ifndef DELASSUS_POST_MEAN_H
#define DELASSUS_POST_MEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <delassus/status.h>

enum { DLS_MEAN_BLOCKS = 10 }; /* unless told otherwise */

typedef struct {
  double from, to; /* s: from <= t - h/2 < to */
  double period;   /* s; 0: no phases */
  int blocks;      /* equal parts of the window; not looked at with a period */
  int bins;        /* of the period; 1 without */
} DlsWindow;

typedef struct DlsMean DlsMean;

typedef struct {
  double mean, error; /* error NAN: fewer than two blocks */
  double correlation; /* NAN: fewer than three, or all alike */
  int blocks;
  int64_t instants; /* of the row */
} DlsMeanValue;

/* weight [columns]: the column that weighs each, or -1; the weights themselves have none. NULL:
 * none has. The window is refused where it is empty, or has no block. Ended with
 * dls_mean_destroy(). */
DlsStatus dls_mean_create(const DlsWindow *window, int columns, const int *weight, DlsMean **out);
void dls_mean_destroy(DlsMean **mean); /* NULL is fine */

/* Whether an instant counts; h is the length of its step, 0 where none has been made: then it does
 * not. */
bool dls_window_takes(const DlsWindow *window, double time, double h);

/* The bin of an instant. */
int dls_window_bin(const DlsWindow *window, double time, double h);

/* Adds values [rows][columns] of an instant that counts; times never fall. keys [rows], ascending,
 * where rows come and go: each has the mean of the instants at which it was there. NULL: always the
 * same rows. */
DlsStatus dls_mean_add(DlsMean *mean, double time, double h, int rows, const int64_t *keys,
                       const double *values);

const DlsWindow *dls_mean_window(const DlsMean *mean);
int dls_mean_rows(const DlsMean *mean);
const int64_t *dls_mean_keys(const DlsMean *mean);                    /* NULL: none */
int64_t dls_mean_instants(const DlsMean *mean, int bin);              /* bin -1: of all */
void dls_mean_span(const DlsMean *mean, double *first, double *last); /* s, of them */

/* The block that is open counts as it stands; zero instants give NAN. */
DlsMeanValue dls_mean_value(const DlsMean *mean, int bin, int row, int column);

/* All of it as bytes, for a checkpoint. Restoring wants a mean with the same columns and window,
 * but that one by phases may end later; what it held is lost. DLS_ERR_FORMAT where the bytes are of
 * another. */
size_t dls_mean_bytes(const DlsMean *mean);
void dls_mean_save(const DlsMean *mean, void *out);
DlsStatus dls_mean_restore(DlsMean *mean, const void *bytes, size_t size);

#endif
