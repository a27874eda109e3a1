"""The names of pages as they are now."""

import pytest

from embtools.ui import menu, panels
from embtools.ui.step_names import name_of

TITLES = {"": "Home", **{each.name: each.title for each in menu.PAGES}}


@pytest.mark.parametrize(
    "address, name",
    [
        ("pairs", "Pairs › Next sentence"),
        ("pairs?pairs_first=Rome+is+old.&model=x", "Pairs › Next sentence: Rome is old."),
        ("pairs?pairs_tab=nothing", "Pairs › Next sentence"),
        ("similarity?similarity_tab=odd&similarity_odd=red%2C+king", "Similarity › Odd one out: red, king"),
        ("", "Home"),
        ("lessons?lesson=rome", "Lessons"),
        ("os?x=1", "os"),
        ("pairs?" + "&".join(f"x{n}=1" for n in range(200)), "Pairs"),
        ("pairs?pairs_first=" + "x" * 90, f"Pairs › Next sentence: {'x' * 49}…"),
        ("pairs?pairs_first=a%0Ab%00", "Pairs › Next sentence: a b\ufffd"),
    ],
)
def test_a_page_is_named_by_its_tab_and_by_what_was_typed(address, name):
    assert name_of(address, TITLES) == name


def test_two_tabs_of_a_page_have_different_names():
    for each in menu.IDEAS:
        tabs = panels.of(each.name)
        names = {name_of(f"{each.name}?{each.name}_tab={tab}", TITLES) for tab in tabs}
        assert len(names) == len(tabs) and all(name.startswith(each.title) for name in names)
