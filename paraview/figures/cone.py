"""A cone of spheres, cut open: what bears the load."""
import paraview.simple as pv
from figure import GREY, Figure

figure = Figure(900, 420)
half = pv.Threshold(Input=pv.Calculator(Input=figure.read("bodies"), ResultArrayName="depth", Function="coordsY"))
half.Scalars, half.ThresholdMethod, half.LowerThreshold = ["POINTS", "depth"], "Above Upper Threshold", 0.0
half.UpperThreshold = 0.0
balls = figure.show(figure.marks(half, "Sphere"), GREY)
figure.colour(balls, "load", "Oranges", "load", "N", span=(0, 200))
figure.caption("Half of a cone of 14,000 spheres, by their load")
figure.look(direction=(0, -1, 0.35)).save()
