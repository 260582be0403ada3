/* The factored form where all bodies are spheres: levers lie along the normals, masses are numbers,
 * and a contact needs its frame and four numbers in the place of two 3 x 6 matrices. */
#include "problem/operator/spheres.h"
#include "base/memory.h"
#include "base/pool.h"
#include "problem/operator/colours.h"
#include "problem/operator/operator_impl.h"
#include "problem/operator/portions.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { GATHER_CHUNK = 1024, SOON = 16 }; /* contacts, 10 to 20 us of them; ahead */

typedef struct {
  DlsOperator base;
  DlsSpheres view;
  int bodies;
  const DlsSphereContact *contact;
  DlsSphereContact *own; /* the same where the operator owns it, else NULL */
  double (*scale)[2];    /* [bodies]: 1/sqrt(mass), 1/sqrt(inertia); 0 fixed */
  double *y;             /* scratch, [bodies + 1][DLS_SPHERE_STRIDE] */
} Spheres;

typedef struct {
  const Spheres *W;
  const double *r;
  double *u;
  size_t first; /* contact of the loop's item 0 */
} Product;

/* Contacts come one behind the other, their bodies from anywhere. */
DLS_INLINE void ask_for_bodies(const Spheres *W, int contact) {
  for (int k = 0; k < 2; k++)
    __builtin_prefetch(W->y + DLS_SPHERE_STRIDE * (size_t)W->contact[contact].body[k]);
}

DLS_HOT static void scatter_some(void *context, const int *contact, int count) {
  const Product *all = context;
  for (int n = 0; n < count; n++) {
    const int i = contact ? contact[n] : n, soon = n + SOON < count ? n + SOON : n;
    ask_for_bodies(all->W, contact ? contact[soon] : soon);
    const double *r = all->r + 3 * (size_t)i;
    if (r[0] != 0 || r[1] != 0 || r[2] != 0) dls_sphere_scatter(&all->W->contact[i], r, all->W->y);
  }
}

static void scatter_all(const Spheres *W, const double *r) {
  Product all = {.W = W, .r = r};
  const DlsPortions *portions = dls_operator_parted(&W->base);
  const size_t bytes = DLS_SPHERE_STRIDE * sizeof *W->y;
  if (portions) {
    dls_portions_clear(portions, W->y, bytes);
    memset(W->y + (size_t)W->bodies * DLS_SPHERE_STRIDE, 0, bytes); /* of what never moves */
  } else {
    memset(W->y, 0, ((size_t)W->bodies + 1) * bytes);
  }
  dls_operator_scatter(&W->base, scatter_some, &all, W->y, bytes);
}

DLS_HOT static void gather_some(void *context, size_t begin, size_t end, int lane) {
  const Product *all = context;
  (void)lane;
  for (size_t i = all->first + begin; i < all->first + end; i++) {
    double sum[3] = {0, 0, 0};
    if (i + SOON < end) ask_for_bodies(all->W, (int)i + SOON);
    dls_sphere_gather(&all->W->contact[i], all->W->y, sum);
    memcpy(all->u + 3 * i, sum, sizeof sum);
  }
}

static void gather_all(const Spheres *W, double *u) {
  size_t begin, end;
  dls_operator_stretch(&W->base, &begin, &end);
  Product all = {.W = W, .u = u, .first = begin};
  dls_pool_for(end - begin, GATHER_CHUNK, gather_some, &all);
}

static void apply(const DlsOperator *base, const double *r, double *u) {
  const Spheres *W = (const Spheres *)base;
  scatter_all(W, r);
  gather_all(W, u);
}

static void diagonal(const DlsOperator *base, double *D) {
  const Spheres *W = (const Spheres *)base;
  memset(D, 0, 9 * (size_t)base->contacts * sizeof *D);
  for (int i = 0; i < base->contacts; i++) {
    double *Di = D + 9 * (size_t)i;
    dls_sphere_diagonal(&W->contact[i], &Di[0], &Di[4]);
    Di[8] = Di[4];
  }
}

static void normals(const DlsOperator *base, double *w) {
  const Spheres *W = (const Spheres *)base;
  for (int i = 0; i < base->contacts; i++) {
    double tangent;
    dls_sphere_diagonal(&W->contact[i], &w[i], &tangent);
  }
}

static DlsStatus solve_mass(const DlsOperator *base, const double *b, double *x) {
  const Spheres *W = (const Spheres *)base;
  for (int k = 0; k < W->bodies; k++)
    for (int c = 0; c < 6; c++) {
      const double scale = W->scale[k][c / 3];
      x[6 * k + c] = scale * scale * b[6 * k + c];
    }
  return DLS_OK;
}

/* By the norms of the vectors that a body gets: |V| at 0, |Ω| at 4. */
static void magnitude(const DlsOperator *base, const double *r, double *u) {
  const Spheres *W = (const Spheres *)base;
  memset(W->y, 0, ((size_t)W->bodies + 1) * DLS_SPHERE_STRIDE * sizeof *W->y);
  for (int i = 0; i < base->contacts; i++) {
    const double *ri = r + 3 * (size_t)i, twist = hypot(ri[1], ri[2]), push = hypot(ri[0], twist);
    for (int k = 0; k < 2; k++) {
      double *y = W->y + DLS_SPHERE_STRIDE * (size_t)W->contact[i].body[k];
      y[0] += fabs(W->contact[i].move[k]) * push;
      y[4] += fabs(W->contact[i].turn[k]) * twist;
    }
  }
  for (int i = 0; i < base->contacts; i++) {
    double V = 0, O = 0;
    for (int k = 0; k < 2; k++) {
      const double *y = W->y + DLS_SPHERE_STRIDE * (size_t)W->contact[i].body[k];
      V += fabs(W->contact[i].move[k]) * y[0];
      O += fabs(W->contact[i].turn[k]) * y[4];
    }
    u[3 * (size_t)i] = V;
    u[3 * (size_t)i + 1] = u[3 * (size_t)i + 2] = V + O;
  }
}

static DlsStatus velocity(const DlsOperator *base, const double *r, double *v) {
  const Spheres *W = (const Spheres *)base;
  DlsPortions *portions = base->portions;
  const size_t bytes = DLS_SPHERE_STRIDE * sizeof *W->y;
  if (portions && portions->team == dls_team_here() && !portions->parted) {
    memset(W->y, 0, ((size_t)W->bodies + 1) * bytes); /* of bodies that nobody has too */
    portions->parted = true;
    scatter_all(W, r);
    portions->parted = false;
    DLS_TRY(dls_portions_gather(portions, W->y, bytes));
  } else {
    scatter_all(W, r);
  }
  for (int k = 0; k < W->bodies; k++) {
    const double *y = W->y + DLS_SPHERE_STRIDE * (size_t)k, *scale = W->scale[k];
    for (int c = 0; c < 3; c++) {
      v[6 * (size_t)k + (size_t)c] = scale[0] * y[c];
      v[6 * (size_t)k + 3 + (size_t)c] = scale[1] * y[4 + c];
    }
  }
  return DLS_OK;
}

/* Supports of the general form, on bodies of unit mass. */
typedef struct {
  int *start, *body;
  double *H, *mass;
} General;

static void general_clear(General *g) {
  free(g->start);
  free(g->body);
  free(g->H);
  free(g->mass);
}

/* sqrt(mass) or sqrt(inertia) of component c of a body; 1 where it is fixed. */
static double root_of(const Spheres *W, int body, int c) {
  const double scale = W->scale[body][c / 3];
  return scale > 0 ? 1 / scale : 1;
}

static void expand_contact(const DlsSphereContact *c, int side, double *H) {
  const double *n = c->frame, *t1 = n + 3, *t2 = n + 6;
  for (int k = 0; k < 3; k++) {
    H[k] = c->move[side] * n[k];
    H[6 + k] = c->move[side] * t1[k];
    H[12 + k] = c->move[side] * t2[k];
    H[3 + k] = 0;
    H[9 + k] = c->turn[side] * t2[k];
    H[15 + k] = -c->turn[side] * t1[k];
  }
}

/* The general form; in the velocities of the bodies where `physical`, else in those that have unit
 * mass. */
static DlsStatus expand(const Spheres *W, bool physical, General *g, DlsOperator **out) {
  const int contacts = W->base.contacts, bodies = W->bodies;
  int supports = 0;
  DLS_NEW(g->start, contacts + 1);
  DLS_NEW(g->body, 2 * contacts);
  DLS_NEW(g->H, 36 * (size_t)contacts);
  DLS_NEW(g->mass, 36 * (size_t)bodies);
  for (int i = 0; i < contacts; i++) {
    const DlsSphereContact *c = &W->contact[i];
    for (int side = 0; side < 2; side++) {
      if (c->body[side] == bodies) continue;
      expand_contact(c, side, g->H + 18 * (size_t)supports);
      for (int e = 0; physical && e < 18; e++)
        g->H[18 * (size_t)supports + (size_t)e] *= root_of(W, c->body[side], e % 6);
      g->body[supports++] = c->body[side];
    }
    g->start[i + 1] = supports;
  }
  for (int k = 0; k < bodies; k++)
    for (int c = 0; c < 6; c++) {
      const double root = physical ? root_of(W, k, c) : 1;
      g->mass[36 * (size_t)k + 7 * (size_t)c] = root * root;
    }
  return dls_operator_create_factored(contacts, 3, bodies, 6, g->start, g->body, g->H, g->mass,
                                      out);
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  General general = {0};
  DlsOperator *factored = NULL;
  DlsStatus status = expand((const Spheres *)base, false, &general, &factored);
  general_clear(&general);
  if (status == DLS_OK) status = dls_operator_assemble(factored, out);
  dls_operator_destroy(&factored);
  return status;
}

static DlsStatus bodies(const DlsOperator *base, DlsSparse *M, DlsSparse *H) {
  General general = {0};
  DlsOperator *factored = NULL;
  DlsStatus status = expand((const Spheres *)base, true, &general, &factored);
  general_clear(&general);
  if (status == DLS_OK) status = dls_operator_bodies(factored, M, H);
  dls_operator_destroy(&factored);
  return status;
}

static void destroy(DlsOperator *base) {
  Spheres *W = (Spheres *)base;
  free(W->own);
  free(W->scale);
  free(W->y);
  free(W);
}

/* The ground is no part. A body that is fixed is one, but nothing moves it. */
static DlsStatus pattern(const DlsOperator *base, DlsPattern *out) {
  const Spheres *W = (const Spheres *)base;
  const size_t contacts = (size_t)base->contacts;
  int *start, next = 0;
  DLS_NEW(start, 1 + 3 * contacts + (2 * contacts + sizeof *start - 1) / sizeof *start);
  int *part = start + contacts + 1;
  uint8_t *fixed = (uint8_t *)(part + 2 * contacts);
  out->own = start;
  for (size_t i = 0; i < contacts; i++) {
    const DlsSphereContact *c = &W->contact[i];
    for (int k = 0; k < 2; k++) {
      if (c->body[k] == W->bodies) continue;
      fixed[next] = !dls_sphere_moves(c, k);
      part[next++] = c->body[k];
    }
    start[i + 1] = next;
  }
  out->parts = W->bodies;
  out->start = start;
  out->part = part;
  out->fixed = fixed;
  return DLS_OK;
}

/* The ground stands on the second side where it does. */
static void touch(const DlsOperator *base, int contact, int k, DlsTouch *out) {
  const Spheres *W = (const Spheres *)base;
  const DlsSphereContact *c = &W->contact[contact];
  out->part = c->body[k];
  out->first = 6 * c->body[k];
  out->dof = 6;
  expand_contact(c, k, out->room);
  out->gather = out->scatter = out->room;
}

static double share(const DlsOperator *base, int contact, int k) {
  const double move = ((const Spheres *)base)->contact[contact].move[k];
  return move * move;
}

static void hash(const DlsOperator *base, uint64_t *sum) {
  const Spheres *W = (const Spheres *)base;
  for (int i = 0; i < base->contacts; i++) {
    dls_hash_reals(sum, W->contact[i].frame, 9);
    dls_hash_reals(sum, W->contact[i].move, 2);
    dls_hash_reals(sum, W->contact[i].turn, 2);
    dls_hash_ints(sum, W->contact[i].body, 2);
  }
}

static const void *view(const DlsOperator *base, const char *layout) {
  return strcmp(layout, DLS_LAYOUT_SPHERES) == 0 ? &((const Spheres *)base)->view : NULL;
}

static const DlsOperatorForm form = {.name = "spheres",
                                     .apply = apply,
                                     .destroy = destroy,
                                     .diagonal = diagonal,
                                     .normals = normals,
                                     .assemble = assemble,
                                     .magnitude = magnitude,
                                     .hash = hash,
                                     .pattern = pattern,
                                     .touch = touch,
                                     .share = share,
                                     .solve_mass = solve_mass,
                                     .velocity = velocity,
                                     .bodies = bodies,
                                     .view = view,
                                     .parts_alike = true};

static DlsStatus check(int contacts, int bodies, const DlsSphereContact *contact) {
  DLS_TRY(dls_operator_check_shape(contacts, 3));
  DLS_CHECK(bodies >= 0 && bodies <= 2147483647 / 8, DLS_ERR_ARGUMENT,
            "%d spheres are not possible", bodies);
  for (int i = 0; i < contacts; i++) {
    const DlsSphereContact *c = &contact[i];
    for (int side = 0; side < 2; side++)
      DLS_CHECK(c->body[side] >= 0 && c->body[side] < bodies + side, DLS_ERR_ARGUMENT,
                "contact %d stands on sphere %d, outside 0..%d", i, c->body[side], bodies - 1);
    double sum = c->move[0] + c->move[1] + c->turn[0] + c->turn[1];
    for (int k = 0; k < 9; k++) sum += c->frame[k];
    DLS_CHECK(isfinite(sum), DLS_ERR_NUMERIC, "contact %d holds a number that is not finite", i);
  }
  return DLS_OK;
}

static DlsStatus fill(Spheres *W, const double (*scale)[2], DlsOwnership ownership) {
  const size_t contacts = (size_t)W->base.contacts;
  DLS_TRY(check(W->base.contacts, W->bodies, W->contact));
  W->base.freedom = 6 * W->bodies;
  if (ownership == DLS_COPY) {
    DLS_NEW(W->own, contacts);
    dls_memory_copy(W->own, W->contact, contacts, sizeof *W->own);
    W->contact = W->own;
  }
  W->view = (DlsSpheres){W->base.contacts, W->bodies, W->contact};
  DLS_NEW(W->scale, W->bodies);
  DLS_NEW(W->y, ((size_t)W->bodies + 1) * DLS_SPHERE_STRIDE);
  if (W->bodies) memcpy(W->scale, scale, (size_t)W->bodies * sizeof *scale);
  return DLS_OK;
}

DlsStatus dls_operator_create_spheres(int contacts, int bodies, const DlsSphereContact *contact,
                                      const double (*scale)[2], DlsOwnership ownership,
                                      DlsOperator **out) {
  *out = NULL;
  DlsSphereContact *taken = NULL;
  if (ownership == DLS_TAKE) memcpy(&taken, &contact, sizeof taken); /* made to be freed */
  Spheres *W = dls_memory_array(1, sizeof *W);
  if (!W) {
    free(taken);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for an operator");
  }
  W->base = (DlsOperator){.does = &form, .contacts = contacts, .block = 3};
  W->bodies = bodies;
  W->contact = contact;
  W->own = taken;
  DlsOperator *made = &W->base;
  const DlsStatus status = fill(W, scale, ownership);
  if (status != DLS_OK) dls_operator_destroy(&made);
  *out = made;
  return status;
}
