/* delassus doctor: what this build has, what it finds, how fast this machine is. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <delassus/laws.h>
#include <delassus/solver.h>
#include <delassus/version.h>

#include "app/app.h"
#include "app/options.h"
#include "app/speed.h"
#include "bulk/bulk.h"

/* What the preprocessor knows of how this was compiled. */
static void print_build(void) {
  printf("delassus     %s\n", DLS_VERSION);
  printf("compiler     %s %s, C %ld%s%s%s\n",
#ifdef __clang__
         "clang",
#else
         "gcc",
#endif
         __VERSION__, __STDC_VERSION__,
#ifdef __OPTIMIZE__
         ", optimised",
#else
         ", not optimised",
#endif
#ifdef NDEBUG
         ", no asserts",
#else
         ", asserts",
#endif
#ifdef __SANITIZE_ADDRESS__
         ", AddressSanitizer"
#else
         ""
#endif
  );
  printf("target       %s\n",
#if defined(__AVX512F__)
         "this kind of machine alone (AVX-512)"
#elif defined(__AVX2__)
         "this kind of machine alone (AVX2)"
#else
         "any x86-64; faster code is chosen at run time where there is some"
#endif
  );
}

static void print_machine(void) {
  struct utsname name;
  printf("processor   ");
#if defined(__x86_64__)
  __builtin_cpu_init();
  printf("%s%s%s%s", __builtin_cpu_supports("sse4.2") ? " sse4.2" : "",
         __builtin_cpu_supports("avx2") ? " avx2" : "", __builtin_cpu_supports("fma") ? " fma" : "",
         __builtin_cpu_supports("avx512f") ? " avx512f" : "");
#endif
  if (uname(&name) == 0) printf(" (%s, %s %s)", name.machine, name.sysname, name.release);
  printf("\n");
}

/* The file of a loaded library, found by a part of its name. */
typedef struct {
  const char *part;
  char path[1024];
} Search;

static int match_library(struct dl_phdr_info *info, size_t bytes, void *context) {
  Search *search = context;
  (void)bytes;
  const char *slash = strrchr(info->dlpi_name, '/');
  if (!strstr(slash ? slash : info->dlpi_name, search->part)) return 0;
  snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
  return 1;
}

/* Functions that tell a version; each library has its own shape of them. */
typedef int (*Version3)(unsigned *major, unsigned *minor, unsigned *release);
typedef int (*VersionArray)(int version[3]);
typedef int (*Version4)(int *major, int *minor, int *subminor, int *release);

static void version_of(void *library, char *text, size_t size) {
  union {
    void *object;
    Version3 hdf5;
    VersionArray cholmod;
    Version4 petsc;
  } f;
  unsigned a = 0, b = 0, c = 0;
  int v[4] = {0};
  text[0] = '\0';
  if ((f.object = dlsym(library, "PetscGetVersionNumber")) != NULL) {
    if (f.petsc(&v[0], &v[1], &v[2], &v[3]) == 0)
      snprintf(text, size, "%d.%d.%d", v[0], v[1], v[2]);
  } else if ((f.object = dlsym(library, "cholmod_version")) != NULL) {
    f.cholmod(v);
    snprintf(text, size, "%d.%d.%d", v[0], v[1], v[2]);
  } else if ((f.object = dlsym(library, "H5get_libversion")) != NULL) {
    if (f.hdf5(&a, &b, &c) == 0) snprintf(text, size, "%u.%u.%u", a, b, c);
  }
}

/* Those that the program, or a plugin that was loaded, stands on. */
static void print_libraries(void) {
  static const struct {
    const char *name, *part;
  } libraries[] = {
      {"HDF5", "libhdf5_serial."}, {"CHOLMOD", "libcholmod."}, {"UMFPACK", "libumfpack."},
      {"PETSc", "libpetsc"},       {"MPI", "libmpi."},         {"BLAS", "blas"},
  };
  for (int i = 0; i < DLS_COUNT(libraries); i++) {
    Search search = {.part = libraries[i].part};
    char version[64] = "";
    if (!dl_iterate_phdr(match_library, &search)) {
      printf("%-12s not loaded\n", libraries[i].name);
      continue;
    }
    void *library = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
    if (library && i != 2) version_of(library, version, sizeof version);
    printf("%-12s %s%s%s\n", libraries[i].name, version, version[0] ? "  " : "", search.path);
    if (library) dlclose(library);
  }
}

static int print_plugins(void) {
  const DlsSolver *const *solvers;
  const DlsLaw *const *laws;
  const DlsBulk *const *bulks;
  int nsolvers = 0, nlaws = 0, nbulks = 0;
  const DlsStatus status = dls_solver_list(&solvers, &nsolvers);
  printf("solvers     ");
  for (int i = 0; i < nsolvers && status == DLS_OK; i++) printf(" %s", solvers[i]->name);
  printf("\n");
  if (status != DLS_OK) printf("  %s\n", dls_error_message());
  app_print_lines("  not loaded:", dls_solver_failures());
  app_print_lines("  looked for in:", dls_solver_folders());
  const DlsStatus law_status = dls_law_list(&laws, &nlaws);
  printf("laws        ");
  for (int i = 0; i < nlaws && law_status == DLS_OK; i++) printf(" %s", laws[i]->name);
  printf("\n");
  if (law_status != DLS_OK) printf("  %s\n", dls_error_message());
  app_print_lines("  not loaded:", dls_law_failures());
  app_print_lines("  looked for in:", dls_law_folders());
  const DlsStatus bulk_status = dls_bulk_list(&bulks, &nbulks);
  printf("bulk laws   ");
  for (int i = 0; i < nbulks && bulk_status == DLS_OK; i++) printf(" %s", bulks[i]->name);
  printf("\n");
  if (bulk_status != DLS_OK) printf("  %s\n", dls_error_message());
  app_print_lines("  not loaded:", dls_bulk_failures());
  const char *path = getenv("DELASSUS_PLUGIN_PATH");
  printf("  DELASSUS_PLUGIN_PATH is %s\n", path ? path : "not set");
  return nsolvers > 0;
}

static void print_speed(void) {
  static const struct {
    const char *sample;
    int size, assembled;
  } sweeps[] = {{"box", 1200, 0}, {"box", 1200, 1}, {"disks", 1000, 1}, {"wall", 10, 1}};
  printf("memory       %.1f GB/s (triad, one thread)\n", app_speed_triad());
  for (int i = 0; i < DLS_COUNT(sweeps); i++) {
    double ns = 0;
    printf("nsgs         %s:%d, %s: ", sweeps[i].sample, sweeps[i].size,
           sweeps[i].assembled ? "assembled" : "factored");
    if (app_speed_sweep(sweeps[i].sample, sweeps[i].size, sweeps[i].assembled, &ns) == DLS_OK)
      printf("%.0f ns per contact and sweep\n", ns);
    else
      printf("%s\n", dls_error_message());
  }
}

static int run(const AppCommand *self, int argc, char **argv) {
  const int status = app_options_read(self, argc, argv, NULL);
  if (status != APP_GO_ON) return status;
  print_build();
  print_machine();
  const int found = print_plugins();
  print_libraries();
  print_speed();
  return found ? APP_DONE : APP_NOT_CONVERGED;
}

const AppCommand app_doctor = {
    .name = "doctor",
    .usage = "",
    .summary = "What this build has, which laws and solvers it finds, how fast this machine is",
    .run = run,
};
