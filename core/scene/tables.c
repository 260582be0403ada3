/* Tables of contact laws: measured curves that a deck gives by a CSV file,
 *   speed [mm/s], mu [1]
 *   0, 0.42
 *   5, 0.35
 * or by the numbers of both columns. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "deck/units.h"

#include <stdlib.h>
#include <string.h>

static DlsStatus find_column(const char *path, const DlsTable *table, const DlsParam *column,
                             int *out) {
  DLS_CHECK(table->named, DLS_ERR_FORMAT,
            "%s:%d: the first line names the columns and their units; put a line with '%s [%s]' in "
            "front",
            path, table->line[0], column->name, column->unit);
  *out = dls_table_find(table, column->name);
  if (*out >= 0) return DLS_OK;
  const char *names[DLS_TABLE_COLUMNS];
  for (int i = 0; i < table->columns; i++) names[i] = table->name[i];
  const char *nearest = dls_nearest(column->name, names, table->columns);
  return dls_fail(DLS_ERR_FORMAT, "%s:%d: there is no column '%s'%s%s%s; call it '%s [%s]'", path,
                  table->header, column->name, nearest ? "; is '" : "", nearest ? nearest : "",
                  nearest ? "' meant?" : "", column->name, column->unit);
}

/* How numbers of the column become SI. */
static DlsStatus find_unit(const char *path, const DlsTable *table, int at, const DlsParam *column,
                           DlsUnit *out) {
  DlsUnit wanted;
  DLS_CHECK(table->unit[at][0], DLS_ERR_FORMAT,
            "%s:%d: the column '%s' has no unit; write '%s [%s]'", path, table->header,
            table->name[at], column->name, column->unit);
  if (dls_unit_parse(table->unit[at], out) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s:%d: the column '%s'", path, table->header,
                            table->name[at]);
  DLS_TRY(dls_unit_parse(column->unit, &wanted));
  DLS_CHECK(dls_unit_same(out, &wanted), DLS_ERR_FORMAT,
            "%s:%d: the column '%s' is in %s; a unit like %s is wanted", path, table->header,
            table->name[at], table->unit[at], column->unit);
  return DLS_OK;
}

DlsStatus dls_scene_read_column(const char *path, const DlsTable *table, const DlsParam *column,
                                DlsDeckReals *out) {
  DlsUnit unit;
  int at = 0;
  DLS_TRY(find_column(path, table, column, &at));
  DLS_TRY(find_unit(path, table, at, column, &unit));
  DLS_NEW(out->values, table->rows);
  out->count = table->rows;
  for (int i = 0; i < table->rows; i++) {
    char text[64]; /* as it is written: 4.9 mm is the double nearest to 0.0049 */
    dls_number_write(table->value[(size_t)i * (size_t)table->columns + (size_t)at], text,
                     sizeof text);
    DLS_CHECK(dls_unit_convert(&unit, text, &out->values[i]), DLS_ERR_MEMORY,
              "%s: no memory for %d rows", path, table->rows);
  }
  return DLS_OK;
}

static DlsLawTable lent(const DlsSceneTable *s) {
  return (DlsLawTable){.rows = s->x.count, .x = s->x.values, .y = s->y.values};
}

/* The numbers of a file, each mistake with its line. */
static DlsStatus read_file(const DlsLaw *law, int k, DlsSceneTable *s) {
  const DlsTableParam *own = &law->tables[k];
  DlsTable table;
  int row = -1;
  DLS_TRY(dls_table_read_units(s->file, &table));
  DlsStatus status = dls_scene_read_column(s->file, &table, &own->x, &s->x);
  if (status == DLS_OK) status = dls_scene_read_column(s->file, &table, &own->y, &s->y);
  if (status == DLS_OK) {
    const DlsLawTable numbers = lent(s);
    status = dls_law_table_check(law, k, &numbers, &row);
    if (status != DLS_OK && row >= 0)
      status = dls_fail_context(DLS_ERR_FORMAT, "%s:%d", s->file, table.line[row]);
    else if (status != DLS_OK)
      status = dls_fail_context(DLS_ERR_FORMAT, "%s", s->file);
  }
  dls_table_clear(&table);
  return status;
}

static void read_table(DlsDeck *deck, const DlsLaw *law, int k, DlsSceneTable *s) {
  const DlsTableParam *own = &law->tables[k];
  if (s->file && (s->x.count || s->y.count)) {
    dls_deck_problem(deck, s->place, "file",
                     "has numbers beside it; give either a file or %s and %s", own->x.name,
                     own->y.name);
    return;
  }
  if (s->file) {
    if (read_file(law, k, s) != DLS_OK)
      dls_deck_problem(deck, s->place, "file", "%s", dls_error_message());
    free(s->file);
    s->file = NULL;
    return;
  }
  if (s->x.count != s->y.count || s->x.count == 0) {
    dls_deck_problem(deck, s->place, NULL,
                     "has %d numbers of %s and %d of %s; give a file, or as many of both",
                     s->x.count, own->x.name, s->y.count, own->y.name);
    return;
  }
  const DlsLawTable numbers = lent(s);
  if (dls_law_table_check(law, k, &numbers, NULL) != DLS_OK)
    dls_deck_problem(deck, s->place, NULL, "%s", dls_error_message());
}

void dls_scene_read_tables(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  const DlsSceneLaw *s = data;
  DlsSceneTable *const *given = s->tables.data;
  if (s->law.count > 1 && dls_scene_law_is_none(s))
    dls_deck_problem(deck, node, "law",
                     "'%s' stands among other laws, and means that there is none; name it alone, "
                     "or the others",
                     DLS_LAW_NONE);
  for (int n = 0; given && n < s->law.count; n++) {
    const DlsLaw *law;
    if (dls_law_find(s->law.values[n], &law) != DLS_OK) {
      dls_deck_problem(deck, node, "law", "%s", dls_error_message());
      return;
    }
    for (int k = 0; k < law->ntables; k++)
      if (given[n * DLS_MAX_PARAMS + k]) read_table(deck, law, k, given[n * DLS_MAX_PARAMS + k]);
  }
}

DlsStatus dls_scene_set_tables(const DlsSceneLaw *s, int n, const DlsLaw *law, int interaction,
                               int first, DlsInteractions *laws) {
  DlsSceneTable *const *given = s->tables.data;
  for (int k = 0; given && k < law->ntables; k++) {
    const DlsSceneTable *own = given[n * DLS_MAX_PARAMS + k];
    if (!own) continue;
    const DlsLawTable numbers = lent(own);
    DLS_TRY(dls_interactions_tabulate(laws, interaction, first + k, &numbers));
  }
  return DLS_OK;
}
