/* Input folders of LMGC90 and the decks that say the same.
 *
 *   BODIES.DAT      RBDY2 and RBDY3 with contactors DISKx xKSID JONCx POLYG, SPHER PLANx CYLND
 *                   DNLYC POLYR; MAILx, of elements, with CLxxx ALpxx, CSpxn ASpxn
 *   BULK_BEHAV.DAT  densities, ELAS, gravity    TACT_BEHAV.DAT  laws and which colours meet
 *   DRV_DOF.DAT     velocities and forces       DOF.INI         where bodies are at the start
 *   MODELS.DAT      of MAILx                    COMMAND.DAT, command.py
 *                                               time step and end, where they can be read
 *
 * What is not known is told by notes: those that are `lost` make a deck that is not the folder. */
#ifndef DELASSUS_IMPORT_LMGC90_H
#define DELASSUS_IMPORT_LMGC90_H

#include "import/text.h"

enum { DLS_LMGC90_NAME = 8 };

typedef struct {
  char kind[DLS_LMGC90_NAME], colour[DLS_LMGC90_NAME];
  int line;
  double size[3];  /* m: byrd; High, byrd; or half axes */
  double shift[3]; /* m, in body axes */
  double frame[9]; /* its axes as rows alp, bet, gam, in body axes */
  bool framed;
  int vertices, vertex_room, vertices_told;
  double (*vertex)[3]; /* m */
  int faces, face_room, faces_told;
  int (*face)[3]; /* from 1 */
} DlsLmgc90Contactor;

/* (CT + AMP cos(OMEGA t + PHI)) clamp(RAMPI + RAMP t), clamped to [-1, 1]; or a table of t. */
typedef struct {
  int component; /* from 1 */
  bool force;    /* else a velocity */
  double number[6];
  int rows; /* of the table */
  double (*table)[2];
  int line;
} DlsLmgc90Drive;

typedef struct {
  int dim, line;
  char bulk[DLS_LMGC90_NAME];
  double avrd, gyrd, inertia[3]; /* m, m, kg m2 or 0 */
  double coordinate[6];
  double displacement[6], velocity[6], frame[9]; /* of DOF.INI; rows a, b, c: axes of the body */
  bool moved, framed;                            /* told there */
  DlsLmgc90Contactor *contactor;
  int contactors, contactor_room;
  DlsLmgc90Drive *drive;
  int drives, drive_room;
} DlsLmgc90Body;

/* A meshed body, MAILx. Nodes of cells and patches count from 1, in the order of Gmsh. */
enum { DLS_LMGC90_CELL_NODES = 8 };
typedef struct {
  int dim, nodes, gmsh, line; /* gmsh: the number of its kind there */
  int told;                   /* of its nodes, so far */
  int node[DLS_LMGC90_CELL_NODES];
  char model[DLS_LMGC90_NAME], bulk[DLS_LMGC90_NAME];
} DlsLmgc90Cell;

typedef struct {
  int dim, nodes, gmsh, line;
  int node[4];
  char kind[DLS_LMGC90_NAME], colour[DLS_LMGC90_NAME]; /* kind: as in the table of sights */
} DlsLmgc90Patch;

typedef struct {
  int node;
  DlsLmgc90Drive of;
} DlsLmgc90NodeDrive;

typedef struct {
  int dim, line;
  double (*node)[3]; /* m */
  int nodes, node_room;
  DlsLmgc90Cell *cell;
  int cells, cell_room;
  bool cell_open;                 /* lines that follow belong to the last one */
  char stranger[DLS_LMGC90_NAME]; /* an element that is not known; "": none */
  DlsLmgc90Patch *patch;
  int patches, patch_room;
  DlsLmgc90NodeDrive *drive;
  int drives, drive_room;
} DlsLmgc90Mesh;

typedef struct {
  char name[DLS_LMGC90_NAME];
  bool large, consistent;
  bool unknown; /* a material that is none of ours: told where it is read */
  int line;
} DlsLmgc90Model;

typedef struct {
  char name[DLS_LMGC90_NAME];
  char law[DLS_LMGC90_NAME]; /* RIGID, ELAS ... */
  double density;
  double young, poisson; /* Pa, -; of ELAS, else NaN */
  bool plain;            /* standard and isotropic */
  int line;
} DlsLmgc90Bulk;

enum { DLS_LMGC90_FIELDS = 24 };
typedef struct {
  char name[DLS_LMGC90_NAME], law[32];
  int line, fields;
  struct {
    char key[DLS_LMGC90_NAME];
    double value;
  } field[DLS_LMGC90_FIELDS];
} DlsLmgc90Law;

typedef struct {
  char body[2][DLS_LMGC90_NAME], kind[2][DLS_LMGC90_NAME], colour[2][DLS_LMGC90_NAME];
  char law[DLS_LMGC90_NAME];
  double alert;
  int line;
} DlsLmgc90Sight;

typedef struct {
  char *folder;     /* where the files are: DIR or DIR/DATBOX */
  char *above;      /* DIR */
  char *bodies_dat; /* paths, for notes */
  char *bulk_dat, *tact_dat, *drive_dat, *dof_ini, *models_dat;
  const char *stem; /* of the files of meshes in the deck, lent; NULL: "mesh" */
  DlsLmgc90Body *body;
  int bodies, body_room;
  DlsLmgc90Mesh *mesh;
  int meshes, mesh_room;
  DlsLmgc90Model *model;
  int models, model_room;
  DlsLmgc90Bulk *bulk;
  int bulks, bulk_room;
  DlsLmgc90Law *law;
  int laws, law_room;
  DlsLmgc90Sight *sight;
  int sights, sight_room;
  double gravity[3], step, theta, end; /* 0, theta -1: not told */
  DlsImportNotes notes;
} DlsLmgc90;

/* Reads a folder. The caller ends *out with dls_lmgc90_clear(), also after a failure. */
DlsStatus dls_lmgc90_read(const char *folder, DlsLmgc90 *out);
void dls_lmgc90_clear(DlsLmgc90 *scene);

/* The deck as text, freed by the caller. `step` and `end` (s) of 0 stand for those of the folder;
 * DLS_ERR_ARGUMENT where it has none. Adds notes. Where some are lost: DLS_ERR_FORMAT with the
 * first, unless `partial`. */
DlsStatus dls_lmgc90_deck(DlsLmgc90 *scene, double step, double end, bool partial, char **text);

/* The mesh of MAILx number k, from 0, as MSH 2.2: the file STEM-mailxK.msh of the deck, K = k + 1.
 * Freed by the caller. */
DlsStatus dls_lmgc90_mesh(const DlsLmgc90 *scene, int k, char **text);

#endif
