/* Files that appear whole or not at all: also on a full disk, without permission, with two writers,
 * and when the writer is killed. */
#define _GNU_SOURCE /* unshare */
#include "tests/files.h"
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/base_file"

static void make_folder(void) { CHECK_OK(dls_file_make_folder(FOLDER)); }

static bool exists(const char *path) { return access(path, F_OK) == 0; }

TEST(a_file_is_there_after_the_commit_and_not_before) {
  DlsFile *file;
  make_folder();
  put_text(FOLDER "/a", "old");
  CHECK_OK(dls_file_begin(FOLDER "/a", &file));
  dls_file_print(file, "%s, %d", "new", 42);
  CHECK_INT(dls_file_position(file), 7);
  CHECK_INT(strcmp(get_text(FOLDER "/a"), "old"), 0);
  CHECK_OK(dls_file_commit(&file));
  CHECK(!file);
  CHECK_INT(strcmp(get_text(FOLDER "/a"), "new, 42"), 0);
  CHECK(!exists(FOLDER "/a.part"));
}

TEST(an_abandoned_file_leaves_the_old_one) {
  DlsFile *file;
  make_folder();
  put_text(FOLDER "/b", "old");
  CHECK_OK(dls_file_begin(FOLDER "/b", &file));
  dls_file_print(file, "new");
  dls_file_abandon(&file);
  dls_file_abandon(&file);
  CHECK(!file);
  CHECK_INT(strcmp(get_text(FOLDER "/b"), "old"), 0);
  CHECK(!exists(FOLDER "/b.part"));
}

/* More than the buffer, in pieces of every size, with a patch at each end. */
TEST(long_files_are_written_in_order) {
  enum { COUNT = 200000 };
  DlsFile *file;
  struct stat info;
  int *values = malloc(COUNT * sizeof *values), *back = malloc(COUNT * sizeof *back);
  CHECK(values && back);
  for (int i = 0; i < COUNT; i++) values[i] = i;
  make_folder();
  CHECK_OK(dls_file_begin(FOLDER "/long", &file));
  for (int start = 0, size = 1; start < COUNT; start += size, size = size * 3 + 1) {
    if (size > COUNT - start) size = COUNT - start;
    dls_file_put(file, values + start, (size_t)size * sizeof *values);
  }
  dls_file_print(file, "%700d", 7); /* longer than the line that is printed without memory */
  values[0] = -1;
  values[COUNT - 1] = -2;
  dls_file_patch(file, 0, &values[0], sizeof *values);
  dls_file_patch(file, (COUNT - 1) * sizeof *values, &values[COUNT - 1], sizeof *values);
  CHECK_OK(dls_file_state(file));
  CHECK_OK(dls_file_commit(&file));
  CHECK(stat(FOLDER "/long", &info) == 0);
  CHECK_INT(info.st_size, COUNT * sizeof *values + 700);
  FILE *read = fopen(FOLDER "/long", "rb");
  CHECK(read && fread(back, sizeof *back, COUNT, read) == COUNT);
  CHECK(memcmp(values, back, COUNT * sizeof *values) == 0);
  if (read) fclose(read);
  free(values);
  free(back);
}

TEST(a_second_writer_is_refused) {
  DlsFile *first, *second;
  make_folder();
  CHECK_OK(dls_file_begin(FOLDER "/two", &first));
  CHECK_FAILS(dls_file_begin(FOLDER "/two", &second), DLS_ERR_FILE, "another process writes it");
  CHECK(!second);
  CHECK_OK(dls_file_commit(&first));
  CHECK_OK(dls_file_begin(FOLDER "/two", &second));
  CHECK_OK(dls_file_commit(&second));
}

/* What a killed writer leaves aside is taken over by the next one. */
TEST(a_killed_writer_leaves_the_old_file) {
  DlsFile *file;
  int code = 0;
  make_folder();
  put_text(FOLDER "/killed", "old");
  const pid_t child = fork();
  if (child == 0) {
    if (dls_file_begin(FOLDER "/killed", &file) != DLS_OK) _exit(1);
    for (int i = 0; i < 100000; i++) dls_file_print(file, "half of it\n");
    raise(SIGKILL);
  }
  CHECK(child > 0 && waitpid(child, &code, 0) == child);
  CHECK(WIFSIGNALED(code));
  CHECK_INT(strcmp(get_text(FOLDER "/killed"), "old"), 0);
  CHECK(exists(FOLDER "/killed.part"));
  CHECK_OK(dls_file_begin(FOLDER "/killed", &file));
  dls_file_print(file, "new");
  CHECK_OK(dls_file_commit(&file));
  CHECK_INT(strcmp(get_text(FOLDER "/killed"), "new"), 0);
  CHECK(!exists(FOLDER "/killed.part"));
}

TEST(paths_that_cannot_be_written_are_named_with_the_cure) {
  DlsFile *file;
  make_folder();
  put_text(FOLDER "/plain", "x");
  unlink(FOLDER "/link.part");
  CHECK(symlink("plain", FOLDER "/link.part") == 0);
  CHECK_FAILS(dls_file_begin("", &file), DLS_ERR_ARGUMENT, "the path is empty");
  CHECK_FAILS(dls_file_begin(FOLDER "/absent/file", &file), DLS_ERR_FILE,
              "/absent does not exist; make it first");
  CHECK_FAILS(dls_file_begin(FOLDER "/plain/file", &file), DLS_ERR_FILE,
              "/plain is not a folder; choose another path");
  CHECK_FAILS(dls_file_begin(FOLDER, &file), DLS_ERR_FILE, "there is a folder of that name");
  CHECK_FAILS(dls_file_begin("/dev/null", &file), DLS_ERR_FILE, "name a plain file");
  CHECK_FAILS(dls_file_begin(FOLDER "/link", &file), DLS_ERR_FILE, "/link: cannot be written");
  CHECK_INT(strcmp(get_text(FOLDER "/plain"), "x"), 0);
  CHECK(!file);
}

TEST(folders_are_made_with_those_above_them) {
  make_folder();
  rmdir(FOLDER "/one/two/three");
  CHECK_OK(dls_file_make_folder(FOLDER "/one//two/three/"));
  CHECK_OK(dls_file_make_folder(FOLDER "/one/two/three"));
  CHECK(exists(FOLDER "/one/two/three"));
  CHECK_OK(dls_file_make_folder("."));
  put_text(FOLDER "/plain", "x");
  CHECK_FAILS(dls_file_make_folder(FOLDER "/plain"), DLS_ERR_FILE, "is in the way");
  CHECK_FAILS(dls_file_make_folder(FOLDER "/plain/below"), DLS_ERR_FILE, "is in the way");
}

/* Runs `act` in a child; its answer: 0 as it should be, 77 not possible here, else a fault. */
static int in_child(int (*act)(void)) {
  int code = 0;
  const pid_t child = fork();
  if (child == 0) _exit(act());
  CHECK(child > 0 && waitpid(child, &code, 0) == child);
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

/* Writes a megabyte to `path`, which must fail with `text` and leave what was there. */
static int write_in_vain(const char *path, const char *text) {
  static const char zeros[1 << 16];
  DlsFile *file;
  char aside[4096];
  snprintf(aside, sizeof aside, "%s.part", path);
  DlsStatus status = dls_file_begin(path, &file);
  if (status == DLS_OK) {
    for (int i = 0; i < 16; i++) dls_file_put(file, zeros, sizeof zeros);
    status = dls_file_commit(&file);
  }
  if (status != DLS_ERR_FILE) return 1;
  if (!test_contains(dls_error_message(), text)) return 2;
  if (!test_contains(dls_error_message(), path)) return 3;
  return exists(aside) || file ? 4 : 0;
}

static int fill_a_small_disk(void) {
  const char *folder = FOLDER "/small_disk";
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 77;
  mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
  if (mount("tmpfs", folder, "tmpfs", 0, "size=512k") != 0) return 77;
  put_text(FOLDER "/small_disk/file", "old");
  const int code = write_in_vain(FOLDER "/small_disk/file", "the disk is full; free some space");
  return code ? code : strcmp(get_text(FOLDER "/small_disk/file"), "old") ? 5 : 0;
}

TEST(a_full_disk_leaves_the_old_file) {
  CHECK_OK(dls_file_make_folder(FOLDER "/small_disk"));
  const int code = in_child(fill_a_small_disk);
  if (code == 77) test_skip("no file system can be mounted here");
  CHECK_INT(code, 0);
}

static int exceed_the_limit(void) {
  const struct rlimit limit = {1 << 18, 1 << 18};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 77;
  return write_in_vain(FOLDER "/limit", "raise the limit");
}

TEST(a_file_beyond_the_limit_is_refused) {
  make_folder();
  CHECK_INT(in_child(exceed_the_limit), 0);
}

static int write_without_rights(void) {
  if (geteuid() == 0 && seteuid(65534) != 0) return 77;
  if (access(FOLDER, F_OK) != 0) return 77; /* a folder above is closed to others */
  return write_in_vain(FOLDER "/closed/file", "no permission; change the rights of " FOLDER);
}

TEST(a_folder_without_rights_is_named) {
  CHECK_OK(dls_file_make_folder(FOLDER "/closed"));
  chmod(FOLDER "/closed", 0555);
  const int code = in_child(write_without_rights);
  if (code == 77) test_skip("the rights of a folder cannot be tried here");
  CHECK_INT(code, 0);
}
