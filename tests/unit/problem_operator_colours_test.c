/* The coloured order: every contact once, clusters of a colour share no part that moves, and large
 * parts make no colours. */
#include "base/pool.h"
#include "base/random.h"
#include "problem/operator/colours.h"
#include "tests/solving.h"

#include <stdio.h>

/* A cubic lattice of `wide`^3 grains: contacts of neighbours along each axis, in the order of the
 * grains; `drum`: all grains of one side touch one more part; a floor, which may be fixed. */
typedef struct {
  DlsPattern pattern;
  int *start, *part;
  uint8_t *fixed;
} Lattice;

static int grain(int wide, int x, int y, int z) { return (z * wide + y) * wide + x; }

static void touch(Lattice *l, int a, int b, bool still) {
  const int i = l->pattern.contacts++;
  l->part[2 * i] = a;
  l->part[2 * i + 1] = b;
  l->fixed[2 * i + 1] = still;
  l->start[i + 1] = 2 * i + 2;
}

static Lattice lattice(int wide, bool drum, bool floor_still) {
  Lattice l = {0};
  const int grains = wide * wide * wide, most = 5 * grains;
  l.start = calloc((size_t)most + 1, sizeof *l.start);
  l.part = calloc(2 * (size_t)most, sizeof *l.part);
  l.fixed = calloc(2 * (size_t)most, 1);
  for (int z = 0; z < wide; z++)
    for (int y = 0; y < wide; y++)
      for (int x = 0; x < wide; x++) {
        const int me = grain(wide, x, y, z);
        if (x + 1 < wide) touch(&l, me, grain(wide, x + 1, y, z), false);
        if (y + 1 < wide) touch(&l, me, grain(wide, x, y + 1, z), false);
        if (z + 1 < wide) touch(&l, me, grain(wide, x, y, z + 1), false);
        if (drum && x == 0) touch(&l, me, grains, false);
        if (floor_still) touch(&l, me, grains + 1, true);
      }
  l.pattern.parts = grains + 2;
  l.pattern.start = l.start;
  l.pattern.part = l.part;
  l.pattern.fixed = l.fixed;
  return l;
}

static void end_lattice(Lattice *l) {
  free(l->start);
  free(l->part);
  free(l->fixed);
}

static void check_each_once(const DlsColours *c) {
  int *times = calloc((size_t)c->contacts, sizeof *times), wrong = 0;
  for (int k = 0; k < c->contacts; k++) times[c->contact[k]]++;
  for (int k = 0; k < c->contacts; k++) wrong += times[k] != 1;
  CHECK_INT(wrong, 0);
  CHECK_INT(c->cluster[0], 0);
  CHECK_INT(c->cluster[c->clusters], c->contacts);
  CHECK_INT(c->colour[0], 0);
  CHECK_INT(c->colour[c->colours], c->clusters);
  free(times);
}

/* Clusters of one colour that touch the same part, one that moves. */
static int meetings(const DlsColours *c, const DlsPattern *p) {
  int *by = calloc((size_t)p->parts, sizeof *by), found = 0;
  for (int colour = 0; colour < c->colours; colour++) {
    memset(by, 0, (size_t)p->parts * sizeof *by);
    for (int cluster = c->colour[colour]; cluster < c->colour[colour + 1]; cluster++)
      for (int n = c->cluster[cluster]; n < c->cluster[cluster + 1]; n++)
        for (int s = p->start[c->contact[n]]; s < p->start[c->contact[n] + 1]; s++) {
          if (p->fixed[s]) continue;
          found += by[p->part[s]] && by[p->part[s]] != cluster + 1;
          by[p->part[s]] = cluster + 1;
        }
  }
  free(by);
  return found;
}

TEST(clusters_of_a_colour_do_not_meet) {
  const int size[] = {1, 7, 128};
  for (int drum = 0; drum < 2; drum++)
    for (int still = 0; still < 2; still++)
      for (int k = 0; k < DLS_COUNT(size); k++) {
        Lattice l = lattice(12, drum, still);
        DlsColours c;
        CHECK_OK(dls_colours_of_parts(&l.pattern, size[k], &c));
        check_each_once(&c);
        CHECK_INT(meetings(&c, &l.pattern), 0);
        dls_colours_clear(&c);
        end_lattice(&l);
      }
}

/* A floor that does not move couples nothing: grains beside it have the colours that they had. */
TEST(a_fixed_part_makes_no_colours) {
  Lattice free_ones = lattice(16, false, false), on_floor = lattice(16, false, true);
  DlsColours a, b;
  CHECK_OK(dls_colours_of_parts(&free_ones.pattern, 128, &a));
  CHECK_OK(dls_colours_of_parts(&on_floor.pattern, 128, &b));
  CHECK(a.colours <= 12);
  CHECK(b.colours <= 12);
  dls_colours_clear(&a);
  dls_colours_clear(&b);
  end_lattice(&free_ones);
  end_lattice(&on_floor);
}

/* 576 contacts of a drum: they come last, five clusters in a row, and nobody else pays. */
TEST(a_large_part_is_swept_last) {
  Lattice without = lattice(24, false, false), with = lattice(24, true, false);
  const int drum = 24 * 24 * 24, its = 24 * 24, clusters = (its + 127) / 128;
  DlsColours a, b;
  CHECK_OK(dls_colours_of_parts(&without.pattern, 128, &a));
  CHECK_OK(dls_colours_of_parts(&with.pattern, 128, &b));
  CHECK(b.colours <= a.colours + clusters + 2);
  int wrong = 0;
  for (int n = b.contacts - its; n < b.contacts; n++)
    wrong += with.part[2 * b.contact[n] + 1] != drum;
  CHECK_INT(wrong, 0);
  CHECK_INT(b.colours - clusters, b.colours - (b.clusters - b.colour[b.colours - clusters]));
  dls_colours_clear(&a);
  dls_colours_clear(&b);
  end_lattice(&without);
  end_lattice(&with);
}

/* By rows, of which some are not symmetric: what reads r_j is never beside what writes it. */
TEST(rows_that_read_each_other_have_two_colours) {
  enum { CONTACTS = 3000, COLUMNS = 4 };
  static int start[CONTACTS + 1], column[CONTACTS * COLUMNS];
  DlsRandom random;
  DlsColours c;
  dls_random_seed(&random, 3);
  for (int i = 0; i < CONTACTS; i++) {
    start[i + 1] = COLUMNS * (i + 1);
    for (int k = 0; k < COLUMNS; k++)
      column[COLUMNS * i + k] = (i + dls_random_below(&random, 200)) % CONTACTS;
  }
  const DlsBlockRows rows = {.contacts = CONTACTS, .block = 3, .start = start, .column = column};
  CHECK_OK(dls_colours_of_rows(&rows, 32, &c));
  check_each_once(&c);
  CHECK(c.colours > 2 && c.colours < 40);
  static int cluster_of[CONTACTS], colour_of[CONTACTS];
  for (int colour = 0; colour < c.colours; colour++)
    for (int k = c.colour[colour]; k < c.colour[colour + 1]; k++)
      for (int n = c.cluster[k]; n < c.cluster[k + 1]; n++) {
        cluster_of[c.contact[n]] = k;
        colour_of[c.contact[n]] = colour;
      }
  int met = 0;
  for (int i = 0; i < CONTACTS; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      met += colour_of[i] == colour_of[column[k]] && cluster_of[i] != cluster_of[column[k]];
  CHECK_INT(met, 0);
  dls_colours_clear(&c);
}

/* What a loop over colours did. */
typedef struct {
  const DlsColours *colours;
  int *colour_of, *times;
  int now, befores, afters, wrong, fails_from;
} Story;

static DlsStatus be_before(void *context, int colour) {
  Story *s = context;
  s->now = colour;
  s->wrong += s->befores++ != s->afters;
  return DLS_OK;
}

static DlsStatus be_after(void *context, int colour) {
  Story *s = context;
  s->wrong += s->now != colour;
  s->afters++;
  return DLS_OK;
}

static DlsStatus be_done(void *context, int cluster) {
  Story *s = context;
  s->times[cluster] += 1 + 1000 * (s->colour_of[cluster] != s->now);
  DLS_CHECK(cluster < s->fails_from, DLS_ERR_LAW, "cluster %d", cluster);
  return DLS_OK;
}

TEST(a_seam_stands_around_each_colour) {
  Lattice l = lattice(20, true, true);
  DlsColours c;
  CHECK_OK(dls_colours_of_parts(&l.pattern, 128, &c));
  Story s = {.colours = &c, .fails_from = c.clusters};
  const DlsColourSeam seam = {be_before, be_after, &s};
  s.colour_of = calloc((size_t)c.clusters, sizeof *s.colour_of);
  s.times = calloc((size_t)c.clusters, sizeof *s.times);
  for (int k = 0; k < c.colours; k++)
    for (int n = c.colour[k]; n < c.colour[k + 1]; n++) s.colour_of[n] = k;
  dls_pool_set(3);
  CHECK_OK(dls_colours_each(&c, false, 1, be_done, &s, &seam));
  CHECK_OK(dls_colours_each(&c, true, 1, be_done, &s, &seam));
  CHECK_INT(s.afters, 2 * c.colours);
  CHECK_INT(s.wrong, 0);
  for (int k = 0; k < c.clusters; k++) CHECK_INT(s.times[k], 2);
  /* The first cluster that fails names the failure, and no colour behind its own is begun. */
  s.afters = s.befores = 0;
  s.fails_from = c.colour[1] + 1;
  char expected[64];
  snprintf(expected, sizeof expected, "cluster %d", s.fails_from);
  CHECK_FAILS(dls_colours_each(&c, false, 1, be_done, &s, &seam), DLS_ERR_LAW, expected);
  CHECK_INT(s.now, 1);
  dls_pool_set(0);
  free(s.colour_of);
  free(s.times);
  dls_colours_clear(&c);
  end_lattice(&l);
}
