#include "app/law/failed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law_bench/failure_file.h"

int app_law_failed(const AppCommand *command, DlsStatus status, const char *beside) {
  static const char name[] = "law-failure.yaml";
  const char *slash = strrchr(beside, '/');
  const size_t folder = slash ? (size_t)(slash - beside) + 1 : 0, bytes = folder + sizeof name;
  DlsLawFailure failure;
  const bool there = status == DLS_ERR_LAW && dls_law_failure_last(&failure);
  const int refused = app_refuse_status(command);
  if (status != DLS_ERR_LAW) return refused;
  char *path = there ? malloc(bytes) : NULL;
  if (path) {
    snprintf(path, bytes, "%.*s%s", (int)folder, beside, name);
    if (dls_failure_write(&failure, path) == DLS_OK)
      fprintf(stderr, "the contact is kept; to ask the law again: delassus law path --replay %s\n",
              path);
    else
      app_refuse_status(command);
  }
  free(path);
  return APP_NOT_CONVERGED;
}
