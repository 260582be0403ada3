"""A study killed at random moments, with all its processes, and started again each time leaves the tables, figures and page
of one that was left alone, byte for byte. Last it is stopped by SIGINT: status 3, files whole, and it goes on from there.

    study_check.py PROGRAM STUDY FOLDER KILLS SEED"""
import filecmp, os, random, shutil, signal, subprocess, sys, time

program, study, folder, kills, seed = sys.argv[1:6]
alone, broken, stopped = (os.path.join(folder, name) for name in ("alone", "broken", "stopped"))


def start(out):
    return subprocess.Popen([program, "study", study, "--out", out, "--jobs", "4", "--quiet"], start_new_session=True)


def fail(text):
    sys.exit("study_check: " + text)


def rows(out):
    """Status words of results.csv, in its order."""
    with open(os.path.join(out, "results.csv")) as file:
        lines = file.read().split("\n")
    at = lines[0].split(",").index("status")
    return [line.split(",")[at] for line in lines[1:] if line]


def compare(out):
    names = [name for name in sorted(os.listdir(alone)) if os.path.isfile(os.path.join(alone, name)) and name != ".lock"]
    wrong = [name for name in names if not filecmp.cmp(os.path.join(alone, name), os.path.join(out, name), False)]
    if wrong or len(names) < 4:
        fail("%s: these differ from the study left alone: %s (of %s)" % (out, ", ".join(wrong), ", ".join(names)))


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
began = time.monotonic()
if start(alone).wait() != 0:
    fail("the study left alone did not end with 0")
whole = time.monotonic() - began
if rows(alone) != ["done"] * 40:
    fail("not all runs of the study left alone are done")

chance, killed, attempts = random.Random(int(seed)), 0, 0
while killed < int(kills) and attempts < 3 * int(kills):
    process = start(broken)
    attempts += 1
    try:
        process.wait(timeout=chance.uniform(0.02, 0.16) * whole)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        killed += 1
if killed < int(kills):
    fail("only %d of %s attempts were killed before they ended" % (killed, kills))
if start(broken).wait() != 0:
    fail("the study that was killed does not end with 0")
compare(broken)

process = start(stopped)
time.sleep(0.3 * whole)
os.killpg(process.pid, signal.SIGINT)
status = process.wait(timeout=30)
if status != 3:
    fail("SIGINT ended the study with %d, not 3" % status)
words = rows(stopped)
if len(words) != 40 or not set(words) <= {"done", "waiting"} or "waiting" not in words:
    fail("the table of a stopped study has %s" % sorted(set(words)))
if start(stopped).wait() != 0:
    fail("the study that was stopped does not end with 0")
compare(stopped)
print("%d kills and a stop, all files as if there had been none" % killed)
