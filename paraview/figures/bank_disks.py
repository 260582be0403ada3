"""A bank of disks and the forces in it, on its fixed rough incline; two cuts: along the surface, and upright."""
import paraview.simple as pv
from figure import Figure

figure = Figure(820, 560)
figure.grains(opacity=0.7)
figure.colour(figure.chains(threshold=0.3), "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 5), invert=True)
for a, b in (((-0.138, 0.158, 0.02), (0.038, 0.062, 0.02)), ((0.02, 0, 0.02), (0.02, 0.17, 0.02))):
    figure.show(pv.Line(Point1=a, Point2=b), [0.1, 0.35, 0.8], width=4)
figure.walls()
figure.caption("Bank of disks: force chains, and two cuts")
figure.look(bounds=(-0.54, 0.32, -0.05, 0.55, 0, 0)).save()
