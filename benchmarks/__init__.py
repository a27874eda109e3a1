"""One script per claim about speed: `python -m benchmarks.neighbours`."""

from embtools.ui import host

host.prepare()  # as the app does: before torch is imported, which reads the number of threads only then
