/* The benchmark set: contact problems by name, each a sample or a step of a short run, made here
 * from seeds alone. A member that changes gets a new version of the set: what was published under a
 * name stays what it was. */
#ifndef DELASSUS_APP_BENCHMARK_SET_H
#define DELASSUS_APP_BENCHMARK_SET_H

#include <stdbool.h>

#include <delassus/status.h>

enum { APP_SET_VERSION = 2 };

typedef struct {
  const char *name;
  const char *summary;
  int seed;
  const char *sample; /* NAME:SIZE:key=value,..., the seed among them; or */
  const char *deck;   /* a deck, and */
  long step;          /* the step of its run whose problem it is */
} AppMember;

const AppMember *app_set_members(int *count);

/* What a file of the set holds, as the manifest tells it. */
typedef struct {
  int dim, block, contacts, bodies;
  double mu_min, mu_max;
  char relations[96]; /* "1987 coulomb" */
  int rank, rows;     /* of W; rank 0: not known, which takes long at this size */
  bool rank_is_bound;
  char hash[24]; /* of what is in it, dls_problem_fingerprint() */
  long bytes;
} AppMemberFacts;

/* Writes FOLDER/NAME.hdf5, and for a run its deck, FOLDER/NAME.yaml. `stop` ends it early:
 * *made is false then, and nothing is there. */
DlsStatus app_set_make(const AppMember *member, const char *folder, bool (*stop)(void *context),
                       bool *made, AppMemberFacts *facts);

/* What is in FOLDER/NAME.hdf5. */
DlsStatus app_set_look(const AppMember *member, const char *folder, AppMemberFacts *facts);

/* FOLDER/manifest.csv: a row for each member with facts[k].contacts > 0. */
DlsStatus app_set_write_manifest(const AppMember *members, const AppMemberFacts *facts, int count,
                                 const char *folder);

#endif
