/* Structures of blocks: what the section `blocks` of a deck makes. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "world/blocks/blocks.h"

#include <stdlib.h>
#include <string.h>

static const DlsDeckRow opening_rows[] = {
    {DLS_DECK_ROW(DlsSceneOpening, x, DLS_DECK_VECTOR, DLS_DECK_REQUIRED,
                  "where it begins and ends along the wall"),
     .unit = "m", .least = 2, .most = 2},
    {DLS_DECK_ROW(DlsSceneOpening, courses, DLS_DECK_INTEGERS, DLS_DECK_REQUIRED,
                  "the first and the last that it goes through, counted from 1"),
     .min = 1, .max = 100000, .least = 2, .most = 2},
    DLS_DECK_REAL_ROW(DlsSceneOpening, bearing, "m", "0", 0, DLS_DECK_FREE,
                      "of the lintel in the course above, beyond the opening; 0: no lintel"),
};
static const DlsDeckSection opening_section =
    DLS_SCENE_SECTION(DlsSceneOpening, opening_rows, "opening", "a door or window of a wall");

static const DlsDeckRow rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneBlocks, kind, DLS_CHOICES(DLS_SCENE_BLOCKS), DLS_DECK_REQUIRED,
                        "see docs/blocks.md"),
    DLS_DECK_STRING_ROW(DlsSceneBlocks, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_STRING_ROW(DlsSceneBlocks, name, DLS_DECK_OPTIONAL,
                        "NAME stands for all blocks, NAME.1 for the first; for columns of "
                        "history.csv, where the base is driven or held"),
    DLS_DECK_VECTOR_ROW(DlsSceneBlocks, at, "m", "[0, 0, 0]", 2, 3,
                        "where the origin of the structure is, see docs/blocks.md"),
    DLS_DECK_VECTOR_ROW(DlsSceneBlocks, turn, "rad", "[0, 0, 0]", 1, 3,
                        "of the whole about `at`: as one rotation vector; in 2-D one angle"),
    DLS_DECK_VECTOR_ROW(DlsSceneBlocks, velocity, "m/s", "[0, 0, 0]", 2, 3,
                        "at the start, of all but the base where that is held"),
    DLS_DECK_VECTOR_ROW(DlsSceneBlocks, size, "m", "[0, 0, 0]", 2, 3,
                        "of a brick, a mean stone, a box; voronoi: of the whole box"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, gap, "m", "0", 0, DLS_DECK_FREE, "between neighbours"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, count, "0", 0, 10000000,
                     "arch, vault: voussoirs; dome: stones in a ring; column: drums; stack, "
                     "pyramid: layers; voronoi: cells"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, bricks, "0", 0, 100000, "wall: in a course"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, courses, "1", 1, 100000, "wall, stones"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, leaves, "1", 1, 1000, "wall, 3-D: side by side"),
    {DLS_DECK_ROW(DlsSceneBlocks, openings, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "wall: doors and windows"),
     .section = &opening_section, .most = 1000},
    DLS_DECK_REAL_ROW(DlsSceneBlocks, length, "m", "0", 0, DLS_DECK_FREE, "stones: of the wall"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, spread, NULL, "0.3", 0, 0.5,
                      "stones: how much sizes vary about their mean"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, radius, "m", "0", 0, DLS_DECK_FREE,
                      "arch, vault, dome: mean radius; column: at its foot"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, radius_top, "m", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "column: at its head; not given: as at its foot"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, thickness, "m", "0", 0, DLS_DECK_FREE,
                      "arch, vault, dome: along the radius"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, span, "rad", "180 deg", 0, DLS_DECK_FREE,
                      "arch, vault, dome: the whole angle, half of it to each side of the upright"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, oculus, "rad", "20 deg", 0, DLS_DECK_FREE,
                      "dome: angle from the upright where the last ring ends"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, depth, "m", "0", 0, DLS_DECK_FREE,
                      "arch, vault in 3-D: of a stone, along y"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, rows, "1", 1, 100000, "vault: stones along y"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, rings, "0", 0, 10000, "dome"),
    DLS_DECK_BOOL_ROW(DlsSceneBlocks, springers, "false",
                      "arch, vault: one voussoir more at either end, which are the base"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, height, "m", "0", 0, DLS_DECK_FREE, "column: of a drum"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, sides, "12", 3, 128, "column, 3-D: of a drum"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, relax, "0", 0, 10000,
                     "voronoi: how often points move to the centres of their cells"),
    DLS_DECK_INT_ROW(DlsSceneBlocks, seed, "1", 0, 2147483647, "of the random numbers"),
    DLS_DECK_CHOICE_ROW(DlsSceneBlocks, base, "free|held", "free",
                        "of the blocks that the others stand on: the lowest course"),
    {DLS_DECK_ROW(DlsSceneBlocks, motion, DLS_DECK_SECTION, "",
                  "of the base, which then moves so and not otherwise"),
     .section = &dls_scene_motion_section},
    DLS_DECK_REAL_ROW(DlsSceneBlocks, from, "s", "0", 0, DLS_DECK_FREE,
                      "when it comes into the world"),
    DLS_DECK_REAL_ROW(DlsSceneBlocks, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it goes again; not given: never"),
    DLS_DECK_PLACE_ROW(DlsSceneBlocks, node),
};
const DlsDeckSection dls_scene_blocks_section =
    DLS_SCENE_SECTION(DlsSceneBlocks, rows, "blocks", "a structure of blocks");

static DlsStatus make_wall(const DlsSceneBlocks *s, DlsBlocks *out) {
  const DlsSceneOpening *from = s->openings.items;
  DlsOpening *opening;
  DLS_NEW(opening, s->openings.count);
  for (int k = 0; k < s->openings.count; k++) {
    memcpy(opening[k].x, from[k].x, sizeof opening[k].x);
    memcpy(opening[k].course, from[k].courses, sizeof opening[k].course);
    opening[k].bearing = from[k].bearing;
  }
  DlsBrickWall wall = {.gap = s->gap,
                       .bricks = s->bricks,
                       .courses = s->courses,
                       .leaves = s->leaves,
                       .openings = s->openings.count,
                       .opening = opening};
  memcpy(wall.size, s->size, sizeof wall.size);
  const DlsStatus status = dls_blocks_wall(&wall, out);
  free(opening);
  return status;
}

static DlsStatus make_stones(const DlsSceneBlocks *s, DlsBlocks *out) {
  DlsStoneWall wall = {.length = s->length,
                       .gap = s->gap,
                       .spread = s->spread,
                       .courses = s->courses,
                       .seed = (uint64_t)s->seed};
  memcpy(wall.size, s->size, sizeof wall.size);
  return dls_blocks_stones(&wall, out);
}

static DlsStatus make_arch(const DlsSceneBlocks *s, DlsBlocks *out) {
  DLS_CHECK(s->kind != DLS_SCENE_BLOCKS_VAULT || out->dim == 3, DLS_ERR_ARGUMENT,
            "a vault is of 3-D; in 2-D take an arch");
  DLS_CHECK(s->kind == DLS_SCENE_BLOCKS_VAULT || s->rows == 1, DLS_ERR_ARGUMENT,
            "an arch has one row; give kind: vault for %d", s->rows);
  return dls_blocks_arch(&(DlsArch){.radius = s->radius,
                                    .thickness = s->thickness,
                                    .span = s->span,
                                    .depth = s->depth,
                                    .gap = s->gap,
                                    .count = s->count,
                                    .rows = s->rows,
                                    .springers = s->springers},
                         out);
}

static DlsStatus make_voronoi(const DlsSceneBlocks *s, DlsBlocks *out) {
  DlsVoronoi voronoi = {
      .gap = s->gap, .count = s->count, .relax = s->relax, .seed = (uint64_t)s->seed};
  memcpy(voronoi.length, s->size, sizeof voronoi.length);
  return dls_blocks_voronoi(&voronoi, out);
}

static DlsStatus make(const DlsSceneBlocks *s, DlsBlocks *out) {
  const double top = s->radius_top >= 0 ? s->radius_top : s->radius;
  switch (s->kind) {
  case DLS_SCENE_BLOCKS_WALL:
    return make_wall(s, out);
  case DLS_SCENE_BLOCKS_STONES:
    return make_stones(s, out);
  case DLS_SCENE_BLOCKS_ARCH:
  case DLS_SCENE_BLOCKS_VAULT:
    return make_arch(s, out);
  case DLS_SCENE_BLOCKS_DOME:
    return dls_blocks_dome(&(DlsDome){.radius = s->radius,
                                      .thickness = s->thickness,
                                      .span = s->span,
                                      .oculus = s->oculus,
                                      .gap = s->gap,
                                      .count = s->count,
                                      .rings = s->rings},
                           out);
  case DLS_SCENE_BLOCKS_COLUMN:
    return dls_blocks_column(&(DlsColumn){.radius = {s->radius, top},
                                          .height = s->height,
                                          .gap = s->gap,
                                          .drums = s->count,
                                          .sides = s->sides},
                             out);
  case DLS_SCENE_BLOCKS_VORONOI:
    return make_voronoi(s, out);
  default:
    return dls_blocks_stack(s->size, s->gap, s->count, s->kind == DLS_SCENE_BLOCKS_PYRAMID, out);
  }
}

/* Turned about the origin of the structure, and moved to its place. */
static DlsStatus add_all(const DlsSceneBlocks *s, const DlsBlocks *blocks, int material,
                         DlsWorld *world) {
  const double flat[3] = {0, 0, s->turn[0]};
  const bool held = s->base || dls_scene_is_driven(&s->motion);
  double turn[4] = {1, 0, 0, 0};
  dls_rotation_turn(1, world->dim == 2 ? flat : s->turn, turn);
  DLS_TRY(dls_world_reserve(world, world->count + blocks->count,
                            world->first[world->count] + blocks->count));
  for (int k = 0; k < blocks->count; k++) {
    const DlsBlock *from = &blocks->block[k];
    DlsBody body = {.shape = &blocks->shape[from->shape],
                    .density = world->materials.item[material].density,
                    .material = material};
    dls_rotation_apply(turn, from->position, body.position);
    for (int c = 0; c < 3; c++) body.position[c] += s->at[c];
    dls_rotation_multiply(turn, from->orientation, body.orientation);
    if (!held || k >= blocks->base) memcpy(body.velocity, s->velocity, sizeof s->velocity);
    DLS_TRY(dls_world_add_body(world, &body));
  }
  return DLS_OK;
}

DlsStatus dls_scene_add_blocks(const DlsSceneBlocks *s, int material, DlsWorld *world, int *base) {
  DlsBlocks blocks = {.dim = world->dim};
  DlsStatus status = make(s, &blocks);
  if (status == DLS_OK) status = add_all(s, &blocks, material, world);
  *base = blocks.base;
  dls_blocks_clear(&blocks);
  return status;
}
