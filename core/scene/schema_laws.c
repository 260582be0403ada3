/* The keys of laws, of the fields that they ask for and of solvers: sections made from the tables
 * of the plugins. They live with them, for the life of the process. */
#include "bulk/bulk.h"
#include "scene/scene_impl.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One is known by what it was made of: "parameters" and a law, or a list of laws; a solver. */
typedef struct Made {
  char *of;
  DlsDeckSection section;
  struct Made *next;
} Made;
static Made *made;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER; /* two threads may read decks at once */

static const DlsDeckSection *made_of(const char *of) {
  for (const Made *m = made; m; m = m->next)
    if (strcmp(m->of, of) == 0) return &m->section;
  return NULL;
}

static DlsStatus make_section(const char *of, const char *name, int count, size_t bytes,
                              DlsDeckRow **rows, const DlsDeckSection **out) {
  Made *m = calloc(1, sizeof *m);
  char *kept = strdup(of);
  *rows = calloc((size_t)count + 1, sizeof **rows);
  if (!m || !kept || !*rows) {
    free(m);
    free(kept);
    free(*rows);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for the keys of %s", name);
  }
  m->of = kept;
  m->section = (DlsDeckSection){
      .name = name, .meaning = "", .rows = *rows, .count = count, .bytes = bytes ? bytes : 1};
  m->next = made;
  made = m;
  *out = &m->section;
  return DLS_OK;
}

/* "0.3" for a row; kept for the life of the process. */
static const char *number_text(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  char *kept = strdup(text);
  return kept ? kept : "0";
}

/* What of a law is written in a deck: parameters, as numbers or formulas; states that contacts
 * begin with; tables. */
typedef enum { PARAMETERS, STATES, TABLES } Table;

static const size_t cell[] = {[PARAMETERS] = sizeof(DlsExpression *),
                              [STATES] = sizeof(double),
                              [TABLES] = sizeof(DlsSceneTable *)};

static int rows_of(const DlsLaw *law, Table table) {
  return table == TABLES ? law->ntables : table == STATES ? law->nstates : law->nparams;
}

/* One table of a law: a file, or its two columns. */
static DlsStatus columns_of(const DlsTableParam *own, const DlsDeckSection **out) {
  char of[64];
  snprintf(of, sizeof of, "table %p", (const void *)own);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, own->name, 4, sizeof(DlsSceneTable), &rows, out));
  rows[0] = (DlsDeckRow)DLS_DECK_PATH_ROW(
      DlsSceneTable, file, DLS_DECK_OPTIONAL,
      "CSV, whose first line names the columns and their units; its numbers take its place below");
  for (int k = 0; k < 2; k++) {
    const DlsParam *column = k ? &own->y : &own->x;
    rows[1 + k] =
        (DlsDeckRow){.key = column->name,
                     .kind = DLS_DECK_REALS,
                     .offset = k ? offsetof(DlsSceneTable, y) : offsetof(DlsSceneTable, x),
                     .standard = DLS_DECK_OPTIONAL,
                     .unit = column->unit,
                     .min = column->min,
                     .max = column->max,
                     .least = 2,
                     .most = DLS_MAX_ROWS,
                     .meaning = column->meaning};
  }
  rows[3] = (DlsDeckRow)DLS_DECK_PLACE_ROW(DlsSceneTable, place);
  return DLS_OK;
}

static DlsStatus fill_tables(const DlsLaw *law, DlsDeckRow *rows) {
  for (int k = 0; k < law->ntables; k++) {
    rows[k] = (DlsDeckRow){.key = law->tables[k].name,
                           .kind = DLS_DECK_POINTER,
                           .offset = (size_t)k * cell[TABLES],
                           .standard = DLS_DECK_OPTIONAL,
                           .meaning = law->tables[k].meaning};
    DLS_TRY(columns_of(&law->tables[k], &rows[k].section));
  }
  return DLS_OK;
}

/* A table of a law as a section, with the law's own units, defaults and bounds. */
static DlsStatus law_section_of(const DlsLaw *law, Table table, const DlsDeckSection **out) {
  char of[64];
  snprintf(of, sizeof of, "%d %p", (int)table, (const void *)law);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  const int count = rows_of(law, table);
  DLS_TRY(make_section(of, law->name, count, DLS_MAX_PARAMS * cell[table], &rows, out));
  if (table == TABLES) return fill_tables(law, rows);
  for (int k = 0; k < count; k++) {
    const DlsParam *p = table == STATES ? &law->states[k] : &law->params[k];
    rows[k] = (DlsDeckRow){.key = p->name,
                           .kind = table == STATES ? DLS_DECK_REAL : DLS_DECK_EXPRESSION,
                           .offset = (size_t)k * cell[table],
                           .standard = table == STATES ? DLS_DECK_OPTIONAL : number_text(p->value),
                           .unit = p->unit,
                           .min = p->min,
                           .max = p->max,
                           .choices = table == STATES ? NULL : DLS_PARAMETER_VARIABLES,
                           .meaning = p->meaning};
  }
  return DLS_OK;
}

bool dls_scene_law_is_none(const DlsSceneLaw *s) {
  for (int n = 0; n < s->law.count; n++)
    if (strcmp(s->law.values[n], DLS_LAW_NONE) == 0) return true;
  return false;
}

/* Of one law its rows; of a list a section for each law that has such rows, under its name;
 * nothing where none has: every law has parameters, if none at all. */
static DlsStatus table_of(const DlsSceneLaw *scene, Table table, const DlsDeckSection **out) {
  const int count = scene->law.count;
  const DlsDeckSection *sections[DLS_MAX_LAWS];
  char of[64 * (DLS_MAX_LAWS + 1)];
  int length = snprintf(of, sizeof of, "%d", (int)table), filled = 0, row = 0;
  if (count == 0 || count > DLS_MAX_LAWS || dls_scene_law_is_none(scene)) return DLS_OK;
  for (int n = 0; n < count; n++) {
    const DlsLaw *law;
    DLS_TRY(dls_law_find(scene->law.values[n], &law));
    DLS_TRY(law_section_of(law, table, &sections[n]));
    length += snprintf(of + length, sizeof of - (size_t)length, " %p", (const void *)law);
    filled += table == PARAMETERS || rows_of(law, table) > 0;
  }
  if (filled == 0) return DLS_OK;
  *out = count == 1 ? sections[0] : made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  const size_t bytes = DLS_MAX_PARAMS * cell[table];
  DLS_TRY(make_section(of, "list of laws", filled, (size_t)count * bytes, &rows, out));
  for (int n = 0; n < count; n++) {
    if (table != PARAMETERS && sections[n]->count == 0) continue;
    rows[row++] = (DlsDeckRow){.key = sections[n]->name,
                               .kind = DLS_DECK_SECTION,
                               .offset = (size_t)n * bytes,
                               .standard = "",
                               .section = sections[n],
                               .meaning = ""};
  }
  return DLS_OK;
}

static DlsStatus options_of(const DlsSceneSolver *scene, const DlsDeckSection **out) {
  const DlsSolver *solver = NULL;
  char of[64];
  if (!scene->name) return DLS_OK;
  DLS_TRY(dls_solver_find(scene->name, &solver));
  snprintf(of, sizeof of, "solver %p", (const void *)solver);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, solver->name, solver->noptions, solver->option_bytes, &rows, out));
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *o = &solver->options[k];
    rows[k] = (DlsDeckRow){.key = o->name,
                           .kind = o->kind == DLS_OPTION_REAL  ? DLS_DECK_REAL
                                   : o->kind == DLS_OPTION_INT ? DLS_DECK_INT
                                                               : DLS_DECK_CHOICE,
                           .offset = o->offset,
                           .min = o->min,
                           .max = o->max,
                           .choices = o->choices,
                           .meaning = o->meaning};
    if (o->kind != DLS_OPTION_CHOICE) {
      rows[k].standard = number_text(o->value);
      continue;
    }
    char word[80] = "";
    dls_choice_word(o->choices, (int)o->value, word, sizeof word);
    char *copy = strdup(word);
    rows[k].standard = copy ? copy : "";
  }
  return DLS_OK;
}

/* A field, and the law that lists it. */
typedef struct {
  const DlsParam *row;
  const DlsLaw *law;
} Listed;

enum { MOST_FIELDS = 256 };

/* One field may be asked for by several laws; its unit is then the same. */
static DlsStatus list_field(const DlsLaw *law, const DlsParam *row, Listed *all, int *count) {
  for (int k = 0; k < *count; k++) {
    if (strcmp(all[k].row->name, row->name) != 0) continue;
    DLS_CHECK(strcmp(all[k].row->unit, row->unit) == 0, DLS_ERR_ARGUMENT,
              "the contact laws '%s' and '%s' both ask for the field %s, in %s and in %s; take one "
              "of them away",
              all[k].law->name, law->name, row->name, all[k].row->unit, row->unit);
    return DLS_OK;
  }
  DLS_CHECK(*count < MOST_FIELDS, DLS_ERR_ARGUMENT, "the laws ask for more than %d fields",
            (int)MOST_FIELDS);
  all[(*count)++] = (Listed){row, law};
  return DLS_OK;
}

static DlsStatus list_fields(const DlsSceneData *data, Listed *all, int *count) {
  const DlsSceneLaw *laws = data->laws.items;
  *count = 0;
  for (int k = 0; k < data->laws.count; k++)
    for (int n = 0; n < laws[k].law.count && !dls_scene_law_is_none(&laws[k]); n++) {
      const DlsLaw *law;
      DLS_TRY(dls_law_find(laws[k].law.values[n], &law));
      for (int f = 0; f < law->nfields; f++) DLS_TRY(list_field(law, &law->fields[f], all, count));
    }
  return DLS_OK;
}

/* An item of the list of a field. */
static DlsStatus field_section_of(const DlsParam *field, const DlsDeckSection **out) {
  char of[96];
  snprintf(of, sizeof of, "field %.40s %p", field->name, (const void *)field);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, field->name, 3, sizeof(DlsSceneField), &rows, out));
  rows[0] = (DlsDeckRow){
      DLS_DECK_ROW(
          DlsSceneField, of, DLS_DECK_STRINGS, "[*]",
          "materials, boundaries, or bodies and chains by their names, whose own value goes "
          "first; * stands for all; later ones win"),
      .least = 1, .most = 1000};
  rows[1] = (DlsDeckRow){
      DLS_DECK_ROW(DlsSceneField, value, DLS_DECK_EXPRESSION, DLS_DECK_REQUIRED, field->meaning),
      .unit = field->unit, .min = field->min, .max = field->max, .choices = DLS_FIELD_VARIABLES};
  rows[2] = (DlsDeckRow)DLS_DECK_PLACE_ROW(DlsSceneField, place);
  return DLS_OK;
}

/* A list for each field that a law of the deck asks for. */
static DlsStatus fields_of(const DlsSceneData *data, const DlsDeckSection **out) {
  Listed all[MOST_FIELDS];
  char of[32 + 24 * MOST_FIELDS];
  int count, length = snprintf(of, sizeof of, "fields");
  DLS_TRY(list_fields(data, all, &count));
  if (count == 0) return DLS_OK;
  for (int k = 0; k < count; k++)
    length += snprintf(of + length, sizeof of - (size_t)length, " %p", (const void *)all[k].row);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, "fields", count, (size_t)count * sizeof(DlsDeckList), &rows, out));
  for (int k = 0; k < count; k++) {
    rows[k] = (DlsDeckRow){.key = all[k].row->name,
                           .kind = DLS_DECK_LIST,
                           .offset = (size_t)k * sizeof(DlsDeckList),
                           .standard = DLS_DECK_OPTIONAL,
                           .unit = all[k].row->unit,
                           .meaning = all[k].row->meaning};
    DLS_TRY(field_section_of(all[k].row, &rows[k].section));
  }
  return DLS_OK;
}

static DlsStatus choose_parameters(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = table_of(data, PARAMETERS, out);
  pthread_mutex_unlock(&making);
  return status;
}

static DlsStatus choose_states(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = table_of(data, STATES, out);
  pthread_mutex_unlock(&making);
  return status;
}

static DlsStatus choose_tables(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = table_of(data, TABLES, out);
  pthread_mutex_unlock(&making);
  return status;
}

DlsStatus dls_scene_choose_options(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = options_of(data, out);
  pthread_mutex_unlock(&making);
  return status;
}

DlsStatus dls_scene_choose_fields(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = fields_of(data, out);
  pthread_mutex_unlock(&making);
  return status;
}

/* Parameters of a bulk law: numbers. */
static DlsStatus bulk_of(const DlsSceneBulk *scene, const DlsDeckSection **out) {
  const DlsBulk *law;
  char of[64];
  if (!scene->law) return DLS_OK;
  DLS_TRY(dls_bulk_find(scene->law, &law));
  snprintf(of, sizeof of, "bulk %p", (const void *)law);
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(
      make_section(of, law->name, law->nparams, (size_t)law->nparams * sizeof(double), &rows, out));
  for (int k = 0; k < law->nparams; k++) {
    const DlsParam *p = &law->params[k];
    rows[k] = (DlsDeckRow){.key = p->name,
                           .kind = DLS_DECK_REAL,
                           .offset = (size_t)k * sizeof(double),
                           .standard = number_text(p->value),
                           .unit = p->unit,
                           .min = p->min,
                           .max = p->max,
                           .meaning = p->meaning};
  }
  return DLS_OK;
}

DlsStatus dls_scene_choose_bulk(const void *data, const DlsDeckSection **out) {
  pthread_mutex_lock(&making);
  const DlsStatus status = bulk_of(data, out);
  pthread_mutex_unlock(&making);
  return status;
}

static const DlsDeckRow law_rows[] = {
    {DLS_DECK_ROW(DlsSceneLaw, between, DLS_DECK_STRINGS, "[*, *]",
                  "two materials, or a material and a boundary, by name; * stands for all; later "
                  "laws win"),
     .least = 2, .most = 2},
    {DLS_DECK_ROW(
         DlsSceneLaw, law, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
         "name or path, see delassus law list; or a list of laws, each adding to the first; none: "
         "the two pass through each other"),
     .least = 1, .most = DLS_MAX_LAWS},
    {DLS_DECK_ROW(
         DlsSceneLaw, parameters, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
         "of the law, see delassus law show NAME: numbers, or expressions of t, x, y, z and "
         "radius; of a list: a section for each law"),
     .choose = choose_parameters, .chosen_by = "law"},
    {DLS_DECK_ROW(DlsSceneLaw, state, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "state variables of the law, as contacts of the first step begin with them; of a "
                  "list: a section for each law"),
     .choose = choose_states, .chosen_by = "law"},
    {DLS_DECK_ROW(DlsSceneLaw, tables, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "measured curves of the law, see delassus law show NAME: of each a file, or its "
                  "columns; of a list: a section for each law"),
     .choose = choose_tables, .chosen_by = "law"},
    {DLS_DECK_ROW(DlsSceneLaw, points, DLS_DECK_CHOICE, "manifold",
                  "of bodies with corners: where they touch now; or frozen: where contacts were "
                  "first found on both bodies, until these have slid, for bonds and mortar"),
     .choices = "manifold|frozen"},
    DLS_DECK_PLACE_ROW(DlsSceneLaw, place),
};
const DlsDeckSection dls_scene_law_section = {.name = "law",
                                              .meaning = "a contact law between two materials",
                                              .rows = law_rows,
                                              .count = DLS_COUNT(law_rows),
                                              .bytes = sizeof(DlsSceneLaw),
                                              .check = dls_scene_read_tables};
