#include "app/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check_page.h"
#include "base/nearest.h"

enum { COMMAND_BYTES = APP_CHECK_COMMAND, SUBJECT_BYTES = 1024 };

void app_check_begin(AppCheck *check) {
  check->seed = 1;
  check->number = -1;
}

/* A word as the shell takes it: in quotes where it has letters that mean something there. */
static void quote(const char *text, char *out, size_t size) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "_-+=.,:/@%";
  size_t used = 0;
  if (*text && strspn(text, plain) == strlen(text)) {
    snprintf(out, size, "%s", text);
    return;
  }
  used += (size_t)snprintf(out, size, "'");
  for (; *text && used + 6 < size; text++)
    used += (size_t)snprintf(out + used, size - used, *text == '\'' ? "'\\''" : "%c", *text);
  snprintf(out + used, size - used, "'");
}

void app_check_setting(AppCheck *check, const char *option, const char *text) {
  char word[APP_CHECK_SETTINGS];
  const size_t used = strlen(check->settings);
  quote(text, word, sizeof word);
  snprintf(check->settings + used, sizeof check->settings - used, " --%s %s", option, word);
}

void app_check_limit(AppCheck *check, const char *option, double seconds) {
  char text[32];
  if (!(seconds > 0)) return;
  snprintf(text, sizeof text, "%g", seconds);
  app_check_setting(check, option, text);
}

int app_check_list(const AppCheckKind *kind) {
  for (int k = 0; k < kind->bench->count; k++) {
    const char *tolerance = kind->bench->tolerance ? kind->bench->tolerance(k) : NULL;
    printf("%-12s %s%s%s%s\n", kind->bench->name(k), kind->bench->question(k),
           tolerance ? " (to " : "", tolerance ? tolerance : "", tolerance ? ")" : "");
  }
  return APP_DONE;
}

static const char *outcome_text(const AppCheckKind *kind, const DlsBenchResult *result) {
  const char *const texts[] = {"passed", "FAILED", kind->not_asked, "reported"};
  return texts[result->outcome];
}

/* The command that shows the worst case of a check, or, where it fails only after those before it,
 * repeats them all; "" when there is none. */
static void write_command(const AppCheckKind *kind, const AppCheck *check,
                          const DlsBenchResult *result, char *out) {
  char subject[SUBJECT_BYTES];
  out[0] = '\0';
  if (result->worst_case < 0) return;
  quote(check->subject, subject, sizeof subject);
  snprintf(out, COMMAND_BYTES, "delassus %s check %s%s --only %s --case%s %ld --seed %ld",
           kind->command, subject, check->settings, result->name, result->alone ? "" : "s",
           result->worst_case + !result->alone, check->seed);
}

static int count_failures(const AppCheck *check) {
  int failures = 0;
  for (int k = 0; k < check->count; k++) failures += check->results[k].outcome == DLS_BENCH_FAILED;
  return failures;
}

static void print_result(const AppCheckKind *kind, const AppCheck *check,
                         const DlsBenchResult *result) {
  char command[COMMAND_BYTES];
  const int margin = kind->widths[0] + 1;
  write_command(kind, check, result, command);
  printf("%-*s %-*s ", kind->widths[0], outcome_text(kind, result), kind->widths[1], result->name);
  if (result->outcome == DLS_BENCH_NOT_ASKED) {
    printf("%s\n", result->sentence);
    return;
  }
  kind->print_counts(result);
  printf(" compared, worst %8.2g of the tolerance, %.1f s", result->worst, result->seconds);
  if (result->refused > 0) printf(" (%ld refused)", result->refused);
  if (result->unsolved > 0) printf(" (%ld without a solution)", result->unsolved);
  printf("\n");
  if (result->remark[0]) printf("%*s%s\n", margin, "", result->remark);
  if (result->outcome == DLS_BENCH_PASSED) return;
  printf("%*s%s\n", margin, "", result->sentence);
  if (command[0]) printf("%*s%s\n", margin, "", command);
}

static void print_json(const AppCheckKind *kind, const AppCheck *check) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, kind->command, check->name);
  dls_json_text(&json, "file", check->file);
  dls_json_integer(&json, "seed", check->seed);
  dls_json_integer(&json, "failed", count_failures(check));
  dls_json_open(&json, "checks", '[');
  for (int k = 0; k < check->count; k++) {
    const DlsBenchResult *result = &check->results[k];
    char command[COMMAND_BYTES];
    write_command(kind, check, result, command);
    dls_json_open(&json, NULL, '{');
    dls_json_text(&json, "check", result->name);
    dls_json_text(&json, "outcome", outcome_text(kind, result));
    dls_json_integer(&json, "cases", result->cases);
    dls_json_integer(&json, "refused", result->refused);
    kind->write_counts(&json, result);
    dls_json_integer(&json, "compared", result->measured);
    dls_json_real(&json, "worst", result->worst);
    dls_json_integer(&json, "worst_case", result->worst_case);
    dls_json_text(&json, "sentence", result->sentence);
    dls_json_text(&json, "remark", result->remark);
    dls_json_text(&json, "reproduce", command);
    dls_json_real(&json, "time_s", result->seconds);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

static DlsStatus write_report(const AppCheckKind *kind, const AppCheck *check) {
  char what[64];
  AppCheckRow *rows = calloc((size_t)check->count + 1, sizeof *rows);
  DLS_CHECK(rows, DLS_ERR_MEMORY, "out of memory for %s", check->report);
  for (int k = 0; k < check->count; k++) {
    const DlsBenchResult *result = &check->results[k];
    rows[k] = (AppCheckRow){.outcome = outcome_text(kind, result),
                            .passed = result->outcome == DLS_BENCH_PASSED,
                            .failed = result->outcome == DLS_BENCH_FAILED,
                            .name = result->name,
                            .question = result->question,
                            .sentence = result->sentence,
                            .remark = result->remark,
                            .worst = result->worst,
                            .cases = result->cases,
                            .measured = result->measured};
    write_command(kind, check, result, rows[k].command);
  }
  snprintf(what, sizeof what, "%s check", kind->command);
  const AppCheckPage page = {.what = what,
                             .name = check->name,
                             .summary = check->summary,
                             .references = check->references,
                             .manual = kind->manual,
                             .seed = (unsigned long long)check->seed,
                             .rows = rows,
                             .count = check->count,
                             .more = check->more,
                             .context = check->options};
  const DlsStatus status = app_check_page_write(&page, check->report);
  free(rows);
  return status;
}

/* One case, told. */
static int tell(const AppCommand *command, const AppCheckKind *kind, AppCheck *check, int number) {
  static char story[DLS_BENCH_STORY];
  DlsBenchResult *result = &check->results[0];
  if (kind->bench->run(check->options, number, check->number, result, story) != DLS_OK)
    return app_refuse_status(command);
  check->count = 1;
  if (check->json)
    print_json(kind, check);
  else
    printf("%s, check %s, case %ld, seed %ld\n%s", check->name, check->only, check->number,
           check->seed, story);
  if (!check->json && (result->outcome != DLS_BENCH_FAILED || result->cases == 0))
    printf("%s: %s\n", outcome_text(kind, result), result->sentence);
  if (!check->json && result->remark[0]) printf("%s\n", result->remark);
  return count_failures(check) ? APP_NOT_CONVERGED : APP_DONE;
}

static int run_checks(const AppCommand *command, const AppCheckKind *kind, AppCheck *check,
                      int only) {
  if (!check->json) {
    printf("%s: %s\nseed %ld; limits: ", check->name, check->summary, check->seed);
    kind->print_limits(check->options);
    printf("\n\n");
  }
  for (int k = 0; k < kind->bench->count && check->count < APP_MAX_CHECKS; k++) {
    if (only >= 0 && k != only) continue;
    DlsBenchResult *result = &check->results[check->count];
    if (kind->bench->run(check->options, k, -1, result, NULL) != DLS_OK)
      return app_refuse_status(command);
    check->count++;
    if (!check->json) print_result(kind, check, result);
    fflush(stdout);
  }
  return app_check_end(command, kind, check);
}

int app_check_end(const AppCommand *command, const AppCheckKind *kind, const AppCheck *check) {
  const int failures = count_failures(check);
  if (check->report && write_report(kind, check) != DLS_OK) return app_refuse_status(command);
  if (check->json) {
    print_json(kind, check);
  } else {
    if (failures)
      printf("\n%d of %d checks FAILED\n", failures, check->count);
    else
      printf("\nall checks passed\n");
    if (check->report) printf("report: %s\n", check->report);
  }
  return failures ? APP_NOT_CONVERGED : APP_DONE;
}

int app_check_run(const AppCommand *command, const AppCheckKind *kind, AppCheck *check) {
  const int only = check->only ? dls_bench_find(kind->bench, check->only) : -1;
  if (check->only && only < 0) {
    const char *names[APP_MAX_CHECKS];
    const int count = kind->bench->count < APP_MAX_CHECKS ? kind->bench->count : APP_MAX_CHECKS;
    for (int k = 0; k < count; k++) names[k] = kind->bench->name(k);
    const char *near = dls_nearest(check->only, names, count);
    return app_refuse(command, "--only %s: there is no such check%s%s; see --list", check->only,
                      near ? ", did you mean " : "", near ? near : "");
  }
  if (check->number >= 0 && !check->only)
    return app_refuse(command, "--case needs --only CHECK: cases are numbered in each check");
  return check->number >= 0 ? tell(command, kind, check, only)
                            : run_checks(command, kind, check, only);
}
