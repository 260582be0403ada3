/* Whether a snapshot is one of a simulation: asked before writing, so that no checkpoint replaces a
 * good one that could not be read; and after reading, of files from anywhere. Whoever passes can be
 * stepped without a look beyond an array. */
#include <math.h>

#include "base/small.h"
#include "post/packing.h"
#include "record/checkpoint/checkpoint_impl.h"
#include "world/boundary/kind.h"

#define REFUSE_UNLESS(condition, dataset, ...)                                                     \
  do {                                                                                             \
    if (!(condition)) return refuse(path, dataset, __VA_ARGS__);                                   \
  } while (0)

static DlsStatus refuse(const char *path, const char *dataset, const char *what, int number,
                        const char *reason) {
  return dls_fail(DLS_ERR_FORMAT, "%s: %s: %s %d %s", path, dataset, what, number, reason);
}

static DlsStatus check_run(const DlsSnapshot *s, const char *path) {
  DLS_CHECK(isfinite(s->time), DLS_ERR_FORMAT, "%s: /run/time: is not finite", path);
  DLS_CHECK(s->step <= INT64_MAX && s->unconverged <= s->step && s->iterations <= INT64_MAX,
            DLS_ERR_FORMAT, "%s: /run/step: a number of steps or iterations is impossible", path);
  for (int k = 0; k < 3; k++)
    DLS_CHECK(s->report[k] >= 0 && (k < 2 || s->report[k] < DLS_OUTCOME_COUNT), DLS_ERR_FORMAT,
              "%s: /run/report: entry %d is %d", path, k, s->report[k]);
  DLS_CHECK(s->note[DLS_CHECKPOINT_NOTE - 1] == 0, DLS_ERR_FORMAT,
            "%s: /run/report_note: does not end", path);
  return DLS_OK;
}

static DlsStatus check_body(const DlsWorld *w, int i, const char *path, int materials) {
  const double *q = w->orientation[i], *v = w->velocity[i], *x = w->position[i];
  REFUSE_UNLESS(dls_small_finite(3, x), "/bodies/position", "body", i, "is nowhere finite");
  REFUSE_UNLESS(dls_small_finite(6, v), "/bodies/velocity", "body", i, "has no finite velocity");
  const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  REFUSE_UNLESS(norm > 0.999 && norm < 1.001, "/bodies/orientation", "body", i,
                "has no unit quaternion");
  REFUSE_UNLESS(w->mass[i] > 0 && isfinite(w->mass[i]), "/bodies/mass", "body", i,
                "has no mass above 0");
  REFUSE_UNLESS(w->volume[i] > 0 && isfinite(w->volume[i]), "/bodies/volume", "body", i,
                "has no volume above 0");
  for (int k = w->dim == 2 ? 2 : 0; k < 3; k++)
    REFUSE_UNLESS(w->inertia[i][k] > 0 && isfinite(w->inertia[i][k]), "/bodies/inertia", "body", i,
                  "has no inertia above 0");
  REFUSE_UNLESS(w->id[i] > (i ? w->id[i - 1] : 0) && w->id[i] < w->next_id, "/bodies/id", "body", i,
                "has an id out of order");
  REFUSE_UNLESS(w->material[i] >= 0 && (w->material[i] == 0 || w->material[i] < materials),
                "/bodies/material", "body", i, "is of a material that is not there");
  REFUSE_UNLESS(w->fixed[i] <= DLS_FIXED_ALL, "/bodies/fixed", "body", i, "has unknown bits");
  REFUSE_UNLESS(w->isotropic[i] <= 1, "/bodies/isotropic", "body", i, "has neither 0 nor 1");
  if (w->dim == 3) return DLS_OK;
  REFUSE_UNLESS(isfinite(w->angle[i]), "/bodies/angle", "body", i, "has no finite angle");
  REFUSE_UNLESS((w->fixed[i] & DLS_FIXED_IN_PLANE) == DLS_FIXED_IN_PLANE && x[2] == 0 &&
                    v[2] == 0 && v[3] == 0 && v[4] == 0,
                "/bodies/velocity", "body", i, "leaves the plane");
  return DLS_OK;
}

static DlsStatus check_elements(const DlsWorld *w, const char *path, int elements) {
  REFUSE_UNLESS(w->first[0] == 0 && w->first[w->count] == elements, "/bodies/first", "body",
                w->count, "does not end with the last sphere");
  for (int i = 0; i < w->count; i++) {
    const int first = w->first[i], next = w->first[i + 1];
    REFUSE_UNLESS(next > first && next <= elements, "/bodies/first", "body", i,
                  "has an impossible number of spheres");
    for (int e = first; e < next; e++)
      REFUSE_UNLESS(dls_small_finite(3, w->element[e].offset) && isfinite(w->element[e].radius) &&
                        w->element[e].radius > 0,
                    "/bodies/element", "sphere", e, "has an impossible place or radius");
  }
  return DLS_OK;
}

/* The pose is looked at in a copy: the check may round it. */
static DlsStatus check_boundaries(const DlsSnapshot *s, const char *path, int materials) {
  const DlsWorld *w = s->world;
  for (int b = 0; b < w->boundary_count; b++) {
    DlsBoundary copy = w->boundary[b];
    REFUSE_UNLESS(dls_boundary_operations(copy.kind), "/boundaries/kind", "boundary", b,
                  "is of an unknown kind");
    if (dls_boundary_check(w->dim, &copy) != DLS_OK)
      return dls_fail_context(DLS_ERR_FORMAT, "%s: /boundaries/kind: boundary %d is impossible",
                              path, b);
    REFUSE_UNLESS(dls_small_finite(3, copy.position) && dls_small_finite(4, copy.orientation) &&
                      dls_small_finite(6, copy.velocity),
                  "/boundaries/position", "boundary", b, "has no finite pose or velocity");
    REFUSE_UNLESS(copy.material >= 0 && (copy.material == 0 || copy.material < materials),
                  "/boundaries/material", "boundary", b, "is of a material that is not there");
    REFUSE_UNLESS(copy.id > (b ? w->boundary[b - 1].id : 0) && copy.id < w->next_boundary_id,
                  "/boundaries/id", "boundary", b, "has an id out of order");
    REFUSE_UNLESS(copy.carrier < w->next_id, "/boundaries/carrier", "boundary", b,
                  "is carried by a body that never was");
    REFUSE_UNLESS(dls_small_finite(6, s->boundary_force[b]), "/boundaries/force", "boundary", b,
                  "has no finite force");
  }
  return DLS_OK;
}

static DlsStatus check_contacts(const DlsSnapshot *s, const char *path) {
  const DlsWorld *w = s->world;
  for (int c = 0; c < s->contacts; c++) {
    const uint64_t one = s->key[c].candidate, other = s->key[c].antagonist;
    const uint64_t end = other & DLS_KEY_BOUNDARY ? w->next_boundary_id : w->next_id;
    REFUSE_UNLESS(!(one & DLS_KEY_BOUNDARY) && dls_key_id(one) > 0 &&
                      dls_key_id(one) < w->next_id && dls_key_id(other) > 0 &&
                      dls_key_id(other) < end,
                  "/contacts/key", "contact", c, "is between bodies that never were");
    REFUSE_UNLESS(dls_small_finite(s->block, s->r + (size_t)c * (size_t)s->block), "/contacts/r",
                  "contact", c, "has no finite impulse");
    REFUSE_UNLESS(dls_small_finite(s->states, s->state + (size_t)c * (size_t)s->states),
                  "/contacts/state", "contact", c, "has no finite state");
  }
  for (int row = 0; row < 3 * s->frames; row++) {
    const double *axis = s->frame[row / 3] + 3 * (row % 3);
    const double norm = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    REFUSE_UNLESS(norm > 0.999 && norm < 1.001, "/contacts/frame", "contact", row / 3,
                  "has no unit axes");
  }
  for (int c = 0; c < s->places; c++)
    REFUSE_UNLESS(dls_small_finite(DLS_PLACE_NUMBERS, &s->place[c].at[0][0]), "/contacts/place",
                  "contact", c, "is at no finite place");
  DLS_CHECK(isfinite(s->moment), DLS_ERR_FORMAT, "%s: /contacts/moment: is not finite", path);
  return DLS_OK;
}

DlsStatus dls_snapshot_check(const DlsSnapshot *s, const char *path, int materials) {
  const DlsWorld *w = s->world;
  DLS_TRY(check_run(s, path));
  DLS_CHECK(w->next_id >= 1 && w->next_id <= DLS_END_OF_IDS && w->next_boundary_id >= 1 &&
                w->next_boundary_id <= DLS_PACKING_BOUNDARIES + 1,
            DLS_ERR_FORMAT, "%s: /bodies/next_id: the next id is impossible", path);
  for (int i = 0; i < w->count; i++) DLS_TRY(check_body(w, i, path, materials));
  DLS_TRY(check_elements(w, path, s->elements));
  DLS_TRY(check_boundaries(s, path, materials));
  DLS_TRY(dls_snapshot_check_deformables(s, path));
  return check_contacts(s, path);
}
