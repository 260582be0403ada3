#include "compare/about.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static DlsAboutLine *find(const DlsAbout *about, const char *key) {
  for (int k = 0; k < about->count; k++)
    if (strcmp(about->line[k].key, key) == 0) return (DlsAboutLine *)(size_t)&about->line[k];
  return NULL;
}

void dls_about_put(DlsAbout *about, const char *key, const char *format, ...) {
  DlsAboutLine *line = find(about, key);
  va_list arguments;
  if (!line && about->count == DLS_ABOUT_LINES) return;
  if (!line) line = &about->line[about->count++];
  snprintf(line->key, sizeof line->key, "%s", key);
  va_start(arguments, format);
  vsnprintf(line->value, sizeof line->value, format, arguments);
  va_end(arguments);
}

const char *dls_about_get(const DlsAbout *about, const char *key) {
  const DlsAboutLine *line = find(about, key);
  return line && line->value[0] ? line->value : NULL;
}

/* Whether the word names a file of a problem. */
static bool is_file(const char *word) {
  const size_t length = strlen(word);
  return length > 5 && strcmp(word + length - 5, ".hdf5") == 0;
}

void dls_about_command(DlsAbout *about, const char *first, int argc, char *const *argv) {
  enum { SHOWN = 3 };
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./:=,+@%";
  char text[DLS_ABOUT_VALUE];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", first);
  for (int k = 0, files = 0; k < argc && used < sizeof text; k++) {
    const bool quoted = !argv[k][0] || argv[k][strspn(argv[k], plain)];
    const char *quote = quoted ? strchr(argv[k], '\'') ? "\"" : "'" : "";
    files = is_file(argv[k]) ? files + 1 : 0;
    if (files > SHOWN && k + 1 < argc && is_file(argv[k + 1])) continue;
    const int more = snprintf(text + used, sizeof text - used, " %s%s%s%s",
                              files > SHOWN + 1 ? "... " : "", quote, argv[k], quote);
    if (more > 0) used += (size_t)more;
  }
  if (used >= sizeof text) memcpy(text + sizeof text - 4, "...", 4);
  dls_about_put(about, "command", "%s", text);
}

DlsStatus dls_about_write(const DlsAbout *about, const char *folder) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/about.csv", folder);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "key,value\ntitle,%s\n", about->title);
  for (int k = 0; k < about->count; k++) /* the value is all that follows the first comma */
    if (about->line[k].value[0])
      dls_file_print(file, "%s,%s\n", about->line[k].key, about->line[k].value);
  return dls_file_commit(&file);
}

DlsStatus dls_about_read(const char *folder, DlsAbout *out) {
  char path[PATH_MAX], line[DLS_ABOUT_KEY + DLS_ABOUT_VALUE + 4];
  FILE *file;
  *out = (DlsAbout){.count = 0};
  snprintf(path, sizeof path, "%s/about.csv", folder);
  if (access(path, F_OK) != 0 && errno == ENOENT) return DLS_OK;
  DLS_TRY(dls_file_open(path, &file));
  for (int number = 0; fgets(line, sizeof line, file); number++) {
    line[strcspn(line, "\r\n")] = '\0';
    char *comma = strchr(line, ',');
    if (!number || !comma) continue;
    *comma++ = '\0';
    if (strcmp(line, "title") == 0)
      snprintf(out->title, sizeof out->title, "%.*s", (int)sizeof out->title - 1, comma);
    else
      dls_about_put(out, line, "%s", comma);
  }
  fclose(file);
  return DLS_OK;
}
