/* Tables: the first byte says what reads the rest: bodies in the plane or in space, sizes, the path
 * of a law, the series of a PVD file, the history of a run that goes on, the rows of a race. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/race.h"
#include "compare/race_csv.h"
#include "record/csv.h"
#include "record/pvd.h"
#include "tests/fuzz/fuzz.h"
#include "trial/path.h"
#include "world/population.h"
#include "world/sizes.h"

enum { TOLERANCES = 2 };

/* A race of one problem and two solvers, as compare --resume has it before it reads. */
typedef struct {
  DlsRaceProblem problem;
  char solver[2][DLS_RACE_NAME];
  DlsRaceRun run[2];
  DlsRace race;
} Race;

static void race_begin(Race *r) {
  memset(r, 0, sizeof *r);
  snprintf(r->problem.name, sizeof r->problem.name, "box");
  snprintf(r->solver[0], sizeof r->solver[0], "nsgs");
  snprintf(r->solver[1], sizeof r->solver[1], "jacobi");
  r->problem.contacts = 10, r->problem.dim = 3, r->problem.block = 3;
  r->race = (DlsRace){.tolerances = TOLERANCES,
                      .tolerance = {1e-2, 1e-4},
                      .max_time = 1,
                      .problems = 1,
                      .solvers = 2,
                      .problem = &r->problem,
                      .solver = r->solver,
                      .run = r->run};
}

static void race_end(Race *r) {
  for (int k = 0; k < 2; k++) free(r->run[k].sample);
}

static void seed(char kind, const char *text, FuzzSink *sink, void *context) {
  const size_t size = strlen(text);
  uint8_t *bytes = malloc(size + 1);
  bytes[0] = (uint8_t)kind;
  memcpy(bytes + 1, text, size);
  sink(context, bytes, size + 1);
  free(bytes);
}

static void seed_file(char kind, const char *path, FuzzSink *sink, void *context) {
  size_t size;
  uint8_t *bytes = fuzz_load(path, &size);
  bytes[size] = '\0';
  seed(kind, (char *)bytes, sink, context);
  free(bytes);
}

static void seed_race(FuzzSink *sink, void *context) {
  Race r;
  char path[600];
  DlsRaceSample samples[] = {{0, 0, 1}, {10, 0.1, 1e-3}, {20, 0.2, 1e-5}};
  race_begin(&r);
  for (int k = 0; k < 2; k++) {
    r.run[k].end = DLS_RACE_ENDED;
    r.run[k].iterations = 20;
    r.run[k].time_s = 0.2;
    r.run[k].errors.natural = 1e-5;
    r.run[k].count = 3;
    r.run[k].sample = malloc(sizeof samples);
    memcpy(r.run[k].sample, samples, sizeof samples);
  }
  if (dls_race_write(&r.race, fuzz_folder()) == DLS_OK) {
    snprintf(path, sizeof path, "%s/runs.csv", fuzz_folder());
    seed_file('R', path, sink, context);
    snprintf(path, sizeof path, "%s/history.csv", fuzz_folder());
    seed_file('H', path, sink, context);
  }
  race_end(&r);
}

static void seeds(FuzzSink *sink, void *context) {
  seed('2', "x,y,r,kind\n0,0.5,0.1,1\n0.5,1e-3,0.1,0\n", sink, context);
  seed('3', "# spheres\nx;y;z;d\n0;0;0;0.1\n1;1;1;0.2\n", sink, context);
  seed('3', "0 0 0 0.1\n1 1 1 0.2 \n", sink, context);
  seed('S', "\xef\xbb\xbf\"size\",share\r\n0.1,1\r\n0.2,3\r\n", sink, context);
  seed('L', "t,u_N,f_T1\n0,0,0\n0.1,-1,2\n0.2,1e-3,0\n", sink, context);
  seed('V',
       "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n"
       "<DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"a&amp;b.vtu\"/>\n"
       "<DataSet timestep=\"0.5\" group=\"\" part=\"7\" file=\"c.vtu\"/>\n"
       "</Collection>\n</VTKFile>\n",
       sink, context);
  seed('C', "t,x\n0,1\n0.1,2\n", sink, context);
  seed_race(sink, context);
}

static void read_population(const char *path, int dim) {
  DlsPopulation grains = {0};
  DlsOverlap overlap;
  if (dls_population_read(path, dim, &grains) == DLS_OK)
    dls_population_overlap(&grains, 1e-9, &overlap);
  dls_population_clear(&grains);
}

static void read_sizes(const char *path) {
  DlsSizes sizes;
  double radius[50];
  for (int k = 0; k < 2; k++) {
    if (dls_sizes_read(path, k ? "size" : NULL, 0.5, &sizes) == DLS_OK &&
        dls_sizes_check(&sizes) == DLS_OK)
      dls_sizes_fill(&sizes, 3, 1, 50, radius, NULL);
    dls_sizes_clear(&sizes);
  }
}

static void go_on(const char *path, char kind) {
  static const DlsCsvColumn columns[] = {{"t", ""}, {"x", ""}};
  DlsPvd *pvd = NULL;
  DlsCsv *csv = NULL;
  if (kind == 'V') {
    dls_pvd_resume(path, 0.25, &pvd);
    dls_pvd_destroy(&pvd);
  } else {
    const double row[] = {1, 2};
    if (dls_csv_resume(path, columns, 2, NULL, 1, &csv) == DLS_OK) dls_csv_row(csv, row);
    dls_csv_close(&csv);
  }
}

static void read_race(const uint8_t *bytes, size_t size, bool runs) {
  Race r;
  char path[600];
  int found = 0;
  race_begin(&r);
  /* The other file is the one that the seeds left, or none. */
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), runs ? "runs.csv" : "history.csv");
  fuzz_save(path, bytes, size);
  dls_race_resume(&r.race, fuzz_folder(), &found);
  race_end(&r);
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  if (size == 0) return;
  const char kind = (char)bytes[0];
  if (kind == 'R' || kind == 'H') {
    read_race(bytes + 1, size - 1, kind == 'R');
    return;
  }
  snprintf(path, sizeof path, "%s/table.csv", fuzz_folder());
  fuzz_save(path, bytes + 1, size - 1);
  if (kind == '2' || kind == '3') read_population(path, kind - '0');
  if (kind == 'S') read_sizes(path);
  if (kind == 'V' || kind == 'C') go_on(path, kind);
  if (kind == 'L') {
    DlsPath law_path = {0};
    if (dls_path_read(path, 3, 3, &law_path) == DLS_OK) dls_path_clear(&law_path);
  }
}

const FuzzTarget fuzz_table = {"table", seeds, one};
