/* Series of VTU files: valid at every moment, cut back to the time of a checkpoint. */
#include "tests/files.h"
#include "tests/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "record/pvd.h"
#include "tests/io/vtu_expect.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/record_pvd"

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) count++;
  return count;
}

TEST(a_series_is_whole_after_every_frame) {
  const char *path = FOLDER "/whole.pvd";
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_pvd_create(path, &pvd));
  CHECK(isinf(dls_pvd_last(pvd)));
  for (int i = 0; i <= 3; i++) {
    CHECK(test_contains(get_text(path), "<VTKFile type=\"Collection\""));
    CHECK(test_contains(get_text(path), "</Collection>\n</VTKFile>\n"));
    CHECK_INT(occurrences(get_text(path), "<DataSet "), i);
    char name[64];
    snprintf(name, sizeof name, "frames/a_%d.vtu", i);
    CHECK_OK(dls_pvd_add(pvd, 0.1 * i, 0, name));
  }
  CHECK(test_contains(get_text(path),
                      "<DataSet timestep=\"0.30000000000000004\" group=\"\" part=\"0\" "
                      "file=\"frames/a_3.vtu\"/>"));
  CHECK_INT(dls_pvd_frames(pvd), 4);
  CHECK(dls_pvd_last(pvd) == 0.1 * 3);
  dls_pvd_destroy(&pvd);
  dls_pvd_destroy(&pvd);
}

/* Times are written so that they come back as the same double: the frame at the time of the
 * checkpoint itself stays. */
TEST(a_restart_drops_the_frames_after_it) {
  const char *path = FOLDER "/restart.pvd";
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_pvd_create(path, &pvd));
  for (int i = 0; i < 100; i++) CHECK_OK(dls_pvd_add(pvd, i / 3.0, 0, "a&b <c> \"d\".vtu"));
  char *unbroken = strdup(get_text(path));
  dls_pvd_destroy(&pvd);
  CHECK_OK(dls_pvd_resume(path, 41 / 3.0, &pvd));
  CHECK_INT(dls_pvd_frames(pvd), 42);
  CHECK_INT(occurrences(get_text(path), "<DataSet "), 42);
  for (int i = 41; i < 100; i++) CHECK_OK(dls_pvd_add(pvd, i / 3.0, 0, "a&b <c> \"d\".vtu"));
  CHECK_INT(strcmp(get_text(path), unbroken), 0);
  dls_pvd_destroy(&pvd);
  free(unbroken);
}

TEST(a_missing_series_starts_empty) {
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  unlink(FOLDER "/missing.pvd");
  CHECK_OK(dls_pvd_resume(FOLDER "/missing.pvd", 1.0, &pvd));
  CHECK_INT(dls_pvd_frames(pvd), 0);
  dls_pvd_destroy(&pvd);
}

TEST(parts_of_one_time_stand_side_by_side) {
  const char *path = FOLDER "/parts.pvd";
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_pvd_create(path, &pvd));
  CHECK_OK(dls_pvd_add(pvd, 1, 0, "zero.vtu"));
  CHECK_OK(dls_pvd_add(pvd, 1, 1, "one.vtu"));
  CHECK_OK(dls_pvd_add(pvd, 1, 0, "again.vtu"));
  CHECK_INT(dls_pvd_frames(pvd), 2);
  CHECK(test_contains(get_text(path), "part=\"0\" file=\"again.vtu\"/>\n<DataSet timestep=\"1\" "
                                      "group=\"\" part=\"1\" file=\"one.vtu\""));
  dls_pvd_destroy(&pvd);
}

TEST(frames_that_cannot_be_are_refused) {
  const char *path = FOLDER "/refused.pvd";
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_pvd_create(path, &pvd));
  CHECK_OK(dls_pvd_add(pvd, 2, 0, "a.vtu"));
  CHECK_FAILS(dls_pvd_add(pvd, 1, 0, "b.vtu"), DLS_ERR_ARGUMENT,
              "comes before the last one at 2 s");
  CHECK_FAILS(dls_pvd_add(pvd, 3, 0, "/b.vtu"), DLS_ERR_ARGUMENT, "as seen from the folder");
  CHECK_FAILS(dls_pvd_add(pvd, (double)NAN, 0, "b.vtu"), DLS_ERR_ARGUMENT, "is not finite");
  CHECK_INT(dls_pvd_frames(pvd), 1);
  dls_pvd_destroy(&pvd);
  CHECK_FAILS(dls_pvd_create(FOLDER "/absent/a.pvd", &pvd), DLS_ERR_FILE, "make it first");
  CHECK(!pvd);
  put_text(path, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\"><Collection>");
  CHECK_FAILS(dls_pvd_resume(path, 1, &pvd), DLS_ERR_FORMAT, "is not a whole PVD file");
  put_text(path, "<VTKFile type=\"Collection\"><DataSet timestep=\"x\" file=\"a\"/></VTKFile>");
  CHECK_FAILS(dls_pvd_resume(path, 1, &pvd), DLS_ERR_FORMAT, "is not a frame");
  put_text(path, "<VTKFile type=\"Collection\"><DataSet timestep=\"1\"/></VTKFile>");
  CHECK_FAILS(dls_pvd_resume(path, 1, &pvd), DLS_ERR_FORMAT, "is not a frame");
  CHECK(test_contains(get_text(path), "timestep=\"1\"/>")); /* left as it is */
}

/* A frame that cannot be told to the disk does not count. */
TEST(a_frame_that_is_not_on_disk_does_not_count) {
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER "/gone"));
  CHECK_OK(dls_pvd_create(FOLDER "/gone/a.pvd", &pvd));
  unlink(FOLDER "/gone/a.pvd");
  CHECK(rmdir(FOLDER "/gone") == 0);
  CHECK_FAILS(dls_pvd_add(pvd, 1, 0, "a.vtu"), DLS_ERR_FILE, "does not exist");
  CHECK_INT(dls_pvd_frames(pvd), 0);
  CHECK_OK(dls_file_make_folder(FOLDER "/gone"));
  CHECK_OK(dls_pvd_add(pvd, 1, 0, "a.vtu"));
  dls_pvd_destroy(&pvd);
}

/* Killed while it adds frames, at any moment: what is there is a whole series, and goes on. */
TEST(a_killed_run_leaves_a_whole_series) {
  const char *path = FOLDER "/killed.pvd";
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER));
  for (int round = 0; round < 5; round++) {
    int code = 0;
    CHECK_OK(dls_pvd_create(path, &pvd));
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0;; i++)
        if (dls_pvd_add(pvd, i, 0, "frames/with_a_name_of_some_length.vtu") != DLS_OK) _exit(1);
    }
    usleep(3000u + 7000u * (unsigned)round);
    kill(child, SIGKILL);
    CHECK(waitpid(child, &code, 0) == child && WIFSIGNALED(code));
    dls_pvd_destroy(&pvd);
    CHECK_OK(dls_pvd_resume(path, HUGE_VAL, &pvd));
    CHECK_INT(occurrences(get_text(path), "with_a_name_of_some_length.vtu\"/>\n"),
              dls_pvd_frames(pvd));
    CHECK_OK(dls_pvd_add(pvd, 1e9, 0, "next.vtu"));
    dls_pvd_destroy(&pvd);
  }
}

/* The series and all its frames, as VTK and a parser of XML see them. */
TEST(a_series_is_read_by_vtk) {
  const double position[3] = {0, 0, 0};
  DlsPvd *pvd;
  CHECK_OK(dls_file_make_folder(FOLDER "/series"));
  CHECK_OK(dls_pvd_create(FOLDER "/series.pvd", &pvd));
  for (int i = 0; i < 3; i++) {
    char path[4096], name[64];
    const DlsVtuGrid grid = {.points = 1,
                             .cells = 1,
                             .position = position,
                             .cell_type = DLS_VTU_VERTEX,
                             .cell_size = 1,
                             .timed = true,
                             .time = 0.1 * i};
    snprintf(name, sizeof name, "series/a_%d.vtu", i);
    snprintf(path, sizeof path, FOLDER "/%s", name);
    CHECK_OK(dls_vtu_write(path, &grid, NULL, NULL));
    CHECK_OK(dls_pvd_add(pvd, grid.time, 0, name));
  }
  dls_pvd_destroy(&pvd);
  const int code = expect_run(FOLDER "/series.pvd", FOLDER "/check.log");
  if (code == 77) test_skip_package("python3-vtk9");
  CHECK_INT(code, 0);
  CHECK(expect_says(FOLDER "/check.log", "series.pvd: 3 frames"));
  unlink(FOLDER "/series/a_1.vtu");
  CHECK_INT(expect_run(FOLDER "/series.pvd", FOLDER "/check.log"), 1);
}
