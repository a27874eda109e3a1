"""No test of the house: what test_leaves_nothing.py interrupts. It has a server and a browser, and waits for ever."""

import threading

from tests import lifeline


def test_that_never_ends(server, browser):
    (lifeline.folder() / "waits").touch()
    threading.Event().wait()
