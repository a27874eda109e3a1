"""Capitals for texts of the app: only what a cased model needs, and nothing for an uncased one."""

import pytest

from embtools.models import spelling
from embtools.models.loading import load_model
from tests.conftest import make_tiny


def test_an_uncased_model_leaves_a_text_as_it_is(tiny):
    assert not tiny.cased and spelling.capitalised("rome = rome - italy", tiny) == "rome = rome - italy"


CAPITALISED = {
    "a formula": ("rome = rome - italy + france", "", "Rome = Rome - Italy + France"),
    "words that need none": ("king - man + woman", "", "king - man + woman"),
    "a list of names takes all that can": ("italy, paris, france, the", "", "Italy, Paris, France, the"),
    "small words around one name": ("the king of rome in paris", "", "the king of Rome in paris"),
    "the sentence's spelling goes first": ("paris = paris - king", "Paris is the capital.", "Paris = Paris - king"),
    "groups by name": ("italy: rome\nfrance: paris", "", "Italy: Rome\nFrance: Paris"),
    "edits behind a bar": (
        "the king of rome | rome = rome - italy\nrome", "", "the king of rome | Rome = Rome - Italy\nrome",
    ),
    "unknown words and signs": ("bonn, [MASK], {word}, rome2, ##rome", "", "bonn, [MASK], {word}, rome2, ##rome"),
}  # fmt: skip


@pytest.mark.parametrize("text, context, expected", CAPITALISED.values(), ids=CAPITALISED)
def test_a_cased_model_gets_its_capitals(tiny_cased, text, context, expected):
    assert tiny_cased.cased and spelling.capitalised(text, tiny_cased, context=context) == expected


def test_a_word_may_have_capitals_inside(tmp_path):
    model = load_model(str(make_tiny(tmp_path, words=["YouTube", "Google", "is", "."], cased=True)))
    assert spelling.capitalised("youtube - google", model) == "YouTube - Google"
    assert spelling.capitalised_words(("youtube", "is"), model) == ("YouTube", "is")
    assert spelling.capitalised_words((), model) == ()
