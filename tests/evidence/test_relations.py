"""Built-in relations: complete, in single tokens, with sentences that can be asked."""

import pytest

from embtools.evidence.cases import plan, read_edit, read_sentences
from embtools.evidence.relations import EDIT, TITLES, relation, similar_sentences


@pytest.mark.parametrize("key", TITLES)
def test_a_relation_can_be_tested(bundled, key: str) -> None:  # type: ignore[no-untyped-def]
    found = relation(key)
    assert 2 <= len(read_sentences(found.sentences)) <= 5 and read_sentences(found.must_stay)
    assert not set(found.sentences) & set(found.must_stay)
    planned = plan(found.pairs, bundled)
    assert len(planned.pairs) >= (7 if key == "pronoun" else 30)
    assert len(planned.excluded) == 0 or key == "continent"  # South America and North America are two words
    assert len({a for a, _ in found.pairs}) == len(found.pairs)
    assert set(found.similar) <= {*found.sentences, *found.must_stay}


def test_names_have_capitals_and_ambiguous_ones_are_left_out() -> None:
    capitals = dict(relation("capital").pairs)
    assert capitals["Rome"] == "Italy" and not {"Male", "Victoria", "Georgetown", "Amsterdam"} & set(capitals)
    assert dict(relation("past").pairs)["walk"] == "walked"
    read_edit(EDIT)


def test_sentences_like_those_of_the_training_text_are_known() -> None:
    asked = (*relation("capital").sentences, "{a} is near [MASK].")
    assert similar_sentences(asked) == relation("capital").similar != ()


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(ValueError, match="no relation 'city'"):
        relation("city")
