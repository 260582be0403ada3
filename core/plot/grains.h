/* A picture of grains and forces, from plain arrays: grains shaded by load, force chains as lines
 * of a width that grows with the force, boundaries as segments. 2-D: chains upon the grains. 3-D:
 * grains as balls, and beside them the chains, which the grains would hide. Grains with corners are
 * polygons; in 3-D the sides that look at the eye, lit from above. */
#ifndef DELASSUS_PLOT_GRAINS_H
#define DELASSUS_PLOT_GRAINS_H

#include "plot/svg.h"

/* Sides of grains with corners, counter-clockwise as seen from outside (2-D: the grain itself);
 * such grains are not drawn as balls. */
typedef struct {
  int count;
  double *corner; /* [..][3], m: of one side after the other */
  int *end;       /* [count]: where its corners end */
  int *grain;     /* [count] */
} DlsGrainSides;

void dls_grain_sides_clear(DlsGrainSides *sides); /* a zeroed one is fine */

/* The area vector of corners [count][3]: along the normal, twice the area long. */
void dls_polygon_area(const double *corner, int count, double out[3]);

typedef struct {
  int dim; /* 2 or 3 */

  int grains;
  const double *position; /* [grains][3], m; z is not looked at in 2-D */
  const double *radius;   /* [grains], m */
  const double *load;     /* [grains], what they are shaded by; NULL: all alike */
  const char *load_label; /* NULL: "load (N)" */

  DlsGrainSides sides; /* lent */

  int chains;
  const double *from,
      *to;             /* [chains][3], m: centres of the two bodies, or of one and the contact */
  const double *force; /* [chains], N; lines of 2 % of the greatest and less are left out, pulls
                          (< 0) are blue */

  int walls;
  const double *wall; /* [walls][2][3], m: segments, edges of boxes and the like */

  bool framed;            /* low and high give the window; otherwise all that is there fits */
  double low[3], high[3]; /* m */
  double from_direction
      [3];    /* where the eye is in 3-D; 0: in front, a little from the right and above */
  DlsMap map; /* WARM unless told otherwise */
  const char *title, *caption; /* may be NULL */
} DlsGrainPicture;

/* Writes the picture; *left_out, unless NULL, receives how many shapes had no finite numbers. */
DlsStatus dls_grain_picture_write(const DlsGrainPicture *picture, const char *path, int *left_out);

#endif
