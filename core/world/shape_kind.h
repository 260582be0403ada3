/* What a kind of shape knows and can do: one constant struct per kind, and one line in shape_list.h
 * (or a call of dls_shape_register). The world, detection, step control, files and pictures ask
 * here. How two kinds meet stands in detect/meeting.h.
 *
 * An element of a body is one shape: its kind, the numbers that the kind reads (lengths of a
 * capsule, vertices and faces of a polyhedron), a scale, and a pose. All functions see it in its
 * own axes. */
#ifndef DELASSUS_WORLD_SHAPE_KIND_H
#define DELASSUS_WORLD_SHAPE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "world/outline.h"
#include "world/shape_list.h"
#include "world/skin.h"

typedef enum {
#define DLS_SHAPE_ENUM(code, name) DLS_SHAPE_##code,
  DLS_SHAPE_LIST(DLS_SHAPE_ENUM)
#undef DLS_SHAPE_ENUM
      DLS_SHAPE_KINDS
} DlsShapeKind;

enum { DLS_MAX_SHAPE_KINDS = 32 }; /* of the list and registered */

/* An element as its kind sees it; lent. */
typedef struct {
  int dim;
  DlsShapeKind kind;
  int count;            /* of numbers */
  const double *number; /* at scale 1 */
  double scale;         /* of lengths; of a ball the radius, m */
} DlsSolid;

/* Integrals over a solid (2-D: a figure) about the origin: of 1, of x_i, of x_i x_j in the order
 * xx yy zz xy yz zx. */
typedef struct {
  double volume, first[3], second[6];
} DlsMoments;

typedef struct {
  const char *name; /* in files and messages */

  /* Refuses numbers that make no such shape. */
  DlsStatus (*check)(const DlsSolid *solid);
  /* m: of its farthest point from its origin. */
  double (*reach)(const DlsSolid *solid);
  /* m: its length scale, half of its least width; of a ball the radius. */
  double (*size)(const DlsSolid *solid);
  /* How many features it has: faces, edges and vertices; NULL: 1, it is smooth. A feature is a
   * number below. */
  uint32_t (*features)(const DlsSolid *solid);
  void (*moments)(const DlsSolid *solid, DlsMoments *out);
  /* The box around it in space axes. */
  void (*bounds)(const DlsSolid *solid, const DlsPose *pose, double low[3], double high[3]);
  /* Its farthest point along a direction of any length above 0. */
  void (*support)(const DlsSolid *solid, const double direction[3], double out[3]);
  bool (*contains)(const DlsSolid *solid, const double x[3]);
  DlsStatus (*outline)(const DlsSolid *solid, const DlsPose *pose, int owner, DlsOutline *out);
  /* Its surface as polygons, of the cell that has been begun; NULL: it is shown in lines alone. */
  DlsStatus (*skin)(const DlsSolid *solid, const DlsPose *pose, DlsSkin *out);
} DlsShapeOperations;

#define DLS_SHAPE_DECLARE(code, name) extern const DlsShapeOperations dls_shape_##name;
DLS_SHAPE_LIST(DLS_SHAPE_DECLARE)
#undef DLS_SHAPE_DECLARE

/* NULL for a number that no kind has. */
const DlsShapeOperations *dls_shape_operations(DlsShapeKind kind);

/* Takes in a kind from elsewhere, kept by address for the life of the process; the same one twice
 * is one. To be called before worlds are made, not beside threads. */
DlsStatus dls_shape_register(const DlsShapeOperations *operations, DlsShapeKind *kind);

#endif
