/* Where, in a deck: one section of keys for grains, sources, sinks and averages, and one text,
 * WORD:..., which is that of --region (post/probe.h). Each may stand in the place of the other. */
#include "scene/scene_impl.h"

#include <stdio.h>
#include <string.h>

#include "post/probe.h"
#include "world/boundary/kind.h"

DlsRegion dls_scene_region(const DlsSceneRegion *r) {
  DlsRegion region = {.kind = (DlsRegionKind)r->shape,
                      .radius = r->radius,
                      .radius_top = r->radius_top,
                      .height = r->height};
  memcpy(region.low, r->low, sizeof region.low);
  memcpy(region.high, r->high, sizeof region.high);
  memcpy(region.centre, r->centre, sizeof region.centre);
  if (r->facets) {
    region.facets = r->facets;
    region.volume = dls_facets_volume(r->facets);
  }
  return region;
}

/* What grains can be put into, or taken out of, has an end and stands upright. */
static DlsStatus parse(const char *text, void *data) {
  static const char *const plain = "box:LOW:HIGH, sphere:CENTRE:RADIUS, "
                                   "cylinder:CENTRE:0,0,1:RADIUS:LENGTH or a section, as {shape: "
                                   "frustum, centre: [0, 0, 0], radius: 1, height: 2}";
  DlsSceneRegion *r = data;
  DlsProbeText parts;
  DlsProbe probe;
  DLS_TRY(dls_probe_split(text, &parts));
  const int dim = parts.groups > 0 && parts.count[0] == 3 ? 3 : 2;
  const int shape = dls_choice_find(DLS_CHOICES(DLS_REGION_LIST), parts.word);
  const bool written = shape != DLS_REGION_FRUSTUM && shape != DLS_REGION_MESH;
  DLS_CHECK(shape >= 0 && written, DLS_ERR_ARGUMENT, "%s: is no region of bodies; write %s", text,
            plain);
  DLS_TRY(dls_probe_read(text, dim, &probe));
  DLS_CHECK(shape != DLS_REGION_CYLINDER || (probe.axis[0] == 0 && probe.axis[1] == 0),
            DLS_ERR_ARGUMENT, "%s: the cylinder does not stand upright; its axis is 0,0,1", text);
  r->shape = shape;
  if (shape == DLS_REGION_BOX) {
    memcpy(r->low, probe.low, sizeof r->low);
    memcpy(r->high, probe.high, sizeof r->high);
    return DLS_OK;
  }
  memcpy(r->centre, probe.centre, sizeof r->centre);
  r->radius = probe.radius;
  r->height = probe.length;
  if (shape == DLS_REGION_CYLINDER) r->centre[2] -= 0.5 * probe.length; /* to its bottom */
  return DLS_OK;
}

DlsStatus dls_scene_spell_region(const void *data, char *text, size_t bytes) {
  const DlsSceneRegion *r = data;
  const double *c = r->centre;
  switch (r->shape) {
  case DLS_REGION_BOX:
    snprintf(text, bytes, "box:%.17g,%.17g,%.17g:%.17g,%.17g,%.17g", r->low[0], r->low[1],
             r->low[2], r->high[0], r->high[1], r->high[2]);
    return DLS_OK;
  case DLS_REGION_SPHERE:
    snprintf(text, bytes, "sphere:%.17g,%.17g,%.17g:%.17g", c[0], c[1], c[2], r->radius);
    return DLS_OK;
  case DLS_REGION_CYLINDER:
    snprintf(text, bytes, "cylinder:%.17g,%.17g,%.17g:0,0,1:%.17g:%.17g", c[0], c[1],
             c[2] + 0.5 * r->height, r->radius, r->height);
    return DLS_OK;
  default:
    return dls_fail(DLS_ERR_ARGUMENT, "no average is over a %s; take a box, a sphere or a cylinder",
                    r->shape == DLS_REGION_MESH ? "mesh" : "frustum");
  }
}

static const DlsDeckRow region_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneRegion, shape, DLS_CHOICES(DLS_REGION_LIST), "box",
                        "cylinder and frustum stand upright"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, low, "m", "[0, 0, 0]", 2, 3, "corner of a box"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, high, "m", "[0, 0, 0]", 2, 3, "opposite corner of a box"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, centre, "m", "[0, 0, 0]", 2, 3,
                        "of a sphere, or of the bottom of a cylinder or frustum; of a mesh: where "
                        "the origin of its file is"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, radius, "m", "0", 0, DLS_DECK_FREE, "of a frustum: below"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, radius_top, "m", "0", 0, DLS_DECK_FREE, "of a frustum"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, height, "m", "0", 0, DLS_DECK_FREE, "of cylinder, frustum"),
    DLS_DECK_PATH_ROW(DlsSceneRegion, file, DLS_DECK_OPTIONAL,
                      "mesh: STL, OBJ or MSH, closed; the region is within, in 3-D"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, scale, "m", "1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "what a length of 1 in the file is"),
    DLS_DECK_PLACE_ROW(DlsSceneRegion, node),
};
const DlsDeckSection dls_scene_region_section = {.name = "region",
                                                 .meaning = "where; or in a line: "
                                                            "box:0,0,0:1,1,1",
                                                 .rows = region_rows,
                                                 .count = DLS_COUNT(region_rows),
                                                 .bytes = sizeof(DlsSceneRegion),
                                                 .parse = parse};

static void load(DlsDeck *deck, int dim, DlsSceneRegion *r) {
  const DlsSceneBoundary mesh = {
      .shape = DLS_BOUNDARY_MESH, .file = r->file, .scale = r->scale, .closed = true};
  if ((r->shape == DLS_REGION_MESH) != (r->file != NULL)) {
    dls_deck_problem(deck, r->node, r->file ? "file" : "shape", "%s",
                     r->file ? "this shape has none; set shape: mesh, or take it away"
                             : "a mesh needs a file; give file: vessel.stl, an STL, OBJ or MSH");
    return;
  }
  if (!r->file) return;
  if (dim != 3)
    dls_deck_problem(deck, r->node, "shape", "a mesh is one of 3-D; take a box");
  else if (dls_scene_facets(&mesh, dim, &r->facets) != DLS_OK)
    dls_deck_problem(deck, r->node, "file", "%s", dls_error_message());
}

typedef void EachRegion(DlsDeck *deck, int dim, DlsSceneRegion *r);

static void for_each(DlsDeck *deck, DlsSceneData *data, EachRegion *call) {
  DlsSceneGrains *grains = data->grains.items;
  DlsSceneSource *sources = data->sources.items;
  DlsSceneSink *sinks = data->sinks.items;
  for (int k = 0; k < data->grains.count; k++) call(deck, data->dimension, &grains[k].region);
  for (int k = 0; k < data->sources.count; k++) call(deck, data->dimension, &sources[k].region);
  for (int k = 0; k < data->sinks.count; k++) call(deck, data->dimension, &sinks[k].region);
}

void dls_scene_load_regions(DlsDeck *deck, DlsSceneData *data) { for_each(deck, data, load); }

static void unload(DlsDeck *deck, int dim, DlsSceneRegion *r) {
  (void)deck, (void)dim;
  if (r->facets) dls_facets_release(&r->facets);
}

void dls_scene_unload_regions(DlsSceneData *data) { for_each(NULL, data, unload); }
