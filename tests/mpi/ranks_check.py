"""Runs under mpirun: the files of a run do not depend on how many ranks make it, nor on where it was broken off and gone on with on
another number of them; a rank that is killed ends the run with a sentence, and leaves a checkpoint to go on from.

    ranks_check.py PROGRAM INPUT FOLDER bytes|restart|kill|refuse

Exit status 0 when all is well, 1 with a line for each fault, 77 where there is no mpirun."""
import filecmp, os, shutil, signal, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "io"))
import restart_files

program, decks, folder, what = sys.argv[1:5]
faults = []
# Short forms: [deck, what makes something happen in a few steps].
SHORT = [
    ("drum", "time.end=0.06"),  # a carrier that turns
    ("pour", "time.end=0.12"),  # sources and sinks
    ("janssen-3d", "time.end=0.01"),  # spheres, walls
    ("rolling", "time.end=0.05"),  # torques
    ("arch", "time.end=0.02"),  # polygons
    ("cohesive", "time.end=0.05"),  # a law with states
    ("deformable-disks", "time.end=2 ms"),  # finite elements
    ("deposit", "time.end=0.03", "grains[0].count=3000"),  # contacts enough for their solve to be shared
    # Contacts on other parts than balls, with states, and clusters that are alone in their colour.
    ("deposit", "time.end=0.05", "grains[0].count=3000", "laws[0]={law: [coulomb, rolling, cohesive]}"),
    # Elements enough for detection to be shared: hulls in a mesh, and disks in a cell that is sheared.
    ("hopper-mesh", "time.end=0.2", *["grains[%d].%s" % (k, s) for k in (0, 1) for s in ("count=1100", "sizes={kind: uniform, min: 1.2 cm, max: 1.4 cm}")]),
    ("sheared-cell", "time.end=0.05", "cell.shear=5", "grains[0].count=2100", "grains[0].sizes={kind: uniform, min: 2 mm, max: 2.6 mm}"),
]
LONG = ("hopper-mesh", "sheared-cell", "deposit-states")


def start(ranks, *words):
    launcher = [] if ranks == 0 else ["mpirun", "-n", str(ranks), "--oversubscribe"]
    return subprocess.Popen(launcher + [program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(ranks, *words, expect=(0,)):
    process = start(ranks, *words)
    text = process.communicate(timeout=300)[0]
    if process.returncode not in expect:
        faults.append("%s on %d ranks: exit status %d\n%s" % (" ".join(words), ranks, process.returncode, text))
    return text


def compare(name, a, b):
    wrong = restart_files.differences(a, b)
    if not filecmp.cmp(os.path.join(a, "checkpoint.h5"), os.path.join(b, "checkpoint.h5"), False):
        wrong.append("checkpoint.h5")
    if wrong:
        faults.append("%s: these differ: %s" % (name, ", ".join(wrong[:10])))


def words_of(deck, out, *settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return ["run", os.path.join(decks, deck + ".yaml"), "--quiet", *words, "--out", os.path.join(folder, out)]


def check_bytes():
    for deck, *settings in SHORT:
        name = deck + ("-states" if "laws" in settings[-1] else "")
        run(0, *words_of(deck, name + "-0", *settings), expect=(0, 1))
        alone = os.path.join(folder, name + "-0")
        rows = restart_files.history(alone)
        if float(rows[-1][rows[0].index("contacts")]) < 1:
            faults.append("%s: nothing touches; the short form shows nothing" % deck)
        for ranks in (2, 3) if name in LONG else (1, 2, 3, 4):
            out = "%s-%d" % (name, ranks)
            run(ranks, *words_of(deck, out, *settings), expect=(0, 1))
            compare(out, alone, os.path.join(folder, out))


def check_restart():
    deck = "drum"
    run(0, *words_of(deck, "alone", "time.end=0.06"))
    saved = os.path.join(folder, "broken", "checkpoint.h5")
    run(0, *words_of(deck, "broken", "time.end=0.02"))
    for ranks, end in (3, "0.04"), (2, "0.06"):
        run(ranks, "run", "--restart", saved, "--quiet", "--set", "time.end=" + end)
    # The certificate says where a run has been gone on from; states and frames are the same.
    wrong = [name for name in restart_files.differences(os.path.join(folder, "alone"), os.path.join(folder, "broken"))
             if name != "summary.json"]
    if wrong:
        faults.append("1 -> 3 -> 2 ranks: these differ: %s" % ", ".join(wrong[:10]))


def wait_for(path):
    for _ in range(1200):
        if os.path.exists(path):
            return
        time.sleep(0.1)
    sys.exit("ranks_check: %s does not come" % path)


def ranks_of(process):
    """Process ids by rank."""
    found = {}
    for number in (name for name in os.listdir("/proc") if name.isdigit()):
        try:
            parent = open("/proc/%s/stat" % number).read().rsplit(")", 1)[1].split()[1]
            variables = open("/proc/%s/environ" % number, "rb").read().split(b"\0")
        except OSError:
            continue
        if int(parent) == process.pid:
            for v in variables:
                if v.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(v.split(b"=")[1])] = int(number)
    return found


def check_kill():
    saved = os.path.join(folder, "killed", "checkpoint.h5")
    process = start(3, *words_of("drum", "killed", "time.end=100", "output.checkpoint=0.005"))
    wait_for(saved)
    os.kill(ranks_of(process)[2], signal.SIGKILL)
    text = process.communicate(timeout=120)[0]
    if process.returncode == 0:
        faults.append("a rank was killed, and mpirun says that all is well")
    if "killed" not in text.lower() and "do not answer" not in text:
        faults.append("a rank was killed, and nobody says so: %s" % text)
    run(0, "run", "--restart", saved, "--quiet", "--set", "time.end=0.2")
    # The first rank, asked to end while the others answer, ends well.
    process = start(2, *words_of("drum", "asked", "time.end=100", "output.checkpoint=0.005"))
    wait_for(os.path.join(folder, "asked", "checkpoint.h5"))
    os.kill(ranks_of(process)[1], signal.SIGTERM)  # any rank may be asked
    text = process.communicate(timeout=120)[0]
    if process.returncode != 3:  # stopped, with its state saved; a rank that dies of the signal gives another
        faults.append("a rank was asked to end, and mpirun's status is %d: %s" % (process.returncode, text))
    with open(os.path.join(folder, "asked", "summary.json")) as file:
        if '"finished": false' not in file.read():
            faults.append("a run that was asked to end says that it is finished")
    run(0, "run", "--restart", os.path.join(folder, "asked", "checkpoint.h5"), "--quiet", "--max-time", "0.1", expect=(3,))


def check_refuse():
    for words in (["solve", "--sample", "box"], ["run", os.path.join(decks, "arch.yaml"), "--halve"]):
        text = run(2, *words, expect=(2,))
        if text.count("eave mpirun out") != 1:
            faults.append("%s on two ranks says %s" % (" ".join(words), text))
    text = run(2, "run", "no-such-deck.yaml", expect=(2,))
    if text.count("no-such-deck.yaml") != 1:
        faults.append("a deck that is not there is told %d times: %s" % (text.count("no-such-deck.yaml"), text))
    # Without mpirun nothing of MPI is loaded.
    environment = dict(os.environ, LD_DEBUG="libs")
    words = words_of("arch", "alone", "time.end=2 ms")
    traced = subprocess.run([program, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    if "libmpi" in traced or "libpetsc" in traced or "libcholmod" not in traced:
        faults.append("a run without mpirun loads MPI or PETSc, or the trace shows nothing")


if not shutil.which("mpirun"):
    print("there is no mpirun")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
{"bytes": check_bytes, "restart": check_restart, "kill": check_kill, "refuse": check_refuse}[what]()
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
