/* MAILx, the meshed bodies: their records of BODIES.DAT, and MODELS.DAT. */
#include <stdlib.h>

#include "import/lmgc90_impl.h"

/* Elements with the number of their nodes, which stand in the order of Gmsh, and its number. */
static const struct {
  const char *name;
  int dim, nodes, gmsh;
} elements[] = {
    {"T3xxx", 2, 3, 2}, {"Q4xxx", 2, 4, 3}, {"T6xxx", 2, 6, 9}, {"Q8xxx", 2, 8, 16},
    {"TE4xx", 3, 4, 4}, {"H8xxx", 3, 8, 5}, {"PRI6x", 3, 6, 6},
};

/* Contactors: what rows of sights call them, and the nodes of one. */
static const struct {
  const char *name, *taken_as;
  int dim, nodes, gmsh;
} patches[] = {
    {"CSpx3", "CSxxx", 3, 3, 2}, {"CSpx4", "CSxxx", 3, 4, 3}, {"ASpx3", "ASpxx", 3, 3, 2},
    {"ASpx4", "ASpxx", 3, 4, 3}, {"CLxxx", "CLxxx", 2, 2, 1}, {"ALpxx", "ALpxx", 2, 2, 1},
};

DlsStatus dls_lmgc90_begin_mesh(DlsLmgc90 *scene, const DlsImportText *t, DlsLmgc90Mesh **out) {
  DLS_TRY(dls_lmgc90_grow(&scene->mesh, scene->meshes, &scene->mesh_room, sizeof *scene->mesh));
  *out = &scene->mesh[scene->meshes++];
  **out = (DlsLmgc90Mesh){.line = t->at};
  return DLS_OK;
}

static DlsStatus read_index(const DlsImportText *t, const char *word, const char *what, int *out) {
  double value;
  const char *rest;
  if (!dls_import_real(word, &value, &rest) || *rest || !(value >= 1 && value <= 1e8) ||
      value != (int)value)
    return dls_import_text_fail(t, "'%s' is no %s; they count from 1", word, what);
  *out = (int)value;
  return DLS_OK;
}

/* "H8xxx 1 nodes 1 2 8 7 37 38 44 43", more nodes below, then "model M3DH8 behav stone". */
static DlsStatus begin_cell(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                            const char *line, const char *name) {
  int k = 0;
  char word[DLS_IMPORT_WORD];
  mesh->cell_open = false;
  while (k < DLS_COUNT(elements) && strcmp(elements[k].name, name) != 0) k++;
  if (k == DLS_COUNT(elements)) {
    dls_lmgc90_name(line, 0, mesh->stranger);
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "element %s is not known and left out; known are T3xxx, Q4xxx, T6xxx, "
                           "Q8xxx (2-D), TE4xx, H8xxx, PRI6x (3-D)",
                           name);
  }
  if (strcmp(dls_import_word(line, 2, word), "nodes") != 0)
    return dls_import_text_fail(t, "`nodes` and their numbers are missing behind %s", name);
  DLS_TRY(dls_lmgc90_grow(&mesh->cell, mesh->cells, &mesh->cell_room, sizeof *mesh->cell));
  DlsLmgc90Cell *cell = &mesh->cell[mesh->cells++];
  *cell = (DlsLmgc90Cell){
      .dim = elements[k].dim, .nodes = elements[k].nodes, .gmsh = elements[k].gmsh, .line = t->at};
  mesh->cell_open = true;
  return DLS_OK;
}

static DlsStatus add_nodes(const DlsImportText *t, DlsLmgc90Cell *cell, const char *line,
                           int first) {
  char word[DLS_IMPORT_WORD];
  for (int n = first; *dls_import_word(line, n, word); n++) {
    if (cell->told == cell->nodes)
      return dls_import_text_fail(t, "'%s' is a node more than the %d of this element", word,
                                  cell->nodes);
    DLS_TRY(read_index(t, word, "node", &cell->node[cell->told++]));
  }
  return DLS_OK;
}

DlsStatus dls_lmgc90_mesh_cell(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                               const char *line, const char *name) {
  char word[DLS_IMPORT_WORD];
  const bool model = strcmp(name, "model") == 0, more = name[0] >= '0' && name[0] <= '9';
  if (!model && !more) {
    DLS_TRY(begin_cell(scene, t, mesh, line, name));
    return mesh->cell_open ? add_nodes(t, &mesh->cell[mesh->cells - 1], line, 3) : DLS_OK;
  }
  if (!mesh->cell_open) return DLS_OK; /* of one that is left out */
  DlsLmgc90Cell *cell = &mesh->cell[mesh->cells - 1];
  if (more) return add_nodes(t, cell, line, 0);
  if (strcmp(dls_import_word(line, 2, word), "behav") != 0)
    return dls_import_text_fail(t, "`model NAME behav NAME` is wanted");
  dls_lmgc90_name(line, 1, cell->model);
  dls_lmgc90_name(line, 3, cell->bulk);
  return DLS_OK;
}

DlsStatus dls_lmgc90_mesh_node(const DlsImportText *t, DlsLmgc90Mesh *mesh, const char *line,
                               const char *name) {
  static const char *const coo[] = {"coo1", "coo2", "coo3"};
  const int dim = strcmp(name, "NO2xx") == 0 ? 2 : strcmp(name, "NO3xx") == 0 ? 3 : 0;
  char word[DLS_IMPORT_WORD];
  int number = 0;
  if (!dim) return dls_import_text_fail(t, "%s is no node of a MAILx; NO2xx and NO3xx are", name);
  if (mesh->dim && mesh->dim != dim)
    return dls_import_text_fail(t, "NO2xx and NO3xx in one body; it is of 2-D or of 3-D");
  mesh->dim = dim;
  DLS_TRY(read_index(t, dls_import_word(line, 1, word), "number of a node", &number));
  if (number != mesh->nodes + 1)
    return dls_import_text_fail(t, "node %d stands where node %d is wanted", number,
                                mesh->nodes + 1);
  DLS_TRY(dls_lmgc90_grow(&mesh->node, mesh->nodes, &mesh->node_room, sizeof *mesh->node));
  double *x = mesh->node[mesh->nodes++];
  for (int i = 0; i < dim; i++) DLS_TRY(dls_import_number(t, line, coo[i], true, &x[i]));
  return DLS_OK;
}

/* "CSpx4 1 color BLEUx noda= 1 nodb= 7 nodc= 8 nodd= 2"; further ones begin with `+`. */
DlsStatus dls_lmgc90_mesh_contactor(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                                    const char *line, const char *name) {
  static const char *const key[] = {"noda", "nodb", "nodc", "nodd"};
  char word[DLS_IMPORT_WORD];
  int k = 0;
  if (*name == '+') name++;
  while (k < DLS_COUNT(patches) && strcmp(patches[k].name, name) != 0) k++;
  if (k == DLS_COUNT(patches))
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "contactor %s of a MAILx is not known and left out; known are CLxxx, "
                           "ALpxx (2-D), CSpx3, CSpx4, ASpx3, ASpx4 (3-D)",
                           name);
  if (strcmp(dls_import_word(line, 2, word), "color") != 0)
    return dls_import_text_fail(t, "`color` and its name are missing behind %s", name);
  DLS_TRY(dls_lmgc90_grow(&mesh->patch, mesh->patches, &mesh->patch_room, sizeof *mesh->patch));
  DlsLmgc90Patch *p = &mesh->patch[mesh->patches++];
  *p = (DlsLmgc90Patch){
      .dim = patches[k].dim, .nodes = patches[k].nodes, .gmsh = patches[k].gmsh, .line = t->at};
  snprintf(p->kind, sizeof p->kind, "%s", patches[k].taken_as);
  dls_lmgc90_name(line, 3, p->colour);
  for (int n = 0; n < p->nodes; n++) {
    double value = 0;
    DLS_TRY(dls_import_number(t, line, key[n], true, &value));
    if (!(value >= 1 && value <= 1e8) || value != (int)value)
      return dls_import_text_fail(t, "%s= %g is no node; they count from 1", key[n], value);
    p->node[n] = (int)value;
  }
  return DLS_OK;
}

static DlsStatus check_list(const DlsLmgc90 *scene, const DlsLmgc90Mesh *mesh, int dim, int line,
                            const int *node, int count) {
  DLS_CHECK(dim == mesh->dim, DLS_ERR_FORMAT, "%s:%d: of %d-D, in a body of %d-D",
            scene->bodies_dat, line, dim, mesh->dim);
  for (int n = 0; n < count; n++)
    DLS_CHECK(node[n] >= 1 && node[n] <= mesh->nodes, DLS_ERR_FORMAT,
              "%s:%d: there is no node %d; the body has %d", scene->bodies_dat, line, node[n],
              mesh->nodes);
  return DLS_OK;
}

DlsStatus dls_lmgc90_check_meshes(const DlsLmgc90 *scene) {
  for (int k = 0; k < scene->meshes; k++) {
    const DlsLmgc90Mesh *mesh = &scene->mesh[k];
    const int dim = scene->bodies ? scene->body[0].dim : scene->mesh[0].dim;
    DLS_CHECK(mesh->cells > 0 || !*mesh->stranger, DLS_ERR_FORMAT,
              "%s:%d: a MAILx of elements that are not known, such as %s; docs/import.md has those "
              "that are",
              scene->bodies_dat, mesh->line, mesh->stranger);
    DLS_CHECK(mesh->nodes > 0 && mesh->cells > 0, DLS_ERR_FORMAT,
              "%s:%d: a MAILx with %d elements and %d nodes; it needs both", scene->bodies_dat,
              mesh->line, mesh->cells, mesh->nodes);
    DLS_CHECK(mesh->dim == dim, DLS_ERR_FORMAT,
              "%s:%d: a body of %d-D beside one of %d-D; a deck is of one of them",
              scene->bodies_dat, mesh->line, mesh->dim, dim);
    for (int c = 0; c < mesh->cells; c++) {
      const DlsLmgc90Cell *cell = &mesh->cell[c];
      DLS_CHECK(cell->told == cell->nodes, DLS_ERR_FORMAT, "%s:%d: %d nodes of an element of %d",
                scene->bodies_dat, cell->line, cell->told, cell->nodes);
      DLS_TRY(check_list(scene, mesh, cell->dim, cell->line, cell->node, cell->nodes));
    }
    for (int p = 0; p < mesh->patches; p++) {
      const DlsLmgc90Patch *patch = &mesh->patch[p];
      DLS_TRY(check_list(scene, mesh, patch->dim, patch->line, patch->node, patch->nodes));
    }
  }
  return DLS_OK;
}

/* ---- MODELS.DAT ---- */

/* Options that are understood: how deformation, mass and material are taken. */
static DlsStatus read_option(DlsLmgc90 *scene, const DlsImportText *t, DlsLmgc90Model *model,
                             const char *key, const char *value) {
  static const struct {
    const char *key, *value;
  } plain[] = {{"mater", "elas_"}, {"aniso", "iso__"}};
  if (strcmp(key, "mstrg") == 0 && strcmp(value, "lump_") == 0) return DLS_OK;
  if (strcmp(key, "kine_") == 0 && strcmp(value, "small") == 0) return DLS_OK;
  if (strcmp(key, "mstrg") == 0 && strcmp(value, "coher") == 0) {
    model->consistent = true;
    return DLS_OK;
  }
  if (strcmp(key, "kine_") == 0 && strcmp(value, "large") == 0) {
    model->large = true;
    return DLS_OK;
  }
  for (int k = 0; k < DLS_COUNT(plain); k++)
    if (strcmp(key, plain[k].key) == 0) {
      if (strcmp(value, plain[k].value) == 0) return DLS_OK;
      model->unknown = true;
    }
  if (strcmp(key, "isext") == 0 || strcmp(key, "formu") == 0 || strcmp(key, "discr") == 0)
    return dls_import_note(&scene->notes, false, t->path, t->at,
                           "the option %s %s of a model is not taken", key, value);
  return dls_import_note(&scene->notes, true, t->path, t->at,
                         "the option %s %s of a model is not known; known are mstrg lump_ and "
                         "coher, kine_ small and large, mater elas_, aniso iso__",
                         key, value);
}

/* Behind `$model`: a name; then its physics, element, and an option a line. */
static DlsStatus read_models(DlsLmgc90 *scene, DlsImportText *t) {
  enum { NOTHING, NAME, FIRST, MORE } state = NOTHING;
  char word[2][DLS_IMPORT_WORD];
  for (const char *line; (line = dls_import_text_next(t));) {
    if (dls_import_begins(line, "$")) {
      state = dls_import_begins(line, "$model") ? NAME : NOTHING;
      continue;
    }
    if (state == NOTHING) continue;
    if (state == NAME) {
      DLS_TRY(
          dls_lmgc90_grow(&scene->model, scene->models, &scene->model_room, sizeof *scene->model));
      DlsLmgc90Model *made = &scene->model[scene->models++];
      *made = (DlsLmgc90Model){.line = t->at};
      dls_lmgc90_name(line, 0, made->name);
      state = FIRST;
      continue;
    }
    DlsLmgc90Model *model = &scene->model[scene->models - 1];
    const int at = state == FIRST ? 2 : 0;
    if (state == FIRST && strcmp(dls_import_word(line, 0, word[0]), "MECAx") != 0)
      DLS_TRY(dls_import_note(&scene->notes, true, t->path, t->at,
                              "the physics %s is not taken; MECAx is", word[0]));
    state = MORE;
    dls_import_word(line, at, word[0]);
    dls_import_word(line, at + 1, word[1]);
    if (*word[0] && *word[1]) DLS_TRY(read_option(scene, t, model, word[0], word[1]));
  }
  return DLS_OK;
}

DlsStatus dls_lmgc90_read_models(DlsLmgc90 *scene) {
  DlsImportText text;
  if (scene->meshes == 0 || !dls_lmgc90_is_there(scene->models_dat)) return DLS_OK;
  DLS_TRY(dls_import_text_read(scene->models_dat, '!', &text));
  const DlsStatus status = read_models(scene, &text);
  dls_import_text_clear(&text);
  return status;
}

void dls_lmgc90_clear_meshes(DlsLmgc90 *scene) {
  for (int k = 0; k < scene->meshes; k++) {
    DlsLmgc90Mesh *mesh = &scene->mesh[k];
    for (int d = 0; d < mesh->drives; d++) free(mesh->drive[d].of.table);
    free(mesh->node), free(mesh->cell), free(mesh->patch), free(mesh->drive);
  }
  free(scene->mesh);
  free(scene->model);
}
