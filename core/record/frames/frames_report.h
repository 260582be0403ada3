/* What laws report of their contacts, as arrays of a frame: `law_status`, where a law has words of
 * its own, and LAW.OUTPUT for each output of a law, NaN where another law acts. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_REPORT_H
#define DELASSUS_RECORD_FRAMES_FRAMES_REPORT_H

#include "post/packing.h"
#include "record/vtu/vtu.h"

enum { DLS_REPORT_NAME = 112 }; /* law_status.LAW.WORD */

typedef struct {
  int count;
  DlsVtuArray *array; /* [count], of the contacts */
  int words;
  DlsVtuArray *legend; /* [words]: field data law_status.WORD and law_status.LAW.WORD, its number */
  double *output;      /* [outputs][contacts] */
  int32_t *status, *number; /* [contacts]; [words] */
  char (*name)[DLS_REPORT_NAME];
} DlsReportArrays;

/* After a step; `packing` is that of it. *out is zeroed, ended with dls_report_arrays_clear(), also
 * on failure. */
DlsStatus dls_report_arrays_make(const DlsSimulation *simulation, const DlsPacking *packing,
                                 DlsReportArrays *out);
void dls_report_arrays_clear(DlsReportArrays *arrays);

#endif
