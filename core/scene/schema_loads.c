/* The keys of a deck that tell of loads and of the ground's motion, and their mistakes. A record is
 * a CSV file,
 *   time [s], x [m/s2], z [m/s2]
 *   0, 0, 0
 *   0.01, 0.12, -0.03
 * or the same numbers as lists. */
#include "scene/scene_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000000 };

#define RECORD_ROW(field, unit_, about)                                                            \
  {                                                                                                \
    DLS_DECK_ROW(DlsSceneGround, field, DLS_DECK_REALS, DLS_DECK_OPTIONAL, about),                 \
        .unit = (unit_), .min = -DLS_DECK_FREE, .max = DLS_DECK_FREE, .most = MOST_ROWS            \
  }

static const DlsDeckRow ground_rows[] = {
    DLS_DECK_PATH_ROW(DlsSceneGround, file, DLS_DECK_OPTIONAL,
                      "CSV with columns time [s] and x, y, z [m/s2], any of them"),
    RECORD_ROW(time, "s", "in the place of a file: ascending"),
    RECORD_ROW(x, "m/s2", "accelerations at these times"),
    RECORD_ROW(y, "m/s2", "accelerations"),
    RECORD_ROW(z, "m/s2", "accelerations"),
    DLS_DECK_REAL_ROW(DlsSceneGround, scale, NULL, "1", -DLS_DECK_FREE, DLS_DECK_FREE,
                      "factor of all accelerations"),
    DLS_DECK_REAL_ROW(DlsSceneGround, from, "s", "0", 0, DLS_DECK_FREE, "when the record begins"),
    DLS_DECK_BOOL_ROW(DlsSceneGround, baseline, "true",
                      "corrected so that velocity and displacement end at 0"),
    DLS_DECK_PLACE_ROW(DlsSceneGround, node),
};

/* Times ascend; where they do not, the row, else -1. */
static int first_not_ascending(const DlsDeckReals *time) {
  for (int i = 1; i < time->count; i++)
    if (!(time->values[i] > time->values[i - 1])) return i;
  return -1;
}

static DlsDeckReals *axis_of(DlsSceneGround *s, int k) {
  return k == 0 ? &s->x : k == 1 ? &s->y : &s->z;
}

static DlsStatus read_record(DlsSceneGround *s) {
  static const DlsParam time = {.name = "time", .unit = "s"},
                        axis[3] = {{.name = "x", .unit = "m/s2"},
                                   {.name = "y", .unit = "m/s2"},
                                   {.name = "z", .unit = "m/s2"}};
  DlsTable table;
  DLS_TRY(dls_table_read_units(s->file, &table));
  DlsStatus status = dls_scene_read_column(s->file, &table, &time, &s->time);
  int axes = 0;
  for (int k = 0; k < 3 && status == DLS_OK; k++)
    if (dls_table_find(&table, axis[k].name) >= 0) {
      axes++;
      status = dls_scene_read_column(s->file, &table, &axis[k], axis_of(s, k));
    }
  if (status == DLS_OK && axes == 0)
    status = dls_fail(DLS_ERR_FORMAT,
                      "%s:%d: there is no column of accelerations; call one 'x [m/s2]', y or z",
                      s->file, table.header);
  const int row = status == DLS_OK ? first_not_ascending(&s->time) : -1;
  if (row >= 0)
    status = dls_fail(DLS_ERR_FORMAT,
                      "%s:%d: the time %g s does not follow %g s; times ascend from row to row",
                      s->file, table.line[row], s->time.values[row], s->time.values[row - 1]);
  dls_table_clear(&table);
  return status;
}

static void check_record(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  DlsSceneGround *s = data;
  const bool numbers = s->time.count || s->x.count || s->y.count || s->z.count;
  if (s->file && numbers) {
    dls_deck_problem(deck, node, "file", "has numbers beside it; give either a file or lists");
    return;
  }
  if (s->file) {
    const DlsStatus status = read_record(s);
    if (status != DLS_OK) dls_deck_problem(deck, node, "file", "%s", dls_error_message());
    free(s->file);
    s->file = NULL;
    if (status != DLS_OK) return;
  }
  if (s->time.count < 2) {
    dls_deck_problem(deck, node, NULL, "a record of %d times; give a file, or lists of two or more",
                     s->time.count);
    return;
  }
  int axes = 0;
  for (int k = 0; k < 3; k++) {
    const int count = axis_of(s, k)->count;
    axes += count > 0;
    if (count && count != s->time.count)
      dls_deck_problem(deck, node, (const char *[]){"x", "y", "z"}[k],
                       "has %d numbers for %d times; give as many", count, s->time.count);
  }
  if (axes == 0) dls_deck_problem(deck, node, NULL, "no accelerations; give x, y or z");
  const int row = first_not_ascending(&s->time);
  if (row >= 0)
    dls_deck_problem(deck, node, "time", "%g s does not follow %g s; times ascend",
                     s->time.values[row], s->time.values[row - 1]);
}

const DlsDeckSection dls_scene_ground_section = {
    .name = "ground",
    .meaning = "how boundaries and held bodies without a motion of their own move",
    .rows = ground_rows,
    .count = DLS_COUNT(ground_rows),
    .bytes = sizeof(DlsSceneGround),
    .check = check_record};

static const DlsDeckRow wheel_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneWheel, speed, "m/s", DLS_DECK_REQUIRED, -DLS_DECK_FREE, DLS_DECK_FREE,
                      "along the row"),
    DLS_DECK_REAL_ROW(DlsSceneWheel, start, "m", "0", -DLS_DECK_FREE, DLS_DECK_FREE,
                      "where it is when the load begins"),
    DLS_DECK_CHOICE_ROW(DlsSceneWheel, along, "x|y|z", "x", "the axis it rolls along"),
    DLS_DECK_CHOICE_ROW(DlsSceneWheel, kernel, DLS_CHOICES(DLS_WHEEL_KERNELS), "triangle",
                        "how neighbours share it: a broken rail, or a beam on springs"),
    DLS_DECK_REAL_ROW(DlsSceneWheel, length, "m", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE,
                      "of the kernel: distance of sleepers; beam: (4 E I / k)^(1/4)"),
};
static const DlsDeckSection wheel_section =
    DLS_SCENE_SECTION(DlsSceneWheel, wheel_rows, "wheel", "a force that rolls along a row");

static const DlsDeckRow load_rows[] = {
    {DLS_DECK_ROW(DlsSceneLoad, on, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "names of bodies or chains; not given: all bodies"),
     .least = 1, .most = 100000},
    DLS_DECK_STRING_ROW(DlsSceneLoad, material, DLS_DECK_OPTIONAL,
                        "in the place of names: bodies of it"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneLoad, acceleration, "m/s2", DLS_DECK_OPTIONAL, 2, 3,
                             "force m a on each, functions of t: a share of its weight"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneLoad, force, "N", DLS_DECK_OPTIONAL, 2, 3,
                             "on each at its centre, functions of t; of a wheel in all"),
    {DLS_DECK_ROW(DlsSceneLoad, wheel, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "the force rolls along the bodies of `on`"),
     .section = &wheel_section},
    DLS_DECK_REAL_ROW(DlsSceneLoad, from, "s", "0", 0, DLS_DECK_FREE, "when it begins"),
    DLS_DECK_REAL_ROW(DlsSceneLoad, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it ends; not given: never"),
    DLS_DECK_PLACE_ROW(DlsSceneLoad, node),
};
const DlsDeckSection dls_scene_load_section =
    DLS_SCENE_SECTION(DlsSceneLoad, load_rows, "load", "forces on bodies besides gravity");

static const DlsSceneMaterial *find_material(const DlsSceneData *data, const char *name) {
  const DlsSceneMaterial *items = data->materials.items;
  for (int k = 0; k < data->materials.count; k++)
    if (strcmp(items[k].name, name) == 0) return &items[k];
  return NULL;
}

static void check_load(DlsDeck *deck, const DlsSceneData *data, const DlsSceneLoad *s) {
  if (!s->acceleration[0] == !s->force[0])
    dls_deck_problem(deck, s->node, s->force[0] ? "force" : NULL,
                     "a load has either an acceleration or a force; %s",
                     s->force[0] ? "take one away" : "give one");
  if (s->on.count && s->material)
    dls_deck_problem(deck, s->node, "material", "the bodies are named by `on`; take one away");
  if (s->material && !find_material(data, s->material))
    dls_deck_problem(deck, s->node, "material", "there is no material '%s'", s->material);
  if (s->wheel && (!s->on.count || !s->force[0]))
    dls_deck_problem(deck, s->node, "wheel", "a wheel needs %s",
                     s->on.count ? "a force" : "the bodies of its row; name them by `on`");
  if (s->wheel && s->wheel->along >= data->dimension)
    dls_deck_problem(deck, dls_deck_find(s->node, "wheel"), "along", "there is no z in 2-D");
  if (s->until <= s->from)
    dls_deck_problem(deck, s->node, "until", "ends at %g s, but begins at %g s; give a later time",
                     s->until, s->from);
  DlsExpression *const *given = s->force[0] ? s->force : s->acceleration;
  if (data->dimension == 2 && given[2] &&
      !(dls_expression_is_constant(given[2]) && dls_expression_value(given[2], 0) == 0))
    dls_deck_problem(deck, s->node, s->force[0] ? "force" : "acceleration",
                     "pushes bodies out of the plane in 2-D; give two components");
}

void dls_scene_check_loads(DlsDeck *deck, const DlsSceneData *data) {
  const DlsSceneLoad *items = data->loads.items;
  for (int k = 0; k < data->loads.count; k++) check_load(deck, data, &items[k]);
  if (data->ground && data->ground->z.count && data->dimension == 2)
    dls_deck_problem(deck, data->ground->node, "z",
                     "moves the ground out of the plane in 2-D; take it away, or set dimension: 3");
}

DlsStatus dls_scene_set_ground(DlsScene *scene) {
  DlsSceneGround *s = scene->data.ground;
  if (!s) return DLS_OK;
  const double *acceleration[3] = {NULL, NULL, NULL};
  for (int k = 0; k < 3; k++)
    if (axis_of(s, k)->count) acceleration[k] = axis_of(s, k)->values;
  DLS_TRY(dls_ground_create(s->time.count, s->time.values, acceleration, s->scale, s->baseline,
                            s->from, &scene->ground));
  double end[9];
  dls_ground_at(&scene->ground, scene->ground.time[scene->ground.rows - 1], end);
  DLS_CHECK(isfinite(end[6]) && isfinite(end[7]) && isfinite(end[8]), DLS_ERR_NUMERIC,
            "the record's displacement is not finite; look at its units and scale");
  return DLS_OK;
}
