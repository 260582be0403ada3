/* VTU files: whatever is written is read by VTK itself, and compared bit for bit. */
#include "tests/io/vtu_expect.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/random.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/io_vtu"
#define LOG    FOLDER "/check.log"

static void make_folder(void) {
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(FOLDER, 0777);
}

/* VTK agrees with the sidecar of FOLDER/file; the test is skipped where there is no VTK. */
static void check_read(const char *files) {
  const int code = expect_run(files, LOG);
  if (code == 77) test_skip_package("python3-vtk9");
  if (code != 0) expect_show(LOG);
  CHECK_INT(code, 0);
}

static void write_expected(const char *file, const DlsVtuGrid *grid, const DlsVtuOptions *options) {
  char path[4096];
  DlsVtuReport report;
  struct stat info;
  make_folder();
  snprintf(path, sizeof path, FOLDER "/%s", file);
  CHECK_OK(dls_vtu_write(path, grid, options, &report));
  CHECK(stat(path, &info) == 0);
  CHECK_INT(info.st_size, report.bytes);
  expect_write(FOLDER, file, grid, options);
}

static double *random_reals(int64_t count, uint64_t seed) {
  DlsRandom random;
  double *values = malloc((size_t)(count + 1) * sizeof *values);
  dls_random_seed(&random, seed);
  for (int64_t i = 0; values && i < count; i++) values[i] = dls_random_between(&random, -1, 1);
  return values;
}

enum { EVERY_COUNT = 11 };
static const char *const xyz[] = {"X", "Y", "Z"};
static const char *const tensor[] = {"XX", "XY", "XZ", "YX", "YY", "YZ", "ZX", "ZY", "ZZ"};
static const char *const odd[] = {"a<b", "\"q\" & 'r'"};

/* Arrays of every type and number of components that are written, of `count` entries; one block of
 * memory serves them all. */
typedef struct {
  double *reals;
  float *singles;
  int32_t *ints;
  int64_t *longs;
  uint8_t *bytes;
  DlsVtuArray list[EVERY_COUNT];
} Every;

static Every every_make(int64_t count) {
  const size_t most = (size_t)(9 * count + 64);
  Every e = {.reals = random_reals((int64_t)most, 7),
             .singles = malloc(most * sizeof *e.singles),
             .ints = malloc(most * sizeof *e.ints),
             .longs = malloc(most * sizeof *e.longs),
             .bytes = malloc(most)};
  for (size_t i = 0; i < most; i++) {
    e.singles[i] = (float)e.reals[i] * 1e-20f;
    e.ints[i] = (int32_t)(1e9 * e.reals[i]);
    e.longs[i] = (int64_t)(9e18 * e.reals[i]);
    e.bytes[i] = (uint8_t)i;
  }
  const DlsVtuArray list[EVERY_COUNT] = {
      {.name = "radius", .values = e.reals, .role = DLS_VTU_SCALARS},
      {.name = "velocity",
       .values = e.reals,
       .components = 3,
       .component_names = xyz,
       .role = DLS_VTU_VECTORS},
      {.name = "normal", .values = e.reals, .components = 3, .role = DLS_VTU_NORMALS},
      {.name = "stress",
       .values = e.reals,
       .components = 9,
       .component_names = tensor,
       .role = DLS_VTU_TENSORS},
      {.name = "symmetric", .values = e.reals, .components = 6},
      {.name = "plane", .values = e.reals, .components = 2, .component_names = odd},
      {.name = "single", .values = e.singles, .type = DLS_VTU_FLOAT32, .components = 3},
      {.name = "id", .values = e.longs, .type = DLS_VTU_INT64},
      {.name = "pair", .values = e.ints, .type = DLS_VTU_INT32, .components = 2},
      {.name = "status", .values = e.bytes, .type = DLS_VTU_UINT8},
      {.name = "µ & <odd> \"name\"", .values = e.reals},
  };
  memcpy(e.list, list, sizeof list);
  return e;
}

static void every_clear(Every *e) {
  free(e->reals);
  free(e->singles);
  free(e->ints);
  free(e->longs);
  free(e->bytes);
}

/* Grains as vertices: the grid makes its own cells. All arrays on points and on cells, and
 * fields. */
static DlsVtuGrid grains(int64_t count, const double *position, Every *every) {
  for (int i = 0; i < EVERY_COUNT; i++) every->list[i].tuples = count < 3 ? count : 3;
  return (DlsVtuGrid){.points = count,
                      .cells = count,
                      .position = position,
                      .cell_type = DLS_VTU_VERTEX,
                      .cell_size = 1,
                      .point_data = every->list,
                      .point_arrays = EVERY_COUNT,
                      .cell_data = every->list,
                      .cell_arrays = EVERY_COUNT,
                      .timed = true,
                      .time = 0.1 + 0.2};
}

static void write_grains(int64_t count, const char *file, const DlsVtuOptions *options) {
  double *position = random_reals(3 * count, 1);
  Every every = every_make(count);
  DlsVtuArray fields[2] = {every.list[1], every.list[7]};
  DlsVtuGrid grid = grains(count, position, &every);
  fields[0].role = DLS_VTU_PLAIN;
  fields[0].tuples = 2;
  fields[1].tuples = 1;
  grid.field_data = fields;
  grid.field_arrays = 2;
  write_expected(file, &grid, options);
  every_clear(&every);
  free(position);
}

TEST(grains_with_every_array_are_read_as_written) {
  const DlsVtuOptions fast = {.zlib = 1}, small = {.zlib = 9};
  const DlsVtuOptions single = {.single_points = true, .single_data = true};
  const DlsVtuOptions points = {.single_points = true, .zlib = 6};
  write_grains(10, "raw.vtu", NULL);
  write_grains(10, "fast.vtu", &fast);
  write_grains(10, "small.vtu", &small);
  write_grains(10, "single.vtu", &single);
  write_grains(10, "points.vtu", &points);
  write_grains(1, "one.vtu", NULL);
  check_read(FOLDER "/raw.vtu.json " FOLDER "/fast.vtu.json " FOLDER "/small.vtu.json " FOLDER
                    "/single.vtu.json " FOLDER "/points.vtu.json " FOLDER "/one.vtu.json");
}

/* 32768 doubles fill one block of the packed data to the last byte; 1e5 points take many. */
TEST(large_grids_and_whole_blocks_are_read_as_written) {
  const DlsVtuOptions fast = {.zlib = 1};
  write_grains(100000, "large_raw.vtu", NULL);
  write_grains(100000, "large_fast.vtu", &fast);
  write_grains(32768, "block_fast.vtu", &fast);
  check_read(FOLDER "/large_raw.vtu.json " FOLDER "/large_fast.vtu.json " FOLDER
                    "/block_fast.vtu.json");
}

TEST(empty_grids_are_read_as_written) {
  const DlsVtuOptions fast = {.zlib = 1};
  const double position[6] = {0, 0, 0, 1, 1, 1};
  const DlsVtuGrid bare = {.points = 2, .position = position};
  const DlsVtuGrid nothing = {0};
  write_grains(0, "empty_raw.vtu", NULL);
  write_grains(0, "empty_fast.vtu", &fast);
  write_expected("bare.vtu", &bare, NULL);
  write_expected("bare_fast.vtu", &bare, &fast);
  write_expected("nothing.vtu", &nothing, NULL);
  check_read(FOLDER "/empty_raw.vtu.json " FOLDER "/empty_fast.vtu.json " FOLDER
                    "/bare.vtu.json " FOLDER "/bare_fast.vtu.json " FOLDER "/nothing.vtu.json");
}

/* One cell of each kind over nine points, in any order of its points. */
static const int64_t mixed_connectivity[] = {8,                      /* vertex */
                                             0, 1,                   /* line */
                                             0, 1, 2, 3,             /* polyline */
                                             0, 1, 2,                /* triangle */
                                             0, 1, 2, 3,             /* quad */
                                             0, 1, 5, 6, 7,          /* polygon */
                                             0, 1, 2, 4,             /* tetra */
                                             0, 1, 2, 3, 4, 5, 6, 7, /* hexahedron */
                                             0, 1, 2, 4, 5, 6,       /* wedge */
                                             0, 1, 2, 3, 8};         /* pyramid */
static const int64_t mixed_end[] = {1, 3, 7, 10, 14, 19, 23, 31, 37, 42};
static const uint8_t mixed_type[] = {1, 3, 4, 5, 9, 7, 10, 12, 13, 14};

TEST(every_kind_of_cell_is_read_as_written) {
  const DlsVtuOptions fast = {.zlib = 1};
  double position[27];
  const int32_t kind[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (int i = 0; i < 9; i++) {
    position[3 * i] = i == 8 ? 0.5 : (double)((i & 1) ^ ((i >> 1) & 1));
    position[3 * i + 1] = i == 8 ? 0.5 : (double)((i >> 1) & 1);
    position[3 * i + 2] = i == 8 ? 0.5 : (double)(i >> 2);
  }
  const DlsVtuArray array = {.name = "kind", .values = kind, .type = DLS_VTU_INT32};
  const DlsVtuGrid grid = {.points = 9,
                           .cells = 10,
                           .position = position,
                           .connectivity = mixed_connectivity,
                           .end = mixed_end,
                           .type = mixed_type,
                           .cell_data = &array,
                           .cell_arrays = 1};
  write_expected("mixed.vtu", &grid, NULL);
  write_expected("mixed_fast.vtu", &grid, &fast);
  /* Branch lines as force chains are: two points each, of their own and shared. */
  DlsVtuGrid lines = {
      .points = 9, .cells = 4, .position = position, .cell_type = DLS_VTU_LINE, .cell_size = 2};
  write_expected("lines.vtu", &lines, &fast);
  lines.connectivity = mixed_connectivity;
  write_expected("shared_lines.vtu", &lines, NULL);
  check_read(FOLDER "/mixed.vtu.json " FOLDER "/mixed_fast.vtu.json " FOLDER
                    "/lines.vtu.json " FOLDER "/shared_lines.vtu.json");
}

TEST(numbers_that_are_not_finite_are_refused_or_counted) {
  const double position[6] = {0, 0, 0, 1, 1, 1};
  double load[2] = {1, (double)NAN};
  const float single[2] = {-(float)INFINITY, 2};
  const DlsVtuArray arrays[] = {{.name = "load", .values = load},
                                {.name = "single", .values = single, .type = DLS_VTU_FLOAT32}};
  DlsVtuGrid grid = {.points = 2, .position = position, .point_data = arrays, .point_arrays = 2};
  const DlsVtuOptions nan = {.allow_nan = true}, narrow = {.allow_nan = true, .single_data = true};
  const DlsVtuOptions plain_narrow = {.single_data = true};
  DlsVtuReport report;
  make_folder();
  unlink(FOLDER "/refused.vtu");
  CHECK_FAILS(dls_vtu_write(FOLDER "/refused.vtu", &grid, NULL, NULL), DLS_ERR_NUMERIC,
              "array 'load' holds a number that is not finite at entry 1");
  CHECK(access(FOLDER "/refused.vtu", F_OK) != 0);
  CHECK(access(FOLDER "/refused.vtu.part", F_OK) != 0);
  CHECK_OK(dls_vtu_write(FOLDER "/nan.vtu", &grid, &nan, &report));
  CHECK_INT(report.not_finite, 2);
  expect_write(FOLDER, "nan.vtu", &grid, &nan);
  load[1] = 1e300; /* finite, but not as a float */
  CHECK_OK(dls_vtu_write(FOLDER "/narrow.vtu", &grid, &narrow, &report));
  CHECK_INT(report.not_finite, 2);
  expect_write(FOLDER, "narrow.vtu", &grid, &narrow);
  grid.point_arrays = 1;
  CHECK_FAILS(dls_vtu_write(FOLDER "/refused.vtu", &grid, &plain_narrow, NULL), DLS_ERR_NUMERIC,
              "too large for Float32");
  check_read(FOLDER "/nan.vtu.json " FOLDER "/narrow.vtu.json");
}

/* A position is never NaN: no reader can place such a point. Nor is the time. */
TEST(positions_and_time_must_be_finite) {
  const DlsVtuOptions nan = {.allow_nan = true};
  const double position[6] = {0, 0, 0, 1, (double)INFINITY, 1};
  DlsVtuGrid grid = {.points = 2, .position = position};
  make_folder();
  CHECK_FAILS(dls_vtu_write(FOLDER "/refused.vtu", &grid, &nan, NULL), DLS_ERR_NUMERIC,
              "'Points' holds a number that is not finite at point 1, component 1");
  grid = (DlsVtuGrid){.timed = true, .time = (double)NAN};
  CHECK_FAILS(dls_vtu_write(FOLDER "/refused.vtu", &grid, &nan, NULL), DLS_ERR_NUMERIC, "the time");
}

static void check_refused(const DlsVtuGrid *grid, const DlsVtuOptions *options, const char *text) {
  make_folder();
  CHECK_FAILS(dls_vtu_write(FOLDER "/refused.vtu", grid, options, NULL), DLS_ERR_ARGUMENT, text);
  CHECK(test_contains(dls_error_message(), "refused.vtu"));
  CHECK(access(FOLDER "/refused.vtu", F_OK) != 0);
}

TEST(cells_that_no_reader_understands_are_refused) {
  const double position[9] = {0};
  int64_t connectivity[] = {0, 1, 2}, end[] = {2, 3};
  uint8_t type[] = {DLS_VTU_LINE, DLS_VTU_VERTEX};
  DlsVtuGrid grid = {.points = 3,
                     .cells = 2,
                     .position = position,
                     .connectivity = connectivity,
                     .end = end,
                     .type = type};
  make_folder();
  CHECK_OK(dls_vtu_write(FOLDER "/accepted.vtu", &grid, NULL, NULL));
  connectivity[2] = 3;
  check_refused(&grid, NULL, "entry 2 of the connectivity is 3, but there are 3 points");
  connectivity[2] = -1;
  check_refused(&grid, NULL, "entry 2 of the connectivity is -1");
  connectivity[2] = 2;
  type[0] = DLS_VTU_TRIANGLE;
  check_refused(&grid, NULL, "cell 0 of VTK's type 5 has 2 points, not 3");
  type[0] = DLS_VTU_POLYGON;
  check_refused(&grid, NULL, "has 2 points, not at least 3");
  type[0] = 41;
  check_refused(&grid, NULL, "VTK's type 41, which is not written");
  type[0] = DLS_VTU_LINE;
  end[1] = 1;
  check_refused(&grid, NULL, "cell 1 ends at 1, before it starts at 2");
  grid.end = NULL;
  check_refused(&grid, NULL, "end and type belong together");
  grid = (DlsVtuGrid){
      .points = 3, .cells = 2, .position = position, .cell_type = DLS_VTU_LINE, .cell_size = 2};
  check_refused(&grid, NULL, "2 cells of 2 points each need as many points");
  grid.position = NULL;
  check_refused(&grid, NULL, "no positions");
  grid.points = -1;
  check_refused(&grid, NULL, "-1 points");
}

TEST(arrays_that_no_reader_understands_are_refused) {
  const double values[9] = {0};
  const char *const names[] = {"X", NULL};
  DlsVtuArray arrays[2] = {{.name = "a", .values = values}, {.name = "b", .values = values}};
  const DlsVtuOptions wrong = {.zlib = 10};
  DlsVtuGrid grid = {.points = 1, .position = values, .point_data = arrays, .point_arrays = 2};
  make_folder();
  CHECK_OK(dls_vtu_write(FOLDER "/accepted.vtu", &grid, NULL, NULL));
  check_refused(&grid, &wrong, "zlib level 10");
  arrays[1].name = "a";
  check_refused(&grid, NULL, "two arrays are named 'a'");
  arrays[1].name = "";
  check_refused(&grid, NULL, "an array without a name");
  arrays[1] = (DlsVtuArray){.name = "b", .values = values, .components = 4};
  check_refused(&grid, NULL, "'b' has 4 components, not 1, 2, 3, 6 or 9");
  arrays[1] = (DlsVtuArray){.name = "b"};
  check_refused(&grid, NULL, "'b' has no values");
  arrays[1] = (DlsVtuArray){.name = "b", .values = values, .role = DLS_VTU_VECTORS};
  check_refused(&grid, NULL, "'b' of 1 components cannot be the active Vectors");
  arrays[0].role = arrays[1].role = DLS_VTU_SCALARS;
  check_refused(&grid, NULL, "'a' and 'b' cannot both be the active Scalars");
  arrays[1] =
      (DlsVtuArray){.name = "b", .values = values, .components = 2, .component_names = names};
  check_refused(&grid, NULL, "component 1 has no name");
  grid = (DlsVtuGrid){.field_data = arrays, .field_arrays = 1, .timed = true};
  arrays[0] = (DlsVtuArray){.name = "TimeValue", .values = values, .tuples = 1};
  check_refused(&grid, NULL, "TimeValue is given twice");
}

/* The checker itself: VTK reads a file that is cut without a word, and the checker must say so. */
TEST(a_file_that_is_cut_is_noticed) {
  static const char *const files[] = {"whole.vtu", "whole_fast.vtu"};
  char command[4096], arguments[8192] = "", part[512];
  const DlsVtuOptions fast = {.zlib = 1};
  write_grains(1000, files[0], NULL);
  write_grains(1000, files[1], &fast);
  check_read(FOLDER "/whole.vtu " FOLDER "/whole_fast.vtu");
  for (int i = 0; i < DLS_COUNT(files); i++)
    for (int tenths = 1; tenths < 10; tenths += 2) {
      snprintf(part, sizeof part, FOLDER "/cut_%d_%d.vtu", i, tenths);
      snprintf(command, sizeof command,
               "head -c $(( $(stat -c %%s '" FOLDER "/%s') * %d / 10 )) '" FOLDER "/%s' > '%s'",
               files[i], tenths, files[i], part);
      CHECK_INT(system(command), 0);
      strcat(strcat(arguments, " "), part);
    }
  CHECK_INT(expect_run(arguments, LOG), 1);
  for (int i = 0; i < DLS_COUNT(files); i++)
    for (int tenths = 1; tenths < 10; tenths += 2) {
      snprintf(part, sizeof part, "cut_%d_%d.vtu: ", i, tenths);
      CHECK(expect_says(LOG, part));
    }
}

/* And a single wrong value is noticed by its sidecar. */
TEST(a_value_that_differs_is_noticed) {
  write_grains(100, "differs.vtu", NULL);
  check_read(FOLDER "/differs.vtu.json");
  FILE *file = fopen(FOLDER "/differs.vtu.bin", "r+b");
  CHECK(file != NULL);
  if (!file) return;
  fseek(file, -4, SEEK_END);
  fputc(0x55, file);
  fclose(file);
  CHECK_INT(expect_run(FOLDER "/differs.vtu.json", LOG), 1);
  CHECK(expect_says(LOG, "differs in 1 numbers"));
}

TEST(parts_are_read_through_their_pvtu) {
  const DlsVtuOptions fast = {.zlib = 1};
  const double position[3] = {1, 2, 3};
  double load = 4;
  const DlsVtuArray array = {.name = "load", .values = &load, .role = DLS_VTU_SCALARS};
  const DlsVtuGrid grid = {.points = 1,
                           .cells = 1,
                           .position = position,
                           .cell_type = DLS_VTU_VERTEX,
                           .cell_size = 1,
                           .point_data = &array,
                           .point_arrays = 1};
  const char *const parts[] = {"part_0.vtu", "part_1.vtu"};
  make_folder();
  CHECK_OK(dls_vtu_write(FOLDER "/part_0.vtu", &grid, &fast, NULL));
  CHECK_OK(dls_vtu_write(FOLDER "/part_1.vtu", &grid, &fast, NULL));
  CHECK_OK(dls_pvtu_write(FOLDER "/whole.pvtu", &grid, &fast, parts, 2));
  check_read(FOLDER "/whole.pvtu");
  unlink(FOLDER "/part_1.vtu");
  CHECK_INT(expect_run(FOLDER "/whole.pvtu", LOG), 1);
}

/* Blocks that shrink and that hardly do, more of them than are packed side by side. */
TEST(threads_pack_the_same_file) {
  enum { POINTS = 300000, ARRAYS = 4 };
  static double line[POINTS][3];
  double *noise[ARRAYS];
  DlsVtuArray array[ARRAYS];
  char command[4096], *paths[2] = {FOLDER "/threads_1.vtu", FOLDER "/threads_n.vtu"};
  for (int k = 0; k < POINTS; k++) line[k][0] = k;
  for (int a = 0; a < ARRAYS; a++) {
    noise[a] = random_reals(POINTS, (uint64_t)a);
    for (int k = 0; a % 2 && k < POINTS; k++) noise[a][k] = k / 1000;
    array[a] = (DlsVtuArray){.name = xyz[a % 3], .values = noise[a], .type = DLS_VTU_FLOAT64};
  }
  array[3].name = "again";
  const DlsVtuGrid grid = {.points = POINTS,
                           .cells = POINTS,
                           .position = (const double *)line,
                           .cell_size = 1,
                           .cell_type = DLS_VTU_VERTEX,
                           .point_data = array,
                           .point_arrays = ARRAYS};
  const DlsVtuOptions options = {.zlib = 1};
  const int threads[] = {1, 2, 3, 4, 8};
  make_folder();
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    dls_pool_set(threads[t]);
    CHECK_OK(dls_vtu_write(paths[t > 0], &grid, &options, NULL));
    snprintf(command, sizeof command, "cmp %s %s", paths[0], paths[t > 0]);
    CHECK_INT(system(command), 0);
  }
  dls_pool_set(0);
  for (int a = 0; a < ARRAYS; a++) free(noise[a]);
}
