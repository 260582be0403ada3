/* What was in the files of a deck when its scene was built: a restart tells those that have changed
 * since (record/restart.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "scene/scene_impl.h"

/* The contents of `path`, known as `key`; NULL is fine. */
static DlsStatus note(DlsScene *scene, const char *key, const char *path) {
  char *text;
  if (!path) return DLS_OK;
  DlsSceneFile *all = realloc(scene->file, ((size_t)scene->files + 1) * sizeof *all);
  DLS_CHECK(all, DLS_ERR_MEMORY, "out of memory for the names of files");
  scene->file = all;
  DlsSceneFile *file = &all[scene->files];
  *file = (DlsSceneFile){.key = strdup(key), .path = path, .hash = DLS_HASH_BEGIN};
  DLS_CHECK(file->key, DLS_ERR_MEMORY, "out of memory for the names of files");
  scene->files++;
  DLS_TRY(dls_file_read(path, &text, &file->bytes));
  dls_hash_mix(&file->hash, text, file->bytes);
  free(text);
  return DLS_OK;
}

static DlsStatus note_item(DlsScene *scene, const char *list, int k, const char *path) {
  char key[64];
  snprintf(key, sizeof key, "%s[%d].region.file", list, k);
  return note(scene, key, path);
}

DlsStatus dls_scene_note_files(DlsScene *scene) {
  const DlsSceneData *data = &scene->data;
  const DlsSceneBoundary *boundaries = data->boundaries.items;
  const DlsSceneSource *sources = data->sources.items;
  const DlsSceneSink *sinks = data->sinks.items;
  char key[256];
  for (int k = 0; k < data->boundaries.count; k++) {
    snprintf(key, sizeof key, "boundaries.%s.file", boundaries[k].name);
    DLS_TRY(note(scene, key, boundaries[k].file));
  }
  for (int k = 0; k < data->sources.count; k++)
    DLS_TRY(note_item(scene, "sources", k, sources[k].region.file));
  for (int k = 0; k < data->sinks.count; k++)
    DLS_TRY(note_item(scene, "sinks", k, sinks[k].region.file));
  return data->ground ? note(scene, "ground.file", data->ground->file) : DLS_OK;
}

void dls_scene_forget_files(DlsScene *scene) {
  for (int k = 0; k < scene->files; k++) free(scene->file[k].key);
  free(scene->file);
  scene->file = NULL;
  scene->files = 0;
}
