/* Distance of two convex cores and the direction across it.
 *
 * Apart: the algorithm of Gilbert, Johnson and Keerthi (1988) on the difference of the two, whose
 * point nearest to 0 is sought among simplices of its vertices; the point of a simplex by signed
 * volumes (Montanari, Petrinic and Barbieri 2017), which neither squares lengths nor divides by
 * small areas. It ends when the support repeats a vertex, or when the duality gap is round-off.
 * Within 1e-10 of a size, or overlapping: the largest separation over the normals of faces and the
 * crosses of edges whose arcs of normals meet; of two polytopes that overlap this is their depth.
 *
 * A function of the two solids alone: no start from the past, no random choice. */
#ifndef DELASSUS_DETECT_CONVEX_NEAREST_H
#define DELASSUS_DETECT_CONVEX_NEAREST_H

#include "detect/convex/posed.h"

typedef struct {
  double distance;         /* m, of the cores; < 0 they overlap by so much */
  double normal[3];        /* unit, from b to a */
  double on_a[3], on_b[3]; /* m, places at that distance; one of many where sides are parallel */
  uint32_t feature[2];     /* what they lie on */
  int iterations;
  bool far; /* the distance is above `enough`, and is a lower bound */
} DlsNearest;

/* enough, m: beyond it a lower bound will do. */
void dls_convex_nearest(const DlsPosed *a, const DlsPosed *b, double enough, DlsNearest *out);

/* A place that the cores share: of a, and of b but for `slack` (m). */
typedef struct {
  double x[3], slack;
} DlsCommon;

/* The part for solids that are near or overlap; out->iterations is left alone. A common place
 * (NULL: none is known) spares the axes along which they cannot be apart as far as along another:
 * the answer is the same. */
void dls_convex_separation(const DlsPosed *a, const DlsPosed *b, const DlsCommon *common,
                           DlsNearest *out);

/* m, how far apart along a unit vector from b to a: no more than their distance. */
double dls_convex_apart(const DlsPosed *a, const DlsPosed *b, const double normal[3]);

/* The unit vector across two that may be nearly parallel; false: they are parallel. */
bool dls_edges_across(const double d[3], const double g[3], double out[3]);

/* Where the lines of two segments are nearest, within the segments. */
void dls_segments_nearest(const double a0[3], const double a1[3], const double b0[3],
                          const double b1[3], double on_a[3], double on_b[3]);

/* Two edges, each by its vertices, that are what of a and b is nearest: the places on them, and
 * direction and distance where those of *out are round-off, as between edges nearly parallel. */
void dls_edges_place(const DlsPosed *a, const int of_a[2], const DlsPosed *b, const int of_b[2],
                     DlsNearest *out);

#endif
