/* How an error travels: every function that can fail returns a DlsStatus; the sentence that says
 * what, where and the cure is kept per thread and read with dls_error_message(). */
#ifndef DELASSUS_STATUS_H
#define DELASSUS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_EXPORT       __attribute__((visibility("default")))
#define DLS_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* One list of codes and texts. */
#define DLS_STATUS_LIST(X)                                                                         \
  X(OK, "done")                                                                                    \
  X(ERR_ARGUMENT, "an argument is out of range")                                                   \
  X(ERR_MEMORY, "out of memory")                                                                   \
  X(ERR_FILE, "a file cannot be read or written")                                                  \
  X(ERR_FORMAT, "a file does not hold what it should")                                             \
  X(ERR_PLUGIN, "a plugin cannot be loaded")                                                       \
  X(ERR_LAW, "a contact law failed")                                                               \
  X(ERR_SOLVER, "a solver cannot work on this problem")                                            \
  X(ERR_NUMERIC, "a computation gave no finite number")                                            \
  X(ERR_UNSUPPORTED, "this is not supported")                                                      \
  X(ERR_NO_SOLUTION, "no motion is possible")

typedef enum {
#define DLS_STATUS_ENUM(code, text) DLS_##code,
  DLS_STATUS_LIST(DLS_STATUS_ENUM)
#undef DLS_STATUS_ENUM
} DlsStatus;

/* The text of a code, such as "out of memory"; never NULL. */
DLS_EXPORT const char *dls_status_text(DlsStatus status);

/* The sentence of the last failure in this thread; "" when there was none. */
DLS_EXPORT const char *dls_error_message(void);

/* Keeps a sentence for dls_error_message() and returns `status`. For the library and for solvers;
 * a law needs none of this: it returns a code, and the core says which law and contact. */
DLS_EXPORT DlsStatus dls_fail(DlsStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As dls_fail, keeping the sentence there is behind the new one: "format: old sentence". */
DLS_EXPORT DlsStatus dls_fail_context(DlsStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define DLS_CHECK(condition, status, ...)                                                          \
  do {                                                                                             \
    if (!(condition)) return dls_fail((status), __VA_ARGS__);                                      \
  } while (0)

#define DLS_TRY(call)                                                                              \
  do {                                                                                             \
    const DlsStatus dls_try_status = (call);                                                       \
    if (dls_try_status != DLS_OK) return dls_try_status;                                           \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
