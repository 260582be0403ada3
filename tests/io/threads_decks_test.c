/* The same bytes of every file of a run, frames, checkpoint, tables and certificate, with 1, 2, 3,
 * 4 and 8 threads, whatever the processors there are: spheres, polygons, blocks, meshes, rolling,
 * laws with memory, explicit steps, servo walls, sources, sinks, halved steps.
 * DELASSUS_REPEATS: how many times each number of threads runs (default 1). */
#include <stdio.h>
#include <stdlib.h>

#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

enum { MOST_SETS = 4 };

typedef struct {
  const char *name, *deck;
  const char *set[MOST_SETS];
} Case;

static const Case cases[] = {
    {"spheres", "deposit", {"grains[0].count=1500", "time.end=30 ms"}},
    {"corrected",
     "deposit",
     {"grains[0].count=600", "time.scheme=euler", "time.correction=project", "time.end=50 ms"}},
    {"rolling",
     "deposit",
     {"grains[0].count=600",
      "laws=[{law: [coulomb, rolling], parameters: {coulomb: {mu: 0.5}, rolling: {roll_ratio: "
      "0.02}}}]",
      "time.end=30 ms"}},
    {"polygons", "biaxial-polygons", {"time.end=60 ms"}},
    {"blocks", "masonry-3d", {"time.end=10 ms"}},
    {"walls", "janssen-3d", {"time.end=10 ms"}},
    {"halved", "silo", {"time.control=halve", "time.fraction=0.002", "time.end=10 ms"}},
    {"drum", "drum", {"time.end=60 ms"}},
    {"sources", "pour", {"time.end=0.6 s"}},
    {"triangles", "hopper-mesh", {"time.end=80 ms"}},
    {"servo", "isotropic", {"time.end=20 ms"}},
    {"explicit", "soft-spheres", {"time.end=4 ms"}},
    {"memory", "capillary", {"time.end=60 ms"}},
    {"delamination", "delamination", {"time.end=1 ms"}},
    {"deformable", "deformable-disks", {"time.end=1 ms"}},
};

static void run_with(const Case *c, int threads, char *folder, size_t bytes) {
  char command[4096];
  snprintf(folder, bytes, "%s/%s-%d", app_folder("threads_decks"), c->name, threads);
  size_t used = (size_t)snprintf(command, sizeof command,
                                 "rm -rf %s && %s run %s/input/%s.yaml --quiet --threads %d --out "
                                 "%s --set output.csv=true",
                                 folder, APP_PROGRAM, TEST_SOURCE_DIR, c->deck, threads, folder);
  for (int k = 0; k < MOST_SETS && c->set[k]; k++)
    used += (size_t)snprintf(command + used, sizeof command - used, " --set '%s'", c->set[k]);
  const int status = system(command);
  CHECK_TOLD(status == 0 || status == 256, "%s gives %d", command, status); /* 1: not converged */
}

TEST(every_number_of_threads_writes_the_same_files) {
  static const int threads[] = {2, 3, 4, 8};
  const char *wish = getenv("DELASSUS_REPEATS");
  const int repeats = wish ? atoi(wish) : 1;
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char one[1024], more[1024];
    run_with(&cases[k], 1, one, sizeof one);
    for (int t = 0; t < DLS_COUNT(threads); t++)
      for (int r = 0; r < repeats; r++) {
        run_with(&cases[k], threads[t], more, sizeof more);
        CHECK(run_compare_folders(one, more) > 4);
      }
  }
}
