/* delassus solver new: a folder with a solver that builds at once, outside of this project. */
#include "app/solver/new.h"

#include <delassus/solver.h>
#include <stdio.h>

#include "app/app.h"
#include "app/new_folder.h"
#include "app/options.h"

typedef struct {
  const char *name, *folder;
} New;

static const AppOption options[] = {
    APP_OPERAND_ROW(New, name, "solver"),
    APP_TEXT_ROW(New, folder, "out", "DIR", "the folder; NAME unless given"),
};

static DlsStatus write_files(const char *name, const char *folder) {
  const AppMark marks[] = {{"NAME", name}};
  char source[APP_NEW_NAME + 8];
  snprintf(source, sizeof source, "%s.c", name);
  DLS_TRY(app_new_folder(folder));
  DLS_TRY(app_new_file(folder, source, solver_new_source, marks, DLS_COUNT(marks)));
  DLS_TRY(app_new_file(folder, "CMakeLists.txt", solver_new_cmake, marks, DLS_COUNT(marks)));
  return app_new_file(folder, "README.md", solver_new_readme, marks, DLS_COUNT(marks));
}

/* The commands that come next, with the places of this very program. */
static void say(const char *name, const char *folder) {
  char self[APP_NEW_PATH], prefix[APP_NEW_PATH];
  app_new_places(self, prefix);
  printf("%s/%s.c        the solver; change it step by step\n", folder, name);
  printf("%s/README.md, %s/CMakeLists.txt\n\nbuild it, check it, race it:\n", folder, folder);
  printf("  cmake -S %s -B %s/build -DCMAKE_PREFIX_PATH=%s\n", folder, folder, prefix);
  printf("  cmake --build %s/build\n", folder);
  printf("  %s solver check %s/build/%s.so\n", self, folder, name);
  printf("  DELASSUS_PLUGIN_PATH=%s/build %s compare --sample box:60 --solvers %s,nsgs,bb\n",
         folder, self, name);
}

static int run(const AppCommand *self, int argc, char **argv) {
  New new = {0};
  const int status = app_options_read(self, argc, argv, &new);
  if (status != APP_GO_ON) return status;
  const char *name = new.name, *folder = new.folder ? new.folder : new.name;
  if (!name) return app_refuse(self, "which name? delassus solver new NAME");
  if (app_new_check_name("solver", name) != DLS_OK) return app_refuse_status(self);
  const DlsSolver *there;
  if (dls_solver_find(name, &there) == DLS_OK && !dls_solver_path(there))
    return app_refuse(self,
                      "'%s' is a built-in solver, which a plugin cannot replace; give it "
                      "another name",
                      name);
  if (write_files(name, folder) != DLS_OK) return app_refuse_status(self);
  say(name, folder);
  return APP_DONE;
}

const AppCommand app_solver_new = {
    .name = "solver new",
    .usage = "NAME [options]",
    .summary = "Writes a folder with a new solver that builds at once",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
