/* What the library shows of itself: the functions that its headers declare and no other, headers
 * that stand alone in C and in C++, one version, and defaults that are what they say. */
#include <delassus/delassus.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/files.h"
#include "tests/io/app_run.h"

#define HEADERS TEST_SOURCE_DIR "/core/include/delassus"

enum { MOST = 1000, LONGEST = 80 };

typedef struct {
  int count;
  char name[MOST][LONGEST];
} Names;

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void add(Names *names, const char *text, size_t length) {
  CHECK(names->count < MOST && length < LONGEST);
  if (names->count == MOST || length >= LONGEST) return;
  snprintf(names->name[names->count++], LONGEST, "%.*s", (int)length, text);
}

static void sort(Names *names) { qsort(names->name, (size_t)names->count, LONGEST, by_text); }

static void list_headers(Names *names) {
  DIR *dir = opendir(HEADERS);
  CHECK(dir != NULL);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (strstr(entry->d_name, ".h")) add(names, entry->d_name, strlen(entry->d_name));
  if (dir) closedir(dir);
  sort(names);
}

/* The name before the first parenthesis behind each DLS_EXPORT; entries are defined by plugins. */
static void declared_in(const char *text, Names *names) {
  static const char mark[] = "\nDLS_EXPORT ";
  for (const char *at = text; (at = strstr(at, mark));) {
    at += sizeof mark - 1;
    const char *end = strchr(at, '('), *from = end;
    CHECK(end != NULL);
    if (!end) return;
    while (from > at && (from[-1] == '_' || isalnum((unsigned char)from[-1]))) from--;
    if (strncmp(end - 6, "_entry", 6) != 0) add(names, from, (size_t)(end - from));
  }
}

static void exported(Names *names) {
  char line[512], name[LONGEST];
  FILE *pipe = popen("nm -D --defined-only " TEST_BINARY_DIR "/lib/libdelassus.so", "r");
  CHECK(pipe != NULL);
  while (pipe && fgets(line, sizeof line, pipe))
    if (sscanf(line, "%*s %*c %79s", name) == 1) add(names, name, strlen(name));
  if (pipe) CHECK_INT(pclose(pipe), 0);
  sort(names);
}

TEST(the_library_exports_what_its_headers_declare_and_nothing_else) {
  static Names headers, wanted, there;
  list_headers(&headers);
  for (int k = 0; k < headers.count; k++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", HEADERS, headers.name[k]);
    declared_in(get_text(path), &wanted);
  }
  sort(&wanted);
  exported(&there);
  CHECK(wanted.count > 100);
  int i = 0, j = 0;
  while (i < wanted.count || j < there.count) {
    const int order = i == wanted.count  ? 1
                      : j == there.count ? -1
                                         : strcmp(wanted.name[i], there.name[j]);
    if (order < 0) test_fail(__FILE__, __LINE__, "%s is declared, not exported", wanted.name[i]);
    if (order > 0) test_fail(__FILE__, __LINE__, "%s is exported, not declared", there.name[j]);
    i += order <= 0;
    j += order >= 0;
  }
}

/* Each header alone, by `compiler`, warnings being errors. */
static void check_headers(const char *compiler, const char *suffix) {
  static Names headers;
  const char *folder = app_folder("library_face");
  if (!headers.count) list_headers(&headers);
  CHECK(headers.count > 15);
  for (int k = 0; k < headers.count; k++) {
    char path[700], text[256], command[2048];
    snprintf(path, sizeof path, "%s/%s.%s", folder, headers.name[k], suffix);
    snprintf(text, sizeof text, "#include <delassus/%s>\n#include <delassus/%s>\n", headers.name[k],
             headers.name[k]);
    put_text(path, text);
    snprintf(command, sizeof command,
             "%s -pedantic-errors -Wall -Wextra -Wshadow -Werror -fsyntax-only -I%s/core/include "
             "%s",
             compiler, TEST_SOURCE_DIR, path);
    if (system(command) != 0) test_fail(__FILE__, __LINE__, "%s", command);
  }
}

TEST(every_header_stands_alone_in_c11_and_in_cpp17) {
  check_headers("cc -std=c11 -Wstrict-prototypes", "c");
  if (system("c++ --version > /dev/null 2>&1") != 0) test_skip_package("build-essential");
  check_headers("c++ -std=c++17", "cpp");
}

TEST(delassus_h_includes_every_header) {
  static Names headers;
  list_headers(&headers);
  for (int k = 0; k < headers.count; k++) {
    char line[128];
    snprintf(line, sizeof line, "\n#include <delassus/%s>\n", headers.name[k]);
    if (strcmp(headers.name[k], "delassus.h") == 0) continue;
    if (!strstr(get_text(HEADERS "/delassus.h"), line))
      test_fail(HEADERS "/delassus.h", 0, "%s is not there", headers.name[k]);
  }
}

/* Header, library, program, CMake and pkg-config. */
TEST(there_is_one_version) {
  char numbers[64];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", DLS_VERSION_MAJOR, DLS_VERSION_MINOR,
           DLS_VERSION_PATCH);
  CHECK(strcmp(numbers, DLS_VERSION) == 0);
  CHECK(strcmp(dls_version(), DLS_VERSION) == 0);
  CHECK_RUN("--version", 0, "delassus " DLS_VERSION "\n");
  CHECK(test_contains(get_text(TEST_BINARY_DIR "/delassus.pc"), "\nVersion: " DLS_VERSION "\n"));
  CHECK(test_contains(get_text(TEST_BINARY_DIR "/lib/cmake/delassus/delassusConfigVersion.cmake"),
                      "set(PACKAGE_VERSION \"" DLS_VERSION "\")"));
}

/* A ball of 1 kg that comes with 1 m/s: a free contact leaves it alone, a unilateral one, made of
 * it, stops it; both within the default limits. */
TEST(defaults_are_what_their_headers_say) {
  const int start[] = {0, 1, 2}, column[] = {0, 1};
  const double W[] = {1, 0, 0, 1, 1, 0, 0, 1}, q[] = {-1, 0, -1, 0};
  DlsRelation relations[2] = {dls_relation_default(), dls_relation_default()};
  DlsOperator *operator= NULL;
  DlsProblem *problem = NULL;
  const DlsSolver *solver = NULL;
  const DlsLimits limits = dls_limits_default();
  DlsReport report;
  double r[4] = {3, 2, 1, 0};
  relations[1].cone = DLS_CONE_SIGNORINI;
  CHECK_OK(dls_operator_create_assembled(2, 2, start, column, W, &operator));
  CHECK_OK(dls_problem_create(2, &operator, q, relations, NULL, &problem));
  CHECK_OK(dls_solver_find("nsgs", &solver));
  if (!problem || !solver) return;
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  CHECK_BELOW(report.error, 1e-6);
  CHECK_NEAR(r[0], 0, 1e-6);
  CHECK_NEAR(r[2], 1, 2e-6);
  dls_problem_destroy(&problem);
}

/* A law at the default contact: nothing moves, so nothing is given back. */
TEST(a_default_contact_is_one_that_laws_accept) {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
  CHECK_OK(dls_law_find("coulomb", &law));
  if (!law) return;
  dls_law_defaults(law, params);
  for (int dim = 2; dim <= 3; dim++) {
    const DlsContact contact = dls_contact_default(dim);
    DlsLawUse use = dls_law_use_default(law);
    DlsRelation relation = dls_relation_default();
    use.kinematics = &contact;
    use.params = params;
    use.state = state;
    CHECK_OK(dls_law_begin(&use, state));
    CHECK_OK(dls_law_prepare(&use, &relation));
    CHECK_INT(relation.cone, DLS_CONE_COULOMB);
    CHECK(relation.b[0] == 0 && relation.b[1] == 0 && relation.a[0] == 0);
  }
}
