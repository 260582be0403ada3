/* How ranks share a detection (base/team.h). All have all bodies. Each looks for the near pairs of
 * its part of the kept list, and at the elements of its stretch of the curve; what they find stands
 * behind each other as one alone finds it, and all get it. Stretches are cut by what they held in
 * the last detection; nothing but time depends on where. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/detector_impl.h"

/* Elements, below which messages cost more than they save. */
enum { FEW = 2048 };

/* What a contact costs, in elements; how uneven ranks may be before they are cut anew. */
static const double contact_load = 4, uneven = 1.1;

DlsTeam *dls_together_team(const DlsDetector *d) { return d->count < FEW ? NULL : dls_team_here(); }

DlsStatus dls_together_stretch(DlsDetector *d, const DlsTeam *team, int *begin, int *end) {
  const int rank = dls_team_rank(team), ranks = dls_team_size(team);
  *begin = 0, *end = d->count;
  if (!team) return DLS_OK;
  if (!d->cut) {
    DLS_NEW(d->cut, ranks + 1);
    for (int k = 0; k <= ranks; k++) d->cut[k] = (double)k / ranks;
  }
  *begin = (int)(d->cut[rank] * d->count);
  *end = rank + 1 == ranks ? d->count : (int)(d->cut[rank + 1] * d->count);
  return DLS_OK;
}

/* Stretches of equal load, each rank's taken as spread evenly over its old one. */
static DlsStatus cut_anew(DlsDetector *d, int ranks, const int *start) {
  double *load, *cut, all = 0, most = 0, before = 0;
  DLS_NEW(load, 2 * ranks + 1);
  cut = load + ranks;
  for (int k = 0; k < ranks; k++) {
    load[k] = (d->cut[k + 1] - d->cut[k]) * d->count + contact_load * (start[k + 1] - start[k]);
    all += load[k];
    most = load[k] > most ? load[k] : most;
  }
  if (most * ranks > uneven * all) {
    cut[0] = 0;
    for (int n = 1, k = 0; n < ranks; n++) {
      const double goal = all * n / ranks;
      while (k + 1 < ranks && before + load[k] < goal) before += load[k++];
      const double within = load[k] > 0 ? (goal - before) / load[k] : 0;
      cut[n] = d->cut[k] + within * (d->cut[k + 1] - d->cut[k]);
    }
    cut[ranks] = 1;
    memcpy(d->cut, cut, ((size_t)ranks + 1) * sizeof *cut);
  }
  free(load);
  return DLS_OK;
}

DlsStatus dls_together_pairs(DlsDetector *d, DlsTeam *team, DlsStatus mine) {
  const int ranks = dls_team_size(team), rank = dls_team_rank(team), count = d->pairs.count;
  int *start;
  if (!team) return mine;
  DLS_TRY(dls_team_agree(team, mine));
  DLS_NEW(start, ranks + 1);
  DlsStatus status = dls_team_counts(team, count, start);
  if (status == DLS_OK) status = dls_team_agree(team, dls_pairs_reserve(&d->pairs, start[ranks]));
  if (status == DLS_OK) {
    if (count)
      memmove(d->pairs.found + start[rank], d->pairs.found, (size_t)count * sizeof *d->pairs.found);
    d->pairs.count = start[ranks];
    status = dls_team_gather(team, d->pairs.found, sizeof *d->pairs.found, start);
  }
  free(start);
  return status;
}

/* Rows of this rank to their place among all, and those of the others. */
#define JOIN(array)                                                                                \
  do {                                                                                             \
    memmove((array) + start[rank], (array), (size_t)count * sizeof *(array));                      \
    DLS_TRY(dls_team_gather(team, (array), sizeof *(array), start));                               \
  } while (0)

static DlsStatus join_arrays(DlsContactSet *set, DlsTeam *team, const int *start, int dim,
                             bool cell, double (*normal)[3]) {
  const int rank = dls_team_rank(team), all = start[dls_team_size(team)], count = set->count;
  for (int c = 0; c < count; c++) memcpy(normal[c], set->frame[c], sizeof *normal);
  JOIN(set->candidate);
  JOIN(set->antagonist);
  JOIN(set->point);
  JOIN(set->gap);
  JOIN(set->radius);
  JOIN(set->area);
  JOIN(set->key);
  if (cell) JOIN(set->shift);
  JOIN(normal);
  for (int c = 0; c < all; c++) { /* the frame is a function of its normal */
    dls_contact_frame(dim, normal[c], set->frame[c]);
    if (!cell) memset(set->shift[c], 0, sizeof set->shift[c]);
    set->mean[c][0] = set->mean[c][1] = (DlsContactMean){0, 0};
    set->previous[c] = -1;
  }
  set->count = all;
  return DLS_OK;
}

static DlsStatus join_contacts(DlsDetector *d, DlsTeam *team, const DlsWorld *world, int *start,
                               DlsContactSet *set) {
  const int ranks = dls_team_size(team);
  double(*normal)[3] = NULL;
  DLS_TRY(dls_team_counts(team, (int)d->report.near, start));
  d->report.near = start[ranks];
  DLS_TRY(dls_team_counts(team, set->count, start));
  DlsStatus status = cut_anew(d, ranks, start);
  if (status == DLS_OK && start[ranks] > set->capacity)
    status = dls_contact_set_reserve(set, start[ranks] + start[ranks] / 8 + 64);
  if (status == DLS_OK) {
    normal = dls_memory_array((size_t)start[ranks], sizeof *normal);
    if (!normal) status = dls_fail(DLS_ERR_MEMORY, "out of memory: %d contacts", start[ranks]);
  }
  status = dls_team_agree(team, status);
  if (status == DLS_OK)
    status = join_arrays(set, team, start, world->dim, world->cell.axes != 0, normal);
  free(normal);
  return status;
}

DlsStatus dls_together_contacts(DlsDetector *d, DlsTeam *team, const DlsWorld *world,
                                DlsStatus mine, DlsContactSet *set) {
  int *start;
  if (!team) return mine;
  DLS_TRY(dls_team_agree(team, mine));
  DLS_NEW(start, dls_team_size(team) + 1);
  const DlsStatus status = join_contacts(d, team, world, start, set);
  free(start);
  return status;
}
