/* What frames hold as the deck chooses it, and what they cost: no frame waits for the disk, and a
 * checkpoint has all frames that it counts on the disk before it. */
#define _GNU_SOURCE /* syncfs */
#include <delassus/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/vtu/vtu_read.h"
#include "tests/files.h"
#include "tests/io/app_run.h"

/* In the place of those of the C library, for this program alone: they count, and do their work. */
static int fsyncs, syncs, fsyncs_at_sync;

int fsync(int descriptor) {
  fsyncs++;
  return (int)syscall(SYS_fsync, descriptor);
}

int syncfs(int descriptor) {
  syncs++;
  fsyncs_at_sync = fsyncs;
  return (int)syscall(SYS_syncfs, descriptor);
}

/* Two balls that fall; a frame at each of 100 steps, `output` as given. */
#define FALL(output)                                                                               \
  "time: {step: 1 ms, end: 0.1 s}\n"                                                               \
  "gravity: [0, 0, -10]\n"                                                                         \
  "materials: {rubber: {density: 1200}}\n"                                                         \
  "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"                                                \
  "bodies:\n"                                                                                      \
  "  - {material: rubber, radius: 0.05, position: [3, 4, 0.06], velocity: [0.1, 0, 0]}\n"          \
  "  - {material: rubber, radius: 0.05, position: [3, 4.2, 0.17], spin: [0, 0, 3]}\n"              \
  "boundaries: {floor: {shape: plane, material: rubber}}\n"                                        \
  "output: {" output "}\n"

static DlsRun *begin(const char *text, const char *folder, DlsRunOptions options) {
  DlsRun *run = NULL;
  options.text = text;
  options.out = folder;
  options.overwrite = true;
  CHECK_OK(dls_run_open("fall.yaml", &options, &run));
  if (!run) exit(1);
  return run;
}

static void finish(const char *text, const char *folder) {
  DlsRun *run = begin(text, folder, dls_run_options_default());
  bool more = true;
  while (more) CHECK_OK(dls_run_step(run, &more));
  CHECK_OK(dls_run_close(&run));
}

static char *file_in(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return get_text(path);
}

static int occurrences(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) count++;
  return count;
}

/* 100 frames of four series between the first and the last step: not one fsync; the checkpoint has
 * one sync of all before its own two. */
TEST(no_frame_waits_for_the_disk) {
  const char *folder = app_folder("frames_output");
  DlsRun *run = begin(FALL("every: 1 ms"), folder, dls_run_options_default());
  bool more = true;
  const int before = fsyncs;
  CHECK_OK(dls_run_until(run, 0.0985, &more));
  CHECK_INT(fsyncs, before);
  CHECK_INT(syncs, 0);
  CHECK_OK(dls_run_save(run, test_path("frames_output", "aside.h5")));
  CHECK_INT(syncs, 1);
  CHECK_INT(fsyncs_at_sync, before); /* frames first, then the checkpoint */
  CHECK(fsyncs > before);
  /* The series that the checkpoint counts on has all frames. */
  CHECK_INT(occurrences(file_in(folder, "bodies.pvd"), "<DataSet"), 100);
  CHECK_OK(dls_run_close(&run));
}

/* A PVD file that a power cut has emptied or filled with zeros: a restart makes it again, and the
 * files are those of a run that was left alone. */
TEST(a_series_that_a_power_cut_has_spoilt_is_mended) {
  char whole[600], cut[600], path[700], command[2000];
  snprintf(whole, sizeof whole, "%s/whole", app_folder("frames_output"));
  snprintf(cut, sizeof cut, "%s/cut", app_folder("frames_output"));
  finish(FALL("every: 10 ms"), whole);
  DlsRun *run = begin(FALL("every: 10 ms"), cut, dls_run_options_default());
  bool more = true;
  CHECK_OK(dls_run_until(run, 0.0555, &more));
  CHECK_OK(dls_run_close(&run));
  snprintf(path, sizeof path, "%s/bodies.pvd", cut);
  put_text(path, "");
  snprintf(path, sizeof path, "%s/chains.pvd", cut);
  FILE *zeros = fopen(path, "wb");
  for (int k = 0; k < 300; k++) fputc(0, zeros);
  fclose(zeros);
  snprintf(command, sizeof command, "run --restart %s/checkpoint.h5 --quiet", cut);
  CHECK_RUN(command, 0, "");
  static const char *const names[] = {"bodies.pvd", "contacts.pvd", "chains.pvd", "boundaries.pvd"};
  for (int k = 0; k < DLS_COUNT(names); k++) {
    char *wanted = strdup(file_in(whole, names[k]));
    CHECK_INT(occurrences(wanted, "<DataSet"), 11);
    CHECK(strcmp(wanted, file_in(cut, names[k])) == 0);
    free(wanted);
  }
}

TEST(the_deck_chooses_arrays_precision_and_span) {
  char folder[600], path[700];
  double time, wide[6], narrow[6];
  DlsVtuFile *file = NULL;
  snprintf(folder, sizeof folder, "%s/chosen", app_folder("frames_output"));
  finish(FALL("every: 10 ms, precision: float32, arrays: [radius, velocity, gap, boundary],"
              " from: 25 ms, to: 60 ms"),
         folder);
  CHECK_INT(occurrences(file_in(folder, "bodies.pvd"), "<DataSet"), 4); /* 30 40 50 60 ms */
  snprintf(path, sizeof path, "%s/bodies_000003.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  if (!file) exit(1);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_FIELD, "TimeValue", 1, 1, &time));
  CHECK_NEAR(time, 0.06, 1e-12);
  CHECK(dls_vtu_has(file, DLS_VTU_OF_POINTS, "velocity"));
  CHECK(!dls_vtu_has(file, DLS_VTU_OF_POINTS, "spin"));
  CHECK(!dls_vtu_has(file, DLS_VTU_OF_POINTS, "load"));
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, 2, narrow));
  dls_vtu_close(&file);
  CHECK(test_contains(file_in(folder, "bodies_000003.vtu"), "type=\"Float32\" Name=\"velocity\""));
  CHECK(test_contains(file_in(folder, "contacts_000003.vtu"), "Name=\"gap\""));
  CHECK(!test_contains(file_in(folder, "contacts_000003.vtu"), "Name=\"force\""));
  /* The same frame of all arrays in double: positions agree to the digits of a float. */
  snprintf(folder, sizeof folder, "%s/all", app_folder("frames_output"));
  finish(FALL("every: 10 ms"), folder);
  snprintf(path, sizeof path, "%s/bodies_000006.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  if (!file) exit(1);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, 2, wide));
  dls_vtu_close(&file);
  for (int k = 0; k < 6; k++) CHECK(narrow[k] == (double)(float)wide[k]);
}

/* The rows are the numbers of the VTU file, to the last digit. */
TEST(frames_as_csv_hold_what_vtu_files_hold) {
  char folder[600], path[700];
  double position[6], velocity[6], row[6];
  DlsVtuFile *file = NULL;
  snprintf(folder, sizeof folder, "%s/csv", app_folder("frames_output"));
  finish(FALL("every: 50 ms, csv: true, arrays: [velocity, id]"), folder);
  snprintf(path, sizeof path, "%s/bodies_000001.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  if (!file) exit(1);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, 2, position));
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "velocity", 3, 2, velocity));
  dls_vtu_close(&file);
  char *text = file_in(folder, "bodies_000001.csv");
  static const char heading[] = "x,y,z,velocity_x,velocity_y,velocity_z,id\n";
  CHECK(strncmp(text, heading, sizeof heading - 1) == 0);
  text += sizeof heading - 1;
  for (int body = 0; body < 2; body++) {
    long id = -1;
    for (int k = 0; k < 6; k++) row[k] = strtod(text, &text), text += *text == ',';
    id = strtol(text, &text, 10);
    CHECK_INT(id, body + 1);
    CHECK(*text++ == '\n');
    for (int k = 0; k < 3; k++) {
      CHECK(row[k] == position[3 * body + k]);
      CHECK(row[3 + k] == velocity[3 * body + k]);
    }
  }
  CHECK(*text == '\0');
  CHECK(*file_in(folder, "contacts_000001.csv"));
  CHECK(access(test_path("frames_output/csv", "chains_000001.csv"), F_OK) != 0);
  /* A run without CSV into the same folder leaves none of it behind. */
  finish(FALL("every: 0"), folder);
  CHECK(access(test_path("frames_output/csv", "bodies_000001.csv"), F_OK) != 0);
}

TEST(a_name_that_no_frame_has_is_told_with_its_line) {
  char command[6000], deck[4096];
  snprintf(deck, sizeof deck, "%s",
           test_file("frames_output", "wrong.yaml", FALL("every: 10 ms, arrays: [radius, speed]")));
  snprintf(command, sizeof command, "run %s --out %s/wrong --quiet", deck,
           app_folder("frames_output"));
  CHECK_RUN(command, 2, "wrong.yaml:9: output.arrays: no frame of this run has an array 'speed'");
}
