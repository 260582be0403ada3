/* What the readers of the formats share: a mesh that grows, and a file in memory that is gone
 * through word by word. */
#ifndef DELASSUS_MESH_MESH_IMPL_H
#define DELASSUS_MESH_MESH_IMPL_H

#include <stddef.h>

#include "mesh/mesh.h"

enum { DLS_MESH_NODES = 1 << 28, DLS_MESH_CELLS = 1 << 28 }; /* at most */

DlsStatus dls_mesh_add_node(DlsMesh *mesh, const double x[3]);
DlsStatus dls_mesh_add_cell(DlsMesh *mesh, DlsCellKind kind, int corners, const int *corner);
/* The group of this name, made where there is none. */
DlsStatus dls_mesh_name_group(DlsMesh *mesh, const char *name, size_t length, int *out);
/* One of this dimension and number; without a name it is called by its number. */
DlsStatus dls_mesh_tag_group(DlsMesh *mesh, int dim, int tag, int *out);
DlsStatus dls_mesh_put_in_group(DlsMesh *mesh, int group, int cell);

/* A whole file. */
typedef struct {
  const char *path;
  const char *begin, *at, *end;
  int line;    /* of `at`, from 1 */
  bool binary; /* places are told by bytes */
} DlsScan;

/* "PATH:LINE" or "PATH: byte N", for sentences; in a buffer of the thread. */
const char *dls_scan_place(const DlsScan *scan);

/* Past blanks and the ends of lines (`within`: blanks of this line alone). */
void dls_scan_skip(DlsScan *scan, bool within);
/* The rest of the line as a text without blanks at its ends; the scan stands behind the line. */
void dls_scan_rest(DlsScan *scan, const char **text, size_t *length);
/* Whether the next word is this one (any case); it is then taken. */
bool dls_scan_is(DlsScan *scan, const char *word);
/* The next word; length 0 at the end of the file, or of the line when `within`. */
void dls_scan_word(DlsScan *scan, bool within, const char **text, size_t *length);
/* The next word as a finite number, or a whole one within bounds; `what` for the sentence. */
DlsStatus dls_scan_real(DlsScan *scan, const char *what, double *out);
DlsStatus dls_scan_int(DlsScan *scan, const char *what, int64_t least, int64_t most, int64_t *out);
/* Bytes as they are. */
DlsStatus dls_scan_bytes(DlsScan *scan, const char *what, void *to, size_t bytes);
static inline size_t dls_scan_left(const DlsScan *scan) { return (size_t)(scan->end - scan->at); }

DlsStatus dls_mesh_read_stl(DlsScan *scan, DlsMesh *out);
DlsStatus dls_mesh_read_obj(DlsScan *scan, DlsMesh *out);
DlsStatus dls_mesh_read_msh(DlsScan *scan, DlsMesh *out);
DlsStatus dls_mesh_read_vtu(DlsScan *scan, DlsMesh *out);

#endif
