/* Facets: what boundaries from meshes and lines of points are made of, in their local axes;
 * triangles in 3-D, segments in 2-D. The front of a triangle is where its corners go round
 * counter-clockwise, that of a segment its left. Who is near a place is found by a tree of boxes
 * (split at the median, four facets a leaf), so that the cost grows with the logarithm of their
 * number; a boundary that moves takes the place into its own axes, and the tree stays.
 *
 * No ghost forces: a nearest point on an edge or a corner counts only where the place lies in the
 * normal cone there, which is that between the normals of the facets around it. A flat or concave
 * edge has none: who is above it is above the facet beyond, which gives the point itself. So a ball
 * that rolls over the diagonals of a floor meets the floor alone.
 *
 * Features: facets that hang together and are flat within 1 degree are one patch, and what touches
 * it keeps its contact while it moves over inner edges; then come edges, then corners. */
#ifndef DELASSUS_WORLD_FACETS_H
#define DELASSUS_WORLD_FACETS_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/mesh.h"

typedef struct {
  double low[3], high[3];
  int first, count; /* a leaf: facets order[first ...]; else count 0, children first, first + 1 */
} DlsFacetBox;

typedef struct {
  int dim, nodes, count;
  bool both;   /* met from either side */
  bool closed; /* no facet has an open edge */
  double (*node)[3];
  int (*corner)[3];     /* [count], `dim` of them */
  int (*neighbour)[3];  /* -1: none. 3-D: beyond the edge from corner k to the next; 2-D: beyond
                            corner k */
  int8_t (*bend)[3];    /* there: 1 convex or open, 0 flat, -1 concave */
  double (*plane)[4];   /* unit normal, offset */
  double (*outward)[3]; /* [nodes]: normals of the facets around, by their angles */
  int *patch, patches;  /* of a facet, by first facet */
  int *star_start;      /* [nodes + 1] */
  int *star;            /* the nodes that edges lead to from each */
  int *order, boxes;
  DlsFacetBox *box;
  double size; /* m, the largest edge of the box of all */
  int users;   /* who shares it */
} DlsFacets;

/* From corners, m, and facets of them: `name` is for sentences. Facets without extent, an edge of
 * three, and one that both of its facets run along in the same direction are refused. *out has one
 * user, the caller. */
DlsStatus dls_facets_make(int dim, bool both, const char *name, int nodes, const double (*node)[3],
                          int count, const int (*corner)[3], DlsFacets **out);
DlsFacets *dls_facets_share(DlsFacets *facets);
void dls_facets_release(DlsFacets **facets); /* NULL is fine; sets it to NULL */

/* Those that somebody holds. */
typedef struct {
  int count;
  DlsFacets **item;
} DlsFacetsList;

/* Shares them, unless the list has them already; NULL is fine. */
DlsStatus dls_facets_hold(DlsFacetsList *list, DlsFacets *facets);
void dls_facets_list_clear(DlsFacetsList *list);

/* Numbers of features. */
static inline int dls_facets_edge_feature(const DlsFacets *f, int facet, int k) {
  int lower = facet, side = k;
  const int other = f->neighbour[facet][k];
  for (int i = 0; i < 3 && other >= 0 && other < facet; i++)
    if (f->neighbour[other][i] == facet) lower = other, side = i;
  return f->patches + 3 * lower + side;
}
static inline int dls_facets_corner_feature(const DlsFacets *f, int node) {
  return f->patches + 3 * f->count + node;
}

typedef struct {
  int facet, feature;
  bool edge;       /* it lies on an edge or corner */
  double distance; /* m, of the place; below 0 behind a face */
  double normal[3];
} DlsFacetPoint;

/* The nearest points to c of all facets nearer than `reach`: each once, one for each normal (within
 * 1 degree the nearest) and patch, by ascending feature; when there are more than `most`, the
 * nearest. Facets are met from their front, from up to `depth` behind it on, or from both sides. */
int dls_facets_near(const DlsFacets *facets, const double c[3], double reach, double depth,
                    int most, DlsFacetPoint *out);

/* Calls visit for the facets whose boxes overlap a box, in the order of the tree. */
typedef void DlsFacetVisit(void *context, int facet);
void dls_facets_within(const DlsFacets *facets, const double low[3], const double high[3],
                       DlsFacetVisit *visit, void *context);

/* m: the signed distance of a place to closed facets, below 0 behind them. */
double dls_facets_depth(const DlsFacets *facets, const double x[3]);

/* How many facets end at an open edge, in 2-D at an end; the first of them, m. */
int dls_facets_open(const DlsFacets *facets, double first[2][3]);

/* m3, in 2-D m2: enclosed by closed facets; below 0 where their front is within. */
double dls_facets_volume(const DlsFacets *facets);

/* Whether `away`, from the nearest point to a place, lies in the normal cone of edge k of facet t
 * (3-D), or of its corner k; `behind`: seen from its back. */
bool dls_facets_in_edge_cone(const DlsFacets *facets, int t, int k, bool behind,
                             const double away[3]);
bool dls_facets_in_corner_cone(const DlsFacets *facets, int t, int k, bool behind,
                               const double away[3]);

/* Every crossing of a ray: at t, with the cosine between the normal and the way. */
typedef void DlsFacetCross(void *context, double t, double along);
void dls_facets_cross(const DlsFacets *facets, const double from[3], const double way[3],
                      DlsFacetCross *cross, void *context);

/* Whether all within `reach` of a place lies in one plane, without an open edge. */
bool dls_facets_flat(const DlsFacets *facets, const double x[3], double reach);

#endif
