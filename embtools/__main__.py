"""`python -m embtools` does the same as the command `embtools`."""

from embtools.ui.command import main

raise SystemExit(main())
