"""Addresses that people have saved still show what they showed: the list of promised addresses holds."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from tests import columns, promised
from tests.address import EVERY, PROMISED
from tests.promised import PAGES

pytestmark = pytest.mark.usefixtures("as_shipped")

LISTED = json.loads(PROMISED.read_text(encoding="utf-8"))
AGAIN = "Run python -m tests.promised, and look at the changes of tests/ui/addresses.json."
LONG = {
    ("attention", "tasks"), ("corpus", "nearest"), ("corpus", "sentences"),
    ("features", "word"), ("evidence", "battery"), ("clusters", "isotropy"),
}  # fmt: skip
"""Tabs that compute for several seconds; most of them read the whole built-in corpus."""
NO_MEASUREMENT = {("", ""), ("about", ""), ("lessons", ""), ("similarity", "odd")}
"""Tabs whose first headline is a question or a title."""
VIEWS = [
    pytest.param(page, tab, marks=pytest.mark.slow if (page, tab) in LONG else ())
    for page in PAGES
    for tab in promised.tabs(page)
]


@pytest.fixture(scope="module")
def now(visit: Any) -> dict[str, Any]:
    """The names and fields of all pages."""
    return {page: promised.of_page(page) for page in (EVERY, *PAGES)}


def test_the_list_of_columns_is_in_alphabetical_order_and_has_every_column_once() -> None:
    _, rows = columns.tables()
    firsts = [row[0] for row in rows]
    assert firsts == sorted(firsts) and len(firsts) > 200
    names = Counter(name for table in columns.tables() for row in table for name in row)
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("page", [EVERY, *PAGES])
def test_fields_and_names_stay(now: dict[str, Any], page: str) -> None:
    """New fields, options and names are welcome; a promised one keeps its key, its default and its range."""
    for kind in ("run", "open"):
        assert set(LISTED[page][kind]) <= set(now[page][kind]), kind
    for key, field in LISTED[page]["fields"].items():
        current = now[page]["fields"][key]
        assert current["default"] == field["default"], key
        assert set(field.get("options", ())) <= set(current.get("options", ())), key
        (low, high), (least, most) = (each.get("range", (0, 0)) for each in (field, current))
        assert least <= low and high <= most, key


@pytest.mark.parametrize("page", [EVERY, *PAGES])
def test_the_list_is_complete(now: dict[str, Any], page: str) -> None:
    assert {kind: LISTED[page][kind] for kind in now[page]} == now[page], AGAIN


def test_the_list_has_every_page() -> None:
    assert list(LISTED) == [EVERY, *PAGES], AGAIN


@pytest.mark.slow("evidence-dose")
@pytest.mark.parametrize(("page", "tab"), VIEWS)
def test_every_tab_shows_what_is_promised_and_opens_with_a_number(visit: Any, page: str, tab: str) -> None:
    at = promised.opened(page, tab)
    assert not at.problems
    for name, table in at.named_tables.items():
        assert not columns.unlisted(name, table.columns), f"{name}: explain these columns in docs/columns.md"
    assert promised.shows(at) == LISTED[page]["shows"][tab], AGAIN
    if at.header and (page, tab) not in NO_MEASUREMENT:
        assert re.search(r"\d", at.header[0].value)


def test_names_are_found_in_the_source(tmp_path: Any) -> None:
    (tmp_path / "panel.py").write_text(
        """
_FOLD = "own-text"
def show(answers):
    name, button = "many", f"Try {3} choices"
    if long_work.requested(name, button, 3.0):
        with figures.expander(f"{answers}-figures", "As numbers") as opened:
            figures.as_table(frame, "cases")
    state.expander(_FOLD, f"Text: {answers}")
    figures.show(charts.bars, answers, name="parts")
    long_work.requested(answers, "Nobody knows this name", 3.0)
""",
        encoding="utf-8",
    )
    assert promised.names(tmp_path) == {
        "run": {"many": "Try {} choices"},
        "open": {"cases": "As a table", "own-text": "Text: {}", "parts": "As a table", "{}-figures": "As numbers"},
    }


def test_numbers_are_left_out_of_what_a_tab_shows(visit: Any) -> None:
    assert promised.shows(promised.opened("arithmetic")).startswith("BERT now answers france (#%) instead of italy.")
