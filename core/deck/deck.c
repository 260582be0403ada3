/* Opening a deck, and the list of its problems. */
#include "deck/deck.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "deck/deck_impl.h"
#include "deck/tree.h"

static DlsStatus parse(DlsDeck *deck, const char *name, const char *text, size_t bytes) {
  deck->path = dls_arena_text(&deck->arena, name, strlen(name));
  DLS_CHECK(deck->path, DLS_ERR_MEMORY, "out of memory while reading the deck");
  DLS_CHECK(bytes <= DLS_DECK_MAX_BYTES, DLS_ERR_FORMAT,
            "%s: larger than %d MB; move bulk data into a CSV file that the deck names", name,
            DLS_DECK_MAX_BYTES >> 20);
  DLS_TRY(dls_tree_parse(&deck->arena, deck->path, NULL, text, bytes, &deck->root));
  DLS_CHECK(!dls_deck_is_null(deck->root), DLS_ERR_FORMAT,
            "%s: the deck is empty; it needs at least its required keys", name);
  DLS_CHECK(deck->root->kind == DLS_DECK_MAPPING, DLS_ERR_FORMAT,
            "%s:%d: a deck is made of 'key: value' lines, this is %s; begin with a key such as "
            "'title:'",
            name, deck->root->line, deck->root->kind == DLS_DECK_SCALAR ? "a text" : "a list");
  return DLS_OK;
}

DlsStatus dls_deck_parse(const char *name, const char *text, size_t bytes, DlsDeck **out) {
  *out = NULL;
  DlsDeck *deck;
  DLS_NEW(deck, 1);
  const DlsStatus status = parse(deck, name, text, bytes);
  if (status != DLS_OK)
    dls_deck_destroy(&deck);
  else
    *out = deck;
  return status;
}

static DlsStatus read_file(FILE *file, const char *path, char **out, size_t *bytes) {
  struct stat info;
  DLS_CHECK(fstat(fileno(file), &info) == 0, DLS_ERR_FILE, "%s: %s", path, strerror(errno));
  DLS_CHECK(info.st_size <= DLS_DECK_MAX_BYTES, DLS_ERR_FORMAT,
            "%s: larger than %d MB; move bulk data into a CSV file that the deck names", path,
            DLS_DECK_MAX_BYTES >> 20);
  DLS_NEW(*out, info.st_size + 1);
  *bytes = fread(*out, 1, (size_t)info.st_size, file);
  DLS_CHECK(!ferror(file), DLS_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
  return DLS_OK;
}

DlsStatus dls_deck_open(const char *path, DlsDeck **out) {
  *out = NULL;
  char *text = NULL;
  size_t bytes = 0;
  FILE *file;
  DLS_TRY(dls_file_open(path, &file));
  DlsStatus status = read_file(file, path, &text, &bytes);
  fclose(file);
  if (status == DLS_OK) status = dls_deck_parse(path, text, bytes, out);
  free(text);
  return status;
}

void dls_deck_destroy(DlsDeck **deck) {
  if (!*deck) return;
  for (int k = 0; k < (*deck)->nkept; k++) free((*deck)->problems[k].text);
  dls_arena_end(&(*deck)->arena);
  free(*deck);
  *deck = NULL;
}

const char *dls_deck_path(const DlsDeck *deck) { return deck->path; }

const DlsDeckNode *dls_deck_root(const DlsDeck *deck) { return deck->root; }

/* By line, those of equal lines in the order of arrival; of too many the last lines are dropped. */
static void keep(DlsDeck *deck, char *text, int line) {
  int k = deck->nkept;
  while (k > 0 && deck->problems[k - 1].line > line) k--;
  if (k == DLS_DECK_PROBLEMS) {
    free(text);
    return;
  }
  if (deck->nkept == DLS_DECK_PROBLEMS) free(deck->problems[--deck->nkept].text);
  memmove(&deck->problems[k + 1], &deck->problems[k],
          (size_t)(deck->nkept - k) * sizeof deck->problems[0]);
  deck->problems[k] = (DlsDeckProblem){text, line};
  deck->nkept++;
}

void dls_deck_problem(DlsDeck *deck, const DlsDeckNode *node, const char *key, const char *format,
                      ...) {
  char path[400], place[600], sentence[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  const DlsDeckNode *child = key ? dls_deck_find(node, key) : NULL;
  dls_deck_node_path(node, path, sizeof path);
  if (key) {
    const size_t used = strlen(path);
    snprintf(path + used, sizeof path - used, "%s%s", used ? "." : "", key);
  }
  if (child) node = child;
  if (node->set)
    snprintf(place, sizeof place, "%.500s", node->set);
  else
    snprintf(place, sizeof place, "%.500s:%d", deck->path, node->line);
  deck->nproblems++;
  const size_t bytes = strlen(place) + strlen(path) + strlen(sentence) + 5;
  char *text = malloc(bytes);
  if (!text) {
    deck->out_of_memory = true;
    return;
  }
  snprintf(text, bytes, "%s: %s%s%s", place, path, path[0] ? ": " : "", sentence);
  keep(deck, text, node->set ? 0 : node->line);
}

int dls_deck_problem_count(const DlsDeck *deck) { return deck->nproblems; }

const char *dls_deck_problem_text(const DlsDeck *deck, int k) {
  return k >= 0 && k < deck->nkept ? deck->problems[k].text : NULL;
}

DlsStatus dls_deck_status(const DlsDeck *deck) {
  DLS_CHECK(!deck->out_of_memory, DLS_ERR_MEMORY, "%s: out of memory while reading the deck",
            deck->path);
  if (deck->nproblems == 0) return DLS_OK;
  const int more = deck->nproblems - 1;
  if (more == 0) return dls_fail(DLS_ERR_FORMAT, "%s", deck->problems[0].text);
  return dls_fail(DLS_ERR_FORMAT, "%.900s (and %d more problem%s in the deck)",
                  deck->problems[0].text, more, more > 1 ? "s" : "");
}
