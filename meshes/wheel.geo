// A wheel of radius 0.3 m about its axle: a hub and a tyre, of triangles of six nodes.
lc = 0.05;
r0 = 0.06; r1 = 0.18; r2 = 0.3;
Point(1) = {0, 0, 0};
radii[] = {r0, r1, r2};
sizes[] = {0.03, 0.05, 0.04};
For k In {0:2}
  r = radii[k];
  Point(10*k+11) = {r, 0, 0, sizes[k]};
  Point(10*k+12) = {0, r, 0, sizes[k]};
  Point(10*k+13) = {-r, 0, 0, sizes[k]};
  Point(10*k+14) = {0, -r, 0, sizes[k]};
  Circle(10*k+11) = {10*k+11, 1, 10*k+12};
  Circle(10*k+12) = {10*k+12, 1, 10*k+13};
  Circle(10*k+13) = {10*k+13, 1, 10*k+14};
  Circle(10*k+14) = {10*k+14, 1, 10*k+11};
  Curve Loop(k+1) = {10*k+11, 10*k+12, 10*k+13, 10*k+14};
EndFor
Plane Surface(1) = {2, 1};
Plane Surface(2) = {3, 2};
Physical Surface("hub") = {1};
Physical Surface("tyre") = {2};
Physical Curve("axle") = {11, 12, 13, 14};
Physical Curve("tread") = {31, 32, 33, 34};
