/* Fields of a detector, shared by the files of this room.
 *
 * Elements are gathered as balls in the order of the kept list, which is the spatial order at the
 * moment the list was built; `place` leads from an element to its ball. Completeness of the list:
 * pair (i, j) is in it when the boxes around the two, each grown by its allowance a, overlapped at
 * the build; of two balls, when the balls did, which is less. As long as for every ball
 *   |x - x_build - S| + |u - D| + alert/2 + sag <= a
 * for some common S and D (u: its way during the horizon), every contact of detect.h is in it. Of
 * what is no ball the box (centre c, half widths b) stands for the ball, along each axis k:
 *   max_k (|c - c_build - S|_k + (b - b_build)_k) + |u - D| + alert/2 + sag <= a.
 * In a periodic cell x_build stands for the nearest of its copies, and by half of what a copy has
 * moved, and moves in the horizon, beside the one it is of, there is less to spare (images.c). */
#ifndef DELASSUS_DETECT_DETECTOR_IMPL_H
#define DELASSUS_DETECT_DETECTOR_IMPL_H

#include <stdatomic.h>

#include "base/team.h"
#include "detect/detect.h"
#include "detect/meeting.h"

/* The box around an element, space axes. */
typedef struct {
  double centre[3], half[3]; /* m */
} DlsBox;

/* Pairs by rows: row k holds the partners of ball k that are elements of higher number, as balls,
 * in ascending order of these elements. */
typedef struct {
  int *row;            /* [balls + 1] */
  int *partner;        /* balls */
  int (*found)[2];     /* ball and element, as the search meets them */
  int count, capacity; /* of found and partner */
} DlsPairs;

/* Elements as sides, in the order of elements; those that have met nothing in this detection have
 * no ball. Of convex solids with their vertices and normals in space axes. */
typedef struct {
  int capacity;
  DlsSide *side;
  atomic_uchar *state; /* of a side: to be made, being made by some thread, made */
  int *start;          /* [elements]: of its vertices and normals in `turned` */
  int turned_capacity;
  double *turned;
} DlsSides;

/* What one chunk of a loop over balls finds, before it is put behind what those before it found. A
 * loop goes on by DLS_PARTS chunks at a time, so that parts stay small. */
enum { DLS_PARTS = 32, DLS_PART_BALLS = 128 };

typedef struct {
  DlsContactSet set;
  DlsPairs pairs;
  long near;
} DlsPart;

typedef struct DlsMeshes DlsMeshes; /* opaque: detect/mesh/mesh.h */

struct DlsDetector {
  int count, capacity; /* balls */
  int images;          /* copies beyond the borders of a periodic cell, behind the balls while pairs
                          are sought */
  DlsBall *ball;
  int *element;       /* of a ball */
  int *place;         /* ball of an element */
  int *order;         /* elements along the curve, now */
  int *next_order;    /* scratch of the sort */
  uint32_t *code;     /* place on the curve, by element */
  double (*built)[3]; /* m, x at the build, by ball */
  DlsBox *box;        /* by ball, now and at the build; NULL while every element is a ball */
  DlsBox *built_box;
  double *allowance;  /* m, by ball */
  int *head, *entry;  /* hashed grid: first entry of a bucket; entries are balls by bucket */
  uint64_t *cell_key; /* of an entry */
  uint64_t *ball_key; /* of a ball */
  int buckets, bucket_capacity;
  DlsPairs pairs;
  DlsSides sides;
  DlsPart *part;         /* [DLS_PARTS]; NULL until several threads look */
  DlsMeshes *meshes;     /* NULL: no body meets by faces */
  DlsContactSet scratch; /* of dls_detect_penetration */
  double *cut; /* [ranks + 1]: where stretches of ranks begin on the curve, of 1; or NULL */

  /* What the list was built for. */
  bool valid;
  const DlsWorld *world;
  DlsCell cell; /* as it was then */
  uint64_t revision;

  DlsDetectorReport report;
};

/* Every array over balls, once. */
#define DLS_FOR_BALL_ARRAYS(X)                                                                     \
  X(ball)                                                                                          \
  X(element)                                                                                       \
  X(place) X(order) X(next_order) X(code) X(built) X(allowance) X(entry) X(cell_key) X(ball_key)

/* DlsDetection with NULLs replaced. */
typedef struct {
  const DlsWorld *world;
  const double (*position)[3];
  const double (*orientation)[4];
  const double (*velocity)[6];
  const DlsBoundary *boundary;
  const double (*drift)[3]; /* NULL: none */
  const bool *of_interest;  /* NULL still stands for all */
  DlsSights sights;
  const DlsContactMemory *memory;
  double alert, horizon;
} DlsDetectInput;

/* floor(x), for x of any finite size; no call into the mathematical library. */
static inline int64_t dls_cell_index(double x) {
  const double bounded = x < -0x1p50 ? -0x1p50 : x > 0x1p50 ? 0x1p50 : x;
  const int64_t whole = (int64_t)bounded;
  return whole - ((double)whole > bounded);
}

/* images.c, of worlds with a periodic cell. Before pairs are sought: balls stand in the cell, and
 * the copies of those near a border behind them. DLS_ERR_ARGUMENT where two can meet by more than
 * one copy each. */
DlsStatus dls_images_add(DlsDetector *detector, const DlsDetectInput *scene, const double way[3]);

/* m: how much nearer a ball and a copy may have come since the build than what each of them has
 * moved, half of it. */
double dls_images_strain(const DlsDetector *detector, const DlsCell *cell, double horizon);

/* together.c. The ranks that share this detection; NULL: there are none, or few elements. */
DlsTeam *dls_together_team(const DlsDetector *detector);
/* Places on the curve that this rank looks at; all without a team. */
DlsStatus dls_together_stretch(DlsDetector *detector, const DlsTeam *team, int *begin, int *end);
/* Behind the search of this rank, of this status: the pairs found by all. */
DlsStatus dls_together_pairs(DlsDetector *detector, DlsTeam *team, DlsStatus mine);
/* Likewise the contacts. */
DlsStatus dls_together_contacts(DlsDetector *detector, DlsTeam *team, const DlsWorld *world,
                                DlsStatus mine, DlsContactSet *set);
/* Room for so many pairs; those that are there stay. */
DlsStatus dls_pairs_reserve(DlsPairs *pairs, int count);

/* Fills `pairs` from the balls and their allowances. */
DlsStatus dls_grid_pairs(DlsDetector *detector, const DlsWorld *world);

/* Sorts `order` by place on the curve, equals by number. */
void dls_curve_sort(DlsDetector *detector, int dim);

/* Makes room for the parts, unless one thread does it all or the elements are few: *out says
 * whether they are to be used. */
DlsStatus dls_parts_begin(DlsDetector *detector, bool *out);
/* How many balls of the loop from `first` on the parts take together. */
static inline int dls_parts_count(int balls, int first) {
  const int most = DLS_PARTS * DLS_PART_BALLS;
  return balls - first < most ? balls - first : most;
}

/* The contacts of the kept pairs and of the boundaries. */
DlsStatus dls_narrow(DlsDetector *detector, const DlsDetectInput *scene, DlsContactSet *set);

/* Makes room, and forgets those of the last detection. */
DlsStatus dls_sides_begin(DlsSides *sides, const DlsWorld *world);
/* Element e, of this ball; lent until the next begin. */
const DlsSide *dls_sides_of(DlsSides *sides, const DlsDetectInput *scene, int e,
                            const DlsBall *ball);
size_t dls_sides_bytes(const DlsSides *sides);
void dls_sides_clear(DlsSides *sides);

#endif
