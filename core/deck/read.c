/* A section of a deck into its struct, row by row; and giving back what the struct owns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deck/deck_impl.h"
#include "deck/tree.h"

static void read_section(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckSection *section,
                         void *data);

bool dls_deck_row_hidden(const DlsDeckRow *row) {
  return row->kind == DLS_DECK_NAME || row->kind == DLS_DECK_PLACE;
}

static const DlsDeckRow *find_row(const DlsDeckSection *section, const char *key) {
  for (int k = 0; k < section->count; k++)
    if (!dls_deck_row_hidden(&section->rows[k]) && strcmp(section->rows[k].key, key) == 0)
      return &section->rows[k];
  return NULL;
}

static void report_unknown(DlsDeck *deck, const DlsDeckNode *child, const DlsDeckSection *section) {
  enum { MOST = 64 };
  const char *keys[MOST];
  char list[400] = "", hint[120];
  int n = 0;
  for (int k = 0; k < section->count && n < MOST; k++) {
    if (dls_deck_row_hidden(&section->rows[k])) continue;
    const size_t used = strlen(list);
    keys[n++] = section->rows[k].key;
    if (used + strlen(section->rows[k].key) + 6 < sizeof list)
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", section->rows[k].key);
    else if (strcmp(list + used - 3, "...") != 0)
      snprintf(list + used, sizeof list - used, "...");
  }
  dls_deck_suggest(child->key, keys, n, hint, sizeof hint);
  dls_deck_problem(deck, child, NULL, "unknown key%s%s%s", hint,
                   hint[0] ? "" : "; there are: ", hint[0] ? "" : list);
}

/* The default as nodes on the stack, so that a deck of many items costs no memory for them: a
 * scalar, or the items of "[a, b]". It stands where the section stands. */
static void read_standard(DlsDeck *deck, const DlsDeckNode *section, const DlsDeckRow *row,
                          void *field) {
  char text[400];
  DlsDeckNode items[DLS_DECK_LONGEST_VECTOR], node = {.text = text,
                                                      .key = row->key,
                                                      .parent = section,
                                                      .line = section->line,
                                                      .set = section->set};
  snprintf(text, sizeof text, "%s", row->standard);
  if (text[0] == '[') {
    node.kind = DLS_DECK_SEQUENCE;
    char *rest;
    for (char *at = strtok_r(text + 1, ",]", &rest); at && node.count < DLS_COUNT(items);
         at = strtok_r(NULL, ",]", &rest)) {
      while (*at == ' ') at++;
      if (!*at) continue;
      items[node.count] = (DlsDeckNode){
          .text = at, .index = node.count, .parent = &node, .line = node.line, .set = node.set};
      if (node.count > 0) items[node.count - 1].next = &items[node.count];
      node.count++;
    }
    node.first = node.count ? items : NULL;
  }
  dls_deck_read_value(deck, &node, row, field);
}

static void *new_items(DlsDeck *deck, int count, const DlsDeckSection *section) {
  void *items = dls_memory_array((size_t)count, section->bytes);
  if (!items) deck->out_of_memory = true;
  return items;
}

static void set_name(DlsDeck *deck, const DlsDeckSection *section, const char *name, void *data) {
  for (int k = 0; k < section->count; k++)
    if (section->rows[k].kind == DLS_DECK_NAME) {
      char **field = (char **)((char *)data + section->rows[k].offset);
      *field = strdup(name);
      if (!*field) deck->out_of_memory = true;
    }
}

static void read_list(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                      DlsDeckList *out) {
  const bool named = row->kind == DLS_DECK_MAP;
  if (row->alone && node->kind == DLS_DECK_MAPPING) { /* one item, written as such */
    out->items = new_items(deck, 1, row->section);
    if (out->items) read_section(deck, node, row->section, out->items);
    out->count = out->items != NULL;
    return;
  }
  if (node->kind != (named ? DLS_DECK_MAPPING : DLS_DECK_SEQUENCE)) {
    dls_deck_problem(deck, node, NULL, "%s",
                     named ? "holds named sections; write 'name:' before each, no '- '"
                           : "is a list; write '- ' before each item");
    return;
  }
  if (node->count < row->least || (row->most > 0 && node->count > row->most)) {
    dls_deck_problem(deck, node, NULL, "has %d item%s; there are %s %d", node->count,
                     node->count == 1 ? "" : "s", node->count < row->least ? "at least" : "at most",
                     node->count < row->least ? row->least : row->most);
    return;
  }
  out->items = new_items(deck, node->count, row->section);
  if (!out->items) return;
  for (const DlsDeckNode *item = node->first; item; item = item->next) {
    void *data = (char *)out->items + (size_t)out->count++ * row->section->bytes;
    if (named) set_name(deck, row->section, item->key, data);
    read_section(deck, item, row->section, data);
  }
}

static void read_variant(DlsDeck *deck, const DlsDeckNode *parent, const DlsDeckNode *node,
                         bool given, const DlsDeckRow *row, const void *data, DlsDeckVariant *out) {
  const DlsDeckSection *section = NULL;
  if (row->choose(data, &section) != DLS_OK) {
    dls_deck_problem(deck, row->chosen_by ? parent : node, row->chosen_by, "%s",
                     dls_error_message());
    return;
  }
  if (!section) {
    if (given) dls_deck_problem(deck, node, NULL, "has no meaning here; remove it");
    return;
  }
  out->data = new_items(deck, 1, section);
  if (!out->data) return;
  out->section = section;
  read_section(deck, node, section, out->data);
}

/* An empty section in the place of what is not written: PLACE fields may point to it. */
static const DlsDeckNode *empty_section(DlsDeck *deck, const DlsDeckNode *parent, const char *key,
                                        const DlsDeckNode *near) {
  DlsDeckNode *node = dls_tree_new(&deck->arena, DLS_DECK_MAPPING, near);
  if (!node) {
    deck->out_of_memory = true;
    return NULL;
  }
  node->parent = parent;
  node->key = key;
  node->index = near->index;
  return node;
}

/* A section that is written as one text: its defaults, then what the text says. */
static void read_text(DlsDeck *deck, const DlsDeckNode *parent, const DlsDeckNode *node,
                      const DlsDeckRow *row, void *field) {
  const DlsDeckNode *empty = empty_section(deck, parent, row->key, node);
  if (!empty) return;
  read_section(deck, empty, row->section, field);
  if (row->section->parse(node->text, field) != DLS_OK)
    dls_deck_problem(deck, node, NULL, "%s", dls_error_message());
}

/* A text that is written as a section. */
static void spell_section(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                          char **field) {
  const int before = deck->nproblems;
  char text[1024] = "";
  void *data = new_items(deck, 1, row->section);
  if (!data) return;
  read_section(deck, node, row->section, data);
  if (deck->nproblems == before && row->spell(data, text, sizeof text) != DLS_OK)
    dls_deck_problem(deck, node, NULL, "%s", dls_error_message());
  dls_deck_release(row->section, data);
  free(data);
  *field = strdup(text);
  if (!*field) deck->out_of_memory = true;
}

/* A row that holds sections. A missing one is read from an empty node, for its defaults. */
static void read_nested(DlsDeck *deck, const DlsDeckNode *parent, const DlsDeckNode *node,
                        const DlsDeckRow *row, void *data) {
  void *field = (char *)data + row->offset;
  const bool given = node && !dls_deck_is_null(node),
             list = row->kind == DLS_DECK_LIST || row->kind == DLS_DECK_MAP;
  const DlsDeckNode *from = node;
  if (!given && !list) from = empty_section(deck, parent, row->key, node ? node : parent);
  if (!from) return;
  switch (row->kind) {
  case DLS_DECK_SECTION:
    if (given && from->kind == DLS_DECK_SCALAR && row->section->parse) {
      read_text(deck, parent, from, row, field);
      break;
    }
    read_section(deck, from, row->section, field);
    break;
  case DLS_DECK_POINTER:
    if (!node) break; /* 'key:' alone is the section with its defaults */
    *(void **)field = new_items(deck, 1, row->section);
    if (*(void **)field) read_section(deck, from, row->section, *(void **)field);
    break;
  case DLS_DECK_VARIANT:
    read_variant(deck, parent, from, given, row, data, field);
    break;
  default:
    if (given) read_list(deck, from, row, field);
  }
}

static bool holds_sections(const DlsDeckRow *row) {
  return row->kind >= DLS_DECK_SECTION && row->kind <= DLS_DECK_VARIANT;
}

static bool is_missing(const DlsDeckNode *node, const DlsDeckRow *row) {
  return !node || (holds_sections(row) && dls_deck_is_null(node));
}

static void read_row(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row, void *data,
                     bool clean) {
  void *field = (char *)data + row->offset;
  const DlsDeckNode *child = dls_deck_find(node, row->key);
  if (row->kind == DLS_DECK_NAME) return;
  if (row->kind == DLS_DECK_PLACE) {
    *(const DlsDeckNode **)field = node;
    return;
  }
  const bool implied = row->kind == DLS_DECK_SECTION || row->kind == DLS_DECK_VARIANT;
  if (is_missing(child, row) && !row->standard && !implied) {
    dls_deck_problem(deck, node, row->key, "is missing; add it to the section: %s%s%s%s",
                     row->meaning, row->unit ? " (" : "", row->unit ? row->unit : "",
                     row->unit ? ")" : "");
    return;
  }
  if (row->kind == DLS_DECK_VARIANT && !clean) return; /* what chooses it is wrong already */
  if (holds_sections(row)) {
    read_nested(deck, node, child, row, data);
    return;
  }
  if (!child && row->standard[0])
    read_standard(deck, node, row, field);
  else if (!child)
    dls_deck_clear_value(row, field);
  else if (row->spell && child->kind == DLS_DECK_MAPPING)
    spell_section(deck, child, row, field);
  else
    dls_deck_read_value(deck, child, row, field);
}

static void read_section(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckSection *section,
                         void *data) {
  const int before = deck->nproblems;
  if (dls_deck_is_null(node)) /* an item '-' or 'name:' with nothing behind it */
    node = empty_section(deck, node->parent, node->key, node);
  if (!node) return;
  if (node->kind != DLS_DECK_MAPPING) {
    dls_deck_problem(deck, node, NULL,
                     "is a section, not %s; write its 'key: value' lines below it",
                     node->kind == DLS_DECK_SEQUENCE ? "a list" : "a value");
    return;
  }
  for (const DlsDeckNode *child = node->first; child; child = child->next)
    if (!find_row(section, child->key)) report_unknown(deck, child, section);
  for (int k = 0; k < section->count && !deck->out_of_memory; k++)
    read_row(deck, node, &section->rows[k], data, deck->nproblems == before);
  if (section->check && deck->nproblems == before && !deck->out_of_memory)
    section->check(deck, node, data);
}

DlsStatus dls_deck_read(DlsDeck *deck, const DlsDeckSection *section, void *data) {
  return dls_deck_read_node(deck, deck->root, section, data);
}

DlsStatus dls_deck_read_node(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckSection *section,
                             void *data) {
  memset(data, 0, section->bytes);
  read_section(deck, node, section, data);
  const DlsStatus status = dls_deck_status(deck);
  if (status != DLS_OK) dls_deck_release(section, data);
  return status;
}

static void release_strings(DlsDeckStrings *strings) {
  for (int k = 0; k < strings->count; k++) free(strings->values[k]);
  free(strings->values);
}

static void release_row(const DlsDeckRow *row, void *field) {
  switch (row->kind) {
  case DLS_DECK_STRING:
  case DLS_DECK_PATH:
  case DLS_DECK_NAME:
    free(*(char **)field);
    break;
  case DLS_DECK_REALS:
    free(((DlsDeckReals *)field)->values);
    break;
  case DLS_DECK_STRINGS:
    release_strings(field);
    break;
  case DLS_DECK_EXPRESSION:
    dls_expression_destroy(field);
    break;
  case DLS_DECK_EXPRESSIONS:
    for (int k = 0; k < row->most; k++) dls_expression_destroy((DlsExpression **)field + k);
    break;
  case DLS_DECK_SECTION:
    dls_deck_release(row->section, field);
    break;
  case DLS_DECK_POINTER:
    if (*(void **)field) dls_deck_release(row->section, *(void **)field);
    free(*(void **)field);
    break;
  case DLS_DECK_LIST:
  case DLS_DECK_MAP: {
    DlsDeckList *list = field;
    for (int k = 0; k < list->count; k++)
      dls_deck_release(row->section, (char *)list->items + (size_t)k * row->section->bytes);
    free(list->items);
    break;
  }
  case DLS_DECK_VARIANT: {
    DlsDeckVariant *variant = field;
    if (variant->data) dls_deck_release(variant->section, variant->data);
    free(variant->data);
    break;
  }
  default:
    break;
  }
}

void dls_deck_release(const DlsDeckSection *section, void *data) {
  for (int k = 0; k < section->count; k++)
    release_row(&section->rows[k], (char *)data + section->rows[k].offset);
  memset(data, 0, section->bytes);
}
