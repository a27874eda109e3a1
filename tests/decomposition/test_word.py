"""The decomposition of an occurrence, against its steps: from the built-in corpus, a typed sentence and a folder."""

import pandas as pd
import pytest

from embtools.decomposition import controls, dictionary, targets
from embtools.decomposition.parts import decompose
from embtools.decomposition.sparsity import sparsity_path
from embtools.decomposition.word import STATIC, decompose_word, word_controls, word_path
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus

LAYER = "layer 3"


@pytest.fixture(scope="module")
def read(bundled):
    return encode_corpus(built_in_corpus(), bundled, combination=LAYER)


def same(result, target, atoms, **asked):
    pd.testing.assert_frame_equal(result.parts.table, decompose(target, atoms, **asked).table)


def test_an_occurrence_of_the_corpus_is_decomposed_into_the_others(read, bundled):
    atoms, target = dictionary.of_occurrences(read), targets.occurrence(read, bundled, word="cold", number=3)
    arguments = {"number": 3, "combination": LAYER}
    rules = {"same_word": True, "same_sentence": False}
    result = decompose_word(" Cold ", bundled, **arguments, **rules, share=0.5)
    same(result, target, atoms, share=0.5, **rules)
    assert tuple(dict.fromkeys(result.sentences)) == built_in_corpus().having("cold").sentences
    assert len(result.sentences) == len(read.of("cold"))
    assert (result.count, result.coverage) == (0, "")
    mix = decompose(target, atoms, share=0.5, **rules)
    frame = word_controls(" Cold ", bundled, **arguments, **rules, share=0.5).frame
    pd.testing.assert_frame_equal(frame, controls.compare(target, atoms, mix, **rules))
    pd.testing.assert_frame_equal(
        word_path(" Cold ", bundled, **arguments, **rules), sparsity_path(target, atoms, **rules)
    )


def test_a_typed_sentence_and_static_embeddings(read, bundled):
    text = "My hands are cold and blue."
    target = targets.from_sentence(text, bundled, word="cold", combination=LAYER)
    same(decompose_word("cold", bundled, sentence=text, combination=LAYER), target, dictionary.of_occurrences(read))
    static = decompose_word("cold", bundled, sentence=text, combination=LAYER, into=STATIC, alpha=0.002)
    same(static, target, dictionary.of_vocabulary(bundled), alpha=0.002)


def test_an_occurrence_of_a_folder_is_decomposed_into_a_sample_or_into_chosen_words(folder, bundled):
    atoms = dictionary.of_folder(folder, bundled)
    result = decompose_word("cold", bundled, folder=folder, number=2)
    same(result, targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms), atoms)
    assert (result.count, result.coverage) == (folder.count("cold"), dictionary.coverage(folder, atoms))
    chosen = ("winter", "warm")
    atoms = dictionary.of_words(folder, bundled, words=chosen)
    target = targets.from_sentence("A cold look.", bundled, word="cold", combination=folder.combination)
    result = decompose_word("cold", bundled, folder=folder, chosen=chosen, sentence="A cold look.")
    same(result, target, atoms)
    assert result.coverage == dictionary.coverage(folder, atoms, words=chosen)
    path = word_path("cold", bundled, folder=folder, chosen=chosen, sentence="A cold look.")
    pd.testing.assert_frame_equal(path, sparsity_path(target, atoms))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"word": " "}, "The word is missing"),
        ({"word": "xylophone"}, "does not occur in the built-in sentences"),
        ({"word": "cold", "sentence": "It is warm."}, "is not a separate word in your sentence"),
        ({"word": "cold", "into": "anything"}, "Choose occurrences or static embeddings"),
        ({"word": "cold", "combination": "layer 99"}, "no layer combination"),
    ],
)
def test_a_word_that_cannot_be_decomposed_is_refused(bundled, arguments, message):
    for function in (decompose_word, word_controls, word_path):
        with pytest.raises(ValueError, match=message):
            function(model=bundled, **{"combination": LAYER} | arguments)


def test_another_model_than_that_of_the_folder_is_refused(folder, tiny):
    with pytest.raises(ValueError, match="'bundled'"):
        decompose_word("king", tiny, folder=folder)


@pytest.mark.slow
def test_progress_rises_to_the_end_and_can_stop(bundled, cold):
    for function in (decompose_word, word_controls, word_path):
        reported: list[float] = []
        function("cold", bundled, combination=LAYER, progress=reported.append)
        assert reported == sorted(reported) and reported[-1] == pytest.approx(1)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        word_controls("warm", bundled, combination=LAYER, progress=stop)
