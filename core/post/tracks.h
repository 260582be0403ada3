/* Tracks: where bodies were at a series of moments, and what they moved between one moment and the
 * next. Taken at one phase of a vessel that shakes, the moments are those of a stroboscope, and
 * what is left of the motion is the slow flow (Moreau 1994, Figs. 1 to 3).
 *
 * Means over bodies are taken for each of the intervals between moments by itself; their mean, and
 * its standard error from the scatter among intervals, are told. Intervals that follow each other
 * are not independent of each other where a flow lasts, so that the error is one of the mean over
 * this stretch of time, not of the flow's. */
#ifndef DELASSUS_POST_TRACKS_H
#define DELASSUS_POST_TRACKS_H

#include "post/packing.h"
#include "post/probe.h"

typedef struct {
  int dim, moments, bodies, room;
  double *time;       /* [moments], s */
  int64_t *id;        /* [bodies] */
  double *radius;     /* [bodies], m */
  double (*place)[3]; /* [moments][bodies], m; NaN: the body was not there */
} DlsTracks;

/* The next moment. Bodies that are held, and those that were not there at the first one, do not
 * count. A zeroed one has no moments. */
DlsStatus dls_tracks_add(DlsTracks *tracks, const DlsPacking *packing);
void dls_tracks_clear(DlsTracks *tracks);

static inline const double *dls_tracks_at(const DlsTracks *t, int moment, int body) {
  return t->place[(size_t)moment * (size_t)t->bodies + (size_t)body];
}

/* Bodies that were not there at all moments, or began outside of the region, are dropped. */
void dls_tracks_keep(DlsTracks *tracks, const DlsProbe *region);

/* Around the vertical axis (the last one) through `centre`: places become (ρ, z), a 2-D flow in the
 * meridian half plane. 3-D alone. */
void dls_tracks_meridian(DlsTracks *tracks, const double centre[3]);

/* Box around all places. */
void dls_tracks_box(const DlsTracks *tracks, double low[3], double high[3]);

typedef struct {
  double mean[3], error[3]; /* m for an interval; error NaN: of one interval there is none */
  double bodies;            /* in an interval, averaged */
  int intervals;            /* in which there were some */
} DlsTrackMove;

/* What bodies move whose place in the middle of an interval is in [low, high). */
DlsTrackMove dls_tracks_move(const DlsTracks *tracks, const double low[3], const double high[3]);

typedef struct {
  double mean, error; /* rad for an interval, counter-clockwise in the plane of axes a and b */
  double bodies;
  int intervals;
} DlsTrackTurn;

/* How the bodies in a box turn about its middle: Σ (x - c) ∧ Δx / Σ |x - c|². For a flow that turns
 * as a whole, its angle; its circulation around the box is then 2 x the area x this. */
DlsTrackTurn dls_tracks_turn(const DlsTracks *tracks, int a, int b, const double low[3],
                             const double high[3]);

#endif
