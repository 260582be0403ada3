/* Problems of a race that belong together: of one family, dimension, size, or hyperstaticity. */
#ifndef DELASSUS_COMPARE_GROUPS_H
#define DELASSUS_COMPARE_GROUPS_H

#include "compare/race/race.h"

/* Word of files and anchors, heading, what makes the groups. */
#define DLS_GROUP_LIST(X)                                                                          \
  X(FAMILY, "family", "By family", "the name up to the part that numbers it")                      \
  X(DIMENSION, "dimension", "By dimension", "2-D, 3-D, and 3-D with resistance to rolling")        \
  X(SIZE, "size", "By size", "decades of contacts")                                                \
  X(HYPERSTATICITY, "hyperstaticity", "By hyperstaticity",                                         \
    "rows of W over the degrees of freedom of the bodies, over the rank of W where the problem "   \
    "does not tell its bodies: above 1 reactions are not unique")

typedef enum {
#define DLS_GROUP_ENUM(code, word, heading, meaning) DLS_GROUP_##code,
  DLS_GROUP_LIST(DLS_GROUP_ENUM)
#undef DLS_GROUP_ENUM
      DLS_GROUP_KINDS
} DlsGroupKind;

typedef struct {
  DlsGroupKind kind;
  char label[DLS_RACE_NAME]; /* "100 to 999 contacts" */
  char word[DLS_RACE_NAME];  /* the same for the name of a file: "size-100" */
  int *member;               /* [count], in the order of the race */
  int count;
} DlsGroup;

typedef struct {
  DlsGroup *group;
  int count;
} DlsGroups;

/* Groups of at least `least` problems that are not the whole race, kind by kind; families as they
 * appear, the others from small to large. Ended with dls_groups_clear() in any case. */
DlsStatus dls_groups_find(const DlsRace *race, int least, DlsGroups *out);
void dls_groups_clear(DlsGroups *groups);

/* Rows over freedom; NaN where it was not measured. */
double dls_problem_hyperstaticity(const DlsRaceProblem *problem);

/* "Rover" of Rover1039, "Capsules" of Capsules-i100-1090, "box" of box:500. */
void dls_problem_family(const char *name, char out[DLS_RACE_NAME]);

const char *dls_problem_kind(const DlsRaceProblem *problem); /* "2-D", "3-D", "rolling" */

#endif
