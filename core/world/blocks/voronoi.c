/* Cells of points in a box. Points stand in a grid; a cell is cut by the bisectors with points in
 * growing rings of the grid about its own, until the next ring is farther than twice its farthest
 * vertex: no point beyond can cut it. */
#include "world/blocks/blocks_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/rotation.h"
#include "world/blocks/cell.h"

typedef struct {
  const DlsVoronoi *s;
  int dim, cells[3];
  double width[3];    /* m, of a grid cell */
  double (*point)[3]; /* [count] */
  int *first, *list;  /* points by grid cell, in the order of their numbers */
} Field;

static int cell_along(const Field *f, const double x[3], int k) {
  const int c = (int)(x[k] / f->width[k]);
  return c < 0 ? 0 : c >= f->cells[k] ? f->cells[k] - 1 : c;
}

static int cell_number(const Field *f, const int c[3]) {
  return (c[2] * f->cells[1] + c[1]) * f->cells[0] + c[0];
}

static void sort_points(Field *f) {
  const int all = f->cells[0] * f->cells[1] * f->cells[2];
  memset(f->first, 0, (size_t)(all + 1) * sizeof *f->first);
  for (int pass = 0; pass < 2; pass++) {
    for (int p = f->s->count - 1; p >= 0; p--) {
      const int c[3] = {cell_along(f, f->point[p], 0), cell_along(f, f->point[p], 1),
                        cell_along(f, f->point[p], 2)};
      const int cell = cell_number(f, c);
      if (pass == 0)
        f->first[cell]++;
      else
        f->list[--f->first[cell]] = p;
    }
    /* Ends of the lists first; filling them from behind leaves their beginnings. */
    for (int c = 1; c <= all && pass == 0; c++) f->first[c] += f->first[c - 1];
  }
}

/* Cuts by the bisector with point q, moved towards p by half the gap. */
static DlsStatus bisect(const Field *f, const double p[3], const double q[3], double gap,
                        double *reach, DlsCell *cell) {
  double n[3], offset = 0;
  for (int k = 0; k < 3; k++) n[k] = q[k] - p[k];
  const double length = dls_vector_norm(n);
  if (length / 2 - gap / 2 > *reach) return DLS_OK;
  DLS_CHECK(length > 1e-9 * f->width[0], DLS_ERR_ARGUMENT,
            "two points of the packing are the same; take another seed");
  for (int k = 0; k < 3; k++) {
    n[k] /= length;
    offset += n[k] * (p[k] + q[k]) / 2;
  }
  DLS_TRY(dls_cell_cut(cell, n, offset - gap / 2));
  *reach = dls_cell_reach(cell, p);
  return DLS_OK;
}

/* All points of the grid cells at distance `ring` of the cell c. */
static DlsStatus cut_ring(const Field *f, int p, const int c[3], int ring, double gap,
                          double *reach, DlsCell *cell) {
  int low[3], high[3], at[3];
  for (int k = 0; k < 3; k++) {
    low[k] = c[k] - ring < 0 ? 0 : c[k] - ring;
    high[k] = c[k] + ring >= f->cells[k] ? f->cells[k] - 1 : c[k] + ring;
  }
  for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
    for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
      for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
        if (abs(at[0] - c[0]) != ring && abs(at[1] - c[1]) != ring && abs(at[2] - c[2]) != ring)
          continue;
        const int g = cell_number(f, at);
        for (int i = f->first[g]; i < f->first[g + 1]; i++)
          if (f->list[i] != p && cell->vertices)
            DLS_TRY(bisect(f, f->point[p], f->point[f->list[i]], gap, reach, cell));
      }
  return DLS_OK;
}

static DlsStatus make_cell(const Field *f, int p, double gap, DlsCell *cell) {
  const double low[3] = {0};
  const int c[3] = {cell_along(f, f->point[p], 0), cell_along(f, f->point[p], 1),
                    cell_along(f, f->point[p], 2)};
  dls_cell_box(f->dim, low, f->s->length, cell);
  double reach = dls_cell_reach(cell, f->point[p]);
  for (int ring = 0;; ring++) {
    double near = HUGE_VAL; /* m: no point of this ring is nearer */
    bool any = false;
    for (int k = 0; k < f->dim; k++) {
      near = fmin(near, (ring - 1) * f->width[k]);
      any |= c[k] - ring >= 0 || c[k] + ring < f->cells[k];
    }
    if ((!any && ring) || near / 2 - gap / 2 > reach) return DLS_OK;
    DLS_TRY(cut_ring(f, p, c, ring, gap, &reach, cell));
    if (!cell->vertices) return DLS_OK;
  }
}

static DlsStatus relax(Field *f, DlsCell *cell) {
  double(*moved)[3];
  DLS_NEW(moved, f->s->count);
  DlsStatus status = DLS_OK;
  for (int p = 0; p < f->s->count && status == DLS_OK; p++) {
    status = make_cell(f, p, 0, cell);
    if (status == DLS_OK) dls_cell_volume(cell, moved[p]);
  }
  if (status == DLS_OK) memcpy(f->point, moved, (size_t)f->s->count * sizeof *moved);
  free(moved);
  sort_points(f);
  return status;
}

/* The cell as a block about the centre of its volume. */
static DlsStatus add_cell(DlsCell *cell, double floor, DlsBlocks *out) {
  double centre[3];
  bool base = false;
  DLS_CHECK(cell->vertices > out->dim && dls_cell_volume(cell, centre) > 0, DLS_ERR_ARGUMENT,
            "the gap leaves nothing of a cell; take a smaller one, fewer points, or relax them");
  for (int v = 0; v < cell->vertices; v++) {
    base |= cell->vertex[v][out->dim - 1] <= floor;
    for (int k = 0; k < 3; k++) cell->vertex[v][k] -= centre[k];
  }
  DlsConvexNumbers numbers;
  int shape;
  const DlsStatus made =
      dls_convex_build(out->dim, 0, cell->vertices, (const double(*)[3])cell->vertex, cell->faces,
                       cell->start, cell->corner, &numbers);
  DLS_TRY(dls_blocks_shape(made, &numbers, out, &shape));
  return dls_blocks_add(out, shape, centre, NULL, base);
}

static DlsStatus make_all(Field *f, DlsBlocks *out) {
  DlsRandom random;
  DlsCell *cell;
  dls_random_stream(&random, f->s->seed, 0);
  for (int p = 0; p < f->s->count; p++)
    for (int k = 0; k < f->dim; k++)
      f->point[p][k] = dls_random_between(&random, 0, f->s->length[k]);
  sort_points(f);
  DLS_NEW(cell, 1);
  DlsStatus status = DLS_OK;
  for (int k = 0; k < f->s->relax && status == DLS_OK; k++) status = relax(f, cell);
  for (int p = 0; p < f->s->count && status == DLS_OK; p++) {
    status = make_cell(f, p, f->s->gap, cell);
    if (status == DLS_OK) status = add_cell(cell, 0, out);
  }
  free(cell);
  return status;
}

DlsStatus dls_blocks_voronoi(const DlsVoronoi *s, DlsBlocks *out) {
  double volume = 1;
  for (int k = 0; k < out->dim; k++) {
    DLS_TRY(dls_blocks_check_length("an edge of the box, size,", s->length[k]));
    volume *= s->length[k];
  }
  DLS_CHECK(s->count >= 2 && s->count <= 10000000, DLS_ERR_ARGUMENT,
            "a packing of %d cells; count is 2 or more", s->count);
  DLS_CHECK(s->relax >= 0, DLS_ERR_ARGUMENT, "relax %d; give 0 or more", s->relax);
  const double pitch = pow(2 * volume / s->count, 1.0 / out->dim); /* two points a cell */
  DLS_TRY(dls_blocks_check_gap(s->gap, pitch / 2, "half of a cell"));
  Field f = {.s = s, .dim = out->dim, .cells = {1, 1, 1}, .width = {1, 1, 1}};
  for (int k = 0; k < out->dim; k++) {
    f.cells[k] = (int)fmin(fmax(1, floor(s->length[k] / pitch)), s->count);
    f.width[k] = s->length[k] / f.cells[k];
  }
  const double all = (double)f.cells[0] * f.cells[1] * f.cells[2];
  DLS_CHECK(all < 1e8, DLS_ERR_ARGUMENT,
            "a box of %g x %g x %g m is too thin for %d cells; take fewer", s->length[0],
            s->length[1], s->length[2], s->count);
  f.point = dls_memory_array((size_t)s->count, sizeof *f.point);
  f.list = dls_memory_array((size_t)s->count, sizeof *f.list);
  f.first = dls_memory_array((size_t)all + 1, sizeof *f.first);
  DlsStatus status = f.point && f.list && f.first
                         ? make_all(&f, out)
                         : dls_fail(DLS_ERR_MEMORY, "out of memory for %d cells", s->count);
  free(f.point);
  free(f.list);
  free(f.first);
  return status == DLS_OK ? dls_blocks_finish(out) : status;
}
