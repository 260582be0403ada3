/* MAILx as a deformable body of a deck, and its mesh as MSH 2.2 beside it. Groups of the mesh: each
 * bulk by its name; `contact`, the sides that meet others; `held_xy` and such, nodes that stand
 * along these axes; `drive1` and so on, nodes that move in one way along one axis. */
#include <math.h>
#include <stdlib.h>

#include "import/lmgc90_impl.h"

const DlsLmgc90Bulk *dls_lmgc90_bulk(const DlsLmgc90 *scene, const char *name) {
  for (int k = 0; k < scene->bulks; k++)
    if (strcmp(scene->bulk[k].name, name) == 0) return &scene->bulk[k];
  return NULL;
}

static const DlsLmgc90Model *model_of(const DlsLmgc90 *scene, const char *name) {
  for (int k = 0; k < scene->models; k++)
    if (strcmp(scene->model[k].name, name) == 0) return &scene->model[k];
  return NULL;
}

/* ---- Groups ---- */

typedef struct {
  const DlsLmgc90Mesh *mesh;
  unsigned char *held; /* [nodes + 1], bits 1 2 4 for the axes */
  int *first;        /* [drives]: the first drive that is alike, itself; -1: of nodes that stand */
  int bulks;         /* in the order of the cells */
  const char **bulk; /* [cells] */
} Groups;

static void clear(Groups *g) {
  free(g->held);
  free(g->first);
  free((void *)g->bulk);
}

static bool alike(const DlsLmgc90Drive *a, const DlsLmgc90Drive *b) {
  return a->component == b->component && a->rows == b->rows &&
         memcmp(a->number, b->number, sizeof a->number) == 0 &&
         (a->rows == 0 || memcmp(a->table, b->table, (size_t)a->rows * sizeof *a->table) == 0);
}

static DlsStatus find(const DlsLmgc90Mesh *mesh, Groups *g) {
  *g = (Groups){.mesh = mesh};
  g->held = calloc((size_t)mesh->nodes + 1, 1);
  g->first = calloc((size_t)mesh->drives + 1, sizeof *g->first);
  g->bulk = calloc((size_t)mesh->cells, sizeof *g->bulk);
  DLS_CHECK(g->held && g->first && g->bulk, DLS_ERR_MEMORY, "out of memory: a mesh of %d nodes",
            mesh->nodes);
  int leaders = 0; /* few: ways to move, not nodes */
  int *leader = calloc((size_t)mesh->drives + 1, sizeof *leader);
  DLS_CHECK(leader, DLS_ERR_MEMORY, "out of memory: %d drives", mesh->drives);
  for (int d = 0; d < mesh->drives; d++) {
    const DlsLmgc90Drive *drive = &mesh->drive[d].of;
    g->first[d] = -1;
    if (dls_lmgc90_is_zero(drive)) {
      g->held[mesh->drive[d].node] |= (unsigned char)(1u << (drive->component - 1));
      continue;
    }
    int k = 0;
    while (k < leaders && !alike(&mesh->drive[leader[k]].of, drive)) k++;
    if (k == leaders) leader[leaders++] = d;
    g->first[d] = leader[k];
  }
  free(leader);
  for (int c = 0; c < mesh->cells; c++) {
    int k = 0;
    while (k < g->bulks && strcmp(g->bulk[k], mesh->cell[c].bulk) != 0) k++;
    if (k == g->bulks) g->bulk[g->bulks++] = mesh->cell[c].bulk;
  }
  return DLS_OK;
}

static bool any_held(const Groups *g, int mask) {
  for (int n = 1; n <= g->mesh->nodes; n++)
    if (g->held[n] == mask) return true;
  return false;
}

static void held_name(int mask, char out[16]) {
  snprintf(out, 16, "held_%s%s%s", mask & 1 ? "x" : "", mask & 2 ? "y" : "", mask & 4 ? "z" : "");
}

/* Names come from a file that may be anything. */
static void put_name(FILE *out, const char *name) {
  for (; *name; name++)
    fputc(*name == '"' || *name == '\\' || (unsigned char)*name < ' ' ? '_' : *name, out);
}

/* ---- Deck ---- */

static DlsStatus check_bulk(DlsLmgc90 *scene, const DlsLmgc90Mesh *mesh, const char *name) {
  const DlsLmgc90Bulk *bulk = dls_lmgc90_bulk(scene, name);
  DLS_CHECK(bulk, DLS_ERR_FORMAT, "%s:%d: there is no material '%s'; add it to BULK_BEHAV.DAT",
            scene->bodies_dat, mesh->line, name);
  if (strcmp(bulk->law, "ELAS") != 0 || !bulk->plain || isnan(bulk->young))
    return dls_import_note(&scene->notes, true, scene->bulk_dat, bulk->line,
                           "the material %s (%s) is taken as elastic%s; ELAS with `elas: "
                           "standard`, `ani_: isotropic`, EYng= and Epss= is known",
                           name, bulk->law,
                           isnan(bulk->young) ? " with EYng= 1e9, which is made up" : "");
  return DLS_OK;
}

static DlsStatus find_model(DlsLmgc90 *scene, const DlsLmgc90Mesh *mesh, DlsLmgc90Model *out) {
  const DlsLmgc90Cell *first = &mesh->cell[0];
  const DlsLmgc90Model *model = model_of(scene, first->model);
  *out = (DlsLmgc90Model){.line = first->line};
  if (!model)
    return dls_import_note(&scene->notes, true, scene->bodies_dat, first->line,
                           "there is no model '%s' in MODELS.DAT; small strains and lumped masses "
                           "are taken",
                           first->model);
  *out = *model;
  for (int c = 1; c < mesh->cells; c++) {
    const DlsLmgc90Model *other = model_of(scene, mesh->cell[c].model);
    if (!other || other->large != model->large || other->consistent != model->consistent)
      return dls_import_note(&scene->notes, true, scene->bodies_dat, mesh->cell[c].line,
                             "the model %s is not that of the first element; the body has one, %s",
                             mesh->cell[c].model, model->name);
  }
  return DLS_OK;
}

static void write_drives(const Groups *g, FILE *out) {
  int number = 0;
  for (int d = 0; d < g->mesh->drives; d++) {
    if (g->first[d] != d) continue;
    const DlsLmgc90Drive *drive = &g->mesh->drive[d].of;
    fprintf(out, "%s        - {group: drive%d, v%c: ", number ? "" : "      prescribed:\n",
            number + 1, "xyz"[drive->component - 1]);
    dls_lmgc90_write_drive(out, drive);
    fputs("}\n", out);
    number++;
  }
}

static void write_held(const Groups *g, FILE *out) {
  bool begun = false;
  for (int mask = 1; mask < 8; mask++) {
    char name[16];
    if (!any_held(g, mask)) continue;
    held_name(mask, name);
    fprintf(out, "%s        - {group: %s, axes: [", begun ? "" : "      fixed:\n", name);
    for (int k = 0, many = 0; k < 3; k++)
      if (mask >> k & 1) fprintf(out, "%s%c", many++ ? ", " : "", "xyz"[k]);
    fputs("]}\n", out);
    begun = true;
  }
}

static void write_bulks(const DlsLmgc90 *scene, const Groups *g, FILE *out) {
  fputs("      bulk:\n", out);
  for (int k = 0; k < g->bulks; k++) {
    const DlsLmgc90Bulk *bulk = dls_lmgc90_bulk(scene, g->bulk[k]);
    fputs("        - {law: elastic, group: \"", out);
    put_name(out, g->bulk[k]);
    fputs("\", parameters: {young: ", out);
    dls_lmgc90_put(out, isnan(bulk->young) ? 1e9 : bulk->young);
    fputs(", poisson: ", out);
    dls_lmgc90_put(out, isnan(bulk->poisson) ? 0 : bulk->poisson);
    fputs("}", out);
    if (bulk->density > 0) {
      fputs(", density: ", out);
      dls_lmgc90_put(out, bulk->density);
    }
    fputs("}\n", out);
  }
}

DlsStatus dls_lmgc90_write_mesh(DlsLmgc90 *scene, int number, const char *material, FILE *out) {
  const DlsLmgc90Mesh *mesh = &scene->mesh[number];
  DlsLmgc90Model model;
  Groups g;
  DLS_TRY(find_model(scene, mesh, &model));
  DlsStatus status = find(mesh, &g);
  for (int k = 0; status == DLS_OK && k < g.bulks; k++) status = check_bulk(scene, mesh, g.bulk[k]);
  if (status == DLS_OK) {
    fprintf(out, "  - name: mailx%d\n    material: \"%s\"\n    position: [0, 0%s]\n", number + 1,
            material, mesh->dim == 3 ? ", 0" : "");
    fputs("    deformable:\n      mesh: {file: \"", out);
    put_name(out, scene->stem ? scene->stem : "mesh");
    fprintf(out, "-mailx%d.msh\"}\n", number + 1);
    write_bulks(scene, &g, out);
    if (model.large) fputs("      kinematics: total-lagrangian\n", out);
    if (model.consistent) fputs("      mass: consistent\n", out);
    write_held(&g, out);
    write_drives(&g, out);
    if (mesh->patches) fputs("      contact: {groups: [contact]}\n", out);
  }
  if (status == DLS_OK && mesh->patches == 0)
    status = dls_import_note(&scene->notes, true, scene->bodies_dat, mesh->line,
                             "a MAILx without a known contactor meets none; the deck lets it meet "
                             "others with all of its outside");
  clear(&g);
  return status;
}

/* ---- Mesh ---- */

/* Physical groups: bulks from 1, `contact`, the seven ways to be held, drives. */
static int contact_tag(const Groups *g) { return g->bulks + 1; }
static int held_tag(const Groups *g, int mask) { return g->bulks + 1 + mask; }
static int drive_tag(const Groups *g, int number) { return g->bulks + 9 + number; }

/* Walks all lines of $Elements; without `out` it counts them. */
static int put_elements(const Groups *g, FILE *out) {
  const DlsLmgc90Mesh *mesh = g->mesh;
  int count = 0, number = 0;
  for (int c = 0; c < mesh->cells; c++) {
    const DlsLmgc90Cell *cell = &mesh->cell[c];
    int tag = 0;
    count++;
    if (!out) continue;
    while (strcmp(g->bulk[tag], cell->bulk) != 0) tag++;
    fprintf(out, "%d %d 2 %d %d", count, cell->gmsh, tag + 1, tag + 1);
    for (int n = 0; n < cell->nodes; n++) fprintf(out, " %d", cell->node[n]);
    fputc('\n', out);
  }
  for (int p = 0; p < mesh->patches; p++) {
    const DlsLmgc90Patch *patch = &mesh->patch[p];
    count++;
    if (!out) continue;
    fprintf(out, "%d %d 2 %d %d", count, patch->gmsh, contact_tag(g), contact_tag(g));
    for (int n = 0; n < patch->nodes; n++) fprintf(out, " %d", patch->node[n]);
    fputc('\n', out);
  }
  for (int n = 1; n <= mesh->nodes; n++) {
    if (!g->held[n]) continue;
    count++;
    if (out)
      fprintf(out, "%d 15 2 %d %d %d\n", count, held_tag(g, g->held[n]), held_tag(g, g->held[n]),
              n);
  }
  for (int d = 0; d < mesh->drives; d++) {
    if (g->first[d] != d) continue;
    for (int other = d; other < mesh->drives; other++) {
      if (g->first[other] != d) continue;
      count++;
      if (out)
        fprintf(out, "%d 15 2 %d %d %d\n", count, drive_tag(g, number), drive_tag(g, number),
                mesh->drive[other].node);
    }
    number++;
  }
  return count;
}

static int drive_groups(const Groups *g) {
  int count = 0;
  for (int d = 0; d < g->mesh->drives; d++) count += g->first[d] == d;
  return count;
}

static void put_names(const Groups *g, FILE *out) {
  int held = 0;
  for (int mask = 1; mask < 8; mask++) held += any_held(g, mask);
  fprintf(out, "$PhysicalNames\n%d\n", g->bulks + (g->mesh->patches > 0) + held + drive_groups(g));
  for (int k = 0; k < g->bulks; k++) {
    fprintf(out, "%d %d \"", g->mesh->dim, k + 1);
    put_name(out, g->bulk[k]);
    fputs("\"\n", out);
  }
  if (g->mesh->patches) fprintf(out, "%d %d \"contact\"\n", g->mesh->dim - 1, contact_tag(g));
  for (int mask = 1; mask < 8; mask++) {
    char name[16];
    held_name(mask, name);
    if (any_held(g, mask)) fprintf(out, "0 %d \"%s\"\n", held_tag(g, mask), name);
  }
  for (int k = 0; k < drive_groups(g); k++)
    fprintf(out, "0 %d \"drive%d\"\n", drive_tag(g, k), k + 1);
  fputs("$EndPhysicalNames\n", out);
}

DlsStatus dls_lmgc90_mesh(const DlsLmgc90 *scene, int k, char **text) {
  const DlsLmgc90Mesh *mesh = &scene->mesh[k];
  Groups g;
  size_t bytes;
  *text = NULL;
  DlsStatus status = find(mesh, &g);
  FILE *out = status == DLS_OK ? open_memstream(text, &bytes) : NULL;
  if (out) {
    fputs("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", out);
    put_names(&g, out);
    fprintf(out, "$Nodes\n%d\n", mesh->nodes);
    for (int n = 0; n < mesh->nodes; n++) {
      fprintf(out, "%d", n + 1);
      for (int i = 0; i < 3; i++) {
        fputc(' ', out);
        dls_lmgc90_put(out, mesh->node[n][i]);
      }
      fputc('\n', out);
    }
    fprintf(out, "$EndNodes\n$Elements\n%d\n", put_elements(&g, NULL));
    put_elements(&g, out);
    fputs("$EndElements\n", out);
  }
  if (status == DLS_OK && (!out || fclose(out) != 0)) {
    free(*text);
    *text = NULL;
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for a mesh of %d nodes", mesh->nodes);
  }
  clear(&g);
  return status;
}
