"""Copied Python: the imports that its names need, and the parts in their order."""

from datetime import date

import pytest

import embtools
from embtools.bias import groups, likelihood  # noqa: F401  (loaded, as on the page)
from embtools.mask_filling import edits  # noqa: F401
from embtools.models.embedding_model import EmbeddingModel  # noqa: F401
from embtools.ui import cached
from embtools.ui.share import Code, citation, imports
from embtools.words import groups as word_groups  # noqa: F401
from embtools.words import templates  # noqa: F401


def test_functions_and_modules_are_imported_from_their_homes() -> None:
    assert imports("scores = likelihood.summary(1)\nprint(group_answers(scores))", "bias") == {
        "from embtools.bias import likelihood",
        "from embtools.bias.groups import group_answers",
    }


def test_the_idea_comes_before_the_floors_and_a_made_name_is_no_import() -> None:
    assert imports("groups = 1\nprint(groups)", "bias") == set()
    assert imports("groups.group_answers(np.zeros(1))", "bias") == {
        "from embtools.bias import groups",
        "import numpy as np",
    }


def test_a_class_is_no_module_though_its_methods_are_called() -> None:
    assert imports("Change.of(['rome = italy'])", "arithmetic") == {"from embtools.mask_filling.edits import Change"}


def test_the_modules_of_another_idea_are_no_homes() -> None:
    assert imports("groups.preset('months')", "similarity") == {"from embtools.words import groups"}
    with pytest.raises(LookupError, match="group_answers"):
        imports("group_answers(1)", "similarity")


def test_words_of_a_visitor_are_no_names() -> None:
    assert imports("text = 'likelihood.summary wordlists'\nprint(text, model)", "bias") == set()


def test_a_name_without_a_home_is_an_error() -> None:
    with pytest.raises(LookupError, match="nowhere_at_all"):
        imports("nowhere_at_all(1)", "bias")


def test_parts_stand_in_their_order_and_are_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        revision = "abc"

    monkeypatch.setattr(cached, "model", lambda name: Model)
    code = Code("bias", "bundled")
    code.add("first", "a = 1", "print(a)")
    code.add("second", "b = 2")
    code.add("first", "a = 3")
    code.add("third", "c = 4")
    code.drop("third")
    text = code.text()
    assert text.index("a = 3") < text.index("b = 2")
    assert "a = 1" not in text and "c = 4" not in text
    assert "model = embtools.load_model('bundled')  # revision abc" in text
    compile(text, "copied", "exec")


def test_a_citation_names_version_model_and_state(tiny) -> None:
    line = citation(tiny, "bundled", "https://host/bias?bias_layer=3", date(2026, 11, 22))
    said = (embtools.__version__, "Pocket BERT", tiny.checksum[:16], "https://host/bias?bias_layer=3", "2026-11-22")
    assert all(part in line for part in said)
