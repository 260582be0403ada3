/* Object headers of HDF5 files, looked at before the library opens the object: on a header that
 * claims more than the file holds, HDF5 1.10 loses memory and complains when the program ends.
 *
 * Version 1 of the format (HDF5 file format specification, sec. IV.A.1.a), little-endian, with
 * addresses and lengths of 8 bytes; version 2 carries checksums, which the library verifies. */
#include "problem/fclib_impl.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
  SUPERBLOCK_BYTES = 96,
  HEADER_BYTES = 16,   /* version, messages, references, length of the first chunk */
  MESSAGE_BYTES = 8,   /* type, length, flags */
  CONTINUATION = 0x10, /* the message that says where the next chunk is */
  LAST_MESSAGE = 0x17, /* the largest type there is */
  MOST_CHUNKS = 64
};

static uint64_t number_at(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int k = count - 1; k >= 0; k--) value = value << 8 | bytes[k];
  return value;
}

static bool load(const DlsH5File *file, uint64_t at, int count, unsigned char *bytes) {
  return at < (uint64_t)file->bytes &&
         pread(file->descriptor, bytes, (size_t)count, (off_t)at) == count;
}

static bool inside(const DlsH5File *file, uint64_t at, uint64_t length) {
  return at <= (uint64_t)file->bytes && length <= (uint64_t)file->bytes - at;
}

/* The chunks of a header, as continuation messages name them. */
typedef struct {
  uint64_t at[MOST_CHUNKS], length[MOST_CHUNKS];
  int count, messages; /* messages still to come */
} Chunks;

/* Messages fill a chunk without a gap, each a multiple of 8 bytes long, its reserved bytes 0. */
static const char *check_chunk(const DlsH5File *file, uint64_t at, uint64_t length,
                               Chunks *chunks) {
  const uint64_t end = at + length;
  for (; at < end; chunks->messages--) {
    unsigned char message[MESSAGE_BYTES + 16] = {0};
    if (chunks->messages == 0) return "its header has more messages than it says";
    if (!load(file, at, MESSAGE_BYTES, message)) return "its header cannot be read";
    const uint64_t type = number_at(message, 2), size = number_at(message + 2, 2);
    if (size % 8 != 0 || at + MESSAGE_BYTES + size > end || type > LAST_MESSAGE ||
        number_at(message + 5, 3) != 0)
      return "its header holds a damaged message";
    if (type == CONTINUATION) {
      if (size < 16 || chunks->count == MOST_CHUNKS || !load(file, at + 8, 16, message + 8))
        return "its header goes on and on";
      chunks->at[chunks->count] = number_at(message + 8, 8);
      chunks->length[chunks->count++] = number_at(message + 16, 8);
    }
    at += MESSAGE_BYTES + size;
  }
  return at == end ? NULL : "its header holds a damaged message";
}

static const char *check_header(const DlsH5File *file, uint64_t address) {
  unsigned char head[HEADER_BYTES];
  if (!load(file, address, HEADER_BYTES, head)) return "its header lies beyond the end of the file";
  if (memcmp(head, "OHDR", 4) == 0) return NULL;
  if (head[0] != 1) return "its header is of no known version";
  Chunks chunks = {.count = 1, .messages = (int)number_at(head + 2, 2)};
  chunks.at[0] = address + HEADER_BYTES;
  chunks.length[0] = number_at(head + 8, 4);
  for (int k = 0; k < chunks.count; k++) {
    if (chunks.at[k] < SUPERBLOCK_BYTES || !inside(file, chunks.at[k], chunks.length[k]))
      return "its header claims more than the file holds: the file is damaged or cut short";
    const char *reason = check_chunk(file, chunks.at[k], chunks.length[k], &chunks);
    if (reason) return reason;
  }
  return chunks.messages == 0 ? NULL : "its header has fewer messages than it says";
}

DlsStatus dls_h5_check_header(const DlsH5File *file, const char *name, uint64_t address) {
  const char *reason = file->plain ? check_header(file, address) : NULL;
  DLS_CHECK(!reason, DLS_ERR_FORMAT, "%s: %s: cannot be read: %s", file->path, name, reason);
  return DLS_OK;
}

/* Finds out whether the file is of the old format, and looks at the root group. What lies behind the
 * end that the superblock tells does not belong to the file. */
DlsStatus dls_h5_check_start(DlsH5File *file) {
  static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char block[SUPERBLOCK_BYTES];
  DLS_CHECK(load(file, 0, SUPERBLOCK_BYTES, block), DLS_ERR_FORMAT,
            "%s: is not a readable HDF5 file, or is cut short: it has %lld bytes", file->path,
            file->bytes);
  const int version = block[8];
  file->plain = memcmp(block, signature, sizeof signature) == 0 && version <= 1;
  if (!file->plain) return DLS_OK;
  DLS_CHECK(block[13] == 8 && block[14] == 8, DLS_ERR_FORMAT,
            "%s: has addresses of %d and lengths of %d bytes, not 8; `h5repack` makes it readable",
            file->path, block[13], block[14]);
  const unsigned char *base = block + (version == 0 ? 24 : 28);
  const uint64_t end = number_at(base + 16, 8);
  DLS_CHECK(number_at(base, 8) == 0, DLS_ERR_FORMAT, "%s: has a damaged superblock", file->path);
  DLS_CHECK(end <= (uint64_t)file->bytes, DLS_ERR_FORMAT,
            "%s: is cut short: it has %lld bytes and should have %llu", file->path, file->bytes,
            (unsigned long long)end);
  file->bytes = (long long)end;
  return dls_h5_check_header(file, "/", number_at(base + 40, 8));
}
