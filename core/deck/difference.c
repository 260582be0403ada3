/* Two trees walked side by side. */
#include "deck/difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
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

/* The children of a map, found by their keys in a time that does not grow with their number. */
typedef struct {
  DlsNames keys;
  const DlsDeckNode **child;
} Index;

static void index_clear(Index *index) {
  dls_names_clear(&index->keys);
  free(index->child);
}

static DlsStatus index_make(const DlsDeckNode *map, Index *index) {
  if (!map || map->kind != DLS_DECK_MAPPING) return DLS_OK;
  int k = 0;
  DLS_NEW(index->child, map->count);
  for (const DlsDeckNode *child = map->first; child; child = child->next) {
    index->child[k] = child;
    DLS_TRY(dls_names_add(&index->keys, child->key, k++, NULL));
  }
  return DLS_OK;
}

static const DlsDeckNode *index_find(const Index *index, const char *key) {
  const int k = dls_names_find(&index->keys, key, strlen(key));
  return k < 0 ? NULL : index->child[k];
}

/* Three maps side by side. */
typedef struct {
  Index then, now, written;
} Maps;

/* Whether the keys that both have come in another order. */
static bool is_reordered(const Maps *maps, const DlsDeckNode *then, const DlsDeckNode *now) {
  const DlsDeckNode *next = now->first;
  for (const DlsDeckNode *child = then->first; child; child = child->next) {
    if (!index_find(&maps->now, child->key)) continue;
    while (next && !index_find(&maps->then, next->key)) next = next->next;
    if (!next || strcmp(next->key, child->key) != 0) return true;
    next = next->next;
  }
  return false;
}

static DlsStatus compare(Comparison *c, const char *key, const DlsDeckNode *then,
                         const DlsDeckNode *now, const DlsDeckNode *written);

static DlsStatus compare_children(Comparison *c, const Maps *maps, const char *key,
                                  const DlsDeckNode *then, const DlsDeckNode *now,
                                  const DlsDeckNode *written) {
  char below[LONGEST_KEY];
  const char *dot = key[0] ? "." : "";
  for (const DlsDeckNode *child = then->first; child; child = child->next) {
    snprintf(below, sizeof below, "%s%s%s", key, dot, child->key);
    DLS_TRY(compare(c, below, child, index_find(&maps->now, child->key),
                    index_find(&maps->written, child->key)));
  }
  for (const DlsDeckNode *child = now->first; child; child = child->next) {
    if (index_find(&maps->then, child->key)) continue;
    snprintf(below, sizeof below, "%s%s%s", key, dot, child->key);
    DLS_TRY(add(c, below, NULL, child, index_find(&maps->written, child->key)));
  }
  if (!is_reordered(maps, then, now)) return DLS_OK;
  return keep(c, key, names_of(then), names_of(now), place_of(c, written));
}

static DlsStatus compare_maps(Comparison *c, const char *key, const DlsDeckNode *then,
                              const DlsDeckNode *now, const DlsDeckNode *written) {
  Maps maps = {0};
  DlsStatus status = index_make(then, &maps.then);
  if (status == DLS_OK) status = index_make(now, &maps.now);
  if (status == DLS_OK) status = index_make(written, &maps.written);
  if (status == DLS_OK) status = compare_children(c, &maps, key, then, now, written);
  index_clear(&maps.then);
  index_clear(&maps.now);
  index_clear(&maps.written);
  return status;
}

static const DlsDeckNode *next_of(const DlsDeckNode *item) { return item ? item->next : NULL; }

static DlsStatus compare_lists(Comparison *c, const char *key, const DlsDeckNode *then,
                               const DlsDeckNode *now, const DlsDeckNode *written) {
  const bool list = written && written->kind == DLS_DECK_SEQUENCE;
  const DlsDeckNode *a = then->first, *b = now->first, *w = list ? written->first : NULL;
  char below[LONGEST_KEY];
  for (int k = 0; a || b; k++, a = next_of(a), b = next_of(b), w = next_of(w)) {
    snprintf(below, sizeof below, "%s[%d]", key, k);
    DLS_TRY(compare(c, below, a, b, w));
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
