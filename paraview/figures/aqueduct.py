"""An aqueduct of 321 stones from LMGC90's public scene: the load of each; the plate that they stand on is left out."""
import paraview.simple as pv
from figure import Figure

figure = Figure(1000, 620)
stones = pv.Threshold(Input=figure.update(figure.read("solids")), Scalars=["CELLS", "held"], LowerThreshold=0, UpperThreshold=0.5)
figure.colour(figure.solids(stones), "load", "Oranges", "load", "N", span=(0, 800000), where="CELLS", invert=True)
figure.caption("An aqueduct: load of its stones")
figure.look(bounds=stones.GetDataInformation().GetBounds(), direction=(0.5, -1, 0.3)).save()
