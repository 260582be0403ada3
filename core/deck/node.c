/* Finding nodes in the tree of a deck, their paths, and putting them together. */
#include "deck/node.h"

#include <stdio.h>
#include <string.h>

#include "deck/tree.h"

const DlsDeckNode *dls_deck_find(const DlsDeckNode *section, const char *key) {
  if (!section || section->kind != DLS_DECK_MAPPING) return NULL;
  for (const DlsDeckNode *child = section->first; child; child = child->next)
    if (strcmp(child->key, key) == 0) return child;
  return NULL;
}

void dls_deck_node_path(const DlsDeckNode *node, char *out, size_t bytes) {
  const DlsDeckNode *chain[DLS_DECK_MAX_DEPTH + 8];
  int depth = 0;
  for (; node && node->parent && depth < DLS_COUNT(chain); node = node->parent)
    chain[depth++] = node;
  out[0] = '\0';
  for (size_t used = 0; depth > 0 && used + 1 < bytes;) {
    const DlsDeckNode *step = chain[--depth];
    const int length =
        step->key ? snprintf(out + used, bytes - used, "%s%.60s", used ? "." : "", step->key)
                  : snprintf(out + used, bytes - used, "[%d]", step->index);
    used += (size_t)length;
  }
}

bool dls_deck_is_null(const DlsDeckNode *node) {
  if (node->kind != DLS_DECK_SCALAR || node->quoted) return false;
  return node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

DlsDeckNode *dls_tree_new(DlsArena *arena, DlsDeckNodeKind kind, const DlsDeckNode *near) {
  DlsDeckNode *node = dls_arena_take(arena, sizeof *node);
  if (!node) return NULL;
  node->kind = kind;
  node->text = "";
  if (near) {
    node->line = near->line;
    node->column = near->column;
    node->set = near->set;
  }
  return node;
}

void dls_tree_append(DlsDeckNode *parent, const char *key, DlsDeckNode *child) {
  child->parent = parent;
  child->key = key;
  child->index = parent->count++;
  if (parent->last)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
}

void dls_tree_remove(DlsDeckNode *parent, DlsDeckNode *child) {
  DlsDeckNode *before = NULL;
  for (DlsDeckNode *node = parent->first; node != child; node = node->next) before = node;
  if (before)
    before->next = child->next;
  else
    parent->first = child->next;
  if (parent->last == child) parent->last = before;
  for (DlsDeckNode *node = child->next; node; node = node->next) node->index--;
  parent->count--;
  child->parent = NULL;
  child->next = NULL;
}

void dls_tree_replace(DlsDeckNode *parent, DlsDeckNode *old, DlsDeckNode *node) {
  DlsDeckNode **link = &parent->first;
  while (*link != old) link = &(*link)->next;
  node->parent = parent;
  node->key = old->key;
  node->index = old->index;
  node->next = old->next;
  *link = node;
  if (parent->last == old) parent->last = node;
  old->parent = NULL;
  old->next = NULL;
}
