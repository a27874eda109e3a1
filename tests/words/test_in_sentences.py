"""Words in sentences: found, put into templates, and their vectors."""

import numpy as np
import pytest

from embtools.similarity import matrix
from embtools.words import occurrences, templates
from embtools.words import vectors as wordlist
from embtools.words.templates import check_alone, check_distinct, fill, readable, seconds, sentences, slot_positions


@pytest.mark.parametrize(
    "line, expected",
    [
        ("a | b", (("a",), "b")),
        ("a, b ,c|d, e", (("a", "b", "c"), "d, e")),
        ("no bar, here", ((), "no bar, here")),
        (" | d | e", ((), "d | e")),
    ],
)
def test_split_line(line, expected):
    assert occurrences.split_line(line) == expected


def test_positions_need_the_whole_word():
    tokens = ["[CLS]", "work", "##ing", "work", "re", "##work", "work"]
    assert occurrences.positions(tokens, ["work"]) == [(3,), (6,)]
    assert occurrences.positions(tokens, ["work", "##ing"]) == [(1, 2)]


@pytest.mark.parametrize(
    "sentence, word, count, expected",
    [
        ("The Bank, bankers and a bank", " bank ", 2, ["The ", "Bank", ", bankers and a ", "bank", ""]),
        ("A café.", "cafe", 1, ["", "", "A café."]),  # found by the model although it is spelled differently
        ("a.b", "a.b", 1, ["", "a.b", ""]),
        ("axb", "a.b", 0, ["axb"]),
    ],
)
def test_marked(sentence, word, count, expected):
    assert occurrences.marked(sentence, word, count) == expected
    assert "".join(expected) == sentence


def test_contexts_are_the_neighbouring_words(tiny):
    frame = tiny.tokenize("the unable king, a bank")
    table = occurrences.occurrence_table([frame], [[(2, 3), (7,)]], [()])
    assert table["context"].tolist() == ["the unable king", "a bank"]


def test_one_occurrence_of_a_word_is_found_in_a_sentence(tiny):
    def found(word, model, occurrence, sentence):
        tokens = model.tokenize(sentence)["token"].tolist()
        return occurrences.occurrence_of(word, model, occurrence=occurrence, sentence=sentence, tokens=tokens)

    assert found("red", tiny, 2, "red and red") == (3,)
    for number, message in ((3, "'red' occurs only 2 times in “red and red”"), (0, "occurs only 2 times")):
        with pytest.raises(ValueError, match=message):
            found("red", tiny, number, "red and red")
    with pytest.raises(ValueError, match="'blue' does not occur in"):
        found("blue", tiny, 1, "red and red")


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


def test_fill_needs_its_slot_and_takes_the_article_from_another_spelling():
    assert fill("He is a {w}.", "[MASK]", "{w}", spelling="actor") == "He is an [MASK]."
    with pytest.raises(ValueError, match="Put {w} where"):
        fill("He is here.", "actor", "{w}")


@pytest.mark.parametrize("word", ["unable", "he she"])
@pytest.mark.parametrize("template", ["{w} is king.", "The {w}, a {w}'s king!", "he - {w}"])
def test_positions_are_those_of_the_tokens_of_the_word(template, word, tiny):
    tokens = tiny.tokenize(fill(template, word, "{w}"))["token"].to_numpy()
    found = slot_positions(template, tiny, word=word, slot="{w}")
    assert len(found) == template.count("{w}")
    for positions in found:
        assert tuple(tokens[positions]) == tiny.pieces(word)


@pytest.mark.parametrize("template", ["The {w}s work.", "un{w} is", "a {w} and {w}2", "_{w} is"])
def test_a_slot_glued_to_a_letter_is_refused(template):
    with pytest.raises(ValueError, match="{w} touches a letter or digit"):
        check_alone(template, "{w}")


@pytest.mark.parametrize("template", ["The {w}, a {w}'s king!", "({w})-{w}", "no slot"])
def test_a_slot_between_punctuation_marks_is_separate(template):
    check_alone(template, "{w}")


@pytest.mark.parametrize("word, shown", [(" ", ""), ("\u200b", "\ufffd"), ("king ᚠ", "king ᚠ")])
def test_a_word_without_known_tokens_cannot_be_read(word, shown, tiny):
    with pytest.raises(ValueError, match=f"'{shown}' cannot be read"):
        readable(word, tiny)


def test_words_are_compared_as_the_model_reads_them(tiny):
    assert readable("Unable", tiny) == ("un", "##able")
    check_distinct(("king", "queen", "king"), tiny)  # the caller removes repeated spellings
    with pytest.raises(ValueError, match="'king' and 'KING' are the same word for this model"):
        check_distinct(("king", "queen", "KING"), tiny)


def test_all_sentences_are_checked_before_any_is_read(tiny, bundled, monkeypatch):
    with pytest.raises(ValueError, match="65 tokens"):  # the first word's sentence would just fit
        sentences("the {word} " + "is " * 60, tiny, words=("red", "unable"), layer=1)
    monkeypatch.setattr(templates, "MAX_PIECES", 11)
    with pytest.raises(ValueError, match="12 tokens in total; at most 11"):
        wordlist.vectors(("red", "blue"), bundled, layer=1, template="This is {word}.")


def test_reading_time_is_estimated_in_seconds(tiny, bundled):
    assert seconds(2_000, tiny) == 2 * seconds(1_000, tiny) > 0
    # A base model, 12 layers of 768, reads 1,000 tokens per second; this one needs an eighth of the work.
    assert seconds(8_000, bundled) == pytest.approx(1)


def test_a_list_is_read_as_typed():
    assert wordlist.split(" red ,  dark   green\nblue;;") == ("red", "dark green", "blue")
    assert wordlist.split("") == ()


def test_words_of_several_tokens_only_by_choice(tiny):
    with pytest.raises(ValueError, match=r"not a single token \(un ##able\)"):
        matrix.similarity_matrix(("red", "unable"), tiny)
    ids = [tiny.ids["un"], tiny.ids["##able"]]
    mean, first = (wordlist.vectors(("red", "unable"), tiny, pieces=p)[1] for p in ("mean", "first"))
    assert np.allclose(mean, tiny.matrix[ids].mean(0)) and np.array_equal(first, tiny.matrix[ids[0]])
    assert matrix.compare_words(("red", "unable"), tiny, pieces="mean").pieces == {"unable": ("un", "##able")}
    with pytest.raises(ValueError, match="'unings' and 'unable' are the same"):
        wordlist.check(("unable", "unings"), tiny, least=2, most=9, pieces="first")
    with pytest.raises(ValueError, match="Choose refuse, mean or first"):
        wordlist.check(("red", "green"), tiny, least=2, most=9, pieces="last")  # type: ignore[arg-type]


def test_hidden_states_of_a_template(tiny):
    words = ("red", "unable", "green")
    mean, first = (
        wordlist.vectors(words, tiny, pieces=p, template="the {word} bank .", layer=2) for p in ("mean", "first")
    )
    for word, row, one in zip(words, mean, first, strict=True):
        states = tiny.hidden_states(f"the {word} bank .")[2, 2 : 2 + len(tiny.pieces(word))]
        assert np.allclose(row, states.mean(0), atol=1e-5) and np.allclose(one, states[0], atol=1e-5)
    done = []
    wordlist.vectors(words, tiny, pieces="mean", layer=1, progress=done.append)
    assert done[-1] == 1
    for template, layer, message in (
        ("the bank", 0, "exactly once"),
        ("the {word}", 3, "no layer 3"),
        ("un{word} bank", 0, "touches a letter or digit"),
    ):
        with pytest.raises(ValueError, match=message):
            matrix.similarity_matrix(("red", "green"), tiny, layer=layer, template=template)
    with pytest.raises(ValueError, match=r"tokens|characters"):
        matrix.similarity_matrix(("red", "green"), tiny, template="{word} " + "the " * 600, layer=1)


def test_readings_that_refuse_a_word_of_several_tokens_read_others(tiny):
    for refused in ("refuse", "leave out"):
        with pytest.raises(ValueError, match="'unable' is not a single token"):
            wordlist.vectors(["unable"], tiny, pieces=refused)
        np.testing.assert_array_equal(wordlist.vectors(["rome"], tiny, pieces=refused)[0], tiny.vector("rome"))


@pytest.mark.parametrize(("pieces", "layer"), [("mean", None), ("first", 1)])
def test_a_word_that_cannot_be_read_is_named_by_all_readings(pieces, layer, tiny):
    with pytest.raises(ValueError, match="'ᚠ' cannot be read by this model"):
        wordlist.vectors(["rome", "ᚠ"], tiny, pieces=pieces, layer=layer)


def test_no_words_have_no_vectors(tiny):
    assert wordlist.vectors([], tiny).shape == (0, 16)


def test_each_function_allows_its_own_readings():
    from embtools.bias import association
    from embtools.clusters import points

    for allowed in (wordlist.READINGS, association.READINGS, points.READINGS):
        for pieces in allowed:
            wordlist.check_reading(pieces, allowed=allowed)
        with pytest.raises(ValueError, match=r"cannot be read as 'last' here\. Choose [a-z ,]+ or [a-z]+\."):
            wordlist.check_reading("last", allowed=allowed)
