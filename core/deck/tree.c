/* From YAML text to a tree, over libyaml's events. An alias becomes a copy of what it stands for,
 * and the copies are counted; so a few lines that would unfold into millions of nodes are
 * refused. */
#include "deck/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct Anchor {
  const char *name;
  const DlsDeckNode *node;
  bool whole; /* false while its own content is being read */
  struct Anchor *next;
} Anchor;

typedef struct {
  yaml_parser_t parser;
  yaml_event_t event; /* the current one; zeroed when there is none */
  DlsArena *arena;
  const char *name, *set, *text;
  size_t bytes;
  Anchor *anchors; /* newest first */
  int nanchors, naliases, nnodes;
} Reader;

static const char *out_of_memory = "out of memory while reading the deck";

static DlsStatus fail_at(const Reader *reader, yaml_mark_t mark, const char *sentence) {
  if (reader->set)
    return dls_fail(DLS_ERR_FORMAT, "%s: character %zu of the value: %s", reader->set,
                    mark.column + 1, sentence);
  return dls_fail(DLS_ERR_FORMAT, "%s:%zu:%zu: %s", reader->name, mark.line + 1, mark.column + 1,
                  sentence);
}

/* libyaml's problem and what to do about it. */
static const struct {
  const char *problem, *cure;
} cures[] = {
    {"mapping values are not allowed",
     "write one 'key: value' per line, and text that holds ': ' in quotes"},
    {"expected key", "keys of one section begin in the same column"},
    {"expected ':'", "a key is followed by a colon and a blank, such as 'step: 1e-3'"},
    {"expected ',' or ']'", "separate the items by commas and close the list with ]"},
    {"expected ',' or '}'", "separate the items by commas and close the braces with }"},
    {"unexpected end of stream", "close the quote that is open"},
    {"expected '-' indicator", "items of one list begin with '- ' in the same column"},
    {"cannot start any token", "put text that begins with such a character in quotes"},
    {"block sequence entries are not allowed", "begin the list on the line below its key"},
    {"expected <document start>",
     "the file goes on behind its last section; check the indentation"},
    {"unknown escape character", "in double quotes a backslash is written twice"},
    {"control characters", "the file holds bytes that are no text; save it as UTF-8 text"},
    {"octet", "save the file as UTF-8"},
    {"UTF-8", "save the file as UTF-8"},
    {"", "check the indentation and the quotes at this place"},
};

static const char *cure_of(const char *problem) {
  int k = 0;
  while (!strstr(problem, cures[k].problem)) k++; /* the last one fits all */
  return cures[k].cure;
}

static yaml_mark_t mark_of_byte(const Reader *reader, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t k = 0; k < offset && k < reader->bytes; k++) {
    mark.column++;
    if (reader->text[k] == '\n') mark.line++, mark.column = 0;
  }
  return mark;
}

static bool tab_begins(const Reader *reader, yaml_mark_t mark) {
  size_t k = 0;
  for (size_t line = 0; line < mark.line && k < reader->bytes; k++) line += reader->text[k] == '\n';
  while (k < reader->bytes && reader->text[k] == ' ') k++;
  return k < reader->bytes && reader->text[k] == '\t';
}

static DlsStatus syntax_error(const Reader *reader) {
  const yaml_parser_t *parser = &reader->parser;
  if (parser->error == YAML_MEMORY_ERROR) return dls_fail(DLS_ERR_MEMORY, "%s", out_of_memory);
  const char *problem = parser->problem ? parser->problem : "this is no YAML";
  char sentence[400], context[120] = "";
  if (parser->error == YAML_READER_ERROR) {
    snprintf(sentence, sizeof sentence, "%s; %s", problem, cure_of(problem));
    return fail_at(reader, mark_of_byte(reader, parser->problem_offset), sentence);
  }
  if (tab_begins(reader, parser->problem_mark))
    return fail_at(reader, parser->problem_mark,
                   "a tab in the indentation; indent with blanks, YAML knows no tabs");
  if (parser->context && strstr(problem, "expected ':'")) { /* noticed behind the key */
    snprintf(sentence, sizeof sentence, "a key without its colon; %s", cure_of(problem));
    return fail_at(reader, parser->context_mark, sentence);
  }
  if (parser->context && !reader->set)
    snprintf(context, sizeof context, " %s that begins at line %zu", parser->context,
             parser->context_mark.line + 1);
  snprintf(sentence, sizeof sentence, "%s%s; %s", problem, context, cure_of(problem));
  return fail_at(reader, parser->problem_mark, sentence);
}

static DlsStatus next_event(Reader *reader) {
  yaml_event_delete(&reader->event);
  memset(&reader->event, 0, sizeof reader->event);
  if (!yaml_parser_parse(&reader->parser, &reader->event)) return syntax_error(reader);
  return DLS_OK;
}

static DlsStatus count_node(Reader *reader, int depth) {
  const yaml_mark_t mark = reader->event.start_mark;
  char sentence[160];
  if (depth > DLS_DECK_MAX_DEPTH) {
    snprintf(sentence, sizeof sentence, "nested deeper than %d levels; flatten this part",
             DLS_DECK_MAX_DEPTH);
    return fail_at(reader, mark, sentence);
  }
  if (++reader->nnodes > DLS_DECK_MAX_NODES) {
    snprintf(sentence, sizeof sentence,
             "more than %d values%s; move bulk data into a CSV file that the deck names",
             DLS_DECK_MAX_NODES, reader->naliases ? " once the aliases are unfolded" : "");
    return fail_at(reader, mark, sentence);
  }
  return DLS_OK;
}

static DlsStatus new_node(Reader *reader, DlsDeckNodeKind kind, int depth, DlsDeckNode **out) {
  DLS_TRY(count_node(reader, depth));
  DlsDeckNode *node = dls_tree_new(reader->arena, kind, NULL);
  DLS_CHECK(node, DLS_ERR_MEMORY, "%s", out_of_memory);
  node->line = (int)reader->event.start_mark.line + 1;
  node->column = (int)reader->event.start_mark.column + 1;
  node->set = reader->set;
  *out = node;
  return DLS_OK;
}

static DlsStatus copy_node(Reader *reader, const DlsDeckNode *from, int depth, DlsDeckNode **out) {
  DlsDeckNode *node;
  DLS_TRY(new_node(reader, from->kind, depth, &node));
  node->text = from->text;
  node->quoted = from->quoted;
  node->line = from->line;
  node->column = from->column;
  for (const DlsDeckNode *child = from->first; child; child = child->next) {
    DlsDeckNode *copy;
    DLS_TRY(copy_node(reader, child, depth + 1, &copy));
    dls_tree_append(node, child->key, copy);
  }
  *out = node;
  return DLS_OK;
}

static DlsStatus read_alias(Reader *reader, int depth, DlsDeckNode **out) {
  const yaml_mark_t mark = reader->event.start_mark;
  const char *name = (const char *)reader->event.data.alias.anchor;
  char sentence[200];
  const Anchor *anchor = reader->anchors;
  while (anchor && strcmp(anchor->name, name) != 0) anchor = anchor->next;
  if (!anchor || !anchor->whole) {
    snprintf(sentence, sizeof sentence, "*%.60s %s", name,
             anchor ? "stands inside what it stands for; write the value out"
                    : "has no anchor above it; write &NAME before the value that it stands for, or "
                      "quotes around the text");
    return fail_at(reader, mark, sentence);
  }
  if (++reader->naliases > DLS_DECK_MAX_ALIASES)
    return fail_at(reader, mark, "too many aliases; write the values out");
  return copy_node(reader, anchor->node, depth, out);
}

static DlsStatus add_anchor(Reader *reader, const yaml_char_t *name, const DlsDeckNode *node,
                            Anchor **out) {
  *out = NULL;
  if (!name) return DLS_OK;
  if (++reader->nanchors > DLS_DECK_MAX_ALIASES / 10)
    return fail_at(reader, reader->event.start_mark, "too many anchors; write the values out");
  Anchor *anchor = dls_arena_take(reader->arena, sizeof *anchor);
  DLS_CHECK(anchor, DLS_ERR_MEMORY, "%s", out_of_memory);
  anchor->name = dls_arena_text(reader->arena, (const char *)name, strlen((const char *)name));
  DLS_CHECK(anchor->name, DLS_ERR_MEMORY, "%s", out_of_memory);
  anchor->node = node;
  anchor->next = reader->anchors;
  reader->anchors = *out = anchor;
  return DLS_OK;
}

static DlsStatus refuse_tag(const Reader *reader, const yaml_char_t *tag) {
  if (!tag) return DLS_OK;
  char sentence[160];
  snprintf(sentence, sizeof sentence,
           "the tag '%.60s' is not supported; remove it, the key knows its type",
           (const char *)tag);
  return fail_at(reader, reader->event.start_mark, sentence);
}

/* The text of the scalar that is the current event. */
static DlsStatus take_text(Reader *reader, const char **out) {
  const char *text = (const char *)reader->event.data.scalar.value;
  const size_t length = reader->event.data.scalar.length;
  if (memchr(text, '\0', length))
    return fail_at(reader, reader->event.start_mark, "a zero byte in a text; remove it");
  *out = dls_arena_text(reader->arena, text, length);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "%s", out_of_memory);
  return DLS_OK;
}

static DlsStatus read_key(Reader *reader, const char **out, yaml_mark_t *mark) {
  *mark = reader->event.start_mark;
  if (reader->event.type != YAML_SCALAR_EVENT)
    return fail_at(reader, *mark, "a key is a word; lists, sections and aliases are no keys");
  DLS_TRY(refuse_tag(reader, reader->event.data.scalar.tag));
  DLS_TRY(take_text(reader, out));
  if (strcmp(*out, "<<") == 0)
    return fail_at(reader, *mark, "merge keys ('<<') are not supported; write the keys out");
  if ((*out)[0] == '\0') return fail_at(reader, *mark, "an empty key; write its name before ':'");
  return DLS_OK;
}

static DlsStatus read_node(Reader *reader, int depth, DlsDeckNode **out);

static DlsStatus read_children(Reader *reader, DlsDeckNode *node, int depth) {
  const bool map = node->kind == DLS_DECK_MAPPING;
  const yaml_event_type_t end = map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
  for (;;) {
    const char *key = NULL;
    yaml_mark_t mark = {0};
    DlsDeckNode *child = NULL;
    DLS_TRY(next_event(reader));
    if (reader->event.type == end) return DLS_OK;
    if (map) {
      DLS_TRY(read_key(reader, &key, &mark));
      DLS_TRY(next_event(reader));
    }
    DLS_TRY(read_node(reader, depth + 1, &child));
    if (map) {
      child->line = (int)mark.line + 1;
      child->column = (int)mark.column + 1;
    }
    dls_tree_append(node, key, child);
  }
}

static int by_key(const void *a, const void *b) {
  const DlsDeckNode *x = *(const DlsDeckNode *const *)a, *y = *(const DlsDeckNode *const *)b;
  const int order = strcmp(x->key, y->key);
  return order ? order : x->index - y->index;
}

/* No key twice in a map: sorted, for maps of a hundred thousand keys too. */
static DlsStatus check_keys(const Reader *reader, const DlsDeckNode *map) {
  if (map->count < 2) return DLS_OK;
  const DlsDeckNode **sorted = malloc((size_t)map->count * sizeof(DlsDeckNode *));
  DLS_CHECK(sorted, DLS_ERR_MEMORY, "%s", out_of_memory);
  int n = 0;
  for (const DlsDeckNode *child = map->first; child; child = child->next) sorted[n++] = child;
  qsort(sorted, (size_t)n, sizeof(DlsDeckNode *), by_key);
  DlsStatus status = DLS_OK;
  for (int k = 1; k < n && status == DLS_OK; k++) {
    if (strcmp(sorted[k]->key, sorted[k - 1]->key) != 0) continue;
    char sentence[240];
    snprintf(sentence, sizeof sentence,
             "the key '%.60s' stands here for the second time (first at "
             "line %d); remove one",
             sorted[k]->key, sorted[k - 1]->line);
    const yaml_mark_t mark = {.line = (size_t)sorted[k]->line - 1,
                              .column = (size_t)sorted[k]->column - 1};
    status = fail_at(reader, mark, sentence);
  }
  free(sorted);
  return status;
}

/* The node that begins with the current event. */
static DlsStatus read_node(Reader *reader, int depth, DlsDeckNode **out) {
  const yaml_event_t *event = &reader->event;
  Anchor *anchor;
  if (event->type == YAML_ALIAS_EVENT) return read_alias(reader, depth, out);
  if (event->type == YAML_SCALAR_EVENT) {
    DLS_TRY(refuse_tag(reader, event->data.scalar.tag));
    DLS_TRY(new_node(reader, DLS_DECK_SCALAR, depth, out));
    (*out)->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    DLS_TRY(take_text(reader, &(*out)->text));
    DLS_TRY(add_anchor(reader, event->data.scalar.anchor, *out, &anchor));
  } else {
    const bool map = event->type == YAML_MAPPING_START_EVENT;
    DLS_TRY(
        refuse_tag(reader, map ? event->data.mapping_start.tag : event->data.sequence_start.tag));
    DLS_TRY(new_node(reader, map ? DLS_DECK_MAPPING : DLS_DECK_SEQUENCE, depth, out));
    DLS_TRY(add_anchor(reader,
                       map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
                       *out, &anchor));
    DLS_TRY(read_children(reader, *out, depth));
    if (map) DLS_TRY(check_keys(reader, *out));
  }
  if (anchor) anchor->whole = true;
  return DLS_OK;
}

static DlsStatus read_document(Reader *reader, DlsDeckNode **out) {
  do { /* stream start, document start */
    DLS_TRY(next_event(reader));
    if (reader->event.type == YAML_STREAM_END_EVENT) {
      if (reader->set) return dls_fail(DLS_ERR_FORMAT, "%s: has no value", reader->set);
      return dls_fail(DLS_ERR_FORMAT, "%s: the deck is empty; it needs at least its required keys",
                      reader->name);
    }
  } while (reader->event.type == YAML_STREAM_START_EVENT ||
           reader->event.type == YAML_DOCUMENT_START_EVENT);
  DLS_TRY(read_node(reader, 0, out));
  DLS_TRY(next_event(reader)); /* document end */
  DLS_TRY(next_event(reader));
  if (reader->event.type != YAML_STREAM_END_EVENT)
    return fail_at(reader, reader->event.start_mark,
                   "a second document; a deck is one document, remove the '---'");
  return DLS_OK;
}

DlsStatus dls_tree_parse(DlsArena *arena, const char *name, const char *set, const char *text,
                         size_t bytes, DlsDeckNode **out) {
  *out = NULL;
  Reader reader = {.arena = arena, .name = name, .set = set, .text = text, .bytes = bytes};
  DLS_CHECK(yaml_parser_initialize(&reader.parser), DLS_ERR_MEMORY, "%s", out_of_memory);
  yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, bytes);
  DlsDeckNode *root = NULL;
  const DlsStatus status = read_document(&reader, &root);
  yaml_event_delete(&reader.event);
  yaml_parser_delete(&reader.parser);
  if (status == DLS_OK) *out = root;
  return status;
}
