/* delassus post cut: the force transmitted across portions of planes. */
#include <stdio.h>

#include "app/post/post.h"
#include "base/json.h"
#include "post/cut.h"

typedef struct {
  AppPost post;
  AppTexts cuts;
} Job;

static const AppOption options[] = {
    POST_ROWS(Job, post),
    APP_TEXTS_ROW(Job, cuts, "cut", "WORD:...",
                  "plane:P:N, disk:C:N:R, segment:A:B (2-D), cylinder:C:AXIS:R:L; repeats"),
};

static void print_page(const char *text, int dim, const DlsCut *cut, const DlsCutForce *f) {
  printf("%s: %d contacts cross\n", text, f->contacts);
  app_post_vector("force", dim, f->force,
                  cut->kind == DLS_CUT_CYLINDER ? "N, of the outside on the inside"
                                                : "N, of the side of the normal on the other");
  if (f->area > 0) app_post_vector("traction", dim, f->traction, "Pa");
  if (cut->kind == DLS_CUT_CYLINDER) {
    printf("radial         % .6e N in all, along the axis % .6e N\n", f->normal_force,
           f->axial_force);
    return;
  }
  double normal = 0;
  for (int k = 0; k < 3; k++) normal += f->force[k] * cut->normal[k];
  printf("along normal   % .6e N, tension positive\n", normal);
}

static DlsStatus work(const AppPost *post, const char *const *texts, int count) {
  DlsJson json = {.file = stdout};
  if (post->json) dls_json_open(&json, NULL, '[');
  for (int n = 0; n < count; n++) {
    DlsCut cut;
    DlsCutForce force;
    DLS_TRY(dls_cut_read(texts[n], post->packing.dim, &cut));
    dls_cut(&post->packing, &cut, &force);
    if (!post->json) {
      print_page(texts[n], post->packing.dim, &cut, &force);
      continue;
    }
    dls_json_open(&json, NULL, '{');
    dls_json_text(&json, "cut", texts[n]);
    dls_json_integer(&json, "contacts", force.contacts);
    dls_json_real(&json, "area", force.area);
    dls_json_open(&json, "force", '[');
    for (int k = 0; k < 3; k++) dls_json_real(&json, NULL, force.force[k]);
    dls_json_close(&json, ']');
    dls_json_close(&json, '}');
  }
  if (post->json) dls_json_close(&json, ']');
  return DLS_OK;
}

static int cut_all(const AppCommand *self, Job *job) {
  AppPost *post = &job->post;
  if (!job->cuts.count)
    return app_refuse(self, "which cut? --cut plane:0,0,0.1:0,0,1 and the like");
  if (post->mean)
    return app_post_means(self, post,
                          (DlsObservableRequest){.kind = DLS_OBSERVABLE_CUT,
                                                 .cuts = job->cuts.item,
                                                 .ncuts = job->cuts.count});
  if (post->region_text || post->svg)
    return app_refuse(self, "a cut has neither region nor picture; leave out --region and --svg");
  if (!app_post_begin(self, post)) return APP_WRONG_INPUT;
  const DlsStatus status = work(post, job->cuts.item, job->cuts.count);
  app_post_end(post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = cut_all(self, &job);
  app_options_clear(self, &job);
  return status;
}

const AppCommand app_post_cut = {
    .name = "post cut",
    .usage = "RESULT --cut WORD:... [options]",
    .summary = "The contact force transmitted across a plane, disk, segment or cylinder",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
