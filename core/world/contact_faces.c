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

void dls_face_vector(int corners, const double *const x[DLS_FACE_CORNERS], double out[3]) {
  double a[3], b[3];
  for (int i = 0; i < 3; i++) {
    a[i] = x[corners == 2 ? 1 : 2][i] - x[0][i];
    b[i] = corners == 2 ? 0 : (corners == 3 ? x[2][i] : x[3][i]) - x[1][i];
  }
  if (corners == 2) {
    out[0] = a[1], out[1] = -a[0], out[2] = 0;
    return;
  }
  dls_vector_cross(a, b, out); /* (c - a) x (c - b) points as (b - a) x (c - a) */
  for (int i = 0; i < 3; i++) out[i] /= 2;
}

static DlsStatus make_areas(DlsContactFaces *f, const double (*x)[3]) {
  DLS_NEW(f->rest, f->count);
  DLS_NEW(f->node_rest, f->elements);
  for (int k = 0; k < f->count; k++) {
    const int corners = dls_face_corners(f->corner[k]);
    const double *corner[DLS_FACE_CORNERS] = {NULL};
    double vector[3];
    for (int c = 0; c < corners; c++) corner[c] = x[f->corner[k][c]];
    dls_face_vector(corners, corner, vector);
    f->rest[k] = dls_vector_norm(vector) * (f->dim == 2 ? f->thickness : 1);
    for (int c = 0; c < corners; c++) f->node_rest[f->corner[k][c]] += f->rest[k] / corners;
  }
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
  DLS_TRY(make_areas(f, x));
  return make_stars(f);
}

void dls_contact_faces_clear(DlsContactFaces *f) {
  free(f->corner), free(f->side), free(f->star_start), free(f->star);
  free(f->rest), free(f->node_rest);
  *f = (DlsContactFaces){0};
}
