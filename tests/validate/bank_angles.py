"""Angles of a bank over time (Moreau 2001, Fig. 4), from the frames of input/bank.yaml.

    bank_angles.py RESULT [FROM]

The surface of a frame is the straight line through the highest grains at rest (slower than 0.2 m/s) of 14 columns; it is smoothed
over three frames. An avalanche is a fall of the angle by 1.5 degrees or more: prints the angle before each and after it, their means with
the standard error, and the mean of all frames from FROM (4.5 s) on."""
import os
import re
import sys

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

LOW, HIGH, COLUMNS, SLOW, FALL = -0.33, 0.22, 14, 0.2, 1.5  # m, m, -, m/s, degrees


def angle(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput().GetPointData()
    x = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
    radius, velocity = vtk_to_numpy(data.GetArray("radius")), vtk_to_numpy(data.GetArray("velocity"))
    top, rest, places = x[:, 1] + radius, np.linalg.norm(velocity, axis=1) < SLOW, []
    edges = np.linspace(LOW, HIGH, COLUMNS + 1)
    for low, high in zip(edges[:-1], edges[1:]):
        inside = np.flatnonzero(rest & (x[:, 0] > low) & (x[:, 0] <= high))
        if len(inside):
            grain = inside[np.argmax(top[inside])]
            places.append((x[grain, 0], top[grain]))
    return -np.degrees(np.arctan(np.polyfit(*np.array(places).T, 1)[0]))


def avalanches(series):
    """Pairs (before, after): falls from a highest to the next lowest value by FALL or more, parted by rises of as much."""
    found, high, low = [], series[0], None
    for a in series:
        if low is None:
            high = max(high, a)
            if a <= high - FALL:
                low = a
        else:
            low = min(low, a)
            if a >= low + FALL:
                found.append((high, low))
                high, low = a, None
    return found + ([(high, low)] if low is not None else [])


def with_error(values):
    values = np.asarray(values)
    return "%.1f +- %.1f" % (values.mean(), values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else str(values)


folder, begin = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 4.5
frames = re.findall(r'timestep="([^"]*)"[^>]*file="(bodies_[^"]*)"', open(os.path.join(folder, "bodies.pvd")).read())
angles = np.array([angle(os.path.join(folder, name)) for time, name in frames if float(time) >= begin])
smooth = np.convolve(angles, np.ones(3) / 3, "valid")
pairs = avalanches(smooth)
print("%d frames, mean %.1f degrees, from %.1f to %.1f" % (len(angles), angles.mean(), smooth.min(), smooth.max()))
print("%d avalanches" % len(pairs))
if pairs:
    print("before  %s degrees: %s" % (with_error([p[0] for p in pairs]), " ".join("%.1f" % p[0] for p in pairs)))
    print("after   %s degrees: %s" % (with_error([p[1] for p in pairs]), " ".join("%.1f" % p[1] for p in pairs)))
