"""Tests that take long, 3.5 seconds or more on two cores, are marked slow: they run with --slow, or if asked for by name.

Tests that are marked thorough are slow tests that run before a release only, with --slow --thorough: most of them repeat
what others check, with more work or for every tab; some need minutes. Those that are marked long begin before all others.

`@pytest.mark.slow` marks a test with all its cases. `@pytest.mark.slow("Too tired", "bias-3")` marks only these cases of a
parametrized test, named by their ids as pytest prints them. The same is true of `thorough` and `long`.
"""

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: Any) -> Generator[None, Any, Any]:
    """Take a mark that names cases from all other cases of its test; a name without a case is an error."""
    made = yield
    items = made if isinstance(made, list) else []
    cases = [item.callspec.id if hasattr(item, "callspec") else "" for item in items]
    for item, case in zip(items, cases, strict=True):
        for mark in [mark for mark in item.own_markers if mark.name in {"slow", "thorough", "long"} and mark.args]:
            if gone := sorted(set(mark.args) - set(cases)):
                raise collector.CollectError(
                    f"{item.originalname} is marked {mark.name} for cases that are gone: {gone}"
                )
            if case not in mark.args:
                item.own_markers.remove(mark)
        if item.get_closest_marker("thorough"):
            item.add_marker("slow")
    return made
