"""A thicker arch on a tilting table: four joints have opened; its stones by speed, centres of pressure of the joints."""
import paraview.simple as pv
from figure import Figure

figure = Figure(900, 460, time=1.5)
figure.speed(figure.solids())
dots = figure.marks(figure.update(figure.read("resultants")), pv.Disk(InnerRadius=0.0, OuterRadius=0.07), scale=1, array=None)
figure.show(dots, [0.8, 0.1, 0.1])
figure.walls()
figure.caption("An arch on a tilting table: four hinges")
figure.look().save()
