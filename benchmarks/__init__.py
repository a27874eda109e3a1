"""Scripts that measure times, sizes and visits; `measure` describes their options."""

from embtools.ui import host

host.prepare()  # as the app does: before numpy and torch are imported, which read the number of threads only then
