#include <string.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/world.h"

static DlsWorld *new_world(int dim) {
  DlsWorld *world;
  CHECK_OK(dls_world_create(dim, &world));
  return world;
}

/* Bodies come and go at random; those that stay keep id, place, order and elements. */
TEST(removal_keeps_the_order_and_the_ids) {
  DlsWorld *world = new_world(3);
  DlsShape shapes[3];
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int n = 0; n < 3; n++) {
    DlsElement e[3];
    for (int i = 0; i <= n; i++) e[i] = (DlsElement){{i * 2.0, 0, 0}, 1};
    CHECK_OK(dls_shape_cluster(3, n + 1, e, &shapes[n]));
  }
  for (int round = 0; round < 50; round++) {
    for (int n = 0; n < 20; n++) {
      DlsBody body = {.shape = &shapes[dls_random_below(&random, 3)], .density = 1};
      body.position[0] = (double)world->next_id; /* the place tells the id */
      CHECK_OK(dls_world_add_body(world, &body));
      world->velocity[world->count - 1][0] = (double)world->id[world->count - 1];
    }
    int remap[2000], expected = 0;
    uint64_t ids[2000];
    const int old = world->count;
    for (int i = 0; i < old; i++) {
      ids[i] = world->id[i];
      if (dls_random_below(&random, 3) == 0)
        dls_world_doom(world, i);
      else
        expected++;
    }
    CHECK_INT(dls_world_compact(world, remap), old - expected);
    CHECK_INT(world->count, expected);
    for (int i = 0; i < old; i++)
      if (remap[i] >= 0) CHECK(world->id[remap[i]] == ids[i]);
    for (int i = 0; i < world->count; i++) {
      CHECK(i == 0 || world->id[i] > world->id[i - 1]);
      CHECK_NEAR(world->velocity[i][0], (double)world->id[i], 0);
      CHECK_INT(dls_world_find(world, world->id[i]), i);
      const int count = world->first[i + 1] - world->first[i];
      for (int e = world->first[i]; e < world->first[i + 1]; e++)
        CHECK_INT(world->element_body[e], i);
      /* Rows of k spheres of radius 1 at pitch 2 about their middle. */
      CHECK_NEAR(dls_vector_norm(world->element[world->first[i]].offset), count - 1, 1e-12);
      CHECK_NEAR(world->position[i][0], (double)world->id[i] + count - 1, 1e-9);
    }
    CHECK_INT(dls_world_find(world, 1000000), -1);
  }
  for (int n = 0; n < 3; n++) dls_shape_clear(&shapes[n]);
  dls_world_destroy(&world);
}

TEST(scaled_bodies_have_scaled_masses) {
  DlsWorld *world = new_world(3);
  DlsShape shape;
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 0.5}};
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  DlsBody body = {.shape = &shape, .density = 1000};
  CHECK_OK(dls_world_add_body(world, &body));
  body.scale = 0.1;
  CHECK_OK(dls_world_add_body(world, &body));
  body.mass = 5;
  CHECK_OK(dls_world_add_body(world, &body));
  CHECK_NEAR(world->mass[0], 1000 * shape.volume, 1e-9);
  CHECK_NEAR(world->mass[1], shape.volume, 1e-12);
  CHECK_NEAR(world->inertia[1][1], shape.inertia[1] * 1e-2, 1e-12);
  CHECK_NEAR(world->mass[2], 5, 0);
  CHECK_NEAR(world->volume[2], world->volume[1], 0); /* not 5 kg at some density */
  CHECK_NEAR(world->inertia[2][1], 5 * shape.inertia[1] / shape.volume * 1e-2, 1e-12);
  CHECK_NEAR(world->element[4].radius, 0.1, 1e-17);
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
}

/* A tumbling cluster in flight: both momenta and the energy stay. */
TEST(free_flight_keeps_momenta_and_energy) {
  DlsWorld *world = new_world(3);
  DlsShape shape;
  const DlsElement e[3] = {{{0, 0, 0}, 1}, {{2, 0, 0}, 1}, {{0, 2.5, 0.5}, 0.7}};
  const double about[3] = {0.1, 0.2, 0.3};
  double p0[3], L0[3], p[3], L[3];
  CHECK_OK(dls_shape_cluster(3, 3, e, &shape));
  for (int n = 0; n < 3; n++) {
    const DlsBody body = {.shape = &shape,
                          .density = 1 + n,
                          .position = {n * 10.0, 0, 1},
                          .orientation = {1, n * 0.5, 0.2, 0},
                          .velocity = {1, n, -1, 3, 2.0 * n, 5}};
    CHECK_OK(dls_world_add_body(world, &body));
  }
  const double energy = dls_world_kinetic_energy(world);
  dls_world_momentum(world, p0);
  dls_world_angular_momentum(world, about, L0);
  for (int n = 0; n < 5000; n++) dls_world_drift(world, 2e-3);
  dls_world_momentum(world, p);
  dls_world_angular_momentum(world, about, L);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(p[k], p0[k], 0);
    CHECK_NEAR(L[k], L0[k], 1e-11 * dls_vector_norm(L0));
  }
  CHECK_NEAR(dls_world_kinetic_energy(world), energy, 1e-11 * energy);
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
}

TEST(energies_of_one_sphere) {
  DlsWorld *world = new_world(3);
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(3, 0.5, &shape));
  const DlsBody body = {
      .shape = &shape, .mass = 2, .position = {0, 0, 3}, .velocity = {1, 2, 2, 0, 0, 4}};
  const double gravity[3] = {0, 0, -9.81};
  CHECK_OK(dls_world_add_body(world, &body));
  CHECK_NEAR(dls_world_kinetic_energy(world), 0.5 * 2 * 9 + 0.5 * (0.4 * 2 * 0.25) * 16, 1e-14);
  CHECK_NEAR(dls_world_potential_energy(world, gravity), 2 * 9.81 * 3, 1e-13);
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
}

/* In 2-D the angle goes on beyond a turn, and the quaternion goes with it. */
TEST(angle_and_quaternion_agree_in_2d) {
  DlsWorld *world = new_world(2);
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(2, 1, &shape));
  const DlsBody body = {.shape = &shape, .density = 1, .velocity = {1, 0, 0, 0, 0, 7}};
  CHECK_OK(dls_world_add_body(world, &body));
  for (int n = 0; n < 1000; n++) dls_world_drift(world, 1e-2);
  const double x[3] = {1, 0, 0};
  double y[3];
  dls_rotation_apply(world->orientation[0], x, y);
  CHECK_NEAR(world->angle[0], 70, 1e-11);
  CHECK_NEAR(y[0], cos(70.0), 1e-11);
  CHECK_NEAR(y[1], sin(70.0), 1e-11);
  CHECK_NEAR(world->position[0][0], 10, 1e-12);
  double mass[3], inertia[9];
  dls_world_inverse_mass(world, 0, NULL, mass, inertia);
  CHECK_NEAR(mass[2], 0, 0);
  CHECK_NEAR(inertia[8] * world->inertia[0][2], 1, 1e-15);
  CHECK_NEAR(inertia[0], 0, 0);
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
}

/* M^-1 is the inverse of the tensor; with a fixed turn, of its free part. */
TEST(inverse_mass_respects_fixed_components) {
  DlsWorld *world = new_world(3);
  DlsShape shape;
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{1.5, 1, 0.5}, 1}};
  double mass[3], inverse[9], tensor[9];
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  DlsBody body = {.shape = &shape, .mass = 4};
  CHECK_OK(dls_world_add_body(world, &body));
  body.fixed = DLS_FIXED_Y | DLS_FIXED_TURN_X;
  CHECK_OK(dls_world_add_body(world, &body));
  for (int n = 0; n < 2; n++) {
    dls_world_inverse_mass(world, n, NULL, mass, inverse);
    dls_world_inertia(world, n, NULL, tensor);
    CHECK_NEAR(mass[0], 0.25, 0);
    CHECK_NEAR(mass[1], n ? 0 : 0.25, 0);
    for (int i = n; i < 3; i++)
      for (int j = n; j < 3; j++) {
        double sum = 0;
        for (int k = n; k < 3; k++) sum += tensor[3 * i + k] * inverse[3 * k + j];
        CHECK_NEAR(sum, i == j, 1e-14);
      }
    if (n)
      for (int k = 0; k < 3; k++) CHECK(inverse[k] == 0 && inverse[3 * k] == 0);
  }
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
}

/* Whatever turns are fixed, in whatever attitude: J = M^-1 of the turns answers a torque T along
 * the free axes by the spin w = J T that moves about them alone and meets it, (I w)_free = T. */
TEST(a_torque_turns_a_body_about_its_free_axes_alone) {
  static const double axis[3] = {0.4, -0.7, 0.6};
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{1.5, 1, 0.5}, 0.7}};
  DlsShape shape, ball;
  DlsWorld *world = new_world(3);
  CHECK_OK(dls_shape_cluster(3, 2, e, &shape));
  CHECK_OK(dls_shape_sphere(3, 0.8, &ball));
  for (int n = 0; n < 16; n++) {
    const unsigned turns = (unsigned)n % 8;
    const bool sphere = n >= 8;
    DlsBody body = {
        .shape = sphere ? &ball : &shape, .mass = 4, .fixed = (uint8_t)(turns * DLS_FIXED_TURN_X)};
    double mass[3], inverse[9], tensor[9], size = 0;
    body.orientation[0] = 0.3;
    for (int k = 0; k < 3; k++) body.orientation[1 + k] = axis[k] * sqrt(1 - 0.09) / sqrt(1.01);
    CHECK_OK(dls_world_add_body(world, &body));
    dls_world_inverse_mass(world, n, NULL, mass, inverse);
    dls_world_inertia(world, n, NULL, tensor);
    for (int k = 0; k < 9; k++) size = fmax(size, fabs(tensor[k]));
    CHECK(sphere || fabs(tensor[1]) > 0.01 * size); /* nothing is aligned */
    for (int torque = 0; torque < 3; torque++)
      for (int i = 0; i < 3; i++) {
        const bool free_turn = !(turns & (1u << i)), free_torque = !(turns & (1u << torque));
        double back = 0;
        for (int k = 0; k < 3; k++) back += tensor[3 * i + k] * inverse[3 * k + torque];
        if (!free_turn || !free_torque) CHECK_NEAR(inverse[3 * i + torque], 0, 0);
        if (free_turn && free_torque) CHECK_NEAR(back, i == torque, 1e-13);
      }
  }
  dls_shape_clear(&shape);
  dls_shape_clear(&ball);
  dls_world_destroy(&world);
}

TEST(wrong_bodies_are_refused) {
  DlsWorld *world = new_world(3), *flat = new_world(2);
  DlsShape shape, disk;
  CHECK_OK(dls_shape_sphere(3, 1, &shape));
  CHECK_OK(dls_shape_sphere(2, 1, &disk));
  DlsBody body = {.shape = &shape};
  CHECK_FAILS(dls_world_add_body(world, &body), DLS_ERR_ARGUMENT, "density above 0");
  body.density = 1;
  CHECK_FAILS(dls_world_add_body(flat, &body), DLS_ERR_ARGUMENT, "dimension");
  body.position[1] = NAN;
  CHECK_FAILS(dls_world_add_body(world, &body), DLS_ERR_ARGUMENT, "finite");
  body = (DlsBody){.shape = &disk, .density = 1, .velocity = {0, 0, 1}};
  CHECK_FAILS(dls_world_add_body(flat, &body), DLS_ERR_ARGUMENT, "plane");
  body = (DlsBody){.shape = &shape, .density = 1, .material = 3};
  CHECK_FAILS(dls_world_add_body(world, &body), DLS_ERR_ARGUMENT, "material");
  body = (DlsBody){.shape = &shape, .density = 1, .id = 9};
  CHECK_OK(dls_world_add_body(world, &body));
  CHECK_FAILS(dls_world_add_body(world, &body), DLS_ERR_ARGUMENT, "id 9");
  CHECK_INT(world->count, 1);
  CHECK_INT(world->next_id, 10);
  dls_shape_clear(&shape);
  dls_shape_clear(&disk);
  dls_world_destroy(&world);
  dls_world_destroy(&flat);
  CHECK_FAILS(dls_world_create(4, &world), DLS_ERR_ARGUMENT, "dimension");
}

TEST(materials_are_found_by_name) {
  DlsWorld *world = new_world(3);
  int number;
  CHECK_OK(dls_materials_add(&world->materials, "glass", 2500, &number));
  CHECK_INT(number, 0);
  CHECK_OK(dls_materials_add(&world->materials, "steel", 7800, &number));
  CHECK_INT(number, 1);
  CHECK_INT(dls_materials_find(&world->materials, "steel"), 1);
  CHECK_INT(dls_materials_find(&world->materials, "wood"), -1);
  CHECK_FAILS(dls_materials_require(&world->materials, "stel", &number), DLS_ERR_ARGUMENT,
              "did you mean steel");
  CHECK_FAILS(dls_materials_add(&world->materials, "glass", 1, NULL), DLS_ERR_ARGUMENT, "already");
  CHECK_FAILS(dls_materials_add(&world->materials, "air", -1, NULL), DLS_ERR_ARGUMENT, "density");
  dls_world_destroy(&world);
}

/* Arrays copied into a world of the same lengths, as a restart does, give the same world. */
TEST(a_world_comes_back_from_its_arrays) {
  DlsWorld *world = new_world(2), *copy = new_world(2);
  DlsShape shape;
  const DlsElement e[2] = {{{0, 0, 0}, 1}, {{2, 0, 0}, 1}};
  CHECK_OK(dls_shape_cluster(2, 2, e, &shape));
  for (int n = 0; n < 40; n++) {
    const DlsBody body = {
        .shape = &shape, .density = 1, .position = {5.0 * n}, .velocity = {1, n, 0, 0, 0, n}};
    CHECK_OK(dls_world_add_body(world, &body));
  }
  const size_t n = (size_t)world->count, elements = 2 * n;
  CHECK_OK(dls_world_resize(copy, world->count, world->first[world->count]));
#define COPY(field, count) memcpy(copy->field, world->field, (count) * sizeof *copy->field)
  COPY(position, n), COPY(orientation, n), COPY(angle, n), COPY(velocity, n), COPY(mass, n);
  COPY(inertia, n), COPY(id, n), COPY(flags, n), COPY(material, n), COPY(fixed, n);
  COPY(isotropic, n), COPY(first, n + 1), COPY(element, elements), COPY(element_body, elements);
#undef COPY
  copy->next_id = world->next_id;
  dls_world_drift(world, 0.1);
  dls_world_drift(copy, 0.1);
  CHECK(memcmp(world->position, copy->position, n * sizeof *copy->position) == 0);
  CHECK(memcmp(world->orientation, copy->orientation, n * sizeof *copy->orientation) == 0);
  CHECK_NEAR(dls_world_kinetic_energy(copy), dls_world_kinetic_energy(world), 0);
  CHECK_INT(dls_world_find(copy, 17), 16);
  CHECK_FAILS(dls_world_resize(copy, 5, 3), DLS_ERR_ARGUMENT, "5 bodies");
  dls_shape_clear(&shape);
  dls_world_destroy(&world);
  dls_world_destroy(&copy);
}

/* 2 kB per sphere is the budget of a whole run; bodies take an eighth of it. */
TEST(a_sphere_is_small) {
  DlsWorld *world = new_world(3);
  CHECK_OK(dls_world_reserve(world, 1000, 1000));
  CHECK_BELOW((double)dls_world_bytes(world) / 1000, 250);
  dls_world_destroy(&world);
}
