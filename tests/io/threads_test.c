/* The same bytes whatever the number of threads that the environment asks BLAS and OpenMP for. What it says depends on
 * the BLAS of the machine: the reference one has no threads; unit/base_threads tries the switch itself. */
#include "tests/io/app_run.h"

TEST(solutions_do_not_depend_on_the_threads_of_blas) {
  static const char *const solvers[] = {"proximal", "newton", "auto", "admm"};
  static const char *const samples[] = {"box:150", "wall:5"};
  const char *folder = app_folder("threads");
  for (int s = 0; s < DLS_COUNT(solvers); s++)
    for (int p = 0; p < DLS_COUNT(samples); p++)
      for (int threads = 1; threads <= 4; threads *= 2) {
        char command[2048];
        snprintf(
            command, sizeof command,
            "cd %s && OMP_NUM_THREADS=%d OPENBLAS_NUM_THREADS=%d %s solve --sample %s --solver "
            "%s --tolerance 1e-9 --max-iterations 3000 --max-time 0 --write %d.hdf5 --json | "
            "grep -v '\"time_s\"\\|\"note\"' > %d.json; cmp 1.hdf5 %d.hdf5 && cmp 1.json %d.json",
            folder, threads, threads, APP_PROGRAM, samples[p], solvers[s], threads, threads,
            threads, threads);
        if (system(command) != 0)
          test_fail(__FILE__, __LINE__, "%s on %s: %d threads give another answer", solvers[s],
                    samples[p], threads);
      }
}
