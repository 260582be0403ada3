/* The errors of a pair (u, r), computed from scratch: the one place that says how wrong an answer
 * is.
 *
 *   e_α = r̂ - P_K(r̂ - ρ_α (û + Γ(û) n))       with u = W r + q computed here
 *
 *   natural      |e| / max(|q|, |r|, |u|), ρ = 1: Siconos' own; absolute where the max is
 *                < 2.2e-16, or with cohesion below the round-off that a leaves,
 *                2.2e-12 max(|q̂|, |a|)
 *   natural_q    |e| / |q|, ρ = 1: that of the published comparison of solvers
 *   scaled       |e| / max(|ρ q̂|, |r̂|, |ρ û|), ρ_α = 1 / Ŵ_NN: does not change with the units;
 *                spins count times, torques and their lengths over ℓ = sqrt(Ŵ_NN / Ŵ of the spins)
 *   bipotential  Σ b(-û, r̂) + û·r̂, J, û and r̂ made admissible first (Sanni et al. 2009, eq. 32)
 *   stagnation   |Δr|_D / |r̂|_D, Δr the change that one more local solve of each contact would
 *                make, |x|_D² = Σ x·Ŵ_αα x: LMGC90's kind of test, free of the order of a sweep
 *   penetration  max of -û_N, m/s
 *   energy       |Σ r̂·(û + Γ n)| / Σ |r̂||û + Γ n|: the spurious power, relative
 *
 *   amplification  |r̂| / max(|ρ q̂|, |ρ û|, |a|): reactions over the load, free of units. A column
 *                  of n bodies has about n^1.5, a deposit of 1e6 grains 1e3
 *
 * Large reactions buy any of the errors that are relative to |r|: along the null space of W they
 * grow without end while u stays as wrong as it is, and along soft directions u grows with them. So
 * a pair is judged, by every solver and by the certificate alike, by the larger of the error that
 * was asked for and
 *
 *   by load      |e| / (A load) where |r̂| > A load, else 0; e as in `scaled`,
 *                load = max(|ρ q̂|, |a|), A = min(nc^1.5 / √3, 30), at least 1: what a column of nc
 *                contacts hands on
 *
 * An e within the round-off of Ŵ r̂ + q̂ (numbers added up by their absolute values) counts as
 * none, where that is below 1 % of the load, or the load is none: a prestress that nothing moves.
 * And because `natural` mixes impulses with velocities, so that masses of 1e-6 or 1e3 kg buy it
 * too, who stops by it also asks that |e| be within 0.1 % of the load in the units of `scaled`.
 *
 * A norm of impulses weighs contacts by ρ: one whose normal hardly moves anything (ρ 1e6 times that
 * of the others) makes a load beside which the others may be wrong by all of theirs. So it is also
 * asked, whatever error was, that the same e and q̂ as velocities, e_α / ρ_α, be
 *
 *   |e / ρ| <= max(0.5 %, B tolerance) |q̂|,  B = 1 under natural, A under scaled; |q̂| or |a / ρ|
 *
 * All these norms are those of the whole, in which a small island, contacts that W does not couple
 * to others, is lost beside a large one. So it is also asked that of each island, in the units of
 * `scaled`,
 *
 *   |e| <= 0.1 % of max(|ρ q̂|, |r̂|, |ρ û|, |a|), or the tolerance if that is more; all its own
 *
 * or that its u is within 1e-8 of the largest |q̂_α|. Of deformable bodies, whose islands are dear
 * to find, it is not.
 *
 * A contact with a custom law counts with the norm of its own residual. */
#ifndef DELASSUS_ERRORS_H
#define DELASSUS_ERRORS_H

#include <stdbool.h>

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { DLS_OPEN, DLS_SLIP, DLS_STICK } DlsContactStatus;

typedef struct {
  double natural, natural_q, scaled, bipotential, stagnation, penetration, energy;
  double amplification;
  int open, slip, stick; /* contacts by status */
  int undecided;         /* contacts whose status could change within the `scaled` error */
} DlsErrors;

/* r [contacts][block] is judged; u_out, unless NULL, receives u = W r + q. Fails only when a custom
 * law does or memory is short. Numbers that are not finite give infinite errors. */
DLS_EXPORT DlsStatus dls_errors_measure(const DlsProblem *problem, const double *r, double *u_out,
                                        DlsErrors *out);

/* `natural` alone, the cheap one for use inside solvers: r_hat in standard form, u_hat scratch of
 * the same shape that receives û. */
DLS_EXPORT DlsStatus dls_errors_natural(const DlsProblem *problem, const double *r_hat,
                                        double *u_hat, double *natural);

/* `natural_q` alone, in the same way. */
DLS_EXPORT DlsStatus dls_errors_natural_q(const DlsProblem *problem, const double *r_hat,
                                          double *u_hat, double *natural_q);

/* `bipotential` as a measure to stop by, in the same way, without units:
 *
 *   max(G / (|q̂|_√ρ |r̂|_1/√ρ),  A)
 *
 * G is the sum in J, relative to the work of the load (of û, where that is more). G does not see
 * what it takes to make û and r̂ admissible, so that r = 0 would do: that is
 * A = |(ρ [û_N]₋, r̂ - P_K r̂)| / max(|ρ q̂|, |r̂|, |ρ û|), with the residual of a custom law. */
DLS_EXPORT DlsStatus dls_errors_bipotential(const DlsProblem *problem, const double *r_hat,
                                            double *u_hat, double *bipotential);

/* `scaled` alone, in the same way. */
DLS_EXPORT DlsStatus dls_errors_scaled(const DlsProblem *problem, const double *r_hat,
                                       double *u_hat, double *scaled);

/* `by load` of r̂; u_hat receives û where |r̂| > A load, and is left alone elsewhere. Solvers stop
 * by the larger of this and `natural` or `scaled`: dls_solver_measure() in solver.h. */
DLS_EXPORT DlsStatus dls_errors_by_load(const DlsProblem *problem, const double *r_hat,
                                        double *u_hat, double *error);

/* What else is asked of a pair in standard form, in one pass over its contacts. */
typedef struct {
  double of_load;      /* |e| / load, e as in `scaled`; 0 where there is no load */
  double of_speed;     /* |e / ρ| over |q̂| as velocities, as above; 0 where there is no load */
  double worst_island; /* as below */
} DlsShares;
#define DLS_LITTLE_LOAD  1e-3
#define DLS_LITTLE_SPEED 5e-3

/* `of_load` is for who stops by `natural`; without it that share is 0. `most` as below. */
DLS_EXPORT DlsStatus dls_errors_shares(const DlsProblem *problem, const double *r_hat,
                                       const double *u_hat, bool of_load, double most,
                                       DlsShares *out);

/* The largest error of an island beside its own numbers, as above, where it is more than `most`;
 * else 0. û on entry. */
DLS_EXPORT DlsStatus dls_errors_worst_island(const DlsProblem *problem, const double *r_hat,
                                             const double *u_hat, double most, double *worst);

/* A: how many times the load reactions may count as what an error is relative to. */
DLS_EXPORT double dls_errors_allowance(const DlsProblem *problem);

/* Beyond this amplification a solver may take its own iterates for run off. */
#define DLS_RUN_OFF 1e4

/* The status of a contact, one definition for counts, frames, post-processing and comparisons:
 *
 *   open   the contact carries nothing, whether the bodies touch or not
 *   slip   it carries, stands at the limit of its friction, and moves
 *   stick  it carries, and is not slipping: below the limit, or at it without moving. Tied ones
 *          always
 *
 * A pair obeys the law only to within an error, and no status can be finer than that. With e_α, ρ_α
 * as above:
 *
 *   carries       r̂ is above round-off of the load, 1e3 ε ρ|q̂|, and r̂ - ρ(û + Γ n) is not in the
 *                 polar of K, where the reaction would be the contact's own error. So no load above
 *                 the error is ever "open", whatever u_N is
 *   at the limit  |r̂_T| >= mu r̂_N - (1 + mu)|e_α|, and within 1 % of it; of an ellipse likewise;
 *                 without friction always. Of torques nothing is asked: a ball that rolls against
 *                 its rolling friction sticks
 *   moves         |û_T| > v, v the root of the mean of (|e_α|/ρ_α)²: what contacts that stick are
 *                 seen to move by, since there e_α = ρ û; and above round-off. û_T is u_T with
 *                 restitution and the spring of the law
 *
 * A custom law has no cone: e_α is its residual, û = u, r̂ = r; it carries where |r| is above
 * |e_α|, and its limit is asked for (below). A law that does not tell a limit slips wherever it
 * carries and moves. A relation DLS_CONE_FREE that has a reaction, as laws of the explicit scheme
 * have, is such a one. */
DLS_EXPORT void dls_errors_status(const DlsProblem *problem, const double *r_hat,
                                  const double *u_hat, DlsContactStatus *status);

/* N s: the most that the tangential reaction of a contact can be, along the direction in which it
 * acts, at this normal reaction: mu r̂_N. A custom law is asked by `project`, at a tangential
 * reaction beyond all measure. NaN where there is no limit (tied), or where the law does not tell.
 * r_hat, u_hat [block]: of this contact. */
DLS_EXPORT double dls_errors_limit(const DlsProblem *problem, int contact, const double *r_hat,
                                   const double *u_hat);

/* The same definition for u, r [block] and a limit in N s that come from elsewhere, NaN unknown;
 * `error` in N s, `still` in m/s: what counts as no reaction and as no motion. */
DLS_EXPORT DlsContactStatus dls_errors_status_of(int dim, int block, const double *u,
                                                 const double *r, double limit, double error,
                                                 double still);

#ifdef __cplusplus
}
#endif
#endif
