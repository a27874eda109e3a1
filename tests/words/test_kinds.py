"""Words of the same kind: from the lists, from the kind of the neighbours, and by frequency."""

import numpy as np
import pytest

from embtools import wordlists
from embtools.words.kinds import same_kind


def words(model, word: str) -> list[str]:  # type: ignore[no-untyped-def]
    return [model.vocabulary[i] for i in same_kind(model.ids[word], model)]


@pytest.mark.parametrize(
    ("word", "name", "column"),
    [("italy", "countries", "country"), ("red", "colours", "colour"), ("dog", "animals", "animal"),
     ("tuesday", "days", "day"), ("paris", "cities", "city"), ("fish", "animals", "animal")],
)  # fmt: skip
def test_words_of_a_list_come_from_the_same_list(bundled, word, name, column) -> None:  # type: ignore[no-untyped-def]
    """A word in no list, fish, has the kind of its neighbours."""
    listed = set(wordlists.load(name)[column]) | set(wordlists.load("capitals")["capital"])
    others = (
        {"scotland", "wales", "england", "britain", "usa", "uk", "prussia", "america"} if word == "italy" else set()
    )
    found = words(bundled, word)[:30]
    assert len(found) >= 6 and word not in found and set(found) - others <= listed


def test_other_words_have_a_similar_frequency_and_are_no_names_or_forms(bundled) -> None:  # type: ignore[no-untyped-def]
    names = set(wordlists.load("groups").query("set == 'first names'")["word"])
    ranks = np.cumsum(bundled.rankable)
    for word in ("money", "books", "river", "prussia", "king"):
        found = words(bundled, word)[:20]
        assert len(found) == 20 and not names & set(found)
        assert not any(other.startswith(word) and len(other) <= len(word) + 3 for other in found)
        factors = [ranks[bundled.ids[other]] / ranks[bundled.ids[word]] for other in found]
        assert word == "prussia" or (min(factors) >= 0.25 and max(factors) <= 4)
    assert words(bundled, "john")[0] in {"michael", "george", "james"}  # names for a name
