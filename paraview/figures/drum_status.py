"""Which contacts of a turning drum stick and which slip."""
from figure import STATUS, Figure

figure = Figure(700, 640)
figure.grains(opacity=0.5)
tubes = figure.chains(radius=0.0008)
figure.colour(tubes, "status", title="contact", labels=STATUS)
figure.walls()
figure.caption("Drum: contacts that stick and that slip")
figure.look(bounds=(-0.25, 0.25, -0.25, 0.25, 0, 0)).save()
