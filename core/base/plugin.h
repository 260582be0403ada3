/* Plugins: shared objects NAME.so, found by name in a few folders, checked, opened once and kept
 * for the life of the process. Laws and solvers are the two kinds; both begin with {abi, size,
 * name}.
 *
 * Folders of a kind, in this order: each entry D of DELASSUS_PLUGIN_PATH (colon separated) as D and
 * as D/<folder>; then <folder of libdelassus>/delassus/<folder>. The first NAME.so found counts. */
#ifndef DELASSUS_BASE_PLUGIN_H
#define DELASSUS_BASE_PLUGIN_H

#include <stdint.h>

#include <delassus/status.h>

typedef struct {
  const char *noun;    /* "contact law": begins every sentence */
  const char *folder;  /* "laws" */
  const char *symbol;  /* "dls_law_entry" */
  const char *foreign; /* the symbol of the other kind, which may lie in the same folder */
  const char *header;  /* "delassus/law.h": what to build against */
  uint32_t abi, size;
  DlsStatus missing;                /* what a name that is not there returns */
  const void *(*call)(void *entry); /* calls the symbol with its true type */
  /* Refuses what cannot be used; abi, size and name are right already. */
  DlsStatus (*accept)(const char *path, const void *plugin);
} DlsPluginKind;

/* The path of NAME.so in the folders; the caller frees *path. Where there is none, the sentence
 * gives the nearest name, the names there are (of `others` too, which are not files) and the
 * folders. */
DlsStatus dls_plugin_find(const DlsPluginKind *kind, const char *name, const char *const *others,
                          int nothers, char **path);

/* Opens and checks a file, or gives the same pointer again. */
DlsStatus dls_plugin_load(const DlsPluginKind *kind, const char *path, const void **plugin);

/* Calls visit for every NAME.so of the folders, by name, each name once. `plugin` is NULL where it
 * did not load; dls_error_message() then says why. Plugins of the other kind are passed over. */
DlsStatus dls_plugin_each(const DlsPluginKind *kind,
                          DlsStatus (*visit)(void *context, const char *path, const void *plugin),
                          void *context);

/* The path from which a plugin was loaded, or NULL. */
const char *dls_plugin_path(const void *plugin);

/* The folders, one a line; valid until the next call for this kind in this thread. */
const char *dls_plugin_folders(const DlsPluginKind *kind);

/* The plugin of a kind that died in this thread as it was loaded, since dls_plugin_forget(); NULL:
 * none did. The last one counts. */
typedef struct {
  const DlsPluginKind *kind;
  char path[1024];
  char function[40]; /* constructor, the symbol, destructor */
  char sentence[1024];
} DlsPluginDeath;
const DlsPluginDeath *dls_plugin_death(const DlsPluginKind *kind);
void dls_plugin_forget(void);

/* Adds dls_error_message() as a line to *text, NULL at first, which the caller frees. */
DlsStatus dls_plugin_note(char **text);

/* 1 when `name` reads [a-z][a-z0-9-]* and has at most 64 letters. */
int dls_plugin_name_valid(const char *name);

#endif
