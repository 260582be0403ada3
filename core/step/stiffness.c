/* How long a step can be where laws are asked for forces: contacts are springs and dashpots, and a
 * step that is too long for them blows the bodies apart.
 *
 * An oscillator of stiffness k and damping c on a mass m is stable in the scheme explicit while
 *   h² k / 4 m + h c / 2 m < 1:   h < 2 sqrt(m / k) without damping, h < 2 m / c without a spring.
 * Bodies with many contacts swing faster. With a_i² what body i adds to W_NN of a contact, the
 * largest k / m of all is at most the largest of Σ k a_i (a_i + a_j) over the contacts of a body,
 * by Gershgorin's theorem for the blocks of bodies; c alike. Of the tangential force what counts is
 * its answer to a velocity over one step, contact by contact: it holds the spring and the dashpot.
 *
 * Where a coarse bound from few contacts is far below it, that is all that is looked at.
 *
 * k and c are asked of the laws, as differences of `force` or from the slopes of `traction`, at the
 * overlap of now: one that grows with the overlap, as Hertz's, is met when it has grown too large.
 */
#include "step/step_impl.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How the force of a contact answers. */
typedef struct {
  double k, c;     /* N/m, N s/m: to the overlap and to its rate */
  double k_t, c_t; /* to a tangential velocity that lasts a step: k_t h / 2 + c_t */
} Answer;

/* N s/m: by how much a tangential velocity over a step of length h changes the force of `rest`; the
 * normal one too. */
static DlsStatus ask_motion(const DlsLawUse *given, const DlsContact *contact, double h,
                            const double *rest, double out[2]) {
  const double slow = 1e-6; /* m/s */
  DlsContact at = *contact;
  DlsLawUse use = *given;
  double u[DLS_MAX_BLOCK] = {-slow, slow}, force[DLS_MAX_BLOCK];
  use.kinematics = &at;
  at.h = h;
  memset(at.u_before, 0, sizeof at.u_before);
  memcpy(at.u_before, u, 2 * sizeof *u);
  DLS_TRY(dls_law_force(&use, u, force));
  out[0] = fmax(0, (force[0] - rest[0]) / slow);
  out[1] = fmax(0, (rest[1] - force[1]) / slow);
  return DLS_OK;
}

/* At the gap of `contact` and from rest, by differences. What of the tangential answer grows with
 * the step is a spring. */
static DlsStatus ask_force(const DlsLawUse *given, const DlsContact *contact, Answer *out) {
  const double deeper = fmax(1e-3 * -contact->gap, 1e-9 * contact->radius);
  DlsContact at = *contact;
  DlsLawUse use = *given;
  double u[DLS_MAX_BLOCK] = {0}, rest[DLS_MAX_BLOCK], pressed[DLS_MAX_BLOCK], whole[2], half[2];
  use.kinematics = &at;
  memset(at.u_before, 0, sizeof at.u_before);
  *out = (Answer){0};
  if (!(deeper > 0)) return DLS_OK; /* no radius is known */
  DLS_TRY(dls_law_force(&use, u, rest));
  at.gap -= deeper;
  DLS_TRY(dls_law_force(&use, u, pressed));
  DLS_TRY(ask_motion(given, contact, contact->h, rest, whole));
  DLS_TRY(ask_motion(given, contact, contact->h / 2, rest, half));
  out->k = fmax(0, (pressed[0] - rest[0]) / deeper);
  out->c = whole[0];
  out->k_t = fmax(0, 4 * (whole[1] - half[1]) / contact->h);
  out->c_t = fmax(0, whole[1] - out->k_t * contact->h / 2);
  return DLS_OK;
}

/* Laws with traction say it themselves; a difference would not see their tangential springs, which
 * wait for the next step. */
static DlsStatus ask(const DlsLawUse *given, const DlsContact *contact, Answer *out) {
  DlsLawUse use = *given;
  double k[DLS_MAX_BLOCK], c[DLS_MAX_BLOCK];
  int others;
  *out = (Answer){0};
  use.kinematics = contact;
  DLS_TRY(dls_law_stiffness(&use, k, c, &others));
  if (others) DLS_TRY(ask_force(given, contact, out));
  *out = (Answer){fmax(out->k, k[0]), fmax(out->c, c[0]), out->k_t + k[1], out->c_t + c[1]};
  return DLS_OK;
}

/* 1 is the end of stability: h² K / 4 + h C / 2, K in 1/s² and C in 1/s; and the step that ends
 * there. */
static double share_of(double h, double K, double C) { return h * h * K / 4 + h * C / 2; }

static double longest(double K, double C) {
  if (K == 0) return C > 0 ? 2 / C : INFINITY;
  return (sqrt(C * C / 4 + K) - C / 2) * 2 / K;
}

/* sqrt of what a body adds to W along an axis at a lever. */
static double mobility(const DlsWorld *world, int body, const double *point, const double *axis) {
  double inverse[3], inertia[9], lever[3], turn[3], sum = 0;
  if (body < 0) return 0;
  dls_world_inverse_mass(world, body, NULL, inverse, inertia);
  for (int k = 0; k < 3; k++) lever[k] = point[k] - world->position[body][k];
  dls_vector_cross(lever, axis, turn);
  for (int k = 0; k < 3; k++)
    sum += inverse[k] * axis[k] * axis[k] + turn[k] * dls_vector_dot(inertia + 3 * k, turn);
  return sqrt(sum);
}

/* The sums of the head for one body, and its stiffest contact. */
typedef struct {
  double K, C, stiffest;
  int contact;
} Sums;

static DlsStatus refuse(const DlsSimulation *s, int i, double stiffness, double step) {
  const DlsAssembly *a = &s->last.assembly;
  const int c = a->step.in_set[i], who = s->last.contacts.antagonist[c];
  const DlsWorld *world = s->world;
  return dls_fail(DLS_ERR_NUMERIC,
                  "step %ld at t = %g s: the contact of body %llu with %s %llu is as stiff as %.3g "
                  "N/m, with an "
                  "overlap of %.3g m, and %g s is too long a step for it; take time.step below "
                  "%.2g s (a fiftieth "
                  "of a collision is %.2g s), softer contacts or heavier bodies",
                  s->state.step + 1, s->state.time,
                  (unsigned long long)world->id[s->last.contacts.candidate[c]],
                  who >= 0 ? "body" : "boundary",
                  (unsigned long long)(who >= 0 ? world->id[who] : world->boundary[-1 - who].id),
                  stiffness, fmax(0, -s->last.contacts.gap[c]), s->settings.h, step, 0.0314 * step);
}

/* Adds contact i to the sums of its bodies; its own tangential answer is looked at here. */
static DlsStatus add_contact(const DlsSimulation *s, int i, Sums *sums) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsWorld *world = s->world;
  const int c = a->step.in_set[i],
            pair[2] = {s->last.contacts.candidate[c], s->last.contacts.antagonist[c]};
  const double *frame = s->last.contacts.frame[c], *point = s->last.contacts.point[c];
  double move[2], slip = 0;
  Answer answer;
  DLS_TRY(ask(&a->step.use[i], &a->step.kinematics[i], &answer));
  for (int side = 0; side < 2; side++) {
    move[side] = mobility(world, pair[side], point, frame);
    const double along = mobility(world, pair[side], point, frame + 3);
    slip += along * along;
  }
  if (share_of(s->settings.h, answer.k_t * slip, answer.c_t * slip) >= 1)
    return refuse(s, i, answer.k_t, longest(answer.k_t * slip, answer.c_t * slip));
  for (int side = 0; side < 2; side++) {
    if (pair[side] < 0) continue;
    Sums *sum = &sums[pair[side]];
    const double weight = move[side] * (move[0] + move[1]);
    sum->K += answer.k * weight;
    sum->C += answer.c * weight;
    if (answer.k < sum->stiffest) continue;
    sum->stiffest = answer.k;
    sum->contact = i;
  }
  return DLS_OK;
}

static DlsStatus add_all(const DlsSimulation *s, Sums *sums) {
  for (int i = 0; i < s->last.assembly.step.count; i++) DLS_TRY(add_contact(s, i, sums));
  for (int b = 0; b < s->world->count; b++)
    if (share_of(s->settings.h, sums[b].K, sums[b].C) >= 1)
      return refuse(s, sums[b].contact, sums[b].stiffest, longest(sums[b].K, sums[b].C));
  return DLS_OK;
}

/* The most contacts that a body has. */
static DlsStatus most_contacts(const DlsSimulation *s, int *out) {
  const DlsAssembly *a = &s->last.assembly;
  int *count;
  *out = 0;
  DLS_NEW(count, s->world->count);
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i],
              pair[2] = {s->last.contacts.candidate[c], s->last.contacts.antagonist[c]};
    for (int side = 0; side < 2; side++)
      if (pair[side] >= 0 && ++count[pair[side]] > *out) *out = count[pair[side]];
  }
  free(count);
  return DLS_OK;
}

/* What of the contacts of one interaction asks for the shortest step. */
typedef struct {
  int deepest, widest, heaviest; /* contacts: by overlap, by overlap times radius, by mass */
  double lightest;               /* kg, reduced */
} Extremes;

static Extremes extremes_of(const DlsAssembly *a, int interaction) {
  Extremes e = {-1, -1, -1, INFINITY};
  const DlsContact *k = a->step.kinematics;
  for (int i = 0; i < a->step.count; i++) {
    if (a->step.interaction[i] != interaction) continue;
    if (e.deepest < 0) e.deepest = e.widest = e.heaviest = i;
    if (k[i].gap < k[e.deepest].gap) e.deepest = i;
    if (k[i].gap * k[i].radius < k[e.widest].gap * k[e.widest].radius) e.widest = i;
    if (k[i].mass > k[e.heaviest].mass) e.heaviest = i;
    if (k[i].mass > 0) e.lightest = fmin(e.lightest, k[i].mass);
  }
  return e;
}

/* Whether a coarse bound is enough, from three contacts of each interaction: the stiffest on the
 * lightest body, as often as any body has contacts. a_i (a_i + a_j) is at most 1.21 W_NN;
 * tangentially spheres have 7/2 of it, others may have more. */
static DlsStatus is_far_from_limit(const DlsSimulation *s, bool *out) {
  const double across = 1.21, tangential = 10;
  const DlsAssembly *a = &s->last.assembly;
  int most;
  *out = false;
  DLS_TRY(most_contacts(s, &most));
  for (int n = 0; n < s->settings.laws.count; n++) {
    const Extremes e = extremes_of(a, n);
    const int asked[3] = {e.deepest, e.widest, e.heaviest};
    Answer worst = {0};
    if (e.deepest < 0 || !isfinite(e.lightest)) continue;
    for (int k = 0; k < 3; k++) {
      Answer one;
      DLS_TRY(ask(&a->step.use[asked[k]], &a->step.kinematics[asked[k]], &one));
      worst.k = fmax(worst.k, one.k);
      worst.c = fmax(worst.c, one.c);
      worst.k_t = fmax(worst.k_t, one.k_t);
      worst.c_t = fmax(worst.c_t, one.c_t);
    }
    const double each = across * most / e.lightest, slip = tangential / e.lightest;
    if (share_of(s->settings.h, each * worst.k, each * worst.c) >= 1 ||
        share_of(s->settings.h, slip * worst.k_t, slip * worst.c_t) >= 1)
      return DLS_OK;
  }
  *out = true;
  return DLS_OK;
}

DlsStatus dls_stiffness_check(const DlsSimulation *s) {
  Sums *sums;
  bool far;
  if (s->last.assembly.step.count == 0) return DLS_OK;
  DLS_TRY(is_far_from_limit(s, &far));
  if (far) return DLS_OK;
  DLS_NEW(sums, s->world->count);
  const DlsStatus status = add_all(s, sums);
  free(sums);
  return status;
}

/* The lightest body of a material that can move, and whether something of it cannot. */
typedef struct {
  int body, count; /* -1: none */
  double radius;   /* m, its smallest */
  bool held;
  int material, boundary; /* whose it is; -1: of no boundary */
} Lightest;

static void find_lightest(const DlsWorld *world, Lightest *of) {
  for (int m = 0; m < world->materials.count; m++)
    of[m] = (Lightest){.body = -1, .material = m, .boundary = -1};
  for (int b = 0; b < world->boundary_count; b++) of[world->boundary[b].material].held = true;
  for (int b = 0; b < world->count; b++) {
    Lightest *l = &of[world->material[b]];
    if (world->flags[b] & DLS_BODY_GHOST) continue;
    l->held |= dls_world_is_fixed(world, b);
    if (dls_world_is_fixed(world, b)) continue;
    l->count++;
    if (l->body >= 0 && world->mass[b] >= world->mass[l->body]) continue;
    l->body = b;
    l->radius = dls_world_size(world, b);
  }
}

/* Formulas and fields where the body is; false: they give nothing there that the laws take. */
static bool ask_place(const DlsSimulation *s, const DlsInteraction *laws, DlsContact *c,
                      const Lightest *first, const Lightest *second, double *params,
                      double (*fields)[DLS_MAX_PARAMS], DlsLawUse *use) {
  const Lightest *sides[2] = {second, first};
  if (laws->formulas) {
    if (dls_interaction_params(laws, c->time, c->point, c->radius, params) != DLS_OK) return false;
    use->params = params;
  }
  for (int k = 0; laws->fields && k < 2; k++) {
    const DlsFieldOwner owner = {.boundary = sides[k]->boundary,
                                 .material = sides[k]->material,
                                 .id = sides[k]->body >= 0 ? s->world->id[sides[k]->body] : 0};
    if (dls_interactions_fields(&s->settings.laws, laws, &owner, c->time, c->point, fields[k]) !=
        DLS_OK)
      return false;
    c->fields[k] = fields[k];
  }
  return true;
}

/* Two of these materials that have just touched; nothing where there are no such two. */
static DlsStatus ask_pair(const DlsSimulation *s, int block, const Lightest *first,
                          const Lightest *second, const DlsInteraction *laws, DlsStableStep *out) {
  const DlsWorld *world = s->world;
  const bool both = second->body >= 0 && (first != second || first->count > 1);
  if (first->body < 0 || !laws || (!both && !second->held)) return DLS_OK;
  const double mass = world->mass[first->body];
  DlsContact c = {
      .dim = world->dim, .block = block, .time = s->state.time, .h = s->settings.h, .mass = mass};
  double state[DLS_MAX_PARAMS] = {0}, surface[DLS_MAX_PARAMS];
  Answer answer;
  c.radius = first->radius;
  if (both) {
    c.mass = 1 / (1 / mass + 1 / world->mass[second->body]);
    c.radius = 1 / (1 / first->radius + 1 / second->radius);
  }
  const double up[3] = {0, world->dim == 2, world->dim == 3};
  double frame[9];
  dls_contact_frame(world->dim, up, frame);
  memcpy(c.frame, frame, sizeof frame);
  c.gap = -1e-6 * c.radius;
  memcpy(c.point, world->position[first->body], sizeof c.point);
  DlsLawUse use = dls_interaction_use(laws, -1, &c, state);
  dls_law_new_surface(&use, surface);
  c.surface[0] = c.surface[1] = surface;
  c.tables = dls_interaction_tables(laws);
  double params[DLS_MAX_PARAMS], fields[2][DLS_MAX_PARAMS];
  if (!ask_place(s, laws, &c, first, second, params, fields, &use)) return DLS_OK;
  DLS_TRY(dls_law_begin(&use, state));
  DLS_TRY(ask(&use, &c, &answer));
  const double step = longest(answer.k / c.mass, answer.c / c.mass);
  if (step < out->longest) *out = (DlsStableStep){step, answer.k, c.mass, laws->law->name};
  return DLS_OK;
}

/* Each material against the boundaries that have laws of their own. */
static DlsStatus ask_boundaries(const DlsSimulation *s, int block, const Lightest *of,
                                DlsStableStep *out) {
  const DlsInteractions *laws = &s->settings.laws;
  for (int m = 0; m < laws->materials; m++)
    for (int b = 0; b < laws->boundaries; b++) {
      const int k = laws->wall[m * laws->boundaries + b];
      if (k < 0 || k == laws->pair[m * laws->materials + laws->boundary_material[b]]) continue;
      const Lightest wall = {
          .body = -1, .held = true, .material = laws->boundary_material[b], .boundary = b};
      DLS_TRY(ask_pair(s, block, &of[m], &wall, &laws->item[k], out));
    }
  return DLS_OK;
}

static DlsStatus ask_all(const DlsSimulation *s, int block, const Lightest *of,
                         DlsStableStep *out) {
  const int materials = s->world->materials.count;
  for (int m = 0; m < materials; m++)
    for (int n = 0; n < materials; n++)
      DLS_TRY(
          ask_pair(s, block, &of[m], &of[n], dls_interactions_of(&s->settings.laws, m, n), out));
  return ask_boundaries(s, block, of, out);
}

DlsStatus dls_stiffness_longest(const DlsSimulation *s, DlsStableStep *out) {
  int block;
  Lightest *of;
  *out = (DlsStableStep){.longest = INFINITY};
  DLS_TRY(dls_interactions_block(&s->settings.laws, s->world->dim, &block));
  DLS_NEW(of, s->world->materials.count);
  find_lightest(s->world, of);
  const DlsStatus status = ask_all(s, block, of, out);
  free(of);
  return status;
}
