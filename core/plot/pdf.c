#include "plot/pdf.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* The few things of librsvg 2.52, cairo 1.16 and GObject that are used, as their manuals have them.
 */
typedef struct {
  double x, y, width, height;
} Rectangle;
typedef struct {
  unsigned domain;
  int code;
  char *message;
} Complaint;
typedef int (*Write)(void *context, const unsigned char *bytes, unsigned count);
enum { WRITTEN = 0, NOT_WRITTEN = 11, CREATED = 5 }; /* cairo_status_t, cairo_pdf_metadata_t */

#define FUNCTIONS(X)                                                                               \
  X(RSVG, void *, rsvg_handle_new_from_file, (const char *, Complaint **))                         \
  X(RSVG, int, rsvg_handle_get_intrinsic_size_in_pixels, (void *, double *, double *))             \
  X(RSVG, int, rsvg_handle_render_document, (void *, void *, const Rectangle *, Complaint **))     \
  X(CAIRO, void *, cairo_pdf_surface_create_for_stream, (Write, void *, double, double))           \
  X(CAIRO, void, cairo_pdf_surface_set_metadata, (void *, int, const char *))                      \
  X(CAIRO, void *, cairo_create, (void *))                                                         \
  X(CAIRO, void, cairo_destroy, (void *))                                                          \
  X(CAIRO, void, cairo_surface_finish, (void *))                                                   \
  X(CAIRO, int, cairo_surface_status, (void *))                                                    \
  X(CAIRO, void, cairo_surface_destroy, (void *))                                                  \
  X(GOBJECT, void, g_object_unref, (void *))

enum { RSVG, CAIRO, GOBJECT, LIBRARIES };

struct DlsPdf {
  void *library[LIBRARIES];
#define MEMBER(library, result, name, arguments) result(*name) arguments;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

static DlsStatus find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  DLS_CHECK(found, DLS_ERR_PLUGIN,
            "no PDF: %s is not in the library; install librsvg 2.52 or later (Debian: librsvg2-2)",
            name);
  memcpy(function, &found, sizeof found);
  return DLS_OK;
}

static DlsStatus load(DlsPdf *pdf) {
  static const char *const names[LIBRARIES] = {"librsvg-2.so.2", "libcairo.so.2",
                                               "libgobject-2.0.so.0"};
  for (int k = 0; k < LIBRARIES; k++) {
    pdf->library[k] = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    DLS_CHECK(pdf->library[k], DLS_ERR_PLUGIN, "no PDF: %s; install librsvg (Debian: librsvg2-2)",
              dlerror());
  }
#define FIND(which, result, name, arguments) DLS_TRY(find(pdf->library[which], #name, &pdf->name));
  FUNCTIONS(FIND)
#undef FIND
  return DLS_OK;
}

DlsStatus dls_pdf_open(DlsPdf **out) {
  DlsPdf *pdf;
  *out = NULL;
  DLS_NEW(pdf, 1);
  const DlsStatus status = load(pdf);
  if (status == DLS_OK)
    *out = pdf;
  else
    dls_pdf_close(&pdf);
  return status;
}

/* The libraries stay: types that GObject has registered cannot be taken back. */
void dls_pdf_close(DlsPdf **pdf) {
  free(*pdf);
  *pdf = NULL;
}

static int put(void *context, const unsigned char *bytes, unsigned count) {
  dls_file_put(context, bytes, count);
  return dls_file_state(context) == DLS_OK ? WRITTEN : NOT_WRITTEN;
}

/* 96 px are 72 pt. */
static DlsStatus draw(const DlsPdf *pdf, void *picture, const char *svg_path, DlsFile *file) {
  const double point = 0.75;
  Rectangle page = {0};
  Complaint *complaint = NULL;
  DLS_CHECK(pdf->rsvg_handle_get_intrinsic_size_in_pixels(picture, &page.width, &page.height),
            DLS_ERR_FORMAT, "%s: no PDF of a picture without a size in px", svg_path);
  page.width *= point, page.height *= point;
  void *surface = pdf->cairo_pdf_surface_create_for_stream(put, file, page.width, page.height);
  pdf->cairo_pdf_surface_set_metadata(surface, CREATED, NULL); /* no date: the same bytes again */
  void *pen = pdf->cairo_create(surface);
  const int drawn = pdf->rsvg_handle_render_document(picture, pen, &page, &complaint);
  pdf->cairo_destroy(pen);
  pdf->cairo_surface_finish(surface);
  const int told = pdf->cairo_surface_status(surface);
  pdf->cairo_surface_destroy(surface);
  DLS_CHECK(drawn && told == WRITTEN, DLS_ERR_FORMAT, "%s: no PDF of it: %s", svg_path,
            complaint ? complaint->message : "cairo could not write it");
  return DLS_OK;
}

DlsStatus dls_pdf_write(const DlsPdf *pdf, const char *svg_path, const char *pdf_path) {
  Complaint *complaint = NULL;
  DlsFile *file;
  void *picture = pdf->rsvg_handle_new_from_file(svg_path, &complaint);
  DLS_CHECK(picture, DLS_ERR_FORMAT, "%s: no PDF of it: %s", svg_path,
            complaint ? complaint->message : "librsvg cannot read it");
  DlsStatus status = dls_file_begin(pdf_path, &file);
  if (status == DLS_OK) {
    status = draw(pdf, picture, svg_path, file);
    if (status == DLS_OK)
      status = dls_file_place(&file);
    else
      dls_file_abandon(&file);
  }
  pdf->g_object_unref(picture);
  return status;
}
