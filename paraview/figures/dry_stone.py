"""A wall of dry stones on a slope, by the pressure in each."""
from figure import Figure

figure = Figure(900, 480)
figure.colour(figure.solids(), "pressure", "Oranges", "pressure", "Pa", span=(0, 12000), where="CELLS", invert=True)
figure.caption("A dry-stone wall: pressure of its stones")
figure.look(direction=(0.4, -1, 0.3)).save()
