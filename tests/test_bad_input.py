"""Bad input to pages that read two sentences or a table: two very long ones, a mask in the second, an empty file; and what
is offered after an error. Bad input to each single field: test_panels.py.
"""

import pytest

from embtools.arithmetic import rows
from embtools.concepts import items
from embtools.pairs import batch
from embtools.words import groups

LONG = "very " * 600
PAIRED = {
    "attention": ("attention", "attention_text", "attention_second", {"attention_control": ""}),
    "inputs": ("inputs", "inputs_first", "inputs_second", {}),
    "inputs, as a pair": ("inputs", "inputs_first", "inputs_second", {"inputs_reading": "pair"}),
    "next sentence": ("pairs", "pairs_first", "pairs_second", {}),
    "two sentences": ("pairs", "pairs_first", "pairs_second", {"pairs_tab": "similarity"}),
}


@pytest.mark.slow("next sentence")
@pytest.mark.parametrize("page, first, second, query", PAIRED.values(), ids=PAIRED)
def test_two_sentences_of_600_tokens_are_refused_and_a_mask_in_the_second_is_read(visit, page, first, second, query):
    at = visit(page, **{first: LONG, second: LONG}, **query)
    assert "tokens" in at.problems[0] and at.charts and at.says("Showing the page's example")
    at = visit(page, **{first: "I went to the store.", second: "They were [MASK]."}, **query)
    assert not at.problems and at.charts and not at.says("Showing the p")


@pytest.mark.parametrize("read, columns", [
    (rows.read_table, b"sentence,edits"), (batch.read, b"first,second"), (groups.read_table, b"word,group"),
    (items.read, b"sentence,word,label"),
])  # fmt: skip
def test_an_empty_file_is_refused_with_what_to_do(read, columns):
    for data in (b"", b"\n", b"\xef\xbb\xbf", columns, columns + b"\n"):
        with pytest.raises(ValueError, match=r"needs a first line|Write|Add"):
            read(data)


SIGHT = {"similarity_tab": "colours"}
ODD = {"similarity_tab": "odd"}
# One thing is wrong with each (or could be better), and what must be offered for it.
FAULTS = {
    "a slip": ("similarity", {}, {"similarity_words": "red, gren, blue"}, "Replace gren by green"),
    "a slip of a word that is there": ("similarity", {}, {"similarity_words": "red, gren, green, blue"}, "Use the mean"),
    "several pieces": ("similarity", {}, {"similarity_words": "red, green, rebeccapurple"}, "Use the mean"),
    "in the second space": (
        "similarity", {"similarity_other": "same"}, {"similarity_words": "red, gren, blue, black"}, "Replace gren by green",
    ),
    "colours of several pieces": (
        "similarity", SIGHT, {"similarity_words": "red, green, blue, rebeccapurple"}, "Use the mean",
    ),
    "too few colours": ("similarity", SIGHT, {"similarity_words": "red, piano, skateboarders"}, "Use the 21 colours"),
    "a colour that cannot be answered": (
        "similarity", SIGHT | {"similarity_sight": "answers"},
        {"similarity_words": "red, green, blue, black, rebeccapurple"}, "Use the mean",
    ),
    "too few that can be answered": (
        "similarity", SIGHT | {"similarity_sight": "answers"},
        {"similarity_words": "lightgoldenrodyellow, rebeccapurple, mediumturquoise, peachpuff"}, "Use the 21 colours",
    ),
    "too few that can be answered, averaged": (
        "similarity", SIGHT | {"similarity_sight": "answers"},
        {"similarity_words": "red, green, blue, rebeccapurple", "similarity_pieces": "mean"}, "Use the 21 colours",
    ),
    "own words": ("similarity", ODD, {"similarity_odd": "red, gren, blue"}, "Replace gren by green"),
    "a word in no sentence": ("layers", {}, {"layers_word": "mint"}, "Write sentences with"),
    "a word of the fifty": (
        "layers", {}, {"layers_word": "pitcher", "layers_lines": "a bank\nthe bank\na river"}, "Use the eight sentences with",
    ),
    "a word of the built-in texts": (
        "layers", {}, {"layers_word": "queen", "layers_lines": "a bank\nthe bank\na river\nthe river"}, "Insert 8",
    ),
    "another form": (
        "layers", {}, {"layers_lines": "money | All banks closed.\nriver | A bank.\nmoney | The bank."}, "Replace “banks” with “bank”",
    ),
    "nothing to compare": ("layers", {}, {"layers_word": "mint", "layers_lines": "A boat."}, "Write sentences with"),
    "no group in the sentence": ("bias", {}, {"bias_template": "The nurse said that she was tired."}, "nurse"),
    "words left out": (
        "clusters", {"clusters_list": "own"},
        {"clusters_words_own": "sport: skateboard, football, tennis\nfood: bread, baguette, cheese"}, "Use the mean",
    ),
}  # fmt: skip


@pytest.mark.slow("a slip", "in the second space", "no group in the sentence")
@pytest.mark.parametrize("page, at_first, fault, offered", FAULTS.values(), ids=FAULTS)
def test_every_suggestion_works(visit, page, at_first, fault, offered):
    """Each button that is offered after an error leads to a page without one."""
    without = {(button.key, button.label) for button in visit(page, **at_first).button}

    def buttons():
        at = visit(page, **at_first, **fault)
        return at, [button for button in at.button if (button.key, button.label) not in without and not button.disabled]

    _, found = buttons()
    assert any(offered in button.label.replace("\\", "") for button in found), [button.label for button in found]
    for number in range(len(found)):
        at, offers = buttons()
        offers[number].click()
        assert not at.run().problems, offers[number].label


@pytest.mark.parametrize(
    "words, usable", [("red, green, blue", True), ("red", False), ("", False), ("red, gren, blue", False)]
)
def test_a_list_without_an_odd_word_cannot_be_used(visit, words, usable):
    at = visit("similarity", **ODD, similarity_words=words)
    (button,) = [button for button in at.button if button.label == "Use the list of the first tab"]
    assert button.disabled != usable
    if usable:
        assert not at.press("Use the list of the first tab").problems
