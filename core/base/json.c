/* JSON output (RFC 8259), indented by two blanks a level. */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The length of the UTF-8 sequence at s, or 0 when it is none (RFC 3629: shortest form, no
 * surrogates). */
static int utf8_length(const unsigned char *s) {
  static const struct {
    unsigned char mask, lead;
    int length;
    unsigned lowest;
  } kinds[] = {{0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
  if (s[0] < 0x80) return 1;
  for (int k = 0; k < 3; k++) {
    if ((s[0] & kinds[k].mask) != kinds[k].lead) continue;
    unsigned point = (unsigned)s[0] & (unsigned char)~kinds[k].mask;
    for (int i = 1; i < kinds[k].length; i++) {
      if ((s[i] & 0xc0) != 0x80) return 0;
      point = (point << 6) | (s[i] & 0x3fu);
    }
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point >= kinds[k].lowest && point <= 0x10ffff && !surrogate ? kinds[k].length : 0;
  }
  return 0;
}

static void write_text(FILE *file, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  fputc('"', file);
  while (*s) {
    const int length = utf8_length(s);
    if (length == 0)
      fputs("\\ufffd", file);
    else if (*s == '"' || *s == '\\')
      fprintf(file, "\\%c", *s);
    else if (*s == '\n')
      fputs("\\n", file);
    else if (*s == '\t')
      fputs("\\t", file);
    else if (*s < 0x20 || *s == 0x7f)
      fprintf(file, "\\u%04x", *s);
    else
      fwrite(s, 1, (size_t)length, file);
    s += length ? length : 1;
  }
  fputc('"', file);
}

static void begin_item(DlsJson *json, const char *key) {
  if (json->depth > 0) {
    fputs(json->filled[json->depth - 1] ? ",\n" : "\n", json->file);
    fprintf(json->file, "%*s", 2 * json->depth, "");
    json->filled[json->depth - 1] = true;
  }
  if (!key) return;
  write_text(json->file, key);
  fputs(": ", json->file);
}

void dls_json_open(DlsJson *json, const char *key, char bracket) {
  assert(json->depth < DLS_JSON_MAX_DEPTH);
  begin_item(json, key);
  fputc(bracket, json->file);
  json->filled[json->depth++] = false;
}

void dls_json_close(DlsJson *json, char bracket) {
  assert(json->depth > 0);
  json->depth--;
  if (json->filled[json->depth]) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  fputc(bracket, json->file);
  if (json->depth == 0) fputc('\n', json->file);
}

void dls_json_text(DlsJson *json, const char *key, const char *text) {
  begin_item(json, key);
  if (text)
    write_text(json->file, text);
  else
    fputs("null", json->file);
}

/* The shortest of 15 and 17 digits that reads back as the same number. */
void dls_json_real(DlsJson *json, const char *key, double value) {
  char text[32];
  begin_item(json, key);
  if (!isfinite(value)) {
    fputs("null", json->file);
    return;
  }
  snprintf(text, sizeof text, "%.15g", value);
  if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
  fputs(text, json->file);
}

void dls_json_integer(DlsJson *json, const char *key, long value) {
  begin_item(json, key);
  fprintf(json->file, "%ld", value);
}

void dls_json_bool(DlsJson *json, const char *key, bool value) {
  begin_item(json, key);
  fputs(value ? "true" : "false", json->file);
}
