/* The digest of a checkpoint made good again after its numbers were changed, as a hostile hand
 * would. */
#ifndef DELASSUS_TEST_CHECKPOINT_SEAL_H
#define DELASSUS_TEST_CHECKPOINT_SEAL_H

/* `names`: those of all datasets, as list_datasets() gives them. */
void checkpoint_seal(const char *path, char *const *names, int count);

#endif
