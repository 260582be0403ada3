"""Whether two folders of runs hold the same: every file that a series names, tables, pictures, the summary, byte for byte, but for
columns and keys that tell seconds of wall clock."""
import filecmp, glob, json, os


def history(out):
    rows = [line.rstrip("\n").split(",") for line in open(os.path.join(out, "history.csv"))]
    kept = [k for k, name in enumerate(rows[0]) if "_time" not in name]
    return [[row[k] for k in kept] for row in rows]


def differences(alone, broken):
    """The names of files that differ."""
    wrong = []
    if history(alone) != history(broken):
        wrong.append("history.csv")
    for kind in ("*.pvd", "*.svg", "average_*.csv", "average_*.vtu", "resolved.yaml"):
        for path in glob.glob(os.path.join(alone, kind)):
            if not filecmp.cmp(path, os.path.join(broken, os.path.basename(path)), False):
                wrong.append(os.path.basename(path))
    for pvd in glob.glob(os.path.join(alone, "*.pvd")):  # what a series names counts
        for part in open(pvd).read().split('file="')[1:]:
            name = part.split('"')[0]
            if not filecmp.cmp(os.path.join(alone, name), os.path.join(broken, name), False):
                wrong.append(name)
    a, b = (json.load(open(os.path.join(out, "summary.json"))) for out in (alone, broken))
    for both in (a, b):
        both.pop("wall_clock_s")
    if a != b:
        wrong.append("summary.json")
    return wrong
