/* The same bytes whatever the number of threads that the environment asks BLAS and OpenMP for. The
 * reference BLAS has none: where the machine has an OpenBLAS beside it (Debian's folders, or
 * DELASSUS_OPENBLAS, a folder with its libblas.so.3 and liblapack.so.3), the program runs with that
 * one. What it ran with is printed; unit/base_threads tries the switch itself. */
#include <glob.h>

#include "tests/io/app_run.h"

/* The folder of an OpenBLAS, "" where there is none. */
static const char *openblas(void) {
  static char folder[1024];
  const char *given = getenv("DELASSUS_OPENBLAS");
  glob_t found;
  folder[0] = '\0';
  if (given) return given;
  if (glob("/usr/lib/*/openblas-*/libblas.so.3", 0, NULL, &found) != 0) return folder;
  snprintf(folder, sizeof folder, "%.*s",
           (int)(strrchr(found.gl_pathv[0], '/') - found.gl_pathv[0]), found.gl_pathv[0]);
  globfree(&found);
  return folder;
}

/* Which BLAS the program loads, as the loader tells. */
static void say_blas(void) {
  fflush(stdout);
  if (system("LD_TRACE_LOADED_OBJECTS=1 " APP_PROGRAM " | grep 'blas' | sed 's/^/ran with /'") != 0)
    puts("ran without a BLAS library");
}

TEST(solutions_do_not_depend_on_the_threads_of_blas) {
  static const char *const solvers[] = {"proximal", "newton", "auto", "admm"};
  static const char *const samples[] = {"box:150", "wall:5"};
  const char *folder = app_folder("threads"), *blas = openblas();
  if (blas[0]) setenv("LD_LIBRARY_PATH", blas, 1);
  say_blas();
  for (int s = 0; s < DLS_COUNT(solvers); s++)
    for (int p = 0; p < DLS_COUNT(samples); p++)
      for (int threads = 1; threads <= 4; threads *= 2) {
        char command[2048];
        snprintf(
            command, sizeof command,
            "cd %s && OMP_NUM_THREADS=%d OPENBLAS_NUM_THREADS=%d %s solve --sample %s --solver "
            "%s --tolerance 1e-9 --max-iterations 3000 --max-time 0 --write %d.hdf5 --json | "
            "grep -v '\"time_s\"\\|\"cpu_s\"\\|\"note\"' > %d.json; cmp 1.hdf5 %d.hdf5 && cmp "
            "1.json %d.json",
            folder, threads, threads, APP_PROGRAM, samples[p], solvers[s], threads, threads,
            threads, threads);
        CHECK_TOLD(system(command) == 0, "%s on %s: %d threads give another answer", solvers[s],
                   samples[p], threads);
      }
}
