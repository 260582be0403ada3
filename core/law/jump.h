/* Laws that give the traction of a jump, as what the schemes want of a law: a relation with its
 * derivatives, one-contact solve and projection; a force; the state after a step. With w the
 * velocity, A the area or 1,
 *   I(w) = h A t(jump0 + h w, w)   N s,
 * jump0 the gap and, of laws with DLS_JUMP, the slip so far, both where the scheme sees its
 * contacts: in moreau's and the explicit one in the middle of the step, so that jump0 + h w is in
 * the middle of the next; in euler's at its start.
 *
 * Relation: F = r - R(r - rho u), R the resolvent of I: y = I(w), y - rho w = r - rho u, from w = u
 * on. F = 0 just where r = I(u), whatever the slope of t, and its size is that of an error of r
 * also where t is stiff. rho may be any, down to 1e-200 kg, where R becomes the projection on the
 * range of I: it is followed from one that outweighs the slopes of I. Where t softens faster than
 * rho holds against, w may be one of several: that to which Newton's method comes from u; F jumps
 * there, away from its zeros.
 *
 * One contact: w = D I(w) + q. Where there are several solutions, the one to which Newton's method
 * leads from the guess, which is the reaction of the step before or of the sweep before; where it
 * leads nowhere, the one that grows with the step: s h in the place of h, s from 0, where w = q is
 * the only one, to 1. */
#ifndef DELASSUS_LAW_JUMP_H
#define DELASSUS_LAW_JUMP_H

#include <stdbool.h>

#include <delassus/laws.h>

/* All of one law of a use, that has traction; DLS_ERR_LAW with its sentence. */
DlsStatus dls_jump_residual(const DlsLawUse *part, const double *u, const double *r, double *F,
                            double *dF_du, double *dF_dr);
DlsStatus dls_jump_solve(const DlsLawUse *part, const double *D, const double *q, double *r);
DlsStatus dls_jump_project(const DlsLawUse *part, const double *u, double rho, double *r);

/* For the explicit scheme: A t at jump0. Laws without DLS_JUMP are told the slip of the step, and
 * all laws its angles, as in the others. */
DlsStatus dls_jump_force(const DlsLawUse *part, const double *u, double *force);

/* The state after a step that ended with u; `forces`: one in which the law was asked for a force.
 * `state` holds that of the start. */
DlsStatus dls_jump_commit(const DlsLawUse *part, bool forces, const double *u, double *state);

/* N/m and N s/m at rest, where the contact stands: minus the diagonals of A dt/djump and A dt/du.
 */
DlsStatus dls_jump_stiffness(const DlsLawUse *part, double *k, double *c);

#endif
