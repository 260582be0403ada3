/* What the commands `delassus post ...` share: the frame of a run that they look at, the region, the files. */
#ifndef DELASSUS_APP_POST_POST_H
#define DELASSUS_APP_POST_POST_H

#include "app/app.h"
#include "app/arguments.h"
#include "post/time_average.h"

/* The first options of each of these commands, in this order. */
enum {
  POST_FRAME,
  POST_REGION,
  POST_SVG,
  POST_JSON,
  POST_MEAN,
  POST_PHASE,
  POST_BLOCKS,
  POST_OUT,
  POST_OWN
};
#define POST_OPTIONS                                                                               \
  [POST_FRAME] = {"frame", "K|last", "number of the frame; the last unless given"},                \
  [POST_REGION] = {"region", "WORD:...",                                                           \
                   "all, sphere:C:R, box:A:B, cylinder:C:AXIS:R:L, "                               \
                   "half:P:N or layer:P:N:T; all unless given"},                                   \
  [POST_SVG] = {"svg", "FILE", "a picture"}, [POST_JSON] = {"json", NULL, "print an object"},      \
  [POST_MEAN] = {"mean", "FROM:TO|all", "the mean over the frames of this time, in s"},            \
  [POST_PHASE] = {"phase", "PERIOD/BINS", "means by the phase of this period, in s, as 0.04/50"},  \
  [POST_BLOCKS] = {"blocks", "N", "parts of the time for the standard error of --mean; 10"},       \
  [POST_OUT] = {"out", "STEM",                                                                     \
                "files of a mean: STEM.csv, or STEM.vtu and .pvd; RESULT/mean_WORD unless given"}

typedef struct {
  const char *folder, *region_text, *svg, *out;
  int frame;
  bool json;
  bool mean;        /* over frames: --mean or --phase was given */
  DlsWindow window; /* to 0: all frames */
  DlsPacking packing;
  DlsProbe region;
} AppPost;

extern const AppCommand app_post_stress, app_post_fabric, app_post_chains, app_post_cut,
    app_post_field, app_post_probe, app_post_walls, app_post_floor, app_post_grains, app_post_silo;

/* Takes an operand or an option below POST_OWN; false where it is wrong, which has been said. */
bool app_post_option(AppArguments *arguments, int met, AppPost *post);

/* Reads the frame and the region; false where that fails, which has been said. Ended with app_post_end(). */
bool app_post_begin(const AppCommand *self, AppPost *post);
void app_post_end(AppPost *post);

/* The mean of what is wanted over the frames of post->window, or of post->frame alone: pages or JSON, files, picture.
 * The region is that of `post`. Returns the exit status. */
int app_post_means(const AppCommand *self, AppPost *post, DlsObservableRequest request);

/* One line "name  a b c" for each row of the part of a tensor that the dimension has, and a list of numbers. */
void app_post_tensor(const char *name, int dim, const double tensor[9], const char *unit);
void app_post_vector(const char *name, int dim, const double *vector, const char *unit);

#endif
