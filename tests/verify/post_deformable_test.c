/* Stress of elastic blocks against what they carry: a block on a floor under its weight, and one
 * that is held below and carries grains. */
#include "tests/loaded_block.h"

#include "post/average.h"
#include "post/cut.h"
#include "post/deformed_impl.h"
#include "post/field/field.h"
#include "post/profile.h"

typedef struct {
  TestScene scene;
  FemBlock block;
  DlsPacking packing;
  DlsDeformed deformed;
} Loaded;

static void settle(Loaded *l, int steps) {
  dls_simulation_recount(l->scene.simulation);
  test_scene_run(&l->scene, steps);
  CHECK_OK(dls_packing_take(l->scene.simulation, &l->packing));
  CHECK_OK(dls_deformed_take(l->scene.simulation, &l->packing, &l->deformed));
}

static void end(Loaded *l) {
  dls_packing_clear(&l->packing);
  dls_deformed_clear(&l->deformed);
  test_scene_close(&l->scene);
}

static double cut_at(const Loaded *l, double height) {
  DlsCut cut = {.kind = DLS_CUT_PLANE};
  DlsCutForce out;
  const int up = l->packing.dim - 1;
  cut.normal[up] = 1;
  cut.centre[up] = height;
  dls_cut(&l->packing, &cut, &out);
  for (int k = 0; k < up; k++) CHECK_NEAR(out.force[k], 0, 1e-9);
  return out.force[up];
}

TEST(a_cut_through_a_block_carries_what_is_above) {
  for (int dim = 2; dim <= 3; dim++) {
    Loaded l = {0};
    l.block = block_lying(&l.scene, dim, 0.3);
    settle(&l, 60);
    /* Rows of nodes stand at whole sizes; a cut between centres of cells and the row above them. */
    for (int layer = 0; layer < 3; layer++) {
      const double expected = block_above(&l.block, layer);
      CHECK_NEAR(cut_at(&l, block_radius + (layer + 0.75) * block_size), -expected,
                 1e-9 * expected);
    }
    end(&l);
    l.block = block_carrying(&l.scene, dim);
    settle(&l, 60);
    const double grains = 2 * l.scene.world->mass[1] * test_g;
    /* Through the grains, between them and the nodes they touch, and through the block. */
    CHECK_NEAR(cut_at(&l, 4 * block_size + 0.01), -grains, 1e-9 * grains);
    CHECK_NEAR(cut_at(&l, 4 * block_size + 0.3 * block_radius), -grains, 1e-9 * grains);
    for (int layer = 0; layer < 4; layer++) {
      const double expected = grains + block_above(&l.block, layer);
      CHECK_NEAR(cut_at(&l, (layer + 0.75) * block_size), -expected, 1e-9 * expected);
    }
    end(&l);
  }
}

/* The mean over a region is that of its cells, whatever they have strained; the body's own is that
 * of all. */
TEST(the_mean_over_a_region_is_that_of_its_cells) {
  for (int dim = 2; dim <= 3; dim++) {
    Loaded l = {0};
    DlsAverage average;
    DlsGrainStress grains = {0};
    double sum[6] = {0}, volume = 0, whole[6] = {0}, all = 0;
    l.block = block_carrying(&l.scene, dim);
    settle(&l, 60);
    const int up = dim - 1;
    DlsProbe box = {.kind = DLS_PROBE_BOX, .low = {-1, -1, -1}, .high = {1, 1, 1}};
    box.low[up] = 0, box.high[up] = 2 * block_size;
    CHECK_OK(dls_average(&l.packing, &box, DLS_AVERAGE_CENTRES, &average));
    const DlsDeformed *d = &l.deformed;
    for (int p = 0, c = 0; c < d->cells.cells; c++)
      for (; p < d->point[c + 1]; p++) {
        const bool inside = d->cells.place[d->cells.node[d->cells.start[c]]][up] < 1.5 * block_size;
        volume += inside * d->weight[p];
        all += d->weight[p];
        for (int k = 0; k < 6; k++) {
          sum[k] += inside * d->weight[p] * d->point_stress[p][k];
          whole[k] += d->weight[p] * d->point_stress[p][k];
        }
      }
    double nine[9];
    dls_tensor_unfold(sum, nine);
    CHECK_INT(average.cells, d->cells.cells / 2);
    CHECK_NEAR(average.solid * average.volume, volume, 1e-12 * volume);
    for (int k = 0; k < (dim == 2 ? 8 : 9); k++) /* of plane bodies z is left out */
      CHECK_NEAR(average.stress[k] * average.volume, nine[k], 1e-9 * fabs(sum[up]));
    CHECK_OK(dls_grain_stress(&l.packing, 0, &grains));
    dls_tensor_unfold(whole, nine);
    for (int k = 0; k < (dim == 2 ? 8 : 9); k++)
      CHECK_NEAR(grains.stress[0][k], nine[k] / all, 1e-9 * fabs(whole[up]) / all);
    dls_grain_stress_clear(&grains);
    end(&l);
  }
}

/* Without lateral strain the stress of a lying block is -rho g times the height above, each row of
 * cells has that of its middle, and the floor feels rho g H at each of its nodes. */
TEST(a_block_presses_evenly_on_the_floor) {
  for (int dim = 2; dim <= 3; dim++) {
    Loaded l = {0};
    l.block = block_lying(&l.scene, dim, 0);
    settle(&l, 60);
    const DlsDeformed *d = &l.deformed;
    const double p = block_density * test_g * 3 * block_size;
    int pressed = 0;
    for (int a = 0; a < d->cells.nodes; a++) {
      if (!(d->reaction[a][dim - 1] > 0)) continue;
      pressed++;
      CHECK_NEAR(d->pressure[a], p, 1e-9 * p);
      CHECK_NEAR(d->traction[a][dim - 1], p, 1e-9 * p);
      CHECK_BELOW(fabs(d->gap[a]), 1e-9);
      CHECK_INT(d->status[a], DLS_STICK); /* it rests */
    }
    CHECK_INT(pressed, dim == 2 ? 5 : 15);
    for (int c = 0; c < d->cells.cells; c++) {
      const double z = d->cells.place[d->cells.node[d->cells.start[c]]][dim - 1] + block_size / 2;
      /* from masses lumped to rows: half a row is on top */
      CHECK_NEAR(d->stress[c][dim - 1],
                 -block_density * test_g * (3 * block_size + block_radius - z), 2e-3 * p);
      CHECK_NEAR(d->energy[c], 0.5 * d->stress[c][dim - 1] * d->stress[c][dim - 1] / 1e7,
                 1e-9 * d->energy[c]);
    }
    end(&l);
  }
}

static void linear_stress(DlsDeformed *d, const double slope[3]) {
  for (int k = 0; k < d->point[d->cells.cells]; k++)
    for (int i = 0; i < 6; i++) d->point_stress[k][i] = 3 + i + dls_vector_dot(slope, d->place[k]);
}

/* An even stress is found at every node, and nothing is left open; of one that varies the error is
 * that of its slope, and falls with the size of the cells. */
TEST(stresses_at_nodes_are_those_of_the_points) {
  for (int dim = 2; dim <= 3; dim++) {
    Loaded l = {0};
    DlsPacking packing = {0};
    l.block = block_lying(&l.scene, dim, 0.3);
    settle(&l, 1);
    CHECK_OK(dls_packing_take(l.scene.simulation, &packing));
    const double even[3] = {0, 0, 0};
    linear_stress(&l.deformed, even);
    memset(l.deformed.node_stress, 0, (size_t)l.deformed.cells.nodes * sizeof(double[6]));
    memset(l.deformed.error, 0, (size_t)l.deformed.cells.cells * sizeof(double));
    CHECK_OK(dls_deformed_recover(&l.deformed));
    for (int a = 0; a < l.deformed.cells.nodes; a++)
      for (int i = 0; i < 6; i++) CHECK_NEAR(l.deformed.node_stress[a][i], 3 + i, 1e-12);
    for (int c = 0; c < l.deformed.cells.cells; c++) CHECK_BELOW(l.deformed.error[c], 1e-12);
    const double slope[3] = {10, 0, 0};
    linear_stress(&l.deformed, slope);
    memset(l.deformed.node_stress, 0, (size_t)l.deformed.cells.nodes * sizeof(double[6]));
    CHECK_OK(dls_deformed_recover(&l.deformed));
    for (int j = 0; j <= l.block.cells[1]; j++) { /* in the middle both sides weigh alike */
      const int a = fem_block_node(&l.block, 2, j, 0);
      for (int i = 0; i < 6; i++)
        CHECK_NEAR(l.deformed.node_stress[a][i], 3 + i + 10 * 2 * block_size, 1e-9);
    }
    dls_packing_clear(&packing);
    end(&l);
  }
}
