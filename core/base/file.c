/* Files written aside and renamed. PATH.part is locked while it is written (F_OFD_SETLK: the lock
 * belongs to this handle and dies with the process). */
#define _GNU_SOURCE /* F_OFD_SETLK, syncfs */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { BUFFER_BYTES = 1 << 18, LINE_BYTES = 512, MAX_ATTEMPTS = 100 };

struct DlsFile {
  char *path, *aside;
  int descriptor;    /* of aside; -1 when not open */
  int error;         /* errno of the first failure, 0 so far */
  uint64_t position; /* bytes put */
  size_t used;       /* bytes of `buffer` that are not written yet */
  char *buffer;
};

/* The folder of a path, freed by the caller; "." for a bare name. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
}

DlsStatus dls_file_fail(const char *path, int error) {
  char *folder = folder_of(path);
  const char *where = folder ? folder : "its folder";
  DlsStatus status = DLS_ERR_FILE;
  switch (error) {
  case ENOSPC:
  case EDQUOT:
    dls_fail(status, "%s: cannot be written: %s; free some space there, or write elsewhere", path,
             error == ENOSPC ? "the disk is full" : "the quota is used up");
    break;
  case EFBIG:
    dls_fail(status, "%s: cannot be written: larger than files may be; raise the limit (ulimit -f)",
             path);
    break;
  case EACCES:
  case EPERM:
    dls_fail(status, "%s: no permission; change the rights of %s, or write elsewhere", path, where);
    break;
  case EROFS:
    dls_fail(status, "%s: cannot be written: %s is read-only; write elsewhere", path, where);
    break;
  case ENOENT:
    dls_fail(status, "%s: cannot be opened: it or its folder %s does not exist; make it first",
             path, where);
    break;
  case ENOTDIR:
    dls_fail(status, "%s: cannot be opened: %s is not a folder; choose another path", path, where);
    break;
  case EISDIR:
    dls_fail(status, "%s: cannot be written: there is a folder of that name; choose another", path);
    break;
  case EMFILE:
  case ENFILE:
    dls_fail(status, "%s: cannot be opened: too many open files; raise the limit (ulimit -n)",
             path);
    break;
  case ENOMEM:
    status = dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
    break;
  default:
    dls_fail(status, "%s: cannot be written: %s", path, strerror(error));
  }
  free(folder);
  return status;
}

DlsStatus dls_file_open(const char *path, FILE **out) {
  struct stat info;
  *out = NULL;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  DLS_CHECK(descriptor >= 0 || errno != ENOENT, DLS_ERR_FILE,
            "%s: cannot be opened: it does not exist; check the path", path);
  DLS_CHECK(descriptor >= 0, DLS_ERR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
  const bool there = fstat(descriptor, &info) == 0;
  if (there && S_ISREG(info.st_mode)) *out = fdopen(descriptor, "rb");
  if (*out) return DLS_OK;
  const int error = errno;
  close(descriptor);
  DLS_CHECK(!there || !S_ISDIR(info.st_mode), DLS_ERR_FILE, "%s: is a folder; name a file in it",
            path);
  DLS_CHECK(!there || S_ISREG(info.st_mode), DLS_ERR_FILE,
            "%s: is a pipe or a device, not a regular file; save what it gives to a file first",
            path);
  return dls_fail(DLS_ERR_FILE, "%s: cannot be opened: %s", path, strerror(error));
}

DlsStatus dls_file_read(const char *path, char **out, size_t *bytes) {
  struct stat info;
  FILE *file;
  *out = NULL;
  *bytes = 0;
  DLS_TRY(dls_file_open(path, &file));
  DlsStatus status = DLS_OK;
  if (fstat(fileno(file), &info) != 0)
    status = dls_fail(DLS_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
  const size_t size = status == DLS_OK ? (size_t)info.st_size : 0;
  if (status == DLS_OK && !(*out = malloc(size + 1)))
    status = dls_fail(DLS_ERR_MEMORY, "%s: no memory for %zu bytes", path, size);
  if (status == DLS_OK && fread(*out, 1, size, file) != size)
    status = dls_fail(DLS_ERR_FILE, "%s: cannot be read to its end", path);
  fclose(file);
  if (status != DLS_OK) {
    free(*out);
    *out = NULL;
    return status;
  }
  (*out)[size] = '\0';
  *bytes = size;
  return DLS_OK;
}

static void file_free(DlsFile *file) {
  if (file->descriptor >= 0) close(file->descriptor);
  free(file->path);
  free(file->aside);
  free(file->buffer);
  free(file);
}

/* Opens and locks `aside`. The writer before us may rename or remove it between the two: then the
 * name stands for another file, or for none, and we try again. */
static DlsStatus open_aside(DlsFile *file) {
  for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    struct stat opened, named;
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    file->descriptor = open(file->aside, flags, 0666);
    if (file->descriptor < 0) return dls_file_fail(file->path, errno);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const bool locked = fcntl(file->descriptor, F_OFD_SETLK, &lock) == 0;
    DLS_CHECK(locked || (errno != EAGAIN && errno != EACCES), DLS_ERR_FILE,
              "%s: another process writes it at this moment; write elsewhere, or end that process",
              file->path);
    if (fstat(file->descriptor, &opened) == 0 && stat(file->aside, &named) == 0 &&
        opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
      return ftruncate(file->descriptor, 0) == 0 ? DLS_OK : dls_file_fail(file->path, errno);
    close(file->descriptor);
    file->descriptor = -1;
  }
  return dls_fail(DLS_ERR_FILE, "%s: others write it all the time; write elsewhere", file->path);
}

static DlsStatus begin(const char *path, DlsFile *file) {
  struct stat info;
  file->descriptor = -1;
  const size_t bytes = strlen(path) + sizeof ".part";
  DLS_NEW(file->aside, bytes);
  DLS_NEW(file->buffer, BUFFER_BYTES);
  file->path = strdup(path);
  DLS_CHECK(file->path, DLS_ERR_MEMORY, "out of memory: a path of %zu bytes", bytes);
  snprintf(file->aside, bytes, "%s.part", path);
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return dls_file_fail(path, EISDIR);
    DLS_CHECK(S_ISREG(info.st_mode), DLS_ERR_FILE,
              "%s: is a device or a pipe, which cannot be replaced; name a plain file", path);
  }
  return open_aside(file);
}

DlsStatus dls_file_begin(const char *path, DlsFile **out) {
  DlsFile *file;
  *out = NULL;
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "file: the path is empty");
  DLS_NEW(file, 1);
  const DlsStatus status = begin(path, file);
  if (status == DLS_OK)
    *out = file;
  else
    file_free(file);
  return status;
}

static void write_out(DlsFile *file, const char *bytes, size_t size) {
  while (size > 0 && !file->error) {
    const ssize_t written = write(file->descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      file->error = errno;
      return;
    }
    bytes += written;
    size -= (size_t)written;
  }
}

static void flush(DlsFile *file) {
  write_out(file, file->buffer, file->used);
  file->used = 0;
}

void dls_file_put(DlsFile *file, const void *bytes, size_t size) {
  if (size == 0) return;
  file->position += size;
  if (size > BUFFER_BYTES - file->used) flush(file);
  if (size >= BUFFER_BYTES) {
    write_out(file, bytes, size);
    return;
  }
  memcpy(file->buffer + file->used, bytes, size);
  file->used += size;
}

void dls_file_print(DlsFile *file, const char *format, ...) {
  char line[LINE_BYTES], *text = line;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length >= LINE_BYTES) {
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
  }
  if (length < 0 || !text)
    file->error = file->error ? file->error : ENOMEM;
  else
    dls_file_put(file, text, (size_t)length);
  if (text != line) free(text);
}

DlsStatus dls_file_state(const DlsFile *file) {
  return file->error ? dls_file_fail(file->path, file->error) : DLS_OK;
}

uint64_t dls_file_position(const DlsFile *file) { return file->position; }

void dls_file_patch(DlsFile *file, uint64_t position, const void *bytes, size_t size) {
  const char *from = bytes;
  const uint64_t written_out = file->position - file->used;
  if (!file->error && position >= written_out) { /* not written yet */
    memcpy(file->buffer + (position - written_out), bytes, size);
    return;
  }
  flush(file);
  while (size > 0 && !file->error) {
    const ssize_t written = pwrite(file->descriptor, from, size, (off_t)position);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      file->error = errno;
      return;
    }
    from += written;
    position += (uint64_t)written;
    size -= (size_t)written;
  }
}

/* The rename itself is on disk once the folder is; a file system that cannot sync a folder does not
 * count as a failure. */
static void sync_folder(const char *path) {
  char *folder = folder_of(path);
  const int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    (void)fsync(descriptor);
    close(descriptor);
  }
  free(folder);
}

static DlsStatus put_in_place(DlsFile **file, bool on_disk) {
  DlsFile *self = *file;
  flush(self);
  if (on_disk && !self->error && fsync(self->descriptor) != 0) self->error = errno;
  if (!self->error && rename(self->aside, self->path) != 0) self->error = errno;
  if (self->error) {
    const DlsStatus status = dls_file_fail(self->path, self->error);
    dls_file_abandon(file);
    return status;
  }
  if (on_disk) sync_folder(self->path);
  file_free(self);
  *file = NULL;
  return DLS_OK;
}

DlsStatus dls_file_commit(DlsFile **file) { return put_in_place(file, true); }

DlsStatus dls_file_place(DlsFile **file) { return put_in_place(file, false); }

DlsStatus dls_file_settle(const char *folder) {
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return dls_file_fail(folder, errno);
  const int error = syncfs(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error ? dls_file_fail(folder, error) : DLS_OK;
}

void dls_file_abandon(DlsFile **file) {
  if (!*file) return;
  unlink((*file)->aside); /* before the lock ends: the name is still ours */
  file_free(*file);
  *file = NULL;
}

static DlsStatus make_one(const char *path) {
  struct stat info;
  if (mkdir(path, 0777) == 0) return DLS_OK;
  const int error = errno;
  const bool there = stat(path, &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return DLS_OK;
  DLS_CHECK(!there, DLS_ERR_FILE,
            "%s: is in the way: a folder is to stand there; remove it, or choose another path",
            path);
  return dls_file_fail(path, error);
}

DlsStatus dls_file_make_folder(const char *path) {
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "folder: the path is empty");
  char *partial = strdup(path);
  DLS_CHECK(partial, DLS_ERR_MEMORY, "out of memory: a path of %zu bytes", strlen(path));
  DlsStatus status = DLS_OK;
  for (char *end = partial + 1; status == DLS_OK && *end; end++) {
    if (*end != '/') continue;
    *end = '\0';
    status = make_one(partial);
    *end = '/';
  }
  if (status == DLS_OK) status = make_one(partial);
  free(partial);
  return status;
}

bool dls_file_ends(const char *path, const char *end) {
  const size_t length = strlen(path), tail = strlen(end);
  return length >= tail && strcmp(path + length - tail, end) == 0;
}
