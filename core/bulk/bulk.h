/* Bulk laws in use: found and loaded by name or path, as contact laws are (delassus/laws.h), from
 * folders `bulk`; their parameters; checked calls. delassus/bulk.h says what a bulk law is. */
#ifndef DELASSUS_BULK_BULK_H
#define DELASSUS_BULK_BULK_H

#include <delassus/bulk.h>
#include <delassus/laws.h>

/* By name, such as "elastic", by path, or a UMAT (bulk/umat.h). The same file gives the same
 * pointer. */
DlsStatus dls_bulk_find(const char *name, const DlsBulk **out);

/* All of the folders, by name; *out stays valid until the next call. */
DlsStatus dls_bulk_list(const DlsBulk *const **out, int *count);

/* What the last list could not load, one sentence a line, or ""; the folders, one a line; the file
 * a law was loaded from. */
const char *dls_bulk_failures(void);
const char *dls_bulk_folders(void);
const char *dls_bulk_path(const DlsBulk *law);

/* params [nparams], state [nstates]: as declared. */
void dls_bulk_defaults(const DlsBulk *law, double *params);
void dls_bulk_new_state(const DlsBulk *law, double *state);

/* One parameter by name; DLS_ERR_ARGUMENT, and nothing changed, for an unknown name (the sentence
 * has the nearest) or a value out of bounds. */
DlsStatus dls_bulk_set(const DlsBulk *law, double *params, const char *name, double value);

/* The same by a text, "young = 1e9". */
DlsStatus dls_bulk_set_text(const DlsBulk *law, double *params, const char *text);

/* Whether parameters make sense together, by the law's own check. */
DlsStatus dls_bulk_check_params(const DlsBulk *law, const double *params);

/* As DlsBulk.stress, with what it gives checked: finite, states within their bounds. */
DlsStatus dls_bulk_stress(const DlsBulk *law, const DlsBulkPoint *point, const double *params,
                          const double *state, const double *strain_before, const double *strain,
                          double *stress, double *tangent, double *next);

/* As DlsBulk.energy; finite. */
DlsStatus dls_bulk_energy(const DlsBulk *law, const DlsBulkPoint *point, const double *params,
                          const double *state, const double *strain_before, const double *strain,
                          const double *next, double *stored, double *dissipated);

#endif
