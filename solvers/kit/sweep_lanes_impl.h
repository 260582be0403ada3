/* The pass of sweep_lanes.h between spheres, for one kind of lanes. Included once by a file for
 * each kind, which says what it has:
 *
 *   LANES       4 or 8
 *   LANES_PASS  the name of the pass
 *   LANES_FMA, LANES_FNMA, LANES_SQRT, LANES_LOAD_3, LANES_MASK   or none of them
 *
 * Data of a contact and of a body lie together; they are read four numbers of each lane at a time
 * and transposed, 4 x 4, in registers. What is rounded is written down: no product is left that a
 * compiler could fuse with a sum, here and not in another kind. */
#include "solvers/kit/sweep_lanes.h"

#include "problem/operator/spheres.h"

#include <stdio.h>

typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t Bits __attribute__((vector_size(8 * LANES)));

#ifndef LANES_FMA
#define LANES_FMA(a, b, c)  ((c) + (a) * (b))
#define LANES_FNMA(a, b, c) ((c) - (a) * (b))
#define LANES_SQRT(a)       roots_of(a)
#define LANES_LOAD_3(x)     ((DlsFour){(x)[0], (x)[1], (x)[2], 0})
#define LANES_MASK(bits)    signs_of(bits)

DLS_INLINE Lanes roots_of(Lanes x) {
  for (int l = 0; l < LANES; l++) x[l] = sqrt(x[l]);
  return x;
}

DLS_INLINE int signs_of(Bits bits) {
  int mask = 0;
  for (int l = 0; l < LANES; l++) mask |= (bits[l] < 0) << l;
  return mask;
}
#endif

#define CHOOSE(mask, yes, no) ((Lanes)(((Bits)(yes) & (mask)) | ((Bits)(no) & ~(mask))))

/* Fours a and b of numbers 0 1 2 3, in each half of eight lanes: (a0 b0 a2 b2), (a1 b1 a3 b3),
 * (a0 a1 b0 b1), (a2 a3 b2 b3). */
#if LANES == 8
#define AT(i) ((i) % 4 + (i) / 4 * 8)
#define SHUFFLED(a, b, i, j, k, l)                                                                 \
  __builtin_shufflevector(a, b, AT(i), AT(j), AT(k), AT(l), AT(i) + 4, AT(j) + 4, AT(k) + 4,       \
                          AT(l) + 4)
#define JOINED(first, second)                                                                      \
  ((Lanes)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)(first)), (__m256d)(second), 1))
#define FIRST_FOUR(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define LAST_FOUR(x)  __builtin_shufflevector(x, x, 4, 5, 6, 7)
#else
#define SHUFFLED(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif
#define EVEN(a, b)  SHUFFLED(a, b, 0, 4, 2, 6)
#define ODD(a, b)   SHUFFLED(a, b, 1, 5, 3, 7)
#define FRONT(a, b) SHUFFLED(a, b, 0, 1, 4, 5)
#define BACK(a, b)  SHUFFLED(a, b, 2, 3, 6, 7)

/* Four numbers of each lane; row k has those of lane k, and of lane k + 4. */
typedef struct {
  Lanes row[4];
} Rows;

DLS_INLINE Rows transposed(Rows m) {
  const Lanes even_1 = EVEN(m.row[0], m.row[1]), even_2 = EVEN(m.row[2], m.row[3]);
  const Lanes odd_1 = ODD(m.row[0], m.row[1]), odd_2 = ODD(m.row[2], m.row[3]);
  return (Rows){
      {FRONT(even_1, even_2), FRONT(odd_1, odd_2), BACK(even_1, even_2), BACK(odd_1, odd_2)}};
}

/* Number k of four that begin at `from` of each lane; three of them. */
#if LANES == 8
#define READ(load, from, at)                                                                       \
  transposed((Rows){{JOINED(load((from)[0] + (at)), load((from)[4] + (at))),                       \
                     JOINED(load((from)[1] + (at)), load((from)[5] + (at))),                       \
                     JOINED(load((from)[2] + (at)), load((from)[6] + (at))),                       \
                     JOINED(load((from)[3] + (at)), load((from)[7] + (at)))}})
#else
#define READ(load, from, at)                                                                       \
  transposed((Rows){{(Lanes)load((from)[0] + (at)), (Lanes)load((from)[1] + (at)),                 \
                     (Lanes)load((from)[2] + (at)), (Lanes)load((from)[3] + (at))}})
#endif

/* Row of lane l. */
DLS_INLINE DlsFour row_of(const Rows *m, int l) {
#if LANES == 8
  return l < 4 ? FIRST_FOUR(m->row[l]) : LAST_FOUR(m->row[l - 4]);
#else
  return (DlsFour)m->row[l];
#endif
}

typedef struct {
  Lanes x, y, z;
} Vectors;

/* Σ a_k b_k onto `to`. */
DLS_INLINE Lanes add_dot(Vectors a, Vectors b, Lanes to) {
  return LANES_FMA(a.z, b.z, LANES_FMA(a.y, b.y, LANES_FMA(a.x, b.x, to)));
}

DLS_INLINE Lanes dot(Vectors a, Vectors b) {
  return LANES_FMA(a.z, b.z, LANES_FMA(a.y, b.y, a.x * b.x));
}

DLS_INLINE Vectors vectors(Rows m) { return (Vectors){m.row[0], m.row[1], m.row[2]}; }

/* a s + b t of each. */
DLS_INLINE Vectors blend(Vectors a, Lanes s, Vectors b, Lanes t) {
  return (Vectors){LANES_FMA(b.x, t, a.x * s), LANES_FMA(b.y, t, a.y * s),
                   LANES_FMA(b.z, t, a.z * s)};
}

DLS_INLINE Vectors add_scaled(Vectors a, Lanes s, Vectors to) {
  return (Vectors){LANES_FMA(a.x, s, to.x), LANES_FMA(a.y, s, to.y), LANES_FMA(a.z, s, to.z)};
}

/* Contacts of a step, one a lane. Lanes that are not live do what another does, and keep it. */
typedef struct {
  int contact[LANES];
  int live;
} Step;

typedef struct {
  Vectors n, t1, t2;
  Lanes move[2], turn[2];
  Vectors V[2], O[2];
  double *y[2][LANES];
} Bodies;

/* What a body has where the contact does not move it is not written. */
DLS_INLINE void write_body(const Bodies *b, int k, int live) {
  _Alignas(64) double nowhere[DLS_SPHERE_STRIDE];
  const Lanes none = {0};
  const Rows V = transposed((Rows){{b->V[k].x, b->V[k].y, b->V[k].z, none}});
  const Rows O = transposed((Rows){{b->O[k].x, b->O[k].y, b->O[k].z, none}});
  const int moves = live & LANES_MASK((Bits)(b->move[k] != none) | (Bits)(b->turn[k] != none));
  for (int l = 0; l < LANES; l++) {
    double *to = moves >> l & 1 ? b->y[k][l] : nowhere;
    *(DlsFour *)to = row_of(&V, l);
    *(DlsFour *)(to + 4) = row_of(&O, l);
  }
}

/* The frames, the bodies and their velocities. */
DLS_INLINE Bodies read_bodies(const DlsSpheres *s, double *y, const Step *step) {
  const double *frame[LANES];
  Bodies b;
  for (int l = 0; l < LANES; l++) {
    const DlsSphereContact *c = &s->contact[step->contact[l]];
    frame[l] = c->frame;
    for (int k = 0; k < 2; k++) b.y[k][l] = y + DLS_SPHERE_STRIDE * (size_t)c->body[k];
    b.turn[1][l] = c->turn[1];
  }
  const Rows first = READ(DLS_FOUR, frame, 0), second = READ(DLS_FOUR, frame, 4);
  const Rows last = READ(DLS_FOUR, frame, 8); /* t2_z and the first three of move, turn */
  b.n = vectors(first);
  b.t1 = (Vectors){first.row[3], second.row[0], second.row[1]};
  b.t2 = (Vectors){second.row[2], second.row[3], last.row[0]};
  b.move[0] = last.row[1], b.move[1] = last.row[2], b.turn[0] = last.row[3];
  for (int k = 0; k < 2; k++) {
    b.V[k] = vectors(READ(DLS_FOUR, b.y[k], 0));
    b.O[k] = vectors(READ(DLS_FOUR, b.y[k], 4));
  }
  return b;
}

/* u += the velocity of the contact, dls_sphere_gather(). */
DLS_INLINE Vectors add_velocity(const Bodies *b, Vectors u) {
  const Vectors V = blend(b->V[0], b->move[0], b->V[1], b->move[1]);
  const Vectors O = blend(b->O[0], b->turn[0], b->O[1], b->turn[1]);
  u.x = add_dot(b->n, V, u.x);
  u.y = add_dot(b->t1, V, u.y) + dot(b->t2, O);
  u.z = add_dot(b->t2, V, u.z) - dot(b->t1, O);
  return u;
}

/* The effect of dr on the bodies, dls_sphere_scatter(); `same`: both may be one. */
DLS_INLINE void add_impulse(Bodies *b, Vectors dr, bool same) {
  Vectors push = {b->n.x * dr.x, b->n.y * dr.x, b->n.z * dr.x};
  push = add_scaled(b->t2, dr.z, add_scaled(b->t1, dr.y, push));
  const Vectors twist = {LANES_FNMA(b->t1.x, dr.z, b->t2.x * dr.y),
                         LANES_FNMA(b->t1.y, dr.z, b->t2.y * dr.y),
                         LANES_FNMA(b->t1.z, dr.z, b->t2.z * dr.y)};
  b->V[0] = add_scaled(push, b->move[0], b->V[0]);
  b->O[0] = add_scaled(twist, b->turn[0], b->O[0]);
  for (int l = 0; same && l < LANES; l++) {
    if (b->y[0][l] != b->y[1][l]) continue;
    b->V[1].x[l] = b->V[0].x[l], b->V[1].y[l] = b->V[0].y[l], b->V[1].z[l] = b->V[0].z[l];
    b->O[1].x[l] = b->O[0].x[l], b->O[1].y[l] = b->O[0].y[l], b->O[1].z[l] = b->O[0].z[l];
  }
  b->V[1] = add_scaled(push, b->move[1], b->V[1]);
  b->O[1] = add_scaled(twist, b->turn[1], b->O[1]);
}

/* dls_sweep_cut() without relaxation. */
DLS_INLINE Vectors cut(const Rows *own, Vectors u, Vectors r) {
  const Lanes none = {0}, one = none + 1, mu = own->row[2];
  const Lanes normal = LANES_FNMA(u.x, own->row[0], r.x);
  const Lanes t1 = LANES_FNMA(u.y, own->row[1], r.y), t2 = LANES_FNMA(u.z, own->row[1], r.z);
  const Lanes size2 = LANES_FMA(t2, t2, t1 * t1), limit = mu * normal;
  const Lanes scale = CHOOSE((Bits)(size2 > limit * limit), limit / LANES_SQRT(size2), one);
  const Bits closed = (Bits)(normal > none);
  return (Vectors){CHOOSE(closed, normal, none), CHOOSE(closed, t1 * scale, none),
                   CHOOSE(closed, t2 * scale, none)};
}

DLS_INLINE Vectors relaxed(double omega, Vectors next, Vectors r) {
  const Lanes none = {0}, share = none + omega;
  if (omega == 1) return next;
  return (Vectors){LANES_FMA(share, next.x - r.x, r.x), LANES_FMA(share, next.y - r.y, r.y),
                   LANES_FMA(share, next.z - r.z, r.z)};
}

/* What is under way; its sweep counts for one contact at a time. */
typedef struct {
  const DlsSweepPack *pack;
  DlsSweep part;
  DlsSpheres spheres;
  bool same;
  int failed; /* the first lane that did, or LANES */
  DlsStatus status;
  char sentence[512];
} Work;

/* Lanes that take another way, one by one. */
__attribute__((noinline)) static void update_others(Work *w, const Step *step, int others,
                                                    const Vectors *u, const Vectors *r,
                                                    Vectors *next) {
  for (int l = 0; l < LANES; l++) {
    if (!(others >> l & 1)) continue;
    const double at[3] = {u->x[l], u->y[l], u->z[l]};
    double to[3] = {r->x[l], r->y[l], r->z[l]};
    DlsSweepTally *tally = &w->part.tally[w->pack->cluster[l]];
    w->part.unsolved = w->part.newton_fallbacks = 0;
    w->part.status = DLS_OK;
    dls_sweep_sphere_other(&w->part, step->contact[l], at, to);
    tally->unsolved += w->part.unsolved;
    tally->newton_fallbacks += w->part.newton_fallbacks;
    if (w->part.status != DLS_OK && l <= w->failed) {
      w->failed = l;
      w->status = w->part.status;
      snprintf(w->sentence, sizeof w->sentence, "%s", dls_error_message());
    }
    next->x[l] = to[0], next->y[l] = to[1], next->z[l] = to[2];
  }
}

DLS_INLINE void write_reactions(const Step *step, Vectors next, double *r) {
  double nowhere[3];
  const Rows rows = transposed((Rows){{next.x, next.y, next.z, next.z}});
  for (int l = 0; l < LANES; l++) {
    double *to = step->live >> l & 1 ? r + 3 * (size_t)step->contact[l] : nowhere;
    const DlsFour row = row_of(&rows, l);
    to[0] = row[0], to[1] = row[1], to[2] = row[2];
  }
}

/* The contacts of a step; |dr|² onto `moved2`. */
DLS_INLINE Lanes update(Work *w, const Step *step, Lanes moved2) {
  const DlsSweep *sweep = &w->part;
  const double *q[LANES], *r[LANES], *C[LANES], *own[LANES];
  for (int l = 0; l < LANES; l++) {
    const size_t at = 3 * (size_t)step->contact[l];
    q[l] = sweep->q + at;
    r[l] = w->pack->r + at;
    C[l] = sweep->compliance ? sweep->compliance + at : NULL;
    own[l] = &sweep->sphere[step->contact[l]].inverse_nn;
  }
  Bodies b = read_bodies(&w->spheres, sweep->y, step);
  const Vectors before = vectors(READ(LANES_LOAD_3, r, 0));
  Vectors u = add_velocity(&b, vectors(READ(LANES_LOAD_3, q, 0)));
  if (sweep->compliance) {
    const Vectors soft = vectors(READ(LANES_LOAD_3, C, 0));
    u.x = LANES_FMA(soft.x, before.x, u.x);
    u.y = LANES_FMA(soft.y, before.y, u.y);
    u.z = LANES_FMA(soft.z, before.z, u.z);
  }
  const Rows numbers = READ(DLS_FOUR, own, 0);
  Vectors next = relaxed(sweep->omega, cut(&numbers, u, before), before);
  const Bits none = {0}, other = (Bits)((Bits)numbers.row[3] != none + DLS_KIND_COULOMB);
  const int others = step->live & (sweep->update == DLS_SWEEP_SOLVE ? LANES_MASK(other) : -1);
  if (__builtin_expect(others, 0)) update_others(w, step, others, &u, &before, &next);
  const Vectors dr = {next.x - before.x, next.y - before.y, next.z - before.z};
  write_reactions(step, next, w->pack->r);
  add_impulse(&b, dr, w->same);
  write_body(&b, 0, step->live);
  write_body(&b, 1, step->live);
  return add_dot(dr, dr, moved2);
}

/* Where the contacts of each lane stand, and how many there are. */
typedef struct {
  const int *order[LANES];
  int count[LANES];
  int most, live;
} Lists;

static Lists find_lists(const DlsSweepPack *pack) {
  const DlsColours *colours = pack->sweep->colours;
  Lists lists = {.live = (1 << pack->count) - 1};
  for (int l = 0; l < pack->count; l++) {
    const int *bounds = colours->cluster + pack->cluster[l];
    lists.count[l] = bounds[1] - bounds[0];
    lists.order[l] = colours->contact + (pack->backwards ? bounds[1] - 1 : bounds[0]);
    if (lists.count[l] > lists.most) lists.most = lists.count[l];
  }
  return lists;
}

/* Lanes that have nothing left at contact n follow one that has. Until where this holds. */
static int follow(Lists *lists, int n) {
  int until = lists->most, leader = 0;
  for (int l = 0; l < LANES; l++)
    if (lists->count[l] <= n) lists->live &= ~(1 << l);
  while (!(lists->live >> leader & 1)) leader++;
  for (int l = 0; l < LANES; l++)
    if (!(lists->live >> l & 1))
      lists->order[l] = lists->order[leader];
    else if (lists->count[l] < until)
      until = lists->count[l];
  return until;
}

/* What will be read soon: the machine does not foresee so many ways through memory at a time. Of a
 * lane contacts lie one behind the other, their bodies anywhere. */
DLS_INLINE void ask_for(const Work *w, const Lists *lists, int soon, int later, bool many) {
  enum { LINE = 64 };
  for (int l = 0; l < LANES; l++) {
    const DlsSphereContact *near = &w->spheres.contact[lists->order[l][soon]];
    const size_t i = (size_t)lists->order[l][later];
    const char *far = (const char *)&w->spheres.contact[i];
    if (many) {
      __builtin_prefetch(far);
      __builtin_prefetch(far + LINE);
      __builtin_prefetch(&w->part.sphere[i]);
      __builtin_prefetch(w->part.q + 3 * i);
      __builtin_prefetch(w->pack->r + 3 * i);
    }
    for (int k = 0; k < 2; k++)
      __builtin_prefetch(w->part.y + DLS_SPHERE_STRIDE * (size_t)near->body[k]);
  }
}

DlsStatus LANES_PASS(const DlsSweepPack *pack) {
  enum { SOON = 3, LATER = 6, MANY = 65536 }; /* contacts */
  Work w = {.pack = pack,
            .part = dls_sweep_part(pack->sweep),
            .spheres = *(const DlsSpheres *)pack->sweep->view,
            .same = pack->sweep->same_bodies,
            .failed = LANES};
  Lists lists = find_lists(pack);
  Lanes moved2 = {0}, left = {0};
  Step step;
  const int way = pack->backwards ? -1 : 1;
  const bool many = pack->sweep->contacts > MANY;
  for (int l = 0; l < pack->count; l++) pack->sweep->tally[pack->cluster[l]] = (DlsSweepTally){0};
  for (int n = 0; n < lists.most;) {
    const int until = follow(&lists, n);
    step.live = lists.live;
    for (; n < until; n++) {
      ask_for(&w, &lists, way * (n + SOON < until ? n + SOON : until - 1),
              way * (n + LATER < until ? n + LATER : until - 1), many);
      for (int l = 0; l < LANES; l++) step.contact[l] = lists.order[l][way * n];
      moved2 = update(&w, &step, moved2);
    }
    for (int l = 0; l < LANES; l++)
      if (lists.live >> l & 1) left[l] = moved2[l];
  }
  for (int l = 0; l < pack->count; l++) pack->sweep->tally[pack->cluster[l]].moved2 = left[l];
  return w.failed < LANES ? dls_fail(w.status, "%s", w.sentence) : DLS_OK;
}
