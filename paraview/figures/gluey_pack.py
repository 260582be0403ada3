"""Forces in a gluey pack that is pressed: they are not unique."""
from figure import Figure

figure = Figure(640, 560, time=0.9)
figure.grains(opacity=0.4)
tubes = figure.chains(radius=0.006)
figure.colour(tubes, "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 4), invert=True)
figure.walls(bounds=(0, 0.9, 0, 0.9))
figure.caption("A gluey pack under its weight: one of its force networks")
figure.look(bounds=(-0.02, 0.92, -0.02, 0.82, 0, 0)).save()
