// Half of a pin in the bore of a plate, x > 0, in mm: the bore of 60 mm about (0, 0), the pin of 59.99 mm about (0, -0.01), which touch at (0, -60).
// part 0: the pin, with a hole of 2 mm that takes its load; part 1: the plate, out to 1000 mm. n: cells along a quarter of the rim.
If (!Exists(n)) n = 30; EndIf
If (!Exists(part)) part = 0; EndIf
r = part ? 60 : 2; R = part ? 1000 : 59.99; y = part ? 0 : -0.01;
Point(1) = {0, y, 0};
Point(2) = {0, y - r, 0}; Point(3) = {r, y, 0}; Point(4) = {0, y + r, 0};
Point(5) = {0, y - R, 0}; Point(6) = {R, y, 0}; Point(7) = {0, y + R, 0};
Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 4}; Circle(3) = {5, 1, 6}; Circle(4) = {6, 1, 7};
Line(5) = {2, 5}; Line(6) = {3, 6}; Line(7) = {4, 7};
Curve Loop(1) = {5, 3, -6, -1}; Curve Loop(2) = {6, 4, -7, -2};
Plane Surface(1) = {1}; Plane Surface(2) = {2};
Transfinite Curve{1, 2, 3, 4} = n + 1;
Transfinite Curve{5, 6, 7} = (part ? n : Ceil(2 * n / 3)) + 1 Using Progression part ? 1 + 4 / n : 1;
Transfinite Surface{1}; Transfinite Surface{2};
Recombine Surface{1, 2};
Physical Surface("body") = {1, 2};
Physical Curve("inner") = {1, 2};
Physical Curve("outer") = {3, 4};
Physical Curve("axis") = {5, 7};
