/* The graphs of a law, as curves to be drawn: what one contact answers when it is pushed, dragged
 * and driven to and fro. Graphs with vertical parts are traced by Minty's parameter: u = r/m + q is
 * solved for a row of q, so that (u, r) runs along the whole graph. */
#ifndef DELASSUS_LAW_BENCH_GRAPH_H
#define DELASSUS_LAW_BENCH_GRAPH_H

#include "law_bench/point.h"

enum { DLS_GRAPH_POINTS = 401, DLS_GRAPH_CURVES = 3 };

typedef struct {
  const char *label; /* of the legend; NULL: none */
  double x[DLS_GRAPH_POINTS], y[DLS_GRAPH_POINTS];
  int count;
} DlsCurve;

typedef struct {
  char title[64], x_label[64], y_label[64];
  bool equal; /* the same scale on both axes */
  int curves; /* 0: the law has no such graph */
  DlsCurve curve[DLS_GRAPH_CURVES];
} DlsGraph;

/* How the contact is driven; zero stands for what suits the law. */
typedef struct {
  double h;     /* s */
  double speed; /* m/s, of the sweeps over velocity */
  double depth; /* m, of the paths over the gap and the slip */
} DlsGraphScale;

DlsGraphScale dls_graph_scale(const DlsPoint *point, DlsGraphScale wish);

/* Each takes a contact before its first step. */
DlsStatus dls_graph_normal(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
DlsStatus dls_graph_tangential(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
DlsStatus dls_graph_section(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
DlsStatus dls_graph_closing(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
/* From contact, opened and closed again; only of laws that pull. */
DlsStatus dls_graph_pulling(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
DlsStatus dls_graph_slipping(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);
DlsStatus dls_graph_states(const DlsPoint *point, const DlsGraphScale *s, DlsGraph *out);

#endif
