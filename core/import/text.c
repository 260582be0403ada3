/* Lines, words, fields and numbers of the input files of other programs. */
#include "import/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "deck/units.h"

enum { LARGEST = 1 << 30 }; /* bytes */

static DlsStatus read_bytes(FILE *file, const char *path, char **out, size_t *size) {
  size_t room = 1 << 16, used = 0;
  char *bytes = malloc(room + 1);
  *out = NULL;
  while (bytes) {
    used += fread(bytes + used, 1, room - used, file);
    if (used < room || room >= LARGEST) break;
    room *= 2;
    char *more = realloc(bytes, room + 1);
    if (!more) free(bytes);
    bytes = more;
  }
  DLS_CHECK(bytes, DLS_ERR_MEMORY, "out of memory for %s", path);
  bytes[used] = '\0';
  *out = bytes;
  *size = used;
  DLS_CHECK(!ferror(file), DLS_ERR_FILE, "%s cannot be read to its end", path);
  DLS_CHECK(used < LARGEST, DLS_ERR_FILE, "%s is larger than 1 GB; split it", path);
  return DLS_OK;
}

/* Ends of lines become ends of strings; those of Windows and old Macs too. */
static DlsStatus split(DlsImportText *text, size_t size) {
  char *p = text->bytes, *end = text->bytes + size;
  int lines = 1;
  for (char *c = p; c < end; c++) lines += *c == '\n';
  DLS_NEW(text->line, lines);
  while (p < end) {
    char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    text->line[text->lines++] = p;
    text->at = text->lines;
    if (memchr(p, '\0', (size_t)(stop - p)))
      return dls_import_text_fail(text, "a zero byte: this is no text file");
    *stop = '\0';
    if (stop > p && stop[-1] == '\r') stop[-1] = '\0';
    p = stop + 1;
  }
  text->at = 0;
  return DLS_OK;
}

DlsStatus dls_import_text_read(const char *path, char comment, DlsImportText *out) {
  FILE *file;
  size_t size = 0;
  *out = (DlsImportText){.comment = comment};
  out->path = strdup(path);
  DLS_CHECK(out->path, DLS_ERR_MEMORY, "out of memory for %s", path);
  DlsStatus status = dls_file_open(path, &file);
  if (status == DLS_OK) {
    status = read_bytes(file, path, &out->bytes, &size);
    fclose(file);
  }
  if (status == DLS_OK) status = split(out, size);
  if (status != DLS_OK) dls_import_text_clear(out);
  return status;
}

void dls_import_text_clear(DlsImportText *text) {
  free(text->path);
  free(text->bytes);
  free(text->line);
  *text = (DlsImportText){0};
}

const char *dls_import_text_next(DlsImportText *text) {
  while (text->at < text->lines) {
    const char *line = text->line[text->at++];
    const char *first = line + strspn(line, " \t");
    if (*first && *first != text->comment) return line;
  }
  return NULL;
}

DlsStatus dls_import_text_fail(const DlsImportText *text, const char *format, ...) {
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return dls_fail(DLS_ERR_FORMAT, "%s:%d: %s", text->path, text->at, sentence);
}

const char *dls_import_word(const char *line, int n, char out[DLS_IMPORT_WORD]) {
  const char *p = line;
  size_t length = 0;
  for (int k = 0; k <= n; k++) {
    p += length;
    p += strspn(p, " \t");
    length = strcspn(p, " \t");
  }
  snprintf(out, DLS_IMPORT_WORD, "%.*s", (int)(length < DLS_IMPORT_WORD ? length : DLS_IMPORT_WORD),
           p);
  for (char *c = out; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?'; /* names go into sentences and decks */
  return out;
}

bool dls_import_begins(const char *line, const char *word) {
  line += strspn(line, " \t");
  return strncmp(line, word, strlen(word)) == 0;
}

/* Fortran's exponents: D for E, and no letter at all before a sign behind three digits. */
bool dls_import_real(const char *text, double *value, const char **rest) {
  char copy[64];
  size_t n = 0;
  const char *p = text + strspn(text, " \t");
  bool digit = false, exponent = false;
  for (; n < sizeof copy - 2; p++) {
    const bool sign = *p == '+' || *p == '-';
    if (isdigit((unsigned char)*p)) {
      digit = true;
    } else if (digit && !exponent && *p && strchr("DdEe", *p)) {
      exponent = true;
      copy[n++] = 'e';
      continue;
    } else if (sign && digit && !exponent) {
      exponent = true;
      copy[n++] = 'e';
    } else if (!(*p == '.' && !exponent) && !(sign && (n == 0 || copy[n - 1] == 'e'))) {
      break;
    }
    copy[n++] = *p;
  }
  copy[n] = '\0';
  const char *end;
  *rest = p;
  return n > 0 &&
         dls_number_parse(copy[0] == '+' ? copy + 1 : copy, value, &end) == DLS_NUMBER_FOUND &&
         *end == '\0';
}

const char *dls_import_field(const char *line, const char *key) {
  const size_t length = strlen(key);
  for (const char *p = line; (p = strstr(p, key)); p++) {
    const char *behind = p + length + strspn(p + length, " \t");
    if ((p == line || p[-1] == ' ' || p[-1] == '\t') && *behind == '=') return behind + 1;
  }
  return NULL;
}

DlsStatus dls_import_number(const DlsImportText *text, const char *line, const char *key,
                            bool required, double *out) {
  const char *found = dls_import_field(line, key), *rest;
  double value;
  if (!found && !required) return DLS_OK;
  if (!found) return dls_import_text_fail(text, "`%s=` is missing; add it with its number", key);
  if (!dls_import_real(found, &value, &rest) || (*rest && !isspace((unsigned char)*rest)))
    return dls_import_text_fail(text, "%s= is followed by no finite number such as 0.1D-03", key);
  *out = value;
  return DLS_OK;
}

DlsStatus dls_import_note(DlsImportNotes *notes, bool lost, const char *path, int line,
                          const char *format, ...) {
  char sentence[512], head[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  notes->lost += lost;
  for (int k = 0; k < notes->count; k++) {
    const char *known = notes->note[k].text;
    const size_t length = strlen(known), tail = strlen(sentence);
    if (length > tail && strcmp(known + length - tail, sentence) == 0 &&
        strncmp(known, path, strlen(path)) == 0) {
      notes->note[k].again++;
      return DLS_OK;
    }
  }
  if (notes->count == notes->capacity) {
    const int room = notes->capacity ? 2 * notes->capacity : 16;
    DlsImportNote *more = realloc(notes->note, (size_t)room * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d sentences", room);
    notes->note = more;
    notes->capacity = room;
  }
  if (line > 0)
    snprintf(head, sizeof head, "%.400s:%d: ", path, line);
  else
    snprintf(head, sizeof head, "%.400s: ", path);
  char *whole = malloc(strlen(head) + strlen(sentence) + 1);
  DLS_CHECK(whole, DLS_ERR_MEMORY, "out of memory for a sentence");
  strcat(strcpy(whole, head), sentence);
  notes->note[notes->count++] = (DlsImportNote){.text = whole, .lost = lost};
  return DLS_OK;
}

void dls_import_notes_clear(DlsImportNotes *notes) {
  for (int k = 0; k < notes->count; k++) free(notes->note[k].text);
  free(notes->note);
  *notes = (DlsImportNotes){0};
}
