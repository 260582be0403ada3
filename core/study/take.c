#include "study/take.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "record/columns.h"
#include "record/columns_formula.h"

void dls_study_file(const char *of, const char *folder, char *path, size_t bytes) {
  const bool bare = !strchr(of, '.');
  snprintf(path, bytes, "%s/%s%s", folder, of,
           !bare                        ? ""
           : strcmp(of, "summary") == 0 ? ".json"
                                        : ".csv");
}

static const char *skip_blank(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static const char *skip_string(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
  int depth = 0;
  at = skip_blank(at);
  if (*at == '"') return skip_string(at);
  if (*at != '{' && *at != '[') return at + strcspn(at, ",}]");
  do {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    at++;
  } while (depth > 0 && *at);
  return at;
}

/* The value at "a.b" of a JSON object; NULL where there is none. */
static const char *find_value(const char *at, const char *key) {
  const size_t length = strcspn(key, ".");
  at = skip_blank(at);
  if (*at++ != '{') return NULL;
  for (at = skip_blank(at); *at == '"'; at = skip_blank(at)) {
    const char *name = at + 1, *end = skip_string(at);
    const bool same = (size_t)(end - name) == length + 1 && memcmp(name, key, length) == 0;
    at = skip_blank(end);
    if (*at++ != ':') return NULL;
    if (same && key[length] == '.') return find_value(at, key + length + 1);
    if (same) return skip_blank(at);
    at = skip_blank(skip_value(at));
    if (*at == ',') at = skip_blank(at + 1);
  }
  return NULL;
}

static DlsStatus take_summary(const DlsStudyResult *r, const char *path, double *value) {
  char text[16384];
  FILE *file;
  DLS_TRY(dls_file_open(path, &file));
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  const char *found = find_value(text, r->column);
  DLS_CHECK(found, DLS_ERR_ARGUMENT, "%s: has no number `%s`; look at its keys", path, r->column);
  char *end;
  *value = strtod(found, &end);
  if (strncmp(found, "true", 4) == 0)
    *value = 1;
  else if (strncmp(found, "false", 5) == 0)
    *value = 0;
  else if (end == found)
    *value = NAN;
  return DLS_OK;
}

/* Rows in the window of time, by a callback that sees (time, value). */
typedef struct {
  const DlsColumns *table;
  DlsColumnsFormula *formula;
  int time; /* column; -1: none */
} Source;

static bool counts(const DlsStudyResult *r, const Source *s, int row, double *value) {
  const double t = s->time >= 0 ? dls_columns_at(s->table, row, s->time) : NAN;
  if (t < r->from || t > r->to) return false; /* NaN bounds let all through */
  *value = dls_columns_formula_at(s->formula, row);
  return isfinite(*value);
}

/* On the line between the two rows around the time. */
static double value_at(const DlsStudyResult *r, const Source *s) {
  double before = NAN, then = NAN, value;
  for (int i = 0; i < s->table->rows; i++) {
    if (!counts(r, s, i, &value)) continue;
    const double t = dls_columns_at(s->table, i, s->time);
    if (t == r->at) return value;
    if (t > r->at) return before + (value - before) * (r->at - then) / (t - then);
    before = value, then = t;
  }
  return NAN; /* the run did not come that far, or begins later */
}

static double reduce(const DlsStudyResult *r, const Source *s) {
  double sum = 0, value, out = NAN;
  int count = 0;
  if (r->take == DLS_STUDY_AT) return value_at(r, s);
  for (int i = 0; i < s->table->rows; i++) {
    if (!counts(r, s, i, &value)) continue;
    sum += value;
    const bool first = count++ == 0;
    if (first || r->take == DLS_STUDY_LAST || (r->take == DLS_STUDY_MAX && value > out) ||
        (r->take == DLS_STUDY_MIN && value < out))
      out = value;
  }
  return r->take == DLS_STUDY_MEAN && count ? sum / count : out;
}

static DlsStatus take_column(const DlsStudyResult *r, const DlsColumns *table, double *value,
                             char unit[DLS_STUDY_UNIT]) {
  Source source = {.table = table, .time = dls_columns_find(table, "time")};
  const bool timed = r->take == DLS_STUDY_AT || !isnan(r->from) || !isnan(r->to);
  if (timed) DLS_TRY(dls_columns_need(table, "time", &source.time));
  DLS_TRY(dls_columns_formula_create(r->column, table, &source.formula));
  snprintf(unit, DLS_STUDY_UNIT, "%s", dls_columns_formula_unit(source.formula));
  *value = reduce(r, &source);
  dls_columns_formula_destroy(&source.formula);
  return DLS_OK;
}

DlsStatus dls_study_take(const DlsStudyResult *r, const char *folder, double *value,
                         char unit[DLS_STUDY_UNIT]) {
  char path[4200];
  DlsColumns table;
  *value = NAN;
  unit[0] = '\0';
  dls_study_file(r->of, folder, path, sizeof path);
  if (strcmp(r->of, "summary") == 0) return take_summary(r, path, value);
  DLS_TRY(dls_columns_read(path, &table));
  const DlsStatus status = take_column(r, &table, value, unit);
  dls_columns_clear(&table);
  return status;
}
