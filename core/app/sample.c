/* delassus sample: the problems that need no file. */
#include <delassus/sample.h>

#include <stdio.h>

#include "app/app.h"

static int list(const AppCommand *self) {
  int count;
  const DlsSample *samples = dls_sample_list(&count);
  (void)self;
  printf("%-15s %-10s %6s %5s %6s\n", "name", "size", "", "mu", "tilt");
  for (int i = 0; i < count; i++) {
    const DlsSample *s = &samples[i];
    printf("%-15s %-10s %6d %5g %6g  %s\n", s->name, s->size, s->defaults.size, s->defaults.mu,
           s->defaults.tilt, s->summary);
  }
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  return app_list_or_show(self, argc, argv, list, NULL);
}

static const char details[] = "A sample is named NAME[:SIZE[:key=value,...]] after --sample; the "
                              "keys are mu, h (s), tilt (rad)\n"
                              "and seed.\n"
                              "\n"
                              "  delassus show --sample wall:10:tilt=0.2\n"
                              "  delassus solve --sample box:3000:mu=0.5,seed=7\n";

const AppCommand app_sample = {
    .name = "sample",
    .usage = "list",
    .summary = "The problems that the program builds itself",
    .details = details,
    .run = run,
};
