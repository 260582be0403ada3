/* index.html: written as it is read, from the summary to the single run. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/page_impl.h"
#include "compare/reported.h"
#include "plot/page.h"
#include "plot/runner.h"

/* What a solver did on all problems, for one tolerance. */
typedef struct {
  int solved, wins;
  double total;  /* s; what is not solved counts with the time limit */
  double median; /* s, of the same numbers */
} Score;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double best_time(const DlsRace *race, int p, double tolerance) {
  double best = INFINITY;
  for (int s = 0; s < race->solvers; s++)
    best = fmin(best, dls_race_time(race, dls_race_at(race, p, s), tolerance));
  return best;
}

static DlsStatus score(const DlsRace *race, int s, double tolerance, Score *out) {
  double *times;
  const int n = race->problems;
  *out = (Score){0};
  DLS_NEW(times, n + 1);
  for (int p = 0; p < n; p++) {
    const double mine = dls_race_time(race, dls_race_at(race, p, s), tolerance);
    times[p] = isfinite(mine) ? mine : race->max_time;
    out->total += times[p];
    out->solved += isfinite(mine);
    out->wins += isfinite(mine) && mine <= best_time(race, p, tolerance);
  }
  qsort(times, (size_t)n, sizeof *times, ascending);
  if (n) out->median = 0.5 * (times[(n - 1) / 2] + times[n / 2]);
  free(times);
  return DLS_OK;
}

/* 3 digits, ms. */
static void put_ms(DlsFile *file, double seconds) {
  const double ms = 1e3 * seconds;
  const int digits = ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : 3;
  dls_file_print(file, "%.*f", digits, ms);
}

static DlsStatus put_summary(DlsFile *file, const DlsRace *race) {
  dls_file_print(file, "<h2>Summary</h2>");
  dls_page_table(file, NULL, "solver");
  for (int t = 0; t < race->tolerances; t++)
    dls_file_print(
        file, "<th>solved to <span class=name>%g</span><th>median, ms<th>total, s<th>fastest on",
        race->tolerance[t]);
  dls_file_print(file, "<th>failures<th>peak memory, MB</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    int failures = 0;
    double peak = 0;
    for (int p = 0; p < race->problems; p++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      failures += run->end == DLS_RACE_CRASHED || run->end == DLS_RACE_KILLED ||
                  run->end == DLS_RACE_MEMORY;
      peak = fmax(peak, run->peak_mb);
    }
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    for (int t = 0; t < race->tolerances; t++) {
      Score sum;
      DLS_TRY(score(race, s, race->tolerance[t], &sum));
      dls_file_print(file, "<td%s>%d of %d<td>", sum.solved == race->problems ? " class=best" : "",
                     sum.solved, race->problems);
      put_ms(file, sum.median);
      dls_file_print(file, "<td>%.3g<td>%d", sum.total, sum.wins);
    }
    dls_file_print(file, "<td%s>%d<td>%.0f</tr>\n", failures ? " class=bad" : "", failures, peak);
  }
  dls_page_table_end(file);
  dls_file_print(file,
                 "<p class=quiet>Median and total are over all problems, one that "
                 "is not solved counting with the limit of %g s. Failures: crashed, killed, out of "
                 "memory.</p>\n",
                 race->max_time);
  return DLS_OK;
}

/* The words for runs that did not reach a tolerance, and what they mean. */
static const char *const words[][2] = {
    {DLS_RACE_MISTAKEN, "it said that it was there, and the measure of its answer says no; both "
                        "numbers are in the table of the problem"},
    {"time limit", "it stopped at the limit of time, with the best it had, or came after it"},
    {"iteration limit", "it stopped at a limit of its own"},
    {"stalled", "it saw no progress any more and said so"},
    {"diverged", "its numbers ran off"},
    {"no solution exists", "no motion is possible, which was proved: there is nothing to solve"},
    {"refused", "it does not take such a problem; its sentence is in the table of the problem"},
    {"crashed", "its process ended by a signal, or left without a result"},
    {"killed", "it did not stop at the limit of time and was ended"},
    {"memory", "it wanted more memory than it may have"},
    {"other", "see the table of the problem"},
};

/* The number of the word for a status; the last where there is none. */
static int word_of(const char *status) {
  int k = 0;
  while (k < DLS_COUNT(words) - 1 && strcmp(status, words[k][0]) != 0) k++;
  return k;
}

static void put_ends(DlsFile *file, const DlsRace *race) {
  const int last = dls_race_last(race);
  dls_file_print(file, "<h2>How the others ended</h2>");
  dls_page_table(file, NULL, "not solved to");
  dls_file_print(file, " %g", race->tolerance[last]);
  for (int k = 0; k < DLS_COUNT(words); k++) dls_file_print(file, "<th>%s", words[k][0]);
  dls_file_print(file, "</tr>\n");
  for (int s = 0; s < race->solvers; s++) {
    int count[DLS_COUNT(words)] = {0};
    for (int p = 0; p < race->problems; p++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      if (!isfinite(dls_race_time(race, run, race->tolerance[last])))
        count[word_of(dls_race_status(race, run, last))]++;
    }
    dls_file_print(file, "<tr><td>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
    for (int k = 0; k < DLS_COUNT(words); k++)
      dls_file_print(file, count[k] ? "<td>%d" : "<td class=quiet>%d", count[k]);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
  dls_file_print(file, "<dl class=quiet>");
  for (int k = 0; k < DLS_COUNT(words); k++)
    dls_file_print(file, "<dt>%s<dd>%s", words[k][0], words[k][1]);
  dls_file_print(file, "</dl>\n");
}

Stem race_stem(const RacePage *page, const char *format, ...) {
  Stem stem;
  va_list arguments;
  const int used = snprintf(stem.path, sizeof stem.path, "%s/", page->figures);
  va_start(arguments, format);
  vsnprintf(stem.path + used, sizeof stem.path - (size_t)used, format, arguments);
  va_end(arguments);
  return stem;
}

DlsStatus race_put_figures(RacePage *page, const Stem *stems, int count) {
  char svg[sizeof stems->path + 8], pdf[sizeof stems->path + 8];
  dls_file_print(page->file, "<figure>");
  for (int k = 0; k < count; k++) {
    snprintf(svg, sizeof svg, "%s.svg", stems[k].path);
    snprintf(pdf, sizeof pdf, "%s.pdf", stems[k].path);
    if (page->pdf) DLS_TRY(dls_pdf_write(page->pdf, svg, pdf));
  }
  DLS_TRY(dls_page_figure(page->file, svg));
  dls_file_print(page->file, "<figcaption>");
  for (int k = count - 1; k >= 0; k--) {
    const char *name = strrchr(stems[k].path, '/') + 1;
    dls_file_print(page->file, "%s%s: <a href='figures/%s.svg'>SVG</a>",
                   k < count - 1 ? "<br>" : "", name, name);
    if (page->pdf) dls_file_print(page->file, " <a href='figures/%s.pdf'>PDF</a>", name);
    dls_file_print(page->file, " <a href='figures/%s.csv'>CSV</a>", name);
  }
  dls_file_print(page->file, "</figcaption></figure>\n");
  return DLS_OK;
}

static DlsStatus put_profiles(RacePage *page) {
  const DlsRace *race = page->race;
  DlsFile *file = page->file;
  double moment[DLS_RACE_MOMENTS];
  dls_file_print(
      file,
      "<h2 id=profiles>Performance profiles</h2><p>With t<sub>ps</sub> the time, the work or the "
      "iterations that solver s needs on problem p to the error above the figure, infinite where "
      "it does not get there within %g s, the curve of s is &rho;<sub>s</sub>(&tau;) = share of "
      "the %d problems with t<sub>ps</sub> &le; &tau; min<sub>k</sub> t<sub>pk</sub> (Dolan and "
      "Mor&eacute; 2002). Higher is better: at &tau; = 1 the share of wins, at the right edge, "
      "beside the name, the share that is solved at all. Work is all that a solver does, counted "
      "where it is done, in products with W: it compares any two solvers, on any machine. An "
      "iteration is a sweep, a projection, a factorisation or a case, as the solver counts: by "
      "iterations compare only what is alike.</p><div class=figures>\n",
      race->max_time, race->problems);
  for (int t = 0; t < race->tolerances; t++)
    for (int cost = 0; cost < (int)DLS_COSTS; cost++) {
      const Stem stem =
          race_stem(page, "profile-%s-%g", dls_cost_words((DlsCost)cost)->word, race->tolerance[t]);
      DLS_TRY(dls_figure_profile(race, NULL, t, (DlsCost)cost, stem.path));
      DLS_TRY(race_put_figure(page, &stem));
    }
  dls_file_print(
      file,
      "</div><h2 id=moments>What is reached in a given time</h2><p>The share of the problems whose "
      "error, the least that was reached, is at most the value on the axis when the time "
      "is over: measured at the tolerances and at the end, between them as the solver "
      "says, if all its claims that were tested are true. Solvers stop at an error of %g: left of "
      "it lies what came for "
      "nothing.</p><div class=figures>\n",
      race->tolerance[race->tolerances - 1]);
  const int moments = dls_race_moments(race, moment);
  for (int k = 0; k < moments; k++) {
    const Stem stem = race_stem(page, "error-at-%gs", moment[k]);
    DLS_TRY(dls_figure_moment(race, moment[k], stem.path));
    DLS_TRY(race_put_figure(page, &stem));
  }
  dls_file_print(file, "</div>\n");
  return DLS_OK;
}

/* Groups of one kind, from number *next on: profiles at all tolerances, the tightest shown. */
static DlsStatus put_kind(RacePage *page, const DlsGroups *groups, int *next) {
  static const char *const texts[][2] = {
#define TEXT(code, word, heading, meaning) {heading, meaning},
      DLS_GROUP_LIST(TEXT)
#undef TEXT
  };
  const DlsRace *race = page->race;
  const DlsGroupKind kind = groups->group[*next].kind;
  dls_file_print(page->file, "<h3>%s</h3><p class=quiet>Groups: %s.</p><div class=figures>\n",
                 texts[kind][0], texts[kind][1]);
  for (; *next < groups->count && groups->group[*next].kind == kind; ++*next) {
    const DlsGroup *group = &groups->group[*next];
    Stem stems[DLS_RACE_TOLERANCES];
    for (int t = 0; t < race->tolerances; t++) {
      stems[t] = race_stem(page, "profile-%s-%g", group->word, race->tolerance[t]);
      DLS_TRY(dls_figure_profile(race, group, t, DLS_COST_TIME, stems[t].path));
    }
    DLS_TRY(race_put_figures(page, stems, race->tolerances));
  }
  dls_file_print(page->file, "</div>\n");
  return DLS_OK;
}

static DlsStatus put_groups(RacePage *page) {
  enum { LEAST = 3 };
  DlsGroups groups;
  DlsStatus status = dls_groups_find(page->race, LEAST, &groups);
  if (status == DLS_OK && groups.count)
    dls_file_print(page->file,
                   "<h2 id=groups>Profiles by group</h2><p>Profiles of time on problems that are "
                   "alike, in groups of at least %d; the best solver of each problem is the best "
                   "in the race. A step is one problem: in small groups the curves are coarse."
                   "</p>\n",
                   LEAST);
  for (int next = 0; next < groups.count && status == DLS_OK;)
    status = put_kind(page, &groups, &next);
  dls_groups_clear(&groups);
  return status;
}

static void put_times(DlsFile *file, const DlsRace *race, int t) {
  dls_file_print(file, "<h2>Milliseconds to an error of %g</h2>", race->tolerance[t]);
  dls_page_table(file, "board dense", "problem|contacts");
  for (int s = 0; s < race->solvers; s++) {
    dls_file_print(file, "<th>");
    dls_page_name(file, dls_plot_colour(s), race->solver[s]);
  }
  dls_file_print(file, "</tr>\n");
  for (int p = 0; p < race->problems; p++) {
    const double best = best_time(race, p, race->tolerance[t]);
    dls_file_print(file, "<tr><td><a href='#p%d'>", p);
    dls_page_text(file, race->problem[p].name);
    dls_file_print(file, "</a><td>%d", race->problem[p].contacts);
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      const double time = dls_race_time(race, run, race->tolerance[t]);
      if (isfinite(time)) {
        dls_file_print(file, "<td%s>", time <= best ? " class=best" : "");
        put_ms(file, time);
      } else
        dls_file_print(file, "<td class=%s>%s", run->end == DLS_RACE_REFUSED ? "quiet" : "bad",
                       dls_race_status(race, run, t));
    }
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

/* How it was run. */
static void put_about(DlsFile *file, const DlsAbout *about) {
  dls_page_table(file, "told", NULL);
  for (int k = 0; k < about->count; k++) {
    if (!about->line[k].value[0]) continue;
    dls_file_print(file, "<tr><td>");
    dls_page_text(file, about->line[k].key);
    dls_file_print(file, strcmp(about->line[k].key, "command") == 0 ? "<td class=left><code>"
                                                                    : "<td class=left>");
    dls_page_text(file, about->line[k].value);
    dls_file_print(file, "</tr>\n");
  }
  dls_page_table_end(file);
}

static DlsStatus put_all(RacePage *page) {
  DLS_TRY(put_summary(page->file, page->race));
  DLS_TRY(put_profiles(page));
  DLS_TRY(put_groups(page));
  DLS_TRY(race_put_sizes(page));
  for (int t = 0; t < page->race->tolerances; t++) put_times(page->file, page->race, t);
  put_ends(page->file, page->race);
  race_put_problems(page);
  return race_put_runs(page);
}

DlsStatus dls_race_page(const DlsRace *race, const DlsAbout *about, const char *folder, bool pdf) {
  char path[PATH_MAX];
  RacePage page = {.race = race};
  snprintf(path, sizeof path, "%s/index.html", folder);
  snprintf(page.figures, sizeof page.figures, "%.*s/figures", PATH_MAX - 16, folder);
  DLS_TRY(dls_file_make_folder(page.figures));
  if (pdf && dls_pdf_open(&page.pdf) != DLS_OK)
    snprintf(page.no_pdf, sizeof page.no_pdf, "%s", dls_error_message());
  DlsStatus status = dls_page_begin(path, about->title, "", &page.file);
  if (status == DLS_OK) {
    put_about(page.file, about);
    status = put_all(&page);
    if (status == DLS_OK) status = dls_reported_page(page.file, race, folder);
    if (page.no_pdf[0]) {
      dls_file_print(page.file, "<p class=quiet>");
      dls_page_text(page.file, page.no_pdf);
      dls_file_print(page.file, "</p>\n");
    }
    status = dls_page_end(status,
                          "The numbers of this page: runs.csv, convergence.csv, problems.csv; each "
                          "figure as SVG and PDF and its curves as CSV in figures.",
                          &page.file);
  }
  dls_pdf_close(&page.pdf);
  return status;
}
