/* Passes over the contacts that need one. A guess taken from the step before is wrong at a few
 * spots: of 48,000 contacts at rest 50 hold nine tenths of the error. What contact i would still
 * move is bounded by what its bodies have been given since it was solved last,
 *
 *   need_i = ρ_i Σ_b (A_b - A_b at that time),   A_b += w_b |Δr_j| whenever a contact j of b moves,
 *
 * w_b the part of Ŵ_NN that comes from b and ρ = 1 / Ŵ_NN. A pass solves the contacts whose need²
 * is above its mean.
 * The error follows sqrt(Σ need²) closely, without being measured. */
#ifndef DELASSUS_SOLVERS_KIT_CONTACT_NEED_H
#define DELASSUS_SOLVERS_KIT_CONTACT_NEED_H

#include "solvers/kit/sweep.h"

typedef struct DlsContactNeed DlsContactNeed;

/* On the sweep, lent; *out is NULL where that is on block rows, which know no bodies. */
DlsStatus dls_contact_need_create(DlsSweep *sweep, DlsContactNeed **out);
void dls_contact_need_destroy(DlsContactNeed *need);

/* A pass over all contacts, from which the needs are counted; returns sqrt(Σ |Δr̂|²). `scratch` is
 * of the shape of r_hat. */
double dls_contact_need_begin(DlsContactNeed *need, double *scratch, double *r_hat);

/* One over those in need; returns sqrt(Σ need²) as it found it. The first solves none, but finds
 * the needs. */
double dls_contact_need_pass(DlsContactNeed *need, double *r_hat);

/* Contacts solved since the beginning, and in the last pass. */
long dls_contact_need_visits(const DlsContactNeed *need);
int dls_contact_need_last(const DlsContactNeed *need);

#endif
