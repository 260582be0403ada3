/* delassus bulk new: a folder with a bulk law that builds at once, outside of this project. */
#include "app/bulk/new.h"

#include <stdio.h>

#include "app/app.h"
#include "app/new_folder.h"
#include "app/options.h"

typedef struct {
  const char *name, *folder;
  int language;
} New;

static const AppOption options[] = {
    APP_OPERAND_ROW(New, name, "law"),
    APP_CHOICE_ROW(New, language, "language", "L", "c|c++", "that it is written in; c"),
    APP_TEXT_ROW(New, folder, "out", "DIR", "the folder; NAME unless given"),
};

static const char *suffix(const New *new) { return new->language ? "cpp" : "c"; }

static DlsStatus write_files(const New *new) {
  const AppMark marks[] = {{"NAME", new->name},
                           {"SUFFIX", suffix(new)},
                           {"LANGUAGE", new->language ? "CXX" : "C"},
                           {"STANDARD", new->language ? "set(CMAKE_CXX_STANDARD 20)\n" : ""},
                           {"COMPILER", new->language ? "c++ -std=c++20" : "cc"}};
  char source[APP_NEW_NAME + 8], deck[APP_NEW_NAME + 8];
  snprintf(source, sizeof source, "%s.%s", new->name, suffix(new));
  snprintf(deck, sizeof deck, "%s.yaml", new->name);
  const struct {
    const char *name, *text;
  } files[] = {{source, bulk_new_source},
               {"CMakeLists.txt", bulk_new_cmake},
               {"README.md", bulk_new_readme},
               {"pull.yaml", bulk_new_path},
               {deck, bulk_new_deck}};
  DLS_TRY(app_new_folder(new->folder));
  for (int k = 0; k < DLS_COUNT(files); k++)
    DLS_TRY(app_new_file(new->folder, files[k].name, files[k].text, marks, DLS_COUNT(marks)));
  return DLS_OK;
}

/* The commands that come next, with the places of this very program. */
static void say(const New *new) {
  char self[APP_NEW_PATH], prefix[APP_NEW_PATH];
  const char *folder = new->folder, *name = new->name;
  app_new_places(self, prefix);
  printf("%s/%s.%s        the law; change it step by step\n", folder, name, suffix(new));
  printf("%s/pull.yaml, %s/%s.yaml     a path of one point, and a deck, that use it\n", folder,
         folder, name);
  printf("%s/README.md, %s/CMakeLists.txt\n\nbuild it, check it, see it:\n", folder, folder);
  printf("  cmake -S %s -B %s/build -DCMAKE_PREFIX_PATH=%s\n", folder, folder, prefix);
  printf("  cmake --build %s/build\n", folder);
  printf("  %s bulk check %s/build/%s.so\n", self, folder, name);
  printf("  %s bulk path %s/build/%s.so %s/pull.yaml\n", self, folder, name, folder);
  printf("  %s bulk draw %s/build/%s.so\n", self, folder, name);
  printf("  DELASSUS_PLUGIN_PATH=%s/build %s run %s/%s.yaml\n", folder, self, folder, name);
}

static int run(const AppCommand *self, int argc, char **argv) {
  New new = {0};
  const int status = app_options_read(self, argc, argv, &new);
  if (status != APP_GO_ON) return status;
  if (!new.name) return app_refuse(self, "which name? delassus bulk new NAME");
  if (app_new_check_name("law", new.name) != DLS_OK) return app_refuse_status(self);
  if (!new.folder) new.folder = new.name;
  if (write_files(&new) != DLS_OK) return app_refuse_status(self);
  say(&new);
  return APP_DONE;
}

const AppCommand app_bulk_new = {
    .name = "bulk new",
    .usage = "NAME [options]",
    .summary = "Writes a folder with a new bulk law that builds at once",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
