/* One contact problem: find r, u with u = W r + q and, contact by contact, (u, r) in its relation.
 * W = H M^-1 H^T is the Delassus operator. Knows nothing of bodies, shapes or time.
 *
 * Solvers work on its standard form. With r̂ = r + a and û = u + b + C r the problem reads
 *   û = Ŵ r̂ + q̂,   Ŵ = W + C,   q̂ = q + b - Ŵ a,   (û, r̂) in the cone relation,
 * so that a, b and C are gone before the first iteration. */
#ifndef DELASSUS_PROBLEM_H
#define DELASSUS_PROBLEM_H

#include <delassus/operator.h>
#include <delassus/ownership.h>
#include <delassus/relation.h>
#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DlsProblem DlsProblem; /* opaque: fields in core/problem/problem_impl.h */

/* The relation of a contact whose cone is DLS_CONE_CUSTOM; see law.h for what the functions mean.
 * solve and project may be NULL. `context` is lent for the life of the problem. */
typedef struct {
  const char *law;
  void *context;
  DlsStatus (*residual)(void *context, const double *u, const double *r, double *F, double *dF_du,
                        double *dF_dr);
  DlsStatus (*solve)(void *context, const double *D, const double *q, double *r);
  DlsStatus (*project)(void *context, const double *u, double rho, double *r);
} DlsCustomRelation;

/* Takes the operator, *W becomes NULL, also on failure; copies q [contacts][block], relations
 * [contacts] and custom [contacts] (NULL when no contact is custom; entries of other contacts are
 * not read). dim is the dimension of space, 2 or 3. */
DLS_EXPORT DlsStatus dls_problem_create(int dim, DlsOperator **W, const double *q,
                                        const DlsRelation *relations,
                                        const DlsCustomRelation *custom, DlsProblem **out);
/* The same with relations that contacts share: contact i has relations[which[i]], and a relation
 * that many have is there once. They are numbered in the order in which `which` [contacts] first
 * names them; NULL: contact i has number i. What becomes of q, relations and which says
 * `ownership`; custom is copied. */
DLS_EXPORT DlsStatus dls_problem_create_shared(int dim, DlsOperator **W, const double *q,
                                               const DlsRelation *relations, const int *which,
                                               const DlsCustomRelation *custom,
                                               DlsOwnership ownership, DlsProblem **out);
/* The problem `given`, its name too, on another operator for the same contacts, taken as above. */
DLS_EXPORT DlsStatus dls_problem_create_like(const DlsProblem *given, DlsOperator **W,
                                             DlsProblem **out);
DLS_EXPORT void dls_problem_destroy(DlsProblem **problem); /* NULL is fine; sets it to NULL */

DLS_EXPORT int dls_problem_contacts(const DlsProblem *problem);
DLS_EXPORT int dls_problem_block(const DlsProblem *problem);
DLS_EXPORT int dls_problem_dim(const DlsProblem *problem);
DLS_EXPORT const DlsOperator *dls_problem_operator(const DlsProblem *problem);
DLS_EXPORT const double *dls_problem_q(const DlsProblem *problem);
DLS_EXPORT const DlsRelation *dls_problem_relation(const DlsProblem *problem, int contact);
DLS_EXPORT const DlsCustomRelation *dls_problem_custom(const DlsProblem *problem); /* or NULL */

/* u = W r + q. Both of shape [contacts][block]; no overlap. */
DLS_EXPORT void dls_problem_velocity(const DlsProblem *problem, const double *r, double *u);

/* The standard form: q̂; û = Ŵ r̂ + q̂; the diagonal blocks of Ŵ; r̂ = r + a and back, in place. */
DLS_EXPORT const double *dls_problem_standard_q(const DlsProblem *problem);
DLS_EXPORT void dls_problem_standard_velocity(const DlsProblem *problem, const double *r_hat,
                                              double *u_hat);
DLS_EXPORT void dls_problem_standard_diagonal(const DlsProblem *problem, double *D);
DLS_EXPORT void dls_problem_to_standard(const DlsProblem *problem, double *r);
DLS_EXPORT void dls_problem_from_standard(const DlsProblem *problem, double *r);

/* Whether some contact has the cone. */
DLS_EXPORT int dls_problem_has(const DlsProblem *problem, DlsCone cone);

/* 64 bits over W, as its form holds it, q and the relations, in hexadecimal digits: two problems
 * with one fingerprint are the same problem. The name does not count. */
enum { DLS_FINGERPRINT = 17 }; /* bytes, the end too */
DLS_EXPORT DlsStatus dls_problem_fingerprint(const DlsProblem *problem, char out[DLS_FINGERPRINT]);

/* The largest of the velocities that q was made of, m/s: in q = H v + w, |v| and |w|, which may be
 * much larger than q where they cancel. What closes at less than 1e-10 of it closes by round-off;
 * see squeeze.h. */
DLS_EXPORT void dls_problem_set_speed(DlsProblem *problem, double speed);

/* The caller knows a motion that obeys every contact, û_N >= 0 (or û = 0) with some r:
 * dls_squeeze_find() need not look. */
DLS_EXPORT void dls_problem_promise_motion(DlsProblem *problem);

/* Every contact with friction gets this `associated` (relation.h), from 0, Coulomb's law, to 1, the
 * convex programme: the same bodies under another law, for comparisons. Relations that were lent
 * are copied first. */
DLS_EXPORT DlsStatus dls_problem_associate(DlsProblem *problem, double associated);

/* A name for messages, such as the file's; copied; "problem" until set. */
DLS_EXPORT DlsStatus dls_problem_set_name(DlsProblem *problem, const char *name);
DLS_EXPORT const char *dls_problem_name(const DlsProblem *problem);

#ifdef __cplusplus
}
#endif
#endif
