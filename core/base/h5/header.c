/* Headers of HDF5 files, looked at before the library does: on a damaged one HDF5 1.10 asks for
 * absurd amounts of memory, or loses memory and complains when the program ends.
 *
 * HDF5 file format specification, secs. II.A (superblock), III.D (local heap), IV.A.1 (object
 * headers, version 1 without and version 2 with a checksum). Little-endian; addresses and lengths
 * of 8 bytes. */
#include "base/h5/h5.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  SUPERBLOCK_BYTES = 96,
  HEADER_BYTES = 16,   /* version, messages, references, length of the first chunk */
  MESSAGE_BYTES = 8,   /* type, length, flags */
  CONTINUATION = 0x10, /* the message that says where the next chunk is */
  SYMBOL_TABLE = 0x11, /* the message of a group: where its tree and its heap are */
  LAST_MESSAGE = 0x17, /* the largest type there is */
  MOST_CHUNKS = 64,
  MOST_BYTES = 1 << 20 /* of a header with checksum */
};

static const char damaged[] = "its header is damaged";
static const char too_long[] =
    "its header claims more than the file holds: the file is damaged or cut short";

uint64_t dls_h5_number(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int k = count - 1; k >= 0; k--) value = value << 8 | bytes[k];
  return value;
}

bool dls_h5_load(const DlsH5File *file, uint64_t at, int count, unsigned char *bytes) {
  return at < (uint64_t)file->bytes &&
         pread(file->descriptor, bytes, (size_t)count, (off_t)at) == count;
}

static bool inside(const DlsH5File *file, uint64_t at, uint64_t length) {
  return at <= (uint64_t)file->bytes && length <= (uint64_t)file->bytes - at;
}

/* The names of a group: "HEAP", version 0, length, free list, address of the data. */
static const char *check_heap(const DlsH5File *file, uint64_t at) {
  unsigned char heap[32];
  if (!dls_h5_load(file, at, sizeof heap, heap) || memcmp(heap, "HEAP", 5) != 0 ||
      !inside(file, dls_h5_number(heap + 24, 8), dls_h5_number(heap + 8, 8)))
    return "the names of its members are damaged";
  return NULL;
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
    unsigned char message[MESSAGE_BYTES], data[16];
    if (chunks->messages == 0 || !dls_h5_load(file, at, MESSAGE_BYTES, message)) return damaged;
    const uint64_t type = dls_h5_number(message, 2), size = dls_h5_number(message + 2, 2);
    at += MESSAGE_BYTES;
    if (size % 8 != 0 || at + size > end || type > LAST_MESSAGE ||
        dls_h5_number(message + 5, 3) != 0)
      return damaged;
    if (type == CONTINUATION || type == SYMBOL_TABLE) {
      if (size < 16 || !dls_h5_load(file, at, sizeof data, data)) return damaged;
      const char *reason =
          type == SYMBOL_TABLE ? check_heap(file, dls_h5_number(data + 8, 8)) : NULL;
      if (reason) return reason;
    }
    if (type == CONTINUATION) {
      if (chunks->count == MOST_CHUNKS) return damaged;
      chunks->at[chunks->count] = dls_h5_number(data, 8);
      chunks->length[chunks->count++] = dls_h5_number(data + 8, 8);
    }
    at += size;
  }
  return at == end ? NULL : damaged;
}

static const char *check_version_1(const DlsH5File *file, uint64_t address,
                                   const unsigned char *head) {
  Chunks chunks = {.count = 1, .messages = (int)dls_h5_number(head + 2, 2)};
  chunks.at[0] = address + HEADER_BYTES;
  chunks.length[0] = dls_h5_number(head + 8, 4);
  for (int k = 0; k < chunks.count; k++) {
    if (chunks.at[k] < SUPERBLOCK_BYTES || !inside(file, chunks.at[k], chunks.length[k]))
      return too_long;
    const char *reason = check_chunk(file, chunks.at[k], chunks.length[k], &chunks);
    if (reason) return reason;
  }
  return chunks.messages == 0 ? NULL : damaged;
}

static uint32_t rotate(uint32_t x, int k) { return x << k | x >> (32 - k); }

/* The checksum of the format: Jenkins' lookup3 of bytes, with 0 to start from. */
static uint32_t checksum(const unsigned char *bytes, size_t count) {
  static const int turns[6] = {4, 6, 8, 16, 19, 4}, last[7] = {14, 11, 25, 16, 4, 14, 24};
  uint32_t x[3];
  x[0] = x[1] = x[2] = 0xdeadbeef + (uint32_t)count;
  for (; count > 12; bytes += 12, count -= 12) {
    for (int k = 0; k < 12; k++) x[k / 4] += (uint32_t)bytes[k] << 8 * (k % 4);
    for (int k = 0; k < 6; k++) { /* a -= c, a ^= c <<< n, c += b, in turn for a, b and c */
      uint32_t *a = &x[k % 3], *b = &x[(k + 1) % 3], *c = &x[(k + 2) % 3];
      *a = (*a - *c) ^ rotate(*c, turns[k]);
      *c += *b;
    }
  }
  if (count == 0) return x[2];
  for (size_t k = 0; k < count; k++) x[k / 4] += (uint32_t)bytes[k] << 8 * (k % 4);
  for (int k = 0; k < 7; k++) { /* c ^= b, c -= b <<< n, in turn for c, a and b */
    uint32_t *c = &x[(k + 2) % 3], *b = &x[(k + 1) % 3];
    *c = (*c ^ *b) - rotate(*b, last[k]);
  }
  return x[2];
}

/* Prefix of 6 bytes, times and limits by the flags, the length of the messages, these, checksum. */
static const char *check_version_2(const DlsH5File *file, uint64_t address,
                                   const unsigned char *head) {
  const int flags = head[5], digits = 1 << (flags & 3);
  const uint64_t prefix = 6 + (uint64_t)(flags & 0x20 ? 16 : 0) + (uint64_t)(flags & 0x10 ? 4 : 0);
  unsigned char size[8];
  if (!dls_h5_load(file, address + prefix, digits, size)) return too_long;
  const uint64_t body = dls_h5_number(size, digits), count = prefix + (uint64_t)digits + body;
  if (body > MOST_BYTES || !inside(file, address, count + 4)) return too_long;
  unsigned char *bytes = malloc((size_t)count + 4);
  if (!bytes) return "no memory";
  const bool good = dls_h5_load(file, address, (int)count + 4, bytes) &&
                    checksum(bytes, (size_t)count) == dls_h5_number(bytes + count, 4);
  free(bytes);
  return good ? NULL : damaged;
}

DlsStatus dls_h5_check_header(const DlsH5File *file, const char *name, uint64_t address) {
  unsigned char head[HEADER_BYTES];
  if (!file->plain) return DLS_OK;
  const char *reason = damaged;
  if (!dls_h5_load(file, address, HEADER_BYTES, head))
    reason = too_long;
  else if (memcmp(head, "OHDR\2", 5) == 0)
    reason = check_version_2(file, address, head);
  else if (head[0] == 1)
    reason = check_version_1(file, address, head);
  DLS_CHECK(!reason, DLS_ERR_FORMAT, "%s: %s: cannot be read: %s", file->path, name, reason);
  return DLS_OK;
}

/* Where the superblock has: lengths of addresses and lengths, base, end of file, root group. */
static const struct {
  int sizes, base, end, root;
} places[] = {{13, 24, 40, 64}, {13, 28, 44, 68}, {9, 12, 28, 36}, {9, 12, 28, 36}};

/* Looks at the superblock and at the root group. What lies behind the end that the superblock tells
 * does not belong to the file. A file with a user block before the superblock is left to HDF5. */
DlsStatus dls_h5_check_start(DlsH5File *file) {
  static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char block[SUPERBLOCK_BYTES];
  DLS_CHECK(dls_h5_load(file, 0, SUPERBLOCK_BYTES, block), DLS_ERR_FORMAT,
            "%s: is not a readable HDF5 file, or is cut short: it has %lld bytes", file->path,
            file->bytes);
  const int version = block[8];
  file->plain = memcmp(block, signature, sizeof signature) == 0 && version < DLS_COUNT(places);
  if (!file->plain) return DLS_OK;
  const int sizes = places[version].sizes;
  DLS_CHECK(block[sizes] == 8 && block[sizes + 1] == 8, DLS_ERR_FORMAT,
            "%s: has addresses of %d and lengths of %d bytes, not 8; `h5repack` makes it readable",
            file->path, block[sizes], block[sizes + 1]);
  const uint64_t end = dls_h5_number(block + places[version].end, 8);
  DLS_CHECK(dls_h5_number(block + places[version].base, 8) == 0, DLS_ERR_FORMAT,
            "%s: has a damaged superblock", file->path);
  DLS_CHECK(end <= (uint64_t)file->bytes, DLS_ERR_FORMAT,
            "%s: is cut short: it has %lld bytes and should have %llu", file->path, file->bytes,
            (unsigned long long)end);
  file->bytes = (long long)end;
  return dls_h5_check_header(file, "/", dls_h5_number(block + places[version].root, 8));
}
