#include "plot/runner.h"

#include "base/memory.h"

/* From the sets of Okabe and Ito (2008) and Tol (2021): those ten of which the two that are nearest
 * are farthest apart, for eyes with and without cones for red or green. */
DlsColour dls_plot_colour(int runner) {
  static const DlsColour inks[] = {0x0072b2, 0xd55e00, 0x332288, 0x44aa99, 0xe69f00,
                                   0x882255, 0x56b4e9, 0x7f4f24, 0xaa3377, 0xbb5566};
  return inks[runner % DLS_COUNT(inks)];
}

/* Round ends make dashes longer by their width. */
DlsSvgStyle dls_plot_line(int runner) {
  static const double dashes[4][3] = {{0, 0, 0}, {9, 6, 0}, {0.5, 4.5, 0}, {12, 5, 0.5}}; /* px */
  const double *dash = dashes[runner % DLS_COUNT(dashes)];
  return (DlsSvgStyle){.fill = DLS_COLOUR_NONE,
                       .stroke = dls_plot_colour(runner),
                       .width = 2,
                       .dash = dash[0],
                       .gap = dash[1],
                       .dot = dash[2]};
}

/* Seven marks and four dashes have no common divisor: 28 pairs. */
DlsMark dls_plot_mark(int runner) {
  return (DlsMark)(DLS_MARK_DISC + runner % (DLS_MARK_COUNT - DLS_MARK_DISC));
}
