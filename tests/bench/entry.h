/* A problem of the benchmark, in the forms that it has. */
#ifndef DELASSUS_TESTS_ENTRY_H
#define DELASSUS_TESTS_ENTRY_H

#include <delassus/problem.h>

#include "solvers/siconos/peer.h"

typedef struct {
  char name[96];
  DlsProblem *assembled;
  DlsProblem *factored; /* NULL where the problem came without its bodies */
  Peer *peer;           /* NULL where Siconos cannot state the problem */
} Entry;

/* From an FCLIB file; the name is the file's, "global/" before it for a global problem. */
DlsStatus entry_read(const char *path, Entry *out);

/* A built-in sample with about so many contacts; its name becomes NAME-CONTACTS. */
DlsStatus entry_sample(const char *name, int contacts, Entry *out);

void entry_clear(Entry *entry);

#endif
