"""Directions of the contacts of a layer of polygons that was rained (Moreau 2004, Fig. 2): 24 sectors, and the fit by cosines and
sines of 2, 4 and 6 times the angle; without walls."""
import paraview.simple as pv
from figure import DARK, Figure

figure = Figure(560, 560)
rose = pv.DelassusFabricRose(Input=figure.read("contacts"), Sectors=24, Walls=0)
sectors = figure.show(rose, [0.72, 0.78, 0.85], kind="Surface With Edges")
sectors.EdgeColor = DARK
sectors.Ambient, sectors.Diffuse = 1.0, 0.0
figure.show(rose, [0.8, 0.15, 0.1], kind="Wireframe", width=3, port=1)
figure.show(pv.Disk(InnerRadius=0.99, OuterRadius=1.01, CircumferentialResolution=120), DARK)
figure.caption("Rain of polygons: two oblique directions")
figure.look(bounds=(-1.6, 1.6, -1.6, 1.6, 0, 0), legend=False).save()
