/* delassus import: input folders of other programs as decks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/options.h"
#include "base/file.h"
#include "import/lmgc90.h"

typedef struct {
  const char *folder, *out;
  double step, end;
  bool partial;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, folder, "folder"),
    APP_TEXT_ROW(Job, out, "out", "FILE", "the deck; -o is the same (default: on the screen)"),
    APP_REAL_ROW(Job, step, "step", "S", APP_ABOVE_0, APP_ANY,
                 "time step, in the place of the folder's"),
    APP_REAL_ROW(Job, end, "end", "S", APP_ABOVE_0, APP_ANY,
                 "when the run ends, in the place of the folder's"),
    APP_FLAG_ROW(Job, partial, "partial",
                 "writes the deck also where something of the folder is lost"),
};

static void tell(const DlsImportNotes *notes) {
  for (int k = 0; k < notes->count; k++) {
    const DlsImportNote *n = &notes->note[k];
    fprintf(stderr, "%s%s", n->lost ? "lost: " : "", n->text);
    if (n->again) fprintf(stderr, " (and %d times more)", n->again);
    fputc('\n', stderr);
  }
}

static DlsStatus write_file(const char *path, const char *text) {
  DlsFile *file;
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_put(file, text, strlen(text));
  return dls_file_commit(&file);
}

/* The deck, and beside it the meshes that it names. */
static DlsStatus write_all(const DlsLmgc90 *scene, const char *path, const char *deck,
                           const char *stem) {
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  for (int k = 0; k < scene->meshes; k++) {
    char name[4096], *mesh = NULL;
    snprintf(name, sizeof name, "%.*s%s-mailx%d.msh", folder, path, stem, k + 1);
    DLS_TRY(dls_lmgc90_mesh(scene, k, &mesh));
    const DlsStatus status = write_file(name, mesh);
    free(mesh);
    DLS_TRY(status);
  }
  return write_file(path, deck);
}

/* What the file is called, without its folder and ending: out/cubes.yaml: cubes. */
static void stem_of(const char *path, char out[256]) {
  const char *slash = strrchr(path, '/');
  snprintf(out, 256, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(out, '.');
  if (dot && dot != out) *dot = '\0';
}

static int import(const AppCommand *self, const Job *job) {
  char stem[256];
  DlsLmgc90 scene;
  char *text = NULL;
  DlsStatus status = dls_lmgc90_read(job->folder, &scene);
  stem_of(job->out ? job->out : "mesh", stem);
  scene.stem = stem;
  if (status == DLS_OK && scene.meshes && !job->out)
    status =
        dls_fail(DLS_ERR_ARGUMENT, "%s has MAILx, whose meshes stand beside the deck; give -o FILE",
                 scene.bodies_dat);
  if (status == DLS_OK) status = dls_lmgc90_deck(&scene, job->step, job->end, job->partial, &text);
  if (status == DLS_OK && job->out) status = write_all(&scene, job->out, text, stem);
  if (status == DLS_OK && !job->out) fputs(text, stdout);
  tell(&scene.notes);
  if (status == DLS_OK && job->out)
    printf("%d bodies of %s in %s\n", scene.bodies + scene.meshes, scene.folder, job->out);
  dls_lmgc90_clear(&scene);
  free(text);
  return status == DLS_OK ? APP_DONE : app_refuse_status(self);
}

static int run_lmgc90(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  char **words = malloc(((size_t)argc + 1) * sizeof *words);
  if (!words) return app_refuse(self, "out of memory");
  static char out[] = "--out";
  for (int k = 0; k < argc; k++) words[k] = strcmp(argv[k], "-o") == 0 ? out : argv[k];
  int status = app_options_read(self, argc, words, &job);
  if (status == APP_GO_ON)
    status = job.folder ? import(self, &job)
                        : app_refuse(self, "name the folder that holds BODIES.DAT or DATBOX");
  app_options_clear(self, &job);
  free(words);
  return status;
}

static const char details[] =
    "Reads BODIES.DAT, BULK_BEHAV.DAT, TACT_BEHAV.DAT, DRV_DOF.DAT, DOF.INI and COMMAND.DAT (or\n"
    "command.py) of DIR or DIR/DATBOX, of MAILx MODELS.DAT; their meshes are written beside the\n"
    "deck, DECK-mailx1.msh and so on. What is taken otherwise than there is told\n"
    "with file and line; what cannot be taken is lost, and refused without --partial.\n"
    "docs/import.md has the tables.\n"
    "\n"
    "  delassus import lmgc90 Aqueduc_PR -o aqueduct.yaml\n"
    "  delassus import lmgc90 wall/DATBOX --step 1e-3 --end 2 -o wall.yaml\n";

static const AppCommand app_import_lmgc90 = {
    .name = "import lmgc90",
    .usage = "DIR [options]",
    .summary = "The deck of an input folder of LMGC90",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run_lmgc90,
};

static const AppCommand *const verbs[] = {&app_import_lmgc90};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  const int status = app_options_read(self, argc, argv, NULL);
  return status == APP_GO_ON ? app_refuse(self, "write: delassus import lmgc90 DIR -o deck.yaml")
                             : status;
}

const AppCommand app_import = {
    .name = "import",
    .usage = "lmgc90 DIR -o FILE",
    .summary = "Input folders of other programs as decks",
    .details = "delassus import lmgc90 --help has the options.\n",
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
