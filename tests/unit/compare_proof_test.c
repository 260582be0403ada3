/* Which solve a row of a race tells of, where one pass has tested several claims. */
#include "tests/test.h"

#include "compare/race/race.h"

static DlsRaceProof proof(long iteration, double time_s, double measured) {
  return (DlsRaceProof){.end = DLS_RACE_ENDED,
                        .outcome = DLS_CONVERGED,
                        .iteration = iteration,
                        .time_s = time_s,
                        .measured = measured};
}

/* The solve to 1e-4 lost the processor and took longer than the whole one: its 40 iterations are
 * told all the same. Where its claim was not true, those of the whole are. */
TEST(iterations_do_not_depend_on_the_clock) {
  DlsRace race = {
      .tolerances = 2, .tolerance = {1e-4, 1e-8}, .max_time = 100, .one_pass = true, .solvers = 1};
  DlsRaceRun run = {.end = DLS_RACE_ENDED, .outcome = DLS_CONVERGED};
  run.proof[1] = proof(64, 2e-5, 7e-9);
  run.proof[0] = proof(40, 3e-2, 7e-6);
  CHECK(dls_race_proof(&race, &run, 0) == &run.proof[0]);
  CHECK(dls_race_proof(&race, &run, 1) == &run.proof[1]);
  run.proof[0] = proof(40, 1e-5, 2e-4);
  CHECK(dls_race_proof(&race, &run, 0) == &run.proof[1]);
  run.proof[0] = proof(40, 101, 7e-6); /* after the limit */
  CHECK(dls_race_proof(&race, &run, 0) == &run.proof[1]);
  race.one_pass = false;
  CHECK(dls_race_proof(&race, &run, 0) == NULL);
}
