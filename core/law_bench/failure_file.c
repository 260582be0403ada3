#include "law_bench/failure_file.h"

#include "deck/deck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double time, h, gap, gap_rate, radius, mass;
  int dimension, block;
  DlsDeckReals u_before, frame, axes, fields, surface, tables;
  double area;
  DlsDeckReals point, radii, spin, turn, body;
  DlsDeckStrings material;
} Contact;

typedef struct {
  char *sentence, *function;
  DlsDeckStrings laws;
  DlsDeckReals parameters, state;
  int number;
  Contact contact;
  DlsDeckReals u, r, D, q;
  double rho;
} File;

#define REALS(type, field, unit_, most_, about)                                                    \
  {                                                                                                \
    DLS_DECK_ROW(type, field, DLS_DECK_REALS, DLS_DECK_OPTIONAL, about), .unit = (unit_),          \
                                                                         .most = (most_)           \
  }
#define REAL(type, field, unit_, about)                                                            \
  DLS_DECK_REAL_ROW(type, field, unit_, "0", -DLS_DECK_FREE, DLS_DECK_FREE, about)

static const DlsDeckRow contact_rows[] = {
    DLS_DECK_INT_ROW(Contact, dimension, DLS_DECK_REQUIRED, 2, 3, "of space"),
    DLS_DECK_INT_ROW(Contact, block, DLS_DECK_REQUIRED, 2, 6, "components of u and r"),
    REAL(Contact, time, "s", "at the start of the step"),
    DLS_DECK_REAL_ROW(Contact, h, "s", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "the step"),
    REAL(Contact, gap, "m", ""),
    REAL(Contact, gap_rate, "m/s", "the scheme's part of u_N"),
    REAL(Contact, radius, "m", "reduced"),
    REAL(Contact, mass, "kg", "reduced"),
    REALS(Contact, u_before, NULL, DLS_MAX_BLOCK, "m/s, spins rad/s"),
    REALS(Contact, frame, NULL, 9, "rows n, t1, t2"),
    REALS(Contact, axes, NULL, 18, "material axes of antagonist and candidate, by rows"),
    REALS(Contact, fields, NULL, 2 * DLS_MAX_PARAMS, "of antagonist, then of candidate"),
    REALS(Contact, surface, NULL, 2 * DLS_MAX_PARAMS, "likewise"),
    REALS(Contact, tables, NULL, DLS_MAX_TABLES + 2 * DLS_MAX_ROWS,
          "of all laws, each: how many rows, its column x, its column y; SI"),
    REAL(Contact, area, "m2", "that the point stands for; 0: unknown"),
    REALS(Contact, point, NULL, 3, "m, where the reaction acts"),
    REALS(Contact, radii, NULL, 2, "m, of antagonist and candidate; 0: flat or unknown"),
    REALS(Contact, spin, NULL, 6, "rad/s, of antagonist, then of candidate"),
    REALS(Contact, turn, NULL, 3, "rad, of the pair since the step before"),
    REALS(Contact, body, NULL, 2, "ids; of a boundary minus its own"),
    {DLS_DECK_ROW(Contact, material, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL, "their names"),
     .most = 2},
};
static const DlsDeckSection contact_section = {.name = "contact",
                                               .meaning = "what the law was told",
                                               .rows = contact_rows,
                                               .count = DLS_COUNT(contact_rows),
                                               .bytes = sizeof(Contact)};

static const DlsDeckRow rows[] = {
    DLS_DECK_STRING_ROW(File, sentence, "", "what was said"),
    DLS_DECK_STRING_ROW(File, function, DLS_DECK_REQUIRED, "that failed"),
    {DLS_DECK_ROW(File, laws, DLS_DECK_STRINGS, DLS_DECK_REQUIRED, "files, or names"), .least = 1,
     .most = DLS_MAX_LAWS},
    DLS_DECK_INT_ROW(File, number, "0", -1, 2147483647, "of the contact in its step"),
    REALS(File, parameters, NULL, DLS_MAX_PARAMS, "of all laws, in the order of their tables"),
    REALS(File, state, NULL, DLS_MAX_PARAMS, "likewise, at the start of the step"),
    {DLS_DECK_ROW(File, contact, DLS_DECK_SECTION, "", "what the law was told"),
     .section = &contact_section},
    REALS(File, u, NULL, DLS_MAX_BLOCK, "m/s, rad/s"),
    REALS(File, r, NULL, DLS_MAX_BLOCK, "N s, N m s"),
    REAL(File, rho, "kg", "of project"),
    REALS(File, D, NULL, DLS_MAX_BLOCK *DLS_MAX_BLOCK, "u = D r + q with the others held"),
    REALS(File, q, NULL, DLS_MAX_BLOCK, "m/s"),
};
static const DlsDeckSection section = {.name = "failure",
                                       .meaning = "a contact law that failed",
                                       .rows = rows,
                                       .count = DLS_COUNT(rows),
                                       .bytes = sizeof(File)};

/* Lent for the writing; none where a number is not finite, which a deck cannot hold. */
static DlsDeckReals lend(const double *values, int count) {
  for (int k = 0; k < count; k++)
    if (!isfinite(values[k])) return (DlsDeckReals){0};
  return (DlsDeckReals){count ? (double *)(uintptr_t)values : NULL, count}; /* only read */
}

/* How many rows, x and y of table after table: out [DLS_MAX_TABLES + 2 DLS_MAX_ROWS]; returns how
 * many numbers these are. */
static int join_tables(const DlsLawFailure *f, int tables, double *out) {
  const double *from = f->rows;
  double *at = out;
  for (int k = 0; k < tables; k++) {
    const size_t count = 2 * (size_t)f->table[k].rows;
    *at++ = f->table[k].rows;
    memcpy(at, from, count * sizeof *at);
    at += count;
    from += count;
  }
  return (int)(at - out);
}

DlsStatus dls_failure_write(const DlsLawFailure *f, const char *path) {
  const DlsContact *c = &f->kinematics;
  const DlsLawUse use = {.law = f->law[0], .then = f->law + 1};
  const int size = f->local ? c->block * c->block : 0, fields = dls_law_count_fields(&use),
            surfaces = dls_law_count_surfaces(&use);
  double field[2 * DLS_MAX_PARAMS], surface[2 * DLS_MAX_PARAMS];
  double table[DLS_MAX_TABLES + 2 * DLS_MAX_ROWS];
  const double body[2] = {(double)c->body[0], (double)c->body[1]}; /* below 2^47 */
  char *material[2] = {(char *)(uintptr_t)f->material[0], (char *)(uintptr_t)f->material[1]};
  for (int k = 0; k < 2 * fields; k++) field[k] = f->fields[k / fields][k % fields];
  for (int k = 0; k < 2 * surfaces; k++) surface[k] = f->surface[k / surfaces][k % surfaces];
  char *laws[DLS_MAX_LAWS] = {NULL};
  File file = {.sentence = (char *)(uintptr_t)f->sentence,
               .function = (char *)(uintptr_t)f->function,
               .laws = {laws, 0},
               .number = f->contact,
               .rho = f->rho,
               .parameters = lend(f->params, dls_law_count_params(&use)),
               .state = lend(f->state, dls_law_count_states(&use)),
               .u = lend(f->u, c->block),
               .r = lend(f->r, c->block),
               .D = lend(f->D, size),
               .q = lend(f->q, size ? c->block : 0),
               .contact = {.time = c->time,
                           .h = c->h,
                           .gap = c->gap,
                           .gap_rate = c->gap_rate,
                           .radius = c->radius,
                           .mass = c->mass,
                           .dimension = c->dim,
                           .block = c->block,
                           .u_before = lend(c->u_before, c->block),
                           .frame = lend(c->frame[0], 9),
                           .axes = lend(c->axes[0][0], 18),
                           .fields = lend(field, 2 * fields),
                           .surface = lend(surface, 2 * surfaces),
                           .tables = lend(table, join_tables(f, dls_law_count_tables(&use), table)),
                           .area = c->area,
                           .point = lend(c->point, 3),
                           .radii = lend(c->radii, 2),
                           .spin = lend(c->spin[0], 6),
                           .turn = lend(c->turn, 3),
                           .body = lend(body, 2),
                           .material = {material[0][0] && material[1][0] ? material : NULL, 2}}};
  if (dls_law_failure_is_load(f)) laws[file.laws.count++] = (char *)(uintptr_t)f->file;
  for (int k = 0; k < DLS_MAX_LAWS && f->law[k]; k++) {
    const char *from = dls_law_path(f->law[k]);
    laws[file.laws.count++] = (char *)(uintptr_t)(from ? from : f->law[k]->name);
  }
  return dls_deck_write(&section, &file,
                        "A contact law failed. To repeat the call alone:\n"
                        "  delassus law path --replay law-failure.yaml",
                        path);
}

/* By path; where the file has gone, by the name that it had. */
static DlsStatus find_law(const char *where, const DlsLaw **out) {
  if (dls_law_find(where, out) == DLS_OK) return DLS_OK;
  const char *slash = strrchr(where, '/');
  char name[128];
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : where);
  char *dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  return dls_law_find(name, out);
}

/* The numbers of a list, which must be as many as there are places. */
static DlsStatus take(const char *path, const char *key, const DlsDeckReals *from, int count,
                      double *to) {
  if (!from->values) return DLS_OK; /* zeros */
  DLS_CHECK(from->count == count, DLS_ERR_FORMAT, "%s: %s: has %d numbers, needs %d", path, key,
            from->count, count);
  memcpy(to, from->values, (size_t)count * sizeof *to);
  return DLS_OK;
}

/* So many numbers of antagonist and candidate. */
static DlsStatus take_sides(const char *path, const char *key, const DlsDeckReals *from, int count,
                            double (*to)[DLS_MAX_PARAMS]) {
  double both[2 * DLS_MAX_PARAMS] = {0};
  DLS_TRY(take(path, key, from, 2 * count, both));
  for (int side = 0; side < 2; side++)
    memcpy(to[side], both + side * count, (size_t)count * sizeof *both);
  return DLS_OK;
}

/* Numbers of tables as they are written, of which there is none in files without any. */
static DlsStatus take_tables(const char *path, const DlsDeckReals *from, const DlsLawUse *use,
                             DlsLawFailure *out) {
  int at = 0, kept = 0;
  for (int k = 0; k < dls_law_count_tables(use); k++) {
    const double given = at < from->count ? from->values[at] : 0;
    const int count =
        given >= 0 && given <= DLS_MAX_ROWS && given == floor(given) ? (int)given : -1;
    DLS_CHECK(count >= 0 && at++ + 2 * count <= from->count &&
                  kept + 2 * count <= DLS_COUNT(out->rows),
              DLS_ERR_FORMAT, "%s: contact.tables: table %d has %g rows, which are not there", path,
              k, given);
    out->table[k].rows = count;
    for (int i = 0; i < 2 * count; i++) out->rows[kept++] = from->values[at++];
  }
  const DlsLawUse told = dls_law_failure_use(out); /* which sets x and y */
  for (int k = 0, first = 0, law = 0; k < dls_law_count_tables(use); k++) {
    while (k - first >= out->law[law]->ntables) first += out->law[law++]->ntables;
    out->table[k].beyond = out->law[law]->tables[k - first].standard.beyond;
    DLS_TRY(dls_law_table_check(out->law[law], k - first, &told.kinematics->tables[k], NULL));
  }
  return DLS_OK;
}

static DlsStatus take_contact(const char *path, const Contact *from, DlsContact *c) {
  *c = (DlsContact){.dim = from->dimension,
                    .block = from->block,
                    .time = from->time,
                    .h = from->h,
                    .gap = from->gap,
                    .gap_rate = from->gap_rate,
                    .radius = from->radius,
                    .mass = from->mass,
                    .area = from->area};
  double body[2] = {0};
  DLS_TRY(take(path, "contact.u_before", &from->u_before, c->block, c->u_before));
  DLS_TRY(take(path, "contact.frame", &from->frame, 9, c->frame[0]));
  DLS_TRY(take(path, "contact.point", &from->point, 3, c->point));
  DLS_TRY(take(path, "contact.radii", &from->radii, 2, c->radii));
  DLS_TRY(take(path, "contact.spin", &from->spin, 6, c->spin[0]));
  DLS_TRY(take(path, "contact.turn", &from->turn, 3, c->turn));
  DLS_TRY(take(path, "contact.body", &from->body, 2, body));
  for (int side = 0; side < 2; side++)
    if (fabs(body[side]) < 0x1p53) c->body[side] = (int64_t)body[side];
  return take(path, "contact.axes", &from->axes, 18, c->axes[0][0]);
}

static DlsStatus take_all(const char *path, const File *file, DlsLawFailure *out) {
  const int block = file->contact.block;
  snprintf(out->function, sizeof out->function, "%s", file->function);
  snprintf(out->sentence, sizeof out->sentence, "%s", file->sentence ? file->sentence : "");
  out->contact = file->number;
  out->rho = file->rho;
  out->local = file->D.values && file->q.values;
  if (dls_law_failure_is_load(out)) { /* there is no law to be told anything */
    snprintf(out->file, sizeof out->file, "%s", file->laws.values[0]);
    out->kinematics = dls_contact_default(3);
    return DLS_OK;
  }
  for (int k = 0; k < file->laws.count; k++) DLS_TRY(find_law(file->laws.values[k], &out->law[k]));
  const DlsLawUse use = dls_law_failure_use(out);
  DLS_TRY(take(path, "parameters", &file->parameters, dls_law_count_params(&use), out->params));
  DLS_TRY(take(path, "state", &file->state, dls_law_count_states(&use), out->state));
  DLS_TRY(take_contact(path, &file->contact, &out->kinematics));
  DLS_TRY(take_sides(path, "contact.fields", &file->contact.fields, dls_law_count_fields(&use),
                     out->fields));
  DLS_TRY(take_sides(path, "contact.surface", &file->contact.surface, dls_law_count_surfaces(&use),
                     out->surface));
  DLS_TRY(take_tables(path, &file->contact.tables, &use, out));
  for (int side = 0; side < file->contact.material.count && side < 2; side++)
    snprintf(out->material[side], sizeof out->material[side], "%s",
             file->contact.material.values[side]);
  DLS_TRY(take(path, "u", &file->u, block, out->u));
  DLS_TRY(take(path, "r", &file->r, block, out->r));
  DLS_TRY(take(path, "D", &file->D, block * block, out->D));
  return take(path, "q", &file->q, block, out->q);
}

DlsStatus dls_failure_read(const char *path, DlsLawFailure *out) {
  DlsDeck *deck;
  File file;
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_deck_open(path, &deck));
  DlsStatus status = dls_deck_read(deck, &section, &file);
  if (status == DLS_OK) {
    status = take_all(path, &file, out);
    dls_deck_release(&section, &file);
  }
  dls_deck_destroy(&deck);
  return status;
}
