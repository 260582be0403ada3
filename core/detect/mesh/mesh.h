/* Deformable bodies that meet by faces (world/contact_faces.h): each other, themselves, rigid
 * bodies and boundaries. Every contact point has one side that finds it, a node, a point of
 * integration, a ball or a vertex, whose feature is its name from step to step, and a face or the
 * mean of some on the other, as weighted elements. */
#ifndef DELASSUS_DETECT_MESH_MESH_H
#define DELASSUS_DETECT_MESH_MESH_H

#include "detect/mesh/now.h"

/* All of a world, in the order of its deformable bodies; without faces where these have none. */
struct DlsMeshes {
  int count;
  DlsFacesNow *now;
  int others, *other, *near; /* elements of bodies that do not meet by faces; scratch, as long */
  const DlsWorld *world;
  uint64_t revision;
};

/* Before the pairs of a detection: where all faces are. */
DlsStatus dls_meshes_begin(DlsDetector *detector, const DlsDetectInput *scene);
void dls_meshes_destroy(DlsMeshes **meshes); /* NULL is fine; sets it to NULL */

/* The faces of a body, NULL: it is rigid or meets by its elements. */
const DlsFacesNow *dls_meshes_of(const DlsMeshes *meshes, int body);

/* Whether elements e and f, f < 0 a boundary, meet as balls: a node by faces does with a boundary
 * and with what is rigid and larger than a few of its faces. */
bool dls_meshes_nodes_meet(const DlsDetector *detector, const DlsWorld *world, int e, int f);

/* Of such a contact c, its two as balls: nodes are points, with the area of the node. */
void dls_meshes_to_points(const DlsDetector *detector, const DlsWorld *world, DlsContactSet *set,
                          int c, int e, int f);

/* The boundary as points of a surface see it, with balls of this radius about them: facets, which
 * balls meet from their front, from as far behind too, since a point that lies on them may be there
 * by round-off. */
DlsBoundary dls_meshes_boundary(const DlsBoundary *boundary, double radius);

/* Adds all contacts of faces. */
DlsStatus dls_meshes_meet(DlsDetector *detector, const DlsDetectInput *scene, DlsContactSet *set);

/* ---- Of this folder alone ---- */

typedef struct {
  DlsDetector *d;
  const DlsDetectInput *scene;
  DlsContactSet *set;
} DlsMeshMeeting;

/* count 0: what is rigid, body -1 - b: boundary b */
typedef struct {
  int body;
  uint32_t feature;
  int count;
  const int *element;
  const double *weight;
} DlsMeshSide;

typedef struct {
  double gap, normal[3], point[3]; /* the normal from the second side to the first */
  double area, radius;
} DlsMeshPoint;

DlsStatus dls_mesh_add(const DlsMeshMeeting *m, const DlsMeshSide *first, const DlsMeshSide *second,
                       const DlsMeshPoint *point);

/* Whether two bodies may touch, and one of them is asked for. */
bool dls_mesh_may_touch(const DlsMeshMeeting *m, int one, int other);

/* Nodes or points of integration of a surface on the faces of another, or of its own. */
DlsStatus dls_mesh_points(const DlsMeshMeeting *m, const DlsFacesNow *from, const DlsFacesNow *on,
                          DlsMeetBy by);
/* The nodes of `from` by means over its faces. */
DlsStatus dls_mesh_mortar(const DlsMeshMeeting *m, const DlsFacesNow *from, const DlsFacesNow *on);
/* Rigid bodies on faces; points of integration on rigid bodies and boundaries. */
DlsStatus dls_mesh_rigid(const DlsMeshMeeting *m, const DlsFacesNow *on);

/* Points of integration of a face: how many, the nodes that interpolate there, and the share of
 * the face's area. */
typedef struct {
  DlsNodesThere at;
  double share;
} DlsFacePoint;
int dls_mesh_face_points(const DlsFacesNow *now, int face, DlsFacePoint *out);

#endif
