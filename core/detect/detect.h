/* Detection: all pairs of elements, and of elements and boundary features, that are or will be
 * near.
 *
 * A pair is a contact when, both moving straight with their velocities for `horizon` seconds, the
 * gap between them falls to `alert` or below at some moment: one that forms within the step is seen
 * in that step, and one that flies past is not. Normals, points and gaps are those of the given
 * positions.
 *
 * Broad phase: boxes along the axes around elements, each enlarged by its own allowance, in a
 * hierarchy of hashed grids (level by size, cell >= widest side); a small one looks for its peers
 * in its own level and for larger ones in the levels above. Empty space costs nothing. Of two balls
 * whose boxes overlap the balls are tested as well. The pairs found are kept (Verlet 1967) until
 * some element has used up its allowance by moving, or bodies have come or gone. What is kept
 * changes the time a detection takes, never its result. Narrow phase: meeting.h. */
#ifndef DELASSUS_DETECT_DETECT_H
#define DELASSUS_DETECT_DETECT_H

#include <string.h>

#include "detect/contact.h"
#include "world/world.h"

typedef struct DlsDetector DlsDetector; /* opaque: fields in core/detect/detector_impl.h */

/* Which materials see each other: a pair with DLS_UNSEEN in its place never meets, whatever it
 * does. Tables of numbers that mean nothing else here; zeroed: all see all. */
enum { DLS_UNSEEN = -2 };
typedef struct {
  int materials, boundaries;
  const int *pair; /* [materials][materials] */
  const int
      *wall; /* [materials][boundaries]; of boundaries beyond these `pair` of their material */
} DlsSights;

/* `second` is the material of the other side, which is a boundary where that is not below 0. */
static inline bool dls_sights_between(const DlsSights *sight, int first, int second, int boundary) {
  if (!sight->pair) return true;
  if (boundary >= 0 && boundary < sight->boundaries)
    return sight->wall[first * sight->boundaries + boundary] != DLS_UNSEEN;
  return sight->pair[first * sight->materials + second] != DLS_UNSEEN;
}

typedef struct {
  double alert;   /* m, >= 0: gaps up to this are contacts */
  double horizon; /* s, >= 0: how long the velocities count */
  /* Where the bodies are: [count] each; NULL stands for the world's own array. Orientations are
   * read for clusters only. */
  const double (*position)[3];
  const double (*orientation)[4];
  const double (*velocity)[6];
  const DlsBoundary *boundary; /* [boundary_count]; NULL: the world's own */
  /* m/s, [elements]: what elements of deformable bodies move with besides the velocity of their
   * body; 0 of others. NULL: nothing. */
  const double (*drift)[3];
  /* [count]: pairs of bodies and boundaries of which none is a body with true here are passed over.
   * NULL: all are looked at. */
  const bool *of_interest;
  DlsSights sights;
  /* The contacts of the step before, by which two solids that lay face on face, or edge along edge,
   * do so up to a larger angle than two that come anew (detect/convex/manifold.h). NULL: none. */
  const DlsContactMemory *memory;
} DlsDetection;

/* Where a body, or boundary -1 - who, stands. */
static inline DlsPose dls_side_pose(const DlsWorld *world, const DlsDetection *where, int who) {
  DlsPose pose;
  if (who < 0)
    return dls_boundary_pose(&(where->boundary ? where->boundary : world->boundary)[-1 - who]);
  memcpy(pose.position, where->position ? where->position[who] : world->position[who],
         sizeof pose.position);
  memcpy(pose.orientation, where->orientation ? where->orientation[who] : world->orientation[who],
         sizeof pose.orientation);
  return pose;
}

typedef struct {
  long detections, rebuilds; /* of the kept pairs */
  long pairs;                /* kept now */
  long near;                 /* of these, handed by the last detection to the function by which the
                                two kinds meet; two balls are not counted */
  double build_s, narrow_s;  /* s of wall clock in all */
} DlsDetectorReport;

DlsStatus dls_detector_create(DlsDetector **out);
void dls_detector_destroy(DlsDetector **detector); /* NULL is fine; sets it to NULL */

/* Fills `set`, sorted, with `previous` all -1. Spheres of one body, pairs of bodies that are both
 * wholly fixed, wholly fixed bodies against boundaries, pairs that do not see each other, and
 * ghosts give none. DLS_ERR_NUMERIC names
 * a body whose position or velocity is not finite. */
DlsStatus dls_detect(DlsDetector *detector, const DlsWorld *world, const DlsDetection *where,
                     DlsContactSet *set);

/* The element of the body on a side of contact c, 0 is candidate, counted from its first: the one
 * that its feature names; of a mean the one with the largest weight. Not of boundaries. */
int dls_contact_element(const DlsWorld *world, const DlsContactSet *set, int c, int side);

/* m: the length that tolerances of contact c are shares of: its reduced radius or, where it has
 * none, the reduced size of the two bodies. */
double dls_contact_size(const DlsWorld *world, const DlsContactSet *set, int c);

static inline double dls_contact_length(const DlsWorld *world, const DlsContactSet *set, int c) {
  return set->radius[c] > 0 ? set->radius[c] : dls_contact_size(world, set, c);
}

/* The widest interpenetration of the world as it stands, m, >= 0: no velocities, no alert. */
DlsStatus dls_detect_penetration(DlsDetector *detector, const DlsWorld *world, double *out);

/* Drops the kept pairs: the next detection builds them again. To be called when one detector goes
 * from one world to another. */
void dls_detector_forget(DlsDetector *detector);

DlsDetectorReport dls_detector_report(const DlsDetector *detector);
size_t dls_detector_bytes(const DlsDetector *detector);

#endif
