/* The files of a kind of plugin, as the search sees them: shared by plugin.c and plugin_search.c.
 */
#ifndef DELASSUS_BASE_PLUGIN_IMPL_H
#define DELASSUS_BASE_PLUGIN_IMPL_H

#include "base/plugin.h"

typedef struct {
  char *name, *path;
} DlsPluginFile;

typedef struct {
  DlsPluginFile *item; /* sorted by name, each name once */
  int count;
} DlsPluginFiles;

/* All NAME.so in the folders of the kind. The caller ends *out with dls_plugin_files_clear(). */
DlsStatus dls_plugin_files(const DlsPluginKind *kind, DlsPluginFiles *out);
void dls_plugin_files_clear(DlsPluginFiles *files);

/* The name in a path: "/a/b/coulomb.so" gives "coulomb". The caller frees it; NULL: no memory. */
char *dls_plugin_stem(const char *path);

/* In home.c: folders with colons between them, relative to where this code lies. */
extern const char dls_plugin_places[];

#endif
