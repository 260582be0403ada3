/* STL: triangles with corners of their own, as text or binary. Corners of equal bits are one node;
 * then those within 1e-6 of the extent of the whole: files are in
 * single precision, and writers round the same corner in different ways. Normals of the file are
 * left out: the order of the corners tells the front. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh_impl.h"

static const double weld_share = 1e-6;

enum { HEAD = 84, FACET = 50 }; /* bytes */

/* Corners as they come, three to a facet. */
typedef struct {
  int count, room; /* corners */
  double (*x)[3];
  int *group; /* of each facet, -1 none; [room / 3] */
} Soup;

static DlsStatus keep(Soup *soup, const double x[3][3], int group) {
  if (soup->count + 3 > soup->room) {
    const int room = soup->room ? 2 * soup->room : 96;
    DLS_CHECK(soup->count < DLS_MESH_CELLS, DLS_ERR_UNSUPPORTED, "more than %d triangles",
              (int)DLS_MESH_CELLS / 3);
    void *more = realloc(soup->x, (size_t)room * sizeof *soup->x);
    if (more) soup->x = more;
    void *groups = realloc(soup->group, (size_t)(room / 3) * sizeof *soup->group);
    if (groups) soup->group = groups;
    DLS_CHECK(more && groups, DLS_ERR_MEMORY, "out of memory for %d corners", room);
    soup->room = room;
  }
  for (int k = 0; k < 3; k++) /* -0 is 0 */
    for (int i = 0; i < 3; i++) soup->x[soup->count + k][i] = x[k][i] + 0.0;
  soup->group[soup->count / 3] = group;
  soup->count += 3;
  return DLS_OK;
}

static DlsStatus expect(DlsScan *s, const char *word) {
  DLS_CHECK(dls_scan_is(s, word), DLS_ERR_FORMAT, "%s: here should stand '%s'", dls_scan_place(s),
            word);
  return DLS_OK;
}

static DlsStatus read_facet(DlsScan *s, Soup *soup, int group) {
  double x[3][3], normal;
  DLS_TRY(expect(s, "normal"));
  for (int k = 0; k < 3; k++) {
    const DlsScan before = *s;
    if (dls_scan_real(s, "a normal", &normal) != DLS_OK) { /* nan of flat facets: not ours to use */
      const char *text;
      size_t length;
      *s = before;
      dls_scan_word(s, true, &text, &length);
      DLS_CHECK(length > 0, DLS_ERR_FORMAT, "%s: a normal has three numbers", dls_scan_place(s));
    }
  }
  DLS_TRY(expect(s, "outer"));
  DLS_TRY(expect(s, "loop"));
  for (int v = 0; v < 3; v++) {
    DLS_TRY(expect(s, "vertex"));
    for (int k = 0; k < 3; k++) DLS_TRY(dls_scan_real(s, "a coordinate of a vertex", &x[v][k]));
  }
  DLS_TRY(expect(s, "endloop"));
  DLS_TRY(expect(s, "endfacet"));
  return keep(soup, (const double(*)[3])x, group);
}

static DlsStatus read_text(DlsScan *s, DlsMesh *out, Soup *soup) {
  const char *rest;
  size_t length;
  do {
    int group = -1;
    DLS_TRY(expect(s, "solid"));
    dls_scan_rest(s, &rest, &length);
    if (length > 0) DLS_TRY(dls_mesh_name_group(out, rest, length, &group));
    while (dls_scan_is(s, "facet")) DLS_TRY(read_facet(s, soup, group));
    DLS_CHECK(dls_scan_is(s, "endsolid"), DLS_ERR_FORMAT,
              "%s: here should stand 'facet' or 'endsolid'", dls_scan_place(s));
    dls_scan_rest(s, &rest, &length);
    dls_scan_skip(s, false);
  } while (dls_scan_left(s) > 0);
  return DLS_OK;
}

static DlsStatus read_binary(DlsScan *s, uint32_t facets, Soup *soup) {
  s->binary = true;
  s->at = s->begin + HEAD;
  for (uint32_t f = 0; f < facets; f++) {
    float number[12];
    double x[3][3];
    char attribute[2];
    DLS_TRY(dls_scan_bytes(s, "a facet", number, sizeof number));
    DLS_TRY(dls_scan_bytes(s, "a facet", attribute, sizeof attribute));
    for (int k = 0; k < 9; k++) {
      x[k / 3][k % 3] = (double)number[3 + k];
      DLS_CHECK(isfinite(number[3 + k]), DLS_ERR_FORMAT,
                "%s: facet %u has a vertex that is not finite", dls_scan_place(s), f);
    }
    DLS_TRY(keep(soup, (const double(*)[3])x, -1));
  }
  return DLS_OK;
}

static uint64_t hash_of(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < size; k++) hash = (hash ^ at[k]) * 1099511628211u;
  return hash ^ hash >> 32;
}

/* A table of places of nodes, open addressing: number + 1, 0 free. */
typedef struct {
  size_t slots;
  int *slot;
} Table;

static DlsStatus make_table(int most, Table *out) {
  out->slots = 16;
  while (out->slots < 2 * (size_t)most) out->slots *= 2;
  DLS_NEW(out->slot, out->slots);
  return DLS_OK;
}

/* The node at exactly x, made where there is none. */
static DlsStatus node_at(Table *t, DlsMesh *m, const double x[3], int *out) {
  size_t k = (size_t)hash_of(x, 3 * sizeof *x) & (t->slots - 1);
  for (; t->slot[k]; k = (k + 1) & (t->slots - 1)) {
    *out = t->slot[k] - 1;
    if (memcmp(m->node[*out], x, 3 * sizeof *x) == 0) return DLS_OK;
  }
  *out = m->nodes;
  t->slot[k] = m->nodes + 1;
  return dls_mesh_add_node(m, x);
}

/* Cells of the grid of `cell` m in which a node is sought; first comes, first stays: a node joins
 * the first one that is near. */
static void find_near(const Table *t, const DlsMesh *m, int node, const int64_t at[3],
                      double tolerance, int *found) {
  for (int n = 0; n < 27 && *found < 0; n++) {
    const int64_t key[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
    size_t k = (size_t)hash_of(key, sizeof key) & (t->slots - 1);
    for (; t->slot[k]; k = (k + 1) & (t->slots - 1)) {
      const int other = t->slot[k] - 1;
      double square = 0;
      for (int i = 0; i < 3; i++) {
        const double d = m->node[node][i] - m->node[other][i];
        square += d * d;
      }
      if (square <= tolerance * tolerance && (*found < 0 || other < *found)) *found = other;
    }
  }
}

/* representative[n]: the node that n is one with, itself or an earlier one. */
static DlsStatus weld(DlsMesh *m, double tolerance, int *representative) {
  Table table = {0};
  DLS_TRY(make_table(m->nodes, &table));
  for (int n = 0; n < m->nodes; n++) {
    int64_t at[3];
    int found = -1;
    for (int k = 0; k < 3; k++) at[k] = (int64_t)floor(m->node[n][k] / (2 * tolerance));
    find_near(&table, m, n, at, tolerance, &found);
    representative[n] = found < 0 ? n : found;
    m->welded += found >= 0;
    if (found >= 0) continue;
    size_t k = (size_t)hash_of(at, sizeof at) & (table.slots - 1);
    while (table.slot[k]) k = (k + 1) & (table.slots - 1);
    table.slot[k] = n + 1;
  }
  free(table.slot);
  return DLS_OK;
}

/* Takes out the nodes that are one with another. */
static void renumber(DlsMesh *m, int *representative) {
  int kept = 0;
  for (int n = 0; n < m->nodes; n++) {
    if (representative[n] != n) {
      representative[n] = representative[representative[n]]; /* earlier: its new number */
      continue;
    }
    memmove(m->node[kept], m->node[n], sizeof m->node[n]);
    representative[n] = kept++;
  }
  m->nodes = kept;
  for (int64_t c = 0; c < m->start[m->cells]; c++) m->corner[c] = representative[m->corner[c]];
}

static bool same_twice(const int c[3]) { return c[0] == c[1] || c[1] == c[2] || c[2] == c[0]; }

static DlsStatus weld_near(const char *path, DlsMesh *m) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double extent = 0, far = 0;
  int *representative;
  for (int n = 0; n < m->nodes; n++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], m->node[n][k]);
      high[k] = fmax(high[k], m->node[n][k]);
      far = fmax(far, fabs(m->node[n][k]));
    }
  for (int k = 0; k < 3; k++) extent = fmax(extent, high[k] - low[k]);
  const double tolerance = weld_share * extent;
  /* Where places are farther off than single precision tells apart, or are all one, leave it. */
  if (!(tolerance > 0) || !isfinite(far / tolerance) || far / tolerance > 1e15) return DLS_OK;
  DLS_NEW(representative, m->nodes);
  const DlsStatus status = weld(m, tolerance, representative);
  if (status == DLS_OK && m->welded > 0) renumber(m, representative);
  free(representative);
  DLS_TRY(status);
  for (int c = 0; c < m->cells && m->welded > 0; c++)
    DLS_CHECK(!same_twice(dls_mesh_corners(m, c)), DLS_ERR_FORMAT,
              "%s: triangle %d is thinner than %g, below which corners are taken for one; mend the "
              "surface, or take another format",
              path, c, tolerance);
  return DLS_OK;
}

static DlsStatus make_mesh(const char *path, const Soup *soup, DlsMesh *m) {
  Table table = {0};
  DlsStatus status = make_table(soup->count, &table);
  for (int f = 0; f < soup->count / 3 && status == DLS_OK; f++) {
    int corner[3];
    for (int k = 0; k < 3 && status == DLS_OK; k++)
      status = node_at(&table, m, soup->x[3 * f + k], &corner[k]);
    if (status != DLS_OK) break;
    if (same_twice(corner)) {
      m->dropped++;
      continue;
    }
    status = dls_mesh_add_cell(m, DLS_CELL_TRIANGLE, 3, corner);
    if (status == DLS_OK && soup->group[f] >= 0)
      status = dls_mesh_put_in_group(m, soup->group[f], m->cells - 1);
  }
  free(table.slot);
  DLS_TRY(status);
  return m->cells > 0 ? weld_near(path, m) : DLS_OK;
}

DlsStatus dls_mesh_read_stl(DlsScan *s, DlsMesh *out) {
  const size_t size = dls_scan_left(s);
  Soup soup = {0};
  uint32_t facets = 0;
  DlsStatus status;
  if (size >= HEAD) memcpy(&facets, s->begin + HEAD - sizeof facets, sizeof facets);
  if (size >= HEAD && size == HEAD + (size_t)FACET * facets) {
    status = read_binary(s, facets, &soup);
  } else {
    const DlsScan start = *s;
    const bool text = dls_scan_is(s, "solid");
    *s = start;
    status = text ? read_text(s, out, &soup)
                  : dls_fail(DLS_ERR_FORMAT,
                             "%s: is no STL: it does not begin with 'solid', and has %zu bytes, "
                             "not the %llu of %u binary triangles",
                             s->path, size, (unsigned long long)HEAD + 50ull * facets, facets);
  }
  if (status == DLS_OK) status = make_mesh(s->path, &soup, out);
  free(soup.x);
  free(soup.group);
  return status;
}
