"""A layer of irregular polygons that were dropped one after the other, by their load."""
from figure import Figure

figure = Figure(900, 460)
figure.colour(figure.solids(), "load", "Oranges", "load", "N", span=(0, 300), where="CELLS", invert=True)
figure.caption("Rain of irregular polygons at rest")
figure.look().save()
