"""An arch that is too thin, falling: four hinges."""
from figure import Figure

figure = Figure(900, 460, time=0.8)
figure.speed(figure.solids())
figure.walls()
figure.caption("A thinner arch falls by hinges")
figure.look().save()
