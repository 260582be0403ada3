#include "detect/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/deformable.h"

/* A ball of a radius below so many edges touches a face at one place; a larger one lies on the
 * nodes, between which it sinks by no more than a 32nd of an edge. */
static const double small_ball = 4;

void dls_meshes_destroy(DlsMeshes **meshes) {
  DlsMeshes *m = *meshes;
  *meshes = NULL;
  if (!m) return;
  for (int k = 0; k < m->count; k++) dls_faces_now_clear(&m->now[k]);
  free(m->now);
  free(m->other);
  free(m->near);
  free(m);
}

const DlsFacesNow *dls_meshes_of(const DlsMeshes *m, int body) {
  if (!m) return NULL;
  const DlsDeformable *soft = dls_deformable_of(m->world, body);
  return soft && soft->faces ? &m->now[soft - m->world->deformable.item] : NULL;
}

static DlsStatus make(DlsMeshes *m, const DlsWorld *world) {
  const int elements = world->first[world->count];
  m->count = world->deformable.count;
  m->world = world, m->revision = world->revision;
  DLS_NEW(m->now, m->count);
  DLS_NEW(m->other, elements);
  DLS_NEW(m->near, elements);
  for (int e = 0; e < elements; e++)
    if (!dls_meshes_of(m, world->element_body[e])) m->other[m->others++] = e;
  return DLS_OK;
}

DlsStatus dls_meshes_begin(DlsDetector *d, const DlsDetectInput *scene) {
  const DlsWorld *world = scene->world;
  const DlsDeformables *all = &world->deformable;
  bool any = false;
  for (int k = 0; k < all->count; k++) any |= all->item[k].faces != NULL;
  if (d->meshes && (!any || d->meshes->world != world || d->meshes->revision != world->revision))
    dls_meshes_destroy(&d->meshes);
  if (!any) return DLS_OK;
  if (!d->meshes) {
    DLS_NEW(d->meshes, 1);
    const DlsStatus status = make(d->meshes, world);
    if (status != DLS_OK) {
      dls_meshes_destroy(&d->meshes);
      return status;
    }
  }
  for (int k = 0; k < all->count; k++)
    if (all->item[k].faces) DLS_TRY(dls_faces_now(&d->meshes->now[k], d, world, &all->item[k]));
  return DLS_OK;
}

bool dls_meshes_nodes_meet(const DlsDetector *d, const DlsWorld *world, int e, int f) {
  const DlsFacesNow *one = dls_meshes_of(d->meshes, world->element_body[e]);
  const DlsFacesNow *other = f < 0 ? NULL : dls_meshes_of(d->meshes, world->element_body[f]);
  if (!one && !other) return true;
  if (one && other) return false;
  const DlsFacesNow *now = one ? one : other;
  if (now->faces->by == DLS_MEET_BY_QUADRATURE) return false;
  const int rigid = one ? f : e;
  if (rigid < 0 || !dls_world_is_ball(world, rigid)) return true;
  return world->element[rigid].radius >= small_ball * now->faces->size;
}

void dls_meshes_to_points(const DlsDetector *d, const DlsWorld *world, DlsContactSet *set, int c,
                          int e, int f) {
  const int pair[2] = {e, f};
  for (int side = 0; side < 2; side++) {
    const int own = pair[side], other = pair[1 - side];
    const DlsFacesNow *now = own < 0 ? NULL : dls_meshes_of(d->meshes, world->element_body[own]);
    if (!now) continue;
    set->gap[c] += world->element[own].radius;
    set->area[c] = dls_faces_node_told(now, own - now->first, now->node_area[own - now->first]);
    set->radius[c] =
        other >= 0 && dls_world_is_ball(world, other) ? world->element[other].radius : 0;
    const double half = (side == 0 ? -0.5 : 0.5) * set->gap[c];
    for (int k = 0; k < 3; k++)
      set->point[c][k] = now->x[own - now->first][k] + half * set->frame[c][k];
  }
}

DlsBoundary dls_meshes_boundary(const DlsBoundary *boundary, double radius) {
  DlsBoundary out = *boundary;
  if (out.facets) out.depth = fmax(out.depth, radius);
  return out;
}

bool dls_mesh_may_touch(const DlsMeshMeeting *m, int one, int other) {
  const DlsWorld *world = m->scene->world;
  const bool *chosen = m->scene->of_interest;
  if ((world->flags[one] | world->flags[other]) & (DLS_BODY_GHOST | DLS_BODY_DOOMED)) return false;
  if (!dls_sights_between(&m->scene->sights, world->material[one], world->material[other], -1))
    return false;
  return !chosen || chosen[one] || chosen[other];
}

DlsStatus dls_mesh_add(const DlsMeshMeeting *m, const DlsMeshSide *first, const DlsMeshSide *second,
                       const DlsMeshPoint *p) {
  const DlsWorld *world = m->scene->world;
  DlsContactSet *set = m->set;
  const bool turned = second->body >= 0 && second->body < first->body;
  const DlsMeshSide *candidate = turned ? second : first, *antagonist = turned ? first : second;
  const int c = set->count;
  double n[3];
  if (c == set->capacity) DLS_TRY(dls_contact_set_reserve(set, c + c / 4 + 64));
  for (int k = 0; k < 3; k++) n[k] = turned ? -p->normal[k] : p->normal[k];
  const int who = antagonist->body;
  set->candidate[c] = candidate->body;
  set->antagonist[c] = who;
  set->gap[c] = p->gap, set->radius[c] = p->radius, set->area[c] = p->area;
  memcpy(set->point[c], p->point, sizeof p->point);
  dls_contact_frame(world->dim, n, set->frame[c]);
  set->key[c] =
      (DlsContactKey){world->id[candidate->body],
                      who >= 0 ? world->id[who] : DLS_KEY_BOUNDARY | world->boundary[-1 - who].id,
                      dls_key_features(candidate->feature, antagonist->feature)};
  set->previous[c] = -1;
  const DlsMeshSide *pair[2] = {candidate, antagonist};
  for (int side = 0; side < 2; side++)
    DLS_TRY(dls_contact_set_mean(set, pair[side]->count, pair[side]->element, pair[side]->weight,
                                 &set->mean[c][side]));
  set->count++;
  return DLS_OK;
}

static bool are_near(const DlsMeshMeeting *m, const DlsFacesNow *a, const DlsFacesNow *b) {
  const double reach = m->scene->alert + a->fastest + b->fastest;
  /* Flat surfaces have flat boxes: they are near too where one is behind the other. */
  const double far = fmax(reach, 0.5 * (a->faces->size + b->faces->size));
  DlsRange wide = a->whole;
  for (int k = 0; k < 3; k++) wide.low[k] -= far, wide.high[k] += far;
  return dls_ranges_meet(&wide, &b->whole);
}

/* The finer of two surfaces meets the other one, by the stronger way of theirs. */
static DlsStatus meet(const DlsMeshMeeting *m, const DlsFacesNow *a, const DlsFacesNow *b) {
  const DlsMeetBy by = a->faces->by > b->faces->by ? a->faces->by : b->faces->by;
  const bool b_first = b->faces->size < a->faces->size;
  const DlsFacesNow *from = b_first ? b : a, *on = b_first ? a : b;
  if (by == DLS_MEET_BY_MORTAR) return dls_mesh_mortar(m, from, on);
  DLS_TRY(dls_mesh_points(m, from, on, by));
  if (a->faces->both || b->faces->both) DLS_TRY(dls_mesh_points(m, on, from, by));
  return DLS_OK;
}

DlsStatus dls_meshes_meet(DlsDetector *d, const DlsDetectInput *scene, DlsContactSet *set) {
  const DlsMeshMeeting m = {d, scene, set};
  if (!d->meshes) return DLS_OK;
  for (int k = 0; k < d->meshes->count; k++) {
    const DlsFacesNow *one = &d->meshes->now[k];
    if (!one->faces) continue;
    for (int n = k + 1; n < d->meshes->count; n++) {
      const DlsFacesNow *other = &d->meshes->now[n];
      if (other->faces && dls_mesh_may_touch(&m, one->body, other->body) &&
          are_near(&m, one, other))
        DLS_TRY(meet(&m, one, other));
    }
    if (one->faces->self && dls_mesh_may_touch(&m, one->body, one->body))
      DLS_TRY(dls_mesh_points(&m, one, one, DLS_MEET_BY_NODES));
    DLS_TRY(dls_mesh_rigid(&m, one));
  }
  return DLS_OK;
}
