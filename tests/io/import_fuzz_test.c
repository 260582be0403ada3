/* Malformed input folders of LMGC90: 400 mutations of each file (DELASSUS_LONG: 2000), by a seeded
 * generator. No crash, no hang; a deck, or a sentence that names what is wrong. */
#include "tests/files.h"
#include "tests/io/mutations.h"
#include "tests/lmgc90_folder.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "import/lmgc90.h"

#define FOLDER "import_fuzz"

enum { MUTATIONS = 400, MUTATIONS_LONG = 2000, SECONDS = 10 };

static const Lmgc90File *files;
static int file; /* the one that is spoilt */

/* Bytes changed, a piece taken out or doubled, or the end cut off. */
static void mutate(int index, Bytes *b) {
  static const char special[] = "\0$=!+-.DdEe09 \n\r\t#x\xff";
  DlsRandom random;
  dls_random_seed(&random, 1000003u * (uint64_t)index + (uint64_t)(31 * file + 7));
  const int way = dls_random_below(&random, 8), n = (int)b->count;
  const size_t at = (size_t)dls_random_below(&random, n);
  size_t length = (size_t)(1 + dls_random_below(&random, 80));
  if (at + length > b->count) length = b->count - at;
  if (way == 0) {
    b->count = at;
  } else if (way == 1) {
    memmove(b->bytes + at, b->bytes + at + length, b->count - at - length);
    b->count -= length;
  } else if (way == 2) {
    memmove(b->bytes + at + length, b->bytes + at, b->count - at);
    b->count += length;
  } else {
    for (int c = 1 + dls_random_below(&random, 5); c > 0; c--)
      b->bytes[dls_random_below(&random, n)] =
          (unsigned char)special[dls_random_below(&random, (int)sizeof special - 1)];
  }
}

static const char *read_mutation(int index, bool *accepted) {
  static Bytes bytes;
  DlsLmgc90 scene;
  char *text = NULL, *mesh = NULL, folder[4096];
  bytes.count = strlen(files[file].text);
  memcpy(bytes.bytes, files[file].text, bytes.count);
  mutate(index, &bytes);
  mutation_save(test_path(FOLDER, files[file].name), &bytes);
  snprintf(folder, sizeof folder, "%s", test_path(FOLDER, "."));
  dls_fail(DLS_OK, "%s", "");
  DlsStatus status = dls_lmgc90_read(folder, &scene);
  if (status == DLS_OK) status = dls_lmgc90_deck(&scene, 0, 0, index % 2 == 0, &text);
  for (int k = 0; status == DLS_OK && k < scene.meshes; k++) {
    status = dls_lmgc90_mesh(&scene, k, &mesh);
    free(mesh);
  }
  *accepted = status == DLS_OK;
  const bool good =
      status == DLS_OK ? text != NULL : text == NULL && strlen(dls_error_message()) > 20;
  dls_lmgc90_clear(&scene);
  free(text);
  return good ? NULL : "no deck and no sentence";
}

static void spoil(const Lmgc90File *list, int count) {
  files = list;
  for (file = 0; file < count; file++) {
    for (int k = 0; k < count; k++) test_file(FOLDER, list[k].name, list[k].text);
    const int times = getenv("DELASSUS_LONG") ? MUTATIONS_LONG : MUTATIONS;
    const Mutations m = mutations_run(times, SECONDS, read_mutation);
    CHECK(m.accepted > 0 && m.accepted < times);
  }
}

TEST(no_mutation_crashes_or_hangs) { spoil(lmgc90_files, DLS_COUNT(lmgc90_files)); }

TEST(no_mutation_of_meshed_bodies_does) {
  test_file(FOLDER, "DOF.INI", "! none\n");
  spoil(lmgc90_mesh_files, DLS_COUNT(lmgc90_mesh_files));
}
