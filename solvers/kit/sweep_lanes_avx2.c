/* Four lanes, by AVX2 and FMA. */
#include "base/dispatch.h"
#ifdef DLS_LANES_X86
#pragma GCC target("arch=x86-64-v3")
#include <immintrin.h>
#define LANES               4
#define LANES_PASS          dls_sweep_pack_avx2
#define LANES_FMA(a, b, c)  ((Lanes)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define LANES_FNMA(a, b, c) ((Lanes)_mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define LANES_SQRT(a)       ((Lanes)_mm256_sqrt_pd((__m256d)(a)))
#define LANES_LOAD_3(x)     ((DlsFour)_mm256_maskload_pd((x), _mm256_set_epi64x(0, -1, -1, -1)))
#define LANES_MASK(bits)    _mm256_movemask_pd((__m256d)(bits))
#include "solvers/kit/sweep_lanes_impl.h"
#endif
