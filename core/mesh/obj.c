/* Wavefront OBJ: v, f, o and g; other lines are passed over. Corners of faces count from 1, or from
 * the last node on with a minus; what stands behind a slash (texture, normal) is left out. */
#include <string.h>

#include "base/checked.h"
#include "mesh/mesh_impl.h"

static DlsStatus read_node(DlsScan *s, DlsMesh *m) {
  double x[3];
  for (int k = 0; k < 3; k++) {
    const char *text;
    size_t length;
    const DlsScan before = *s;
    dls_scan_word(s, true, &text, &length);
    DLS_CHECK(length > 0, DLS_ERR_FORMAT, "%s: a node has three numbers, not %d", dls_scan_place(s),
              k);
    *s = before;
    DLS_TRY(dls_scan_real(s, "a coordinate of a node", &x[k]));
  }
  return dls_mesh_add_node(m, x);
}

static DlsStatus read_face(DlsScan *s, DlsMesh *m, int group) {
  int corner[DLS_MESH_CORNERS], count = 0;
  for (;;) {
    const char *text;
    size_t length;
    int64_t number;
    dls_scan_word(s, true, &text, &length);
    if (length == 0) break;
    if (length == 1 && *text == '\\') { /* goes on in the next line */
      dls_scan_skip(s, false);
      continue;
    }
    const char *slash = memchr(text, '/', length);
    if (slash) length = (size_t)(slash - text);
    DLS_CHECK(count < DLS_MESH_CORNERS, DLS_ERR_UNSUPPORTED, "%s: a face of more than %d corners",
              dls_scan_place(s), (int)DLS_MESH_CORNERS);
    DLS_CHECK(dls_checked_text(text, length, -m->nodes, m->nodes, &number) && number != 0,
              DLS_ERR_FORMAT,
              "%s: corner %d of the face names no node: there are %d so far, counted from 1",
              dls_scan_place(s), count + 1, m->nodes);
    corner[count++] = (int)(number > 0 ? number - 1 : m->nodes + number);
  }
  DLS_CHECK(count >= 3, DLS_ERR_FORMAT, "%s: a face has three corners or more, not %d",
            dls_scan_place(s), count);
  const DlsCellKind kind = count == 3   ? DLS_CELL_TRIANGLE
                           : count == 4 ? DLS_CELL_QUAD
                                        : DLS_CELL_POLYGON;
  DLS_TRY(dls_mesh_add_cell(m, kind, count, corner));
  return group >= 0 ? dls_mesh_put_in_group(m, group, m->cells - 1) : DLS_OK;
}

DlsStatus dls_mesh_read_obj(DlsScan *s, DlsMesh *out) {
  int group = -1;
  DLS_CHECK(!memchr(s->begin, 0, dls_scan_left(s)), DLS_ERR_FORMAT,
            "%s: holds a byte 0: this is no text, as an OBJ is", s->path);
  for (;;) {
    const char *word, *rest;
    size_t length, tail;
    dls_scan_word(s, false, &word, &length);
    if (length == 0) return DLS_OK;
    if (length == 1 && *word == 'v') {
      DLS_TRY(read_node(s, out)); /* a weight or a colour behind it is left out */
    } else if (length == 1 && *word == 'f') {
      DLS_TRY(read_face(s, out, group));
    } else if (length == 1 && (*word == 'o' || *word == 'g')) {
      dls_scan_rest(s, &rest, &tail);
      group = -1;
      if (tail > 0) DLS_TRY(dls_mesh_name_group(out, rest, tail, &group));
      continue;
    }
    dls_scan_rest(s, &rest, &tail);
  }
}
