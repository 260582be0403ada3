/* F_OFD_SETLK, as for files written aside: the lock belongs to the open file, so a second one is
 * refused within one process too. The holder writes its process id into the file, for the
 * sentence that the next one gets; the lock itself does not depend on what the file says. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

enum { MAX_ATTEMPTS = 100, PID_BYTES = 32 };

struct DlsFolderLock {
  char *path;     /* FOLDER/.lock */
  int descriptor; /* -1 when not open */
  pid_t owner;    /* a forked child that ends must not remove the file of its parent */
};

static void lock_free(DlsFolderLock *lock) {
  if (lock->descriptor >= 0) close(lock->descriptor);
  free(lock->path);
  free(lock);
}

/* The process id in the file; 0 when there is none. */
static long holder(int descriptor) {
  char text[PID_BYTES] = "";
  const ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  const long pid = length > 0 ? strtol(text, NULL, 10) : 0;
  return pid > 0 ? pid : 0;
}

static DlsStatus refuse(const char *folder, long pid) {
  DLS_CHECK(pid > 0, DLS_ERR_FILE,
            "%s: another process writes its results there; write elsewhere, or wait for its end",
            folder);
  if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
    return dls_fail(DLS_ERR_FILE,
                    "%s: a child of process %ld, which has ended, or a process of another machine "
                    "writes its results there; write elsewhere, or end it",
                    folder, pid);
  return dls_fail(DLS_ERR_FILE,
                  "%s: process %ld writes its results there; write elsewhere, or wait for its end",
                  folder, pid);
}

/* Whether the name still stands for the file that is open: the holder before us removes it as it
 * goes. */
static bool is_named(const DlsFolderLock *lock) {
  struct stat opened, named;
  return fstat(lock->descriptor, &opened) == 0 && stat(lock->path, &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static DlsStatus sign(const DlsFolderLock *lock) {
  char text[PID_BYTES];
  const int length = snprintf(text, sizeof text, "%ld\n", (long)lock->owner);
  const bool good = ftruncate(lock->descriptor, 0) == 0 &&
                    pwrite(lock->descriptor, text, (size_t)length, 0) == length;
  return good ? DLS_OK : dls_file_fail(lock->path, errno);
}

static DlsStatus take(const char *folder, DlsFolderLock *lock) {
  const size_t bytes = strlen(folder) + sizeof "/.lock";
  DLS_NEW(lock->path, bytes);
  snprintf(lock->path, bytes, "%s/.lock", folder);
  for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    lock->descriptor = open(lock->path, flags, 0666);
    if (lock->descriptor < 0) return dls_file_fail(lock->path, errno);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const bool locked = fcntl(lock->descriptor, F_OFD_SETLK, &whole) == 0;
    if (!locked && (errno == EAGAIN || errno == EACCES))
      return refuse(folder, holder(lock->descriptor));
    if (is_named(lock)) return sign(lock);
    close(lock->descriptor);
    lock->descriptor = -1;
  }
  return dls_fail(DLS_ERR_FILE, "%s: others come and go there all the time; write elsewhere",
                  folder);
}

DlsStatus dls_folder_lock(const char *folder, DlsFolderLock **out) {
  DlsFolderLock *lock;
  *out = NULL;
  DLS_CHECK(folder && *folder, DLS_ERR_ARGUMENT, "folder: the path is empty");
  DLS_NEW(lock, 1);
  *lock = (DlsFolderLock){.descriptor = -1, .owner = getpid()};
  const DlsStatus status = take(folder, lock);
  if (status == DLS_OK)
    *out = lock;
  else
    lock_free(lock);
  return status;
}

void dls_folder_unlock(DlsFolderLock **lock) {
  if (!*lock) return;
  if ((*lock)->owner == getpid() && is_named(*lock))
    unlink((*lock)->path); /* before the lock ends: the name is still ours */
  lock_free(*lock);
  *lock = NULL;
}
