/* The library of bulk laws: what they declare, by name, all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plugin.h"
#include "bulk/bulk.h"
#include "bulk/umat.h"
#include "law/declared.h"

static const void *call_entry(void *entry) {
  const DlsBulk *(*function)(void);
  memcpy(&function, &entry, sizeof function); /* POSIX: dlsym's pointer is the function's */
  return function();
}

static DlsStatus accept(const char *path, const void *plugin) {
  const DlsBulk *law = plugin;
  const uint32_t measures = DLS_BULK_SMALL | DLS_BULK_GREEN | DLS_BULK_LOG;
  const uint32_t claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_RATE | DLS_BULK_ISOTROPIC;
  char who[1200];
  snprintf(who, sizeof who, "bulk law %s", path);
  DLS_TRY(dls_declared_texts(who, law->summary, law->references, law->description, law->maturity));
  DLS_TRY(dls_declared_table(who, "parameter", law->params, law->nparams));
  DLS_TRY(dls_declared_table(who, "state variable", law->states, law->nstates));
  DLS_CHECK(law->measures && (law->measures & ~measures) == 0, DLS_ERR_PLUGIN,
            "%s: .measures is 0x%x; join DLS_BULK_SMALL, DLS_BULK_GREEN, DLS_BULK_LOG with |", who,
            law->measures);
  DLS_CHECK((law->claims & ~claims) == 0, DLS_ERR_PLUGIN,
            "%s: .claims is 0x%x; join DLS_BULK_SYMMETRIC, LINEAR, RATE, ISOTROPIC with |", who,
            law->claims);
  DLS_CHECK(law->stress && law->energy, DLS_ERR_PLUGIN,
            "%s: it has no function stress or no energy; give both", who);
  DLS_CHECK(!(law->claims & DLS_BULK_LINEAR) || law->nstates == 0, DLS_ERR_PLUGIN,
            "%s: it claims to be linear and has state variables; drop one", who);
  return DLS_OK;
}

static const DlsPluginKind kind = {
    .noun = "bulk law",
    .folder = "bulk",
    .symbol = "dls_bulk_entry",
    .foreign = "dls_law_entry",
    .header = "delassus/bulk.h",
    .abi = DLS_BULK_ABI,
    .size = (uint32_t)sizeof(DlsBulk),
    .missing = DLS_ERR_PLUGIN,
    .call = call_entry,
    .accept = accept,
};

static DlsStatus load(const char *path, const DlsBulk **out) {
  const void *law;
  const DlsStatus status = dls_plugin_load(&kind, path, &law);
  *out = law;
  return status;
}

DlsStatus dls_bulk_find(const char *name, const DlsBulk **out) {
  *out = NULL;
  DLS_CHECK(name && name[0], DLS_ERR_ARGUMENT, "bulk law: the name is empty; give one");
  if (dls_umat_is(name)) return dls_umat_find(name, out);
  const size_t length = strlen(name);
  if (strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0))
    return load(name, out);
  char *path;
  DLS_TRY(dls_plugin_find(&kind, name, NULL, 0, &path));
  const DlsStatus status = load(path, out);
  free(path);
  return status;
}

const char *dls_bulk_path(const DlsBulk *law) {
  const char *umat = dls_umat_path(law);
  return umat ? umat : dls_plugin_path(law);
}

const char *dls_bulk_folders(void) { return dls_plugin_folders(&kind); }

/* The last list, and the sentences of what did not load. */
static const DlsBulk **laws;
static int nlaws;
static char *failures;

static DlsStatus add_law(void *context, const char *path, const void *law) {
  (void)context;
  (void)path;
  if (!law) return dls_plugin_note(&failures);
  const DlsBulk **more = realloc(laws, sizeof *laws * (size_t)(nlaws + 1));
  DLS_CHECK(more, DLS_ERR_MEMORY, "no memory for the list of bulk laws");
  laws = more;
  laws[nlaws++] = law;
  return DLS_OK;
}

DlsStatus dls_bulk_list(const DlsBulk *const **out, int *count) {
  nlaws = 0;
  free(failures);
  failures = NULL;
  const DlsStatus status = dls_plugin_each(&kind, add_law, NULL);
  *out = laws;
  *count = nlaws;
  return status;
}

const char *dls_bulk_failures(void) { return failures ? failures : ""; }
