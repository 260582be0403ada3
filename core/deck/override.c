/* set a.b[2].c=value, and sections from another deck: the tree is changed before the schema reads
 * it. */
#include "deck/deck.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck_impl.h"
#include "deck/tree.h"
#include "deck/utf8.h"

enum { LONGEST_SET = 1 << 16 };

typedef struct {
  char key[80]; /* "" for an index */
  int index;    /* -1 for a key that is no number */
} Step;

/* The place of the messages, and the text that the nodes keep: "set a.b=value". */
static DlsStatus place_of(DlsDeck *deck, const char *assignment, char **out) {
  const size_t bytes = strlen(assignment) + 5;
  *out = dls_arena_take(&deck->arena, bytes);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory for %.100s", assignment);
  snprintf(*out, bytes, "set %s", assignment);
  return DLS_OK;
}

static int small_number(const char *digits, size_t length) {
  int number = 0;
  if (length == 0 || length > 7) return -1;
  for (size_t k = 0; k < length; k++) {
    if (!isdigit((unsigned char)digits[k])) return -1;
    number = 10 * number + (digits[k] - '0');
  }
  return number;
}

/* One step of the path: "[2]", ".key" or "key"; *path behind it. */
static DlsStatus take_step(const char *set, const char **path, bool first, Step *step) {
  const char *p = *path;
  *step = (Step){.index = -1};
  if (*p == '[') {
    const size_t length = strcspn(++p, "]=");
    step->index = small_number(p, length);
    DLS_CHECK(step->index >= 0 && p[length] == ']', DLS_ERR_ARGUMENT,
              "%s: in [...] stands the number of an item, from 0", set);
    *path = p + length + 1;
    return DLS_OK;
  }
  DLS_CHECK(first || *p == '.', DLS_ERR_ARGUMENT, "%s: behind an item comes '.', '[' or '='", set);
  p += !first;
  const size_t length = strcspn(p, ".[=");
  DLS_CHECK(length > 0 && length < sizeof step->key, DLS_ERR_ARGUMENT,
            "%s: a key is %s; write a.b=value", set, length ? "too long" : "missing");
  snprintf(step->key, sizeof step->key, "%.*s", (int)length, p);
  step->index = small_number(p, length);
  *path = p + length;
  return DLS_OK;
}

static DlsDeckNode *item_of(DlsDeckNode *node, const Step *step) {
  DlsDeckNode *child = node->first;
  while (child && (node->kind == DLS_DECK_MAPPING ? strcmp(child->key, step->key) != 0
                                                  : child->index != step->index))
    child = child->next;
  return child;
}

/* A node without a value becomes the section or list that the path needs. */
static DlsStatus open_node(const char *set, DlsDeckNode *node, const Step *step) {
  char path[200];
  if (dls_deck_is_null(node)) {
    node->kind = step->key[0] ? DLS_DECK_MAPPING : DLS_DECK_SEQUENCE;
    node->text = "";
  }
  dls_deck_node_path(node, path, sizeof path);
  DLS_CHECK(node->kind != DLS_DECK_SCALAR, DLS_ERR_ARGUMENT,
            "%s: %s is the value '%.60s' in the deck and holds no keys; set %s itself", set, path,
            node->text, path);
  if (node->kind == DLS_DECK_MAPPING) {
    DLS_CHECK(step->key[0], DLS_ERR_ARGUMENT, "%s: %s is no list; write a key instead of [%d]", set,
              path[0] ? path : "the deck", step->index);
    return DLS_OK;
  }
  DLS_CHECK(step->index >= 0, DLS_ERR_ARGUMENT,
            "%s: %s is a list; write the number of the item, such as %s[0]", set, path, path);
  DLS_CHECK(step->index <= node->count, DLS_ERR_ARGUMENT,
            "%s: %s has %d item%s, numbered from 0; [%d] is out of range", set, path, node->count,
            node->count == 1 ? "" : "s", step->index);
  return DLS_OK;
}

/* The child that the step names, made empty where there is none. */
static DlsStatus enter(DlsDeck *deck, const char *set, DlsDeckNode **node, const Step *step) {
  DLS_TRY(open_node(set, *node, step));
  DlsDeckNode *child = item_of(*node, step);
  if (!child) {
    const char *key = NULL;
    child = dls_tree_new(&deck->arena, DLS_DECK_SCALAR, NULL);
    if ((*node)->kind == DLS_DECK_MAPPING)
      key = dls_arena_text(&deck->arena, step->key, strlen(step->key));
    DLS_CHECK(child && (key || (*node)->kind == DLS_DECK_SEQUENCE), DLS_ERR_MEMORY,
              "out of memory for %.100s", set);
    child->set = set;
    dls_tree_append(*node, key, child);
  }
  *node = child;
  return DLS_OK;
}

static DlsStatus parse_value(DlsDeck *deck, const char *set, const char *text, DlsDeckNode **out) {
  unsigned code;
  for (const char *at = text; *at; at += dls_utf8_next(at, &code))
    DLS_CHECK(dls_utf8_next(at, &code) > 0, DLS_ERR_ARGUMENT, "%s: the value is no UTF-8", set);
  if (text[0] && strchr("[{\"'", text[0]))
    return dls_tree_parse(&deck->arena, deck->path, set, text, strlen(text), out);
  *out = dls_tree_new(&deck->arena, DLS_DECK_SCALAR, NULL);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory for %.100s", set);
  (*out)->text = dls_arena_text(&deck->arena, text, strlen(text));
  DLS_CHECK((*out)->text, DLS_ERR_MEMORY, "out of memory for %.100s", set);
  (*out)->set = set;
  return DLS_OK;
}

DlsStatus dls_deck_set(DlsDeck *deck, const char *assignment) {
  char *set;
  DLS_CHECK(strlen(assignment) < LONGEST_SET, DLS_ERR_ARGUMENT,
            "set %.60s...: longer than %d characters; write it into the deck", assignment,
            LONGEST_SET);
  DLS_TRY(place_of(deck, assignment, &set));
  const char *path = assignment, *equals = strchr(assignment, '=');
  DLS_CHECK(equals && equals > assignment, DLS_ERR_ARGUMENT,
            "%s: is not of the form key.path=value, such as solver.tolerance=1e-8", set);
  DlsDeckNode *value, *node = deck->root, *parent = NULL;
  DLS_TRY(parse_value(deck, set, equals + 1, &value));
  for (int depth = 0; path < equals; depth++) {
    Step step;
    DLS_CHECK(depth < DLS_DECK_MAX_DEPTH / 2, DLS_ERR_ARGUMENT, "%s: too many levels", set);
    DLS_TRY(take_step(set, &path, depth == 0, &step));
    parent = node;
    DLS_TRY(enter(deck, set, &node, &step));
  }
  if (value->kind == DLS_DECK_SCALAR && !value->quoted && strcmp(value->text, "~") == 0)
    dls_tree_remove(parent, node);
  else
    dls_tree_replace(parent, node, value);
  return DLS_OK;
}

/* `place` stands for file and line in messages, which would be those of another deck. */
static DlsDeckNode *copy(DlsArena *arena, const DlsDeckNode *node, const char *place) {
  DlsDeckNode *made = dls_tree_new(arena, node->kind, node);
  if (!made) return NULL;
  made->quoted = node->quoted;
  made->set = place;
  made->text = dls_arena_text(arena, node->text, strlen(node->text));
  bool good = made->text != NULL;
  for (const DlsDeckNode *child = node->first; child && good; child = child->next) {
    DlsDeckNode *below = copy(arena, child, place);
    const char *key = child->key ? dls_arena_text(arena, child->key, strlen(child->key)) : NULL;
    good = below && (key || !child->key);
    if (good) dls_tree_append(made, key, below);
  }
  return good ? made : NULL;
}

DlsStatus dls_deck_adopt(DlsDeck *deck, const char *key, const DlsDeckNode *node) {
  if (dls_deck_find(deck->root, key)) return DLS_OK;
  char *place = dls_arena_take(&deck->arena, strlen(deck->path) + 32);
  if (place) sprintf(place, "%s and its checkpoint", deck->path);
  DlsDeckNode *made = place ? copy(&deck->arena, node, place) : NULL;
  const char *name = made ? dls_arena_text(&deck->arena, key, strlen(key)) : NULL;
  DLS_CHECK(name, DLS_ERR_MEMORY, "out of memory for %s of the deck", key);
  dls_tree_append(deck->root, name, made);
  return DLS_OK;
}
