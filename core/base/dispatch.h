/* Hot loops are compiled twice, for plain x86-64 and for x86-64-v3 (AVX2, FMA), and chosen when the
 * library is loaded: the default binary runs on any machine. */
#ifndef DELASSUS_BASE_DISPATCH_H
#define DELASSUS_BASE_DISPATCH_H

/* Sanitizers and ifunc resolvers do not live together; -march= makes the choice at compile time. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define DLS_HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define DLS_HOT
#endif

/* Code for one kind of machine in a file of its own, which #pragma GCC target names: called where
 * __builtin_cpu_supports() says so. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DLS_LANES_X86
#endif

#define DLS_INLINE static inline __attribute__((always_inline))

#endif
