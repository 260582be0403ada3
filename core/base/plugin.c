/* Opening of plugins, and the list of those that this process has opened. They stay for its life,
 * so that a pointer to a law or a solver never dies; a file that is refused is closed again. */
#include "base/plugin.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/elf.h"
#include "base/guard.h"
#include "base/plugin_impl.h"

typedef struct Loaded {
  const DlsPluginKind *kind;
  DlsFileIdentity identity;
  char *path;
  const void *plugin;
  struct Loaded *next;
} Loaded;

/* The first fields of every kind of plugin. `name` is read only once abi and size are right. */
typedef struct {
  uint32_t abi, size;
  const char *name;
} Head;

static Loaded *loaded;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static const Loaded *find_loaded(const DlsPluginKind *kind, const DlsFileIdentity *identity) {
  for (const Loaded *l = loaded; l; l = l->next)
    if (l->kind == kind && l->identity.device == identity->device &&
        l->identity.node == identity->node)
      return l;
  return NULL;
}

static DlsStatus check_name(const DlsPluginKind *kind, const char *path, const char *name) {
  DLS_CHECK(name, DLS_ERR_PLUGIN, "%s %s: its name is NULL; set .name", kind->noun, path);
  DLS_CHECK(
      dls_plugin_name_valid(name), DLS_ERR_PLUGIN,
      "%s %s: its name is not of the form [a-z][a-z0-9-]* with at most 64 letters; change .name",
      kind->noun, path);
  char *stem = dls_plugin_stem(path);
  DLS_CHECK(stem, DLS_ERR_MEMORY, "no memory for the name of %s", path);
  const int same = strcmp(stem, name) == 0;
  free(stem);
  DLS_CHECK(same, DLS_ERR_PLUGIN, "%s %s: its name is '%s'; call the file %s.so", kind->noun, path,
            name, name);
  return DLS_OK;
}

static DlsStatus check_plugin(const DlsPluginKind *kind, const char *path, const void *plugin) {
  const Head *head = plugin;
  DLS_CHECK(head, DLS_ERR_PLUGIN, "%s %s: %s() returns NULL; return the address of the struct",
            kind->noun, path, kind->symbol);
  DLS_CHECK(head->abi == kind->abi, DLS_ERR_PLUGIN,
            "%s %s: its ABI number is %u, this program's is %u; build it against this <%s>",
            kind->noun, path, head->abi, kind->abi, kind->header);
  DLS_CHECK(head->size == kind->size, DLS_ERR_PLUGIN,
            "%s %s: its struct has %u bytes, this program's %u; build it against this <%s>",
            kind->noun, path, head->size, kind->size, kind->header);
  DLS_TRY(check_name(kind, path, head->name));
  return kind->accept(path, plugin);
}

/* A sound plugin of the other kind, foreign, is told from a file that is none. */
static DlsStatus check_entry(const DlsPluginKind *kind, const char *path, int own, int foreign) {
  DLS_CHECK(own || !foreign, DLS_ERR_PLUGIN,
            "%s %s: it exports %s, so it is a plugin of another kind", kind->noun, path,
            kind->foreign);
  DLS_CHECK(own, DLS_ERR_PLUGIN,
            "%s %s: it exports no %s(); include <%s> where the function is defined", kind->noun,
            path, kind->symbol, kind->header);
  return DLS_OK;
}

/* Before anything of the file runs, where its table of symbols can be read: a file that is no
 * plugin is not given to dlopen(), which would call its constructors. */
static DlsStatus look(const DlsPluginKind *kind, const char *path, int *foreign) {
  const DlsElfSymbol own = dls_elf_find(path, kind->symbol);
  if (own == DLS_ELF_ABSENT) *foreign = dls_elf_find(path, kind->foreign) == DLS_ELF_EXPORTED;
  return check_entry(kind, path, own != DLS_ELF_ABSENT, *foreign);
}

static DlsStatus enter(const DlsPluginKind *kind, const char *path, void *library,
                       const void **plugin, int *foreign) {
  void *symbol = dlsym(library, kind->symbol);
  *foreign = !symbol && dlsym(library, kind->foreign);
  DLS_TRY(check_entry(kind, path, symbol != NULL, *foreign));
  *plugin = kind->call(symbol);
  return check_plugin(kind, path, *plugin);
}

static DlsStatus remember(const DlsPluginKind *kind, const char *path,
                          const DlsFileIdentity *identity, const void *plugin) {
  Loaded *new = malloc(sizeof *new);
  char *copy = strdup(path);
  if (!new || !copy) {
    free(new);
    free(copy);
    return dls_fail(DLS_ERR_MEMORY, "no memory for %s %s", kind->noun, path);
  }
  *new = (Loaded){kind, *identity, copy, plugin, loaded};
  loaded = new;
  return DLS_OK;
}

/* The file opened last died, in its child. */
static _Thread_local bool died;
static _Thread_local DlsPluginDeath death;

const DlsPluginDeath *dls_plugin_death(const DlsPluginKind *kind) {
  return death.kind == kind ? &death : NULL;
}

void dls_plugin_forget(void) { death.kind = NULL; }

/* How far a child came with a plugin. */
typedef enum { OPENING, ENTERING, CLOSING, CLOSED } Stage;

typedef struct {
  const DlsPluginKind *kind;
  const char *path;
} Probe;

/* In the child: the plugin's constructors, its entry, its destructors. */
static void try_plugin(void *context, void *result) {
  const Probe *probe = context;
  Stage *stage = result;
  const double seconds = dls_guard_seconds();
  dls_guard_end(); /* it dies as it would without us */
  if (seconds > 0) dls_child_wind_up(seconds);
  void *library = dlopen(probe->path, RTLD_NOW | RTLD_LOCAL);
  *stage = ENTERING;
  void *symbol = library ? dlsym(library, probe->kind->symbol) : NULL;
  if (symbol) (void)probe->kind->call(symbol);
  *stage = CLOSING;
  if (library) dlclose(library);
  *stage = CLOSED;
}

/* Under a guard a plugin is first opened in a child: whatever dies there, is not opened here. */
static DlsStatus probe_plugin(const DlsPluginKind *kind, const char *path) {
  const Probe probe = {kind, path};
  const double seconds = dls_guard_seconds();
  /* Of wall clock: it may sleep, too. Far beyond what a machine with much to do needs. */
  const DlsChildLimits limits = {.seconds = seconds > 0 ? fmax(60, 6 * seconds) : 0};
  Stage stage = OPENING;
  char where[80], how[100];
  if (!dls_guard_stands) return DLS_OK;
  const DlsChildEnd end =
      dls_child_run(try_plugin, (void *)(uintptr_t)&probe, &limits, &stage, sizeof stage);
  if (end.outcome == DLS_CHILD_DONE || end.outcome == DLS_CHILD_NOT_STARTED) return DLS_OK;
  died = true;
  if (stage == ENTERING)
    snprintf(where, sizeof where, "%s()", kind->symbol);
  else
    snprintf(where, sizeof where, "a %s",
             stage == OPENING ? "constructor, which runs when it is opened,"
                              : "destructor, which runs when it is closed,");
  if (end.outcome == DLS_CHILD_TIMEOUT || end.signal == SIGPROF)
    snprintf(how, sizeof how, "did not return within %g s of %s",
             end.signal == SIGPROF ? seconds : limits.seconds,
             end.signal == SIGPROF ? "processor time" : "wall clock");
  else if (end.signal)
    snprintf(how, sizeof how, "died: %s", strsignal(end.signal));
  else
    snprintf(how, sizeof how, "called exit(%d)", end.status);
  dls_fail(DLS_ERR_PLUGIN, "%s %s: %s %s; it is not loaded", kind->noun, path, where, how);
  snprintf(death.path, sizeof death.path, "%s", path);
  snprintf(death.function, sizeof death.function, "%s",
           stage == ENTERING  ? kind->symbol
           : stage == OPENING ? "constructor"
                              : "destructor");
  snprintf(death.sentence, sizeof death.sentence, "%s", dls_error_message());
  return DLS_ERR_PLUGIN;
}

/* `path` holds a slash, so that dlopen does not search for it. */
static DlsStatus open_plugin(const DlsPluginKind *kind, const char *path, const void **plugin,
                             int *foreign) {
  DlsFileIdentity identity;
  DLS_TRY(dls_elf_check(kind->noun, path, &identity));
  const Loaded *known = find_loaded(kind, &identity);
  if (known) { /* maybe by another path, which must bear the name too */
    *plugin = known->plugin;
    return check_name(kind, path, ((const Head *)known->plugin)->name);
  }
  DLS_TRY(look(kind, path, foreign));
  DLS_TRY(probe_plugin(kind, path));
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  DLS_CHECK(library, DLS_ERR_PLUGIN, "%s %s: it does not load: %s; link it with what it uses",
            kind->noun, path, dlerror());
  DlsStatus status = enter(kind, path, library, plugin, foreign);
  if (status == DLS_OK) status = remember(kind, path, &identity, *plugin);
  if (status != DLS_OK) dlclose(library);
  return status;
}

static DlsStatus load(const DlsPluginKind *kind, const char *path, const void **plugin,
                      int *foreign) {
  *plugin = NULL;
  *foreign = 0;
  DLS_CHECK(path && path[0], DLS_ERR_ARGUMENT, "%s: the path is empty", kind->noun);
  char *local = malloc(strlen(path) + 3);
  DLS_CHECK(local, DLS_ERR_MEMORY, "no memory for %s %s", kind->noun, path);
  strcpy(local, strchr(path, '/') ? "" : "./");
  strcat(local, path);
  pthread_mutex_lock(&loading);
  const DlsStatus status = open_plugin(kind, local, plugin, foreign);
  pthread_mutex_unlock(&loading);
  if (status != DLS_OK) *plugin = NULL;
  free(local);
  return status;
}

DlsStatus dls_plugin_load(const DlsPluginKind *kind, const char *path, const void **plugin) {
  int foreign;
  died = false;
  const DlsStatus status = load(kind, path, plugin, &foreign);
  if (died) { /* it was asked for; those of a list are only left out */
    dls_guard_count();
    death.kind = kind;
  }
  return status;
}

DlsStatus dls_plugin_each(const DlsPluginKind *kind,
                          DlsStatus (*visit)(void *context, const char *path, const void *plugin),
                          void *context) {
  DlsPluginFiles files;
  DLS_TRY(dls_plugin_files(kind, &files));
  DlsStatus status = DLS_OK;
  for (int i = 0; i < files.count && status == DLS_OK; i++) {
    const void *plugin;
    int foreign;
    const DlsStatus opened = load(kind, files.item[i].path, &plugin, &foreign);
    if (opened == DLS_ERR_MEMORY)
      status = opened;
    else if (!foreign)
      status = visit(context, files.item[i].path, plugin);
  }
  dls_plugin_files_clear(&files);
  return status;
}

const char *dls_plugin_path(const void *plugin) {
  const char *path = NULL;
  pthread_mutex_lock(&loading);
  for (const Loaded *l = loaded; l && !path; l = l->next)
    if (l->plugin == plugin) path = l->path;
  pthread_mutex_unlock(&loading);
  return path;
}

DlsStatus dls_plugin_note(char **text) {
  const char *sentence = dls_error_message();
  const size_t used = *text ? strlen(*text) : 0;
  char *more = realloc(*text, used + strlen(sentence) + 2);
  DLS_CHECK(more, DLS_ERR_MEMORY, "no memory for the failures of plugins");
  more[used] = '\0';
  if (used) strcat(more, "\n");
  strcat(more, sentence);
  *text = more;
  return DLS_OK;
}
