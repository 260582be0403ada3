#include "detect/link.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the distance of the two bodies: points nearer than this are one, and have no direction. */
static const double together = 1e-12;

DlsStatus dls_links_add(DlsLinks *links, const DlsLink *link) {
  if (links->count == links->capacity) {
    const int capacity = 2 * links->capacity + 8;
    DlsLink *more = realloc(links->item, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d links", capacity);
    links->item = more;
    links->capacity = capacity;
  }
  links->item[links->count++] = *link;
  return DLS_OK;
}

void dls_links_clear(DlsLinks *links) {
  free(links->item);
  *links = (DlsLinks){0};
}

void dls_link_point(const DlsWorld *world, const DlsDetection *where, int who, const double at[3],
                    double out[3]) {
  const DlsPose pose = dls_side_pose(world, where, who);
  dls_pose_to_space(&pose, at, out);
}

/* The number of a side in the world; false where it is not there. */
static bool find(const DlsWorld *world, uint64_t id, int *who) {
  if (id & DLS_KEY_BOUNDARY) {
    const int boundary = dls_world_find_boundary(world, dls_key_id(id));
    *who = -1 - boundary;
    return boundary >= 0;
  }
  *who = dls_world_find(world, id);
  return *who >= 0 && !(world->flags[*who] & DLS_BODY_DOOMED);
}

static bool is_held(const DlsWorld *world, int who) {
  return who < 0 ? dls_world_carrier(world, -1 - who) < 0 : dls_world_is_fixed(world, who);
}

/* n and the gap of a link whose points are a on the candidate and b on the antagonist. */
static void measure(const DlsWorld *world, const DlsDetection *where, const DlsLink *link, int who,
                    const double a[3], const double b[3], double n[3], double *gap) {
  const DlsPose pose = dls_side_pose(world, where, who);
  const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  const double distance = dls_vector_norm(apart);
  const double least =
      together * (dls_vector_norm(link->at[0]) + dls_vector_norm(link->at[1]) + link->length);
  if (link->kind == DLS_LINK_PLANE) {
    dls_rotation_apply(pose.orientation, link->normal, n);
    *gap = dls_vector_dot(n, apart);
    return;
  }
  if (distance > least) {
    const double sign = link->kind == DLS_LINK_AXIAL ? -1 : 1;
    for (int k = 0; k < 3; k++) n[k] = sign * apart[k] / distance;
  } else {
    const double any[3] = {1, 0, 0};
    dls_rotation_apply(pose.orientation, any, n);
  }
  *gap = link->kind == DLS_LINK_AXIAL ? link->length - distance : distance;
}

DlsStatus dls_links_append(const DlsLinks *links, const DlsWorld *world, const DlsDetection *where,
                           DlsContactSet *set) {
  if (links->count == 0) return DLS_OK;
  DLS_TRY(dls_contact_set_reserve(set, set->count + links->count));
  for (int k = 0; k < links->count; k++) {
    const DlsLink *link = &links->item[k];
    int antagonist, candidate;
    double b[3], n[3];
    if (!find(world, link->id[0], &antagonist) || !find(world, link->id[1], &candidate)) continue;
    if (is_held(world, antagonist) && is_held(world, candidate)) continue;
    const int c = set->count++;
    dls_link_point(world, where, antagonist, link->at[0], b);
    dls_link_point(world, where, candidate, link->at[1], set->point[c]);
    measure(world, where, link, antagonist, set->point[c], b, n, &set->gap[c]);
    dls_contact_frame(world->dim, n, set->frame[c]);
    set->candidate[c] = candidate;
    set->antagonist[c] = antagonist;
    set->radius[c] = dls_contact_size(world, set, c); /* no curvature: a length for tolerances */
    set->area[c] = 0;
    set->key[c] = (DlsContactKey){link->id[1], link->id[0], DLS_KEY_LINK | (uint64_t)k};
    set->previous[c] = -1;
    memset(set->mean[c], 0, sizeof set->mean[c]);
  }
  return DLS_OK;
}
