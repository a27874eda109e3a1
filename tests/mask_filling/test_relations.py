"""Built-in relations: complete, in single tokens, with sentences that can be asked."""

import pytest

from embtools import wordlists
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.cases import filled, plan, read_edit, read_sentences
from embtools.mask_filling.relations import EDIT, TITLES, pairs_of, relation


@pytest.mark.parametrize("key", TITLES)
def test_a_relation_can_be_tested(bundled, key: str) -> None:  # type: ignore[no-untyped-def]
    found = relation(key)
    assert 2 <= len(read_sentences(found.sentences)) <= 5 and read_sentences(found.must_stay)
    assert not set(found.sentences) & set(found.must_stay)
    planned = plan(found.pairs, bundled)
    assert len(planned.pairs) >= (7 if key == "pronoun" else 30)
    assert len(planned.excluded) == 0 or key == "continent"  # South America and North America are two words
    assert len({a for a, _ in found.pairs}) == len(found.pairs)


def test_names_have_capitals_and_ambiguous_ones_are_left_out() -> None:
    capitals = dict(relation("capital").pairs)
    assert capitals["Rome"] == "Italy" and not {"Male", "Victoria", "Georgetown", "Amsterdam"} & set(capitals)
    assert dict(relation("past").pairs)["walk"] == "walked"
    read_edit(EDIT)


def test_pairs_are_in_random_order_and_say_what_is_left_out() -> None:
    capital = relation("capital")
    assert sorted(capital.pairs) != list(capital.pairs) == list(pairs_of("capital"))
    assert ("Amsterdam", "Netherlands", "the country needs “the” in a sentence") in capital.left_out
    assert ("Male", "Maldives", "the name also has another meaning") in capital.left_out
    assert ("male", "female") in relation("opposite").pairs and not relation("opposite").left_out
    listed = wordlists.load("capitals")["country"].nunique()
    assert len(capital.pairs) + len(capital.left_out) == listed
    assert pairs_of([("Rome", "Italy")]) == (("Rome", "Italy"),)


@pytest.mark.parametrize("key", TITLES)
@pytest.mark.slow
def test_the_first_sentence_is_the_one_that_the_model_answers_best(bundled, key: str) -> None:  # type: ignore[no-untyped-def]
    found = relation(key)
    planned = plan(found.pairs, bundled, others=1)
    right = [
        sum(
            fill_mask(filled(sentence, pair.a), bundled, k=1)["token"].iloc[0] == bundled.vocabulary[pair.b_id]
            for pair in planned.pairs
        )
        for sentence in found.sentences
    ]
    assert right[0] >= max(right) - 0.05 * len(planned.pairs)


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(ValueError, match="no relation 'city'"):
        relation("city")
