/* delassus post field: coarse-grained fields on a grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post.h"
#include "post/field.h"
#include "record/field_write.h"
#include "record/svg.h"

enum { GRID = POST_OWN, KERNEL, OUT, NO_WALLS };
static const AppOption options[] = {
    POST_OPTIONS,
    [GRID] = {"grid", "NXxNY[xNZ]", "points; 40 along x unless given, the others to match"},
    [KERNEL] = {"kernel", "NAME:WIDTH", "gauss, lucy or top-hat; width in m, or 1.5d; gauss:1d"},
    [OUT] = {"out", "FILE.vtu", "the field for ParaView; RESULT/field_K.vtu unless given"},
    [NO_WALLS] = {"no-walls", NULL, "no correction where the kernel reaches into walls"},
};

typedef struct {
  AppPost post;
  const char *grid_text, *kernel_text, *out;
  bool walls;
} Job;

/* "40x40" or "40x40x40"; over the box around the grains, or that of --region box. */
static DlsStatus make_grid(const Job *job, DlsFieldGrid *grid) {
  const DlsGranulate *g = &job->post.granulate;
  const DlsProbe *region = &job->post.region;
  *grid = (DlsFieldGrid){.points = {40, 1, 1}};
  dls_granulate_box(g, grid->low, grid->high);
  DLS_CHECK(region->kind == DLS_PROBE_ALL || region->kind == DLS_PROBE_BOX, DLS_ERR_ARGUMENT,
            "a field is that of a box: --region box:LOW:HIGH");
  for (int k = 0; k < g->dim && region->kind == DLS_PROBE_BOX; k++)
    grid->low[k] = region->low[k], grid->high[k] = region->high[k];
  if (!job->grid_text) {
    const double step = (grid->high[0] - grid->low[0]) / (grid->points[0] - 1);
    for (int k = 1; k < g->dim; k++) {
      const double count = step > 0 ? (grid->high[k] - grid->low[k]) / step : 1;
      grid->points[k] = count < 1 ? 2 : count > 1000 ? 1001 : (int)count + 1;
    }
    return DLS_OK;
  }
  const char *at = job->grid_text;
  for (int k = 0; k < g->dim; k++) {
    char *end;
    const long n = strtol(at, &end, 10);
    const bool last = k + 1 == g->dim;
    DLS_CHECK(end != at && n >= 2 && n <= 100000 && (last ? *end == '\0' : *end == 'x'),
              DLS_ERR_ARGUMENT, "--grid %s: is written %s, points along each axis, 2 and more",
              job->grid_text, g->dim == 3 ? "40x40x40" : "40x40");
    grid->points[k] = (int)n;
    at = end + 1;
  }
  return DLS_OK;
}

/* A map of the pressure in 2-D, cells shaded by the mean of their corners. */
static DlsStatus draw(const DlsField *f, const char *path) {
  const int nx = f->grid.points[0], ny = f->grid.points[1];
  const double width = f->grid.high[0] - f->grid.low[0], height = f->grid.high[1] - f->grid.low[1];
  double most = 0;
  DlsSvg *svg = NULL;
  DLS_CHECK(f->dim == 2, DLS_ERR_ARGUMENT, "--svg draws fields in 2-D; in 3-D open the VTU file");
  for (int i = 0; i < f->nodes; i++) {
    const double p = -0.5 * (f->stress[i][0] + f->stress[i][4]);
    if (p > most) most = p;
  }
  const DlsSvgBox box = {70, 40, 480, 480 * height / width};
  DLS_TRY(dls_svg_create(680, box.height + 100, &svg));
  const DlsSvgFrame frame = {
      .box = box, .x = {f->grid.low[0], f->grid.high[0]}, .y = {f->grid.low[1], f->grid.high[1]}};
  const DlsSvgAxes axes = {"pressure", "x (m)", "y (m)", false};
  dls_svg_frame(svg, &frame);
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) {
      const int corner[4] = {j * nx + i, j * nx + i + 1, (j + 1) * nx + i + 1, (j + 1) * nx + i};
      double points[12], p = 0;
      for (int c = 0; c < 4; c++) {
        dls_field_place(&f->grid, corner[c], points + 3 * c);
        p -= 0.125 * (f->stress[corner[c]][0] + f->stress[corner[c]][4]);
      }
      const DlsColour ink = dls_map_colour(DLS_MAP_WARM, most > 0 ? p / most : 0);
      const DlsSvgStyle style = {.fill = ink, .stroke = ink, .width = 0.6};
      dls_svg_polygon(svg, points, 4, &style);
    }
  dls_svg_axes(svg, &axes);
  dls_svg_colour_bar(svg, (DlsSvgBox){575, 40, 16, box.height}, DLS_MAP_WARM, 0, most,
                     "pressure (Pa)");
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}

static DlsStatus report(const Job *job, const DlsKernel *kernel, const DlsField *field,
                        const char *path, double seconds) {
  const DlsGranulate *g = &job->post.granulate;
  DLS_TRY(dls_field_write(field, g->time, &(DlsVtuOptions){.zlib = 1}, path));
  printf("field          %d x %d x %d points, %s, width %.4g m (%.3g diameters), %.2f s\n",
         field->grid.points[0], field->grid.points[1], field->grid.points[2],
         job->kernel_text ? job->kernel_text : "gauss:1d", kernel->width,
         kernel->width / dls_granulate_diameter(g), seconds);
  if (!job->walls) {
    const DlsFieldBalance b = dls_field_balance(field, g->gravity);
    printf("balance        div sigma + rho g + t: %.2e of %s; without t at %d points of the bulk "
           "%.2e\n",
           b.everywhere, dls_vector_norm(g->gravity) > 0 ? "rho g" : "the pressure per width",
           b.bulk_nodes, b.bulk);
  }
  printf("file           %s\n", path);
  return job->post.svg ? draw(field, job->post.svg) : DLS_OK;
}

static DlsStatus work(const Job *job) {
  const DlsGranulate *g = &job->post.granulate;
  DlsKernel kernel;
  DlsFieldGrid grid;
  DlsField field = {0};
  char path[2200];
  DLS_TRY(dls_kernel_read(job->kernel_text ? job->kernel_text : "gauss:1d",
                          dls_granulate_diameter(g), &kernel));
  DLS_TRY(make_grid(job, &grid));
  if (job->out)
    snprintf(path, sizeof path, "%s", job->out);
  else if (job->post.frame >= 0)
    snprintf(path, sizeof path, "%s/field_%06d.vtu", job->post.folder, job->post.frame);
  else
    snprintf(path, sizeof path, "%s/field_last.vtu", job->post.folder);
  const double began = app_clock();
  DLS_TRY(dls_field(g, &grid, &kernel, job->walls, &field));
  const DlsStatus status = report(job, &kernel, &field, path, app_clock() - began);
  dls_field_clear(&field);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}, .walls = true};
  AppArguments arguments = app_arguments(self, argc, argv);
  for (int met; (met = app_arguments_next(&arguments)) != APP_END;) {
    if (met == APP_STOP) return arguments.status;
    if (met == GRID)
      job.grid_text = arguments.value;
    else if (met == KERNEL)
      job.kernel_text = arguments.value;
    else if (met == OUT)
      job.out = arguments.value;
    else if (met == NO_WALLS)
      job.walls = false;
    else if (!app_post_option(&arguments, met, &job.post))
      return arguments.status;
  }
  if (job.post.json) return app_refuse(self, "a field has no JSON form; it goes to a VTU file");
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  const DlsStatus status = work(&job);
  app_post_end(&job.post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

const AppCommand app_post_field = {
    .name = "post field",
    .usage = "RESULT [options]",
    .summary = "Coarse-grained density, velocity, stress and fabric on a grid, for ParaView",
    .details =
        "With --no-walls the balance of forces is told, which holds for the plain sums alone.\n",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
