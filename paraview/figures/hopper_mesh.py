"""Spheres and irregular polyhedra that run out of a hopper from an STL, by speed; the mesh is seen through."""
import paraview.simple as pv
from figure import DARK, Figure

figure = Figure(620, 700)
figure.speed(figure.solids(), span=(0, 2))
balls = pv.Threshold(Input=figure.read("bodies"), Scalars=["POINTS", "corners"], LowerThreshold=0, UpperThreshold=0.5)
figure.speed(figure.grains(balls), span=(0, 2), where="POINTS")
figure.show(figure.read("walls"), DARK, opacity=0.15)
figure.caption("A hopper of triangles: spheres and polyhedra")
figure.look(bounds=(-0.35, 0.35, -0.35, 0.35, -0.35, 0.75), direction=(0.3, -1, 0.3)).save()
