/* A pass over the colours of a sweep shared among ranks (base/team.h). Each rank does the clusters
 * of its share of the contacts, which follow each other along detection's curve in space; behind
 * every colour it gets the velocities of those parts of its own that others have moved. A part is
 * moved by one cluster of a colour at most, so that copies are exact, and the pass is that of one
 * rank to the bit. Colours of a single cluster, such as those of large bodies, are done by all. */
#ifndef DELASSUS_SOLVERS_KIT_SWEEP_TEAM_H
#define DELASSUS_SOLVERS_KIT_SWEEP_TEAM_H

#include "solvers/kit/sweep.h"

/* For the team that this thread works for: NULL where there is none, where the sweep has no colours
 * or its parts no velocities of one length, and below `few` contacts, where messages cost more than
 * they save. */
DlsStatus dls_sweep_team_make(const DlsSweep *sweep, DlsSweepTeam **out);
void dls_sweep_team_destroy(DlsSweepTeam **team);

/* Whether this rank does the cluster. */
bool dls_sweep_team_does(const DlsSweepTeam *team, int cluster);

/* For dls_colours_each(): what is exchanged behind a colour. */
const DlsColourSeam *dls_sweep_team_seam(const DlsSweepTeam *team);

/* Behind a pass: the counts of all clusters. mine: of those of this rank, which may have ended the
 * pass early; returns the status of all. */
DlsStatus dls_sweep_team_join(DlsSweepTeam *team, DlsSweep *sweep, DlsStatus mine, bool backwards);

/* Behind passes: all of r̂ and y, the same at all ranks from here on. */
DlsStatus dls_sweep_team_gather(DlsSweepTeam *team, DlsSweep *sweep, double *r_hat);

#endif
