/* Values of a deck: one scalar, or a list of them, checked against its row and stored in the
 * field. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "deck/deck_impl.h"
#include "deck/units.h"

static const char *unit_of(const DlsDeckRow *row) {
  return row->unit && strcmp(row->unit, "1") != 0 ? row->unit : "";
}

void dls_deck_bounds(const DlsDeckRow *row, char *out, size_t bytes) {
  char low[32], high[32];
  out[0] = '\0';
  if (row->min == 0 && row->max == 0) return;
  const bool positive = row->min == DLS_DECK_POSITIVE;
  dls_number_write(positive ? 0 : row->min, low, sizeof low);
  dls_number_write(row->max, high, sizeof high);
  if (isinf(row->min) && isinf(row->max)) return;
  if (isinf(row->max))
    snprintf(out, bytes, "%s %s", positive ? "above" : "at least", low);
  else if (isinf(row->min))
    snprintf(out, bytes, "at most %s", high);
  else
    snprintf(out, bytes, "%s %s %s %s", positive ? "above" : "from", low,
             positive ? "and at most" : "to", high);
}

static bool within(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row, double value) {
  char bounds[100];
  dls_deck_bounds(row, bounds, sizeof bounds);
  if (!bounds[0] || (value >= row->min && value <= row->max)) return true;
  const char *unit = unit_of(row), *blank = unit[0] ? " " : "";
  dls_deck_problem(deck, node, NULL, "%g%s%s is out of bounds; give a value %s%s%s", value, blank,
                   unit, bounds, blank, unit);
  return false;
}

/* The text of a scalar that has one; `what` says what is expected, with its article. */
static const char *text_of(DlsDeck *deck, const DlsDeckNode *node, const char *what) {
  if (node->kind != DLS_DECK_SCALAR) {
    dls_deck_problem(deck, node, NULL, "is %s, not %s; write one value", what,
                     node->kind == DLS_DECK_SEQUENCE ? "a list" : "a section");
    return NULL;
  }
  if (dls_deck_is_null(node)) {
    dls_deck_problem(deck, node, NULL, "has no value; give it %s, or remove the line", what);
    return NULL;
  }
  return node->text;
}

/* Turns the number in front of `unit` into SI. */
static bool convert(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row, const char *unit,
                    double *value) {
  DlsUnit given, wanted;
  if (dls_unit_parse(unit, &given) != DLS_OK) {
    dls_deck_problem(deck, node, NULL, "'%.60s': %s%s%s", node->text, dls_error_message(),
                     unit_of(row)[0] ? "; expected " : "; this is a plain number without unit",
                     unit_of(row));
    return false;
  }
  if (dls_unit_parse(unit_of(row), &wanted) != DLS_OK || !dls_unit_same(&given, &wanted)) {
    if (unit_of(row)[0])
      dls_deck_problem(deck, node, NULL,
                       "'%.60s' is in %.30s, which is no %s; give it in %s or a unit that converts "
                       "to it",
                       node->text, unit, row->unit, row->unit);
    else
      dls_deck_problem(deck, node, NULL,
                       "'%.60s' has a unit, this is a plain number; remove '%.30s'", node->text,
                       unit);
    return false;
  }
  if (!dls_unit_convert(&given, node->text, value)) deck->out_of_memory = true;
  return !deck->out_of_memory;
}

/* What may begin a unit; other characters behind a number make it no number. */
static bool begins_unit(const char *rest) {
  return isalpha((unsigned char)rest[0]) || (rest[0] & 0x80) || strncmp(rest, "1/", 2) == 0;
}

static bool read_number(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                        const char *what, double *out) {
  const char *rest, *text = text_of(deck, node, what);
  if (!text) return false;
  const DlsNumberKind kind = dls_number_parse(text, out, &rest);
  if (kind == DLS_NUMBER_NOT_FINITE) {
    dls_deck_problem(deck, node, NULL, "'%.60s' is no finite number; give %s", text, what);
    return false;
  }
  if (kind == DLS_NUMBER_NONE || (*rest && !begins_unit(rest))) {
    dls_deck_problem(deck, node, NULL, "is %s, not '%.60s'; %s%s", what, text,
                     *rest == ','      ? "write a decimal point, no comma"
                     : unit_of(row)[0] ? "write a plain number in "
                                       : "write a plain number",
                     *rest == ',' ? "" : unit_of(row));
    return false;
  }
  if (*rest && !convert(deck, node, row, rest, out)) return false;
  if (!isfinite(*out)) {
    dls_deck_problem(deck, node, NULL, "'%.60s' is no finite number; give %s", text, what);
    return false;
  }
  return true;
}

static bool read_real(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row, double *out) {
  return read_number(deck, node, row, "a number", out) && within(deck, node, row, *out);
}

static bool read_int(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row, int *out) {
  double value;
  if (!read_number(deck, node, row, "a whole number", &value)) return false;
  if (value != floor(value)) {
    dls_deck_problem(deck, node, NULL, "is a whole number, not '%.60s'; remove the fraction",
                     node->text);
    return false;
  }
  if (!within(deck, node, row, value)) return false;
  if (!dls_checked_real(value, -INT_MAX, INT_MAX, out)) {
    dls_deck_problem(deck, node, NULL, "'%.60s' is out of bounds; at most %d fits", node->text,
                     INT_MAX);
    return false;
  }
  return true;
}

static void read_bool(DlsDeck *deck, const DlsDeckNode *node, bool *out) {
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  const char *text = text_of(deck, node, "true or false");
  if (!text) return;
  for (int k = 0; k < DLS_COUNT(words); k++)
    if (strcasecmp(words[k], text) == 0) {
      *out = k % 2;
      return;
    }
  dls_deck_problem(deck, node, NULL, "is true or false, not '%.60s'; write one of the two", text);
}

static char *keep_text(DlsDeck *deck, const char *text) {
  char *copy = strdup(text);
  if (!copy) deck->out_of_memory = true;
  return copy;
}

const char *dls_deck_suggest(const char *text, const char *const *words, int count, char *out,
                             size_t bytes) {
  const char *nearest = dls_nearest(text, words, count);
  out[0] = '\0';
  if (nearest) snprintf(out, bytes, "; did you mean '%s'?", nearest);
  return out;
}

static bool read_choice(DlsDeck *deck, const DlsDeckNode *node, const char *choices, int *out) {
  enum { MOST = 32 };
  char names[MOST][80], list[600], hint[120];
  const char *words[MOST], *text = text_of(deck, node, "a word");
  if (!text) return false;
  *out = dls_choice_find(choices, text);
  if (*out >= 0) return true;
  int n = 0;
  for (; n < MOST && dls_choice_word(choices, n, names[n], sizeof names[n]); n++)
    words[n] = names[n];
  dls_choice_list(choices, ", ", list, sizeof list);
  dls_deck_problem(deck, node, NULL, "is one of %s, not '%.60s'%s", list, text,
                   dls_deck_suggest(text, words, n, hint, sizeof hint));
  return false;
}

/* A relative path begins at the folder of the deck; behind --set, at the working directory. */
static void read_path(DlsDeck *deck, const DlsDeckNode *node, char **out) {
  const char *text = text_of(deck, node, "the path of a file");
  if (!text) return;
  char joined[4096];
  const char *slash = strrchr(deck->path, '/');
  if (text[0] == '/' || node->set || !slash)
    snprintf(joined, sizeof joined, "%s", text);
  else
    snprintf(joined, sizeof joined, "%.*s/%s", (int)(slash - deck->path), deck->path, text);
  struct stat info;
  if (stat(joined, &info) != 0 || access(joined, R_OK) != 0)
    dls_deck_problem(
        deck, node, NULL,
        "the file '%.200s' cannot be read; a relative path begins at the folder of the "
        "deck",
        joined);
  else if (S_ISDIR(info.st_mode))
    dls_deck_problem(deck, node, NULL, "'%.200s' is a folder; name a file in it", joined);
  else if (!(*out = realpath(joined, NULL)))
    deck->out_of_memory = true;
}

/* YAML ends an item of [a, b] at every comma, also inside of brackets. */
static const char *torn_apart(const DlsDeckNode *node) {
  const bool torn =
      !node->key && !node->quoted && !strchr(node->text, '(') != !strchr(node->text, ')');
  return torn ? "; in a list put an expression that has commas in quotes" : "";
}

/* A plain number, with its unit or without, is a constant; anything else goes to the parser. */
static void read_expression(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                            DlsExpression **out) {
  const char *rest, *text = text_of(deck, node, "an expression");
  double value;
  if (!text) return;
  DlsStatus status;
  const DlsNumberKind kind = dls_number_parse(text, &value, &rest);
  if (kind == DLS_NUMBER_NOT_FINITE || (kind == DLS_NUMBER_FOUND && *rest == '\0')) {
    if (!read_real(deck, node, row, &value)) return;
    status = dls_expression_number(value, out);
  } else {
    DlsUnit unit;
    if (kind == DLS_NUMBER_FOUND && begins_unit(rest) && dls_unit_parse(rest, &unit) == DLS_OK) {
      if (!read_real(deck, node, row, &value)) return;
      status = dls_expression_number(value, out);
    } else {
      status = dls_expression_create(text, row->choices, out);
    }
  }
  const bool only_time = !row->choices || !strchr(row->choices, '|');
  if (status == DLS_OK && (only_time || dls_expression_is_constant(*out)))
    status = dls_expression_check(*out, 0, 0, 1);
  if (status != DLS_OK)
    dls_deck_problem(deck, node, NULL, "%s%s", dls_error_message(), torn_apart(node));
  else if (dls_expression_is_constant(*out))
    within(deck, node, row, dls_expression_value(*out, 0));
}

/* A list of least..most items; `what` are they. */
static bool is_list(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                    const char *what) {
  const int least = row->least, most = row->most;
  char size[60];
  if (most == 0)
    snprintf(size, sizeof size, "%d or more", least);
  else if (least == most)
    snprintf(size, sizeof size, "%d", most);
  else
    snprintf(size, sizeof size, "%d to %d", least, most);
  if (node->kind != DLS_DECK_SEQUENCE) {
    dls_deck_problem(deck, node, NULL, "is a list of %s %s, not %s%.60s%s; write [a, b, ...]", size,
                     what, node->kind == DLS_DECK_SCALAR ? "'" : "a section",
                     node->kind == DLS_DECK_SCALAR ? node->text : "",
                     node->kind == DLS_DECK_SCALAR ? "'" : "");
    return false;
  }
  if (node->count < least || (most > 0 && node->count > most)) {
    dls_deck_problem(deck, node, NULL, "has %d item%s, needs %s %s; separate them by commas",
                     node->count, node->count == 1 ? "" : "s", size, what);
    return false;
  }
  return true;
}

static void read_vector(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                        void *field) {
  const bool symbolic = row->kind == DLS_DECK_EXPRESSIONS;
  if (!is_list(deck, node, row, symbolic ? "expressions" : "numbers")) return;
  int k = 0;
  for (const DlsDeckNode *item = node->first; item; item = item->next, k++) {
    if (symbolic)
      read_expression(deck, item, row, (DlsExpression **)field + k);
    else if (row->kind == DLS_DECK_INTEGERS)
      read_int(deck, item, row, (int *)field + k);
    else
      read_real(deck, item, row, (double *)field + k);
  }
  for (; symbolic && k < row->most; k++)
    if (dls_expression_number(0, (DlsExpression **)field + k) != DLS_OK) deck->out_of_memory = true;
}

static void read_reals(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                       DlsDeckReals *out) {
  if (!is_list(deck, node, row, "numbers")) return;
  out->values = dls_memory_array((size_t)node->count, sizeof *out->values);
  if (!out->values) {
    deck->out_of_memory = true;
    return;
  }
  for (const DlsDeckNode *item = node->first; item; item = item->next)
    read_real(deck, item, row, &out->values[out->count++]);
}

static void read_strings(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                         DlsDeckStrings *out) {
  int number;
  const bool alone = row->least == 1 && node->kind == DLS_DECK_SCALAR;
  if (!alone && !is_list(deck, node, row, "words")) return;
  out->values = dls_memory_array(alone ? 1 : (size_t)node->count, sizeof *out->values);
  if (!out->values) {
    deck->out_of_memory = true;
    return;
  }
  for (const DlsDeckNode *item = alone ? node : node->first; item;
       item = alone ? NULL : item->next) {
    const bool good = row->choices ? read_choice(deck, item, row->choices, &number)
                                   : text_of(deck, item, "a word") != NULL;
    out->values[out->count++] = good ? keep_text(deck, item->text) : NULL;
  }
}

void dls_deck_read_value(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckRow *row,
                         void *field) {
  switch (row->kind) {
  case DLS_DECK_REAL:
    read_real(deck, node, row, field);
    break;
  case DLS_DECK_INT:
    read_int(deck, node, row, field);
    break;
  case DLS_DECK_BOOL:
    read_bool(deck, node, field);
    break;
  case DLS_DECK_STRING:
    if (text_of(deck, node, "a text")) *(char **)field = keep_text(deck, node->text);
    break;
  case DLS_DECK_PATH:
    read_path(deck, node, field);
    break;
  case DLS_DECK_CHOICE:
    read_choice(deck, node, row->choices, field);
    break;
  case DLS_DECK_VECTOR:
  case DLS_DECK_INTEGERS:
  case DLS_DECK_EXPRESSIONS:
    read_vector(deck, node, row, field);
    break;
  case DLS_DECK_REALS:
    read_reals(deck, node, row, field);
    break;
  case DLS_DECK_STRINGS:
    read_strings(deck, node, row, field);
    break;
  case DLS_DECK_EXPRESSION:
    read_expression(deck, node, row, field);
    break;
  default:
    break; /* sections are read.c's */
  }
}

void dls_deck_clear_value(const DlsDeckRow *row, void *field) {
  switch (row->kind) {
  case DLS_DECK_REAL:
    *(double *)field = NAN;
    break;
  case DLS_DECK_INT:
    *(int *)field = DLS_DECK_NO_INT;
    break;
  case DLS_DECK_CHOICE:
    *(int *)field = -1;
    break;
  case DLS_DECK_VECTOR:
    for (int k = 0; k < row->most; k++) ((double *)field)[k] = NAN;
    break;
  case DLS_DECK_INTEGERS:
    for (int k = 0; k < row->most; k++) ((int *)field)[k] = DLS_DECK_NO_INT;
    break;
  default:
    break; /* zero, as the struct began */
  }
}
