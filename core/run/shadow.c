/* Shadow solvers; what they are, in shadow.h. */
#include "run/shadow.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "compare/machine.h"
#include "compare/page.h"
#include "compare/problems.h"
#include "compare/race/csv.h"
#include "record/pvd.h"
#include "record/vtu/vtu.h"

#include <delassus/version.h>

enum { MOST_RACED = 2000 };

struct DlsShadow {
  DlsEntrants field; /* the first is the run's own */
  DlsRace race;
  long every;
  char folder[PATH_MAX];
  DlsPvd *series;
};

#define NEW(pointer, count)                                                                        \
  do {                                                                                             \
    (pointer) = calloc((size_t)(count) + 1, sizeof *(pointer));                                    \
    DLS_CHECK((pointer) != NULL, DLS_ERR_MEMORY, "out of memory for the shadow solvers");          \
  } while (0)

/* A contact on which solvers disagree: another status, or an impulse that differs by more than this
 * share of the mean. */
static const double share = 0.01;

/* Answers of one step: r, u and the status of each contact, of each solver. */
typedef struct {
  int contacts, block, solvers;
  double *r, *u;            /* [solvers][contacts][block] */
  DlsContactStatus *status; /* [solvers][contacts] */
} Answers;

static void clear_answers(Answers *a) {
  free(a->r);
  free(a->u);
  free(a->status);
}

static DlsStatus make_answers(const DlsShadow *shadow, const DlsProblem *problem, Answers *out) {
  *out = (Answers){.contacts = dls_problem_contacts(problem),
                   .block = dls_problem_block(problem),
                   .solvers = shadow->field.count};
  const size_t size = (size_t)out->contacts * (size_t)out->solvers;
  NEW(out->r, size * (size_t)out->block);
  NEW(out->u, size * (size_t)out->block);
  NEW(out->status, size);
  return DLS_OK;
}

/* Velocities and statuses of solver number s. */
static void judge(const DlsProblem *problem, Answers *a, int s) {
  const size_t size = (size_t)a->contacts * (size_t)a->block;
  double *r = a->r + (size_t)s * size, *u = a->u + (size_t)s * size;
  dls_problem_to_standard(problem, r);
  dls_problem_standard_velocity(problem, r, u);
  dls_errors_status(problem, r, u, a->status + (size_t)s * (size_t)a->contacts);
  dls_problem_from_standard(problem, r);
  dls_problem_velocity(problem, r, u);
}

static double distance(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* The contacts that go into the file; returns how many. */
static int choose(const Answers *a, int *chosen) {
  double mean = 0;
  int count = 0;
  for (int c = 0; c < a->contacts; c++)
    mean += fabs(a->r[(size_t)c * (size_t)a->block]) / a->contacts;
  for (int c = 0; c < a->contacts; c++) {
    bool differs = false;
    for (int s = 1; s < a->solvers; s++) {
      const size_t other = (size_t)s * (size_t)a->contacts + (size_t)c;
      differs |= a->status[other] != a->status[c];
      differs |= distance(a->r + other * (size_t)a->block, a->r + (size_t)c * (size_t)a->block,
                          a->block) > share * mean;
    }
    if (differs) chosen[count++] = c;
  }
  return count;
}

/* For each solver: status, and how far impulse and velocity are from the run's. */
static DlsStatus write_chosen(DlsShadow *shadow, const DlsSimulation *simulation, const Answers *a,
                              const int *chosen, int count) {
  enum { EACH = 3 };
  char path[PATH_MAX + 40], file[40];
  const int arrays = EACH * a->solvers;
  double *position = NULL, *value = NULL;
  DlsVtuArray *data = NULL;
  char(*name)[2 * DLS_RACE_NAME] = NULL;
  DlsStatus status = DLS_OK;
  position = calloc((size_t)count + 1, 3 * sizeof *position);
  value = calloc((size_t)count * (size_t)arrays + 1, sizeof *value);
  data = calloc((size_t)arrays, sizeof *data);
  name = calloc((size_t)arrays, sizeof *name);
  if (!position || !value || !data || !name)
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the contacts on which solvers disagree");
  for (int i = 0; i < count && status == DLS_OK; i++) {
    const size_t block = (size_t)a->block, c = (size_t)chosen[i];
    memcpy(position + 3 * i,
           simulation->last.contacts.point[simulation->last.assembly.step.in_set[c]],
           3 * sizeof *position);
    for (int s = 0; s < a->solvers; s++) {
      const size_t at = (size_t)s * (size_t)a->contacts + c;
      double *mine = value + (size_t)(EACH * s) * (size_t)count + i;
      mine[0] = (double)a->status[at];
      mine[count] =
          distance(a->r + at * block, a->r + c * block, a->block) / simulation->settings.h;
      mine[2 * count] = distance(a->u + at * block, a->u + c * block, a->block);
    }
  }
  static const char *const what[EACH] = {"status", "force_difference", "velocity_difference"};
  for (int k = 0; k < arrays && status == DLS_OK; k++) {
    snprintf(name[k], sizeof name[k], "%s_%s", what[k % EACH],
             shadow->field.entrant[k / EACH].label);
    data[k] = (DlsVtuArray){.name = name[k],
                            .values = value + (size_t)k * (size_t)count,
                            .type = DLS_VTU_FLOAT64,
                            .components = 1};
  }
  if (status == DLS_OK) {
    const DlsVtuGrid grid = {.points = count,
                             .cells = count,
                             .position = position,
                             .cell_type = DLS_VTU_VERTEX,
                             .cell_size = 1,
                             .point_data = data,
                             .point_arrays = arrays,
                             .timed = true,
                             .time = simulation->state.time};
    const DlsVtuOptions options = {.allow_nan = true};
    snprintf(file, sizeof file, "disagree_%06ld.vtu", simulation->state.step + 1);
    snprintf(path, sizeof path, "%s/%s", shadow->folder, file);
    status = dls_vtu_write(path, &grid, &options, NULL);
  }
  if (status == DLS_OK) status = dls_pvd_add(shadow->series, simulation->state.time, 0, file);
  free(position);
  free(value);
  free(data);
  free(name);
  return status;
}

static DlsStatus race_step(DlsShadow *shadow, const DlsSimulation *simulation, const double *guess,
                           Answers *a, bool *raced) {
  const DlsProblem *problem = dls_simulation_problem(simulation);
  const int p = shadow->race.problems;
  const size_t size = (size_t)a->contacts * (size_t)a->block;
  DLS_TRY(dls_race_describe(&shadow->race, p, problem));
  snprintf(shadow->race.problem[p].name, sizeof shadow->race.problem[p].name, "step %ld",
           simulation->state.step + 1);
  for (int s = 0; s < a->solvers; s++) {
    const DlsEntrant *entrant = &shadow->field.entrant[s];
    DLS_TRY(dls_race_start(&shadow->race, p, s, problem, entrant->solver, entrant->options, guess,
                           a->r + (size_t)s * size));
    snprintf(shadow->race.solver[s], sizeof shadow->race.solver[s], "%s", entrant->label);
  }
  const DlsRace *race = &shadow->race;
  *raced = !race->stop(race->stop_context); /* answers are missing where the race was stopped */
  if (!*raced) return DLS_OK;
  shadow->race.problems++;
  memcpy(a->r, simulation->last.assembly.solve.r,
         size * sizeof *a->r); /* the run's own answer counts */
  for (int s = 0; s < a->solvers; s++) judge(problem, a, s);
  return DLS_OK;
}

static DlsStatus look(void *context, const DlsSimulation *simulation, const double *guess) {
  DlsShadow *shadow = context;
  Answers answers;
  int *chosen;
  if ((simulation->state.step + 1) % shadow->every || shadow->race.problems == MOST_RACED)
    return DLS_OK;
  NEW(chosen, simulation->last.assembly.step.count);
  DlsStatus status = make_answers(shadow, dls_simulation_problem(simulation), &answers);
  bool raced = false;
  if (status == DLS_OK) status = race_step(shadow, simulation, guess, &answers, &raced);
  if (status == DLS_OK && raced) {
    const int count = choose(&answers, chosen);
    status = write_chosen(shadow, simulation, &answers, chosen, count);
  }
  clear_answers(&answers);
  free(chosen);
  return status;
}

/* The run's own solver before the others. */
static DlsStatus put_first(const DlsSimulation *simulation, DlsEntrants *entrants) {
  const DlsSolver *solver = simulation->settings.solver;
  DLS_CHECK(entrants->count < DLS_MAX_ENTRANTS, DLS_ERR_ARGUMENT, "more than %d shadow solvers",
            DLS_MAX_ENTRANTS - 1);
  void *options = calloc(1, solver->option_bytes + 1);
  DLS_CHECK(options, DLS_ERR_MEMORY, "out of memory for the options of %s", solver->name);
  if (simulation->settings.solver_options)
    memcpy(options, simulation->settings.solver_options, solver->option_bytes);
  else
    dls_solver_defaults(solver, options);
  memmove(entrants->entrant + 1, entrants->entrant,
          (size_t)entrants->count * sizeof *entrants->entrant);
  entrants->entrant[0] = (DlsEntrant){solver, options, ""};
  snprintf(entrants->entrant[0].label, DLS_RACE_NAME, "%s (run)", solver->name);
  entrants->count++;
  return DLS_OK;
}

DlsStatus dls_shadow_begin(DlsSimulation *simulation, DlsEntrants *entrants, long every, long steps,
                           const char *folder, DlsShadowStop stop, DlsShadow **out) {
  DlsShadow *shadow;
  char path[PATH_MAX + 16];
  *out = NULL;
  DLS_CHECK(simulation->settings.scheme->asks == DLS_ASKS_RELATIONS, DLS_ERR_ARGUMENT,
            "the scheme %s solves no problem that others could solve too; leave out `shadow`",
            simulation->settings.scheme->name);
  NEW(shadow, 1);
  shadow->every = every;
  snprintf(shadow->folder, sizeof shadow->folder, "%s/shadow", folder);
  snprintf(path, sizeof path, "%s/disagree.pvd", shadow->folder);
  DlsStatus status = put_first(simulation, entrants);
  shadow->field = *entrants;
  *entrants = (DlsEntrants){.count = 0};
  const long most = steps / every + 2;
  if (status == DLS_OK)
    status = dls_race_create(most < MOST_RACED ? (int)most : MOST_RACED, shadow->field.count,
                             &shadow->race);
  if (status == DLS_OK) status = dls_file_make_folder(shadow->folder);
  if (status == DLS_OK) status = dls_pvd_create(path, &shadow->series);
  if (status != DLS_OK) {
    dls_shadow_end(&shadow);
    return status;
  }
  shadow->race.problems = 0; /* raced so far */
  shadow->race.max_time = 10;
  shadow->race.stop = stop.asked;
  shadow->race.stop_context = stop.context;
  shadow->race.tolerances = 1;
  shadow->race.tolerance[0] = simulation->settings.limits.tolerance;
  shadow->race.measure = simulation->settings.limits.measure;
  simulation->settings.spectator = (DlsSpectator){shadow, look};
  *out = shadow;
  return DLS_OK;
}

DlsStatus dls_shadow_report(const DlsShadow *shadow, int *raced) {
  DlsAbout about = {.title = "Shadow solvers"};
  char machine[384];
  *raced = shadow->race.problems;
  if (*raced == 0) return DLS_OK;
  dls_machine_describe(machine, sizeof machine);
  dls_about_put(&about, "program", "delassus %s", DLS_VERSION);
  dls_about_put(&about, "machine", "%s", machine);
  dls_about_put(
      &about, "race",
      "every %ld-th step of a run, %d steps, solved from the same start by each solver in "
      "a process of its own",
      shadow->every, *raced);
  dls_about_put(&about, "limits of a solve", "%g s", shadow->race.max_time);
  dls_about_put(&about, "error", "%s", dls_measure_word(shadow->race.measure));
  DLS_TRY(dls_race_write(&shadow->race, shadow->folder));
  DLS_TRY(dls_problems_write(&shadow->race, shadow->folder));
  DLS_TRY(dls_about_write(&about, shadow->folder));
  return dls_race_page(&shadow->race, &about, shadow->folder, true);
}

void dls_shadow_end(DlsShadow **shadow) {
  if (!shadow || !*shadow) return;
  dls_entrants_clear(&(*shadow)->field);
  dls_race_clear(&(*shadow)->race);
  dls_pvd_destroy(&(*shadow)->series);
  free(*shadow);
  *shadow = NULL;
}
