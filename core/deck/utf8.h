/* One character of UTF-8. */
#ifndef DELASSUS_DECK_UTF8_H
#define DELASSUS_DECK_UTF8_H

/* The number of bytes of the character that begins `text`, its code in *code; 0 where the bytes are
 * no UTF-8 (also overlong forms, surrogates and codes past 10FFFF). Ended text is safe. */
static inline int dls_utf8_next(const char *text, unsigned *code) {
  const unsigned char *b = (const unsigned char *)text;
  const int n = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
  if (n == 0 || b[0] > 0xf4) return 0;
  *code = n == 1 ? b[0] : b[0] & (0xffu >> (n + 1));
  for (int k = 1; k < n; k++) {
    if ((b[k] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (b[k] & 0x3fu);
  }
  const unsigned smallest = n == 3 ? 0x800 : n == 4 ? 0x10000 : 0;
  if (*code < smallest || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
  return n;
}

#endif
