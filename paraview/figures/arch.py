"""An arch that stands, its stones by their pressure; the line of thrust runs through the centres of pressure of the joints."""
import paraview.simple as pv
from figure import Figure

figure = Figure(900, 460)
figure.colour(figure.solids(), "pressure", "Oranges", "pressure", "Pa", span=(0, 100000), where="CELLS", invert=True)
dots = figure.marks(figure.update(figure.read("resultants")), pv.Disk(InnerRadius=0.0, OuterRadius=0.06), scale=1, array=None)
figure.show(dots, [0.1, 0.2, 0.6])
figure.walls()
figure.caption("An arch of 27 voussoirs: centres of pressure of its joints")
figure.look().save()
