/* A average: an observable, and its mean over the instants of a window. The same one serves a run
 * that goes on (one instant after the other, kept in checkpoints) and the frames of a run that is
 * over; where both take the same instants the numbers are the same, to the last bit. */
#ifndef DELASSUS_POST_TIME_AVERAGE_H
#define DELASSUS_POST_TIME_AVERAGE_H

#include "post/mean.h"
#include "post/observable.h"

typedef struct DlsTimeAverage DlsTimeAverage;

/* Copies the request. Ended with dls_time_average_destroy(). */
DlsStatus dls_time_average_create(const DlsObservableRequest *request, int dim,
                                  const DlsWindow *window, DlsTimeAverage **out);
void dls_time_average_destroy(DlsTimeAverage **average); /* NULL is fine */

/* Adds an instant, if it is in the window. */
DlsStatus dls_time_average_add(DlsTimeAverage *average, const DlsPacking *packing);

/* NULL before the first instant. */
const DlsObservable *dls_time_average_observable(const DlsTimeAverage *average);
const DlsMean *dls_time_average_mean(const DlsTimeAverage *average);

/* One number of a row: component of an array. DLS_ERR_ARGUMENT where there is none of that name, or
 * no instant. */
DlsStatus dls_time_average_value(const DlsTimeAverage *average, int bin, int row, const char *array,
                                 int component, DlsMeanValue *out);

/* All of it as bytes, for a checkpoint; restoring wants a average of the same request and
 * window. */
size_t dls_time_average_bytes(const DlsTimeAverage *average);
void dls_time_average_save(const DlsTimeAverage *average, void *out);
DlsStatus dls_time_average_restore(DlsTimeAverage *average, const void *bytes, size_t size);

#endif
