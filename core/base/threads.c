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
  bool wide;   /* BLIS counts in its own dim_t, 64 bits wide */
  bool shared; /* one number for all threads of the process; OpenMP has one for each */
  void *get, *set;
} Switch;

static Switch switches[DLS_THREADS_LIBRARIES] = {
    {"openblas_get_num_threads", "openblas_set_num_threads", false, true, NULL, NULL},
    {"MKL_Get_Max_Threads", "MKL_Set_Num_Threads", false, true, NULL, NULL},
    {"bli_thread_get_num_threads", "bli_thread_set_num_threads", true, true, NULL, NULL},
    {"omp_get_max_threads", "omp_set_num_threads", false, false, NULL, NULL},
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

/* Of what all threads share: how many are between the two calls, and what was before the first. The
 * last one puts it back, so that none is given more threads in the middle of its work. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static DlsThreads first;

DlsThreads dls_threads_one(void) {
  DlsThreads threads;
  pthread_once(&looked_up, look_up);
  pthread_mutex_lock(&counting);
  for (int k = 0; k < DLS_THREADS_LIBRARIES; k++) {
    threads.before[k] = get_threads(&switches[k]);
    if (threads.before[k] > 1) set_threads(&switches[k], 1);
  }
  if (inside++ == 0) first = threads;
  pthread_mutex_unlock(&counting);
  return threads;
}

/* OpenMP first: a BLAS that stands on it takes its number from there. */
void dls_threads_restore(DlsThreads threads) {
  pthread_mutex_lock(&counting);
  const bool last = --inside == 0;
  for (int k = DLS_THREADS_LIBRARIES - 1; k >= 0; k--) {
    const int before = switches[k].shared ? first.before[k] : threads.before[k];
    if (before > 1 && (last || !switches[k].shared)) set_threads(&switches[k], before);
  }
  pthread_mutex_unlock(&counting);
}
