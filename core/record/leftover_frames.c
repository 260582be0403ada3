/* Frames of an earlier, longer run. */
#include "record/leftover_frames.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* "_pKK.vtu", two digits or more. */
static bool is_piece(const char *ending) {
  if (strncmp(ending, "_p", 2) != 0) return false;
  const size_t digits = strspn(ending + 2, "0123456789");
  return digits >= 2 && strcmp(ending + 2 + digits, ".vtu") == 0;
}

/* The number of "NAME_NNNNNN.vtu", .pvtu, .csv or "NAME_NNNNNN_pKK.vtu", six digits or more and
 * none in vain; -1 for any other file. */
static long number_of(const char *file, const char *name) {
  const size_t length = strlen(name);
  char written[64], *end;
  if (strncmp(file, name, length) != 0 || file[length] != '_') return -1;
  errno = 0;
  const long number = strtol(file + length + 1, &end, 10);
  if (errno || number < 0) return -1;
  snprintf(written, sizeof written, "_%06ld", number);
  if (end != file + length + strlen(written) || strncmp(file + length, written, strlen(written)))
    return -1;
  if (is_piece(end)) return number;
  return strcmp(end, ".vtu") == 0 || strcmp(end, ".pvtu") == 0 || strcmp(end, ".csv") == 0 ? number
                                                                                           : -1;
}

DlsStatus dls_leftover_frames_remove(const char *folder, const char *name, long first) {
  DIR *list = opendir(folder);
  DlsStatus status = list ? DLS_OK : dls_file_fail(folder, errno);
  for (struct dirent *entry; status == DLS_OK && (entry = readdir(list));) {
    char path[4096];
    if (number_of(entry->d_name, name) < first) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (unlink(path) != 0 && errno != ENOENT) status = dls_file_fail(path, errno);
  }
  if (list) closedir(list);
  return status;
}
