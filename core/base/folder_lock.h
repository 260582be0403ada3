/* One writer to a folder of results: two runs, or two races, in one folder would mix their
 * files. The lock is one of the kernel, on FOLDER/.lock: it ends with the process that holds it,
 * however that ends, and a file that is left behind by a kill locks nothing. Children forked
 * while it is held hold it too, until they end. */
#ifndef DELASSUS_BASE_FOLDER_LOCK_H
#define DELASSUS_BASE_FOLDER_LOCK_H

#include <delassus/status.h>

typedef struct DlsFolderLock DlsFolderLock;

/* Of a folder that is there. DLS_ERR_FILE when somebody holds it, in this process or another,
 * with a sentence that names the folder and the process; *out is NULL then. On a file system
 * that knows no locks it holds nothing. The caller ends it with dls_folder_unlock(). */
DlsStatus dls_folder_lock(const char *folder, DlsFolderLock **out);

/* Removes .lock and lets the next one in; NULL is fine; sets *lock to NULL. */
void dls_folder_unlock(DlsFolderLock **lock);

#endif
