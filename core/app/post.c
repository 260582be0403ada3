/* delassus post: stress, fabric, chains, cuts and fields of the frames that a run has written. */
#include "app/post.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/granulate_read.h"

bool app_post_option(AppArguments *arguments, int met, AppPost *post) {
  const char *value = arguments->value;
  char *end = NULL;
  arguments->status = APP_WRONG_INPUT;
  switch (met) {
  case APP_OPERAND:
    if (post->folder) {
      app_refuse(arguments->command, "one result at a time; %s is the second", value);
      return false;
    }
    post->folder = value;
    return true;
  case POST_FRAME: {
    const long number = strcmp(value, "last") == 0 ? -1 : strtol(value, &end, 10);
    if (end && (*end || end == value || number < 0 || number > 999999999)) {
      app_refuse(arguments->command, "--frame %s: is no number from 0 on, and not `last`", value);
      return false;
    }
    post->frame = (int)number;
    return true;
  }
  case POST_REGION:
    post->region_text = value;
    return true;
  case POST_SVG:
    post->svg = value;
    return true;
  case POST_JSON:
    post->json = true;
    return true;
  default:
    app_refuse(arguments->command, "nothing follows --; see delassus %s --help",
               arguments->command->name);
    return false;
  }
}

bool app_post_begin(const AppCommand *self, AppPost *post) {
  if (!post->folder) {
    app_refuse(self, "which result? delassus %s FOLDER, the folder of a run", self->name);
    return false;
  }
  if (dls_granulate_read(post->folder, post->frame, &post->granulate) == DLS_OK &&
      dls_probe_read(post->region_text ? post->region_text : "all", post->granulate.dim,
                     &post->region) == DLS_OK)
    return true;
  app_refuse_status(self);
  app_post_end(post);
  return false;
}

void app_post_end(AppPost *post) { dls_granulate_clear(&post->granulate); }

void app_post_vector(const char *name, int dim, const double *vector, const char *unit) {
  printf("%-14s", name);
  for (int k = 0; k < dim; k++) printf(" % .6e", vector[k]);
  printf(" %s\n", unit);
}

void app_post_tensor(const char *name, int dim, const double tensor[9], const char *unit) {
  for (int i = 0; i < dim; i++) app_post_vector(i ? "" : name, dim, tensor + 3 * i, unit);
}

static const AppCommand *const verbs[] = {&app_post_stress, &app_post_fabric, &app_post_chains,
                                          &app_post_cut,    &app_post_field,  &app_post_probe};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_second_word(verbs, DLS_COUNT(verbs), argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  AppArguments arguments = app_arguments(self, argc, argv);
  if (app_arguments_next(&arguments) == APP_STOP) return arguments.status;
  return app_refuse(self,
                    "what? stress, fabric, chains, cut, field or probe; see delassus post --help");
}

static const char details[] =
    "RESULT is the folder of a run. Definitions and signs: docs/stress.md.\n"
    "\n"
    "  delassus post stress out/biaxial --region sphere:0.1,0.1:0.05 --svg mohr.svg\n"
    "  delassus post stress out/silo --profile z:20 --svg profile.svg\n"
    "  delassus post fabric out/biaxial --svg rose.svg\n"
    "  delassus post chains out/biaxial --svg chains.svg\n"
    "  delassus post cut out/silo --cut plane:0,0,0.1:0,0,1\n"
    "  delassus post field out/biaxial --grid 40x40 --kernel gauss:1.5d --out field.vtu\n"
    "  delassus post probe out/biaxial --svg probe.svg\n"
    "delassus post stress --help, and so for each of the words.\n";

const AppCommand app_post = {
    .name = "post",
    .usage = "stress | fabric | chains | cut | field | probe RESULT [options]",
    .summary = "Stress, fabric, force chains, cuts and fields of the frames of a run",
    .details = details,
    .run = run,
};
