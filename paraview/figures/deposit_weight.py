"""The force across levels of a deposit at rest, and the weight of what is above each level less what the walls bear."""
import os
import tempfile

import numpy as np
import paraview.simple as pv
from chart import CIRCLE, LINE, Chart

chart = Chart("Force across a level of the deposit, and the weight above it", "height of the level, m", "force, N")
import delassus_data as dd  # noqa: E402
import delassus_math as dm  # noqa: E402

frames = [pv.servermanager.Fetch(chart.update(chart.read(name))) for name in ("bodies", "contacts")]
g = dd.packing(*frames)
rows = []
for level in np.linspace(0.002, 0.1, 50):
    force, _, _ = dm.cut(g, (0, 0, level), (0, 0, 1))
    above = g.centre[:, 2] > level
    weight = 2500 * 9.81 * g.volume[above].sum()
    wall = g.active & (g.antagonist < 0) & above[g.candidate] & (g.point[:, 2] > level)
    rows.append((level, -force[2], weight, weight - g.force[wall, 2].sum()))
path = os.path.join(tempfile.mkdtemp(), "levels.csv")
np.savetxt(path, rows, delimiter=",", header="level,cut,weight,balance", comments="")
chart.curve(pv.CSVReader(FileName=[path]), 0, "level", {
    "weight": ("weight above", "grey", LINE), "balance": ("less what side walls bear", "red", LINE),
    "cut": ("across the level", "blue", CIRCLE)})
chart.save()
print("largest difference %.2g of the weight" % max(abs(r[1] - r[3]) / rows[0][2] for r in rows))
