/* Hostile bytes for the readers. A target turns any bytes into calls of readers, and of what works
 * on the things that they read: whatever the bytes are, there is an answer or a sentence; no crash,
 * no read or write beyond an array, no overflow, no leak, no absurd amount of memory or time.
 *
 * tests/fuzz/main.c makes each target a program of libFuzzer (make check-long; clang), which
 * invents bytes; tests/io/fuzz_replay_test.c plays the seeds, mutations of them and what was once
 * found, with any compiler. */
#ifndef DELASSUS_TESTS_FUZZ_H
#define DELASSUS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

typedef void FuzzSink(void *context, const uint8_t *bytes, size_t size);

typedef struct {
  const char *name;
  void (*seeds)(FuzzSink *sink, void *context); /* good inputs, made here and now */
  void (*one)(const uint8_t *bytes, size_t size);
} FuzzTarget;

extern const FuzzTarget fuzz_frame;      /* VTU frames of a run, `post` of them, runs from them */
extern const FuzzTarget fuzz_checkpoint; /* checkpoints, the digest made good; a run that goes on */
extern const FuzzTarget fuzz_restart;    /* the same with a deck in them and another one outside */
extern const FuzzTarget fuzz_deck;       /* decks, paths and law-failure files in YAML */
extern const FuzzTarget fuzz_table;      /* CSV and PVD files */
extern const FuzzTarget fuzz_problem;    /* FCLIB files */

/* A folder for the files of a target in this process, made on the first call. */
const char *fuzz_folder(void);

/* Writes, or reads [*size] allocated; they stop the program where the disk fails them. */
void fuzz_save(const char *path, const uint8_t *bytes, size_t size);
uint8_t *fuzz_load(const char *path, size_t *size);

#endif
