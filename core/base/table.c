#include "base/table.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"

void dls_table_clear(DlsTable *table) {
  free(table->value);
  free(table->line);
  memset(table, 0, sizeof *table);
}

int dls_table_find(const DlsTable *table, const char *name) {
  for (int i = 0; table->named && i < table->columns; i++)
    if (strcasecmp(table->name[i], name) == 0) return i;
  return -1;
}

/* The whole file as a text that ends with '\0'. */
static DlsStatus read_text(const char *path, char **out, size_t *bytes) {
  DLS_TRY(dls_file_read(path, out, bytes));
  if (strlen(*out) == *bytes) return DLS_OK;
  const DlsStatus status = dls_fail(DLS_ERR_FORMAT, "%s: holds a byte 0: this is no text", path);
  free(*out);
  *out = NULL;
  return status;
}

/* Cuts a line into words, in place. A comma or semicolon with nothing before it is an empty word;
 * blanks alone separate too. Returns the number of words, or columns + 1 when there are more. */
static int cut(char *line, char *word[DLS_TABLE_COLUMNS + 1]) {
  int count = 0;
  char *at = line;
  for (;;) {
    while (*at == ' ' || *at == '\t') at++;
    if (!*at) return count;
    if (count > DLS_TABLE_COLUMNS) return count;
    word[count++] = at;
    at += strcspn(at, ",; \t");
    char *end = at;
    while (*at == ' ' || *at == '\t') at++;
    const char separator = *at;
    if (separator == ',' || separator == ';') at++;
    *end = '\0';
    if ((separator == ',' || separator == ';') && !at[strspn(at, " \t")]) {
      if (count <= DLS_TABLE_COLUMNS) word[count++] = at + strspn(at, " \t");
      return count;
    }
  }
}

/* The same of a line of names with units: `unit` is what stands in brackets behind a name, "" where
 * there are none. */
static int cut_names(char *line, char *word[DLS_TABLE_COLUMNS + 1],
                     char *unit[DLS_TABLE_COLUMNS + 1]) {
  int count = 0;
  char *at = line;
  while (*(at += strspn(at, " \t"))) {
    if (count > DLS_TABLE_COLUMNS) return count;
    word[count] = at;
    at += strcspn(at, ",;[ \t");
    char *end = at;
    at += strspn(at, " \t");
    unit[count] = end;
    if (*at == '[') {
      unit[count] = ++at;
      at += strcspn(at, "]");
      if (*at) *at++ = '\0';
      at += strspn(at, " \t");
    }
    if (*at == ',' || *at == ';') *at++ = '\0';
    *end = '\0';
    count++;
  }
  return count;
}

static bool number(const char *word, double *value) {
  char *end;
  *value = strtod(word, &end);
  return end != word && *end == '\0';
}

static bool begins_a_name(const char *word) {
  return isalpha((unsigned char)*word) || *word == '"';
}

/* Names lose their quotes; one that is too long is cut. */
static void keep_names(DlsTable *table, char **word) {
  table->named = 1;
  for (int i = 0; i < table->columns; i++) {
    char *name = word[i];
    size_t length = strlen(name);
    if (length >= 2 && name[0] == '"' && name[length - 1] == '"') name[--length] = '\0', name++;
    snprintf(table->name[i], sizeof table->name[i], "%s", name);
  }
}

static DlsStatus keep_row(const char *path, int line, DlsTable *table, char **word, int words) {
  DLS_CHECK(words == table->columns, DLS_ERR_FORMAT,
            "%s:%d: this row has %d numbers, the first line %d columns", path, line, words,
            table->columns);
  double *row = table->value + (size_t)table->rows * (size_t)table->columns;
  for (int i = 0; i < words; i++) {
    DLS_CHECK(*word[i], DLS_ERR_FORMAT, "%s:%d: column %d is empty", path, line, i + 1);
    DLS_CHECK(number(word[i], &row[i]) && isfinite(row[i]), DLS_ERR_FORMAT,
              "%s:%d: column %d is '%.40s': a finite number is wanted", path, line, i + 1, word[i]);
  }
  table->line[table->rows++] = line;
  return DLS_OK;
}

/* One line: passed over, names, or a row. `most` rows fit, and are made when the first comes. */
static DlsStatus take_line(const char *path, int line, char *text, int most, bool units,
                           DlsTable *table) {
  char *word[DLS_TABLE_COLUMNS + 1], *unit[DLS_TABLE_COLUMNS + 1];
  double first;
  text[strcspn(text, "\r")] = '\0';
  if (text[strspn(text, " \t")] == '#') return DLS_OK;
  const bool names = units && table->columns == 0 && begins_a_name(text + strspn(text, " \t"));
  const int words = names ? cut_names(text, word, unit) : cut(text, word);
  if (words == 0) return DLS_OK;
  DLS_CHECK(words <= DLS_TABLE_COLUMNS, DLS_ERR_FORMAT, "%s:%d: more than %d columns", path, line,
            (int)DLS_TABLE_COLUMNS);
  if (table->columns == 0) {
    table->columns = words;
    DLS_NEW(table->value, (size_t)most * (size_t)words);
    DLS_NEW(table->line, most);
    /* Names begin with a letter; "inf" and "nan" read as numbers and are refused as such. */
    if (!number(word[0], &first) && begins_a_name(word[0])) {
      keep_names(table, word);
      table->header = line;
      for (int i = 0; names && i < words; i++)
        snprintf(table->unit[i], sizeof table->unit[i], "%s", unit[i]);
      return DLS_OK;
    }
  }
  return keep_row(path, line, table, word, words);
}

static DlsStatus read_table(const char *path, bool units, DlsTable *out) {
  static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, as spreadsheets write it */
  char *text;
  size_t bytes = 0, lines = 1;
  memset(out, 0, sizeof *out);
  DLS_TRY(read_text(path, &text, &bytes));
  for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
  DlsStatus status = DLS_OK;
  if (lines > INT_MAX / 2) status = dls_fail(DLS_ERR_FORMAT, "%s: too many lines", path);
  char *at = strncmp(text, mark, 3) == 0 ? text + 3 : text;
  for (int line = 1; status == DLS_OK && at; line++) {
    char *end = strchr(at, '\n');
    if (end) *end = '\0';
    status = take_line(path, line, at, (int)lines, units, out);
    at = end ? end + 1 : NULL;
  }
  free(text);
  if (status == DLS_OK && out->rows == 0)
    status = dls_fail(DLS_ERR_FORMAT, "%s: no row of numbers", path);
  if (status != DLS_OK) dls_table_clear(out);
  return status;
}

DlsStatus dls_table_read(const char *path, DlsTable *out) { return read_table(path, false, out); }

DlsStatus dls_table_read_units(const char *path, DlsTable *out) {
  return read_table(path, true, out);
}
