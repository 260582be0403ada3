/* The files of a new law, as texts with @MARKS@ that new.c fills in. */
#ifndef DELASSUS_APP_LAW_NEW_H
#define DELASSUS_APP_LAW_NEW_H

extern const char law_new_canonical[], law_new_custom[], law_new_cmake[], law_new_readme[],
    law_new_deck[];

#endif
