/* DRV_DOF.DAT (velocities and forces that are prescribed), DOF.INI (where bodies are and how fast)
 * and the time step of COMMAND.DAT or command.py. */
#include <ctype.h>
#include <stdlib.h>

#include "import/lmgc90_impl.h"

/* Behind `$bdyty`: the body of " RBDY3    23" or " MAILx     1". Both are NULL where its type is
 * not ours. */
static DlsStatus find_body(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body **body,
                           DlsLmgc90Mesh **mesh) {
  char type[DLS_IMPORT_WORD], number[DLS_IMPORT_WORD];
  const char *line = dls_import_text_next(t), *rest;
  double value;
  *body = NULL;
  *mesh = NULL;
  if (!line) return dls_import_text_fail(t, "the file ends behind $bdyty");
  const int dim = dls_lmgc90_dim(dls_import_word(line, 0, type));
  const bool meshed = dls_lmgc90_is_mesh(type);
  if (!dim && !meshed)
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "what is told of a body of type %s is left out", type);
  if (!dls_import_real(dls_import_word(line, 1, number), &value, &rest) || *rest)
    return dls_import_text_fail(t, "%s has no number of a body behind it", type);
  if (meshed && value >= 1 && value <= scene->meshes && value == (int)value)
    *mesh = &scene->mesh[(int)value - 1];
  if (!meshed) *body = dls_lmgc90_body(scene, dim, value);
  if (!*body && !*mesh)
    return dls_import_text_fail(t, "there is no body %s %g; BODIES.DAT has %d of them", type, value,
                                meshed ? scene->meshes : scene->bodies);
  return DLS_OK;
}

/* "force 3 evolution f.DAT": times and values, in the folder; linear between them. */
static DlsStatus read_evolution(const DlsLmgc90 *scene, const DlsImportText *t, const char *name,
                                DlsLmgc90Drive *drive) {
  char *path = dls_lmgc90_path(scene->folder, name);
  DLS_CHECK(path, DLS_ERR_MEMORY, "out of memory for a path");
  DlsImportText text = {0};
  DlsStatus status = strchr(name, '/') || !*name
                         ? dls_import_text_fail(t, "'%s' is no file of this folder", name)
                         : dls_import_text_read(path, '#', &text);
  int room = 0;
  for (const char *line; status == DLS_OK && (line = dls_import_text_next(&text));) {
    double row[2];
    const char *rest;
    if (!dls_import_real(line, &row[0], &rest) || !dls_import_real(rest, &row[1], &rest) ||
        (*rest && !isspace((unsigned char)*rest)))
      status = dls_import_text_fail(&text, "two numbers are wanted: a time in s and a value");
    else if (drive->rows && !(row[0] >= drive->table[drive->rows - 1][0]))
      status = dls_import_text_fail(&text, "the time %g s is before that of the row above", row[0]);
    else if (drive->rows == 2000)
      status = dls_import_text_fail(&text, "more than 2000 rows; thin them out");
    if (status == DLS_OK)
      status = dls_lmgc90_grow(&drive->table, drive->rows, &room, sizeof *drive->table);
    if (status == DLS_OK) memcpy(drive->table[drive->rows++], row, sizeof row);
  }
  if (status == DLS_OK && drive->rows == 0)
    status = dls_fail(DLS_ERR_FORMAT, "%s: no row; two numbers a line are wanted", path);
  if (status != DLS_OK) dls_fail_context(status, "%s:%d", t->path, t->at);
  dls_import_text_clear(&text);
  free(path);
  return status;
}

/* A line behind `$dofty`, of `components` velocities; what is there to be taken is in *out, whose
 * component is else 0. */
static DlsStatus read_drive(DlsLmgc90 *scene, DlsImportText *t, int components, const char *line,
                            DlsLmgc90Drive *drive) {
  char word[DLS_IMPORT_WORD];
  const char *rest;
  const bool force = strcmp(dls_import_word(line, 0, word), "force") == 0;
  double component = 0;
  if (!force && strcmp(word, "vlocy") != 0)
    return dls_import_note(&scene->notes, true, t->path, t->at,
                           "'%s' is not taken; vlocy and force are", word);
  if (!dls_import_real(dls_import_word(line, 1, word), &component, &rest) || *rest ||
      !(component >= 1 && component <= components) || component != (int)component)
    return dls_import_text_fail(t, "'%s' is no component; give 1 to %d", word, components);
  *drive = (DlsLmgc90Drive){.component = (int)component, .force = force, .line = t->at};
  if (strcmp(dls_import_word(line, 2, word), "evolution") == 0)
    return read_evolution(scene, t, dls_import_word(line, 3, word), drive);
  for (int k = 0; k < 6; k++)
    if (!dls_import_real(dls_import_word(line, 2 + k, word), &drive->number[k], &rest) || *rest)
      return dls_import_text_fail(t, "six numbers are wanted (CT AMP OMEGA PHI RAMPI RAMP), or "
                                     "`evolution` and a file");
  return DLS_OK;
}

static DlsStatus drive_body(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Body *body,
                            const char *line) {
  DLS_TRY(dls_lmgc90_grow(&body->drive, body->drives, &body->drive_room, sizeof *body->drive));
  DlsLmgc90Drive *drive = &body->drive[body->drives++];
  *drive = (DlsLmgc90Drive){0};
  const DlsStatus status = read_drive(scene, t, body->dim == 2 ? 3 : 6, line, drive);
  if (status == DLS_OK && drive->component == 0) body->drives--;
  return status;
}

static DlsStatus drive_node(DlsLmgc90 *scene, DlsImportText *t, DlsLmgc90Mesh *mesh, int node,
                            const char *line) {
  if (node < 1)
    return dls_import_text_fail(t, "`$nodty` and a node are missing before what drives it");
  DLS_TRY(dls_lmgc90_grow(&mesh->drive, mesh->drives, &mesh->drive_room, sizeof *mesh->drive));
  DlsLmgc90NodeDrive *drive = &mesh->drive[mesh->drives++];
  *drive = (DlsLmgc90NodeDrive){.node = node};
  const DlsStatus status = read_drive(scene, t, mesh->dim, line, &drive->of);
  if (status != DLS_OK || (drive->of.component && !drive->of.force)) return status;
  mesh->drives--;
  free(drive->of.table);
  drive->of.table = NULL;
  return drive->of.component
             ? dls_import_note(&scene->notes, true, t->path, t->at,
                               "a force on a node of a MAILx is left out; loads of a deck are on "
                               "sides")
             : DLS_OK;
}

/* The node of " NO3xx 12" of a MAILx. */
static DlsStatus find_node(const DlsImportText *t, const DlsLmgc90Mesh *mesh, const char *line,
                           int *node) {
  char word[DLS_IMPORT_WORD];
  const char *rest;
  double value;
  if (!dls_import_real(dls_import_word(line, 1, word), &value, &rest) || *rest ||
      !(value >= 1 && value <= mesh->nodes) || value != (int)value)
    return dls_import_text_fail(t, "'%s' is no node; the body has %d", word, mesh->nodes);
  *node = (int)value;
  return DLS_OK;
}

static DlsStatus read_drives(DlsLmgc90 *scene, DlsImportText *t) {
  DlsLmgc90Body *body = NULL;
  DlsLmgc90Mesh *mesh = NULL;
  enum { NOWHERE, NODE, DRIVES } section = NOWHERE;
  int node = 0;
  for (const char *line; (line = dls_import_text_next(t));) {
    if (dls_import_begins(line, "$")) {
      section = dls_import_begins(line, "$dofty")   ? DRIVES
                : dls_import_begins(line, "$nodty") ? NODE
                                                    : NOWHERE;
      if (dls_import_begins(line, "$bdyty")) {
        DLS_TRY(find_body(scene, t, &body, &mesh));
        node = 0;
      }
    } else if (section == NODE && mesh) {
      DLS_TRY(find_node(t, mesh, line, &node));
    } else if (section == DRIVES && mesh) {
      DLS_TRY(drive_node(scene, t, mesh, node, line));
    } else if (section == DRIVES && body) {
      DLS_TRY(drive_body(scene, t, body, line));
    }
  }
  return DLS_OK;
}

/* Of a MAILx: what its nodes have at the start has no place in a deck. */
static DlsStatus tell_moved(DlsLmgc90 *scene, const DlsImportText *t, const char *line) {
  static const char *const key[] = {"X(1)", "X(2)", "X(3)", "V(1)", "V(2)", "V(3)"};
  double most = 0;
  for (int k = 0; k < DLS_COUNT(key); k++) {
    double value = 0;
    DLS_TRY(dls_import_number(t, line, key[k], false, &value));
    if (value != 0) most = value;
  }
  return most == 0 ? DLS_OK
                   : dls_import_note(&scene->notes, true, t->path, t->at,
                                     "a node of a MAILx that is displaced or moves at the start: "
                                     "the deck begins at rest");
}

static DlsStatus read_places(DlsLmgc90 *scene, DlsImportText *t) {
  DlsLmgc90Body *body = NULL;
  DlsLmgc90Mesh *mesh = NULL;
  for (const char *line; (line = dls_import_text_next(t));) {
    if (dls_import_begins(line, "$bdyty")) DLS_TRY(find_body(scene, t, &body, &mesh));
    if (dls_import_begins(line, "$$")) body = NULL, mesh = NULL;
    if (mesh && !dls_import_begins(line, "$")) DLS_TRY(tell_moved(scene, t, line));
    if (!body || dls_import_begins(line, "$")) continue;
    body->moved = true;
    for (int k = 0; k < 6; k++) {
      char x[8], v[8];
      snprintf(x, sizeof x, "X(%d)", k + 1);
      snprintf(v, sizeof v, "V(%d)", k + 1);
      DLS_TRY(dls_import_number(t, line, x, false, &body->displacement[k]));
      DLS_TRY(dls_import_number(t, line, v, false, &body->velocity[k]));
    }
    for (int k = 0; k < 9; k++) {
      char a[8];
      snprintf(a, sizeof a, "%c(%d)", "abc"[k / 3], k % 3 + 1);
      body->framed |= dls_import_field(line, a) != NULL;
      DLS_TRY(dls_import_number(t, line, a, false, &body->frame[k]));
    }
  }
  return DLS_OK;
}

static DlsStatus read_file(DlsLmgc90 *scene, const char *path, char comment,
                           DlsStatus (*read)(DlsLmgc90 *, DlsImportText *)) {
  DlsImportText text;
  if (!dls_lmgc90_is_there(path)) return DLS_OK;
  DLS_TRY(dls_import_text_read(path, comment, &text));
  const DlsStatus status = read(scene, &text);
  dls_import_text_clear(&text);
  return status;
}

DlsStatus dls_lmgc90_read_drive(DlsLmgc90 *scene) {
  return read_file(scene, scene->drive_dat, '!', read_drives);
}

DlsStatus dls_lmgc90_read_dof(DlsLmgc90 *scene) {
  return read_file(scene, scene->dof_ini, '!', read_places);
}

/* COMMAND.DAT: a command a line, its number on the next. The loop of steps is the one that holds
 * INCREMENT STEP; REPETE n FOIS makes n + 1 of them. */
static DlsStatus read_command(DlsLmgc90 *scene, DlsImportText *t) {
  bool stepping = false;
  double value;
  const char *rest;
  char word[DLS_IMPORT_WORD];
  for (const char *line; (line = dls_import_text_next(t));) {
    const bool step = dls_import_begins(line, "TIME STEP");
    if (step || dls_import_begins(line, "THETA")) {
      const char *number = dls_import_text_next(t);
      if (!number || !dls_import_real(number, &value, &rest) || !(value > 0 || !step))
        return dls_import_text_fail(t, "a number is wanted behind %s",
                                    step ? "TIME STEP: seconds above 0" : "THETA");
      *(step ? &scene->step : &scene->theta) = value;
    }
    stepping |= dls_import_begins(line, "INCREMENT STEP");
    if (stepping && dls_import_begins(line, "REPETE")) {
      if (dls_import_real(dls_import_word(line, 1, word), &value, &rest) && value >= 0)
        scene->end = (value + 1) * scene->step;
      return DLS_OK;
    }
  }
  return DLS_OK;
}

/* command.py: plain assignments `dt = 1e-3`, `theta = 0.5`, `nb_steps = 500`. */
static DlsStatus read_python(DlsLmgc90 *scene, DlsImportText *t) {
  double steps = 0, value;
  char name[DLS_IMPORT_WORD];
  for (const char *line; (line = dls_import_text_next(t));) {
    const char *sign = strchr(line, '='), *rest;
    if (!sign || !dls_import_real(sign + 1, &value, &rest)) continue;
    rest += strspn(rest, " \t");
    if (*rest && *rest != '#') continue; /* an expression: not read */
    dls_import_word(line, 0, name);
    name[strcspn(name, "=")] = '\0';
    if (strcmp(name, "dt") == 0 && value > 0) scene->step = value;
    if (strcmp(name, "theta") == 0) scene->theta = value;
    if ((strcmp(name, "nb_steps") == 0 || strcmp(name, "nb_iter") == 0) && value > 0) steps = value;
  }
  scene->end = steps * scene->step;
  return DLS_OK;
}

DlsStatus dls_lmgc90_read_command(DlsLmgc90 *scene) {
  DlsStatus status = DLS_OK;
  for (int k = 0; k < 4 && status == DLS_OK && !(scene->step > 0); k++) {
    char *path =
        dls_lmgc90_path(k % 2 ? scene->above : scene->folder, k < 2 ? "COMMAND.DAT" : "command.py");
    DLS_CHECK(path, DLS_ERR_MEMORY, "out of memory for a path");
    status = read_file(scene, path, '#', k < 2 ? read_command : read_python);
    free(path);
  }
  return status;
}
