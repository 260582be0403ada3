"""Every tensor that the run wrote for its grains, each in a panel of its own: crosses along the principal directions, blue
where a principal value is negative (compression), red where it is positive."""
import paraview.simple as pv
from figure import DARK, INK, Figure

figure = Figure(900, 580)
bodies = figure.read("bodies")
names = [name for name in bodies.PointData.keys()
         if bodies.PointData[name].GetNumberOfComponents() == 9 and name != "orientation"]
box = figure.box()
wide, columns = 1.12 * (box[1] - box[0]), 4
for k, name in enumerate(names):
    place = [wide * (k % columns), -1.2 * wide * (k // columns), 0]
    glyphs = pv.DelassusStressGlyphs(Input=bodies, Tensor=name, Glyph="Crosses")
    moved = pv.Transform(Input=glyphs, Transform="Transform")
    moved.Transform.Translate = place
    display = figure.show(moved, kind="Wireframe", width=1.5)
    figure.colour(display, "principal", "Cool to Warm", span=(-1, 1), bar=False)
    frame = pv.Plane(Origin=[place[0] + box[0], place[1] + box[2], 0], Point1=[place[0] + box[1], place[1] + box[2], 0],
                     Point2=[place[0] + box[0], place[1] + box[3], 0])
    figure.show(frame, DARK, kind="Outline")
    words = pv.Transform(Input=pv.a3DText(Text=name), Transform="Transform")
    words.Transform.Translate = [place[0] + box[0], place[1] + box[3] + 0.04 * wide, 0]
    words.Transform.Scale = [0.06 * wide] * 3
    figure.show(words, INK)
rows = (len(names) + columns - 1) // columns
figure.caption("%d tensors of each grain, as the run wrote them" % len(names))
figure.look(bounds=(box[0], box[1] + (columns - 1) * wide, box[2] - 1.2 * (rows - 1) * wide, box[3] + 0.13 * wide, 0, 0),
            legend=False).save()
print("tensors:", ", ".join(names))
