"""A bar strikes a wall: itself every 0.05 s, side by side and six times as wide, by its stress."""
import paraview.simple as pv
from figure import DARK, Figure

figure = Figure(860, 520)
bar = figure.scaled(figure.read("deformable"), "stress_YY", "axial", "Cell Data")
times = list(figure.read("deformable").TimestepValues)
for k in range(8, 27):
    moment = min(times, key=lambda t: abs(t - 0.05 * k))
    frozen = pv.Transform(Input=pv.ForceTime(Input=bar, ForcedTime=moment), Transform="Transform")
    frozen.Transform.Scale, frozen.Transform.Translate = [6, 1, 1], [1.0 * k, 0, 0]
    figure.colour(figure.mesh(frozen, width=0), "axial", "Cool to Warm", "axial stress", "Pa", span=(-300, 300), where="CELLS")
floor = pv.Line(Point1=[7.5, 0, 0], Point2=[26.5, 0, 0])
figure.show(floor, DARK, width=3)
figure.caption("An elastic bar strikes a wall: every 0.05 s, from 0.4 to 1.3 s")
figure.look(bounds=(7.4, 26.6, -0.2, 13.5, 0, 0)).save()
