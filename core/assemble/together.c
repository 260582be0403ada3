#include "assemble/together.h"

#include <stdlib.h>
#include <string.h>

#include "assemble/kinematics.h"
#include "base/memory.h"
#include "problem/operator/spheres.h"

/* Contacts below which messages cost more than they save; of a chunk of a loop over them. */
enum { FEW = 2048, CHUNK = 64 };

DlsTeam *dls_together_assemble(const DlsAssembly *a) {
  DlsTeam *team = a->step.count < FEW ? NULL : dls_team_here();
  if (!team || a->step.keeps || a->step.serial || a->step.coupled) return NULL;
  for (int k = 0; k < a->step.laws->count; k++)
    if (dls_kinematics_turns(&a->step.laws->item[k])) return NULL;
  return team;
}

void dls_together_contacts_of(const DlsAssembly *a, const DlsTeam *team, int *begin, int *end) {
  const int rank = dls_team_rank(team), ranks = dls_team_size(team);
  *begin = dls_team_share(a->step.count, CHUNK, rank, ranks);
  *end = dls_team_share(a->step.count, CHUNK, rank + 1, ranks);
}

/* The relations of each rank stand behind each other: some may be there twice. */
static DlsStatus gather_relations(DlsAssembly *a, DlsTeam *team, const int *contacts, int *start) {
  const int rank = dls_team_rank(team), ranks = dls_team_size(team), mine = a->step.relations;
  DLS_TRY(dls_team_counts(team, mine, start));
  DlsStatus status = DLS_OK;
  if (start[ranks] > a->run.relation_capacity) {
    DlsRelation *more = realloc(a->step.distinct, (size_t)start[ranks] * sizeof *more);
    if (more) {
      a->step.distinct = more;
      a->run.relation_capacity = start[ranks];
    } else {
      status =
          dls_fail(DLS_ERR_MEMORY, "out of memory: the relations of %d contacts", start[ranks]);
    }
  }
  DLS_TRY(dls_team_agree(team, status));
  memmove(a->step.distinct + start[rank], a->step.distinct,
          (size_t)mine * sizeof *a->step.distinct);
  for (int i = contacts[rank]; i < contacts[rank + 1]; i++) a->step.which[i] += start[rank];
  a->step.relations = start[ranks];
  DLS_TRY(dls_team_gather(team, a->step.distinct, sizeof *a->step.distinct, start));
  return dls_team_gather(team, a->step.which, sizeof *a->step.which, contacts);
}

/* Rows of contacts; of bodies as spheres, or as lists of supports. */
static DlsStatus gather_rows(DlsAssembly *a, DlsTeam *team, const int *contacts, int *start) {
  const size_t size = (size_t)(a->run.block * a->run.dof);
  if (a->step.spheres)
    return dls_team_gather(team, a->step.sphere, sizeof *a->step.sphere, contacts);
  for (int k = 0; k <= dls_team_size(team); k++) start[k] = a->step.start[contacts[k]];
  DLS_TRY(dls_team_gather(team, a->step.body, sizeof *a->step.body, start));
  return dls_team_gather(team, a->step.H, size * sizeof *a->step.H, start);
}

static DlsStatus gather(DlsAssembly *a, DlsTeam *team, int *contacts, int *start) {
  const size_t numbers = (size_t)a->run.block * sizeof(double);
  const size_t states = (size_t)a->run.states * sizeof(double);
  const int ranks = dls_team_size(team);
  double *const vector[] = {a->step.w, a->step.q, a->step.u_before, a->solve.r};
  for (int k = 0; k <= ranks; k++) contacts[k] = dls_team_share(a->step.count, CHUNK, k, ranks);
  for (int k = 0; k < DLS_COUNT(vector); k++)
    DLS_TRY(dls_team_gather(team, vector[k], numbers, contacts));
  if (states) DLS_TRY(dls_team_gather(team, a->step.state, states, contacts));
  DLS_TRY(gather_rows(a, team, contacts, start));
  return gather_relations(a, team, contacts, start);
}

DlsStatus dls_together_gather(DlsAssembly *a, DlsTeam *team) {
  const int ranks = dls_team_size(team);
  int *contacts;
  DLS_NEW(contacts, 2 * (ranks + 1));
  const DlsStatus status = gather(a, team, contacts, contacts + ranks + 1);
  free(contacts);
  return status;
}
