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
#include "base/pool.h"

enum { BLOCK_BYTES = 1 << 18, MOST_AHEAD = 32, LARGE_FILE = 4 * BLOCK_BYTES };

/* A block of a stream on its way into the file. */
typedef struct VtuPacked {
  int stream;
  uint64_t number;               /* of the block, in its stream */
  int strategy;                  /* of zlib */
  unsigned char *block, *packed; /* values, and compressed */
  uint64_t bytes;                /* compressed */
  int64_t not_finite;            /* values that became NaN */
} VtuPacked;

/* Several are packed together where there are threads for it: each alone has the same bytes. Small
 * files start no thread. */
static DlsStatus make_ahead(VtuWriting *writing) {
  const int threads = dls_pool_threads(),
            most = 4 * threads < MOST_AHEAD ? 4 * threads : MOST_AHEAD;
  uint64_t bytes = 0;
  for (int k = 0; k < writing->count; k++) {
    const VtuStream *s = &writing->streams[k];
    bytes += (uint64_t)s->count * (uint64_t)dls_vtu_type_bytes[s->to];
  }
  const int room = threads == 1 || bytes < LARGE_FILE ? 1 : most;
  writing->packed_room = compressBound(BLOCK_BYTES);
  DLS_NEW(writing->ahead, room);
  writing->room = room;
  for (int k = 0; k < room; k++) {
    DLS_NEW(writing->ahead[k].block, BLOCK_BYTES);
    DLS_NEW(writing->ahead[k].packed, writing->packed_room);
  }
  return DLS_OK;
}

DlsStatus dls_vtu_data_prepare(VtuWriting *writing, const VtuStream *streams, int count) {
  writing->streams = streams;
  writing->count = count;
  if (writing->options->zlib) return make_ahead(writing);
  DLS_NEW(writing->block, BLOCK_BYTES);
  return DLS_OK;
}

void dls_vtu_data_clear(VtuWriting *writing) {
  for (int k = 0; k < writing->room; k++) {
    free(writing->ahead[k].block);
    free(writing->ahead[k].packed);
  }
  free(writing->ahead);
  free(writing->block);
  writing->ahead = NULL;
  writing->block = NULL;
  writing->room = 0;
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
static DlsStatus tame(const VtuWriting *w, const VtuStream *s, int64_t first, int64_t count,
                      unsigned char *block, int64_t *not_finite) {
  double *x = (double *)(void *)block;
  float *y = (float *)(void *)block;
  const bool single = s->to == DLS_VTU_FLOAT32;
  if (single ? all_finite_single(block, count) : all_finite(block, count)) return DLS_OK;
  for (int64_t i = 0; i < count; i++) {
    if (single ? isfinite(y[i]) : isfinite(x[i])) continue;
    if (s->unknown && (single ? isnan(y[i]) : isnan(x[i]))) continue;
    if (!w->options->allow_nan || !s->may_be_nan) return refuse(w, s, first + i);
    ++*not_finite;
    if (single)
      y[i] = (float)NAN;
    else
      x[i] = (double)NAN;
  }
  return DLS_OK;
}

static DlsStatus fill_block(const VtuWriting *w, const VtuStream *s, int64_t first, int64_t count,
                            unsigned char *block, int64_t *not_finite) {
  const int bytes = dls_vtu_type_bytes[s->from];
  *not_finite = 0;
  if (s->making != VTU_GIVEN) {
    make_values(s, first, count, block);
    return DLS_OK;
  }
  if (s->from == s->to) {
    memcpy(block, (const char *)s->values + first * bytes, (size_t)(count * bytes));
  } else {
    const double *from = (const double *)s->values + first;
    float *to = (float *)(void *)block;
    for (int64_t i = 0; i < count; i++) to[i] = (float)from[i];
  }
  const bool real = s->to == DLS_VTU_FLOAT64 || s->to == DLS_VTU_FLOAT32;
  return real ? tame(w, s, first, count, block, not_finite) : DLS_OK;
}

static DlsStatus put_raw(VtuWriting *w, const VtuStream *s) {
  const int bytes = dls_vtu_type_bytes[s->to];
  const int64_t room = BLOCK_BYTES / bytes;
  const uint64_t size = (uint64_t)s->count * (uint64_t)bytes;
  dls_file_put(w->file, &size, sizeof size);
  for (int64_t first = 0; first < s->count; first += room) {
    const int64_t count = s->count - first < room ? s->count - first : room;
    int64_t not_finite;
    DLS_TRY(fill_block(w, s, first, count, w->block, &not_finite));
    w->report.not_finite += not_finite;
    dls_file_put(w->file, w->block, (size_t)(count * bytes));
    DLS_TRY(dls_file_state(w->file));
  }
  return DLS_OK;
}

static uint64_t blocks_of(const VtuStream *s) {
  const uint64_t size = (uint64_t)s->count * (uint64_t)dls_vtu_type_bytes[s->to];
  return (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

/* As compress2 of zlib, with a strategy. */
static int pack(const VtuWriting *w, size_t bytes, VtuPacked *p) {
  z_stream stream = {.next_in = p->block,
                     .avail_in = (uInt)bytes,
                     .next_out = p->packed,
                     .avail_out = (uInt)w->packed_room};
  const int code = deflateInit2(&stream, w->options->zlib, Z_DEFLATED, MAX_WBITS, 8, p->strategy);
  if (code != Z_OK) return code;
  const int end = deflate(&stream, Z_FINISH);
  p->bytes = stream.total_out;
  deflateEnd(&stream);
  return end == Z_STREAM_END ? Z_OK : Z_BUF_ERROR;
}

static DlsStatus fill_and_pack(const VtuWriting *w, VtuPacked *p) {
  const VtuStream *s = &w->streams[p->stream];
  const int bytes = dls_vtu_type_bytes[s->to];
  const int64_t room = BLOCK_BYTES / bytes, first = (int64_t)p->number * room;
  const int64_t count = s->count - first < room ? s->count - first : room;
  DLS_TRY(fill_block(w, s, first, count, p->block, &p->not_finite));
  const int code = pack(w, (size_t)(count * bytes), p);
  DLS_CHECK(code == Z_OK, DLS_ERR_MEMORY, "%s: zlib fails with %d: out of memory", w->path, code);
  return DLS_OK;
}

typedef struct {
  VtuWriting *w;
  bool firsts; /* the first blocks of streams, or those behind them */
} Packing;

static DlsStatus pack_some(void *context, size_t begin, size_t end, int lane) {
  const Packing *packing = context;
  (void)lane;
  for (size_t k = begin; k < end; k++) {
    VtuPacked *p = &packing->w->ahead[k];
    if ((p->number == 0) == packing->firsts) DLS_TRY(fill_and_pack(packing->w, p));
  }
  return DLS_OK;
}

/* Where the first block hardly shrinks, as with the digits of most real numbers, the search for
 * repeated strings is in vain: the others are packed without it, to the same size in half the
 * time. */
static int strategy_behind(uint64_t first) {
  return first > BLOCK_BYTES / 100 * 85 ? Z_RLE : Z_DEFAULT_STRATEGY;
}

/* Block `number` of a stream and those that follow it in the file; `first`: bytes of the first
 * block of the stream, where that is not it. */
static DlsStatus pack_ahead(VtuWriting *w, int stream, uint64_t number, uint64_t first) {
  Packing packing = {w, true};
  for (w->filled = w->taken = 0; w->filled < w->room && stream < w->count;) {
    if (number >= blocks_of(&w->streams[stream])) {
      stream++;
      number = 0;
      continue;
    }
    VtuPacked *p = &w->ahead[w->filled++];
    p->stream = stream;
    p->number = number++;
    p->strategy = Z_DEFAULT_STRATEGY;
  }
  DLS_TRY(dls_pool_try((size_t)w->filled, 1, pack_some, &packing));
  for (int k = 0; k < w->filled; k++) {
    VtuPacked *p = &w->ahead[k];
    if (p->number == 0)
      first = p->bytes;
    else
      p->strategy = strategy_behind(first);
  }
  packing.firsts = false;
  return dls_pool_try((size_t)w->filled, 1, pack_some, &packing);
}

static DlsStatus put_blocks(VtuWriting *w, int stream, uint64_t blocks, uint64_t *sizes) {
  for (uint64_t b = 0; b < blocks; b++) {
    if (w->taken == w->filled) DLS_TRY(pack_ahead(w, stream, b, sizes[0]));
    const VtuPacked *p = &w->ahead[w->taken++];
    sizes[b] = p->bytes;
    w->report.not_finite += p->not_finite;
    dls_file_put(w->file, p->packed, sizes[b]);
    DLS_TRY(dls_file_state(w->file));
  }
  return DLS_OK;
}

static DlsStatus put_packed(VtuWriting *w, int stream) {
  const VtuStream *s = &w->streams[stream];
  const uint64_t size = (uint64_t)s->count * (uint64_t)dls_vtu_type_bytes[s->to];
  const uint64_t blocks = blocks_of(s);
  const uint64_t head[3] = {blocks, BLOCK_BYTES, size % BLOCK_BYTES};
  uint64_t *sizes;
  dls_file_put(w->file, head, sizeof head);
  if (blocks == 0) return DLS_OK;
  DLS_NEW(sizes, blocks);
  const uint64_t place = dls_file_position(w->file);
  dls_file_put(w->file, sizes, blocks * sizeof *sizes);
  const DlsStatus status = put_blocks(w, stream, blocks, sizes);
  if (status == DLS_OK) dls_file_patch(w->file, place, sizes, blocks * sizeof *sizes);
  free(sizes);
  return status;
}

DlsStatus dls_vtu_data_put(VtuWriting *writing, int stream) {
  const VtuStream *s = &writing->streams[stream];
  writing->report.data += (uint64_t)s->count * (uint64_t)dls_vtu_type_bytes[s->to];
  return writing->options->zlib ? put_packed(writing, stream) : put_raw(writing, s);
}
