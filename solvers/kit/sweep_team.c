#include "solvers/kit/sweep_team.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/team.h"

enum { FEW = 2048, ALL = -1, COUNTS = 3 }; /* contacts; every rank; numbers of a tally */

struct DlsSweepTeam {
  DlsTeam *team;
  int rank, ranks, clusters, colours;
  int *owner;      /* [clusters]: a rank, or ALL */
  int *start;      /* [ranks + 1]: contacts of each rank */
  DlsHalo **moved; /* [colours]: parts of mine that others move in it */
  DlsHalo *rest;   /* parts that I do not touch, from the lowest rank that does */
  DlsHalo *tallies;
  double *count;  /* [clusters + ranks][COUNTS] */
  double *y;      /* of the sweep */
  int done;       /* colours behind which this pass has exchanged */
  bool scattered; /* r̂ and y of others have changed since they were gathered */
  DlsColourSeam seam;
};

void dls_sweep_team_destroy(DlsSweepTeam **team) {
  DlsSweepTeam *t = *team;
  if (!t) return;
  for (int k = 0; t->moved && k < t->colours; k++) dls_halo_destroy(t->team, &t->moved[k]);
  dls_halo_destroy(t->team, &t->rest);
  dls_halo_destroy(t->team, &t->tallies);
  free(t->moved);
  free(t->owner);
  free(t->start);
  free(t->count);
  free(t);
  *team = NULL;
}

/* Clusters lie within whole chunks of the contacts; one that does not is everybody's. */
static void share_out(const DlsColours *colours, DlsSweepTeam *t) {
  for (int k = 0; k <= t->ranks; k++)
    t->start[k] = dls_team_share(colours->contacts, DLS_COLOURS_CLUSTER, k, t->ranks);
  for (int k = 0; k < colours->colours; k++)
    for (int c = colours->colour[k]; c < colours->colour[k + 1]; c++) {
      const int first = colours->contact[colours->cluster[c]];
      const int last = colours->contact[colours->cluster[c + 1] - 1];
      int rank = 0;
      while (first >= t->start[rank + 1]) rank++;
      const bool alone = colours->colour[k + 1] - colours->colour[k] == 1;
      t->owner[c] = alone || last >= t->start[rank + 1] ? ALL : rank;
    }
}

bool dls_sweep_team_does(const DlsSweepTeam *t, int cluster) {
  return t->owner[cluster] == ALL || t->owner[cluster] == t->rank;
}

/* What a halo is made of: rows, and the ranks that have them. */
typedef struct {
  int *row, *from, count;
} Wanted;

static void want(Wanted *w, int row, int from) {
  w->row[w->count] = row;
  w->from[w->count++] = from;
}

/* Calls for every part that moves and that the cluster touches. */
typedef struct {
  const DlsColours *colours;
  const DlsPattern *pattern;
} Touches;

#define FOR_PARTS_OF(touches, which, part)                                                         \
  for (int at_ = (touches)->colours->cluster[which];                                               \
       at_ < (touches)->colours->cluster[(which) + 1]; at_++)                                      \
    for (int contact_ = (touches)->colours->contact[at_],                                          \
             s_ = (touches)->pattern->start[contact_], part = 0;                                   \
         s_ < (touches)->pattern->start[contact_ + 1] &&                                           \
         (part = (touches)->pattern->part[s_], true);                                              \
         s_++)                                                                                     \
      if (!(touches)->pattern->fixed || !(touches)->pattern->fixed[s_])

/* mine[part]: I touch it. lowest[part]: the lowest rank that does; `ranks` where none does. */
static void find_touched(const Touches *touches, const DlsSweepTeam *t, uint8_t *mine,
                         int *lowest) {
  for (int p = 0; p < touches->pattern->parts; p++) lowest[p] = t->ranks;
  for (int c = 0; c < t->clusters; c++) FOR_PARTS_OF(touches, c, part) {
      if (dls_sweep_team_does(t, c)) mine[part] = 1;
      const int rank = t->owner[c] == ALL ? 0 : t->owner[c];
      if (rank < lowest[part]) lowest[part] = rank;
    }
}

static DlsStatus make_halos(const Touches *touches, int stride, DlsSweepTeam *t, uint8_t *mine,
                            int *lowest, int *seen, Wanted *w) {
  const int parts = touches->pattern->parts;
  find_touched(touches, t, mine, lowest);
  for (int k = 0; k < t->colours; k++) {
    w->count = 0;
    for (int c = touches->colours->colour[k]; c < touches->colours->colour[k + 1]; c++) {
      if (dls_sweep_team_does(t, c)) continue;
      FOR_PARTS_OF(touches, c, part) {
        if (!mine[part] || seen[part] == k + 1) continue;
        seen[part] = k + 1;
        want(w, part, t->owner[c]);
      }
    }
    DLS_TRY(dls_halo_create(t->team, parts, w->row, w->from, w->count, stride, &t->moved[k]));
  }
  w->count = 0;
  for (int p = 0; p < parts; p++)
    if (!mine[p] && lowest[p] < t->ranks) want(w, p, lowest[p]);
  DLS_TRY(dls_halo_create(t->team, parts, w->row, w->from, w->count, stride, &t->rest));
  w->count = 0;
  for (int c = 0; c < t->clusters; c++)
    if (!dls_sweep_team_does(t, c)) want(w, c, t->owner[c]);
  for (int k = 0; k < t->ranks; k++)
    if (k != t->rank) want(w, t->clusters + k, k);
  return dls_halo_create(t->team, t->clusters + t->ranks, w->row, w->from, w->count, COUNTS,
                         &t->tallies);
}

static DlsStatus find_halos(const DlsSweep *sweep, const DlsPattern *pattern, DlsSweepTeam *t) {
  const Touches touches = {sweep->colours, pattern};
  const size_t parts = (size_t)pattern->parts;
  const size_t most = parts + (size_t)t->clusters + (size_t)t->ranks;
  int *room;
  DLS_NEW(room, 2 * parts + 2 * most);
  uint8_t *mine = dls_memory_array(parts, sizeof *mine);
  Wanted wanted = {.row = room + 2 * parts, .from = room + 2 * parts + most};
  const DlsStatus status =
      mine ? make_halos(&touches, sweep->stride, t, mine, room, room + parts, &wanted)
           : dls_fail(DLS_ERR_MEMORY, "out of memory for the parts of a rank");
  free(mine);
  free(room);
  return status;
}

static DlsStatus after_colour(void *context, int colour) {
  DlsSweepTeam *t = context;
  t->done++;
  return dls_halo_exchange(t->team, t->moved[colour], t->y);
}

static DlsStatus prepare(const DlsSweep *sweep, DlsSweepTeam *t) {
  DlsPattern pattern;
  DLS_NEW(t->owner, t->clusters);
  DLS_NEW(t->start, t->ranks + 1);
  DLS_NEW(t->moved, t->colours);
  DLS_NEW(t->count, (size_t)(t->clusters + t->ranks) * COUNTS);
  share_out(sweep->colours, t);
  t->seam = (DlsColourSeam){.after = after_colour, .context = t};
  DLS_TRY(dls_operator_pattern(dls_problem_operator(sweep->problem), &pattern));
  const DlsStatus status = find_halos(sweep, &pattern, t);
  dls_pattern_clear(&pattern);
  return status;
}

DlsStatus dls_sweep_team_make(const DlsSweep *sweep, DlsSweepTeam **out) {
  DlsTeam *team = dls_team_here();
  DlsSweepTeam *t;
  *out = NULL;
  if (!team || !sweep->colours || !sweep->factored || sweep->place || sweep->contacts < FEW)
    return DLS_OK;
  DLS_NEW(t, 1);
  t->team = team;
  t->rank = dls_team_rank(team), t->ranks = dls_team_size(team);
  t->clusters = sweep->colours->clusters, t->colours = sweep->colours->colours;
  t->y = sweep->y;
  const DlsStatus status = prepare(sweep, t);
  if (status == DLS_OK)
    *out = t;
  else
    dls_sweep_team_destroy(&t);
  return status;
}

const DlsColourSeam *dls_sweep_team_seam(const DlsSweepTeam *team) { return &team->seam; }

/* Behind the clusters a row for each rank: whether it has failed. Not DLS_OK where one has. */
static DlsStatus join_tallies(DlsSweepTeam *t, DlsSweep *sweep, DlsStatus mine) {
  for (int c = 0; c < t->clusters; c++) {
    const DlsSweepTally *tally = &sweep->tally[c];
    double *count = t->count + (size_t)c * COUNTS;
    count[0] = tally->moved2;
    count[1] = (double)tally->unsolved, count[2] = (double)tally->newton_fallbacks;
  }
  double *const of_ranks = t->count + (size_t)t->clusters * COUNTS;
  of_ranks[t->rank * COUNTS] = mine;
  DLS_TRY(dls_halo_exchange(t->team, t->tallies, t->count));
  for (int c = 0; c < t->clusters; c++) {
    const double *count = t->count + (size_t)c * COUNTS;
    sweep->tally[c] = (DlsSweepTally){count[0], (long)count[1], (long)count[2]};
  }
  t->scattered = true;
  for (int k = 0; k < t->ranks; k++)
    if (of_ranks[k * COUNTS] != DLS_OK) return DLS_ERR_SOLVER;
  return DLS_OK;
}

/* A rank whose work fails has left the colours; the others wait for it behind each. */
static DlsStatus exchange_what_is_left(DlsSweepTeam *t, bool backwards) {
  for (; t->done < t->colours; t->done++) {
    const int colour = backwards ? t->colours - 1 - t->done : t->done;
    DLS_TRY(dls_halo_exchange(t->team, t->moved[colour], t->y));
  }
  t->done = 0;
  return DLS_OK;
}

DlsStatus dls_sweep_team_join(DlsSweepTeam *t, DlsSweep *sweep, DlsStatus mine, bool backwards) {
  const DlsStatus exchanged = exchange_what_is_left(t, backwards);
  const DlsStatus joined = join_tallies(t, sweep, mine != DLS_OK ? mine : exchanged);
  if (joined != DLS_OK) return dls_team_agree(t->team, mine != DLS_OK ? mine : exchanged);
  return DLS_OK;
}

DlsStatus dls_sweep_team_gather(DlsSweepTeam *t, DlsSweep *sweep, double *r_hat) {
  if (!t->scattered) return DLS_OK;
  t->scattered = false;
  DLS_TRY(dls_team_gather(t->team, r_hat, sweep->block, t->start));
  return dls_halo_exchange(t->team, t->rest, t->y);
}
