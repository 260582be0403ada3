"""Hertz's contact of a cylinder and a block (input/hertz-cylinder.yaml) against its closed forms.

    hertz.py PROGRAM FOLDER [--cells N ...] [--svg FILE]

Meshes meshes/hertz-*.geo with N cells along the contact (gmsh), runs the deck on them, and prints half width and largest pressure of
the ellipse that is nearest to the pressures above half of the largest, the pressure at the foot, and how far sigma_yy is from
-p0 / sqrt(1 + (z/a)^2) along the axis of the block, at most, for z < 3 a. --svg draws the stresses along the axis for the last N."""
import argparse
import glob
import os
import re
import subprocess

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
R, F, NU, E1, E2 = 0.05, 35e6, 0.3, 210e9, 70e9  # m, N/m, -, Pa
E_STAR = 1 / ((1 - NU**2) * (1 / E1 + 1 / E2))
A = np.sqrt(4 * F * R / (np.pi * E_STAR))
P0 = 2 * F / (np.pi * A)


def run(program, folder, cells):
    meshes = []
    for name in ("hertz-block", "hertz-cylinder"):
        mesh = os.path.join(folder, f"{name}-{cells}.msh")
        subprocess.run(["gmsh", "-2", "-setnumber", "n", str(cells), f"{ROOT}/meshes/{name}.geo", "-format", "msh22", "-o", mesh],
                       check=True, capture_output=True)
        meshes.append(mesh)
    with open(f"{ROOT}/input/hertz-cylinder.yaml") as file:
        deck = file.read()
    for name, mesh in zip(("hertz-block", "hertz-cylinder"), meshes):
        deck = re.sub(rf"\.\./meshes/{name}\.msh", os.path.basename(mesh), deck)
    path = os.path.join(folder, f"hertz-{cells}.yaml")
    with open(path, "w") as file:
        file.write(deck)
    out = os.path.join(folder, f"out-{cells}")
    subprocess.run([program, "run", path, "--out", out], check=True, capture_output=True)
    return out


def take(out):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(sorted(glob.glob(f"{out}/deformable_*.vtu"))[-1])
    reader.Update()
    data = reader.GetOutput().GetPointData()
    u = vtk_to_numpy(data.GetArray("displacement"))
    X = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()) - u
    return X, u, vtk_to_numpy(data.GetArray("stress")), vtk_to_numpy(data.GetArray("contact_pressure"))


def measure(out):
    X, u, stress, p = take(out)
    block = X[:, 1] <= 1e-12
    block[np.flatnonzero((np.abs(X).max(axis=1) < 1e-12))[1:]] = False  # the foot of the cylinder is there too
    on = np.flatnonzero(block & (p > 0.5 * p.max()) & (X[:, 0] > 1e-9))
    c, slope = np.linalg.lstsq(np.stack([np.ones(len(on)), X[on, 0]**2], axis=1), p[on]**2, rcond=None)[0]
    axis = np.flatnonzero(block & (np.abs(X[:, 0]) < 1e-9))
    axis = axis[np.argsort(-X[axis, 1])]
    z = -X[axis, 1]
    known = -P0 / np.sqrt(1 + (z / A)**2)
    near = z < 3 * A
    off = np.abs(stress[axis, 4] - known)[near].max() / P0
    return np.sqrt(-c / slope), np.sqrt(c), p[axis[0]], u[axis[0], 1], off, (z, stress[axis, 0], stress[axis, 4])


def draw(path, z, sx, sy):
    try:
        import matplotlib
        matplotlib.use("svg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no figure: it takes Matplotlib, Debian's python3-matplotlib (.ci/install --gallery)")
        return
    matplotlib.rcParams.update({"svg.hashsalt": "hertz", "font.size": 11})
    t = np.linspace(0, 4, 200)
    figure, axes = plt.subplots(figsize=(6.4, 4))
    axes.plot(t, -1 / np.sqrt(1 + t**2), color="#1f77b4", label="$\\sigma_{yy}$, Hertz")
    axes.plot(t, -((1 + 2 * t**2) / np.sqrt(1 + t**2) - 2 * t), color="#d62728", label="$\\sigma_{xx}$, Hertz")
    axes.plot(z / A, sy / P0, "o", color="#1f77b4", mfc="white", label="$\\sigma_{yy}$, finite elements")
    axes.plot(z / A, sx / P0, "s", color="#d62728", mfc="white", label="$\\sigma_{xx}$, finite elements")
    axes.set(xlim=(0, 4), xlabel="depth / a", ylabel="stress / $p_0$")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("--cells", type=int, nargs="+", default=[8, 12, 16, 24, 32])
    options.add_argument("--svg")
    options = options.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"Hertz: a {1e3 * A:.4f} mm, p0 {1e-6 * P0:.1f} MPa")
    print("| cells | a, mm | p0, MPa | at the foot, MPa | u_y at the foot, mm | along the axis |\n|---|---|---|---|---|---|")
    for cells in options.cells:
        a, p0, foot, u, off, axis = measure(run(options.program, options.folder, cells))
        print(f"| {cells} | {1e3 * a:.4f} ({100 * (a / A - 1):+.2f} %) | {1e-6 * p0:.1f} ({100 * (p0 / P0 - 1):+.2f} %) "
              f"| {1e-6 * foot:.1f} | {1e3 * u:.5f} | {100 * off:.2f} % |", flush=True)
    if options.svg:
        draw(options.svg, *axis)


main()
