"""A barrel vault: its stones let the faces be seen where they meet, by the pressure there."""
from figure import Figure

figure = Figure(860, 600)
figure.solids(opacity=0.12)
figure.colour(figure.faces(), "pressure", "Inferno (matplotlib)", "pressure", "Pa", span=(0, 60000), where="CELLS", invert=True)
figure.caption("A barrel vault: pressure on its joints")
figure.look(direction=(0.5, -1, 0.45)).save()
