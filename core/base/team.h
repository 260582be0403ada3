/* The ranks of one run: processes that mpirun has started together. Each holds the whole world and
 * takes all decisions alike, since it computes them from the same numbers in the same order; what a
 * rank alone can know (a signal, the clock, a disk that is full) is agreed on here. Work that costs
 * time is shared out, and what each has done goes to those who need it, to the bit as it was
 * computed. So the bytes of a run do not depend on how many ranks there are.
 *
 * MPI is in a plugin, lib/delassus/teams/mpi.so, which nothing loads where there is one rank. All
 * calls but dls_team_ranks() are made by all ranks, in the same order; NULL is the team of one
 * process, and costs nothing. */
#ifndef DELASSUS_BASE_TEAM_H
#define DELASSUS_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <delassus/status.h>

/* What flows between ranks in front of a part of the work: rows of an array that others have
 * changed and that this rank reads, and those of its own that others read. */
typedef struct DlsHalo DlsHalo;

/* A row of an array, and the rank that it comes from or goes to. */
typedef struct {
  int rank, row;
} DlsHaloRow;

/* The plugin: the calls below without their checks. */
typedef struct {
  uint32_t abi, size;
  const char *name;
  DlsStatus (*join)(int *rank, int *ranks);
  int (*most)(int mine);                         /* the largest of all ranks */
  void (*tell)(int from, void *bytes, int size); /* from that rank to all */
  DlsStatus (*gather)(void *rows, int bytes, const int *start);
  DlsStatus (*halo_create)(const DlsHaloRow *get, int gets, const DlsHaloRow *give, int gives,
                           DlsHalo **out);
  DlsStatus (*halo_exchange)(DlsHalo *halo, void *rows, int bytes);
  void (*halo_destroy)(DlsHalo *halo);
} DlsTeamKind;

enum { DLS_TEAM_ABI = 2 };

typedef struct DlsTeam DlsTeam;

/* How many processes mpirun has started of this program, by the variables that it sets: 1 where it
 * has not. `rank`, where it is not NULL: which of them this is. */
int dls_team_ranks(int *rank);

/* Meets the others; *team stays NULL where there are none. Once in the life of a process. */
DlsStatus dls_team_join(DlsTeam **team);

/* The team that the calls of this thread work for: of what a run opens, and of the solves in its
 * steps. NULL: alone. Returns who it was before. */
DlsTeam *dls_team_lend(DlsTeam *team);
DlsTeam *dls_team_here(void);

int dls_team_rank(const DlsTeam *team); /* 0 is the one that writes and speaks */
int dls_team_size(const DlsTeam *team);

/* Whether any rank says yes. */
bool dls_team_any(DlsTeam *team, bool mine);

/* DLS_OK where all ranks say so; else the status of the lowest one that does not, with its
 * sentence, at all. */
DlsStatus dls_team_agree(DlsTeam *team, DlsStatus mine);

/* Share `rank` of 0 .. count: from dls_team_share(count, rank, ranks) to the next one's, in whole
 * chunks. */
int dls_team_share(int count, int chunk, int rank, int ranks);

/* Rows of so many bytes that all have, of which rank k has made start[k] .. start[k + 1]. */
DlsStatus dls_team_gather(DlsTeam *team, void *rows, size_t bytes, const int *start);

/* Where the things of each rank begin among those of all, if they stand behind each other:
 * start[ranks + 1]; `mine` is how many this one has. */
DlsStatus dls_team_counts(DlsTeam *team, int mine, int *start);

/* Of an array: the rows that this rank gets, and those that it gives. What rank a gives to b and
 * what b gets from a are the same rows in the same order; each finds them by itself, so that no
 * message is needed to agree on them. No row is given and got in one exchange. */
DlsStatus dls_halo_create(DlsTeam *team, const DlsHaloRow *get, int gets, const DlsHaloRow *give,
                          int gives, DlsHalo **out);
/* Of an array whose rows have so many bytes; by those alone who give or get. */
DlsStatus dls_halo_exchange(DlsTeam *team, DlsHalo *halo, void *rows, size_t bytes);
void dls_halo_destroy(DlsTeam *team, DlsHalo **halo);

/* Seconds since this rank waits for the others; 0: it does not. A handler of signals may ask. */
double dls_team_waits(void);

#endif
