/* Links: contacts that nobody detects. Two points, each fixed to a body or boundary, a on the
 * candidate and b on the antagonist, are a contact in every step, wherever they are; a law acts in
 * it as in any other.
 *
 * axial   n = (b - a)/d, gap = length - d, d = |a - b|: what pulls a wire tight closes it, so that
 *           a unilateral law makes a wire and a bilateral one a rod
 *   point   n = (a - b)/d, gap = d: what holds the gap at 0 and the tangents makes a hinge
 *   plane   n fixed to the antagonist, gap = n . (a - b): what holds the gap alone makes a slider
 *
 * An axial reaction acts along the line through both points; the others at a. */
#ifndef DELASSUS_DETECT_LINK_H
#define DELASSUS_DETECT_LINK_H

#include "detect/contact.h"
#include "detect/detect.h"

#define DLS_LINK_LIST(X)                                                                           \
  X(AXIAL, "axial")                                                                                \
  X(POINT, "point")                                                                                \
  X(PLANE, "plane")

typedef enum {
#define DLS_LINK_ENUM(code, word) DLS_LINK_##code,
  DLS_LINK_LIST(DLS_LINK_ENUM)
#undef DLS_LINK_ENUM
} DlsLinkKind;

/* Sides: [0] antagonist, [1] candidate, which is a body. */
typedef struct {
  DlsLinkKind kind;
  uint64_t id[2];   /* of a body; of the antagonist also DLS_KEY_BOUNDARY | id of a boundary */
  double at[2][3];  /* m, from its centre of mass, or the origin of the boundary, in its axes */
  double normal[3]; /* plane: unit, in the axes of the antagonist */
  double length;    /* m, axial */
  int material;     /* that of the law in it, which acts between this material and itself */
} DlsLink;

typedef struct {
  int count, capacity;
  DlsLink *item;
} DlsLinks;

/* Adds a link; its number is count - 1. A zeroed list is ready. */
DlsStatus dls_links_add(DlsLinks *links, const DlsLink *link);
void dls_links_clear(DlsLinks *links);

/* Puts the links behind the contacts of the set, in their order; those whose bodies are not in the
 * world, or both wholly fixed, are left out. Poses are those that the set was detected with. */
DlsStatus dls_links_append(const DlsLinks *links, const DlsWorld *world, const DlsDetection *where,
                           DlsContactSet *set);

/* m: a point of a body or boundary now, from its place in the axes of that. */
void dls_link_point(const DlsWorld *world, const DlsDetection *where, int who, const double at[3],
                    double out[3]);

/* The key of a contact tells whether it is a link, and which. */
#define DLS_KEY_LINK ((uint64_t)1 << 63) /* in `feature` */

static inline bool dls_key_is_link(const DlsContactKey *key) {
  return (key->feature & DLS_KEY_LINK) != 0;
}
static inline int dls_key_link(const DlsContactKey *key) {
  return (int)(key->feature & ~DLS_KEY_LINK);
}

#endif
