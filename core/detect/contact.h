/* Contacts as detection gives them: structure of arrays, and the identity that survives steps.
 *
 * Order: by the place of the candidate's element along a space-filling curve, then by the number of
 * that element, then by the antagonist (bodies ascending, then boundaries and their features). It
 * depends on the positions of this moment alone, never on earlier steps or on threads. */
#ifndef DELASSUS_DETECT_CONTACT_H
#define DELASSUS_DETECT_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <delassus/status.h>

/* Who touches whom, and with what: persistent ids, and 32 bits for the feature of either side. A
 * feature of a body is counted through all its elements: a ball has one, so that for a cluster it
 * is the number of the ball; what has faces, edges and vertices has as many as these. The
 * candidate's body is the one with the smaller id. */
typedef struct {
  uint64_t candidate;  /* id of a body */
  uint64_t antagonist; /* id of a body, or DLS_KEY_BOUNDARY | id of a boundary */
  uint64_t feature;    /* of the candidate << 32 | of the antagonist */
} DlsContactKey;

#define DLS_KEY_BOUNDARY ((uint64_t)1 << 63)

static inline uint64_t dls_key_id(uint64_t side) { return side & ~DLS_KEY_BOUNDARY; }

static inline uint64_t dls_key_features(uint32_t candidate, uint32_t antagonist) {
  return (uint64_t)candidate << 32 | antagonist;
}

/* A side that is a mean of elements of a deformable body: entries start .. start + count - 1 of
 * `element` and `weight` of the set; weights add up to 1. count 0: the side is a rigid body, a
 * boundary, or the element that the feature names. */
typedef struct {
  int start, count;
} DlsContactMean;

typedef struct {
  int count, capacity;
  int *candidate;     /* body */
  int *antagonist;    /* body j >= 0, or boundary b as -1 - b */
  double (*point)[3]; /* m, halfway between the two surfaces */
  double (*frame)[9]; /* rows n, t1, t2, space axes; n from antagonist to candidate; right-handed.
                          In 2-D t1 = (-n_y, n_x, 0), t2 = z */
  double *gap;        /* m; < 0 interpenetrated */
  double *radius;     /* m, reduced: 1 / (1/R1 + 1/R2); R1 against a boundary */
  double *area;       /* m2, that the point stands for; 0 unknown */
  double (*shift)[6]; /* m, m/s: how the copy of the antagonist that is met stands and moves beside
                         it; 0 where there is no periodic cell */
  DlsContactKey *key;
  int *previous; /* number of the same contact in the remembered set, -1 new; by match() */
  DlsContactMean (*mean)[2]; /* of candidate and antagonist */
  int weights, weight_capacity;
  int *element; /* of the body of that side, counted from its first */
  double *weight;
} DlsContactSet;

/* All functions of a set take a zeroed one. */
DlsStatus dls_contact_set_reserve(DlsContactSet *set, int capacity);
void dls_contact_set_clear(DlsContactSet *set);
/* Copies all contacts of a set without means to places from `at` on; there must be room, and the
 * count stays. */
void dls_contact_set_put(DlsContactSet *set, int at, const DlsContactSet *from);
/* Adds contact c of another set; there must be room for it. */
DlsStatus dls_contact_set_append(DlsContactSet *set, const DlsContactSet *from, int c);
/* Adds `count` weighted elements for a side to come. */
DlsStatus dls_contact_set_mean(DlsContactSet *set, int count, const int *element,
                               const double *weight, DlsContactMean *out);
size_t dls_contact_set_bytes(const DlsContactSet *set);

/* t1 and t2 for a unit n: a function of n alone, continuous but for one direction (Duff et al.
 * 2017, J. Comput. Graph. Tech. 6(1); the seam is n_z = 0 passing from above). */
void dls_contact_frame(int dim, const double n[3], double frame[9]);

/* Turns a frame of space about n, so that t1 is along the projection of the wanted direction on the
 * tangent plane; leaves it where that has none. */
void dls_contact_turn(const double wanted[3], double frame[9]);

typedef struct DlsContactPlace DlsContactPlace; /* detect/place.h */

/* The keys of the last accepted step. What the caller keeps per contact (impulses, states of laws)
 * lies in the same order. A checkpoint saves key[0 .. count-1]; remember() brings them back. */
typedef struct {
  int count, capacity;
  DlsContactKey *key;
  int slots;              /* power of two */
  int *slot;              /* open addressing: number of a key + 1, 0 empty */
  DlsContactPlace *place; /* [capacity], of these contacts where `placed`; else what it may */
  bool placed;
} DlsContactMemory;

/* Copies the keys of an accepted step, key[source[i]] for i = 0 .. count - 1; source NULL: key[i];
 * places are not known then. A zeroed memory remembers nothing. */
DlsStatus dls_contact_memory_remember(DlsContactMemory *memory, int count, const DlsContactKey *key,
                                      const int *source);
/* Fills set->previous. O(contacts). */
void dls_contact_memory_match(const DlsContactMemory *memory, DlsContactSet *set);
/* Whether these two touched, by whatever features. */
bool dls_contact_memory_knows(const DlsContactMemory *memory, const DlsContactKey *key);
/* The contacts of these two, whatever their features, ascending: number [most]. Returns how many
 * were found, `most` of them at most. */
int dls_contact_memory_pair(const DlsContactMemory *memory, const DlsContactKey *key, int most,
                            int *number);
/* Room for the places of what it remembers, which the caller fills: placed. */
DlsStatus dls_contact_memory_make_places(DlsContactMemory *memory);
void dls_contact_memory_clear(DlsContactMemory *memory);
size_t dls_contact_memory_bytes(const DlsContactMemory *memory);

#endif
