/* Status texts and the sentence of the last failure, one per thread. */
#include <delassus/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };
static _Thread_local char message[MESSAGE_BYTES];

const char *dls_status_text(DlsStatus status) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_STATUS_LIST(TEXT)
#undef TEXT
  };
  return (int)status >= 0 && (int)status < DLS_COUNT(texts) ? texts[status] : "unknown status";
}

const char *dls_error_message(void) { return message; }

DlsStatus dls_fail(DlsStatus status, const char *format, ...) {
  char text[MESSAGE_BYTES]; /* aside: an argument may point into the old message */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  memcpy(message, text, sizeof text);
  return status;
}

DlsStatus dls_fail_context(DlsStatus status, const char *format, ...) {
  char text[MESSAGE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) length = 0;
  const size_t room = sizeof text - 1, used = (size_t)length < room ? (size_t)length : room;
  const size_t separator = room - used < 2 ? room - used : 2;
  const size_t old = strlen(message),
               kept = old < room - used - separator ? old : room - used - separator;
  memcpy(text + used, ": ", separator); /* what does not fit is cut at the end */
  memcpy(text + used + separator, message, kept);
  text[used + separator + kept] = '\0';
  memcpy(message, text, sizeof text);
  return status;
}
