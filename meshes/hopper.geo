// A round hopper, thin, its front inward: a bin of radius 0.3 m above a funnel to an outlet of
// radius 0.11 m, 0.25 m below. 24 sides. Physical surfaces: bin, funnel.
sides = 24;
Point(1) = {0.11, 0, 0};
Point(2) = {0.3, 0, 0.25};
Point(3) = {0.3, 0, 0.85};
Line(1) = {1, 2};
Line(2) = {2, 3};
Transfinite Curve{1} = 4;
Transfinite Curve{2} = 5;
For k In {0 : 2}
  funnel[] = Extrude{{0, 0, 1}, {0, 0, 0}, 2 * Pi / 3}{ Curve{k == 0 ? 1 : last1}; Layers{sides / 3}; };
  bin[] = Extrude{{0, 0, 1}, {0, 0, 0}, 2 * Pi / 3}{ Curve{k == 0 ? 2 : last2}; Layers{sides / 3}; };
  last1 = funnel[0];
  last2 = bin[0];
  funnels[] += {funnel[1]};
  bins[] += {bin[1]};
EndFor
Physical Surface("funnel") = {funnels[]};
Physical Surface("bin") = {bins[]};
Mesh.StlOneSolidPerSurface = 2;
