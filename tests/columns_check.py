"""Lines of C end within 100 columns: columns_check.py FILE...

Counts characters, not bytes. One line for each fault; exit status 1 where there is one.
"""
import sys

COLUMNS = 100
faults = 0
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            length = len(line.rstrip("\n"))
            if length > COLUMNS:
                faults += 1
                print("%s:%d: %d columns, more than %d" % (name, number, length, COLUMNS))
sys.exit(1 if faults else 0)
