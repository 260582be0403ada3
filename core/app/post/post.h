/* What the commands `delassus post ...` share: the frame of a run that they look at, the region,
 * the files. */
#ifndef DELASSUS_APP_POST_POST_H
#define DELASSUS_APP_POST_POST_H

#include "app/app.h"
#include "app/options.h"
#include "post/time_average.h"

typedef struct {
  const char *folder, *region_text, *svg, *out;
  int frame;
  bool json;
  bool mean;        /* over frames: --mean or --phase was given */
  DlsWindow window; /* to 0: all frames */
  long blocks;      /* of the window; 0: as many as usual */
  DlsPacking packing;
  DlsProbe region;
} AppPost;

extern const AppCommand app_post_stress, app_post_fabric, app_post_chains, app_post_cut,
    app_post_field, app_post_probe, app_post_walls, app_post_floor, app_post_grains, app_post_silo,
    app_post_displacements, app_post_trajectory;

/* The rows that all these commands have, of an AppPost that is the field of a job. */
#define POST_ROWS(job, field)                                                                      \
  APP_OPERAND_ROW(job, field.folder, "result"),                                                    \
      {.name = "frame",                                                                            \
       .value = "K|last",                                                                          \
       .meaning = "number of the frame; the last unless given",                                    \
       .kind = APP_READ,                                                                           \
       .offset = APP_FIELD(AppPost, job, field),                                                   \
       .read = app_post_frame},                                                                    \
      APP_TEXT_ROW(job, field.region_text, "region", "WORD:...",                                   \
                   "all, sphere:C:R, box:A:B, cylinder:C:AXIS:R:L, "                               \
                   "half:P:N or layer:P:N:T; all unless given"),                                   \
      APP_TEXT_ROW(job, field.svg, "svg", "FILE", "a picture"),                                    \
      APP_FLAG_ROW(job, field.json, "json", "print an object"),                                    \
      {.name = "mean",                                                                             \
       .value = "FROM:TO|all",                                                                     \
       .meaning = "the mean over the frames of this time, in s",                                   \
       .kind = APP_READ,                                                                           \
       .offset = APP_FIELD(AppPost, job, field),                                                   \
       .read = app_post_mean},                                                                     \
      {.name = "phase",                                                                            \
       .value = "PERIOD/BINS",                                                                     \
       .meaning = "means by the phase of this period, in s, as 0.04/50",                           \
       .kind = APP_READ,                                                                           \
       .offset = APP_FIELD(AppPost, job, field),                                                   \
       .read = app_post_phase},                                                                    \
      APP_INTEGER_ROW(job, field.blocks, "blocks", "N", 2, 1000000,                                \
                      "parts of the time for the standard error of --mean; 10"),                   \
      APP_TEXT_ROW(                                                                                \
          job, field.out, "out", "STEM",                                                           \
          "files of a mean: STEM.csv, or STEM.vtu and .pvd; RESULT/mean_WORD unless given")
bool app_post_frame(const AppCommand *command, const AppOption *option, const char *value,
                    void *post);
bool app_post_mean(const AppCommand *command, const AppOption *option, const char *value,
                   void *post);
bool app_post_phase(const AppCommand *command, const AppOption *option, const char *value,
                    void *post);

/* Reads the frame and the region; false where that fails, which has been said. Ended with
 * app_post_end(). */
bool app_post_begin(const AppCommand *self, AppPost *post);
void app_post_end(AppPost *post);

/* The mean of what is wanted over the frames of post->window, or of post->frame alone: pages or
 * JSON, files, picture. The region is that of `post`. Returns the exit status. */
int app_post_means(const AppCommand *self, AppPost *post, DlsObservableRequest request);

/* The table of all frames (post/series.h), and its picture. Returns the exit status. */
int app_post_series(const AppCommand *self, const AppPost *post, DlsAverageKind average, int axis);

/* One line "name  a b c" for each row of the part of a tensor that the dimension has, and a list of
 * numbers. */
void app_post_tensor(const char *name, int dim, const double tensor[9], const char *unit);
void app_post_vector(const char *name, int dim, const double *vector, const char *unit);

#endif
