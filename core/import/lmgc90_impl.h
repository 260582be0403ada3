/* What the files of the reader of LMGC90's folders share. */
#ifndef DELASSUS_IMPORT_LMGC90_IMPL_H
#define DELASSUS_IMPORT_LMGC90_IMPL_H

#include <stdio.h>
#include <string.h>

#include "import/lmgc90.h"

DlsStatus dls_lmgc90_read_bodies(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_bulk(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_tact(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_drive(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_dof(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_command(DlsLmgc90 *scene);
DlsStatus dls_lmgc90_read_models(DlsLmgc90 *scene);

/* Lines of a MAILx in BODIES.DAT, by section; `name` is their first word. */
DlsStatus dls_lmgc90_begin_mesh(DlsLmgc90 *scene, const DlsImportText *t, DlsLmgc90Mesh **out);
DlsStatus dls_lmgc90_mesh_cell(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                               const char *line, const char *name);
DlsStatus dls_lmgc90_mesh_node(const DlsImportText *t, DlsLmgc90Mesh *mesh, const char *line,
                               const char *name);
DlsStatus dls_lmgc90_mesh_contactor(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                                    const char *line, const char *name);
/* When all are read: every element is whole, every node is there. */
DlsStatus dls_lmgc90_check_meshes(const DlsLmgc90 *scene);
void dls_lmgc90_clear_meshes(DlsLmgc90 *scene);

/* One item of `bodies`. */
DlsStatus dls_lmgc90_write_mesh(DlsLmgc90 *scene, int number, const char *material, FILE *out);

/* NULL: there is none of this name. */
const DlsLmgc90Bulk *dls_lmgc90_bulk(const DlsLmgc90 *scene, const char *name);

/* Room for one more item of `bytes` in an array that grows; zeroed. */
DlsStatus dls_lmgc90_grow(void *array, int count, int *room, size_t bytes);

/* FOLDER/NAME as a new text; NULL when out of memory. */
char *dls_lmgc90_path(const char *folder, const char *name);
bool dls_lmgc90_is_there(const char *path);

/* A name of a line, of five letters in LMGC90. */
static inline void dls_lmgc90_name(const char *line, int word, char out[DLS_LMGC90_NAME]) {
  char text[DLS_IMPORT_WORD];
  snprintf(out, DLS_LMGC90_NAME, "%.7s", dls_import_word(line, word, text));
}

/* Body `number`, from 1, of a type RBDY2 or RBDY3: they are counted apart, in the order of
 * BODIES.DAT. NULL: there is none. */
DlsLmgc90Body *dls_lmgc90_body(const DlsLmgc90 *scene, int dim, double number);

static inline bool dls_lmgc90_is_mesh(const char *type) { return strcmp(type, "MAILx") == 0; }
/* 2 of RBDY2, 3 of RBDY3, 0 of others. */
static inline int dls_lmgc90_dim(const char *type) {
  return strcmp(type, "RBDY2") == 0 ? 2 : strcmp(type, "RBDY3") == 0 ? 3 : 0;
}

/* The law of ours, its parameters as a flow mapping of YAML into `out`, and what is lost or told.
 * False: there is none. */
typedef struct {
  const char *law;
  char parameters[400];
  bool moreau, signed_gap; /* what its way of taking the gap asks of the scheme */
} DlsLmgc90Mapping;
DlsStatus dls_lmgc90_map(DlsLmgc90 *scene, const DlsLmgc90Law *law, bool *known,
                         DlsLmgc90Mapping *out);

/* A drive as an expression of t. */
void dls_lmgc90_write_drive(FILE *out, const DlsLmgc90Drive *drive);
bool dls_lmgc90_is_zero(const DlsLmgc90Drive *drive);

/* The number as few digits give it back. */
void dls_lmgc90_put(FILE *out, double value);

#endif
