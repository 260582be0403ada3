#include "run/certificate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <delassus/version.h>

#include "base/file.h"
#include "base/json.h"

static void put_changes(DlsJson *json, const char *changes) {
  if (!*changes) return;
  dls_json_open(json, "changes", '[');
  while (*changes) {
    char line[1024];
    const size_t length = strcspn(changes, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, changes);
    dls_json_text(json, NULL, line);
    changes += length + (changes[length] == '\n');
  }
  dls_json_close(json, ']');
}

DlsStatus dls_certificate_write(const DlsScene *scene, const char *deck, const char *changes,
                                bool finished, const char *impossible, double wall_clock,
                                const char *folder) {
  const DlsSimulation *s = scene->simulation;
  char path[2200];
  DlsFile *file = NULL;
  snprintf(path, sizeof path, "%s/summary.json", folder);
  DLS_TRY(dls_file_begin(path, &file));
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  if (!stream) {
    dls_file_abandon(&file);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for the summary");
  }
  DlsJson json = {.file = stream};
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, "title", scene->data.title);
  dls_json_text(&json, "version", DLS_VERSION);
  dls_json_text(&json, "deck", deck);
  put_changes(&json, changes);
  dls_json_text(&json, "scheme", s->settings.scheme->name);
  dls_json_text(&json, "solver", s->settings.solver->name);
  dls_json_bool(&json, "finished", finished);
  dls_json_integer(&json, "steps", s->state.step);
  dls_json_real(&json, "time", s->state.time);
  dls_json_integer(&json, "bodies", dls_scene_bodies(scene));
  dls_json_integer(&json, "steps_not_converged", s->state.unconverged);
  dls_json_integer(&json, "steps_without_solution", s->state.squeezed + (impossible[0] != 0));
  if (impossible[0]) dls_json_text(&json, "no_solution", impossible);
  dls_json_real(&json, "worst_error", s->state.worst_error);
  dls_json_real(&json, "worst_penetration", s->state.worst_penetration);
  dls_json_open(&json, "energy", '{');
  dls_json_real(&json, "kinetic", s->state.ledger.kinetic);
  dls_json_real(&json, "potential", s->state.ledger.potential);
  dls_json_real(&json, "stored", s->state.ledger.stored);
  dls_json_real(&json, "dissipated", s->state.ledger.dissipated);
  dls_json_real(&json, "boundary_work", s->state.ledger.boundary);
  dls_json_real(&json, "scheme_loss", s->state.ledger.scheme);
  dls_json_real(&json, "balance", s->state.ledger.balance);
  if (s->settings.correction != DLS_CORRECTION_NONE)
    dls_json_real(&json, "corrected", s->state.ledger.corrected);
  if (s->world->deformable.count) {
    dls_json_real(&json, "strain", s->state.ledger.strain);
    dls_json_real(&json, "lost_within", s->state.ledger.within);
    dls_json_real(&json, "lost_plastic", s->state.ledger.plastic);
    dls_json_real(&json, "lost_viscous", s->state.ledger.viscous);
  }
  dls_json_close(&json, '}');
  dls_json_real(&json, "wall_clock_s", wall_clock);
  dls_json_close(&json, '}');
  fclose(stream);
  dls_file_put(file, text, bytes);
  free(text);
  return dls_file_commit(&file);
}

char *dls_certificate_deck(const char *path) {
  static const char key[] = "\"deck\": \"";
  char text[8192];
  FILE *file;
  if (dls_file_open(path, &file) != DLS_OK) return NULL;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char *from = strstr(text, key), *to = text;
  if (!from) return NULL;
  for (from += sizeof key - 1; *from && *from != '"'; from++) {
    if (*from == '\\' && (from[1] == '"' || from[1] == '\\')) from++;
    *to++ = *from;
  }
  return *from ? strndup(text, (size_t)(to - text)) : NULL;
}
