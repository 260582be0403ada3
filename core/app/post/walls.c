/* delassus post walls, floor, grains: forces of boundaries, the pressure on a floor, means of
 * grains. */
#include <stdio.h>
#include <stdlib.h>

#include "app/post/post.h"
#include "base/memory.h"
#include "plot/profile.h"

typedef struct {
  AppPost post;
  const char *along;
  double centre[2];
  bool centred;
} Job;

static bool read_centre(const AppCommand *command, const AppOption *option, const char *value,
                        void *field) {
  Job *job = field;
  char *end, *second;
  (void)option;
  job->centred = true;
  job->centre[0] = strtod(value, &end);
  if (end != value && *end == ',') {
    job->centre[1] = strtod(end + 1, &second);
    if (second != end + 1 && *second == '\0') return true;
  }
  app_refuse(command, "--centre %s: is written X,Y in m, as 0.1,0.1", value);
  return false;
}

static const AppOption wall_options[] = {POST_ROWS(Job, post)};

static const AppOption floor_options[] = {
    POST_ROWS(Job, post),
    APP_TEXT_ROW(Job, along, "along", "x|y|r[:N]",
                 "N strips along an axis, or, in 3-D, rings (r:20)"),
    APP_READ_ROW(read_centre, "centre", "X,Y", "of the rings; that of the mass unless given"),
};

static int run_plain(const AppCommand *self, int argc, char **argv, DlsObservableKind kind) {
  Job job = {.post = {.frame = -1}};
  const AppPost *post = &job.post;
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  if (kind == DLS_OBSERVABLE_GRAINS &&
      (!post->mean || post->region_text || post->svg || post->json))
    return app_refuse(self, "the mean of each grain: --mean FROM:TO or --phase PERIOD/BINS, files "
                            "for ParaView; of one moment they are in bodies.pvd");
  return app_post_means(self, &job.post, (DlsObservableRequest){.kind = kind});
}

static int run_walls(const AppCommand *self, int argc, char **argv) {
  return run_plain(self, argc, argv, DLS_OBSERVABLE_WALLS);
}

static int run_grains(const AppCommand *self, int argc, char **argv) {
  return run_plain(self, argc, argv, DLS_OBSERVABLE_GRAINS);
}

/* One moment, with the errors of independent contacts. */
static DlsStatus show_floor(const AppPost *post, const char *along, const double *centre) {
  const DlsPacking *g = &post->packing;
  const char *letters = g->dim == 3 ? "rxy" : "x";
  int letter = 0, count = 20;
  DlsFloorGrid grid;
  DlsFloorPart *parts;
  double *all;
  char title[80];
  if (along) DLS_TRY(dls_profile_read(along, letters, &letter, &count));
  DLS_TRY(dls_floor_grid(g, &post->region, letters[letter], count, centre, &grid));
  parts = calloc((size_t)count, sizeof *parts);
  DLS_CHECK(parts, DLS_ERR_MEMORY, "out of memory for %d parts of a floor", count);
  dls_floor(g, &grid, parts);
  printf("%c,pressure,pressure_error,shear,shear_error,contacts,area\n", letters[letter]);
  for (int n = 0; n < count; n++)
    printf("%.9g,%.9g,%.4g,%.9g,%.4g,%d,%.9g\n", parts[n].place, parts[n].pressure, parts[n].error,
           parts[n].shear, parts[n].shear_error, parts[n].contacts, parts[n].area);
  all = dls_memory_array(5 * (size_t)count + 1, sizeof *all);
  DlsStatus status = all ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a picture");
  for (int n = 0; n < count && all; n++) {
    const DlsFloorPart *p = &parts[n];
    const double values[] = {p->place, p->pressure, p->error, p->shear, p->shear_error};
    for (int k = 0; k < 5; k++) all[k * count + n] = values[k];
  }
  snprintf(title, sizeof title, "pressure on the floor, t = %.4g s", g->time);
  if (status == DLS_OK && post->svg)
    status = dls_plot_floor(&(DlsPlotFloor){letters[letter], count, all, all + count,
                                            all + 2 * count, all + 3 * count, all + 4 * count},
                            title, post->svg);
  free(all);
  free(parts);
  return status;
}

static int run_floor(const AppCommand *self, int argc, char **argv) {
  Job job = {.post = {.frame = -1}};
  const int read = app_options_read(self, argc, argv, &job);
  if (read != APP_GO_ON) return read;
  const double *centre = job.centred ? job.centre : NULL;
  if (job.post.mean || job.post.json)
    return app_post_means(
        self, &job.post,
        (DlsObservableRequest){.kind = DLS_OBSERVABLE_FLOOR, .along = job.along, .centre = centre});
  if (!app_post_begin(self, &job.post)) return APP_WRONG_INPUT;
  const DlsStatus status = show_floor(&job.post, job.along, centre);
  app_post_end(&job.post);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

const AppCommand app_post_walls = {
    .name = "post walls",
    .usage = "RESULT [options]",
    .summary = "What boundaries exert on the grains: total force and sum of normal forces",
    .details = "The picture of --phase is that of Moreau 1994, Fig. 3.\n"
               "\n"
               "  delassus post walls out/shaken --mean 0.4:1.2 --phase 0.04/50 --svg walls.svg\n",
    .options = wall_options,
    .noptions = DLS_COUNT(wall_options),
    .run = run_walls,
};

const AppCommand app_post_floor = {
    .name = "post floor",
    .usage = "RESULT [options]",
    .summary = "The pressure on a floor by place: strips, or rings about a vertical axis",
    .details =
        "Floor is what grains rest on: boundaries within 60 degrees, and held bodies.\n"
        "Errors of one moment are those of independent contacts; --mean has those of blocks.\n"
        "\n"
        "  delassus post floor out/pile --along r:12 --svg pressure.svg > pressure.csv\n",
    .options = floor_options,
    .noptions = DLS_COUNT(floor_options),
    .run = run_floor,
};

const AppCommand app_post_grains = {
    .name = "post grains",
    .usage = "RESULT --mean FROM:TO [options]",
    .summary = "Place, velocity and stress of each grain, in the mean over frames",
    .options = wall_options,
    .noptions = DLS_COUNT(wall_options),
    .run = run_grains,
};
