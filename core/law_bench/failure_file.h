/* A failure of a law in a file: what a run leaves when a law stops it, and what is replayed alone.
 * YAML, so that it can be read and changed by hand: the sentence, the function that failed, the
 * laws as paths, all parameters and states in the order of the laws' tables, the contact as law.h
 * has it, and the arguments of the call. */
#ifndef DELASSUS_LAW_BENCH_FAILURE_FILE_H
#define DELASSUS_LAW_BENCH_FAILURE_FILE_H

#include "law/failure.h"

/* The file appears whole or not at all. A number that is not finite, such as a velocity, is left
 * out. */
DlsStatus dls_failure_write(const DlsLawFailure *failure, const char *path);

/* Reads it and loads its laws: by path, else by the name of the file. Mistakes are told with file,
 * line and key. */
DlsStatus dls_failure_read(const char *path, DlsLawFailure *out);

#endif
