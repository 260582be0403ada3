/* delassus post probe: the stress tensor of a round probe against cuts through it (Moreau 2001,
 * Fig. 3). */
#include <math.h>
#include <stdio.h>

#include "app/post/post.h"
#include "base/json.h"
#include "plot/probe.h"
#include "post/diameters.h"
#include "record/sides_read.h"

typedef struct {
  AppPost post;
  long cuts;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_INTEGER_ROW(Job, cuts, "cuts", "N", 1, APP_ANY, "diameters; 31"),
};

/* Without --region: about the middle of the grains, as wide as seven tenths of the narrowest
 * side. */
static void choose_probe(AppPost *post) {
  double low[3], high[3], narrowest = INFINITY;
  if (post->region_text) return;
  dls_packing_box(&post->packing, low, high);
  post->region.kind = DLS_PROBE_SPHERE;
  for (int k = 0; k < post->packing.dim; k++) {
    post->region.centre[k] = 0.5 * (low[k] + high[k]);
    narrowest = fmin(narrowest, high[k] - low[k]);
  }
  post->region.radius = 0.35 * narrowest;
}

static void print_page(const AppPost *post, const DlsDiameters *d) {
  const int dim = post->packing.dim;
  printf("time           %.9g s\n", post->packing.time);
  printf("probe          radius %.6g m, %d grains, solid %.4f\n", post->region.radius,
         d->average.grains, d->average.solid);
  app_post_tensor("stress", dim, d->average.stress, "Pa, tension positive");
  app_post_vector("principal", dim, d->average.state.principal, "Pa");
  printf("cuts           %d, each crossed by %.1f contacts in the mean\n", d->count, d->crossing);
  printf("correlation    %.6f of the tractions with those of the tensor\n", d->correlation);
  printf("deviation      %.4f of the pressure, root mean square\n", d->deviation);
}

static void print_json(const AppPost *post, const DlsDiameters *d) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_real(&json, "radius", post->region.radius);
  dls_json_integer(&json, "grains", d->average.grains);
  dls_json_real(&json, "pressure", d->average.state.pressure);
  dls_json_integer(&json, "cuts", d->count);
  dls_json_real(&json, "crossing", d->crossing);
  dls_json_real(&json, "correlation", d->correlation);
  dls_json_real(&json, "deviation", d->deviation);
  dls_json_open(&json, "tractions", '[');
  for (int k = 0; k < d->count; k++) {
    dls_json_open(&json, NULL, '[');
    dls_json_real(&json, NULL, d->angle[k]);
    for (int i = 0; i < 2; i++) dls_json_real(&json, NULL, d->cut[k][i]);
    for (int i = 0; i < 2; i++) dls_json_real(&json, NULL, d->fit[k][i]);
    dls_json_close(&json, ']');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

static DlsStatus draw(const AppPost *post, const DlsDiameters *d) {
  const DlsPacking *g = &post->packing;
  DlsGrainSides sides = {0};
  DlsStatus status = dls_sides_read(post->folder, post->frame, g, &sides);
  const double *centre = post->region.centre;
  const DlsPlotProbe picture = {.dim = g->dim,
                                .centre = {centre[0], centre[1], centre[2]},
                                .radius = post->region.radius,
                                .grains = g->grains,
                                .grain = (const double(*)[3])g->centre,
                                .grain_radius = g->radius,
                                .sides = sides,
                                .contacts = g->contacts,
                                .point = (const double(*)[3])g->point,
                                .force = (const double(*)[3])g->force,
                                .normal_force = g->normal_force,
                                .length = dls_packing_diameter(g),
                                .inside = d->average.grains,
                                .solid = d->average.solid,
                                .stress = d->average.stress,
                                .principal = d->average.state.principal,
                                .axis = d->average.state.axis,
                                .cuts = d->count,
                                .angle = d->angle,
                                .cut = d->cut,
                                .correlation = d->correlation,
                                .deviation = d->deviation};
  if (status == DLS_OK) status = dls_plot_probe(&picture, post->svg);
  dls_grain_sides_clear(&sides);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  static DlsDiameters diameters;
  Job job = {.post = {.frame = -1}, .cuts = 31};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  choose_probe(&job.post);
  DlsStatus status = dls_diameters(
      &job.post.packing, &job.post.region, DLS_AVERAGE_CENTRES,
      job.cuts > DLS_DIAMETERS_MOST ? DLS_DIAMETERS_MOST + 1 : (int)job.cuts, &diameters);
  if (status == DLS_OK && job.post.json) print_json(&job.post, &diameters);
  if (status == DLS_OK && !job.post.json) print_page(&job.post, &diameters);
  if (status == DLS_OK && job.post.svg) status = draw(&job.post, &diameters);
  app_post_end(&job.post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

static const char details[] = "The figure of Moreau 2001, from a biaxial test:\n"
                              "\n"
                              "  delassus run input/biaxial.yaml --out out/biaxial\n"
                              "  delassus post probe out/biaxial --svg probe.svg\n";

const AppCommand app_post_probe = {
    .name = "post probe",
    .usage = "RESULT [--region sphere:CENTRE:RADIUS] [options]",
    .summary = "Checks the stress tensor of a round probe by cuts along its diameters",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
