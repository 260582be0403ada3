/* delassus post stress --series: the table of all frames, and its curves over time. */
#include <stdio.h>
#include <stdlib.h>

#include "app/post/post.h"
#include "plot/panel.h"
#include "record/columns.h"
#include "record/series_write.h"

/* Four curves over the time: what is wanted first of a test. */
static DlsStatus draw_columns(const DlsColumns *table, const char *path) {
  static const struct {
    const char *title, *name, *label;
  } wanted[] = {{"Stress ratio q / p", "stress_ratio", "deviator / pressure"},
                {"Volumetric strain", "volumetric_strain", "ln(V / V0), dilation above 0"},
                {"Anisotropy of the contacts", "anisotropy", "amplitude of the second harmonic"},
                {"Coordination", "coordination", "contacts with a force per grain"}};
  DlsPlotPanel panels[DLS_COUNT(wanted)];
  DlsPlotCurve curves[DLS_COUNT(wanted)];
  double *place = calloc((size_t)table->rows * (1 + DLS_COUNT(wanted)) + 1, sizeof *place);
  DLS_CHECK(place, DLS_ERR_MEMORY, "out of memory for %d rows", table->rows);
  const int time = dls_columns_find(table, "time");
  for (int i = 0; i < table->rows; i++) place[i] = dls_columns_at(table, i, time);
  for (int k = 0; k < DLS_COUNT(wanted); k++) {
    double *y = place + (size_t)table->rows * (size_t)(k + 1);
    const int column = dls_columns_find(table, wanted[k].name);
    for (int i = 0; i < table->rows; i++) y[i] = dls_columns_at(table, i, column);
    curves[k] = (DlsPlotCurve){.x = place, .y = y, .count = table->rows, .ink = dls_plot_inks[k]};
    panels[k] = (DlsPlotPanel){.title = wanted[k].title,
                               .x_label = "time, s",
                               .y_label = wanted[k].label,
                               .curves = &curves[k],
                               .count = 1,
                               .zero_y = true};
  }
  const DlsStatus status = dls_plot_panels(panels, DLS_COUNT(wanted), 2, 520, 320, path);
  free(place);
  return status;
}

static DlsStatus draw(const char *table, const char *path) {
  DlsColumns columns;
  DLS_TRY(dls_columns_read(table, &columns));
  const DlsStatus status = draw_columns(&columns, path);
  dls_columns_clear(&columns);
  return status;
}

int app_post_series(const AppCommand *self, const AppPost *post, DlsAverageKind average, int axis) {
  char path[2300];
  int rows;
  if (!post->folder)
    return app_refuse(self, "which result? delassus %s FOLDER, the folder of a run", self->name);
  if (post->mean || post->frame >= 0 || post->json)
    return app_refuse(self, "--series is a table of all frames; leave out --frame, --mean, "
                            "--phase and --json");
  snprintf(path, sizeof path, "%s%s.csv", post->out ? post->out : post->folder,
           post->out ? "" : "/series");
  if (dls_series_write(post->folder, post->region_text, average, axis, path, &rows) != DLS_OK ||
      (post->svg && draw(path, post->svg) != DLS_OK))
    return app_refuse_status(self);
  printf("%d frames: %s\n", rows, path);
  return APP_DONE;
}
