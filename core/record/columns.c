#include "record/columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"

enum { LONGEST = 1 << 30, MOST_COLUMNS = 100000 }; /* bytes of a file */

static DlsStatus read_text(const char *path, char **out, size_t *bytes) {
  FILE *file;
  size_t room = 1 << 16, got;
  DLS_TRY(dls_file_open(path, &file));
  char *text = malloc(room + 1);
  *bytes = 0;
  while (text && (got = fread(text + *bytes, 1, room - *bytes, file)) > 0) {
    *bytes += got;
    if (*bytes < room || room >= LONGEST) continue;
    char *more = realloc(text, 2 * room + 1);
    if (!more) free(text);
    text = more;
    room *= 2;
  }
  const bool whole = feof(file) != 0;
  fclose(file);
  DLS_CHECK(text, DLS_ERR_MEMORY, "%s: out of memory for the table", path);
  text[*bytes] = '\0';
  *out = text;
  DLS_CHECK(whole, DLS_ERR_FORMAT, "%s: has more than %d bytes; take a part of it", path, LONGEST);
  return DLS_OK;
}

/* Ends the cell that begins at *at, quotes taken off (RFC 4180), and moves *at behind it; returns
 * what stood there: ',' '\n' or 0. */
static char cut_cell(char **at, const char **cell) {
  char *from = *at, *to = from;
  if (*from == '"') {
    *cell = to;
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
      if (*from == '"') from++;
      *to++ = *from;
    }
    if (*from == '"') from++;
    while (*from && *from != ',' && *from != '\n') from++;
  } else {
    *cell = from;
    while (*from && *from != ',' && *from != '\n') from++;
    to = from;
    if (to > *cell && to[-1] == '\r') to--;
  }
  const char stop = *from;
  *at = stop ? from + 1 : from;
  *to = '\0';
  return stop;
}

/* "name [unit]" becomes two texts. */
static void split_unit(const char **name, const char **unit) {
  char *open = strstr((char *)*name, " ["), *close = open ? strchr(open, ']') : NULL;
  *unit = "";
  if (!close || close[1]) return;
  *open = *close = '\0';
  *unit = open + 2;
}

static int count_cells(const char *line) {
  int count = 1;
  bool quoted = false;
  for (; *line && (quoted || *line != '\n'); line++) {
    if (*line == '"') quoted = !quoted;
    count += *line == ',' && !quoted;
  }
  return count;
}

static double number_of(const char *cell) {
  char *end;
  const double value = strtod(cell, &end);
  return end != cell && *end == '\0' ? value : NAN;
}

static DlsStatus cut_rows(DlsColumns *c, char *at) {
  const size_t columns = (size_t)c->columns;
  int line = 1, room = 0;
  while (*at) {
    line++;
    if (!strchr(at, '\n')) break; /* torn */
    if (*at == '\n') {
      at++;
      continue;
    }
    const int cells = count_cells(at);
    DLS_CHECK(cells == c->columns, DLS_ERR_FORMAT,
              "%s:%d: has %d cells, the header %d; give every row as many", c->path, line, cells,
              c->columns);
    if (c->rows == room) {
      room = room ? 2 * room : 256;
      const char **cell = realloc(c->cell, (size_t)room * columns * sizeof *cell);
      if (cell) c->cell = cell;
      double *value = realloc(c->value, (size_t)room * columns * sizeof *value);
      if (value) c->value = value;
      DLS_CHECK(cell && value, DLS_ERR_MEMORY, "%s: out of memory for %d rows", c->path, room);
    }
    for (size_t k = 0; k < columns; k++) {
      const size_t place = (size_t)c->rows * columns + k;
      cut_cell(&at, &c->cell[place]);
      c->value[place] = number_of(c->cell[place]);
    }
    c->rows++;
  }
  return DLS_OK;
}

static DlsStatus read_columns(const char *path, DlsColumns *c) {
  size_t bytes;
  c->path = strdup(path);
  DLS_CHECK(c->path, DLS_ERR_MEMORY, "out of memory for a path");
  DLS_TRY(read_text(path, &c->text, &bytes));
  DLS_CHECK(bytes == strlen(c->text) && strchr(c->text, '\n') && c->text[0] != '\n', DLS_ERR_FORMAT,
            "%s:1: is no table: its first line holds the names of the columns", path);
  c->columns = count_cells(c->text);
  DLS_CHECK(c->columns <= MOST_COLUMNS, DLS_ERR_FORMAT, "%s:1: has %d columns; at most %d", path,
            c->columns, MOST_COLUMNS);
  DLS_NEW(c->name, c->columns);
  DLS_NEW(c->unit, c->columns);
  char *at = c->text;
  for (int k = 0; k < c->columns; k++) {
    cut_cell(&at, &c->name[k]);
    split_unit(&c->name[k], &c->unit[k]);
  }
  return cut_rows(c, at);
}

DlsStatus dls_columns_read(const char *path, DlsColumns *out) {
  *out = (DlsColumns){0};
  const DlsStatus status = read_columns(path, out);
  if (status != DLS_OK) dls_columns_clear(out);
  return status;
}

void dls_columns_clear(DlsColumns *c) {
  free(c->path);
  free(c->name);
  free(c->unit);
  free(c->cell);
  free(c->value);
  free(c->text);
  *c = (DlsColumns){0};
}

int dls_columns_find(const DlsColumns *c, const char *name) {
  for (int k = 0; k < c->columns; k++)
    if (strcmp(c->name[k], name) == 0) return k;
  return -1;
}

DlsStatus dls_columns_need(const DlsColumns *c, const char *name, int *out) {
  *out = dls_columns_find(c, name);
  const char *near = *out < 0 ? dls_nearest(name, c->name, c->columns) : NULL;
  DLS_CHECK(*out >= 0, DLS_ERR_ARGUMENT, "%s: has no column `%s`%s%s%s", c->path, name,
            near ? "; did you mean `" : "; its first line names those there are", near ? near : "",
            near ? "`?" : "");
  return DLS_OK;
}
