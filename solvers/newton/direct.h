/* Proximal steps by semismooth Newton with direct solves of our own: J = A + B (W' + alpha), A =
 * dF/dr and B = dF/du block by block, with the block size of the problem and the pattern of W',
 * factored by UMFPACK; dense, with partial pivots, for small islands. */
#ifndef DELASSUS_SOLVERS_NEWTON_DIRECT_H
#define DELASSUS_SOLVERS_NEWTON_DIRECT_H

#include <delassus/newton.h>

extern const DlsNewtonAlgebra newton_direct;

#endif
