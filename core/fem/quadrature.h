/* Rules of integration over reference cells. */
#ifndef DELASSUS_FEM_QUADRATURE_H
#define DELASSUS_FEM_QUADRATURE_H

#include "fem/element.h"

/* Exact for polynomials of this degree: in all of triangles and tetrahedra, along each axis of
 * lines, quadrilaterals and bricks; of the wedge, in its triangle and along its axis. */
extern const DlsQuadrature dls_line_1, dls_line_3, dls_line_5;
extern const DlsQuadrature dls_triangle_1, dls_triangle_2, dls_triangle_4;
extern const DlsQuadrature dls_square_3, dls_square_5;
extern const DlsQuadrature dls_tetrahedron_1, dls_tetrahedron_2, dls_tetrahedron_5;
extern const DlsQuadrature dls_cube_3;
extern const DlsQuadrature dls_wedge_2_3;

#endif
