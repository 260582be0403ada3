/* delassus post fabric: directions of contacts and distribution of forces. */
#include <stdio.h>

#include "app/post/post.h"
#include "base/json.h"
#include "post/tension.h"
#include "record/draw.h"

typedef struct {
  AppPost post;
  bool no_walls;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_FLAG_ROW(Job, no_walls, "no-walls",
                 "contacts between grains alone: none with a boundary "
                 "or a held body"),
};

/* What pulls, where anything does. */
static void print_tension(int dim, const DlsTension *t) {
  if (!t->pull) return;
  printf("tension        %d contacts pull, %.4f of those with a force; %.6e N in the mean, at most "
         "%.6e N\n",
         t->pull, t->share, t->mean_pull, t->strongest);
  printf("pushes         %d, %.6e N in the mean\n", t->push, t->mean_push);
  app_post_tensor("of pulls", dim, t->pull_fabric, "fabric");
  app_post_tensor("of pushes", dim, t->push_fabric, "fabric");
  printf("P(f / mean |f|)");
  for (int k = DLS_TENSION_BINS - 1; k >= 0; k--) printf(" %.4g", t->pull_density[k]);
  printf(" |");
  for (int k = 0; k < DLS_TENSION_BINS; k++) printf(" %.4g", t->push_density[k]);
  printf(" from -5 to 5\n");
}

static void print_page(const AppPost *post, const DlsFabric *f, const DlsRose *rose,
                       const DlsForces *forces) {
  const int dim = post->packing.dim;
  printf("time           %.9g s\n", post->packing.time);
  printf("grains         %d, of them %d rattlers\n", f->grains, f->rattlers);
  printf("contacts       %d with a force, %.4g per grain, %.4g without rattlers\n", f->contacts,
         f->coordination, f->backbone);
  printf("neighbours     %.4g per grain: bodies and boundaries that push on it\n", f->neighbours);
  app_post_tensor("fabric", dim, f->fabric, "");
  app_post_vector("direction", dim, f->state.axis[0], "the most frequent");
  printf("anisotropy     %.4f\n", f->anisotropy);
  if (dim == 2) {
    app_post_vector("cosines", 3, rose->a, "of 2, 4, 6 theta");
    app_post_vector("sines", 3, rose->b, "");
    printf("rose          ");
    for (int k = 0; k < DLS_ROSE_SECTORS; k++) printf(" %g", rose->count[0][k]);
    printf(" normals in sectors of 15 degrees\n");
  }
  printf("mean force     %.6e N; tail of P(f / mean) ~ exp(-%.3f f / mean)\n", forces->mean,
         forces->decay);
  printf("friction       %.4f mobilised in the mean, %.4f of the contacts slip\n", f->mobilised,
         f->slipping);
}

static void write_tension(DlsJson *json, const DlsTension *t) {
  dls_json_open(json, "tension", '{');
  dls_json_integer(json, "pulls", t->pull);
  dls_json_integer(json, "pushes", t->push);
  dls_json_real(json, "share", t->share);
  dls_json_real(json, "mean_pull", t->mean_pull);
  dls_json_real(json, "mean_push", t->mean_push);
  dls_json_real(json, "strongest", t->strongest);
  dls_json_open(json, "pull_fabric", '[');
  for (int k = 0; k < 9; k++) dls_json_real(json, NULL, t->pull_fabric[k]);
  dls_json_close(json, ']');
  dls_json_open(json, "push_fabric", '[');
  for (int k = 0; k < 9; k++) dls_json_real(json, NULL, t->push_fabric[k]);
  dls_json_close(json, ']');
  dls_json_open(json, "pull_density", '[');
  for (int k = 0; k < DLS_TENSION_BINS; k++) dls_json_real(json, NULL, t->pull_density[k]);
  dls_json_close(json, ']');
  dls_json_open(json, "push_density", '[');
  for (int k = 0; k < DLS_TENSION_BINS; k++) dls_json_real(json, NULL, t->push_density[k]);
  dls_json_close(json, ']');
  dls_json_close(json, '}');
}

static void print_json(const DlsFabric *f, const DlsRose *rose, const DlsForces *forces,
                       const DlsTension *tension) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_integer(&json, "grains", f->grains);
  dls_json_integer(&json, "rattlers", f->rattlers);
  dls_json_integer(&json, "contacts", f->contacts);
  dls_json_real(&json, "coordination", f->coordination);
  dls_json_real(&json, "neighbours", f->neighbours);
  dls_json_real(&json, "backbone", f->backbone);
  dls_json_real(&json, "anisotropy", f->anisotropy);
  dls_json_open(&json, "fabric", '[');
  for (int k = 0; k < 9; k++) dls_json_real(&json, NULL, f->fabric[k]);
  dls_json_close(&json, ']');
  dls_json_open(&json, "harmonics", '[');
  for (int k = 0; k < 3; k++)
    dls_json_real(&json, NULL, rose->a[k]), dls_json_real(&json, NULL, rose->b[k]);
  dls_json_close(&json, ']');
  dls_json_open(&json, "density_of_forces", '[');
  for (int k = 0; k < DLS_FORCE_BINS; k++) dls_json_real(&json, NULL, forces->density[k]);
  dls_json_close(&json, ']');
  dls_json_real(&json, "mean_force", forces->mean);
  dls_json_real(&json, "decay", forces->decay);
  dls_json_real(&json, "mobilised", f->mobilised);
  dls_json_real(&json, "slipping", f->slipping);
  if (tension->pull) write_tension(&json, tension);
  dls_json_close(&json, '}');
}

static DlsStatus work(const AppPost *post) {
  const DlsPacking *g = &post->packing;
  DlsFabric fabric;
  DlsRose rose;
  DlsForces normal, tangential;
  DlsTension tension;
  DLS_TRY(dls_fabric(g, &post->region, &fabric));
  dls_rose(g, &post->region, &rose);
  dls_forces(g, &post->region, 0, &normal);
  dls_forces(g, &post->region, 1, &tangential);
  dls_tension(g, &post->region, &tension);
  if (post->json) {
    print_json(&fabric, &rose, &normal, &tension);
  } else {
    print_page(post, &fabric, &rose, &normal);
    print_tension(g->dim, &tension);
  }
  return post->svg ? dls_draw_fabric(g->dim, &rose, &normal, &tangential, NULL, NULL, post->svg)
                   : DLS_OK;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (job.no_walls && job.post.mean)
    return app_refuse(self, "--no-walls is of one frame; leave out --mean, or --no-walls");
  if (job.post.mean)
    return app_post_means(self, &job.post, (DlsObservableRequest){.kind = DLS_OBSERVABLE_FABRIC});
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  if (job.no_walls) dls_packing_leave_walls(&job.post.packing);
  const DlsStatus status = work(&job.post);
  app_post_end(&job.post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

const AppCommand app_post_fabric = {
    .name = "post fabric",
    .usage = "RESULT [options]",
    .summary = "Fabric tensor, coordination, rose of contact normals, distribution of forces",
    .details = "The picture has the rose with its fit (in 3-D the normals by height) and P(f).\n",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
