"""A column of drums on ground that moves to and fro, by speed."""
from figure import Figure

figure = Figure(540, 760)
figure.speed(figure.solids())
figure.caption("A column of drums")
figure.look(direction=(0.2, -1, 0.15)).save()
