"""Every command that a page shows runs, and ends with the status that the page tells.

    docs_commands_check.py PROGRAM ROOT BUILD SCRATCH short|full PAGE...

PAGE is a path below ROOT, or `input` for all decks of input/. A command is an indented line, or a line of a fenced block,
that begins with `delassus` or `$ delassus`. They run one after the other in SCRATCH/PAGE, where input/ and plugins/ are
those of ROOT and the files that pages take as the reader's own (problem.hdf5, deck.yaml ...) are made first. The status is
0, or what the page shows: the number behind `; echo $?`, or 2 where the output lists mistakes of a deck.

The short form ends every run after 30 steps, gives every race 0.1 s, every check of a law 20 cases, a solve all the time it
needs, and leaves out means over times that such a run does not reach; `full` runs the commands as they stand.

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
faults = []


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
    if text.startswith("compare "):
        return without(text, "max-time") + " --max-time 0.1"
    if text.startswith("solve "): # no clock: other tests run beside this one
        return re.sub(r"( --( |$)|$)", r" --max-time 0\1", without(text, "max-time"), count=1)
    if text.startswith("law check ") and "--case" not in text:
        return without(text, "starts", "cases") + " --starts 200 --cases 20"
    if text.startswith("post "):
        return without(text, "mean", "phase")
    return text


def shell(script, folder, **environment):
    return subprocess.run(script, shell=True, cwd=folder, env=dict(os.environ, **environment), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def prepare(root, program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "problems"))
    os.makedirs(os.path.join(folder, "out"))
    for name in ("input", "plugins"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
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
        found = [Command(1, "delassus run input/%s --out out/%s" % (name, name[:-5]), []) for name in sorted(os.listdir(os.path.join(root, page)))]
    else:
        found = list(commands(os.path.join(root, page)))
    for command in found:
        if ELSEWHERE.match(command.text):
            continue
        text = command.text if full else shorten(command.text, folder)
        make_missing(text, root, program, folder)
        places = re.findall(r"DELASSUS_PLUGIN_PATH=(\S+)", command.comment)
        done = shell("%s %s" % (program, text), folder, DELASSUS_PLUGIN_PATH=places[0] if places else "")
        if done.returncode != command.status:
            faults.append("%s:%d: delassus %s: exit %d, not %d:\n%s" % (page, command.line, text, done.returncode, command.status, done.stdout[-600:]))
        if text.startswith("law new "):
            finish_law(text, build, folder)
    print("%s: %d commands" % (page, len(found)))
    return len(found)


def main():
    program, root, build, scratch, form = sys.argv[1:6]
    seen = sum(check_page(root, program, build, scratch, page, form == "full") for page in sys.argv[6:])
    if seen == 0:
        faults.append("no command was found in %s" % sys.argv[6:])
    for line in faults:
        print(line)
    sys.exit(1 if faults else 0)


main()
