// A quarter of half a ball, or with whole = 1 of all of it, radius 50 mm, its foot at (0, 0, 0), graded towards it; in mm.
// n: cells along a side, even; n / 2 + 1 of them around. "x", "y": where x, y = 0; "equator": z = 50 mm.
If (!Exists(n)) n = 8; EndIf
If (!Exists(whole)) whole = 0; EndIf
R = 50; b = 0.28; d = 14;
Point(1) = {0, 0, 0};   Point(2) = {R * Sin(b), 0, R * (1 - Cos(b))};
Point(3) = {0.9 * d, 0, 1.1 * d};  Point(4) = {0, 0, d};
Point(5) = {R, 0, R};   Point(6) = {0, 0, R};  Point(7) = {R / 2, 0, R};
Circle(1) = {1, 6, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Circle(5) = {2, 6, 5}; Line(6) = {5, 7}; Line(7) = {7, 3}; Line(8) = {7, 6}; Line(9) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, -2};
Curve Loop(3) = {-3, -7, 8, 9};
Plane Surface(1) = {1}; Plane Surface(2) = {2}; Plane Surface(3) = {3};
Transfinite Curve{1, 2, 3, 4, 6, 8} = n + 1;
Transfinite Curve{5, -7, -9} = n + 1 Using Progression 1 + 2 / n;
Transfinite Surface{1}; Transfinite Surface{2} = {2, 5, 7, 3}; Transfinite Surface{3} = {4, 3, 7, 6};
Recombine Surface{1, 2, 3};
near[] = Extrude{{0, 0, 1}, {0, 0, 0}, Pi / 2}{Surface{1}; Layers{n / 2 + 1}; Recombine;};
far[] = Extrude{{0, 0, 1}, {0, 0, 0}, Pi / 2}{Surface{2}; Layers{n / 2 + 1}; Recombine;};
core[] = Extrude{{0, 0, 1}, {0, 0, 0}, Pi / 2}{Surface{3}; Layers{n / 2 + 1}; Recombine;};
ball[] = {near[1], far[1], core[1]};  x[] = {near[0], far[0], core[0]};  y[] = {1, 2, 3};
If (whole)
  Point(8) = {0, 0, 2 * R};  Point(9) = {R * Sin(Pi / 4), 0, R * (1 + Cos(Pi / 4))};
  Line(100) = {6, 8};  Circle(101) = {8, 6, 9};  Circle(102) = {9, 6, 5};
  Curve Loop(100) = {6, 8, 100, 101, 102};
  Plane Surface(100) = {100};
  Transfinite Curve{100, 102} = n / 2 + 1;
  Transfinite Curve{101} = 2 * n + 1;
  Transfinite Surface{100} = {5, 6, 8, 9};
  Recombine Surface{100};
  upper[] = Extrude{{0, 0, 1}, {0, 0, 0}, Pi / 2}{Surface{100}; Layers{n / 2 + 1}; Recombine;};
  ball[] += upper[1];  x[] += upper[0];  y[] += 100;
EndIf
Physical Volume("ball") = {ball[]};
Physical Surface("foot") = {near[2]};
Physical Surface("equator") = {far[3], core[4]};
Physical Surface("x") = {x[]};
Physical Surface("y") = {y[]};
