/* Correction of positions: what overlaps at the end of a step is moved apart by the least way,
 *
 *   min 1/2 dx.M dx   with   g_i + H_N dx >= -overlap / 2   for every pair i that is near,
 *
 * which is a contact problem without friction, l >= 0 and H_N M^-1 H_N^T l + g + overlap / 2 >= 0,
 * for ways in the place of velocities. Positions move alone: velocities, impulses and what laws
 * remember stay, so that depth need not be bought with the tolerance of the solver. Nothing happens
 * while no pair is deeper than `overlap`; half of it is left, so that what was just moved need not
 * be moved again at once.
 *
 * Some contacts open by it, a little: the scheme has to see them all the same, as euler does by its
 * gap term. Under moreau, to which an open contact is none, a heap would lose friction here and
 * there in every step, and pack denser.
 *
 * Gaps of spheres are convex in the places of their centres: a way that obeys the linear condition
 * opens the true gap by as much or more. Pairs that were not near, and those whose gap is not
 * convex, are seen in the next round. The problem begins from zero in each round: nothing is kept
 * from step to step, so that a run that goes on from a checkpoint does the same. */
#include "step/step_impl.h"
#include "world/layout.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 8, MOST_ITERATIONS = 1000 };

/* How exactly a round is solved: what is left of all conditions together, as a root of squares,
 * beside the overlap that is allowed. Where masses differ that is no bound of the deepest; the next
 * round is more exact. */
static const double accuracy = 0.25, sharper = 0.3;

/* Pairs with gaps up to so many times the deepest overlap count: the ways of others may close them.
 */
static const double neighbours = 4;

/* What a law keeps of where bodies are: lengths, and vectors in the contact plane. */
static bool remembers_places(const DlsLaw *law) {
  for (int k = 0; k < law->nstates; k++)
    if (law->states[k].kind != DLS_SCALAR || strcmp(law->states[k].unit, "m") == 0) return true;
  return law->nsurfaces > 0;
}

DlsStatus dls_simulation_check_correction(const DlsSimulation *s) {
  const DlsInteractions *laws = &s->settings.laws;
  if (s->settings.correction == DLS_CORRECTION_NONE) return DLS_OK;
  DLS_CHECK(
      s->settings.scheme->takes_correction, DLS_ERR_ARGUMENT,
      "the correction of positions moves bodies off each other, and the scheme %s goes by how they "
      "overlap; leave it out, or set time.scheme to euler",
      s->settings.scheme->name);
  DLS_CHECK(s->world->deformable.count == 0, DLS_ERR_ARGUMENT,
            "the correction of positions moves rigid bodies, and there are deformable ones, to "
            "whom its ways "
            "would be strain; leave it out");
  DLS_CHECK(!s->world->cell.axes, DLS_ERR_UNSUPPORTED,
            "the correction of positions is not made for a periodic cell; leave it out");
  DLS_CHECK(
      s->settings.links.count == 0, DLS_ERR_ARGUMENT,
      "the correction of positions knows nothing of links, and would stretch them; leave it out");
  DLS_CHECK(!dls_interactions_freeze(laws), DLS_ERR_ARGUMENT,
            "the correction of positions finds contacts where bodies are now, and frozen points "
            "stay where "
            "they were found first; leave it out, or the frozen points");
  for (int k = 0; k < laws->count; k++)
    for (int n = 0; dls_interaction_law(&laws->item[k], n); n++) {
      const DlsLaw *law = dls_interaction_law(&laws->item[k], n);
      DLS_CHECK(!remembers_places(law) && !law->range && !law->traction && !law->residual,
                DLS_ERR_LAW,
                "the correction of positions moves bodies behind the back of their laws, and '%s' "
                "remembers "
                "where they were, or acts by how far apart they are; leave it out, or take a law "
                "such as coulomb",
                law->name);
    }
  return DLS_OK;
}

/* Laws to which an overlap is a force say so in their relation. */
static DlsStatus check_relations(const DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  for (int i = 0; i < a->step.count; i++) {
    const DlsRelation *relation = dls_assemble_relation(a, i);
    const bool unilateral = relation->cone == DLS_CONE_SIGNORINI ||
                            relation->cone == DLS_CONE_COULOMB ||
                            relation->cone == DLS_CONE_ROLLING;
    DLS_CHECK(unilateral && relation->C[0] == 0 && relation->a[0] == 0, DLS_ERR_LAW,
              "the correction of positions takes overlaps for mistakes of the step, and to the law "
              "'%s' they "
              "are a force, or a tie; leave it out, or take a law such as coulomb",
              s->settings.laws.item[a->step.interaction[i]].law->name);
  }
  return DLS_OK;
}

static DlsStatus make_room(DlsSimulation *s) {
  const size_t size = dls_layout_size(s->world);
  if (size <= s->work.way_capacity && s->work.way) return DLS_OK;
  free(s->work.still);
  free(s->work.way);
  s->work.still = s->work.way = NULL;
  s->work.way_capacity = size + size / 4 + 96;
  DLS_NEW(s->work.still, s->work.way_capacity);
  DLS_NEW(s->work.way, s->work.way_capacity);
  return DLS_OK;
}

/* The pairs as the bodies stand, with gaps up to `alert`, and how deep the deepest is. */
static DlsStatus look(DlsSimulation *s, double alert, double *deepest) {
  const DlsDetection where = {.alert = alert,
                              .sights = dls_interactions_sights(&s->settings.laws),
                              .memory = &s->state.memory};
  *deepest = 0;
  DLS_TRY(dls_detect(s->detector, s->world, &where, &s->work.near));
  for (int c = 0; c < s->work.near.count; c++) *deepest = fmax(*deepest, -s->work.near.gap[c]);
  return DLS_OK;
}

/* The tolerance with which what is left is `left` m in all: relative to |q|, as gaps. */
static double tolerance_of(const DlsAssembly *a, double left) {
  double sum = 0;
  for (int i = 0; i < a->step.count; i++) {
    const double gap = a->step.q[(size_t)i * (size_t)a->run.block];
    sum += gap * gap;
  }
  return left / sqrt(sum);
}

/* The ways of the bodies; *found is false where none lead out. */
static DlsStatus find_ways(DlsSimulation *s, double limit, double left, bool *found) {
  DlsAssembly *a = &s->work.correction;
  const DlsAssembleStep step = {.time = s->state.time,
                                .h = s->settings.h,
                                .moment = s->state.time,
                                .ways = true,
                                .free_velocity = s->work.still,
                                .slack = limit / 2};
  const DlsAssembleBefore nothing = {0};
  const DlsSolver *solver;
  DlsReport report;
  DLS_TRY(dls_assemble(a, s->world, &s->settings.laws, &s->work.near, &step, &nothing));
  const DlsLimits limits = {.tolerance = tolerance_of(a, left),
                            .max_iterations = MOST_ITERATIONS,
                            .measure = DLS_MEASURE_SCALED};
  DLS_TRY(dls_solver_find("auto", &solver));
  DLS_TRY(
      dls_solve(solver, a->solve.problem, NULL, &limits, NULL, a->solve.r, a->solve.u, &report));
  *found = report.outcome != DLS_NO_SOLUTION && report.outcome != DLS_DIVERGED;
  return *found ? dls_assemble_velocity(a, s->world, s->work.still, s->work.way) : DLS_OK;
}

/* Weights along the ways. */
static void account(DlsSimulation *s, const double gravity[3]) {
  const double(*way)[6] = dls_layout_six(s->work.way);
  for (int b = 0; b < s->world->count; b++)
    s->state.ledger.corrected += s->world->mass[b] * dls_vector_dot(gravity, way[b]);
}

DlsStatus dls_correction_project(DlsSimulation *s, const double gravity[3]) {
  double smallest, largest, deepest, share = accuracy;
  dls_world_sizes(s->world, &smallest, &largest);
  const double limit = s->settings.overlap * smallest;
  DLS_TRY(check_relations(s));
  DLS_TRY(make_room(s));
  DLS_TRY(look(s, neighbours * limit, &deepest));
  for (int round = 0; round < MOST_ROUNDS && deepest > limit; round++) {
    bool found;
    DLS_TRY(look(s, neighbours * deepest, &deepest));
    DLS_TRY(find_ways(s, limit, share * limit, &found));
    if (!found) break;
    dls_world_shift(s->world, dls_layout_six(s->work.way));
    account(s, gravity);
    s->last.report.corrections++;
    share *= sharper;
    DLS_TRY(look(s, neighbours * limit, &deepest));
  }
  s->last.report.overlap = fmax(s->last.report.overlap, deepest);
  return DLS_OK;
}
