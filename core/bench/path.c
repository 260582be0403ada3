#include "bench/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/table.h"
#include "deck/deck.h"

enum { MAX_STEPS = 10000000 };

void dls_path_clear(DlsPath *path) {
  free(path->time);
  free(path->drive);
  memset(path, 0, sizeof *path);
}

static DlsStatus make_room(int block, int count, DlsPath *out) {
  *out = (DlsPath){.block = block, .count = count};
  DLS_NEW(out->time, count);
  DLS_NEW(out->drive, (size_t)count * (size_t)block);
  return DLS_OK;
}

/* "u_T1" or "f_N" as a component, -1 for another word. */
static int component_of(const DlsPathKind *kind, const char *name, bool *force) {
  for (int which = 0; which < 2; which++) {
    const size_t length = strlen(kind->key[which]);
    if (strncasecmp(name, kind->key[which], length) != 0 || name[length] != '_') continue;
    *force = which == 1;
    for (int k = 0; k < kind->count; k++)
      if (strcasecmp(name + length + 1, kind->name[k]) == 0) return k;
  }
  return -1;
}

/* Which column drives each component: -1 none. */
typedef struct {
  int time, drive[DLS_PATH_COMPONENTS];
  bool force[DLS_PATH_COMPONENTS];
} Columns;

static DlsStatus refuse_column(const DlsPathKind *kind, const char *file, const char *name) {
  char list[512] = "t";
  const char *names[2 * DLS_PATH_COMPONENTS];
  char text[2 * DLS_PATH_COMPONENTS][24];
  for (int k = 0; k < 2 * kind->count; k++) {
    snprintf(text[k], sizeof text[k], "%s_%s", kind->key[k >= kind->count],
             kind->name[k % kind->count]);
    names[k] = text[k];
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, ", %s", text[k]);
  }
  const char *near = dls_nearest(name, names, 2 * kind->count);
  return dls_fail(DLS_ERR_FORMAT, "%s: the column '%s' is not known%s%s%s; there are %s", file,
                  name, near ? "; is '" : "", near ? near : "", near ? "' meant?" : "", list);
}

static DlsStatus find_columns(const DlsPathKind *kind, const char *file, const DlsTable *table,
                              Columns *out) {
  DLS_CHECK(table->named, DLS_ERR_FORMAT,
            "%s: the first line holds no names; begin with a line such as t,%s_%s,%s_%s", file,
            kind->key[0], kind->name[0], kind->key[1], kind->name[1]);
  out->time = -1;
  for (int k = 0; k < kind->count; k++) out->drive[k] = -1;
  for (int i = 0; i < table->columns; i++) {
    bool force;
    const char *name = table->name[i];
    if (strcasecmp(name, "t") == 0) {
      out->time = i;
      continue;
    }
    const int k = component_of(kind, name, &force);
    if (k < 0) return refuse_column(kind, file, name);
    DLS_CHECK(out->drive[k] < 0, DLS_ERR_FORMAT,
              "%s: the columns '%s' and '%s' drive the same component; keep one", file,
              table->name[out->drive[k]], name);
    out->drive[k] = i;
    out->force[k] = force;
  }
  DLS_CHECK(out->time >= 0, DLS_ERR_FORMAT, "%s: there is no column t, the time in seconds", file);
  return DLS_OK;
}

static DlsStatus fill_rows(const char *file, const DlsTable *table, const Columns *columns,
                           DlsPath *out) {
  double before = table->value[columns->time];
  out->begin = before;
  for (int k = 0; k < out->block; k++) out->given[k] = columns->drive[k] >= 0;
  for (int i = 0; i < out->count; i++) {
    const double *row = table->value + (size_t)(i + 1) * (size_t)table->columns;
    DLS_CHECK(row[columns->time] > before, DLS_ERR_FORMAT,
              "%s:%d: t = %g comes after t = %g; times must grow", file, table->line[i + 1],
              row[columns->time], before);
    before = out->time[i] = row[columns->time];
    for (int k = 0; k < out->block; k++)
      if (columns->drive[k] >= 0)
        out->drive[(size_t)i * (size_t)out->block + (size_t)k] =
            (DlsDrive){columns->force[k], row[columns->drive[k]]};
  }
  return DLS_OK;
}

static DlsStatus read_csv(const DlsPathKind *kind, const char *file, DlsPath *out) {
  DlsTable table;
  Columns columns = {.time = -1};
  DLS_TRY(dls_table_read(file, &table));
  DlsStatus status = find_columns(kind, file, &table, &columns);
  if (status == DLS_OK && table.rows < 2)
    status =
        dls_fail(DLS_ERR_FORMAT, "%s: one row is no path; give the beginning and one step", file);
  if (status == DLS_OK) status = make_room(kind->count, table.rows - 1, out);
  if (status == DLS_OK) status = fill_rows(file, &table, &columns, out);
  dls_table_clear(&table);
  return status;
}

/* The YAML form. Its rows are those of the kind. */
typedef struct {
  DlsExpression *drive[DLS_PATH_COMPONENTS];
} Drives;
typedef struct {
  double step, end;
  Drives of[2];
  const DlsDeckNode *place;
} Form;

typedef struct {
  DlsDeckRow drive_rows[DLS_PATH_COMPONENTS], rows[5];
  DlsDeckSection drives, form;
} Schema;

static void make_schema(const DlsPathKind *kind, Schema *s) {
  for (int k = 0; k < kind->count; k++)
    s->drive_rows[k] =
        (DlsDeckRow){.key = kind->name[k],
                     .kind = DLS_DECK_EXPRESSION,
                     .offset = offsetof(Drives, drive) + (size_t)k * sizeof(DlsExpression *),
                     .standard = DLS_DECK_OPTIONAL,
                     .meaning = "of t"};
  s->drives = (DlsDeckSection){.name = "drive",
                               .meaning = "one expression of t per component",
                               .rows = s->drive_rows,
                               .count = kind->count,
                               .bytes = sizeof(Drives)};
  const DlsDeckRow rows[] = {
      DLS_DECK_REAL_ROW(Form, step, "s", "1 ms", DLS_DECK_POSITIVE, DLS_DECK_FREE, "time-step"),
      DLS_DECK_REAL_ROW(Form, end, "s", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE, DLS_DECK_FREE,
                        "end of the path"),
      {.key = kind->key[0],
       .kind = DLS_DECK_SECTION,
       .offset = offsetof(Form, of),
       .standard = DLS_DECK_OPTIONAL,
       .section = &s->drives,
       .meaning = kind->meaning[0]},
      {.key = kind->key[1],
       .kind = DLS_DECK_SECTION,
       .offset = offsetof(Form, of) + sizeof(Drives),
       .standard = DLS_DECK_OPTIONAL,
       .section = &s->drives,
       .meaning = kind->meaning[1]},
      DLS_DECK_PLACE_ROW(Form, place),
  };
  memcpy(s->rows, rows, sizeof rows);
  s->form = (DlsDeckSection){.name = "path",
                             .meaning = "how one point is driven",
                             .rows = s->rows,
                             .count = DLS_COUNT(rows),
                             .bytes = sizeof(Form)};
}

static void check_form(DlsDeck *deck, const DlsPathKind *kind, const Form *form) {
  for (int k = 0; k < kind->count; k++)
    if (form->of[0].drive[k] && form->of[1].drive[k])
      dls_deck_problem(deck, dls_deck_find(form->place, kind->key[0]), kind->name[k],
                       "%s is driven by %s and by %s; keep one", kind->name[k], kind->key[0],
                       kind->key[1]);
  if (form->end / form->step > MAX_STEPS)
    dls_deck_problem(deck, form->place, "step", "%g steps are more than %d; take longer ones",
                     form->end / form->step, MAX_STEPS);
}

static DlsStatus sample_form(const DlsPathKind *kind, const char *file, Form *form, DlsPath *out) {
  const int count = (int)fmax(1, floor(form->end / form->step + 0.5));
  DLS_TRY(make_room(kind->count, count, out));
  for (int i = 0; i < count; i++) {
    const double t = (i + kind->at) * form->step;
    out->time[i] = (i + 1) * form->step;
    for (int k = 0; k < kind->count; k++) {
      const bool force = !form->of[0].drive[k];
      DlsExpression *e = form->of[force].drive[k];
      out->given[k] = e != NULL;
      if (!e) continue;
      const double value = dls_expression_value(e, t);
      DLS_CHECK(isfinite(value), DLS_ERR_FORMAT, "%s: %s is %g at t = %g s", file, kind->name[k],
                value, t);
      out->drive[(size_t)i * (size_t)kind->count + (size_t)k] = (DlsDrive){force, value};
    }
  }
  return DLS_OK;
}

static DlsStatus read_yaml(const DlsPathKind *kind, const char *file, DlsPath *out) {
  DlsDeck *deck = NULL;
  Form form;
  Schema schema;
  make_schema(kind, &schema);
  DlsStatus status = dls_deck_open(file, &deck);
  if (status == DLS_OK) status = dls_deck_read(deck, &schema.form, &form);
  if (status == DLS_OK) {
    check_form(deck, kind, &form);
    status = dls_deck_status(deck);
    if (status == DLS_OK) status = sample_form(kind, file, &form, out);
    dls_deck_release(&schema.form, &form);
  }
  dls_deck_destroy(&deck);
  return status;
}

DlsStatus dls_path_read(const DlsPathKind *kind, const char *file, DlsPath *out) {
  memset(out, 0, sizeof *out);
  const char *dot = strrchr(file, '.');
  DlsStatus status;
  if (dot && strcasecmp(dot, ".csv") == 0)
    status = read_csv(kind, file, out);
  else if (dot && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0))
    status = read_yaml(kind, file, out);
  else
    status = dls_fail(DLS_ERR_ARGUMENT, "%s: a path is a .csv or a .yaml file", file);
  if (status != DLS_OK) dls_path_clear(out);
  return status;
}
