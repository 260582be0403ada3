/* A deck: a YAML file read into C structs by a schema. Every mistake becomes a sentence
 *   file:line: key.path: what is wrong; the cure
 * and up to DLS_DECK_PROBLEMS of them are kept, in the order of the file. */
#ifndef DELASSUS_DECK_DECK_H
#define DELASSUS_DECK_DECK_H

#include "deck/schema.h"

enum { DLS_DECK_PROBLEMS = 20 };

/* Reads the file; or `bytes` of text, `name` standing for the file in messages, and its folder for
 * relative paths. The caller ends *out with dls_deck_destroy(). A syntax error ends the reading:
 * "file:line:column: the problem; the cure", DLS_ERR_FORMAT; what cannot be read is
 * DLS_ERR_FILE. */
DlsStatus dls_deck_open(const char *path, DlsDeck **out);
DlsStatus dls_deck_parse(const char *name, const char *text, size_t bytes, DlsDeck **out);
void dls_deck_destroy(DlsDeck **deck); /* NULL is fine */
const char *dls_deck_path(const DlsDeck *deck);
const DlsDeckNode *dls_deck_root(const DlsDeck *deck);

/* "a.b[2].c=value", as behind `set` of a run; also a.b.2.c. Missing sections are made, and an item
 * one past the end of a list; whether the key exists is found when the deck is read. A value that
 * begins with [ { " or ' is YAML, a lone ~ takes the key or item away, any other one is taken as it
 * stands. DLS_ERR_ARGUMENT, or FORMAT for its YAML. */
DlsStatus dls_deck_set(DlsDeck *deck, const char *assignment);

/* Puts a copy of `node`, of another deck, under `key` of the root, where the deck does not have
 * that key; its lines are those of the other deck. */
DlsStatus dls_deck_adopt(DlsDeck *deck, const char *key, const DlsDeckNode *node);

/* The whole deck, or one section of it, into *data, a struct of section->bytes. Ended with
 * dls_deck_release(). On failure (DLS_ERR_FORMAT; dls_error_message() is the first problem and how
 * many more there are) *data is released and zeroed. PLACE fields live as long as the deck. */
DlsStatus dls_deck_read(DlsDeck *deck, const DlsDeckSection *section, void *data);
DlsStatus dls_deck_read_node(DlsDeck *deck, const DlsDeckNode *node, const DlsDeckSection *section,
                             void *data);
/* Frees what the fields own and zeroes the struct. */
void dls_deck_release(const DlsDeckSection *section, void *data);

/* Adds a problem at `key` of the section `node` (at the section where the key is not written; key
 * NULL: the node itself). The sentence says what is wrong; the cure. */
void dls_deck_problem(DlsDeck *deck, const DlsDeckNode *node, const char *key, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* How many there are; the text of the k-th kept one (NULL behind the last). */
int dls_deck_problem_count(const DlsDeck *deck);
const char *dls_deck_problem_text(const DlsDeck *deck, int k);
/* DLS_OK without problems; else DLS_ERR_FORMAT with the first one as the sentence. */
DlsStatus dls_deck_status(const DlsDeck *deck);

/* The resolved deck: all values with their defaults, unit and meaning as comments. Read again it
 * gives the same values to the last bit. *text is freed by the caller; the file appears whole or
 * not at all. `title` becomes comment lines on top; may be NULL. */
DlsStatus dls_deck_text(const DlsDeckSection *section, const void *data, const char *title,
                        char **text);
DlsStatus dls_deck_write(const DlsDeckSection *section, const void *data, const char *title,
                         const char *path);

/* The schema as Markdown: one table for the section and one for each section below it. */
DlsStatus dls_deck_describe(const DlsDeckSection *section, char **text);

#endif
