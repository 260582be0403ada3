/* Broken plugins: each is answered by its own sentence, none by a crash, a hang or a leak. The
 * files come from tests/plugins/broken*.c (see tests/unit/CMakeLists.txt), or are spoilt here from
 * the sound one. */
#include "tests/test.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <delassus/laws.h>
#include <delassus/solver.h>

#define BUILT  TEST_BINARY_DIR "/tests/plugins"
#define SCRAPS TEST_BINARY_DIR "/tests/tmp/base_plugin"

/* Where the fault shows. */
typedef enum { LOAD, PREPARE, RESIDUAL, SOLVE, PROJECT, COMMIT, ENERGY } Stage;

typedef struct {
  const char *name;
  Stage stage;
  const char *sentence; /* a part of it, which no other case has */
} Case;

static const Case laws[] = {
    {"undefined-symbol", LOAD, "undefined symbol: dls_test_undefined_symbol"},
    {"missing-symbol", LOAD, "missing-symbol.so: it exports no dls_law_entry()"},
    {"hidden-symbol", LOAD, "hidden-symbol.so: it exports no dls_law_entry()"},
    {"empty-object", LOAD, "empty-object.so: it exports no dls_law_entry()"},
    {"null-entry", LOAD, "dls_law_entry() returns NULL"},
    {"solver-entry", LOAD, "it exports dls_solver_entry, so it is a plugin of another kind"},
    {"wrong-abi", LOAD, "its ABI number is 9, this program's is 3"},
    {"wrong-size", LOAD, "its struct has "},
    {"zero-head", LOAD, "its ABI number is 0, this program's is 3"},
    {"null-name", LOAD, "null-name.so: its name is NULL"},
    {"empty-name", LOAD, "empty-name.so: its name is not of the form"},
    {"capital-name", LOAD, "capital-name.so: its name is not of the form"},
    {"control-name", LOAD, "control-name.so: its name is not of the form"},
    {"long-name", LOAD, "long-name.so: its name is not of the form"},
    {"other-name", LOAD, "its name is 'another'; call the file another.so"},
    {"null-summary", LOAD, ".summary is NULL"},
    {"control-summary", LOAD, ".summary is no line"},
    {"bell-description", LOAD, ".description is no text"},
    {"null-references", LOAD, ".references is NULL"},
    {"null-params", LOAD, "its table of 2 parameters is NULL"},
    {"negative-params", LOAD, "it declares -1 parameters"},
    {"many-params", LOAD, "it declares 1000000000 parameters, 64 are allowed"},
    {"null-states", LOAD, "its table of 1 state variables is NULL"},
    {"many-states", LOAD, "it declares 65 state variables, 64 are allowed"},
    {"param-null-name", LOAD, "parameter 1 has no name"},
    {"param-bad-name", LOAD, "the name of parameter 1 is not of the form"},
    {"param-twice", LOAD, "parameters 0 and 1 are both called 'mu'"},
    {"param-no-unit", LOAD, "parameter 'k' has no unit"},
    {"param-no-meaning", LOAD, "parameter 'k' has no meaning"},
    {"param-nan-default", LOAD, "the default of parameter 'k' is nan"},
    {"param-outside", LOAD, "the default 5 of parameter 'k' is not within its bounds 0 and 2"},
    {"param-bounds", LOAD, "parameter 'k' has the bounds 2 and 0"},
    {"param-nan-bound", LOAD, "a bound of parameter 'k' is not a number"},
    {"state-outside", LOAD, "the default -1 of state variable 'wear'"},
    {"bad-blocks", LOAD, ".blocks is 0x10"},
    {"no-functions", LOAD, "it has neither prepare nor traction nor residual"},
    {"no-commit", LOAD, "it has state variables but no commit"},
    {"solve-alone", LOAD, "it has solve or project but no residual"},
    {"other-block", PREPARE, "it does not serve blocks of 3 components"},
    {"prepare-nan-b", PREPARE, "prepare gives b[1] = nan"},
    {"prepare-inf-a", PREPARE, "prepare gives a[0] = inf"},
    {"prepare-nan-c", PREPARE, "prepare gives C[0] = nan"},
    {"prepare-negative-c", PREPARE, "prepare gives C[0] = -1, below zero"},
    {"prepare-nan-mu", PREPARE, "prepare gives mu[0] = nan"},
    {"prepare-negative-mu", PREPARE, "prepare gives mu[0] = -0.1, below zero"},
    {"prepare-unknown-cone", PREPARE, "prepare gives the cone 77, not known"},
    {"prepare-rolling", PREPARE, "the cone ROLLING for a block of 3"},
    {"prepare-custom", PREPARE, "the cone CUSTOM, but the law has no residual"},
    {"prepare-error", PREPARE, "prepare failed at t = 0.25 s, gap 0.001 m, with status 6"},
    {"prepare-status", PREPARE, "with status 99 (unknown status)"},
    {"residual-nan", RESIDUAL, "residual gives F[1] = nan"},
    {"residual-inf", RESIDUAL, "residual gives dF_du[3] = -inf"},
    {"residual-nan-dr", RESIDUAL, "residual gives dF_dr[0] = nan"},
    {"residual-error", RESIDUAL, "residual failed"},
    {"solve-nan", SOLVE, "solve gives r[0] = nan"},
    {"project-inf", PROJECT, "project gives r[0] = inf"},
    {"commit-nan", COMMIT, "commit gives the state wear = nan"},
    {"commit-outside", COMMIT, "the state wear = 2, not within its bounds 0 and 1"},
    {"commit-error", COMMIT, "commit failed"},
    {"energy-nan-stored", ENERGY, "energy gives nan J stored"},
    {"energy-inf-dissipated", ENERGY, "energy gives inf J dissipated"},
    {"energy-error", ENERGY, "with status 8 (a computation gave no finite number)"},
};

static const Case solvers[] = {
    {"solver-abi", LOAD, "its ABI number is 4, this program's is 3"},
    {"solver-null", LOAD, "dls_solver_entry() returns NULL"},
    {"solver-summary", LOAD, ".summary is NULL; say"},
    {"solver-functions", LOAD, "create, solve or destroy is NULL"},
    {"option-wide", LOAD, "are not within those of an int"},
    {"option-outside", LOAD, "the default 2 of option 'order' is not within 0 and 1"},
    {"option-choices", LOAD, "option 'order' has no choices"},
    {"option-twice", LOAD, "options 0 and 1 are both called 'omega'"},
    {"option-kind", LOAD, "option 'order' is of kind 9"},
    {"option-nameless", LOAD, "option 1 has no name"},
    {"option-table", LOAD, "its table of 2 options is NULL"},
    {"option-count", LOAD, "it declares -3 options"},
    {"option-beyond", LOAD, "option 'order' lies beyond the 8 bytes"},
};

static const DlsContact contact = {.dim = 3, .block = 3, .time = 0.25, .h = 1e-3, .gap = 1e-3};

/* Uses the law up to the stage; the status of that stage. */
static DlsStatus use_law(const DlsLaw *law, Stage stage) {
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS], stored, dissipated;
  double u[3] = {0, 1, 0}, r[3] = {1, 0, 0}, F[3], du[9], dr[9], D[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  DlsRelation relation;
  DlsCustomRelation custom;
  dls_law_defaults(law, params);
  dls_law_new_state(law, state);
  const DlsLawUse use = {
      .law = law, .contact = 42, .kinematics = &contact, .params = params, .state = state};
  DlsStatus status = dls_law_prepare(&use, &relation);
  if (stage == PREPARE || status != DLS_OK) return status;
  if (stage == COMMIT) {
    status = dls_law_commit(&use, u, r, state);
    CHECK(status == DLS_OK || state[0] == 0); /* a refused state is not kept */
    return status;
  }
  if (stage == ENERGY) return dls_law_energy(&use, u, r, &stored, &dissipated);
  DLS_TRY(dls_law_custom(&use, &custom));
  if (stage == SOLVE) return custom.solve(custom.context, D, u, r);
  if (stage == PROJECT) return custom.project(custom.context, u, 1.0, r);
  return custom.residual(custom.context, u, r, F, du, dr);
}

static DlsStatus try_law(const char *path, Stage stage) {
  const DlsLaw *law = NULL;
  const DlsStatus status = dls_law_load(path, &law);
  CHECK((status == DLS_OK) == (law != NULL));
  if (stage == LOAD || status != DLS_OK) return status;
  return use_law(law, stage);
}

TEST(each_broken_law_has_its_sentence) {
  for (int i = 0; i < DLS_COUNT(laws); i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/laws/%s.so", BUILT, laws[i].name);
    CHECK_FAILS(try_law(path, laws[i].stage), laws[i].stage == LOAD ? DLS_ERR_PLUGIN : DLS_ERR_LAW,
                laws[i].sentence);
    CHECK(test_contains(dls_error_message(), laws[i].name)); /* file, or law by name */
    if (laws[i].stage != LOAD) CHECK(test_contains(dls_error_message(), "contact 42: "));
    for (int k = 0; k < i; k++) CHECK(strcmp(laws[k].sentence, laws[i].sentence) != 0);
  }
}

TEST(each_broken_solver_has_its_sentence) {
  for (int i = 0; i < DLS_COUNT(solvers); i++) {
    char path[1024];
    const DlsSolver *solver = NULL;
    snprintf(path, sizeof path, "%s/solvers/%s.so", BUILT, solvers[i].name);
    CHECK_FAILS(dls_solver_find(path, &solver), DLS_ERR_PLUGIN, solvers[i].sentence);
    CHECK(!solver);
  }
}

TEST(a_sound_law_and_a_sound_solver_pass) {
  const DlsSolver *solver;
  CHECK_OK(try_law(BUILT "/laws/sound.so", PREPARE));
  CHECK_OK(try_law(BUILT "/laws/sound.so", COMMIT));
  CHECK_OK(try_law(BUILT "/laws/sound.so", ENERGY));
  CHECK_OK(try_law(BUILT "/laws/sound-residual.so", RESIDUAL));
  CHECK_OK(dls_solver_find(BUILT "/solvers/sound-solver.so", &solver));
}

static int shared_objects(const char *folder) {
  DIR *listing = opendir(folder);
  int count = 0;
  for (const struct dirent *e; listing && (e = readdir(listing));)
    count += test_contains(e->d_name, ".so");
  if (listing) closedir(listing);
  return count;
}

/* A list passes over what does not load, and says why. */
TEST(lists_leave_broken_plugins_out) {
  const DlsLaw *const *found;
  const DlsSolver *const *others;
  int count, listed = 0, lines = 1;
  setenv("DELASSUS_PLUGIN_PATH", BUILT, 1);
  CHECK_OK(dls_law_list(&found, &count));
  for (int i = 0; i < count; i++) listed += strcmp(found[i]->name, "sound") == 0;
  for (const char *c = dls_law_failures(); *c; c++) lines += *c == '\n';
  int refused = 0;
  for (int i = 0; i < DLS_COUNT(laws); i++)
    refused += laws[i].stage == LOAD && strcmp(laws[i].name, "solver-entry") != 0;
  CHECK_INT(listed, 1);
  CHECK_INT(lines, refused);
  CHECK(test_contains(dls_law_failures(), "wrong-abi.so: its ABI number is 9"));
  CHECK_INT(shared_objects(BUILT "/laws"), DLS_COUNT(laws) + 2); /* none is left untested */
  CHECK_OK(dls_solver_list(&others, &count));
  CHECK_INT(strcmp(others[count - 1]->name, "sound-solver"), 0);
  CHECK(test_contains(dls_solver_failures(), "option 1 has no name"));
  CHECK_INT(shared_objects(BUILT "/solvers"), DLS_COUNT(solvers) + 1);
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* Files that are no shared object. The sound one, whole in memory, is the matter of most. */
typedef struct {
  unsigned char *bytes;
  size_t size;
} File;

static File read_file(const char *path) {
  File f = {NULL, 0};
  FILE *stream = fopen(path, "rb");
  if (!stream) test_skip("the sound plugin is not built");
  fseek(stream, 0, SEEK_END);
  f.size = (size_t)ftell(stream);
  rewind(stream);
  f.bytes = malloc(f.size);
  CHECK_INT(fread(f.bytes, 1, f.size, stream), f.size);
  fclose(stream);
  return f;
}

static const char *write_file(const char *name, const void *bytes, size_t size) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", SCRAPS, name);
  unlink(path);
  FILE *stream = fopen(path, "wb");
  CHECK(stream && fwrite(bytes, 1, size, stream) == size);
  if (stream) fclose(stream);
  return path;
}

static void make_scraps(void) {
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(SCRAPS, 0777);
}

#define REFUSED(path, sentence) CHECK_FAILS(try_law(path, LOAD), DLS_ERR_PLUGIN, sentence)

TEST(a_file_that_is_no_object_is_refused) {
  const char text[] = "#!/bin/sh\nexit 0\n";
  make_scraps();
  REFUSED(SCRAPS "/absent.so", "absent.so: No such file or directory");
  REFUSED(write_file("empty.so", "", 0), "the file is empty");
  REFUSED(write_file("text.so", text, sizeof text), "it does not begin as a shared object does");
  REFUSED(write_file("short.so", "\177EL", 3), "short.so: it does not begin as a shared object");
  mkdir(SCRAPS "/folder.so", 0777);
  REFUSED(SCRAPS "/folder.so", "it is a folder");
  unlink(SCRAPS "/link.so");
  CHECK(symlink("nowhere.so", SCRAPS "/link.so") == 0);
  REFUSED(SCRAPS "/link.so", "it is a link to nothing");
  unlink(SCRAPS "/loop.so");
  CHECK(symlink("loop.so", SCRAPS "/loop.so") == 0);
  REFUSED(SCRAPS "/loop.so", "Too many levels of symbolic links");
  unlink(SCRAPS "/pipe.so");
  CHECK(mkfifo(SCRAPS "/pipe.so", 0666) == 0);
  REFUSED(SCRAPS "/pipe.so", "it is no regular file but a pipe");
  const char *locked = write_file("locked.so", text, sizeof text);
  chmod(locked, 0);
  const uid_t self = geteuid();
  if (self == 0) CHECK(seteuid(65534) == 0); /* permissions do not bind root */
  REFUSED(locked, "Permission denied");
  if (self == 0) CHECK(seteuid(0) == 0);
}

/* At any length short of the whole, by a sentence. */
TEST(a_truncated_object_is_refused) {
  make_scraps();
  File f = read_file(BUILT "/laws/sound.so");
  const size_t lengths[] = {4,    40,   63,   64,   100,        500,
                            1000, 4096, 5000, 8192, f.size / 2, f.size - 1};
  for (int i = 0; i < DLS_COUNT(lengths); i++)
    if (lengths[i] < f.size) REFUSED(write_file("cut.so", f.bytes, lengths[i]), "it is cut off");
  for (size_t length = 4; length < f.size; length += 61)
    REFUSED(write_file("cut.so", f.bytes, length), "it is cut off");
  free(f.bytes);
}

TEST(an_object_for_another_machine_is_refused) {
  make_scraps();
  File f = read_file(BUILT "/laws/sound.so");
  Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)f.bytes;
  const Elf64_Ehdr sound = *header;
  header->e_ident[EI_CLASS] = ELFCLASS32;
  REFUSED(write_file("narrow.so", f.bytes, f.size),
          "it is a 32-bit object, this program is 64-bit");
  *header = sound;
  header->e_ident[EI_DATA] = ELFDATA2MSB;
  REFUSED(write_file("order.so", f.bytes, f.size), "its byte order is 2");
  *header = sound;
  header->e_machine = EM_SPARCV9;
  REFUSED(write_file("machine.so", f.bytes, f.size), "it is for machine type 43");
  *header = sound;
  header->e_type = ET_REL;
  REFUSED(write_file("relocatable.so", f.bytes, f.size), "(an object file)");
  header->e_type = 1234;
  REFUSED(write_file("type.so", f.bytes, f.size), "type 1234 (unknown)");
  free(f.bytes);
}

TEST(an_object_with_spoilt_tables_is_refused) {
  make_scraps();
  File f = read_file(BUILT "/laws/sound.so");
  Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)f.bytes;
  const Elf64_Ehdr sound = *header;
  header->e_phnum = 0;
  REFUSED(write_file("none.so", f.bytes, f.size), "its 0 program headers");
  *header = sound;
  header->e_phoff = UINT64_MAX - 8;
  REFUSED(write_file("far.so", f.bytes, f.size), "before its program headers end");
  *header = sound;
  header->e_shoff = f.size;
  REFUSED(write_file("sections.so", f.bytes, f.size), "before its section headers end");
  *header = sound;
  Elf64_Phdr *segment = (Elf64_Phdr *)(void *)(f.bytes + header->e_phoff);
  while (segment->p_type != PT_LOAD) segment++;
  const Elf64_Phdr load = *segment;
  segment->p_filesz = segment->p_memsz = 1ull << 40;
  REFUSED(write_file("long.so", f.bytes, f.size), "it is cut off");
  *segment = load;
  segment->p_offset = UINT64_MAX - 100;
  REFUSED(write_file("beyond.so", f.bytes, f.size), "it is cut off");
  *segment = load;
  segment->p_memsz = 0;
  REFUSED(write_file("more.so", f.bytes, f.size), "holds more in the file than in memory");
  *segment = load;
  for (segment = (Elf64_Phdr *)(void *)(f.bytes + header->e_phoff); segment->p_type != PT_DYNAMIC;)
    segment++;
  segment->p_type = PT_NULL;
  REFUSED(write_file("static.so", f.bytes, f.size), "it has no dynamic section");
  free(f.bytes);
}

TEST(a_program_is_no_plugin) {
  REFUSED(BUILT "/programs/program-pie.so", "cannot dynamically load position-independent");
  REFUSED(BUILT "/programs/program-nopie.so", "type 2 (a program) and no shared object");
}
