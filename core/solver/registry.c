/* The solvers there are: those of solvers/list.h, then plugins. A plugin is opened only when its
 * name is asked for, or when all are listed. */
#include <delassus/solver.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "base/plugin.h"

#define DLS_SOLVER(name) extern const DlsSolver dls_solver_##name;
#include "solvers/list.h"
#undef DLS_SOLVER

static const DlsSolver *const built_in[] = {
#define DLS_SOLVER(name) &dls_solver_##name,
#include "solvers/list.h"
#undef DLS_SOLVER
    NULL,
};

enum { BUILT_IN = DLS_COUNT(built_in) - 1, MOST_OPTIONS = 256 };

#define REFUSE_UNLESS(condition, ...) DLS_CHECK(condition, DLS_ERR_PLUGIN, __VA_ARGS__)

static DlsStatus check_texts(const char *path, const DlsSolver *solver) {
  REFUSE_UNLESS(solver->summary, "solver %s: .summary is NULL; say in a line what it is", path);
  REFUSE_UNLESS(solver->references, "solver %s: .references is NULL; set it, if only to \"\"",
                path);
  REFUSE_UNLESS(solver->create && solver->solve && solver->destroy,
                "solver %s: create, solve or destroy is NULL; all three are needed", path);
  return DLS_OK;
}

static DlsStatus check_option(const char *path, const DlsSolver *solver, int i) {
  const DlsOption *o = &solver->options[i];
  REFUSE_UNLESS(o->name && o->name[0] && o->meaning,
                "solver %s: option %d has no name or no meaning; fill the row", path, i);
  for (int k = 0; k < i; k++)
    REFUSE_UNLESS(strcmp(o->name, solver->options[k].name) != 0,
                  "solver %s: options %d and %d are both called '%s'; rename one", path, k, i,
                  o->name);
  const int kind = (int)o->kind;
  REFUSE_UNLESS(kind >= DLS_OPTION_REAL && kind <= DLS_OPTION_CHOICE,
                "solver %s: option '%s' is of kind %d, which is not known; use the macros", path,
                o->name, kind);
  const size_t bytes = kind == DLS_OPTION_REAL ? sizeof(double) : sizeof(int);
  REFUSE_UNLESS(
      o->offset <= solver->option_bytes && bytes <= solver->option_bytes - o->offset,
      "solver %s: option '%s' lies beyond the %zu bytes of the options; set .option_bytes", path,
      o->name, solver->option_bytes);
  REFUSE_UNLESS(kind != DLS_OPTION_CHOICE || o->choices,
                "solver %s: option '%s' has no choices; give \"first|second\"", path, o->name);
  REFUSE_UNLESS(kind != DLS_OPTION_INT || (o->min >= INT_MIN && o->max <= INT_MAX),
                "solver %s: the bounds %g and %g of option '%s' are not within those of an int",
                path, o->min, o->max, o->name);
  const double min = kind == DLS_OPTION_CHOICE ? 0 : o->min;
  const double max = kind == DLS_OPTION_CHOICE ? dls_choice_count(o->choices) - 1 : o->max;
  REFUSE_UNLESS(isfinite(o->value) && o->value >= min && o->value <= max,
                "solver %s: the default %g of option '%s' is not within %g and %g; mend either",
                path, o->value, o->name, min, max);
  return DLS_OK;
}

static DlsStatus accept(const char *path, const void *plugin) {
  const DlsSolver *solver = plugin;
  DLS_TRY(check_texts(path, solver));
  REFUSE_UNLESS(solver->noptions >= 0 && solver->noptions <= MOST_OPTIONS,
                "solver %s: it declares %d options; use DLS_COUNT", path, solver->noptions);
  REFUSE_UNLESS(solver->noptions == 0 || solver->options,
                "solver %s: its table of %d options is NULL; set the pointer", path,
                solver->noptions);
  for (int i = 0; i < solver->noptions; i++) DLS_TRY(check_option(path, solver, i));
  return DLS_OK;
}

static const void *call_entry(void *entry) {
  DlsSolverEntry function;
  memcpy(&function, &entry, sizeof function); /* POSIX: dlsym's pointer is the function's */
  return function();
}

/* Plugins of one kind that lie in two folders. */
#define SOLVERS_IN(place)                                                                          \
  {                                                                                                \
    .noun = "solver", .folder = place, .symbol = "dls_solver_entry", .foreign = "dls_law_entry",   \
    .header = "delassus/solver.h", .abi = DLS_SOLVER_ABI, .size = (uint32_t)sizeof(DlsSolver),     \
    .missing = DLS_ERR_SOLVER, .call = call_entry, .accept = accept,                               \
  }

static const DlsPluginKind kind = SOLVERS_IN("solvers");

/* Solvers of other libraries behind an adaptor: found by name, and in no list but their own, so
 * that "all solvers" and the checks of laws mean ours. */
static const DlsPluginKind peer_kind = SOLVERS_IN("peers");

static DlsStatus load(const char *path, const DlsSolver **out) {
  const void *solver;
  const DlsStatus status = dls_plugin_load(&kind, path, &solver);
  *out = solver;
  return status;
}

DlsStatus dls_solver_find(const char *name, const DlsSolver **out) {
  *out = NULL;
  DLS_CHECK(name && name[0], DLS_ERR_ARGUMENT, "solver: the name is empty; give one");
  const char *names[BUILT_IN + 1] = {NULL};
  for (int i = 0; i < BUILT_IN; i++) {
    names[i] = built_in[i]->name;
    if (strcmp(name, names[i]) == 0) *out = built_in[i];
  }
  if (*out) return DLS_OK;
  if (strchr(name, '/')) return load(name, out);
  char *path;
  DlsStatus found = dls_plugin_find(&kind, name, names, BUILT_IN, &path);
  if (found == DLS_ERR_SOLVER) found = dls_plugin_find(&peer_kind, name, NULL, 0, &path);
  if (found == DLS_ERR_SOLVER) /* for its sentence */
    found = dls_plugin_find(&kind, name, names, BUILT_IN, &path);
  DLS_TRY(found);
  const DlsStatus status = load(path, out);
  free(path);
  return status;
}

/* The last list, and the sentences of what did not load. */
static const DlsSolver **solvers;
static int nsolvers;
static char *failures;

static DlsStatus append(const DlsSolver *solver, const DlsSolver ***list, int *count) {
  const DlsSolver **more = realloc(*list, sizeof **list * (size_t)(*count + 1));
  DLS_CHECK(more, DLS_ERR_MEMORY, "no memory for the list of solvers");
  *list = more;
  more[(*count)++] = solver;
  return DLS_OK;
}

/* A plugin that bears the name of a built-in solver cannot be found by it, so it is not listed. */
static DlsStatus add_plugin(void *context, const char *path, const void *plugin) {
  (void)context;
  if (!plugin) return dls_plugin_note(&failures);
  const DlsSolver *solver = plugin;
  for (int i = 0; i < BUILT_IN; i++)
    if (strcmp(solver->name, built_in[i]->name) == 0) {
      (void)dls_fail(DLS_ERR_PLUGIN, "solver %s: a built-in solver has this name; rename it", path);
      return dls_plugin_note(&failures);
    }
  return append(solver, &solvers, &nsolvers);
}

DlsStatus dls_solver_list(const DlsSolver *const **out, int *count) {
  nsolvers = 0;
  free(failures);
  failures = NULL;
  DlsStatus status = DLS_OK;
  for (int i = 0; i < BUILT_IN && status == DLS_OK; i++)
    status = append(built_in[i], &solvers, &nsolvers);
  if (status == DLS_OK) status = dls_plugin_each(&kind, add_plugin, NULL);
  *out = solvers;
  *count = nsolvers;
  return status;
}

static const DlsSolver **peers;
static int npeers;

/* The folders of the search path hold solvers of ours as well: what lies in a folder of peers
 * counts. */
static DlsStatus add_peer(void *context, const char *path, const void *plugin) {
  static const char folder[] = "/peers/";
  const char *file = strrchr(path, '/');
  const size_t length = sizeof folder - 2;
  (void)context;
  if (!plugin || !file || (size_t)(file - path) < length) return DLS_OK;
  if (strncmp(file - length, folder, sizeof folder - 1) != 0) return DLS_OK;
  return append(plugin, &peers, &npeers);
}

DlsStatus dls_solver_peers(const DlsSolver *const **out, int *count) {
  npeers = 0;
  const DlsStatus status = dls_plugin_each(&peer_kind, add_peer, NULL);
  *out = peers;
  *count = npeers;
  return status;
}

const char *dls_solver_failures(void) { return failures ? failures : ""; }

const char *dls_solver_path(const DlsSolver *solver) { return dls_plugin_path(solver); }

const char *dls_solver_folders(void) { return dls_plugin_folders(&kind); }
