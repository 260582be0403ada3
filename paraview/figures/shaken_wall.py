"""A dry wall on shaking ground: a stepped crack, by speed."""
from figure import Figure

figure = Figure(560, 640)
figure.speed(figure.solids())
figure.caption("A dry wall while the ground shakes")
figure.look().save()
