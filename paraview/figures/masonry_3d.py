"""Walls of bricks on shaking ground, in space, by speed."""
from figure import Figure

figure = Figure(900, 620)
figure.speed(figure.solids())
figure.caption("Masonry on shaking ground")
figure.look(direction=(0.5, -1, 0.35)).save()
