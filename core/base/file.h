/* A file that appears whole or not at all: written aside as PATH.part and renamed. A process that
 * dies leaves the old file as it was, and at most a PATH.part that the next writer of the same file
 * takes over. Two writers of one file at a time: the second is refused. */
#ifndef DELASSUS_BASE_FILE_H
#define DELASSUS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <delassus/status.h>

typedef struct DlsFile DlsFile;

/* Opens PATH.part, empty. The caller ends it with dls_file_commit() or dls_file_abandon(); on
 * failure *out is NULL. What is there at `path` must be a regular file, or nothing. */
DlsStatus dls_file_begin(const char *path, DlsFile **out);

/* Writing, buffered. The first failure is kept and returned by dls_file_commit(); what is put after
 * it is dropped. dls_file_state() tells it earlier, for those who have long work ahead. */
void dls_file_put(DlsFile *file, const void *bytes, size_t size);
void dls_file_print(DlsFile *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
DlsStatus dls_file_state(const DlsFile *file);

/* Bytes put so far; overwrites bytes that were put before, such as an offset known at last. */
uint64_t dls_file_position(const DlsFile *file);
void dls_file_patch(DlsFile *file, uint64_t position, const void *bytes, size_t size);

/* fsync, rename, fsync of the folder; sets *file to NULL. On failure nothing of it is left.
 * dls_file_place() renames alone, some milliseconds faster: whole for every process, but when the
 * machine dies, what was placed in the last seconds may be gone or empty. For frames, of which
 * there are many; dls_file_settle() brings all that was placed in a folder to disk at once (with
 * all else that its file system still holds back), before a file is committed that counts on
 * them. */
DlsStatus dls_file_commit(DlsFile **file);
DlsStatus dls_file_place(DlsFile **file);
DlsStatus dls_file_settle(const char *folder);
void dls_file_abandon(DlsFile **file); /* NULL is fine; keeps the sentence there is */

/* Opens a regular file for reading, ended with fclose(). A pipe or a device is refused with a
 * sentence: to open a pipe would wait for its writer, for ever. On failure *out is NULL. */
DlsStatus dls_file_open(const char *path, FILE **out);

/* The bytes of a whole regular file, with a 0 behind them; ended with free(). On failure *out is
 * NULL. */
DlsStatus dls_file_read(const char *path, char **out, size_t *bytes);

/* The sentence for a file and an errno: what, where, the cure. Returns DLS_ERR_FILE. */
DlsStatus dls_file_fail(const char *path, int error);

/* Makes a folder and those above it; one that is there already is fine. */
DlsStatus dls_file_make_folder(const char *path);

/* Whether a path ends with this, such as ".csv". */
bool dls_file_ends(const char *path, const char *end);

#endif
