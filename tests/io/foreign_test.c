/* No code of strangers runs: a library that lies in the current folder, beside a deck or above the
 * place of installation is not found by the program, its library or its plugins; and a shared
 * object that is no plugin is refused before its constructors run. */
#include <unistd.h>

#include "tests/io/app_run.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/foreign"

/* Marks a file when it is loaded. */
static const char planted[] = "#include <fcntl.h>\n#include <unistd.h>\n"
                              "__attribute__((constructor)) static void run(void) {\n"
                              "  close(open(\"" FOLDER "/ran\", O_CREAT | O_WRONLY, 0666));\n}\n";

static int shell(const char *script) {
  const int status = system(script);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool ran(void) {
  const bool there = access(FOLDER "/ran", F_OK) == 0;
  unlink(FOLDER "/ran");
  return there;
}

/* FOLDER/planted.so, the tree installed in FOLDER/above/prefix, empty current folders; once. */
static void prepare(void) {
  static bool done;
  if (done) return;
  done = true;
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  CHECK_INT(shell("rm -rf " FOLDER " && mkdir -p " FOLDER "/current " FOLDER "/above"), 0);
  FILE *file = fopen(FOLDER "/planted.c", "w");
  CHECK(file && fputs(planted, file) >= 0 && fclose(file) == 0);
  CHECK_INT(shell("cc -shared -fPIC " FOLDER "/planted.c -o " FOLDER "/planted.so"), 0);
  CHECK_INT(shell("cmake --install " TEST_BINARY_DIR " --prefix " FOLDER "/above/prefix > " FOLDER
                  "/install.log 2>&1"),
            0);
}

/* Goes through "a:b" for one file of a tree: each entry begins with $ORIGIN, and stays in the
 * tree. */
static void check_entries(const char *tree, const char *path, const char *entries) {
  if (!*entries) test_fail(path, 0, "an empty entry at the end: the current folder");
  for (const char *from = entries; *from;) {
    char entry[1024], place[4096], real[4096];
    const size_t length = strcspn(from, ":");
    snprintf(entry, sizeof entry, "%.*s", (int)length, from);
    if (strncmp(entry, "$ORIGIN", 7) != 0) {
      test_fail(path, 0, "RUNPATH has \"%s\", which does not begin with $ORIGIN", entry);
    } else {
      const char *slash = strrchr(path, '/');
      snprintf(place, sizeof place, "%.*s%s", (int)(slash - path), path, entry + 7);
      if (!realpath(place, real) || strncmp(real, tree, strlen(tree)) != 0 ||
          strlen(real) <= strlen(tree))
        test_fail(path, 0, "RUNPATH has \"%s\", outside of its tree", entry);
    }
    from += length;
    if (*from == ':' && from[1] == '\0') test_fail(path, 0, "RUNPATH ends in an empty entry");
    from += *from == ':';
  }
}

/* What can be loaded of a tree; the number of files. */
static int check_tree(const char *tree, const char *folders) {
  char command[8192], path[2048], line[4096], real[4096];
  int files = 0;
  if (!realpath(tree, real)) return 0;
  snprintf(command, sizeof command,
           "cd %s && find %s -type f \\( -name '*.so*' -o -name delassus \\) | sort", real,
           folders);
  FILE *list = popen(command, "r");
  while (list && fgets(path, sizeof path, list)) {
    char whole[8192];
    path[strcspn(path, "\n")] = '\0';
    snprintf(whole, sizeof whole, "%s/%s", real, path);
    snprintf(command, sizeof command, "readelf -d '%s/%s'", real, path);
    FILE *table = popen(command, "r");
    while (table && fgets(line, sizeof line, table)) {
      char *open = strchr(line, '['), *close = strrchr(line, ']');
      if (!strstr(line, "(RUNPATH)") && !strstr(line, "(RPATH)")) continue;
      if (!open || !close) continue;
      *close = '\0';
      check_entries(real, whole, open + 1);
    }
    CHECK(table && pclose(table) == 0);
    files++;
  }
  if (list) pclose(list);
  return files;
}

TEST(libraries_are_looked_for_inside_the_tree_alone) {
  prepare();
  CHECK(check_tree(TEST_BINARY_DIR, "bin/delassus lib") > 10);
  CHECK(check_tree(FOLDER "/above/prefix", ".") > 10);
}

/* The planted library bears the name of each library that program, library and plugins need. */
static void plant(const char *folder, const char *product) {
  char script[4096];
  snprintf(script, sizeof script,
           "cd '%s' && for f in %s; do readelf -d $f; done | sed -n "
           "'s/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p' "
           "| sort -u | while read n; do cp " FOLDER
           "/planted.so '%s'/$n; done; ls '%s' | grep -q yaml",
           product, "bin/delassus lib*/libdelassus.so* lib*/delassus/*/*.so", folder, folder);
  CHECK_INT(shell(script), 0);
}

TEST(a_library_in_the_current_folder_does_not_run) {
  prepare();
  plant(FOLDER "/current", TEST_BINARY_DIR);
  static const char *const calls[] = {"law list", "solve --sample slope --solver newton --quiet",
                                      "doctor"};
  for (int i = 0; i < DLS_COUNT(calls); i++) {
    char script[2048];
    snprintf(script, sizeof script, "cd " FOLDER "/current && %s %s > out.txt 2>&1", APP_PROGRAM,
             calls[i]);
    CHECK_INT(shell(script), 0);
    CHECK(!ran());
    snprintf(script, sizeof script,
             "cd " FOLDER "/current && " FOLDER "/above/prefix/bin/delassus %s > out.txt 2>&1",
             calls[i]);
    CHECK_INT(shell(script), 0);
    CHECK(!ran());
  }
  /* The trap itself works: */
  CHECK_INT(shell("cd " FOLDER "/current && LD_PRELOAD=" FOLDER "/planted.so /bin/true"), 0);
  CHECK(ran());
}

TEST(a_library_above_the_place_of_installation_does_not_run) {
  prepare();
  plant(FOLDER "/above", TEST_BINARY_DIR);
  CHECK_INT(shell("cd / && " FOLDER "/above/prefix/bin/delassus solve --sample slope --quiet"), 0);
  CHECK_INT(shell("cd / && " FOLDER "/above/prefix/bin/delassus solve --sample slope --quiet "
                  "--solver newton"),
            0);
  CHECK(!ran());
}

TEST(an_object_that_is_no_plugin_is_refused_before_it_runs) {
  prepare();
  CHECK_RUN("law show " FOLDER "/planted.so", 2, "exports no dls_law_entry()");
  CHECK(!ran());
  CHECK_INT(shell("mkdir -p " FOLDER "/path && cp " FOLDER "/planted.so " FOLDER "/path/"), 0);
  CHECK_INT(shell("DELASSUS_PLUGIN_PATH=" FOLDER "/path " APP_PROGRAM
                  " solve --sample slope --solver planted > /dev/null 2>&1"),
            2);
  CHECK_INT(shell("DELASSUS_PLUGIN_PATH=" FOLDER "/path " APP_PROGRAM " doctor > /dev/null"), 0);
  CHECK(!ran());
}
