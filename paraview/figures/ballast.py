"""Ballast under a wheel that rolls along the rail (Moreau 2004, Fig. 1): grains and sleepers in grey by their load, force chains."""
from figure import Figure

figure = Figure(1000, 280, time=2.4)
figure.colour(figure.solids(), "load", "Grayscale", "load", "N", span=(0, 40000), invert=True, bar=False, where="CELLS")
figure.colour(figure.chains(threshold=0.5, radius=0.006), "normal_force", "Inferno (matplotlib)", "normal force", "N", span=(0, 20000), invert=True)
figure.caption("Ballast: the wheel above the middle sleeper")
figure.look().save()
