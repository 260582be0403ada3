#include "record/columns_formula.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deck/expression.h"

struct DlsColumnsFormula {
  const DlsColumns *columns;
  int column[DLS_EXPRESSION_VARIABLES]; /* of the variables; column[0] alone without expression */
  int count;
  DlsExpression *expression; /* NULL: one column as it stands */
};

static int find(const DlsColumns *columns, const char *name) {
  const int k = dls_columns_find(columns, name);
  return k < 0 && strcmp(name, "t") == 0 ? dls_columns_find(columns, "time") : k;
}

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Notes the columns that the text names, as variables "a|b|..." of the expression. */
static DlsStatus gather(DlsColumnsFormula *f, const char *text, char *names, size_t room) {
  size_t used = 0;
  names[0] = '\0';
  for (const char *at = text; *at;) {
    const char *end = at;
    if (!begins_name(*at)) {
      /* The e of 1e-3 is no name. */
      if (isdigit((unsigned char)*at) || *at == '.') (void)strtod(at, (char **)&end);
      at = end > at ? end : at + 1;
      continue;
    }
    while (in_name(*end)) end++;
    char word[64];
    const size_t length = (size_t)(end - at);
    at = end;
    if (length >= sizeof word) continue;
    memcpy(word, end - length, length);
    word[length] = '\0';
    const int column = find(f->columns, word);
    bool known = column < 0;
    for (int k = 0; k < f->count; k++) known = known || f->column[k] == column;
    if (known) continue;
    DLS_CHECK(f->count < DLS_EXPRESSION_VARIABLES && used + length + 2 < room, DLS_ERR_ARGUMENT,
              "\"%s\" names more than %d columns; write a shorter one", text,
              (int)DLS_EXPRESSION_VARIABLES);
    if (f->count) names[used++] = '|';
    memcpy(names + used, word, length + 1);
    used += length;
    f->column[f->count++] = column;
  }
  return DLS_OK;
}

static DlsStatus compile(DlsColumnsFormula *f, const char *text) {
  char names[DLS_EXPRESSION_VARIABLES * 65];
  f->column[0] = find(f->columns, text);
  f->count = 1;
  if (f->column[0] >= 0) return DLS_OK;
  bool plain = begins_name(text[0]);
  for (const char *at = text; *at; at++) plain = plain && in_name(*at);
  if (plain || !*text) return dls_columns_need(f->columns, text, &f->column[0]);
  f->count = 0;
  DLS_TRY(gather(f, text, names, sizeof names));
  DLS_CHECK(f->count, DLS_ERR_ARGUMENT,
            "%s: \"%s\" names none of its columns; its first line holds them", f->columns->path,
            text);
  if (dls_expression_create(text, names, &f->expression) == DLS_OK) return DLS_OK;
  return dls_fail_context(DLS_ERR_ARGUMENT, "%s: \"%s\"", f->columns->path, text);
}

DlsStatus dls_columns_formula_create(const char *text, const DlsColumns *columns,
                                     DlsColumnsFormula **out) {
  DlsColumnsFormula *f;
  *out = NULL;
  DLS_NEW(f, 1);
  f->columns = columns;
  const DlsStatus status = compile(f, text);
  if (status == DLS_OK)
    *out = f;
  else
    dls_columns_formula_destroy(&f);
  return status;
}

void dls_columns_formula_destroy(DlsColumnsFormula **formula) {
  if (!*formula) return;
  dls_expression_destroy(&(*formula)->expression);
  free(*formula);
  *formula = NULL;
}

double dls_columns_formula_at(DlsColumnsFormula *f, int row) {
  double value[DLS_EXPRESSION_VARIABLES] = {0};
  for (int k = 0; k < f->count; k++) value[k] = dls_columns_at(f->columns, row, f->column[k]);
  return f->expression ? dls_expression_at(f->expression, value) : value[0];
}

const char *dls_columns_formula_unit(const DlsColumnsFormula *f) {
  return f->expression ? "" : f->columns->unit[f->column[0]];
}
