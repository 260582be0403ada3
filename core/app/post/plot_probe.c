/* Moreau's figure: the probe on the left, tractions across its diameters on the right. */
#include <math.h>
#include <stdio.h>

#include "app/post/plot.h"

static const double pi = 3.14159265358979323846;
enum { SIDE = 460, FINE = 181 };

static void flat(int dim, const double x[3], double out[3]) {
  out[0] = x[0];
  out[1] = dim == 3 ? x[2] : x[1];
  out[2] = 0;
}

/* Grains about the probe, forces as lines along their direction through the contact point, the probe. */
static void draw_place(DlsSvg *svg, const DlsPacking *g, const DlsProbe *probe) {
  const DlsSvgStyle grain = {.fill = 0xeeeeee, .stroke = 0xaaaaaa, .width = 0.6};
  const DlsSvgStyle ring = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 2.5};
  const double reach = 1.35 * probe->radius;
  double middle[3], largest = 0;
  flat(g->dim, probe->centre, middle);
  const DlsSvgFrame frame = {.box = {20, 40, SIDE - 40, SIDE - 40},
                             .x = {middle[0] - reach, middle[0] + reach},
                             .y = {middle[1] - reach, middle[1] + reach}};
  const DlsProbe near = {.kind = DLS_PROBE_SPHERE,
                         .radius = 2 * reach,
                         .centre = {probe->centre[0], probe->centre[1], probe->centre[2]}};
  const double pixel = 2 * reach / frame.box.width;
  dls_svg_frame(svg, &frame);
  for (int i = 0; i < g->grains && g->dim == 2; i++)
    if (dls_probe_holds(&near, g->dim, g->centre[i]))
      dls_svg_circle(svg, g->centre[i], g->radius[i], &grain);
  for (int c = 0; c < g->contacts; c++)
    if (dls_probe_holds(&near, g->dim, g->point[c])) largest = fmax(largest, g->normal_force[c]);
  const double length = dls_packing_diameter(g);
  for (int c = 0; c < g->contacts && largest > 0; c++) {
    const double size = dls_vector_norm(g->force[c]);
    if (!(size > 0.02 * largest) || !dls_probe_holds(&near, g->dim, g->point[c])) continue;
    double ends[2][3], from[3], to[3];
    for (int k = 0; k < 3; k++) {
      ends[0][k] = g->point[c][k] - 0.5 * length * g->force[c][k] / size;
      ends[1][k] = g->point[c][k] + 0.5 * length * g->force[c][k] / size;
    }
    flat(g->dim, ends[0], from);
    flat(g->dim, ends[1], to);
    const DlsSvgStyle line = {.fill = DLS_COLOUR_NONE,
                              .stroke = 0x222222,
                              .width = fmax(0.3, 0.5 * length / pixel * size / largest)};
    dls_svg_line(svg, from, to, &line);
  }
  dls_svg_circle(svg, middle, probe->radius, &ring);
}

/* The cross of the principal stresses, as long as they are strong. */
static void draw_cross(DlsSvg *svg, const DlsPacking *g, const DlsProbe *probe,
                       const DlsStressState *state) {
  const DlsSvgStyle blue = {.fill = DLS_COLOUR_NONE, .stroke = 0x1f5fa8, .width = 4};
  const double most = fmax(fabs(state->principal[0]), fabs(state->principal[g->dim - 1]));
  double middle[3];
  flat(g->dim, probe->centre, middle);
  for (int k = 0; k < 2 && most > 0; k++) {
    const int n = k ? g->dim - 1 : 0;
    double way[3], from[3] = {0}, to[3] = {0};
    flat(g->dim, state->axis[n], way);
    for (int i = 0; i < 2; i++) {
      const double part = 0.7 * probe->radius * fabs(state->principal[n]) / most * way[i];
      from[i] = middle[i] - part;
      to[i] = middle[i] + part;
    }
    dls_svg_line(svg, from, to, &blue);
  }
}

/* Normal and tangential tractions of the tensor at a fine step, and of the cuts. */
static void draw_tractions(DlsSvg *svg, const DlsPacking *g, const DlsDiameters *d) {
  double degree[DLS_DIAMETERS_MOST], cut[2][DLS_DIAMETERS_MOST], fine[FINE], fit[2][FINE];
  const int up = g->dim == 3 ? 2 : 1;
  const double *s = d->average.stress;
  char title[160];
  for (int k = 0; k < d->count; k++) {
    degree[k] = d->angle[k] * 180 / pi;
    cut[0][k] = d->cut[k][0], cut[1][k] = d->cut[k][1];
  }
  for (int k = 0; k < FINE; k++) {
    const double a = k * pi / (FINE - 1), c = cos(a), n = sin(a);
    const double x = s[0] * c + s[up] * n, y = s[3 * up] * c + s[4 * up] * n;
    fine[k] = a * 180 / pi;
    fit[0][k] = c * x + n * y;
    fit[1][k] = -n * x + c * y;
  }
  const PostCurve curves[] = {{"n, tensor", fine, fit[0], FINE, 0x9bb8d8, false, NULL, false},
                              {"t, tensor", fine, fit[1], FINE, 0xe0a8a0, false, NULL, false},
                              {"n, cuts", degree, cut[0], d->count, 0x1f5fa8, true, NULL, false},
                              {"t, cuts", degree, cut[1], d->count, 0xc0392b, true, NULL, false}};
  snprintf(title, sizeof title, "%d cuts: correlation %.4f, deviation %.3f of the pressure",
           d->count, d->correlation, d->deviation);
  const PostPanel panel = {.title = title,
                           .x_label = "direction of the normal (degrees)",
                           .y_label = "traction (Pa), tension positive",
                           .curves = curves,
                           .count = 4};
  post_draw_panel(svg, (DlsSvgBox){SIDE, 10, 560, SIDE}, &panel);
}

DlsStatus post_plot_diameters(const DlsPacking *packing, const DlsProbe *probe,
                              const DlsDiameters *diameters, const char *path) {
  DlsSvg *svg = NULL;
  char title[160];
  const DlsSvgText text = {.anchor = 0, .bold = true};
  DLS_TRY(dls_svg_create(SIDE + 570, SIDE + 20, &svg));
  snprintf(title, sizeof title, "probe of %d grains, solid fraction %.3f",
           diameters->average.grains, diameters->average.solid);
  dls_svg_text(svg, 0.5 * SIDE, 26, title, &text);
  draw_place(svg, packing, probe);
  draw_cross(svg, packing, probe, &diameters->average.state);
  draw_tractions(svg, packing, diameters);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
