"""Sentences that resemble training sentences, by their content words and by their order."""

from embtools.mask_filling.relations import TITLES, relation
from embtools.mask_filling.training_overlap import similar_wordings, trained_relations


def test_a_visitors_own_wording_is_found() -> None:
    found = similar_wordings(("{a} is the capital city of [MASK].", "The capital of ___ is {a}."))
    assert len(found) == 2 and all("capital" in wording for wording in found.values())
    assert similar_wordings(["People in {a} speak [MASK]."]) == {
        "People in {a} speak [MASK].": "People in {a} speak {b}."
    }


def test_function_words_alone_do_not_make_sentences_similar() -> None:
    """“{a} is a [MASK].” shares most words with “A baby {a} is a {b}.”, but not what it says."""
    assert not similar_wordings(("{a} is a [MASK].", "{a} is the largest city of [MASK].", "Then {a} put on [MASK]."))


def test_relations_with_training_sentences_are_known() -> None:
    assert {"capital", "language", "continent", "young", "opposite", "colour"} <= set(trained_relations())
    for key in set(TITLES) - set(trained_relations()):
        assert not similar_wordings(relation(key).sentences), key
