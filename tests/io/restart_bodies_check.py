"""Deformable bodies with a memory, one row of a table for each bulk law, kinematics, scheme and contact law that go together: a run that
is ended twice on its way and gone on with, once with its deck and once without, leaves the files of one left alone, byte for byte.

    restart_bodies_check.py PROGRAM FOLDER

Exit status 0 when all is well, 1 with a line for each fault."""
import json, os, shutil, subprocess, sys

import restart_files

program, folder = sys.argv[1:3]
faults = []
ELASTIC = {"young": 1e6, "poisson": 0.3}
# Weak enough to flow, break and creep in the blow or under the press: [parameters, whether something is lost within].
BULK = {
    "elastic": [ELASTIC, False],
    "orthotropic": [{"angle": 0.3}, False],
    "neo-hookean": [ELASTIC, False],
    "j2": [dict(ELASTIC, **{"yield": 1e4, "hardening": 1e5, "kinematic": 2e5}), True],
    "drucker-prager": [dict(ELASTIC, cohesion=6e3), True],
    "damage": [dict(ELASTIC, strength=1.5e4, fracture_energy=100), True],
    "maxwell": [dict(ELASTIC, tau=0.01, lasting=0.2), True],
    "kelvin-voigt": [dict(ELASTIC, tau=1e-3), True],
}
LAWS = {
    "coulomb": {"mu": 0.3},
    "cohesive-zone": {"f_t": 2e3, "c": 2e3, "G_I": 1, "G_II": 1, "mu": 0.4, "reach": 1e-4},
    "mortar": {"k_n": 1e8, "k_t": 1e8, "f_t": 2e3, "c": 2e3, "G_I": 1, "G_II": 1, "mu": 0.4, "area": 1e-3, "reach": 1e-4},
    "rate-and-state": {},
}


def row(bulk, kinematics, scheme, **more):
    return dict(more, bulk=bulk, kinematics=kinematics, scheme=scheme)


TABLE = [row(bulk, kinematics, scheme) for scheme in ("moreau", "static") for bulk in BULK for kinematics in ("small", "total-lagrangian")
         if not (bulk == "neo-hookean" and kinematics == "small") and not (bulk == "damage" and kinematics == "total-lagrangian")
         and not (bulk == "orthotropic" and kinematics == "small")]
TABLE += [row(bulk, "corotational", scheme) for scheme in ("moreau", "static") for bulk in ("elastic", "orthotropic")]
TABLE += [row(bulk, "small", "moreau", law=law, points=points) for bulk in ("elastic", "j2") for law in ("cohesive-zone", "mortar")
          for points in ("mortar", "nodes")]
TABLE += [
    row("drucker-prager", "total-lagrangian", "static", law="cohesive-zone", points="mortar"),
    row("damage", "small", "static", law="mortar", points="mortar"),
    row("elastic", "corotational", "moreau", law="cohesive-zone", points="mortar"),
    row("elastic", "small", "moreau", law="rate-and-state", points="quadrature"),
    row("j2", "small", "euler"),
    row("maxwell", "total-lagrangian", "euler"),
    row("j2", "small", "moreau", plane="stress"),
    row("j2", "total-lagrangian", "moreau", dimension=3),
    row("drucker-prager", "small", "moreau", dimension=3),
    row("elastic", "corotational", "moreau", dimension=3),
    row("elastic", "corotational", "moreau", dimension=3, law="cohesive-zone", points="mortar"),
    row("elastic", "small", "moreau", dimension=3, points="mortar"),
    row("j2", "small", "moreau", element="Q8"),
    row("damage", "small", "moreau", element="T3", mass="consistent"),
    row("elastic", "small", "moreau", mass="massless-contact"),
    row("maxwell", "small", "moreau", damping={"mass": 5, "stiffness": 1e-4}, theta=0.7),
    row("j2", "small", "moreau", control="halve", fraction=0.02),
    row("j2", "total-lagrangian", "static", control="halve", fraction=10, step=0.2),
    row("elastic", "corotational", "moreau", control="halve", fraction=0.02),
]


def block(dim, size, cells, element):
    mesh = {"kind": "block", "size": size[:dim], "cells": cells[:dim]}
    return dict(mesh, element=element) if element else mesh


def deck_of(r):
    """A block on a block that is held: struck by the fall of it and of a ball, or pressed, sheared and let go."""
    dim, still, law = r.get("dimension", 2), r["scheme"] == "static", r.get("law", "coulomb")
    up = lambda side, height: [side, height] if dim == 2 else [side, 0, height]
    matter = {"bulk": {"law": r["bulk"], "parameters": BULK[r["bulk"]][0]}, "kinematics": r["kinematics"]}
    if "mass" in r and not still:
        matter["mass"] = r["mass"]
    if "damping" in r:
        matter["damping"] = r["damping"]
    if "plane" in r:
        matter["plane"] = r["plane"]
    sides = {"points": r.get("points", "nodes")}
    lower = dict(matter, mesh=block(dim, up(0.2, 0.1) if dim == 2 else [0.2, 0.12, 0.1], [5, 3] if dim == 2 else [3, 2, 2], r.get("element")),
                 fixed={"group": "bottom"}, contact=dict(sides, groups=["top"]))
    upper = dict(matter, mesh=block(dim, up(0.1, 0.06) if dim == 2 else [0.1, 0.08, 0.06], [4, 2] if dim == 2 else [2, 2, 1], r.get("element")),
                 contact=dict(sides, groups=["bottom", "top"]))
    along, across = ("vz", "vx") if dim == 3 else ("vy", "vx")
    bodies = [{"material": "soft", "name": "lower", "position": up(0, 0.05), "deformable": lower},
              {"material": "soft", "name": "upper", "position": up(0.01, 0.13), "deformable": upper}]
    if still:
        upper["contact"]["groups"] = ["bottom"]
        upper["prescribed"] = {"group": "top", along: "-2e-3*cos(2*t)", across: "3e-3*t"}
    else:
        bodies[1]["velocity"] = up(0.3, -1.5)
        bodies.append({"material": "stone", "radius": 0.03, "position": up(0.02, 0.19), "velocity": up(0, -2)})
    return {
        "dimension": dim, "gravity": up(0, 0 if still else -10),
        "time": {"step": r.get("step", 0.05 if still else 5e-4), "end": 2.4 if still else 0.03, "scheme": r["scheme"],
                 "theta": r.get("theta", 0.5), "control": r.get("control", "none"), "fraction": r.get("fraction", 0.1)},
        "materials": {"soft": {"density": 1200}, "stone": {"density": 2500}},
        "laws": [{"law": law, "parameters": LAWS[law], "between": ["soft", "soft"]},
                 {"law": "coulomb", "parameters": LAWS["coulomb"], "between": ["soft", "stone"]}],
        "bodies": bodies,
        "solver": {"tolerance": 1e-6},
        "output": {"every": 0.2 if still else 2.5e-3, "gauss": True, "checkpoint": 0.4 if still else 5e-3, "post": ["stress"]},
    }


def run(name, out, *words):
    done = subprocess.run([program, "run", "--quiet", "--out", out, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        faults.append("%s: exit status %d\n%s" % (name, done.returncode, done.stdout))
    return done.returncode == 0


def column(rows, name, at=-1):
    return float(rows[at][[title.split(" [")[0] for title in rows[0]].index(name)])


def check(r):
    name = "_".join(str(value).replace(" ", "") for value in r.values() if not isinstance(value, dict))
    here = os.path.join(folder, name)
    os.makedirs(here)
    deck, alone, broken = (os.path.join(here, part) for part in ("deck.yaml", "alone", "broken"))
    described = deck_of(r)
    with open(deck, "w") as file:
        json.dump(described, file)
    end, saved = described["time"]["end"], os.path.join(broken, "checkpoint.h5")
    ends = [["--set", "time.end=%g" % (part * end)] for part in (1 / 3, 2 / 3, 1)]
    if not run(name, alone, deck):
        return
    if not (run(name, broken, deck, *ends[0]) and run(name, broken, deck, *ends[1], "--restart", saved)):
        return
    begun = restart_files.history(broken)
    if not run(name, broken, *ends[2], "--restart", saved):
        return
    wrong = restart_files.differences(alone, broken)
    if wrong:
        faults.append("%s: these differ after two restarts: %s" % (name, ", ".join(wrong[:10])))
    rows = restart_files.history(alone)
    if max(column(rows, "active", k) for k in range(1, len(begun))) < 1:
        faults.append("%s: nothing touches before the last restart" % name)
    if BULK[r["bulk"]][1] and not column(begun, "lost_within") > 1e-3 * column(begun, "strain"):
        faults.append("%s: nothing is remembered at the last restart" % name)
    if r.get("control") == "halve" and max(column(rows, "parts", k) for k in range(1, len(rows))) < 2:
        faults.append("%s: no step is halved" % name)


shutil.rmtree(folder, ignore_errors=True)
for r in TABLE:
    check(r)
for fault in faults:
    print(fault)
print("%d rows, %d faults" % (len(TABLE), len(faults)))
sys.exit(1 if faults else 0)
