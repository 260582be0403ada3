#include "world/contact_faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rotation.h"

static DlsStatus make_stars(DlsContactFaces *f) {
  DLS_NEW(f->star_start, f->elements + 1);
  for (int k = 0; k < f->count; k++)
    for (int c = 0; c < dls_face_corners(f->corner[k]); c++) f->star_start[f->corner[k][c] + 1]++;
  for (int e = 0; e < f->elements; e++) f->star_start[e + 1] += f->star_start[e];
  DLS_NEW(f->star, f->star_start[f->elements] + 1);
  int *end = NULL;
  DLS_NEW(end, f->elements + 1);
  memcpy(end, f->star_start, (size_t)(f->elements + 1) * sizeof *end);
  for (int k = 0; k < f->count; k++)
    for (int c = 0; c < dls_face_corners(f->corner[k]); c++) f->star[end[f->corner[k][c]]++] = k;
  free(end);
  return DLS_OK;
}

DlsStatus dls_contact_faces_join(DlsContactFaces *f, const double (*x)[3]) {
  double sum = 0;
  int edges = 0;
  for (int k = 0; k < f->count; k++) {
    const int corners = dls_face_corners(f->corner[k]);
    for (int c = 0; c < corners; c++)
      DLS_CHECK(f->corner[k][c] >= 0 && f->corner[k][c] < f->elements, DLS_ERR_ARGUMENT,
                "face %d has corner %d of %d", k, f->corner[k][c], f->elements);
    for (int c = 0; c < (corners == 2 ? 1 : corners); c++, edges++) {
      const double *a = x[f->corner[k][c]], *b = x[f->corner[k][(c + 1) % corners]];
      const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      sum += dls_vector_norm(way);
    }
  }
  DLS_CHECK(edges > 0 && sum > 0, DLS_ERR_ARGUMENT, "a surface needs faces with a length above 0");
  f->size = sum / edges;
  return make_stars(f);
}

void dls_contact_faces_clear(DlsContactFaces *f) {
  free(f->corner), free(f->side), free(f->star_start), free(f->star);
  *f = (DlsContactFaces){0};
}
