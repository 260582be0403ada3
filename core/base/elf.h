/* Whether a file may be given to dlopen(): a broken one can kill the process there. */
#ifndef DELASSUS_BASE_ELF_H
#define DELASSUS_BASE_ELF_H

#include <sys/types.h>

#include <delassus/status.h>

/* What tells two files apart, whatever their paths. */
typedef struct {
  dev_t device;
  ino_t node;
} DlsFileIdentity;

/* The file is a regular file that can be read and holds a whole shared object for this machine:
 * header, tables and segments lie within it (a truncated segment is mapped by dlopen and kills the
 * process with SIGBUS when it is read). `noun` begins the sentence of a failure, DLS_ERR_PLUGIN. */
DlsStatus dls_elf_check(const char *noun, const char *path, DlsFileIdentity *identity);

/* Whether the shared object defines `symbol` for others, by its table of dynamic symbols, without
 * running a line of it: dlopen() runs the constructors of whatever it is given. Unknown where the
 * file has no such table to read: then dlsym() must tell. */
typedef enum { DLS_ELF_ABSENT, DLS_ELF_EXPORTED, DLS_ELF_UNKNOWN } DlsElfSymbol;
DlsElfSymbol dls_elf_find(const char *path, const char *symbol);

#endif
