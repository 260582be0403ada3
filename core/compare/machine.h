/* The machine that numbers of time were measured on, in a sentence: processor, cores, memory,
 * load. */
#ifndef DELASSUS_COMPARE_MACHINE_H
#define DELASSUS_COMPARE_MACHINE_H

#include <stddef.h>

#include <delassus/status.h>

/* What the system does not tell is left out. */
void dls_machine_describe(char *text, size_t size);

#endif
