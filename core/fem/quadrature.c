#include "fem/quadrature.h"

/* Gauss and Legendre: 1/sqrt(3), sqrt(3/5). */
#define G 0.57735026918962576451
#define H 0.77459666924148337704
#define W (5.0 / 9)
#define V (8.0 / 9)

#define RULE(points)                                                                               \
  { (int)(sizeof(points) / sizeof *(points)), points }

static const DlsQuadraturePoint line_1[] = {{{0}, 2}};
static const DlsQuadraturePoint line_3[] = {{{-G}, 1}, {{G}, 1}};
static const DlsQuadraturePoint line_5[] = {{{-H}, W}, {{0}, V}, {{H}, W}};
const DlsQuadrature dls_line_1 = RULE(line_1), dls_line_3 = RULE(line_3), dls_line_5 = RULE(line_5);

static const DlsQuadraturePoint square_3[] = {
    {{-G, -G}, 1}, {{G, -G}, 1}, {{G, G}, 1}, {{-G, G}, 1}};
static const DlsQuadraturePoint square_5[] = {{{-H, -H}, W *W}, {{0, -H}, V *W}, {{H, -H}, W *W},
                                              {{-H, 0}, W *V},  {{0, 0}, V *V},  {{H, 0}, W *V},
                                              {{-H, H}, W *W},  {{0, H}, V *W},  {{H, H}, W *W}};
const DlsQuadrature dls_square_3 = RULE(square_3), dls_square_5 = RULE(square_5);

static const DlsQuadraturePoint cube_3[] = {{{-G, -G, -G}, 1}, {{G, -G, -G}, 1}, {{G, G, -G}, 1},
                                            {{-G, G, -G}, 1},  {{-G, -G, G}, 1}, {{G, -G, G}, 1},
                                            {{G, G, G}, 1},    {{-G, G, G}, 1}};
const DlsQuadrature dls_cube_3 = RULE(cube_3);

/* Triangles (Strang and Fix 1973; Dunavant 1985), weights of the half unit. */
#define A  0.44594849091596488632
#define B  0.091576213509770743460
#define WA (0.22338158967801146570 / 2)
#define WB (0.10995174365532186764 / 2)
static const DlsQuadraturePoint triangle_1[] = {{{1.0 / 3, 1.0 / 3}, 0.5}};
static const DlsQuadraturePoint triangle_2[] = {
    {{1.0 / 6, 1.0 / 6}, 1.0 / 6}, {{2.0 / 3, 1.0 / 6}, 1.0 / 6}, {{1.0 / 6, 2.0 / 3}, 1.0 / 6}};
static const DlsQuadraturePoint triangle_4[] = {{{A, A}, WA},         {{1 - 2 * A, A}, WA},
                                                {{A, 1 - 2 * A}, WA}, {{B, B}, WB},
                                                {{1 - 2 * B, B}, WB}, {{B, 1 - 2 * B}, WB}};
const DlsQuadrature dls_triangle_1 = RULE(triangle_1), dls_triangle_2 = RULE(triangle_2),
                    dls_triangle_4 = RULE(triangle_4);

/* Tetrahedra (Hammer and Stroud 1956; Keast 1986, no. 6), weights of the sixth of a unit. C =
 * (5 - sqrt(5)) / 20; D, E = (7 -+ sqrt(15)) / 34; F = (5 - sqrt(15)) / 20. */
#define C  0.13819660112501051518
#define C3 0.58541019662496845446
#define D  0.091971078052723032789
#define D3 0.72408676584183090163
#define E  0.31979362782962990839
#define E3 0.040619116511110274837
#define F  0.056350832689629155741
#define F2 0.44364916731037084426
#define WD (0.071937083779018620010 / 6)
#define WE (0.069068207226272385281 / 6)
#define WF (10.0 / 189 / 6)
static const DlsQuadraturePoint tetrahedron_1[] = {{{0.25, 0.25, 0.25}, 1.0 / 6}};
static const DlsQuadraturePoint tetrahedron_2[] = {
    {{C, C, C}, 1.0 / 24}, {{C3, C, C}, 1.0 / 24}, {{C, C3, C}, 1.0 / 24}, {{C, C, C3}, 1.0 / 24}};
static const DlsQuadraturePoint tetrahedron_5[] = {{{0.25, 0.25, 0.25}, 16.0 / 135 / 6},
                                                   {{D, D, D}, WD},
                                                   {{D3, D, D}, WD},
                                                   {{D, D3, D}, WD},
                                                   {{D, D, D3}, WD},
                                                   {{E, E, E}, WE},
                                                   {{E3, E, E}, WE},
                                                   {{E, E3, E}, WE},
                                                   {{E, E, E3}, WE},
                                                   {{F, F, F2}, WF},
                                                   {{F, F2, F}, WF},
                                                   {{F2, F, F}, WF},
                                                   {{F, F2, F2}, WF},
                                                   {{F2, F, F2}, WF},
                                                   {{F2, F2, F}, WF}};
const DlsQuadrature dls_tetrahedron_1 = RULE(tetrahedron_1),
                    dls_tetrahedron_2 = RULE(tetrahedron_2),
                    dls_tetrahedron_5 = RULE(tetrahedron_5);

/* The wedge: three points of the triangle at two heights. */
static const DlsQuadraturePoint wedge_2_3[] = {
    {{1.0 / 6, 1.0 / 6, -G}, 1.0 / 6}, {{2.0 / 3, 1.0 / 6, -G}, 1.0 / 6},
    {{1.0 / 6, 2.0 / 3, -G}, 1.0 / 6}, {{1.0 / 6, 1.0 / 6, G}, 1.0 / 6},
    {{2.0 / 3, 1.0 / 6, G}, 1.0 / 6},  {{1.0 / 6, 2.0 / 3, G}, 1.0 / 6}};
const DlsQuadrature dls_wedge_2_3 = RULE(wedge_2_3);
