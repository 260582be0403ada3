"""A bank of polygons and the forces in it, on its fixed rough incline."""
from figure import Figure

figure = Figure(820, 560)
figure.colour(figure.solids(), "load", "Grayscale", "load", "N", span=(0, 200), invert=True, bar=False, where="CELLS")
figure.colour(figure.chains(threshold=0.3), "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 5), invert=True)
figure.walls()
figure.caption("Bank of polygons: force chains")
figure.look(bounds=(-0.54, 0.32, -0.05, 0.55, 0, 0)).save()
