#include "record/restart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/small.h"

struct DlsRestart {
  char *path;
  DlsCheckpointLook look;
  DlsDeck *deck; /* of the checkpoint */
  DlsSceneData then;
  bool read; /* `then` is filled */
  bool stage;
  int count;
  DlsChange *change;
  DlsDeckDifferences differences; /* what the changes lend */
  int dropped;
  char *changes;
};

/* Keys that change nothing of what is computed, or only how far. */
static const char *const free_keys[] = {
    "title",       "time.end",    "output.every", "output.checkpoint", "output.compress",
    "output.post", "output.from", "output.to",    "output.precision",  "output.arrays",
    "output.csv",  "output.walls"};

/* Keys of bodies and springs that a restart may change all the same. */
static const char *const inner_keys[] = {"motion",  "fixed",       "until",      "stiffness",
                                         "damping", "rest_length", "rest_angle", "bending"};

static const char bodies_stay[] = "bodies come from the checkpoint, and the deck tells which they "
                                  "are; leave it as it was (or leave "
                                  "grains, bodies and chains out)";
static const char same_space[] = "bodies cannot change their dimension";
static const char same_cell[] = "the cell of the checkpoint stays, as far as it has deformed";
static const char same_rate[] =
    "what has been poured is counted by it; end this source with `until`, and add another";

/* A line for each file that the scene was built with: "boundaries.hopper.file 15892 bytes,
 * fingerprint 0123456789abcdef". The caller frees *out. */
static DlsStatus files_text(const DlsScene *scene, char **out) {
  size_t size;
  *out = NULL;
  FILE *text = open_memstream(out, &size);
  DLS_CHECK(text, DLS_ERR_MEMORY, "out of memory for the names of files");
  for (int k = 0; k < scene->files; k++)
    fprintf(text, "%s %zu bytes, fingerprint %016llx\n", scene->file[k].key, scene->file[k].bytes,
            (unsigned long long)scene->file[k].hash);
  const bool good = fclose(text) == 0;
  DLS_CHECK(good && *out, DLS_ERR_MEMORY, "out of memory for the names of files");
  return DLS_OK;
}

DlsStatus dls_restart_save(const DlsScene *scene, const char *changes, DlsCheckpointExtra *extra) {
  const size_t size = dls_scene_state_size(scene);
  const int boundaries = scene->data.boundaries.count;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  bool moved = false;
  char *text = NULL, *files = NULL, *bytes = malloc(size + 1);
  DLS_CHECK(bytes, DLS_ERR_MEMORY, "out of memory for the state of the scene");
  dls_scene_state_save(scene, bytes);
  for (int b = 0; b < boundaries; b++)
    moved |= !dls_small_same(3, scene->origin[b], items[b].position);
  DlsStatus status = dls_checkpoint_extra_put(extra, "scene", bytes, size);
  free(bytes);
  if (status == DLS_OK) status = dls_deck_text(dls_scene_section(), &scene->data, NULL, &text);
  if (status == DLS_OK) status = dls_checkpoint_extra_put(extra, "deck", text, strlen(text));
  free(text);
  if (status == DLS_OK)
    status = dls_checkpoint_extra_put(extra, "version", DLS_VERSION, sizeof DLS_VERSION - 1);
  if (status == DLS_OK && moved)
    status = dls_checkpoint_extra_put(extra, "origins", scene->origin,
                                      (size_t)boundaries * sizeof *scene->origin);
  if (status == DLS_OK) status = files_text(scene, &files);
  if (status == DLS_OK && *files)
    status = dls_checkpoint_extra_put(extra, "files", files, strlen(files));
  free(files);
  if (status == DLS_OK && scene->ready) status = dls_checkpoint_extra_put(extra, "ready", "1", 1);
  if (status == DLS_OK && changes && *changes)
    status = dls_checkpoint_extra_put(extra, "changes", changes, strlen(changes));
  return status;
}

/* A blob as text, freed by the caller; "" where there is none. */
static DlsStatus text_of(const DlsCheckpointExtra *extra, const char *name, char **out) {
  const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, name);
  const size_t size = blob ? blob->size : 0;
  DLS_NEW(*out, size + 1);
  if (size) memcpy(*out, blob->bytes, size);
  return DLS_OK;
}

static DlsStatus open_file(DlsRestart *r, const char *path) {
  r->path = strdup(path);
  DLS_CHECK(r->path, DLS_ERR_MEMORY, "out of memory for a path");
  DLS_TRY(dls_checkpoint_look(path, &r->look));
  DLS_TRY(text_of(&r->look.extra, "changes", &r->changes));
  const DlsCheckpointBlob *deck = dls_checkpoint_extra_find(&r->look.extra, "deck");
  DLS_CHECK(
      deck, DLS_ERR_UNSUPPORTED,
      "%s: holds no deck: it is of an older version, or not of `delassus run`; go on with the "
      "version that wrote it, or start the run anew",
      path);
  DLS_TRY(dls_restart_deck(r, &r->deck));
  DLS_TRY(dls_deck_read(r->deck, dls_scene_section(), &r->then));
  r->read = true;
  return DLS_OK;
}

DlsStatus dls_restart_open(const char *path, DlsRestart **out) {
  DlsRestart *restart;
  *out = NULL;
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "checkpoint: the path is empty");
  DLS_NEW(restart, 1);
  const DlsStatus status = open_file(restart, path);
  if (status == DLS_OK)
    *out = restart;
  else
    dls_restart_close(&restart);
  return status;
}

void dls_restart_close(DlsRestart **restart) {
  DlsRestart *r = *restart;
  if (!r) return;
  dls_checkpoint_look_clear(&r->look);
  if (r->read) dls_deck_release(dls_scene_section(), &r->then);
  dls_deck_destroy(&r->deck);
  dls_deck_differences_clear(&r->differences);
  free(r->change);
  free(r->changes);
  free(r->path);
  free(r);
  *restart = NULL;
}

double dls_restart_time(const DlsRestart *restart) { return restart->look.time; }
long dls_restart_step(const DlsRestart *restart) { return restart->look.step; }
bool dls_restart_has(const DlsRestart *restart, const char *name) {
  return dls_checkpoint_extra_find(&restart->look.extra, name) != NULL;
}
int dls_restart_count(const DlsRestart *restart) { return restart->count; }
const DlsChange *dls_restart_change(const DlsRestart *r, int k) { return &r->change[k]; }
int dls_restart_dropped(const DlsRestart *restart) { return restart->dropped; }
const char *dls_restart_changes(const DlsRestart *restart) { return restart->changes; }

DlsStatus dls_restart_deck(const DlsRestart *restart, DlsDeck **out) {
  const DlsCheckpointBlob *deck = dls_checkpoint_extra_find(&restart->look.extra, "deck");
  return dls_deck_parse(restart->path, deck->bytes, deck->size, out);
}

/* The key of which the assignment is the choice, with "={}" behind it: "" for none. */
static void chosen_by(const char *assignment, char *out, size_t bytes) {
  const int length = (int)strcspn(assignment, "=");
  char key[200];
  snprintf(key, sizeof key, "%.*s", length, assignment);
  const char *last = strrchr(key, '.');
  out[0] = '\0';
  if (strcmp(key, "solver.name") == 0)
    snprintf(out, bytes, "solver.options={}");
  else if (dls_deck_covers("laws", key) && last && strcmp(last, ".law") == 0)
    snprintf(out, bytes, "%.*s.parameters={}", (int)(last - key), key);
}

DlsStatus dls_restart_set(DlsDeck *deck, const char *const *assignments, int count) {
  for (int k = 0; k < count; k++) {
    char chosen[240];
    chosen_by(assignments[k], chosen, sizeof chosen);
    if (chosen[0]) DLS_TRY(dls_deck_set(deck, chosen));
  }
  for (int k = 0; k < count; k++) DLS_TRY(dls_deck_set(deck, assignments[k]));
  return DLS_OK;
}

DlsStatus dls_restart_lend(const DlsRestart *restart, DlsDeck *deck) {
  static const char *const keys[] = {"grains", "bodies", "chains"};
  for (int k = 0; k < DLS_COUNT(keys); k++) {
    const DlsDeckNode *node = dls_deck_find(dls_deck_root(restart->deck), keys[k]);
    if (node) DLS_TRY(dls_deck_adopt(deck, keys[k], node));
  }
  return DLS_OK;
}

static bool is_free(const char *key) {
  for (int k = 0; k < DLS_COUNT(free_keys); k++)
    if (dls_deck_covers(free_keys[k], key)) return true;
  return false;
}

/* Why a key cannot change; NULL where it can. */
static const char *obstacle(const char *key, bool stage) {
  static const char *const lists[] = {"grains", "bodies", "chains"};
  static const char *const cell_keys[] = {"cell.low", "cell.high", "cell.periodic"};
  static const char *const counted[] = {"rate", "mass_rate", "from"};
  const char *inner = strchr(key, ']');
  if (strcmp(key, "dimension") == 0) return same_space;
  if (strcmp(key, "cell") == 0) return same_cell;
  for (int k = 0; k < DLS_COUNT(cell_keys); k++)
    if (dls_deck_covers(cell_keys[k], key)) return same_cell;
  for (int k = 0; k < DLS_COUNT(lists); k++) {
    if (!dls_deck_covers(lists[k], key)) continue;
    for (int i = 0; inner && i < DLS_COUNT(inner_keys); i++)
      if (dls_deck_covers(inner_keys[i], inner)) return NULL;
    return bodies_stay;
  }
  for (int k = 0; k < DLS_COUNT(counted) && !stage; k++)
    if (dls_deck_covers("sources", key) && inner && inner[1] && dls_deck_covers(counted[k], inner))
      return same_rate;
  return NULL;
}

static bool is_asked(const char *key, const char *const *asked, int count) {
  for (int k = 0; k < count; k++)
    if (dls_deck_covers(asked[k], key)) return true;
  return false;
}

static DlsStatus check_asked(const DlsRestart *r, const DlsDeckNode *now, const char *const *asked,
                             int count) {
  enum { MOST = 64 };
  const char *names[MOST];
  int known = 0;
  for (int k = 0; k < r->differences.count && known < MOST; k++)
    names[known++] = r->differences.item[k].key;
  for (const DlsDeckNode *top = now->first; top && known < MOST; top = top->next)
    names[known++] = top->key;
  for (int k = 0; k < count; k++) {
    if (strcmp(asked[k], "version") == 0) continue;
    if (dls_deck_at(dls_deck_root(r->deck), asked[k]) || dls_deck_at(now, asked[k])) continue;
    const char *near = dls_nearest(asked[k], names, known);
    return dls_fail(DLS_ERR_ARGUMENT, "change %s: no deck has such a key%s%s%s", asked[k],
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return DLS_OK;
}

/* What the program or a file is counts as a key of its own. */
static DlsStatus add_difference(DlsRestart *r, const char *key, const char *then, const char *now,
                                const char *place) {
  DlsDeckDifferences *d = &r->differences;
  DlsDeckDifference *more = realloc(d->item, (size_t)(d->count + 1) * sizeof *d->item);
  if (more) {
    d->item = more;
    d->capacity = d->count + 1;
    more[d->count] = (DlsDeckDifference){strdup(key), strdup(then), strdup(now), strdup(place)};
    const DlsDeckDifference *made = &more[d->count++];
    if (!made->key || !made->then || !made->now || !made->place) more = NULL;
  }
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory while comparing decks");
  return DLS_OK;
}

/* Another version may round otherwise. */
static DlsStatus add_version(DlsRestart *r) {
  char *then;
  DlsStatus status = DLS_OK;
  DLS_TRY(text_of(&r->look.extra, "version", &then));
  if (strcmp(then, DLS_VERSION) != 0)
    status = add_difference(r, "version", then, DLS_VERSION, "the program");
  free(then);
  return status;
}

/* What a text of files_text() says of a key, to the end of the line; NULL: nothing. */
static const char *line_of(const char *text, const char *key, int *length) {
  const size_t size = strlen(key);
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (strncmp(line, key, size) != 0 || line[size] != ' ') continue;
    *length = (int)(strcspn(line, "\n") - size - 1);
    return line + size + 1;
  }
  return NULL;
}

/* Files that hold another thing under the same name; a checkpoint of an older version tells of
 * none, and another name is a difference of the decks. */
static DlsStatus add_files(DlsRestart *r, const DlsScene *scene) {
  char *then, *now = NULL;
  DLS_TRY(text_of(&r->look.extra, "files", &then));
  DlsStatus status = files_text(scene, &now);
  for (int k = 0; k < scene->files && status == DLS_OK; k++) {
    char was[80], is[80];
    int before = 0, after = 0;
    const char *key = scene->file[k].key, *old = line_of(then, key, &before);
    const char *new = line_of(now, key, &after);
    if (!old || (before == after && strncmp(old, new, (size_t)before) == 0)) continue;
    snprintf(was, sizeof was, "%.*s", before, old);
    snprintf(is, sizeof is, "%.*s", after, new);
    status = add_difference(r, key, was, is, scene->file[k].path);
  }
  free(then);
  free(now);
  return status;
}

static DlsStatus judge(DlsRestart *r, bool stage, const char *const *asked, int count) {
  int unasked = 0, impossible = 0;
  DLS_NEW(r->change, r->differences.count);
  r->count = r->differences.count;
  for (int k = 0; k < r->count; k++) {
    DlsChange *c = &r->change[k];
    c->what = r->differences.item[k];
    c->reason = obstacle(c->what.key, stage);
    c->verdict = is_free(c->what.key)                           ? DLS_CHANGE_FREE
                 : c->reason                                    ? DLS_CHANGE_IMPOSSIBLE
                 : stage || is_asked(c->what.key, asked, count) ? DLS_CHANGE_TAKEN
                                                                : DLS_CHANGE_UNASKED;
    unasked += c->verdict == DLS_CHANGE_UNASKED;
    impossible += c->verdict == DLS_CHANGE_IMPOSSIBLE;
  }
  DLS_CHECK(impossible == 0, DLS_ERR_ARGUMENT,
            "%d key%s of the deck cannot change at a restart from %s", impossible,
            impossible == 1 ? "" : "s", r->path);
  DLS_CHECK(unasked == 0, DLS_ERR_ARGUMENT,
            "the deck is not that of %s: %d key%s; go on with its own (leave the deck out), "
            "or ask for the change: `change` with the key, or `stage`",
            r->path, unasked, unasked == 1 ? " differs" : "s differ");
  return DLS_OK;
}

static DlsStatus add_lines(DlsRestart *r) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  DLS_CHECK(out, DLS_ERR_MEMORY, "out of memory for the changes");
  fputs(r->changes, out);
  if (r->stage)
    fprintf(out, "t = %.9g s, step %ld: a stage begins from %s\n", r->look.time, r->look.step,
            r->path);
  for (int k = 0; k < r->count; k++)
    if (r->change[k].verdict == DLS_CHANGE_TAKEN)
      fprintf(out, "t = %.9g s, step %ld: %s: %s -> %s\n", r->look.time, r->look.step,
              r->change[k].what.key, r->change[k].what.then, r->change[k].what.now);
  const bool good = fclose(out) == 0;
  free(r->changes);
  r->changes = text;
  DLS_CHECK(good && text, DLS_ERR_MEMORY, "out of memory for the changes");
  return DLS_OK;
}

DlsStatus dls_restart_compare(DlsRestart *r, const DlsDeck *deck, const DlsScene *scene, bool stage,
                              const char *const *asked, int count) {
  DlsDeck *now = NULL;
  char *text;
  r->stage = stage;
  DLS_TRY(dls_deck_text(dls_scene_section(), &scene->data, NULL, &text));
  DlsStatus status = dls_deck_parse(dls_deck_path(deck), text, strlen(text), &now);
  free(text);
  if (status == DLS_OK)
    status = dls_deck_compare(dls_deck_root(r->deck), dls_deck_root(now), deck, &r->differences);
  if (status == DLS_OK) status = check_asked(r, dls_deck_root(now), asked, count);
  dls_deck_destroy(&now);
  if (status == DLS_OK) status = add_version(r);
  if (status == DLS_OK) status = add_files(r, scene);
  if (status == DLS_OK) status = judge(r, stage, asked, count);
  return status == DLS_OK ? add_lines(r) : status;
}

/* [boundaries][3] of the checkpoint, freed by the caller; where it has none, the positions of
 * its deck. */
static DlsStatus origins_of(const DlsRestart *r, const DlsCheckpointExtra *extra,
                            double (**out)[3]) {
  const DlsSceneBoundary *items = r->then.boundaries.items;
  const int count = r->then.boundaries.count;
  DLS_NEW(*out, count);
  for (int b = 0; b < count; b++) memcpy((*out)[b], items[b].position, sizeof **out);
  if (!dls_checkpoint_extra_find(extra, "origins")) return DLS_OK;
  const DlsStatus status =
      dls_checkpoint_extra_get(extra, "origins", *out, (size_t)count * sizeof **out);
  for (int b = 0; b < count && status == DLS_OK; b++)
    DLS_CHECK(dls_small_finite(3, (*out)[b]), DLS_ERR_FORMAT,
              "%s: /extra/origins: that of boundary %d is not finite", r->path, b);
  return status;
}

static DlsStatus bring(DlsRestart *r, DlsScene *scene, bool as_it_was, const double (*origins)[3],
                       DlsSceneAdapt *adapt, const DlsCheckpointExtra *extra) {
  const DlsCheckpointBlob *state = dls_checkpoint_extra_find(extra, "scene");
  if (!state && !as_it_was) dls_scene_adapt_cancel(scene, adapt);
  DLS_CHECK(state, DLS_ERR_FORMAT, "%s: /extra/scene: is missing; go on with a checkpoint of a run",
            r->path);
  if (!as_it_was)
    return dls_scene_adapt_end(scene, &r->then, r->stage, state->bytes, state->size, origins,
                               adapt);
  DLS_CHECK(scene->simulation->world->boundary_count == r->then.boundaries.count, DLS_ERR_FORMAT,
            "%s: /boundaries: are not those of its deck: it is damaged", r->path);
  DLS_TRY(dls_scene_state_restore(scene, state->bytes, state->size));
  memcpy(scene->origin, origins, (size_t)r->then.boundaries.count * sizeof *scene->origin);
  scene->ready = dls_checkpoint_extra_find(extra, "ready") != NULL;
  return DLS_OK;
}

DlsStatus dls_restart_apply(DlsRestart *r, DlsScene *scene, DlsCheckpointExtra *extra) {
  bool as_it_was = !r->stage, other_version = false;
  double(*origins)[3] = NULL;
  DlsSceneAdapt adapt = {0};
  for (int k = 0; k < r->count; k++) {
    const bool version = strcmp(r->change[k].what.key, "version") == 0;
    other_version |= version;
    as_it_was &= r->change[k].verdict == DLS_CHANGE_FREE || version;
  }
  if (!as_it_was) DLS_TRY(dls_scene_adapt_begin(scene, &r->then, &adapt));
  DlsStatus status =
      dls_checkpoint_read(r->path, scene->simulation, !as_it_was || other_version, extra);
  if (status == DLS_OK) status = origins_of(r, extra, &origins);
  if (status == DLS_OK) {
    /* which ends adapt */
    status = bring(r, scene, as_it_was, (const double(*)[3])origins, &adapt, extra);
    if (status != DLS_OK && strncmp(dls_error_message(), r->path, strlen(r->path)) != 0)
      dls_fail_context(status, "%s", r->path);
  } else if (!as_it_was)
    dls_scene_adapt_cancel(scene, &adapt);
  free(origins);
  r->dropped = status == DLS_OK ? r->look.contacts - scene->simulation->state.memory.count : 0;
  return status;
}

DlsStatus dls_restart_alike(const char *then, const char *now, bool *out) {
  DlsDeck *a = NULL, *b = NULL;
  DlsDeckDifferences differences = {0};
  *out = false;
  DlsStatus status = dls_deck_parse("deck", then, strlen(then), &a);
  if (status == DLS_OK) status = dls_deck_parse("deck", now, strlen(now), &b);
  if (status == DLS_OK)
    status = dls_deck_compare(dls_deck_root(a), dls_deck_root(b), b, &differences);
  *out = status == DLS_OK;
  for (int k = 0; k < differences.count; k++) *out &= is_free(differences.item[k].key);
  dls_deck_differences_clear(&differences);
  dls_deck_destroy(&a);
  dls_deck_destroy(&b);
  return status;
}
