#include "post/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static const double pi = 3.14159265358979323846;

/* "xyz" as "x, y or z". */
static void spell(const char *letters, char *out, size_t bytes) {
  const size_t count = strlen(letters);
  *out = '\0';
  for (size_t k = 0; k < count; k++) {
    const size_t used = strlen(out);
    snprintf(out + used, bytes - used, "%s%c",
             k == 0          ? ""
             : k + 1 < count ? ", "
                             : " or ",
             letters[k]);
  }
}

DlsStatus dls_profile_read(const char *text, const char *letters, int *letter, int *count) {
  const char *found = *text ? strchr(letters, *text) : NULL;
  int64_t layers = 20;
  const bool whole = *text && (text[1] == '\0' ||
                               (text[1] == ':' && dls_checked_text(text + 2, strlen(text + 2), 1,
                                                                   DLS_PROFILE_MOST, &layers)));
  char list[32];
  spell(letters, list, sizeof list);
  DLS_CHECK(found && whole, DLS_ERR_ARGUMENT, "%s: is not %s with 1 to %d parts, as in %c:20", text,
            list, DLS_PROFILE_MOST, letters[0]);
  *letter = (int)(found - letters);
  *count = (int)layers;
  return DLS_OK;
}

DlsStatus dls_profile_grid(const DlsPacking *g, const DlsProbe *region, DlsAverageKind kind,
                           int axis, int layers, DlsProfileGrid *out) {
  memset(out, 0, sizeof *out);
  out->region = *region;
  out->kind = kind;
  out->axis = axis;
  out->layers = layers;
  DLS_CHECK(axis >= 0 && axis < g->dim, DLS_ERR_ARGUMENT,
            "profile: along %c, but the run is in 2-D; take x or y", "xyz"[axis]);
  DLS_CHECK(layers >= 1 && layers <= DLS_PROFILE_MOST, DLS_ERR_ARGUMENT,
            "profile: %d layers; 1 to %d", layers, DLS_PROFILE_MOST);
  dls_packing_box(g, out->low, out->high);
  if (region->kind == DLS_PROBE_BOX) {
    memcpy(out->low, region->low, sizeof out->low);
    memcpy(out->high, region->high, sizeof out->high);
  } else if (region->kind == DLS_PROBE_CYLINDER) {
    DLS_CHECK(fabs(region->axis[axis]) > 1 - 1e-12, DLS_ERR_ARGUMENT,
              "profile: the cylinder does not stand along %c", "xyz"[axis]);
    for (int k = 0; k < 3; k++) {
      const double half = k == axis ? region->length / 2 : region->radius;
      out->low[k] = region->centre[k] - half;
      out->high[k] = region->centre[k] + half;
    }
  } else {
    DLS_CHECK(region->kind == DLS_PROBE_ALL, DLS_ERR_ARGUMENT,
              "profile: of all, of a box, or of a cylinder along the axis");
  }
  DLS_CHECK(out->high[axis] > out->low[axis], DLS_ERR_ARGUMENT,
            "profile: the region has no length along %c", "xyz"[axis]);
  return DLS_OK;
}

static double layer_volume(const DlsProfileGrid *grid, int dim, double step) {
  double volume = step;
  if (grid->region.kind == DLS_PROBE_CYLINDER)
    return volume * pi * grid->region.radius * grid->region.radius;
  for (int k = 0; k < dim; k++)
    if (k != grid->axis) volume *= grid->high[k] - grid->low[k];
  return volume;
}

static int layer_of(const DlsProfileGrid *grid, double x) {
  const double low = grid->low[grid->axis], high = grid->high[grid->axis];
  if (!(x >= low && x <= high)) return -1;
  return dls_checked_cell((x - low) / (high - low) * grid->layers, grid->layers);
}

/* The layer of a grain, -1: none. */
static int layer_of_grain(const DlsPacking *g, const DlsProfileGrid *grid, int i) {
  if (g->held[i]) return -1;
  if (grid->region.kind != DLS_PROBE_ALL && !dls_probe_holds(&grid->region, g->dim, g->centre[i]))
    return -1;
  return layer_of(grid, g->centre[i][grid->axis]);
}

static void add_share(const double f[3], const double arm[3], double share, DlsLayer *layer) {
  const double by = share / layer->volume;
  if (share == 0) return;
  layer->contacts++;
  dls_tensor_add(by, f, arm, layer->stress);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) layer->error[3 * i + j] += pow(by * f[i] * arm[j], 2);
}

/* The parts of the way from a to b in each layer that it crosses. */
static void add_way(const DlsPacking *g, const DlsProfileGrid *grid, const double a[3],
                    const double b[3], const double f[3], DlsLayer *out) {
  const int axis = grid->axis;
  const double low = grid->low[axis], step = (grid->high[axis] - low) / grid->layers;
  const double from = fmin(a[axis], b[axis]), to = fmax(a[axis], b[axis]), way = b[axis] - a[axis];
  double arm[3];
  for (int k = 0; k < 3; k++) arm[k] = b[k] - a[k];
  const int first = dls_checked_cell((from - low) / step, grid->layers + 1);
  const int last = to < low ? -1 : dls_checked_cell((to - low) / step, grid->layers);
  for (int n = first; n <= last; n++) {
    double p[3], q[3], t = 0, s = 1;
    if (way != 0) {
      const double x = (low + n * step - a[axis]) / way, y = (low + (n + 1) * step - a[axis]) / way;
      t = fmax(0, fmin(x, y));
      s = fmin(1, fmax(x, y));
    }
    if (!(s > t)) continue;
    for (int k = 0; k < 3; k++) p[k] = a[k] + t * arm[k], q[k] = a[k] + s * arm[k];
    const double inside =
        grid->region.kind == DLS_PROBE_ALL ? 1 : dls_probe_share(&grid->region, g->dim, p, q);
    add_share(f, arm, (s - t) * inside, &out[n]);
  }
}

static void add_contact(const DlsPacking *g, const DlsProfileGrid *grid, int c, DlsLayer *out) {
  for (int side = 0; side < 2; side++) {
    const int grain = side ? g->antagonist[c] : g->candidate[c];
    double f[3], arm[3], point[3];
    if (!dls_packing_is_free(g, grain)) continue;
    for (int k = 0; k < 3; k++) f[k] = side ? -g->force[c][k] : g->force[c][k];
    if (grid->kind == DLS_AVERAGE_LINES) {
      dls_packing_point(g, c, side, point);
      add_way(g, grid, g->centre[grain], point, f, out);
      continue;
    }
    const int n = layer_of_grain(g, grid, grain);
    dls_packing_arm(g, c, side, arm);
    if (n >= 0) add_share(f, arm, 1, &out[n]);
  }
}

static void add_grains(const DlsPacking *g, const DlsProfileGrid *grid, DlsLayer *out) {
  for (int pass = 0; pass < 2;
       pass++) { /* momentum and mass, then what deviates from their ratio */
    for (int i = 0; i < g->grains; i++) {
      const int n = layer_of_grain(g, grid, i);
      double v[3];
      if (n < 0) continue;
      if (pass == 0) {
        out[n].grains += dls_packing_part(g, i) == DLS_PART_RIGID;
        for (int k = 0; k < 9 && g->moment; k++)
          out[n].stress[k] += g->moment[i][k] / out[n].volume;
        out[n].solid += g->volume[i] / out[n].volume;
        out[n].mass += g->mass[i];
        for (int k = 0; k < 3; k++) out[n].velocity[k] += g->mass[i] * g->velocity[i][k];
        continue;
      }
      for (int k = 0; k < 3; k++) v[k] = g->velocity[i][k] - out[n].velocity[k];
      dls_tensor_add(-g->mass[i] / out[n].volume, v, v, out[n].kinetic);
    }
    for (int n = 0; n < grid->layers && pass == 0; n++)
      for (int k = 0; k < 3 && out[n].mass > 0; k++) out[n].velocity[k] /= out[n].mass;
  }
}

DlsStatus dls_profile(const DlsPacking *packing, const DlsProfileGrid *grid, DlsLayer *out) {
  const DlsPacking *g = dls_packing_fine(packing);
  const double low = grid->low[grid->axis];
  const double step = (grid->high[grid->axis] - low) / grid->layers;
  memset(out, 0, (size_t)grid->layers * sizeof *out);
  for (int n = 0; n < grid->layers; n++) {
    out[n].place = low + (n + 0.5) * step;
    out[n].volume = layer_volume(grid, g->dim, step);
    DLS_CHECK(out[n].volume > 0, DLS_ERR_ARGUMENT, "profile: the layers have no volume");
  }
  add_grains(g, grid, out);
  for (int c = 0; c < g->contacts; c++)
    if (dls_packing_active(g, c)) add_contact(g, grid, c, out);
  for (int n = 0; n < grid->layers; n++)
    for (int k = 0; k < 9; k++) out[n].error[k] = sqrt(out[n].error[k]);
  return DLS_OK;
}

double dls_profile_ratio(int dim, int axis, const double stress[9]) {
  double across = 0;
  for (int k = 0; k < dim; k++)
    if (k != axis) across += stress[4 * k] / (dim - 1);
  return stress[4 * axis] != 0 ? across / stress[4 * axis] : 0;
}
