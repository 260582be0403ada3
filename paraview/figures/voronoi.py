"""Voronoi cells between walls: pressure of each, and the contact faces by theirs."""
from figure import Figure

figure = Figure(760, 600)
figure.colour(figure.solids(), "pressure", "Blues", "pressure of cells", "Pa", span=(0, 40000), where="CELLS", invert=True, bar=False)
figure.colour(figure.chains(threshold=0.5, radius=0.004), "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 4), invert=True)
figure.caption("Voronoi cells under two pressures")
figure.look().save()
