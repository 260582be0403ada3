/* The files of a new bulk law, as texts with @MARKS@ that new.c fills in. */
#ifndef DELASSUS_APP_BULK_NEW_H
#define DELASSUS_APP_BULK_NEW_H

extern const char bulk_new_source[], bulk_new_cmake[], bulk_new_readme[], bulk_new_deck[],
    bulk_new_path[];

#endif
