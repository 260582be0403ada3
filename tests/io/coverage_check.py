"""docs/COVERAGE.md names what is there: every deck, test, page, command, file and key of its rows exists, and its counts are right.

    coverage_check.py PROGRAM ROOT BUILD CTEST

A row is `| number | place | what it says | where it is here | status |`. What is looked for in its fourth column:

    input/NAME.yaml                 a deck
    label/name                      a test as ctest knows it; label/name:case has TEST(case) in its source
    delassus command ... --option   in the lists that `delassus --help` and `delassus command --help` print
    key.of.a.deck                   in `delassus run --schema`
    core/... plugins/... tests/...  a file of the tree
    [words](page.md#anchor)         a page beside this one, and a heading in it

Anything else between backticks is a fault. A row that is ● names a test; one that is ◐ says **Missing:**, one that is ○ **Why:**, with
a sentence behind it. Then the page is spoilt in memory, one name of each kind after the other: a check that would not tell is no
check.

Exit status 0 when all is well, 1 with one line for each fault: row and name.
"""
import functools
import os
import re
import subprocess
import sys

PAGE = "docs/COVERAGE.md"
ROWS = {"A": 52, "B": 46, "C": 35, "D": 24, "E": 37}  # statements of each document
LABELS = ("unit", "verify", "validate", "io", "mpi", "bench")
FOLDERS = ("core", "plugins", "solvers", "tests", "paraview", "meshes", "docs")
MARKS = {"◐": "**Missing:**", "○": "**Why:**"}
STATUSES = "●◐○"


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Tree:
    """What there is: files, tests, commands, keys, headings."""

    def __init__(self, program, root, build, ctest):
        self.program, self.root = program, root
        self.tests = set(re.findall(r"Test +#\d+: (\S+)", output_of([ctest, "--test-dir", build, "-N"])))
        self.keys, section = set(), ""
        for line in output_of([program, "run", "--schema"]).splitlines():
            if line.startswith("### `"):
                section = line.split("`")[1].replace("[]", "") + "."
            key = re.match(r"\| `(\w+)` \|", line)
            if key:
                self.keys.add(section + key.group(1))

    @functools.lru_cache(maxsize=None)
    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    @functools.lru_cache(maxsize=None)
    def help(self, *words):
        run = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True)
        return run.stdout if run.returncode == 0 else ""

    def has(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def anchors(self, path):
        """Headings of a page, as their links are written: lower case, no signs, hyphens for blanks."""
        found = set()
        for heading in re.findall(r"^#+ (.*)$", self.text(path), re.M):
            plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
            found.add(re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-"))
        return found

    def fault_of_command(self, words):
        commands = re.findall(r"^  delassus (\w+) ", self.help(), re.M)
        if not words or words[0] not in commands:
            return "no such command"
        usage = self.help(words[0]).splitlines()[0].split("delassus " + words[0], 1)[1]
        choices = [choice.split()[0] for choice in usage.split("[options]")[0].split(" | ") if choice.split()]
        known = [words[0]]
        if choices[:1] and choices[0].islower():  # delassus post stress | fabric ..., not delassus show PROBLEM...
            if words[1:2] and words[1] not in choices:
                return "no such word of delassus " + words[0]
            known += words[1:2]
        for word in words:
            if word.startswith("--") and not re.search(r"^  %s\b" % re.escape(word), self.help(*known), re.M):
                return word + " is no option of delassus " + " ".join(known)
            if word.startswith("input/") and not self.has(word):
                return word + " is not there"
        return None

    def fault_of_name(self, name):
        """None, or what is wrong with a name between backticks; a test's label comes before its folder."""
        label = name.split("/")[0]
        if name.startswith("delassus "):
            return self.fault_of_command(name.split()[1:])
        if label in LABELS and "/" in name:
            test, _, case = name.partition(":")
            if test not in self.tests:
                return "ctest knows no such test"
            sources = ["tests/%s%s" % (test, end) for end in ("_test.c", ".c")]
            if case and not any(self.has(s) and "TEST(%s)" % case in self.text(s) for s in sources):
                return "no such case in its source"
            return None
        if label == "input" or (label in FOLDERS and "/" in name):
            return None if self.has(name) else "no such file"
        if name in self.keys:
            return None
        return "is no deck, test, command, key or file"


def rows_of(page):
    return [[cell.strip() for cell in line.strip().strip("|").split(" | ")]
            for line in page.splitlines() if re.match(r"\| [A-E]\d+ \|", line)]


def faults_of_row(tree, row):
    number, where, status = row[0], row[3], row[4]
    faults = []
    names = re.findall(r"`([^`]+)`", where)
    for name in names:
        fault = tree.fault_of_name(name)
        if fault:
            faults.append("%s: `%s`: %s" % (number, name, fault))
    for link in re.findall(r"\]\(([^)]+)\)", where):
        path, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(PAGE), path))
        if not tree.has(path):
            faults.append("%s: %s: no such page" % (number, link))
        elif anchor and anchor not in tree.anchors(path):
            faults.append("%s: %s: no such heading" % (number, link))
    if status not in STATUSES or len(status) != 1:
        faults.append("%s: status `%s` is none of ● ◐ ○" % (number, status))
    if status == "●" and not any(name.split("/")[0] in LABELS for name in names):
        faults.append("%s: is ● and names no test" % number)
    for sign, mark in MARKS.items():
        if (status == sign) != (mark in where):
            faults.append("%s: %s and the words %s go together" % (number, sign, mark))
        elif status == sign and not re.search(r"(\w+\W+){4,}\w+.*\.$", where.split(mark, 1)[1]):
            faults.append("%s: no sentence after %s" % (number, mark))
    if not row[1] or len(row[2].split()) < 2:
        faults.append("%s: no place or no words" % number)
    return faults


def faults_of(tree, page):
    faults, rows = [], rows_of(page)
    numbers = [row[0] for row in rows]
    wanted = [letter + str(k + 1) for letter, count in ROWS.items() for k in range(count)]
    if numbers != wanted:
        wrong = next((pair for pair in zip(numbers + ["nothing"], wanted + ["nothing"]) if pair[0] != pair[1]), None)
        faults.append("rows: %s stands where %s should" % wrong)
    for row in rows:
        faults += faults_of_row(tree, row) if len(row) == 5 else ["%s: %d columns in the place of 5" % (row[0], len(row))]
    counted = {"all": dict.fromkeys(STATUSES, 0)}
    for row in rows:
        for group in (row[0][0], "all"):
            tally = counted.setdefault(group, dict.fromkeys(STATUSES, 0))
            if row[-1] in tally:
                tally[row[-1]] += 1
    for group in list(ROWS) + ["all"]:
        tally = counted.get(group, {})
        told = re.search(r"^\| %s\b[^|]*\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$" % group, page, re.M)
        numbers = [sum(tally.values())] + [tally.get(s, 0) for s in STATUSES]
        if not told or [int(n) for n in told.groups()] != numbers:
            faults.append("counts of %s: | %s | is right, not %s" % (group, " | ".join(map(str, numbers)), told and told.group(0)))
    return faults


def spoilt(page):
    """The page with one name broken, and the row that must be told: for each kind of name."""
    kinds = (("a deck", r"`(input/[\w.-]+)`", "input/there-is-none.yaml"),
             ("a test", r"`((?:verify|unit)/\w+)[:`]", "verify/there_is_none"),
             ("a case", r"`(?:verify|unit)/\w+:(\w+)`", "there_is_none"),
             ("a page", r"\]\(([\w/.-]+\.md)", "there-is-none.md"),
             ("a heading", r"\]\([\w/.-]+\.md#([\w-]+)\)", "there-is-none"),
             ("a command", r"`delassus (\w+)", "ruin"),
             ("an option", r"`delassus [^`]*(--\w+)", "--there-is-none"),
             ("a key", r"`(time\.\w+)`", "time.there_is_none"),
             ("a file", r"`((?:core|plugins|solvers)/[\w/.-]+)`", "core/there_is_none.c"))
    for kind, pattern, wrong in kinds:
        for row in re.finditer(r"^\| ([A-E]\d+) \|.*$", page, re.M):
            name = re.search(pattern, row.group(0))
            if name:
                start = row.start()
                yield kind, row.group(1), wrong, page[:start + name.start(1)] + wrong + page[start + name.end(1):]
                break
        else:
            yield kind, None, wrong, page
    for sign, mark in MARKS.items():
        row = re.search(r"^\| ([A-E]\d+) \|.*%s.*$" % re.escape(mark), page, re.M)
        if row:
            yield "the sentence of a row", row.group(1), mark, page.replace(row.group(0), row.group(0).replace(mark, ""))
    first = re.search(r"^\| (A1) \|.*$", page, re.M)
    yield "a status", "counts of A", "right", page.replace(first.group(0), first.group(0).replace("●", "○").replace("◐", "○"))


def main():
    tree = Tree(*sys.argv[1:5])
    page = tree.text(PAGE)
    faults = faults_of(tree, page)
    told = set(faults)
    for kind, row, wrong, text in spoilt(page):
        if row is None:
            faults.append("the page has no example of %s to spoil" % kind)
        elif not any(fault.startswith(row + ":") and wrong in fault for fault in set(faults_of(tree, text)) - told):
            faults.append("%s spoilt in %s by %s is not told" % (kind, row, wrong))
    for fault in faults:
        print("%s: %s" % (PAGE, fault))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
