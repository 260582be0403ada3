"""A cone of spheres, its rear half: what each bears."""
import paraview.simple as pv
from figure import GREY, Figure

figure = Figure(900, 420)
half = pv.Threshold(Input=pv.Calculator(Input=figure.read("bodies"), ResultArrayName="depth", Function="coordsY"))
half.Scalars, half.ThresholdMethod, half.UpperThreshold = ["POINTS", "depth"], "Above Upper Threshold", 0.0
balls = figure.show(figure.marks(half, "Sphere"), GREY)
figure.colour(balls, "load", "Inferno (matplotlib)", "load", "N", span=(0, 100), invert=True)
figure.caption("Half of a cone of 14,000 spheres, by their load")
figure.look(bounds=(-1.7, 1.7, 0, 1.7, 0, 0.8), direction=(0, -1, 0.2)).save()
