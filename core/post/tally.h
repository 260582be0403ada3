/* A tally: a reading, and its mean over the instants of a window. The same one serves a run that goes on (one instant
 * after the other, kept in checkpoints) and the frames of a run that is over; where both take the same instants the
 * numbers are the same, to the last bit. */
#ifndef DELASSUS_POST_TALLY_H
#define DELASSUS_POST_TALLY_H

#include "post/mean.h"
#include "post/reading.h"

typedef struct DlsTally DlsTally;

/* Copies the request. Ended with dls_tally_destroy(). */
DLS_EXPORT DlsStatus dls_tally_create(const DlsReadingRequest *request, int dim,
                                      const DlsWindow *window, DlsTally **out);
DLS_EXPORT void dls_tally_destroy(DlsTally **tally); /* NULL is fine */

/* Adds an instant, if it is in the window. */
DLS_EXPORT DlsStatus dls_tally_add(DlsTally *tally, const DlsGranulate *granulate);

/* NULL before the first instant. */
DLS_EXPORT const DlsReading *dls_tally_reading(const DlsTally *tally);
DLS_EXPORT const DlsMean *dls_tally_mean(const DlsTally *tally);

/* One number of a row: component of an array. DLS_ERR_ARGUMENT where there is none of that name, or no instant. */
DLS_EXPORT DlsStatus dls_tally_value(const DlsTally *tally, int bin, int row, const char *array,
                                     int component, DlsMeanValue *out);

/* All of it as bytes, for a checkpoint; restoring wants a tally of the same request and window. */
DLS_EXPORT size_t dls_tally_bytes(const DlsTally *tally);
DLS_EXPORT void dls_tally_save(const DlsTally *tally, void *out);
DLS_EXPORT DlsStatus dls_tally_restore(DlsTally *tally, const void *bytes, size_t size);

#endif
