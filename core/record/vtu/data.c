/* The appended data of a VTU file: one array after the other, each behind a header of 64-bit sizes.
 *
 *   raw    [bytes] values
 *   zlib   [blocks] [bytes of a block] [bytes of the last, 0 when it is whole] [packed bytes of
 *          each] packed blocks
 *
 * Values pass through one block: converted, looked at for numbers that are not finite, packed. */
#include "record/vtu/vtu_impl.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum { BLOCK_BYTES = 1 << 18 };

DlsStatus dls_vtu_data_prepare(VtuWriting *writing) {
  DLS_NEW(writing->block, BLOCK_BYTES);
  if (writing->options->zlib) {
    writing->packed_room = compressBound(BLOCK_BYTES);
    DLS_NEW(writing->packed, writing->packed_room);
  }
  return DLS_OK;
}

void dls_vtu_data_clear(VtuWriting *writing) {
  free(writing->block);
  free(writing->packed);
  writing->block = writing->packed = NULL;
}

/* The numbers first .. first + count of a made stream. */
static void make_values(const VtuStream *s, int64_t first, int64_t count, unsigned char *out) {
  if (s->to == DLS_VTU_UINT8) {
    memset(out, (int)s->first, (size_t)count);
    return;
  }
  int64_t *values = (int64_t *)(void *)out;
  for (int64_t i = 0; i < count; i++)
    values[i] = s->first + (s->making == VTU_COUNTING ? s->step * (first + i) : 0);
}

/* All bits of the exponent set: infinite or not a number. Without branches, for the vector
 * units. */
static bool all_finite(const unsigned char *block, int64_t count) {
  const uint64_t exponent = 0x7ff0000000000000u;
  uint64_t bad = 0;
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, block + i * 8, sizeof bits);
    bad |= (uint64_t)((bits & exponent) == exponent);
  }
  return !bad;
}

static bool all_finite_single(const unsigned char *block, int64_t count) {
  const uint32_t exponent = 0x7f800000u;
  uint32_t bad = 0;
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, block + i * 4, sizeof bits);
    bad |= (uint32_t)((bits & exponent) == exponent);
  }
  return !bad;
}

static DlsStatus refuse(const VtuWriting *w, const VtuStream *s, int64_t index) {
  return dls_fail(DLS_ERR_NUMERIC,
                  "%s: not written: array '%s' holds a number that is not finite%s at %s %" PRId64
                  ", component %d",
                  w->path, s->name, s->from != s->to ? " (or too large for Float32)" : "",
                  s->may_be_nan ? "entry" : "point", index / s->components,
                  (int)(index % s->components));
}

/* Numbers that are not finite become NaN and are counted, or are refused. */
static DlsStatus tame(VtuWriting *w, const VtuStream *s, int64_t first, int64_t count,
                      unsigned char *block) {
  double *x = (double *)(void *)block;
  float *y = (float *)(void *)block;
  const bool single = s->to == DLS_VTU_FLOAT32;
  if (single ? all_finite_single(block, count) : all_finite(block, count)) return DLS_OK;
  for (int64_t i = 0; i < count; i++) {
    if (single ? isfinite(y[i]) : isfinite(x[i])) continue;
    if (s->unknown && (single ? isnan(y[i]) : isnan(x[i]))) continue;
    if (!w->options->allow_nan || !s->may_be_nan) return refuse(w, s, first + i);
    w->report.not_finite++;
    if (single)
      y[i] = (float)NAN;
    else
      x[i] = (double)NAN;
  }
  return DLS_OK;
}

static DlsStatus fill_block(VtuWriting *w, const VtuStream *s, int64_t first, int64_t count) {
  const int bytes = dls_vtu_type_bytes[s->from];
  if (s->making != VTU_GIVEN) {
    make_values(s, first, count, w->block);
    return DLS_OK;
  }
  if (s->from == s->to) {
    memcpy(w->block, (const char *)s->values + first * bytes, (size_t)(count * bytes));
  } else {
    const double *from = (const double *)s->values + first;
    float *to = (float *)(void *)w->block;
    for (int64_t i = 0; i < count; i++) to[i] = (float)from[i];
  }
  const bool real = s->to == DLS_VTU_FLOAT64 || s->to == DLS_VTU_FLOAT32;
  return real ? tame(w, s, first, count, w->block) : DLS_OK;
}

static DlsStatus put_raw(VtuWriting *w, const VtuStream *s) {
  const int bytes = dls_vtu_type_bytes[s->to];
  const int64_t room = BLOCK_BYTES / bytes;
  const uint64_t size = (uint64_t)s->count * (uint64_t)bytes;
  dls_file_put(w->file, &size, sizeof size);
  for (int64_t first = 0; first < s->count; first += room) {
    const int64_t count = s->count - first < room ? s->count - first : room;
    DLS_TRY(fill_block(w, s, first, count));
    dls_file_put(w->file, w->block, (size_t)(count * bytes));
    DLS_TRY(dls_file_state(w->file));
  }
  return DLS_OK;
}

/* As compress2 of zlib, with a strategy. */
static int pack(VtuWriting *w, size_t bytes, int strategy, uint64_t *packed) {
  z_stream stream = {.next_in = w->block,
                     .avail_in = (uInt)bytes,
                     .next_out = w->packed,
                     .avail_out = (uInt)w->packed_room};
  const int code = deflateInit2(&stream, w->options->zlib, Z_DEFLATED, MAX_WBITS, 8, strategy);
  if (code != Z_OK) return code;
  const int end = deflate(&stream, Z_FINISH);
  *packed = stream.total_out;
  deflateEnd(&stream);
  return end == Z_STREAM_END ? Z_OK : Z_BUF_ERROR;
}

/* Where the first block hardly shrinks, as with the digits of most real numbers, the search for
 * repeated strings is in vain: the others are packed without it, to the same size in half the
 * time. */
static DlsStatus put_blocks(VtuWriting *w, const VtuStream *s, uint64_t blocks, uint64_t *sizes) {
  const int bytes = dls_vtu_type_bytes[s->to];
  const int64_t room = BLOCK_BYTES / bytes;
  int strategy = Z_DEFAULT_STRATEGY;
  for (uint64_t b = 0; b < blocks; b++) {
    const int64_t first = (int64_t)b * room;
    const int64_t count = s->count - first < room ? s->count - first : room;
    DLS_TRY(fill_block(w, s, first, count));
    const int code = pack(w, (size_t)(count * bytes), strategy, &sizes[b]);
    DLS_CHECK(code == Z_OK, DLS_ERR_MEMORY, "%s: zlib fails with %d: out of memory", w->path, code);
    if (b == 0 && sizes[0] > BLOCK_BYTES / 100 * 85) strategy = Z_RLE;
    dls_file_put(w->file, w->packed, sizes[b]);
    DLS_TRY(dls_file_state(w->file));
  }
  return DLS_OK;
}

static DlsStatus put_packed(VtuWriting *w, const VtuStream *s) {
  const uint64_t size = (uint64_t)s->count * (uint64_t)dls_vtu_type_bytes[s->to];
  const uint64_t blocks = (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
  const uint64_t head[3] = {blocks, BLOCK_BYTES, size % BLOCK_BYTES};
  uint64_t *sizes;
  dls_file_put(w->file, head, sizeof head);
  if (blocks == 0) return DLS_OK;
  DLS_NEW(sizes, blocks);
  const uint64_t place = dls_file_position(w->file);
  dls_file_put(w->file, sizes, blocks * sizeof *sizes);
  const DlsStatus status = put_blocks(w, s, blocks, sizes);
  if (status == DLS_OK) dls_file_patch(w->file, place, sizes, blocks * sizeof *sizes);
  free(sizes);
  return status;
}

DlsStatus dls_vtu_data_put(VtuWriting *writing, const VtuStream *stream) {
  writing->report.data += (uint64_t)stream->count * (uint64_t)dls_vtu_type_bytes[stream->to];
  return writing->options->zlib ? put_packed(writing, stream) : put_raw(writing, stream);
}
