// Half of a block of 200 x 200 mm, graded towards the contact at (0, 0); in mm. n: cells along a side.
If (!Exists(n)) n = 24; EndIf
a = 9;
Point(1) = {0, 0, 0};    Point(2) = {a, 0, 0};    Point(3) = {a, -a, 0};   Point(4) = {0, -a, 0};
Point(5) = {100, 0, 0};  Point(6) = {100, -200, 0};  Point(7) = {0, -200, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {2, 5}; Line(6) = {5, 6}; Line(7) = {6, 3}; Line(8) = {6, 7}; Line(9) = {7, 4};
Curve Loop(1) = {-1, -4, -3, -2};
Curve Loop(2) = {2, -7, -6, -5};
Curve Loop(3) = {3, -9, -8, 7};
Plane Surface(1) = {1}; Plane Surface(2) = {2}; Plane Surface(3) = {3};
Transfinite Curve{1, 2, 3, 4, 6, 8} = n + 1;
Transfinite Curve{5, -7, -9} = n + 1 Using Progression 1 + 3.6 / n;
Transfinite Surface{1}; Transfinite Surface{2} = {2, 5, 6, 3}; Transfinite Surface{3} = {4, 3, 6, 7};
Recombine Surface{1, 2, 3};
Physical Surface("block") = {1, 2, 3};
Physical Curve("top") = {1};
Physical Curve("bottom") = {8};
Physical Curve("axis") = {4, 9};
