/* Calls of foreign code that may die: by a signal of its own (SIGSEGV, SIGABRT, SIGFPE ...), by
 * running on for ever, by exit(). Where a guard stands the death ends the call and nothing else:
 * the caller goes on behind it, and says who it was.
 *
 * A library installs no handlers of signals unasked: without dls_guard_begin() nothing here does
 * anything, and foreign code that dies takes the process with it. The program delassus asks, first
 * of all. One guarded call costs some 2 ns.
 *
 * What was locked or half done within the call stays so. The functions that are called under a
 * guard, those of contact laws, allocate nothing and print nothing; where one dies in malloc()
 * all the same, and the process cannot end as it should, it ends at once with its last words. */
#ifndef DELASSUS_BASE_GUARD_H
#define DELASSUS_BASE_GUARD_H

#include <stddef.h>

#include <delassus/status.h>

/* setjmp() saves and encrypts eight registers, 5 ns; what the compiler has of its own stores three
 * numbers. With AddressSanitizer gcc 12 goes wrong behind it: what `on_death` needs of constants
 * is kept where only other ways have put it. */
#if (defined(__x86_64__) || !defined(__clang__)) && !defined(__SANITIZE_ADDRESS__)
typedef void *DlsGuardPlace[5];
#define DLS_GUARD_SET(place)  __builtin_setjmp(place)
#define DLS_GUARD_JUMP(place) __builtin_longjmp(place, 1)
#else
#include <setjmp.h>
typedef jmp_buf DlsGuardPlace;
#define DLS_GUARD_SET(place)  _setjmp(place)
#define DLS_GUARD_JUMP(place) _longjmp(place, 1)
#endif

/* Of one thread. */
typedef struct {
  volatile int inside; /* a call is under way, seen by so many looks of the watchdog less 1 */
  int dead;            /* the number of the one that died; 0: none, or it is forgotten */
  int died;            /* so many so far */
  volatile int signal, status; /* what ended the last that died: the signal, or 0 and what exit()
                                   was given */
  DlsGuardPlace place;
} DlsGuard;

extern int dls_guard_stands __attribute__((visibility("hidden")));
extern _Thread_local DlsGuard dls_guard __attribute__((visibility("hidden")));

typedef struct {
  double seconds; /* processor time that one call may last; 0: no limit */
  /* Once a call has died: where the process dies again by the same causes, or has not ended after
   * so many seconds of wall clock, it prints the last words on standard error and ends with exit
   * status 1. 0: it is left to itself. */
  double patience;
} DlsGuardOptions;

/* Puts the guard up, for the calling thread and those it makes; an overflow of the stack is caught
 * in the calling thread alone. DLS_ERR_UNSUPPORTED where the system does not let it. Handlers that
 * others had installed get all signals that come from elsewhere. */
DlsStatus dls_guard_begin(const DlsGuardOptions *wish);
/* Takes it down: signals go where they went before. Also for a child after fork(), to which its
 * own death shall mean the end. */
void dls_guard_end(void);

/* For a thread that works for others: it has a stack for handlers from here to leave(), which gets
 * what this gave, and is watched too; the processor time of a call is then that of all threads
 * meanwhile. alone(): they have all ended, or are those of the process that forked. */
void *dls_guard_join(void);
void dls_guard_leave(void *own);
void dls_guard_alone(void);
/* The signal of the watchdog, which such a thread does not block. */
int dls_guard_signal(void);

/* A guarded call, in a function of its own that changes no variable between the two:
 *   DLS_GUARD(guard, return refuse(), return tell_death());
 *   const int answer = foreign();
 *   DLS_GUARD_END(guard);
 *   return answer;
 * `on_death` is done when the call dies; `when_dead` in the place of the call once one has died in
 * this thread: what is dead is not asked again. */
#define DLS_GUARD(guard, when_dead, on_death)                                                      \
  DlsGuard *const guard = __builtin_expect(dls_guard_stands, 1) ? &dls_guard : NULL;               \
  if (guard) {                                                                                     \
    if (__builtin_expect(guard->dead, 0)) when_dead;                                               \
    guard->inside = 1;                                                                             \
    if (DLS_GUARD_SET(guard->place)) on_death;                                                     \
  }
#define DLS_GUARD_END(guard)                                                                       \
  do {                                                                                             \
    if (guard) guard->inside = 0;                                                                  \
  } while (0)

/* For who stands in for exit() and its kin: does not return where it is called within a guarded
 * call. */
void dls_guard_exit(int status);

/* How the last call in this thread died: "died: Segmentation fault", "called exit(0)", "did not
 * return within 10 s of processor time". */
void dls_guard_describe(char *text, size_t bytes);

/* The sentence of a death, kept for the worst. */
void dls_guard_keep_words(const char *sentence);
const char *dls_guard_last_words(void);

/* Deaths in this process so far, with those that dls_guard_count() was told of. */
int dls_guard_deaths(void);
void dls_guard_count(void);
/* From now on calls are made again in this thread. */
static inline void dls_guard_forget(void) { dls_guard.dead = 0; }
/* s, the limit of a call; 0: none, or no guard stands. */
double dls_guard_seconds(void);

#endif
