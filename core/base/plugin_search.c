/* Where plugins are looked for, and what lies there. Nothing is opened here. */
#define _GNU_SOURCE /* dladdr, asprintf */
#include "base/nearest.h"
#include "base/plugin_impl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char search_variable[] = "DELASSUS_PLUGIN_PATH";
static const char suffix[] = ".so";

typedef struct {
  char **item;
  int count;
} Folders;

static void folders_clear(Folders *folders) {
  for (int i = 0; i < folders->count; i++) free(folders->item[i]);
  free(folders->item);
  *folders = (Folders){NULL, 0};
}

static char *joined(const char *folder, const char *name, const char *ending) {
  char *path = NULL;
  return asprintf(&path, "%s/%s%s", folder, name, ending) < 0 ? NULL : path;
}

/* Takes `folder`; NULL stands for a failed allocation. */
static DlsStatus folders_add(Folders *folders, char *folder) {
  char **more = folder ? realloc(folders->item, sizeof *more * (size_t)(folders->count + 1)) : NULL;
  if (!more) {
    free(folder);
    return dls_fail(DLS_ERR_MEMORY, "no memory for the list of plugin folders");
  }
  folders->item = more;
  folders->item[folders->count++] = folder;
  return DLS_OK;
}

/* The folder of this very library or program; the caller frees it. The loader knows a program by
 * the word that started it, which may be relative to another folder; the system knows its file. */
static char *own_folder(void) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1((void *)(uintptr_t)&dls_plugin_find, &info, (void **)&map, RTLD_DL_LINKMAP))
    return NULL;
  const bool is_library = map && map->l_name && map->l_name[0];
  char *path = realpath(is_library ? map->l_name : "/proc/self/exe", NULL);
  if (!path) return NULL;
  char *end = strrchr(path, '/');
  if (end) *end = '\0';
  return path;
}

static DlsStatus add_variable(const DlsPluginKind *kind, Folders *out) {
  const char *from = getenv(search_variable);
  while (from && *from) {
    const size_t length = strcspn(from, ":");
    if (length) {
      char *entry = strndup(from, length);
      char *below = entry ? joined(entry, kind->folder, "") : NULL;
      const DlsStatus status = folders_add(out, entry);
      if (status != DLS_OK) free(below);
      DLS_TRY(status);
      DLS_TRY(folders_add(out, below));
    }
    from += length + (from[length] == ':');
  }
  return DLS_OK;
}

/* The folders of dls_plugin_places, seen from `own`: those that are there, or else the first. */
static DlsStatus add_places(const DlsPluginKind *kind, const char *own, Folders *out) {
  const int before = out->count;
  char *first = NULL;
  for (const char *from = dls_plugin_places; *from;) {
    const size_t length = strcspn(from, ":");
    char *place = NULL;
    if (asprintf(&place, "%s/%.*s/%s", own, (int)length, from, kind->folder) < 0) place = NULL;
    char *folder = place ? realpath(place, NULL) : NULL;
    if (folder && folders_add(out, folder) != DLS_OK) {
      free(place);
      free(first);
      return DLS_ERR_MEMORY;
    }
    if (first)
      free(place);
    else
      first = place;
    from += length + (from[length] == ':');
  }
  if (out->count == before) return folders_add(out, first);
  free(first);
  return DLS_OK;
}

static DlsStatus folders_fill(const DlsPluginKind *kind, Folders *out) {
  *out = (Folders){NULL, 0};
  DlsStatus status = add_variable(kind, out);
  char *own = status == DLS_OK ? own_folder() : NULL;
  if (own) status = add_places(kind, own, out);
  free(own);
  if (status != DLS_OK) folders_clear(out);
  return status;
}

/* The length of the name in a file name that ends in .so; 0 for others and for hidden files. */
static size_t stem_length(const char *file) {
  const size_t length = strlen(file), ending = sizeof suffix - 1;
  if (length <= ending || file[0] == '.' || strcmp(file + length - ending, suffix) != 0) return 0;
  return length - ending;
}

char *dls_plugin_stem(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  const size_t length = stem_length(file);
  return length ? strndup(file, length) : strdup(file);
}

void dls_plugin_files_clear(DlsPluginFiles *files) {
  for (int i = 0; i < files->count; i++) {
    free(files->item[i].name);
    free(files->item[i].path);
  }
  free(files->item);
  *files = (DlsPluginFiles){NULL, 0};
}

static int contains(const DlsPluginFiles *files, const char *name) {
  for (int i = 0; i < files->count; i++)
    if (strcmp(files->item[i].name, name) == 0) return 1;
  return 0;
}

/* Adds folder/file unless its name is there from an earlier folder. */
static DlsStatus files_add(DlsPluginFiles *files, const char *folder, const char *file) {
  DlsPluginFile new = {dls_plugin_stem(file), joined(folder, file, "")};
  DlsPluginFile *more = NULL;
  if (new.name &&new.path && !contains(files, new.name)) {
    more = realloc(files->item, sizeof *more * (size_t)(files->count + 1));
  } else if (new.name &&new.path) {
    free(new.name);
    free(new.path);
    return DLS_OK;
  }
  if (!more) {
    free(new.name);
    free(new.path);
    return dls_fail(DLS_ERR_MEMORY, "no memory for the list of plugins");
  }
  files->item = more;
  files->item[files->count++] = new;
  return DLS_OK;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const DlsPluginFile *)a)->name, ((const DlsPluginFile *)b)->name);
}

DlsStatus dls_plugin_files(const DlsPluginKind *kind, DlsPluginFiles *out) {
  Folders folders;
  *out = (DlsPluginFiles){NULL, 0};
  DLS_TRY(folders_fill(kind, &folders));
  DlsStatus status = DLS_OK;
  for (int i = 0; i < folders.count && status == DLS_OK; i++) {
    DIR *listing = opendir(folders.item[i]);
    const struct dirent *entry;
    while (listing && status == DLS_OK && (entry = readdir(listing)))
      if (stem_length(entry->d_name)) status = files_add(out, folders.item[i], entry->d_name);
    if (listing) closedir(listing);
  }
  folders_clear(&folders);
  if (status != DLS_OK) dls_plugin_files_clear(out);
  if (out->count) qsort(out->item, (size_t)out->count, sizeof *out->item, by_name);
  return status;
}

const char *dls_plugin_folders(const DlsPluginKind *kind) {
  static _Thread_local char text[8192];
  Folders folders;
  size_t used = 0;
  text[0] = '\0';
  if (folders_fill(kind, &folders) != DLS_OK) return text;
  for (int i = 0; i < folders.count && used < sizeof text; i++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "\n" : "", folders.item[i]);
  folders_clear(&folders);
  return text;
}

int dls_plugin_name_valid(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
  if (!(name[0] >= 'a' && name[0] <= 'z')) return 0;
  const size_t length = strnlen(name, 65);
  return length <= 64 && strspn(name, letters) == length;
}

static void append(char *text, size_t bytes, const char *separator, const char *word) {
  const size_t used = strlen(text);
  if (used + strlen(separator) + strlen(word) + 1 > bytes) return;
  snprintf(text + used, bytes - used, "%s%s", used ? separator : "", word);
}

/* The sentence for a name that is nowhere: nearest name, names, folders. */
static DlsStatus fail_missing(const DlsPluginKind *kind, const char *name,
                              const char *const *others, int nothers) {
  char there[256] = "", places[512] = "";
  DlsPluginFiles files;
  DLS_TRY(dls_plugin_files(kind, &files));
  const int count = nothers + files.count;
  const char **names = malloc(sizeof *names * (size_t)(count + 1));
  for (int i = 0; names && i < count; i++) {
    names[i] = i < nothers ? others[i] : files.item[i - nothers].name;
    append(there, sizeof there, ", ", names[i]);
  }
  const char *near = names ? dls_nearest(name, names, count) : NULL;
  const char *folders = dls_plugin_folders(kind);
  for (size_t i = 0; folders[i] && i + 1 < sizeof places; i++) {
    places[i] = folders[i] == '\n' ? ':' : folders[i];
    places[i + 1] = '\0';
  }
  const DlsStatus status = dls_fail(
      kind->missing, "%s '%s' is not known%s%s%s; there are: %s; searched in %s (add to %s)",
      kind->noun, name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
      there[0] ? there : "none", places[0] ? places : "no folder", search_variable);
  free(names);
  dls_plugin_files_clear(&files);
  return status;
}

DlsStatus dls_plugin_find(const DlsPluginKind *kind, const char *name, const char *const *others,
                          int nothers, char **path) {
  Folders folders;
  struct stat info;
  *path = NULL;
  DLS_TRY(folders_fill(kind, &folders));
  for (int i = 0; i < folders.count && !*path && !strchr(name, '/'); i++) {
    *path = joined(folders.item[i], name, suffix);
    if (*path && lstat(*path, &info) != 0) { /* a link to nothing is found, and refused later */
      free(*path);
      *path = NULL;
    }
  }
  folders_clear(&folders);
  return *path ? DLS_OK : fail_missing(kind, name, others, nothers);
}
