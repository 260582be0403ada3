"""What pairs of bodies of a run share: contact points of faces and of lines, in one frame of contacts.

    shared_faces.py RESULT/contacts_000010.vtu ...

A pair whose points lie within 1 um of one line meets along an edge. Prints pairs, points, points that are apart by more than 1 um,
points if a pair had four at most, and the share of the normal force; for faces also how many of them have how many points."""
import collections
import sys

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

NEAR = 1e-6  # m


def read(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    arrays = grid.GetPointData()
    return vtk_to_numpy(grid.GetPoints().GetData()), {
        name: vtk_to_numpy(arrays.GetArray(name)) for name in ("candidate", "antagonist", "normal_force")}


def width(points):
    """Of points about the line through the two that are farthest apart."""
    apart = points[:, None, :] - points[None, :, :]
    i, k = np.unravel_index(np.argmax((apart**2).sum(axis=2)), (len(points), len(points)))
    along = points[k] - points[i]
    if np.linalg.norm(along) < NEAR:
        return 0.0
    along /= np.linalg.norm(along)
    away = points - points[i]
    away -= np.outer(away @ along, along)
    return np.sqrt((away**2).sum(axis=1).max())


def apart(points):
    kept = []
    for p in points:
        if all(np.linalg.norm(p - q) > NEAR for q in kept):
            kept.append(p)
    return len(kept)


for path in sys.argv[1:]:
    point, contact = read(path)
    pairs = collections.defaultdict(list)
    for n, key in enumerate(zip(contact["candidate"], contact["antagonist"])):
        pairs[key].append(n)
    force = contact["normal_force"]
    print(f"{path}: {len(pairs)} pairs, {len(point)} points")
    print("        pairs  points   apart  at most four  share of force")
    sizes = collections.Counter()
    for name in ("lines", "faces"):
        mine = [n for n in pairs.values() if (width(point[n]) < NEAR) == (name == "lines")]
        held = sum(force[n].sum() for n in mine) / force.sum()
        print(f"{name}  {len(mine):6d} {sum(map(len, mine)):7d} {sum(apart(point[n]) for n in mine):7d}"
              f" {sum(min(4, len(n)) for n in mine):13d} {held:15.4f}")
        if name == "faces":
            sizes.update(map(len, mine))
    print("faces by points: " + ", ".join(f"{n}: {sizes[n]}" for n in sorted(sizes)))
