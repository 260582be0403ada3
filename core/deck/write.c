/* The resolved deck: a struct written back as YAML by its schema, every default filled in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "deck/deck_impl.h"
#include "deck/units.h"
#include "deck/utf8.h"

enum { COMMENT_COLUMN = 40 };

typedef struct {
  FILE *file;
  int column;
  bool comments; /* off in all items of a list but the first */
} Writer;

static void put(Writer *w, const char *text) {
  fputs(text, w->file);
  w->column += (int)strlen(text);
}

static void put_number(Writer *w, double value) {
  char text[40];
  dls_number_write(value, text, sizeof text);
  put(w, text);
}

/* What YAML takes for a line break or refuses, even between quotes. */
static bool needs_escape(unsigned code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* In double quotes, with YAML's escapes; other UTF-8 as it is. */
static void put_quoted(Writer *w, const char *text) {
  put(w, "\"");
  while (*text) {
    char piece[16];
    unsigned code = 0xfffd;
    const int length = dls_utf8_next(text, &code);
    if (length == 0 || needs_escape(code))
      snprintf(piece, sizeof piece, "\\u%04x", code & 0xffff);
    else
      snprintf(piece, sizeof piece, "%s%.*s", code == '"' || code == '\\' ? "\\" : "", length,
               text);
    put(w, piece);
    text += length ? length : 1;
  }
  put(w, "\"");
}

/* A plain number as it is, other expressions in quotes. */
static void put_expression(Writer *w, const DlsExpression *expression) {
  const char *text = dls_expression_text(expression), *rest;
  double number;
  if (dls_number_parse(text, &number, &rest) == DLS_NUMBER_FOUND && *rest == '\0')
    put(w, text);
  else
    put_quoted(w, text);
}

static void indent(Writer *w, int level) {
  for (int k = 0; k < level; k++) put(w, "  ");
}

static void end_line(Writer *w, const DlsDeckRow *row) {
  if (w->comments && row && row->meaning[0]) {
    do put(w, " ");
    while (w->column < COMMENT_COLUMN);
    const bool unit = row->unit && strcmp(row->unit, "1") != 0;
    fprintf(w->file, "# %s%s%s", unit ? row->unit : "", unit ? "; " : "", row->meaning);
  }
  fputs("\n", w->file);
  w->column = 0;
}

/* [a, b, c] of `count` items, each written by the kind of the row; a word that may stand alone
 * does. */
static void put_items(Writer *w, const DlsDeckRow *row, const void *field, int count) {
  const bool alone = row->kind == DLS_DECK_STRINGS && row->least == 1 && count == 1;
  if (!alone) put(w, "[");
  for (int k = 0; k < count; k++) {
    char number[16];
    if (k) put(w, ", ");
    switch (row->kind) {
    case DLS_DECK_INTEGERS:
      snprintf(number, sizeof number, "%d", ((const int *)field)[k]);
      put(w, number);
      break;
    case DLS_DECK_STRINGS:
      put_quoted(w, ((char *const *)field)[k]);
      break;
    case DLS_DECK_EXPRESSIONS:
      put_expression(w, ((DlsExpression *const *)field)[k]);
      break;
    default:
      put_number(w, ((const double *)field)[k]);
    }
  }
  if (!alone) put(w, "]");
}

/* Components of a vector, without the zeros at its end that stand for what was not written. */
static int written_count(const DlsDeckRow *row, const void *field) {
  static const int zero[2]; /* as a double: +0 */
  int n = row->most;
  for (; n > row->least; n--) {
    if (row->kind == DLS_DECK_EXPRESSIONS) {
      if (strcmp(dls_expression_text(((DlsExpression *const *)field)[n - 1]), "0") != 0) break;
    } else {
      const size_t bytes = row->kind == DLS_DECK_INTEGERS ? sizeof(int) : sizeof(double);
      if (memcmp((const char *)field + (size_t)(n - 1) * bytes, zero, bytes) != 0) break;
    }
  }
  return n;
}

static bool is_empty(const DlsDeckSection *section, const void *data);

/* A field that says that its key was not given; of a section that depends on others, that nothing
 * in it was. */
static bool is_absent(const DlsDeckRow *row, const void *field) {
  switch (row->kind) {
  case DLS_DECK_REAL:
  case DLS_DECK_VECTOR:
    return isnan(*(const double *)field);
  case DLS_DECK_INT:
  case DLS_DECK_INTEGERS:
    return *(const int *)field == DLS_DECK_NO_INT;
  case DLS_DECK_CHOICE:
    return *(const int *)field < 0;
  case DLS_DECK_STRING:
  case DLS_DECK_PATH:
  case DLS_DECK_POINTER:
    return *(void *const *)field == NULL;
  case DLS_DECK_EXPRESSION:
  case DLS_DECK_EXPRESSIONS:
    return *(DlsExpression *const *)field == NULL;
  case DLS_DECK_REALS:
    return ((const DlsDeckReals *)field)->values == NULL;
  case DLS_DECK_STRINGS:
    return ((const DlsDeckStrings *)field)->values == NULL;
  case DLS_DECK_LIST:
  case DLS_DECK_MAP:
    return ((const DlsDeckList *)field)->items == NULL;
  case DLS_DECK_VARIANT:
    return ((const DlsDeckVariant *)field)->data == NULL ||
           is_empty(((const DlsDeckVariant *)field)->section,
                    ((const DlsDeckVariant *)field)->data);
  case DLS_DECK_NAME:
  case DLS_DECK_PLACE:
    return true;
  default:
    return false;
  }
}

static void put_value(Writer *w, const DlsDeckRow *row, const void *field) {
  char text[80];
  switch (row->kind) {
  case DLS_DECK_REAL:
    put_number(w, *(const double *)field);
    break;
  case DLS_DECK_INT:
    snprintf(text, sizeof text, "%d", *(const int *)field);
    put(w, text);
    break;
  case DLS_DECK_BOOL:
    put(w, *(const bool *)field ? "true" : "false");
    break;
  case DLS_DECK_CHOICE:
    dls_choice_word(row->choices, *(const int *)field, text, sizeof text);
    put(w, text);
    break;
  case DLS_DECK_EXPRESSION:
    put_expression(w, *(DlsExpression *const *)field);
    break;
  case DLS_DECK_REALS:
    put_items(w, row, ((const DlsDeckReals *)field)->values, ((const DlsDeckReals *)field)->count);
    break;
  case DLS_DECK_STRINGS:
    put_items(w, row, ((const DlsDeckStrings *)field)->values,
              ((const DlsDeckStrings *)field)->count);
    break;
  case DLS_DECK_VECTOR:
  case DLS_DECK_INTEGERS:
  case DLS_DECK_EXPRESSIONS:
    put_items(w, row, field, written_count(row, field));
    break;
  default:
    put_quoted(w, *(char *const *)field);
  }
}

static void write_section(Writer *w, const DlsDeckSection *section, const void *data, int level,
                          bool in_item);

static bool is_empty(const DlsDeckSection *section, const void *data) {
  for (int k = 0; k < section->count; k++)
    if (!is_absent(&section->rows[k], (const char *)data + section->rows[k].offset)) return false;
  return true;
}

/* A section below its key; {} where nothing is to be written. */
static void write_nested(Writer *w, const DlsDeckRow *row, const DlsDeckSection *section,
                         const void *data, int level) {
  const bool empty = is_empty(section, data);
  if (empty) put(w, " {}");
  end_line(w, row);
  if (!empty) write_section(w, section, data, level, false);
}

static const char *name_of(const DlsDeckSection *section, const void *data) {
  for (int k = 0; k < section->count; k++)
    if (section->rows[k].kind == DLS_DECK_NAME)
      return *(char *const *)((const char *)data + section->rows[k].offset);
  return "";
}

static void write_list(Writer *w, const DlsDeckRow *row, const DlsDeckList *list, int level) {
  const bool comments = w->comments;
  if (list->count == 0) {
    put(w, row->kind == DLS_DECK_MAP ? " {}" : " []");
    end_line(w, row);
    return;
  }
  end_line(w, row);
  for (int k = 0; k < list->count; k++) {
    const void *item = (const char *)list->items + (size_t)k * row->section->bytes;
    indent(w, level);
    if (row->kind == DLS_DECK_MAP) {
      put_quoted(w, name_of(row->section, item));
      put(w, ":");
      write_nested(w, NULL, row->section, item, level + 1);
    } else {
      put(w, is_empty(row->section, item) ? "- {}\n" : "- ");
      write_section(w, row->section, item, level + 1, true);
    }
    w->comments = false;
  }
  w->comments = comments;
}

static void write_row(Writer *w, const DlsDeckRow *row, const void *field, int level) {
  put(w, row->key);
  put(w, ":");
  switch (row->kind) {
  case DLS_DECK_SECTION:
    write_nested(w, row, row->section, field, level + 1);
    break;
  case DLS_DECK_POINTER:
    write_nested(w, row, row->section, *(void *const *)field, level + 1);
    break;
  case DLS_DECK_VARIANT: {
    const DlsDeckVariant *variant = field;
    write_nested(w, row, variant->section, variant->data, level + 1);
    break;
  }
  case DLS_DECK_LIST:
  case DLS_DECK_MAP:
    write_list(w, row, field, level + 1);
    break;
  default:
    put(w, " ");
    put_value(w, row, field);
    end_line(w, row);
  }
}

/* In an item of a list the first key stands behind the '- '. */
static void write_section(Writer *w, const DlsDeckSection *section, const void *data, int level,
                          bool in_item) {
  for (int k = 0; k < section->count; k++) {
    const DlsDeckRow *row = &section->rows[k];
    const void *field = (const char *)data + row->offset;
    if (is_absent(row, field)) continue;
    if (!in_item) indent(w, level);
    in_item = false;
    write_row(w, row, field, level);
  }
}

static void write_title(FILE *file, const char *title) {
  while (title && *title) {
    const size_t length = strcspn(title, "\n");
    fprintf(file, "# %.*s\n", (int)length, title);
    title += length + (title[length] == '\n');
  }
}

DlsStatus dls_deck_text(const DlsDeckSection *section, const void *data, const char *title,
                        char **text) {
  size_t bytes = 0;
  *text = NULL;
  Writer writer = {.file = open_memstream(text, &bytes), .comments = true};
  DLS_CHECK(writer.file, DLS_ERR_MEMORY, "out of memory for the resolved deck");
  write_title(writer.file, title);
  write_section(&writer, section, data, 0, false);
  const bool failed = ferror(writer.file);
  if (fclose(writer.file) == 0 && !failed) return DLS_OK;
  free(*text);
  *text = NULL;
  return dls_fail(DLS_ERR_MEMORY, "out of memory for the resolved deck");
}

DlsStatus dls_deck_write(const DlsDeckSection *section, const void *data, const char *title,
                         const char *path) {
  DlsFile *file = NULL;
  char *text;
  DLS_TRY(dls_deck_text(section, data, title, &text));
  const DlsStatus status = dls_file_begin(path, &file);
  if (status == DLS_OK) dls_file_put(file, text, strlen(text));
  free(text);
  return status == DLS_OK ? dls_file_commit(&file) : status;
}
