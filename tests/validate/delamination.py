"""Load against opening of input/delamination.yaml, beside beam theory: tests/validate/delamination_test.c has the formula.

    delamination.py PROGRAM RESULT [FIGURE.svg]

Writes RESULT/delamination.csv, prints the mean of load over theory where the crack runs, and draws both. The load is the work
of the ends over how far they went, in means of 1 ms."""
import csv
import math
import os
import subprocess
import sys

E, NU, H, G, RISE, SPEED = 10e9, 0.3, 5e-3, 100, 5e-3, 0.06  # Pa, -, m, J/m2, s, m/s: those of the deck
I, MU = H**3 / 12, E / (2 * (1 + NU))


def opening(t):
    return SPEED * t * t / (2 * RISE) if t < RISE else SPEED * (t - RISE / 2)


def theory(wanted):
    low, high = 1e-3, 1.0
    for _ in range(60):
        a = (low + high) / 2
        load = math.sqrt(G / (a * a / (E * I) + 1.2 / (MU * H)))
        low, high = (a, high) if load * (2 * a**3 / (3 * E * I) + 2.4 * a / (MU * H)) < wanted else (low, a)
    return load


program, folder = sys.argv[1:3]
with open(os.path.join(folder, "history.csv"), newline="") as file:
    rows = [(float(row["time [s]"]), float(row["force_work [J]"])) for row in csv.DictReader(file)]
stride = max(1, round(1e-3 / (rows[1][0] - rows[0][0])))
table = []
for (t0, w0), (t1, w1) in zip(rows[:-stride:stride], rows[stride::stride]):
    middle = (opening(t0) + opening(t1)) / 2
    table.append((middle, (w1 - w0) / (opening(t1) - opening(t0)), theory(middle)))
running = [load / wanted for middle, load, wanted in table if middle > 1.6e-3]
if running:
    print("load over theory where the crack runs: mean %.3f, %.3f to %.3f" % (sum(running) / len(running), min(running), max(running)))
path = os.path.join(folder, "delamination.csv")
with open(path, "w") as file:
    file.write("opening [m],load [N/m],theory [N/m]\n")
    file.writelines("%.9g,%.9g,%.9g\n" % row for row in table if row[0] > 0.5e-3)
figure = sys.argv[3] if len(sys.argv) > 3 else os.path.join(folder, "delamination.svg")
subprocess.run([program, "plot", path, "opening", "load", "theory", "--out", figure, "--title", "a double cantilever beam"], check=True)
