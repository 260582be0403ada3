"""Frames of deformable bodies, written by a test in C and read back by VTK.

    deformable_check.py PROGRAM FOLDER     runs PROGRAM, which writes FOLDER/plane and FOLDER/space

The blocks that are held below and carry two grains: cells are whole and of the promised volume, forces of nodes on a cell cancel,
reactions are the weight of the grains, what is read off stresses is what numpy says, means of cells are those of their points.

Exit status 0 when all is well, 1 with one line for each fault, 77 when VTK is not installed.
"""
import os
import subprocess
import sys

import vtu_check  # ends with 77 where VTK is missing
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

program, folder = sys.argv[1:3]
subprocess.run([program], check=True, env=dict(os.environ, DELASSUS_TEST_FOLDER=folder))


def near(path, what, found, wanted, tolerance):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    apart = np.abs(found - wanted).max(initial=0)
    if found.shape != wanted.shape or not apart <= tolerance:
        vtu_check.fault(path, "%s: %g apart, %g allowed" % (what, apart, tolerance))


def arrays(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def check_stresses(path, place, a):
    sigma = a["stress"].reshape(-1, 3, 3)
    scale = np.abs(sigma).max()
    near(path, place + ": symmetric", sigma, sigma.transpose(0, 2, 1), 0)
    mean = np.trace(sigma, axis1=1, axis2=2) / 3
    deviator = sigma - mean[:, None, None] * np.eye(3)
    near(path, place + ": pressure", a["pressure"], -mean, 1e-12 * scale)
    near(path, place + ": von_mises", a["von_mises"], np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2))), 1e-12 * scale)
    near(path, place + ": principal_stress", a["principal_stress"], np.linalg.eigvalsh(sigma), 1e-10 * scale)
    rebuilt = sum(a["principal_stress"][:, k, None, None] * a["principal_%d" % (k + 1)][:, :, None] * a["principal_%d" % (k + 1)][:, None, :]
                  for k in range(3))
    near(path, place + ": principal directions", rebuilt, sigma, 1e-10 * scale)


def check(dim, path):
    vtu_check.check_head(path)
    grid = vtu_check.read(path)
    if grid is None:
        return
    points, cells, field = (arrays(d) for d in (grid.GetPointData(), grid.GetCellData(), grid.GetFieldData()))
    if set(grid.GetCellType(c) for c in range(grid.GetNumberOfCells())) != {9 if dim == 2 else 12}:
        vtu_check.fault(path, "cells are not those of the mesh")
    for data, kind, name in ((grid.GetPointData(), "Vectors", "displacement"), (grid.GetPointData(), "Scalars", "von_mises"),
                             (grid.GetPointData(), "Tensors", "stress"), (grid.GetCellData(), "Tensors", "stress")):
        active = getattr(data, "Get" + kind)()
        if active is None or active.GetName() != name:
            vtu_check.fault(path, "%s is not the active %s" % (name, kind))
    check_stresses(path, "points", points)
    check_stresses(path, "cells", cells)
    size = vtk.vtkCellSizeFilter()
    size.SetInputData(grid)
    size.Update()
    volume = vtk_to_numpy(size.GetOutput().GetCellData().GetArray("Area" if dim == 2 else "Volume"))
    near(path, "volume", cells["volume"], volume, 1e-3 * volume.max())  # strained by so much at most
    offsets = vtk_to_numpy(grid.GetCells().GetOffsetsArray())
    force = np.add.reduceat(field["cell_force"], offsets[:-1], axis=0)
    near(path, "forces on a cell", force, 0 * force, 1e-9 * np.abs(field["cell_force"]).max())
    x = vtk_to_numpy(grid.GetPoints().GetData())
    rest = x - points["displacement"]
    near(path, "nodes at rest", rest / 0.02, np.round(rest / 0.02), 1e-9)
    # two disks or balls of radius 0.019 and density 2500
    weight = 2 * 2500 * 9.81 * (np.pi * 0.019**2 if dim == 2 else 4 / 3 * np.pi * 0.019**3)
    up = dim - 1
    near(path, "reactions", points["reaction"].sum(axis=0)[up], -weight, 1e-9 * weight)
    near(path, "shares", field["share_force"].sum(axis=0)[up], -weight, 1e-9 * weight)
    met = np.linalg.norm(points["reaction"], axis=1) > 0
    if met.sum() != (4 if dim == 2 else 8) or not (points["contact_pressure"][met] > 0).all() or points["contact_pressure"][~met].any():
        vtu_check.fault(path, "%d nodes feel the grains" % met.sum())
    if not (points["status"][met] == 2).all() or points["status"][~met].any() or not np.isnan(points["gap"][~met]).all():
        vtu_check.fault(path, "nodes that grains rest on do not stick, or others have a gap")
    dots = vtu_check.read(path.replace("deformable_0", "gauss_0"))
    inner = arrays(dots.GetPointData())
    check_stresses(path, "gauss", inner)
    per = dots.GetNumberOfPoints() // grid.GetNumberOfCells()
    share = inner["weight"].reshape(-1, per) / cells["volume"][:, None]
    near(path, "means over points", (share[:, :, None] * inner["stress"].reshape(-1, per, 9)).sum(axis=1), cells["stress"],
         1e-12 * np.abs(cells["stress"]).max())
    near(path, "energy", (share * inner["energy_density"].reshape(-1, per)).sum(axis=1), cells["energy_density"],
         1e-12 * cells["energy_density"].max())


for dim, name in ((2, "plane"), (3, "space")):
    for series in ("deformable", "gauss", "bodies", "contacts"):
        vtu_check.check_collection(os.path.join(folder, name, series + ".pvd"))
    check(dim, os.path.join(folder, name, "deformable_000000.vtu"))
for line in vtu_check.faults:
    print(line)
sys.exit(1 if vtu_check.faults else 0)
