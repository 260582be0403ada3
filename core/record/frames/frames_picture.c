/* The picture of the last state of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/grains.h"
#include "post/deformed.h"
#include "record/frames/frames_impl.h"
#include "record/sides.h"

/* What the picture stands on. */
typedef struct {
  DlsFrameView view;
  DlsOutline outline;
  DlsSkin skin;
  DlsGrainSides sides;
  int *number; /* [elements of the world]: that of the view; -1: it is not shown */
  int grains;  /* of the picture */
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

/* A deformable body is one grain of the picture, as large as its volume: of its elements, which are
 * what it meets others by, the first stays. `kept` [elements]: the grain of each. */
static void leave_elements(Sketch *k, const unsigned char *meshed, int *kept) {
  DlsFrameView *v = &k->view;
  int n = 0;
  for (int e = 0; e < v->elements; e++) {
    const bool mesh = meshed[v->grain[e]];
    kept[e] = n - 1;
    if (mesh && e > 0 && v->grain[e] == v->grain[e - 1]) continue;
    memmove(v->centre + 3 * n, v->centre + 3 * e, 3 * sizeof *v->centre);
    v->radius[n] = mesh ? v->packing.radius[v->grain[e]] : v->radius[e];
    v->load[n] = v->load[e];
    kept[e] = n++;
  }
  k->grains = n;
}

/* Grains of the packing that have cells, and the first of their elements for each cell. */
static void find_owners(const DlsDeformed *d, const DlsFrameView *v, unsigned char *meshed,
                        int *first) {
  for (int c = 0, e = 0; c < d->cells.cells; c++) {
    while (e < v->elements && v->id[e] != d->cells.owner[c]) e++; /* both ascend */
    first[c] = e < v->elements ? e : -1;                          /* -1: it is not shown */
    if (e == v->elements) break;
    meshed[v->grain[e]] = 1;
  }
}

static DlsStatus take_cells(const DlsDeformed *d, Sketch *k, unsigned char *meshed, int *first,
                            int *kept) {
  find_owners(d, &k->view, meshed, first);
  leave_elements(k, meshed, kept);
  for (int n = 0; n < k->sides.count; n++) k->sides.grain[n] = kept[k->sides.grain[n]];
  for (int c = 0; c < d->cells.cells; c++) first[c] = first[c] < 0 ? -1 : kept[first[c]];
  return dls_sides_of_cells(d, first, &k->sides);
}

static DlsStatus take_deformables(const DlsSimulation *s, Sketch *k) {
  DlsDeformed d;
  k->grains = k->view.elements;
  if (s->world->deformable.count == 0) return DLS_OK;
  DLS_TRY(dls_deformed_take(s, &k->view.packing, &d));
  const size_t cells = (size_t)d.cells.cells;
  unsigned char *meshed = dls_memory_array((size_t)k->view.packing.grains, sizeof *meshed);
  int *first = dls_memory_array(cells, sizeof *first);
  int *kept = dls_memory_array((size_t)k->view.elements, sizeof *kept);
  DlsStatus status =
      meshed && first && kept
          ? DLS_OK
          : dls_fail(DLS_ERR_MEMORY, "out of memory for a picture of %zu cells", cells);
  if (status == DLS_OK && cells) status = take_cells(&d, k, meshed, first, kept);
  free(meshed), free(first), free(kept);
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
  dls_frame_view_let_go(&k->view);
  snprintf(caption, sizeof caption, "t = %.4g s, %d bod%s, %d contact%s", s->state.time, bodies,
           bodies == 1 ? "y" : "ies", v->contacts, v->contacts == 1 ? "" : "s");
  const DlsGrainPicture picture = {.dim = s->world->dim,
                                   .grains = k->grains,
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
