/* HDF5 files written: one vector, number or text a dataset, contiguous, without the time of day: the same
 * values give the same bytes. */
#include "base/h5.h"

#include <string.h>

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
