"""The vocabulary, compared with a simple implementation."""

import fnmatch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.inputs import vocabulary


@pytest.fixture(scope="module")
def frame(bundled):
    return vocabulary.entries(bundled)


def test_the_window_of_the_article(frame):
    """“Understanding BERT” lists the entries 5000 to 5019."""
    listed = (
        "knight lap survey ma ##ow noise billy ##ium shooting guide bedroom priest resistance motor homes sounded giant"
        " ##mer 150 scenes"
    )
    assert vocabulary.window(frame, 5000)["token"].tolist() == listed.split()
    assert len(vocabulary.window(frame, len(frame) - 3)) == 3


def test_kinds_and_lengths(frame, bundled):
    assert set(frame[frame["kind"] == "special"]["token"]) == bundled.special
    assert frame[frame["kind"] == "continuation"]["token"].str.startswith("##").all()
    assert (frame["kind"] == "unused").sum() == 994  # as in BERT's vocabulary
    np.testing.assert_allclose(frame["length"], 1 / bundled.inverse_norms, rtol=1e-6)
    table = vocabulary.by_kind(frame).set_index("kind")
    assert table["entries"].sum() == len(frame) and table["share"].sum() == pytest.approx(1)
    numbers = frame[frame["kind"] == "number"]
    assert table.loc["number", "mean_length"] == pytest.approx(numbers["length"].mean())


@given(st.text("abgin#*?", max_size=6))
def test_search_agrees_with_fnmatch(frame, pattern):
    small = frame.iloc[::40].reset_index(drop=True)
    wanted = pattern.strip()
    wanted = wanted if set(wanted) & set("*?") else f"*{wanted}*"
    right = [token for token in small["token"] if fnmatch.fnmatchcase(token.lower(), wanted)]
    assert vocabulary.search(small, pattern=pattern)["token"].tolist() == right


def test_brackets_are_literal_and_case_is_ignored(frame):
    assert vocabulary.search(frame, pattern="[MASK]")["token"].tolist() == ["[MASK]"]
    assert vocabulary.search(frame, pattern="ROCK", kinds=("continuation",))["token"].tolist() == ["##rock"]
    assert len(vocabulary.search(frame, pattern="", kinds=("unused", "special"))) == 999
    assert len(vocabulary.search(frame, pattern="*a" * 20)) == 0  # it must also return quickly


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: vocabulary.search(f, pattern="a" * 51), "at most 50"),
        (lambda f: vocabulary.search(f, pattern="", kinds=("verb",)), "no kind 'verb'"),
        (lambda f: vocabulary.window(f, -1), "ids 0 to"),
        (lambda f: vocabulary.window(f, len(f)), "ids 0 to"),
        (lambda f: vocabulary.window(f, 0, count=501), "choose 1 to 500"),
    ],
)
def test_bad_input_says_what_to_do(frame, call, message):
    with pytest.raises(ValueError, match=message):
        call(frame)


def test_lengths_are_counted_once(frame):
    found = vocabulary.search(frame, pattern="*ing")
    bins = vocabulary.lengths(frame, found)
    assert bins["all"].sum() == len(frame) and bins["found"].sum() == len(found)
    assert vocabulary.lengths(frame, found.iloc[:0])["found"].sum() == 0


def test_a_listing_has_what_search_and_window_give(bundled, frame):
    listing = vocabulary.list_entries(" *ing ", bundled, kinds=("word",), count=7)
    found = vocabulary.search(frame, pattern="*ing", kinds=("word",))
    pd.testing.assert_frame_equal(listing.found, found)
    pd.testing.assert_frame_equal(listing.shown, found.head(7))
    pd.testing.assert_frame_equal(listing.by_kind, vocabulary.by_kind(frame))
    assert listing.headline == f"{len(found):,} of the 30,522 tokens match “*ing” and are of the kind “word”."
    window = vocabulary.list_entries("", bundled, start=30_521)
    pd.testing.assert_frame_equal(window.found, vocabulary.window(frame, 30_521))
    assert window.headline == "1 of the 30,522 tokens has id 30,521." and not window.searched
    none = vocabulary.list_entries("q*q", bundled)
    assert none.headline == "None of the 30,522 tokens match “q*q”."
    one = vocabulary.list_entries("[MASK]", bundled)
    assert one.headline == "1 of the 30,522 tokens contains “[MASK]”."
    special = vocabulary.list_entries("", bundled, kinds=("special",))
    assert special.headline == f"{len(bundled.special)} of the 30,522 tokens are of the kind “special”."
    with pytest.raises(ValueError, match="choose 1 to 500"):
        vocabulary.list_entries("rock", bundled, count=501)
