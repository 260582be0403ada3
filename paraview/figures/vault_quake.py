"""A barrel vault on ground that shakes too hard, as it comes down: its stones by speed."""
from figure import Figure

figure = Figure(860, 600, time=1.1)
figure.speed(figure.solids())
figure.caption("A vault comes down on shaking ground")
figure.look(direction=(0.5, -1, 0.45)).save()
