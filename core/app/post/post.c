/* delassus post: stress, fabric, chains, cuts and fields of the frames that a run has written. */
#include "app/post/post.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/packing_read.h"

bool app_post_frame(const AppCommand *command, const AppOption *option, const char *value,
                    void *field) {
  AppPost *post = field;
  char *end;
  (void)option;
  post->frame = -1;
  if (strcmp(value, "last") == 0) return true;
  const long number = strtol(value, &end, 10);
  if (*end || end == value || number < 0 || number > 999999999) {
    app_refuse(command, "--frame %s: is no number from 0 on, and not `last`", value);
    return false;
  }
  post->frame = (int)number;
  return true;
}

bool app_post_mean(const AppCommand *command, const AppOption *option, const char *value,
                   void *field) {
  AppPost *post = field;
  char *end;
  (void)option;
  post->mean = true;
  if (strcmp(value, "all") == 0) return true;
  const double from = strtod(value, &end);
  if (end != value && *end == ':') {
    const char *second = end + 1;
    const double to = strtod(second, &end);
    if (end != second && *end == '\0' && from >= 0 && from < to && isfinite(to)) {
      post->window.from = from;
      post->window.to = to;
      return true;
    }
  }
  app_refuse(command, "--mean %s: is written FROM:TO in s, as 0.2:1, or all", value);
  return false;
}

bool app_post_phase(const AppCommand *command, const AppOption *option, const char *value,
                    void *field) {
  AppPost *post = field;
  char *end;
  (void)option;
  post->mean = true;
  const double period = strtod(value, &end);
  if (end != value && *end == '/' && period > 0 && isfinite(period)) {
    const char *second = end + 1;
    const long bins = strtol(second, &end, 10);
    if (end != second && *end == '\0' && bins >= 1 && bins <= 100000) {
      post->window.period = period;
      post->window.bins = (int)bins;
      return true;
    }
  }
  app_refuse(command, "--phase %s: is written PERIOD/BINS, as 0.04/50", value);
  return false;
}

bool app_post_begin(const AppCommand *self, AppPost *post) {
  if (!post->folder) {
    app_refuse(self, "which result? delassus %s FOLDER, the folder of a run", self->name);
    return false;
  }
  if (post->mean) { /* commands that have means do not come here with them */
    app_refuse(self, "is of one moment; leave out --mean and --phase");
    return false;
  }
  if (dls_packing_read(post->folder, post->frame, &post->packing) == DLS_OK &&
      dls_probe_read(post->region_text ? post->region_text : "all", post->packing.dim,
                     &post->region) == DLS_OK)
    return true;
  app_refuse_status(self);
  app_post_end(post);
  return false;
}

void app_post_end(AppPost *post) { dls_packing_clear(&post->packing); }

void app_post_vector(const char *name, int dim, const double *vector, const char *unit) {
  printf("%-14s", name);
  for (int k = 0; k < dim; k++) printf(" % .6e", vector[k]);
  printf(" %s\n", unit);
}

void app_post_tensor(const char *name, int dim, const double tensor[9], const char *unit) {
  for (int i = 0; i < dim; i++) app_post_vector(i ? "" : name, dim, tensor + 3 * i, unit);
}

static const AppCommand *const verbs[] = {
    &app_post_stress, &app_post_fabric, &app_post_chains,        &app_post_cut,
    &app_post_field,  &app_post_probe,  &app_post_walls,         &app_post_floor,
    &app_post_grains, &app_post_silo,   &app_post_displacements, &app_post_trajectory};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  static const AppOption word = APP_OPERAND_ROW(AppPost, folder, "word");
  AppCommand reads = *self;
  AppPost post = {0};
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  reads.options = &word;
  reads.noptions = 1;
  const int status = app_options_read(&reads, argc > 1 ? 1 : argc, argv, &post);
  if (status != APP_GO_ON) return status;
  return app_refuse(self, "what? stress, fabric, chains, cut, field, probe, walls, floor, "
                          "grains, silo, displacements or trajectory; see delassus post --help");
}

static const char details[] =
    "RESULT is the folder of a run. Definitions and signs: docs/stress.md.\n"
    "\n"
    "  delassus post stress out/biaxial --region sphere:0.1,0.1:0.05 --svg mohr.svg\n"
    "  delassus post stress out/silo --profile z:20 --svg profile.svg\n"
    "  delassus post stress out/triaxial --series --svg series.svg\n"
    "  delassus post fabric out/biaxial --svg rose.svg\n"
    "  delassus post chains out/biaxial --svg chains.svg\n"
    "  delassus post cut out/silo --cut plane:0,0,0.1:0,0,1\n"
    "  delassus post field out/biaxial --grid 40x40 --kernel gauss:1.5d --out field.vtu\n"
    "  delassus post probe out/biaxial --svg probe.svg\n"
    "  delassus post floor out/pile --along r:12 --svg pressure.svg\n"
    "  delassus post displacements out/shaken --period 0.04 --from 0.4 --svg flow.svg\n"
    "  delassus post trajectory out/shaken --body 17 --svg path.svg\n"
    "  delassus post walls out/shaken --mean 0.4:1.2 --phase 0.04/50 --svg walls.svg\n"
    "Means over frames (--mean, --phase) have standard errors from blocks of time, by phases from\n"
    "periods. While a run goes on, output: averages: of the deck takes the same at every step.\n"
    "delassus post stress --help, and so for each of the words.\n";

const AppCommand app_post = {
    .name = "post",
    .usage = "stress | fabric | chains | cut | field | probe | walls | floor | grains | silo | "
             "displacements | trajectory RESULT [options]",
    .summary =
        "Stress, fabric, force chains, cuts, fields and wall forces of a run, and their means",
    .details = details,
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
