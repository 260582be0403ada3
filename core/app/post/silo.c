/* delassus post silo: the pressure in a silo against Janssen's law. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/post/post.h"
#include "base/json.h"
#include "plot/panel.h"
#include "post/silo.h"
#include "record/packing_read.h"

typedef struct {
  AppPost post;
  long layers;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_INTEGER_ROW(Job, layers, "layers", "N", 2, DLS_SILO_LAYERS, "of the column; 20"),
};

/* The frames of the window, or the one of `post`. */
static DlsStatus add_frames(const AppPost *post, int layers, DlsSiloSums *sums) {
  const DlsWindow *w = &post->window;
  DlsPacking g = {0};
  DlsStatus status = DLS_OK;
  int frames = 0;
  if (!post->mean) {
    DLS_TRY(dls_silo_begin(&post->packing, &post->region, layers, sums));
    return dls_silo_add(sums, &post->packing);
  }
  DLS_TRY(dls_packing_frames(post->folder, &frames));
  for (int k = 0; k < frames && status == DLS_OK; k++) {
    status = dls_packing_read(post->folder, k, &g);
    if (status != DLS_OK || g.h <= 0 || (w->to > 0 && !dls_window_takes(w, g.time, g.h))) continue;
    if (sums->instants == 0) status = dls_silo_begin(&g, &post->region, layers, sums);
    if (status == DLS_OK) status = dls_silo_add(sums, &g);
  }
  dls_packing_clear(&g);
  DLS_TRY(status);
  DLS_CHECK(sums->instants > 0, DLS_ERR_ARGUMENT,
            "%s: no frame with forces between %g s and %g s; the deck's output: every: tells when "
            "there are frames",
            post->folder, w->from, w->to);
  return DLS_OK;
}

static void print_page(const DlsSilo *s, int instants) {
  printf("instants       %d\n", instants);
  printf("column         height %.6g m, weight %.6g N, %.6g Pa/m\n", s->height, s->weight,
         s->gradient);
  printf("borne          floor %.6g N, walls %.6g N, of the weight: %.4f and %.4f\n", s->floor,
         s->walls, s->floor / s->weight, s->walls / s->weight);
  printf("contacts       walls %.1f, floor %.1f, a layer %.1f\n", s->wall_contacts,
         s->floor_contacts, s->layer_contacts);
  printf("K              %.4f, horizontal over vertical stress\n", s->ratio);
  printf("friction       %.4f, upward over normal force of the walls\n", s->mobilised);
  printf("length         %.6g m by K and friction\n", s->length);
  printf("fit            %.6g m, saturates at %.6g Pa, leaves %.4f of that\n", s->fit.length,
         s->fit.saturation, s->fit.residual);
  printf("\ndepth,axial,across,law\n");
  for (int n = s->layers - 1; n >= 0; n--)
    printf("%.9g,%.9g,%.9g,%.9g\n", s->layer[n].depth, s->layer[n].axial, s->layer[n].across,
           s->layer[n].law);
}

static void print_json(const DlsSilo *s, int instants) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_integer(&json, "instants", instants);
  dls_json_real(&json, "height", s->height);
  dls_json_real(&json, "weight", s->weight);
  dls_json_real(&json, "gradient", s->gradient);
  dls_json_real(&json, "floor", s->floor);
  dls_json_real(&json, "walls", s->walls);
  dls_json_real(&json, "ratio", s->ratio);
  dls_json_real(&json, "mobilised", s->mobilised);
  dls_json_real(&json, "length", s->length);
  dls_json_real(&json, "fit", s->fit.length);
  dls_json_real(&json, "saturation", s->fit.saturation);
  dls_json_real(&json, "residual", s->fit.residual);
  dls_json_real(&json, "wall_contacts", s->wall_contacts);
  dls_json_real(&json, "floor_contacts", s->floor_contacts);
  dls_json_real(&json, "layer_contacts", s->layer_contacts);
  dls_json_close(&json, '}');
}

/* Pressures against depth: layers as dots; the fit, and the line of a liquid as far as there is
 * room for it. */
static DlsStatus draw(const DlsSilo *s, const char *path) {
  enum { POINTS = 101 };
  double depth[DLS_SILO_LAYERS], axial[DLS_SILO_LAYERS], across[DLS_SILO_LAYERS];
  double way[POINTS], law[POINTS], liquid[POINTS], most = 0;
  int room = 0;
  for (int n = 0; n < s->layers; n++) {
    depth[n] = s->layer[n].depth;
    axial[n] = s->layer[n].axial;
    across[n] = s->layer[n].across;
    most = fmax(most, fmax(axial[n], across[n]));
  }
  for (int k = 0; k < POINTS; k++) {
    way[k] = s->height * k / (POINTS - 1);
    law[k] = dls_janssen_pressure(s->gradient, s->fit.length, way[k]);
    liquid[k] = s->gradient * way[k];
    room += liquid[k] <= most;
  }
  const DlsPlotCurve curves[] = {
      {"vertical", depth, axial, s->layers, dls_plot_inks[0], true, NULL, false},
      {"horizontal", depth, across, s->layers, dls_plot_inks[2], true, NULL, false},
      {"Janssen", way, law, POINTS, dls_plot_inks[0], false, NULL, false},
      {"liquid", way, liquid, room, dls_plot_inks[1], false, NULL, false}};
  char title[120];
  snprintf(title, sizeof title, "length %.3g m by the fit, %.3g m by K and friction", s->fit.length,
           s->length);
  const DlsPlotPanel panel = {.title = title,
                              .x_label = "depth (m)",
                              .y_label = "compression (Pa)",
                              .curves = curves,
                              .count = DLS_COUNT(curves),
                              .zero_x = true,
                              .zero_y = true};
  return dls_plot_panels(&panel, 1, 1, 560, 400, path);
}

static DlsStatus work(const AppPost *post, int layers) {
  DlsSiloSums sums = {0};
  DlsSilo silo;
  DLS_CHECK(!post->mean || post->frame < 0, DLS_ERR_ARGUMENT,
            "--frame is one moment; leave it out, or --mean");
  DLS_TRY(add_frames(post, layers, &sums));
  DLS_TRY(dls_silo_end(&sums, &silo));
  if (post->json)
    print_json(&silo, sums.instants);
  else
    print_page(&silo, sums.instants);
  return post->svg ? draw(&silo, post->svg) : DLS_OK;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}, .layers = 20};
  AppPost *post = &job.post;
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (post->window.period > 0 || post->blocks || post->out)
    return app_refuse(self, "has neither --phase nor --blocks nor --out");
  const bool mean = post->mean;
  post->mean = false; /* the last frame tells the dimension, and is the one moment without --mean */
  if (!app_post_begin(self, post)) return APP_WRONG_INPUT;
  post->mean = mean;
  const DlsStatus status = work(post, (int)job.layers);
  app_post_end(post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

const AppCommand app_post_silo = {
    .name = "post silo",
    .usage = "RESULT [options]",
    .summary = "The pressure in a silo against Janssen's law, fitted and by K and wall friction",
    .details =
        "The cross-section is that of --region, a box or an upright cylinder; the box around the\n"
        "grains unless given. Layers go from its foot to the surface.\n"
        "\n"
        "  delassus post silo out/janssen --region box:0,0:0.15,1 --mean 0.4:0.7 --svg silo.svg\n",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
