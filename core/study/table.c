#include "study/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"

static uint64_t hash_of(const char *text) {
  uint64_t hash = DLS_HASH_BEGIN;
  dls_hash_mix(&hash, text, strlen(text));
  return hash;
}

static DlsStatus new_values(DlsStudyColumn *column, int count) {
  DLS_NEW(column->value, count);
  column->values = count;
  return DLS_OK;
}

static DlsStatus put_text(DlsStudyColumn *column, int k, const char *text) {
  column->value[k] = strdup(text);
  DLS_CHECK(column->value[k], DLS_ERR_MEMORY, "out of memory for the values of `%s`", column->name);
  return DLS_OK;
}

static double draw_one(const DlsStudyKey *key, DlsRandom *random) {
  switch (key->draw) {
  case DLS_STUDY_LOG_UNIFORM:
    return exp(dls_random_between(random, log(key->min), log(key->max)));
  case DLS_STUDY_NORMAL:
    return key->mean + key->deviation * dls_random_normal(random);
  case DLS_STUDY_INTEGER: {
    const double low = ceil(key->min), high = floor(key->max);
    return low + dls_random_below(random, (int)(high - low) + 1);
  }
  default:
    return dls_random_between(random, key->min, key->max);
  }
}

static DlsStatus draw_values(const DlsStudyData *data, const DlsStudyKey *key,
                             DlsStudyColumn *column) {
  DlsRandom random;
  char text[DLS_NUMBER_BYTES];
  dls_random_stream(&random, (uint64_t)data->seed, hash_of(key->name));
  DLS_TRY(new_values(column, data->draws));
  for (int k = 0; k < data->draws; k++)
    DLS_TRY(put_text(column, k, dls_number_text(text, draw_one(key, &random), 0)));
  return DLS_OK;
}

static DlsStatus make_columns(const DlsStudyData *data, DlsStudyTable *t) {
  const DlsStudyKey *keys = data->keys.items;
  DLS_NEW(t->column, data->keys.count + 1);
  for (int k = 0; k < data->keys.count; k++) {
    DlsStudyColumn *c = &t->column[t->columns++];
    *c = (DlsStudyColumn){.name = keys[k].name,
                          .keys = (const char *const *)&keys[k].key,
                          .nkeys = 1,
                          .stage = keys[k].stage,
                          .role = keys[k].draw >= 0 ? DLS_STUDY_DRAWN : DLS_STUDY_VALUES,
                          .place = keys[k].place};
    if (keys[k].draw >= 0) {
      DLS_TRY(draw_values(data, &keys[k], c));
      continue;
    }
    DLS_TRY(new_values(c, keys[k].values.count));
    for (int n = 0; n < c->values; n++) DLS_TRY(put_text(c, n, keys[k].values.values[n]));
  }
  if (!data->seeds) return DLS_OK;
  DlsStudyColumn *c = &t->column[t->columns++];
  *c = (DlsStudyColumn){.name = "seed",
                        .keys = (const char *const *)data->seeds->key.values,
                        .nkeys = data->seeds->key.count,
                        .stage = data->seeds->stage,
                        .role = DLS_STUDY_SEEDED,
                        .place = data->seeds->place};
  DLS_TRY(new_values(c, data->seeds->count));
  for (int n = 0; n < c->values; n++) {
    char text[32];
    snprintf(text, sizeof text, "%ld", (long)data->seeds->first + n);
    DLS_TRY(put_text(c, n, text));
  }
  return DLS_OK;
}

/* Counts of the three factors: combinations, draws, seeds. */
static DlsStatus count_rows(const DlsStudyData *data, const DlsStudyTable *t, long count[3]) {
  count[0] = count[1] = count[2] = 1;
  for (int c = 0; c < t->columns; c++) {
    const DlsStudyColumn *column = &t->column[c];
    if (column->role == DLS_STUDY_DRAWN) count[1] = data->draws;
    if (column->role == DLS_STUDY_SEEDED) count[2] = column->values;
    if (column->role != DLS_STUDY_VALUES) continue;
    count[0] = data->combine == DLS_STUDY_ROWS ? column->values : count[0] * column->values;
    DLS_CHECK(count[0] <= DLS_STUDY_ROWS_MOST, DLS_ERR_ARGUMENT,
              "keys: have more than %d combinations; give fewer values", (int)DLS_STUDY_ROWS_MOST);
  }
  DLS_CHECK(count[0] * count[1] <= DLS_STUDY_ROWS_MOST &&
                count[0] * count[1] * count[2] <= DLS_STUDY_ROWS_MOST,
            DLS_ERR_ARGUMENT, "the study has more than %d runs; give fewer values, draws or seeds",
            (int)DLS_STUDY_ROWS_MOST);
  return DLS_OK;
}

static void fill_row(const DlsStudyData *data, const DlsStudyTable *t, long combination, long draw,
                     long seed, int *pick) {
  for (int c = t->columns - 1; c >= 0; c--) {
    const DlsStudyColumn *column = &t->column[c];
    if (column->role == DLS_STUDY_DRAWN)
      pick[c] = (int)draw;
    else if (column->role == DLS_STUDY_SEEDED)
      pick[c] = (int)seed;
    else if (data->combine == DLS_STUDY_ROWS)
      pick[c] = (int)combination;
    else
      pick[c] = (int)(combination % column->values), combination /= column->values;
  }
}

static DlsStatus make_table(const DlsStudyData *data, DlsStudyTable *t) {
  long count[3];
  DLS_TRY(make_columns(data, t));
  DLS_TRY(count_rows(data, t, count));
  t->rows = (int)(count[0] * count[1] * count[2]);
  DLS_NEW(t->pick, (size_t)t->rows * (size_t)t->columns + 1);
  for (long row = 0; row < t->rows; row++)
    fill_row(data, t, row / (count[1] * count[2]), row / count[2] % count[1], row % count[2],
             t->pick + row * t->columns);
  return DLS_OK;
}

DlsStatus dls_study_table(const DlsStudyData *data, DlsStudyTable *out) {
  *out = (DlsStudyTable){0};
  const DlsStatus status = make_table(data, out);
  if (status != DLS_OK) dls_study_table_clear(out);
  return status;
}

void dls_study_table_clear(DlsStudyTable *t) {
  for (int c = 0; c < t->columns; c++) {
    for (int k = 0; t->column[c].value && k < t->column[c].values; k++) free(t->column[c].value[k]);
    free(t->column[c].value);
  }
  free(t->column);
  free(t->pick);
  *t = (DlsStudyTable){0};
}

const char *dls_study_cell(const DlsStudyTable *t, int row, int column) {
  return t->column[column].value[t->pick[(size_t)row * (size_t)t->columns + (size_t)column]];
}

int dls_study_column(const DlsStudyTable *t, const char *name) {
  for (int c = 0; c < t->columns; c++)
    if (strcmp(t->column[c].name, name) == 0) return c;
  return -1;
}

void dls_study_row_name(const DlsStudyTable *t, int row, char out[DLS_STUDY_NAME]) {
  uint64_t hash = DLS_HASH_BEGIN;
  size_t used = 0;
  bool plain = true;
  for (int c = 0; c < t->columns; c++) {
    const char *const parts[] = {c ? "," : "", t->column[c].name, "=", dls_study_cell(t, row, c)};
    for (int p = 0; p < DLS_COUNT(parts); p++) {
      dls_hash_mix(&hash, parts[p], strlen(parts[p]));
      for (const char *at = parts[p]; *at; at++) {
        const bool good = isalnum((unsigned char)*at) || strchr("=,.+-_", *at);
        plain = plain && good && used < DLS_STUDY_NAME - 24;
        if (used < DLS_STUDY_NAME - 24) out[used++] = good ? *at : '_';
      }
    }
  }
  if (!used) used = (size_t)snprintf(out, DLS_STUDY_NAME, "run");
  out[used] = '\0';
  if (!plain) snprintf(out + used, DLS_STUDY_NAME - used, "-%016" PRIx64, hash);
}
