#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"

DlsStatus dls_materials_add(DlsMaterials *materials, const char *name, double density, int *out) {
  DLS_CHECK(name && name[0], DLS_ERR_ARGUMENT, "a material needs a name");
  DLS_CHECK(strlen(name) < DLS_MATERIAL_NAME, DLS_ERR_ARGUMENT,
            "material %.20s...: a name has at most %d letters", name, DLS_MATERIAL_NAME - 1);
  DLS_CHECK(dls_materials_find(materials, name) < 0, DLS_ERR_ARGUMENT,
            "material %s is there already", name);
  DLS_CHECK(isfinite(density) && density >= 0, DLS_ERR_ARGUMENT,
            "material %s: density %g kg/m3 is not a number from 0 on", name, density);
  if (materials->count == materials->capacity) {
    const int capacity = materials->capacity ? 2 * materials->capacity : 8;
    DlsMaterial *item;
    DLS_NEW(item, capacity);
    if (materials->count) memcpy(item, materials->item, (size_t)materials->count * sizeof *item);
    free(materials->item);
    materials->item = item;
    materials->capacity = capacity;
  }
  DLS_TRY(dls_names_add(&materials->names, name, materials->count, NULL));
  DlsMaterial *material = &materials->item[materials->count];
  snprintf(material->name, sizeof material->name, "%s", name);
  material->density = density;
  if (out) *out = materials->count;
  materials->count++;
  return DLS_OK;
}

int dls_materials_find(const DlsMaterials *materials, const char *name) {
  return dls_names_find(&materials->names, name, strlen(name));
}

DlsStatus dls_materials_require(const DlsMaterials *materials, const char *name, int *out) {
  *out = dls_materials_find(materials, name);
  if (*out >= 0) return DLS_OK;
  const char **names;
  char text[512] = "";
  DLS_NEW(names, materials->count + 1);
  for (int i = 0; i < materials->count; i++) {
    const size_t used = strlen(text);
    names[i] = materials->item[i].name;
    snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", names[i]);
  }
  const char *nearest = dls_nearest(name, names, materials->count);
  free(names);
  if (nearest)
    return dls_fail(DLS_ERR_ARGUMENT, "no material %s; did you mean %s? There are: %s", name,
                    nearest, text);
  return dls_fail(DLS_ERR_ARGUMENT, "no material %s; there are: %s", name, text[0] ? text : "none");
}

void dls_materials_clear(DlsMaterials *materials) {
  free(materials->item);
  dls_names_clear(&materials->names);
  *materials = (DlsMaterials){0};
}
