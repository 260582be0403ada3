"""Where the probe of biaxial_mohr is, with the cross of its principal stresses, upon the force chains."""
import paraview.simple as pv
from figure import Figure

figure = Figure(620, 600)
figure.grains(opacity=0.4)
figure.chains().AmbientColor = [0.35, 0.35, 0.35]
probe = pv.DelassusStressProbe(Bodies=figure.read("bodies"), Contacts=figure.read("contacts"),
                               Centre=[0.095, 0.095, 0], Radius=0.06)
lines = pv.Tube(Input=probe, Radius=0.0009)
figure.show(pv.Transform(Input=lines), [0.8, 0.15, 0.1])
figure.walls()
figure.caption("A circular probe and its principal stresses")
figure.look(legend=False).save()
