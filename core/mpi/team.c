/* The team of a run over MPI, which PETSc starts: what all agree on and what is gathered is MPI's,
 * halos are messages between two. A halo lives for one solve, and each rank finds both its ends by
 * itself, where star forests (PetscSF) would agree on them by messages each time. An error of MPI
 * ends all ranks. */
#include <petscsys.h>

#include <stdlib.h>
#include <string.h>

#include "base/team.h"

/* Rows that go one way, by the rank at the other end. */
typedef struct {
  int peers, *peer, *start; /* [peers], [peers + 1] */
  int count, *row;          /* [count] */
} Way;

struct DlsHalo {
  Way get, give;
  char *room; /* of the rows that come, then of those that go */
  size_t bytes;
  MPI_Request *request; /* [peers of both ways] */
};

static int rank, ranks;
static int *counts; /* [2 * ranks]: of a gather, rows of each and where they begin */

static DlsStatus check(PetscErrorCode code, const char *what) {
  const char *text = NULL;
  if (!code) return DLS_OK;
  if (PetscErrorMessage((int)code, &text, NULL) != 0) text = NULL;
  return dls_fail(code == PETSC_ERR_MEM ? DLS_ERR_MEMORY : DLS_ERR_SOLVER,
                  "ranks: PETSc gives code %d (%s) in %s", (int)code, text ? text : "unknown",
                  what);
}

static void end(void) {
  PetscBool ended = PETSC_FALSE;
  if (PetscFinalized(&ended) == 0 && !ended) PetscFinalize();
  free(counts);
  counts = NULL;
}

static DlsStatus join(int *my_rank, int *all) {
  /* A rank that waits gives its core away: where others work too, a rank that spins on the core of
   * the one it waits for waits for a time slice. What the caller has set stays. */
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  DLS_TRY(check(PetscInitializeNoArguments(), "its start; see PETSC_OPTIONS"));
  DLS_TRY(check(PetscPopSignalHandler(), "PetscPopSignalHandler")); /* the program has its own */
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  counts = calloc(2 * (size_t)ranks, sizeof *counts);
  DLS_CHECK(counts, DLS_ERR_MEMORY, "out of memory for %d ranks", ranks);
  DLS_CHECK(atexit(end) == 0, DLS_ERR_SOLVER, "ranks: atexit is full");
  *my_rank = rank;
  *all = ranks;
  return DLS_OK;
}

static int most(int mine) {
  int largest = mine;
  MPI_Allreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return largest;
}

static void tell(int from, void *bytes, int size) {
  MPI_Bcast(bytes, size, MPI_BYTE, from, PETSC_COMM_WORLD);
}

static DlsStatus gather(void *rows, int bytes, const int *start) {
  MPI_Datatype row;
  for (int k = 0; k < ranks; k++) {
    counts[k] = start[k + 1] - start[k];
    counts[ranks + k] = start[k];
  }
  MPI_Type_contiguous(bytes, MPI_BYTE, &row);
  MPI_Type_commit(&row);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, counts, counts + ranks, row,
                 PETSC_COMM_WORLD);
  MPI_Type_free(&row);
  return DLS_OK;
}

static void clear_way(Way *way) {
  free(way->peer);
  free(way->start);
  free(way->row);
}

static void halo_destroy(DlsHalo *halo) {
  clear_way(&halo->get);
  clear_way(&halo->give);
  free(halo->room);
  free(halo->request);
  free(halo);
}

/* Rows by rank, in their order. */
static DlsStatus fill_way(const DlsHaloRow *rows, int count, Way *way) {
  int *first = calloc((size_t)ranks + 1, sizeof *first);
  way->peer = malloc((size_t)ranks * sizeof *way->peer);
  way->start = malloc(((size_t)ranks + 1) * sizeof *way->start);
  way->row = malloc(((size_t)count + 1) * sizeof *way->row);
  way->count = count;
  const int whole = first && way->peer && way->start && way->row;
  for (int k = 0; whole && k < count; k++) first[rows[k].rank + 1]++;
  for (int k = 0; whole && k < ranks; k++) {
    if (first[k + 1] > 0) {
      way->start[way->peers] = first[k];
      way->peer[way->peers++] = k;
    }
    first[k + 1] += first[k];
  }
  if (whole) way->start[way->peers] = count;
  for (int k = 0; whole && k < count; k++) way->row[first[rows[k].rank]++] = rows[k].row;
  free(first);
  return whole ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a halo of %d rows", count);
}

static DlsStatus halo_create(const DlsHaloRow *get, int gets, const DlsHaloRow *give, int gives,
                             DlsHalo **out) {
  DlsHalo *halo = calloc(1, sizeof *halo);
  DLS_CHECK(halo, DLS_ERR_MEMORY, "out of memory for a halo");
  DlsStatus status = fill_way(get, gets, &halo->get);
  if (status == DLS_OK) status = fill_way(give, gives, &halo->give);
  if (status == DLS_OK) {
    const size_t peers = (size_t)(halo->get.peers + halo->give.peers);
    halo->request = malloc((peers + 1) * sizeof(MPI_Request));
    if (!halo->request) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a halo");
  }
  if (status == DLS_OK)
    *out = halo;
  else
    halo_destroy(halo);
  return status;
}

static DlsStatus make_room(DlsHalo *halo, int bytes) {
  const size_t rows = (size_t)halo->get.count + (size_t)halo->give.count;
  if (rows * (size_t)bytes <= halo->bytes) return DLS_OK;
  free(halo->room);
  halo->bytes = rows * (size_t)bytes;
  halo->room = malloc(halo->bytes);
  if (!halo->room) halo->bytes = 0;
  DLS_CHECK(halo->room, DLS_ERR_MEMORY, "out of memory for %zu rows of a halo", rows);
  return DLS_OK;
}

static DlsStatus halo_exchange(DlsHalo *halo, void *rows, int bytes) {
  const Way *get = &halo->get, *give = &halo->give;
  const size_t row = (size_t)bytes;
  int asked = 0;
  DLS_TRY(make_room(halo, bytes));
  char *in = halo->room, *out = halo->room + (size_t)get->count * row;
  for (int k = 0; k < get->peers; k++)
    MPI_Irecv(in + (size_t)get->start[k] * row, (get->start[k + 1] - get->start[k]) * bytes,
              MPI_BYTE, get->peer[k], 0, PETSC_COMM_WORLD, &halo->request[asked++]);
  for (int k = 0; k < give->count; k++)
    memcpy(out + (size_t)k * row, (const char *)rows + (size_t)give->row[k] * row, row);
  for (int k = 0; k < give->peers; k++)
    MPI_Isend(out + (size_t)give->start[k] * row, (give->start[k + 1] - give->start[k]) * bytes,
              MPI_BYTE, give->peer[k], 0, PETSC_COMM_WORLD, &halo->request[asked++]);
  MPI_Waitall(asked, halo->request, MPI_STATUSES_IGNORE);
  for (int k = 0; k < get->count; k++)
    memcpy((char *)rows + (size_t)get->row[k] * row, in + (size_t)k * row, row);
  return DLS_OK;
}

DLS_EXPORT const DlsTeamKind *dls_team_entry(void);
const DlsTeamKind *dls_team_entry(void) {
  static const DlsTeamKind kind = {.abi = DLS_TEAM_ABI,
                                   .size = sizeof(DlsTeamKind),
                                   .name = "mpi",
                                   .join = join,
                                   .most = most,
                                   .tell = tell,
                                   .gather = gather,
                                   .halo_create = halo_create,
                                   .halo_exchange = halo_exchange,
                                   .halo_destroy = halo_destroy};
  return &kind;
}
