"""How frequent contact directions of a rained layer of spheres are, by their angle with the vertical: bands of equal area on the
sphere, and the fit by Legendre's polynomials of order 2 and 4; without walls."""
import os
import tempfile

import numpy as np
import paraview.simple as pv
from chart import CIRCLE, LINE, Chart

chart = Chart("Rain of spheres: density of contact directions over that of all directions alike",
              "angle with the vertical, degrees", "density")
import delassus_data as dd  # noqa: E402

BANDS = 12
g = dd.packing(*[pv.servermanager.Fetch(chart.update(chart.read(name))) for name in ("bodies", "contacts")])
up = np.abs(g.normal[g.active & (g.antagonist >= 0), 2])
edges = np.linspace(0, 1, BANDS + 1)
count = np.histogram(up, edges)[0]
middle = (edges[1:] + edges[:-1]) / 2


def legendre(mu):
    return (3 * mu**2 - 1) / 2, (35 * mu**4 - 30 * mu**2 + 3) / 8


mean = [p.mean() for p in legendre(up)]
angle = np.arange(0, 90.5, 0.5)
two, four = legendre(np.cos(np.radians(angle)))
folder = tempfile.mkdtemp()
for name, columns in (("fit", (angle, 1 + 5 * mean[0] * two + 9 * mean[1] * four)),
                      ("bands", (np.degrees(np.arccos(middle)), count * BANDS / len(up)))):
    path = os.path.join(folder, name + ".csv")
    np.savetxt(path, np.transpose(columns), delimiter=",", header="angle," + name, comments="")
    label = "fit, orders 2 and 4" if name == "fit" else "%d contacts in %d bands of equal area" % (len(up), BANDS)
    chart.curve(pv.CSVReader(FileName=[path]), 0, "angle",
                {name: (label, "red" if name == "fit" else "blue", LINE if name == "fit" else CIRCLE)})
chart.ranges((0, 90), (0.4, 1.6))
chart.save()
