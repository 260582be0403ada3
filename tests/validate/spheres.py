"""Two balls by Hertz (input/hertz-spheres.yaml, input/hertz-impact.yaml) on finer meshes, and by CalculiX.

    spheres.py PROGRAM FOLDER [--cells N ...] [--speeds V ...] [--calculix N]

Meshes meshes/hertz-ball.geo with N cells along a side (gmsh), the other ball with 3/4 of them, presses them by 4 mm, and prints the force,
sqrt(5/2 sum F_i r_i^2 / sum F_i) of the forces of nodes, which is a, and sigma_zz at the foot, beside Hertz' a and p0 at that force. Then
throws one at a wall with each speed, on the finest mesh. --calculix lets ccx (Debian's calculix-ccx) press one ball of N cells on
a rigid face by half of it, which by symmetry is the same problem, with its own elements and contact.

Exit status 1 where a or p0 is off by more than 2 %, a duration or a force by more than 0.6 a / R, an energy by more than 1e-3."""
import argparse
import csv
import glob
import os
import re
import subprocess
import sys

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
R, E, NU, RHO = 0.05, 20e9, 0.3, 7800  # m, Pa, -, kg/m3


def hertz(F):
    """a and p0 of two balls at a force."""
    a = (3 * F * R / 2 / (4 * E / (2 * (1 - NU**2))))**(1 / 3)
    return a, 3 * F / (2 * np.pi * a**2)


def mesh(folder, name, cells, whole=0):
    path = os.path.join(folder, f"{name}-{cells}.msh")
    subprocess.run(["gmsh", "-3", "-setnumber", "n", str(cells), "-setnumber", "whole", str(whole), f"{ROOT}/meshes/hertz-ball.geo",
                    "-format", "msh22", "-o", path], check=True, capture_output=True)
    return os.path.basename(path)


def run(program, folder, deck, name, swaps, sets=()):
    with open(f"{ROOT}/input/{deck}.yaml") as file:
        text = file.read()
    for old, new in swaps:
        text = text.replace(f"../meshes/{old}.msh", new)
    path, out = os.path.join(folder, f"{name}.yaml"), os.path.join(folder, f"out-{name}")
    with open(path, "w") as file:
        file.write(text)
    subprocess.run([program, "run", path, "--out", out] + [x for s in sets for x in ("--set", s)], check=True, capture_output=True)
    with open(f"{out}/history.csv") as file:
        return out, list(csv.DictReader(file))


def pressed(out):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(sorted(glob.glob(f"{out}/deformable_*.vtu"))[-1])
    reader.Update()
    data = reader.GetOutput().GetPointData()
    take = lambda name: vtk_to_numpy(data.GetArray(name))
    X = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()) - take("displacement")
    upper = take("id") == take("id").max()
    f = 4 * np.abs(take("reaction")[upper, 2])
    foot = np.argmin(np.linalg.norm(X[upper], axis=1))
    return f.sum(), np.sqrt(2.5 * (f * (X[upper, :2]**2).sum(axis=1)).sum() / f.sum()), -take("stress")[upper][foot, 8]


def impact(rows, v):
    t = np.array([float(row["time [s]"]) for row in rows])
    F = -4 * np.array([float(row["force_z_wall [N]"]) for row in rows])
    energy = [float(row["kinetic [J]"]) + float(row["strain [J]"]) for row in rows]
    m = 8 * energy[0] / v**2
    d = (15 * m * v**2 * (1 - NU**2) / (16 * E * np.sqrt(R)))**0.4
    known, most = 2.943 * d / v, 4 / 3 * E / (1 - NU**2) * np.sqrt(R) * d**1.5
    on = np.flatnonzero(F > 0)
    lasts = (on[-1] - on[0] + 1) * (t[1] - t[0])
    return np.sqrt(d / R), known, lasts, most, F.max(), energy[-1] / energy[0]


HEX = [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)]  # faces as CalculiX counts them
WEDGE = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)]


def calculix(folder, cells):
    """N, s of processor time, MPa: total force, what it took, sigma_zz and contact pressure at the foot."""
    names, X, items, section = {}, {}, [], None
    with open(os.path.join(folder, mesh(folder, "ball", cells))) as file:
        for line in file:
            words = line.split()
            if line[0] == "$":
                section = words[0]
            elif section == "$PhysicalNames" and len(words) == 3:
                names[int(words[1])] = words[2].strip('"')
            elif section == "$Nodes" and len(words) == 4:
                X[int(words[0])] = np.array([float(x) for x in words[1:]])
            elif section == "$Elements" and len(words) > 4:
                items.append((int(words[1]), names[int(words[3])], [int(k) for k in words[3 + int(words[2]):]]))
    solid = [(kind, at) for kind, _, at in items if kind in (5, 6)]
    foot = {frozenset(at) for kind, group, at in items if group == "foot" and kind in (2, 3)}
    first = max(X) + 1  # the eight corners of the rigid plate
    plate = [(x, y, z) for z in (-10, 0) for x, y in ((-30, -30), (60, -30), (60, 60), (-30, 60))]
    text = ["*NODE"] + [f"{k}, {x[0]:.12g}, {x[1]:.12g}, {x[2]:.12g}" for k, x in X.items()]
    text += [f"{first + k}, {x}, {y}, {z}" for k, (x, y, z) in enumerate(plate)]
    slave = []
    for kind, name, faces in ((5, "C3D8", HEX), (6, "C3D6", WEDGE)):
        text.append(f"*ELEMENT, TYPE={name}, ELSET=BALL")
        for e, (own, at) in enumerate(solid, 1):
            if own == kind:
                text.append(", ".join(map(str, [e] + at)))
                slave += [f"{e}, S{s}" for s, face in enumerate(faces, 1) if frozenset(at[k] for k in face) in foot]
    corners = ", ".join(str(first + k) for k in range(8))
    text += [f"*ELEMENT, TYPE=C3D8, ELSET=PLATE\n{len(solid) + 1}, {corners}", f"*NSET, NSET=PLATEN\n{corners}"]
    for group in ("x", "y", "equator"):
        text += [f"*NSET, NSET=N{group}"] + [f"{k}," for k in sorted({k for _, own, at in items if own == group for k in at})]
    text += ["*SURFACE, NAME=SLAVE, TYPE=ELEMENT"] + slave + [f"*SURFACE, NAME=MASTER, TYPE=ELEMENT\n{len(solid) + 1}, S2"]
    text.append(f"""*MATERIAL, NAME=M
*ELASTIC
{1e-6 * E}, {NU}
*SOLID SECTION, ELSET=BALL, MATERIAL=M
*SOLID SECTION, ELSET=PLATE, MATERIAL=M
*SURFACE INTERACTION, NAME=HARD
*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR
1.e7, 1.
*CONTACT PAIR, INTERACTION=HARD, TYPE=SURFACE TO SURFACE
SLAVE, MASTER
*BOUNDARY
PLATEN, 1, 3
Nx, 1, 1
Ny, 2, 2
*STEP, INC=1000
*STATIC
0.25, 1., 1e-6, 0.25
*BOUNDARY
Nequator, 3, 3, -2.
*NODE PRINT, NSET=Nequator, TOTALS=ONLY
RF
*EL FILE
S
*CONTACT FILE
CSTR
*END STEP""")
    with open(os.path.join(folder, "ball.inp"), "w") as file:
        file.write("\n".join(text) + "\n")
    begin = os.times().children_user
    subprocess.run(["ccx", "ball"], cwd=folder, check=True, capture_output=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
    spent = os.times().children_user - begin
    with open(os.path.join(folder, "ball.dat")) as file:
        force = float(re.findall(r"total force[^\n]*\n\n(.*)", file.read())[-1].split()[2])
    block, at_foot = None, {}
    with open(os.path.join(folder, "ball.frd")) as file:
        for line in file:
            if line.startswith(" -4"):
                block = line.split()[1]
            elif line.startswith(" -1         1") and block:
                at_foot[block] = [float(line[k:k + 12]) for k in range(13, len(line.rstrip()) - 11, 12)]
    return -4 * force, spent, -at_foot["STRESS"][2], at_foot["CONTACT"][3]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("--cells", type=int, nargs="+", default=[8, 12, 16])
    options.add_argument("--speeds", type=float, nargs="+", default=[15, 5, 1.5])
    options.add_argument("--calculix", type=int)
    options = options.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    misses = 0
    print("| pressed by 4 mm, cells | F, kN | a, mm | p0, MPa |\n|---|---|---|---|")
    for n in options.cells:
        names = [("hertz-ball", mesh(options.folder, "ball", n)), ("hertz-ball-coarse", mesh(options.folder, "ball", n * 3 // 8 * 2))]
        F, a, p0 = pressed(run(options.program, options.folder, "hertz-spheres", f"pressed-{n}", names)[0])
        A, P0 = hertz(F)
        misses += abs(a / A - 1) > 0.02 or abs(p0 / P0 - 1) > 0.02
        print(f"| {n} and {n * 3 // 8 * 2} | {1e-3 * F:.1f} | {1e3 * a:.3f} ({100 * (a / A - 1):+.2f} %) "
              f"| {1e-6 * p0:.1f} ({100 * (p0 / P0 - 1):+.2f} %) |", flush=True)
    if options.calculix:
        F, spent, stress, pressure = calculix(options.folder, options.calculix)
        print(f"| CalculiX, {options.calculix} | {1e-3 * F:.1f} | | {stress:.1f} ({100 * (1e6 * stress / hertz(F)[1] - 1):+.2f} %) |")
        print(f"CalculiX: {spent:.1f} s, contact pressure at the foot {pressure:.1f} MPa")
    name = [("hertz-ball-whole", mesh(options.folder, "whole", options.cells[-1], 1))]
    print("\n| m/s | a / R | duration, us | by Hertz | largest force, kN | by Hertz | energy |\n|---|---|---|---|---|---|---|")
    for v in options.speeds:
        sets = [f"bodies[0].velocity=[0, 0, {-v}]", f"time.step={2.5e-6 * (5 / v)**0.2}", f"time.end={0.6e-3 * (5 / v)**0.2}"]
        ratio, known, lasts, most, F, energy = impact(
            run(options.program, options.folder, "hertz-impact", f"impact-{v}", name, sets)[1], v)
        misses += max(abs(lasts / known - 1), abs(F / most - 1)) > 0.6 * ratio or abs(energy - 1) > 1e-3
        print(f"| {v:g} | {ratio:.3f} | {1e6 * lasts:.1f} ({100 * (lasts / known - 1):+.2f} %) | {1e6 * known:.1f} "
              f"| {1e-3 * F:.2f} ({100 * (F / most - 1):+.2f} %) | {1e-3 * most:.2f} | {energy:.5f} |", flush=True)
    return 1 if misses else 0


sys.exit(main())
