/* delassus post stress: mean stress of a region, or its profile along an axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post/post.h"
#include "base/choices.h"
#include "base/json.h"
#include "plot/mohr.h"
#include "plot/profile.h"

typedef struct {
  AppPost post;
  int average; /* DlsAverageKind; -1: not given */
  DlsAverageKind kind;
  const char *along; /* NULL: no profile */
  int axis, layers;  /* -1: none */
  bool series;
  int series_axis; /* -1: not given */
} Job;

static bool read_profile(const AppCommand *command, const AppOption *option, const char *value,
                         void *field) {
  Job *job = field;
  (void)option;
  job->along = value;
  if (dls_profile_read(value, "xyz", &job->axis, &job->layers) == DLS_OK) return true;
  app_refuse(command, "--profile %s", dls_error_message());
  return false;
}

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_CHOICE_ROW(Job, average, "average", "centres|lines", DLS_CHOICES(DLS_AVERAGE_LIST),
                   "what a region cuts: by centres of grains (Moreau), or by the shares of arms"),
    APP_READ_ROW(
        read_profile, "profile", "AXIS[:N]",
        "x, y or z: a table of N layers (20) of the region: all, a box, a cylinder along it"),
    APP_FLAG_ROW(Job, series, "series",
                 "p, q, strains, solid fraction, coordination and fabric of every frame, as "
                 "RESULT/series.csv or STEM.csv"),
    APP_CHOICE_ROW(Job, series_axis, "axis", "x|y|z", "x|y|z",
                   "of the axial strain of --series (default the last one)"),
};

/* How far the average is from the moments of the surroundings, relative to its largest
 * component. */
static double outer_error(const AppPost *post, const DlsAverage *a) {
  double outer[9], size = 0, apart = 0;
  DlsAverage centres;
  if (dls_average(&post->packing, &post->region, DLS_AVERAGE_CENTRES, &centres) != DLS_OK ||
      dls_average_outer_moment(&post->packing, &post->region, outer) != DLS_OK)
    return NAN;
  for (int k = 0; k < 9; k++) {
    size = fmax(size, fabs(centres.stress[k]));
    apart = fmax(apart, fabs(outer[k] / a->volume - centres.stress[k]));
  }
  return size > 0 ? apart / size : 0;
}

static void print_average(const AppPost *post, const DlsAverage *a) {
  const int dim = post->packing.dim;
  double tangential[9], weak[9], skew[3];
  for (int k = 0; k < 9; k++) {
    tangential[k] = a->stress[k] - a->normal[k];
    weak[k] = a->stress[k] - a->strong[k];
  }
  dls_tensor_axial(a->stress, skew);
  printf("time           %.9g s\n", post->packing.time);
  printf("region         %s: volume %.6g m%d, %d grains, %d contacts with a force, solid %.4f\n",
         post->region_text ? post->region_text : "all", a->volume, dim, a->grains, a->contacts,
         a->solid);
  if (a->cells) printf("cells          %d, of deformable bodies, among the solid\n", a->cells);
  app_post_tensor("stress", dim, a->stress, "Pa, tension positive");
  printf("pressure       %.6e Pa\n", a->state.pressure);
  printf("deviator       %.6e Pa%s\n", a->state.deviator, dim == 3 ? ", von Mises" : "");
  printf("stress ratio   %.6f\n", a->state.ratio);
  app_post_vector("principal", dim, a->state.principal, "Pa, the strongest compression first");
  for (int k = 0; k < dim; k++) app_post_vector(k ? "" : "axes", dim, a->state.axis[k], "");
  app_post_vector("skew part", 3, skew, "Pa");
  app_post_tensor("normal part", dim, a->normal, "Pa");
  app_post_tensor("tangential", dim, tangential, "Pa");
  app_post_tensor("strong", dim, a->strong, "Pa");
  app_post_tensor("weak", dim, weak, "Pa");
  app_post_tensor("kinetic", dim, a->kinetic, "Pa, apart");
  app_post_tensor("spin tension", dim, a->spin, "Pa, apart");
  if (dim == 2) {
    app_post_vector("couple", 2, a->couple + 6, "Pa m, about z, of contacts");
    app_post_vector("its flux", 2, a->kinetic_couple + 6, "Pa m");
  } else {
    app_post_tensor("couple", 3, a->couple, "Pa m, of contacts");
    app_post_tensor("its flux", 3, a->kinetic_couple, "Pa m");
  }
  printf("from outside   differs by %.1e of the largest component\n", outer_error(post, a));
}

static void json_list(DlsJson *json, const char *key, const double *values, int count) {
  dls_json_open(json, key, '[');
  for (int k = 0; k < count; k++) dls_json_real(json, NULL, values[k]);
  dls_json_close(json, ']');
}

static void print_json(const AppPost *post, const DlsAverage *a) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_real(&json, "time", post->packing.time);
  dls_json_integer(&json, "dimension", post->packing.dim);
  dls_json_real(&json, "volume", a->volume);
  dls_json_integer(&json, "grains", a->grains);
  if (a->cells) dls_json_integer(&json, "cells", a->cells);
  dls_json_integer(&json, "contacts", a->contacts);
  dls_json_real(&json, "solid", a->solid);
  json_list(&json, "stress", a->stress, 9);
  json_list(&json, "normal", a->normal, 9);
  json_list(&json, "strong", a->strong, 9);
  json_list(&json, "kinetic", a->kinetic, 9);
  json_list(&json, "spin", a->spin, 9);
  json_list(&json, "couple", a->couple, 9);
  json_list(&json, "kinetic_couple", a->kinetic_couple, 9);
  dls_json_real(&json, "pressure", a->state.pressure);
  dls_json_real(&json, "deviator", a->state.deviator);
  dls_json_real(&json, "ratio", a->state.ratio);
  json_list(&json, "principal", a->state.principal, 3);
  dls_json_real(&json, "outer_error", outer_error(post, a));
  dls_json_close(&json, '}');
}

static void print_layers(const Job *job, const DlsLayer *layers) {
  printf("%c,stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,pressure,deviator,solid,K,"
         "error_xx,error_yy,error_zz,grains\n",
         "xyz"[job->axis]);
  for (int n = 0; n < job->layers; n++) {
    const DlsLayer *l = &layers[n];
    const double *s = l->stress;
    DlsStressState state;
    dls_stress_state(job->post.packing.dim, s, &state);
    printf("%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g,%.6g,%.4g,%.4g,%.4g,%d\n", l->place,
           s[0], s[4], s[8], s[1], s[5], s[2], state.pressure, state.deviator, l->solid,
           dls_profile_ratio(job->post.packing.dim, job->axis, s), l->error[0], l->error[4],
           l->error[8], l->grains);
  }
}

/* Relative errors of both stresses make that of their ratio. */
static double ratio_error(int dim, int axis, const DlsLayer *l, double ratio) {
  double across = 0, square = 0;
  for (int k = 0; k < dim; k++)
    if (k != axis) across += l->stress[4 * k], square += l->error[4 * k] * l->error[4 * k];
  if (across == 0 || l->stress[4 * axis] == 0) return NAN;
  return fabs(ratio) * hypot(sqrt(square) / across, l->error[4 * axis] / l->stress[4 * axis]);
}

static DlsStatus draw_layers(const Job *job, const DlsLayer *layers) {
  static double place[DLS_PROFILE_MOST], K[DLS_PROFILE_MOST], K_error[DLS_PROFILE_MOST];
  static double stress[DLS_PROFILE_MOST][9], error[DLS_PROFILE_MOST][9];
  const int dim = job->post.packing.dim;
  char title[80];
  for (int n = 0; n < job->layers; n++) {
    place[n] = layers[n].place;
    memcpy(stress[n], layers[n].stress, sizeof stress[n]);
    memcpy(error[n], layers[n].error, sizeof error[n]);
    K[n] = dls_profile_ratio(dim, job->axis, stress[n]);
    K_error[n] = ratio_error(dim, job->axis, &layers[n], K[n]);
  }
  const DlsPlotProfile profile = {
      dim, job->axis, job->layers, place, (const double(*)[9])stress, (const double(*)[9])error,
      K,   K_error};
  snprintf(title, sizeof title, "t = %.4g s", job->post.packing.time);
  return dls_plot_profile(&profile, title, job->post.svg);
}

/* The profile as a table, and as curves. */
static DlsStatus profile(const Job *job) {
  static DlsLayer layers[DLS_PROFILE_MOST];
  DlsProfileGrid grid;
  DLS_TRY(dls_profile_grid(&job->post.packing, &job->post.region, job->kind, job->axis, job->layers,
                           &grid));
  DLS_TRY(dls_profile(&job->post.packing, &grid, layers));
  print_layers(job, layers);
  return job->post.svg ? draw_layers(job, layers) : DLS_OK;
}

static DlsStatus work(const Job *job) {
  DlsAverage average;
  if (job->axis >= 0) return profile(job);
  DLS_TRY(dls_average(&job->post.packing, &job->post.region, job->kind, &average));
  if (job->post.json)
    print_json(&job->post, &average);
  else
    print_average(&job->post, &average);
  if (!job->post.svg) return DLS_OK;
  return dls_plot_mohr(job->post.packing.dim, average.state.principal, average.state.pressure,
                       average.state.deviator, job->post.svg);
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}, .axis = -1, .average = -1, .series_axis = -1};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  job.kind = job.axis >= 0 ? DLS_AVERAGE_LINES : DLS_AVERAGE_CENTRES; /* layers may be thin */
  if (job.average >= 0) job.kind = (DlsAverageKind)job.average;
  if (!job.series && job.series_axis >= 0)
    return app_refuse(self, "--axis is that of --series; give both, or --profile AXIS");
  if (job.series && job.axis >= 0)
    return app_refuse(self, "--series and --profile are two tables; leave one out");
  if (job.series) return app_post_series(self, &job.post, job.kind, job.series_axis);
  if (job.post.mean)
    return app_post_means(self, &job.post,
                          (DlsObservableRequest){.kind = job.axis >= 0 ? DLS_OBSERVABLE_PROFILE
                                                                       : DLS_OBSERVABLE_STRESS,
                                                 .average = job.kind,
                                                 .along = job.along});
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  const int status = work(&job) == DLS_OK ? APP_DONE : app_refuse_status(self);
  app_post_end(&job.post);
  return status;
}

static const char details[] =
    "Tension is positive; the picture is Mohr's circle, with --profile the diagonal along the "
    "axis.\n"
    "A profile goes by lines unless --average says otherwise.\n"
    "\n"
    "  delassus post stress out/biaxial --region sphere:0.1,0.1:0.05 --svg mohr.svg\n"
    "Errors of a profile of one moment are those of independent contacts; --mean has those of "
    "blocks.\n"
    "  delassus post stress out/silo --profile z:20 --svg profile.svg > profile.csv\n"
    "  delassus post stress out/silo --profile z:20 --mean 1:2 --svg profile.svg\n"
    "  delassus post stress out/triaxial --series --svg series.svg\n";

const AppCommand app_post_stress = {
    .name = "post stress",
    .usage = "RESULT [options]",
    .summary = "The mean stress of a region, its parts and principal values; profiles; series",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
