"""Figures of a race, computed again from its table and by other means.

    compare_figures_check.py PROGRAM SCRATCH
    compare_figures_check.py RACE

A race of samples is run. Its profiles (Dolan and More 2002) are computed here from runs.csv alone and compared with the
curves that figures/*.csv holds, number by number, without a tolerance; each curve ends at the share that is solved. The powers of
cost against size are those of numpy's least squares. A race drawn anew gives the same bytes, and a part of it the profiles
of that part. Each figure is a PDF of one page, with its fonts, that another library (poppler) reads and draws.

With one argument, the folder of a race that is there, such as that of the public problems: all its profiles of time, work and
iterations.

Exit status 0 when all is well, 1 with one line for each fault.
"""
import csv
import os
import re
import shutil
import subprocess
import sys

import numpy

faults = []


def check(good, text):
    if not good:
        faults.append(text)


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        print(" ".join(words), "ended with", done.returncode, done.stdout[-500:], done.stderr[-500:])
        sys.exit(1)
    return done.stdout


def rows_of(*path):
    with open(os.path.join(*path)) as file:
        return list(csv.DictReader(file))


def different(values):
    return list(dict.fromkeys(values))


class Race:
    """runs.csv: what each solver needs on each problem, infinite where it is not there in time."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = rows_of(folder, "runs.csv")
        self.solvers = different(row["solver"] for row in self.rows)
        self.problems = different((row["problem"], row["hash"], row["form"]) for row in self.rows)
        self.tolerances = sorted(different(row["tolerance"] for row in self.rows), key=float, reverse=True)
        self.contacts = {(row["problem"], row["hash"], row["form"]): int(row["contacts"]) for row in self.rows}

    def cost(self, tolerance, column, least):
        table = {(p, s): numpy.inf for p in self.problems for s in self.solvers}
        for row in self.rows:
            if row["tolerance"] == tolerance and row["status"] == "converged":
                table[(row["problem"], row["hash"], row["form"]), row["solver"]] = max(float(row[column]), least)
        return table

    def profile(self, tolerance, column, least, problems):
        """Of each solver its steps: tau, and the share of the problems within it."""
        cost = self.cost(tolerance, column, least)
        best = {p: min(cost[p, s] for s in self.solvers) for p in problems}
        curves = {}
        for s in self.solvers:
            ratios = numpy.array([cost[p, s] / best[p] for p in problems if numpy.isfinite(cost[p, s])])
            steps = [(1.0, numpy.count_nonzero(ratios <= 1) / len(problems))]
            steps += [(t, numpy.count_nonzero(ratios <= t) / len(problems)) for t in numpy.unique(ratios)]
            curves[s] = steps, len(ratios) / len(problems)
        return curves


def compare_profile(race, name, tolerance, column, least, problems):
    """The curves of a figure, exactly; between steps a curve is level, so that repeated points say nothing."""
    found = {s: [] for s in race.solvers}
    for row in rows_of(race.folder, "figures", name + ".csv"):
        found[row["solver"]].append((float(row["tau"]), float(row["share"])))
    for s, (steps, solved) in race.profile(tolerance, column, least, problems).items():
        drawn = found[s]
        check(drawn[-1][1] == solved, f"{name}: {s} ends at {drawn[-1][1]}, solved are {solved}")
        check(set(drawn[:-1]) == set(steps), f"{name}: {s} is drawn as {drawn[:-1]}, computed here: {steps}")
        check(drawn[-1][0] >= steps[-1][0] and all(a[0] <= b[0] for a, b in zip(drawn, drawn[1:])), f"{name}: {s} goes back")


def check_profiles(race):
    first, last = race.tolerances[0], race.tolerances[-1]
    compare_profile(race, f"profile-time-{first}", first, "time_s", 1e-6, race.problems)
    compare_profile(race, f"profile-iterations-{last}", last, "iterations", 1, race.problems)
    compare_profile(race, f"profile-work-{last}", last, "work", 1, race.problems)
    boxes = [p for p in race.problems if p[0].startswith("box")]
    compare_profile(race, f"profile-family-box-{last}", last, "time_s", 1e-6, boxes)
    for tolerance in race.tolerances:  # and every right edge
        compare_profile(race, f"profile-time-{tolerance}", tolerance, "time_s", 1e-6, race.problems)
    solved = race.profile(last, "time_s", 1e-6, race.problems)
    check(0 < solved["enumerate"][1] < 1, f"enumerate should solve some problems, not all: {solved['enumerate'][1]}")


def check_powers(race):
    """On the page: exponent and standard error of numpy's fit, with two digits."""
    last = race.tolerances[-1]
    with open(os.path.join(race.folder, "index.html")) as file:
        page = file.read()
    told = re.search("<th>Time to.*?</table>", page, re.S).group(0)
    cost = race.cost(last, "time_s", 1e-6)
    for s in race.solvers:
        points = [(race.contacts[p], cost[p, s]) for p in race.problems if numpy.isfinite(cost[p, s])]
        if len(points) < 3:
            continue
        x, y = numpy.log(numpy.array(points)).T
        (slope, _), residual, *_ = numpy.polyfit(x, y, 1, full=True)
        error = numpy.sqrt(residual[0] / (len(x) - 2) / numpy.sum((x - x.mean()) ** 2))
        cells = re.search(r"</span>" + re.escape(s) + r"</span>(.*?)</tr>", told, re.S).group(1)
        shown = re.findall(r"<td>(-?[\d.]+) &plusmn; ([\d.]+)<td>(\d+)", cells)[-1]
        check(abs(float(shown[0]) - slope) <= 0.0051 and abs(float(shown[1]) - error) <= 0.0051 and int(shown[2]) == len(x),
              f"power of {s}: {shown} on the page, {slope} +- {error} by numpy")


def check_redraw(program, race, scratch):
    again, part = os.path.join(scratch, "again"), os.path.join(scratch, "part")
    call(program, "compare", "--redraw", race.folder, "--out", again)
    for name in sorted(os.listdir(os.path.join(race.folder, "figures"))):
        with open(os.path.join(race.folder, "figures", name), "rb") as a, open(os.path.join(again, "figures", name), "rb") as b:
            check(name.startswith("error-at") or a.read() == b.read(), f"{name}: not the same when drawn anew")
    last = race.tolerances[-1]
    call(program, "compare", "--redraw", race.folder, "--solvers", "bb,nsgs", "--problems", "^(box|wall)", "--tolerance", last, "--out", part)
    small = Race(part)
    check(small.solvers == ["bb", "nsgs"] and small.tolerances == [last], f"the part has {small.solvers}, {small.tolerances}")
    check([p[0] for p in small.problems] == [p[0] for p in race.problems if re.match("box|wall", p[0])], f"the part has {small.problems}")
    compare_profile(small, f"profile-time-{last}", last, "time_s", 1e-6, small.problems)


def check_pdf(race, scratch):
    folder = os.path.join(race.folder, "figures")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".svg"):
            check(os.path.exists(os.path.join(folder, name[:-4] + ".pdf")), f"{name}: no PDF beside it")
            check(os.path.exists(os.path.join(folder, name[:-4] + ".csv")), f"{name}: no CSV beside it")
    path = os.path.join(folder, f"profile-time-{race.tolerances[-1]}.pdf")
    check("Pages:           1\n" in call("pdfinfo", path), f"{path}: not one page")
    fonts = call("pdffonts", path).splitlines()[2:]
    check(fonts and all(re.search(r"\syes\s+(yes|no)\s+yes\s", line) for line in fonts), f"{path}: fonts are not inside: {fonts}")
    text = call("pdftotext", path, "-")
    check(all(s in text for s in race.solvers) and "natural error" in text, f"{path}: its text is {text[:200]}")
    call("pdftoppm", "-r", "50", "-gray", path, os.path.join(scratch, "picture"))
    picture = next(f for f in os.listdir(scratch) if f.startswith("picture"))
    with open(os.path.join(scratch, picture), "rb") as file:
        pixels = numpy.frombuffer(file.read().split(b"\n", 3)[-1], dtype=numpy.uint8)
    dark = numpy.mean(pixels < 200)
    check(0.01 < dark < 0.5, f"{path}: a share of {dark} of the picture is dark")


def check_race(folder):
    race = Race(folder)
    for tolerance in race.tolerances:
        for kind, column, least in (("time", "time_s", 1e-6), ("work", "work", 1), ("iterations", "iterations", 1)):
            compare_profile(race, f"profile-{kind}-{tolerance}", tolerance, column, least, race.problems)
    print("\n".join(faults) or f"{3 * len(race.tolerances)} profiles of {len(race.solvers)} solvers: no difference")
    return 1 if faults else 0


def main(program, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    folder = os.path.join(scratch, "race")
    samples = ["box:20", "box:60", "box:150", "wall:2", "wall:4", "disks:40", "disks:120", "column:3", "slope", "table:4"]
    call(program, "compare", *[word for name in samples for word in ("--sample", name)], "--solvers", "nsgs,bb,jacobi,apgd,enumerate",
         "--tolerance", "1e-2,1e-4,1e-8", "--max-time", "1", "--quiet", "--out", folder)
    race = Race(folder)
    check_profiles(race)
    check_powers(race)
    check_redraw(program, race, scratch)
    if shutil.which("pdfinfo"):
        check_pdf(race, scratch)
    elif os.environ.get("CI"):
        check(False, "no pdfinfo: .ci/packages should bring poppler-utils")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(check_race(sys.argv[1]) if len(sys.argv) == 2 else main(*sys.argv[1:]))
