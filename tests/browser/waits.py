"""No test of the house: what test_leaves_nothing.py interrupts. It has a server and a browser, and waits for ever."""

import threading

from tests import lifeline
from tests.browser.conftest import serve


def test_that_never_ends(browser):
    serve("app")  # as the one that all tests share
    (lifeline.folder() / "waits").touch()
    threading.Event().wait()
