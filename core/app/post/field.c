/* delassus post field: coarse-grained fields on a grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post/post.h"
#include "base/memory.h"
#include "post/field/grid.h"
#include "record/draw.h"
#include "record/field_write.h"

typedef struct {
  AppPost post;
  const char *grid_text, *kernel_text;
  bool no_walls;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_TEXT_ROW(Job, grid_text, "grid", "NXxNY[xNZ]",
                 "points; 40 along x unless given, the others to match"),
    APP_TEXT_ROW(Job, kernel_text, "kernel", "NAME:WIDTH",
                 "gauss, lucy or top-hat; width in m, or 1.5d; gauss:1d"),
    APP_FLAG_ROW(Job, no_walls, "no-walls", "no correction where the kernel reaches into walls"),
};

/* A map of the pressure in 2-D. */
static DlsStatus draw(const DlsField *f, const char *path) {
  double *pressure, most = 0;
  DLS_CHECK(f->dim == 2, DLS_ERR_ARGUMENT, "--svg draws fields in 2-D; in 3-D open the VTU file");
  DLS_NEW(pressure, (size_t)f->nodes + 1);
  for (int i = 0; i < f->nodes; i++) {
    pressure[i] = -0.5 * (f->stress[i][0] + f->stress[i][4]);
    if (pressure[i] > most) most = pressure[i];
  }
  const double height =
      480 * (f->grid.high[1] - f->grid.low[1]) / (f->grid.high[0] - f->grid.low[0]);
  const DlsPlotMap map =
      dls_draw_map(&f->grid, (DlsSvgBox){70, 40, 480, height}, pressure, "pressure");
  const DlsStatus status = dls_plot_maps(&map, 1, most, (DlsSvgBox){575, 40, 16, height},
                                         "pressure (Pa)", 680, height + 100, path);
  free(pressure);
  return status;
}

static DlsStatus report(const Job *job, const DlsKernel *kernel, const DlsField *field,
                        const char *path, double seconds) {
  const DlsPacking *g = &job->post.packing;
  DLS_TRY(dls_field_write(field, g->time, &(DlsVtuOptions){.zlib = 1}, path));
  printf("field          %d x %d x %d points, %s, width %.4g m (%.3g diameters), %.2f s\n",
         field->grid.points[0], field->grid.points[1], field->grid.points[2],
         job->kernel_text ? job->kernel_text : "gauss:1d", kernel->width,
         kernel->width / dls_packing_diameter(g), seconds);
  if (job->no_walls) {
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
  const DlsPacking *g = &job->post.packing;
  DlsKernel kernel;
  DlsFieldGrid grid;
  DlsField field = {0};
  char path[2200];
  DLS_TRY(dls_kernel_read(job->kernel_text ? job->kernel_text : "gauss:1d", dls_packing_diameter(g),
                          &kernel));
  DLS_TRY(dls_field_grid_read(job->grid_text, g, &job->post.region, &grid));
  if (job->post.out)
    snprintf(path, sizeof path, "%s", job->post.out);
  else if (job->post.frame >= 0)
    snprintf(path, sizeof path, "%s/field_%06d.vtu", job->post.folder, job->post.frame);
  else
    snprintf(path, sizeof path, "%s/field_last.vtu", job->post.folder);
  const double began = app_clock();
  DLS_TRY(dls_field(g, &grid, &kernel, !job->no_walls, &field));
  const DlsStatus status = report(job, &kernel, &field, path, app_clock() - began);
  dls_field_clear(&field);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (job.post.json) return app_refuse(self, "a field has no JSON form; it goes to a VTU file");
  if (job.post.mean)
    return app_post_means(self, &job.post,
                          (DlsObservableRequest){.kind = DLS_OBSERVABLE_FIELD,
                                                 .grid = job.grid_text,
                                                 .kernel = job.kernel_text,
                                                 .plain = job.no_walls});
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
        "The file is RESULT/field_K.vtu, or --out FILE.vtu.\n"
        "With --no-walls the balance of forces is told, which holds for the plain sums alone.\n",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
