#include "world/body_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"
#include "world/population/population.h"

void dls_body_file_clear(DlsBodyFile *file) {
  dls_world_destroy(&file->world);
  *file = (DlsBodyFile){0};
}

/* Columns beyond those of a population, -1 for one that is not there. */
typedef struct {
  int velocity[6], quaternion[4], angle, material, id;
} Columns;

static const double end_of_ids = (double)DLS_END_OF_IDS;

static int find(const DlsTable *table, const char *name) {
  return table->named ? dls_table_find(table, name) : -1;
}

static DlsStatus find_columns(const char *path, int dim, const DlsTable *table, Columns *c) {
  static const char *const motion[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  static const char *const turn[] = {"qw", "qx", "qy", "qz"};
  int turns = 0;
  for (int k = 0; k < 6; k++) c->velocity[k] = find(table, motion[k]);
  for (int k = 0; k < 4; k++) turns += (c->quaternion[k] = find(table, turn[k])) >= 0;
  c->angle = find(table, "angle");
  c->material = find(table, "material");
  c->id = find(table, "id");
  DLS_CHECK(turns == 0 || turns == 4, DLS_ERR_FORMAT,
            "%s: %d of the columns qw, qx, qy, qz: an orientation needs all four", path, turns);
  DLS_CHECK(c->angle < 0 || (dim == 2 && turns == 0), DLS_ERR_FORMAT,
            "%s: the column 'angle' is for 2-D, in the place of qw, qx, qy, qz", path);
  return DLS_OK;
}

typedef struct {
  double id;
  int row;
} Row;

static int by_id(const void *a, const void *b) {
  const Row *p = a, *q = b;
  if (p->id != q->id) return p->id < q->id ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

/* The rows by their ids, checked; without ids as they stand. */
static DlsStatus sort_rows(const char *path, const DlsTable *table, int column, Row **out) {
  Row *rows;
  DLS_NEW(rows, table->rows);
  for (int i = 0; i < table->rows; i++)
    rows[i] = (Row){
        column < 0 ? i + 1 : table->value[(size_t)i * (size_t)table->columns + (size_t)column], i};
  *out = rows;
  if (column < 0) return DLS_OK;
  qsort(rows, (size_t)table->rows, sizeof *rows, by_id);
  for (int i = 0; i < table->rows; i++) {
    const int line = table->line[rows[i].row];
    DLS_CHECK(rows[i].id >= 1 && rows[i].id < end_of_ids && rows[i].id == floor(rows[i].id),
              DLS_ERR_FORMAT, "%s:%d: the id is %g: a whole number from 1 is wanted", path, line,
              rows[i].id);
    DLS_CHECK(i == 0 || rows[i].id > rows[i - 1].id, DLS_ERR_FORMAT,
              "%s:%d: the id %.0f is also that of line %d: give each body its own", path, line,
              rows[i].id, table->line[rows[i - 1].row]);
  }
  return DLS_OK;
}

static DlsStatus add_row(const char *path, const DlsTable *table, const Columns *c, const Row *from,
                         const DlsPopulation *p, const DlsShape *unit, DlsWorld *world) {
  const double *row = table->value + (size_t)from->row * (size_t)table->columns;
  DlsBody body = {.shape = unit,
                  .scale = p->radius[from->row],
                  .density = 1,
                  .id = c->id >= 0 ? (uint64_t)from->id : 0};
  memcpy(body.position, p->centre + 3 * (size_t)from->row, sizeof body.position);
  for (int k = 0; k < 6; k++) body.velocity[k] = c->velocity[k] >= 0 ? row[c->velocity[k]] : 0;
  for (int k = 0; k < 4; k++)
    body.orientation[k] = c->quaternion[k] >= 0 ? row[c->quaternion[k]] : k == 0;
  if (c->angle >= 0) {
    body.orientation[0] = cos(row[c->angle] / 2);
    body.orientation[3] = sin(row[c->angle] / 2);
  }
  double norm = 0;
  for (int k = 0; k < 4; k++) norm += body.orientation[k] * body.orientation[k];
  DLS_CHECK(fabs(sqrt(norm) - 1) < 1e-3, DLS_ERR_FORMAT,
            "%s:%d: the quaternion has the length %g: 1 is wanted", path, table->line[from->row],
            sqrt(norm));
  if (dls_world_add_body(world, &body) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s:%d", path, table->line[from->row]);
  if (c->angle >= 0) dls_world_set_angle(world, world->count - 1, row[c->angle]);
  if (c->material < 0) return DLS_OK;
  const double material = row[c->material];
  DLS_CHECK(material >= 0 && material < 1e6 && material == floor(material), DLS_ERR_FORMAT,
            "%s:%d: the material is %g: its number in the deck, from 0, is wanted", path,
            table->line[from->row], material);
  world->material[world->count - 1] = (int)material;
  return DLS_OK;
}

static DlsStatus fill(const char *path, const DlsTable *table, const DlsPopulation *p,
                      DlsBodyFile *out) {
  Columns c;
  Row *rows = NULL;
  DlsShape unit = {0};
  DLS_TRY(find_columns(path, p->dim, table, &c));
  DLS_TRY(dls_world_create(p->dim, &out->world));
  DLS_TRY(dls_world_reserve(out->world, p->count, p->count));
  for (int k = 0; k < 6; k++) (k < 3 ? &out->velocities : &out->spins)[0] |= c.velocity[k] >= 0;
  out->ids = c.id >= 0;
  out->materials = out->explicit_materials = c.material >= 0;
  DlsStatus status = dls_shape_sphere(p->dim, 1, &unit);
  if (status == DLS_OK) status = sort_rows(path, table, c.id, &rows);
  for (int i = 0; i < p->count && status == DLS_OK; i++)
    status = add_row(path, table, &c, &rows[i], p, &unit, out->world);
  free(rows);
  dls_shape_clear(&unit);
  return status;
}

DlsStatus dls_body_file_table(const char *path, int dim, DlsBodyFile *out) {
  DlsPopulation population = {0};
  DlsTable table;
  *out = (DlsBodyFile){0};
  DLS_TRY(dls_population_read(path, dim, &population));
  DlsStatus status = dls_table_read(path, &table);
  if (status == DLS_OK) {
    status = table.rows == population.count
                 ? fill(path, &table, &population, out)
                 : dls_fail(DLS_ERR_FILE, "%s: changes while it is read", path);
    dls_table_clear(&table);
  }
  dls_population_clear(&population);
  if (status != DLS_OK) dls_body_file_clear(out);
  return status;
}
