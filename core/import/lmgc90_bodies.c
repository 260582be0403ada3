/* BODIES.DAT: records `$bdyty` with bulk (`$blmty`), node (`$nodty`) and contactors (`$tacty`),
 * ended by `$$$$$$`. Bodies count in the order of the file, whatever number they give. */
#include <stdlib.h>

#include "import/lmgc90_impl.h"

typedef enum { NOWHERE, BULK, NODE, CONTACTORS } Section;

/* The contactors there are, with the keys of their sizes. */
static const struct {
  const char *name, *taken_as;
  int dim;
  const char *key[3];
} kinds[] = {
    {"DISKx", "DISKx", 2, {"byrd"}},
    {"DISKb", "DISKx", 2, {"byrd"}},
    {"xKSID", "xKSID", 2, {"byrd"}},
    {"JONCx", "JONCx", 2, {"axe1", "axe2"}},
    {"POLYG", "POLYG", 2, {NULL}},
    {"SPHER", "SPHER", 3, {"byrd"}},
    {"SPHEb", "SPHER", 3, {"byrd"}},
    {"PLANx", "PLANx", 3, {"axe1", "axe2", "axe3"}},
    {"PLANb", "PLANx", 3, {"axe1", "axe2", "axe3"}},
    {"CYLND", "CYLND", 3, {"High", "byrd"}},
    {"CYLNb", "CYLND", 3, {"High", "byrd"}},
    {"DNLYC", "DNLYC", 3, {"High", "byrd"}},
    {"POLYR", "POLYR", 3, {NULL}},
};

static bool has_vertices(const DlsLmgc90Contactor *c) {
  return strcmp(c->kind, "POLYR") == 0 || strcmp(c->kind, "POLYG") == 0;
}

/* nb_vertex, nb_face: a count of things that follow. */
static DlsStatus read_count(const DlsImportText *t, const char *line, const char *key, int *out) {
  double value = 0;
  DLS_TRY(dls_import_number(t, line, key, true, &value));
  if (!(value >= 1 && value <= 100000 && value == (int)value))
    return dls_import_text_fail(t, "%s= %g is no count from 1 to 100000", key, value);
  *out = (int)value;
  return DLS_OK;
}

static DlsStatus finish_contactor(const DlsImportText *t, const DlsLmgc90Body *body) {
  if (!body || body->contactors == 0) return DLS_OK;
  const DlsLmgc90Contactor *c = &body->contactor[body->contactors - 1];
  if (!has_vertices(c)) return DLS_OK;
  if (c->vertices != c->vertices_told)
    return dls_import_text_fail(t, "the %s of line %d has %d vertices, but says nb_vertex= %d",
                                c->kind, c->line, c->vertices, c->vertices_told);
  if (c->faces != c->faces_told)
    return dls_import_text_fail(t, "the %s of line %d has %d faces, but says nb_face= %d", c->kind,
                                c->line, c->faces, c->faces_told);
  return DLS_OK;
}

/* " POLYR      1  color  BLEUx  nb_vertex=    8      nb_face=   12" */
static DlsStatus begin_contactor(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body *body,
                                 const char *line, const char *name) {
  int k = 0;
  char word[DLS_IMPORT_WORD];
  while (k < DLS_COUNT(kinds) && strcmp(kinds[k].name, name) != 0) k++;
  if (k == DLS_COUNT(kinds) || kinds[k].dim != body->dim)
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "contactor %s of a RBDY%d is not known and left out; known are DISKx, "
                           "xKSID, JONCx, POLYG (2-D), SPHER, PLANx, CYLND, DNLYC, POLYR (3-D)",
                           name, body->dim);
  DLS_TRY(dls_lmgc90_grow(&body->contactor, body->contactors, &body->contactor_room,
                          sizeof *body->contactor));
  DlsLmgc90Contactor *c = &body->contactor[body->contactors++];
  *c = (DlsLmgc90Contactor){.line = t->at};
  snprintf(c->kind, sizeof c->kind, "%s", kinds[k].taken_as);
  if (strcmp(dls_import_word(line, 2, word), "color") != 0)
    return dls_import_text_fail(t, "`color` and its name are missing behind %s", name);
  dls_lmgc90_name(line, 3, c->colour);
  for (int i = 0; i < 3 && kinds[k].key[i]; i++) {
    DLS_TRY(dls_import_number(t, line, kinds[k].key[i], true, &c->size[i]));
    if (!(c->size[i] > 0))
      return dls_import_text_fail(t, "%s= %g; a size is above 0", kinds[k].key[i], c->size[i]);
  }
  if (has_vertices(c)) DLS_TRY(read_count(t, line, "nb_vertex", &c->vertices_told));
  if (strcmp(c->kind, "POLYR") == 0) DLS_TRY(read_count(t, line, "nb_face", &c->faces_told));
  return DLS_OK;
}

static DlsStatus add_face(const DlsImportText *t, const char *line, DlsLmgc90Contactor *c) {
  static const char *const key[] = {"ver1", "ver2", "ver3"};
  if (c->faces >= c->faces_told)
    return dls_import_text_fail(t, "a face more than nb_face= %d of line %d says", c->faces_told,
                                c->line);
  DLS_TRY(dls_lmgc90_grow(&c->face, c->faces, &c->face_room, sizeof *c->face));
  for (int i = 0; i < 3; i++) {
    double value = 0;
    DLS_TRY(dls_import_number(t, line, key[i], true, &value));
    if (!(value >= 1 && value <= c->vertices && value == (int)value))
      return dls_import_text_fail(t, "%s= %g is no vertex; there are %d before this line", key[i],
                                  value, c->vertices);
    c->face[c->faces][i] = (int)value;
  }
  c->faces++;
  return DLS_OK;
}

/* Lines below the first of a contactor: vertices and faces, or shift and frame. */
static DlsStatus continue_contactor(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body *body,
                                    const char *line) {
  static const char *const coo[] = {"coo1", "coo2", "coo3"};
  static const char *const axes[] = {"alp1", "alp2", "alp3", "bet1", "bet2",
                                     "bet3", "gam1", "gam2", "gam3"};
  if (body->contactors == 0) return DLS_OK; /* of one that was left out */
  DlsLmgc90Contactor *c = &body->contactor[body->contactors - 1];
  if (dls_import_field(line, "ver1")) return add_face(t, line, c);
  if (dls_import_begins(line, "localframe")) return DLS_OK;
  if (dls_import_field(line, "coo1")) {
    double *to = c->shift;
    if (has_vertices(c)) {
      if (c->vertices >= c->vertices_told)
        return dls_import_text_fail(t, "a vertex more than nb_vertex= %d of line %d says",
                                    c->vertices_told, c->line);
      DLS_TRY(dls_lmgc90_grow(&c->vertex, c->vertices, &c->vertex_room, sizeof *c->vertex));
      to = c->vertex[c->vertices++];
    }
    for (int i = 0; i < body->dim; i++) DLS_TRY(dls_import_number(t, line, coo[i], true, &to[i]));
    return DLS_OK;
  }
  for (int i = 0; i < 9; i++)
    if (dls_import_field(line, axes[i])) {
      c->framed = true;
      DLS_TRY(dls_import_number(t, line, axes[i], true, &c->frame[i]));
    }
  if (dls_import_field(line, "alp1") || dls_import_field(line, "bet1") ||
      dls_import_field(line, "gam1"))
    return DLS_OK;
  return dls_import_note(&scene->notes, true, t->path, t->at,
                         "this line of a contactor is not understood and left out");
}

static DlsStatus read_bulk_line(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body *body,
                                const char *line, const char *name) {
  static const char *const inertia[] = {"I1", "I2", "I3"};
  char word[DLS_IMPORT_WORD];
  if (strcmp(name, "PLAIN") == 0) {
    if (strcmp(dls_import_word(line, 2, word), "behav") != 0)
      return dls_import_text_fail(t, "`behav` and the name of a material are missing behind PLAIN");
    dls_lmgc90_name(line, 3, body->bulk);
  } else if (!strchr(line, '=')) {
    return dls_import_note(&scene->notes, true, t->path, t->at, "bulk %s is not known; PLAIN is",
                           name);
  }
  DLS_TRY(dls_import_number(t, line, "avrd", false, &body->avrd));
  DLS_TRY(dls_import_number(t, line, "gyrd", false, &body->gyrd));
  for (int i = 0; i < 3; i++)
    DLS_TRY(dls_import_number(t, line, inertia[i], false, &body->inertia[i]));
  if (body->avrd < 0 || body->gyrd < 0)
    return dls_import_text_fail(t, "avrd and gyrd are radii: 0 (computed) or above");
  return DLS_OK;
}

static DlsStatus read_node_line(const DlsImportText *t, DlsLmgc90Body *body, const char *line) {
  static const char *const coo[] = {"coo1", "coo2", "coo3", "coo4", "coo5", "coo6"};
  for (int i = 0; i < 6; i++)
    DLS_TRY(dls_import_number(t, line, coo[i], false, &body->coordinate[i]));
  return DLS_OK;
}

/* The line behind `$bdyty`. Both are NULL where the type is none of ours. */
static DlsStatus begin_body(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body **body,
                            DlsLmgc90Mesh **mesh) {
  const char *line = dls_import_text_next(t);
  char type[DLS_IMPORT_WORD];
  *body = NULL;
  *mesh = NULL;
  if (!line)
    return dls_import_text_fail(t, "the file ends behind $bdyty; a type such as RBDY3 is "
                                   "missing");
  const int dim = dls_lmgc90_dim(dls_import_word(line, 0, type));
  if (dls_lmgc90_is_mesh(type)) return dls_lmgc90_begin_mesh(scene, t, mesh);
  if (!dim)
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "a body of type %s is left out; RBDY2, RBDY3 and MAILx are taken", type);
  if (scene->bodies && scene->body[0].dim != dim)
    return dls_import_text_fail(t, "RBDY2 and RBDY3 in one folder; a deck is of 2-D or of 3-D");
  DLS_TRY(dls_lmgc90_grow(&scene->body, scene->bodies, &scene->body_room, sizeof *scene->body));
  *body = &scene->body[scene->bodies++];
  **body = (DlsLmgc90Body){.dim = dim, .line = t->at};
  return DLS_OK;
}

static DlsStatus read_line(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body *body, Section section,
                           const char *line) {
  char name[DLS_IMPORT_WORD];
  dls_import_word(line, 0, name);
  if (!body || section == NOWHERE) return DLS_OK;
  if (section == BULK) return read_bulk_line(scene, t, body, line, name);
  if (section == NODE) return read_node_line(t, body, line);
  const bool continues = strchr(name, '=') || strcmp(name, "localframe") == 0 ||
                         dls_import_field(line, name); /* `coo1 = 0.1` */
  if (continues) return continue_contactor(scene, t, body, line);
  DLS_TRY(finish_contactor(t, body));
  return begin_contactor(scene, t, body, line, name);
}

static DlsStatus read_mesh_line(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh,
                                Section section, const char *line) {
  char name[DLS_IMPORT_WORD];
  dls_import_word(line, 0, name);
  if (section == BULK) return dls_lmgc90_mesh_cell(scene, t, mesh, line, name);
  if (section == NODE) return dls_lmgc90_mesh_node(t, mesh, line, name);
  if (section == CONTACTORS) return dls_lmgc90_mesh_contactor(scene, t, mesh, line, name);
  return DLS_OK;
}

static DlsStatus read_all(DlsLmgc90 *scene, DlsImportText *t) {
  DlsLmgc90Body *body = NULL;
  DlsLmgc90Mesh *mesh = NULL;
  Section section = NOWHERE;
  for (const char *line; (line = dls_import_text_next(t));) {
    const char *first = line + strspn(line, " \t");
    if (*first != '$') {
      DLS_TRY(mesh ? read_mesh_line(scene, t, mesh, section, line)
                   : read_line(scene, t, body, section, line));
      continue;
    }
    DLS_TRY(finish_contactor(t, body));
    section = dls_import_begins(first, "$blmty")   ? BULK
              : dls_import_begins(first, "$nodty") ? NODE
              : dls_import_begins(first, "$tacty") ? CONTACTORS
                                                   : NOWHERE;
    if (dls_import_begins(first, "$bdyty"))
      DLS_TRY(begin_body(scene, t, &body, &mesh));
    else if (dls_import_begins(first, "$$"))
      body = NULL, mesh = NULL;
    else if (section == NOWHERE)
      return dls_import_text_fail(t,
                                  "%.20s is no keyword here; known are $bdyty, $blmty, $nodty, "
                                  "$tacty and $$$$$$",
                                  first);
  }
  return finish_contactor(t, body);
}

DlsStatus dls_lmgc90_read_bodies(DlsLmgc90 *scene) {
  DlsImportText text;
  DLS_TRY(dls_import_text_read(scene->bodies_dat, '!', &text));
  DlsStatus status = read_all(scene, &text);
  if (status == DLS_OK) status = dls_lmgc90_check_meshes(scene);
  if (status == DLS_OK && scene->bodies + scene->meshes == 0 && scene->notes.lost == 0)
    status = dls_fail(DLS_ERR_FORMAT, "%s: there is no body; records begin with $bdyty",
                      scene->bodies_dat);
  dls_import_text_clear(&text);
  return status;
}
