/* A folder of LMGC90: its files found and read, one after the other. */
#include <stdlib.h>
#include <sys/stat.h>

#include "import/lmgc90_impl.h"

DlsStatus dls_lmgc90_grow(void *array, int count, int *room, size_t bytes) {
  void **at = array;
  if (count < *room) return DLS_OK;
  const int more = *room ? 2 * *room : 8;
  void *bigger = realloc(*at, (size_t)more * bytes);
  DLS_CHECK(bigger, DLS_ERR_MEMORY, "out of memory: %d items of %zu bytes", more, bytes);
  memset((char *)bigger + (size_t)*room * bytes, 0, (size_t)(more - *room) * bytes);
  *at = bigger;
  *room = more;
  return DLS_OK;
}

char *dls_lmgc90_path(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  if (path) sprintf(path, "%s/%s", folder, name);
  return path;
}

bool dls_lmgc90_is_there(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

DlsLmgc90Body *dls_lmgc90_body(const DlsLmgc90 *scene, int dim, double number) {
  if (!(number >= 1 && number <= scene->bodies) || number != (int)number) return NULL;
  DlsLmgc90Body *body = &scene->body[(int)number - 1]; /* all are of one dimension */
  return body->dim == dim ? body : NULL;
}

/* DIR where BODIES.DAT is in it, else DIR/DATBOX. */
static DlsStatus find_folder(const char *folder, DlsLmgc90 *out) {
  char *bodies = dls_lmgc90_path(folder, "BODIES.DAT");
  char *box = dls_lmgc90_path(folder, "DATBOX");
  const bool here = bodies && dls_lmgc90_is_there(bodies);
  out->above = strdup(folder);
  out->folder = here ? strdup(folder) : box ? strdup(box) : NULL;
  free(bodies);
  free(box);
  DLS_CHECK(out->above && out->folder, DLS_ERR_MEMORY, "out of memory for a path");
  struct stat info;
  DLS_CHECK(stat(folder, &info) == 0 && S_ISDIR(info.st_mode), DLS_ERR_FILE,
            "%s is no folder; give the one that holds BODIES.DAT, or DATBOX with it", folder);
  char **const path[] = {&out->bodies_dat, &out->bulk_dat, &out->tact_dat,
                         &out->drive_dat,  &out->dof_ini,  &out->models_dat};
  static const char *const name[] = {"BODIES.DAT",  "BULK_BEHAV.DAT", "TACT_BEHAV.DAT",
                                     "DRV_DOF.DAT", "DOF.INI",        "MODELS.DAT"};
  for (int k = 0; k < DLS_COUNT(name); k++) {
    *path[k] = dls_lmgc90_path(out->folder, name[k]);
    DLS_CHECK(*path[k], DLS_ERR_MEMORY, "out of memory for a path");
  }
  DLS_CHECK(dls_lmgc90_is_there(out->bodies_dat), DLS_ERR_FILE,
            "neither %s nor %s/DATBOX holds BODIES.DAT; give the folder that does", folder, folder);
  return DLS_OK;
}

/* Files that say what a deck has no place for, or that it does not need. */
static DlsStatus tell_others(DlsLmgc90 *scene) {
  static const struct {
    const char *name, *sentence;
  } other[] = {
      {"Vloc_Rloc.INI", "not read: contacts begin without the forces of an earlier run"},
      {"GPV.INI", "not read: deformable bodies begin without stress"},
      {"POSTPRO.DAT", "not read: say in the deck what is to be written (`output`)"},
  };
  for (int k = 0; k < DLS_COUNT(other); k++) {
    char *path = dls_lmgc90_path(scene->folder, other[k].name);
    DLS_CHECK(path, DLS_ERR_MEMORY, "out of memory for a path");
    DlsStatus status = DLS_OK;
    if (dls_lmgc90_is_there(path))
      status = dls_import_note(&scene->notes, false, path, 0, "%s", other[k].sentence);
    free(path);
    DLS_TRY(status);
  }
  return DLS_OK;
}

DlsStatus dls_lmgc90_read(const char *folder, DlsLmgc90 *out) {
  *out = (DlsLmgc90){.theta = -1};
  DLS_TRY(find_folder(folder, out));
  DLS_TRY(dls_lmgc90_read_bodies(out));
  DLS_TRY(dls_lmgc90_read_models(out));
  DLS_TRY(dls_lmgc90_read_bulk(out));
  DLS_TRY(dls_lmgc90_read_tact(out));
  DLS_TRY(dls_lmgc90_read_drive(out));
  DLS_TRY(dls_lmgc90_read_dof(out));
  DLS_TRY(dls_lmgc90_read_command(out));
  return tell_others(out);
}

void dls_lmgc90_clear(DlsLmgc90 *scene) {
  for (int b = 0; b < scene->bodies; b++) {
    DlsLmgc90Body *body = &scene->body[b];
    for (int k = 0; k < body->contactors; k++) {
      free(body->contactor[k].vertex);
      free(body->contactor[k].face);
    }
    for (int k = 0; k < body->drives; k++) free(body->drive[k].table);
    free(body->contactor);
    free(body->drive);
  }
  free(scene->body);
  dls_lmgc90_clear_meshes(scene);
  free(scene->bulk);
  free(scene->law);
  free(scene->sight);
  char *const paths[] = {scene->folder,   scene->above,     scene->bodies_dat, scene->bulk_dat,
                         scene->tact_dat, scene->drive_dat, scene->dof_ini,    scene->models_dat};
  for (int k = 0; k < DLS_COUNT(paths); k++) free(paths[k]);
  dls_import_notes_clear(&scene->notes);
  *scene = (DlsLmgc90){.theta = -1};
}
