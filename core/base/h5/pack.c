/* Groups of an HDF5 file copied with their numbers compressed; see pack.h. */
#include "base/h5/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/h5/h5.h"

enum { SMALL = 64, CHUNK = 1 << 16, HARDEST = 9 }; /* numbers; of a chunk; level of deflate */

typedef struct {
  const char *to;
  hid_t source, file;
  const char *const *groups;
  int count;
  hid_t group; /* that is filled at the time */
  DlsStatus status;
} Packing;

/* A vector in chunks: bytes of like rank side by side, then deflated. */
static DlsStatus put_chunks(Packing *p, const char *name, hid_t type, hid_t space, hsize_t count,
                            const void *values) {
  const hsize_t chunk = count < CHUNK ? count : CHUNK;
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(settings, false);
  H5Pset_chunk(settings, 1, &chunk);
  H5Pset_shuffle(settings);
  H5Pset_deflate(settings, HARDEST);
  const hid_t id = H5Dcreate2(p->group, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  H5Pclose(settings);
  herr_t done = id < 0 ? -1 : H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (id >= 0 && H5Dclose(id) < 0) done = -1;
  return done >= 0 ? DLS_OK : dls_h5_cannot_write(p->to, name);
}

static DlsStatus copy_vector(Packing *p, hid_t from, const char *name, hid_t data) {
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const bool vector = H5Sget_simple_extent_ndims(space) == 1;
  DlsStatus status = DLS_OK;
  if (!vector || count < SMALL) {
    if (H5Ocopy(from, name, p->group, name, H5P_DEFAULT, H5P_DEFAULT) < 0)
      status = dls_h5_cannot_write(p->to, name);
  } else {
    void *values = malloc((size_t)count * H5Tget_size(type));
    if (!values)
      status = dls_fail(DLS_ERR_MEMORY, "%s: no memory for %lld numbers", p->to, (long long)count);
    else if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      status = dls_h5_cannot_write(p->to, name);
    if (status == DLS_OK) status = put_chunks(p, name, type, space, (hsize_t)count, values);
    free(values);
  }
  H5Sclose(space);
  H5Tclose(type);
  return status;
}

/* Groups come before what is in them. */
static herr_t copy_object(hid_t from, const char *name, const H5O_info_t *info, void *context) {
  Packing *p = context;
  if (strcmp(name, ".") == 0) return 0;
  if (info->type == H5O_TYPE_GROUP) {
    const hid_t made = H5Gcreate2(p->group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (made < 0) p->status = dls_h5_cannot_write(p->to, name);
    if (made >= 0) H5Gclose(made);
  } else if (info->type == H5O_TYPE_DATASET) {
    const hid_t data = H5Dopen2(from, name, H5P_DEFAULT);
    p->status = data >= 0 ? copy_vector(p, from, name, data) : dls_h5_cannot_write(p->to, name);
    if (data >= 0) H5Dclose(data);
  }
  return p->status == DLS_OK ? 0 : -1;
}

static DlsStatus copy_group(Packing *p, const char *name) {
  const hid_t from = H5Gopen2(p->source, name, H5P_DEFAULT);
  p->group = H5Gcreate2(p->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (from < 0 || p->group < 0) p->status = dls_h5_cannot_write(p->to, name);
  if (p->status == DLS_OK && H5Ovisit(from, H5_INDEX_NAME, H5_ITER_INC, copy_object, p) < 0 &&
      p->status == DLS_OK)
    p->status = dls_h5_cannot_write(p->to, name);
  if (p->group >= 0) H5Gclose(p->group);
  if (from >= 0) H5Gclose(from);
  return p->status;
}

static DlsStatus fill(void *context, hid_t file) {
  Packing *p = context;
  p->file = file;
  for (int k = 0; k < p->count; k++)
    if (H5Lexists(p->source, p->groups[k], H5P_DEFAULT) > 0) DLS_TRY(copy_group(p, p->groups[k]));
  return DLS_OK;
}

DlsStatus dls_h5_pack(const char *from, const char *const *groups, int count, const char *to) {
  Packing packing = {.to = to, .groups = groups, .count = count};
  DlsFile *file = NULL;
  DlsH5File source = {0};
  DLS_TRY(dls_h5_open(from, &source));
  packing.source = source.id;
  DlsStatus status = dls_file_begin(to, &file);
  if (status == DLS_OK) status = dls_h5_write_file(to, fill, &packing, file);
  dls_h5_close(&source);
  if (status == DLS_OK) return dls_file_commit(&file);
  dls_file_abandon(&file);
  return status;
}
