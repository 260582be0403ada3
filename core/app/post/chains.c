/* delassus post chains: force chains and percolation. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/post/post.h"
#include "base/json.h"
#include "plot/grains.h"
#include "post/chains.h"
#include "record/sides_read.h"

typedef struct {
  AppPost post;
  double angle; /* degrees */
  long least;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_REAL_ROW(Job, angle, "angle", "DEGREES", 0, APP_ANY,
                 "between the line of centres and the compression; 45"),
    APP_INTEGER_ROW(Job, least, "least", "N", 2, INT_MAX, "grains of a chain; 3"),
};

static void print_page(const AppPost *post, const DlsChains *c, const double share[3]) {
  printf("time           %.9g s\n", post->packing.time);
  printf("chains         %d, the longest of %d grains; %d links\n", c->count,
         c->count ? c->size[0] : 0, c->links);
  printf("in chains      %.4f of the grains, %.4f of the compression\n", c->grains, c->load);
  printf("loaded above   %.6e Pa of compression\n", c->mean);
  printf("percolation    ");
  for (int k = 0; k < post->packing.dim; k++)
    printf("%s%c %.4f", k ? ", " : "", "xyz"[k], share[k]);
  printf(" of the mean force: contacts above it connect both ends\n");
}

static void print_json(const DlsChains *c, const double share[3]) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_integer(&json, "chains", c->count);
  dls_json_integer(&json, "longest", c->count ? c->size[0] : 0);
  dls_json_integer(&json, "links", c->links);
  dls_json_real(&json, "grains", c->grains);
  dls_json_real(&json, "load", c->load);
  dls_json_real(&json, "mean_compression", c->mean);
  dls_json_open(&json, "percolation", '[');
  for (int k = 0; k < 3; k++) dls_json_real(&json, NULL, share[k]);
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

/* Lines between neighbours of one chain: from [..][3], to [..][3], force, each for all contacts. */
static int link_chains(const DlsPacking *g, const DlsChains *c, double *from, double *to,
                       double *force) {
  int lines = 0;
  for (int k = 0; k < g->contacts; k++) {
    const int i = g->candidate[k], j = g->antagonist[k];
    if (j < 0 || !c->number[i] || c->number[i] != c->number[j]) continue;
    for (int e = 0; e < 3; e++)
      from[3 * lines + e] = g->centre[i][e], to[3 * lines + e] = g->centre[j][e];
    force[lines++] = g->normal_force[k];
  }
  return lines;
}

/* Grains of chains shaded by their compression, others left pale. */
static DlsStatus draw(const AppPost *post, const DlsGrainStress *s, const DlsChains *c) {
  const DlsPacking *g = &post->packing;
  double *load = calloc((size_t)g->grains + 1, sizeof *load);
  double *line = calloc((size_t)g->contacts + 1, 7 * sizeof *line);
  DlsGrainSides sides = {0};
  char caption[120];
  DlsStatus status = load && line ? dls_sides_read(post->folder, post->frame, g, &sides)
                                  : dls_fail(DLS_ERR_MEMORY,
                                             "out of memory for a picture of %d grains", g->grains);
  if (status == DLS_OK) {
    double *from = line, *to = line + 3 * g->contacts, *force = line + 6 * g->contacts;
    for (int i = 0; i < g->grains; i++) load[i] = c->number[i] ? -s->state[i].principal[0] : 0;
    const int lines = link_chains(g, c, from, to, force);
    snprintf(caption, sizeof caption, "t = %.4g s, %d force chains, %.1f %% of the grains", g->time,
             c->count, 100 * c->grains);
    const DlsGrainPicture picture = {.dim = g->dim,
                                     .grains = g->grains,
                                     .position = g->centre[0],
                                     .radius = g->radius,
                                     .load = load,
                                     .load_label = "compression (Pa)",
                                     .sides = sides,
                                     .chains = lines,
                                     .from = from,
                                     .to = to,
                                     .force = force,
                                     .map = DLS_MAP_WARM,
                                     .title = "Force chains",
                                     .caption = caption};
    status = dls_grain_picture_write(&picture, post->svg, NULL);
  }
  dls_grain_sides_clear(&sides);
  free(load);
  free(line);
  return status;
}

static DlsStatus work(const AppPost *post, const DlsChainRule *rule, DlsGrainStress *s,
                      DlsChains *c) {
  double share[3];
  DLS_TRY(dls_grain_stress(&post->packing, 0, s));
  DLS_TRY(dls_chains(&post->packing, s, rule, c));
  DLS_TRY(dls_percolation(&post->packing, share));
  if (post->json)
    print_json(c, share);
  else
    print_page(post, c, share);
  return post->svg ? draw(post, s, c) : DLS_OK;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}, .angle = 45, .least = 3};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (job.post.region_text)
    return app_refuse(self, "chains are those of the whole sample; leave out --region");
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  const DlsChainRule rule = {job.angle * 3.14159265358979323846 / 180, (int)job.least};
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  const DlsStatus status = work(&job.post, &rule, &stress, &chains);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  app_post_end(&job.post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

const AppCommand app_post_chains = {
    .name = "post chains",
    .usage = "RESULT [options]",
    .summary = "Force chains: grains loaded above the mean in a row; percolation of forces",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
