/* delassus show: what an expert reads first of a problem. */
#include <delassus/cone.h>
#include <delassus/statistics.h>

#include "app/app.h"
#include "app/options.h"
#include "app/problem_argument.h"
#include "base/json.h"

typedef struct {
  AppProblemNames problems;
  bool json;
} Job;

static const AppOption options[] = {
    APP_PROBLEMS_ROW(Job, problems),
    APP_SAMPLE_ROW(Job, problems, "a problem built here, see delassus sample list"),
    APP_FLAG_ROW(Job, json, "json", "print an object"),
};

static void print_page(const AppProblem *loaded, const DlsStatistics *s) {
  printf("problem       %s\n", dls_problem_name(loaded->problem));
  if (loaded->extra.title) printf("title         %s\n", loaded->extra.title);
  printf("contacts      %d of %d components in %d-D, %s\n", s->contacts, s->block, s->dim, s->form);
  printf("relations    ");
  for (int i = 0; i < DLS_CONE_COUNT; i++)
    if (s->cones[i]) printf(" %d %s", s->cones[i], dls_cone_name((DlsCone)i));
  printf("; mu %g .. %g\n", s->mu_min, s->mu_max);
  if (s->bodies)
    printf("bodies        %d, %d degrees of freedom; %.3g contacts each, at most %d\n", s->bodies,
           s->freedom, s->contacts_per_body, s->contacts_per_body_max);
  else if (s->freedom)
    printf("bodies        deformable: %d degrees of freedom\n", s->freedom);
  else
    printf("bodies        not told apart by an assembled problem\n");
  printf("W             %.3g blocks per row, at most %d; density %.3g; asymmetry %.1e\n",
         s->blocks_per_row, s->blocks_per_row_max, s->density, s->asymmetry);
  printf("islands       %d, the largest of %d contacts\n", s->islands, s->largest_island);
  printf("rank          %s%d of %d rows (%.3f)%s\n", s->rank_is_bound ? "at most " : "", s->rank,
         s->rows, s->rows ? (double)s->rank / s->rows : 1.0,
         s->rank < s->rows ? ": reactions are not unique" : "");
  if (s->condition > 0)
    printf("conditioning  %.1e at least, of W without its null space\n", s->condition);
  printf("scaling       W_NN %.3g .. %.3g, median %.3g 1/kg; ratio %.3g\n", s->w_min, s->w_max,
         s->w_median, s->w_min > 0 ? s->w_max / s->w_min : 0);
  printf("file          %d guesses, %s\n", loaded->extra.guesses,
         loaded->extra.solution_r ? "a solution" : "no solution");
}

static void print_json(const AppProblem *loaded, const DlsStatistics *s) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, "problem", dls_problem_name(loaded->problem));
  dls_json_text(&json, "title", loaded->extra.title);
  dls_json_integer(&json, "contacts", s->contacts);
  dls_json_integer(&json, "block", s->block);
  dls_json_integer(&json, "dimension", s->dim);
  dls_json_text(&json, "form", s->form);
  dls_json_open(&json, "relations", '{');
  for (int i = 0; i < DLS_CONE_COUNT; i++)
    if (s->cones[i]) dls_json_integer(&json, dls_cone_name((DlsCone)i), s->cones[i]);
  dls_json_close(&json, '}');
  dls_json_real(&json, "mu_min", s->mu_min);
  dls_json_real(&json, "mu_max", s->mu_max);
  dls_json_integer(&json, "bodies", s->bodies);
  dls_json_integer(&json, "freedom", s->freedom);
  dls_json_real(&json, "contacts_per_body", s->contacts_per_body);
  dls_json_integer(&json, "contacts_per_body_max", s->contacts_per_body_max);
  dls_json_real(&json, "blocks_per_row", s->blocks_per_row);
  dls_json_integer(&json, "blocks_per_row_max", s->blocks_per_row_max);
  dls_json_real(&json, "density", s->density);
  dls_json_real(&json, "asymmetry", s->asymmetry);
  dls_json_integer(&json, "islands", s->islands);
  dls_json_integer(&json, "largest_island", s->largest_island);
  dls_json_integer(&json, "rows", s->rows);
  dls_json_integer(&json, "rank", s->rank);
  dls_json_bool(&json, "rank_is_bound", s->rank_is_bound);
  dls_json_real(&json, "condition", s->condition);
  dls_json_real(&json, "w_min", s->w_min);
  dls_json_real(&json, "w_median", s->w_median);
  dls_json_real(&json, "w_max", s->w_max);
  dls_json_integer(&json, "guesses", loaded->extra.guesses);
  dls_json_bool(&json, "solution", loaded->extra.solution_r != NULL);
  dls_json_close(&json, '}');
}

static int show(const AppCommand *self, const Job *job) {
  AppProblem loaded;
  DlsStatistics statistics;
  if (job->problems.count != 1)
    return app_refuse(self, "give one problem: a file, or --sample NAME[:SIZE]");
  if (app_problem_load(&job->problems.item[0], APP_FORM_AUTO, &loaded) != DLS_OK)
    return app_refuse_status(self);
  const DlsStatus status = dls_statistics_measure(loaded.problem, &statistics);
  if (status == DLS_OK && job->json) print_json(&loaded, &statistics);
  if (status == DLS_OK && !job->json) print_page(&loaded, &statistics);
  app_problem_clear(&loaded);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = show(self, &job);
  app_problem_names_clear(&job.problems);
  return status;
}

static const char details[] =
    "Rank is that of the symmetric part of W, island by island; where it is below the number of\n"
    "rows the bodies touch at more points than they have freedom: velocities may be unique,\n"
    "reactions are not.\n";

const AppCommand app_show = {
    .name = "show",
    .usage = "PROBLEM.hdf5 | --sample NAME[:SIZE] [--json]",
    .summary = "Show the statistics of a problem: size, coupling, rank, scaling, friction",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
