"""Measurements of speed, memory and size, each a script: python -m benchmarks.NAME.

Threads are set here as in the app, because numpy and torch read their number when they are first imported.
"""

from embtools.ui import host

host.prepare()
