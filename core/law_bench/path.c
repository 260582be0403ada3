#include "law_bench/path.h"

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
static int component_of(const char *name, int dim, int block, bool *force) {
  if (strncasecmp(name, "u_", 2) != 0 && strncasecmp(name, "f_", 2) != 0) return -1;
  *force = name[0] == 'f' || name[0] == 'F';
  for (int k = 0; k < block; k++)
    if (strcasecmp(name + 2, dls_point_component(dim, block, k)) == 0) return k;
  return -1;
}

/* Which column drives each component: -1 none. */
typedef struct {
  int time, drive[DLS_MAX_BLOCK];
  bool force[DLS_MAX_BLOCK];
} Columns;

static DlsStatus refuse_column(const char *file, const char *name, int dim, int block) {
  char list[256] = "t";
  const char *names[2 * DLS_MAX_BLOCK];
  char text[2 * DLS_MAX_BLOCK][8];
  for (int k = 0; k < 2 * block; k++) {
    snprintf(text[k], sizeof text[k], "%c_%s", k < block ? 'u' : 'f',
             dls_point_component(dim, block, k % block));
    names[k] = text[k];
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, ", %s", text[k]);
  }
  const char *near = dls_nearest(name, names, 2 * block);
  return dls_fail(DLS_ERR_FORMAT, "%s: the column '%s' is not known%s%s%s; there are %s", file,
                  name, near ? "; is '" : "", near ? near : "", near ? "' meant?" : "", list);
}

static DlsStatus find_columns(const char *file, const DlsTable *table, int dim, int block,
                              Columns *out) {
  DLS_CHECK(table->named, DLS_ERR_FORMAT,
            "%s: the first line holds no names; begin with a line such as t,u_N,f_T1", file);
  out->time = -1;
  for (int k = 0; k < block; k++) out->drive[k] = -1;
  for (int i = 0; i < table->columns; i++) {
    bool force;
    const char *name = table->name[i];
    if (strcasecmp(name, "t") == 0) {
      out->time = i;
      continue;
    }
    const int k = component_of(name, dim, block, &force);
    if (k < 0) return refuse_column(file, name, dim, block);
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

static DlsStatus read_csv(const char *file, int dim, int block, DlsPath *out) {
  DlsTable table;
  Columns columns = {.time = -1};
  DLS_TRY(dls_table_read(file, &table));
  DlsStatus status = find_columns(file, &table, dim, block, &columns);
  if (status == DLS_OK && table.rows < 2)
    status =
        dls_fail(DLS_ERR_FORMAT, "%s: one row is no path; give the beginning and one step", file);
  if (status == DLS_OK) status = make_room(block, table.rows - 1, out);
  if (status == DLS_OK) status = fill_rows(file, &table, &columns, out);
  dls_table_clear(&table);
  return status;
}

/* The YAML form. */
enum { COMPONENTS = 8 };
typedef struct {
  DlsExpression *drive[COMPONENTS];
} Drives;
typedef struct {
  double step, end;
  Drives u, f;
  const DlsDeckNode *place;
} Form;

static const char *const component_keys[COMPONENTS] = {"N", "T", "T1", "T2", "R", "R1", "R2", "S"};
#define DRIVE_ROW(k, name)                                                                         \
  {                                                                                                \
    .key = (name), .kind = DLS_DECK_EXPRESSION,                                                    \
    .offset = offsetof(Drives, drive) + (k) * sizeof(DlsExpression *),                             \
    .standard = DLS_DECK_OPTIONAL, .meaning = "of t"                                               \
  }
static const DlsDeckRow drive_rows[] = {
    DRIVE_ROW(0, "N"), DRIVE_ROW(1, "T"),  DRIVE_ROW(2, "T1"), DRIVE_ROW(3, "T2"),
    DRIVE_ROW(4, "R"), DRIVE_ROW(5, "R1"), DRIVE_ROW(6, "R2"), DRIVE_ROW(7, "S"),
};
static const DlsDeckSection drives_section = {.name = "drive",
                                              .meaning = "one expression of t per component",
                                              .rows = drive_rows,
                                              .count = DLS_COUNT(drive_rows),
                                              .bytes = sizeof(Drives)};
static const DlsDeckRow form_rows[] = {
    DLS_DECK_REAL_ROW(Form, step, "s", "1 ms", DLS_DECK_POSITIVE, DLS_DECK_FREE, "time-step"),
    DLS_DECK_REAL_ROW(Form, end, "s", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "end of the path"),
    DLS_DECK_SECTION_ROW(Form, u, DLS_DECK_SECTION, DLS_DECK_OPTIONAL, &drives_section,
                         "velocities, m/s"),
    DLS_DECK_SECTION_ROW(Form, f, DLS_DECK_SECTION, DLS_DECK_OPTIONAL, &drives_section,
                         "forces, N"),
    DLS_DECK_PLACE_ROW(Form, place),
};
static const DlsDeckSection form_section = {.name = "path",
                                            .meaning = "how one contact is driven",
                                            .rows = form_rows,
                                            .count = DLS_COUNT(form_rows),
                                            .bytes = sizeof(Form)};

/* The component that a key names here, -1 when it has no place in this block. */
static int place_of(int dim, int block, const char *key) {
  for (int k = 0; k < block; k++)
    if (strcmp(dls_point_component(dim, block, k), key) == 0) return k;
  return -1;
}

static void check_form(DlsDeck *deck, const Form *form, int dim, int block) {
  for (int i = 0; i < COMPONENTS; i++) {
    if (!form->u.drive[i] && !form->f.drive[i]) continue;
    const char *key = component_keys[i];
    const DlsDeckNode *node = dls_deck_find(form->place, form->u.drive[i] ? "u" : "f");
    if (place_of(dim, block, key) < 0)
      dls_deck_problem(deck, node, key, "a block of %d in %d-D has no component %s", block, dim,
                       key);
    else if (form->u.drive[i] && form->f.drive[i])
      dls_deck_problem(deck, node, key, "%s is driven by u and by f; keep one", key);
  }
  if (form->end / form->step > MAX_STEPS)
    dls_deck_problem(deck, form->place, "step", "%g steps are more than %d; take longer ones",
                     form->end / form->step, MAX_STEPS);
}

static DlsStatus sample_form(const char *file, Form *form, int dim, int block, DlsPath *out) {
  const int count = (int)fmax(1, floor(form->end / form->step + 0.5));
  DLS_TRY(make_room(block, count, out));
  for (int i = 0; i < count; i++) {
    const double middle = (i + 0.5) * form->step;
    out->time[i] = (i + 1) * form->step;
    for (int c = 0; c < COMPONENTS; c++) {
      DlsExpression *e = form->u.drive[c] ? form->u.drive[c] : form->f.drive[c];
      if (!e) continue;
      const double value = dls_expression_value(e, middle);
      DLS_CHECK(isfinite(value), DLS_ERR_FORMAT, "%s: %s is %g at t = %g s", file,
                component_keys[c], value, middle);
      out->drive[(size_t)i * (size_t)block + (size_t)place_of(dim, block, component_keys[c])] =
          (DlsDrive){!form->u.drive[c], value};
    }
  }
  return DLS_OK;
}

static DlsStatus read_yaml(const char *file, int dim, int block, DlsPath *out) {
  DlsDeck *deck = NULL;
  Form form;
  DlsStatus status = dls_deck_open(file, &deck);
  if (status == DLS_OK) status = dls_deck_read(deck, &form_section, &form);
  if (status == DLS_OK) {
    check_form(deck, &form, dim, block);
    status = dls_deck_status(deck);
    if (status == DLS_OK) status = sample_form(file, &form, dim, block, out);
    dls_deck_release(&form_section, &form);
  }
  dls_deck_destroy(&deck);
  return status;
}

DlsStatus dls_path_read(const char *file, int dim, int block, DlsPath *out) {
  memset(out, 0, sizeof *out);
  const char *dot = strrchr(file, '.');
  DlsStatus status;
  if (dot && strcasecmp(dot, ".csv") == 0)
    status = read_csv(file, dim, block, out);
  else if (dot && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0))
    status = read_yaml(file, dim, block, out);
  else
    status = dls_fail(DLS_ERR_ARGUMENT, "%s: a path is a .csv or a .yaml file", file);
  if (status != DLS_OK) dls_path_clear(out);
  return status;
}
