"""How displacements of plane elements converge: Cook's membrane and a cantilever, on the decks of the program.

    cook.py PROGRAM FOLDER [--svg FILE]

Cook's membrane (input/cook.yaml, meshes by gmsh -setnumber n N): the rise of the middle of the right side for N cells along a side; 23.96
is published. Its held corners are singular, so that the order is that of the corners, at most 2 times 0.76 of the energy. The cantilever of
10 x 2 (E = 1, nu = 0, plane stress, its weight 1e-3 per area) has corners where stress is finite: the error of the energy goes as h^(2 p),
p the degree of the element, or what the corners allow. Prints a table of both, the rise or fall and in brackets the error of the energy,
with its order between the last two meshes."""
import argparse
import csv
import glob
import os
import re
import subprocess

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CELLS = [2, 4, 8, 16, 32]
ELEMENTS = {"T3": (1, 1), "Q4": (0, 1), "T6": (1, 2), "Q8": (0, 2)}  # triangles, degree

CANTILEVER = """dimension: 2
gravity: [0, 0]
time: {step: 1, end: 1, scheme: static}
materials: {panel: {density: 1}}
laws: [{law: coulomb}]
bodies:
  - material: panel
    position: [0, 0]
    deformable:
      mesh: {kind: beam, size: [10, 2], cells: [%d, %d], element: %s}
      plane: stress
      bulk: {law: elastic, parameters: {young: 1, poisson: 0}}
      fixed: {group: left}
      force: [0, -1e-3]
output: {every: 1}
"""


def run(program, path, out):
    subprocess.run([program, "run", path, "--out", out], check=True, capture_output=True)
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(sorted(glob.glob(f"{out}/deformable_*.vtu"))[-1])
    reader.Update()
    u = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("displacement"))
    X = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()) - u
    with open(f"{out}/history.csv") as file:
        strain = float(list(csv.DictReader(file))[-1]["strain [J]"])
    return X, u, strain


def cook(program, folder, element, cells):
    triangles, degree = ELEMENTS[element]
    mesh = f"cook-{element}-{cells}.msh"
    subprocess.run(["gmsh", "-2", "-setnumber", "n", str(cells), "-setnumber", "triangles", str(triangles), "-order", str(degree),
                    "-setnumber", "Mesh.SecondOrderIncomplete", "1", f"{ROOT}/meshes/cook.geo", "-format", "msh22",
                    "-o", os.path.join(folder, mesh)], check=True, stdout=subprocess.DEVNULL)
    with open(f"{ROOT}/input/cook.yaml") as file:
        deck = re.sub(r"\.\./meshes/cook\.msh", mesh, file.read())
    path = os.path.join(folder, f"cook-{element}-{cells}.yaml")
    with open(path, "w") as file:
        file.write(deck)
    X, u, strain = run(program, path, os.path.join(folder, "out"))
    corner = np.argmin(np.abs(X - np.array([48, 52, 0])).sum(axis=1))
    return u[corner, 1], strain


def cantilever(program, folder, element, cells):
    path = os.path.join(folder, "cantilever.yaml")
    with open(path, "w") as file:
        file.write(CANTILEVER % (5 * cells // 2, cells // 2, element))
    X, u, strain = run(program, path, os.path.join(folder, "out"))
    end = np.abs(X[:, 0] - 5) < 1e-9
    middle = np.flatnonzero(end)[np.argmin(np.abs(X[end, 1]))]
    return u[middle, 1], strain


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("--svg")
    options = options.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    curves = {}
    for name, case in (("Cook's membrane", cook), ("cantilever", cantilever)):
        print(f"{name}: displacement; energy's error and order between the two finest\n| element | "
              + " | ".join(str(n) for n in CELLS) + " | order |\n|---|" + "---|" * (len(CELLS) + 1))
        found = {element: [case(options.program, options.folder, element, n) for n in CELLS] for element in ELEMENTS}
        # The finest of all, extrapolated from the last three of Q8 by their own order.
        e = [f[1] for f in found["Q8"]]
        best = e[-1] + (e[-1] - e[-2])**2 / ((e[-2] - e[-3]) - (e[-1] - e[-2]))
        for element, values in found.items():
            errors = np.array([abs(f[1] / best - 1) for f in values])
            curves[name, element] = errors
            print(f"| {element} | " + " | ".join(f"{f[0]:.4f} ({err:.1e})" for f, err in zip(values, errors))
                  + f" | {np.log2(errors[-2] / errors[-1]):.2f} |", flush=True)
    if options.svg:
        draw(options.svg, curves)


def draw(path, curves):
    try:
        import matplotlib
        matplotlib.use("svg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no figure: it takes Matplotlib, Debian's python3-matplotlib (.ci/install --gallery)")
        return
    matplotlib.rcParams.update({"svg.hashsalt": "cook", "font.size": 11})
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.8), sharey=True)
    for side, name in zip(axes, ("Cook's membrane", "cantilever")):
        for element, mark in zip(ELEMENTS, "^so*"):
            side.loglog(CELLS, curves[name, element], mark + "-", label=element, mfc="white")
        side.set(title=name, xlabel="cells")
        side.grid(alpha=0.3, which="both")
    axes[0].set(ylabel="error of the energy")
    axes[1].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


main()
