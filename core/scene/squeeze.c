/* Who squeezes whom, in the words of the deck. */
#include "scene/scene_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_NAMED = 6 };

typedef struct {
  char *text;
  size_t bytes, at;
} Sentence;

__attribute__((format(printf, 2, 3))) static void say(Sentence *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int wrote = vsnprintf(s->text + s->at, s->bytes - s->at, format, arguments);
  va_end(arguments);
  if (wrote < 0) return;
  s->at += (size_t)wrote;
  if (s->at >= s->bytes) s->at = s->bytes - 1;
}

/* Those that move freely, as numbers of bodies, and those that do not: bodies that are fixed, and
 * boundaries as -1 - b. */
typedef struct {
  int *moved, *held;
  int moves, holds;
} Parties;

static void add_once(int who, int *list, int *count) {
  for (int k = 0; k < *count; k++)
    if (list[k] == who) return;
  list[(*count)++] = who;
}

static bool is_held(const DlsWorld *world, int who) {
  const int plane = DLS_FIXED_X | DLS_FIXED_Y;
  if (who < 0) return true;
  return world->dim == 2 ? (world->fixed[who] & plane) == plane : dls_world_is_fixed(world, who);
}

static DlsStatus find_parties(const DlsSimulation *s, Parties *out) {
  const DlsSqueeze *squeeze = &s->last.squeeze;
  DLS_NEW(out->moved, 2 * squeeze->count);
  DLS_NEW(out->held, 2 * squeeze->count);
  for (int k = 0; k < squeeze->count; k++) {
    const int c = s->last.assembly.step.in_set[squeeze->contact[k]];
    const int who[2] = {s->last.contacts.antagonist[c], s->last.contacts.candidate[c]};
    for (int side = 0; side < 2; side++) {
      const bool held = is_held(s->world, who[side]);
      add_once(who[side], held ? out->held : out->moved, held ? &out->holds : &out->moves);
    }
  }
  return DLS_OK;
}

/* m/s: the power of the pushes over the largest push on one of those that do not move, |Σ λ n|: the
 * speed of a lid, however many it presses on. Where all move, that of the contact that pushes
 * hardest. */
static double closing_of(const DlsSimulation *s, const Parties *parties) {
  const DlsSqueeze *squeeze = &s->last.squeeze;
  double largest = 0;
  for (int h = 0; h < parties->holds; h++) {
    double sum[3] = {0};
    for (int k = 0; k < squeeze->count; k++) {
      const int c = s->last.assembly.step.in_set[squeeze->contact[k]];
      const int who[2] = {s->last.contacts.antagonist[c], s->last.contacts.candidate[c]};
      if (who[0] != parties->held[h] && who[1] != parties->held[h]) continue;
      for (int x = 0; x < 3; x++)
        sum[x] += squeeze->push[(size_t)k * (size_t)s->last.assembly.run.block] *
                  s->last.contacts.frame[c][x];
    }
    largest = fmax(largest, dls_vector_norm(sum));
  }
  return largest > 0 ? squeeze->closing / largest : squeeze->closing;
}

/* "body 3 'bob' (sphere, 0.05 m)", "boundary 'lid'". */
static void say_name(const DlsScene *scene, int who, Sentence *out) {
  const DlsWorld *world = scene->simulation->world;
  if (who < 0) {
    const DlsSceneBoundary *items = scene->data.boundaries.items;
    const int b = -1 - who;
    if (b < scene->data.boundaries.count && items[b].name)
      say(out, "boundary '%s'", items[b].name);
    else
      say(out, "boundary %d", b);
    return;
  }
  const int first = world->first[who], elements = world->first[who + 1] - first;
  say(out, "body %llu", (unsigned long long)world->id[who]);
  for (int e = 0; e < scene->roster.count; e++) {
    const DlsRosterEntry *entry = &scene->roster.entry[e];
    const bool here =
        world->id[who] >= entry->first && world->id[who] - entry->first < (uint64_t)entry->count;
    if (here && entry->name && entry->state == DLS_ROSTER_HERE) say(out, " '%s'", entry->name);
  }
  if (!dls_world_is_ball(world, first))
    say(out, " (%s, %g m)", dls_shape_operations(dls_world_solid(world, first).kind)->name,
        dls_world_size(world, who));
  else if (elements == 1)
    say(out, " (%s, %g m)", world->dim == 2 ? "disk" : "sphere", world->element[first].radius);
  else
    say(out, " (cluster of %d)", elements);
}

static void say_list(const DlsScene *scene, const int *who, int count, Sentence *out) {
  const int told = count <= MOST_NAMED ? count : MOST_NAMED - 1;
  for (int k = 0; k < told; k++) {
    if (k > 0) say(out, k + 1 == count ? " and " : ", ");
    say_name(scene, who[k], out);
  }
  if (told < count) say(out, " and %d more", count - told);
}

DlsStatus dls_scene_describe_squeeze(const DlsScene *scene, char *text, size_t bytes) {
  const DlsSimulation *s = scene->simulation;
  Sentence out = {text, bytes, 0};
  Parties parties = {0};
  const DlsStatus status = find_parties(s, &parties);
  const double closing = status == DLS_OK ? closing_of(s, &parties) : 0;
  if (status == DLS_OK && parties.moves == 0) {
    say_list(scene, parties.held, parties.holds, &out);
    say(&out, " run into each other at %.4g m/s, and nothing moves them", closing);
  } else if (status == DLS_OK) {
    say_list(scene, parties.moved, parties.moves, &out);
    if (parties.holds == 0) {
      say(&out, " squeeze each other, and would have to overlap at %.4g m/s", closing);
    } else {
      say(&out, parties.moves == 1 ? " is squeezed" : " are squeezed");
      say(&out, parties.holds == 1 ? " by " : " between ");
      say_list(scene, parties.held, parties.holds, &out);
      say(&out, parties.holds == 1 ? ", which closes at %.4g m/s" : ", which close at %.4g m/s",
          closing);
    }
  }
  free(parties.moved);
  free(parties.held);
  return status;
}

DlsStatus dls_scene_refuse_squeeze(const DlsScene *scene) {
  const DlsSimulation *s = scene->simulation;
  char text[600];
  DLS_TRY(dls_scene_describe_squeeze(scene, text, sizeof text));
  return dls_fail(DLS_ERR_NO_SOLUTION, "step %ld, t = %.6g s: no motion is possible: %s",
                  s->state.step + 1, s->state.time, text);
}
