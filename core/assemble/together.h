/* How ranks share an assembly (base/team.h). All have all contacts of the set; each fills the rows
 * and asks the laws of its stretch of those that are chosen, and all get what comes of it. Not
 * where laws are asked again during the solve or after it, for what they were told stays where it
 * was told; nor where they turn frames or are asked one after the other. */
#ifndef DELASSUS_ASSEMBLE_TOGETHER_H
#define DELASSUS_ASSEMBLE_TOGETHER_H

#include "assemble/assemble.h"
#include "base/team.h"

/* The ranks that share this assembly, whose contacts are chosen; NULL: there are none, or few
 * contacts, or laws that cannot be shared. */
DlsTeam *dls_together_assemble(const DlsAssembly *assembly);

/* Contacts of this rank. */
void dls_together_contacts_of(const DlsAssembly *assembly, const DlsTeam *team, int *begin,
                              int *end);

/* Behind the work of this rank: rows, guesses, states and relations of all contacts. */
DlsStatus dls_together_gather(DlsAssembly *assembly, DlsTeam *team);

#endif
