"""Every deck of input/ with bodies that have corners, shortened: all steps converge, and a run that is ended halfway and gone on with
leaves the files of one left alone, byte for byte.

    restart_solids_check.py PROGRAM INPUT FOLDER

Exit status 0 when all is well, 1 with a line for each fault."""
import glob, json, os, re, shutil, subprocess, sys

import restart_files

program, decks, folder = sys.argv[1:4]
# What makes something happen in a few steps: [length of a half, settings].
FORMS = {
    "arch": ["20 ms"],
    "arch-falls": ["40 ms"],
    "ballast": ["20 ms", "grains[0].count=40", "boundaries.left.position=[-0.3, 0]", "grains[0].region.low=[-0.3, 0]",
                "boundaries.right.position=[0.3, 0]", "grains[0].region.high=[0.3, 0.5]", "grains[0].velocity=[0, -4]",
                "bodies[2].from=10 ms", "loads[0].on=s3", "loads[0].from=30 ms"],
    "bank": ["50 ms", "sources[0].rate=2000", "sources[0].region.low=[-0.2, 0.25]", "sources[0].region.high=[-0.1, 0.4]"],
    "biaxial-polygons": ["5 ms", "boundaries.top.position=[0, 0.19]", "grains[0].count=100", "boundaries.right.position=[0.12, 0]",
                         "grains[0].region.high=[0.12, 0.11]"],
    "column": ["20 ms"],
    "dominoes": ["20 ms"],
    "dry-stone": ["4 ms", "blocks[0].length=1 m", "blocks[0].courses=4"],
    "hopper-mesh": ["60 ms", "grains[0].count=40", "grains[1].count=40"],
    "masonry-2d": ["4 ms"],
    "masonry-3d": ["4 ms"],
    "polygon-rain": ["100 ms", "sources[0].rate=400", "sources[0].region.low=[-0.3, 0.02]", "sources[0].region.high=[0.3, 0.1]"],
    "punch": ["0.5 ms"],
    "pushover": ["10 ms"],
    "rocking-block": ["10 ms"],
    "shaken-wall": ["10 ms"],
    "sleeper": ["30 ms"],
    "tilting-arch": ["20 ms"],
    "vault": ["4 ms"],
    "vault-quake": ["4 ms"],
    "voronoi": ["5 ms", "blocks[0].count=40"],
    "wheel": ["8 ms", "bodies[0].velocity=[1, -2]"],
}
faults = []


def run(deck, out, *words):
    done = subprocess.run([program, "run", "--out", out, "--quiet", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        faults.append("%s: exit status %d\n%s" % (deck, done.returncode, done.stdout))
    return done.returncode == 0


def twice(length):
    number, unit = length.split()
    return "%g %s" % (2 * float(number), unit)


def check(deck, half, *settings):
    path = os.path.join(decks, deck + ".yaml")
    alone, broken = os.path.join(folder, deck, "alone"), os.path.join(folder, deck, "broken")
    words = [word for setting in settings + ("output.every=" + half, "output.post=[stress]") for word in ("--set", setting)]
    if not run(deck, alone, path, *words, "--set", "time.end=" + twice(half)):
        return
    if not run(deck, broken, path, *words, "--set", "time.end=" + half):
        return
    saved = os.path.join(broken, "checkpoint.h5")
    if not run(deck, broken, path, *words, "--set", "time.end=" + twice(half), "--restart", saved):
        return
    wrong = restart_files.differences(alone, broken)
    if wrong:
        faults.append("%s: these differ after a restart: %s" % (deck, ", ".join(wrong[:10])))
    with open(os.path.join(alone, "summary.json")) as file:
        if json.load(file)["steps_not_converged"] != 0:
            faults.append("%s: steps that did not converge" % deck)
    rows = restart_files.history(alone)
    if float(rows[-1][rows[0].index("contacts")]) < 1:
        faults.append("%s: nothing touches; the short form shows nothing" % deck)
    if not os.path.exists(os.path.join(alone, "solids.pvd")):
        faults.append("%s: no body has corners; leave it out" % deck)


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
for path in sorted(glob.glob(os.path.join(decks, "*.yaml"))):
    name = os.path.basename(path)[:-5]
    with open(path) as file:
        if name not in FORMS and re.search(r"^blocks:|^[^#]*\bshape: *\{kind:", file.read(), re.M):
            faults.append("%s: a deck with corners that has no short form here" % name)
for name in FORMS:
    check(name, *FORMS[name])
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
