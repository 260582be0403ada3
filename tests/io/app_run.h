/* Runs the program as a user does, and checks what it prints. */
#ifndef DELASSUS_TESTS_APP_RUN_H
#define DELASSUS_TESTS_APP_RUN_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/test.h"

#define APP_PROGRAM TEST_BINARY_DIR "/bin/delassus"

enum { APP_OUTPUT_BYTES = 1 << 16 };
static char app_output[APP_OUTPUT_BYTES]; /* of the last run */

/* Runs "delassus ARGUMENTS" in the shell; what it prints on both streams is in app_output. Returns
 * the exit status, -1 when it was killed. */
static inline int app_run(const char *arguments) {
  char command[8192];
  snprintf(command, sizeof command, "%s %s 2>&1", APP_PROGRAM, arguments);
  FILE *pipe = popen(command, "r");
  app_output[0] = '\0';
  if (!pipe) return -1;
  const size_t length = fread(app_output, 1, sizeof app_output - 1, pipe);
  app_output[length] = '\0';
  for (char rest[4096]; fread(rest, 1, sizeof rest, pipe) > 0;) continue;
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Exit status, and a part of what is printed. */
#define CHECK_RUN(arguments, exit_status, text)                                                    \
  do {                                                                                             \
    test_checks++;                                                                                 \
    const int check_exit = app_run(arguments);                                                     \
    if (check_exit != (exit_status) || !test_contains(app_output, text))                           \
      test_fail(__FILE__, __LINE__, "delassus %s: exit %d, not %d with \"%s\":\n%s", arguments,    \
                check_exit, exit_status, text, app_output);                                        \
  } while (0)

/* "stress --json" becomes `delassus post stress RESULT --json`. */
static inline void app_post(const char *result, const char *words, int status, const char *text) {
  char arguments[3000];
  const int length = (int)strcspn(words, " ");
  snprintf(arguments, sizeof arguments, "post %.*s '%s' %s", length, words, result, words + length);
  CHECK_RUN(arguments, status, text);
}

/* A folder of the test's own, made on the first call. */
static inline const char *app_folder(const char *test) {
  static char path[512];
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  snprintf(path, sizeof path, "%s/tests/tmp/%s", TEST_BINARY_DIR, test);
  mkdir(path, 0777);
  return path;
}

static inline void remove_folder(const char *folder) {
  char command[1200];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK_INT(system(command), 0);
}

/* Where a JSON value (RFC 8259) that begins at s ends; NULL where it is not well formed. */
static inline const char *json_end(const char *s);

static inline const char *json_blank(const char *s) {
  while (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r') s++;
  return s;
}

static inline const char *json_string_end(const char *s) {
  for (s++; *s != '"'; s++) {
    if ((unsigned char)*s < 0x20) return NULL;
    if (*s != '\\') continue;
    s++;
    if (*s == 'u') {
      for (int k = 0; k < 4; k++)
        if (!isxdigit((unsigned char)*++s)) return NULL;
    } else if (*s == '\0' || !strchr("\"\\/bfnrt", *s)) {
      return NULL;
    }
  }
  return s + 1;
}

static inline const char *json_list_end(const char *s, char close) {
  s = json_blank(s + 1);
  if (*s == close) return s + 1;
  for (;;) {
    if (close == '}') {
      if (*s != '"' || !(s = json_string_end(s))) return NULL;
      s = json_blank(s);
      if (*s++ != ':') return NULL;
    }
    if (!(s = json_end(s))) return NULL;
    s = json_blank(s);
    if (*s == close) return s + 1;
    if (*s != ',') return NULL;
    s = json_blank(s + 1);
  }
}

static inline const char *json_end(const char *s) {
  s = json_blank(s);
  if (*s == '{') return json_list_end(s, '}');
  if (*s == '[') return json_list_end(s, ']');
  if (*s == '"') return json_string_end(s);
  if (strncmp(s, "null", 4) == 0 || strncmp(s, "true", 4) == 0) return s + 4;
  if (strncmp(s, "false", 5) == 0) return s + 5;
  if (*s != '-' && !isdigit((unsigned char)*s)) return NULL;
  char *end;
  const double value = strtod(s, &end);
  return isfinite(value) && end != s ? end : NULL;
}

/* The whole of the text is one JSON value. */
static inline bool json_valid(const char *text) {
  const char *end = json_end(text);
  return end && *json_blank(end) == '\0';
}

/* The number of a key, the first of that name; NAN where there is none. */
static inline double json_number(const char *text, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *at = strstr(text, quoted);
  return at ? strtod(at + strlen(quoted), NULL) : NAN;
}

#endif
