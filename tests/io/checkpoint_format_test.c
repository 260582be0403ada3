/* Checkpoints of formats before, without frames of the contacts and, in the older one, with keys of
 * two words, id << 16 | number of the ball or feature: a run goes on from one as from a file of
 * today, every bit of it. */
#include "tests/io/checkpoint_scene.h"
#include "tests/io/checkpoint_seal.h"
#include "tests/io/fclib_make.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/checkpoint_format"

enum { MAX_DATASETS = 100 };

static void replace(hid_t file, const char *name, hid_t type, hid_t memory, hsize_t count,
                    const void *values) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

/* The file as a program of before had written it. */
static void write_before(const char *path, int32_t format, const DlsContactMemory *memory) {
  char *names[MAX_DATASETS];
  uint64_t(*words)[2] = malloc(((size_t)memory->count + 1) * sizeof *words);
  for (int c = 0; c < memory->count; c++) {
    const DlsContactKey *key = &memory->key[c];
    words[c][0] = key->candidate << 16 | key->feature >> 32;
    words[c][1] = (key->antagonist & DLS_KEY_BOUNDARY) |
                  (key->antagonist & ~DLS_KEY_BOUNDARY) << 16 | (key->feature & 0xffffffff);
  }
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(file >= 0);
  replace(file, "/delassus_checkpoint", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &format);
  double ledger[15];
  const hid_t whole = H5Dopen2(file, "/run/ledger", H5P_DEFAULT);
  CHECK(H5Dread(whole, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ledger) >= 0);
  H5Dclose(whole);
  const hsize_t numbers = format > 9 ? 14 : format == 9 ? 12 : 10;
  replace(file, "/run/ledger", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers, ledger);
  if (format < 11) H5Ldelete(file, "/run/cell", H5P_DEFAULT);
  if (format < 9) H5Ldelete(file, "/deformable", H5P_DEFAULT);
  if (format < 9) H5Ldelete(file, "/contacts/frame", H5P_DEFAULT);
  if (format < 9) H5Ldelete(file, "/contacts/moment", H5P_DEFAULT);
  if (format < 9) H5Ldelete(file, "/contacts/place", H5P_DEFAULT);
  if (format == 3)
    replace(file, "/contacts/key", H5T_STD_U64LE, H5T_NATIVE_UINT64, 2 * (hsize_t)memory->count,
            words);
  static const char *const newer[] = {"/surfaces", "/solids", "/facets", "/run/accounts"};
  for (int k = 0; k < DLS_COUNT(newer) && format < 9; k++) H5Ldelete(file, newer[k], H5P_DEFAULT);
  H5Fclose(file);
  free(words);
  const int count = list_datasets(path, names, MAX_DATASETS);
  checkpoint_seal(path, names, count);
  for (int k = 0; k < count; k++) free(names[k]);
}

TEST(a_run_goes_on_from_the_formats_before) {
  static const int formats[] = {3, 4, 9, 10, 11};
  for (int which = 0; which < 2 * DLS_COUNT(formats); which++) {
    const int dim = 2 + which % 2;
    CheckpointScene unbroken, later;
    const char *path = dim == 2 ? FOLDER "/before2.h5" : FOLDER "/before3.h5";
    CHECK_OK(dls_file_make_folder(FOLDER));
    scene_open(&unbroken, dim, &dls_scheme_moreau);
    scene_run(&unbroken, 300);
    CHECK_OK(scene_save(&unbroken, path));
    const DlsContactMemory *memory = &unbroken.simulation->state.memory;
    int walls = 0, parts = 0;
    for (int c = 0; c < memory->count; c++) {
      walls += (memory->key[c].antagonist & DLS_KEY_BOUNDARY) && (uint32_t)memory->key[c].feature;
      parts += memory->key[c].feature >> 32 > 0;
    }
    CHECK(walls > 0 && (dim == 3 || parts > 0)); /* features of walls, balls of a cluster */
    write_before(path, formats[which / 2], memory);

    scene_open(&later, dim, &dls_scheme_moreau);
    CHECK_OK(scene_load(&later, path, false));
    const DlsContactMemory *read = &later.simulation->state.memory;
    CHECK_INT(read->count, memory->count);
    CHECK(memcmp(read->key, memory->key, (size_t)memory->count * sizeof *memory->key) == 0);
    scene_run(&unbroken, 40);
    scene_run(&later, 40);
    const DlsWorld *a = unbroken.simulation->world, *b = later.simulation->world;
    CHECK_INT(a->count, b->count);
    CHECK(memcmp(a->position, b->position, (size_t)a->count * sizeof *a->position) == 0);
    CHECK(memcmp(a->velocity, b->velocity, (size_t)a->count * sizeof *a->velocity) == 0);
    scene_close(&unbroken);
    scene_close(&later);
  }
}

TEST(other_formats_are_refused_with_both_numbers) {
  CheckpointScene scene;
  const char *path = FOLDER "/other.h5";
  const int32_t format = 2;
  CHECK_OK(dls_file_make_folder(FOLDER));
  scene_open(&scene, 2, &dls_scheme_moreau);
  CHECK_OK(scene_save(&scene, path));
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  replace(file, "/delassus_checkpoint", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &format);
  H5Fclose(file);
  CHECK_FAILS(scene_load(&scene, path, false), DLS_ERR_UNSUPPORTED, "is of format 2");
  CHECK_FAILS(scene_load(&scene, path, false), DLS_ERR_UNSUPPORTED, "reads formats 3 to 12");
  scene_close(&scene);
}
