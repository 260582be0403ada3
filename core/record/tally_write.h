/* Files of means over time (post/tally.h).
 *
 *   STEM.csv        stress, fabric, cut, walls, profile, floor: a row for each bin (and place), of each number the mean
 *                   and, as NAME_error, its standard error
 *   STEM.vtu        field, grains: arrays NAME and NAME_error
 *   STEM.pvd        by phases: a series of STEM_000000.vtu ..., a frame for each bin at its middle, in s from the
 *                   beginning of the period, so that ParaView animates the mean cycle */
#ifndef DELASSUS_RECORD_TALLY_WRITE_H
#define DELASSUS_RECORD_TALLY_WRITE_H

#include "post/tally.h"
#include "record/vtu.h"

/* Whether it has places in space, and goes to VTU files in the place of a table. */
DLS_EXPORT bool dls_tally_is_spatial(const DlsTally *tally);

/* labels [rows]: of cuts and walls, for the names of columns; NULL: their numbers. DLS_ERR_ARGUMENT without instants. */
DLS_EXPORT DlsStatus dls_tally_write(const DlsTally *tally, const char *const *labels,
                                     const char *folder, const char *stem,
                                     const DlsVtuOptions *options);

/* The middle of a bin, s from the beginning of the period; without phases that of the instants. */
DLS_EXPORT double dls_tally_moment(const DlsTally *tally, int bin);

/* Name of component c of an array, "stress_xy", "velocity_z", "rose_07"; false where 2-D has none. */
DLS_EXPORT bool dls_tally_component(const DlsReadingArray *array, int dim, int c, char *out,
                                    size_t bytes);

#endif
