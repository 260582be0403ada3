/* A file gone through word by word. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/checked.h"
#include "mesh/mesh_impl.h"

enum { PLACE_BYTES = 512, SHOWN = 40 };

const char *dls_scan_place(const DlsScan *s) {
  static _Thread_local char text[PLACE_BYTES];
  if (s->binary)
    snprintf(text, sizeof text, "%.400s: byte %lld", s->path, (long long)(s->at - s->begin));
  else
    snprintf(text, sizeof text, "%.400s:%d", s->path, s->line);
  return text;
}

void dls_scan_skip(DlsScan *s, bool within) {
  for (; s->at < s->end; s->at++) {
    const char c = *s->at;
    if (c == '\n') {
      if (within) return;
      s->line++;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\v' && c != '\f') {
      return;
    }
  }
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

void dls_scan_word(DlsScan *s, bool within, const char **text, size_t *length) {
  dls_scan_skip(s, within);
  *text = s->at;
  while (s->at < s->end && !is_space(*s->at)) s->at++;
  *length = (size_t)(s->at - *text);
}

void dls_scan_rest(DlsScan *s, const char **text, size_t *length) {
  dls_scan_skip(s, true);
  const char *from = s->at, *to = from;
  while (to < s->end && *to != '\n') to++;
  const bool last = to == s->end;
  s->at = last ? to : to + 1;
  s->line += !last;
  while (to > from && is_space(to[-1])) to--;
  *text = from;
  *length = (size_t)(to - from);
}

bool dls_scan_is(DlsScan *s, const char *word) {
  const DlsScan before = *s;
  const char *text;
  size_t length;
  dls_scan_word(s, false, &text, &length);
  if (length == strlen(word) && strncasecmp(text, word, length) == 0) return true;
  *s = before;
  return false;
}

/* What is there, for a sentence: no control characters, not too much. */
static const char *shown(const char *text, size_t length) {
  static _Thread_local char out[SHOWN + 4];
  const size_t n = length < SHOWN ? length : SHOWN;
  for (size_t k = 0; k < n; k++) out[k] = text[k] < ' ' || text[k] > '~' ? '?' : text[k];
  snprintf(out + n, sizeof out - n, "%s", length > SHOWN ? "..." : "");
  return out;
}

DlsStatus dls_scan_real(DlsScan *s, const char *what, double *out) {
  const char *text;
  char copy[64], *end;
  size_t length;
  dls_scan_word(s, false, &text, &length);
  DLS_CHECK(length > 0, DLS_ERR_FORMAT, "%s: the file ends where %s should stand",
            dls_scan_place(s), what);
  const bool fits = length < sizeof copy;
  memcpy(copy, text, fits ? length : 0);
  copy[fits ? length : 0] = '\0';
  *out = strtod(copy, &end);
  DLS_CHECK(fits && *end == '\0' && end != copy && isfinite(*out), DLS_ERR_FORMAT,
            "%s: '%s' is no finite number, as %s is", dls_scan_place(s), shown(text, length), what);
  return DLS_OK;
}

DlsStatus dls_scan_int(DlsScan *s, const char *what, int64_t least, int64_t most, int64_t *out) {
  const char *text;
  size_t length;
  dls_scan_word(s, false, &text, &length);
  DLS_CHECK(length > 0, DLS_ERR_FORMAT, "%s: the file ends where %s should stand",
            dls_scan_place(s), what);
  DLS_CHECK(dls_checked_text(text, length, least, most, out), DLS_ERR_FORMAT,
            "%s: '%s' is no whole number from %lld to %lld, as %s is", dls_scan_place(s),
            shown(text, length), (long long)least, (long long)most, what);
  return DLS_OK;
}

DlsStatus dls_scan_bytes(DlsScan *s, const char *what, void *to, size_t bytes) {
  DLS_CHECK(dls_scan_left(s) >= bytes, DLS_ERR_FORMAT,
            "%s: the file ends where %s should stand: it was cut off", dls_scan_place(s), what);
  memcpy(to, s->at, bytes);
  s->at += bytes;
  return DLS_OK;
}
