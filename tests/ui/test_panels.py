"""The panels: found by permanent keys, and named after their numbers."""

from pathlib import Path
from typing import Any

import pytest

from embtools.models.catalogue import CATALOGUE
from embtools.ui import menu, panels
from embtools.ui.fields import Choice

ROOT = Path(__file__).parents[2]
PAGES = [page.name for page in menu.IDEAS]  # the pages with panels of their own

# Modules of a page's package that have no number or chart module of their name, by the reason.
ALONE = {
    "fields that several panels or parts of a panel share": (
        "arithmetic/edit_query", "clusters/inputs", "clusters/settings", "clusters/words", "corpus/source",
        "corpus/words", "decomposition/penalty", "evidence/inputs", "inputs/token_fields", "isotropy/source", "own_vectors/source", "pairs/pair",
        "probing/probe_fields", "similarity/inputs", "tracing/sentences", "attention/layer_fields",
    ),
    "examples, lists to choose from, links and notes": (
        "arithmetic/examples", "bias/lists", "bias/notes", "clusters/examples", "paper/links",
    ),
    "a part of a panel that shows results of several number modules": (
        "arithmetic/answers", "arithmetic/details", "arithmetic/expected_word", "arithmetic/layers",
        "arithmetic/words", "bias/distances", "clusters/additions", "clusters/selected",
        "evidence/case", "inputs/details", "isotropy/effects", "isotropy/sides", "paper/cards", "paper/overview", "paper/results",
        "probing/details", "probing/probe", "similarity/colour_words",
    ),
    "what lessons can ask about results of several number modules": (
        "arithmetic/lesson_answers", "attention/lesson_answers", "bias/lesson_answers", "clusters/lesson_answers",
        "decomposition/lesson_answers", "directions/lesson_answers", "evidence/lesson_answers", "inputs/lesson_answers",
        "isotropy/lesson_answers", "layers/lesson_answers", "pairs/lesson_answers", "probing/lesson_answers",
        "similarity/lesson_answers", "tracing/lesson_answers",
    ),
    "widgets": (
        "arithmetic/builder", "arithmetic/empty", "clusters/motion", "corpus/lists", "corpus/whole_corpus", "layers/player",
    ),
}  # fmt: skip


def keys(field: Any) -> list[str]:
    return [key for key, _ in field.keys] if isinstance(field, Choice) else []


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_its_panels(page: str) -> None:
    found = panels.of(page)
    assert found and all(key.isascii() and key == key.lower() and " " not in key for key in found)


@pytest.mark.parametrize("page", PAGES)
def test_options_have_keys_that_are_no_labels(page: str) -> None:
    """A key is short, in small letters and without spaces, so that nobody takes it for a label."""
    long = [
        (field.key, key)
        for panel in panels.of(page).values()
        for field in panel.FIELDS
        for key in keys(field)
        if (" " in key or len(key) > 24) and key not in CATALOGUE
    ]
    assert not long


def test_a_module_of_a_page_is_named_after_its_numbers_or_its_chart() -> None:
    root = ROOT / "embtools"
    unnamed = {
        f"{page}/{path.stem}"
        for page in PAGES
        for path in (root / "ui" / page).glob("*.py")
        if path.stem not in ("__init__", "panels")
        and not any((folder / page / path.name).exists() for folder in (root, root / "charts"))
    }
    assert unnamed == {name for names in ALONE.values() for name in names}
