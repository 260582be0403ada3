/* Small FCLIB files made, and spoilt, through HDF5 itself. */
#include "tests/io/fclib_make.h"

#include <delassus/fclib.h>

#include <stdlib.h>
#include <string.h>

const char *const make_names[] = {
#define MAKE_NAME(code, text) text,
    MAKE_LIST(MAKE_NAME)
#undef MAKE_NAME
};

/* Makes the dataset and the groups on the way to it; values NULL leaves it unwritten. */
static bool put(hid_t file, const char *name, hid_t stored, hid_t native, hid_t space,
                hid_t settings, const void *values) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t id = H5Dcreate2(file, name, stored, space, links, settings, H5P_DEFAULT);
  bool done = id >= 0;
  if (done && values) done = H5Dwrite(id, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  if (id >= 0) H5Dclose(id);
  H5Pclose(links);
  H5Sclose(space);
  return done;
}

static hid_t vector_of(int count) {
  const hsize_t extent = (hsize_t)count;
  return H5Screate_simple(1, &extent, NULL);
}

static bool is_foreign; /* how numbers are spelt in the file under way */

/* Chunks, shuffled, compressed and with a checksum, where the file is foreign. */
static bool put_numbers(hid_t file, const char *name, hid_t stored, hid_t native, int count,
                        const void *values) {
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = count < 5 ? (hsize_t)count : 5;
  if (is_foreign) {
    H5Pset_chunk(settings, 1, &chunk);
    H5Pset_shuffle(settings);
    H5Pset_deflate(settings, 6);
    H5Pset_fletcher32(settings);
  }
  const bool done = put(file, name, stored, native, vector_of(count), settings, values);
  H5Pclose(settings);
  return done;
}

static bool put_ints(hid_t file, const char *name, int count, const int *values) {
  return put_numbers(file, name, is_foreign ? H5T_STD_I64BE : H5T_STD_I32LE, H5T_NATIVE_INT, count,
                     values);
}

static bool put_int(hid_t file, const char *name, int value) {
  return put_ints(file, name, 1, &value);
}

static bool put_reals(hid_t file, const char *name, int count, const double *values) {
  return put_numbers(file, name, is_foreign ? H5T_IEEE_F32BE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                     count, values);
}

/* A string whose characters lie elsewhere in the file. */
static bool put_long_text(hid_t file, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  const bool done = put(file, name, type, type, H5Screate(H5S_SCALAR), H5P_DEFAULT, &text);
  H5Tclose(type);
  return done;
}

enum { SIZE = 18 };

typedef struct {
  int rows, columns;
  double value[SIZE][SIZE];
} Matrix;

static bool put_matrix(hid_t file, const char *group, const Matrix *a, int storage) {
  char name[96];
  int p[SIZE * SIZE + 1] = {0}, i[SIZE * SIZE], count = 0;
  double x[SIZE * SIZE];
  for (int line = 0; line < a->columns; line++) {
    for (int k = 0; k < a->rows; k++) {
      if (a->value[k][line] == 0) continue;
      if (storage >= 0) p[count] = line;
      i[count] = k;
      x[count++] = a->value[k][line];
    }
    if (storage < 0) p[line + 1] = count;
  }
#define NAME(part) (snprintf(name, sizeof name, "%s/%s", group, part), name)
  bool done = put_int(file, NAME("m"), a->rows) && put_int(file, NAME("n"), a->columns);
  done = done && put_int(file, NAME("nzmax"), count);
  done = done && put_int(file, NAME("nz"), storage < 0 ? storage : count);
  done = done && put_ints(file, NAME("p"), storage < 0 ? a->columns + 1 : count, p);
  done = done && put_ints(file, NAME("i"), count, i);
  return done && put_reals(file, NAME("x"), count, x);
#undef NAME
}

static const double numbers[] = {0.5,  -1, 0.25, 2, -0.75, 1.5, 3,    -2, 1,
                                 -0.5, 4,  0.1,  7, -3,    0.2, 0.01, -6, 5};
static const double mu[] = {0.3, 0, 0.7};

static bool put_pairs(hid_t file, int rows) {
  return put_reals(file, "/solution/r", rows, numbers) &&
         put_reals(file, "/solution/u", rows, numbers + 1) &&
         put_int(file, "/guesses/number_of_guesses", 1) &&
         put_reals(file, "/guesses/1/r", rows, numbers + 2) &&
         put_reals(file, "/guesses/1/u", rows, numbers);
}

static bool make_local(hid_t file, int storage) {
  Matrix W = {.rows = 6, .columns = 6}, V = {.rows = 6}, R = {0};
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++)
      if ((k / 2 + l / 2) % 2 == 0) W.value[k][l] = k == l ? 8 : numbers[k + l];
  bool done = put_int(file, "/fclib_local/spacedim", 2);
  done = done && put_matrix(file, "/fclib_local/W", &W, storage);
  if (storage < 0)
    done = done && put_matrix(file, "/fclib_local/V", &V, -1) &&
           put_matrix(file, "/fclib_local/R", &R, -1);
  done = done && put_reals(file, "/fclib_local/vectors/q", 6, numbers);
  done = done && put_long_text(file, "/fclib_local/info/title", "made");
  return done && put_reals(file, "/fclib_local/vectors/mu", 3, mu) && put_pairs(file, 6);
}

static bool make_global(hid_t file, MakeKind kind) {
  const int block = kind == MAKE_ROLLING ? 5 : 3, rows = 3 * block, n = 18;
  const char *group = kind == MAKE_ROLLING ? "/fclib_global_rolling" : "/fclib_global";
  char name[96];
  Matrix M = {.rows = n, .columns = n}, H = {.rows = n, .columns = rows};
  for (int k = 0; k < n; k++) {
    M.value[k][k] = 2 + 0.1 * k;
    if (k > 0 && (kind == MAKE_ELASTIC || kind == MAKE_GYRO)) {
      M.value[k][k - 1] = 0.5;
      M.value[k - 1][k] = kind == MAKE_GYRO ? 0.4 : 0.5;
    }
  }
  for (int k = 0; k < rows; k++) {
    H.value[k][k] = 1;
    H.value[k + 3][k] = -0.5;
  }
#define NAME(part) (snprintf(name, sizeof name, "%s/%s", group, part), name)
  bool done = put_int(file, NAME("spacedim"), block) && put_reals(file, NAME("vectors/mu"), 3, mu);
  done = done && put_reals(file, NAME("vectors/f"), n, numbers);
  done = done && put_reals(file, NAME("vectors/w"), rows, numbers + 1);
  if (block == 5) done = done && put_reals(file, NAME("vectors/mu_r"), 3, mu);
  done = done && put_matrix(file, NAME("M"), &M, kind == MAKE_ELASTIC ? -1 : 0);
  done = done && put_matrix(file, NAME("H"), &H, kind == MAKE_ELASTIC ? -1 : 0);
#undef NAME
  return done && put_pairs(file, rows);
}

static bool make_ours(const char *path, bool mixed) {
  const int start[] = {0, 2, 4, 5}, column[] = {0, 1, 0, 1, 2};
  double value[45];
  DlsRelation relations[3] = {{DLS_CONE_COULOMB, .mu = {0.3, 0.3}},
                              {DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                              {DLS_CONE_COULOMB, .mu = {0, 0}}};
  for (int e = 0; e < 45; e++) value[e] = numbers[e % 18] + (e % 4 == 0 ? 6 : 0);
  if (mixed) {
    relations[0].cone = DLS_CONE_SIGNORINI;
    relations[1].mu[1] = 0.7;
    relations[2].C[0] = 0.1;
    relations[1].a[0] = 0.2;
    relations[2].b[0] = -0.3;
  }
  DlsOperator *W;
  DlsProblem *problem;
  if (dls_operator_create_assembled(3, 3, start, column, value, &W) != DLS_OK) return false;
  if (dls_problem_create(3, &W, numbers, relations, NULL, &problem) != DLS_OK) return false;
  const DlsStatus status =
      dls_fclib_write(path, problem, "made", numbers, numbers + 1, mixed ? numbers + 2 : NULL);
  dls_problem_destroy(&problem);
  return status == DLS_OK;
}

bool make_file(MakeKind kind, const char *path) {
  if (kind == MAKE_LOCAL || kind == MAKE_MIXED) return make_ours(path, kind == MAKE_MIXED);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (kind == MAKE_LATEST) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  if (file < 0) return false;
  is_foreign = kind == MAKE_FOREIGN;
  const bool local =
      kind == MAKE_TRIPLET || kind == MAKE_COLUMNS || kind == MAKE_FOREIGN || kind == MAKE_LATEST;
  const bool done =
      local ? make_local(file, kind == MAKE_COLUMNS ? -1 : 0) : make_global(file, kind);
  is_foreign = false;
  return H5Fclose(file) >= 0 && done;
}

/* Writes one number into place `at` of a vector. */
static bool set_entry(hid_t file, const char *name, int at, double value) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  if (id < 0) return false;
  const hid_t space = H5Dget_space(id), one = vector_of(1);
  const hsize_t offset = (hsize_t)at, count = 1;
  bool done = H5Sget_simple_extent_ndims(space) == 1 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, &offset, NULL, &count, NULL) >= 0 &&
              H5Sselect_valid(space) > 0;
  done = done && H5Dwrite(id, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value) >= 0;
  H5Sclose(one);
  H5Sclose(space);
  H5Dclose(id);
  return done;
}

/* Replaces the dataset by one of `count` reals, in chunks, behind the filter that is asked for. */
static bool put_chunked(hid_t file, const char *name, hsize_t count, hsize_t chunk,
                        SpoilKind kind) {
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t space = H5Screate_simple(1, &count, NULL);
  H5Pset_chunk(settings, 1, &chunk);
  if (kind == SPOIL_BOMB) H5Pset_deflate(settings, 6);
  if (kind == SPOIL_FILTER) H5Pset_scaleoffset(settings, H5Z_SO_INT, 0);
  const hid_t type = kind == SPOIL_FILTER ? H5T_STD_I32LE : H5T_IEEE_F64LE;
  const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  H5Pclose(settings);
  H5Sclose(space);
  if (id < 0) return false;
  H5Dclose(id);
  return kind == SPOIL_CHUNK || set_entry(file, name, 0, 1);
}

static bool put_outside(hid_t file, const char *name, bool real) {
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(settings, "/dev/zero", 0, 24);
  const bool done = put(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, H5T_NATIVE_INT,
                        vector_of(3), settings, NULL);
  H5Pclose(settings);
  return done;
}

static bool put_foreign_real(hid_t file, const char *name) {
  const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
  const double values[3] = {1, 2, 3};
  H5Tset_fields(type, 63, 50, 13, 0, 50);
  H5Tset_ebias(type, 4095);
  const bool done = put(file, name, type, H5T_NATIVE_DOUBLE, vector_of(3), H5P_DEFAULT, values);
  H5Tclose(type);
  return done;
}

static bool replace(hid_t file, SpoilKind kind, const char *name, int at, double value, bool real) {
  const hsize_t square[2] = {2, 2};
  const double four[4] = {1, 2, 3, 4};
  hid_t group;
  switch (kind) {
  case SPOIL_DELETE:
    return true;
  case SPOIL_RANK:
    return put(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, H5T_NATIVE_DOUBLE,
               H5Screate_simple(2, square, NULL), H5P_DEFAULT, four);
  case SPOIL_TYPE:
    return put(file, name, real ? H5T_STD_I32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, vector_of(1),
               H5P_DEFAULT, four);
  case SPOIL_TEXT:
    return put(file, name, H5T_C_S1, H5T_C_S1, H5Screate(H5S_SCALAR), H5P_DEFAULT, "t");
  case SPOIL_GROUP:
    group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && H5Gclose(group) >= 0;
  case SPOIL_SOFT:
    return H5Lcreate_soft("/solution/r", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  case SPOIL_OUTSIDE:
    return H5Lcreate_external("other.hdf5", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  case SPOIL_EXTERNAL:
    return put_outside(file, name, real);
  case SPOIL_UNWRITTEN:
    return put(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, H5T_NATIVE_INT, vector_of(at),
               H5P_DEFAULT, NULL);
  case SPOIL_BOMB:
    return put_chunked(file, name, 100000000, 10000, kind);
  case SPOIL_CHUNK:
    return put_chunked(file, name, 500000000, 500000000, kind);
  case SPOIL_FILTER:
    return put_chunked(file, name, 3, 3, kind);
  case SPOIL_EMPTY:
    return put(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, H5T_NATIVE_INT,
               H5Screate(H5S_NULL), H5P_DEFAULT, NULL);
  case SPOIL_FLOAT:
    return put_foreign_real(file, name);
  default:
    break;
  }
  double *values = malloc(((size_t)at + 1) * sizeof *values);
  for (int k = 0; k < at; k++) values[k] = value;
  const bool done = put(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, H5T_NATIVE_DOUBLE,
                        vector_of(at), H5P_DEFAULT, values);
  free(values);
  return done;
}

static bool is_real(hid_t file, const char *name) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  if (id < 0) return false;
  const hid_t type = H5Dget_type(id);
  const bool real = H5Tget_class(type) == H5T_FLOAT;
  H5Tclose(type);
  H5Dclose(id);
  return real;
}

bool spoil_file(const char *path, SpoilKind kind, const char *name, int at, double value) {
  H5E_auto2_t report;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  bool done = file >= 0;
  if (done && kind == SPOIL_ENTRY) {
    done = set_entry(file, name, at, value);
  } else if (done) {
    const bool real = is_real(file, name);
    done = H5Ldelete(file, name, H5P_DEFAULT) >= 0 && replace(file, kind, name, at, value, real);
  }
  if (file >= 0 && H5Fclose(file) < 0) done = false;
  H5Eset_auto2(H5E_DEFAULT, report, data);
  return done;
}

typedef struct {
  char **found;
  int count, most;
} Listing;

static herr_t keep_dataset(hid_t object, const char *name, const H5O_info_t *info, void *context) {
  (void)object;
  Listing *listing = context;
  if (info->type != H5O_TYPE_DATASET || listing->count == listing->most) return 0;
  char full[256];
  snprintf(full, sizeof full, "/%s", name);
  listing->found[listing->count++] = strdup(full);
  return 0;
}

int list_datasets(const char *path, char **found, int most) {
  Listing listing = {found, 0, most};
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return 0;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, keep_dataset, &listing, H5O_INFO_BASIC);
  H5Fclose(file);
  return listing.count;
}
