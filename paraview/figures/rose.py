"""The rose of contact directions of a 2-D run: 24 sectors, and the fit by cosines and sines of 2, 4 and 6 times the angle; without
walls. The circle is the uniform distribution."""
import paraview.simple as pv
from figure import DARK, Figure


def rose(caption, reach):
    figure = Figure(560, 560)
    rose = pv.DelassusFabricRose(Input=figure.read("contacts"), Sectors=24, Walls=0)
    sectors = figure.show(rose, [0.72, 0.78, 0.85], kind="Surface With Edges")
    sectors.EdgeColor = DARK
    sectors.Ambient, sectors.Diffuse = 1.0, 0.0
    figure.show(rose, [0.8, 0.15, 0.1], kind="Wireframe", width=3, port=1)
    figure.show(pv.Disk(InnerRadius=0.99, OuterRadius=1.01, CircumferentialResolution=120), DARK)
    figure.caption(caption)
    figure.look(bounds=(-reach, reach, -reach, reach, 0, 0), legend=False).save()
