#include "app/new_folder.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* What CMake and the generators call their own targets. */
static const char *const reserved[] = {"all",     "clean", "depend",  "edit-cache", "help",
                                       "install", "test",  "package", "preinstall"};

DlsStatus app_new_check_name(const char *noun, const char *text) {
  const size_t length = strlen(text);
  DLS_CHECK(length && length <= APP_NEW_NAME && islower((unsigned char)text[0]) &&
                strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length,
            DLS_ERR_ARGUMENT,
            "'%s' is no name of a %s; use small letters, digits and -, at most %d of them, a "
            "letter first",
            text, noun, APP_NEW_NAME);
  for (int k = 0; k < DLS_COUNT(reserved); k++)
    DLS_CHECK(strcmp(text, reserved[k]) != 0, DLS_ERR_ARGUMENT,
              "'%s' is a target that CMake keeps for itself; give the %s another name", text, noun);
  return DLS_OK;
}

DlsStatus app_new_folder(const char *folder) {
  struct stat info;
  DLS_CHECK(stat(folder, &info) != 0, DLS_ERR_FILE,
            "%s is there already; give another name, or --out DIR", folder);
  return dls_file_make_folder(folder);
}

static const char *meaning(const AppMark *marks, int count, const char *mark, size_t length) {
  for (int k = 0; k < count; k++)
    if (strlen(marks[k].mark) == length && memcmp(marks[k].mark, mark, length) == 0)
      return marks[k].text;
  return NULL;
}

DlsStatus app_new_file(const char *folder, const char *name, const char *text, const AppMark *marks,
                       int count) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  DLS_TRY(dls_file_begin(path, &file));
  for (const char *at = text; *at;) {
    const size_t plain = strcspn(at, "@");
    dls_file_put(file, at, plain);
    at += plain;
    if (!*at) break;
    const size_t length = strcspn(at + 1, "@");
    const char *filled = meaning(marks, count, at + 1, length);
    if (filled) dls_file_put(file, filled, strlen(filled));
    at += length + 2;
  }
  return dls_file_commit(&file);
}

void app_new_places(char program[APP_NEW_PATH], char prefix[APP_NEW_PATH]) {
  strcpy(program, "delassus");
  strcpy(prefix, "PREFIX");
  const ssize_t length = readlink("/proc/self/exe", program, APP_NEW_PATH - 1);
  if (length <= 0) return;
  program[length] = '\0';
  memcpy(prefix, program, (size_t)length + 1);
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(prefix, '/');
    if (slash) *slash = '\0';
  }
}
