/* Seeded random numbers, the same on every machine: xoshiro256** (Blackman and Vigna 2018), seeded
 * by splitmix64. */
#ifndef DELASSUS_BASE_RANDOM_H
#define DELASSUS_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct {
  uint64_t s[4];
} DlsRandom;

static inline void dls_random_seed(DlsRandom *random, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random->s[i] = z ^ (z >> 31);
  }
}

static inline uint64_t dls_random_rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t dls_random_bits(DlsRandom *random) {
  uint64_t *s = random->s;
  const uint64_t result = dls_random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = dls_random_rotate(s[3], 45);
  return result;
}

/* Uniform in [0, 1). */
static inline double dls_random_unit(DlsRandom *random) {
  return (double)(dls_random_bits(random) >> 11) * 0x1p-53;
}

static inline double dls_random_between(DlsRandom *random, double low, double high) {
  return low + (high - low) * dls_random_unit(random);
}

/* Uniform in 0 .. count - 1 (bias below count / 2^64). */
static inline int dls_random_below(DlsRandom *random, int count) {
  return (int)(((unsigned __int128)dls_random_bits(random) * (unsigned __int128)(unsigned)count) >>
               64);
}

/* Normal of mean 0 and variance 1 (Box-Muller, one of the pair). */
static inline double dls_random_normal(DlsRandom *random) {
  const double u = 1.0 - dls_random_unit(random);
  return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * dls_random_unit(random));
}

/* A generator of its own for each number: sizes, places, jitter ... never share their draws. */
static inline void dls_random_stream(DlsRandom *random, uint64_t seed, uint64_t number) {
  uint64_t z = seed ^ (number + 1) * 0xd6e8feb86659fd93u;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
  dls_random_seed(random, z ^ (z >> 32));
}

#endif
