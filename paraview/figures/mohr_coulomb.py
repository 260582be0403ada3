"""Chains of bonded balls that hang from a beam: seven hold, of eight the uppermost bond has broken. Marks are bonds, by
their pull."""
from figure import Figure

figure = Figure(480, 700)
balls = figure.grains(opacity=0.35)
figure.colour(balls, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 3), bar=False)
bonds = figure.marks(figure.read("contacts"), "Sphere", 0.03, None)
figure.colour(figure.show(bonds), "normal_force", "Inferno (matplotlib)", "force", "N", span=(-100, 0))
figure.caption("Bonded balls: seven hang, eight fall")
figure.look(direction=(0.1, -1, 0.1)).save()
