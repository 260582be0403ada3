"""Every command and every deck that a page shows runs, and ends with the status that the page tells.

    docs_commands_check.py PROGRAM ROOT BUILD SCRATCH short|full PAGE...

PAGE is a path below ROOT, or `input` for all decks of input/. A command is an indented line, or a line of a fenced block,
that begins with `delassus` or `$ delassus`. They run one after the other in SCRATCH/PAGE, where input/ and plugins/ are
those of ROOT and the files that pages take as the reader's own (problem.hdf5, deck.yaml ...) are made first. The status is
0, or what the page shows: the number behind `; echo $?`, or 2 where the output lists mistakes of a deck.

Of a command in running text, `delassus ...` between backticks, which may be a part of one, command and options must be
those that --help lists; what shows or draws something runs. A deck is a block whose lines begin with sections of one; what a
part of a deck lacks to be whole (a step, materials, a law, a body) is added. A key or a name that no deck accepts fails. Files of the repository that a page links to or
names exist.

Public problems (../shared) come from DELASSUS_SHARED; without it the commands that take them are named and left out, and so
are those that ask for Siconos where its solvers are not built.

The short form ends every run after 30 steps, those of studies after 30 ms and two seeds, gives every race 0.1 s, every check of a law 20 cases, a solve all the time it
needs, takes one public problem for many, and leaves out times that such a run does not reach; `full` runs the
commands as they stand. A command that several pages show runs once.

Exit status 0 when all is well, 1 with one line for each fault.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys

STEPS = 30
UNIT = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6}
# Needs a failure first: io/law_failure makes one and asks the law again.
ELSEWHERE = re.compile(r"law path --replay")
DECK = """time: {step: 0.5 ms, end: 10 ms}
materials: {rubber: {density: 1200}}
laws: [{law: coulomb}]
bodies:
  - {material: rubber, radius: 5 cm, position: [0, 0, 0.5]}
  - {material: rubber, radius: 5 cm, position: [1, 0, 0.5]}
  - {material: rubber, radius: 5 cm, position: [2, 0, 0.5]}
boundaries: {floor: {shape: plane, material: rubber}}
"""
COMMAND = re.compile(r"(build/bin/)?delassus [a-z-]+( |$)")  # what it says begins "delassus run: "
SECTIONS = ("title", "dimension", "time", "gravity", "drag", "materials", "laws", "grains", "bodies", "chains", "springs",
            "bends", "boundaries", "sources", "sinks", "desired", "random", "solver", "output")
PLACEHOLDER = re.compile(r"(^|[ =/])([A-Z]+(\.[a-z0-9]+)?|\.\.\.)($|[ .=])")
QUICK = re.compile(r"law (draw|show|list)|(solver|sample) (show|list)|(run|study) --schema$")
faults = []
left_out = []
done_before = set()


class Command:
    def __init__(self, line, text, shown):
        self.line = line
        self.comment = text.partition("  #")[2]
        text = text.partition("  #")[0].strip()
        self.status = 0
        if text.endswith("; echo $?"):
            text = text[: -len("; echo $?")]
            self.status = next(int(word) for word in shown if word.isdigit())
        elif any(re.match(r"\S+\.yaml:\d+: ", word) for word in shown):
            self.status = 2
            text += " --set solver.options.omeg=1"  # the mistake that the page shows
        self.text = re.sub(r"^(build/bin/)?delassus ", "", text)


def commands(path):
    """The commands of a page with the lines that stand below them."""
    with open(path) as file:
        lines = file.read().splitlines()
    fenced, at = False, 0
    while at < len(lines):
        line, number = lines[at], at + 1
        at += 1
        if line.startswith("```"):
            fenced = not fenced
        if not fenced and not line.startswith("    "):
            continue
        text = re.sub(r"^\$ ", "", line.strip())
        if not COMMAND.match(text):
            continue
        while text.endswith("\\"):
            text = text[:-1] + lines[at].strip()
            at += 1
        shown = []
        for below in lines[at:]:
            if not below.startswith("    ") or COMMAND.match(re.sub(r"^ *(\$ )?", "", below)):
                break
            shown.append(below.strip())
        yield Command(number, text, shown)


def decks(path):
    """The decks of a page, whole or in part, with the line at which they begin."""
    with open(path) as file:
        lines = file.read().splitlines() + ["end"]
    fenced, block, begin = False, [], 0
    for number, line in enumerate(lines, 1):
        if not fenced and line.startswith("```"):
            fenced, block, begin = True, [], number + 1
        elif fenced and not line.startswith("```"):
            block.append(line)
        elif not fenced and line.startswith("    "):
            begin = begin if block else number
            block.append(line[4:])
        elif not fenced and block and not line.strip():
            block.append("")
        else:
            heads = [word.split(":")[0] for word in block if re.match(r"\w", word)]
            if heads and all(head in SECTIONS for head in heads) and all(re.match(r"\w+:( |$)|[ #]|$", word) for word in block):
                yield begin, "\n".join(block) + "\n", heads
            fenced, block = False, []


def complete(text, heads):
    """What a part of a deck lacks: a step, the plane or space, materials, a law, walls that are named, a body."""
    flat = re.search(r"(position|low|towards): \[[^],]+, [^],]+\]|grid: \d+x\d+\b(?!x)", text) is not None
    missing = {"dimension": "2" if flat else "3", "time": "{step: 1 ms, end: 30 ms}", "laws": "[{law: coulomb}]"}
    names = set(re.findall(r"material: (\w+)", text)) | {"stone"}
    if "laws" in heads:
        names.update(re.findall(r"\w+", " ".join(re.findall(r"between: \[([^]]+)\]", text))))
    missing["materials"] = "{%s}" % ", ".join("%s: {density: 2500}" % name for name in sorted(names))
    if not set(heads) & {"grains", "bodies", "chains", "sources"}:
        who = re.search(r"material: (\w+)", text)
        missing["bodies"] = "[{material: %s, radius: 1 cm, position: [%s]}]" % (
            who.group(1) if who else "stone", "5 cm, 5 cm" if flat else "5 cm, 5 cm, 5 cm")
    for key, value in missing.items():
        if key not in heads:
            text = "%s: %s\n" % (key, value) + text
    return text


def deck_variants(text, heads):
    """A list of files shows as many ways to place the same bodies: one deck for each."""
    if heads == ["grains"] and "place: file" in text:
        return ["grains:\n%s\n" % item for item in text.splitlines()[1:] if item.strip()]
    return [text]


def make_file(name, root, program, folder):
    """A file of bodies, a mesh of ours, or a measured curve, that a deck names."""
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return
    if os.path.exists(os.path.join(root, name)):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.path.join(root, name), path)
        return
    if name.endswith(".csv"):
        with open(path, "w") as file:
            file.write("speed [mm/s], mu [1]\n0, 0.4\n50, 0.3\n" if "friction" in name
                       else "x,y,z,r\n0,0,0,0.01\n1,0,0,0.01\n")
        return
    out = os.path.dirname(name)
    deck = "input/%s.yaml" % os.path.basename(out)
    shell("%s run %s --set time.end=%g --out %s" % (program, deck, STEPS * step_of(os.path.join(folder, deck)), out), folder)
    if not os.path.exists(path):
        shutil.copy(os.path.join(folder, out, "bodies_000000.vtu"), path)


def check_decks(root, program, page, folder, full):
    count = 0
    for line, block, heads in decks(os.path.join(root, page)):
        for number, part in enumerate(deck_variants(block, heads)):
            name = "page_%d_%d.yaml" % (line, number)
            for needed in re.findall(r"\bfile: ([\w./-]+)", part):
                make_file(needed, root, program, folder)
            with open(os.path.join(folder, name), "w") as file:
                file.write(complete(part, heads))
            text = "run %s --overwrite" % name
            done = shell("%s %s" % (program, text if full else shorten(text, folder)), folder)
            count += 1
            if done.returncode:
                faults.append("%s:%d: the deck ends with %d:\n%s" % (page, line, done.returncode, done.stdout[-600:]))
    return count


def inline(path):
    """Commands between backticks in running text, where they are."""
    with open(path) as file:
        lines = file.read().splitlines()
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        if fenced or line.startswith("    "):
            continue
        for text in re.findall(r"`((?:build/bin/)?delassus [a-z][^`]*)`", line):
            yield number, re.sub(r"^(build/bin/)?delassus ", "", text)


def check_options(program, page, line, text, folder):
    """A command with words that stand for others, or a part of one: it is there, and so are its options."""
    words = text.split()
    many = len(words) > 1 and words[0] in ("law", "post", "solver", "sample") and re.fullmatch(r"[a-z-]+", words[1])
    command = " ".join(words[: 2 if many else 1])
    told = shell("%s %s --help" % (program, command), folder)
    options = [word for word in re.findall(r"--[a-z-]+", text) if word + " " not in told.stdout]
    if told.returncode or options:
        faults.append("%s:%d: `delassus %s`: no command %s with %s" % (page, line, text, command, " ".join(options) or "--help"))


def check_paths(root, page):
    """Links of a page, and files of the repository that it names between backticks, are there."""
    with open(os.path.join(root, page)) as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        named = [os.path.join(os.path.dirname(page), to) for to in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line)]
        named += re.findall(r"`((?:core|solvers|plugins|tests|input|docs|paraview)/[\w./-]+\.(?:c|h|md|yaml|py|sh))`", line)
        for path in named:
            stands_for_others = re.search(r"\b(NAME|ROOM|FILE)", path)
            if not stands_for_others and not os.path.exists(os.path.join(root, path)):
                faults.append("%s:%d: %s is not there" % (page, number, os.path.normpath(path)))


def step_of(deck):
    with open(deck) as file:
        found = re.search(r"\bstep: *([0-9.eE+-]+) *(ms|us|s)?", file.read())
    return float(found.group(1)) * UNIT[found.group(2) or ""]


def deck_of(text):
    """The deck that a run takes its step from: a stage, the deck named, or out/NAME's input/NAME.yaml."""
    words = shlex.split(text)
    if "--stage" in words:
        return words[words.index("--stage") + 1]
    named = [word for word in words if word.endswith(".yaml")]
    return named[0] if named else restarted_deck(text)


def restarted_deck(text):
    """The deck of the folder that a run goes on from."""
    return re.sub(r".*--restart out/(\S+)/checkpoint.h5.*", r"input/\1.yaml", text)


def without(text, *options):
    """The command without these options and their values: an option stands once."""
    return re.sub(r" --(%s)[ =]\S+" % "|".join(options), "", text)


def shorten(text, folder):
    if text.startswith("run ") and "--equilibrium" not in text and "--schema" not in text:
        end = STEPS * step_of(os.path.join(folder, deck_of(text)))
        told = [float(number) for number in re.findall(r"--set time.end=([0-9.e-]+)", text)]
        return text if told and told[-1] <= end else text + " --set time.end=%g" % end
    if text.startswith("study ") and "--schema" not in text:
        return without(text, "limit") + " --set seeds.count=2 --set 'keys.short={key: time.end, values: %g}'" % (STEPS * 1e-3)
    if text.startswith("compare "):
        return without(text, "max-time") + " --max-time 0.1"
    if text.startswith("solve "): # no clock: other tests run beside this one
        return re.sub(r"( --( |$)|$)", r" --max-time 0\1", without(text, "max-time"), count=1)
    if text.startswith("law check ") and "--case" not in text:
        return without(text, "starts", "cases") + " --starts 200 --cases 20"
    if text.startswith("post "):
        return without(text, "mean", "phase", "period", "from", "to", "count")
    return text


def shell(script, folder, **environment):
    return subprocess.run(script, shell=True, cwd=folder, env=dict(os.environ, **environment), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def public():
    """The folder of the public problems, or None."""
    path = os.environ.get("DELASSUS_SHARED", "")
    return os.path.abspath(path) if os.path.isdir(os.path.join(path, "fclib")) else None


def one_problem(text):
    """A public problem, the smallest, in the place of all of a folder."""
    return re.sub(r"(\.\./shared/fclib/)(\w+|\*)/\*\.hdf5", r"\1local/OneObject-i100000-316.hdf5", text)


def prepare(root, program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "problems"))
    os.makedirs(os.path.join(folder, "out"))
    for name in ("input", "plugins"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
    shared = os.path.join(os.path.dirname(folder), "shared")
    if public() and not os.path.lexists(shared):
        os.symlink(public(), shared)
    with open(os.path.join(folder, "deck.yaml"), "w") as file:
        file.write(DECK)
    made = ["problem.hdf5", "KaplasTower-i1061-4.hdf5", "Rover4-1.hdf5", "Rover4-2.hdf5", "problems/a.hdf5", "problems/b.hdf5"]
    for name in made:
        done = shell("%s solve --sample table --quiet --write %s" % (program, name), folder)
        if done.returncode:
            faults.append("cannot make %s: %s" % (name, done.stdout))


def make_missing(text, root, program, folder):
    """What a command takes as the reader's own: a law in ./joint.so, a run in out/run, a checkpoint."""
    if "./joint.so" in text and not os.path.exists(os.path.join(folder, "joint.so")):
        shell("sed 's/\"coulomb\"/\"joint\"/' plugins/coulomb/coulomb.c | cc -shared -fPIC -I%s/core/include -x c - -o joint.so" % root, folder)
    for name in re.findall(r"--restart (\S+)/checkpoint.h5", text):
        if not os.path.exists(os.path.join(folder, name, "checkpoint.h5")):
            deck = restarted_deck(text)
            if not os.path.exists(os.path.join(folder, deck)):
                deck = deck_of(text)
            shell("%s run %s --set time.end=%g --out %s" % (program, deck, STEPS / 2 * step_of(os.path.join(folder, deck)), name), folder)
    for name in re.findall(r"\bout/(?:gallery/)?[\w-]+", text):
        if text.startswith("post ") and not os.path.exists(os.path.join(folder, name)):
            shell("%s run input/biaxial.yaml --set time.end=%g --out %s" % (program, STEPS * step_of(os.path.join(folder, "input/biaxial.yaml")), name), folder)


def finish_law(text, build, folder):
    """`law new NAME` is followed by its build, as the words beside it say."""
    name = shlex.split(text)[2]
    done = shell("cmake -S %s -B %s/build -DCMAKE_PREFIX_PATH=%s && cmake --build %s/build" % (name, name, build, name), folder)
    if done.returncode:
        faults.append("the folder of `delassus %s` does not build:\n%s" % (text, done.stdout))


def check_page(root, program, build, scratch, page, full):
    folder = os.path.join(scratch, page.replace("/", "_"))
    prepare(root, program, folder)
    if page == "input":
        found = [Command(1, "delassus %s input/%s --out out/%s" % ("study" if name.endswith("-study.yaml") else "run", name, name[:-5]), [])
                 for name in sorted(os.listdir(os.path.join(root, page))) if name.endswith(".yaml")]
    else:
        found = list(commands(os.path.join(root, page)))
        for line, text in inline(os.path.join(root, page)):
            if QUICK.match(text) and not PLACEHOLDER.search(text):
                found.append(Command(line, "delassus " + text, []))
            else:
                check_options(program, page, line, text, folder)
    for command in found:
        if ELSEWHERE.match(command.text) or command.text in done_before:
            continue
        foreign = "siconos" in command.text and not os.path.exists(os.path.join(build, "lib/delassus/peers/siconos.so"))
        if foreign or ("../shared/" in command.text and not public()):
            left_out.append("%s:%d: delassus %s" % (page, command.line, command.text))
            continue
        if "out/" not in command.text and "problem.hdf5" not in command.text:
            done_before.add(command.text)
        text = command.text if full else one_problem(shorten(command.text, folder))
        make_missing(text, root, program, folder)
        places = re.findall(r"DELASSUS_PLUGIN_PATH=(\S+)", command.comment)
        done = shell("%s %s" % (program, text), folder, DELASSUS_PLUGIN_PATH=places[0] if places else "")
        if done.returncode != command.status:
            faults.append("%s:%d: delassus %s: exit %d, not %d:\n%s" % (page, command.line, text, done.returncode, command.status, done.stdout[-600:]))
        if text.startswith("law new "):
            finish_law(text, build, folder)
    shown = 0
    if page != "input":
        shown = check_decks(root, program, page, folder, full)
        check_paths(root, page)
    print("%s: %d commands, %d decks" % (page, len(found), shown))
    return len(found) + shown


def main():
    program, root, build, scratch, form = sys.argv[1:6]
    seen = sum(check_page(root, program, build, scratch, page, form == "full") for page in sys.argv[6:])
    if seen == 0:
        faults.append("no command was found in %s" % sys.argv[6:])
    for line in left_out:
        print("left out, without the public problems: %s" % line)
    for line in faults:
        print(line)
    sys.exit(1 if faults else 0)


main()
