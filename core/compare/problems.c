#include "compare/problems.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "compare/groups.h"
#include "compare/race/csv.h"

enum { LINE = 1024 };
static const char name_of_file[] = "problems.csv";

/* Columns behind the words: counts, then numbers. */
#define COUNTS(X)                                                                                  \
  X(bodies)                                                                                        \
  X(freedom)                                                                                       \
  X(contacts_per_body_max) X(blocks_per_row_max) X(islands) X(largest_island) X(rows) X(rank)
#define NUMBERS(X)                                                                                 \
  X(contacts_per_body)                                                                             \
  X(blocks_per_row)                                                                                \
  X(density) X(asymmetry) X(w_min) X(w_median) X(w_max) X(mu_min) X(mu_max) X(condition)

static const char head[] =
    "problem,hash,form,contacts,dimension,block,family,hyperstaticity,rank_is"
#define NAME(name) "," #name
    COUNTS(NAME) NUMBERS(NAME)
#undef NAME
    ;
enum {
  PROBLEM,
  HASH,
  FORM,
  CONTACTS,
  DIMENSION,
  BLOCK,
  FAMILY,
  HYPERSTATICITY,
  RANK_IS,
#define COLUMN(name) COLUMN_##name,
  COUNTS(COLUMN) NUMBERS(COLUMN)
#undef COLUMN
      COLUMNS
};

static void put_word(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char c = dls_race_plain(*text);
    dls_file_put(file, &c, 1);
  }
}

static void put_problem(DlsFile *file, const DlsRaceProblem *problem) {
  const DlsStatistics *a = &problem->statistics;
  char family[DLS_RACE_NAME];
  dls_problem_family(problem->name, family);
  put_word(file, problem->name);
  dls_file_print(file, ",%s,%s,%d,%d,%d,", problem->hash, problem->form, problem->contacts,
                 problem->dim, problem->block);
  put_word(file, family);
  if (problem->measured) {
    dls_file_print(file, ",%.6g,%s", dls_problem_hyperstaticity(problem),
                   a->rank_is_bound ? "bound" : "numerical");
#define COUNT(name) dls_file_print(file, ",%d", a->name);
    COUNTS(COUNT)
#undef COUNT
#define NUMBER(name) dls_file_print(file, ",%.17g", a->name);
    NUMBERS(NUMBER)
#undef NUMBER
  } else {
    for (int k = HYPERSTATICITY; k < COLUMNS; k++) dls_file_put(file, ",", 1);
  }
  dls_file_put(file, "\n", 1);
}

/* A line cut at commas; false where there are too few. */
static bool cut(char *line, char *word[COLUMNS]) {
  int count = 0;
  for (char *at = line; at && count < COLUMNS;) {
    word[count++] = at;
    at = strchr(at, ',');
    if (at) *at++ = '\0';
  }
  return count == COLUMNS;
}

static DlsStatus take(char *line, const char *path, int number, DlsRaceProblem *out) {
  char *word[COLUMNS];
  DLS_CHECK(cut(line, word), DLS_ERR_FORMAT, "%s:%d: a row of %d columns is wanted", path, number,
            COLUMNS);
  *out = (DlsRaceProblem){.contacts = atoi(word[CONTACTS]),
                          .dim = atoi(word[DIMENSION]),
                          .block = atoi(word[BLOCK]),
                          .measured = word[RANK_IS][0] != '\0'};
  snprintf(out->name, sizeof out->name, "%s", word[PROBLEM]);
  snprintf(out->hash, sizeof out->hash, "%s", word[HASH]);
  snprintf(out->form, sizeof out->form, "%s", word[FORM]);
  DlsStatistics *a = &out->statistics;
  a->contacts = out->contacts, a->dim = out->dim, a->block = out->block;
  a->rank_is_bound = strcmp(word[RANK_IS], "bound") == 0;
#define COUNT(name) a->name = atoi(word[COLUMN_##name]);
  COUNTS(COUNT)
#undef COUNT
#define NUMBER(name) a->name = strtod(word[COLUMN_##name], NULL);
  NUMBERS(NUMBER)
#undef NUMBER
  return DLS_OK;
}

/* All rows of a file that is open. */
static DlsStatus take_all(FILE *file, const char *path, DlsRaceProblem **out, int *count) {
  char line[LINE];
  int room = 0;
  for (int number = 1; fgets(line, sizeof line, file); number++) {
    line[strcspn(line, "\r\n")] = '\0';
    if (number == 1) {
      DLS_CHECK(strcmp(line, head) == 0, DLS_ERR_FORMAT,
                "%s:1: this is no table of problems as this version writes it; resume the race, "
                "which makes it anew",
                path);
      continue;
    }
    if (*count == room) {
      room = 2 * room + 64;
      DlsRaceProblem *more = realloc(*out, (size_t)room * sizeof *more);
      DLS_CHECK(more, DLS_ERR_MEMORY, "%s: out of memory for %d problems", path, room);
      *out = more;
    }
    DLS_TRY(take(line, path, number, &(*out)[*count]));
    ++*count;
  }
  return DLS_OK;
}

DlsStatus dls_problems_read(const char *folder, DlsRaceProblem **out, int *count) {
  char path[PATH_MAX];
  FILE *file;
  *out = NULL;
  *count = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name_of_file);
  DLS_TRY(dls_file_open(path, &file));
  const DlsStatus status = take_all(file, path, out, count);
  fclose(file);
  if (status == DLS_OK) return DLS_OK;
  free(*out);
  *out = NULL;
  return status;
}

static bool is_in(const DlsRace *race, const DlsRaceProblem *problem) {
  for (int p = 0; p < race->problems; p++)
    if (strcmp(race->problem[p].hash, problem->hash) == 0 &&
        strcmp(race->problem[p].form, problem->form) == 0)
      return true;
  return false;
}

DlsStatus dls_problems_write(const DlsRace *race, const char *folder) {
  char path[PATH_MAX];
  DlsRaceProblem *before = NULL;
  DlsFile *file;
  int count = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name_of_file);
  if (race->rows && access(path, F_OK) == 0) DLS_TRY(dls_problems_read(folder, &before, &count));
  DlsStatus status = dls_file_begin(path, &file);
  if (status == DLS_OK) {
    dls_file_print(file, "%s\n", head);
    for (int p = 0; p < race->problems; p++) put_problem(file, &race->problem[p]);
    for (int k = 0; k < count; k++)
      if (!is_in(race, &before[k])) put_problem(file, &before[k]);
    status = dls_file_commit(&file);
  }
  free(before);
  return status;
}
