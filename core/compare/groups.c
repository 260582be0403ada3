#include "compare/groups.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

double dls_problem_hyperstaticity(const DlsRaceProblem *problem) {
  const DlsStatistics *a = &problem->statistics;
  const int freedom = a->freedom > 0 ? a->freedom : a->rank;
  return problem->measured && freedom > 0 && a->rows > 0 ? (double)a->rows / freedom : NAN;
}

const char *dls_problem_kind(const DlsRaceProblem *problem) {
  return problem->block > 3 ? "rolling" : problem->dim == 2 ? "2-D" : "3-D";
}

/* Ends before a blank or a colon, before a dash whose word has a digit, and before digits and
 * underscores at the end. */
void dls_problem_family(const char *name, char out[DLS_RACE_NAME]) {
  size_t length = strcspn(name, " :");
  for (size_t k = 1; k < length; k++) {
    if (name[k] != '-') continue;
    bool digit = false;
    for (size_t j = k + 1; j < length && name[j] != '-'; j++)
      digit = digit || isdigit((unsigned char)name[j]);
    if (digit) length = k;
  }
  size_t end = length;
  while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '_')) end--;
  snprintf(out, DLS_RACE_NAME, "%.*s", (int)(end ? end : length), name);
}

/* The group that a problem belongs to: a rank that sorts groups, a label, a word. */
typedef struct {
  double rank;
  char label[DLS_RACE_NAME], word[DLS_RACE_NAME];
} Place;

static void place_size(const DlsRaceProblem *problem, Place *out) {
  const double decade = pow(10, floor(log10(fmax(problem->contacts, 1)) + 1e-12));
  out->rank = decade;
  snprintf(out->label, sizeof out->label, "%.0f to %.0f contacts", decade, 10 * decade - 1);
  snprintf(out->word, sizeof out->word, "%.0f", decade);
}

static void place_hyperstaticity(const DlsRaceProblem *problem, Place *out) {
  static const char *const labels[] = {"at most 1", "1 to 2", "above 2"};
  static const char *const words[] = {"low", "middle", "high"};
  const double h = dls_problem_hyperstaticity(problem);
  const int k = h <= 1 ? 0 : h <= 2 ? 1 : 2;
  out->rank = isnan(h) ? h : (double)k;
  snprintf(out->label, sizeof out->label, "hyperstaticity %s", labels[k]);
  snprintf(out->word, sizeof out->word, "%s", words[k]);
}

/* A rank that is no number: in no group. */
static void place_of(const DlsRace *race, int p, DlsGroupKind kind, Place *out) {
  const DlsRaceProblem *problem = &race->problem[p];
  *out = (Place){.rank = NAN};
  if (kind == DLS_GROUP_SIZE) {
    place_size(problem, out);
  } else if (kind == DLS_GROUP_HYPERSTATICITY) {
    place_hyperstaticity(problem, out);
  } else if (kind == DLS_GROUP_DIMENSION) {
    out->rank = problem->block > 3 ? 4 : problem->dim;
    snprintf(out->label, sizeof out->label, "%s", dls_problem_kind(problem));
    snprintf(out->word, sizeof out->word, "%s", dls_problem_kind(problem));
  } else {
    char other[DLS_RACE_NAME];
    dls_problem_family(problem->name, out->label);
    out->rank = p; /* of the first of the family */
    for (int k = p - 1; k >= 0; k--) {
      dls_problem_family(race->problem[k].name, other);
      if (strcmp(other, out->label) == 0) out->rank = k;
    }
    size_t n = 0;
    for (; out->label[n]; n++)
      out->word[n] = isalnum((unsigned char)out->label[n]) ? out->label[n] : '-';
    out->word[n] = '\0';
  }
}

static int by_rank(const void *left, const void *right) {
  const Place *const *a = left, *const *b = right;
  if ((*a)->rank != (*b)->rank) return (*a)->rank < (*b)->rank ? -1 : 1;
  return (*a > *b) - (*a < *b);
}

/* Places of one kind, sorted; each run of equal ranks is a group. `sorted` points into `place`. */
static DlsStatus add_groups(const DlsRace *race, DlsGroupKind kind, int least, const Place *place,
                            const Place **sorted, DlsGroups *out) {
  static const char *const words[] = {
#define WORD(code, word, heading, meaning) word,
      DLS_GROUP_LIST(WORD)
#undef WORD
  };
  int count = 0;
  for (int p = 0; p < race->problems; p++)
    if (!isnan(place[p].rank)) sorted[count++] = &place[p];
  qsort(sorted, (size_t)count, sizeof *sorted, by_rank);
  for (int from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && sorted[to]->rank == sorted[from]->rank;) to++;
    if (to - from < least || to - from == race->problems) continue;
    DlsGroup *group = &out->group[out->count];
    *group = (DlsGroup){.kind = kind};
    DLS_NEW(group->member, to - from);
    out->count++;
    group->count = to - from;
    for (int k = from; k < to; k++) group->member[k - from] = (int)(sorted[k] - place);
    memcpy(group->label, sorted[from]->label, sizeof group->label);
    snprintf(group->word, sizeof group->word, "%s-%.*s", words[kind], 64, sorted[from]->word);
  }
  return DLS_OK;
}

DlsStatus dls_groups_find(const DlsRace *race, int least, DlsGroups *out) {
  Place *place;
  *out = (DlsGroups){0};
  DLS_NEW(out->group, (size_t)DLS_GROUP_KINDS * (size_t)(race->problems / least + 1));
  DLS_NEW(place, race->problems + 1);
  const Place **sorted = dls_memory_array((size_t)race->problems + 1, sizeof *sorted);
  DlsStatus status = sorted ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for groups");
  for (int kind = 0; kind < (int)DLS_GROUP_KINDS && status == DLS_OK; kind++) {
    for (int p = 0; p < race->problems; p++) place_of(race, p, (DlsGroupKind)kind, &place[p]);
    status = add_groups(race, (DlsGroupKind)kind, least, place, sorted, out);
  }
  free(sorted);
  free(place);
  return status;
}

void dls_groups_clear(DlsGroups *groups) {
  for (int k = 0; k < groups->count; k++) free(groups->group[k].member);
  free(groups->group);
  *groups = (DlsGroups){0};
}
