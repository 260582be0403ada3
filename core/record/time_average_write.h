/* Files of means over time (post/time_average.h).
 *
 *   STEM.csv        stress, fabric, cut, walls, profile, floor: a row for each bin (and place), of
 *                   each number the mean and, as NAME_error, its standard error
 *   STEM.vtu        field, grains: arrays NAME and NAME_error
 *   STEM.pvd        by phases: a series of STEM_000000.vtu ..., a frame for each bin at its middle,
 *                   in s from the beginning of the period, so that ParaView animates the mean
 *                   cycle */
#ifndef DELASSUS_RECORD_TIME_AVERAGE_WRITE_H
#define DELASSUS_RECORD_TIME_AVERAGE_WRITE_H

#include "post/time_average.h"
#include "record/vtu/vtu.h"

/* Whether it has places in space, and goes to VTU files in the place of a table. */
bool dls_time_average_is_spatial(const DlsTimeAverage *average);

/* labels [rows]: of cuts and walls, for the names of columns; NULL: their numbers. DLS_ERR_ARGUMENT
 * without instants. */
DlsStatus dls_time_average_write(const DlsTimeAverage *average, const char *const *labels,
                                 const char *folder, const char *stem,
                                 const DlsVtuOptions *options);

/* The middle of a bin, s from the beginning of the period; without phases that of the instants. */
double dls_time_average_moment(const DlsTimeAverage *average, int bin);

/* Name of component c of an array, "stress_xy", "velocity_z", "rose_07"; false where 2-D has
 * none. */
bool dls_time_average_component(const DlsObservableArray *array, int dim, int c, char *out,
                                size_t bytes);

#endif
