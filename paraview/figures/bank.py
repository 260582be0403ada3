"""A bank with avalanches (Moreau 2004, Fig. 4): while its surface slides, by speed."""
from figure import Figure

figure = Figure(820, 560, time=13.4)
figure.speed(figure.solids(), span=(0, 0.5))
figure.walls()
figure.caption("Bank of polygons: an avalanche")
figure.look(bounds=(-0.54, 0.32, -0.05, 0.55, 0, 0)).save()
