"""Discharge of a silo, and one predictor-corrector step against two (Sanni et al. 2009, secs. 4 and 6).

    silo.py PROGRAM FOLDER [short|full]

Of input/silo.yaml with h = 1e-3 s as told there:

  Fig. 5   potential and effective contacts: close at rest, apart in the flow; FOLDER/contacts.svg
  Fig. 6   cost of a step, contacts solved, against the number of spheres and against mu; shares of time
  Fig. 7   effective contacts at the bottom at one moment against mu: less flow with more friction; FOLDER/bottom.svg
  6.3      energies of input/impact.yaml

Of problems taken from four cases of the paper (silo, pile, impact, shaken box): sweeps to a bi-potential error by one predictor-corrector
step (`uzawa method=bipotential`), by two (`method=alternate`) and by exact local solves (`nsgs`); FOLDER/steps.csv.

The short form, a test, takes 400 spheres, two coefficients of friction, and problems of fewer grains. What is judged: the forces on the
boundaries at rest are the weight; effective contacts are more at rest than in the flow, and a larger share; fewer contacts at
the bottom with more friction; an impact without restitution gives no energy; two steps solve whatever one step solves. Times are shown, never
judged. Exit status 1 when one of these is not so.
"""
import csv
import json
import os
import subprocess
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAVITY, DENSITY, RADIUS = 9.81, 2500, 5e-3
GATE, LATE = 0.4, 0.9  # s: the gate opens; the moment of Fig. 7
ERROR = 1e-3  # relative bi-potential error of the races: the tolerance of the decks

program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
full = len(sys.argv) < 4 or sys.argv[3] == "full"
os.makedirs(folder, exist_ok=True)
faults = []


def check(holds, sentence, *numbers):
    text = sentence % numbers
    print(("  holds   " if holds else "  FAILS   ") + text)
    if not holds:
        faults.append(text)


def call(*arguments, statuses=(0,)):
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in statuses:
        sys.exit("silo.py: delassus %s\n%s%s" % (" ".join(arguments), done.stdout, done.stderr))
    return done.stdout


def run(name, deck, *settings, options=()):
    """History of a run with overrides, as columns; the full form takes the run that FOLDER has already."""
    out = os.path.abspath(os.path.join(folder, name))
    if not (full and os.path.isfile(os.path.join(out, "summary.json"))):
        sets = [part for s in settings for part in ("--set", s)]
        call("run", "input/%s.yaml" % deck, "--out", out, "--overwrite", "--quiet", *sets, *options, statuses=(0, 1))
    with open(os.path.join(out, "history.csv")) as file:
        rows = list(csv.reader(file))
    table = np.array([[float(x or "nan") for x in row] for row in rows[1:]])
    return out, {head.split(" [")[0]: table[:, k] for k, head in enumerate(rows[0])}


def silo(name, count, mu, end, seed=1):
    # Poured in as a taller column where there are more: the silo is as wide.
    height = 0.17 * max(count, 1000) / 1000
    return run(name, "silo", "time.step=1 ms", "time.end=%g" % end, "grains[0].count=%d" % count, "grains[0].seed=%d" % seed,
               "grains[0].region.height=%g" % height, "boundaries.wall.length=[%g]" % (height + 0.23),
               "boundaries.wall.position=[0,0,%g]" % (0.25 + (height + 0.23) / 2), "laws[0].parameters.mu=%g" % mu, "output.every=50 ms")


def between(h, column, low, high):
    return h[column][(h["time"] > low) & (h["time"] <= high)]


def contacts_of(h, count):
    """Fig. 5: the share of effective contacts, at rest before the gate opens and in the flow; the weight at rest."""
    rest, flow = [between(h, "active", *t).sum() / between(h, "contacts", *t).sum() for t in ((0.3, GATE), (0.6, LATE))]
    weight = count * DENSITY * 4 / 3 * np.pi * RADIUS**3 * GRAVITY
    borne = -sum(between(h, "force_z_%s" % b, 0.3, GATE).mean() for b in ("bin", "wall", "hopper", "gate"))
    print("\nFig. 5: effective over potential contacts: %.3f at rest, %.3f in the flow" % (rest, flow))
    check(rest > flow, "the two are closer at rest than in the flow (%.3f, %.3f)", rest, flow)
    # Potential ones are pairs that could meet in the step at the speeds of the moment, the gate's among them; effective ones need no such range.
    still, moving = [between(h, "active", *t).mean() for t in ((0.3, GATE), (0.6, LATE))]
    check(still > moving, "effective contacts open in the flow: %.0f at rest, %.0f in it", still, moving)
    # What the mean over T may differ by is the change of momentum over T, |p| <= sqrt(2 M K).
    mass, kinetic = weight / GRAVITY, [between(h, "kinetic", t - 5e-4, t + 5e-4)[0] for t in (0.3, GATE)]
    change = sum(np.sqrt(2 * mass * k) for k in kinetic) / (GATE - 0.3)
    check(abs(borne - weight) <= change + 1e-9 * weight, "boundaries bear the weight, %.4f N, of which motion may take %.4f: %.4f N", weight,
          change, borne)


def work(h):
    """Contacts solved in a step, and the mean share of each stage in the time of a step."""
    stages = [h[s + "_time"].sum() for s in ("detect", "assemble", "solve", "integrate")]
    return (h["contacts"] * h["iterations"]).mean(), np.array(stages) / sum(stages)


def at_bottom(out):
    """Effective contacts of the bin at the last frame."""
    rows = json.loads(call("post", "walls", out, "--json"))["bins"][0]["rows"]
    return next(r["contacts"] for r in rows if r["name"] == "bin")


def friction(values, count, seeds):
    """Figs. 6b and 7."""
    print("\nFig. 7: effective contacts at the bottom at t = %g s; Fig. 6b: contacts solved in a step" % LATE)
    found, rows = {}, []
    for mu in values:
        runs = [silo("mu-%g-%d-%d" % (mu, count, seed), count, mu, LATE, seed) for seed in seeds]
        bottom = np.array([at_bottom(out) for out, _ in runs])
        cost = np.array([work(h)[0] for _, h in runs])
        error = bottom.std(ddof=1) / np.sqrt(len(bottom)) if len(bottom) > 1 else float("nan")
        found[mu] = bottom.mean(), error
        rows.append((mu, bottom.mean(), error, cost.mean()))
        print("  mu %-5g %6.1f +- %4.1f contacts at the bottom   %9.0f solved in a step" % rows[-1])
    table("bottom.csv", ("mu", "contacts", "error", "solved"), rows)
    least, most = found[min(values)], found[max(values)]
    check(most[0] < least[0], "less flow with more friction: %.1f contacts at mu %g, %.1f at mu %g", least[0], min(values), most[0],
          max(values))
    call("plot", os.path.join(folder, "bottom.csv"), "mu", "contacts", "--dots", "--title", "Effective contacts at the bottom", "--out",
         os.path.join(folder, "bottom.svg"))


def sizes(counts):
    """Fig. 6a: the power of N by which the cost of a step grows, to the end of the filling and in the flow."""
    print("\nFig. 6a: contacts solved in a step, and shares of time (detect, assemble, solve, integrate)")
    rows = []
    for count in counts:
        solved, shares = work(silo("n-%d" % count, count, 0.2, LATE)[1])
        rows.append((count, solved))
        print("  %5d spheres %10.0f   %s" % (count, solved, "  ".join("%4.1f %%" % (100 * s) for s in shares)))
    power = np.polyfit(*np.log(np.array(rows)).T, 1)[0]
    print("  grows as N^%.2f" % power)
    table("spheres.csv", ("spheres", "solved"), rows)


def table(name, heads, rows):
    with open(os.path.join(folder, name), "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


METHODS = {"one step": ("uzawa", "method=bipotential"), "one step, rho 1.9": ("uzawa", "method=bipotential", "rho=1.9"),
           "two steps": ("uzawa", "method=alternate"), "exact": ("nsgs",)}


def problems():
    """One problem of each case, while things move: (case, file)."""
    small = not full
    cases = {"silo": ("silo", 700 if small else 800, ["time.step=1 ms", "grains[0].count=%d" % (400 if small else 1000)]),
             "pile": ("pile", 200 if small else 400, ["sources[0].limit=%d" % (200 if small else 600)]),
             "impact": ("impact", 20, ["grains[0].layers=%d" % (4 if small else 8)]),
             "shaken box": ("vibrated-box", 300 if small else 800, ["grains[0].count=%d" % (300 if small else 960)])}
    for case, (deck, step, settings) in cases.items():
        h = 5e-3 if deck == "pile" else 1e-3 if deck == "silo" else 5e-4
        out = run("case-" + deck, deck, *settings, "time.end=%g" % (h * step), "output.every=%g" % (h * step),
                  options=("--capture", str(step)))[0]
        yield case, os.path.join(out, "capture_%06d.hdf5" % step)


def steps():
    print("\nOne predictor-corrector step against two: sweeps, and products with W of work, from zero to a bi-potential error of %g" % ERROR)
    print("  %-12s%9s" % ("", "contacts") + "".join("%24s" % m for m in METHODS))
    rows = []
    for case, problem in problems():
        contacts, line = None, ""
        outcome = {}
        for method, (solver, *options) in METHODS.items():
            chosen = [part for o in options for part in ("--option", o)]
            answer = json.loads(call("solve", problem, "--solver", solver, *chosen, "--guess", "zero", "--measure", "bipotential",
                                     "--tolerance", str(ERROR), "--max-iterations", "20000", "--json", statuses=(0, 1)))
            outcome[method] = answer
            rows.append((case, method, answer["contacts"], answer["status"], answer["iterations"], answer["work"]["units"]))
            contacts = answer["contacts"]
            line += "%24s" % ("%d, %.0f" % (answer["iterations"], answer["work"]["units"]) if answer["status"] == "converged" else answer["status"])
        print("  %-12s%9d%s" % (case, contacts, line))
        if outcome["one step"]["status"] == "converged":
            check(outcome["two steps"]["status"] == "converged", "%s: two steps solve what one step solves", case)
    table("steps.csv", ("case", "method", "contacts", "outcome", "sweeps", "work"), rows)


def impact():
    """Sec. 6.3: without restitution the impact only takes, and what bodies, gravity and contacts have adds up."""
    print("\nSec. 6.3: a ball at 5 m/s onto cannon balls")
    _, h = run("impact", "impact")
    before, after = [h["kinetic"][np.searchsorted(h["time"], t)] for t in (0.01, 0.1)]
    print("  kinetic energy %.0f J before, %.0f J at 0.1 s; the floor bears %.0f N at most" % (before, after, -h["force_z_floor"].min()))
    check(after < before, "the impact takes energy: %.0f J of %.0f J", before - after, before)
    check(np.all(np.diff(h["dissipated"]) >= -1e-9 * before), "and no step gives any")
    check(np.abs(h["balance"]).max() < 1e-9 * before, "works balance to %.1e J", np.abs(h["balance"]).max())


count = 1000 if full else 400
out, history = silo("silo", count, 0.2, 4 if full else LATE)
contacts_of(history, count)
call("plot", os.path.join(out, "history.csv"), "t", "contacts", "active", "--title", "Potential and effective contacts", "--out",
     os.path.join(folder, "contacts.svg"))
friction((0.05, 0.1, 0.2, 0.4, 0.6, 0.8) if full else (0.1, 0.8), count, range(1, 4) if full else (1,))
if full:
    sizes((250, 500, 1000, 2000))
impact()
steps()
sys.exit("silo.py: %d not so" % len(faults) if faults else 0)
