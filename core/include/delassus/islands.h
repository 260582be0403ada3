/* Islands: groups of contacts that W does not couple. Each is a problem of its own. */
#ifndef DELASSUS_ISLANDS_H
#define DELASSUS_ISLANDS_H

#include <delassus/operator.h>

#ifdef __cplusplus
extern "C" {
#endif

/* island [contacts] receives the number of each contact's island, from 0 in the order of their
 * first contacts; *count how many there are. Two contacts are coupled when their block of W holds a
 * number other than 0 (assembled) or when they touch the same body (factored, spheres). */
DLS_EXPORT DlsStatus dls_islands_find(const DlsOperator *W, int *island, int *count);

#ifdef __cplusplus
}
#endif
#endif
