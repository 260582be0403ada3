/* Who speaks of several ranks. */
#include "app/ranks.h"

#include <stdio.h>
#include <string.h>

#include "app/options.h"
#include "base/team.h"

static void fall_silent(void) {
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) return;
}

int app_ranks_begin(const char *word) {
  static const char *const alike[] = {"run", "--version", "--help", "-h", "help"};
  int rank;
  const int ranks = dls_team_ranks(&rank);
  if (ranks < 2) return APP_GO_ON;
  if (rank > 0) fall_silent();
  for (int k = 0; k < DLS_COUNT(alike); k++)
    if (strcmp(word, alike[k]) == 0) return APP_GO_ON;
  fprintf(stderr,
          "delassus %s: mpirun has started %d processes of it, which would all do the same; only "
          "`delassus run` shares its work among ranks. Leave mpirun out\n",
          word, ranks);
  return APP_WRONG_INPUT;
}

int app_ranks_join(const AppCommand *command) {
  DlsTeam *team;
  if (dls_team_ranks(NULL) < 2) return APP_GO_ON;
  if (dls_team_join(&team) != DLS_OK) return app_refuse_status(command);
  dls_team_lend(team);
  app_watch_ranks(dls_team_waits);
  return APP_GO_ON;
}
