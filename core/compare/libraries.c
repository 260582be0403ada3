#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#include "compare/libraries.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the file behind all links. */
static void base_name(const char *path, char *text, size_t size) {
  char real[PATH_MAX];
  if (!realpath(path, real)) snprintf(real, sizeof real, "%s", path);
  const char *slash = strrchr(real, '/');
  snprintf(text, size, "%.200s", slash ? slash + 1 : real);
}

void dls_libraries_blas(char *text, size_t size) {
  Dl_info info;
  void *function = dlsym(RTLD_DEFAULT, "dgemm_");
  text[0] = '\0';
  if (function && dladdr(function, &info) && info.dli_fname) base_name(info.dli_fname, text, size);
}

static bool counts(const char *name) {
  static const char *const beginnings[] = {"libblas",
                                           "liblapack.",
                                           "libopenblas",
                                           "libmkl",
                                           "libblis",
                                           "libcholmod",
                                           "libumfpack",
                                           "libklu",
                                           "libpetsc",
                                           "libmumps_com",
                                           "libdmumps",
                                           "libmpi.",
                                           "libsiconos_numerics"};
  for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
    if (strncmp(name, beginnings[k], strlen(beginnings[k])) == 0) return true;
  return false;
}

void dls_libraries_describe(char *text, size_t size) {
  char line[PATH_MAX + 128], name[256];
  FILE *maps = fopen("/proc/self/maps", "r");
  text[0] = '\0';
  while (maps && fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/');
    if (!path) continue;
    path[strcspn(path, "\n")] = '\0';
    base_name(path, name, sizeof name);
    if (!counts(name) || strstr(text, name)) continue; /* each has several lines */
    const size_t used = strlen(text);
    if (used + strlen(name) + 3 < size)
      snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
  }
  if (maps) fclose(maps);
}
