/* Shared by the files of the scene. */
#ifndef DELASSUS_SCENE_SCENE_IMPL_H
#define DELASSUS_SCENE_SCENE_IMPL_H

#include "base/names.h"
#include "base/random.h"
#include "base/table.h"
#include "scene/scene.h"

#include "world/population/population.h"

/* grains.place: how grains are put into the world. */
#define DLS_PLACE_LIST(X)                                                                          \
  X(LATTICE, "lattice")                                                                            \
  X(PYRAMID, "pyramid")                                                                            \
  X(RANDOM, "random")                                                                              \
  X(PACKED, "packed")                                                                              \
  X(RAIN, "rain")                                                                                  \
  X(DEPOSIT, "deposit")                                                                            \
  X(FILE, "file")
enum {
#define DLS_PLACE_ENUM(code, word) DLS_PLACE_##code,
  DLS_PLACE_LIST(DLS_PLACE_ENUM)
#undef DLS_PLACE_ENUM
};

/* boundaries.around: what a box is fitted to. */
#define DLS_AROUND_LIST(X)                                                                         \
  X(NOTHING, "nothing")                                                                            \
  X(DEPOSIT, "deposit")
enum {
#define DLS_AROUND_ENUM(code, word) DLS_AROUND_##code,
  DLS_AROUND_LIST(DLS_AROUND_ENUM)
#undef DLS_AROUND_ENUM
};

/* A section of the schema from its table of rows. */
#define DLS_SCENE_SECTION(struct_name, rows_, name_, meaning_)                                     \
  {                                                                                                \
    .name = (name_), .meaning = (meaning_), .rows = (rows_), .count = DLS_COUNT(rows_),            \
    .bytes = sizeof(struct_name)                                                                   \
  }

/* In region.c. The text that says the same as a DlsSceneRegion, for those who take texts. */
extern const DlsDeckSection dls_scene_region_section;
DlsStatus dls_scene_spell_region(const void *data, char *text, size_t bytes);

/* In schema_laws.c: sections that follow from what laws and solvers say of themselves. */
extern const DlsDeckSection dls_scene_law_section;
/* `law: none`: the pair does not meet at all. Also where it stands in a list, which is refused. */
bool dls_scene_law_is_none(const DlsSceneLaw *law);
DlsStatus dls_scene_choose_options(const void *data, const DlsDeckSection **out);
DlsStatus dls_scene_choose_fields(const void *data, const DlsDeckSection **out);
DlsStatus dls_scene_choose_bulk(const void *data, const DlsDeckSection **out);

/* In schema_deformable.c and deformable.c. The check adds a problem where no body can be made;
 * density is that of the material. The other one adds a body, turned and moved, to a world;
 * span > 0: scaled about its middle, which is then at `position`, so that its farthest node is so
 * many m from there. */
extern const DlsDeckSection dls_scene_deformable_section;
void dls_scene_check_deformable(DlsDeck *deck, const DlsSceneDeformable *deformable, int dim,
                                double density);
DlsStatus dls_scene_add_deformable(const DlsSceneDeformable *deformable, int material, double span,
                                   const double position[3], const double turn[4],
                                   const double velocity[6], DlsWorld *world);

/* In laws.c: the laws of the deck and the fields they ask for, in the table of the simulation. */
void dls_scene_add_laws(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world,
                        DlsInteractions *laws);

/* In fields.c. Whether a body or a chain of the deck, or a bead of one, is called so. */
bool dls_scene_names_body(const DlsSceneData *data, const char *name);
/* Tells the laws of the fields of those bodies that are here now. */
DlsStatus dls_scene_tell_fields(DlsScene *scene);

/* In tables.c. A column of a file that was read with units, in SI. */
DlsStatus dls_scene_read_column(const char *path, const DlsTable *table, const DlsParam *column,
                                DlsDeckReals *out);
/* The check of a law's section: files of its tables become numbers. */
void dls_scene_read_tables(DlsDeck *deck, const DlsDeckNode *node, void *data);
/* Hands the tables of law number n of an item to its interaction, from number `first` on. */
DlsStatus dls_scene_set_tables(const DlsSceneLaw *s, int n, const DlsLaw *law, int interaction,
                               int first, DlsInteractions *laws);

/* In schema_bodies.c. */
extern const DlsDeckSection dls_scene_grains_section;
extern const DlsDeckSection dls_scene_body_section;
extern const DlsDeckSection dls_scene_chain_section;
extern const DlsDeckSection dls_scene_motion_section;
extern const DlsDeckSection dls_scene_source_section;
extern const DlsDeckSection dls_scene_sink_section;

/* In fit.c: length and position of the boundaries that follow from what they are around; mistakes
 * become problems of the deck. */
void dls_scene_fit(DlsDeck *deck, DlsSceneData *data);

/* Adds a problem for what is wrong between keys of one section, or with the dimension: no body is
 * made yet. */
void dls_scene_check(DlsDeck *deck, const DlsSceneData *data);

/* Adds a problem where bodies would meet without a law, and where they overlap at the start.
 * `owner` [count] says which section each body comes from. */
void dls_scene_check_laws(DlsDeck *deck, const DlsScene *scene);
void dls_scene_check_overlap(DlsDeck *deck, const DlsSceneData *data, DlsSimulation *simulation,
                             const DlsDeckNode *const *owner);

/* In cell.c: what the cell of a deck cannot go with becomes problems; the cell of the world; its
 * rates in the step of h seconds at time t, with the work that this is. */
unsigned dls_scene_cell_axes(const DlsSceneCell *cell);
void dls_scene_check_cell(DlsDeck *deck, const DlsSceneData *data);
DlsStatus dls_scene_set_cell(const DlsSceneData *data, DlsWorld *world);
DlsStatus dls_scene_move_cell(DlsScene *scene, DlsWorld *world, double t, double h);

/* In check_drive.c: what acts on bodies, what comes and goes. */
void dls_scene_check_drive(DlsDeck *deck, const DlsSceneData *data);
void dls_scene_check_sources(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world);

/* In bodies.c. A population as the deck says; balls with these velocities [count]; the
 * material of an entry, by name; the birth of an entry's bodies in `world`. */
DlsRegion dls_scene_region(const DlsSceneRegion *region);
void dls_scene_load_regions(DlsDeck *deck, DlsSceneData *data); /* the meshes of all */
void dls_scene_unload_regions(DlsSceneData *data);
DlsSizes dls_scene_sizes(const DlsSceneSizes *sizes);
DlsStatus dls_scene_populate(const DlsSceneGrains *grains, int dim, DlsPopulation *out);

/* In forms.c. Bodies in the place of the balls of a population: balls, or the clusters or solids of
 * `form`. Grain k is number first + k of all that this seed draws for. */
typedef struct {
  const DlsSceneForm *form;
  uint64_t seed;
  int64_t first;
  int material;
  double mass; /* kg, of each rigid one; 0: from the density */
} DlsSceneMake;
DlsStatus dls_scene_add_grains(DlsWorld *world, const DlsPopulation *population,
                               const DlsSceneMake *make, const double (*velocity)[6]);
const char *dls_scene_material(const DlsSceneData *data, const DlsRosterEntry *entry);
DlsStatus dls_scene_birth(const DlsScene *scene, DlsRosterEntry *entry, DlsWorld *world);
/* In file.c: the bodies of place: file. `material` is that of the key. */
DlsStatus dls_scene_add_file(const DlsScene *scene, const DlsSceneGrains *grains, int material,
                             DlsWorld *world);
/* Bits of the components that are held or prescribed, of body number `member` of an entry. */
uint8_t dls_scene_fixed(const DlsSceneData *data, const DlsRosterEntry *entry, int member);
bool dls_scene_is_driven(const DlsSceneMotion *motion);

/* In joints.c: servos and springs from the deck; mistakes become problems of it. The first
 * needs the boundaries, the second the bodies. */
void dls_scene_add_servos(DlsDeck *deck, DlsScene *scene, const DlsWorld *world);
void dls_scene_add_springs(DlsDeck *deck, DlsScene *scene, const DlsWorld *world);
/* In links.c: the links of the deck, in the settings of the simulation; after the laws. */
void dls_scene_add_links(DlsDeck *deck, DlsScene *scene);

/* In schema_loads.c. */
extern const DlsDeckSection dls_scene_ground_section;
extern const DlsDeckSection dls_scene_load_section;
void dls_scene_check_loads(DlsDeck *deck, const DlsSceneData *data);
/* The motion of the ground, from the section that was read. */
DlsStatus dls_scene_set_ground(DlsScene *scene);

/* In loads.c: whom the loads name; mistakes become problems of the deck. */
void dls_scene_add_loads(DlsDeck *deck, DlsScene *scene);
void dls_scene_end_loads(DlsScene *scene);
DlsStatus dls_scene_add_load_forces(const DlsScene *scene, const DlsWorld *world, double t,
                                    double (*force)[6]);

/* In arrivals.c. */
DlsSource dls_scene_source(const DlsSceneSource *source, double density);
/* In check_pairs.c: boundaries that bodies with corners cannot meet, where there are such bodies or
 * will be. */
void dls_scene_check_pairs(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world);

/* In facets.c: what a mesh or a polyline of the deck is made of; NULL for other shapes. The caller
 * is its user. */
DlsStatus dls_scene_facets(const DlsSceneBoundary *s, int dim, DlsFacets **out);

/* In files.c: fills scene->file, and frees it. */
DlsStatus dls_scene_note_files(DlsScene *scene);
void dls_scene_forget_files(DlsScene *scene);

/* In joints.c: the numbers of the boundaries by their names. */
DlsStatus dls_scene_name_boundaries(const DlsSceneData *data, DlsNames *names);

void dls_scene_show_boundaries(DlsScene *scene); /* those whose time it is can be met */

/* In drive.c. */
DlsStatus dls_scene_move(void *context, DlsWorld *world, double t, double h);
DlsInfluence dls_scene_influence(DlsScene *scene);

/* Fails with the sentence of the step that has no solution. */
DlsStatus dls_scene_refuse_squeeze(const DlsScene *scene);

/* What a checkpoint keeps of a scene, read apart and checked before the scene changes. */
typedef struct {
  int entries, sources, sinks;
  DlsRosterMark *mark;    /* [entries] of the roster */
  DlsSourceState *poured; /* [sources] */
  int64_t *taken;         /* [sinks] */
} DlsSceneState;

/* From the bytes of dls_scene_state_save() of a deck with so many of each; ended with
 * dls_scene_state_clear(), also after a failure. */
DlsStatus dls_scene_state_read(const void *bytes, size_t size, const DlsWorld *world, int entries,
                               int sources, int sinks, DlsSceneState *out);
void dls_scene_state_clear(DlsSceneState *state);

/* The solid of the section `shape`; ended with dls_shape_clear(). What is drawn comes from the seed
 * of the section, or from `random`. */
DlsStatus dls_scene_solid(const DlsSceneShape *shape, int dim, DlsShape *out);
DlsStatus dls_scene_draw_solid(const DlsSceneShape *shape, int dim, DlsRandom *random,
                               DlsShape *out);
/* In solid_file.c: `points` from a file, freed by the caller; the kinds `solid` and `parts`. */
DlsStatus dls_scene_file_points(const DlsSceneShape *shape, int width, double (**out)[3],
                                int *count);
DlsStatus dls_scene_file_solid(const DlsSceneShape *shape, int dim, DlsShape *out);
/* In forms.c. The cluster of a list of elements; likewise. */
DlsStatus dls_scene_cluster(const DlsDeckList *list, int dim, DlsShape *out);
/* One of the solids of grains, those of a population by its seed. */
DlsStatus dls_scene_form(const DlsSceneForm *form, int dim, uint64_t seed, int variant,
                         DlsShape *out);
int dls_scene_variants(const DlsSceneForm *form);  /* how many there are */
bool dls_scene_has_form(const DlsSceneForm *form); /* false: they are balls */
/* Mean volume of the solids over that of the ball about each. */
DlsStatus dls_scene_bulk(const DlsSceneForm *form, int dim, uint64_t seed, double *out);

/* In blocks.c: structures of blocks, their keys and their birth; base: how many come first that the
 * others stand on. */
extern const DlsDeckSection dls_scene_blocks_section;
DlsStatus dls_scene_add_blocks(const DlsSceneBlocks *blocks, int material, DlsWorld *world,
                               int *base);

#endif
