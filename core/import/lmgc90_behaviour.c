/* BULK_BEHAV.DAT (densities, gravity) and TACT_BEHAV.DAT (laws; the table of who meets whom). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "import/lmgc90_impl.h"

static DlsStatus read_gravity(DlsLmgc90 *scene, DlsImportText *t) {
  static const char *const key[] = {"grv1", "grv2", "grv3"};
  const char *line = dls_import_text_next(t);
  if (!line) return dls_import_text_fail(t, "the file ends behind $gravy");
  for (int k = 0; k < 3; k++)
    DLS_TRY(dls_import_number(t, line, key[k], false, &scene->gravity[k]));
  return DLS_OK;
}

static DlsStatus read_bulk(DlsLmgc90 *scene, DlsImportText *t, const char *line) {
  char word[DLS_IMPORT_WORD];
  DLS_TRY(dls_lmgc90_grow(&scene->bulk, scene->bulks, &scene->bulk_room, sizeof *scene->bulk));
  DlsLmgc90Bulk *bulk = &scene->bulk[scene->bulks++];
  *bulk = (DlsLmgc90Bulk){.line = t->at};
  dls_lmgc90_name(line, 0, bulk->name);
  DLS_TRY(dls_import_number(t, line, "Umas", true, &bulk->density));
  if (!(bulk->density >= 0))
    return dls_import_text_fail(t, "Umas= %g; a density is not negative", bulk->density);
  snprintf(bulk->law, sizeof bulk->law, "%.7s", dls_import_word(line, 1, word));
  bulk->young = bulk->poisson = NAN;
  bulk->plain = true;
  return DLS_OK;
}

/* Lines below: `elas: standard`, `ani_: isotropic`, EYng= and Epss=, in any order. */
static DlsStatus read_bulk_more(const DlsImportText *t, const char *line, DlsLmgc90Bulk *bulk) {
  char word[DLS_IMPORT_WORD];
  if (dls_import_begins(line, "elas:"))
    bulk->plain &= strcmp(dls_import_word(line, 1, word), "standard") == 0;
  if (dls_import_begins(line, "ani_:"))
    bulk->plain &= strcmp(dls_import_word(line, 1, word), "isotropic") == 0;
  DLS_TRY(dls_import_number(t, line, "EYng", false, &bulk->young));
  return dls_import_number(t, line, "Epss", false, &bulk->poisson);
}

/* Lines behind `$behav lawty`: the first has the name, others belong to it. */
static DlsStatus read_bulk_all(DlsLmgc90 *scene, DlsImportText *t) {
  bool expected = false, inside = false;
  for (const char *line; (line = dls_import_text_next(t));) {
    if (dls_import_begins(line, "$")) inside = false;
    if (dls_import_begins(line, "$gravy")) {
      DLS_TRY(read_gravity(scene, t));
    } else if (dls_import_begins(line, "$behav")) {
      expected = true;
    } else if (expected) {
      DLS_TRY(read_bulk(scene, t, line));
      expected = false, inside = true;
    } else if (inside) {
      DLS_TRY(read_bulk_more(t, line, &scene->bulk[scene->bulks - 1]));
    }
  }
  return DLS_OK;
}

/* All fields `key= number` of a line; words behind a colon are no numbers and are passed over. */
static DlsStatus read_fields(const DlsImportText *t, const char *line, DlsLmgc90Law *law) {
  for (const char *p = line; (p = strchr(p, '=')); p++) {
    const char *end = p, *rest;
    while (end > line && isspace((unsigned char)end[-1])) end--;
    const char *start = end;
    while (start > line && !isspace((unsigned char)start[-1])) start--;
    if (law->fields == DLS_LMGC90_FIELDS)
      return dls_import_text_fail(t, "more than %d numbers of one law", DLS_LMGC90_FIELDS);
    if (start == end) return dls_import_text_fail(t, "a = without a key before it");
    snprintf(law->field[law->fields].key, DLS_LMGC90_NAME, "%.*s",
             (int)(end - start < 7 ? end - start : 7), start);
    if (!dls_import_real(p + 1, &law->field[law->fields].value, &rest) ||
        (*rest && !isspace((unsigned char)*rest)))
      return dls_import_text_fail(t, "%s= is followed by no finite number",
                                  law->field[law->fields].key);
    law->fields++;
  }
  return DLS_OK;
}

static DlsStatus read_law(DlsLmgc90 *scene, DlsImportText *t, const char *line) {
  char word[DLS_IMPORT_WORD];
  DLS_TRY(dls_lmgc90_grow(&scene->law, scene->laws, &scene->law_room, sizeof *scene->law));
  DlsLmgc90Law *law = &scene->law[scene->laws++];
  *law = (DlsLmgc90Law){.line = t->at};
  dls_lmgc90_name(line, 0, law->name);
  snprintf(law->law, sizeof law->law, "%.31s", dls_import_word(line, 1, word));
  return read_fields(t, line, law);
}

/* " RBDY3  POLYR  BLEUx  iqsc0  RBDY3  PLANx  VERTx       0.5000000D-02" */
static DlsStatus read_sight(DlsLmgc90 *scene, DlsImportText *t) {
  char word[DLS_IMPORT_WORD];
  const char *line = dls_import_text_next(t), *rest;
  if (line && strcmp(dls_import_word(line, 0, word), "cdbdy") == 0) line = dls_import_text_next(t);
  if (!line) return dls_import_text_fail(t, "the file ends behind $seety");
  DLS_TRY(dls_lmgc90_grow(&scene->sight, scene->sights, &scene->sight_room, sizeof *scene->sight));
  DlsLmgc90Sight *s = &scene->sight[scene->sights++];
  *s = (DlsLmgc90Sight){.line = t->at};
  for (int k = 0; k < 2; k++) {
    dls_lmgc90_name(line, 4 * k, s->body[k]);
    dls_lmgc90_name(line, 4 * k + 1, s->kind[k]);
    dls_lmgc90_name(line, 4 * k + 2, s->colour[k]);
  }
  dls_lmgc90_name(line, 3, s->law);
  if (!dls_import_real(dls_import_word(line, 7, word), &s->alert, &rest) || !(s->alert >= 0))
    return dls_import_text_fail(t, "eight words are wanted: cdbdy cdtac cdcol behav anbdy antac "
                                   "ancol and the alert distance, not negative");
  for (int k = 0; k < 2; k++)
    if (!dls_lmgc90_dim(s->body[k]) && !dls_lmgc90_is_mesh(s->body[k]))
      return dls_import_note(&scene->notes, true, t->path, t->at,
                             "a pair of %s and %s is left out: RBDY2, RBDY3 and MAILx are taken",
                             s->body[0], s->body[1]);
  return DLS_OK;
}

static DlsStatus read_tact_all(DlsLmgc90 *scene, DlsImportText *t) {
  enum { NOTHING, FIRST, MORE } state = NOTHING;
  for (const char *line; (line = dls_import_text_next(t));) {
    if (dls_import_begins(line, "$behav")) {
      state = FIRST;
    } else if (dls_import_begins(line, "$seety")) {
      state = NOTHING;
      DLS_TRY(read_sight(scene, t));
    } else if (dls_import_begins(line, "+")) {
      DLS_TRY(dls_import_note(&scene->notes, false, t->path, t->at,
                              "a second distance of a pair is not taken"));
    } else if (state == FIRST) {
      DLS_TRY(read_law(scene, t, line));
      state = MORE;
    } else if (state == MORE && strchr(line, '=')) {
      DLS_TRY(read_fields(t, line, &scene->law[scene->laws - 1]));
    }
  }
  return DLS_OK;
}

static DlsStatus read_file(DlsLmgc90 *scene, const char *path,
                           DlsStatus (*read)(DlsLmgc90 *, DlsImportText *)) {
  DlsImportText text;
  DLS_TRY(dls_import_text_read(path, '!', &text));
  const DlsStatus status = read(scene, &text);
  dls_import_text_clear(&text);
  return status;
}

DlsStatus dls_lmgc90_read_bulk(DlsLmgc90 *scene) {
  return read_file(scene, scene->bulk_dat, read_bulk_all);
}

DlsStatus dls_lmgc90_read_tact(DlsLmgc90 *scene) {
  return read_file(scene, scene->tact_dat, read_tact_all);
}
