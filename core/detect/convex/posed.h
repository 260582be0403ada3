/* A convex solid where it stands: vertices and planes in space axes about a common origin, which
 * is near both of two that meet, so that digits are not lost to their distance from the scene's. */
#ifndef DELASSUS_DETECT_CONVEX_POSED_H
#define DELASSUS_DETECT_CONVEX_POSED_H

#include "world/convex.h"

typedef struct {
  int dim;
  DlsConvex core;   /* its topology; its places are those of before */
  double rounding;  /* m */
  double reach;     /* m, of the farthest vertex from `centre` */
  double centre[3]; /* the mean of the vertices: within, as that of the box need not be */
  double vertex[DLS_CONVEX_VERTICES][3];
  double plane[DLS_CONVEX_FACES][4]; /* outward unit normal, offset */
} DlsPosed;

/* A solid turned: [vertices][3] from the origin of its axes, m, then [faces][3] normals, its
 * centre[3] and reach, in space axes; how many numbers that is. Made once, it serves all that the
 * solid meets. */
int dls_turned_count(const DlsSolid *solid);
void dls_solid_turn(const DlsSolid *solid, const DlsPose *pose, double *turned);
void dls_posed_turned(const DlsSolid *solid, const double *turned, const double position[3],
                      const double origin[3], DlsPosed *out);

/* Both in one. Only what the solid has is filled. */
void dls_posed_solid(const DlsSolid *solid, const DlsPose *pose, const double origin[3],
                     DlsPosed *out);
/* A point with a rounding: a ball. */
void dls_posed_ball(int dim, const double x[3], double radius, const double origin[3],
                    DlsPosed *out);

/* A triangle, thin, with a front (counter-clockwise) and a back. */
void dls_posed_triangle(const double corner[3][3], const double origin[3], DlsPosed *out);

/* A segment likewise, in 2-D; its face 1 is the front, on the left. */
void dls_posed_line(const double corner[2][3], const double origin[3], DlsPosed *out);

/* A box of these half edges, and in 2-D a segment, thin, along local x: what boundaries are. */
void dls_posed_box(int dim, const double half[3], const DlsPose *pose, const double origin[3],
                   DlsPosed *out);
void dls_posed_segment(double half, const DlsPose *pose, const double origin[3], DlsPosed *out);

/* The vertex farthest along d; of equal ones the first. */
static inline int dls_posed_support(const DlsPosed *p, const double d[3]) {
  int best = 0;
  double most = dls_vector_dot(d, p->vertex[0]);
  for (int v = 1; v < p->core.vertices; v++) {
    const double along = dls_vector_dot(d, p->vertex[v]);
    if (along > most) most = along, best = v;
  }
  return best;
}

/* The edge between two vertices, -1 none. */
int dls_posed_edge(const DlsPosed *p, int v, int w);

#endif
