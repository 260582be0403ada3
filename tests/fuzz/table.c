/* Tables: the first byte says what reads the rest: bodies in the plane or in space, sizes, the path
 * of a law, the series of a PVD file, the history of a run that goes on, the rows of a race. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/page.h"
#include "compare/race/csv.h"
#include "compare/race/race.h"
#include "law_bench/point.h"
#include "record/csv.h"
#include "record/pvd.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scene.h"
#include "world/population/population.h"
#include "world/sizes.h"

enum { BETWEEN = 0x1d }; /* runs.csv, this byte, convergence.csv */

/* A race of one problem and two solvers, as compare --resume has it before it reads. */
static void race_begin(DlsRace *race) {
  if (dls_race_create(1, 2, race) != DLS_OK) abort();
  snprintf(race->problem[0].name, sizeof race->problem[0].name, "box");
  snprintf(race->problem[0].hash, sizeof race->problem[0].hash, "0123456789abcdef");
  snprintf(race->problem[0].form, sizeof race->problem[0].form, "factored");
  snprintf(race->start, sizeof race->start, "zero");
  snprintf(race->solver[0], sizeof race->solver[0], "nsgs");
  snprintf(race->solver[1], sizeof race->solver[1], "jacobi");
  race->problem[0].contacts = 10, race->problem[0].dim = 3, race->problem[0].block = 3;
  race->tolerances = 2;
  race->tolerance[0] = 1e-2, race->tolerance[1] = 1e-4;
  race->max_time = 1;
}

static void seed(char kind, const char *text, FuzzSink *sink, void *context) {
  const size_t size = strlen(text);
  uint8_t *bytes = malloc(size + 2);
  bytes[0] = (uint8_t)kind;
  memcpy(bytes + 1, text, size + 1);
  sink(context, bytes, size + 1);
  free(bytes);
}

static void seed_race(FuzzSink *sink, void *context) {
  DlsRace race;
  char path[600];
  DlsRaceSample samples[] = {{.error = 1},
                             {.iteration = 10, .time_s = 0.1, .error = 1e-3},
                             {.iteration = 20, .time_s = 0.2, .error = 1e-5}};
  race_begin(&race);
  for (int k = 0; k < 2; k++) {
    race.run[k].end = DLS_RACE_ENDED;
    race.run[k].iterations = 20;
    race.run[k].time_s = 0.2;
    race.run[k].limit_s = 1;
    race.run[k].errors.natural = 1e-5;
    race.run[k].count = 3;
    race.run[k].sample = malloc(sizeof samples);
    memcpy(race.run[k].sample, samples, sizeof samples);
  }
  if (dls_race_write(&race, fuzz_folder()) == DLS_OK) {
    size_t size[2];
    snprintf(path, sizeof path, "%s/runs.csv", fuzz_folder());
    uint8_t *runs = fuzz_load(path, &size[0]);
    snprintf(path, sizeof path, "%s/convergence.csv", fuzz_folder());
    uint8_t *convergence = fuzz_load(path, &size[1]);
    uint8_t *both = malloc(size[0] + size[1] + 2);
    both[0] = 'R';
    memcpy(both + 1, runs, size[0]);
    both[1 + size[0]] = BETWEEN;
    memcpy(both + 2 + size[0], convergence, size[1]);
    sink(context, both, size[0] + size[1] + 2);
    free(both);
    free(convergence);
    free(runs);
  }
  dls_race_clear(&race);
}

static void seeds(FuzzSink *sink, void *context) {
  seed('2', "x,y,r,kind\n0,0.5,0.1,1\n0.5,1e-3,0.1,0\n", sink, context);
  seed('3', "# spheres\nx;y;z;d\n0;0;0;0.1\n1;1;1;0.2\n", sink, context);
  seed('3', "0 0 0 0.1\n1 1 1 0.2 \n", sink, context);
  seed('2',
       "id,x,y,r,vx,vy,wz,angle,material\n7,0,0.5,0.1,1,0,-2,0.3,1\n3,0.5,1e-3,0.1,0,0,0,0,0\n",
       sink, context);
  seed('3', "x,y,z,r,qw,qx,qy,qz,vz,wx,id\n0,0,0,0.1,1,0,0,0,-1,0,1\n1,1,1,0.2,0.6,0.8,0,0,0,3,2\n",
       sink, context);
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
  fuzz_begin_from(path, dim);
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

/* What is taken over is written again, with its page. */
static void read_race(const uint8_t *bytes, size_t size) {
  const DlsAbout about = {.title = "race"};
  DlsRace race;
  char path[600];
  int found = 0;
  const uint8_t *between = size ? memchr(bytes, BETWEEN, size) : NULL;
  const size_t runs = between ? (size_t)(between - bytes) : size;
  race_begin(&race);
  snprintf(path, sizeof path, "%s/runs.csv", fuzz_folder());
  fuzz_save(path, bytes, runs);
  snprintf(path, sizeof path, "%s/convergence.csv", fuzz_folder());
  fuzz_save(path, bytes + runs + (between != NULL), size - runs - (between != NULL));
  if (dls_race_resume(&race, fuzz_folder(), &found) == DLS_OK &&
      dls_race_write(&race, fuzz_folder()) == DLS_OK)
    dls_race_page(&race, &about, fuzz_folder(), false);
  dls_race_clear(&race);
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  if (size == 0) return;
  const char kind = (char)bytes[0];
  if (kind == 'R') {
    read_race(bytes + 1, size - 1);
    return;
  }
  snprintf(path, sizeof path, "%s/table.csv", fuzz_folder());
  fuzz_save(path, bytes + 1, size - 1);
  if (kind == '2' || kind == '3') read_population(path, kind - '0');
  if (kind == 'S') read_sizes(path);
  if (kind == 'V' || kind == 'C') go_on(path, kind);
  if (kind == 'L') {
    DlsPath law_path = {0};
    if (dls_point_path(path, 3, 3, &law_path) == DLS_OK) dls_path_clear(&law_path);
  }
}

const FuzzTarget fuzz_table = {"table", seeds, one};
