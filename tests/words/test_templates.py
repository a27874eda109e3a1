"""Templates: articles, and the position of the word in the filled sentence."""

import pytest

from embtools.words.templates import check_alone, check_distinct, fill, readable, seconds, sentences, slot_positions


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("He is a {w}.", "actor", "He is an actor."),
        ("An {w} came.", "nurse", "A nurse came."),
        ("The {w} met a {w}.", "editor", "The editor met an editor."),
        ("Panama {w}", "artist", "Panama artist"),
    ],
)
def test_fill_puts_the_right_article(template, word, expected):
    assert fill(template, word, "{w}") == expected


def test_fill_takes_the_article_from_another_spelling():
    assert fill("He is a {w}.", "[MASK]", "{w}", spelling="actor") == "He is an [MASK]."


def test_fill_needs_its_slot():
    with pytest.raises(ValueError, match="Put {w} where"):
        fill("He is here.", "actor", "{w}")


@pytest.mark.parametrize("word", ["king", "unable", "he she"])
@pytest.mark.parametrize("template", ["{w} is king.", "The {w}, a {w}'s king!", "he - {w}"])
def test_positions_are_those_of_the_tokens_of_the_word(template, word, tiny):
    tokens = tiny.tokenize(fill(template, word, "{w}"))["token"].to_numpy()
    found = slot_positions(template, tiny, word=word, slot="{w}")
    assert len(found) == template.count("{w}")
    for positions in found:
        assert tuple(tokens[positions]) == tiny.pieces(word)


def test_a_slot_inside_a_word_is_refused(tiny):
    with pytest.raises(ValueError, match="touches a letter"):
        slot_positions("The {w}s work.", tiny, word="king", slot="{w}")


@pytest.mark.parametrize("template", ["The {w}s work.", "un{w} is", "a {w} and {w}2", "_{w} is"])
def test_a_slot_glued_to_a_letter_is_refused(template):
    with pytest.raises(ValueError, match="{w} touches a letter or digit"):
        check_alone(template, "{w}")


@pytest.mark.parametrize("template", ["{w}", "The {w}, a {w}'s king!", "({w})-{w}", "no slot"])
def test_a_slot_between_punctuation_marks_is_separate(template):
    check_alone(template, "{w}")


@pytest.mark.parametrize("word, shown", [("", ""), (" ", ""), ("ᚠ", "ᚠ"), ("\u200b", "\ufffd"), ("king ᚠ", "king ᚠ")])
def test_a_word_without_known_tokens_cannot_be_read(word, shown, tiny):
    with pytest.raises(ValueError, match=f"'{shown}' cannot be read"):
        readable(word, tiny)


def test_words_are_compared_as_the_model_reads_them(tiny):
    assert readable("Unable", tiny) == ("un", "##able")
    check_distinct(("king", "queen", "king"), tiny)  # the caller removes repeated spellings
    with pytest.raises(ValueError, match="'king' and 'KING' are the same word for this model"):
        check_distinct(("king", "queen", "KING"), tiny)


def test_every_words_sentence_is_checked_before_any_is_read(tiny):
    with pytest.raises(ValueError, match="65 tokens"):  # the first word's sentence would just fit
        sentences("the {word} " + "is " * 60, tiny, words=("red", "unable"), layer=1)


def test_reading_time_is_estimated_in_seconds(tiny, bundled):
    assert seconds(2_000, tiny) == 2 * seconds(1_000, tiny) > 0
    # A base model, 12 layers of 768, reads 1,000 tokens per second; this one needs an eighth of the work.
    assert seconds(8_000, bundled) == pytest.approx(1)
