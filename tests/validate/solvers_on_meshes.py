"""All solvers on contact problems of deformable bodies: which solve them, in how many iterations and how much of the best one's time.

    solvers_on_meshes.py PROGRAM FOLDER [--solvers a,b] [--max-time S]

Runs six decks with --capture: Hertz's cylinder with friction (V3), the plate with friction (V6), two pressed blocks by mortar (V8), Hertz's
spheres with friction in 3-D (V4), a hundred disks, and a ring that is squeezed until it meets itself; races the solvers on one step of each
by `delassus compare --one-pass` from zero, to 1e-4 and 1e-8 (scaled), and prints the table of docs/validation.md."""
import argparse
import csv
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRICTION = ["laws[0].parameters.mu=0.3"]

PLATE = """title: a plate on a floor with friction (Code_Aster SSNV128)
dimension: 2
gravity: [0, 0]
time: {step: 0.25, end: 1, scheme: static}
materials: {steel: {density: 7800}}
laws: [{law: coulomb, parameters: {mu: 1}}]
bodies:
  - material: steel
    position: [0, 20 mm]
    deformable:
      mesh: {kind: block, size: [40 mm, 40 mm], cells: [32, 32]}
      bulk: {law: elastic, parameters: {young: 130 GPa, poisson: 0.2}}
      fixed: {group: right, axes: x}
      damping: {mass: 1e6 1/s}
      contact: {groups: [bottom]}
      loads:
        - {group: top, pressure: '50e6*min(t, 1)'}
        - {group: left, pressure: '150e6*min(t, 1)'}
boundaries:
  floor: {shape: plane, axis: [0, 1], material: steel}
solver: {tolerance: 1e-8}
"""

RING = """title: a ring that is squeezed until it meets itself
dimension: 2
gravity: [0, 0]
time: {step: 0.05 ms, end: 40 ms, theta: 0.5}
materials: {rubber: {density: 1000}}
laws: [{law: coulomb, parameters: {mu: 0.3}}]
bodies:
  - material: rubber
    position: [0, 10 mm]
    deformable:
      mesh: {kind: ring, radius: 10 mm, inner: 8 mm, cells: [48, 2]}
      bulk: {law: neo-hookean, parameters: {young: 1 MPa, poisson: 0.3}}
      kinematics: total-lagrangian
      damping: {mass: 100 1/s, stiffness: 0.1 ms}
      contact: {groups: [rim, inner], self: true}
boundaries:
  floor: {shape: plane, axis: [0, 1], material: rubber}
  lid: {shape: plane, axis: [0, -1], material: rubber, position: [0, 20 mm], velocity: [0, -0.45]}
"""

# name, deck of input/ or the text of one, overrides, step
PROBLEMS = [
    ("cylinder", "hertz-cylinder", ["laws[0].parameters.mu=0.1", "time.end=1.1"], 11),
    ("plate", PLATE, [], 4),
    ("press", "press", FRICTION + ["time={scheme: static, step: 0.05, end: 0.2}", "solver.tolerance=1e-8"], 4),
    ("spheres", "hertz-spheres", FRICTION, 4),
    ("disks", "deformable-disks", ["time.end=30 ms"], 300),
    ("ring", RING, [], 800),
]


def capture(program, folder, name, deck, sets, step):
    path = f"{ROOT}/input/{deck}.yaml"
    if "\n" in deck:
        path = os.path.join(folder, f"{name}.yaml")
        with open(path, "w") as file:
            file.write(deck)
    out = os.path.join(folder, name)
    command = [program, "run", path, "--out", out, "--overwrite", "--capture", str(step), "--set", "output.every=1"]
    done = subprocess.run(command + [x for s in sets for x in ("--set", s)], capture_output=True, text=True)
    if done.returncode > 1:  # 1: a step did not converge, which is not asked here
        raise SystemExit(done.stderr)
    problem = os.path.join(folder, f"{name}.hdf5")
    os.replace(os.path.join(out, f"capture_{step:06d}.hdf5"), problem)
    return problem


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("--solvers", default="all")
    options.add_argument("--max-time", default="2")
    options = options.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    files = [capture(options.program, options.folder, *problem) for problem in PROBLEMS]
    race = os.path.join(options.folder, "race")
    subprocess.run([options.program, "compare", *files, "--solvers", options.solvers, "--tolerance", "1e-4,1e-8", "--measure", "scaled",
                    "--one-pass", "--clock", "cpu", "--max-time", options.max_time, "--out", race, "--quiet"], check=False, capture_output=True)
    with open(os.path.join(race, "runs.csv")) as file:
        rows = list(csv.DictReader(file))
    print_table(rows)


def print_table(rows):
    names = [problem[0] for problem in PROBLEMS]
    solvers = list(dict.fromkeys(row["solver"] for row in rows))
    for tolerance in ("0.0001", "1e-08"):
        cell = {(row["solver"], row["problem"]): row for row in rows if float(row["tolerance"]) == float(tolerance)}
        best = {name: min((float(row["cpu_s"]) for (_, problem), row in cell.items()
                           if problem == name and row["status"] == "converged"), default=0) for name in names}
        print(f"\n| scaled error {float(tolerance):g} | " + " | ".join(names) + " |\n|" + "---|" * (1 + len(names)))
        for solver in solvers:
            texts = []
            for name in names:
                row = cell.get((solver, name))
                solved = row and row["status"] == "converged"
                texts.append(f"{row['iterations']} ({float(row['cpu_s']) / best[name]:.1f})" if solved else "-")
            print(f"| {solver} | " + " | ".join(texts) + " |")
        print("| the fastest, s | " + " | ".join(f"{best[name]:.2g}" for name in names) + " |")


main()
