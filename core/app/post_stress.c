/* delassus post stress: mean stress of a region, or its profile along an axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/post.h"
#include "app/post_plot.h"

enum { AVERAGE = POST_OWN, PROFILE };
static const AppOption options[] = {
    POST_OPTIONS,
    [AVERAGE] = {"average", "centres|lines",
                 "what a region cuts: by centres of grains (Moreau), or by the shares of arms"},
    [PROFILE] = {"profile", "AXIS[:N]",
                 "x, y or z: a table of N layers (20) of the box around the grains"},
};

enum { MOST_LAYERS = 1000 };

typedef struct {
  AppPost post;
  DlsAverageKind kind;
  int axis, layers; /* -1: no profile */
} Job;

/* How far the average is from the moments of the surroundings, relative to its largest component. */
static double outer_error(const AppPost *post, const DlsAverage *a) {
  double outer[9], size = 0, apart = 0;
  DlsAverage centres;
  if (dls_average(&post->granulate, &post->region, DLS_AVERAGE_CENTRES, &centres) != DLS_OK ||
      dls_average_outer_moment(&post->granulate, &post->region, outer) != DLS_OK)
    return NAN;
  for (int k = 0; k < 9; k++) {
    size = fmax(size, fabs(centres.stress[k]));
    apart = fmax(apart, fabs(outer[k] / a->volume - centres.stress[k]));
  }
  return size > 0 ? apart / size : 0;
}

static void print_average(const AppPost *post, const DlsAverage *a) {
  const int dim = post->granulate.dim;
  double tangential[9], weak[9], skew[3];
  for (int k = 0; k < 9; k++) {
    tangential[k] = a->stress[k] - a->normal[k];
    weak[k] = a->stress[k] - a->strong[k];
  }
  dls_tensor_axial(a->stress, skew);
  printf("time           %.9g s\n", post->granulate.time);
  printf("region         %s: volume %.6g m%d, %d grains, %d contacts with a force, solid %.4f\n",
         post->region_text ? post->region_text : "all", a->volume, dim, a->grains, a->contacts,
         a->solid);
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
  printf("from outside   differs by %.1e of the largest component\n", outer_error(post, a));
}

static void json_list(Json *json, const char *key, const double *values, int count) {
  json_open(json, key, '[');
  for (int k = 0; k < count; k++) json_real(json, NULL, values[k]);
  json_close(json, ']');
}

static void print_json(const AppPost *post, const DlsAverage *a) {
  Json json = {.file = stdout};
  json_open(&json, NULL, '{');
  json_real(&json, "time", post->granulate.time);
  json_integer(&json, "dimension", post->granulate.dim);
  json_real(&json, "volume", a->volume);
  json_integer(&json, "grains", a->grains);
  json_integer(&json, "contacts", a->contacts);
  json_real(&json, "solid", a->solid);
  json_list(&json, "stress", a->stress, 9);
  json_list(&json, "normal", a->normal, 9);
  json_list(&json, "strong", a->strong, 9);
  json_list(&json, "kinetic", a->kinetic, 9);
  json_real(&json, "pressure", a->state.pressure);
  json_real(&json, "deviator", a->state.deviator);
  json_real(&json, "ratio", a->state.ratio);
  json_list(&json, "principal", a->state.principal, 3);
  json_real(&json, "outer_error", outer_error(post, a));
  json_close(&json, '}');
}

/* The profile as a table, and as curves of the diagonal against the height. */
static DlsStatus profile(const Job *job) {
  static double place[MOST_LAYERS], value[4][MOST_LAYERS];
  const DlsGranulate *g = &job->post.granulate;
  DlsProbe layer = {.kind = DLS_PROBE_BOX};
  double low[3], high[3];
  dls_granulate_box(g, low, high);
  printf("%c,stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,pressure,deviator,solid\n",
         "xyz"[job->axis]);
  for (int n = 0; n < job->layers; n++) {
    DlsAverage a;
    const double step = (high[job->axis] - low[job->axis]) / job->layers;
    memcpy(layer.low, low, sizeof low);
    memcpy(layer.high, high, sizeof high);
    layer.low[job->axis] = low[job->axis] + n * step;
    layer.high[job->axis] = layer.low[job->axis] + step;
    DLS_TRY(dls_average(g, &layer, job->kind, &a));
    place[n] = layer.low[job->axis] + 0.5 * step;
    for (int k = 0; k < 3; k++) value[k][n] = -a.stress[4 * k];
    value[3][n] = a.state.pressure;
    printf("%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g\n", place[n], a.stress[0],
           a.stress[4], a.stress[8], a.stress[1], a.stress[5], a.stress[2], a.state.pressure,
           a.state.deviator, a.solid);
  }
  if (!job->post.svg) return DLS_OK;
  static const char *const labels[] = {"-xx", "-yy", "-zz"};
  static const DlsColour inks[] = {0x1f5fa8, 0x2e7d32, 0xc0392b};
  PostCurve curves[3];
  for (int k = 0; k < g->dim; k++)
    curves[k] = (PostCurve){labels[k], value[k], place, job->layers, inks[k], false};
  const char axis[] = {"xyz"[job->axis], ' ', '(', 'm', ')', '\0'};
  const PostPanel panel = {.title = "stress profile",
                           .x_label = "compression (Pa)",
                           .y_label = axis,
                           .curves = curves,
                           .count = g->dim};
  DlsSvg *svg = NULL;
  DLS_TRY(dls_svg_create(480, 420, &svg));
  post_draw_panel(svg, (DlsSvgBox){0, 0, 480, 420}, &panel);
  const DlsStatus status = dls_svg_write(svg, job->post.svg);
  dls_svg_destroy(&svg);
  return status;
}

static DlsStatus work(const Job *job) {
  DlsAverage average;
  if (job->axis >= 0) return profile(job);
  DLS_TRY(dls_average(&job->post.granulate, &job->post.region, job->kind, &average));
  if (job->post.json)
    print_json(&job->post, &average);
  else
    print_average(&job->post, &average);
  if (!job->post.svg) return DLS_OK;
  return post_plot_mohr(job->post.granulate.dim, &average.state, job->post.svg);
}

/* "z" or "z:40". */
static bool read_profile(AppArguments *arguments, Job *job) {
  const char *text = arguments->value, *axis = *text ? strchr("xyz", *text) : NULL;
  char *end = NULL;
  const long layers = text[0] && text[1] == ':' ? strtol(text + 2, &end, 10) : 20;
  if (axis && (text[1] == '\0' || (end && *end == '\0')) && layers >= 1 && layers <= MOST_LAYERS) {
    job->axis = *text - 'x';
    job->layers = (int)layers;
    return true;
  }
  arguments->status = app_refuse(arguments->command,
                                 "--profile %s: is not x, y or z with up to %d layers, as in z:20",
                                 text, MOST_LAYERS);
  return false;
}

static bool read_average(AppArguments *arguments, Job *job) {
  const bool lines = strcmp(arguments->value, "lines") == 0;
  job->kind = lines ? DLS_AVERAGE_LINES : DLS_AVERAGE_CENTRES;
  if (lines || strcmp(arguments->value, "centres") == 0) return true;
  arguments->status = app_refuse(arguments->command, "--average %s: is neither centres nor lines",
                                 arguments->value);
  return false;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}, .axis = -1};
  bool chosen = false;
  AppArguments arguments = app_arguments(self, argc, argv);
  for (int met; (met = app_arguments_next(&arguments)) != APP_END;) {
    if (met == APP_STOP) return arguments.status;
    chosen |= met == AVERAGE;
    if (!(met == AVERAGE   ? read_average(&arguments, &job)
          : met == PROFILE ? read_profile(&arguments, &job)
                           : app_post_option(&arguments, met, &job.post)))
      return arguments.status;
  }
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  if (job.axis >= 0 && !chosen) job.kind = DLS_AVERAGE_LINES; /* layers may be thin */
  int status = APP_WRONG_INPUT;
  if (job.axis >= job.post.granulate.dim)
    app_refuse(self, "--profile z: the run is in 2-D; take y");
  else
    status = work(&job) == DLS_OK ? APP_DONE : app_refuse_status(self);
  app_post_end(&job.post);
  return status;
}

static const char details[] =
    "Tension is positive; the picture is Mohr's circle, with --profile the diagonal along the "
    "axis.\n"
    "A profile goes by lines unless --average says otherwise.\n"
    "\n"
    "  delassus post stress out/biaxial --region sphere:0.1,0.1:0.05 --svg mohr.svg\n"
    "  delassus post stress out/silo --profile z:20 --svg profile.svg > profile.csv\n";

const AppCommand app_post_stress = {
    .name = "post stress",
    .usage = "RESULT [options]",
    .summary = "The mean stress of a region, its parts and principal values; profiles",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
