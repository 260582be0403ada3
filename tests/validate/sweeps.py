"""Sweeps against the number of grains, and Contact Dynamics against Molecular Dynamics (Brendel et al. 2004, secs. 1.5 and 1.6).

    sweeps.py PROGRAM FOLDER [short|full]

  eq. 1.34   shuffled sweeps from zero until all grains of a lattice at rest bear each other, |e| <= 1e-2 |q|, against N: the power of N with
             its error over seeds, in 2-D and 3-D; the random sequential update beside it
  eq. 1.37   the same grains dropped into a box by both methods: contacts solved, and contacts whose force was computed, against N and K
  Fig. 1.6   from both the stiffness K r²/(m v²) above which Contact Dynamics is cheaper, against N; FOLDER/domains.svg
  sec. 1.2   what both say of these packings at rest: height of the centre, coordination (Jean 1994 set CD beside TRUBAL on one sample)

The power is 2/d with a correction that is known. The slowest mode of a system L grains wide falls by exp(-c k / L²) in k sweeps. Its gradient
leaves a relative velocity in each of L^d contacts, while q stands in the L^(d-1) contacts of the floor alone: |e|/|q| = exp(-c k/L²)/sqrt(L) up to a
factor, so k grows as L^p with p = 2 - 1 / (2 ln(1 / (1e-2 sqrt(L)))), 1.8 to 1.9 here; that and what walls add at the smallest sizes (one grain of L) is
the bound. Counts are judged, never times. The short form, a test, takes fewer seeds and sizes. Exit status 1 when something is not so.
"""
import csv
import json
import os
import subprocess
import sys

import numpy as np

program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
full = len(sys.argv) < 4 or sys.argv[3] == "full"
os.makedirs(folder, exist_ok=True)
RADIUS, DENSITY, GRAVITY, TOLERANCE = 5e-3, 2500, 9.81, 1e-2
faults = []


def check(holds, sentence, *numbers):
    print(("  holds   " if holds else "  FAILS   ") + sentence % numbers)
    if not holds:
        faults.append(sentence % numbers)


def call(*arguments, statuses=(0,)):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode not in statuses:
        sys.exit("sweeps.py: delassus %s\n%s%s" % (" ".join(arguments), done.stdout, done.stderr))
    return done.stdout


def table(name, heads, rows):
    with open(os.path.join(folder, name), "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def deck(name, dim, across, high, grains, law, time, solver=""):
    """A box `across` diameters wide and `high` diameters high with these grains."""
    d = 2 * RADIUS
    width, height = across * d, high * d
    sides = [width] * (dim - 1)
    text = """title: %s
dimension: %d
time: {%s}
gravity: %s
materials: {grain: {density: %g}}
laws: [%s]
grains:
  - {material: grain, %s, region: {low: %s, high: %s}, sizes: {radius: %g}}
boundaries:
  box: {shape: box, inside: true, open: ["+%s"], material: grain, depth: 5 mm, position: %s, length: %s}
output: {every: 0.1 s}
%s
""" % (name, dim, time, [0] * (dim - 1) + [-GRAVITY], DENSITY, law, grains, [0] * dim, [1.000001 * x for x in sides] + [height], RADIUS,
       "xyz"[dim - 1], [x / 2 for x in sides] + [height], [1.000001 * x for x in sides] + [2 * height], solver)
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(text)
    return path


def run(name, path, *options):
    """History of a run; the full form takes the one that FOLDER has already, so that it can be stopped and started again."""
    out = os.path.join(folder, name)
    if not (full and os.path.isfile(os.path.join(out, "summary.json"))):
        call("run", path, "--out", out, "--overwrite", "--quiet", *options, statuses=(0, 1))
    with open(os.path.join(out, "history.csv")) as file:
        rows = list(csv.reader(file))
    values = np.array([[float(x or "nan") for x in row] for row in rows[1:]])
    return out, {head.split(" [")[0]: values[:, k] for k, head in enumerate(rows[0])}


def lattice(dim, side):
    """The problem of a step of side^dim grains at rest; its N."""
    name = "lattice-%d-%d" % (dim, side)
    grains = "place: lattice, lattice: %s, pitch: %g" % ("hexagonal" if dim == 2 else "fcc", 2 * RADIUS)
    path = deck(name, dim, side, side * 1.000001, grains, "{law: coulomb, parameters: {mu: 0.3}}",
                "step: 1 ms, end: 1 ms, scheme: euler, alert: 0.01 mm", "solver: {name: nsgs, max_iterations: 1}")
    out, history = run(name, path, "--capture", "1")
    captured = next(f for f in sorted(os.listdir(out)) if f.startswith("capture"))
    return os.path.join(out, captured), history["bodies"][-1]


def sweeps(problem, order, seed):
    answer = json.loads(call("solve", problem, "--solver", "nsgs", "--option", "sweep=" + order, "--option", "seed=%d" % seed, "--option",
                             "check_every=2", "--guess", "zero", "--measure", "natural_q", "--tolerance", str(TOLERANCE), "--max-iterations",
                             "100000", "--json", statuses=(0, 1)))
    if answer["status"] != "converged":
        sys.exit("sweeps.py: %s %s: %s" % (problem, order, answer["status"]))
    return answer["iterations"]


def growth(dim, sides, seeds):
    """eq. 1.34; N and shuffled sweeps."""
    print("\neq. 1.34 in %d-D: sweeps until |e| <= %g |q|" % (dim, TOLERANCE))
    count, found, powers = [], [], []
    for side in sides:
        problem, grains = lattice(dim, side)
        k = np.array([[sweeps(problem, order, s + 1) for s in range(seeds)] for order in ("random", "drawn")])
        count.append(grains)
        found.append(k[0])
        print("  %5d grains   shuffled %7.1f +- %4.1f   drawn %7.1f +- %4.1f   ratio %.2f" % (
            grains, k[0].mean(), k[0].std(ddof=1) / np.sqrt(seeds), k[1].mean(), k[1].std(ddof=1) / np.sqrt(seeds), k[1].mean() / k[0].mean()))
        check(k[1].mean() > k[0].mean(), "drawing contacts one by one takes more sweeps than shuffling them")
    found = np.array(found)
    powers = [np.polyfit(np.log(count), np.log(found[:, s]), 1)[0] for s in range(seeds)]
    power, error = np.mean(powers), np.std(powers, ddof=1) / np.sqrt(seeds)
    middle = np.sqrt(sides[0] * sides[-1])
    expected = (2 - 0.5 / np.log(1 / (TOLERANCE * np.sqrt(middle)))) / dim
    # A wall shifts the end of the slowest mode by up to one grain of L: L -> L + 1 in the first size, so the power by as much.
    edges = 2 * (np.log((sides[-1] + 1) / (sides[0] + 1)) / np.log(sides[-1] / sides[0]) - 1) / dim
    print("  N^(%.3f +- %.3f); 2/d is %.3f, with its logarithm %.3f" % (power, error, 2 / dim, expected))
    check(abs(power - expected) <= abs(edges) + 3 * error, "that is the law, to %.3f", abs(edges) + 3 * error)
    return np.array(count), found.mean(1)


def packings(dim, sides, stiffness, seeds):
    """eq. 1.37: the same grains by both methods."""
    print("\neq. 1.37 in %d-D: dropped into a box, 0.3 s by both methods" % dim)
    rows, apart = [], []
    mass = DENSITY * (np.pi * RADIUS**2 if dim == 2 else 4 / 3 * np.pi * RADIUS**3)
    for side in sides:
        for seed in range(1, seeds + 1):
            grains = "place: rain, gap: 0.5 mm, count: %d, seed: %d" % (side**dim, seed)
            name = "cd-%d-%d-%d" % (dim, side, seed)
            _, cd = run(name, deck(name, dim, side + 0.5, 4 * side, grains, "{law: coulomb, parameters: {mu: 0.3}}",
                                   "step: 1 ms, end: 0.3 s, scheme: euler", "solver: {name: nsgs, tolerance: 1e-3, max_iterations: 1000}"))
            solved = (cd["contacts"] * cd["iterations"]).sum()
            for softness in stiffness:
                kn = softness * mass * GRAVITY / (2 * RADIUS)
                h = np.pi * np.sqrt(mass / kn) / 50
                name = "md-%d-%d-%d-%g" % (dim, side, seed, softness)
                law = "{law: spring-dashpot, parameters: {kn: %g, kt: %g, restitution: 0.1, gamma_t: 0, mu: 0.3}}" % (kn, kn / 3)
                _, md = run(name, deck(name, dim, side + 0.5, 4 * side, grains, law, "step: %.6g, end: 0.3 s, scheme: explicit" % h))
                forces = md["contacts"].sum()
                rows.append((dim, side**dim, seed, softness, solved, forces, solved / forces))
                if softness == stiffness[-1]:
                    weight = side**dim * mass * GRAVITY
                    apart.append(((cd["potential"][-1] - md["potential"][-1]) / weight / (2 * RADIUS), cd["active"][-1] / side**dim,
                                  md["active"][-1] / side**dim))
    for side in sides:
        for softness in stiffness:
            ratio = np.array([r[6] for r in rows if r[1] == side**dim and r[3] == softness])
            print("  %5d grains   K = %g m g / d   contacts solved over forces computed: %.3f +- %.3f" % (
                side**dim, softness, ratio.mean(), ratio.std(ddof=1) / np.sqrt(len(ratio))))
    few = [np.log(r[5]) for r in rows if r[3] == stiffness[0]]
    many = [np.log(r[5]) for r in rows if r[3] == stiffness[-1]]
    power = np.mean(np.subtract(many, few)) / np.log(stiffness[-1] / stiffness[0])
    print("  cost of Molecular Dynamics as K^%.2f (eq. 1.36: 1/2)" % power)
    table("costs-%d.csv" % dim, ("dim", "grains", "seed", "K d over m g", "solved", "forces", "ratio"), rows)
    apart = np.array(apart)
    mean, error = apart.mean(0), apart.std(0, ddof=1) / np.sqrt(len(apart))
    print("sec. 1.2: centre %.3f +- %.3f diameters higher by Contact Dynamics; %.2f +- %.2f and %.2f +- %.2f contacts with a force per grain" % (
        mean[0], error[0], mean[1], error[1], mean[2], error[2]))
    # The load of a layer is at most that of `side` layers, so each spring yields by side d / K at most, and all below the middle add up.
    yields = max(sides)**2 / stiffness[-1]
    check(abs(mean[0]) <= yields + 3 * error[0], "the centres are as high, to %.3f diameters", yields + 3 * error[0])


def domains(found):
    """Fig. 1.6: K r²/(m v²) at which both cost the same: N_I contacts solved every 0.1 r/v against one force every pi/50 sqrt(m/K)."""
    print("\nFig. 1.6: K r²/(m v²) above which Contact Dynamics from zero costs less")
    rows = []
    for dim, (count, k) in found.items():
        line = (k / 0.1 * np.pi / 50) ** 2
        print("  %d-D: " % dim + "  ".join("N %d: %.2g" % pair for pair in zip(count, line)) + "   N^%.2f, 4/d is %.2f" % (
            np.polyfit(np.log(count), np.log(line), 1)[0], 4 / dim))
        table("domains-%d.csv" % dim, ("N", "stiffness"), list(zip(count, line)))
        call("plot", os.path.join(folder, "domains-%d.csv" % dim), "N", "stiffness", "--log", "xy", "--title",
             "Contact Dynamics is cheaper above, %d-D" % dim, "--out", os.path.join(folder, "domains-%d.svg" % dim))


found = {2: growth(2, (8, 16, 32, 48) if full else (8, 16, 24), 5 if full else 3), 3: growth(3, (4, 6, 8, 12) if full else (4, 6, 9), 5 if full else 3)}
domains(found)
for dim, sides in ((2, (6, 12) if full else (6,)), (3, (4, 6) if full else ())):
    if sides:
        packings(dim, sides, (1e3, 4e3), 6 if full else 4)
sys.exit("sweeps.py: %d not so" % len(faults) if faults else 0)
