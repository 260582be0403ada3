/* The schema as Markdown: a table of keys for a section, then one for each section below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck_impl.h"

enum { MOST_SECTIONS = 128 };

typedef struct {
  FILE *file;
  const DlsDeckSection *seen[MOST_SECTIONS];
  int nseen;
} Page;

/* A '|' inside a cell would end it. */
static void put_cell(FILE *file, const char *text) {
  for (; *text; text++)
    fputs((char[]){*text == '|' ? ',' : *text, *text == '|' ? ' ' : '\0', '\0'}, file);
}

static void put_size(FILE *file, const DlsDeckRow *row, const char *what) {
  if (row->most == 0 && row->least == 0)
    fprintf(file, "list of %s", what);
  else if (row->most == 0)
    fprintf(file, "list of %d or more %s", row->least, what);
  else if (row->most == row->least)
    fprintf(file, "%d %s", row->most, what);
  else
    fprintf(file, "%d to %d %s", row->least, row->most, what);
}

static void put_type(FILE *file, const DlsDeckRow *row) {
  static const char *const names[] = {[DLS_DECK_REAL] = "number",
                                      [DLS_DECK_INT] = "whole number",
                                      [DLS_DECK_BOOL] = "true or false",
                                      [DLS_DECK_STRING] = "text",
                                      [DLS_DECK_PATH] = "file",
                                      [DLS_DECK_EXPRESSION] = "expression of ",
                                      [DLS_DECK_SECTION] = "section",
                                      [DLS_DECK_POINTER] = "section, optional",
                                      [DLS_DECK_MAP] = "named sections",
                                      [DLS_DECK_VARIANT] = "section, by the keys above",
                                      [DLS_DECK_PLACE] = NULL};
  switch (row->kind) {
  case DLS_DECK_CHOICE:
    put_cell(file, row->choices);
    break;
  case DLS_DECK_LIST:
    put_cell(file, row->alone ? "list of sections, or one section" : "list of sections");
    break;
  case DLS_DECK_VECTOR:
  case DLS_DECK_REALS:
    put_size(file, row, "numbers");
    break;
  case DLS_DECK_INTEGERS:
    put_size(file, row, "whole numbers");
    break;
  case DLS_DECK_STRINGS:
    if (row->least == 1) fputs("word, or ", file);
    put_size(file, row, row->choices ? "of: " : "words");
    if (row->choices) put_cell(file, row->choices);
    break;
  case DLS_DECK_EXPRESSIONS:
    put_size(file, row, "expressions of ");
    put_cell(file, row->choices ? row->choices : "t");
    break;
  default:
    fputs(names[row->kind], file);
    if (row->spell) fputs(" or section", file);
    if (row->kind == DLS_DECK_SECTION && row->section->parse) fputs(" or text", file);
    if (row->kind == DLS_DECK_EXPRESSION) put_cell(file, row->choices ? row->choices : "t");
  }
}

static void put_row(FILE *file, const DlsDeckRow *row) {
  char bounds[100];
  const bool implied = row->kind == DLS_DECK_SECTION || row->kind == DLS_DECK_VARIANT;
  dls_deck_bounds(row, bounds, sizeof bounds);
  fprintf(file, "| `%s` | ", row->key);
  put_type(file, row);
  fprintf(file, " | %s | ", row->unit ? row->unit : "");
  if (!row->standard && !implied)
    fputs("**required**", file);
  else if (row->standard && row->standard[0])
    fprintf(file, "`%s`", row->standard);
  fprintf(file, " | %s | ", bounds);
  put_cell(file, row->meaning);
  fputs(" |\n", file);
}

static void put_section(Page *page, const DlsDeckSection *section, const char *path) {
  char below[300];
  for (int k = 0; k < page->nseen; k++)
    if (page->seen[k] == section) return;
  if (page->nseen == MOST_SECTIONS) return;
  page->seen[page->nseen++] = section;
  if (path[0]) fprintf(page->file, "\n### `%s`\n", path);
  if (section->meaning) fprintf(page->file, "%s%s\n", path[0] ? "\n" : "", section->meaning);
  fputs("\n| key | type | unit | default | bounds | meaning |\n|---|---|---|---|---|---|\n",
        page->file);
  for (int k = 0; k < section->count; k++)
    if (!dls_deck_row_hidden(&section->rows[k])) put_row(page->file, &section->rows[k]);
  for (int k = 0; k < section->count; k++) {
    const DlsDeckRow *row = &section->rows[k];
    if (!row->section) continue;
    snprintf(below, sizeof below, "%s%s%s%s", path, path[0] ? "." : "", row->key,
             row->kind == DLS_DECK_LIST  ? "[]"
             : row->kind == DLS_DECK_MAP ? ".NAME"
                                         : "");
    put_section(page, row->section, below);
  }
}

DlsStatus dls_deck_describe(const DlsDeckSection *section, char **text) {
  size_t bytes = 0;
  *text = NULL;
  Page page = {.file = open_memstream(text, &bytes)};
  DLS_CHECK(page.file, DLS_ERR_MEMORY, "out of memory for the description of a deck");
  put_section(&page, section, "");
  const bool failed = ferror(page.file);
  if (fclose(page.file) == 0 && !failed) return DLS_OK;
  free(*text);
  *text = NULL;
  return dls_fail(DLS_ERR_MEMORY, "out of memory for the description of a deck");
}
