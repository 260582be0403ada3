/* Bodies that come from a file: a table, a frame of an earlier run, a checkpoint. They are taken as
 * they are: places, velocities, turns, ids. Masses follow from the densities of this deck. */
#include "scene/scene_impl.h"

#include "base/file.h"
#include "base/small.h"

#include <stdlib.h>
#include <string.h>

static DlsStatus read_file(const DlsScene *scene, const char *path, int dim, DlsBodyFile *out) {
  if (!dls_file_ends(path, ".vtu") && !dls_file_ends(path, ".h5") && !dls_file_ends(path, ".hdf5"))
    return dls_body_file_table(path, dim, out);
  DLS_CHECK(scene->reader, DLS_ERR_UNSUPPORTED,
            "%s: frames and checkpoints are read by `delassus run`; give a CSV file", path);
  return scene->reader(path, dim, out);
}

static bool is_ghost(const DlsWorld *world, int b) { return world->flags[b] & DLS_BODY_GHOST; }

/* The first body that counts; -1: none. */
static int first_body(const DlsWorld *from) {
  for (int b = 0; b < from->count; b++)
    if (!is_ghost(from, b)) return b;
  return -1;
}

/* Whether all are of one material: then it is that of the key, whatever it was called. */
static bool is_of_one(const DlsBodyFile *file) {
  const DlsWorld *from = file->world;
  const int first = first_body(from);
  if (!file->materials) return true;
  if (file->explicit_materials) return false;
  for (int b = 0; b < from->count; b++)
    if (!is_ghost(from, b) && from->material[b] != from->material[first]) return false;
  return true;
}

/* By name where the file has names, else by its number. */
static DlsStatus material_of(const DlsBodyFile *file, int b, const char *path,
                             const DlsWorld *world, int *out) {
  const DlsMaterials *known = &file->world->materials;
  const int number = file->world->material[b];
  *out = number;
  if (number < known->count) {
    *out = dls_materials_find(&world->materials, known->item[number].name);
    DLS_CHECK(*out >= 0, DLS_ERR_ARGUMENT,
              "%s: body %llu is of the material '%s', which the deck does not have; add it", path,
              (unsigned long long)file->world->id[b], known->item[number].name);
  }
  DLS_CHECK(*out < world->materials.count, DLS_ERR_ARGUMENT,
            "%s: body %llu is of material number %d, and the deck has %d, numbered from 0; add one",
            path, (unsigned long long)file->world->id[b], *out, world->materials.count);
  return DLS_OK;
}

static DlsStatus check_motion(const DlsSceneGrains *g, const DlsBodyFile *file) {
  const double zero[3] = {0};
  DLS_CHECK(!file->velocities || dls_small_same(3, g->velocity, zero), DLS_ERR_ARGUMENT,
            "%s tells the velocities of its bodies; leave `velocity` out", g->file);
  DLS_CHECK(!file->spins || dls_small_same(3, g->spin, zero), DLS_ERR_ARGUMENT,
            "%s tells the spins of its bodies; leave `spin` out", g->file);
  return DLS_OK;
}

static DlsStatus add_all(const DlsSceneGrains *g, const DlsBodyFile *file, int material,
                         DlsWorld *world) {
  const DlsWorld *from = file->world;
  const int first = first_body(from);
  const bool one = is_of_one(file);
  DLS_CHECK(first >= 0, DLS_ERR_ARGUMENT, "%s: holds no body", g->file);
  DLS_TRY(check_motion(g, file));
  /* Ids stay where they are free; a range that a number of bodies cannot count begins anew. */
  const bool keep = file->ids && from->id[first] >= world->next_id &&
                    from->id[from->count - 1] - from->id[first] < INT32_MAX;
  for (int b = first; b < from->count; b++) {
    int number = material;
    if (is_ghost(from, b)) continue;
    if (!one) DLS_TRY(material_of(file, b, g->file, world, &number));
    DLS_TRY(dls_world_add_copy(world, from, b, keep ? from->id[b] : 0, number,
                               world->materials.item[number].density));
    double *v = world->velocity[world->count - 1];
    if (!file->velocities) memcpy(v, g->velocity, sizeof g->velocity);
    if (!file->spins) memcpy(v + 3, g->spin, sizeof g->spin);
  }
  return DLS_OK;
}

DlsStatus dls_scene_add_file(const DlsScene *scene, const DlsSceneGrains *grains, int material,
                             DlsWorld *world) {
  DlsBodyFile file = {0};
  DLS_TRY(read_file(scene, grains->file, world->dim, &file));
  const DlsStatus status = add_all(grains, &file, material, world);
  dls_body_file_clear(&file);
  return status;
}
