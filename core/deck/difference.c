/* Two trees walked side by side. */
#include "deck/difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck_impl.h"
#include "deck/tree.h"

enum { LONGEST_VALUE = 100, LONGEST_KEY = 600 };

typedef struct {
  const DlsDeck *written;
  DlsDeckDifferences *out;
} Comparison;

void dls_deck_differences_clear(DlsDeckDifferences *differences) {
  for (int k = 0; k < differences->count; k++) {
    free(differences->item[k].key);
    free(differences->item[k].then);
    free(differences->item[k].now);
    free(differences->item[k].place);
  }
  free(differences->item);
  *differences = (DlsDeckDifferences){0};
}

/* A node as YAML on one line. */
static void print_node(FILE *out, const DlsDeckNode *node) {
  if (node->kind == DLS_DECK_SCALAR) {
    fprintf(out, node->quoted ? "\"%s\"" : "%s", node->text);
    return;
  }
  const bool map = node->kind == DLS_DECK_MAPPING;
  fputc(map ? '{' : '[', out);
  for (const DlsDeckNode *child = node->first; child; child = child->next) {
    if (child != node->first) fputs(", ", out);
    if (map) fprintf(out, "%s: ", child->key);
    print_node(out, child);
  }
  fputc(map ? '}' : ']', out);
}

/* Cut behind a whole character, with dots. */
static void cut(char *text) {
  size_t end = LONGEST_VALUE;
  if (strlen(text) <= LONGEST_VALUE + 4) return;
  while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--;
  memcpy(text + end, " ...", 5);
}

static char *text_of(const DlsDeckNode *node) {
  char *text = NULL;
  size_t size;
  if (!node) return strdup("nothing");
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  print_node(out, node);
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  cut(text);
  return text;
}

static char *place_of(const Comparison *c, const DlsDeckNode *written) {
  char place[700];
  if (!written)
    snprintf(place, sizeof place, "a default");
  else if (written->set)
    snprintf(place, sizeof place, "%.600s", written->set);
  else
    snprintf(place, sizeof place, "%.600s:%d", dls_deck_path(c->written), written->line);
  return strdup(place);
}

static DlsStatus keep(Comparison *c, const char *key, char *then, char *now, char *place) {
  DlsDeckDifferences *out = c->out;
  DlsDeckDifference item = {strdup(key), then, now, place};
  if (out->count == out->capacity) {
    const int capacity = 2 * out->capacity + 16;
    DlsDeckDifference *more = realloc(out->item, (size_t)capacity * sizeof *more);
    if (more) out->item = more, out->capacity = capacity;
  }
  const bool good = out->count < out->capacity && item.key && then && now && place;
  if (good) {
    out->item[out->count++] = item;
    return DLS_OK;
  }
  free(item.key);
  free(then);
  free(now);
  free(place);
  return dls_fail(DLS_ERR_MEMORY, "out of memory while comparing decks");
}

static DlsStatus add(Comparison *c, const char *key, const DlsDeckNode *then,
                     const DlsDeckNode *now, const DlsDeckNode *written) {
  return keep(c, key, text_of(then), text_of(now), place_of(c, written));
}

/* A list whose items are sections is compared item by item, any other as a whole. */
static bool holds_sections(const DlsDeckNode *node) {
  return node->kind == DLS_DECK_SEQUENCE && node->first && node->first->kind == DLS_DECK_MAPPING;
}

static bool same(const DlsDeckNode *a, const DlsDeckNode *b) {
  if (a->kind != b->kind || a->count != b->count) return false;
  if (a->kind == DLS_DECK_SCALAR) return strcmp(a->text, b->text) == 0;
  const DlsDeckNode *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next) {
    if (a->kind == DLS_DECK_MAPPING && strcmp(x->key, y->key) != 0) return false;
    if (!same(x, y)) return false;
  }
  return true;
}

static const DlsDeckNode *item_of(const DlsDeckNode *list, int index) {
  if (!list || list->kind != DLS_DECK_SEQUENCE) return NULL;
  const DlsDeckNode *child = list->first;
  while (child && child->index != index) child = child->next;
  return child;
}

static char *names_of(const DlsDeckNode *map) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (const DlsDeckNode *child = map->first; child; child = child->next)
    fprintf(out, "%s%s", child == map->first ? "in the order " : ", ", child->key);
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  cut(text);
  return text;
}

/* Whether the keys that both have come in another order. */
static bool is_reordered(const DlsDeckNode *then, const DlsDeckNode *now) {
  const DlsDeckNode *next = now->first;
  for (const DlsDeckNode *child = then->first; child; child = child->next) {
    if (!dls_deck_find(now, child->key)) continue;
    while (next && !dls_deck_find(then, next->key)) next = next->next;
    if (!next || strcmp(next->key, child->key) != 0) return true;
    next = next->next;
  }
  return false;
}

static DlsStatus compare(Comparison *c, const char *key, const DlsDeckNode *then,
                         const DlsDeckNode *now, const DlsDeckNode *written);

static DlsStatus compare_maps(Comparison *c, const char *key, const DlsDeckNode *then,
                              const DlsDeckNode *now, const DlsDeckNode *written) {
  char below[LONGEST_KEY];
  const char *dot = key[0] ? "." : "";
  for (const DlsDeckNode *child = then->first; child; child = child->next) {
    snprintf(below, sizeof below, "%s%s%s", key, dot, child->key);
    DLS_TRY(compare(c, below, child, dls_deck_find(now, child->key),
                    dls_deck_find(written, child->key)));
  }
  for (const DlsDeckNode *child = now->first; child; child = child->next) {
    if (dls_deck_find(then, child->key)) continue;
    snprintf(below, sizeof below, "%s%s%s", key, dot, child->key);
    DLS_TRY(add(c, below, NULL, child, dls_deck_find(written, child->key)));
  }
  if (!is_reordered(then, now)) return DLS_OK;
  return keep(c, key, names_of(then), names_of(now), place_of(c, written));
}

static DlsStatus compare_lists(Comparison *c, const char *key, const DlsDeckNode *then,
                               const DlsDeckNode *now, const DlsDeckNode *written) {
  char below[LONGEST_KEY];
  const int most = then->count > now->count ? then->count : now->count;
  for (int k = 0; k < most; k++) {
    snprintf(below, sizeof below, "%s[%d]", key, k);
    DLS_TRY(compare(c, below, item_of(then, k), item_of(now, k), item_of(written, k)));
  }
  return DLS_OK;
}

static DlsStatus compare(Comparison *c, const char *key, const DlsDeckNode *then,
                         const DlsDeckNode *now, const DlsDeckNode *written) {
  if (!then || !now) return then || now ? add(c, key, then, now, written) : DLS_OK;
  if (same(then, now)) return DLS_OK;
  if (then->kind == DLS_DECK_MAPPING && now->kind == DLS_DECK_MAPPING)
    return compare_maps(c, key, then, now, written);
  if (holds_sections(then) && holds_sections(now)) return compare_lists(c, key, then, now, written);
  return add(c, key, then, now, written);
}

DlsStatus dls_deck_compare(const DlsDeckNode *then, const DlsDeckNode *now, const DlsDeck *written,
                           DlsDeckDifferences *out) {
  Comparison c = {written, out};
  return compare(&c, "", then, now, dls_deck_root(written));
}

/* The next step of a path: its text, without the brackets and dots around it; false at the end. */
static bool next_step(const char **path, const char **text, size_t *length) {
  const char *p = *path;
  while (*p == '.' || *p == '[' || *p == ']') p++;
  *text = p;
  *length = strcspn(p, ".[]");
  *path = p + *length;
  return *length > 0;
}

bool dls_deck_covers(const char *path, const char *key) {
  const char *a, *b;
  size_t m, n;
  while (next_step(&path, &a, &m))
    if (!next_step(&key, &b, &n) || m != n || memcmp(a, b, n) != 0) return false;
  return true;
}

const DlsDeckNode *dls_deck_at(const DlsDeckNode *root, const char *path) {
  const DlsDeckNode *node = root;
  const char *text;
  size_t length;
  while (node && next_step(&path, &text, &length)) {
    const DlsDeckNode *child = node->first;
    for (; child; child = child->next) {
      char number[16];
      snprintf(number, sizeof number, "%d", child->index);
      const char *name = child->key ? child->key : number;
      if (strlen(name) == length && memcmp(name, text, length) == 0) break;
    }
    node = child;
  }
  return node;
}
