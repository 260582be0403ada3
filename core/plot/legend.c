#include "plot/legend.h"

#include <math.h>
#include <string.h>

static double part(double value, const double range[2], bool log) {
  if (log) return (log10(value) - log10(range[0])) / (log10(range[1]) - log10(range[0]));
  return (value - range[0]) / (range[1] - range[0]);
}

/* How much of the traces a box on the page hides: pieces of segments. */
static int hidden_by(const DlsPlotTrace *traces, int count, const DlsSvgFrame *frame,
                     const DlsSvgBox *cover) {
  enum { PIECES = 20 };
  const double margin = 4;
  int hidden = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < traces[k].count; i++)
      for (int piece = 0; piece < (traces[k].dots ? 1 : PIECES); piece++) {
        const double t = (double)piece / PIECES;
        const int next = i + 1 < traces[k].count ? i + 1 : i;
        const double x = (1 - t) * traces[k].x[i] + t * traces[k].x[next];
        const double y = (1 - t) * traces[k].y[i] + t * traces[k].y[next];
        const double across =
            frame->box.left + part(x, frame->x, frame->log_x) * frame->box.width - cover->left;
        const double down =
            frame->box.top + (1 - part(y, frame->y, frame->log_y)) * frame->box.height - cover->top;
        hidden += across > -margin && across < cover->width + margin && down > -margin &&
                  down < cover->height + margin;
      }
  return hidden;
}

void dls_plot_legend(DlsSvg *svg, const DlsSvgFrame *frame, const DlsPlotTrace *traces, int count,
                     const DlsSvgLegend *rows, int labels) {
  size_t longest = 0;
  for (int k = 0; k < labels; k++)
    if (strlen(rows[k].label) > longest) longest = strlen(rows[k].label);
  const DlsSvgBox *box = &frame->box;
  DlsSvgBox best = {0};
  int least = -1;
  for (int corner = 0; corner < 4; corner++) {
    DlsSvgBox at = {box->left + 8, box->top + 8, 60 + 7.6 * (double)longest, 20 * labels + 8};
    if (corner % 2 == 0) at.left = box->left + box->width - at.width - 8;
    if (corner / 2 == 1) at.top = box->top + box->height - at.height - 8;
    const int hidden = hidden_by(traces, count, frame, &at);
    if (least >= 0 && hidden >= least) continue;
    least = hidden;
    best = at;
  }
  dls_svg_legend(svg, best.left, best.top, rows, labels);
}
