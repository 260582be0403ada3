/* HDF5 files written: one vector, number or text a dataset, contiguous, without the time of day:
 * the same values give the same bytes.
 *
 * HDF5 never sees the disk. When it cannot write (a full disk), its close fails, keeps what it
 * holds, and tries again in its handler at exit, which crashes. So the file is made in memory, and
 * its bytes go the way of those of all other files. */
#include "base/h5/h5.h"

#include <string.h>

enum { MORE_BYTES = 1 << 20 }; /* by which the file in memory grows */

DlsStatus dls_h5_cannot_write(const char *path, const char *what) {
  return dls_fail(DLS_ERR_FILE, "%s: %s: cannot be written: %s", path, what, dls_h5_reason());
}

static DlsStatus write_dataset(const char *path, hid_t place, const char *name, hid_t stored,
                               hid_t native, hid_t space, const void *values) {
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(settings, false);
  const hid_t id = H5Dcreate2(place, name, stored, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  H5Pclose(settings);
  herr_t done = id < 0 ? -1 : H5Dwrite(id, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (id >= 0 && H5Dclose(id) < 0) done = -1;
  H5Sclose(space);
  return done >= 0 ? DLS_OK : dls_h5_cannot_write(path, name);
}

static hid_t vector_of(long long count) {
  const hsize_t extent = (hsize_t)count;
  return H5Screate_simple(1, &extent, NULL);
}

DlsStatus dls_h5_write_ints(const char *path, hid_t place, const char *name, int count,
                            const int *values) {
  return write_dataset(path, place, name, H5T_STD_I32LE, H5T_NATIVE_INT, vector_of(count), values);
}

DlsStatus dls_h5_write_reals(const char *path, hid_t place, const char *name, int count,
                             const double *values) {
  return write_dataset(path, place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, vector_of(count),
                       values);
}

DlsStatus dls_h5_write_text(const char *path, hid_t place, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  const DlsStatus status =
      write_dataset(path, place, name, type, type, H5Screate(H5S_SCALAR), text);
  H5Tclose(type);
  return status;
}

DlsStatus dls_h5_write(const char *path, hid_t place, const char *name, DlsH5Kind kind,
                       long long count, const void *values) {
  const hid_t type = dls_h5_type(kind);
  return write_dataset(path, place, name, type, type, vector_of(count), values);
}

/* The bytes of the file that stands in memory. Flushed, it ends where its last object does. The
 * driver lends its own array, so that a large file is not there twice. */
static DlsStatus put_image(const char *path, hid_t id, DlsFile *out) {
  void *handle = NULL;
  const bool flushed = H5Fflush(id, H5F_SCOPE_GLOBAL) >= 0;
  const ssize_t size = flushed ? H5Fget_file_image(id, NULL, 0) : -1;
  if (size < 0 || H5Fget_vfd_handle(id, H5P_DEFAULT, &handle) < 0 || !handle)
    return dls_h5_cannot_write(path, "the file");
  dls_file_put(out, *(void **)handle, (size_t)size);
  return dls_file_state(out);
}

DlsStatus dls_h5_write_file(const char *path, DlsStatus (*fill)(void *context, hid_t file),
                            void *context, DlsFile *out) {
  DlsH5File quiet = {0};
  dls_h5_quiet(&quiet);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_fapl_core(access, MORE_BYTES, false);
  const hid_t id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  DlsStatus status = id >= 0 ? fill(context, id) : dls_h5_cannot_write(path, "the file");
  if (status == DLS_OK) status = put_image(path, id, out);
  if (id >= 0) H5Fclose(id);
  dls_h5_loud(&quiet);
  return status;
}
