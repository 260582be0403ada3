"""Figures that pages show beside a command are those that the command gives today: counts and errors, not times.

    docs_numbers_check.py PROGRAM ROOT SCRATCH short|full
    docs_numbers_check.py PROGRAM ROOT SCRATCH write RACE BOARD

- Output below a command (`delassus solve`, `show`, `run`): its lines again, word by word. Counts are the same, other numbers
  within 5 %; seconds and what is below 1e-12 (round-off) are left alone.
- Tables of iterations of docs/solvers: each cell `N`, `N, time` or `time (N)` is a solve by itself, without a limit of time. Sums
  round differently where a processor has no AVX2 or FMA: N within 3 or 5 %, after 1000 iterations within a quarter.
- docs/solvers/index.md: problems solved and iterations in all; docs/scoreboard.md: verdicts and largest distances. Every solver
  of `delassus solver list` has its row.

`short` takes solves below 0.05 s as the page tells, or 3000 iterations where it tells no time, and of the scoreboard the solvers
that finish every case; the table of all public problems is in `full` alone. `write` puts today's figures into the pages: RACE
and BOARD are the folders that the commands of index.md and scoreboard.md leave. Public problems come from DELASSUS_SHARED; without
it what needs them is left out with a line.

Exit status 0 when all is well, 1 with one line for each fault.
"""
import csv
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys

LONG_S, LONG_ITERATIONS = 0.05, 3000
LIMIT_S = 5  # of a solve in `write`, as in the commands of the pages
QUOTES = ("README.md", "docs/guide.md", "docs/run.md")
COMMAND = re.compile(r"^    (?:\$ )?(?:build/bin/)?delassus ((?:solve|show|run) .*)$")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
SECONDS = re.compile(r"[\d.]+ (?:s of wall clock|s, |s$|steps/s|s left)")
MEASURED = ("aclm", "admm", "alm", "apgd", "bb", "cpg", "enumerate", "jacobi", "tresca")


class Cell:
    """A solve that a cell of a table tells the iterations of: `head` begins the header of the table, `column` counts from 0."""

    def __init__(self, page, head, column, solver, tolerance, *options):
        self.page, self.head, self.column = page, head, column
        self.solver, self.tolerance, self.options = solver, tolerance, options


CELLS = [Cell("docs/solvers/%s.md" % name, "| problem | contacts | 1e-4", column, name, tolerance)
         for name in MEASURED for column, tolerance in ((2, "1e-4"), (3, "1e-8"))]
CELLS += [Cell("docs/solvers/momentum.md", "| problem | contacts | nsgs to 1e-4", column, solver, tolerance)
          for column, solver, tolerance in ((2, "nsgs", "1e-4"), (3, "momentum", "1e-4"), (4, "nsgs", "1e-8"), (5, "momentum", "1e-8"))]
CELLS += [Cell("docs/solvers/uzawa.md", "| problem | projection", column, "uzawa", "1e-4", "method=" + method)
          for column, method in ((1, "projection"), (2, "extragradient"), (3, "bipotential"))]
CELLS += [Cell("docs/solvers/newton.md", "| problem | contacts | Newton iterations", 2, "newton", "1e-8")]
CELLS += [Cell("docs/solvers/nsgs.md", "| problem | plain", 1, "nsgs", "1e-6"),
          Cell("docs/solvers/nsgs.md", "| problem | plain", 2, "nsgs", "1e-6", "acceleration=anderson")]
TIMED = ("| problem | contacts | 1e-4", "| problem | projection")  # tables whose cells tell seconds too
faults, left_out = [], []


def public():
    path = os.environ.get("DELASSUS_SHARED", "")
    return os.path.join(os.path.abspath(path), "fclib") if os.path.isdir(os.path.join(path, "fclib")) else None


class Page:
    def __init__(self, root, name):
        self.name, self.path = name, os.path.join(root, name)
        with open(self.path) as file:
            self.lines = file.read().splitlines()

    def rows(self, head):
        """Numbers of the lines of the table whose header begins with `head`."""
        at = next((i for i, line in enumerate(self.lines) if line.startswith(head)), None)
        if at is None:
            faults.append("%s: no table begins with `%s`" % (self.name, head))
            return []
        end = at + 2
        while end < len(self.lines) and self.lines[end].startswith("|"):
            end += 1
        return range(at + 2, end)

    def cells(self, at):
        return [cell.strip() for cell in self.lines[at].strip("| ").split(" | ")]

    def write(self):
        with open(self.path, "w") as file:
            file.write("\n".join(self.lines) + "\n")


def problem_of(name):
    """What a row of a table names, as an argument of `delassus solve`; None for what no command takes."""
    sample = re.match(r"`--sample (\S+)`", name)
    if sample:
        return "--sample " + sample.group(1)
    if not public():
        return None
    words = re.sub(r" \(.*\)$", "", name).split()
    folders = ["global"] if words[0] == "global" else ["local", "global"]
    for folder in folders:
        for file in sorted(os.listdir(os.path.join(public(), folder))):
            if file.startswith(words[-1]):
                return os.path.join(public(), folder, file)
    return None


def told(cell):
    """Iterations and seconds that a cell tells; None where it tells that the limit came first."""
    if re.search(r"after|stands|refused", cell):
        return None, None
    found = re.match(r"(\d+)(?:, ([\d.]+) (s|ms))?$", cell)
    if not found:
        return None, None
    seconds = float(found.group(2)) * (1e-3 if found.group(3) == "ms" else 1.0) if found.group(2) else None
    return int(found.group(1)), seconds


def near(count, wanted):
    return abs(count - wanted) <= max(3, (0.05 if wanted < 1000 else 0.25) * wanted)


def solve(program, problems, cell, limit):
    """The reports of one call that solves all problems."""
    words = [program, "solve", "--solver", cell.solver, "--tolerance", cell.tolerance, "--max-time", str(limit), "--json", "--quiet"]
    for option in cell.options:
        words += ["--option", option]
    for problem in problems:
        words += problem.split(" ", 1) if problem.startswith("--") else [problem]
    done = subprocess.run(words, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        reports = json.loads(done.stdout)
    except ValueError:
        faults.append("%s: no report: %s" % (shlex.join(words), done.stderr))
        return []
    return reports if isinstance(reports, list) else [reports]


def check_cells(program, pages, full):
    """Solves of one solver, tolerance and option are one call."""
    for cell in CELLS:
        page = pages[cell.page]
        wanted = []
        for at in page.rows(cell.head):
            cells = page.cells(at)
            count, seconds = told(cells[cell.column])
            problem = problem_of(cells[0])
            if count is None:
                continue
            if problem is None:
                left_out.append("%s:%d: %s" % (cell.page, at + 1, cells[0]))
                continue
            quick = seconds <= LONG_S if seconds is not None else count <= LONG_ITERATIONS and "07002" not in cells[0]
            if full or quick:
                wanted.append((at + 1, problem, count))
        if not wanted:
            continue
        reports = solve(program, [problem for _, problem, _ in wanted], cell, 0)
        for (line, problem, count), report in zip(wanted, reports):
            if report["status"] != "converged" or not near(report["iterations"], count):
                faults.append("%s:%d: %s of %s to %s: the page tells %d iterations; now %d, %s" % (
                    cell.page, line, " ".join((cell.solver,) + cell.options), os.path.basename(problem), cell.tolerance, count,
                    report["iterations"], report["status"]))
        print("%s: %s to %s, %d solves" % (cell.page, " ".join((cell.solver,) + cell.options), cell.tolerance, len(wanted)))


def seconds_text(seconds):
    return "%.2g s" % seconds if seconds >= 0.1 else "%.2g ms" % (1e3 * seconds)


def cell_text(report, times):
    """What a cell tells of a solve; `report` has status, iterations, cpu_s and error."""
    if report["status"] != "converged":
        if report["status"] == "refused":
            return "refused"
        return "%.1e after %d" % (report["error"], report["iterations"]) if report["error"] is not None else report["status"]
    return "%d, %s" % (report["iterations"], seconds_text(report["cpu_s"])) if times else "%d" % report["iterations"]


def write_cells(program, pages, race):
    ran = {(row["problem"], row["solver"], float(row["tolerance"])): {
        "status": row["status"], "iterations": int(row["iterations"] or 0), "cpu_s": float(row["cpu_s"] or 0),
        "error": float(row["error_natural"]) if row["error_natural"] else None} for row in race}
    for cell in CELLS:
        page = pages[cell.page]
        for at in page.rows(cell.head):
            cells = page.cells(at)
            problem = problem_of(cells[0])
            if problem is None:
                continue
            key = (re.sub(r"\.hdf5$", "", os.path.basename(problem)), cell.solver, float(cell.tolerance))
            report = ran.get(key) if not cell.options and "/local/" in problem and "Newton" not in cell.head else None
            report = report or (solve(program, [problem], cell, LIMIT_S) or [None])[0]
            if report is None:
                continue
            cells[cell.column] = cell_text(report, cell.head.startswith(TIMED))
            if "Newton iterations" in cell.head and "errors" in report:
                seconds = "%.2f" % report["cpu_s"] if report["cpu_s"] >= 0.005 else "< 0.01"
                cells[3:6] = [seconds, "%.1e" % report["errors"]["natural"], "%.1e" % report["errors"]["scaled"]]
            page.lines[at] = "| %s |" % " | ".join(cells)


def default_total(program, page):
    """The sentence of auto.md on all public problems: they converge, in so many iterations."""
    line, told_now = next(((at + 1, re.findall(r"(\d+) (?:iterations )?and [\d.]+ s", text)) for at, text in enumerate(page.lines)
                           if "public files converge" in text), (0, []))
    if len(told_now) != 2:
        faults.append("%s: no sentence on all public files" % page.name)
        return
    if not public():
        return
    problems = [os.path.join(public(), folder, name) for folder in ("local", "global") for name in sorted(os.listdir(os.path.join(public(), folder)))]
    for tolerance, count in zip(("1e-4", "1e-8"), told_now):
        reports = solve(program, problems, Cell(page.name, "", 0, "auto", tolerance), 0)
        now = sum(report["iterations"] for report in reports)
        if not near(now, int(count)) or any(report["status"] != "converged" for report in reports):
            faults.append("%s:%d: auto to %s: the page tells %s iterations in all; now %d" % (page.name, line, tolerance, count, now))


def solvers(program):
    text = subprocess.run([program, "solver", "list"], text=True, stdout=subprocess.PIPE).stdout
    return [line.split()[0] for line in text.partition("\n\n")[0].splitlines()]


def summary(race, solver):
    """The row of a solver in the table of all public problems: solved, seconds, iterations at both tolerances."""
    cells = [solver]
    for tolerance in (1e-4, 1e-8):
        rows = [row for row in race if row["solver"] == solver and float(row["tolerance"]) == tolerance]
        done = [row for row in rows if row["status"] == "converged"]
        refused = sum(row["status"] == "refused" for row in rows)
        cells += ["%d%s" % (len(done), " (%d refused)" % refused if refused else ""), "%.2f" % sum(float(row["cpu_s"]) for row in done),
                  "%d" % sum(int(row["iterations"]) for row in done)]
    return cells


def public_table(program, page, race, write):
    head = "| solver | solved at 1e-4"
    rows = {page.cells(at)[0]: at for at in page.rows(head)}
    for solver in solvers(program):
        if solver not in rows:
            faults.append("%s: no row of %s" % (page.name, solver))
        elif race:
            now, at = summary(race, solver), rows[solver]
            cells = page.cells(at)
            if write:
                page.lines[at] = "| %s |" % " | ".join(now)
            elif cells[1] != now[1] or not near(int(now[3]), int(cells[3])) or abs(int(now[4].split()[0]) - int(cells[4].split()[0])) > 1:
                faults.append("%s:%d: now %s" % (page.name, at + 1, " | ".join(now)))


def verdicts(board, solver):
    """right, misled, unfinished, refused; the largest distance among what converged, and its case."""
    rows = [row for row in board if row["solver"] == solver]
    distance = lambda row: max(float(row["error_velocity"] or 0), float(row["error_impulse"] or 0))
    worst = max((row for row in rows if row["status"] == "converged"), key=distance)
    counts = [str(sum(row["verdict"] == word for row in rows)) for word in ("right", "misled", "unfinished", "failed")]
    return counts, distance(worst), worst["case"]


def scoreboard(program, page, board, write, full, scratch):
    rows = {page.cells(at)[0].strip("`"): at for at in page.rows("| solver | right")}
    for solver in solvers(program):
        if solver not in rows:
            faults.append("%s: no row of %s" % (page.name, solver))
    if not write:
        chosen = [name for name, at in rows.items() if full or page.cells(at)[3] == "0"]
        done = subprocess.run([program, "compare", "--analytic", "--solvers", ",".join(chosen), "--tolerance", "1e-8", "--clock", "cpu",
                               "--max-time", "2", "--quiet", "--out", os.path.join(scratch, "board")], text=True, stdout=subprocess.PIPE)
        if done.returncode > 1:
            faults.append("%s: the race ended with status %d" % (page.name, done.returncode))
            return
        board = table(os.path.join(scratch, "board/analytic.csv"))
    for solver in {row["solver"]: 0 for row in board}:
        if solver not in rows:
            continue
        counts, distance, case = verdicts(board, solver)
        at = rows[solver]
        cells = page.cells(at)
        if write:
            page.lines[at] = "| `%s` | %s | %.0e, %s |" % (solver, " | ".join(counts), distance, case)
        elif cells[1:5] != counts or not 0.4 < distance / float(cells[5].split(",")[0]) < 2.5:
            faults.append("%s:%d: %s: now %s, %.1e of %s" % (page.name, at + 1, solver, counts, distance, case))
    if not write:
        print("%s: %d solvers" % (page.name, len(chosen)))


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def alike(shown, now):
    """Whether two lines say the same, numbers within bounds."""
    shown, now = SECONDS.sub("TIME ", shown), SECONDS.sub("TIME ", now)
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", now).split():
        return False
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(now)):
        if a != b and (re.fullmatch(r"\d+", a) and not near(int(a), int(float(b))) or not math.isclose(float(a), float(b), rel_tol=0.05, abs_tol=1e-12)
                       and not re.fullmatch(r"\d+", a)):
            return False
    return True


def check_quotes(program, root, scratch, page, write):
    at = 0
    while at < len(page.lines):
        found = COMMAND.match(page.lines[at])
        at += 1
        if not found or found.group(1).endswith("\\"):
            continue
        begin = at
        while at < len(page.lines) and page.lines[at].startswith("    ") and not re.match(r"    (\$ )?(build/bin/)?delassus [a-z]+ ", page.lines[at]):
            at += 1
        shown = [i for i in range(begin, at) if not page.lines[i].strip().isdigit()]
        text = found.group(1).split(";")[0].split("  #")[0].strip()
        if not shown or re.search(r"deck\.yaml|--restart", text):
            continue  # decks of the reader's own: io/docs_others, io/run_mistakes
        file = re.search(r"\S+\.hdf5", text)
        if file:
            path = problem_of(file.group(0)[:-5])
            if path is None:
                left_out.append("%s:%d: delassus %s" % (page.name, begin, text))
                continue
            text = text.replace(file.group(0), path)
        done = subprocess.run("%s %s" % (program, text), shell=True, cwd=scratch, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = [line.strip() for line in re.split(r"[\r\n]+", done.stdout) if line.strip()]
        for i in shown:
            line = page.lines[i].strip()
            if line.startswith("t = "):  # the progress of the moment
                continue
            match = [now for now in lines if alike(line, now)]
            same = [now for now in lines if now.split()[0] == line.split()[0]]
            if not match and write and same:
                page.lines[i] = "    " + same[0]
            elif not match:
                faults.append("%s:%d: the page shows\n    %s\nand the program tells\n    %s" % (page.name, i + 1, line, "\n    ".join(same or lines)))
        print("%s:%d: delassus %s" % (page.name, begin, text))


def main():
    program, root, scratch, form = sys.argv[1:5]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    for name in ("input", "plugins"):
        os.symlink(os.path.join(root, name), os.path.join(scratch, name))
    index, board, default = "docs/solvers/index.md", "docs/scoreboard.md", "docs/solvers/auto.md"
    pages = {name: Page(root, name) for name in {cell.page for cell in CELLS} | set(QUOTES) | {index, board, default}}
    write, full = form == "write", form == "full"
    race = table(os.path.join(sys.argv[5], "runs.csv")) if write else []
    if full and public():
        folder = os.path.join(scratch, "race")
        subprocess.run("%s compare %s/local/*.hdf5 --solvers all --tolerance 1e-4,1e-8 --clock cpu --max-time %g --quiet --out %s" % (
            program, public(), LIMIT_S, folder), shell=True, stdout=subprocess.DEVNULL)
        race = table(os.path.join(folder, "runs.csv"))
    for name in QUOTES:
        check_quotes(program, root, scratch, pages[name], write)
    public_table(program, pages[index], race, write)
    if not write:
        default_total(program, pages[default])
    scoreboard(program, pages[board], table(os.path.join(sys.argv[6], "analytic.csv")) if write else [], write, full, scratch)
    if write:
        write_cells(program, pages, race)
        for page in pages.values():
            page.write()
    else:
        check_cells(program, pages, full)
    for line in left_out:
        print("left out, without the public problems: %s" % line)
    for line in faults:
        print(line)
    sys.exit(1 if faults else 0)


main()
