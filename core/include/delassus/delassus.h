/* All of the library: the other headers can be included one by one. docs/library.md shows their
 * use. */
#ifndef DELASSUS_DELASSUS_H
#define DELASSUS_DELASSUS_H

#include <delassus/analytic.h>
#include <delassus/bulk.h>
#include <delassus/bulk_umat.h>
#include <delassus/cone.h>
#include <delassus/errors.h>
#include <delassus/fclib.h>
#include <delassus/indeterminacy.h>
#include <delassus/inertia.h>
#include <delassus/islands.h>
#include <delassus/law.h>
#include <delassus/law_friction.h>
#include <delassus/law_sliding.h>
#include <delassus/law_spring.h>
#include <delassus/laws.h>
#include <delassus/local.h>
#include <delassus/newton.h>
#include <delassus/operator.h>
#include <delassus/ownership.h>
#include <delassus/problem.h>
#include <delassus/relation.h>
#include <delassus/run.h>
#include <delassus/sample.h>
#include <delassus/solver.h>
#include <delassus/solver_tools.h>
#include <delassus/sparse.h>
#include <delassus/squeeze.h>
#include <delassus/statistics.h>
#include <delassus/status.h>
#include <delassus/version.h>

#endif
