/* The picture of the last state of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/grains.h"
#include "post/deformed.h"
#include "record/frames/frames_impl.h"
#include "record/sides.h"
#include "world/deformable.h"

/* What the picture stands on. */
typedef struct {
  DlsFrameView view;
  DlsOutline outline;
  DlsSkin skin;
  DlsGrainSides sides;
  int *number; /* [elements of the world]: that of the view; -1: it is not shown */
  int chains;
  double *line; /* [contacts][7]: from, to, force */
} Sketch;

static void clear(Sketch *k) {
  free(k->line);
  free(k->number);
  dls_grain_sides_clear(&k->sides);
  dls_skin_clear(&k->skin);
  dls_outline_clear(&k->outline);
  dls_frame_view_clear(&k->view);
}

/* The chains as the picture wants them: from [..][3], to [..][3], then force. Points of one face
 * have the same centres one after the other: they are one line. */
static DlsStatus join_chains(Sketch *k) {
  const DlsFrameView *v = &k->view;
  DLS_NEW(k->line, 7 * (size_t)v->chains);
  double *from = k->line, *to = from + (ptrdiff_t)3 * v->chains, *force = to + 3 * v->chains;
  int n = -1;
  for (int c = 0; c < v->chains; c++) {
    const double *ends = v->ends + 6 * c;
    const bool same = c > 0 && memcmp(ends, ends - 6, 6 * sizeof *ends) == 0;
    if (!same) {
      n++;
      memcpy(from + 3 * n, ends, 3 * sizeof *ends);
      memcpy(to + 3 * n, ends + 3, 3 * sizeof *ends);
    }
    force[n] += v->chain_force[2 * c];
  }
  k->chains = n + 1;
  return DLS_OK;
}

/* The surfaces of solids, and the lines of those that have none. */
static DlsStatus take_solids(const DlsWorld *world, Sketch *k) {
  const int elements = world->first[world->count], lines = k->outline.count;
  int shown = 0, kept = lines;
  unsigned char *drawn;
  DLS_NEW(k->number, elements);
  for (int e = 0; e < elements; e++)
    k->number[e] = dls_frame_shows(world, world->element_body[e]) ? shown++ : -1;
  DLS_TRY(dls_world_skin(world, &k->skin));
  DLS_TRY(dls_sides_of_skin(world->dim, &k->skin, k->number, &k->sides));
  DLS_TRY(dls_world_outline_bodies(world, &k->outline));
  DLS_NEW(drawn, world->count);
  for (int c = 0; c < k->skin.count; c++) drawn[world->element_body[k->skin.element[c]]] = 1;
  for (int n = lines; n < k->outline.count; n++)
    if (!drawn[k->outline.owner[n]])
      memmove(k->outline.ends + 6 * kept++, k->outline.ends + 6 * n, 6 * sizeof(double));
  k->outline.count = kept;
  free(drawn);
  return DLS_OK;
}

/* Corners of cell c round its rim, its nodes between corners among them; how many. */
static int rim_of(const DlsDeformed *d, int c, double *out) {
  const int *node = d->cells.node + d->cells.start[c];
  const int nodes = d->cells.start[c + 1] - d->cells.start[c];
  const bool quadratic = d->type[c] == 22 || d->type[c] == 23; /* VTK's T6 and Q8: corners first */
  for (int k = 0; k < nodes; k++) {
    const int a = quadratic ? node[k % 2 ? nodes / 2 + k / 2 : k / 2] : node[k];
    memcpy(out + 3 * k, d->cells.place[a], 3 * sizeof *out);
  }
  return nodes;
}

/* Cells of plane deformable bodies as sides of the first of their elements; the others are not
 * drawn. In space their elements stand for them. */
static DlsStatus take_cells(const DlsSimulation *s, const DlsDeformed *d, Sketch *k) {
  const DlsGrainSides old = k->sides;
  const int corners = old.count ? old.end[old.count - 1] : 0, cells = d->cells.cells;
  DlsGrainSides new = {.count = old.count};
  DLS_NEW(new.corner, 3 * (size_t)(corners + d->cells.start[cells]));
  new.end = dls_memory_array((size_t)(old.count + cells), sizeof *new.end);
  new.grain = dls_memory_array((size_t)(old.count + cells), sizeof *new.grain);
  if (!new.end || !new.grain) {
    dls_grain_sides_clear(&new);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for the picture of %d cells", cells);
  }
  dls_memory_copy(new.corner, old.corner, 3 * (size_t)corners, sizeof *new.corner);
  dls_memory_copy(new.end, old.end, (size_t)old.count, sizeof *new.end);
  dls_memory_copy(new.grain, old.grain, (size_t)old.count, sizeof *new.grain);
  int at = corners, first = 0;
  for (int c = 0; c < cells; c++) {
    while (first < k->view.elements && k->view.id[first] != d->cells.owner[c])
      first++;                            /* both ascend */
    if (first == k->view.elements) break; /* a body that is not shown */
    at += rim_of(d, c, new.corner + 3 * at);
    new.grain[new.count] = first;
    new.end[new.count++] = at;
  }
  for (int e = 0; e < k->view.elements; e++)
    if (dls_deformable_of(s->world, k->view.body[e])) k->view.radius[e] = 0;
  dls_grain_sides_clear(&k->sides);
  k->sides = new;
  return DLS_OK;
}

static DlsStatus take_deformables(const DlsSimulation *s, Sketch *k) {
  DlsDeformed d;
  if (s->world->dim == 3 || s->world->deformable.count == 0) return DLS_OK;
  DLS_TRY(dls_deformed_take(s, &k->view.packing, &d));
  const DlsStatus status = d.cells.cells ? take_cells(s, &d, k) : DLS_OK;
  dls_deformed_clear(&d);
  return status;
}

static DlsStatus draw(const DlsSimulation *s, Sketch *k, const char *title, const char *path) {
  const DlsFrameView *v = &k->view;
  char caption[96];
  int bodies = 0;
  for (int b = 0; b < s->world->count; b++) bodies += dls_frame_shows(s->world, b);
  DLS_TRY(dls_frame_view_fill(s, &k->view));
  const DlsSight sight = dls_frames_sight(v, s->world);
  DLS_TRY(dls_world_outline_boundaries(s->world, &sight, &k->outline));
  if (s->world->figure) DLS_TRY(take_solids(s->world, k));
  DLS_TRY(take_deformables(s, k));
  DLS_TRY(join_chains(k));
  snprintf(caption, sizeof caption, "t = %.4g s, %d bod%s, %d contact%s", s->state.time, bodies,
           bodies == 1 ? "y" : "ies", v->contacts, v->contacts == 1 ? "" : "s");
  const DlsGrainPicture picture = {.dim = s->world->dim,
                                   .grains = v->elements,
                                   .position = v->centre,
                                   .radius = v->radius,
                                   .load = v->load,
                                   .sides = k->sides,
                                   .chains = k->chains,
                                   .from = k->line,
                                   .to = k->line + (ptrdiff_t)3 * v->chains,
                                   .force = k->line + (ptrdiff_t)6 * v->chains,
                                   .walls = k->outline.count,
                                   .wall = k->outline.ends,
                                   .map = DLS_MAP_WARM,
                                   .title = title,
                                   .caption = caption};
  return dls_grain_picture_write(&picture, path, NULL);
}

DlsStatus dls_frames_picture(const DlsSimulation *s, const char *title, const char *path) {
  Sketch sketch = {0};
  const DlsStatus status = draw(s, &sketch, title, path);
  clear(&sketch);
  return status;
}
