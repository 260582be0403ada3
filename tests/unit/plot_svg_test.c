/* Pictures: well-formed, of a sane size, with shapes where mathematics puts them, and colours that
 * are uniform to the eye. */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "plot/grain_order.h"
#include "plot/grains.h"
#include "plot/svg.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/plot_svg"

static char *content(const char *path) {
  struct stat info;
  FILE *file = fopen(path, "r");
  const size_t bytes = stat(path, &info) == 0 ? (size_t)info.st_size : 0;
  char *text = calloc(bytes + 1, 1);
  CHECK(file && text && fread(text, 1, bytes, file) == bytes);
  if (file) fclose(file);
  return text;
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) count++;
  return count;
}

/* Every tag is closed in order; attributes are quoted; no bare & or <. */
static bool is_well_formed(const char *text) {
  char open[32][32];
  int depth = 0;
  for (const char *c = strchr(text, '<'); c; c = strchr(c + 1, '<')) {
    const char *end = strchr(c, '>');
    char name[32];
    if (!end || (strcspn(c + 1, "<") < (size_t)(end - c))) return false;
    if (c[1] == '/') {
      if (sscanf(c + 2, "%31[a-zA-Z]", name) != 1 || depth == 0) return false;
      if (strcmp(open[--depth], name) != 0) return false;
    } else if (end[-1] != '/') {
      if (depth == 32 || sscanf(c + 1, "%31[a-zA-Z]", open[depth++]) != 1) return false;
    }
  }
  for (const char *c = text; (c = strchr(c, '&')); c++)
    if (strncmp(c, "&amp;", 5) != 0 && strncmp(c, "&lt;", 4) != 0 && strncmp(c, "&gt;", 4) != 0 &&
        strncmp(c, "&quot;", 6) != 0)
      return false;
  return depth == 0;
}

static char *write_and_read(DlsSvg *svg, const char *path) {
  CHECK_OK(dls_svg_write(svg, path));
  char *text = content(path);
  CHECK(is_well_formed(text));
  return text;
}

TEST(the_check_of_the_form_sees_faults) {
  CHECK(is_well_formed("<a><b x=\"1\"/>&amp;</a>"));
  CHECK(!is_well_formed("<a><b></a></b>"));
  CHECK(!is_well_formed("<a>"));
  CHECK(!is_well_formed("<a>x & y</a>"));
  CHECK(!is_well_formed("<a b=\"<\"/>"));
}

/* The world's (1, 2) in a frame of 10 px to the metre, y up. */
TEST(shapes_stand_where_the_frame_puts_them) {
  const DlsSvgFrame frame = {.box = {100, 50, 40, 60}, .x = {0, 4}, .y = {0, 6}};
  const DlsSvgStyle red = {.fill = 0xff0000}, blue = {.stroke = 0x0000ff, .width = 1.5};
  const double centre[3] = {1, 2, 0}, a[3] = {0, 0, 0}, b[3] = {4, 6, 0};
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(200, 200, &svg));
  dls_svg_frame(svg, &frame);
  dls_svg_circle(svg, centre, 0.125, &red);
  dls_svg_line(svg, a, b, &blue);
  char *text = write_and_read(svg, FOLDER "/places.svg");
  CHECK(test_contains(text, "<circle cx=\"110\" cy=\"90\" r=\"1.25\" fill=\"#ff0000\"/>"));
  CHECK(test_contains(text, "<path d=\"M100 110L140 50\" fill=\"none\" stroke=\"#0000ff\" "
                            "stroke-width=\"1.5\"/>"));
  CHECK(test_contains(text, "<rect x=\"100\" y=\"50\" width=\"40\" height=\"60\"/></clipPath>"));
  free(text);
  dls_svg_destroy(&svg);
  dls_svg_destroy(&svg);
}

TEST(logarithmic_frames_put_decades_at_equal_distances) {
  const DlsSvgFrame frame = {
      .box = {0, 0, 300, 200}, .x = {1e-3, 1}, .y = {1, 100}, .log_x = true, .log_y = true};
  const double points[9] = {1e-3, 1, 0, 1e-2, 10, 0, 1, 100, 0};
  const DlsSvgStyle line = {.width = 1};
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(300, 200, &svg));
  dls_svg_frame(svg, &frame);
  dls_svg_polyline(svg, points, 3, &line);
  char *text = write_and_read(svg, FOLDER "/log.svg");
  CHECK(test_contains(text, "d=\"M0 200L100 100L300 0\""));
  free(text);
  dls_svg_destroy(&svg);
}

/* From (1, 1, 1) with z up: the three axes are seen 120 degrees apart, all of the same length. */
TEST(the_camera_is_orthonormal_and_looks_where_it_should) {
  const double from[3] = {2, 2, 2}, up[3] = {0, 0, 5}, along[3] = {0, 0, 3};
  const DlsSvgCamera c = dls_svg_camera_from(from, up), d = dls_svg_camera_from(along, up);
  const double *axes[] = {c.right, c.up, c.toward, d.right, d.up, d.toward};
  for (int i = 0; i < 6; i++)
    for (int j = i / 3 * 3; j < i / 3 * 3 + 3; j++) {
      double product = 0;
      for (int k = 0; k < 3; k++) product += axes[i][k] * axes[j][k];
      CHECK_NEAR(product, i == j, 1e-14);
    }
  CHECK_NEAR(c.right[2], 0, 1e-15);
  CHECK_NEAR(c.up[2], sqrt(2.0 / 3), 1e-15);
  CHECK_NEAR(c.up[0], -sqrt(1.0 / 6), 1e-15);
  CHECK(c.right[0] < 0 && c.right[1] > 0); /* a right-handed picture */
}

/* Painter's order: by layer, then from far to near, whatever the order of the calls. */
TEST(what_is_near_is_drawn_last) {
  const double from[3] = {0, -1, 0}, up[3] = {0, 0, 1};
  const DlsSvgCamera camera = dls_svg_camera_from(from, up);
  const DlsSvgStyle near = {.fill = 1}, far = {.fill = 2}, above = {.fill = 3};
  const double front[3] = {5, -1, 5}, back[3] = {5, 1, 5};
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(10, 10, &svg));
  dls_svg_camera(svg, &camera);
  dls_svg_layer(svg, 1);
  dls_svg_circle(svg, back, 1, &above);
  dls_svg_layer(svg, 0);
  dls_svg_circle(svg, front, 1, &near);
  dls_svg_circle(svg, back, 1, &far);
  char *text = write_and_read(svg, FOLDER "/depth.svg");
  const char *first = strstr(text, "fill=\"#000002\""), *second = strstr(text, "fill=\"#000001\""),
             *third = strstr(text, "fill=\"#000003\"");
  CHECK(first && first < second && second < third);
  free(text);
  dls_svg_destroy(&svg);
}

TEST(text_is_escaped) {
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(10, 10, &svg));
  dls_svg_text(svg, 1, 2, "a < b & \"c\" > µ\n", NULL);
  char *text = write_and_read(svg, FOLDER "/text.svg");
  CHECK(test_contains(text, ">a &lt; b &amp; &quot;c&quot; &gt; µ </text>"));
  free(text);
  dls_svg_destroy(&svg);
}

TEST(shapes_without_finite_numbers_are_left_out_and_counted) {
  const double bad[3] = {(double)NAN, 0, 0}, good[3] = {1, 1, 0}, off[3] = {1e9, 1e9, 0};
  const DlsSvgStyle style = {.fill = 0, .width = 1};
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(10, 10, &svg));
  dls_svg_circle(svg, bad, 1, &style);
  dls_svg_circle(svg, good, (double)NAN, &style);
  dls_svg_line(svg, good, bad, &style);
  dls_svg_text(svg, (double)INFINITY, 0, "x", NULL);
  CHECK_INT(dls_svg_left_out(svg), 4);
  dls_svg_circle(svg, off, 1, &style); /* outside: not drawn, not counted */
  dls_svg_circle(svg, good, 1, &style);
  CHECK_INT(dls_svg_left_out(svg), 4);
  char *text = write_and_read(svg, FOLDER "/left_out.svg");
  CHECK_INT(occurrences(text, "<circle"), 1);
  CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
  free(text);
  dls_svg_destroy(&svg);
}

TEST(pages_that_cannot_be_are_refused) {
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_FAILS(dls_svg_create(0, 10, &svg), DLS_ERR_ARGUMENT, "a page of 0 x 10 px");
  CHECK_FAILS(dls_svg_create((double)NAN, 10, &svg), DLS_ERR_ARGUMENT, "a page of");
  CHECK_OK(dls_svg_create(10, 10, &svg));
  CHECK_FAILS(dls_svg_write(svg, FOLDER "/absent/a.svg"), DLS_ERR_FILE, "make it first");
  CHECK_OK(dls_svg_write(svg, FOLDER "/empty.svg"));
  dls_svg_destroy(&svg);
}

TEST(ticks_are_round_numbers_inside_the_range) {
  double t[16];
  CHECK_INT(dls_svg_ticks(0, 1, false, 6, t), 6);
  CHECK_NEAR(t[1], 0.2, 1e-15);
  CHECK_INT(dls_svg_ticks(-3, 7, false, 6, t), 5);
  CHECK(t[0] == -2 && t[1] == 0 && !signbit(t[1]) && t[4] == 6);
  CHECK_INT(dls_svg_ticks(1e-3, 1e2, true, 8, t), 6);
  CHECK_NEAR(t[0], 1e-3, 1e-15);
  CHECK_INT(dls_svg_ticks(1, 1, false, 6, t), 0);
  CHECK_INT(dls_svg_ticks(0, 1, true, 6, t), 0);
  CHECK_INT(dls_svg_ticks(0, (double)NAN, false, 6, t), 0);
  for (int k = 0; k < 32; k++) {
    const double high = 1e-9 * pow(3.7, k);
    const int count = dls_svg_ticks(0, high, false, 6, t);
    CHECK(count >= 3 && count <= 6);
    for (int i = 0; i < count; i++) CHECK(t[i] >= 0 && t[i] <= high * (1 + 1e-12));
  }
}

/* Oklab of a colour, by the inverse of what the library computes (Ottosson 2020). */
static void oklab(DlsColour colour, double lab[3]) {
  double c[3];
  for (int i = 0; i < 3; i++) {
    const double v = (double)((colour >> (16 - 8 * i)) & 255) / 255;
    c[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
  }
  const double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
  const double m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
  const double s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Equal steps of value are equal distances to the eye, within 8 % (the colours have 8 bits), and
 * lightness alone orders the values of the maps that go from end to end. */
TEST(colour_maps_are_uniform_to_the_eye) {
  enum { STEPS = 8 };
  for (int map = 0; map < DLS_MAP_COUNT; map++) {
    double before[3], least = HUGE_VAL, most = 0;
    int rising = 0;
    oklab(dls_map_colour((DlsMap)map, 0), before);
    for (int i = 1; i <= STEPS; i++) {
      double lab[3], distance = 0;
      oklab(dls_map_colour((DlsMap)map, (double)i / STEPS), lab);
      for (int k = 0; k < 3; k++) distance += (lab[k] - before[k]) * (lab[k] - before[k]);
      least = fmin(least, sqrt(distance));
      most = fmax(most, sqrt(distance));
      rising += lab[0] > before[0] ? 1 : -1;
      memcpy(before, lab, sizeof before);
    }
    CHECK_BELOW(most / least, 1.08);
    if (map != DLS_MAP_SIGNED) CHECK_INT(abs(rising), STEPS);
    CHECK_INT(dls_map_colour((DlsMap)map, -1), dls_map_colour((DlsMap)map, 0));
    CHECK_INT(dls_map_colour((DlsMap)map, 2), dls_map_colour((DlsMap)map, 1));
    CHECK_INT(dls_map_colour((DlsMap)map, (double)NAN), dls_map_colour((DlsMap)map, 0));
  }
}

/* Rows of grains, each load shared at random between the two grains below it: chains of force as
 * the q-model has them (Coppersmith et al. 1996). */
typedef struct {
  int grains, chains;
  double *position, *radius, *load, *from, *to, *force;
} Pile;

static void pile_clear(Pile *p) {
  free(p->position);
  free(p->radius);
  free(p->load);
  free(p->from);
  free(p->to);
  free(p->force);
}

static Pile pile_make(int rows, int columns) {
  const int n = rows * columns;
  Pile p = {.grains = n};
  DlsRandom random;
  dls_random_seed(&random, 5);
  p.position = calloc((size_t)n * 3, sizeof(double));
  p.radius = calloc((size_t)n, sizeof(double));
  p.load = calloc((size_t)n, sizeof(double));
  p.from = calloc((size_t)n * 6, sizeof(double));
  p.to = calloc((size_t)n * 6, sizeof(double));
  p.force = calloc((size_t)n * 2, sizeof(double));
  for (int i = 0; i < n; i++) {
    const int row = i / columns, column = i % columns;
    p.radius[i] = 0.005 * dls_random_between(&random, 0.85, 1);
    p.position[3 * i] = 0.01 * (column + 0.5 * (row % 2));
    p.position[3 * i + 1] = -0.01 * sqrt(0.75) * row;
  }
  for (int i = 0; i + columns < n; i++) { /* from the top row down */
    const int row = i / columns, column = i % columns, shift = row % 2;
    const int below[2] = {column + shift - 1, column + shift};
    const double q = dls_random_unit(&random);
    p.load[i] += 0.01;
    for (int k = 0; k < 2; k++) {
      const int target = below[k] < 0 ? 0 : below[k] >= columns ? columns - 1 : below[k];
      const int j = (row + 1) * columns + target;
      const double force = p.load[i] * (k ? q : 1 - q);
      p.load[j] += force;
      memcpy(p.from + (ptrdiff_t)3 * p.chains, p.position + (ptrdiff_t)3 * i, 3 * sizeof(double));
      memcpy(p.to + (ptrdiff_t)3 * p.chains, p.position + (ptrdiff_t)3 * j, 3 * sizeof(double));
      p.force[p.chains++] = force;
    }
  }
  return p;
}

TEST(grains_and_force_chains_make_a_picture) {
  Pile p = pile_make(24, 30);
  const double wall[] = {-0.006, 0.01,   0, -0.006, -0.206, 0, -0.006, -0.206, 0,
                         0.301,  -0.206, 0, 0.301,  -0.206, 0, 0.301,  0.01,   0};
  DlsGrainPicture picture = {.dim = 2,
                             .grains = p.grains,
                             .position = p.position,
                             .radius = p.radius,
                             .load = p.load,
                             .chains = p.chains,
                             .from = p.from,
                             .to = p.to,
                             .force = p.force,
                             .walls = 3,
                             .wall = wall,
                             .map = DLS_MAP_WARM,
                             .title = "Pile of 720 grains, t = 1.25 s",
                             .caption = "force chains: width grows with the force, up to 0.2 N"};
  int left_out = -1;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/pile.svg", &left_out));
  CHECK_INT(left_out, 0);
  char *text = content(FOLDER "/pile.svg");
  CHECK(is_well_formed(text));
  CHECK_INT(occurrences(text, "<circle"), p.grains);
  CHECK(occurrences(text, "<path") > 500);
  free(text);
  p.load[3] = (double)NAN;
  p.position[0] = (double)NAN;
  picture.title = picture.caption = NULL;
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/pile_nan.svg", &left_out));
  CHECK_INT(left_out, 1);
  pile_clear(&p);
}

/* A pyramid of balls on square layers, as on old ships, and the same picture without chains. */
TEST(balls_in_space_make_a_picture) {
  enum { SIDE = 9 };
  double position[3 * 285], radius[285], load[285], from[3 * 816], to[3 * 816], force[816];
  int n = 0, chains = 0;
  for (int layer = 0; layer < SIDE; layer++)
    for (int i = 0; i < SIDE - layer; i++)
      for (int j = 0; j < SIDE - layer; j++, n++) {
        position[3 * n] = 2 * i + layer;
        position[3 * n + 1] = 2 * j + layer;
        position[3 * n + 2] = layer * sqrt(2.0);
        radius[n] = 1;
        load[n] = pow(SIDE - layer, 2) * (1.2 + sin(2.0 * i) * cos(3.0 * j));
      }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a && chains < 816; b++) {
      double square = 0;
      for (int k = 0; k < 3; k++)
        square += (position[3 * a + k] - position[3 * b + k]) *
                  (position[3 * a + k] - position[3 * b + k]);
      if (square > 4.01 || position[3 * a + 2] == position[3 * b + 2]) continue;
      memcpy(from + (ptrdiff_t)3 * chains, position + (ptrdiff_t)3 * a, 3 * sizeof(double));
      memcpy(to + (ptrdiff_t)3 * chains, position + (ptrdiff_t)3 * b, 3 * sizeof(double));
      force[chains++] = load[a];
    }
  CHECK_INT(n, 285);
  const double wall[] = {-1, -1, -1, 17, -1, -1, 17, -1, -1, 17, 17, -1,
                         17, 17, -1, -1, 17, -1, -1, 17, -1, -1, -1, -1};
  const DlsGrainPicture picture = {.dim = 3,
                                   .grains = n,
                                   .position = position,
                                   .radius = radius,
                                   .load = load,
                                   .chains = chains,
                                   .from = from,
                                   .to = to,
                                   .force = force,
                                   .walls = 4,
                                   .wall = wall,
                                   .title = "A pyramid of 285 balls"};
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/pyramid.svg", NULL));
  char *text = content(FOLDER "/pyramid.svg");
  CHECK(is_well_formed(text));
  CHECK_INT(occurrences(text, "<circle"), n);
  free(text);
}

/* The six sides of a box from low to high, counter-clockwise from outside. */
static void put_box(DlsGrainSides *sides, int grain, const double low[3], const double high[3]) {
  static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int f = 0; f < 6; f++) {
    const int from = sides->count ? sides->end[sides->count - 1] : 0;
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 3; k++)
        sides->corner[3 * (from + c) + k] = face[f][c] >> k & 1 ? high[k] : low[k];
    sides->end[sides->count] = from + 4;
    sides->grain[sides->count++] = grain;
  }
}

/* A long beam, and two cubes at one end of it, before it and behind it as the eye sees it: the
 * centre of the beam is nearer to the eye than that of either. */
TEST(solids_in_front_hide_those_behind) {
  double corner[3 * 72], position[9] = {0}, radius[3] = {1, 1, 1}, load[3] = {0, 1, 0.5};
  int end[18], grain[18];
  const double beam[2][3] = {{0, 0, 0}, {1, 10, 1}}, front[2][3] = {{1, 9, 0}, {2, 10, 1}},
               behind[2][3] = {{-1, 9, 0}, {0, 10, 1}};
  DlsGrainPicture picture = {.dim = 3,
                             .grains = 3,
                             .position = position,
                             .radius = radius,
                             .load = load,
                             .from_direction = {0.5, -1, 0.4},
                             .sides = {0, corner, end, grain}};
  put_box(&picture.sides, 0, front[0], front[1]);
  put_box(&picture.sides, 1, beam[0], beam[1]);
  put_box(&picture.sides, 2, behind[0], behind[1]);
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/hidden.svg", NULL));
  char *text = content(FOLDER "/hidden.svg");
  CHECK(is_well_formed(text));
  CHECK_INT(occurrences(text, "<circle"), 0);
  CHECK_INT(occurrences(text, "Z\""), 9); /* of each three look at the eye */
  const double toward[3] = {0.5, -1, 0.4}, up[3] = {0, 0, 1};
  const DlsSvgCamera camera = dls_svg_camera_from(toward, up);
  int rank[3];
  CHECK_OK(dls_grain_order(&picture, &camera, rank));
  CHECK_INT(rank[2], 0);
  CHECK_INT(rank[1], 1);
  CHECK_INT(rank[0], 2);
  free(text);
}

/* Two squares, and a disk: each grain once, and a window that just holds them. */
TEST(polygons_make_a_picture) {
  double corner[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0};
  double position[] = {0.5, 0.5, 0, 1.5, 0.5, 0, 3, 0.5, 0}, radius[] = {0.5, 0.5, 1};
  int end[] = {4, 8}, grain[] = {0, 1}, left_out;
  DlsGrainPicture picture = {.dim = 2,
                             .grains = 3,
                             .position = position,
                             .radius = radius,
                             .sides = {2, corner, end, grain}};
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/squares.svg", &left_out));
  char *text = content(FOLDER "/squares.svg");
  CHECK(is_well_formed(text));
  CHECK_INT(left_out, 0);
  CHECK_INT(occurrences(text, "<circle"), 1);
  CHECK_INT(occurrences(text, "<path"), 2);
  /* 4 m by 2 m in 760 px by 380: 190 px a metre, the first corner at the left, half way up. */
  CHECK(strstr(text, "<path d=\"M20 305L210 305L210 115L20 115Z\"") != NULL);
  free(text);
  corner[0] = (double)NAN;
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/squares.svg", &left_out));
  CHECK_INT(left_out, 1);
}

TEST(pictures_without_anything_are_pages_too) {
  const DlsGrainPicture nothing = {.dim = 2},
                        space = {.dim = 3, .title = "nothing", .caption = "here"};
  const DlsGrainPicture wrong = {.dim = 4};
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&nothing, FOLDER "/nothing.svg", NULL));
  CHECK_OK(dls_grain_picture_write(&space, FOLDER "/nothing_3d.svg", NULL));
  CHECK_FAILS(dls_grain_picture_write(&wrong, FOLDER "/wrong.svg", NULL), DLS_ERR_ARGUMENT,
              "4 dim");
}

/* 10^4 grains stay below a megabyte, and the same picture twice is the same file. */
TEST(ten_thousand_circles_are_a_file_of_sane_size) {
  Pile p = pile_make(100, 100);
  const DlsGrainPicture picture = {.dim = 2,
                                   .grains = p.grains,
                                   .position = p.position,
                                   .radius = p.radius,
                                   .load = p.load,
                                   .map = DLS_MAP_COOL};
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/many.svg", NULL));
  CHECK_OK(dls_grain_picture_write(&picture, FOLDER "/many_again.svg", NULL));
  char *one = content(FOLDER "/many.svg"), *two = content(FOLDER "/many_again.svg");
  CHECK_INT(occurrences(one, "<circle"), 10000);
  CHECK_BELOW((double)strlen(one), 1e6);
  CHECK_INT(strcmp(one, two), 0);
  free(one);
  free(two);
  pile_clear(&p);
}

/* A plot: convergence of two solvers, with axes, grid and legend. */
TEST(curves_make_a_plot) {
  enum { COUNT = 60 };
  double fast[3 * COUNT] = {0}, slow[3 * COUNT] = {0};
  const DlsSvgFrame frame = {
      .box = {80, 50, 480, 320}, .x = {0, 300}, .y = {1e-10, 1}, .log_y = true};
  const DlsSvgStyle blue = {.stroke = 0x2b6cb0, .width = 2};
  const DlsSvgStyle red = {.stroke = 0xc0392b, .width = 2, .dash = 6};
  const DlsSvgLegend rows[] = {{"nsgs", blue, false}, {"admm", red, false}};
  const DlsSvgAxes axes = {"Natural error", "iterations", "error", true};
  for (int i = 0; i < COUNT; i++) {
    slow[3 * i] = fast[3 * i] = 5 * i;
    fast[3 * i + 1] = exp(-0.4 * i) * (1 + 0.5 * sin(i));
    slow[3 * i + 1] = 0.3 * exp(-0.1 * i);
  }
  DlsSvg *svg;
  CHECK_OK(dls_file_make_folder(FOLDER));
  CHECK_OK(dls_svg_create(600, 430, &svg));
  dls_svg_frame(svg, &frame);
  dls_svg_polyline(svg, fast, COUNT, &blue);
  dls_svg_polyline(svg, slow, COUNT, &red);
  dls_svg_axes(svg, &axes);
  dls_svg_legend(svg, 460, 64, rows, 2);
  char *text = write_and_read(svg, FOLDER "/plot.svg");
  CHECK(test_contains(text, ">10⁻⁸</text>") && test_contains(text, ">Natural error</text>"));
  CHECK(test_contains(text, "stroke-dasharray=\"6 4.5\""));
  free(text);
  dls_svg_destroy(&svg);
}
