// A beam of 100 x 5 mm, in mm, of quadrilaterals: `split` is its lower side up to 40 mm, `bond` from there on; `split_above`
// and `bond_above` the same of its upper side. n cells through its thickness.
DefineConstant[ n = 4 ];
h = 5;
For k In {0:1}
  Point(3 * k + 1) = {0, k * h, 0};
  Point(3 * k + 2) = {40, k * h, 0};
  Point(3 * k + 3) = {100, k * h, 0};
  Line(2 * k + 1) = {3 * k + 1, 3 * k + 2};
  Line(2 * k + 2) = {3 * k + 2, 3 * k + 3};
EndFor
Line(5) = {1, 4};
Line(6) = {2, 5};
Line(7) = {3, 6};
Curve Loop(1) = {1, 6, -3, -5};
Curve Loop(2) = {2, 7, -4, -6};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve{1, 3} = 8 * n + 1;
Transfinite Curve{2, 4} = 12 * n + 1;
Transfinite Curve{5, 6, 7} = n + 1;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};
Physical Surface("beam") = {1, 2};
Physical Curve("split") = {1};
Physical Curve("bond") = {2};
Physical Curve("split_above") = {3};
Physical Curve("bond_above") = {4};
Physical Curve("left") = {5};
Physical Curve("right") = {7};
