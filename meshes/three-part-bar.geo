// An upright bar of 30 x 0.1, of quadrilaterals, n along each of three parts of 10: `foot`, `waist`, `head`; `bottom` is its lower end.
DefineConstant[ n = 100 ];
For k In {0:3}
  Point(2 * k + 1) = {-0.05, 10 * k, 0};
  Point(2 * k + 2) = {0.05, 10 * k, 0};
  Line(k + 1) = {2 * k + 1, 2 * k + 2};
EndFor
For k In {0:2}
  Line(10 + k) = {2 * k + 1, 2 * k + 3};
  Line(20 + k) = {2 * k + 2, 2 * k + 4};
  Curve Loop(k + 1) = {k + 1, 20 + k, -(k + 2), -(10 + k)};
  Plane Surface(k + 1) = {k + 1};
  Transfinite Curve{10 + k, 20 + k} = n + 1;
  Transfinite Curve{k + 1} = 2;
EndFor
Transfinite Curve{4} = 2;
Transfinite Surface{1, 2, 3};
Recombine Surface{1, 2, 3};
Physical Surface("foot") = {1};
Physical Surface("waist") = {2};
Physical Surface("head") = {3};
Physical Curve("bottom") = {1};
