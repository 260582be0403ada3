/* Ranks: who they are, and calls to the plugin that reaches the others. */
#include "base/team.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/plugin.h"

struct DlsTeam {
  const DlsTeamKind *kind;
  int rank, size;
};

static DlsTeam joined; /* the one of this process */
static _Thread_local DlsTeam *here;
static volatile double waits_since; /* s; 0: this rank waits for nobody */

/* What a launcher tells its processes: how many they are, and which this is. */
static const struct {
  const char *ranks, *rank;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI */
    {"PMI_SIZE", "PMI_RANK"},                         /* MPICH and its kin */
};

static int read_count(const char *name) {
  const char *text = getenv(name);
  char *end = NULL;
  const long value = text && *text ? strtol(text, &end, 10) : 0;
  return end && !*end && value > 0 && value < 1 << 24 ? (int)value : 0;
}

int dls_team_ranks(int *rank) {
  if (rank) *rank = 0;
  for (int k = 0; k < DLS_COUNT(launchers); k++) {
    const int ranks = read_count(launchers[k].ranks);
    if (ranks < 2) continue;
    if (rank) *rank = read_count(launchers[k].rank);
    return ranks;
  }
  return 1;
}

static DlsStatus accept(const char *path, const void *plugin) {
  const DlsTeamKind *k = plugin;
  DLS_CHECK(k->join && k->most && k->tell && k->gather && k->halo_create && k->halo_exchange &&
                k->halo_destroy,
            DLS_ERR_PLUGIN, "way between ranks %s: one of its functions is missing", path);
  return DLS_OK;
}

static const void *call(void *entry) {
  const void *(*function)(void);
  memcpy(&function, &entry, sizeof function); /* POSIX: dlsym's pointer is the function's */
  return function();
}

static const DlsPluginKind plugin_kind = {
    .noun = "way between ranks",
    .folder = "teams",
    .symbol = "dls_team_entry",
    .foreign = "dls_solver_entry",
    .header = "base/team.h",
    .abi = DLS_TEAM_ABI,
    .size = sizeof(DlsTeamKind),
    .missing = DLS_ERR_PLUGIN,
    .call = call,
    .accept = accept,
};

DlsStatus dls_team_join(DlsTeam **team) {
  char *path = NULL;
  const void *plugin = NULL;
  const int ranks = dls_team_ranks(NULL);
  *team = NULL;
  if (ranks < 2) return DLS_OK;
  DlsStatus status = dls_plugin_find(&plugin_kind, "mpi", NULL, 0, &path);
  if (status == DLS_OK) status = dls_plugin_load(&plugin_kind, path, &plugin);
  free(path);
  if (status != DLS_OK)
    return dls_fail_context(status, "%d ranks, and this program has no way between them", ranks);
  joined.kind = plugin;
  DLS_TRY(joined.kind->join(&joined.rank, &joined.size));
  DLS_CHECK(
      joined.size == ranks, DLS_ERR_PLUGIN,
      "mpirun has started %d processes, and MPI sees %d: is it the mpirun of another MPI than "
      "the one that Delassus was built with?",
      ranks, joined.size);
  *team = &joined;
  return DLS_OK;
}

DlsTeam *dls_team_lend(DlsTeam *team) {
  DlsTeam *before = here;
  here = team;
  return before;
}

DlsTeam *dls_team_here(void) { return here; }

int dls_team_rank(const DlsTeam *team) { return team ? team->rank : 0; }

int dls_team_size(const DlsTeam *team) { return team ? team->size : 1; }

static void wait_begin(void) { waits_since = dls_clock_now(); }
static void wait_end(void) { waits_since = 0; }

double dls_team_waits(void) {
  const double since = waits_since;
  return since > 0 ? dls_clock_now() - since : 0;
}

bool dls_team_any(DlsTeam *team, bool mine) {
  if (!team) return mine;
  wait_begin();
  const int most = team->kind->most(mine);
  wait_end();
  return most > 0;
}

DlsStatus dls_team_agree(DlsTeam *team, DlsStatus mine) {
  char text[1024];
  int status = (int)mine;
  if (!team) return mine;
  wait_begin();
  /* The lowest rank that fails has the largest of these; 0: none does. */
  const int most = team->kind->most(mine == DLS_OK ? 0 : team->size - team->rank);
  if (most > 0) {
    const int from = team->size - most;
    snprintf(text, sizeof text, "%s", dls_error_message());
    team->kind->tell(from, &status, (int)sizeof status);
    team->kind->tell(from, text, (int)sizeof text);
  }
  wait_end();
  if (most == 0) return DLS_OK;
  text[sizeof text - 1] = '\0';
  return dls_fail((DlsStatus)status, "%s", text);
}

int dls_team_share(int count, int chunk, int rank, int ranks) {
  const int chunks = (count + chunk - 1) / chunk;
  const int64_t first = (int64_t)chunks * rank / ranks * chunk;
  return first < count ? (int)first : count;
}

DlsStatus dls_team_gather(DlsTeam *team, void *rows, size_t bytes, const int *start) {
  if (!team) return DLS_OK;
  wait_begin();
  const DlsStatus status = team->kind->gather(rows, (int)bytes, start);
  wait_end();
  return status;
}

DlsStatus dls_team_counts(DlsTeam *team, int mine, int *start) {
  const int ranks = dls_team_size(team);
  int *row;
  DLS_NEW(row, 2 * ranks + 1);
  int *const count = row + ranks + 1;
  for (int k = 0; k <= ranks; k++) row[k] = k;
  count[dls_team_rank(team)] = mine;
  const DlsStatus status = dls_team_gather(team, count, sizeof *count, row);
  start[0] = 0;
  for (int k = 0; k < ranks; k++) start[k + 1] = start[k] + count[k];
  free(row);
  return status;
}

DlsStatus dls_halo_create(DlsTeam *team, const DlsHaloRow *get, int gets, const DlsHaloRow *give,
                          int gives, DlsHalo **out) {
  *out = NULL;
  return team ? team->kind->halo_create(get, gets, give, gives, out) : DLS_OK;
}

DlsStatus dls_halo_exchange(DlsTeam *team, DlsHalo *halo, void *rows, size_t bytes) {
  if (!team || !halo) return DLS_OK;
  wait_begin();
  const DlsStatus status = team->kind->halo_exchange(halo, rows, (int)bytes);
  wait_end();
  return status;
}

void dls_halo_destroy(DlsTeam *team, DlsHalo **halo) {
  if (team && *halo) team->kind->halo_destroy(*halo);
  *halo = NULL;
}
