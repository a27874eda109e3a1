"""About: what the app is, where to start, its model, licence and limits, and the glossary."""

from embtools.ui import about

about.show()
