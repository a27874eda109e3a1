"""Long texts of a visit: found by their names, the same name for equal values, and only the last few are stored."""

from collections.abc import Iterator

import pytest
import streamlit as st

from embtools.ui import left_out


@pytest.fixture(autouse=True)
def visit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(st, "session_state", {})
    yield


def test_the_name_depends_on_the_values_alone() -> None:
    assert left_out.keep({"a": "x", "b": "y"}) == left_out.keep({"b": "y", "a": "x"})
    assert left_out.keep({"a": "x"}) != left_out.keep({"b": "x"}) != left_out.keep({"a": "y"})
    assert left_out.keep({"a": "\ud800"})  # half of a pair, which an address can contain


def test_only_the_last_few_are_stored_and_one_that_is_stored_again_stays() -> None:
    first, *others = [left_out.keep({"a": f"text {n}"}) for n in range(left_out.MOST)]
    left_out.keep({"a": "text 0"})
    left_out.keep({"a": "one more"})
    assert left_out.find(first) and left_out.find(others[0]) is None and left_out.find(others[1])
