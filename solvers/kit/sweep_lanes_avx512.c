/* Eight lanes, by AVX-512. */
#include "base/dispatch.h"
#ifdef DLS_LANES_X86
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#include <immintrin.h>
#define LANES               8
#define LANES_PASS          dls_sweep_pack_avx512
#define LANES_FMA(a, b, c)  ((Lanes)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define LANES_FNMA(a, b, c) ((Lanes)_mm512_fnmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define LANES_SQRT(a)       ((Lanes)_mm512_sqrt_pd((__m512d)(a)))
#define LANES_LOAD_3(x)     ((DlsFour)_mm256_maskz_loadu_pd(7, (x)))
#define LANES_MASK(bits)    _mm512_movepi64_mask((__m512i)(bits))
#include "solvers/kit/sweep_lanes_impl.h"
#endif
