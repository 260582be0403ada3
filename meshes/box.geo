// A box of 2 x 1 x 1 of two cubes, each of a material of its own, both ends and one edge named.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, 1, 1, 1};
Coherence;
Mesh.CharacteristicLengthMin = 0.7;
Mesh.CharacteristicLengthMax = 0.7;
Physical Volume("soft") = {1};
Physical Volume("stiff") = {2};
e = 1e-3;
Physical Surface("left") = Surface In BoundingBox{-e, -e, -e, e, 1+e, 1+e};
Physical Surface("right") = Surface In BoundingBox{2-e, -e, -e, 2+e, 1+e, 1+e};
Physical Curve("edge") = Curve In BoundingBox{-e, -e, -e, e, e, 1+e};
