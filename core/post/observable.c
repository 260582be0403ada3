#include "post/observable.h"

#include <string.h>

#include "post/fabric.h"
#include "post/field/grid.h"

static const char *const words[] = {
#define DLS_OBSERVABLE_TEXT(code, text) text,
    DLS_OBSERVABLE_LIST(DLS_OBSERVABLE_TEXT)
#undef DLS_OBSERVABLE_TEXT
};

const char *dls_observable_text(DlsObservableKind kind) { return words[kind]; }

/* Columns that weigh others come first, so that their numbers are known: the digits behind the
 * names. */
static const DlsObservableArray stress_arrays[] = {
    {"volume", "m3", 1, -1},           {"grains", "", 1, -1},
    {"contacts", "", 1, -1},           {"solid", "", 1, -1},
    {"velocity", "m/s", 3, -1},        {"stress", "Pa", 9, -1},
    {"stress_normal", "Pa", 9, -1},    {"stress_strong", "Pa", 9, -1},
    {"kinetic_stress", "Pa", 9, -1},   {"pressure", "Pa", 1, -1},
    {"spin_stress", "Pa", 9, -1},      {"couple_stress", "Pa m", 9, -1},
    {"kinetic_couple", "Pa m", 9, -1},
};
static const DlsObservableArray fabric_arrays[] = {
    {"contacts", "", 1, -1},
    {"pushing", "", 1, -1},
    {"rubbing", "", 1, -1},
    {"grains", "", 1, -1},
    {"rattlers", "", 1, -1},
    {"coordination", "", 1, -1},
    {"backbone", "", 1, -1},
    {"fabric", "", 9, 0},
    {"mobilised", "", 1, 0},
    {"slipping", "", 1, 0},
    {"mean_force", "N", 1, 1},
    {"cosines", "", 3, 0},
    {"sines", "", 3, 0},
    {"density_normal", "", DLS_FORCE_BINS, 1},
    {"density_tangential", "", DLS_FORCE_BINS, 2},
    {"rose", "", DLS_ROSE_SECTORS, -1}, /* 3-D: times bands */
};
static const DlsObservableArray cut_arrays[] = {
    {"force", "N", 3, -1},
    {"traction", "Pa", 3, -1},
    {"normal_force", "N", 1, -1},
    {"contacts", "", 1, -1},
};
static const DlsObservableArray wall_arrays[] = {
    {"reaction", "N", 3, -1},
    {"normal", "N", 1, -1},
    {"contacts", "", 1, -1},
};
static const DlsObservableArray profile_arrays[] = {
    {"density", "kg/m3", 1, -1}, {"axial", "Pa", 1, -1},
    {"solid", "", 1, -1},        {"grains", "", 1, -1},
    {"contacts", "", 1, -1},     {"velocity", "m/s", 3, 0},
    {"stress", "Pa", 9, -1},     {"kinetic_stress", "Pa", 9, -1},
    {"pressure", "Pa", 1, -1},   {"K", "", 1, 1},
};
static const DlsObservableArray floor_arrays[] = {
    {"pressure", "Pa", 1, -1},
    {"shear", "Pa", 1, -1},
    {"contacts", "", 1, -1},
};
static const DlsObservableArray field_arrays[] = {
    {"density", "kg/m3", 1, -1},     {"contact_density", "1/m3", 1, -1},
    {"solid_fraction", "", 1, -1},   {"pressure", "Pa", 1, -1},
    {"velocity", "m/s", 3, 0},       {"stress", "Pa", 9, -1},
    {"kinetic_stress", "Pa", 9, -1}, {"fabric", "", 9, 1},
    {"wall_force", "N/m3", 3, -1},
};
static const DlsObservableArray grain_arrays[] = {
    {"position", "m", 3, -1},    {"radius", "m", 1, -1},  {"velocity", "m/s", 3, -1},
    {"pressure", "Pa", 1, -1},   {"stress", "Pa", 9, -1}, {"kinetic_stress", "Pa", 9, -1},
    {"coordination", "", 1, -1},
};

typedef struct {
  const DlsObservableArray *arrays;
  int count;
} Table;

#define TABLE(name)                                                                                \
  { (name), DLS_COUNT(name) }
static const Table tables[] = {
    [DLS_OBSERVABLE_STRESS] = TABLE(stress_arrays),
    [DLS_OBSERVABLE_FABRIC] = TABLE(fabric_arrays),
    [DLS_OBSERVABLE_CUT] = TABLE(cut_arrays),
    [DLS_OBSERVABLE_WALLS] = TABLE(wall_arrays),
    [DLS_OBSERVABLE_PROFILE] = TABLE(profile_arrays),
    [DLS_OBSERVABLE_FLOOR] = TABLE(floor_arrays),
    [DLS_OBSERVABLE_FIELD] = TABLE(field_arrays),
    [DLS_OBSERVABLE_GRAINS] = TABLE(grain_arrays),
};

int dls_observable_arrays(DlsObservableKind kind, int dim, DlsObservableArray *out, int *columns) {
  const Table *table = &tables[kind];
  int sum = 0;
  for (int k = 0; k < table->count; k++) {
    DlsObservableArray array = table->arrays[k];
    if (dim == 3 && strcmp(array.name, "rose") == 0) array.components *= DLS_ROSE_BANDS;
    sum += array.components;
    if (out) out[k] = array;
  }
  if (columns) *columns = sum;
  return table->count;
}

int dls_observable_column(DlsObservableKind kind, int dim, const char *name) {
  DlsObservableArray arrays[DLS_OBSERVABLE_ARRAYS];
  const int count = dls_observable_arrays(kind, dim, arrays, NULL);
  int column = 0;
  for (int k = 0; k < count; column += arrays[k++].components)
    if (strcmp(arrays[k].name, name) == 0) return column;
  return -1;
}

static DlsStatus check_along(const DlsObservableRequest *request, int dim) {
  int letter, count;
  const bool floor = request->kind == DLS_OBSERVABLE_FLOOR;
  const char *letters = floor ? dim == 3 ? "rxy" : "x" : dim == 3 ? "zxy" : "yx";
  return request->along ? dls_profile_read(request->along, letters, &letter, &count) : DLS_OK;
}

DlsStatus dls_observable_check(const DlsObservableRequest *request, int dim, const char **key) {
  DlsProbe region;
  DlsKernel kernel;
  DlsCut cut;
  int points[3];
  const char *unused;
  if (!key) key = &unused;
  *key = "region";
  if (request->region) DLS_TRY(dls_probe_read(request->region, dim, &region));
  *key = "along";
  DLS_TRY(check_along(request, dim));
  *key = "grid";
  if (request->grid) DLS_TRY(dls_field_points_read(request->grid, dim, points));
  *key = "kernel";
  if (request->kernel) DLS_TRY(dls_kernel_read(request->kernel, 1, &kernel));
  *key = "cuts";
  for (int k = 0; k < request->ncuts; k++) DLS_TRY(dls_cut_read(request->cuts[k], dim, &cut));
  DLS_CHECK(request->kind != DLS_OBSERVABLE_CUT || request->ncuts > 0, DLS_ERR_ARGUMENT,
            "which cut? one such as plane:%s", dim == 3 ? "0,0,0.1:0,0,1" : "0,0.1:0,1");
  DLS_CHECK(request->ncuts <= DLS_OBSERVABLE_CUTS, DLS_ERR_ARGUMENT, "%d cuts; %d at most",
            request->ncuts, DLS_OBSERVABLE_CUTS);
  return DLS_OK;
}

/* The letter of a profile or floor, and the number of its parts; upward, or along x, unless
 * told. */
static DlsStatus read_along(const char *text, bool floor, int dim, char *letter, int *count) {
  const char *letters = floor ? dim == 3 ? "rxy" : "x" : dim == 3 ? "zxy" : "yx";
  int which = 0;
  *count = 20;
  if (text) DLS_TRY(dls_profile_read(text, letters, &which, count));
  *letter = letters[which];
  return DLS_OK;
}

DlsStatus dls_observable_words(const DlsObservableRequest *request, int dim, DlsObservable *out) {
  char letter;
  int count;
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_observable_check(request, dim, NULL));
  out->kind = request->kind;
  out->dim = dim;
  out->average = request->average;
  out->plain = request->plain;
  out->boundaries = -1;
  out->cuts = request->ncuts;
  for (int k = 0; k < request->ncuts; k++)
    DLS_TRY(dls_cut_read(request->cuts[k], dim, &out->cut[k]));
  DLS_TRY(dls_probe_read(request->region ? request->region : "all", dim, &out->region));
  if (out->kind == DLS_OBSERVABLE_FIELD)
    return dls_kernel_read(request->kernel ? request->kernel : "gauss:1d", 1, &out->kernel);
  if (out->kind != DLS_OBSERVABLE_PROFILE && out->kind != DLS_OBSERVABLE_FLOOR) return DLS_OK;
  DLS_TRY(read_along(request->along, out->kind == DLS_OBSERVABLE_FLOOR, dim, &letter, &count));
  out->profile = (DlsProfileGrid){.region = out->region,
                                  .kind = out->average,
                                  .axis = letter == 'r' ? 0 : letter - 'x',
                                  .layers = count};
  out->floor = (DlsFloorGrid){
      .region = out->region, .rings = letter == 'r', .axis = letter == 'y', .count = count};
  return DLS_OK;
}

/* The places, by the grains that are there. */
static DlsStatus begin_space(const DlsObservableRequest *request, const DlsPacking *g,
                             DlsObservable *out) {
  if (request->kind == DLS_OBSERVABLE_FIELD) {
    DLS_TRY(dls_kernel_read(request->kernel ? request->kernel : "gauss:1d", dls_packing_diameter(g),
                            &out->kernel));
    return dls_field_grid_read(request->grid, g, &out->region, &out->grid);
  }
  const DlsFloorGrid *f = &out->floor;
  if (request->kind == DLS_OBSERVABLE_FLOOR)
    return dls_floor_grid(g, &out->region,
                          f->rings  ? 'r'
                          : f->axis ? 'y'
                                    : 'x',
                          f->count, request->centre, &out->floor);
  return dls_profile_grid(g, &out->region, request->average, out->profile.axis, out->profile.layers,
                          &out->profile);
}

DlsStatus dls_observable_begin(const DlsObservableRequest *request, const DlsPacking *g,
                               DlsObservable *out) {
  DLS_TRY(dls_observable_words(request, g->dim, out));
  out->boundaries = g->boundaries;
  DLS_CHECK(out->kind != DLS_OBSERVABLE_WALLS || g->boundaries >= 0, DLS_ERR_ARGUMENT,
            "walls: the frames do not tell how many boundaries there are; they are of an older "
            "version, run the deck again");
  if (out->kind != DLS_OBSERVABLE_PROFILE && out->kind != DLS_OBSERVABLE_FLOOR &&
      out->kind != DLS_OBSERVABLE_FIELD)
    return DLS_OK;
  return begin_space(request, g, out);
}

int dls_observable_rows(const DlsObservable *r, const DlsPacking *g) {
  switch (r->kind) {
  case DLS_OBSERVABLE_CUT:
    return r->cuts;
  case DLS_OBSERVABLE_WALLS:
    return r->boundaries + 1;
  case DLS_OBSERVABLE_PROFILE:
    return r->profile.layers;
  case DLS_OBSERVABLE_FLOOR:
    return r->floor.count;
  case DLS_OBSERVABLE_FIELD:
    return r->grid.points[0] * r->grid.points[1] * r->grid.points[2];
  case DLS_OBSERVABLE_GRAINS:
    return g->grains;
  default:
    return 1;
  }
}

void dls_observable_place(const DlsObservable *r, int row, double out[3]) {
  memset(out, 0, 3 * sizeof *out);
  if (r->kind == DLS_OBSERVABLE_FIELD) dls_field_place(&r->grid, row, out);
  if (r->kind == DLS_OBSERVABLE_PROFILE) {
    const int k = r->profile.axis;
    const double low = r->profile.low[k], high = r->profile.high[k];
    out[0] = low + (row + 0.5) * ((high - low) / r->profile.layers);
  }
  if (r->kind == DLS_OBSERVABLE_FLOOR)
    out[0] = r->floor.low + (row + 0.5) * ((r->floor.high - r->floor.low) / r->floor.count);
}
