#include "law/assignment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts blanks off both ends of text[from, to); returns the length left, *start its beginning. */
static int trim(const char *from, const char *to, const char **start) {
  while (from < to && strchr(" \t", *from)) from++;
  while (from < to && strchr(" \t", to[-1])) to--;
  *start = from;
  return (int)(to - from);
}

DlsStatus dls_assignment_read(const char *who, const char *text, char name[DLS_ASSIGNMENT_NAME],
                              double *value) {
  const char *equals = strchr(text, '='), *start;
  DLS_CHECK(equals, DLS_ERR_ARGUMENT, "%s: '%s' is not of the form name=number", who, text);
  char number[64], *end;
  int length = trim(text, equals, &start);
  DLS_CHECK(length > 0 && length < DLS_ASSIGNMENT_NAME, DLS_ERR_ARGUMENT,
            "%s: '%s' has no name before the '='", who, text);
  snprintf(name, DLS_ASSIGNMENT_NAME, "%.*s", length, start);
  length = trim(equals + 1, text + strlen(text), &start);
  snprintf(number, sizeof number, "%.*s", length, start);
  *value = strtod(number, &end);
  DLS_CHECK(length > 0 && length < (int)sizeof number && *end == '\0', DLS_ERR_ARGUMENT,
            "%s: %s = '%.*s' is no number", who, name, length, start);
  return DLS_OK;
}
