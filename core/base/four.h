/* Four numbers as one vector, which the compiler makes of what the machine has. In hot loops
 * (dispatch.h) alone; macros, for functions that return vectors have no ABI on plain x86-64. */
#ifndef DELASSUS_BASE_FOUR_H
#define DELASSUS_BASE_FOUR_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#else
#include <math.h>
#endif

typedef double DlsFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t DlsFourBits __attribute__((vector_size(32)));

/* Those at x; the same in all. */
#define DLS_FOUR(x)    (*(const DlsFour *)(x))
#define DLS_FOUR_OF(a) ((DlsFour){(a), (a), (a), (a)})

/* yes where the mask, of a comparison, is set, no elsewhere. */
#define DLS_FOUR_CHOOSE(mask, yes, no)                                                             \
  ((DlsFour)(((DlsFourBits)(yes) & (DlsFourBits)(mask)) |                                          \
             ((DlsFourBits)(no) & ~(DlsFourBits)(mask))))

/* x <- sqrt(x), of a variable: by the instruction, for sqrt() must tell of errors. */
#ifdef __SSE2__
#define DLS_FOUR_ROOT(x)                                                                           \
  do {                                                                                             \
    const __m128d low_ = _mm_sqrt_pd((__m128d){(x)[0], (x)[1]});                                   \
    const __m128d high_ = _mm_sqrt_pd((__m128d){(x)[2], (x)[3]});                                  \
    (x) = (DlsFour){low_[0], low_[1], high_[0], high_[1]};                                         \
  } while (0)
#else
#define DLS_FOUR_ROOT(x)                                                                           \
  do {                                                                                             \
    for (int root_ = 0; root_ < 4; root_++) (x)[root_] = sqrt((x)[root_]);                         \
  } while (0)
#endif

/* Numbers k, of k = 0 1 2, of four triples one behind the other at x: x, y and z. */
#define DLS_FOUR_TRIPLES(at, x, y, z)                                                              \
  do {                                                                                             \
    const DlsFour a_ = DLS_FOUR(at), b_ = DLS_FOUR((at) + 4), c_ = DLS_FOUR((at) + 8);             \
    const DlsFour ab_ = __builtin_shufflevector(a_, b_, 0, 3, 6, 6);                               \
    const DlsFour ac_ = __builtin_shufflevector(a_, b_, 1, 4, 7, 7);                               \
    const DlsFour bc_ = __builtin_shufflevector(b_, c_, 1, 4, 7, 7);                               \
    (x) = __builtin_shufflevector(ab_, c_, 0, 1, 2, 5);                                            \
    (y) = __builtin_shufflevector(ac_, c_, 0, 1, 2, 6);                                            \
    (z) = __builtin_shufflevector(a_, bc_, 2, 4, 5, 6);                                            \
  } while (0)

#endif
