/* Writes one JSON value, key by key. Numbers that are not finite become null; bytes that are not
 * UTF-8 become U+FFFD, so that what comes out can always be parsed. */
#ifndef DELASSUS_BASE_JSON_H
#define DELASSUS_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { DLS_JSON_MAX_DEPTH = 16 };

typedef struct {
  FILE *file;
  int depth;
  bool filled[DLS_JSON_MAX_DEPTH]; /* whether the open object or array has an item already */
} DlsJson;

/* key is NULL inside an array and at the top. */
void dls_json_open(DlsJson *json, const char *key, char bracket); /* '{' or '[' */
void dls_json_close(DlsJson *json, char bracket); /* '}' or ']'; ends the line at the top */
void dls_json_text(DlsJson *json, const char *key, const char *text); /* NULL becomes null */
void dls_json_real(DlsJson *json, const char *key, double value);
void dls_json_integer(DlsJson *json, const char *key, long value);
void dls_json_bool(DlsJson *json, const char *key, bool value);

#endif
