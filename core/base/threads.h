/* One thread for BLAS. A sum that is split among threads is added in another order, so that a
 * factorisation, and what follows from it, would depend on OMP_NUM_THREADS, OPENBLAS_NUM_THREADS or
 * the number of cores. The matrices here are small: threads would wait for each other more than
 * they work. */
#ifndef DELASSUS_BASE_THREADS_H
#define DELASSUS_BASE_THREADS_H

#include <delassus/status.h>

/* How many threads each library had, to be put back. */
enum { DLS_THREADS_LIBRARIES = 4 };
typedef struct {
  int before[DLS_THREADS_LIBRARIES];
} DlsThreads;

/* From here to dls_threads_restore() the BLAS of this process works with one thread: OpenBLAS,
 * BLIS, MKL, and whatever takes its threads from OpenMP (the variant openblas-openmp, CHOLMOD). The
 * reference BLAS has none. */
DlsThreads dls_threads_one(void);
void dls_threads_restore(DlsThreads threads);

#endif
