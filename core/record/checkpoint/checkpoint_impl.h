/* Private to checkpoints: a simulation as a list of vectors, the same list for writing and
 * reading. */
#ifndef DELASSUS_RECORD_CHECKPOINT_CHECKPOINT_IMPL_H
#define DELASSUS_RECORD_CHECKPOINT_CHECKPOINT_IMPL_H

#include <stdint.h>

#include "base/h5/h5.h"
#include "detect/place.h"
#include "record/checkpoint/checkpoint.h"

enum { DLS_CHECKPOINT_COLUMNS = 15, DLS_CHECKPOINT_NOTE = 240, DLS_CHECKPOINT_LEDGER = 15 };

/* Arrays of the world and of the memory are lent when it was taken from a simulation, and its own
 * when it was read; columns of boundaries are its own always. */
typedef struct {
  bool lent;
  double time;
  uint64_t step, unconverged;
  double ledger[DLS_CHECKPOINT_LEDGER]; /* in the order of DlsLedger */
  double accounts[2][DLS_LAW_ACCOUNTS]; /* of the ledger, law by law: dissipated, stored */
  double worst[2];                      /* error, penetration */
  int32_t report[3];                    /* contacts, active, outcome */
  uint64_t iterations;
  double report_real[2]; /* error, penetration */
  uint8_t note[DLS_CHECKPOINT_NOTE];

  double cell[DLS_CELL_ROWS][3]; /* of the world; 0: none */
  int32_t dim;
  DlsWorld *world; /* boundaries too, once the columns are gathered */
  int elements, boundaries;
  void *column[DLS_CHECKPOINT_COLUMNS];
  double (*boundary_force)[6]; /* [boundaries]; zero before the first step */

  int contacts;
  int32_t block, states;
  DlsContactKey *key;
  double *r, *state;
  int frames; /* contacts, or 0: none are kept */
  double (*frame)[9];
  double moment; /* s, when they stood so */
  int places;    /* contacts, or 0: none are kept */
  DlsContactPlace *place;

  /* Surfaces of all laws, one behind the other; its own always. */
  /* of surface_law: the names of the laws, a line each, its variables and scope */
  int surface_bytes;
  uint8_t *surface_law;
  int surfaces, surface_values; /* sets; numbers of all */
  uint64_t *surface_key;        /* [surfaces][3]: number of the law, owner, number of the patch */
  double *surface_height;       /* [surfaces] */
  double *surface_value;        /* [surface_values] */
  double patch_sizes[2];        /* directions, cell */

  /* Solids that are no balls: sets of numbers one behind the other, and what elements are. Its own
   * always; none where all are balls. */
  int solids, solid_numbers, figures; /* sets; numbers of all; elements, or 0 */
  int32_t *solid_kind, *solid_count;
  double *solid_number;
  int32_t *figure_solid; /* number of the set, -1: a ball */
  double *figure_place;  /* [figures][5]: scale, rotation */

  /* Deformable bodies, ascending by id. Its own always. */
  int deformables, soft_velocities, soft_states; /* in all */
  uint64_t *soft_id, *soft_digest;
  int32_t *soft_size; /* [deformables][2]: velocities, states */
  double *soft_velocity, *soft_state;
  /* Facets of boundaries, sets one behind the other, its own always. */
  int facet_sets, facet_nodes, facet_corners; /* sets; of all */
  int32_t *facet_of;     /* [boundaries]: set, -1 none; none where no sets are */
  int facet_owners;      /* boundaries, or 0 */
  int32_t *facet_size;   /* [facet_sets][3]: both, nodes, facets */
  double *facet_node;    /* [facet_nodes][3] */
  int32_t *facet_corner; /* [facet_corners][3] */
} DlsSnapshot;

void dls_snapshot_clear(DlsSnapshot *snapshot);

/* Takes what a simulation is now. */
DlsStatus dls_snapshot_take(const DlsSimulation *simulation, DlsSnapshot *out);

/* Room for a snapshot of these sizes, to be filled by a visit. */
DlsStatus dls_snapshot_make(int dim, int bodies, int elements, int boundaries, DlsSnapshot *out);
DlsStatus dls_snapshot_make_contacts(DlsSnapshot *snapshot, int contacts, int block, int states,
                                     int frames, int places);

DlsStatus dls_snapshot_make_surfaces(DlsSnapshot *snapshot, int bytes, int surfaces, int values);

DlsStatus dls_snapshot_make_solids(DlsSnapshot *snapshot, int solids, int numbers, int figures);

DlsStatus dls_snapshot_make_deformables(DlsSnapshot *snapshot, int count, int velocities,
                                        int states);

/* deformables.c: those of a world as vectors; whether vectors can be some; and back, as those of
 * `from` that have these ids. *out is zeroed, and passed on with dls_deformables_pass(). */
DlsStatus dls_snapshot_take_deformables(const DlsWorld *world, DlsSnapshot *out);
DlsStatus dls_snapshot_check_deformables(const DlsSnapshot *snapshot, const char *path);
DlsStatus dls_snapshot_put_deformables(const DlsSnapshot *snapshot, const char *path,
                                       const DlsWorld *from, DlsDeformables *out);

/* solids.c: what the elements of a world are as vectors; and back, into the snapshot's world, whose
 * other arrays are there. */
DlsStatus dls_snapshot_take_solids(const DlsWorld *world, DlsSnapshot *out);
DlsStatus dls_snapshot_put_solids(const DlsSnapshot *snapshot, const char *path);

DlsStatus dls_snapshot_make_facets(DlsSnapshot *snapshot, int sets, int owners, int nodes,
                                   int corners);

/* facets.c: what boundaries are made of as vectors; and back, into the snapshot's world once it has
 * its boundaries. */
DlsStatus dls_snapshot_take_facets(const DlsWorld *world, DlsSnapshot *out);
DlsStatus dls_snapshot_put_facets(const DlsSnapshot *snapshot, const char *path);

/* surfaces.c: what a simulation's surfaces are as vectors; and back, for the laws of now that have
 * the same name and the same variables. *out is zeroed. Patches of other sizes are left out. */
DlsStatus dls_snapshot_take_surfaces(const DlsSimulation *simulation, DlsSnapshot *out);
DlsStatus dls_snapshot_put_surfaces(const DlsSnapshot *snapshot, const char *path,
                                    const DlsSimulation *simulation, DlsSurfaces *out);

/* Calls `visit` for every vector; a name is the full one, "/bodies/position". */
typedef DlsStatus DlsSnapshotVisit(void *context, const char *name, DlsH5Kind kind, long long count,
                                   void *values);
DlsStatus dls_snapshot_visit(DlsSnapshot *snapshot, DlsSnapshotVisit *visit, void *context);

/* Fills the boundaries of the world from the columns. */
DlsStatus dls_snapshot_scatter(DlsSnapshot *snapshot, const char *path);

/* Whether a simulation can be made of it, with so many materials; fails with "PATH: /dataset:
 * ...". */
DlsStatus dls_snapshot_check(const DlsSnapshot *snapshot, const char *path, int materials);

/* 64 bits that follow from the name and the bytes of a vector. The digest of a file is the
 * exclusive or of those of all vectors but itself. */
uint64_t dls_checkpoint_hash(const char *name, const void *bytes, size_t size);

/* The settings that must match, a line "key = value" each; freed by the caller. */
DlsStatus dls_checkpoint_settings(const DlsSimulation *simulation, char **out);

/* Compares the lines of the file with those of now; `same_laws`: whether those of the laws' names
 * are alike. */
DlsStatus dls_checkpoint_compare(const char *path, const char *then, const char *now, bool force,
                                 bool *same_laws);

/* Adds the materials that the lines of a file name. */
DlsStatus dls_checkpoint_materials(const char *path, const char *settings, DlsMaterials *out);

/* Whether a blob may have this name. */
bool dls_checkpoint_name_ok(const char *name);

#endif
