/* The switches of the BLAS libraries, looked up by name: which of them is there is decided when the
 * program is loaded. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "base/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *get_name, *set_name;
  bool wide; /* BLIS counts in its own dim_t, 64 bits wide */
  void *get, *set;
} Switch;

static Switch switches[DLS_THREADS_LIBRARIES] = {
    {"openblas_get_num_threads", "openblas_set_num_threads", false, NULL, NULL},
    {"MKL_Get_Max_Threads", "MKL_Set_Num_Threads", false, NULL, NULL},
    {"bli_thread_get_num_threads", "bli_thread_set_num_threads", true, NULL, NULL},
    {"omp_get_max_threads", "omp_set_num_threads", false, NULL, NULL},
};
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;

static void look_up(void) {
  for (int k = 0; k < DLS_THREADS_LIBRARIES; k++) {
    switches[k].get = dlsym(RTLD_DEFAULT, switches[k].get_name);
    switches[k].set = dlsym(RTLD_DEFAULT, switches[k].set_name);
  }
}

/* 0 where the library is not there. */
static int get_threads(const Switch *s) {
  int (*get)(void);
  int64_t (*get_wide)(void);
  if (!s->get || !s->set) return 0;
  if (s->wide) {
    *(void **)&get_wide = s->get;
    return (int)get_wide();
  }
  *(void **)&get = s->get;
  return get();
}

static void set_threads(const Switch *s, int count) {
  void (*set)(int);
  void (*set_wide)(int64_t);
  if (s->wide) {
    *(void **)&set_wide = s->set;
    set_wide(count);
  } else {
    *(void **)&set = s->set;
    set(count);
  }
}

DlsThreads dls_threads_one(void) {
  DlsThreads threads;
  pthread_once(&looked_up, look_up);
  for (int k = 0; k < DLS_THREADS_LIBRARIES; k++) {
    threads.before[k] = get_threads(&switches[k]);
    if (threads.before[k] > 1) set_threads(&switches[k], 1);
  }
  return threads;
}

/* OpenMP first: a BLAS that stands on it takes its number from there. */
void dls_threads_restore(DlsThreads threads) {
  for (int k = DLS_THREADS_LIBRARIES - 1; k >= 0; k--)
    if (threads.before[k] > 1) set_threads(&switches[k], threads.before[k]);
}
