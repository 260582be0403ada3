/* The deck of a folder: time, materials, laws by the table of sights. Bodies: lmgc90_shapes.c,
 * lmgc90_mesh_deck.c. */
#include <math.h>
#include <stdlib.h>

#include "import/lmgc90_shapes.h"

/* What a material of the deck stands for: a bulk with contactors of one kind and colour. */
typedef struct {
  const char *bulk, *kind, *colour; /* kind: of meshes two, perhaps */
  char name[4 * DLS_LMGC90_NAME];
  double density;
  int bodies, free_bodies;
  int line; /* of the first contactor */
} Material;

typedef struct {
  DlsLmgc90 *scene;
  FILE *out;
  Material *material;
  int materials, material_room;
  int *of; /* [bodies + meshes]: a material, -1: none */
  bool moreau, signed_gap;
  double alert;
} Writer;

/* The material of number `b`, a new one where there is none of this bulk, kind and colour. */
static DlsStatus take_material(Writer *w, int b, const Material *wanted, bool is_free, bool rigid,
                               int line) {
  DlsLmgc90 *scene = w->scene;
  for (int k = 0; k < w->materials; k++) {
    Material *m = &w->material[k];
    if (strcmp(m->bulk, wanted->bulk) != 0 || strcmp(m->kind, wanted->kind) != 0 ||
        strcmp(m->colour, wanted->colour) != 0)
      continue;
    m->bodies++;
    m->free_bodies += is_free;
    w->of[b] = k;
    return DLS_OK;
  }
  DLS_TRY(dls_lmgc90_grow(&w->material, w->materials, &w->material_room, sizeof *w->material));
  Material *m = &w->material[w->materials];
  *m = *wanted;
  m->bodies = 1, m->free_bodies = is_free;
  w->of[b] = w->materials++;
  const DlsLmgc90Bulk *bulk = dls_lmgc90_bulk(scene, m->bulk);
  m->density = bulk ? bulk->density : 0;
  if (bulk && rigid && strcmp(bulk->law, "RIGID") != 0)
    DLS_TRY(dls_import_note(&scene->notes, false, scene->bulk_dat, bulk->line,
                            "of the material %s (%s) the density alone is taken", bulk->name,
                            bulk->law));
  if (m->density > 0) return DLS_OK;
  m->density = 1;
  return dls_import_note(&scene->notes, is_free, scene->bodies_dat, line,
                         "the material %s has no density above 0 in BULK_BEHAV.DAT; 1 kg/m3 is "
                         "taken%s",
                         m->bulk, is_free ? "" : ", of a body that is held");
}

/* Of a meshed body: its sides are one surface, be they candidates, antagonists or both. */
static DlsStatus find_mesh_material(Writer *w, int k) {
  DlsLmgc90 *scene = w->scene;
  const DlsLmgc90Mesh *mesh = &scene->mesh[k];
  const bool flat = mesh->dim == 2;
  const char *kinds[] = {"", flat ? "CLxxx" : "CSxxx", flat ? "ALpxx" : "ASpxx",
                         flat ? "CLxxx+ALpxx" : "CSxxx+ASpxx"};
  int which = 0;
  const char *colour = mesh->patches ? mesh->patch[0].colour : "";
  for (int p = 0; p < mesh->patches; p++) {
    which |= mesh->patch[p].kind[0] == 'C' ? 1 : 2;
    if (strcmp(mesh->patch[p].colour, colour) != 0)
      DLS_TRY(dls_import_note(&scene->notes, true, scene->bodies_dat, mesh->patch[p].line,
                              "a body of two colours, %s and %s: a body of ours has one material, "
                              "the first is taken",
                              colour, mesh->patch[p].colour));
  }
  const Material wanted = {
      .bulk = mesh->cell[0].bulk, .kind = kinds[which], .colour = colour, .line = mesh->line};
  return take_material(w, scene->bodies + k, &wanted, true, false, mesh->line);
}

/* A body has one material: that of its first contactor. */
static DlsStatus find_material(Writer *w, int b) {
  DlsLmgc90 *scene = w->scene;
  const DlsLmgc90Body *body = &scene->body[b];
  w->of[b] = -1;
  if (body->contactors == 0)
    return dls_import_note(&scene->notes, true, scene->bodies_dat, body->line,
                           "a body without a known contactor is left out");
  const DlsLmgc90Contactor *c = &body->contactor[0];
  for (int k = 1; k < body->contactors; k++)
    if (strcmp(body->contactor[k].colour, c->colour) != 0)
      DLS_TRY(dls_import_note(&scene->notes, true, scene->bodies_dat, body->contactor[k].line,
                              "a body of two colours, %s and %s: a body of ours has one material, "
                              "the first is taken",
                              c->colour, body->contactor[k].colour));
  const Material wanted = {
      .bulk = body->bulk, .kind = c->kind, .colour = c->colour, .line = c->line};
  return take_material(w, b, &wanted, !dls_lmgc90_is_held(body), true, body->line);
}

/* BULK-COLOUR, with the contactor behind it where that is not enough. */
static void name_materials(Writer *w) {
  for (int k = 0; k < w->materials; k++) {
    Material *m = &w->material[k];
    bool twice = false;
    for (int j = 0; j < w->materials; j++)
      twice |= j != k && strcmp(w->material[j].bulk, m->bulk) == 0 &&
               strcmp(w->material[j].colour, m->colour) == 0;
    snprintf(m->name, sizeof m->name, "%s-%s%s%s", m->bulk, m->colour, twice ? "-" : "",
             twice ? m->kind : "");
    for (char *c = m->name; *c; c++)
      if (*c == '"' || *c == '\\') *c = '_'; /* stands between quotes */
  }
}

static bool sees(const DlsLmgc90Sight *s, int side, const Material *m) {
  return *s->kind[side] && strstr(m->kind, s->kind[side]) &&
         strcmp(s->colour[side], m->colour) == 0;
}

/* The last row of the table that lets two materials meet, as later laws win in a deck; -1. */
static int sight_of(const DlsLmgc90 *scene, const Material *a, const Material *b) {
  for (int k = scene->sights - 1; k >= 0; k--) {
    const DlsLmgc90Sight *s = &scene->sight[k];
    if ((sees(s, 0, a) && sees(s, 1, b)) || (sees(s, 0, b) && sees(s, 1, a))) return k;
  }
  return -1;
}

static const DlsLmgc90Law *law_of(const DlsLmgc90 *scene, const char *name) {
  for (int k = scene->laws - 1; k >= 0; k--)
    if (strcmp(scene->law[k].name, name) == 0) return &scene->law[k];
  return NULL;
}

static bool can_meet(const Material *a, const Material *b) {
  return (a != b || a->bodies > 1) && (a->free_bodies > 0 || b->free_bodies > 0);
}

static void write_pair(Writer *w, const Material *a, const Material *b, const char *law,
                       const char *parameters) {
  fprintf(w->out, "  - {between: [\"%s\", \"%s\"], law: %s, parameters: {%s}}\n", a->name, b->name,
          law, parameters);
}

/* A law for each pair that can meet and is in the table of sights; the others do not see each
 * other: that stands first. */
static DlsStatus write_laws(Writer *w) {
  DlsLmgc90 *scene = w->scene;
  fputs("\nlaws:\n  - {law: none} # of pairs that are not in the table of sights\n", w->out);
  for (int i = 0; i < w->materials; i++)
    for (int j = i; j < w->materials; j++) {
      const Material *a = &w->material[i], *b = &w->material[j];
      const int k = sight_of(scene, a, b);
      if (!can_meet(a, b)) continue;
      if (k < 0) { /* nothing at all in the table is a file that is not whole */
        DLS_TRY(dls_import_note(&scene->notes, scene->sights == 0, scene->bodies_dat, a->line,
                                "%s %s and %s %s have no row in the table of sights: they pass "
                                "through each other, as in LMGC90",
                                a->kind, a->colour, b->kind, b->colour));
        continue;
      }
      const DlsLmgc90Sight *s = &scene->sight[k];
      const DlsLmgc90Law *law = law_of(scene, s->law);
      DlsLmgc90Mapping mapping;
      bool known;
      DLS_CHECK(law, DLS_ERR_FORMAT, "%s:%d: there is no law '%s'; add it behind $behav",
                scene->tact_dat, s->line, s->law);
      DLS_TRY(dls_lmgc90_map(scene, law, &known, &mapping));
      w->alert = fmax(w->alert, s->alert);
      if (!known) { /* lost: a partial deck lets them meet without friction */
        write_pair(w, a, b, "coulomb", "mu: 0");
        continue;
      }
      w->moreau |= mapping.moreau;
      w->signed_gap |= mapping.signed_gap;
      write_pair(w, a, b, mapping.law, mapping.parameters);
    }
  return DLS_OK;
}

static DlsStatus tell_unused_laws(const Writer *w) {
  DlsLmgc90 *scene = w->scene;
  for (int k = 0; k < scene->laws; k++) {
    bool used = false;
    for (int s = 0; s < scene->sights; s++)
      used |= strcmp(scene->sight[s].law, scene->law[k].name) == 0;
    if (!used)
      DLS_TRY(dls_import_note(&scene->notes, false, scene->tact_dat, scene->law[k].line,
                              "the law %s (%s) is in no row of the table of sights: not used",
                              scene->law[k].name, scene->law[k].law));
  }
  return DLS_OK;
}

static DlsStatus write_bodies(Writer *w) {
  DlsLmgc90 *scene = w->scene;
  for (int pass = 0; pass < 2; pass++) { /* bodies, then boundaries */
    bool any = false;
    for (int b = 0; b < scene->bodies; b++) {
      if (w->of[b] < 0 || dls_lmgc90_is_boundary(&scene->body[b]) != (pass == 1)) continue;
      if (!any) fputs(pass ? "\nboundaries:\n" : "\nbodies:\n", w->out);
      any = true;
      const Material *m = &w->material[w->of[b]];
      DLS_TRY(dls_lmgc90_write_body(scene, b, m->name, m->density, w->out));
    }
    if (pass == 0 && !any && scene->meshes) fputs("\nbodies:\n", w->out);
    for (int k = 0; k < scene->meshes && pass == 0; k++)
      DLS_TRY(dls_lmgc90_write_mesh(scene, k, w->material[w->of[scene->bodies + k]].name, w->out));
  }
  return DLS_OK;
}

static DlsStatus write_head(Writer *w, double step, double end) {
  DlsLmgc90 *scene = w->scene;
  FILE *out = w->out;
  const int dim = scene->bodies ? scene->body[0].dim : scene->meshes ? scene->mesh[0].dim : 3;
  if (w->moreau && scene->laws > 1)
    DLS_TRY(dls_import_note(&scene->notes, false, scene->tact_dat, 0,
                            "a law of velocities (VEL, RST) is used: the scheme is moreau, for all "
                            "laws"));
  fprintf(out, "dimension: %d\ntime: {step: ", dim);
  dls_lmgc90_put(out, step);
  fputs(", end: ", out);
  dls_lmgc90_put(out, end);
  fprintf(out, ", scheme: %s, alert: ", w->moreau ? "moreau" : "euler");
  dls_lmgc90_put(out, w->alert);
  if (w->moreau && scene->theta >= 0 && scene->theta <= 1) {
    fputs(", theta: ", out);
    dls_lmgc90_put(out, scene->theta);
  }
  if (w->signed_gap && !w->moreau) fputs(", signed_gap: true", out);
  fputs("}\ngravity: [", out);
  for (int k = 0; k < dim; k++) {
    if (k) fputs(", ", out);
    dls_lmgc90_put(out, scene->gravity[k]);
  }
  fputs("]\nsolver: {name: auto, tolerance: 1e-4, max_iterations: 100000}\noutput: {every: ", out);
  dls_lmgc90_put(out, end / 20);
  fputs("}\n\nmaterials:\n", out);
  for (int k = 0; k < w->materials; k++) {
    fprintf(out, "  \"%s\": {density: ", w->material[k].name);
    dls_lmgc90_put(out, w->material[k].density);
    fputs("}\n", out);
  }
  return DLS_OK;
}

/* Laws and bodies are written aside first: they decide scheme and alert, and find what is lost. */
static DlsStatus write_all(Writer *w, double step, double end, char **text) {
  DlsLmgc90 *scene = w->scene;
  char *below = NULL;
  size_t bytes = 0;
  w->of = malloc(((size_t)scene->bodies + (size_t)scene->meshes + 1) * sizeof *w->of);
  DLS_CHECK(w->of, DLS_ERR_MEMORY, "out of memory: %d bodies", scene->bodies);
  for (int b = 0; b < scene->bodies; b++) DLS_TRY(find_material(w, b));
  for (int k = 0; k < scene->meshes; k++) DLS_TRY(find_mesh_material(w, k));
  name_materials(w);
  w->out = open_memstream(&below, &bytes);
  DLS_CHECK(w->out, DLS_ERR_MEMORY, "out of memory for the deck");
  DlsStatus status = write_laws(w);
  if (status == DLS_OK) status = tell_unused_laws(w);
  if (status == DLS_OK) status = write_bodies(w);
  const bool whole = fclose(w->out) == 0;
  if (status == DLS_OK && !whole) status = dls_fail(DLS_ERR_MEMORY, "out of memory for the deck");
  if (status == DLS_OK) {
    w->out = open_memstream(text, &bytes);
    if (!w->out) status = dls_fail(DLS_ERR_MEMORY, "out of memory for the deck");
  }
  if (status == DLS_OK) {
    fprintf(w->out, "# Made by `delassus import lmgc90` of %d bodies.\n",
            scene->bodies + scene->meshes);
    status = write_head(w, step, end);
    for (int k = 0; k < scene->notes.count; k++)
      if (scene->notes.note[k].lost) fprintf(w->out, "# LOST %s\n", scene->notes.note[k].text);
    fputs(below, w->out);
    if (fclose(w->out) != 0 && status == DLS_OK)
      status = dls_fail(DLS_ERR_MEMORY, "out of memory for the deck");
  }
  free(below);
  return status;
}

/* What is lost makes another scene: refused, unless a partial deck is wanted. */
static DlsStatus check_lost(const DlsLmgc90 *scene, bool partial) {
  const char *first = "";
  if (scene->notes.lost == 0 || partial) return DLS_OK;
  for (int k = scene->notes.count - 1; k >= 0; k--)
    if (scene->notes.note[k].lost) first = scene->notes.note[k].text;
  return dls_fail(DLS_ERR_FORMAT, "%s; %d such in all; a partial deck leaves them out", first,
                  scene->notes.lost);
}

DlsStatus dls_lmgc90_deck(DlsLmgc90 *scene, double step, double end, bool partial, char **text) {
  Writer writer = {.scene = scene};
  *text = NULL;
  DLS_TRY(check_lost(scene, partial));
  if (!(step > 0)) step = scene->step;
  if (!(end > 0)) end = scene->end;
  DLS_CHECK(scene->bodies + scene->meshes > 0, DLS_ERR_FORMAT, "%s: there is no body",
            scene->bodies_dat);
  DLS_CHECK(step > 0, DLS_ERR_ARGUMENT,
            "no time step in %s (TIME STEP of COMMAND.DAT, dt of command.py); give the step",
            scene->folder);
  DLS_CHECK(
      end > 0, DLS_ERR_ARGUMENT,
      "no number of steps in %s (REPETE of COMMAND.DAT, nb_steps of command.py); give the end",
      scene->folder);
  DlsStatus status = write_all(&writer, step, end, text);
  free(writer.material);
  free(writer.of);
  if (status == DLS_OK) status = check_lost(scene, partial);
  if (status != DLS_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}
