"""A wave of dominoes, by the speed of their centres."""
from figure import Figure

figure = Figure(1000, 170, time=0.4)
figure.speed(figure.solids(), span=(0, 0.35))
figure.caption("A wave of dominoes")
figure.look(bounds=(-0.01, 0.67, 0, 0.055, 0, 0)).save()
