/* The library of contact laws: by name, by path, all of them. */
#include <delassus/laws.h>

#include <stdlib.h>
#include <string.h>

#include "base/plugin.h"
#include "law/law_impl.h"

static const void *call_entry(void *entry) {
  const DlsLaw *(*function)(void);
  memcpy(&function, &entry, sizeof function); /* POSIX: dlsym's pointer is the function's */
  return function();
}

static DlsStatus accept(const char *path, const void *law) { return dls_law_accept(law, path); }

static const DlsPluginKind kind = {
    .noun = "contact law",
    .folder = "laws",
    .symbol = "dls_law_entry",
    .foreign = "dls_solver_entry",
    .header = "delassus/law.h",
    .abi = DLS_LAW_ABI,
    .size = (uint32_t)sizeof(DlsLaw),
    .missing = DLS_ERR_PLUGIN,
    .call = call_entry,
    .accept = accept,
};

const DlsPluginKind *dls_law_kind(void) { return &kind; }

static int is_path(const char *name) {
  const size_t length = strlen(name);
  return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

DlsStatus dls_law_load(const char *path, const DlsLaw **out) {
  const void *law;
  const DlsStatus status = dls_plugin_load(&kind, path, &law);
  *out = law;
  return status;
}

DlsStatus dls_law_find(const char *name, const DlsLaw **out) {
  *out = NULL;
  DLS_CHECK(name && name[0], DLS_ERR_ARGUMENT, "contact law: the name is empty; give one");
  if (is_path(name)) return dls_law_load(name, out);
  char *path;
  DLS_TRY(dls_plugin_find(&kind, name, NULL, 0, &path));
  const DlsStatus status = dls_law_load(path, out);
  free(path);
  return status;
}

const char *dls_law_path(const DlsLaw *law) { return dls_plugin_path(law); }

const char *dls_law_folders(void) { return dls_plugin_folders(&kind); }

/* The last list, and the sentences of what did not load. */
static const DlsLaw **laws;
static int nlaws;
static char *failures;

static DlsStatus add_law(void *context, const char *path, const void *law) {
  (void)context;
  (void)path;
  if (!law) return dls_plugin_note(&failures);
  const DlsLaw **more = realloc(laws, sizeof *laws * (size_t)(nlaws + 1));
  DLS_CHECK(more, DLS_ERR_MEMORY, "no memory for the list of contact laws");
  laws = more;
  laws[nlaws++] = law;
  return DLS_OK;
}

DlsStatus dls_law_list(const DlsLaw *const **out, int *count) {
  nlaws = 0;
  free(failures);
  failures = NULL;
  const DlsStatus status = dls_plugin_each(&kind, add_law, NULL);
  *out = laws;
  *count = nlaws;
  return status;
}

const char *dls_law_failures(void) { return failures ? failures : ""; }
