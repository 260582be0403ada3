/* The team of a run over MPI, by PETSc: sums over ranks are MPI's, halos are star forests
 * (PetscSF), whose roots are the rows of the rank that has changed them and whose leaves are the
 * rows of those that read them. An error of PETSc or MPI in the midst of an exchange leaves others
 * waiting, so it ends them all. */
#include <petscsf.h>

#include <stdlib.h>

#include "base/team.h"

struct DlsHalo {
  PetscSF forest;
  MPI_Datatype row; /* `width` doubles */
  int leaves;
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

static DlsStatus gather(double *rows, int width, const int *start) {
  MPI_Datatype row;
  for (int k = 0; k < ranks; k++) {
    counts[k] = start[k + 1] - start[k];
    counts[ranks + k] = start[k];
  }
  MPI_Type_contiguous(width, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, counts, counts + ranks, row,
                 PETSC_COMM_WORLD);
  MPI_Type_free(&row);
  return DLS_OK;
}

static void halo_destroy(DlsHalo *halo) {
  if (halo->forest) (void)!PetscSFDestroy(&halo->forest);
  if (halo->row != MPI_DATATYPE_NULL) MPI_Type_free(&halo->row);
  free(halo);
}

static DlsStatus plant(DlsHalo *halo, int rows, const int *mine, const int *from, int count) {
  PetscSFNode *roots = malloc(((size_t)count + 1) * sizeof *roots);
  DLS_CHECK(roots, DLS_ERR_MEMORY, "out of memory for a halo of %d rows", count);
  for (int k = 0; k < count; k++) roots[k] = (PetscSFNode){.rank = from[k], .index = mine[k]};
  PetscErrorCode code = PetscSFCreate(PETSC_COMM_WORLD, &halo->forest);
  if (!code)
    code = PetscSFSetGraph(halo->forest, rows, count, (PetscInt *)mine, PETSC_COPY_VALUES, roots,
                           PETSC_COPY_VALUES);
  if (!code) code = PetscSFSetUp(halo->forest);
  free(roots);
  return check(code, "a halo");
}

static DlsStatus halo_create(int rows, const int *mine, const int *from, int count, int width,
                             DlsHalo **out) {
  DlsHalo *halo = calloc(1, sizeof *halo);
  DLS_CHECK(halo, DLS_ERR_MEMORY, "out of memory for a halo");
  MPI_Type_contiguous(width, MPI_DOUBLE, &halo->row);
  MPI_Type_commit(&halo->row);
  const DlsStatus status = plant(halo, rows, mine, from, count);
  if (status == DLS_OK)
    *out = halo;
  else
    halo_destroy(halo);
  return status;
}

/* Roots and leaves are rows of one array: no row is both in one exchange. */
static DlsStatus halo_exchange(DlsHalo *halo, double *rows) {
  PetscErrorCode code = PetscSFBcastBegin(halo->forest, halo->row, rows, rows, MPI_REPLACE);
  if (!code) code = PetscSFBcastEnd(halo->forest, halo->row, rows, rows, MPI_REPLACE);
  return check(code, "an exchange");
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
