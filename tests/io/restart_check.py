"""A run killed at random moments and gone on from its checkpoint each time leaves the files of a run left
alone, byte for byte, but for the columns and keys that tell seconds of wall clock. Every second restart
gives the deck and its settings again, the others take those of the checkpoint. With TERM in the place of
KILL the run ends by itself, with exit status 3, cutting the step at hand.

    restart_check.py PROGRAM DECK FOLDER KILLS SEED KILL|TERM [--set key=value ...]"""
import os, random, shutil, signal, subprocess, sys, time

import restart_files

program, deck, folder, kills, seed, by = sys.argv[1:7]
settings = sys.argv[7:]
alone, broken = os.path.join(folder, "alone"), os.path.join(folder, "broken")


def command(out, attempt):
    words = [program, "run", deck, "--out", out, "--quiet", *settings]
    saved = os.path.join(out, "checkpoint.h5")
    if attempt == 0 or not os.path.exists(saved):
        return words
    return words + ["--restart", saved] if attempt % 2 else [program, "run", "--quiet", "--restart", saved]


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
began = time.monotonic()
status = subprocess.run(command(alone, 0)).returncode
whole = time.monotonic() - began
if status not in (0, 1):
    sys.exit("restart_check: the run left alone ended with %d" % status)
chance = random.Random(int(seed))
killed = attempts = 0
while killed < int(kills) and attempts < 4 * int(kills):
    process = subprocess.Popen(command(broken, attempts))
    attempts += 1
    try:
        process.wait(timeout=chance.uniform(0.03, 0.15) * max(whole, 0.2))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL if by == "KILL" else signal.SIGTERM)
        ended = process.wait()
        if by == "TERM" and ended not in (0, 1, 3, -signal.SIGTERM):  # before the handler is there: -15
            sys.exit("restart_check: SIGTERM ended the run with %d, not 3" % ended)
        killed += by == "KILL" or ended == 3
status = subprocess.run(command(broken, attempts + 1)).returncode
if status not in (0, 1):
    sys.exit("restart_check: the restarted run ended with %d" % status)
wrong = restart_files.differences(alone, broken)
if wrong:
    sys.exit("restart_check: after %d kills these differ: %s" % (killed, ", ".join(wrong[:10])))
if killed == 0:
    sys.exit("restart_check: no run was broken; nothing is shown")
print("%d kills, all files as if there had been none" % killed)
