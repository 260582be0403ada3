/* Materials: a name, which decks give laws to pairs of, and a density. */
#ifndef DELASSUS_WORLD_MATERIAL_H
#define DELASSUS_WORLD_MATERIAL_H

#include <delassus/status.h>

#include "base/names.h"

enum { DLS_MATERIAL_NAME = 64 };

typedef struct {
  char name[DLS_MATERIAL_NAME];
  double density; /* kg/m3; 0 unknown */
} DlsMaterial;

typedef struct {
  int count, capacity;
  DlsMaterial *item;
  DlsNames names; /* numbers of the items */
} DlsMaterials;

/* Number *out for a new material; refuses an empty or long name, a name twice, a density below
 * 0. */
DlsStatus dls_materials_add(DlsMaterials *materials, const char *name, double density, int *out);

/* The number of a material, or -1. */
int dls_materials_find(const DlsMaterials *materials, const char *name);

/* As find; DLS_ERR_ARGUMENT gives the nearest name and the names there are. */
DlsStatus dls_materials_require(const DlsMaterials *materials, const char *name, int *out);

void dls_materials_clear(DlsMaterials *materials);

#endif
