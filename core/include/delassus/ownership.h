/* What becomes of arrays that are given to a constructor. */
#ifndef DELASSUS_OWNERSHIP_H
#define DELASSUS_OWNERSHIP_H

typedef enum {
  DLS_COPY, /* copied: the caller may change or free them at once */
  DLS_USE,  /* lent, unchanged, for the life of what is made of them */
  DLS_TAKE  /* taken over, also on failure: made by malloc(), calloc() or realloc(), and
               freed with what is made of them */
} DlsOwnership;

#endif
