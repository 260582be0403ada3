/* Observables: what is read off a packing at one instant as rows of numbers, so that one code takes
 * the mean of any of it, while a run goes on and afterwards (post/time_average.h).
 *
 *   stress   one row: volume, grains, contacts, solid, velocity, stress and its parts of the region
 *            (post/average.h)
 *   fabric   one row: fabric, coordination, rose, densities of forces (post/fabric.h), pooled over
 *            contacts
 *   cut      a row for each cut: force, traction (post/cut.h)
 *   walls    a row for all boundaries, then one for each: what it exerts on the grains, and the sum
 *            of normal forces
 *   profile  a row for each layer (post/profile.h); K is the ratio of the means
 *   floor    a row for each strip or ring (post/floor.h)
 *   field    a row for each node (post/field/field.h); velocity by mass, fabric by contacts
 *   grains   a row for each grain that is there, by its id: place, velocity, stress
 *
 * Boxes that are not given are those around the grains at the first instant, and stay. */
#ifndef DELASSUS_POST_OBSERVABLE_H
#define DELASSUS_POST_OBSERVABLE_H

#include "base/pack.h"
#include "post/average.h"
#include "post/cut.h"
#include "post/field/field.h"
#include "post/floor.h"
#include "post/profile.h"

#define DLS_OBSERVABLE_LIST(X)                                                                     \
  X(STRESS, "stress")                                                                              \
  X(FABRIC, "fabric")                                                                              \
  X(CUT, "cut")                                                                                    \
  X(WALLS, "walls")                                                                                \
  X(PROFILE, "profile")                                                                            \
  X(FLOOR, "floor")                                                                                \
  X(FIELD, "field")                                                                                \
  X(GRAINS, "grains")

typedef enum {
#define DLS_OBSERVABLE_ENUM(code, text) DLS_OBSERVABLE_##code,
  DLS_OBSERVABLE_LIST(DLS_OBSERVABLE_ENUM)
#undef DLS_OBSERVABLE_ENUM
      DLS_OBSERVABLE_KINDS
} DlsObservableKind;

enum { DLS_OBSERVABLE_CUTS = 64, DLS_OBSERVABLE_ARRAYS = 20 };

/* What is wanted, in the words of a deck and of the command line; NULL: as told. Strings are
 * lent. */
typedef struct {
  DlsObservableKind kind;
  const char *region; /* post/probe.h; all */
  DlsAverageKind average;
  const char *along;       /* profile: "z:20"; floor: "x:20", "r:10" */
  const char *const *cuts; /* [ncuts] */
  int ncuts;
  const char *grid, *kernel; /* field; "40x40", "gauss:1d" */
  bool plain;                /* field: no correction at walls */
  const double *centre;      /* floor: [2], of rings */
} DlsObservableRequest;

/* The same with its places fixed. */
typedef struct {
  DlsObservableKind kind;
  int dim, boundaries, cuts, plain;
  DlsAverageKind average;
  DlsProbe region;
  DlsProfileGrid profile;
  DlsFloorGrid floor;
  DlsFieldGrid grid;
  DlsKernel kernel;
  DlsCut cut[DLS_OBSERVABLE_CUTS];
} DlsObservable;

/* A number, vector or tensor of each row; they follow one another in it. */
typedef struct {
  const char *name, *unit;
  int components; /* 1, 3, 9, or more */
  int weight;     /* column that weighs it in means, -1: none */
} DlsObservableArray;

const char *dls_observable_text(DlsObservableKind kind);

/* Whether a request can be met in `dim`; DLS_ERR_ARGUMENT says what is wrong, *key the word of the
 * deck that is. */
DlsStatus dls_observable_check(const DlsObservableRequest *request, int dim, const char **key);

/* Fixes the places by a packing. */
DlsStatus dls_observable_begin(const DlsObservableRequest *request, const DlsPacking *packing,
                               DlsObservable *out);

/* What the words of the request fix: all but the places of profiles, floors and fields, and the
 * width of the kernel. */
DlsStatus dls_observable_words(const DlsObservableRequest *request, int dim, DlsObservable *out);

/* The rest, for a checkpoint: dls_observable_pack() counts, saves or restores the numbers;
 * dls_observable_resume() makes an observable of the request and the bytes, or DLS_ERR_FORMAT where
 * they are of none. */
void dls_observable_pack(DlsObservable *observable, DlsPack *pack, bool *fits);
DlsStatus dls_observable_resume(const DlsObservableRequest *request, int dim, DlsPack *pack,
                                DlsObservable *out);

/* How many arrays, and in `columns` how many numbers a row has. dim 2 or 3; out
 * [DLS_OBSERVABLE_ARRAYS], may be NULL. */
int dls_observable_arrays(DlsObservableKind kind, int dim, DlsObservableArray *out, int *columns);

/* The column of the first component of an array; -1: there is none of that name. */
int dls_observable_column(DlsObservableKind kind, int dim, const char *array);

/* Rows of this packing; values [rows][columns]. Those of `grains` are its grains. */
int dls_observable_rows(const DlsObservable *observable, const DlsPacking *packing);
DlsStatus dls_observable_take(const DlsObservable *observable, const DlsPacking *packing,
                              double *values);

/* Where a row is, m: of profile and floor along their axis in out[0], of a field its node; else
 * zero. */
void dls_observable_place(const DlsObservable *observable, int row, double out[3]);

#endif
