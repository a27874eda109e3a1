"""The vocabulary, compared with a simple implementation."""

import fnmatch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.charts.inputs import vocabulary as charts
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
    assert vocabulary.search(small, pattern)["token"].tolist() == right


def test_brackets_are_literal_and_case_is_ignored(frame):
    assert vocabulary.search(frame, "[MASK]")["token"].tolist() == ["[MASK]"]
    assert vocabulary.search(frame, "ROCK", ("continuation",))["token"].tolist() == ["##rock"]
    assert len(vocabulary.search(frame, "", ("unused", "special"))) == 999
    assert len(vocabulary.search(frame, "*a" * 20)) == 0  # it must also return quickly


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: vocabulary.search(f, "a" * 51), "at most 50"),
        (lambda f: vocabulary.search(f, "", ("verb",)), "no kind 'verb'"),
        (lambda f: vocabulary.window(f, -1), "ids 0 to"),
        (lambda f: vocabulary.window(f, len(f)), "ids 0 to"),
        (lambda f: vocabulary.window(f, 0, 501), "choose 1 to 500"),
    ],
)
def test_bad_input_says_what_to_do(frame, call, message):
    with pytest.raises(ValueError, match=message):
        call(frame)


def test_lengths_are_counted_once_and_drawn(frame):
    found = vocabulary.search(frame, "*ing")
    bins = vocabulary.lengths(frame, found)
    assert bins["all"].sum() == len(frame) and bins["found"].sum() == len(found)
    figure = charts.lengths(bins, "found")
    assert [trace.name for trace in figure.data] == ["all tokens", "found"]
    assert float(np.sum(figure.data[1].y)) == pytest.approx(1)
    kinds = vocabulary.by_kind(frame)
    assert f"that of the tokens found is {found['length'].mean():.2f}." in charts.alt(kinds, found, len(frame))
    assert "No token was found." in charts.alt(kinds, found.iloc[:0], len(frame))
    assert vocabulary.lengths(frame, found.iloc[:0])["found"].sum() == 0
