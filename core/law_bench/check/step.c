/* Dependence on the time-step, for information: the impulse of two steps of h against eight of h/4
 * under the same forces. Zero-range cohesion depends on it by nature (Brendel et al. 2004, sec.
 * 1.8).
 */
#include "law_bench/law_bench_impl.h"

static void run_step(LawCase *law_case) {
  LawCasePath path, fine;
  LawCaseStep last;
  LawCasePoint points[LAW_CASE_MAX_STEPS];
  double coarse_sum = 0, fine_sum = 0, size = 0;
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  path.steps = 2;
  fine = path;
  fine.steps = 8;
  fine.start.contact.h /= 4;
  for (int k = 0; k < fine.steps; k++)
    for (int i = 0; i < DLS_MAX_BLOCK; i++) fine.push[k][i] = path.push[k / 4][i] / 4;
  if (law_case_walk(law_case, &path, (LawCaseView){0}, false, &last, points) != LAW_CASE_OK) return;
  for (int k = 0; k < path.steps; k++) {
    coarse_sum += points[k].r[0];
    size = fmax(size, points[k].impulse);
  }
  law_case_say(law_case, "with h / 4:\n");
  if (law_case_walk(law_case, &fine, (LawCaseView){0}, false, &last, points) != LAW_CASE_OK) return;
  for (int k = 0; k < fine.steps; k++) fine_sum += points[k].r[0];
  law_case_report(law_case, fabs(fine_sum - coarse_sum) / (size + 1e-300),
                  "two steps of %.3g s give r_N = %.4g N s, eight of a quarter %.4g",
                  path.start.contact.h, coarse_sum, fine_sum);
}

/* How the answer changes with the step is no fault. */
static void conclude(const DlsLaw *law, DlsBenchResult *result, const void *notes) {
  (void)law, (void)notes;
  if (result->outcome != DLS_BENCH_NOT_ASKED) result->outcome = DLS_BENCH_REPORTED;
}

const LawCaseCheck law_case_step = {
    .name = "step",
    .question = "how much the impulse changes with the time-step (for information)",
    .cases = 1000,
    .applies = law_case_needs_relation,
    .run = run_step,
    .conclude = conclude,
};
