/* delassus show: what an expert reads first of a problem. */
#include <delassus/cone.h>
#include <delassus/statistics.h>

#include "app/app.h"
#include "app/options.h"
#include "app/problem_argument.h"
#include "base/json.h"

typedef struct {
  AppProblemNames problems;
  bool json, csv;
} Job;

static const AppOption options[] = {
    APP_PROBLEMS_ROW(Job, problems),
    APP_SAMPLE_ROW(Job, problems, "a problem built here, see delassus sample list"),
    APP_FLAG_ROW(Job, json, "json", "print an object (an array of them for several problems)"),
    APP_FLAG_ROW(Job, csv, "csv", "print a table with a row for each problem"),
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
  if (s->rank_is_bound)
    printf("              a bound: %d rows are in islands too large to factor for it\n",
           s->rank_bounded);
  if (!(s->condition > 0))
    printf("conditioning  not computed: no island has 2000 rows or less\n");
  else
    printf("conditioning  %.1e at least, of W without its null space%s\n", s->condition,
           s->condition_rows < s->rows ? "; islands of more than 2000 rows not looked at" : "");
  printf("scaling       W_NN %.3g .. %.3g, median %.3g 1/kg; ratio %.3g\n", s->w_min, s->w_max,
         s->w_median, s->w_min > 0 ? s->w_max / s->w_min : 0);
  printf("file          %d guesses, %s\n", loaded->extra.guesses,
         loaded->extra.solution_r ? "a solution" : "no solution");
}

static void print_json(const AppProblem *loaded, const DlsStatistics *s, DlsJson *out) {
  DlsJson json = *out;
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
  dls_json_text(&json, "rank_kind", dls_statistics_rank_kind(s));
  dls_json_real(&json, "condition", s->condition);
  dls_json_text(&json, "condition_kind", dls_statistics_condition_kind(s));
  dls_json_real(&json, "w_min", s->w_min);
  dls_json_real(&json, "w_median", s->w_median);
  dls_json_real(&json, "w_max", s->w_max);
  dls_json_integer(&json, "guesses", loaded->extra.guesses);
  dls_json_bool(&json, "solution", loaded->extra.solution_r != NULL);
  dls_json_close(&json, '}');
  *out = json;
}

static void print_row(const AppProblem *loaded, const DlsStatistics *s) {
  char hash[DLS_FINGERPRINT] = "";
  if (dls_problem_fingerprint(loaded->problem, hash) != DLS_OK) hash[0] = '\0';
  for (const char *c = dls_problem_name(loaded->problem); *c; c++)
    putchar(*c == ',' ? ';' : *c == '"' ? '\'' : *c);
  printf(",%s,%d,%d,%d,%s,%d,%d,%.6g,%d,%.6g,%d,%.6g,%.6g,%d,%d,%d,%d,%s,", hash, s->dim,
         s->contacts, s->block, s->form, s->bodies, s->freedom, s->contacts_per_body,
         s->contacts_per_body_max, s->blocks_per_row, s->blocks_per_row_max, s->density,
         s->asymmetry, s->islands, s->largest_island, s->rows, s->rank,
         dls_statistics_rank_kind(s));
  if (s->condition > 0) printf("%.6g", s->condition);
  printf(",%s,%.6g,%.6g,%.6g,%.6g,%.6g\n", dls_statistics_condition_kind(s), s->w_min, s->w_median,
         s->w_max, s->mu_min, s->mu_max);
}

static void print_head(void) {
  printf("problem,hash,dimension,contacts,block,form,bodies,freedom,contacts_per_body,"
         "contacts_per_body_max,blocks_per_row,blocks_per_row_max,density,asymmetry,islands,"
         "largest_island,rows,rank,rank_kind,condition,condition_kind,w_min,w_median,w_max,mu_min,"
         "mu_max\n");
}

/* A file that cannot be read costs its own row, and the exit status. */
static int show(const AppCommand *self, const Job *job) {
  DlsJson json = {.file = stdout};
  const bool many = job->problems.count > 1;
  int status = APP_DONE;
  if (job->csv) print_head();
  if (many && job->json) dls_json_open(&json, NULL, '[');
  for (int i = 0; i < job->problems.count; i++) {
    AppProblem loaded;
    DlsStatistics statistics;
    const bool good = app_problem_load(&job->problems.item[i], APP_FORM_AUTO, &loaded) == DLS_OK &&
                      dls_statistics_measure(loaded.problem, &statistics) == DLS_OK;
    if (!good)
      status = app_refuse_status(self);
    else if (job->json)
      print_json(&loaded, &statistics, &json);
    else if (job->csv)
      print_row(&loaded, &statistics);
    else
      print_page(&loaded, &statistics);
    if (good && many && !job->json && !job->csv && i + 1 < job->problems.count) printf("\n");
    fflush(stdout);
    app_problem_clear(&loaded);
  }
  if (many && job->json) dls_json_close(&json, ']');
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON && app_problem_names_spread(&job.problems) != DLS_OK)
    status = app_refuse_status(self);
  if (status == APP_GO_ON && job.problems.count == 0)
    status = app_refuse(self, "give a problem: a file, or --sample NAME[:SIZE]");
  if (status == APP_GO_ON && job.json && job.csv)
    status = app_refuse(self, "--json or --csv: one of them");
  if (status == APP_GO_ON) status = show(self, &job);
  app_problem_names_clear(&job.problems);
  return status;
}

static const char details[] =
    "Rank is that of the symmetric part of W, island by island; where it is below the number of\n"
    "rows the bodies touch at more points than they have freedom: velocities may be unique,\n"
    "reactions are not. It is counted, or an upper bound where an island is too large to factor.\n"
    "Conditioning is a lower bound, of islands of up to 2000 rows.\n"
    "\n"
    "  delassus show problems/*.hdf5 --csv > problems.csv\n";

const AppCommand app_show = {
    .name = "show",
    .usage = "PROBLEM.hdf5... | --sample NAME[:SIZE]... [--json | --csv]",
    .summary = "Show the statistics of problems: size, coupling, rank, scaling, friction",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
