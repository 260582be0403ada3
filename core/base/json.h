/* Writes one JSON value, key by key. Numbers that are not finite become null; bytes that are not
 * UTF-8 become U+FFFD, so that what comes out can always be parsed. */
#ifndef DELASSUS_BASE_JSON_H
#define DELASSUS_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { JSON_MAX_DEPTH = 16 };

typedef struct {
  FILE *file;
  int depth;
  bool filled[JSON_MAX_DEPTH]; /* whether the open object or array has an item already */
} Json;

/* key is NULL inside an array and at the top. */
void json_open(Json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(Json *json, char bracket); /* '}' or ']'; ends the line at the top */
void json_text(Json *json, const char *key, const char *text); /* NULL becomes null */
void json_real(Json *json, const char *key, double value);
void json_integer(Json *json, const char *key, long value);
void json_bool(Json *json, const char *key, bool value);

#endif
