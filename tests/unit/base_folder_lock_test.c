/* One writer to a folder: the second is told who the first is, a dead one is in nobody's way. */
#include "tests/test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_lock.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/base_folder_lock"

/* A child that holds the lock of the folder until it is killed; it has it when this returns. */
static pid_t start_holder(const char *folder) {
  int ready[2];
  CHECK_OK(dls_file_make_folder(folder));
  CHECK_INT(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    DlsFolderLock *lock;
    const char said = dls_folder_lock(folder, &lock) == DLS_OK ? 'y' : 'n';
    if (write(ready[1], &said, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char heard = 0;
  CHECK_INT(read(ready[0], &heard, 1), 1);
  CHECK_INT(heard, 'y');
  close(ready[0]);
  close(ready[1]);
  return child;
}

static void end_holder(pid_t child) {
  int state;
  kill(child, SIGKILL);
  CHECK_INT(waitpid(child, &state, 0), child);
}

TEST(a_second_process_is_told_the_folder_and_the_process_that_holds_it) {
  DlsFolderLock *lock;
  char pid[32];
  const pid_t child = start_holder(FOLDER "/two");
  snprintf(pid, sizeof pid, "process %ld ", (long)child);
  CHECK_INT(dls_folder_lock(FOLDER "/two", &lock), DLS_ERR_FILE);
  CHECK(!lock);
  CHECK(strstr(dls_error_message(), FOLDER "/two: ") == dls_error_message());
  CHECK(strstr(dls_error_message(), pid) != NULL);
  end_holder(child);
}

TEST(the_lock_of_a_killed_process_is_in_nobodys_way) {
  DlsFolderLock *lock;
  end_holder(start_holder(FOLDER "/killed"));
  CHECK_INT(access(FOLDER "/killed/.lock", F_OK), 0); /* the file is there, and locks nothing */
  CHECK_OK(dls_folder_lock(FOLDER "/killed", &lock));
  dls_folder_unlock(&lock);
}

TEST(one_process_cannot_lock_a_folder_twice_and_leaves_nothing_behind) {
  DlsFolderLock *lock, *second;
  CHECK_OK(dls_file_make_folder(FOLDER "/one"));
  CHECK_OK(dls_folder_lock(FOLDER "/one", &lock));
  CHECK_INT(dls_folder_lock(FOLDER "/one", &second), DLS_ERR_FILE);
  CHECK(!second);
  dls_folder_unlock(&lock);
  CHECK(!lock);
  CHECK(access(FOLDER "/one/.lock", F_OK) != 0);
  dls_folder_unlock(&lock);
  CHECK_OK(dls_folder_lock(FOLDER "/one", &lock));
  dls_folder_unlock(&lock);
}

/* A child of the holder that outlives it may still write: the folder stays its own until it
 * ends. */
TEST(a_child_that_outlives_its_parent_keeps_the_folder) {
  DlsFolderLock *lock;
  int ready[2];
  pid_t grandchild = 0;
  CHECK_OK(dls_file_make_folder(FOLDER "/child"));
  CHECK_INT(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (dls_folder_lock(FOLDER "/child", &lock) != DLS_OK) _exit(1);
    const pid_t own = fork();
    if (own == 0)
      for (;;) pause();
    if (write(ready[1], &own, sizeof own) != sizeof own) _exit(1);
    for (;;) pause();
  }
  CHECK_INT(read(ready[0], &grandchild, sizeof grandchild), sizeof grandchild);
  close(ready[0]);
  close(ready[1]);
  end_holder(child);
  CHECK_INT(dls_folder_lock(FOLDER "/child", &lock), DLS_ERR_FILE);
  CHECK(strstr(dls_error_message(), "a child of process") != NULL);
  kill(grandchild, SIGKILL);
  /* It is no child of ours, so there is nothing to wait on but the lock itself. */
  for (int k = 0; k < 1000 && dls_folder_lock(FOLDER "/child", &lock) != DLS_OK; k++) usleep(10000);
  CHECK(lock != NULL);
  dls_folder_unlock(&lock);
}

TEST(a_folder_that_is_not_there_gets_a_sentence) {
  DlsFolderLock *lock;
  CHECK_INT(dls_folder_lock(FOLDER "/nowhere", &lock), DLS_ERR_FILE);
  CHECK(strstr(dls_error_message(), FOLDER "/nowhere") != NULL);
  CHECK_INT(dls_folder_lock("", &lock), DLS_ERR_ARGUMENT);
}
