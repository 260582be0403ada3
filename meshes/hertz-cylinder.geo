// A quarter of a cylinder, radius 50 mm, its foot at (0, 0), graded towards it; in mm. n: cells along a side.
If (!Exists(n)) n = 28; EndIf
R = 50; b = 0.18; d = 9;
Point(1) = {0, 0, 0};   Point(2) = {R * Sin(b), R * (1 - Cos(b)), 0};
Point(3) = {0.9 * d, 1.1 * d, 0};  Point(4) = {0, d, 0};
Point(5) = {R, R, 0};   Point(6) = {0, R, 0};  Point(7) = {R / 2, R, 0};
Circle(1) = {1, 6, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Circle(5) = {2, 6, 5}; Line(6) = {5, 7}; Line(7) = {7, 3}; Line(8) = {7, 6}; Line(9) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, -2};
Curve Loop(3) = {-3, -7, 8, 9};
Plane Surface(1) = {1}; Plane Surface(2) = {2}; Plane Surface(3) = {3};
Transfinite Curve{1, 2, 3, 4, 6, 8} = n + 1;
Transfinite Curve{5, -7, -9} = n + 1 Using Progression 1 + 2.6 / n;
Transfinite Surface{1}; Transfinite Surface{2} = {2, 5, 7, 3}; Transfinite Surface{3} = {4, 3, 7, 6};
Recombine Surface{1, 2, 3};
Physical Surface("cylinder") = {1, 2, 3};
Physical Curve("foot") = {1};
Physical Curve("top") = {6, 8};
Physical Curve("axis") = {4, 9};
