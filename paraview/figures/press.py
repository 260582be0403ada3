"""Two blocks of unlike meshes under a pressure of 10 kPa: by mortar (left) the stress is 10 kPa everywhere; by nodes on faces (right,
a second run) it is not."""
import os

import paraview.simple as pv
from figure import INK, Figure

figure = Figure(860, 470)
nodes = pv.PVDReader(FileName=os.path.join(figure.folder + "-nodes", "deformable.pvd"))
for k, (source, words) in enumerate(((figure.read("deformable"), "mortar"), (nodes, "nodes on faces"))):
    moved = pv.Transform(Input=figure.scaled(source, "-stress_YY/1000", "kilo", "Cell Data"), Transform="Transform")
    moved.Transform.Translate = [0.046 * k, 0, 0]
    figure.colour(figure.mesh(moved), "kilo", "Cool to Warm", "- stress yy", "kPa", span=(9, 11), where="CELLS")
    text = pv.Transform(Input=pv.a3DText(Text=words), Transform="Transform")
    text.Transform.Translate, text.Transform.Scale = [0.046 * k - 0.02, 0.0205, 0], [0.0018] * 3
    figure.show(text, INK)
figure.caption("Two blocks of unlike meshes under 10 kPa")
figure.look(bounds=(-0.0205, 0.0665, -0.0205, 0.0225, 0, 0)).save()
