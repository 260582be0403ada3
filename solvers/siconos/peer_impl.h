/* A problem as Siconos holds it, for the files of the adaptor alone. */
#ifndef DELASSUS_SOLVERS_SICONOS_PEER_IMPL_H
#define DELASSUS_SOLVERS_SICONOS_PEER_IMPL_H

#include "solvers/siconos/peer.h"

#include <FrictionContactProblem.h>
#include <RollingFrictionContactProblem.h>

struct Peer {
  int contacts, block;
  FrictionContactProblem *coulomb;        /* blocks 2 and 3 */
  RollingFrictionContactProblem *rolling; /* block 5 */
  double norm_q;
  double *r, *u; /* [contacts][block], scratch: Siconos takes no const pointers */
};

#endif
