/* Fields of single bodies: items of `fields` that name bodies or chains of the deck. Their ids are
 * known when they are here, and those of a checkpoint with it. */
#include "scene/scene_impl.h"

#include <stdlib.h>
#include <string.h>

bool dls_scene_names_body(const DlsSceneData *data, const char *name) {
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneChain *chains = data->chains.items;
  const DlsSceneBlocks *blocks = data->blocks.items;
  for (int k = 0; k < data->bodies.count; k++)
    if (bodies[k].name && strcmp(bodies[k].name, name) == 0) return true;
  for (int k = 0; k < data->chains.count + data->blocks.count; k++) {
    const char *own = k < data->chains.count ? chains[k].name : blocks[k - data->chains.count].name;
    const size_t length = own ? strlen(own) : 0;
    if (length && strncmp(own, name, length) == 0 && (name[length] == '\0' || name[length] == '.'))
      return true;
  }
  return false;
}

/* One name: all its bodies that are here. */
static DlsStatus tell_name(const DlsScene *scene, int field, const char *name,
                           DlsExpression *value) {
  DlsMember *list = NULL;
  int count = 0;
  DlsStatus status = dls_roster_expand(&scene->roster, name, &list, &count);
  for (int k = 0; k < count && status == DLS_OK; k++) {
    const int number = dls_roster_number(&scene->roster, scene->simulation->world, list[k]);
    if (number < 0) continue;
    const uint64_t id = scene->simulation->world->id[number];
    status = dls_interactions_give_field(&scene->simulation->settings.laws, field,
                                         &(DlsBodyField){id, id + 1, value});
  }
  free(list);
  return status;
}

DlsStatus dls_scene_tell_fields(DlsScene *scene) {
  const DlsDeckVariant *fields = &scene->data.fields;
  const DlsDeckList *lists = fields->data;
  DlsInteractions *laws = &scene->simulation->settings.laws;
  if (!lists) return DLS_OK;
  dls_interactions_take_fields(laws);
  for (int k = 0; k < fields->section->count; k++) {
    const DlsSceneField *items = lists[k].items;
    const int number = dls_interactions_find_field(laws, fields->section->rows[k].key);
    for (int n = 0; number >= 0 && n < lists[k].count; n++)
      for (int i = 0; i < items[n].of.count; i++)
        if (dls_scene_names_body(&scene->data, items[n].of.values[i]))
          DLS_TRY(tell_name(scene, number, items[n].of.values[i], items[n].value));
  }
  return DLS_OK;
}
