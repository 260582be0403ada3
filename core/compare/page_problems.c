/* Parts of the page of a race, problem by problem: sizes and costs, statistics, all runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/claims.h"
#include "compare/page_impl.h"
#include "plot/page.h"
#include "plot/runner.h"

static void put_powers(DlsFile *file, const DlsRace *race, const char *title,
                       const DlsPower *const *powers) {
  dls_page_table(file, NULL, "solver");
  for (int t = 0; t < race->tolerances; t++)
    dls_file_print(file, "<th>%s to <span class=name>%g</span>, power<th>problems", title,
                   race->tolerance[t]);
  dls_file_print(file, "</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    for (int t = 0; t < race->tolerances; t++) {
      const DlsPower *power = &powers[t][s];
      if (isnan(power->exponent))
        dls_file_print(file, "<td class=quiet>-<td>%d", power->count);
      else
        dls_file_print(file, "<td>%.2f &plusmn; %.2f<td>%d", power->exponent, power->error,
                       power->count);
    }
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

/* Figures and table of one cost. */
static DlsStatus put_cost(RacePage *page, DlsCost cost, DlsPower *power) {
  const DlsRace *race = page->race;
  const DlsPower *powers[DLS_RACE_TOLERANCES];
  Stem stems[DLS_RACE_TOLERANCES];
  dls_file_print(page->file, "<div class='figures whole'>\n");
  for (int t = 0; t < race->tolerances; t++) {
    stems[t] = race_stem(page, "cost-%s-%g", dls_cost_words(cost)->word, race->tolerance[t]);
    powers[t] = power + (size_t)t * (size_t)race->solvers;
    DLS_TRY(
        dls_figure_powers(race, t, cost, stems[t].path, power + (size_t)t * (size_t)race->solvers));
  }
  DLS_TRY(race_put_figures(page, stems, race->tolerances));
  dls_file_print(page->file, "</div>\n");
  put_powers(page->file, race, dls_cost_title(race, cost), powers);
  return DLS_OK;
}

static DlsStatus put_costs(RacePage *page, DlsPower *power) {
  dls_file_print(
      page->file,
      "<h2 id=cost>Cost against size</h2><p>Cost = c (contacts)<sup>p</sup> by least squares in "
      "the logarithms, over the problems that a solver solved; p with its standard error. A "
      "product with W is itself about linear in the contacts. Problems differ in more than their "
      "size, and each solver is seen on those that it solved: compare powers only where the "
      "number of problems is about the same.</p>\n");
  DLS_TRY(put_cost(page, DLS_COST_TIME, power));
  return put_cost(page, DLS_COST_WORK, power);
}

DlsStatus race_put_sizes(RacePage *page) {
  const DlsRace *race = page->race;
  const Stem stem = race_stem(page, "density");
  DlsPower *power;
  int measured = 0;
  for (int p = 0; p < race->problems; p++)
    measured += !isnan(dls_problem_hyperstaticity(&race->problem[p]));
  if (measured > 1) {
    dls_file_print(
        page->file,
        "<h2 id=density>The set of problems</h2><p>Each problem is a mark; the bars count "
        "problems in half decades of contacts and in tenths of a decade of "
        "hyperstaticity, %d of %d problems.</p><div class=figures>\n",
        measured, race->problems);
    DLS_TRY(dls_figure_density(race, stem.path));
    DLS_TRY(race_put_figure(page, &stem));
    dls_file_print(page->file, "</div>\n");
  }
  DLS_NEW(power, (size_t)race->tolerances * (size_t)race->solvers + 1);
  const DlsStatus status = race->problems > 2 ? put_costs(page, power) : DLS_OK;
  free(power);
  return status;
}

void race_put_problems(RacePage *page) {
  const DlsRace *race = page->race;
  DlsFile *file = page->file;
  dls_file_print(file, "<h2>The problems</h2>");
  dls_page_table(
      file, "dense",
      "problem|:kind|contacts|bodies|contacts per body|hyper&shy;staticity|islands|largest "
      "island|rank of W / rows|condition of W|density of W|W<sub>NN</sub> largest / "
      "least|&mu;|open|slip|stick|:hash</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    const DlsRaceProblem *problem = &race->problem[p];
    const DlsStatistics *a = &problem->statistics;
    dls_file_print(file, "<tr><td>");
    dls_page_text(file, problem->name);
    dls_file_print(file, "<td class=left>%s<td>%d", dls_problem_kind(problem), problem->contacts);
    if (problem->measured) {
      if (a->bodies)
        dls_file_print(file, "<td>%d<td>%.2f", a->bodies, a->contacts_per_body);
      else
        dls_file_print(file, "<td class=quiet>-<td class=quiet>-");
      dls_file_print(file, "<td>%.2f<td>%d<td>%d<td>%s%d / %d = %.2f",
                     dls_problem_hyperstaticity(problem), a->islands, a->largest_island,
                     a->rank_is_bound ? "&le; " : "", a->rank, a->rows,
                     a->rows ? (double)a->rank / a->rows : 1);
      if (a->condition > 0)
        dls_file_print(file, "<td>&ge; %.1e", a->condition);
      else
        dls_file_print(file, "<td class=quiet>-");
      dls_file_print(file, "<td>%.2g<td>%.2g<td>%g", a->density,
                     a->w_min > 0 ? a->w_max / a->w_min : INFINITY, a->mu_min);
      if (a->mu_max > a->mu_min) dls_file_print(file, " to %g", a->mu_max);
    } else {
      dls_file_print(file, "<td colspan=10 class=quiet>not measured: too large for 30 s");
    }
    /* The statuses of the most accurate answer. */
    const DlsRaceRun *best = NULL;
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      if (run->end == DLS_RACE_ENDED &&
          run->errors.open + run->errors.slip + run->errors.stick > 0 &&
          (!best || run->errors.natural < best->errors.natural))
        best = run;
    }
    if (best)
      dls_file_print(file, "<td>%d<td>%d<td>%d", best->errors.open, best->errors.slip,
                     best->errors.stick);
    else
      dls_file_print(file, "<td class=quiet>-<td class=quiet>-<td class=quiet>-");
    dls_file_print(file, "<td class=left><code>%s</code></tr>\n", problem->hash);
  }
  dls_page_table_end(file);
  dls_file_print(file,
                 "<p class=quiet>Hyperstaticity: rows of W over the degrees of freedom of "
                 "the bodies (over the rank where bodies are not told). Rank: numerical, "
                 "eigenvalues or pivots above 1e-11 of the largest; after &le; a bound by the "
                 "freedom of the bodies, where an island is too large to factor. Condition: "
                 "the ratio of the largest to the least pivot above that threshold, an "
                 "estimate from below, over islands of up to 2000 rows; - where there are "
                 "none. Islands are groups of contacts that W does not couple. Open, slip "
                 "and stick are those of the most accurate answer. The hash is of W, q and the "
                 "relations: two files with the same are one problem.</p>\n");
}

static void put_runs(DlsFile *file, const DlsRace *race, int p) {
  dls_page_table(
      file, NULL,
      "solver|ended|iterations|time|natural|scaled|bi-potential|peak memory|:note</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, p, s);
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    if (run->end == DLS_RACE_ENDED)
      dls_file_print(file, "<td%s>%s<td>%ld<td>%.3g s<td>%.1e<td>%.1e<td>%.1e J",
                     dls_race_true(race, run) ? "" : " class=bad",
                     dls_race_status(race, run, dls_race_last(race)), run->iterations, run->time_s,
                     run->errors.natural, run->errors.scaled, run->errors.bipotential);
    else
      dls_file_print(file, "<td class=bad>%s<td><td><td><td><td>", dls_race_end_text(run->end));
    dls_file_print(file, "<td>%.0f MB<td class=note>", run->peak_mb);
    dls_race_put_claims(file, race, run);
    dls_page_text(file, run->note);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

DlsStatus race_put_runs(RacePage *page) {
  const DlsRace *race = page->race;
  DlsFile *file = page->file;
  dls_file_print(
      file,
      "<h2 id=runs>Convergence, problem by problem</h2><p class=quiet>Curves are what solvers say "
      "of themselves on the way; the last point is measured, and so is each tolerance that "
      "a solver claims to pass, by a solve that is stopped there. Of a solver whose claim "
      "is not true only what was measured is drawn.</p>\n");
  for (int p = 0; p < race->problems; p++) {
    dls_file_print(file, "<details id=p%d%s><summary>", p, race->problems <= 4 ? " open" : "");
    dls_page_text(file, race->problem[p].name);
    dls_file_print(file, ", %d contact%s</summary><div class=figures>\n", race->problem[p].contacts,
                   race->problem[p].contacts == 1 ? "" : "s");
    Stem stems[DLS_COSTS];
    for (int cost = 0; cost < (int)DLS_COSTS; cost++) {
      const int k = (int)DLS_COSTS - 1 - cost; /* iterations, work, time */
      stems[k] = race_stem(page, "curve-%s-%d", dls_cost_words((DlsCost)cost)->word, p + 1);
      DLS_TRY(dls_figure_curves(race, p, (DlsCost)cost, stems[k].path));
    }
    DLS_TRY(race_put_figure(page, &stems[DLS_COSTS - 1]));
    DLS_TRY(race_put_figures(page, stems, DLS_COSTS - 1));
    dls_file_print(file, "</div>\n");
    put_runs(file, race, p);
    dls_file_print(file, "</details>\n");
  }
  return DLS_OK;
}
