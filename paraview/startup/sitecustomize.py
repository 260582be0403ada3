"""For ParaView up to 5.11 with Python 3.11 or later (Debian 12): its loader of Python plugins imports a function that Python
no longer has. Python reads this file when it starts with this folder in PYTHONPATH."""
import inspect

if not hasattr(inspect, "getargspec"):
    inspect.getargspec = inspect.getfullargspec
