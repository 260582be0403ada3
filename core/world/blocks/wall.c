/* Walls: courses of bricks in running bond with holes in them, courses of stones, boxes in layers.
 *
 * A course is a row of cells that fill 0 .. length + gap; the brick of a cell [a, b] is
 * [a, b - gap]. A hole or a lintel takes cells away from a row, and a brick that is cut keeps its
 * rest. */
#include "world/blocks/blocks_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

typedef struct {
  double from, to; /* m, along */
} Cell;

typedef struct {
  int count;
  Cell *cell; /* in order */
} Row;

/* What [from, to] leaves of a row that has room for one cell more. A rest below `least` is one with
 * the cell beyond it, where that touches. */
static void cut(Row *row, double from, double to, double least) {
  Cell *c = row->cell;
  int k = 0;
  while (k < row->count && c[k].to <= from) k++;
  if (k == row->count || c[k].from >= to) return;
  int end = k; /* cells k .. end - 1 meet the cut */
  while (end < row->count && c[end].from < to) end++;
  const Cell left = {c[k].from, from}, right = {to, c[end - 1].to};
  int keep = 0;
  Cell rest[2];
  const bool has_left = left.to > left.from, has_right = right.to > right.from;
  if (has_left && left.to - left.from < least && k > 0 && c[k - 1].to == left.from)
    c[k - 1].to = left.to;
  else if (has_left)
    rest[keep++] = left;
  if (has_right && right.to - right.from < least && end < row->count && c[end].from == right.to)
    c[end].from = right.from;
  else if (has_right)
    rest[keep++] = right;
  memmove(c + k + keep, c + end, (size_t)(row->count - end) * sizeof *c);
  memcpy(c + k, rest, (size_t)keep * sizeof *c);
  row->count += keep - (end - k);
}

/* Whole bricks, or half a brick, whole ones, half a brick. */
static void lay(const DlsBrickWall *w, bool moved, Row *row) {
  const double pitch = w->size[0] + w->gap;
  row->count = w->bricks + moved;
  for (int k = 0; k < row->count; k++) {
    const double first = moved ? k - 0.5 : k;
    row->cell[k].from = fmax(0, first) * pitch;
    row->cell[k].to = fmin(w->bricks, first + 1) * pitch;
  }
}

/* A box over [from, to] of a leaf's course. */
static DlsStatus add_brick(const DlsBrickWall *w, double from, double to, int course, int leaf,
                           DlsBlocks *out) {
  const int up = out->dim - 1;
  double length[3], middle[3] = {(from + to) / 2, 0, 0};
  memcpy(length, w->size, sizeof length);
  length[0] = dls_blocks_snap(to - from, w->size[0], w->gap);
  if (out->dim == 3) middle[1] = w->size[1] / 2 + leaf * (w->size[1] + w->gap);
  middle[up] = w->size[up] / 2 + course * (w->size[up] + w->gap);
  return dls_blocks_add_box(out, length, middle, course == 0);
}

static DlsStatus lay_course(const DlsBrickWall *w, int course, int leaf, Row *row, DlsBlocks *out) {
  const double least = 0.25 * w->size[0];
  lay(w, (course + leaf) % 2, row);
  for (int k = 0; k < w->openings; k++) {
    const DlsOpening *o = &w->opening[k];
    if (course + 1 >= o->course[0] && course + 1 <= o->course[1])
      cut(row, o->x[0] + w->gap, o->x[1], least);
    if (o->bearing > 0 && course == o->course[1]) {
      cut(row, o->x[0] - o->bearing, o->x[1] + o->bearing + w->gap, least);
      DLS_TRY(add_brick(w, o->x[0] - o->bearing, o->x[1] + o->bearing, course, leaf, out));
    }
  }
  for (int k = 0; k < row->count; k++)
    DLS_TRY(add_brick(w, row->cell[k].from, row->cell[k].to - w->gap, course, leaf, out));
  return DLS_OK;
}

/* Two openings, with their lintels, must leave a brick between them or lie in other courses. */
static bool meet(const DlsOpening *a, const DlsOpening *b, double least) {
  const bool courses = a->course[0] <= b->course[1] + (b->bearing > 0) &&
                       b->course[0] <= a->course[1] + (a->bearing > 0);
  return courses && a->x[0] - a->bearing < b->x[1] + b->bearing + least &&
         b->x[0] - b->bearing < a->x[1] + a->bearing + least;
}

static DlsStatus check_opening(const DlsBrickWall *w, int k) {
  const DlsOpening *o = &w->opening[k];
  const double length = w->bricks * (w->size[0] + w->gap) - w->gap;
  DLS_CHECK(o->x[0] - o->bearing >= 0 && o->x[1] + o->bearing <= length && o->x[0] < o->x[1],
            DLS_ERR_ARGUMENT,
            "opening %d goes from %g m to %g m with bearings of %g m, and the wall from 0 to %g m; "
            "put it within the wall",
            k + 1, o->x[0], o->x[1], o->bearing, length);
  DLS_CHECK(o->bearing >= 0, DLS_ERR_ARGUMENT, "opening %d has a bearing of %g m; give 0 or more",
            k + 1, o->bearing);
  DLS_CHECK(o->x[1] - o->x[0] > w->gap, DLS_ERR_ARGUMENT,
            "opening %d is %g m wide, no wider than the gap of %g m; take it away", k + 1,
            o->x[1] - o->x[0], w->gap);
  DLS_CHECK(o->course[0] >= 1 && o->course[1] >= o->course[0] &&
                o->course[1] + (o->bearing > 0) <= w->courses,
            DLS_ERR_ARGUMENT,
            "opening %d takes the courses %d to %d%s, and the wall has 1 to %d; put it within",
            k + 1, o->course[0], o->course[1], o->bearing > 0 ? " and one for its lintel" : "",
            w->courses);
  for (int j = 0; j < k; j++)
    DLS_CHECK(!meet(&w->opening[j], o, w->size[0] / 4), DLS_ERR_ARGUMENT,
              "openings %d and %d, with their lintels, are less than a quarter of a brick apart; "
              "move them apart",
              j + 1, k + 1);
  return DLS_OK;
}

DlsStatus dls_blocks_wall(const DlsBrickWall *w, DlsBlocks *out) {
  for (int k = 0; k < out->dim; k++)
    DLS_TRY(dls_blocks_check_length("an edge of the brick, size,", w->size[k]));
  DLS_CHECK(w->bricks >= 1 && w->courses >= 1 && w->leaves >= 1, DLS_ERR_ARGUMENT,
            "a wall of %d courses of %d bricks in %d leaves; give 1 or more of each", w->courses,
            w->bricks, w->leaves);
  DLS_CHECK(out->dim == 3 || w->leaves == 1, DLS_ERR_ARGUMENT, "%d leaves in 2-D; there is one",
            w->leaves);
  DLS_TRY(dls_blocks_check_gap(w->gap, w->size[0] / 4, "a quarter of a brick"));
  for (int k = 0; k < w->openings; k++) DLS_TRY(check_opening(w, k));
  Row row = {0};
  DLS_NEW(row.cell, w->bricks + 2 + 2 * w->openings);
  DlsStatus status = DLS_OK;
  for (int course = 0; course < w->courses; course++)
    for (int leaf = 0; leaf < w->leaves && status == DLS_OK; leaf++)
      status = lay_course(w, course, leaf, &row, out);
  free(row.cell);
  return status == DLS_OK ? dls_blocks_finish(out) : status;
}

/* Parts of a whole: `count` of them, alike but for the spread; part k ends at end[k]. */
static void divide(DlsRandom *random, double whole, double spread, int count, double *end) {
  double sum = 0;
  for (int k = 0; k < count; k++) end[k] = sum += 1 + spread * dls_random_between(random, -1, 1);
  for (int k = 0; k < count; k++) end[k] *= whole / sum;
  end[count - 1] = whole;
}

/* A course from height `from` to `to`: joints between stones at end[k], leaning by up to `spread`
 * of half its height, so that no stone gets a negative side. */
static DlsStatus lay_stones(const DlsStoneWall *w, DlsRandom *random, double from, double to,
                            int count, const double *end, bool base, DlsBlocks *out) {
  const int up = out->dim - 1;
  const double half = (to - from - w->gap) / 2, middle = from + half;
  double before = -w->gap / 2, lean_before = 0; /* m; dx over half the height */
  for (int k = 0; k < count; k++) {
    const bool last = k == count - 1;
    const double joint = last ? w->length + w->gap / 2 : end[k];
    const double most = fmin(half, 0.25 * w->size[0]);
    const double lean = last ? 0 : w->spread * most * dls_random_between(random, -1, 1);
    const double x = (before + joint) / 2;
    /* Half a gap across the leaning joint, along x. */
    const double back = w->gap / 2 * sqrt(1 + lean_before * lean_before / (half * half));
    const double front = w->gap / 2 * sqrt(1 + lean * lean / (half * half));
    const double corner[4][3] = {{before + back - lean_before - x, -half},
                                 {joint - front - lean - x, -half},
                                 {joint - front + lean - x, half},
                                 {before + back + lean_before - x, half}};
    double place[3] = {x, out->dim == 3 ? w->size[1] / 2 : 0, 0}, upright[4];
    int shape;
    place[up] = middle;
    DLS_TRY(dls_blocks_plate(out, 4, corner, w->size[1], &shape, upright));
    DLS_TRY(dls_blocks_add(out, shape, place, upright, base));
    before = joint;
    lean_before = lean;
  }
  return DLS_OK;
}

DlsStatus dls_blocks_stones(const DlsStoneWall *w, DlsBlocks *out) {
  for (int k = 0; k < out->dim; k++)
    DLS_TRY(dls_blocks_check_length("an edge of the mean stone, size,", w->size[k]));
  DLS_CHECK(isfinite(w->length) && w->length >= 2 * w->size[0] && w->length < 1e6 * w->size[0],
            DLS_ERR_ARGUMENT,
            "a wall of length %g m of stones of %g m; give two stones or more, a million at most",
            w->length, w->size[0]);
  DLS_CHECK(w->courses >= 1, DLS_ERR_ARGUMENT, "%d courses; give 1 or more", w->courses);
  DLS_CHECK(w->spread >= 0 && w->spread <= 0.5, DLS_ERR_ARGUMENT, "spread %g is not from 0 to 0.5",
            w->spread);
  DLS_TRY(dls_blocks_check_gap(w->gap, fmin(w->size[0], w->size[out->dim - 1]) / 8,
                               "an eighth of a stone"));
  const int stones = (int)lround(w->length / w->size[0]);
  double *top, *end;
  DLS_NEW(top, w->courses + stones + 1);
  end = top + w->courses;
  DlsRandom random;
  dls_random_stream(&random, w->seed, 0);
  divide(&random, w->courses * (w->size[out->dim - 1] + w->gap), w->spread, w->courses, top);
  DlsStatus status = DLS_OK;
  for (int c = 0; c < w->courses && status == DLS_OK; c++) {
    const int count = stones + c % 2; /* one more in every second: joints do not line up */
    dls_random_stream(&random, w->seed, (uint64_t)c + 1);
    divide(&random, w->length, w->spread, count, end);
    status = lay_stones(w, &random, c ? top[c - 1] : 0, top[c], count, end, c == 0, out);
  }
  free(top);
  return status == DLS_OK ? dls_blocks_finish(out) : status;
}

DlsStatus dls_blocks_stack(const double size[3], double gap, int count, bool pyramid,
                           DlsBlocks *out) {
  const int up = out->dim - 1;
  for (int k = 0; k < out->dim; k++) DLS_TRY(dls_blocks_check_length("an edge, size,", size[k]));
  DLS_CHECK(count >= 1 && count <= 1000000, DLS_ERR_ARGUMENT, "%d layers; give 1 or more", count);
  DLS_TRY(dls_blocks_check_gap(gap, size[0], "the length of a block"));
  for (int layer = 0; layer < count; layer++) {
    const int across = pyramid ? count - layer : 1, deep = out->dim == 3 ? across : 1;
    double middle[3] = {0};
    middle[up] = size[up] / 2 + layer * (size[up] + gap);
    for (int j = 0; j < deep; j++)
      for (int i = 0; i < across; i++) {
        middle[0] = (i - (across - 1) / 2.0) * (size[0] + gap);
        if (out->dim == 3) middle[1] = (j - (deep - 1) / 2.0) * (size[1] + gap);
        DLS_TRY(dls_blocks_add_box(out, size, middle, layer == 0));
      }
  }
  return dls_blocks_finish(out);
}
