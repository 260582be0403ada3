/* Gmsh, MSH 2.2 and 4.1, text and binary (of this machine's byte order). Groups are the physical
 * ones. Sections that are not ours are passed over. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh_impl.h"

/* Which physical groups an entity of 4.1 is in. */
typedef struct {
  int dim, tag, first, count; /* of `physical` */
} Entity;

typedef struct {
  int64_t tag;
  int number;
} NodeTag;

typedef struct {
  DlsScan *s;
  DlsMesh *mesh;
  bool version4, binary;
  int entities, physicals;
  Entity *entity;
  int *physical;
  int tags; /* of nodes, ascending once all are here */
  NodeTag *tag;
} Reading;

static const int64_t most_tag = (int64_t)1 << 53;

/* A number as text, or binary of `bytes` (4 or 8). */
static DlsStatus get(Reading *r, const char *what, size_t bytes, int64_t least, int64_t most,
                     int64_t *out) {
  if (!r->binary) return dls_scan_int(r->s, what, least, most, out);
  int32_t narrow;
  if (bytes == sizeof narrow) {
    DLS_TRY(dls_scan_bytes(r->s, what, &narrow, sizeof narrow));
    *out = narrow;
  } else {
    DLS_TRY(dls_scan_bytes(r->s, what, out, sizeof *out));
  }
  DLS_CHECK(*out >= least && *out <= most, DLS_ERR_FORMAT,
            "%s: %s is %lld, not within %lld to %lld", dls_scan_place(r->s), what, (long long)*out,
            (long long)least, (long long)most);
  return DLS_OK;
}

/* How many of something: each takes two bytes or more, so that a small file cannot ask for much. */
static DlsStatus get_count(Reading *r, const char *what, size_t bytes, int64_t *out) {
  return get(r, what, bytes, 0, (int64_t)dls_scan_left(r->s) / 2 + 1, out);
}

static DlsStatus get_real(Reading *r, const char *what, double *out) {
  if (!r->binary) return dls_scan_real(r->s, what, out);
  DLS_TRY(dls_scan_bytes(r->s, what, out, sizeof *out));
  DLS_CHECK(*out - *out == 0, DLS_ERR_FORMAT, "%s: %s is not finite", dls_scan_place(r->s), what);
  return DLS_OK;
}

static DlsStatus read_format(Reading *r) {
  double version;
  int64_t binary, size;
  DLS_CHECK(dls_scan_is(r->s, "$MeshFormat"), DLS_ERR_FORMAT,
            "%s: is no MSH of Gmsh: it does not begin with $MeshFormat", r->s->path);
  DLS_TRY(dls_scan_real(r->s, "the version", &version));
  DLS_TRY(dls_scan_int(r->s, "the type of the file", 0, 1, &binary));
  DLS_TRY(dls_scan_int(r->s, "the size of a number", 1, 64, &size));
  r->version4 = version > 4.05 && version < 4.15;
  DLS_CHECK(r->version4 || (version > 2.15 && version < 2.25), DLS_ERR_UNSUPPORTED,
            "%s: is MSH %g; 2.2 and 4.1 are read: save it with `gmsh -format msh41`",
            dls_scan_place(r->s), version);
  DLS_CHECK(size == 8, DLS_ERR_UNSUPPORTED, "%s: numbers of %lld bytes, not 8",
            dls_scan_place(r->s), (long long)size);
  r->binary = r->s->binary = binary == 1;
  if (!r->binary) return DLS_OK;
  int32_t one;
  const char *rest;
  size_t length;
  dls_scan_rest(r->s, &rest, &length);
  DLS_TRY(dls_scan_bytes(r->s, "the number 1", &one, sizeof one));
  DLS_CHECK(one == 1, DLS_ERR_UNSUPPORTED,
            "%s: is of a machine with another order of bytes; save it as text", r->s->path);
  return DLS_OK;
}

/* Always text. */
static DlsStatus read_names(Reading *r) {
  int64_t count, dim, tag;
  DLS_TRY(dls_scan_int(r->s, "the number of names", 0, (int64_t)dls_scan_left(r->s), &count));
  for (int64_t k = 0; k < count; k++) {
    const char *rest;
    size_t length;
    int group;
    DLS_TRY(dls_scan_int(r->s, "the dimension of a group", 0, 3, &dim));
    DLS_TRY(dls_scan_int(r->s, "the number of a group", INT32_MIN, INT32_MAX, &tag));
    dls_scan_rest(r->s, &rest, &length);
    if (length >= 2 && rest[0] == '"' && rest[length - 1] == '"') rest++, length -= 2;
    DLS_TRY(dls_mesh_tag_group(r->mesh, (int)dim, (int)tag, &group));
    const size_t kept = length < DLS_MESH_NAME - 1 ? length : DLS_MESH_NAME - 1;
    memcpy(r->mesh->group[group].name, rest, kept);
    r->mesh->group[group].name[kept] = '\0';
  }
  return DLS_OK;
}

static DlsStatus read_entity(Reading *r, int dim, int *room) {
  int64_t tag, count, ignored;
  double x;
  DLS_TRY(get(r, "the number of an entity", 4, INT32_MIN, INT32_MAX, &tag));
  for (int k = 0; k < (dim == 0 ? 3 : 6); k++) DLS_TRY(get_real(r, "the box of an entity", &x));
  DLS_TRY(get_count(r, "how many groups an entity is in", 8, &count));
  r->entity[r->entities++] = (Entity){dim, (int)tag, r->physicals, (int)count};
  for (int64_t k = 0; k < count; k++) {
    int64_t group;
    DLS_TRY(get(r, "the number of a group", 4, INT32_MIN, INT32_MAX, &group));
    if (r->physicals == *room) {
      const int wanted = 2 * *room + 16;
      int *more = realloc(r->physical, (size_t)wanted * sizeof *more);
      DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d groups", wanted);
      r->physical = more;
      *room = wanted;
    }
    r->physical[r->physicals++] = (int)group;
  }
  if (dim == 0) return DLS_OK;
  DLS_TRY(get_count(r, "how many entities bound one", 8, &count));
  for (int64_t k = 0; k < count; k++)
    DLS_TRY(get(r, "an entity that bounds one", 4, INT32_MIN, INT32_MAX, &ignored));
  return DLS_OK;
}

static int by_entity(const void *a, const void *b) {
  const Entity *p = a, *q = b;
  if (p->dim != q->dim) return p->dim - q->dim;
  return (p->tag > q->tag) - (p->tag < q->tag);
}

static DlsStatus read_entities(Reading *r) {
  int64_t count[4], sum = 0;
  int room = 0;
  DLS_CHECK(!r->entity, DLS_ERR_FORMAT, "%s: a second list of entities", dls_scan_place(r->s));
  for (int dim = 0; dim < 4; dim++) {
    DLS_TRY(get_count(r, "how many entities there are", 8, &count[dim]));
    sum += count[dim];
  }
  DLS_NEW(r->entity, sum);
  for (int dim = 0; dim < 4; dim++)
    for (int64_t k = 0; k < count[dim]; k++) DLS_TRY(read_entity(r, dim, &room));
  qsort(r->entity, (size_t)r->entities, sizeof *r->entity, by_entity);
  return DLS_OK;
}

static int by_tag(const void *a, const void *b) {
  const NodeTag *p = a, *q = b;
  return (p->tag > q->tag) - (p->tag < q->tag);
}

static DlsStatus node_of(const Reading *r, int64_t tag, int *out) {
  const NodeTag key = {tag, 0};
  const NodeTag *found =
      r->tags ? bsearch(&key, r->tag, (size_t)r->tags, sizeof key, by_tag) : NULL;
  DLS_CHECK(found, DLS_ERR_FORMAT, "%s: a cell names node %lld, which is not there",
            dls_scan_place(r->s), (long long)tag);
  *out = found->number;
  return DLS_OK;
}

static DlsStatus add_node(Reading *r, int64_t tag) {
  double x[3];
  for (int k = 0; k < 3; k++) DLS_TRY(get_real(r, "a coordinate of a node", &x[k]));
  r->tag[r->tags++] = (NodeTag){tag, r->mesh->nodes};
  return dls_mesh_add_node(r->mesh, x);
}

/* One block of 4.1: tags of its nodes, then their places. */
static DlsStatus read_node_block(Reading *r, int64_t left, int64_t *read) {
  int64_t dim, entity, parametric, tag;
  double ignored;
  DLS_TRY(get(r, "the dimension of an entity", 4, 0, 3, &dim));
  DLS_TRY(get(r, "the number of an entity", 4, INT32_MIN, INT32_MAX, &entity));
  DLS_TRY(get(r, "whether nodes are parametric", 4, 0, 1, &parametric));
  DLS_TRY(get(r, "how many nodes a block has", 8, 0, left, read));
  const int first = r->tags;
  for (int64_t k = 0; k < *read; k++) {
    DLS_TRY(get(r, "the number of a node", 8, 0, most_tag, &tag));
    r->tag[first + k].tag = tag;
  }
  for (int64_t k = 0; k < *read; k++) {
    DLS_TRY(add_node(r, r->tag[first + k].tag));
    for (int64_t p = 0; parametric && p < dim; p++)
      DLS_TRY(get_real(r, "a parameter of a node", &ignored));
  }
  return DLS_OK;
}

static DlsStatus read_nodes(Reading *r) {
  int64_t blocks = 0, count, ignored, tag, read;
  DLS_CHECK(!r->tag, DLS_ERR_FORMAT, "%s: a second list of nodes", dls_scan_place(r->s));
  if (r->version4) {
    DLS_TRY(get_count(r, "how many blocks of nodes there are", 8, &blocks));
    DLS_TRY(get_count(r, "how many nodes there are", 8, &count));
    for (int k = 0; k < 2; k++) DLS_TRY(get(r, "the range of nodes", 8, 0, most_tag, &ignored));
  } else { /* in text, also of binary files, on a line of its own */
    const char *rest;
    size_t length;
    DLS_TRY(dls_scan_int(r->s, "how many nodes there are", 0, (int64_t)dls_scan_left(r->s) / 2 + 1,
                         &count));
    if (r->binary) dls_scan_rest(r->s, &rest, &length);
  }
  DLS_CHECK(count < DLS_MESH_NODES, DLS_ERR_UNSUPPORTED, "%s: a mesh of more than %d nodes",
            dls_scan_place(r->s), (int)DLS_MESH_NODES);
  DLS_NEW(r->tag, count);
  for (int64_t b = 0; b < blocks; b++) DLS_TRY(read_node_block(r, count - r->tags, &read));
  for (int64_t k = 0; !r->version4 && k < count; k++) {
    DLS_TRY(get(r, "the number of a node", 4, 0, most_tag, &tag));
    DLS_TRY(add_node(r, tag));
  }
  DLS_CHECK(r->tags == count, DLS_ERR_FORMAT, "%s: %d nodes are here, not the %lld announced",
            dls_scan_place(r->s), r->tags, (long long)count);
  qsort(r->tag, (size_t)r->tags, sizeof *r->tag, by_tag);
  for (int k = 1; k < r->tags; k++)
    DLS_CHECK(r->tag[k].tag != r->tag[k - 1].tag, DLS_ERR_FORMAT, "%s: node %lld is there twice",
              dls_scan_place(r->s), (long long)r->tag[k].tag);
  return DLS_OK;
}

static DlsStatus kind_of(const Reading *r, int64_t type, DlsCellKind *out) {
  for (int k = 0; k < DLS_CELL_KINDS; k++)
    if (dls_cell_facts[k].gmsh == type) {
      *out = (DlsCellKind)k;
      return DLS_OK;
    }
  return dls_fail(DLS_ERR_UNSUPPORTED,
                  "%s: cells of type %lld of Gmsh are not read (read are points, segments, "
                  "triangles, quadrilaterals, tetrahedra, hexahedra, wedges and pyramids, some "
                  "with middle nodes)",
                  dls_scan_place(r->s), (long long)type);
}

/* The nodes of a cell. */
static DlsStatus add_cell(Reading *r, DlsCellKind kind, size_t bytes) {
  int corner[16];
  const int count = dls_cell_facts[kind].nodes;
  for (int k = 0; k < count; k++) {
    int64_t tag;
    DLS_TRY(get(r, "a node of a cell", bytes, 0, most_tag, &tag));
    DLS_TRY(node_of(r, tag, &corner[k]));
  }
  return dls_mesh_add_cell(r->mesh, kind, count, corner);
}

static DlsStatus put_in_group(Reading *r, int dim, int tag) {
  int group;
  DLS_TRY(dls_mesh_tag_group(r->mesh, dim, tag, &group));
  return dls_mesh_put_in_group(r->mesh, group, r->mesh->cells - 1);
}

static DlsStatus read_cell_block(Reading *r, int64_t left, int64_t *read) {
  int64_t dim, entity, type, tag;
  DlsCellKind kind = DLS_CELL_POINT;
  DLS_TRY(get(r, "the dimension of an entity", 4, 0, 3, &dim));
  DLS_TRY(get(r, "the number of an entity", 4, INT32_MIN, INT32_MAX, &entity));
  DLS_TRY(get(r, "the type of cells", 4, 1, 1000, &type));
  DLS_TRY(get(r, "how many cells a block has", 8, 0, left, read));
  DLS_TRY(kind_of(r, type, &kind));
  const Entity key = {.dim = (int)dim, .tag = (int)entity};
  const Entity *of =
      r->entities ? bsearch(&key, r->entity, (size_t)r->entities, sizeof key, by_entity) : NULL;
  for (int64_t k = 0; k < *read; k++) {
    DLS_TRY(get(r, "the number of a cell", 8, 0, most_tag, &tag));
    DLS_TRY(add_cell(r, kind, 8));
    for (int p = 0; of && p < of->count; p++) /* minus: turned round */
      DLS_TRY(put_in_group(r, (int)dim, abs(r->physical[of->first + p])));
  }
  return DLS_OK;
}

/* Of 2.2: one cell with its head, or in binary files a block with one. */
static DlsStatus read_old_cells(Reading *r, int64_t left, int64_t *read) {
  int64_t number = 0, type, tags, tag, group = 0;
  DlsCellKind kind = DLS_CELL_POINT;
  *read = 1;
  if (!r->binary) DLS_TRY(get(r, "the number of a cell", 4, 0, most_tag, &number));
  DLS_TRY(get(r, "the type of a cell", 4, 1, 1000, &type));
  DLS_TRY(kind_of(r, type, &kind));
  if (r->binary) DLS_TRY(get(r, "how many cells a block has", 4, 1, left, read));
  DLS_TRY(get(r, "how many tags a cell has", 4, 0, 64, &tags));
  for (int64_t k = 0; k < *read; k++) {
    if (r->binary) DLS_TRY(get(r, "the number of a cell", 4, 0, most_tag, &number));
    for (int64_t t = 0; t < tags; t++) {
      DLS_TRY(get(r, "a tag of a cell", 4, INT32_MIN + 1, INT32_MAX, &tag));
      if (t == 0) group = tag;
    }
    DLS_TRY(add_cell(r, kind, 4));
    if (tags > 0 && group != 0) DLS_TRY(put_in_group(r, dls_cell_facts[kind].dim, abs((int)group)));
  }
  return DLS_OK;
}

static DlsStatus read_cells(Reading *r) {
  int64_t blocks, count, ignored, read;
  const int before = r->mesh->cells;
  if (r->version4) {
    DLS_TRY(get_count(r, "how many blocks of cells there are", 8, &blocks));
    DLS_TRY(get_count(r, "how many cells there are", 8, &count));
    for (int k = 0; k < 2; k++) DLS_TRY(get(r, "the range of cells", 8, 0, most_tag, &ignored));
    for (int64_t b = 0, seen = 0; b < blocks; b++, seen += read)
      DLS_TRY(read_cell_block(r, count - seen, &read));
  } else {
    const char *rest;
    size_t length;
    DLS_TRY(dls_scan_int(r->s, "how many cells there are", 0, (int64_t)dls_scan_left(r->s) / 2 + 1,
                         &count));
    if (r->binary) dls_scan_rest(r->s, &rest, &length);
    for (int64_t seen = 0; seen < count; seen += read)
      DLS_TRY(read_old_cells(r, count - seen, &read));
  }
  DLS_CHECK(r->mesh->cells - before == count, DLS_ERR_FORMAT,
            "%s: %d cells are here, not the %lld announced", dls_scan_place(r->s),
            r->mesh->cells - before, (long long)count);
  return DLS_OK;
}

static const char *find(const DlsScan *s, const char *word, size_t length) {
  for (const char *at = s->at; (size_t)(s->end - at) >= length; at++) {
    at = memchr(at, word[0], (size_t)(s->end - at));
    if (!at || (size_t)(s->end - at) < length) return NULL;
    if (memcmp(at, word, length) == 0) return at;
  }
  return NULL;
}

/* Past the $End of a section that is not ours. */
static DlsStatus skip_section(Reading *r, const char *name, size_t length) {
  DlsScan *s = r->s;
  char end[64];
  DLS_CHECK(length > 1 && length < sizeof end - 8 && name[0] == '$', DLS_ERR_FORMAT,
            "%s: here should stand the name of a section, such as $Nodes", dls_scan_place(s));
  memcpy(end, "$End", 4);
  memcpy(end + 4, name + 1, length - 1);
  const char *found = find(s, end, length + 3);
  DLS_CHECK(found, DLS_ERR_FORMAT, "%s: this section has no end", dls_scan_place(s));
  for (; s->at < found + length + 3; s->at++) s->line += *s->at == '\n';
  return DLS_OK;
}

static bool is(const char *word, size_t length, const char *name) {
  return length == strlen(name) && memcmp(word, name, length) == 0;
}

/* The numbers of a binary section begin behind its line. */
static void begin_section(Reading *r) {
  const char *rest;
  size_t length;
  if (r->binary) dls_scan_rest(r->s, &rest, &length);
}

static DlsStatus read_sections(Reading *r) {
  DLS_TRY(read_format(r));
  DLS_CHECK(dls_scan_is(r->s, "$EndMeshFormat"), DLS_ERR_FORMAT, "%s: $MeshFormat has no end",
            dls_scan_place(r->s));
  for (;;) {
    const char *word;
    size_t length;
    dls_scan_word(r->s, false, &word, &length);
    if (length == 0) return DLS_OK;
    const char *end = NULL;
    if (is(word, length, "$PhysicalNames")) {
      DLS_TRY(read_names(r));
      end = "$EndPhysicalNames";
    } else if (is(word, length, "$Entities") && r->version4) {
      begin_section(r);
      DLS_TRY(read_entities(r));
      end = "$EndEntities";
    } else if (is(word, length, "$Nodes")) {
      begin_section(r);
      DLS_TRY(read_nodes(r));
      end = "$EndNodes";
    } else if (is(word, length, "$Elements")) {
      begin_section(r);
      DLS_TRY(read_cells(r));
      end = "$EndElements";
    } else {
      DLS_TRY(skip_section(r, word, length));
    }
    DLS_CHECK(!end || dls_scan_is(r->s, end), DLS_ERR_FORMAT, "%s: here should stand %s",
              dls_scan_place(r->s), end);
  }
}

DlsStatus dls_mesh_read_msh(DlsScan *s, DlsMesh *out) {
  Reading r = {.s = s, .mesh = out};
  const DlsStatus status = read_sections(&r);
  free(r.entity);
  free(r.physical);
  free(r.tag);
  return status;
}
