"""The Arithmetic page without a browser: its code gives its numbers, its limits are told beside the field."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import embtools
from embtools import wordlists
from embtools.arithmetic.scopes import first_answers
from embtools.mask_filling.edits import Change
from embtools.ui import cached
from embtools.ui import jobs as jobs_module
from embtools.ui.arithmetic import examples

ROOT = Path(__file__).parent.parent
FORMULA = examples.FORMULA_TAB
ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"


@pytest.fixture(autouse=True, scope="module")
def share_the_model(bundled):
    from embtools.models import loading

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "load_model", lambda name="bundled": bundled)
        yield


def visit(**state):
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90)
    for key, value in {"tables": True, "fold-lens": True, "fold-pieces": True, **state}.items():
        test.session_state[key] = value
    return settled(test.switch_page("pages/arithmetic.py").run())


def settled(test):
    assert not test.exception, [e.value for e in test.exception]
    return test


def texts(test):
    return [*(e.value for e in test.text), *(e.value.replace("\\", "") for e in test.caption)]


def tables(test, *columns):
    """The tables that have exactly these columns, in the order of the page."""
    return [d.value for d in test.dataframe if list(d.value.columns) == list(columns)]


def copied(test, model):
    """What "copy as Python" makes, run as it stands but for the loading of the model."""
    (code,) = [block.value for block in test.code if "import embtools" in block.value]
    space = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embtools, "load_model", lambda *_: model)
        exec(code, space)
    return code, space


def same(shown, found):
    """The table on the page holds the numbers of the code; the page may show fewer columns."""
    pd.testing.assert_frame_equal(
        shown.reset_index(drop=True), found[list(shown.columns)].reset_index(drop=True), check_dtype=False, rtol=1e-6
    )


ANSWERS = ("token", "before", "probability", "change", "rank_before", "rank_after")


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "arithmetic_text": "[MASK] says rome is the capital of [MASK].",
            "arithmetic_mask": 2,
            "arithmetic_scope": "tied",
            "arithmetic_strength": 1.5,
            "arithmetic_keep": True,
            "arithmetic_candidates": "france, new york, burkina faso",
            "arithmetic_curve": "paris, italy, spain",
            "arithmetic_leave_out": "france, he",
            "arithmetic_temperature": 0.6,
            "arithmetic_hide": True,
            "arithmetic_draws": 2,
            "arithmetic_k": 5,
        },
        {"arithmetic_edits": f"{EDIT}\ncapital = mean(capital, city)", "arithmetic_candidates": "paris"},
        {"arithmetic_edits": "rome = rome - rome"},
        {"arithmetic_edits": "", "arithmetic_candidates": "paris, new york", "arithmetic_hide": True},
    ],
)
def test_copy_as_python_gives_every_number_of_the_edit(bundled, state):
    test = visit(**state)
    code, found = copied(test, bundled)
    assert "\n\n\n" not in code and max(map(len, code.splitlines())) < 200
    result, edited = found["result"], bool(found["change"].edits)
    masks = sorted(result.answers["mask"].unique())
    shown = tables(test, "mask", *ANSWERS) if len(masks) > 1 else tables(test, *ANSWERS)
    assert len(shown) == len(masks)
    for mask, table in zip(masks, shown, strict=True):
        same(table, result.answers[result.answers["mask"] == mask])
    same(*tables(test, "position", "token", "id", "segment", "word"), bundled.tokenize(found["text"]))
    if "candidates" in found:
        same(*tables(test, "word", "pieces", "before", "probability", "change", "ratio"), found["scored"])
    if "hidden" in found:
        assert any(text.startswith(f"{found['hidden'].sum()} of the first") for text in texts(test))
    assert ("arithmetic_candidates" in state) == ("candidates" in found)
    assert ("arithmetic_hide" in state) == ("hidden" in found)
    if not edited:
        return
    summaries = tables(test, "control", "same_answer", "mean", "low", "high", "draws", "question")
    for mask, table in zip(masks, summaries, strict=True):
        same(table.drop(columns="question"), result.summary[result.summary["mask"] == mask])
    for mask, table in zip(
        masks, tables(test, "control", "detail", "mask", "answer", "token", "probability"), strict=True
    ):
        same(table, result.controls[result.controls["mask"] == mask])
    same(*tables(test, "strength", "token", "probability", "log_odds"), found["curve"])
    same(*tables(test, "layer", "run", "token", "probability", "first"), found["layers"])
    near = [table for table in tables(test, "rank", "token", "cosine") if not table.empty]
    same(pd.concat(near), found["near"])
    for line in found["lengths"].itertuples():
        assert f"{line.word}, original (length {line.original:.2f})" in texts(test)
        assert f"{line.word}, edited (length {line.edited:.2f})" in texts(test)
    other = found["scopes"].query("scope != @found['change'].scope")
    for line in other.itertuples():
        assert any(f"{line.scope}: {line.token} {line.probability:.1%};" in text for text in texts(test))


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "arithmetic_formula": "paris - france + italy",
            "arithmetic_expected": "rome",
            "arithmetic_whole": True,
            "arithmetic_inputs": False,
            "arithmetic_metric": "euclidean",
            "arithmetic_neighbours": 5,
        },
        {"arithmetic_formula": "reject(nurse, she - he)", "arithmetic_expected": ""},
        {"arithmetic_formula": 'unit("the")'},
        {"arithmetic_formula": "king - king", "arithmetic_metric": "euclidean"},
    ],
)
def test_copy_as_python_gives_every_number_of_the_formula(bundled, state):
    test = visit(arithmetic_tab=FORMULA, **state)
    _, found = copied(test, bundled)
    measure = "distance" if state.get("arithmetic_metric") == "euclidean" else "cosine"
    same(*tables(test, "rank", "token", measure), found["near"])
    ranks = tables(test, "method", "best_in", "rank_in", "best_out", "rank_out")
    assert len(ranks) == ("ranks" in found)
    for table in ranks:
        same(table, found["ranks"])
    maps = tables(test, "label", "kind", "x", "y")
    assert len(maps) == ("points" in found)
    for table in maps:
        same(table, found["points"])
    same(*tables(test, "vector", "dimension", "value"), found["numbers"])
    same(*tables(test, "vector", "length"), found["lengths"].rename("length").reset_index())


def test_the_strips_are_described_and_their_table_holds_what_is_drawn(bundled):
    test = visit(arithmetic_tab=FORMULA)
    (numbers,) = tables(test, "vector", "dimension", "value")
    assert len(numbers) == 4 * bundled.dimensions
    (alt,) = [chart.proto.alt for chart in test.get("plotly_chart") if "strips" in chart.proto.alt]
    value = embtools.evaluate("king - man + woman", bundled)
    largest = int(np.abs(value).argmax())
    assert f"king - man + woman: {largest} ({value[largest]:+.2f})" in alt


# The two scopes


def test_the_other_scope_is_told_for_every_edit(bundled):
    for text, edit, verb in (
        (ROME, EDIT, "agree"),
        ("Berlin" + ROME[4:], "berlin = berlin - germany + greece", "differ"),
    ):
        test = visit(arithmetic_text=text, arithmetic_edits=edit)
        best = embtools.fill_mask(text, bundled, 1, edits=[edit], scope="tied").iloc[0]
        line = f"With scope tied: {best['token']} {best['probability']:.1%}; the scopes {verb} on the first answer."
        assert line in texts(test)
        found = first_answers(text, Change((edit,)), model=bundled).set_index("scope")
        assert found.loc["tied", "probability"] == pytest.approx(best["probability"], abs=1e-6)


def test_a_word_that_only_one_scope_reaches_has_no_comparison():
    test = visit(arithmetic_scope="tied", arithmetic_edits="paris = paris - france + italy")
    assert not any("the scopes" in text for text in texts(test))
    assert not any("the scopes" in text for text in texts(visit(arithmetic_edits="")))


def test_the_papers_average_overwrites_the_row():
    people = examples.EXAMPLES["People and work"]
    assert {people[name]["arithmetic_scope"] for name in ("He, averaged with she", "She, averaged with he")} == {"tied"}
    continents = examples.EXAMPLES["Continents"].values()
    assert {state["arithmetic_scope"] for state in continents} == {"tied"}
    assert examples.EXAMPLES["Cities and countries"]["Rome in France"]["arithmetic_scope"] == "input"


# Limits and stops


MANY = ", ".join(wordlists.load("capitals")["capital"].head(13))


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"arithmetic_leave_out": ", ".join(f"w{i}" for i in range(5_000))}, "5,000 words to leave out; at most 200"),
        ({"arithmetic_curve": MANY}, "13 words for the curve; choose 1 to 12"),
        (
            {"arithmetic_text": "the " * 480 + "[MASK]", "arithmetic_edits": "", "arithmetic_draws": 1,
             "arithmetic_candidates": ", ".join(f"{w}{'x' * 7}" for w in "abcdefghijklmnopqrstuvwxyz")},
            "at most 40,000 are read at once",
        ),
    ],
)  # fmt: skip
def test_limits_are_told(state, sentence):
    test = visit(**state)
    assert len([text for text in texts(test) if sentence in text]) == 1, texts(test)
    assert [metric.label for metric in test.metric]


def test_two_hundred_words_left_out_go_with_the_offensive_list(bundled):
    words = [w for i, w in enumerate(bundled.vocabulary) if bundled.whole_words[i]][3000:3200]
    test = visit(arithmetic_leave_out=", ".join(words), arithmetic_hide=True, arithmetic_draws=1)
    assert not any("to leave out" in text for text in texts(test))


def test_a_stopped_job_waits_for_a_button_or_another_question(monkeypatch):
    """The stop is pressed for the visitor, as soon as the job is asked for."""
    jobs = []

    def stopped(function, model, *arguments, label, stop, **named):
        jobs.append(label)
        if len(jobs) == 1:
            stop()
            raise ValueError("stopped")
        return cached.compute(function, model, *arguments, **named)

    monkeypatch.setattr(jobs_module, "long_call", stopped)

    def page():
        import streamlit as st

        from embtools.arithmetic.candidates import candidates
        from embtools.ui.jobs import stoppable

        words = tuple(st.text_input("Words", "france", key="words").split())
        try:
            found = stoppable("it", candidates, "bundled", "Rome is the capital of [MASK].", words, label="Scoring")
        except ValueError as error:
            st.text(str(error))
            st.stop()
        st.text(f"{len(found)} scored")

    test = AppTest.from_function(page, default_timeout=60).run()
    assert jobs == ["Scoring"]
    test.run()
    assert jobs == ["Scoring"] and any("It was stopped" in said for said in texts(test))
    test.text_input(key="words").set_value("france italy").run()
    assert "2 scored" in texts(test)
    test.text_input(key="words").set_value("france").run()
    assert any("It was stopped" in said for said in texts(test))
    test.button[0].click().run()
    assert "1 scored" in texts(test)


def test_the_finder_is_in_the_address():
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90)
    test.query_params["arithmetic_find"] = "lodnon"
    test = settled(test.switch_page("pages/arithmetic.py").run())
    assert "3 pieces: lo ##d ##non" in texts(test)
