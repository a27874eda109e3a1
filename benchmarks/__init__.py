"""Measurements of speed, memory and size, each a script: python -m benchmarks.NAME.

Threads are set here as in the app (`embtools.ui.host.SETTINGS`), because numpy and torch read their number when they
are first imported. The app is not imported yet: `every_page` first says which models it has.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 2) - 1)))
